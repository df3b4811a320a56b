"""What the ledger hands out, and how rows of its tables become nouns and back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

import orjson

from snellen.answer import Answer, Failure
from snellen.item import Item
from snellen.ledger import schema as t
from snellen.verdict import FLAGS, Verdict

T = TypeVar("T")

ANSWER_COLUMNS = (
    t.answer.c.status,
    t.answer.c.text,
    t.answer.c.thinking,
    t.answer.c.finish_reason,
    t.answer.c.prompt_tokens,
    t.answer.c.completion_tokens,
    t.answer.c.cached_tokens,
    t.answer.c.reasoning_tokens,
    t.answer.c.latency,
    t.answer.c.sent_id,
)
_CHUNK = 500  # keys in one IN list: SQLite's limit is far above, but plans of statements are cached by length


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


def chunks(values: Sequence[T]) -> Iterator[Sequence[T]]:
    """Slices of at most as many values as one IN list takes."""
    for start in range(0, len(values), _CHUNK):
        yield values[start : start + _CHUNK]


def run_row(row: Any) -> RunRow:
    """A row of the table of runs."""
    return RunRow(
        row.id, row.name, row.plan, row.parent, orjson.loads(row.spec), orjson.loads(row.manifest), row.created
    )


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


def verdict_of(row: Any) -> Verdict:
    """The verdict in a row that has a verdict's columns."""
    return verdict_from(row.value, row.unscored, row.flags, row.reason, row.measures)


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


def slug(text: str) -> str:
    """A model's name as a part of a run's name: letters, digits, dots and hyphens.

    >>> slug("Qwen/Qwen2.5-VL")
    'Qwen2.5-VL'
    """
    return re.sub(r"[^\w.-]+", "-", text.rsplit("/", 1)[-1]).strip("-.")[:60] or "model"
