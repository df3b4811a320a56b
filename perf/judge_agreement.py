"""How far the rules judge agrees with the verdicts recorded in ChartHal's published run.

    python perf/judge_agreement.py --data ../shared/data/charthal

The data folder holds ``data/charthal.json`` and ``results/eval.json`` (answers with the judge's score). The rules were
developed on charts with an even figure id only; those with an odd one tell how far they carry. Prints accuracy, Cohen's
kappa with a 95 % interval (bootstrap over figures, seeded) and coverage, then the counts of every cell.

kappa = (p_o - p_e) / (1 - p_e), with p_o the share of equal verdicts and p_e the share expected by chance from both
judges' margins (Cohen 1960, "A coefficient of agreement for nominal scales").
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from snellen.answer import Answer
from snellen.benchmarks import charthal
from snellen.item import Item
from snellen.judges import rules

REPLICATES, SEED = 2_000, 20_250
ENOUGH = 10  # verdicts of the rarer kind below which a cell's kappa says nothing


@dataclass(frozen=True)
class Pair:
    """One answer, judged twice: `rules` is None where the rules cannot tell."""

    item: Item
    recorded: int
    rules: int | None
    reason: str

    @property
    def figure(self) -> int:
        return int(self.item.groups["figure"])

    @property
    def cell(self) -> tuple[str, str]:
        return self.item.labels["question_type"], self.item.labels["relation"]


def pairs(data: Path) -> list[Pair]:
    """Every recorded answer with both verdicts, in the order of the items."""
    text = (data / "results" / "eval.json").read_text("utf-8")
    recorded = {f"charthal/{row['figure_id']}/{row['subq_idx']}": row for row in json.loads(text).values()}
    found = []
    for item in charthal.items(data):
        if isinstance(item, Item) and item.id in recorded:
            row = recorded[item.id]
            verdict = rules.read(item, Answer("answered", text=row["response"]))
            found.append(Pair(item, row["score"], verdict.value, verdict.reason))
    return found


def counts(chosen: Iterable[Pair]) -> npt.NDArray[np.int64]:
    """[recorded, rules] -> number of answers; what the rules cannot tell is left out."""
    table = np.zeros((2, 2), dtype=np.int64)
    for pair in chosen:
        if pair.rules is not None:
            table[pair.recorded, pair.rules] += 1
    return table


def kappa(table: npt.NDArray[np.int64] | npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Cohen's kappa of tables of shape [..., 2, 2]; nan where both judges give one verdict only."""
    n = table.sum(axis=(-2, -1))
    with np.errstate(invalid="ignore", divide="ignore"):
        observed = np.trace(table, axis1=-2, axis2=-1) / n
        expected = (table.sum(axis=-1) * table.sum(axis=-2)).sum(axis=-1) / n**2
        return np.asarray((observed - expected) / (1 - expected), dtype=np.float64)


def interval(chosen: list[Pair]) -> tuple[float, float]:
    """95 % percentile interval of kappa; whole figures are drawn with replacement."""
    figures = sorted({pair.figure for pair in chosen})
    tables = np.stack([counts(pair for pair in chosen if pair.figure == figure) for figure in figures])
    drawn = np.random.default_rng(SEED).integers(len(figures), size=(REPLICATES, len(figures)))
    low, high = np.nanpercentile(kappa(tables[drawn].sum(axis=1)), (2.5, 97.5))
    return float(low), float(high)


def coverage(chosen: list[Pair]) -> float:
    """Share of the answers that the rules decide."""
    return sum(pair.rules is not None for pair in chosen) / len(chosen)


GROUPS: dict[str, Callable[[Pair], bool]] = {
    "all charts": lambda pair: True,
    "even figure id (developed on)": lambda pair: pair.figure % 2 == 0,
    "odd figure id (held out)": lambda pair: pair.figure % 2 == 1,
}


def report(found: list[Pair]) -> str:
    """Two tables in markdown."""
    lines = ["| charts | answers | coverage | accuracy | Cohen's kappa [95 %] |", "| --- | --- | --- | --- | --- |"]
    for title, belongs in GROUPS.items():
        chosen = [pair for pair in found if belongs(pair)]
        table, (low, high) = counts(chosen), interval(chosen)
        accuracy = np.trace(table) / table.sum()
        lines.append(
            f"| {title} | {len(chosen)} | {coverage(chosen):.1%} | {accuracy:.1%} | "
            f"{float(kappa(table)):.2f} [{low:.2f}, {high:.2f}] |"
        )
    lines += ["", "| cell | answers | recorded 1 | agree | disagree | cannot tell | kappa |", "| --- |" + " --- |" * 6]
    for kind in charthal.CARD.labels["question_type"]:
        for relation in charthal.CARD.labels["relation"]:
            chosen = [pair for pair in found if pair.cell == (kind, relation)]
            table = counts(chosen)
            rarer = int(min(table.sum(axis=1).min(), table.sum(axis=0).min()))
            value = f"{float(kappa(table)):.2f}" if rarer >= ENOUGH else "too few"
            lines.append(
                f"| {kind}, {relation} | {len(chosen)} | {sum(pair.recorded for pair in chosen)} | {np.trace(table)} | "
                f"{table.sum() - np.trace(table)} | {len(chosen) - table.sum()} | {value} |"
            )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description="Agreement of the rules judge with ChartHal's recorded verdicts.")
    parser.add_argument("--data", type=Path, required=True, help="holds data/charthal.json and results/eval.json")
    parser.add_argument(
        "--disagreements", action="store_true", help="also list answers of even charts judged otherwise"
    )
    arguments = parser.parse_args()
    found = pairs(arguments.data)
    print(report(found))
    if arguments.disagreements:
        for pair in found:
            if pair.figure % 2 == 0 and pair.rules != pair.recorded:
                cell = ", ".join(pair.cell)
                print(f"{pair.item.id} ({cell}): recorded {pair.recorded}, rules {pair.rules}. {pair.reason}")


if __name__ == "__main__":
    main()
