"""ScreenSpot's instructions on other screens: does a model reject what is presumably not there?

Each instruction of `snellen.benchmarks.screenspot` is asked on another screen of the same platform. That its target is
absent there is presumed, not checked by anybody: "close this window" has a target on many a screen. So these items are
a benchmark of their own, with a table of its own, and are never counted among those with a known truth.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from snellen.benchmarks import screenspot
from snellen.benchmarks._image_places import is_file
from snellen.benchmarks._screen_files import MISSING, sha256
from snellen.benchmarks._screen_labels import TITLES
from snellen.benchmarks._screenspot_rows import Spot, Spots, platform_of
from snellen.card import Card
from snellen.errors import DataError
from snellen.item import ImageRef, Item, TargetReference

SEED = 0
"""Of the choice of screens, which is the same in every run."""

CARD = Card(
    name="screenspot-absent",
    title="ScreenSpot, targets presumed absent",
    summary=(
        "The instructions of ScreenSpot on other screens of the same platform, where their targets are presumed to be "
        "absent: whether a model rejects them."
    ),
    paper=screenspot.CARD.paper,
    authors=screenspot.CARD.authors,
    links=screenspot.CARD.links,
    licence=screenspot.CARD.licence,
    languages=("en", "zh"),
    domain="screen",
    labels={"task": ("presumed-absent",), "language": ("en", "zh")},
    label_titles={"task": "Task", "task=presumed-absent": "Presumed absent", **TITLES},
    judge="gui",
    score="rejected",
    notes=(
        "Absence is presumed, not checked: an instruction is asked on a screen for which no row asks the same, and "
        "some of these screens hold a fitting element all the same, where pointing at it counts as wrong. Compare "
        "models on these items; the rate itself is no rejection rate.",
    ),
)


def locate(data: Path | None, cache: Path) -> Path:
    """The user's copy of ScreenSpot, as `screenspot.locate` finds it.

    Raises:
        DataError: no copy is given, or it is none, with how to point at one.
    """
    return screenspot.locate(data, cache)


def digest(data: Path) -> str:
    """Hex SHA-256, as `screenspot.digest` gives it."""
    return screenspot.digest(data)


def items(data: Path) -> Iterator[Item | DataError]:
    """Every instruction once more, on another screen of the same platform.

    The choice is seeded. A screen is passed over where any row of the data has the same instruction for it or describes
    an element of it in these words, and where it has the same bytes as the instruction's own. Screens without a file
    are chosen only where the platform has no other. Where no screen is left, the row is a `DataError`.

    Raises:
        DataError: no file holds a row, or ``layout.json`` declares no form of boxes.
    """
    spots = Spots(data)
    others: _OtherScreens | None = None
    for spot in spots.rows():
        if isinstance(spot, DataError):
            yield spot
        elif isinstance(spot, Spot):
            others = others or _OtherScreens(spots)
            for language, question in spot.instructions.items():
                yield _item(spots, others, spot, language, question)


def _item(spots: Spots, others: _OtherScreens, spot: Spot, language: str, question: str) -> Item | DataError:
    part = "/zh" if language == "zh" and len(spot.instructions) > 1 else ""
    own = f"{CARD.name}/{spot.id}{part}"
    platform = spot.labels.get("platform", "")
    screen = others.of(spot.image, platform, question, spot.id)
    if screen is None:
        where = f"of the platform {platform} " if platform else ""
        what = f"no other screen {where}is there on which nobody asks this"
        return DataError(f"{what}: it is left out", file=spot.file, row=spot.where, id=own)
    image = spots.screens.sized(screen)
    kept = {name: value for name, value in spot.labels.items() if name in ("platform", "element")}
    return Item(
        id=own,
        question=question,
        images=(image,),
        reference=TargetReference(None),
        labels={"task": "presumed-absent", "language": language, **kept},
        groups={"screen": image.name, "asked": f"{screenspot.CARD.name}/{spot.id}{part}"},
        cluster=f"{CARD.name}/{image.name}",
        language=language,
    )


class _OtherScreens:
    """The screens of each platform, and what is asked on them: 8 bytes for each text, read in one pass."""

    def __init__(self, spots: Spots) -> None:
        self._asked: defaultdict[str, set[bytes]] = defaultdict(set)
        self._digests: dict[str, str] = {}
        screens: defaultdict[str, dict[str, ImageRef]] = defaultdict(dict)
        for row, image in spots.named():
            try:
                platform = platform_of(row.fields, row.name)
            except DataError:
                continue  # told of where the row itself is read
            screens[platform].setdefault(image.name, image)
            for name in ("instruction", "instruction_cn", "description"):
                if isinstance(said := row.fields.get(name), str):
                    self._asked[image.name].add(_folded(said))
        self._screens: Mapping[str, list[ImageRef]] = {name: _there(by_name) for name, by_name in screens.items()}

    def of(self, own: ImageRef, platform: str, question: str, id_: str) -> ImageRef | None:
        """The screen for an instruction: from a seeded place on, the first on which it is not asked."""
        screens = self._screens.get(platform, [])
        if not screens:
            return None
        start = int.from_bytes(hashlib.sha256(f"{SEED} {id_} {question}".encode()).digest()[:8], "big") % len(screens)
        asked = _folded(question)
        for screen in (*screens[start:], *screens[:start]):
            if screen.name != own.name and asked not in self._asked[screen.name] and not self._same(screen, own):
                return screen
        return None

    def _same(self, one: ImageRef, other: ImageRef) -> bool:
        return self._digest(one) == self._digest(other) != MISSING

    def _digest(self, image: ImageRef) -> str:
        if image.name not in self._digests:
            self._digests[image.name] = sha256(Path(image.path))
        return self._digests[image.name]


def _there(by_name: Mapping[str, ImageRef]) -> list[ImageRef]:
    every = [by_name[name] for name in sorted(by_name)]
    return [image for image in every if is_file(Path(image.path))] or every


def _folded(text: str) -> bytes:
    words = "".join(char if char.isalnum() else " " for char in text.casefold()).split()
    return hashlib.sha256(" ".join(words).encode("utf-8", "backslashreplace")).digest()[:8]
