"""What the judges of ChartHal's cells share: the cell of an item, options, and the flags that any judge sets."""

from __future__ import annotations

from collections.abc import Mapping

from snellen.errors import UsageError
from snellen.item import Item
from snellen.readers import abstention, hedging, premise
from snellen.verdict import ABSTAINED, EMPTY, HEDGED, PREMISE_CORRECTED, Verdict

TYPES = ("descriptive", "reasoning", "open-ended")
RELATIONS = ("irrelevant", "inexistent", "contradictory", "normal")


def cell_of(item: Item) -> tuple[str, str]:
    """The item's question type and relation.

    Raises:
        UsageError: the item has no such labels, so that these judges do not fit it.
    """
    kind, relation = item.labels.get("question_type", ""), item.labels.get("relation", "")
    if kind not in TYPES or relation not in RELATIONS:
        raise UsageError(
            f"item {item.id} has the labels question_type={kind or 'none'}, relation={relation or 'none'}; this judge "
            f"needs one of {', '.join(TYPES)} and one of {', '.join(RELATIONS)}: choose one that fits the benchmark"
        )
    return kind, relation


def option(options: Mapping[str, str], allowed: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """Every option with its value, defaults filled in.

    Raises:
        UsageError: an option or a value that does not exist.
    """
    for name, value in options.items():
        if name not in allowed:
            raise UsageError(f"unknown option {name!r}; there are {', '.join(allowed)}")
        if value not in allowed[name]:
            raise UsageError(f"option {name} cannot be {value!r}; it is one of {', '.join(allowed[name])}")
    return {name: options.get(name, values[0]) for name, values in allowed.items()}


def empty_verdict() -> Verdict:
    """The verdict on an answer without text: it commits to nothing that could be free of hallucination."""
    return Verdict(0, "The answer is empty.", flags=(EMPTY,))


def flags_of(item: Item, text: str) -> tuple[str, ...]:
    """Flags that say what the answer does, whatever the verdict: reports need them from every judge.

    Premise correction is looked for where there is a false premise, hedging where an explanation is asked for.
    """
    kind, relation = item.labels.get("question_type", ""), item.labels.get("relation", "")
    if not text.strip():
        return (EMPTY,)
    flags = []
    if abstention.read(text):
        flags.append(ABSTAINED)
    if relation == "contradictory" and premise.corrects(text, item.question):
        flags.append(PREMISE_CORRECTED)
    if kind == "open-ended" and hedging.read(text):
        flags.append(HEDGED)
    return tuple(flags)
