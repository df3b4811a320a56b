"""Whether the same answer is right after a change of the image.

Every corruption has a table LOSSES: from an aspect (or what stands for a group of items) to one letter a severity:
``k`` kept, ``u`` unknown, ``r`` removed. What is not in the table is kept. Beside SHALE's twelve aspects the keys are

- ``facts``: the six domains of factuality, whose questions need the pictured thing to be recognised;
- ``other``: items without an aspect (charts, screens, other benchmarks): anything may matter to them;
- ``caption``: captions, whose truth may speak of anything. Without a row of its own a caption is kept where everything
  is; it is never removed.

Three rules hold for all. What is absent stays absent: the answer no to a question of existence, and a target that is
not on the screen, are kept by whatever only hides or cuts. An item of another aspect that speaks of colours (by its
question, options or truth) shares the fate of colour, but as unknown rather than removed. And an item that speaks of
what a change adds (snow in the picture, say) is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from snellen.aspects import ASPECTS, DOMAINS
from snellen.item import Item, TargetReference, Truth, YesNoReference

SUBJECTS = (*ASPECTS, "facts", "other", "caption")

_TRUTHS: Mapping[str, Truth] = {"k": "kept", "u": "unknown", "r": "removed"}
_COLORS = re.compile(
    r"\b(?:colou?r(?:s|ed|ful)?|red|orange|yellow|green|blue|purple|violet|pink|brown|beige|black|white|gr[ae]y|"
    r"gold(?:en)?|silver|turquoise|cyan|magenta|maroon|navy|teal)\b|[红橙黄绿青蓝紫粉棕褐黑白灰]|颜色|色彩|彩色|金色|银色",
    re.IGNORECASE,
)

Losses = Mapping[str, str]


def _text(item: Item) -> str:
    parts = [item.question, *(text for _, text in item.options)]
    if item.reference is not None:
        parts.append(item.reference.text)
    return "\n".join(parts)


def subject_of(item: Item) -> str:
    """The key of the table that an item falls under: its aspect, ``facts``, ``caption`` or ``other``."""
    aspect = item.labels.get("aspect", "").casefold().replace(" ", "-").replace("_", "-")
    if item.labels.get("task") == "caption":
        return "caption"
    if aspect in DOMAINS or item.labels.get("kind") == "factuality":
        return "facts"
    return aspect if aspect in ASPECTS else "other"


def is_absent(item: Item) -> bool:
    """Whether the item asks for the existence, or the place, of what is not there."""
    truth = item.reference
    if isinstance(truth, TargetReference):
        return truth.box is None
    return subject_of(item) == "existence" and isinstance(truth, YesNoReference) and not truth.yes


def decide(item: Item, severity: int, losses: Losses, *, hides: bool = False, adds: str = "") -> Truth:
    """What a change makes of an item's truth.

    Args:
        losses: the change's table.
        hides: the change only hides or cuts, so what is absent stays absent.
        adds: a pattern of words for what the change brings into the picture.
    """
    subject = subject_of(item)
    letters = {key: row[severity - 1] for key, row in losses.items()}
    if subject == "caption":
        return "kept" if letters.get("caption", max(letters.values(), default="k")) == "k" else "unknown"
    text = _text(item)
    if adds and re.search(adds, text, re.IGNORECASE):
        return "unknown"
    letter = "k" if hides and is_absent(item) else letters.get(subject, "k")
    if letter == "k" and subject != "color" and letters.get("color", "k") != "k" and _COLORS.search(text):
        return "unknown"
    return _TRUTHS[letter]


NOISE: Losses = {"expression": "kkkku", "scene-text": "kkkuu"}
"""Grain: small features drown at the end; on the average of a patch, colours and places stay."""

BLUR: Losses = {"expression": "kkkuu", "scene-text": "kkuuu", "facts": "kkkku", "other": "kkkuu"}
"""Detail goes first: print, then faces and tick labels, then what tells one person or building from another."""

COARSE: Losses = {"expression": "kkkku", "scene-text": "kkkuu", "facts": "kkkku", "other": "kkkuu"}
"""Fewer pixels."""
