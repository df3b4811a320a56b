"""Clean and changed items with their verdicts, made up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from snellen.item import Change, Item, Truth
from snellen.table import TableBuilder, VerdictTable
from snellen.verdict import Verdict

Value = int | None
Version = tuple[str, Value] | tuple[str, Value, Truth]


def verdict(value: Value) -> Verdict:
    """Of that value; None is a judge's error."""
    return Verdict(None, unscored="judge_error") if value is None else Verdict(value)


def clean(name: str, *, cluster: str = "", **labels: str) -> Item:
    """A clean item of a run with changed versions."""
    return Item(name, f"What is {name}?", labels=labels, groups={"pair": name}, cluster=cluster or name)


def changed(item: Item, condition: str, truth: Truth = "kept") -> Item:
    """The version of a clean item under ``jpeg:3`` or ``jpeg:3+typos:2``."""
    steps = [step.split(":") for step in condition.split("+")]
    changes = tuple(Change(step, int(severity), 0, truth) for step, severity in steps)
    return replace(item, id=f"{item.id}@{condition}", changes=changes)


def table_of(items: Iterable[tuple[Mapping[str, str], Value, Iterable[Version]]]) -> VerdictTable:
    """A table of (labels and perhaps a cluster, clean value, versions); items are called ``i/0``, ``i/1``, ...

    A version is (condition, value) or (condition, value, truth).
    """
    builder = TableBuilder()
    for number, (about, value, versions) in enumerate(items):
        item, position = clean(f"i/{number}", **about), len(builder)
        builder.add(position, item, verdict(value))
        for place, (condition, changed_value, *truth) in enumerate(versions, position + 1):
            builder.add(place, changed(item, condition, *truth), verdict(changed_value))
    return builder.build()
