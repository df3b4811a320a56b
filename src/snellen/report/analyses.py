"""What the runs of a report allow to be analysed besides their numbers, found without being asked for.

- What answers are worth when a model may decline, and whether it knows when (`snellen.engine.selective`), for each run.
- How numbers go together, for each benchmark with runs of enough models, and on screens the association item by item
  (`snellen.engine.correlation`, `snellen.engine.parse_association`).
- The judges beside people and beside each other (`snellen.engine.auditing`), where there are labels or several
  judgings.

What would have to read more answers than `MOST_ROWS` is left out, and a note says by which command it is to be had. All
else takes the runs' tables, which the numbers need anyhow.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from snellen.card import Card
    from snellen.engine.auditing import Audited
    from snellen.engine.correlation import Correlation
    from snellen.engine.judged import Judged
    from snellen.engine.parse_association import Association
    from snellen.engine.selective import Selective
    from snellen.report import audit, correlation, selective

MOST_ROWS = 30_000
"""Answers that are read for what the tables do not tell: some 3 s."""

MOST_RUNS = 24
"""Runs of which the page shows what their answers are worth."""


@dataclass(frozen=True, slots=True)
class Analyses:
    """All that was found.

    Attributes:
        selected: of each run that is judged.
        correlated: of each benchmark, with the associations on its screens.
        audited: None where there is nothing to lay beside a judge.
        notes: what was left out, in sentences.
    """

    selected: tuple[Selective, ...] = ()
    correlated: tuple[tuple[Correlation, tuple[Association, ...]], ...] = ()
    audited: Audited | None = None
    notes: tuple[str, ...] = ()


def analyses(runs: Sequence[Judged], human: Sequence[Path | str] = ()) -> Analyses:
    """Find what the runs allow.

    Args:
        runs: as they are to be shown, of one workspace, which must stay open while the page is written.
             A run that is seen through its newest judging is audited through all of them.
        human: files of people's labels (`snellen.engine.human_labels`).

    Raises:
        UsageError: nobody labelled an answer of these runs, or labels of several runs do not say of which they are.
        DataError: a file of labels cannot be used at all.
    """
    notes: list[str] = []
    judged = list({run.judging.id: run for run in runs if run.judging is not None}.values())
    return Analyses(
        tuple(_selected(judged, notes)),
        tuple(_correlated(judged, notes)),
        _audited(judged, human, notes),
        tuple(notes),
    )


def _selected(runs: Sequence[Judged], notes: list[str]) -> Iterator[Selective]:
    from snellen.engine.certainty import asked_for
    from snellen.engine.selective import selective

    if len(runs) > MOST_RUNS:
        notes.append(
            f"What answers are worth is shown of the first {MOST_RUNS} runs: "
            "`snellen selective RUN...` shows it of all."
        )
    read = 0
    for run in runs[:MOST_RUNS]:
        wanted = asked_for(run)
        if wanted and read + len(run.table) > MOST_ROWS:
            wanted = False
            notes.append(
                f"{run.name} asked for a confidence, but has too many answers to be read here: "
                f"`snellen selective {run.name} --report FILE` shows risk over coverage and reliability."
            )
        read += len(run.table) if wanted else 0
        yield selective(run, confident=wanted)


def _correlated(runs: Sequence[Judged], notes: list[str]) -> Iterator[tuple[Correlation, tuple[Association, ...]]]:
    from snellen.engine.correlation import FEWEST, correlate

    for card, members in _by_benchmark(runs):
        associations: tuple[Association, ...] = ()
        if card.domain == "screen":
            if sum(len(run.table) for run in members) <= MOST_ROWS:
                from snellen.engine.parse_association import associate

                associations = tuple(associate(members))
            else:
                notes.append(
                    f"Whether models hallucinate on what they failed to parse takes too many answers of {card.title} "
                    "to be read here: `snellen correlate RUN... --report FILE` shows it."
                )
        if len(members) >= FEWEST or any(each.links for each in associations):
            yield correlate(members), associations


def _by_benchmark(runs: Sequence[Judged]) -> Iterator[tuple[Card, list[Judged]]]:
    """One judging of each run, by benchmark: two judgings of a run are not two models."""
    one_each = list({run.run.id: run for run in reversed(runs)}.values())[::-1]
    for name in dict.fromkeys(run.card.name for run in one_each):
        members = [run for run in one_each if run.card.name == name]
        yield members[0].card, members


def _audited(runs: Sequence[Judged], human: Sequence[Path | str], notes: list[str]) -> Audited | None:
    if not runs:
        return None
    workspace = runs[0].workspace
    from snellen.engine.repeated import first_judgings

    judgings = {run.run.id: first_judgings(workspace.ledger, run.run.id) for run in runs}
    if not human and all(len(each) < 2 for each in judgings.values()):
        return None
    names = []
    shown = {run.judging.id for run in runs if run.judging is not None}
    for run in runs:
        others = [each for each in judgings[run.run.id] if each.id not in shown]
        if human or len(run.table) * len(others) <= MOST_ROWS:
            names.append(run.run.name)
            continue
        names.append(run.name)
        notes.append(
            f"{run.run.name} was judged {len(others) + 1:,} times; that is too much to be read here: "
            f"`snellen audit {run.run.name}` shows how far its judges agree."
        )
    if not human and len(judgings) == 1 and runs[0].run.name not in names and len(shown) < 2:
        return None  # the one judging that is read has nothing beside it
    from snellen.engine.auditing import audit_runs

    found = audit_runs(workspace, list(dict.fromkeys(names)), human, runs)
    telling = tuple(run for run in found.runs if run.audits or run.panel is not None)
    return replace(found, runs=telling) if telling or found.preferences else None


@dataclass(frozen=True, slots=True)
class Sections:
    """The analyses in words, as `snellen.report.page.write` takes them."""

    selected: selective.Section | None = None
    correlated: tuple[correlation.Section, ...] = ()
    audited: audit.Section | None = None
    notes: tuple[str, ...] = ()

    def to_page(self) -> dict[str, Any]:
        """As keyword arguments."""
        return {name: getattr(self, name) for name in self.__slots__}


def sections(found: Analyses) -> Sections:
    """The analyses in words; what takes a workspace is read now."""
    from snellen.report import audit, correlation, selective

    together = []
    for number, (numbers, associations) in enumerate(found.correlated, 1):
        section = correlation.section(numbers, associations, f"correlation-{number}")
        # Too few models to correlate: the items are what is shown.
        together.append(section if section.figure else replace(section, lead="", warnings=()))
    return Sections(
        selective.section(found.selected) if found.selected else None,
        tuple(together),
        None if found.audited is None else audit.section(found.audited),
        found.notes,
    )
