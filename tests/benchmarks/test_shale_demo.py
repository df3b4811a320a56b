"""The SHALE-shaped demonstration set: whole, balanced, with facts, and read strictly."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from snellen.benchmarks import shale, shale_demo
from snellen.construction.scenes import factuality
from snellen.engine import check
from snellen.errors import DataError
from snellen.item import Item, OptionReference, YesNoReference
from snellen.perturbations._wrong import wrong_answers
from snellen.readers.objects import account

FOLDER = shale_demo.locate(None, Path("unused"))
FACTUAL = shale_demo.CARD.labels["aspect"][12:]


@pytest.fixture(scope="module")
def items() -> list[Item]:
    found = list(shale_demo.items(FOLDER))
    assert all(isinstance(item, Item) for item in found)
    return [item for item in found if isinstance(item, Item)]


def of(items: list[Item], task: str) -> list[Item]:
    return [item for item in items if item.labels["task"] == task]


def test_every_aspect_and_domain_has_fifteen_items_and_every_task(items: list[Item]) -> None:
    aspects = Counter(item.labels["aspect"] for item in items)
    assert set(aspects) == set(shale_demo.CARD.labels["aspect"])
    assert min(aspects.values()) >= 15
    cells = Counter((item.labels["aspect"], item.labels["task"]) for item in items)
    assert len(cells) == 18 * 4
    assert min(cells.values()) >= 2
    assert len({item.cluster for item in items}) == 51


def test_half_is_chinese(items: list[Item]) -> None:
    for aspect in shale_demo.CARD.labels["aspect"]:
        languages = Counter(item.language for item in items if item.labels["aspect"] == aspect)
        assert abs(languages["en"] - languages["zh"]) <= 1
    for item in items:
        asked = re.sub(r"“[^”]*”|\n.*", "", item.question)
        assert bool(re.search(r"[\u4e00-\u9fff]", asked)) == (item.language == "zh")


def test_guessing_scores_what_arithmetic_says(items: list[Item]) -> None:
    """Always yes, or always no, is a half; every letter is right as often; 25.8 % in all is said in the notes."""
    truths = Counter(item.reference for item in of(items, "yes-no"))
    assert truths == {YesNoReference(True): 78, YesNoReference(False): 78}
    letters = Counter(item.reference.letter for item in items if isinstance(item.reference, OptionReference))
    assert set(letters) == set("ABCD")
    assert max(letters.values()) - min(letters.values()) <= 1
    blind = (78 + sum(letters.values()) / 4) / len(items)
    assert any(f"{blind:.1%}".replace("%", " %") in note for note in shale_demo.CARD.notes)


def test_options_stand_in_the_question_and_one_is_right(items: list[Item]) -> None:
    choices = of(items, "multiple-choice")
    assert choices
    for item in choices:
        assert isinstance(item.reference, OptionReference)
        assert [letter for letter, _ in item.options] == list("ABCD")
        assert dict(item.options)[item.reference.letter] == item.reference.text
        assert all(f"({letter}) {text}" in item.question for letter, text in item.options)
        assert set(item.distractors) >= {text for _, text in item.options} - {item.reference.text}
    assert not [item for item in items if item.options and item.labels["task"] != "multiple-choice"]


def test_distractors_are_wrong(items: list[Item]) -> None:
    for item in items:
        if item.labels["task"] != "caption":
            assert item.distractors
        assert item.reference is not None
        assert item.reference.text not in item.distractors
        if item.labels["task"] == "caption":
            assert not [text for text in item.distractors if text in item.reference.text]
    assert sum(bool(item.distractors) for item in of(items, "caption")) > 30


def test_what_a_no_asks_for_is_a_distractor_and_the_label_says_what_is_so(items: list[Item]) -> None:
    for item in of(items, "yes-no"):
        right = item.labels["answer"]
        assert right not in item.distractors
        assert (right in item.question) == (item.reference == YesNoReference(True)), item.question
        if item.reference == YesNoReference(False):
            assert any(text in item.question for text in item.distractors)
    assert not [item for item in items if "answer" in item.labels and item.labels["task"] != "yes-no"]


def test_distractors_stand_nearest_first_and_those_beyond_the_options_before_them(items: list[Item]) -> None:
    fresh = 0
    for item in of(items, "multiple-choice"):
        assert item.reference is not None
        offered = {text for _, text in item.options}
        places = [text in offered for text in item.distractors]
        assert places == sorted(places), item.id
        fresh += not all(places)
        if item.reference.text.isdecimal():
            distances = [abs(int(text) - int(item.reference.text)) for text in item.distractors]
            assert distances == sorted(distances)
    assert fresh >= 55
    for item in items:
        assert len(set(item.distractors)) == len(item.distractors)
        if (
            item.labels["task"] != "caption"
        ):  # all pass where perturbations look for what is wrong, but for two: on and in
            lost = set(item.distractors) - set(wrong_answers(item))
            assert lost <= {"on the table", "in the house"}, item.id


@pytest.mark.parametrize("value", [3, "", " ", ["a cat"]])
def test_a_right_answer_that_is_no_text_is_that_rows_error(tmp_path: Path, value: object) -> None:
    rows = json.loads((shale_demo.locate(None, tmp_path) / "items.json").read_text("utf-8"))[:2]
    rows[1]["right_answer"] = value
    (tmp_path / "items.json").write_text(json.dumps(rows), "utf-8")
    first, second = shale_demo.items(tmp_path)
    assert isinstance(first, Item)
    assert isinstance(second, DataError)
    assert "right_answer" in str(second)


def test_factuality_has_facts_from_the_file_with_sources(items: list[Item]) -> None:
    known = factuality.facts()
    for item in items:
        assert bool(item.facts) == (item.labels["kind"] == "factuality") == (item.labels["aspect"] in FACTUAL)
        if item.facts and item.labels["aspect"] == "geography":
            capitals = [fact[item.language] for fact in known["geography"]["facts"].values()]
            told = [text for text in capitals if re.split(": |：", text)[1] in item.facts[0]]
            assert len(told) >= 4
        elif item.facts:
            own = [fact[item.language] for fact in known[item.labels["aspect"]]["facts"].values()]
            assert item.facts[0] in own


def test_captions_of_scenes_name_what_is_drawn(items: list[Item]) -> None:
    named = [item for item in items if item.objects]
    assert all(item.labels["task"] == "caption" and item.labels["kind"] == "faithfulness" for item in named)
    assert len(named) == 37
    assert {item.labels["aspect"] for item in of(items, "caption") if item.labels["kind"] == "faithfulness"} - {
        item.labels["aspect"] for item in named
    } == {"expression"}  # of faces, which are parts and no objects
    for item in named:
        assert item.reference is not None
        found = account(item.reference.text, item.objects)
        # What is true of a picture names every object that is drawn and no other.
        assert (found.hallucinated, found.covered) == (0, found.objects), item.id
    (bus,) = {item.objects for item in named if item.cluster == "shale-demo/street-bus"}
    assert bus == ("bus", "car")


def test_a_scene_that_is_described_otherwise_hallucinates(items: list[Item]) -> None:
    texts = {item.cluster: item.reference.text for item in items if item.objects and item.reference}
    own = [item for item in items if item.objects]
    wrong = [account(texts[other.cluster], one.objects) for one, other in pairwise(own)]
    assert sum(found.hallucinated > 0 for found in wrong) > 0.6 * len(wrong)


def test_regions_lie_in_the_picture(items: list[Item]) -> None:
    sizes = {}
    for image in {item.images[0].path for item in items}:
        with Image.open(image) as opened:
            sizes[image] = opened.size
    for item in items:
        width, height = sizes[item.images[0].path]
        for region in item.regions:
            assert 0 <= region.left < region.right <= width
            assert 0 <= region.top < region.bottom <= height
        assert bool(item.regions) == (
            item.labels["task"] != "caption" and (item.labels["aspect"] not in FACTUAL or "flags-" in item.cluster)
        )


def test_the_set_has_nothing_odd_and_is_small() -> None:
    assert list(check.run(shale_demo, FOLDER)) == []
    assert sum(path.stat().st_size for path in FOLDER.rglob("*") if path.is_file()) < 1_000_000


def test_shale_itself_reads_the_set(items: list[Item]) -> None:
    """It is in SHALE's own layout: the same questions, truths, options and facts come out."""
    read = [item for item in shale.items(FOLDER) if isinstance(item, Item)]
    assert [(i.question, i.reference, i.options, i.facts) for i in read] == [
        (i.question, i.reference, i.options, i.facts) for i in items
    ]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copytree(FOLDER, tmp_path / "demo"))


