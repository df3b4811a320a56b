"""From a truth about a scene to its questions: two by yes or no, multiple choice, free form and a caption.

Every truth is asked both ways: once whether it is so (yes), once whether a wrong value is so (no). Languages take
turns, so that no two tasks ask the same words about a picture; so do the places of the right option.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from snellen.construction.scenes.composition import Said, Scene

LETTERS = "ABCD"
LANGUAGES = ("en", "zh")
_LEADING = re.compile(r"^(?:an? |the |《)")


@dataclass(frozen=True, slots=True)
class Wording:
    """How an aspect or a domain is asked for.

    Attributes:
        whether: a question with ``{v}`` for the value in question.
        which: the open question whose answer is the value.
        caption: how a description is asked for.
    """

    whether: Said
    which: Said
    caption: Said


@dataclass(frozen=True, slots=True)
class Truth:
    """One thing that is true of a scene.

    Attributes:
        scene: name of the scene.
        aspect: or domain.
        wording: the questions about it.
        right: the true value.
        wrong: three false ones, the nearest first.
        near: further false ones that are nearer to the true one, the nearest first: confusing words.
        regions: keys of what the question is about; empty: the whole picture.
        entity: what kind of thing it is about.
        facts: what of the world is needed to answer; empty for faithfulness.
        whole: what a caption must be true to, where more than the scene's description.
    """

    scene: str
    aspect: str
    wording: Wording
    right: Said
    wrong: tuple[Said, Said, Said]
    near: tuple[Said, ...] = ()
    regions: tuple[str, ...] = ()
    entity: str = "object"
    facts: Said | None = None
    whole: Said | None = None


def rows(
    truths: Sequence[Truth], scenes: dict[str, Scene], boxes: dict[str, dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    """The questions on all truths as rows in SHALE's layout, with more fields.

    Args:
        truths: those of one aspect one after the other.
        scenes: by name.
        boxes: name of a scene -> key -> left, top, right, bottom in pixels.
    """
    place: dict[str, int] = {}
    numbers: dict[str, int] = {}
    captioned: set[tuple[str, str]] = set()
    told = Counter((truth.scene, truth.aspect) for truth in truths)
    for order, truth in enumerate(truths):
        number = place[truth.aspect] = place.get(truth.aspect, -1) + 1
        one, other = LANGUAGES[number % 2], LANGUAGES[(number + 1) % 2]
        asked = [
            _yes(truth, one),
            _no(truth, other, number),
            _choice(truth, one, order % len(LETTERS)),
            _free(truth, other),
        ]
        if (truth.scene, truth.aspect) not in captioned:
            captioned.add((truth.scene, truth.aspect))
            alone = told[truth.scene, truth.aspect] == 1
            asked.append(_caption(truth, scenes[truth.scene], other if number % 4 < 2 else one, alone))
        for row in asked:
            count = numbers[truth.scene] = numbers.get(truth.scene, -1) + 1
            language = row["language"]
            yield {
                "id": f"{truth.scene}/{count}",
                "hallucination_type": "factuality" if truth.facts else "faithfulness",
                "evaluation_dimension": truth.aspect,
                "entity_type": truth.entity,
                "images": [f"images/{truth.scene}.png"],
                "image_prompt": scenes[truth.scene].description.of(language),
                **row,
                **({"Facts": truth.facts.of(language)} if truth.facts else {}),
                **_objects(scenes[truth.scene], row["task"]),
                "regions": [boxes[truth.scene][key] for key in truth.regions if row["task"] != "Caption"],
            }


def _objects(scene: Scene, task: str) -> dict[str, Any]:
    return {"objects": list(scene.objects)} if task == "Caption" and scene.objects else {}


def _row(task: str, language: str, instruction: str, ground_truth: str, distractors: list[str]) -> dict[str, Any]:
    return {
        "task": task,
        "language": language,
        "instruction": instruction,
        "ground_truth": ground_truth,
        "distractors": distractors,
    }


def _yes(truth: Truth, language: str) -> dict[str, Any]:
    asked = truth.wording.whether.of(language).format(v=truth.right.of(language))
    row = _row("PosYNQ", language, asked, ("是", "Yes")[language == "en"], _nearest_first(truth, language))
    return {**row, "right_answer": truth.right.of(language)}


def _no(truth: Truth, language: str, number: int) -> dict[str, Any]:
    tempting = truth.wrong[number % 3].of(language)
    asked = truth.wording.whether.of(language).format(v=tempting)
    row = _row("NegYNQ", language, asked, ("否", "No")[language == "en"], _nearest_first(truth, language))
    return {**row, "right_answer": truth.right.of(language)}


def _choice(truth: Truth, language: str, right: int) -> dict[str, Any]:
    texts = _wrong(truth, language)
    texts.insert(right, truth.right.of(language))
    options = " ".join(f"({letter}) {text}" for letter, text in zip(LETTERS, texts, strict=True))
    asked = f"{truth.wording.which.of(language)}\n{options}"
    answer = f"({LETTERS[right]})"
    return {**_row("MCQ", language, asked, answer, _nearest_first(truth, language)), "Ground Truth Option": answer}


def _free(truth: Truth, language: str) -> dict[str, Any]:
    asked = truth.wording.which.of(language)
    return _row("OpenVQA", language, asked, truth.right.of(language), _nearest_first(truth, language))


def _caption(truth: Truth, scene: Scene, language: str, alone: bool) -> dict[str, Any]:
    """Here a wrong value tempts only if it is true of nothing in the picture: its stem is not in the description."""
    whole = (truth.whole or scene.description).of(language)
    length = 5 if language == "en" else 1  # letters of a stem: "stand" of "standing", "绿" of "绿色"
    stems = {text: _LEADING.sub("", text)[:length].casefold() for text in _wrong(truth, language)}
    false = [text for text, stem in stems.items() if stem not in whole.casefold()]
    return _row("Caption", language, truth.wording.caption.of(language), whole, false if alone else [])


def _wrong(truth: Truth, language: str) -> list[str]:
    return [value.of(language) for value in truth.wrong]


def _nearest_first(truth: Truth, language: str) -> list[str]:
    texts = [value.of(language) for value in (*truth.near, *truth.wrong)]
    right = truth.right.of(language)
    if right.isdecimal():
        texts.sort(key=lambda text: abs(int(text) - int(right)))
    return texts
