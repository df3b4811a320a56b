"""Manifest diff: in what the making of two runs differs, field by field.

Everything that a manifest holds is compared, and what no part is named for stands under ``other``: nothing is left out.
What grows with every sitting (dates, requests, tokens, cost) is a part of its own, since it differs between any two
runs. What a difference means for a comparison of scores is said by `snellen.engine.comparability`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from snellen.errors import DataError

Plain = str | int | float | bool | None

_PARTS: tuple[tuple[str, str], ...] = (
    (r"run|judging\.name|judging\.run", ""),  # names, which stand above
    (r"(judging\.)?(created|cost|(sessions|purged)\..*|asked\.(requests|mean_latency_s|(tokens|answered)\..*))",
     "times and cost"),
    (r"benchmark|plan\.(data|seed|recorded|only_recorded)|data_.*|problems", "data"),
    (r"plan\.(prompt|given\..*|perturbations|perturbation_revisions\..*|again\..*)|prompt_source|perturbations\..*",
     "questions"),
    (r"plan\.(model|revision|convention|image_policy|parameters\..*)|model\..*|asked\..*", "model"),
    (r"(judging\.)?((versions|machine)\..*|earlier_environments)", "environment"),
    (r"judging\..*", "judge"),
)  # fmt: skip

PARTS = ("data", "questions", "model", "judge", "environment", "times and cost", "other")
"""Parts of a manifest, in the order in which they are shown."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field of two manifests.

    Attributes:
        part: one of `PARTS`.
        name: where it stands: ``plan.prompt``, ``judging.asked.server_models``.
        a, b: its values; None where a manifest does not have it.
    """

    part: str
    name: str
    a: Plain
    b: Plain

    @property
    def differs(self) -> bool:
        """Whether the values are not the same."""
        return self.a != self.b


@dataclass(frozen=True, slots=True)
class ManifestDiff:
    """Two manifests, field by field.

    Attributes:
        a, b: names of the judgings, of the runs where nothing is judged.
        fields: of both, by part and in the order of the first.
    """

    a: str
    b: str
    fields: tuple[Field, ...]

    @property
    def differing(self) -> tuple[Field, ...]:
        """Fields whose values are not the same."""
        return tuple(field for field in self.fields if field.differs)

    def to_json(self) -> dict[str, Any]:
        """``a``, ``b``, part -> list of name, a, b of what differs, and how many fields are the same."""
        differing: dict[str, list[dict[str, Plain]]] = {}
        for each in self.differing:
            differing.setdefault(each.part, []).append({"name": each.name, "a": each.a, "b": each.b})
        return {"a": self.a, "b": self.b, "differing": differing, "same": len(self.fields) - len(self.differing)}


def diff(a: Mapping[str, Any], b: Mapping[str, Any]) -> ManifestDiff:
    """Compare two manifests, as `snellen.engine.provenance.manifest` gives them.

    >>> found = diff({"run": "x", "plan": {"prompt": "direct"}}, {"run": "y", "plan": {"prompt": "pgp"}})
    >>> [(field.part, field.name, field.a, field.b) for field in found.differing]
    [('questions', 'plan.prompt', 'direct', 'pgp')]
    """
    left, right = dict(_flat(a)), dict(_flat(b))
    fields = [
        Field(part, name, left.get(name), right.get(name))
        for name in dict.fromkeys((*left, *right))
        if (part := _part(name))
    ]
    fields.sort(key=lambda field: PARTS.index(field.part))
    return ManifestDiff(_name(a), _name(b), tuple(fields))


def from_file(path: Path) -> Mapping[str, Any]:
    """A manifest that was written as JSON: by itself, or under ``manifest`` as ``--json`` prints it.

    Raises:
        DataError: the file cannot be read, or holds no manifest.
    """
    try:
        data = orjson.loads(path.read_bytes())
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror}", file=str(path)) from error
    except orjson.JSONDecodeError as error:
        raise DataError(f"is no JSON ({error})", file=str(path)) from error
    found = data.get("manifest", data) if isinstance(data, dict) else None
    if not isinstance(found, dict) or not isinstance(found.get("plan"), dict) or "run" not in found:
        what = "holds no manifest of a run: snellen methods RUN --json and snellen report RUN --json write one"
        raise DataError(what, file=str(path))
    return found


def _name(manifest: Mapping[str, Any]) -> str:
    judging = manifest.get("judging")
    named = judging.get("name") if isinstance(judging, Mapping) else None
    return str(named or manifest.get("run", ""))


def _part(name: str) -> str:
    return next((part for pattern, part in _PARTS if re.fullmatch(pattern, name)), "other")


def _flat(value: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Plain]]:
    for key, each in value.items():
        name = f"{path}{key}"
        if key == "sent_parameters" and isinstance(each, Sequence):
            yield name, _sets(each)
        elif key in ("server_models", "image_conversions") and isinstance(each, Mapping):
            yield name, ", ".join(sorted(map(str, each))) or None  # their counts grow with the requests
        elif key == "sessions" and isinstance(each, Sequence):
            yield from _sittings(each, f"{name}.")
        elif key == "answered" and isinstance(each, Sequence):
            yield from zip((f"{name}.first", f"{name}.last"), map(str, each), strict=False)
        elif key == "problems" and isinstance(each, Sequence):
            yield name, "; ".join(map(str, each)) or None
        elif isinstance(each, Mapping):
            yield from _flat(each, f"{name}.")
        elif isinstance(each, str | int | float | bool) or each is None:
            yield name, each
        elif isinstance(each, Sequence):
            yield name, ", ".join(map(_text, each)) or None
        else:
            yield name, str(each)


def _text(value: Any) -> str:
    if isinstance(value, Mapping):
        return " ".join(f"{name}={each}" for name, each in _flat(value)) or "none"
    return str(value)


def _sets(sent: Sequence[Any]) -> str | None:
    """The distinct parameters that requests had, as sent; which of them more often had is no difference."""
    texts = {_text(each.get("parameters") or {}) for each in sent if isinstance(each, Mapping)}
    return "; ".join(sorted(texts)) or None


def _sittings(sessions: Sequence[Any], path: str) -> Iterator[tuple[str, Plain]]:
    rows = [each for each in sessions if isinstance(each, Mapping)]
    yield f"{path}count", len(rows)
    for name in ("seconds", "requests", "failed", "retries"):
        yield f"{path}{name}", round(sum(_number(each.get(name)) for each in rows), 3)


def _number(value: Any) -> float:
    return value if isinstance(value, int | float) else 0.0
