"""SHALE's own files: both layouts, folders of several files, images beside them, and everything that is wrong."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import small_shale
from snellen.aspects import ASPECTS, DOMAINS
from snellen.benchmarks import _shale_names as names
from snellen.benchmarks import shale
from snellen.engine import check
from snellen.errors import DataError
from snellen.item import Item, OptionReference, TextReference, YesNoReference
from snellen.prompting import direct

ROW: dict[str, Any] = {
    "id": 1,
    "task": "PosYNQ",
    "hallucination_type": "faithfulness",
    "evaluation_dimension": "type",
    "entity_type": "object",
    "images": ["./Image/1.jpg"],
    "instruction": "Is the object in the image a pan?",
    "ground_truth": "Yes",
}
MCQ = {**ROW, "task": "MCQ", "instruction": "What is it? (A) a pan (B) a pot", "ground_truth": "(B)"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return small_shale.write(tmp_path / "SHALE")


def read(folder: Path, *rows: Any, name: str = "Query/clean.json") -> list[Item | DataError]:
    """The items of a folder that holds these rows."""
    small_shale.write(folder, name, list(rows))
    return list(shale.items(folder))


def one(folder: Path, **changed: Any) -> Item:
    """The item of one row, which is as above but for what is changed."""
    (item,) = read(folder, {name: value for name, value in {**ROW, **changed}.items() if value != "left out"})
    assert isinstance(item, Item), item
    return item


def problem(folder: Path, row: Any) -> DataError:
    (error,) = read(folder, row)
    assert isinstance(error, DataError), error
    return error


# What is read


def test_a_name_that_is_no_text_is_refused(folder: Path) -> None:
    bad = folder / os.fsdecode(b"caf\xe9.json")
    bad.write_text("[]")
    with pytest.raises(DataError, match=r"rename it \(file caf\\udce9.json\)"):
        shale.locate(folder, folder)


def test_a_pipe_among_the_images_is_not_waited_for(folder: Path) -> None:
    os.mkfifo(folder / "Image" / "pipe.png")
    (item,) = read(folder, {**ROW, "images": ["Image/pipe.png"]})
    assert isinstance(item, Item)
    assert len(shale.digest(folder)) == 64


def test_a_name_that_is_too_long_for_a_file_costs_its_own_row_alone(folder: Path) -> None:
    long, short = read(folder, {**ROW, "images": ["x" * 5000 + ".jpg"]}, {**ROW, "id": 2})
    assert isinstance(long, Item)
    assert isinstance(short, Item)
    assert ("image missing", long.images[0].name) in [(each.kind, each.where) for each in check.run(shale, folder)]


def test_every_aspect_domain_and_task_is_read(folder: Path) -> None:
    items = list(shale.items(folder))
    assert all(isinstance(item, Item) for item in items)
    cells = Counter((item.labels["aspect"], item.labels["task"]) for item in items if isinstance(item, Item))
    assert len(cells) == 18 * 4
    assert {aspect for aspect, _ in cells} == set(ASPECTS) | set(DOMAINS)
    assert list(check.run(shale, folder)) == []


def test_a_row_of_the_readme(tmp_path: Path) -> None:
    item = one(tmp_path)
    assert item.id == "shale/1"
    assert item.question == "Is the object in the image a pan?"
    assert item.reference == YesNoReference(True)
    assert item.labels == {
        "aspect": "entity-type",
        "task": "yes-no",
        "kind": "faithfulness",
        "entity_type": "object",
    }
    assert item.images[0].name == "Image/1.jpg"
    assert Path(item.images[0].path).is_file()
    assert item.cluster == "shale/Image/1.jpg"
    assert (item.options, item.facts, item.distractors, item.language) == ((), (), (), "en")


def test_a_row_of_the_scorer(tmp_path: Path) -> None:
    """Other names of fields, the recorded answer of some model, what the image was made from, and facts."""
    scorer = {
        "id": "f-7",
        "task": "MCQ",
        "hallucination_type": "factuality",
        "evaluation_dimension": "geography",
        "images": ["Image/2.jpg"],
        "instruction": "Where is it? (A) Rome (B) Athens (C) Paris (D) Bern",
        "Ground Truth": "Paris",
        "Ground Truth Option": "(C)",
        "answer": "(A) Rome",
        "image_prompt": "A tower of iron.",
        "Facts": "The Eiffel Tower is in Paris.",
    }
    (item,) = read(tmp_path, scorer)
    assert isinstance(item, Item)
    assert item.id == "shale/f-7"
    assert item.reference == OptionReference("C", "Paris")
    assert item.options == (("A", "Rome"), ("B", "Athens"), ("C", "Paris"), ("D", "Bern"))
    assert item.distractors == ("Rome", "Athens", "Bern")
    assert item.facts == ("The Eiffel Tower is in Paris.",)
    assert "Rome" in item.question
    assert "iron" not in item.question
    assert "entity_type" not in item.labels


def test_what_is_asked_holds_the_options_once(tmp_path: Path) -> None:
    in_text, apart = (
        one(tmp_path / "a", **MCQ),
        one(tmp_path / "b", **{**MCQ, "instruction": "What is it?", "options": ["a pan", "a pot"]}),
    )
    assert in_text.question == "What is it? (A) a pan (B) a pot"
    assert apart.question == "What is it?\n(A) a pan (B) a pot"
    assert in_text.options == apart.options == (("A", "a pan"), ("B", "a pot"))
    both = one(tmp_path / "c", **{**MCQ, "options": ["a pan", "a pot"]})
    assert both.question.count("a pan") == 1
    sent = Item(id="x", question=both.question)
    assert direct.messages(sent)[0].parts[-1].text.count("(B)") == 1  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("truth", "yes"),
    [
        ("Yes", True),
        ("yes, it is", True),
        ("YES.", True),
        (True, True),
        ("True", True),
        ("是", True),
        ("是的", True),
        ("对", True),
        ("No", False),
        ("no.", False),
        ("No, it is not", False),
        (False, False),
        ("否", False),
        ("不是", False),
        ("没有", False),
        (["No"], False),
    ],
)
def test_yes_and_no_are_read_in_both_languages(tmp_path: Path, truth: Any, yes: bool) -> None:
    assert one(tmp_path, ground_truth=truth).reference == YesNoReference(yes)


def test_the_truth_counts_and_not_the_name_of_the_task(tmp_path: Path) -> None:
    item = one(tmp_path, task="NegYNQ", ground_truth="Yes")
    assert item.reference == YesNoReference(True)
    (finding,) = shale.check(tmp_path)
    assert finding.kind == "truth against its task"
    assert "NegYNQ promises no" in finding.what
    assert one(tmp_path, task="YNQ", ground_truth="No").reference == YesNoReference(False)
    assert list(shale.check(tmp_path)) == []


def test_free_form_and_captions_have_a_text(tmp_path: Path) -> None:
    assert one(tmp_path, task="OpenVQA", ground_truth=3).reference == TextReference("3")
    assert one(tmp_path, task="Caption", ground_truth="A pan.").reference == TextReference("A pan.")
    made_from = one(tmp_path, task="Caption", ground_truth="", image_prompt="A pan on a table")
    assert made_from.reference == TextReference("A pan on a table")


def test_facts_may_be_several(tmp_path: Path) -> None:
    assert one(tmp_path, Facts=["One.", " Two. ", "", None]).facts == ("One.", "Two.")
    assert one(tmp_path, facts=None).facts == ()


def test_names_are_compared_by_their_letters() -> None:
    assert {names.aspect(text) for text in ("Entity Type", "entity_type", "entityType", "type", "ENTITY-TYPE ")} == {
        "entity-type"
    }
    assert {names.aspect(text) for text in ("Spatial relation", "spatial", "spatial_relationship")} == {
        "spatial-relation"
    }
    assert names.aspect("Colour") == "color"
    assert names.aspect(" Weather ") == "Weather"
    for name in (*ASPECTS, *DOMAINS):
        assert names.aspect(name) == names.aspect(name.upper().replace("-", "_")) == name
    assert {names.task(text) for text in ("PosYNQ", "NegYNQ", "YNQ", "pos_ynq")} == {"yes-no"}
    assert [names.task(text) for text in ("MCQ", "OpenVQA", "Caption")] == ["multiple-choice", "free-form", "caption"]
    assert names.task("MCQ_or_Caption") == ""
    assert names.kind("Faithfulness Hallucination") == "faithfulness"


def test_the_kind_follows_from_the_aspect_where_it_is_left_out(tmp_path: Path) -> None:
    assert one(tmp_path, hallucination_type="left out").labels["kind"] == "faithfulness"
    assert one(tmp_path, hallucination_type=None, evaluation_dimension="Sport").labels["kind"] == "factuality"


def test_an_unknown_aspect_is_kept_and_reported(tmp_path: Path) -> None:
    assert one(tmp_path, evaluation_dimension="Weather ").labels["aspect"] == "Weather"
    found = [finding for finding in check.run(shale, tmp_path) if finding.kind == "label not in the card"]
    assert [finding.where for finding in found] == ["shale/1"]
    assert found[0].serious


def test_a_kind_against_its_aspect_is_reported(tmp_path: Path) -> None:
    assert one(tmp_path, hallucination_type="factuality").labels["kind"] == "factuality"
    assert [finding.kind for finding in shale.check(tmp_path)] == ["kind against its aspect"]


def test_the_marked_option_counts_over_the_truth_in_words(tmp_path: Path) -> None:
    item = one(tmp_path, **{**MCQ, "ground_truth": "a pan", "Ground Truth Option": "(B)"})
    assert item.reference == OptionReference("B", "a pot")
    assert [finding.kind for finding in shale.check(tmp_path)] == ["truth against its option"]


def test_options_that_say_the_same_are_reported(tmp_path: Path) -> None:
    one(tmp_path, **{**MCQ, "instruction": "What is it? (A) a pot (B) A pot"})
    assert [finding.kind for finding in shale.check(tmp_path)] == ["options alike"]


# What is wrong


BAD: list[tuple[Any, str]] = [
    (17, "not an object"),
    (["a"], "not an object"),
    ({**ROW, "id": None}, "id is missing"),
    ({**ROW, "id": True}, "id is true"),
    ({**ROW, "id": ""}, "id is ''"),
    ({**ROW, "task": "ranking"}, "task is 'ranking'"),
    ({**ROW, "task": None}, "field task is missing"),
    ({**ROW, "task": 3}, "task is 3, not a text"),
    ({**ROW, "evaluation_dimension": " "}, "evaluation_dimension is empty"),
    ({**ROW, "evaluation_dimension": "x", "hallucination_type": ""}, "hallucination_type is missing"),
    ({**ROW, "instruction": ""}, "instruction is empty"),
    ({**ROW, "instruction": "half \ud83d"}, "half a character"),
    ({**ROW, "images": []}, "not a list of paths"),
    ({**ROW, "images": {"a": 1}}, "not a list of paths"),
    ({**ROW, "images": [3]}, "no path inside"),
    ({**ROW, "images": ["/etc/passwd"]}, "no path inside"),
    ({**ROW, "images": ["C:\\a.jpg"]}, "no path inside"),
    ({**ROW, "images": ["https://example.org/a.jpg"]}, "no path inside"),
    ({**ROW, "images": ["../../../secret.jpg"]}, "outside the data folder"),
    ({**ROW, "ground_truth": None}, "ground_truth is missing"),
    ({**ROW, "ground_truth": "perhaps"}, "neither yes nor no"),
    ({**ROW, "ground_truth": ["Yes", "No"]}, "ground_truth is a list"),
    ({**ROW, "task": "Caption", "ground_truth": ""}, "ground_truth is missing or empty"),
    ({**ROW, "Facts": [3]}, "Facts holds 3"),
    ({**MCQ, "instruction": "What is it?"}, "no options"),
    ({**MCQ, "ground_truth": ""}, "there is no truth"),
    ({**MCQ, "ground_truth": "a spoon"}, "names none of the options A, B"),
    ({**MCQ, "ground_truth": "(C)"}, "names none of the options"),
    ({**MCQ, "Ground Truth Option": "(E)"}, "Ground Truth Option is '(E)'"),
    ({**ROW, "Ground Truth": "No"}, "twice"),
]


@pytest.mark.parametrize(("row", "message"), BAD, ids=[message for _, message in BAD])
def test_a_bad_row_is_an_error_with_its_place(tmp_path: Path, row: Any, message: str) -> None:
    found = read(tmp_path, {**ROW, "id": 5}, row, {**ROW, "id": 6})
    good = [item.id for item in found if isinstance(item, Item)]
    (error,) = (item for item in found if isinstance(item, DataError))
    assert good == ["shale/5", "shale/6"]
    assert message in error.what
    assert (error.file, error.row) == ("Query/clean.json", "[1]")
    assert error.id in ("", "shale/1")
    assert len(str(error)) < 400
    serious = [finding for finding in check.run(shale, tmp_path) if finding.kind == "bad row"]
    assert len(serious) == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty"),
        (b"{}", "must hold one JSON list"),
        (b"[]", "no file holds a row"),
        (b"<html>", "web page"),
        (b"PK\x03\x04", "compressed"),
        (b'[{"id": 1', "ends in the middle"),
    ],
)
def test_a_file_that_is_none_is_an_error(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "rows.json").write_bytes(content)
    with pytest.raises(DataError, match=message):
        list(shale.items(tmp_path))


def test_a_bad_file_beside_good_ones_is_left_out(folder: Path) -> None:
    (folder / "Query" / "a.json").write_text("{}", encoding="utf-8")
    found = list(shale.items(folder))
    (error,) = (item for item in found if isinstance(item, DataError))
    assert error.file == "Query/a.json"
    assert len(found) == 109


def test_half_a_file_gives_the_rows_before_the_break(folder: Path) -> None:
    file = folder / "Query" / "clean.json"
    file.write_bytes(file.read_bytes()[:-400])
    found = list(shale.items(folder))
    assert isinstance(found[-1], DataError)
    assert sum(isinstance(item, Item) for item in found) > 100


# Files, ids, images


def test_without_data_it_says_where_they_are(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"BeiiiY/SHALE.*2508\.09584.*--data") as caught:
        shale.locate(None, tmp_path)
    assert "shale-demo" in str(caught.value)
    (tmp_path / "shale.zip").write_bytes(b"PK\x03\x04")
    for wrong, message in (
        (tmp_path / "absent", "does not exist"),
        (tmp_path / "shale.zip", "unpacked"),
        (tmp_path, "no JSON file"),
    ):
        with pytest.raises(DataError, match=message):
            shale.locate(wrong, tmp_path)


def test_one_file_is_data_too(folder: Path, tmp_path: Path) -> None:
    file = shutil.copy(folder / "Query" / "clean.json", folder / "rows.json")
    located = shale.locate(Path(file), tmp_path)
    found = list(shale.items(located))
    assert len(found) == 108
    assert all(isinstance(item, Item) and Path(item.images[0].path).is_file() for item in found)


def test_files_of_nested_folders_are_one_set(tmp_path: Path) -> None:
    small_shale.write(tmp_path, "b/deep/two.json", [{**ROW, "id": 2}])
    small_shale.write(tmp_path, "a.json", [ROW])
    small_shale.write(tmp_path, ".hidden/three.json", [{**ROW, "id": 3}])
    assert [item.id for item in shale.items(tmp_path)] == ["shale/1", "shale/2"]


def test_an_id_that_files_share_is_told_apart(tmp_path: Path) -> None:
    small_shale.write(tmp_path, "clean.json", [ROW, {**ROW, "instruction": "Is it a pot?"}])
    small_shale.write(tmp_path, "style.json", [ROW, {**ROW, "instruction": "Is it art?"}])
    items = list(shale.items(tmp_path))
    assert [item.id for item in items] == ["shale/1", "shale/clean/1", "shale/style/1"]
    found = Counter(finding.kind for finding in shale.check(tmp_path))
    assert found == {"id of several rows": 2, "row repeated": 1}
    for third in ("Is it new?", "Is it old?"):
        content = json.loads((tmp_path / "clean.json").read_text("utf-8"))
        small_shale.write(tmp_path, "clean.json", [*content, {**ROW, "instruction": third}])
    ids = [item.id for item in shale.items(tmp_path)]
    assert ids == ["shale/1", "shale/clean/1", "shale/clean/1/2", "shale/clean/1/3", "shale/style/1"]


def test_ids_are_escaped(tmp_path: Path) -> None:
    assert one(tmp_path, id="a/b@c").id == "shale/a%2Fb%40c"


@pytest.mark.parametrize(
    ("written", "lies"),
    [
        ("./Image/p.jpg", "Image/p.jpg"),
        ("p.jpg", "Query/p.jpg"),
        ("p.jpg", "images/p.jpg"),
        ("p.jpg", "Image/p.jpg"),
        ("../Image/p.jpg", "Image/p.jpg"),
        ("Image\\p.jpg", "Image/p.jpg"),
        ("sub/p.jpg", "images/sub/p.jpg"),
    ],
)
def test_images_are_found_beside_their_file_and_in_the_folder(tmp_path: Path, written: str, lies: str) -> None:
    small_shale.write(tmp_path, content=[])
    (tmp_path / lies).parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(tmp_path / "Image" / "1.jpg", tmp_path / lies)
    item = one(tmp_path, images=[written])
    assert item.images[0].name == lies
    assert Path(item.images[0].path).is_file()


def test_an_image_that_is_missing_stays_in_the_count(tmp_path: Path) -> None:
    item = one(tmp_path, images=["Image/none.jpg"])
    assert not Path(item.images[0].path).exists()
    assert [finding.kind for finding in check.run(shale, tmp_path) if finding.serious] == ["image missing"]


def test_several_images_keep_their_order(tmp_path: Path) -> None:
    item = one(tmp_path, images=["Image/2.jpg", "Image/1.jpg"])
    assert [image.name for image in item.images] == ["Image/2.jpg", "Image/1.jpg"]
    assert item.cluster == "shale/Image/2.jpg"


def test_the_digest_is_what_sha256sum_prints(folder: Path) -> None:
    used = ["Query/clean.json", *(f"Image/{number}.jpg" for number in range(1, 10))]
    lines = [f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}\n" for name in used]
    digest = shale.digest(folder)
    assert digest == hashlib.sha256("".join(lines).encode()).hexdigest()
    (folder / "Image" / "unused.jpg").write_bytes(b"x")
    assert shale.digest(folder) == digest
    (folder / "Image" / "3.jpg").unlink()
    assert shale.digest(folder) != digest


def test_the_card_has_the_papers_order() -> None:
    aspects = shale.CARD.labels["aspect"]
    assert list(shale.CARD.labels)[:2] == ["aspect", "task"]
    assert (aspects[0], aspects[11], aspects[12], aspects[17]) == (
        "entity-type",
        "interaction-relation",
        "sports",
        "geography",
    )
    assert any("38.1 %" in note for note in shale.CARD.notes)
    assert shale.CARD.resistance
    titled = {f"{label}={value}" for label, values in shale.CARD.labels.items() for value in values}
    assert set(shale.CARD.label_titles) == titled | set(shale.CARD.labels)
