"""From names to a plan and a judge: benchmarks, prompts, models and judges looked up, checked and digested."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

from snellen import discovery
from snellen.engine import provenance
from snellen.engine.clients import revision
from snellen.engine.conditions import parse
from snellen.engine.judge import Judge
from snellen.engine.plan import Plan, plan_hash
from snellen.engine.workspace import Workspace
from snellen.errors import UsageError
from snellen.ledger import RunRow
from snellen.ledger.rows import slug
from snellen.model_spec import ModelSpec
from snellen.models import replay

_DOMAINS = {"photo": "photos", "chart": "charts", "screen": "screens"}


def plan_of(
    workspace: Workspace,
    benchmark: str,
    model: ModelSpec,
    *,
    data: Path | None = None,
    prompt: str = "direct",
    seed: int = 0,
    only_recorded: bool = False,
    perturb: str = "",
    on_warning: Callable[[str], None] = lambda text: None,
) -> Plan:
    """The plan of asking a benchmark of a model.

    Raises:
        UsageError: no such benchmark, prompt or perturbation; recorded answers cannot be perturbed.
        DataError: the data are not where they should be, or the recording cannot be read.
    """
    module = discovery.load("benchmarks", benchmark)
    prompting = discovery.load("prompting", prompt)
    if model.embeds:
        raise UsageError(
            f"{model.name!r} turns texts into vectors and answers no question: it can only be a judge's model"
        )
    domains = getattr(prompting, "DOMAINS", ())
    if domains and module.CARD.domain not in domains:
        where = f"the prompt {prompt!r} is for {' and '.join(_DOMAINS[each] for each in domains)}"
        raise UsageError(f"{where}, and {benchmark} asks about {_DOMAINS[module.CARD.domain]}: {_other(module)}")
    folder = module.locate(data, workspace.cache)
    recording = recording_of(model, module) if model.recorded else None
    conditions = parse(perturb, seed=seed, domain=module.CARD.domain, on_warning=on_warning)
    if conditions and recording is not None:
        raise UsageError("recorded answers were given to what was recorded: they cannot be perturbed")
    plan = Plan(
        benchmark=module,
        name=benchmark.replace("_", "-"),
        data=folder,
        data_digest=module.digest(folder),
        prompt=prompt.replace("_", "-"),
        prompting=prompting,
        model=model,
        revision=revision(model),
        seed=seed,
        recording=recording,
        only_recorded=only_recorded,
        conditions=conditions,
    )
    if recording is not None:
        plan.problems.extend(recording.problems)
    return plan


def _other(benchmark: ModuleType) -> str:
    fitting = [
        name
        for name in discovery.names("prompting")
        if benchmark.CARD.domain in getattr(discovery.load("prompting", name), "DOMAINS", _DOMAINS)
    ]
    return f"there are {', '.join(fitting)}"


def register_run(workspace: Workspace, plan: Plan) -> RunRow:
    """The run's row in the ledger, made if it is new."""
    digest = plan.hash
    first = replace(plan, repeat=0).hash if plan.repeat else digest
    name = nth(f"{plan.name}/{slug(plan.model.name)}-{first.hex()[:6]}", plan.repeat)
    row = workspace.ledger.add_run(name, digest, plan.identity())
    recorded = {
        **row.manifest,
        "model": provenance.describe(plan.model),
        "data_folder": plan.data.resolve().name.encode(errors="replace").decode(),  # a name may be no text
        "prompt_source": discovery.source_digest(plan.prompting),
        **provenance.environment(row.manifest),
    }
    published = getattr(plan.benchmark, "PINNED_DIGEST", "")
    if published:
        recorded["data_as_published"] = plan.data_digest == published
    workspace.ledger.record(row.id, recorded)
    return replace(row, manifest=recorded)


def register_judging(workspace: Workspace, run: RunRow, judge: Judge) -> RunRow:
    """The judging's row in the ledger, made if it is new."""
    identity = {"run": run.plan.hex(), **judge.identity()}
    digest = judging_digest(run.plan, judge)
    first = judging_digest(run.plan, first_of(judge, run.spec.get("repeat", 0)))
    taken = {row.name for row in workspace.ledger.judgings(run.id) if row.plan != first}
    name = f"{run.name}@{slug(judge.label)}"
    if name in taken:
        name = f"{name}-{first.hex()[:6]}"
    name = nth(name, judge.repeat)
    row = workspace.ledger.add_run(name, digest, {**identity, "source": judge.source()}, parent=run.id)
    recorded: dict[str, Any] = dict(row.manifest)
    if judge.model is not None:
        recorded["judge_model"] = provenance.describe(judge.model)
        if judge.image_policy:
            recorded["image_policy"] = judge.image_policy
            recorded["image_limits"] = dict(judge.model.image_limits)  # its replies are found again by them
    recorded |= provenance.environment(row.manifest)
    workspace.ledger.record(row.id, recorded)
    return replace(row, manifest=recorded)


def judging_digest(run: bytes, judge: Judge) -> bytes:
    """The hash of a judging's identity, from the hash of the run's."""
    return plan_hash({"run": run.hex(), **judge.identity()})


def first_of(judge: Judge, repeat: int, judging: int = 0) -> Judge:
    """A judge as it judges one of several repeats of a run, for the first time or again.

    Args:
        judge: as chosen.
        repeat: of the run.
        judging: 0 for the first judging of its answers.
    """
    return replace(judge, repeat=judging, sample=pair(repeat, judging) if judge.draws else 0)


def pair(one: int, other: int) -> int:
    """A whole number for each pair of whole numbers of at least 0, 0 for (0, 0) (Szudzik 2006, An elegant pairing).

    Judges' requests are told apart by it: equal answers of two repeats are judged independently of each other, and
    more repeats or judgings leave the numbers of the others as they are.

    >>> [pair(0, 0), pair(0, 1), pair(1, 0), pair(1, 1), pair(2, 1)]
    [0, 1, 2, 3, 7]
    """
    return one * one + one + other if one >= other else other * other + one


def nth(name: str, repeat: int) -> str:
    """A name with its place behind it, from the second repeat on: ``charthal/blind-3f2a91~2``."""
    return f"{name}~{repeat + 1}" if repeat else name


def recording_of(model: ModelSpec, benchmark: ModuleType) -> replay.Recording:
    """The answers of a model that were recorded elsewhere.

    Raises:
        DataError: the file cannot be read.
    """
    official: Callable[[str], str] = getattr(benchmark, "official_id", lambda key: key)
    return replay.read(Path(model.recorded), official)
