"""From names to a plan and a judge: benchmarks, prompts, models and judges looked up, checked and digested."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

from snellen import discovery
from snellen.engine import provenance
from snellen.engine.as_judged import judged_on
from snellen.engine.clients import revision
from snellen.engine.conditions import parse
from snellen.engine.judging import Judge, resolve_options
from snellen.engine.plan import Plan, plan_hash
from snellen.engine.workspace import Workspace
from snellen.errors import UsageError
from snellen.ledger import RunRow
from snellen.ledger.rows import slug
from snellen.model_spec import ModelSpec
from snellen.models import replay

RULES = "rules"

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
    domains = getattr(prompting, "DOMAINS", ())
    if domains and module.CARD.domain not in domains:
        where = f"the prompt {prompt!r} is for {' and '.join(_DOMAINS[each] for each in domains)}"
        raise UsageError(f"{where}, and {benchmark} asks about {_DOMAINS[module.CARD.domain]}: {_other(module)}")
    folder = module.locate(data, workspace.cache)
    recording = _recording(model, module) if model.recorded else None
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


def judge_of(benchmark: ModuleType, rubric: str, model: ModelSpec | None, on: str = "changed") -> Judge:
    """A judge from its rubric, as ``NAME`` or ``NAME:option=value,...``, and its model if it asks one.

    Args:
        benchmark: its module.
        rubric: what is asked.
        model: who is asked.
        on: which version of a changed item is judged on: ``changed`` or ``clean``.

    Raises:
        UsageError: no such rubric, option or value; a rubric that asks without a model, or the other way round.
    """
    name, _, rest = rubric.partition(":")
    module = discovery.load("judges", name)
    given = {}
    for part in filter(None, rest.split(",")):
        option, equals, value = part.partition("=")
        if not equals:
            raise UsageError(f"the rubric's option {part!r} must read option=value: {rubric!r}")
        given[option] = value
    options = resolve_options(name, module, given)
    asks = hasattr(module, "ask")
    if asks and model is None:
        raise UsageError(f"the rubric {name!r} asks a model: name it as the judge, with its base URL")
    if not asks and model is not None and not model.recorded:
        raise UsageError(f"the rubric {name!r} asks no model; leave {model.name!r} out or choose another rubric")
    recording = _recording(model, benchmark) if model is not None and model.recorded else None
    name = name.replace("_", "-")
    asked = revision(model) if model is not None else ""
    return Judge(name, module, options, model, asked, recording, judged_on(on))


def register_run(workspace: Workspace, plan: Plan) -> RunRow:
    """The run's row in the ledger, made if it is new."""
    digest = plan.hash
    name = f"{plan.name}/{slug(plan.model.name)}-{digest.hex()[:6]}"
    row = workspace.ledger.add_run(name, digest, plan.identity())
    recorded = {
        **row.manifest,
        "model": provenance.describe(plan.model),
        "data_folder": plan.data.resolve().name,
        "prompt_source": discovery.source_digest(plan.prompting),
        "versions": provenance.versions(),
    }
    published = getattr(plan.benchmark, "PINNED_DIGEST", "")
    if published:
        recorded["data_as_published"] = plan.data_digest == published
    workspace.ledger.record(row.id, recorded)
    return replace(row, manifest=recorded)


def register_judging(workspace: Workspace, run: RunRow, judge: Judge) -> RunRow:
    """The judging's row in the ledger, made if it is new."""
    identity = {"run": run.plan.hex(), **judge.identity()}
    digest = plan_hash(identity)
    taken = {row.name for row in workspace.ledger.judgings(run.id) if row.plan != digest}
    name = f"{run.name}@{slug(judge.label)}"
    if name in taken:
        name = f"{name}-{digest.hex()[:6]}"
    row = workspace.ledger.add_run(name, digest, {**identity, "source": judge.source()}, parent=run.id)
    recorded: dict[str, Any] = dict(row.manifest)
    if judge.model is not None:
        recorded["judge_model"] = provenance.describe(judge.model)
    recorded["versions"] = provenance.versions()
    workspace.ledger.record(row.id, recorded)
    return replace(row, manifest=recorded)


def judge_from_row(judging: RunRow) -> Judge:
    """The judge of a judging in the ledger, for reading what is stored; it can no longer ask a recording."""
    spec = judging.spec
    module = discovery.load("judges", spec["judge"])
    model = None
    if "model" in spec:
        model = ModelSpec(name=spec["model"], parameters=spec.get("parameters", {}))
    recording = replay.Recording(spec["recorded"]) if "recorded" in spec else None
    options = {name: spec["options"].get(name, values[0]) for name, values in module.OPTIONS.items()}
    on = judged_on(spec.get("on", "changed"))
    return Judge(spec["judge"], module, options, model, spec.get("revision", ""), recording, on)


def _recording(model: ModelSpec, benchmark: ModuleType) -> replay.Recording:
    official: Callable[[str], str] = getattr(benchmark, "official_id", lambda key: key)
    return replay.read(Path(model.recorded), official)