def rewrite(folder: Path, place: int, **changed: Any) -> None:
    rows = json.loads((folder / "items.json").read_text("utf-8"))
    rows[place] = {**rows[place], **changed}
    (folder / "items.json").write_text(json.dumps(rows), encoding="utf-8")


def test_a_folder_of_ones_own_is_used(copy: Path, tmp_path: Path) -> None:
    assert shale_demo.locate(copy, tmp_path) == copy
    assert shale_demo.digest(copy) == shale_demo.digest(FOLDER)
    with pytest.raises(DataError, match=r"items\.json.*leave --data out"):
        shale_demo.locate(tmp_path, tmp_path)


def test_the_digest_sees_every_row_and_image(copy: Path) -> None:
    digests = {shale_demo.digest(copy)}
    image = copy / "images" / "die.png"
    image.write_bytes(image.read_bytes() + b"\0")
    digests.add(shale_demo.digest(copy))
    image.rename(image.with_name("other.png"))
    digests.add(shale_demo.digest(copy))
    rewrite(copy, 3, ground_truth="dog")
    digests.add(shale_demo.digest(copy))
    assert len(digests) == 4


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"language": "fr"}, "language is 'fr'"),
        ({"language": None}, "language is None"),
        ({"regions": 3}, "regions is no list"),
        ({"regions": [[1, 2, 3]]}, "no list of left"),
        ({"regions": [[1, 2, "3", 4]]}, "no list of left"),
        ({"regions": [[9, 2, 3, 4]]}, "holds no pixel"),
        ({"distractors": "a dog"}, "distractors is no list"),
        ({"distractors": [" "]}, "no text"),
        ({"objects": "cat"}, "objects is no list"),
        ({"objects": ["cat", 3]}, "objects holds what is no text"),
        ({"id": "meadow-cat/0"}, "occurred before"),
        ({"images": ["../x.png"]}, "leaves the data folder"),
        ({"task": "Ranking"}, "task is 'Ranking'"),
    ],
)
def test_a_bad_row_is_an_error_of_its_own(copy: Path, changed: dict[str, Any], message: str) -> None:
    rewrite(copy, 3, **changed)
    found = list(shale_demo.items(copy))
    (error,) = (item for item in found if isinstance(item, DataError))
    assert message in error.what
    assert (error.file, error.row) == ("items.json", "[3]")
    assert len(found) == 378


def test_contradictions_are_reported(copy: Path) -> None:
    rewrite(copy, 0, ground_truth="No")
    rewrite(copy, 3, hallucination_type="factuality")
    found = [(finding.kind, finding.where) for finding in shale_demo.check(copy)]
    assert found == [
        ("truth against its task", "shale-demo/meadow-cat/0"),
        ("kind against its aspect", "shale-demo/meadow-cat/3"),
    ]


def test_no_file_is_an_error(copy: Path) -> None:
    (copy / "items.json").write_bytes(b"{}")
    with pytest.raises(DataError, match="leave --data out"):
        list(shale_demo.items(copy))
