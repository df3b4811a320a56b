"""Preflight: before a run is paid for, does everything it stands on work?

Data, endpoint, images, parameters, coordinates and judge are tried on items made for that, of which the right outcome
is known. The requests are ordinary ones: they are runs named ``preflight/...`` in the ledger, and ``snellen show``
tells what was sent and said. Each preflight has a number, and words and figures of its own, so that every one is
really asked.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

from snellen import discovery
from snellen.card import Card
from snellen.convention import DEFAULT
from snellen.convention import parse as parse_convention
from snellen.engine import at_start, canned_items, check
from snellen.engine import preflight_checks as checks
from snellen.engine.choice import Wish, chosen
from snellen.engine.clients import revision
from snellen.engine.judge import Judge
from snellen.engine.limits import Limits
from snellen.engine.plan import Plan, View
from snellen.engine.preflight_checks import Check
from snellen.engine.prepare import plan_of, register_judging, register_run
from snellen.engine.sitting import sit
from snellen.engine.watch import Outcome, Watch
from snellen.engine.workspace import Workspace
from snellen.errors import DataError, UsageError
from snellen.item import Item
from snellen.ledger import ResultRow, RunRow
from snellen.model_spec import EMBEDDED, ModelSpec
from snellen.models.replay import Recording

NAME = "preflight"
"""What the benchmark of a preflight's runs is called."""

_LISTED = 3


