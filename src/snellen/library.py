"""Snellen as a library: the same road as the command line, in a few lines.

import snellen

with snellen.Workspace("snellen") as workspace:
    run = snellen.run("charthal-demo", model="blind", workspace=workspace)
    print(run.results.headline_text())
    run.report("report.html")
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from snellen import discovery
from snellen.convention import parse as parse_convention
from snellen.engine import at_start
from snellen.engine.choice import RULES, Wish, chosen, convention_of, judge_from_row
from snellen.engine.limits import Limits
from snellen.engine.plan import Plan, View
from snellen.engine.prepare import first_of, plan_of, register_judging, register_run
from snellen.engine.repeated import newest, repeats_of
from snellen.engine.sitting import refuse_clean, sit
from snellen.engine.watch import Outcome, Watch
from snellen.engine.workspace import Workspace
from snellen.errors import UsageError
from snellen.ledger import RunRow
from snellen.model_spec import ModelSpec, resolve

if TYPE_CHECKING:
    from snellen.engine.judge import Judge
    from snellen.engine.judged import Judged
    from snellen.engine.repeated import Repeated
    from snellen.engine.repeating import Sat
    from snellen.engine.results import Results


@dataclass(frozen=True, slots=True)
class Run:
    """A run after a session, seen through the judging that was asked for.

    Attributes:
        workspace: where it is; it must stay open while rows or results are read.
        row: the run in the ledger.
        judging: the judging in the ledger, None where nothing was judged.
        judge: who judged.
        outcome: how the session ended; of several repeats, how all of them did.
        others: the other repeats that the session came to, each with its first judging.
    """

    workspace: Workspace
    row: RunRow
    judging: RunRow | None
    judge: Judge | None
    outcome: Outcome = field(default_factory=Outcome)
    others: tuple[Run, ...] = ()

    @property
    def name(self) -> str:
        """As on the command line: ``charthal-demo/blind-3f2a91@rules``."""
        return (self.judging or self.row).name

    @property
    def judged(self) -> Judged:
        """Rows, numbers and provenance of the items that this session looked at."""
        from snellen.engine.judged import Judged  # numpy and the readers are not needed for asking

        return Judged(self.workspace, self.row, self.judging, self.judge, self.outcome.positions or None)

    @property
    def results(self) -> Results:
        """The numbers, each with interval, counts and bounds; of several repeats those of the first."""
        return self.judged.results

    @property
    def repeats(self) -> Repeated | None:
        """What several repeats come to together; None where there is one."""
        return self.judged.repeats

    def report(self, path: Path | str) -> Path:
        """Write an HTML report of this run to that file, and return it."""
        return write_report([self.judged], path)


def run(
    benchmark: str,
    *,
    model: str | ModelSpec,
    judge: str | ModelSpec = RULES,
    rubric: str = "",
    judge_sees_image: bool = False,
    judge_on: str = "changed",
    workspace: Workspace | Path | str = "snellen",
    data: Path | str | None = None,
    prompt: str = "direct",
    perturb: str = "",
    base_url: str = "",
    key_variable: str = "",
    convention: str = "",
    judge_base_url: str = "",
    judge_key_variable: str = "",
    sample: int | None = None,
    items: str = "",
    languages: Sequence[str] = (),
    seed: int = 0,
    repeats: int = 1,
    judge_repeats: int | None = None,
    limits: Limits | None = None,
    watch: Watch | None = None,
    dry: bool = False,
    only_recorded: bool = False,
) -> Run:
    """Ask a benchmark of a model and have the answers judged; what is in the ledger is not asked again.

    Args:
        benchmark: its name: ``charthal``.
        model: a declared or embedded model, ``replay:FILE``, or the name under which a server knows it.
        judge: ``rules``, or the judge's model, like `model`; empty to ask only.
        rubric: what the judge's model is asked, ``NAME`` or ``NAME:option=value``; the benchmark's own if empty.
        judge_sees_image: show the judge's model the image too: the rubric's option ``image=seen``.
        judge_on: which version of a changed item the judge is shown: ``changed``, or ``clean`` for the clean image and
            instruction. The two are two judgings.
        workspace: a folder, or a workspace that is open.
        data: folder of the benchmark's data; downloaded (or part of Snellen) if None.
        prompt: the way of asking.
        perturb: changes under which every item is asked too, as in ``jpeg:3,scene-text,jpeg:3+misleading-prefix``;
            ``all`` for every one that makes sense for the benchmark's images.
        base_url, judge_base_url: of OpenAI-compatible servers, with ``/v1``.
        key_variable, judge_key_variable: environment variables that hold the keys.
        convention: how the model writes coordinates (`snellen.convention.parse`), over what is declared for it.
        sample: only so many whole clusters.
        items: only items whose id matches this glob.
        languages: only questions in these (``en``, ``zh``); all where none is named.
        seed: of the sample and of the perturbations.
        repeats: answers of each item, each a run of its own (``RUN~2`` and so on; `snellen.engine.repeating`).
        judge_repeats: verdicts on each answer; if None, 2 where answers are repeated and a served model judges, else 1.
        limits: concurrency and caps.
        watch: is told what goes on.
        dry: stop before the first request; a run that was not there before is not there afterwards.
        only_recorded: of a recording, plan its rows and nothing else.

    Returns:
        The run; its `outcome` says whether it was stopped, its `results` hold the numbers.

    Raises:
        UsageError: something named does not exist or does not fit.
        DataError: the data cannot be used at all.
        LedgerError: the workspace cannot be used.

    Example:
        >>> run = snellen.run("charthal-demo", model="blind", items="charthal-demo/*/0")  # doctest: +SKIP
    """
    opened = workspace if isinstance(workspace, Workspace) else Workspace(workspace)
    try:
        spec = _spec(opened, model, base_url, key_variable, convention)
        folder = Path(data) if data is not None else None
        on_warning = (watch or Watch()).on_warning
        plan = plan_of(
            opened,
            benchmark,
            spec,
            data=folder,
            prompt=prompt,
            seed=seed,
            only_recorded=only_recorded,
            perturb=perturb,
            on_warning=on_warning,
        )
        wish = Wish(judge, rubric, judge_sees_image, judge_base_url, judge_key_variable, judge_on)
        by = chosen(opened, plan.benchmark, wish, convention=plan.convention, on_warning=on_warning)
        for said in at_start.warnings(plan, by):
            on_warning(said)
        view = View(sample, items, tuple(languages))
        if repeats != 1 or judge_repeats not in (None, 1):
            from snellen.engine.repeating import repeat  # most runs are asked once

            return _of(opened, repeat(opened, plan, by, repeats, judge_repeats, view, limits, watch, dry=dry))
        row = register_run(opened, plan)
        return _sit(opened, plan, row, by, view, limits, watch, dry)
    except BaseException:
        if opened is not workspace:
            opened.__exit__(None, None, None)
        raise


def judge(
    run: str,
    *,
    judge: str | ModelSpec,
    rubric: str = "",
    judge_sees_image: bool = False,
    judge_on: str = "changed",
    workspace: Workspace | Path | str = "snellen",
    convention: str = "",
    judge_base_url: str = "",
    judge_key_variable: str = "",
    judge_repeats: int | None = None,
    limits: Limits | None = None,
    watch: Watch | None = None,
    dry: bool = False,
) -> Run:
    """Judge a run's answers, without asking the model again. Arguments as in `run`.

    The first of several repeats stands for all of them: all are judged. ``RUN~2`` is judged alone.

    Raises:
        UsageError: there is no such run, judge or rubric.
    """
    opened = workspace if isinstance(workspace, Workspace) else Workspace(workspace)
    try:
        row = opened.ledger.find_run(run.partition("@")[0])
        module = discovery.load("benchmarks", row.spec["benchmark"])
        wish = Wish(judge, rubric, judge_sees_image, judge_base_url, judge_key_variable, judge_on)
        written = parse_convention(convention) if convention else convention_of(row)
        by = chosen(opened, module, wish, convention=written, on_warning=(watch or Watch()).on_warning)
        if by is None:
            raise UsageError("name a judge")
        rows = repeats_of(opened.ledger, row)
        if len(rows) > 1 or judge_repeats not in (None, 1):
            from snellen.engine.repeating import judge_again

            return _of(opened, judge_again(opened, row, rows, by, judge_repeats, limits, watch, dry=dry))
        return _sit(opened, None, row, first_of(by, row.spec.get("repeat", 0)), View(), limits, watch, dry)
    except BaseException:
        if opened is not workspace:
            opened.__exit__(None, None, None)
        raise


def ladder(
    run: str,
    rung: str,
    *,
    with_image: bool = False,
    judge: str | ModelSpec = RULES,
    workspace: Workspace | Path | str = "snellen",
    base_url: str = "",
    key_variable: str = "",
    items: str = "",
    limits: Limits | None = None,
    watch: Watch | None = None,
    dry: bool = False,
) -> Run:
    """Ask the places of a finished run on screens once more, with a parse at hand (`snellen.engine.ladder`).

    Args:
        run: the first run; its model is asked again.
        rung: which parse: ``own``, ``true``, or ``dropped`` for the true one without the target.
        with_image: show the screen beside it.
        base_url: of the model's server, if neither ``models.toml`` nor the first run has it.
        judge, workspace, key_variable, items, limits, watch, dry: as in `snellen.run`.

    Raises:
        UsageError: there is no such run or rung, or nothing in the run can be asked so.
    """
    from snellen.engine import ladder  # with the readers, which asking can do without

    opened = workspace if isinstance(workspace, Workspace) else Workspace(workspace)
    try:
        plan = ladder.plan_of(opened, run, rung, with_image=with_image, base_url=base_url, key_variable=key_variable)
        on_warning = (watch or Watch()).on_warning
        by = chosen(opened, plan.benchmark, Wish(judge), convention=plan.convention, on_warning=on_warning)
        return _sit(opened, plan, ladder.register(opened, plan), by, View(None, items), limits, watch, dry)
    except BaseException:
        if opened is not workspace:
            opened.__exit__(None, None, None)
        raise


def import_recorded(
    benchmark: str,
    file: Path | str,
    *,
    model: str,
    judge: str = "",
    parity: bool = False,
    workspace: Workspace | Path | str = "snellen",
    data: Path | str | None = None,
    watch: Watch | None = None,
) -> Run:
    """Take answers, and the judge's replies or verdicts where the file holds some, as a run whose items are its rows.

    Args:
        benchmark: its name.
        file: ChartHal's ``response.json`` or ``eval.json``, or JSON Lines (see `snellen.models.replay`).
        model: who gave the answers.
        judge: who gave the verdicts; ``recorded`` if empty.
        parity: read the judge's replies as the published script does.
        workspace, data, watch: as in `run`.

    Returns:
        The run; judged by ``rules`` where the file holds no verdicts.

    Raises:
        DataError: the file holds no answer that can be read.
    """
    opened = workspace if isinstance(workspace, Workspace) else Workspace(workspace)
    try:
        spec = ModelSpec(name=model, recorded=str(file))
        folder = Path(data) if data is not None else None
        plan = plan_of(opened, benchmark, spec, data=folder, only_recorded=True)
        by: str | ModelSpec = RULES
        rubric = ""
        if plan.recording is not None and plan.recording.replies:
            by = ModelSpec(name=judge or "recorded", recorded=str(file))
            rubric = "recorded" if plan.recording.verdicts else plan.card.judge
            if parity:
                rubric = f"{rubric}:scoring=parity"
        judging_by = chosen(opened, plan.benchmark, Wish(by, rubric))
        row = register_run(opened, plan)
        return _sit(opened, plan, row, judging_by, View(), None, watch, dry=False)
    except BaseException:
        if opened is not workspace:
            opened.__exit__(None, None, None)
        raise


def open_judged(workspace: Workspace, name: str) -> Judged:
    """A run in the ledger, by the name of a judging or of a run (its newest judging, or its answers alone).

    Raises:
        UsageError: there is none of that name, or several begin like it.
    """
    from snellen.engine.judged import Judged

    row = workspace.ledger.find_run(name)
    if row.parent is not None:
        parent = next(candidate for candidate in workspace.ledger.runs() if candidate.id == row.parent)
        return Judged(workspace, parent, row, judge_from_row(row))
    judgings = workspace.ledger.judgings(row.id)
    if not judgings:
        return Judged(workspace, row, None, None)
    judging = newest(judgings)
    return Judged(workspace, row, judging, judge_from_row(judging))


def write_report(
    runs: Sequence[Judged],
    path: Path | str,
    examples: int = 60,
    human: Sequence[Path | str] = (),
    language: str = "en",
) -> Path:
    """Write one HTML report of several runs, with so many items of each, to that file, and return it.

    It shows what the runs allow (`snellen.report.analyses`): with people's labels in `human`, the judges beside them.

    Raises:
        UsageError: the file cannot be written, or no label is of an answer of these runs.
        DataError: a file of labels cannot be used at all.
    """
    from snellen.report import page  # its libraries are not needed for asking
    from snellen.report.analyses import analyses, sections

    found = sections(analyses(runs, human))
    page.write(runs, Path(path), sample=examples, language=language, **found.to_page())
    return Path(path)


def _spec(
    workspace: Workspace, model: str | ModelSpec, base_url: str, key_variable: str, convention: str = ""
) -> ModelSpec:
    if isinstance(model, ModelSpec):
        return model
    return resolve(model, workspace.models, base_url=base_url, key_variable=key_variable, convention=convention)


def _sit(
    workspace: Workspace,
    plan: Plan | None,
    row: RunRow,
    judging_by: Judge | None,
    view: View,
    limits: Limits | None,
    watch: Watch | None,
    dry: bool,
) -> Run:
    refuse_clean(workspace, row, judging_by)
    judging = register_judging(workspace, row, judging_by) if judging_by is not None else None
    outcome = sit(workspace, plan, row, judging_by, judging, view=view, limits=limits, watch=watch, dry=dry)
    rows = {each.id: each for each in workspace.ledger.runs()}
    judged = rows.get(judging.id, judging) if judging is not None else None
    return Run(workspace, rows.get(row.id, row), judged, judging_by, outcome)


def _of(workspace: Workspace, sessions: Sequence[Sat]) -> Run:
    first, *others = (Run(workspace, each.row, each.judging, each.judge, each.outcome) for each in sessions)
    return replace(first, others=tuple(others))
