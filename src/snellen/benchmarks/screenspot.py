"""ScreenSpot, ScreenSpot-v2 and ScreenSpot-Pro: does a model find what an instruction is about on a screen?

Kanzhi Cheng, Qiushi Sun, Yougang Chu, Fangzhi Xu, Yantao Li, Jianbing Zhang, Zhiyong Wu: "SeeClick: Harnessing GUI
Grounding for Advanced Visual GUI Agents", arXiv 2401.10935 (ScreenSpot); Zhiyong Wu et al.: "OS-ATLAS", arXiv
2410.23218 (ScreenSpot-v2, which mends wrong rows); Kaixin Li et al.: "ScreenSpot-Pro", arXiv 2504.07981 (screens of
professional software in high resolution).

The user points at a copy of any of them. Every target is on its screen, so the set says nothing about rejecting:
`snellen.benchmarks.screenspot_absent` asks the same instructions where they are presumed to have no target.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from snellen.benchmarks import _screen_labels as labels_of
from snellen.benchmarks._screen_files import Repeated, digest_of, located
from snellen.benchmarks._screenspot_rows import ADVICE, MISSING, Spot, Spots
from snellen.card import Card, Finding
from snellen.errors import DataError
from snellen.item import Item, Region, TargetReference

CARD = Card(
    name="screenspot",
    title="ScreenSpot",
    summary=(
        "Instructions on screens of phones, desktops and the web: whether a model finds the element that an "
        "instruction is about. ScreenSpot, ScreenSpot-v2 and ScreenSpot-Pro."
    ),
    paper="SeeClick: Harnessing GUI Grounding for Advanced Visual GUI Agents",
    authors="Kanzhi Cheng, Qiushi Sun, Yougang Chu, Fangzhi Xu, Yantao Li, Jianbing Zhang, Zhiyong Wu",
    links={
        "paper": "https://arxiv.org/abs/2401.10935",
        "repository": "https://github.com/njucckevin/SeeClick",
        "v2": "https://arxiv.org/abs/2410.23218",
        "pro": "https://arxiv.org/abs/2504.07981",
    },
    licence=(
        "ScreenSpot: Apache-2.0, as a card on the hub says; v2 and Pro: see your copy. Taken from there, never shipped "
        "with Snellen"
    ),
    languages=("en", "zh"),
    domain="screen",
    labels={"task": ("grounding",), "language": ("en", "zh")},
    label_titles={"task": "Task", "task=grounding": "Grounding", **labels_of.TITLES},
    judge="gui",
    score="on the target",
    answerable={"task": ("grounding",)},
    notes=("Every target is on its screen: this set does not measure whether a model rejects what is not there.",),
)


def locate(data: Path | None, cache: Path) -> Path:
    """The user's copy: a folder with JSON files and images, or one JSON file with the images beside it.

    Raises:
        DataError: no copy is given, or it is none, with how to point at one.
    """
    return located(data, MISSING, ADVICE)


def digest(data: Path) -> str:
    """Hex SHA-256 of what ``sha256sum`` prints for the JSON files and then for the images their rows name, by name.

    Names are relative to the folder (to the file's, where one file is the data). An image that cannot be read counts
    as ``missing``.
    """
    return digest_of(data, (image.name for _, image in Spots(data).named()))


def items(data: Path) -> Iterator[Item | DataError]:
    """The items, file by file in the order of the files' names; a row with a Chinese instruction too gives two.

    A row that is not as declared is yielded as a `DataError` and the rest goes on; so is a file that cannot be read. A
    row that asks what an earlier one asked, for the same box, is passed over. An item whose image is missing is yielded
    with an image of size 0 (of the declared size, where the row has one): planning finds out, so that it stays in the
    count. Where boxes are shares of the sides, such a row is a `DataError`.

    Raises:
        DataError: no file holds a row, or ``layout.json`` declares no form of boxes.
    """
    for spot in Spots(data).rows():
        if isinstance(spot, DataError):
            yield spot
        elif isinstance(spot, Spot):
            yield from _items(spot)


def _items(spot: Spot) -> Iterator[Item]:
    box, image = spot.box, spot.image
    sized = {"size": labels_of.size(box, image.width, image.height)} if image.width else {}
    for language, question in spot.instructions.items():
        yield Item(
            id=f"{CARD.name}/{spot.id}" + ("/zh" if language == "zh" and len(spot.instructions) > 1 else ""),
            question=question,
            images=(image,),
            reference=TargetReference(box),
            labels={"task": "grounding", "language": language, **spot.labels, **sized},
            groups={"screen": image.name},
            cluster=f"{CARD.name}/{image.name}",
            language=language,
            regions=(Region(box.left, box.top, box.right, box.bottom),),
        )


def check(data: Path) -> Iterator[Finding]:
    """What is odd in the files; bad rows, boxes, labels, texts and images are `snellen.engine.check`'s part."""
    repeated: Counter[str] = Counter()
    for spot in Spots(data).rows():
        if isinstance(spot, Repeated):
            repeated[spot.name] += 1
        elif isinstance(spot, Spot) and "platform" not in spot.labels:
            what = "neither the row nor the name of its file says it: the item has no such label"
            yield Finding("platform not known", f"{spot.file} {spot.where}", what)
    for file, count in sorted(repeated.items()):
        yield Finding("row repeated", file, f"{count} rows ask what earlier ones ask, for the same boxes: asked once")
