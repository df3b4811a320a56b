"""Item: one question about zero or more images, and what is true of *those* images."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

import orjson

from snellen.box import Box

Truth = Literal["kept", "altered", "removed", "unknown"]

_ESCAPED = re.compile(r"[/@+:%\x00-\x1f\x7f]")


def escape_id(part: str) -> str:
    """One part of an item id with ``/ @ + : %`` and control characters percent-encoded.

    >>> escape_id("a/b")
    'a%2Fb'
    """
    return _ESCAPED.sub(lambda match: f"%{ord(match[0]):02X}", part)


@dataclass(frozen=True, slots=True)
class ImageRef:
    """An image of an item.

    Attributes:
        name: readable, relative to the data: ``images/2.jpg``.
        path: where the bytes lie now; neither hashed nor stored.
        sha256: hex digest of the original bytes; empty until the plan has read them.
        width, height: pixels of the upright original, given where the truth is in pixels; else 0.
    """

    name: str
    path: str = field(default="", compare=False)
    sha256: str = ""
    width: int = 0
    height: int = 0

    def to_json(self) -> dict[str, Any]:
        """Plain values for a snapshot."""
        size = {"width": self.width, "height": self.height} if self.width else {}
        return {"name": self.name, "sha256": self.sha256, **size}


@dataclass(frozen=True, slots=True)
class TextReference:
    """The truth as a text, possibly with acceptable ranges in it; an empty text says that nothing is to be compared."""

    text: str


@dataclass(frozen=True, slots=True)
class YesNoReference:
    """The truth as yes or no."""

    yes: bool

    @property
    def text(self) -> str:
        """``yes`` or ``no``."""
        return "yes" if self.yes else "no"


@dataclass(frozen=True, slots=True)
class OptionReference:
    """The truth as one of the item's options.

    Attributes:
        letter: of the right option.
        text: what the right option says.
    """

    letter: str
    text: str


@dataclass(frozen=True, slots=True)
class TargetReference:
    """The truth of grounding: where the target lies, or that it is absent.

    Attributes:
        box: of the target; None where it is not in the image, so that only saying so is right.
        distractors: of what looks alike or means nearly the same.
    """

    box: Box | None
    distractors: tuple[Box, ...] = ()

    @property
    def text(self) -> str:
        """``absent``, or the edges as ``[left, top, right, bottom]``."""
        if self.box is None:
            return "absent"
        return f"[{self.box.left:g}, {self.box.top:g}, {self.box.right:g}, {self.box.bottom:g}]"


@dataclass(frozen=True, slots=True)
class Element:
    """One element of a screen.

    Attributes:
        kind: ``icon``, ``text``, ``button``, ``image`` or ``input``.
        description: what it says or is for, in the item's language.
        box: where it lies.
    """

    kind: str
    description: str
    box: Box


@dataclass(frozen=True, slots=True)
class ElementsReference:
    """The truth of parsing: every element of a screen."""

    elements: tuple[Element, ...]

    @property
    def text(self) -> str:
        """A line for each element: kind, description, edges."""
        return "\n".join(f"{e.kind} {e.description!r} {TargetReference(e.box).text}" for e in self.elements)


Reference = TextReference | YesNoReference | OptionReference | TargetReference | ElementsReference
_REFERENCES: dict[str, type[Reference]] = {
    "text": TextReference,
    "yes_no": YesNoReference,
    "option": OptionReference,
    "target": TargetReference,
    "elements": ElementsReference,
}
_KINDS = {kind: name for name, kind in _REFERENCES.items()}


@dataclass(frozen=True, slots=True)
class Region(Box):
    """A part of an image that the item speaks of.

    Attributes:
        image: place of the image in the item.
    """

    image: int = 0


@dataclass(frozen=True, slots=True)
class Change:
    """What a perturbation did to this item.

    Attributes:
        name: the perturbation's, with hyphens.
        severity: 1 to 5.
        seed: the run's seed.
        truth: whether the clean answer is still right (``kept``), another one is (``altered``), what is asked for is
            gone (``removed``), or none of these can be established (``unknown``).
    """

    name: str
    severity: int
    seed: int
    truth: Truth


@dataclass(frozen=True, slots=True)
class Item:
    """One question and its truth. Frozen; `id` is a readable label and a path.

    Attributes:
        id: ``charthal/2/0``; parts are escaped with `escape_id`.
        question: what is asked, without any prompt around it.
        images: in the order in which the question speaks of them.
        options: (letter, text) of each option, in the order in which they are offered.
        reference: the truth to compare with; None where the benchmark gives none.
        labels: the benchmark's own taxonomy, as names: ``relation`` -> ``contradictory``.
        groups: named sets it belongs to: ``figure`` -> ``2``, ``pair`` -> id of the clean item.
        cluster: the original image it stems from (its own id where there is none): the unit of every interval.
        language: ``en`` or ``zh``.
        facts: what is known of the world beside the image, for judges of factuality.
        distractors: wrong answers that are near at hand, the nearest first: what perturbations tempt with.
        regions: parts of the images that the question is about.
        objects: names of all the objects that are in the images, where they are known; empty where they are not.
        changes: what perturbations did to it, in order.
        given: a text that is handed over with the question in a second run: a parse of the screen; else empty.
    """

    id: str
    question: str
    images: tuple[ImageRef, ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    reference: Reference | None = None
    labels: Mapping[str, str] = field(default_factory=dict)
    groups: Mapping[str, str] = field(default_factory=dict)
    cluster: str = ""
    language: str = "en"
    facts: tuple[str, ...] = ()
    distractors: tuple[str, ...] = ()
    regions: tuple[Region, ...] = ()
    objects: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()
    given: str = ""

    def __post_init__(self) -> None:
        if not self.id:
            raise ValueError("an item needs an id")
        if not self.cluster:
            object.__setattr__(self, "cluster", self.id)

    def to_json(self) -> dict[str, Any]:
        """Plain values for a snapshot; image paths are left out, since data folders move."""
        plain: dict[str, Any] = {
            "id": self.id,
            "question": self.question,
            "images": [image.to_json() for image in self.images],
            "reference": (
                None if self.reference is None else {"kind": _KINDS[type(self.reference)], **asdict(self.reference)}
            ),
            "labels": dict(self.labels),
            "groups": dict(self.groups),
            "cluster": self.cluster,
            "language": self.language,
            "changes": [
                {"name": c.name, "severity": c.severity, "seed": c.seed, "truth": c.truth} for c in self.changes
            ],
        }
        # Most benchmarks have none of these, and a hundred thousand snapshots need not say so.
        more = {
            "options": [list(option) for option in self.options],
            "facts": list(self.facts),
            "distractors": list(self.distractors),
            "regions": [asdict(region) for region in self.regions],
            "objects": list(self.objects),
            "given": self.given,
        }
        return plain | {name: value for name, value in more.items() if value}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Item:
        """The inverse of `to_json`."""
        return cls(
            id=data["id"],
            question=data["question"],
            images=tuple(ImageRef(**image) for image in data["images"]),
            options=tuple((letter, text) for letter, text in data.get("options", ())),
            reference=None if data["reference"] is None else _reference(data["reference"]),
            labels=data["labels"],
            groups=data["groups"],
            cluster=data["cluster"],
            language=data["language"],
            facts=tuple(data.get("facts", ())),
            distractors=tuple(data.get("distractors", ())),
            regions=tuple(Region(**region) for region in data.get("regions", ())),
            objects=tuple(data.get("objects", ())),
            changes=tuple(Change(**change) for change in data["changes"]),
            given=data.get("given", ""),
        )

    def snapshot(self) -> tuple[bytes, bytes]:
        """(16-byte content hash, canonical JSON bytes) under which the ledger keeps the item."""
        body = orjson.dumps(self.to_json(), option=orjson.OPT_SORT_KEYS)
        return hashlib.sha256(body).digest()[:16], body


def _reference(data: Mapping[str, Any]) -> Reference:
    """From plain values, as `Item.to_json` gives them."""
    values = {name: value for name, value in data.items() if name != "kind"}
    if data["kind"] == "target":
        box = values["box"]
        return TargetReference(
            None if box is None else Box(**box), tuple(Box(**each) for each in values["distractors"])
        )
    if data["kind"] == "elements":
        return ElementsReference(tuple(Element(**{**each, "box": Box(**each["box"])}) for each in values["elements"]))
    return _REFERENCES[data["kind"]](**values)