@dataclass(frozen=True, slots=True)
class Preflight:
    """What came of it.

    Attributes:
        checks: in the order in which they are to be read.
        runs: names of the runs that hold its requests.
        cost: of its requests, in the currency of the declared prices.
        interrupted: whether it was broken off.
    """

    checks: tuple[Check, ...]
    runs: tuple[str, ...]
    cost: float
    interrupted: bool

    @property
    def failed(self) -> bool:
        """Whether any check failed."""
        return any(each.status == "failed" for each in self.checks)

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names."""
        return {
            "checks": [each.to_json() for each in self.checks],
            "failed": self.failed,
            "runs": list(self.runs),
            "cost": self.cost,
        }


def preflight(
    workspace: Workspace,
    benchmark: str,
    model: ModelSpec,
    wish: Wish,
    *,
    data: Path | None = None,
    prompt: str = "direct",
    perturb: str = "",
    seed: int = 0,
    view: View | None = None,
    limits: Limits | None = None,
    watch: Watch | None = None,
) -> Preflight:
    """Try what a run of these arguments would stand on.

    Args:
        workspace, benchmark, data, prompt, perturb, seed, view, limits: as of the run.
        model: who would be asked.
        wish: who would judge.
        watch: told of warnings and of the requests' progress.

    Raises:
        UsageError: something that is named does not exist or does not fit.
    """
    return _Flight(workspace, benchmark, model, wish, limits or Limits(), watch or Watch()).fly(
        data, prompt, perturb, seed, view or View()
    )


class _Flight:
    def __init__(
        self, workspace: Workspace, benchmark: str, model: ModelSpec, wish: Wish, limits: Limits, watch: Watch
    ) -> None:
        self._workspace, self._model, self._wish = workspace, model, wish
        self._limits, self._watch = limits, watch
        self._benchmark = discovery.load("benchmarks", benchmark)
        self._name = benchmark
        self._card: Card = self._benchmark.CARD
        self._runs: list[str] = []
        self._cost = 0.0
        self._interrupted = False

    def fly(self, data: Path | None, prompt: str, perturb: str, seed: int, view: View) -> Preflight:
        found = list(self._about_data(data))
        plan: Plan | None = None
        try:
            plan = plan_of(
                self._workspace, self._name, self._model, data=data, prompt=prompt, seed=seed, perturb=perturb
            )
        except DataError as error:
            if all(each.status != "failed" for each in found):
                found.append(Check("data", "run", "failed", str(error), "mend the data, or the file of answers"))
        written = self._model.convention
        convention = parse_convention(written) if written else DEFAULT
        judge = chosen(
            self._workspace, self._benchmark, self._wish, convention=convention, on_warning=self._watch.on_warning
        )
        if plan is not None:
            found += [Check("at the start", "run", "warning", said) for said in at_start.warnings(plan, judge)]
        number = self._number()
        found += self._about_model(number)
        if judge is not None and not self._interrupted:
            found += self._about_judge(judge, number)
        if plan is not None and not self._interrupted:
            found += self._about_time(plan, judge, view)
        return Preflight(tuple(found), tuple(self._runs), round(self._cost, 6), self._interrupted)

    def _number(self) -> int:
        """Of this preflight: one more than the highest in the workspace."""
        runs = self._workspace.ledger.runs()
        return 1 + max((run.spec.get("seed", 0) for run in runs if run.spec.get("benchmark") == NAME), default=0)

    def _about_data(self, data: Path | None) -> Iterator[Check]:
        advice = f"snellen check {self._name} lists them all"
        try:
            findings = list(check.run(self._benchmark, self._benchmark.locate(data, self._workspace.cache)))
        except DataError as error:
            yield Check("data", "run", "failed", str(error), "name their folder with --data")
            return
        serious = [each for each in findings if each.serious]
        if serious:
            listed = "; ".join(f"{each.kind}: {each.where}: {each.what}" for each in serious[:_LISTED])
            more = f", and {len(serious) - _LISTED:,} more" if len(serious) > _LISTED else ""
            yield Check(
                "data", "run", "failed", f"{len(serious):,} items or files cannot be used: {listed}{more}", advice
            )
            return
        remarks = f"; {len(findings):,} remarks" if findings else ""
        yield Check("data", "run", "ok", f"every row and image can be used{remarks}", advice if findings else "")

    def _about_model(self, number: int) -> Iterator[Check]:
        spec = self._model
        if spec.recorded or spec.kind in EMBEDDED:
            what = "answers were recorded elsewhere" if spec.recorded else "is a part of Snellen"
            yield Check("endpoint", "model", "skipped", f"{spec.name} {what}: nothing to ask")
            return
        if (missing := _without_key("model", spec)) is not None:
            yield missing
            return
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary) / NAME
            folder.mkdir()
            items = canned_items.questions(str(number), folder, screens=self._card.domain == "screen")
            plan = self._plan_of(items, folder, number)
            run = register_run(self._workspace, plan)
            self._sit(plan, run, None, None)
        rows = self._rows(run, None)
        yield checks.about_endpoint(rows, spec)
        yield checks.about_image(rows)
        sent = [row.answer.sent.get("parameters", {}) for row in rows.values() if row.answer is not None]
        yield from checks.about_parameters("model", spec, plan.parameters, sent)
        if self._card.domain == "screen":
            yield checks.about_coordinates(rows, plan.convention, spec.name)

    def _about_judge(self, judge: Judge, number: int) -> Iterator[Check]:
        spec = judge.model
        if spec is None or judge.recording is not None:
            what = "judges by rules" if spec is None else "was recorded elsewhere"
            yield Check("verdicts", "judge", "skipped", f"{judge.label} {what}: nothing to ask")
            return
        if spec.kind not in EMBEDDED and (missing := _without_key("judge", spec)) is not None:
            yield missing
            return
        languages = [each for each in ("en", "zh") if each in self._card.languages] or ["en"]
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary) / NAME
            folder.mkdir()
            cases = canned_items.cases(judge, str(number), folder, languages)
            items = [case.item for case in cases]
            recording = Recording(canned_items.digest_of(items), {case.item.id: case.answer for case in cases})
            model = ModelSpec("answers", recorded=NAME)
            plan = replace(self._plan_of(items, folder, number), model=model, revision="", recording=recording)
            run = register_run(self._workspace, plan)
            judging = register_judging(self._workspace, run, judge)
            try:
                self._sit(plan, run, judge, judging)
            except UsageError as error:
                change = "see that the rubric fits the benchmark"
                yield Check("verdicts", "judge", "failed", f"cannot judge what is made for it: {error}", change)
                return
        rows = self._rows(run, judging)
        replies = {id_: self._workspace.ledger.replies(judging.id, row.position) for id_, row in rows.items()}
        answers = [reply for each in replies.values() for _, reply, _ in each if reply is not None]
        if answers and spec.kind not in EMBEDDED:
            named = Counter(reply.server_model for reply in answers)
            yield checks.endpoint_of("judge", spec, named, answers[0].latency)
            sent = [reply.sent.get("parameters", {}) for reply in answers]
            yield from checks.about_parameters("judge", spec, judge.parameters, sent)
        failures = {
            id_: f"{failure.kind}: {failure.message}"
            for id_, each in replies.items()
            for _, _, failure in each
            if failure is not None
        }
        yield checks.about_verdicts(cases, rows, failures)

    def _about_time(self, plan: Plan, judge: Judge | None, view: View) -> Iterator[Check]:
        run = register_run(self._workspace, plan)
        judging = register_judging(self._workspace, run, judge) if judge is not None else None
        try:
            outcome = sit(
                self._workspace, plan, run, judge, judging, view=view, limits=self._limits, watch=Watch(), dry=True
            )
        except DataError as error:
            yield Check("time and cost", "run", "failed", str(error), "mend the data first")
            return
        self._interrupted = self._interrupted or outcome.interrupted
        for each in outcome.expectations:
            unknown = each.cost is None and bool(each.requests)
            change = "declare price = {input = ..., output = ...} per million tokens in models.toml" if unknown else ""
            said = str(each).removeprefix(f"{each.role} ")
            yield Check("time and cost", each.role, "warning" if unknown else "ok", said, change)

    def _plan_of(self, items: Sequence[Item], folder: Path, number: int = 0) -> Plan:
        benchmark = ModuleType(NAME)
        benchmark.__file__ = None
        vars(benchmark).update(CARD=replace(self._card, name=NAME), items=lambda data: iter(items))
        return Plan(
            benchmark=benchmark,
            name=NAME,
            data=folder,
            data_digest=canned_items.digest_of(items),
            prompt="direct",
            prompting=discovery.load("prompting", "direct"),
            model=self._model,
            revision=revision(self._model),
            seed=number,
        )

    def _sit(self, plan: Plan, run: RunRow, judge: Judge | None, judging: RunRow | None) -> Outcome:
        watch = Watch(on_progress=self._watch.on_progress, on_warning=self._watch.on_warning)
        limits = replace(self._limits, batch=False, judge_batch=False)
        outcome = sit(self._workspace, plan, run, judge, judging, limits=limits, watch=watch)
        self._runs.append((judging or run).name)
        self._cost += outcome.model.cost + outcome.judge.cost
        self._interrupted = self._interrupted or outcome.interrupted
        return outcome

    def _rows(self, run: RunRow, judging: RunRow | None) -> dict[str, ResultRow]:
        rows = self._workspace.ledger.results(run.id, judging.id if judging is not None else None)
        return {row.item.id: row for row in rows}


def _without_key(role: str, spec: ModelSpec) -> Check | None:
    try:
        spec.key()
    except UsageError as error:
        return Check("endpoint", role, "failed", str(error), f"export {spec.key_variable}=... and try again")
    return None
