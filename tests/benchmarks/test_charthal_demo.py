"""The demonstration set: every shipped truth is worked out again from the drawn data, by other code than wrote it."""

from __future__ import annotations

import hashlib
import re
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import orjson
import pytest
from PIL import Image

from snellen.benchmarks import charthal_demo as demo
from snellen.errors import DataError
from snellen.item import Item
from snellen.readers import number

FOLDER = demo.locate(None, Path("unused"))
CONTENT = orjson.loads((FOLDER / "items.json").read_bytes())
ROWS: list[dict[str, Any]] = CONTENT["items"]
CHARTS: dict[str, dict[str, Any]] = CONTENT["charts"]
NAMES = [f"{row['figure']}/{row['n']}" for row in ROWS]
RANGE = re.compile(r"\(Answers in the range \[(-?[\d.]+)%?, (-?[\d.]+)%?\] are ACCEPTABLE\)")


def worked_out(expression: Any, chart: dict[str, Any]) -> Any:
    """The value of a shipped expression, by plain look-up in the drawn table."""
    if not isinstance(expression, list):
        return expression
    name, *rest = expression
    columns, table = chart["categories"], chart["series"]
    if name in "+-*/><=":
        first, second = (worked_out(part, chart) for part in rest)
        if name == "+":
            return first + second
        if name == "-":
            return first - second
        if name == "/":
            return first / second
        return {">": first > second, "<": first < second, "=": first == second}[name]
    if name == "total":
        return sum(dict(zip(columns, values, strict=True))[rest[0]] for values in table.values())
    row = dict(zip(columns, table[rest[0]], strict=True))
    ranked = sorted(row, key=lambda column: row[column])
    if name == "at":
        return row[rest[1]]
    if name == "above":
        return len([column for column in ranked if row[column] > rest[1]])
    found = {
        "max": row[ranked[-1]],
        "min": row[ranked[0]],
        "sum": sum(row.values()),
        "argmax": ranked[-1],
        "argmin": ranked[0],
    }
    return found[name]


@pytest.fixture(scope="module")
def items() -> list[Item]:
    found = list(demo.items(FOLDER))
    assert all(isinstance(item, Item) for item in found)
    return [item for item in found if isinstance(item, Item)]


def test_every_cell_is_filled_in_both_languages(items: list[Item]) -> None:
    cells = Counter((item.labels["question_type"], item.labels["relation"]) for item in items)
    assert len(cells) == 12
    assert min(cells.values()) >= 6
    assert 95 <= len(items) <= 110
    both = Counter((item.labels["question_type"], item.labels["relation"], item.language) for item in items)
    assert len(both) == 24
    assert 0.5 < sum(item.language == "en" for item in items) / len(items) < 0.7


def test_items_are_as_the_card_says(items: list[Item]) -> None:
    assert len({item.id for item in items}) == len(items)
    for item in items:
        assert tuple(item.labels) == tuple(demo.CARD.labels)
        assert all(value in demo.CARD.labels[name] for name, value in item.labels.items())
        assert item.id.startswith(f"{item.cluster}/")
        assert item.cluster == f"charthal-demo/{item.groups['figure']}"
        assert item.labels["language"] == item.language
        assert bool(re.search(r"[\u4e00-\u9fff]", item.question)) == (item.language == "zh")
        assert len(item.images) == 1
        assert not item.images[0].sha256
        assert Path(item.images[0].path).is_file()
    assert {item.labels["chart_type"] for item in items} == set(demo.CARD.labels["chart_type"])
    titled = {f"{name}={value}" for name, values in demo.CARD.labels.items() for value in values}
    assert titled | set(demo.CARD.labels) == set(demo.CARD.label_titles)


def test_what_asks_for_a_number_has_a_wrong_one(items: list[Item]) -> None:
    wrong = [(item.reference.text, item.distractors[0]) for item in items if item.reference and item.distractors]
    assert len(wrong) == 29
    assert not any(number.accepts(reference, text) for reference, text in wrong)
    assert {item.labels["relation"] for item in items if item.distractors} == {"normal", "contradictory"}


def test_one_chart_speaks_one_language(items: list[Item]) -> None:
    languages: dict[str, set[str]] = {}
    for item in items:
        languages.setdefault(item.cluster, set()).add(item.language)
    assert len(languages) == len(CHARTS) == 30
    assert all(len(spoken) == 1 for spoken in languages.values())
    for row in ROWS:
        title = CHARTS[row["figure"]]["texts"][0]
        assert bool(re.search(r"[\u4e00-\u9fff]", title)) == (row["language"] == "zh")


@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_a_reference_follows_from_the_drawn_data(row: dict[str, Any]) -> None:
    chart, truth, reference = CHARTS[row["figure"]], row["truth"], row["reference"]
    ranges = [(float(low), float(high)) for low, high in RANGE.findall(reference)]
    values = truth.get("values", [])
    assert reference.count("ACCEPTABLE") == len(ranges) == sum(value["tolerance"] > 0 for value in values)
    remaining = iter(ranges)
    for value in values:
        true = worked_out(value["is"], chart)
        if isinstance(true, str):
            assert true == value["value"]
            assert true in reference
            continue
        assert true == pytest.approx(value["value"])
        assert f"{true:g}" in reference
        if value["tolerance"]:
            low, high = next(remaining)
            assert low < true < high
            assert high - low == pytest.approx(2 * value["tolerance"])
            assert high - low < 0.3 * abs(true) + 2, "a range so wide that a guess falls into it"


