"""At the start: what a run can be warned of before its first request, at no cost. Nothing here stops anything."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

from snellen.engine import provenance
from snellen.engine.judge import Judge
from snellen.engine.plan import Plan
from snellen.model_spec import EMBEDDED, ModelSpec

_LOCAL = ("localhost", "127.0.0.1", "::1")


def warnings(plan: Plan, judge: Judge | None) -> list[str]:
    """Sentences, each with what to change: addresses, keys in the clear, coordinates, data, shared families.

    Args:
        plan: of the run.
        judge: who judges; None where nobody does.
    """
    return list(_warned(plan, judge))


def _warned(plan: Plan, judge: Judge | None) -> Iterator[str]:
    if plan.served:
        yield from _about_address("model", plan.model)
        if plan.card.domain == "screen" and not plan.model.convention:
            yield (
                f"no convention of coordinates is declared for {plan.model.name}: they are read as pixels of the image "
                'as it is sent; put convention = "..." into its entry of models.toml, or name it with --convention '
                "(snellen preflight tries all of them)"
            )
    if judge is not None and judge.model is not None and judge.recording is None and judge.model.kind not in EMBEDDED:
        yield from _about_address("judge", judge.model)
    published = getattr(plan.benchmark, "PINNED_DIGEST", "")
    if published and plan.data_digest != published:
        yield f"the data of {plan.name} are not the published ones: scores cannot be set beside published rows"
    described = {"model": provenance.describe(plan.model)}
    judging = {} if judge is None or judge.model is None else {"judge_model": provenance.describe(judge.model)}
    for sentence in provenance.about_families({**described, "judging": judging}, plan.card):
        yield sentence[0].lower() + sentence[1:].rstrip(".")


def _about_address(role: str, spec: ModelSpec) -> Iterator[str]:
    parts = urlsplit(spec.base_url)
    if not parts.path.strip("/"):
        yield f"the base URL of the {role} ends without a path: most servers want {spec.base_url}/v1"
    if parts.scheme == "http" and spec.key_variable and parts.hostname not in _LOCAL:
        yield f"the key of the {role} goes to {parts.hostname} in the clear: use https:// if the server has it"
