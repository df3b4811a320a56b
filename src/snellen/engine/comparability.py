"""Comparability: in what two runs differ, and whether that leaves the difference between their scores to one cause.

A model, a prompt, a condition, a given parse, a set of parameters or a judge may be what is compared; where just one of
them differs, it is. Everything else that differs is a warning: data, image handling, versions of Snellen and of what it
stands on, what the server said it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

_JUDGED = ("judge", "options", "model", "revision", "parameters", "on", "source")


def compared(base: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """What may be compared and differs, in words: ``prompt: direct, pgp``; empty where the runs were made alike.

    Args:
        base, other: manifests, as `snellen.engine.provenance.manifest` gives them.
    """
    a, b = _asked(base), _asked(other)
    found = [f"{name}: {_said(a[name])}, {_said(b[name])}" for name in _unlike(base, other)]
    if not found and _judged(base) != _judged(other):
        found = [f"judge: {_judge_name(base)}, {_judge_name(other)}"]
    return found


def warnings(base: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """Sentences about what differs beside the one thing that is compared."""
    return list(_warned(base, other))


def _warned(base: Mapping[str, Any], other: Mapping[str, Any]) -> Iterator[str]:
    a, b = base.get("plan", {}), other.get("plan", {})
    asked = _unlike(base, other)
    if len(asked) > 1:
        yield f"{_listed(asked).capitalize()} differ: what the scores differ in cannot be put down to one of them."
    if base.get("benchmark") != other.get("benchmark"):
        yield f"The benchmarks differ: {base.get('benchmark')}, {other.get('benchmark')}."
    if a.get("data") != b.get("data"):
        yield "The data differ: equal ids need not be equal items."
    if a.get("image_policy") != b.get("image_policy"):
        yield (f"Images were handled differently: {_said(a.get('image_policy'))}, {_said(b.get('image_policy'))}.")
    if "model" not in asked:
        for name, title in (("revision", "revision of the model"), ("convention", "convention of coordinates")):
            if a.get(name) != b.get(name):
                yield f"The {title} differs: {_said(a.get(name))}, {_said(b.get(name))}."
        served = [sorted(each.get("asked", {}).get("server_models", {})) for each in (base, other)]
        if all(served) and served[0] != served[1]:
            yield f"The server named other models: {_listed(served[0])}; {_listed(served[1])}."
    if "prompt" not in asked and _differ(base, other, "prompt_source"):
        yield "The prompt's source has changed between the runs: its words may differ."
    judged = [name for name in _JUDGED if _judged(base).get(name) != _judged(other).get(name)]
    if not base.get("judging") or not other.get("judging"):
        yield "One of the runs is not judged."
    elif judged == ["source"]:
        yield "The judge's source has changed between the judgings."
    elif judged and asked:
        yield f"The judges differ: {_judge_name(base)}, {_judge_name(other)} ({_listed(judged)})."
    for title, left, right in (
        ("runs", base.get("versions", {}), other.get("versions", {})),
        ("judgings", base.get("judging", {}).get("versions", {}), other.get("judging", {}).get("versions", {})),
    ):
        moved = [
            f"{name} {left.get(name, 'none')} and {right.get(name, 'none')}"
            for name in sorted({*left, *right})
            if left.get(name) != right.get(name)
        ]
        if moved:
            yield f"The {title} were made with other versions: {_listed(moved)}."


def _asked(manifest: Mapping[str, Any]) -> dict[str, Any]:
    plan = manifest.get("plan", {})
    names = {"model": "model", "prompt": "prompt", "parameters": "parameters", "recorded answers": "recorded"}
    names["condition"] = "condition"  # of `snellen.engine.under`
    found = {title: plan.get(name) for title, name in names.items()}
    if "given" in plan:  # a second run, whose prompt says which parse it hands over
        found["image beside the parse"] = plan["given"].get("image")
    return found


def _unlike(base: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    a, b = _asked(base), _asked(other)
    return [name for name in a if name in b and a[name] != b[name]]


def _judged(manifest: Mapping[str, Any]) -> Mapping[str, Any]:
    judging = manifest.get("judging", {})
    return {name: judging.get(name) for name in _JUDGED}


def _judge_name(manifest: Mapping[str, Any]) -> str:
    name = str(manifest.get("judging", {}).get("name", "none"))
    return name.partition("@")[2] or name


def _differ(base: Mapping[str, Any], other: Mapping[str, Any], name: str) -> bool:
    return name in base and name in other and base[name] != other[name]


def _said(value: Any) -> str:
    if isinstance(value, Mapping):
        return " ".join(f"{name}={each}" for name, each in sorted(value.items())) or "none"
    return str(value) if value not in (None, "") else "none"


def _listed(words: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1] if words else "")))
