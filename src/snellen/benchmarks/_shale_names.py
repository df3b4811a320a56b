"""SHALE's names for tasks, aspects and domains: one spelling each, whichever of many a file uses."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from snellen.aspects import ASPECTS, DOMAINS

TASKS = ("yes-no", "multiple-choice", "free-form", "caption")
KINDS = ("faithfulness", "factuality")

TITLES = {
    "aspect": "Aspect or domain",
    "aspect=entity-type": "Entity type",
    "aspect=existence": "Existence",
    "aspect=count": "Count",
    "aspect=color": "Color",
    "aspect=shape": "Shape",
    "aspect=orientation": "Orientation",
    "aspect=posture": "Posture",
    "aspect=expression": "Expression",
    "aspect=scene-text": "Scene text",
    "aspect=size-relation": "Size relation",
    "aspect=spatial-relation": "Spatial relation",
    "aspect=interaction-relation": "Interaction relation",
    "aspect=sports": "Sports",
    "aspect=politics": "Politics",
    "aspect=entertainment": "Entertainment",
    "aspect=religion": "Religion",
    "aspect=culture": "Culture",
    "aspect=geography": "Geography",
    "task": "Task",
    "task=yes-no": "Yes or no",
    "task=multiple-choice": "Multiple choice",
    "task=free-form": "Free form",
    "task=caption": "Caption",
    "kind": "Kind of hallucination",
    "kind=faithfulness": "Faithfulness",
    "kind=factuality": "Factuality",
}
"""Words for people, for cards with these labels."""

_ASPECT_SPELLINGS: Mapping[str, tuple[str, ...]] = {
    "entity-type": ("type", "entity", "object type", "category"),
    "existence": ("exist", "entity existence", "object existence", "presence"),
    "count": ("counting", "number", "quantity", "object count"),
    "color": ("colour",),
    "shape": (),
    "orientation": ("direction",),
    "posture": ("pose",),
    "expression": ("facial expression", "emotion"),
    "scene-text": ("text", "ocr"),
    "size-relation": ("size", "relative size"),
    "spatial-relation": ("spatial", "position", "spatial relationship", "relative position"),
    "interaction-relation": ("interaction", "action", "interaction relationship"),
    "sports": ("sport",),
    "politics": ("politic", "political"),
    "entertainment": (),
    "religion": ("religious",),
    "culture": ("cultural",),
    "geography": ("geographic", "geographical"),
}
_TASK_SPELLINGS = {
    "yes-no": ("posynq", "negynq", "ynq", "yn", "yes or no"),
    "multiple-choice": ("mcq", "mc", "multi choice", "multiple choice question"),
    "free-form": ("openvqa", "vqa", "oeq", "open ended"),
    "caption": ("captioning", "image caption", "image captioning", "description"),
}
_KIND_SPELLINGS = {
    "faithfulness": ("faithful", "faithfulness hallucination"),
    "factuality": ("factual", "factuality hallucination"),
}


def _folded(text: str) -> str:
    """Only the letters and digits, in lower case: ``Spatial_relation`` and ``spatialRelation`` are one."""
    return "".join(char for char in text.casefold() if char.isalnum())


def _table(spellings: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    return {_folded(known): name for name, several in spellings.items() for known in (name, *several)}


_ASPECT_OF = _table(_ASPECT_SPELLINGS)
_TASK_OF = _table(_TASK_SPELLINGS)
_KIND_OF = _table(_KIND_SPELLINGS)


@lru_cache(1024)
def aspect(text: str) -> str:
    """The aspect or domain that is meant; an unknown one as it is, without outer white space.

    >>> aspect("Spatial relation"), aspect("spatial_relation"), aspect("type"), aspect("Weather")
    ('spatial-relation', 'spatial-relation', 'entity-type', 'Weather')
    """
    return _ASPECT_OF.get(_folded(text), text.strip())


@lru_cache(1024)
def task(text: str) -> str:
    """The task that is meant; empty where none is known. A longer name that holds SHALE's own is that task.

    >>> task("PosYNQ"), task("MCQ"), task("OpenVQA_style"), task("ranking")
    ('yes-no', 'multiple-choice', 'free-form', '')
    """
    folded = _folded(text)
    if folded in _TASK_OF:
        return _TASK_OF[folded]
    held = {_TASK_OF[own] for own in ("ynq", "mcq", "openvqa", "caption") if own in folded}
    return held.pop() if len(held) == 1 else ""


@lru_cache(1024)
def promised(text: str) -> bool | None:
    """What the name of a yes-or-no task says of its truth; None where it says nothing.

    >>> promised("PosYNQ"), promised("NegYNQ"), promised("YNQ")
    (True, False, None)
    """
    folded = _folded(text)
    return True if folded.startswith("pos") else False if folded.startswith("neg") else None


@lru_cache(1024)
def kind(text: str) -> str:
    """The kind of hallucination that is meant; an unknown one as it is, without outer white space."""
    return _KIND_OF.get(_folded(text), text.strip())


def kind_of(aspect_name: str) -> str:
    """The kind that an aspect or a domain belongs to; empty for an unknown one."""
    return KINDS[0] if aspect_name in ASPECTS else KINDS[1] if aspect_name in DOMAINS else ""


@lru_cache(1024)
def entity(text: str) -> str:
    """A type of entity as a label: lower case, with hyphens.

    >>> entity("Domestic_Animal ")
    'domestic-animal'
    """
    return re.sub(r"[\s_-]+", "-", text.strip()).lower()
