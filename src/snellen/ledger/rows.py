"""What the ledger hands out, and how rows of its tables become nouns and back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import orjson

from snellen.answer import Answer, Failure, Usage
from snellen.item import Item
from snellen.verdict import FLAGS, Verdict

RUN_COLUMNS = "id, name, plan, parent, spec, manifest, created"


@dataclass(frozen=True, slots=True)
class RunRow:
    """A run or, where `parent` is set, a judging of one."""

    id: int
    name: str
    plan: bytes
    parent: int | None
    spec: Mapping[str, Any]
    manifest: Mapping[str, Any]
    created: float


@dataclass(frozen=True, slots=True)
class PlannedRow:
    """An item of a run at its position, with the key of its request or the reason why it cannot be asked."""

    position: int
    item: Item
    key: bytes | None
    error: str = ""


@dataclass(frozen=True, slots=True)
class ResultRow:
    """Everything known about one item of a run, seen through one of its judgings (or none)."""

    position: int
    item: Item
    key: bytes | None
    error: str
    answer: Answer | None
    failure: Failure | None
    verdict: Verdict | None


@dataclass(frozen=True, slots=True)
class Asked:
    """Those answers of a run, or replies of a judging, for which the same was sent.

    Attributes:
        sent: parameters and images as sent, with the server's model; None where nothing of it is known.
        rows: of the run or judging.
        requests: distinct ones.
        usage: tokens, 0 where none were counted.
        latency: seconds, summed.
        first, last: seconds since 1970 when the first and the last of them came.
    """

    sent: Mapping[str, Any] | None
    rows: int
    requests: int
    usage: Usage
    latency: float
    first: float
    last: float


def run_row(columns: tuple[Any, ...]) -> RunRow:
    """The run of the columns `RUN_COLUMNS`."""
    number, name, plan, parent, spec, manifest, created = columns
    return RunRow(number, name, plan, parent, orjson.loads(spec), orjson.loads(manifest), created)


def verdict_values(judging_id: int, position: int, verdict: Verdict) -> tuple[Any, ...]:
    """The columns of a verdict, in the order of the table."""
    measures = {name: list(pair) for name, pair in verdict.measures.items()}
    return (
        judging_id,
        position,
        verdict.value,
        verdict.unscored or None,
        sum(1 << FLAGS.index(flag) for flag in verdict.flags),
        verdict.reason,
        orjson.dumps(measures).decode() if measures else None,
    )


def verdict_from(value: int | None, unscored: str | None, flags: int, reason: str, measures: str | None) -> Verdict:
    """The verdict of these columns."""
    pairs = orjson.loads(measures) if measures else {}
    return Verdict(
        value=value,
        reason=reason,
        flags=flags_of(flags),
        unscored=unscored or "",
        measures={name: (pair[0], pair[1]) for name, pair in pairs.items()},
    )


@lru_cache(1024)
def flags_of(bits: int) -> tuple[str, ...]:
    """The flags of these bits."""
    return tuple(flag for bit, flag in enumerate(FLAGS) if bits >> bit & 1)


def seal_name(run_id: int) -> str:
    """Name in the table `meta` under which a run's plan is sealed."""
    return f"planned:{run_id}"


def sums_name(run_id: int) -> str:
    """Name in the table `meta` under which stands what a run's answers came to."""
    return f"asked:{run_id}"


def slug(text: str) -> str:
    """A model's name as a part of a run's name: letters, digits, dots and hyphens.

    >>> slug("Qwen/Qwen2.5-VL")
    'Qwen2.5-VL'
    """
    return re.sub(r"[^\w.-]+", "-", text.rsplit("/", 1)[-1]).strip("-.")[:60] or "model"
