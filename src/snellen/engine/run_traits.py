"""Run traits: what is known of the model behind a run, by which runs are told apart, grouped and put in order.

What the user declares in ``models.toml`` comes first, then what was recorded with the run, then what the model's name
suggests: ``Qwen2.5-VL-72B`` is of the series ``qwen2.5-vl`` and has 72 billion parameters.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from snellen.model_spec import ModelSpec

EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")
"""Reasoning efforts, the least first."""

_SIZE = re.compile(r"(?<![\w.])(?:(\d+)x)?(\d+(?:\.\d+)?)([bm])(?![a-z0-9])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Traits:
    """What is known of a run's model; what is not known is empty or None.

    Attributes:
        model: as declared, or as the server calls it.
        family: of its makers.
        series: the name without its size, which models that differ in size alone share; empty where it tells none.
        weights: ``open`` or ``closed``.
        size: its parameters.
        effort: of reasoning, as requested.
        prompt: with which it was asked.
    """

    model: str
    family: str = ""
    series: str = ""
    weights: str = ""
    size: float | None = None
    effort: str = ""
    prompt: str = ""

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names."""
        return {name: getattr(self, name) for name in self.__slots__}


def traits_of(manifest: Mapping[str, Any], models: Mapping[str, ModelSpec] | None = None) -> Traits:
    """Of a run, from its manifest.

    Args:
        manifest: as `snellen.engine.provenance.manifest` gives it.
        models: those declared in ``models.toml``, by name.
    """
    plan = manifest.get("plan", {})
    name = str(plan.get("model") or "")
    recorded = manifest.get("model", {})
    spec = (models or {}).get(name)
    server_name = (spec.server_name if spec else "") or str(recorded.get("server_name") or name)
    served = recorded.get("kind", "openai-compatible") in ("openai-compatible", "replay")
    stem, suggested = series_and_size(server_name) if served else ("", None)
    return Traits(
        model=server_name,
        family=(spec.known_family if spec else "") or str(recorded.get("family") or ""),
        series=stem if suggested is not None else "",
        weights=(spec.weights if spec else "") or str(recorded.get("weights") or ""),
        size=(spec.size if spec else None) or recorded.get("size") or suggested,
        effort=str((plan.get("parameters") or {}).get("reasoning_effort") or ""),
        prompt=str(plan.get("prompt") or ""),
    )


def series_and_size(name: str) -> tuple[str, float | None]:
    """The name without its makers and its size, and the size that it states; the whole name and None without one.

    >>> series_and_size("Qwen/Qwen2.5-VL-72B-Instruct")
    ('qwen2.5-vl-instruct', 72000000000.0)
    >>> series_and_size("GPT-5-mini")
    ('gpt-5-mini', None)
    """
    last = name.rsplit("/", 1)[-1]
    found = list(_SIZE.finditer(last.replace("_", "-")))
    if len(found) != 1:  # none, or several: which of them it is cannot be told
        return last.lower(), None
    experts, number, unit = found[0].groups()
    size = float(number) * (1e9 if unit.lower() == "b" else 1e6) * int(experts or 1)
    stem = re.sub(r"-{2,}", "-", last[: found[0].start()] + last[found[0].end() :]).strip("-_:. ").lower()
    return stem, size


def effort_rank(effort: str) -> int:
    """The place of an effort among `EFFORTS`; -1 for one that has none."""
    return EFFORTS.index(effort.lower()) if effort.lower() in EFFORTS else -1


def size_text(size: float | None) -> str:
    """``72B``, ``1.5B``, ``500M``; empty where it is not known.

    >>> size_text(72e9), size_text(None)
    ('72B', '')
    """
    if size is None:
        return ""
    return f"{size / 1e9:g}B" if size >= 1e9 else f"{size / 1e6:g}M"
