"""Auditing runs: the judgings that are named, people's labels, and all that is found by laying them beside each other.

Asks nothing and changes nothing: verdicts are those in the ledger, labels those of the files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snellen.engine.audit import Audit, audit
from snellen.engine.choice import judge_from_row
from snellen.engine.crowd import UNSEEN, Crowd, of_no_run, of_run
from snellen.engine.human_labels import HumanLabels, read
from snellen.engine.judge_panel import PANEL, Panel, panel
from snellen.engine.judged import Judged
from snellen.engine.repeated import first_judgings
from snellen.engine.self_preference import Preference, Seen, preferences
from snellen.engine.workspace import Workspace
from snellen.errors import DataError, UsageError
from snellen.ledger import RunRow
from snellen.ledger.planned import lean_results
from snellen.model_spec import family_of
from snellen.readers import thinking

_PAGE = 500


@dataclass(frozen=True, slots=True)
class Disagreement:
    """An answer that a judge and people see differently.

    Attributes:
        item: its id.
        question: what was asked.
        answer: without its thinking.
        judge: the judge's value.
        reason: the judge's; empty for a panel.
        people: rater -> 1, 0, or None for one who cannot tell.
    """

    item: str
    question: str
    answer: str
    judge: int
    reason: str
    people: Mapping[str, int | None]

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names."""
        return {name: getattr(self, name) for name in self.__slots__} | {"people": dict(self.people)}


@dataclass(frozen=True, slots=True, eq=False)
class RunAudit:
    """One run: people on its answers, and its judges.

    Attributes:
        workspace: where it is; it must stay open while disagreements are read.
        run: its name.
        judged: the judgings that are audited.
        crowd: people on its answers; None without labels.
        audits: of each judging beside people, then of the panel; empty without labels.
        panel: of its judges; None where there is only one.
    """

    workspace: Workspace
    run: str
    judged: tuple[Judged, ...]
    crowd: Crowd | None
    audits: tuple[Audit, ...]
    panel: Panel | None

    def disagreements(self, found: Audit, most: int | None = None) -> Iterator[Disagreement]:
        """Those of one of the audits, answers that the judge lets pass first; `most` of either kind."""
        if self.crowd is None:
            return
        judged = next((each for each in self.judged if each.name == found.name), None)
        of = judged or self.judged[0]
        rows = {position: row for row, position in enumerate(of.table.positions.tolist())}
        for value in (1, 0):
            chosen = found.disagreements[found.values == value][:most].tolist()
            for start in range(0, len(chosen), _PAGE):
                page = chosen[start : start + _PAGE]
                for row in self.workspace.ledger.at(of.run.id, of.judging.id if of.judging else None, page):
                    answer = row.answer
                    visible = thinking.strip(answer.text, answer.finish_reason or None)[0] if answer else ""
                    yield Disagreement(
                        row.item.id,
                        row.item.question,
                        visible,
                        value,
                        row.verdict.reason if judged is not None and row.verdict is not None else "",
                        self._said(rows[row.position]),
                    )

    def _said(self, row: int) -> dict[str, int | None]:
        assert self.crowd is not None
        ratings = zip(self.crowd.raters, self.crowd.ratings[:, row].tolist(), strict=True)
        return {name: value if value >= 0 else None for name, value in ratings if value != UNSEEN}

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "run": self.run,
            "judgings": [each.name for each in self.judged],
            "people": None if self.crowd is None else self.crowd.to_json(),
            "audits": [each.to_json() for each in self.audits],
            "panel": None if self.panel is None else self.panel.to_json(),
        }


