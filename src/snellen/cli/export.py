"""snellen export"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from snellen.cli import loading

if TYPE_CHECKING:
    from snellen.engine.judged import Judged

_BEFORE = ("run", "id")
_AFTER = ("language", "cluster", "question", "reference", "status", "response")
_VERDICT = ("value", "unscored", "flags", "reason", "measures")
_ESTIMATES: Mapping[str, type] = {
    **dict.fromkeys(("run", "benchmark", "scope", "label", "value_of_label"), str),
    **dict.fromkeys(("value", "low", "high"), float),
    **dict.fromkeys(("scored", "unscored", "clusters"), int),
    **dict.fromkeys(("lower_bound", "upper_bound"), float),
    "method": str,
}
_ENDINGS = {".csv": "csv", ".parquet": "parquet", ".md": "markdown", ".tex": "latex"}
_SPREADSHEETS = (".xlsx", ".xls", ".ods")
_FORMS = ("jsonl", "csv", "parquet", "markdown", "latex")
_OF_A_PAPER = ("markdown", "latex")


@click.command(name="export", short_help="Write runs as JSON Lines, CSV or Parquet, or as a table for a paper.")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    default=None,
    metavar="FILE",
    help="Written at once when complete. [default: standard output]",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(_FORMS),
    default=None,
    help="markdown and latex are tables for papers; parquet needs -o. [default: by FILE's ending, else jsonl]",
)
@click.option("--estimates", is_flag=True, help="The numbers with their intervals instead of the items.")
@click.option("--table", is_flag=True, help="A table for a paper: a row for each run, a column for each label's value.")
@click.option(
    "--label", "labels", multiple=True, metavar="LABEL", help="Of a table: columns of this label; may repeat."
)
@click.option("--published", is_flag=True, help="Of a table: the benchmark's published rows before the runs.")
@click.option("--no-intervals", is_flag=True, help="Of markdown and latex: values alone in the cells.")
@click.pass_obj
def command(
    workspace: Path,
    runs: tuple[str, ...],
    output: Path | None,
    form: str | None,
    estimates: bool,
    table: bool,
    labels: tuple[str, ...],
    published: bool,
    no_intervals: bool,
) -> int:
    """Write every item of each RUN with its answer and verdict, one a row, in UTF-8 and without loss.

    JSON Lines keep texts exactly as they are. In CSV a missing answer is an empty field with an empty status, and texts
    are kept too: a spreadsheet may run one that begins with = + - or @ as a formula, so open it there as text.

    \b
    snellen export charthal/qwen2.5-vl-7b-3f2a91@charthal-gpt-4o charthal/internvl3-8b-81c0de@charthal-gpt-4o \\
        --format latex --label relation --published -o table.tex
    """
    with loading.quickly():
        from snellen import library
        from snellen.engine.workspace import Workspace
        from snellen.errors import UsageError
        from snellen.report import rows_file
        from snellen.report.paper import paper_rows, paper_table

    if form is None and output is not None and output.suffix.lower() in _SPREADSHEETS:
        raise UsageError(f"{output.suffix} is not written: name a .csv file, and import it with its columns as text")
    form = form or (_ENDINGS.get(output.suffix.lower()) if output is not None else None) or "jsonl"
    table = table or form in _OF_A_PAPER
    if table and estimates:
        raise UsageError("--estimates is a row for each number, and a table a row for each run: leave one of them out")
    if not table and (labels or published):
        raise UsageError("--label and --published are for tables: add --table, or --format markdown or latex")
    if no_intervals and form not in _OF_A_PAPER:
        raise UsageError("--no-intervals is for --format markdown and latex: here intervals are columns of their own")
    if form == "parquet" and output is None:
        raise UsageError("Parquet is no text: name a file with -o")
    with Workspace(workspace) as opened:
        judged = [library.open_judged(opened, run) for run in runs]
        text = ""
        rows: Iterator[Mapping[str, Any]] = iter(())
        columns: Mapping[str, type] = {}
        if form in _OF_A_PAPER:
            text = paper_table(judged, form, published=published, labels=labels, intervals=not no_intervals)  # type: ignore[arg-type]
        elif table:
            found = paper_rows(judged, published=published, labels=labels)
            rows, columns = iter(found), _of_table(found)
        else:
            rows, columns = (_estimates(judged), dict(_ESTIMATES)) if estimates else (_items(judged), {})
            if not estimates and form != "jsonl":
                columns = _of_items(judged)
        if output is None:
            if form in _OF_A_PAPER:
                sys.stdout.write(text)
            else:
                rows_file.write_text(rows, columns, sys.stdout, form)
            return 0
        with _at_once(output) as temporary:
            if form == "parquet":
                rows_file.write_parquet(rows, columns, temporary)
            else:
                with temporary.open("w", encoding="utf-8", newline="") as file:
                    if form in _OF_A_PAPER:
                        file.write(text)
                    else:
                        rows_file.write_text(rows, columns, file, form)
        click.echo(output)
    return 0


@contextlib.contextmanager
def _at_once(output: Path) -> Iterator[Path]:
    """A file beside the one that is wanted, which takes its place when it is complete."""
    from snellen.errors import UsageError

    if output.exists() and not output.is_file():
        raise UsageError(f"{output} is no regular file; leave -o out to write to standard output")
    temporary = output.with_name(f".{output.name}.partial")
    try:
        yield temporary
        temporary.replace(output)
    except OSError as error:
        raise UsageError(f"{output} cannot be written: {error.strerror or error}") from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def _items(runs: Sequence[Judged]) -> Iterator[dict[str, Any]]:
    for judged in runs:
        for row in judged.rows():
            answer, verdict = row.answer, row.verdict
            yield {
                "run": judged.name,
                "id": row.item.id,
                **{f"label:{name}": value for name, value in row.item.labels.items()},
                "language": row.item.language,
                "cluster": row.item.cluster,
                "question": row.item.question,
                "reference": row.item.reference.text if row.item.reference is not None else None,
                "status": answer.status if answer is not None else None,
                "response": row.visible if answer is not None else None,
                "value": verdict.value,
                "unscored": verdict.unscored or None,
                "flags": " ".join(verdict.flags),
                "reason": verdict.reason,
                "measures": {name: list(pair) for name, pair in verdict.measures.items()} or None,
            }


def _of_items(runs: Sequence[Judged]) -> dict[str, type]:
    """The columns of items: every label that occurs, in the cards' order first."""
    from snellen.table import LANGUAGE

    labels = dict.fromkeys(name for judged in runs for name in judged.card.labels)
    labels |= dict.fromkeys(name for judged in runs for name in judged.table.label_names if name != LANGUAGE)
    columns: dict[str, type] = dict.fromkeys((*_BEFORE, *(f"label:{name}" for name in labels), *_AFTER, *_VERDICT), str)
    columns["value"] = int
    return columns


def _estimates(runs: Sequence[Judged]) -> Iterator[dict[str, Any]]:
    from snellen.report import tables

    for judged in runs:
        yield from tables.to_rows(judged)


def _of_table(rows: Sequence[Mapping[str, Any]]) -> dict[str, type]:
    kinds: dict[str, type] = {}
    for name in dict.fromkeys(name for row in rows for name in row):
        kinds[name] = str if name in ("run", "benchmark") else int if name.endswith(":scored") else float
    return kinds
