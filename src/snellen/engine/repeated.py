"""Repeated: the repeats of a run and their judgings, found in the ledger, and what they come to together.

Repeats of a run ask the same under other sample numbers: their identities differ in the repeat and nothing else. A
judging of theirs goes with the one that is looked at if it is by the same judge. Clean items count, which every repeat
has planned; a verdict that is lacking is a hole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from snellen.engine.choice import judge_from_row
from snellen.engine.workspace import Workspace
from snellen.ledger import Ledger, RunRow

if TYPE_CHECKING:
    from snellen.engine.judged import Judged
    from snellen.engine.repeats import Spread
    from snellen.table import VerdictTable

_OF_JUDGING = ("run", "repeat", "sample", "source")  # what tells judgings by one judge apart


@dataclass(frozen=True, slots=True)
class Family:
    """Repeats that belong together.

    Attributes:
        runs: of the ledger, in the order of repeats.
        judgings: (place of a run in `runs`, place of a judging) -> the judging; not every pair need be there.
        most: judgings of a run, at the most.
    """

    runs: tuple[RunRow, ...]
    judgings: Mapping[tuple[int, int], RunRow]
    most: int

    @property
    def first(self) -> str:
        """Name of the judging under which the numbers of all are shown."""
        return self.judgings[min(self.judgings)].name


@dataclass(frozen=True, slots=True)
class Repeated:
    """What repeats come to.

    Attributes:
        family: the runs and judgings.
        spread: the numbers; repeats and judgings in the order of the family's.
    """

    family: Family
    spread: Spread

    def to_json(self) -> dict[str, Any]:
        """Plain values: names of runs, of judgings by repeat, and the attributes of the spread."""
        return {
            "runs": [row.name for row in self.family.runs],
            "judgings": [row.name for _, row in sorted(self.family.judgings.items())],
            **self.spread.to_json(),
        }


def repeats_of(ledger: Ledger, run: RunRow) -> list[RunRow]:
    """The run and all others that ask the same, the first first."""
    alike = [row for row in ledger.runs() if row.parent is None and _without(row, "repeat") == _without(run, "repeat")]
    return sorted(alike, key=_place)


def first_judgings(ledger: Ledger, run_id: int) -> list[RunRow]:
    """One judging of a run by each of its judges, the oldest first: what compares judges leaves their repeats out."""
    return [row for row in ledger.judgings(run_id) if not _place(row)]


def newest(judgings: Sequence[RunRow]) -> RunRow:
    """Of a run's judgings, the oldest first, the newest that is not another one's repeat."""
    last = judgings[-1]
    alike = [row for row in judgings if _without(row, *_OF_JUDGING) == _without(last, *_OF_JUDGING)]
    return min(alike, key=_place)


def family_of(ledger: Ledger, run: RunRow, judging: RunRow | None) -> Family | None:
    """The repeats of a run and their judgings by the judge of this judging; None where there is nothing but these."""
    if judging is None:
        return None
    rows = ledger.runs()
    wanted = _without(run, "repeat")
    runs = sorted((row for row in rows if row.parent is None and _without(row, "repeat") == wanted), key=_place)
    by = _without(judging, *_OF_JUDGING)
    found: dict[tuple[int, int], RunRow] = {}
    judged: list[RunRow] = []
    for one in runs:
        alike = sorted((r for r in rows if r.parent == one.id and _without(r, *_OF_JUDGING) == by), key=_place)
        if alike:
            found |= {(len(judged), place): row for place, row in enumerate(alike)}
            judged.append(one)
    if len(found) < 2:
        return None
    return Family(tuple(judged), found, 1 + max(place for _, place in found))


def remark(family: Family, name: str) -> str:
    """What a reader of one judging's numbers must know of the others."""
    count = f"{len(family.runs)} repeats" if len(family.runs) > 1 else "one run"
    often = f", each answer judged {family.most} times" if family.most > 1 else ""
    if name == family.first:
        return f"All numbers but those under Repeats are of {name} alone, the first of {count}{often}."
    return f"Of {name} alone, which is one of {count}{often}: snellen report {family.first} shows them together."


def repeated(workspace: Workspace, judged: Judged) -> Repeated | None:
    """What the repeats of a run come to, over the items of its view; None for a run that is not the first of several.

    The first stands for all, so that a report of several repeats shows what they come to once.
    """
    family = judged.family
    if family is None or family.first != judged.name:
        return None
    from snellen.engine.judged import Judged  # it asks for this
    from snellen.engine.repeats import spread

    tables = {}
    for place, row in family.judgings.items():
        run = family.runs[place[0]]
        same = row.name == judged.name
        tables[place] = judged.table if same else Judged(workspace, run, row, judge_from_row(row)).table
    values, clusters = _laid_out(tables, len(family.runs), family.most)
    return Repeated(family, spread(values, clusters, draws=judged.judge is not None and judged.judge.draws))


def _laid_out(tables: Mapping[tuple[int, int], VerdictTable], repeats: int, judgings: int) -> tuple[Any, Any]:
    """Values of shape (items, repeats, judgings), NaN where there is none, and the items' clusters."""
    import numpy as np

    first = tables[min(tables)]
    shared = first.positions[first.clean]
    for table in tables.values():
        shared = np.intersect1d(shared, table.positions, assume_unique=True)
    values = np.full((len(shared), repeats, judgings), np.nan)
    for (repeat, judging), table in tables.items():
        own = table.values[np.searchsorted(table.positions, shared)].astype(np.float64)
        values[:, repeat, judging] = np.where(own < 0, np.nan, own)
    return values, first.clusters[np.searchsorted(first.positions, shared)]


def _place(row: RunRow) -> int:
    return int(row.spec.get("repeat", 0))


def _without(row: RunRow, *names: str) -> dict[str, Any]:
    return {name: value for name, value in row.spec.items() if name not in names}