@dataclass(frozen=True, slots=True, eq=False)
class Audited:
    """Everything that was found.

    Attributes:
        runs: in the order in which they were named.
        preferences: of the judges that have models of their own family among those under test.
        problems: labels that cannot be used, or are of no answer here.
    """

    runs: tuple[RunAudit, ...]
    preferences: tuple[Preference, ...]
    problems: tuple[DataError, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain values; problems as texts."""
        return {
            "runs": [run.to_json() for run in self.runs],
            "preferences": [each.to_json() for each in self.preferences],
            "problems": [str(problem) for problem in self.problems],
        }


def audit_runs(
    workspace: Workspace, names: Sequence[str], human: Sequence[Path | str] = (), opened: Sequence[Judged] = ()
) -> Audited:
    """Lay the judgings of runs beside people's labels, and beside each other.

    Args:
        workspace: where the runs are.
        names: each a judging ``RUN@JUDGE``, or a run for all its judgings.
        human: files of labels (`snellen.engine.human_labels`). With several runs each label says of which it is.
        opened: judgings that are open already, whose tables are taken instead of being read once more.

    Raises:
        UsageError: there is no such run, it is not judged, there is neither a label nor a second judge, or nobody
            labelled an answer of a run.
        DataError: a file of labels cannot be used at all.

    Example:
        >>> audit_runs(workspace, ["charthal/qwen2.5-vl-7b-3f2a91"], ["labels.csv"])             # doctest: +SKIP
    """
    judgings = _judgings(workspace, names)
    labels = read([Path(file) for file in human]) if human else None
    if labels is None and all(len(rows) < 2 for _, rows in judgings.values()) and len(judgings) < 2:
        raise UsageError(
            "there is nothing to lay beside this judging: give people's labels with --human, or judge the run again "
            "with another judge (snellen judge)"
        )
    if labels is not None and len(judgings) > 1 and any(not label.run for label in labels.labels):
        raise UsageError(
            "with several runs each label must say of whose answer it is: add a column run, or name one run"
        )
    known = {each.judging.id: each for each in opened if each.judging is not None}
    runs = tuple(_audited(workspace, run, rows, labels, known) for run, rows in judgings.values())
    problems = [] if labels is None else [*labels.problems, *of_no_run(labels, list(judgings))]
    problems += [problem for run in runs if run.crowd is not None for problem in run.crowd.problems]
    if labels is not None and not any(run.audits for run in runs):
        first = f"; first: {problems[0]}" if problems else ""
        raise UsageError(f"no label is of an answer of these runs: ids are those of `snellen export RUN`{first}")
    return Audited(runs, preferences([each for run in runs for each in _seen(run)]), tuple(problems))


def _judgings(workspace: Workspace, names: Sequence[str]) -> dict[str, tuple[RunRow, list[RunRow]]]:
    """Run's name -> the run and those of its judgings that are named, all of them where the run itself is."""
    found: dict[str, tuple[RunRow, list[RunRow]]] = {}
    by_id = {row.id: row for row in workspace.ledger.runs()}
    for name in names:
        row = workspace.ledger.find_run(name)
        run = row if row.parent is None else by_id[row.parent]
        # A judge's further judgings say how far it agrees with itself: they are taken where they are named.
        wanted = first_judgings(workspace.ledger, run.id) if row.parent is None else [row]
        if not wanted:
            raise UsageError(f"{run.name} is not judged: there is nothing to audit (snellen judge)")
        known = found.setdefault(run.name, (run, []))[1]
        known += [each for each in wanted if all(each.id != other.id for other in known)]
    if not found:
        raise UsageError("name a run to audit")
    return found


def _audited(
    workspace: Workspace,
    run: RunRow,
    rows: Sequence[RunRow],
    labels: HumanLabels | None,
    known: Mapping[int, Judged],
) -> RunAudit:
    judged = tuple(known.get(row.id) or Judged(workspace, run, row, judge_from_row(row)) for row in rows)
    together = panel(run.name, [each.name for each in judged], [each.table for each in judged]) if judged[1:] else None

    def places(ids: Iterable[str]) -> dict[str, int]:
        wanted = set(ids)
        lean = lean_results(workspace.ledger, run.id, rows[0].id)
        return {row.item["id"]: row.position for row in lean if row.item["id"] in wanted}

    if labels is None:
        return RunAudit(workspace, run.name, judged, None, (), together)
    crowd = of_run(labels, run.name, judged[0].table, places)
    if not crowd.looked_at.any():
        return RunAudit(workspace, run.name, judged, crowd, (), together)
    audits = [audit(each.name, each.card, each.table, crowd) for each in judged]
    if together is not None:
        audits.append(audit(PANEL, judged[0].card, together.table, crowd))
    return RunAudit(workspace, run.name, judged, crowd, tuple(audits), together)


def _seen(run: RunAudit) -> Iterator[Seen]:
    for judged in run.judged:
        model = judged.manifest.get("model", {})
        judge = judged.manifest.get("judging", {}).get("judge_model", {})
        name = judged.name.removeprefix(f"{run.run}@")
        yield Seen(run.run, _family(model), name, _family(judge), judged.table)


def _family(model: Mapping[str, Any]) -> str:
    """As declared; of recorded answers and verdicts, which the name alone tells of, as that suggests."""
    recorded = model.get("kind") == "replay"
    return str(model.get("family") or (family_of(str(model.get("name", ""))) if recorded else ""))
