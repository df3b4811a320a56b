"""Item: one question about zero or more images, and what is true of *those* images."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

import orjson

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
    """

    name: str
    path: str = field(default="", compare=False)
    sha256: str = ""


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


Reference = TextReference | YesNoReference | OptionReference
_REFERENCES: dict[str, type[TextReference | YesNoReference | OptionReference]] = {
    "text": TextReference,
    "yes_no": YesNoReference,
    "option": OptionReference,
}
_KINDS = {kind: name for name, kind in _REFERENCES.items()}


@dataclass(frozen=True, slots=True)
class Region:
    """A part of an image that the item speaks of, as a box in pixels of the original bytes, turned as EXIF says.

    Attributes:
        left, top, right, bottom: right and bottom are the first pixels outside.
        image: place of the image in the item.
    """

    left: float
    top: float
    right: float
    bottom: float
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
        changes: what perturbations did to it, in order.
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
    changes: tuple[Change, ...] = ()

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
            "images": [{"name": image.name, "sha256": image.sha256} for image in self.images],
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
        }
        return plain | {name: value for name, value in more.items() if value}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Item:
        """The inverse of `to_json`."""
        reference = dict(data["reference"]) if data["reference"] is not None else None
        return cls(
            id=data["id"],
            question=data["question"],
            images=tuple(ImageRef(name=image["name"], sha256=image["sha256"]) for image in data["images"]),
            options=tuple((letter, text) for letter, text in data.get("options", ())),
            reference=None if reference is None else _REFERENCES[reference.pop("kind")](**reference),
            labels=data["labels"],
            groups=data["groups"],
            cluster=data["cluster"],
            language=data["language"],
            facts=tuple(data.get("facts", ())),
            distractors=tuple(data.get("distractors", ())),
            regions=tuple(Region(**region) for region in data.get("regions", ())),
            changes=tuple(Change(**change) for change in data["changes"]),
        )

    def snapshot(self) -> tuple[bytes, bytes]:
        """(16-byte content hash, canonical JSON bytes) under which the ledger keeps the item."""
        body = orjson.dumps(self.to_json(), option=orjson.OPT_SORT_KEYS)
        return hashlib.sha256(body).digest()[:16], body
