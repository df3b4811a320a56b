"""Object-level CHAIR of a caption, as measures beside the verdict: never in its place.

Rohrbach et al. 2018 (arXiv 1809.02156), section 3.1, with the objects that the item names as the truth.
"""

from __future__ import annotations

from collections.abc import Mapping

from snellen.item import Item
from snellen.judges._discriminative import task_of
from snellen.readers import objects


def measures_of(item: Item, text: str) -> Mapping[str, tuple[float, float]]:
    """What a caption's mentions of objects come to; nothing for other tasks and for items that name no objects.

    Returns:
        ``chair_i``: hallucinated mentions of mentions; ``chair_s``: 1 of 1 for a caption with one or more of them, else
        0 of 1; ``object_coverage``: objects mentioned of objects there.

    >>> item = Item("i/0", "Describe the picture.", objects=("duck", "boat"))
    >>> measures_of(item, "A duck and a dog.")
    {'chair_i': (1, 2), 'chair_s': (1, 1), 'object_coverage': (1, 2)}
    """
    if not item.objects or task_of(item) is not None:
        return {}
    found = objects.account(text, item.objects)
    return {
        "chair_i": (found.hallucinated, found.mentions),
        "chair_s": (int(found.hallucinated > 0), 1),
        "object_coverage": (found.covered, found.objects),
    }