@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_a_question_stands_in_its_relation_to_the_chart(row: dict[str, Any]) -> None:
    chart, truth, relation = CHARTS[row["figure"]], row["truth"], row["relation"]
    premise = worked_out(truth["premise"]["is"], chart) if "premise" in truth else None
    if premise is not None:
        assert premise is truth["premise"]["value"]
    if relation in ("irrelevant", "inexistent"):
        assert truth["absent"]
        shown = " ".join((*chart["texts"], *chart["categories"], *chart["series"])).lower()
        for word in truth["absent"]:
            assert word.lower() in row["question"].lower()
            assert word.lower() not in shown
        assert premise is None
        assert not RANGE.search(row["reference"])
    elif relation == "contradictory":
        assert premise is False
        assert "The premise is incorrect" in row["reference"] or "前提不正确" in row["reference"]
        assert bool(truth.get("values")) == (row["question_type"] != "open-ended")
    else:
        assert premise is not False
        assert bool(row["reference"]) == (row["question_type"] != "open-ended")
        assert bool(truth.get("values")) != bool(premise)


def test_the_images_are_those_that_were_drawn() -> None:
    total = 0
    for chart in CHARTS.values():
        data = (FOLDER / chart["image"]).read_bytes()
        assert hashlib.sha256(data).hexdigest() == chart["sha256"]
        with Image.open(FOLDER / chart["image"]) as image:
            assert image.mode == "RGB"
            assert image.width <= 900
            assert image.height <= 650
            assert image.format == {"png": "PNG", "jpg": "JPEG"}[chart["image"].rsplit(".", 1)[1]]
        total += len(data)
    assert total < 1_500_000
    assert {chart["image"].rsplit(".", 1)[1] for chart in CHARTS.values()} == {"png", "jpg"}
    assert {file.name for file in (FOLDER / "images").iterdir()} == {
        chart["image"].split("/")[1] for chart in CHARTS.values()
    }
    assert list(demo.check(FOLDER)) == []


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copytree(FOLDER, tmp_path / "demo"))


def rewrite(folder: Path, content: Any) -> None:
    (folder / "items.json").write_bytes(content if isinstance(content, bytes) else orjson.dumps(content))


def test_a_folder_of_ones_own_is_used(copy: Path, tmp_path: Path) -> None:
    assert demo.locate(copy, tmp_path) == copy
    assert demo.digest(copy) == demo.digest(FOLDER)
    with pytest.raises(DataError, match=r"items\.json.*leave --data out"):
        demo.locate(tmp_path, tmp_path)


def test_the_digest_sees_every_row_and_image(copy: Path) -> None:
    digests = {demo.digest(copy)}
    image = copy / "images" / "tea-sales.png"
    image.write_bytes(image.read_bytes() + b"\0")
    digests.add(demo.digest(copy))
    image.rename(image.with_name("other.png"))
    digests.add(demo.digest(copy))
    content = orjson.loads((copy / "items.json").read_bytes())
    content["items"][5]["reference"] += " "
    rewrite(copy, content)
    digests.add(demo.digest(copy))
    assert len(digests) == 4


BAD_ROWS: list[tuple[Any, str]] = [
    (17, "not an object"),
    ({}, "'figure' is not a text"),
    ({"question": None}, "'question' is not a text"),
    ({"question": "  "}, "'question' is empty"),
    ({"figure": ""}, "'figure' is empty"),
    ({"n": "0"}, "'n' is not a number"),
    ({"n": True}, "'n' is not a number"),
    ({"n": -1}, "'n' is not a number"),
    ({"relation": "opposite"}, "'relation' is 'opposite', not one of irrelevant"),
    ({"language": "fr"}, "'language' is 'fr'"),
    ({"image": "../secret.png"}, "'image' is not a path inside"),
    ({"image": "/etc/passwd"}, "'image' is not a path inside"),
    ({"image": ""}, "'image' is not a path inside"),
    ({"n": 1}, "occurred before"),
]


@pytest.mark.parametrize(("bad", "message"), BAD_ROWS)
def test_a_bad_row_is_an_error_of_its_own(copy: Path, bad: Any, message: str) -> None:
    content = orjson.loads((copy / "items.json").read_bytes())
    place = 2  # the third question on the first chart
    content["items"][place] = {**content["items"][place], **bad} if bad and isinstance(bad, dict) else bad
    rewrite(copy, content)
    found = list(demo.items(copy))
    errors = [item for item in found if isinstance(item, DataError)]
    assert len(found) == len(ROWS)
    assert len(errors) == 1
    assert message in errors[0].what
    assert errors[0].row == "items[2]"
    (finding,) = demo.check(copy)
    assert finding.serious
    assert "items[2]" in finding.where


@pytest.mark.parametrize("content", [b"", b"<html>", b"\xff\xfe", [], {"items": []}, {"items": {}, "charts": {}}])
def test_a_file_of_another_shape_is_refused(copy: Path, content: Any) -> None:
    rewrite(copy, content)
    with pytest.raises(DataError, match=r"items\.json"):
        list(demo.items(copy))


def test_check_names_missing_and_changed_images(copy: Path) -> None:
    (copy / "images" / "tea-sales.png").unlink()
    (copy / "images" / "car-fuel.jpg").write_bytes(b"other")
    content = orjson.loads((copy / "items.json").read_bytes())
    content["charts"]["exam-scores"]["image"] = "../exam.png"
    content["charts"]["air-quality"] = None
    content["charts"]["rainfall"] = {"image": "x" * 300, "sha256": "0"}
    rewrite(copy, content)
    found = {(finding.kind, finding.where, finding.serious) for finding in demo.check(copy)}
    assert found == {
        ("image missing", "images/tea-sales.png", True),
        ("image missing", "x" * 200, True),
        ("image changed", "images/car-fuel.jpg", False),
        ("bad chart", "items.json charts.exam-scores", True),
        ("bad chart", "items.json charts.air-quality", True),
    }
