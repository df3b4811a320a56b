"""What a preflight asks a model, and what it gives a judge to judge, of which the right verdict is known.

Every preflight has a seed of its own: other words, other numbers, so that nothing is answered from the ledger.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import orjson

from snellen.box import Box
from snellen.convention import Convention, Frame
from snellen.engine import canned_pictures as pictures
from snellen.engine.judge import Judge
from snellen.item import Element, ElementsReference, ImageRef, Item, TargetReference, TextReference

REPEAT, WORD, BUTTON = "preflight/repeat", "preflight/word", "preflight/button"
"""Ids of what a model is asked; a number follows the last."""

_SCREENS = (
    (1920, 1080, (0.66, 0.26, 0.94, 0.44)),
    (720, 1560, (0.08, 0.62, 0.46, 0.74)),
    (1440, 900, (0.06, 0.56, 0.34, 0.76)),
    (1080, 2400, (0.56, 0.22, 0.96, 0.32)),
)  # width, height, shares of them: away from the diagonal, so that no two conventions agree by chance


@dataclass(frozen=True, slots=True)
class Case:
    """An answer with its verdict.

    Attributes:
        item: that it is an answer to.
        answer: its text.
        what: kind of answer: ``right``, ``wrong``, ``refusing``, ``refusing, rightly``.
        value: of the right verdict.
    """

    item: Item
    answer: str
    what: str
    value: int


def digest_of(items: Sequence[Item]) -> str:
    """Hex digest of these items."""
    return hashlib.sha256(b"".join(item.snapshot()[1] for item in items)).hexdigest()


def questions(seed: str, folder: Path, *, screens: bool) -> list[Item]:
    """What a model is asked: to repeat a word, to read one from a picture; with `screens`, to find big buttons.

    Pictures are written into `folder`.
    """
    said, read = pictures.word(f"repeat {seed}"), pictures.word(f"read {seed}")
    text = f'Repeat this word, and write nothing else: "{said}"'
    items = [Item(REPEAT, text, reference=TextReference(said), cluster=REPEAT)]
    image = _write(folder, "word.png", pictures.word_picture(read))
    question = "One word is written in this picture. Which? Answer with that word alone."
    items.append(Item(WORD, question, (image,), reference=TextReference(read), cluster=WORD))
    if screens:
        items += _screens(seed, folder)
    return items


def _screens(seed: str, folder: Path) -> Iterator[Item]:
    for number, (width, height, (left, top, right, bottom)) in enumerate(_SCREENS, 1):
        name = pictures.word(f"button {number} {seed}")
        box = Box(left * width, top * height, right * width, bottom * height)
        image = _write(
            folder, f"screen-{number}.png", pictures.screen_picture(width, height, box, name), (width, height)
        )
        yield Item(
            f"{BUTTON}/{number}",
            f"Click the button {name}.",
            (image,),
            reference=TargetReference(box),
            labels={"task": "confusion", "language": "en"},
            cluster=f"{BUTTON}/{number}",
        )


def cases(judge: Judge, seed: str, folder: Path, languages: Sequence[str]) -> list[Case]:
    """What a judge is given: a right, a wrong and a refusing answer in each language, made for its rubric.

    Args:
        judge: one that asks a model.
        seed: of the words and numbers.
        folder: into which the picture is written.
        languages: of ``en`` and ``zh``.
    """
    found: list[Case] = []
    for language in languages:
        if judge.embeds:
            found += _elements(judge.convention, seed, folder, language)
        elif judge.name == "charthal":
            found += _of_a_chart(seed, folder, language)
        else:
            found += _captions(seed, folder, language)
    if judge.name == "atomic-claims":  # who declines claims nothing, and invents nothing
        found = [replace(case, value=1) if case.what == "refusing" else case for case in found]
    return [replace(case, item=replace(case.item, id=_id(case), cluster=_id(case))) for case in found]


def _id(case: Case) -> str:
    return f"{case.item.id}/{case.what.replace(', ', '-')}"


def _bars(seed: str, folder: Path) -> tuple[dict[str, int], ImageRef]:
    bars = {pictures.word(f"bar {n} {seed}"): pictures.number(f"bar {n} {seed}") for n in range(3)}
    return bars, _write(folder, "chart.png", pictures.chart_picture(bars), (640, 480))


def _of_a_chart(seed: str, folder: Path, language: str) -> Iterator[Case]:
    bars, image = _bars(seed, folder)
    (name, value), (_, other) = list(bars.items())[:2]
    other += value == other
    absent = pictures.word(f"absent {seed}")
    zh = language == "zh"
    asks = f"柱子 {name} 的数值是多少？" if zh else f"What is the value of the bar {name}?"
    missing = f"柱子 {absent} 的数值是多少？" if zh else f"What is the value of the bar {absent}?"
    there = _chart_item(f"normal/{language}", asks, "normal", str(value), image, language)
    gone = _chart_item(f"inexistent/{language}", missing, "inexistent", "", image, language)
    yield Case(there, f"柱子 {name} 的数值是 {value}。" if zh else f"The bar {name} has the value {value}.", "right", 1)
    yield Case(there, f"柱子 {name} 的数值是 {other}。" if zh else f"The bar {name} has the value {other}.", "wrong", 0)
    cannot = "抱歉，我无法从图中判断这个数值。" if zh else "I am sorry, I cannot tell this value from the chart."
    yield Case(there, cannot, "refusing", 0)
    is_gone = (
        f"图中没有名为 {absent} 的柱子，因此无法给出它的数值。"
        if zh
        else f"The chart has no bar {absent}, so its value cannot be told."
    )
    yield Case(gone, is_gone, "refusing, rightly", 1)


def _chart_item(name: str, question: str, relation: str, reference: str, image: ImageRef, language: str) -> Item:
    labels = {"question_type": "descriptive", "relation": relation}
    truth = TextReference(reference)
    return Item(f"preflight/{name}", question, (image,), reference=truth, labels=labels, language=language)


def _captions(seed: str, folder: Path, language: str) -> Iterator[Case]:
    bars, image = _bars(seed, folder)
    zh = language == "zh"
    said = ("、" if zh else ", ").join(f"{name} {value}" for name, value in bars.items())
    truth = f"一张柱状图，有三根柱子：{said}。" if zh else f"A bar chart with three bars: {said}."
    item = Item(
        f"preflight/caption/{language}",
        "请描述这张图片。" if zh else "Describe this picture.",
        (image,),
        reference=TextReference(truth),
        labels={"task": "caption", "kind": "faithfulness", "aspect": "existence"},
        language=language,
    )
    right = f"图中是一张柱状图，三根柱子分别是 {said}。" if zh else f"This is a bar chart. Its three bars are {said}."
    wrong = (
        "照片里一只棕色的狗在海滩上奔跑，后面是大海。"
        if zh
        else "The photo shows a brown dog that runs along a beach, with the sea behind it."
    )
    yield Case(item, right, "right", 1)
    yield Case(item, wrong, "wrong", 0)
    yield Case(item, "抱歉，我无法看到这张图片。" if zh else "I am sorry, I cannot see this picture.", "refusing", 0)


def _elements(convention: Convention, seed: str, folder: Path, language: str) -> Iterator[Case]:
    width, height, (left, top, right, bottom) = _SCREENS[0]
    name = pictures.word(f"element {language} {seed}")
    box = Box(left * width, top * height, right * width, bottom * height)
    picture = pictures.screen_picture(width, height, box, name)
    image = _write(folder, f"elements-{language}.png", picture, (width, height))
    item = Item(
        f"preflight/elements/{language}",
        "列出屏幕上的所有元素。" if language == "zh" else "List every element on the screen.",
        (image,),
        reference=ElementsReference((Element("button", name, box),)),
        labels={"task": "parsing", "language": language},
        language=language,
    )
    place = [round(value, 4) for value in convention.written(box, Frame.of(image))]
    listed = [{"type": "button", "description": name, "bbox_2d": place}]
    yield Case(item, orjson.dumps(listed).decode(), "right", 1)


def _write(folder: Path, name: str, data: bytes, size: tuple[int, int] = (0, 0)) -> ImageRef:
    path = folder / name
    path.write_bytes(data)
    return ImageRef(name, str(path), width=size[0], height=size[1])
