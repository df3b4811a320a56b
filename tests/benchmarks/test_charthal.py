"""ChartHal: the card, a small copy with every fault, and the real data where they are."""

from __future__ import annotations

import hashlib
import json
import shutil
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from snellen.benchmarks import charthal
from snellen.benchmarks._charthal_rows import RELATIONS
from snellen.errors import DataError
from snellen.item import ImageRef, Item, TextReference
from snellen.readers import number

Rows = dict[str, Any]


def row(figure: int = 7, template: int = 3, **changes: Any) -> Rows:
    return {
        "figure_id": figure,
        "figure_path": f"images/{figure}.jpg",
        "subq_idx": template,
        "q_type": "desc",
        "q_relation": "normal",
        "question": "How high is the bar?",
        "ref_answer": "3",
    } | changes


def rows() -> Rows:
    return {
        "7_3": row(),
        "7_1": row(7, 1, q_relation="inexist", question="Which year?", ref_answer="It gives no year."),
        "10_11": row(10, 11, q_type="open", question="Why?", ref_answer=""),
    }


def write(folder: Path, content: Rows | str) -> Path:
    (folder / "data").mkdir(exist_ok=True)
    (folder / "images").mkdir(exist_ok=True)
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    (folder / "data/charthal.json").write_text(text, encoding="utf-8")
    for figure in (7, 10):
        (folder / f"images/{figure}.jpg").write_bytes(b"figure %d" % figure)
    return folder


def split(folder: Path) -> tuple[list[Item], list[DataError]]:
    everything = list(charthal.items(folder))
    return (
        [item for item in everything if isinstance(item, Item)],
        [item for item in everything if isinstance(item, DataError)],
    )


# The card


def test_the_published_rows_are_counts_of_the_items() -> None:
    """Every rate is a whole number of items of its set, to 0.01; types and relations add up to the same overall."""
    sizes = {f"question_type={name}": sum(numbers) for name, numbers in charthal.CELLS.items()}
    for column, name in enumerate(RELATIONS.values()):
        sizes[f"relation={name}"] = sum(numbers[column] for numbers in charthal.CELLS.values())
    assert len(charthal.CARD.published) == 19
    for published in charthal.CARD.published:
        hits = {}
        for key, size in {**sizes, "": 1062}.items():
            hits[key] = round(published.rates[key] * size)
            assert abs(hits[key] / size - published.rates[key]) <= 0.000051, (published.model, key)
        assert sum(hits[key] for key in hits if key.startswith("question_type=")) == hits[""], published.model
        assert sum(hits[key] for key in hits if key.startswith("relation=")) == hits[""], published.model


def test_the_published_rows_keep_the_papers_order_and_values() -> None:
    names = [published.model for published in charthal.CARD.published]
    assert names[0] == "Gemini-2.5-Pro"
    assert names[-1] == "Qwen2.5-VL-72B"
    assert len(set(names)) == 19
    mini = charthal.CARD.published[names.index("GPT-5-mini")]
    assert list(mini.rates) == [
        "question_type=descriptive",
        "question_type=reasoning",
        "question_type=open-ended",
        "relation=irrelevant",
        "relation=inexistent",
        "relation=contradictory",
        "relation=normal",
        "",
    ]
    assert list(mini.rates.values()) == [0.342, 0.2453, 0.2157, 0.0818, 0.1599, 0.0905, 0.7992, 0.2702]
    noted = {published.model: published.note for published in charthal.CARD.published if published.note}
    assert noted == {
        "GPT-4o-2024-11-20": "also the judge of this table",
        "o4-mini (high)": "also the writer of the questions",
        "o4-mini": "also the writer of the questions",
    }


def test_the_card_says_what_a_report_must_say() -> None:
    card = charthal.CARD
    assert card.name == card.judge == "charthal"
    assert card.labels == {
        "question_type": ("descriptive", "reasoning", "open-ended"),
        "relation": ("irrelevant", "inexistent", "contradictory", "normal"),
    }
    assert card.answerable == {"relation": ("normal",)}
    assert card.question_writers == ("o4-mini",)
    assert "none stated" in card.licence
    assert any("31.73" in note and "27.02" in note for note in card.notes)
    for label, values in card.labels.items():
        assert {label, *(f"{label}={value}" for value in values)} <= set(card.label_titles)


def test_the_cells_add_up() -> None:
    assert sum(sum(numbers) for numbers in charthal.CELLS.values()) == 1062
    assert [sum(numbers) for numbers in charthal.CELLS.values()] == [383, 322, 357]


# Items


def test_a_row_becomes_an_item(tmp_path: Path) -> None:
    items, errors = split(write(tmp_path, rows()))
    assert errors == []
    assert [item.id for item in items] == ["charthal/7/3", "charthal/7/1", "charthal/10/11"]
    assert items[0] == Item(
        id="charthal/7/3",
        question="How high is the bar?",
        images=(ImageRef("images/7.jpg"),),
        reference=TextReference("3"),
        labels={"question_type": "descriptive", "relation": "normal"},
        groups={"figure": "7"},
        cluster="charthal/7",
        language="en",
        distractors=("11",),
    )
    assert Path(items[0].images[0].path).read_bytes() == b"figure 7"
    assert items[2].labels == {"question_type": "open-ended", "relation": "normal"}
    assert items[2].reference == TextReference("")


def test_texts_are_kept_as_they_stand(tmp_path: Path) -> None:
    text = '  "λ_L" ≈ −1.7 × 10⁻³（范围）\u2009 \n'
    items, _ = split(write(tmp_path, {"7_3": row(question=text, ref_answer=text)}))
    assert items[0].question == text
    assert items[0].reference == TextReference(text)
    assert Item.from_json(items[0].to_json()) == items[0]


def without(name: str) -> Rows:
    return {key: value for key, value in row().items() if key != name}


@pytest.mark.parametrize("name", list(row()))
def test_a_missing_field_is_named(tmp_path: Path, name: str) -> None:
    _, (error,) = split(write(tmp_path, {"7_3": without(name)}))
    assert f"the field {name} is missing" in str(error)


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        (row(q_type="describe"), "q_type is 'describe', which is none of desc, reason, open"),
        (row(q_relation=["normal"]), "q_relation is a list, not a text"),
        (row(q_relation=None), "q_relation is null, not a text"),
        (row(figure_id="7"), "figure_id is '7', not a whole number"),
        (row(figure_id=7.0), "figure_id is 7.0, not a whole number"),
        (row(subq_idx=True), "subq_idx is true, not a whole number"),
        (row(subq_idx=-3), "subq_idx is -3, not a whole number"),
        (row(subq_idx=float("nan")), "subq_idx is nan, not a whole number"),
        (row(figure_id=10**12), "figure_id is 1000000000000, not a whole number"),
        (row(figure_id=8), "the key does not fit figure_id 8 and subq_idx 3"),
        (row(question=" \n"), "the question is empty"),
        (row(question=5), "question is 5, not a text"),
        (row(question="half \ud83d of it"), "unpaired surrogate"),
        (row(ref_answer=None), "ref_answer is null, not a text"),
        (row(ref_answer={"a": 1}), "ref_answer is an object, not a text"),
        (row(figure_path="../7.jpg"), "figure_path is '../7.jpg', which is no path inside"),
        (row(figure_path="images/../../7.jpg"), "no path inside"),
        (row(figure_path="/etc/passwd"), "no path inside"),
        (row(figure_path="C:/7.jpg"), "no path inside"),
        (row(figure_path="images\\7.jpg"), "no path inside"),
        (row(figure_path="images/7\x00.jpg"), "no path inside"),
        (row(figure_path=""), "no path inside"),
        ([1, 2], "the row is a list, not an object"),
        ("row", "the row is 'row', not an object"),
        (None, "the row is null, not an object"),
    ],
)
def test_a_bad_row_is_named_and_the_rest_goes_on(tmp_path: Path, bad: Any, says: str) -> None:
    content = rows()
    content["7_3"] = bad
    content = {key: content[key] for key in ("7_1", "7_3", "10_11")}
    folder = write(tmp_path, json.dumps(content))
    items, (error,) = split(folder)
    assert says in str(error)
    assert "mend the row, or take the published file" in str(error)
    assert (error.file, error.row, error.id) == (str(folder / "data/charthal.json"), "7_3", "charthal/7/3")
    assert [item.id for item in items] == ["charthal/7/1", "charthal/10/11"]


@pytest.mark.parametrize("key", ["7-3", "", "7_3 ", "٧_3", "a\x1b[2J" * 50])
def test_a_key_of_another_form_is_a_bad_row_without_an_id(tmp_path: Path, key: str) -> None:
    _, (error,) = split(write(tmp_path, json.dumps({key: row()})))
    assert "the key does not fit figure_id 7 and subq_idx 3" in str(error)
    assert error.id == ""
    assert str(error).isprintable()


def test_keys_that_stand_twice_are_found(tmp_path: Path) -> None:
    first, second = json.dumps(row(question="first?")), json.dumps(row(question="second?"))
    twice = json.dumps(row(7, 1)).replace('"question"', '"question": "other?", "question"')
    items, errors = split(write(tmp_path, f'{{"7_3": {first}, "7_3": {second}, "7_1": {twice}}}'))
    assert [item.question for item in items] == ["first?"]
    assert "stands there twice: only the first row counts" in str(errors[0])
    assert "the row has 'question' twice" in str(errors[1])
    assert [(error.row, error.id) for error in errors] == [("7_3", ""), ("7_1", "charthal/7/1")]


def test_every_kind_of_key_is_known_again(tmp_path: Path) -> None:
    keys = ["7_3", "7_67", "8_3", "07_3", "7_03", "7_3 ", "odd", "", "999999999_999999999", "7_1000000003"]
    text = ", ".join(f"{json.dumps(key)}: {json.dumps(row(question='?'))}" for key in [*keys, *keys])
    _, errors = split(write(tmp_path, f"{{{text}}}"))
    twice = [error.row for error in errors if "stands there twice" in str(error)]
    assert twice == keys
    assert len(errors) == 2 * len(keys) - 1  # of all these rows only the first is as its key says


def test_an_item_whose_image_is_missing_is_still_an_item(tmp_path: Path) -> None:
    folder = write(tmp_path, rows())
    (folder / "images/7.jpg").unlink()
    items, errors = split(folder)
    assert len(items) == 3
    assert errors == []


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "the file is empty"),
        ("<!DOCTYPE html>", "is a web page"),
        ("version https://git-lfs.github.com/spec/v1\n", "Git LFS pointer"),
        ("\ufeff{}", "byte order mark"),
        (json.dumps(rows())[:-40], "ends in the middle"),
        ("[]", "must hold one JSON object"),
        ("{}", "must hold one JSON object"),
        ('"text"', "must hold one JSON object"),
    ],
)
def test_a_file_that_is_none_is_one_error_with_advice(tmp_path: Path, text: str, says: str) -> None:
    folder = write(tmp_path, text)
    with pytest.raises(DataError, match=rf"{says}.*ymcui/ChartHal.*--data FOLDER.*charthal\.json\)"):
        list(charthal.items(folder))
    with pytest.raises(DataError, match=says):
        charthal.digest(folder)
    with pytest.raises(DataError, match=says):
        list(charthal.check(folder))


# Locating


def test_every_way_to_point_at_a_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = write(tmp_path, rows())
    for data in (root, root / "data", root / "data/charthal.json"):
        assert charthal.locate(data, tmp_path / "cache") == root
    monkeypatch.chdir(root)
    assert charthal.locate(Path(), tmp_path / "cache") == root
    assert not (tmp_path / "cache").exists()


def test_the_hubs_layout_is_the_same_data(tmp_path: Path) -> None:
    root = write(tmp_path, rows())
    hub = tmp_path / "hub"
    hub.mkdir()
    shutil.copy(root / "data/charthal.json", hub)
    shutil.copytree(root / "images", hub / "images")
    assert charthal.locate(hub, tmp_path) == hub
    assert charthal.locate(hub / "charthal.json", tmp_path) == hub
    assert charthal.digest(hub) == charthal.digest(root)
    assert split(hub) == split(root)


@pytest.mark.parametrize(
    ("name", "says"),
    [("absent", "does not exist"), ("a.zip", "is a file, not a folder"), ("images", "there is no charthal.json")],
)
def test_what_is_no_copy_is_refused_with_the_layout(tmp_path: Path, name: str, says: str) -> None:
    root = write(tmp_path, rows())
    (root / "a.zip").write_bytes(b"PK\x03\x04")
    with pytest.raises(DataError, match=rf"{says}.*FOLDER holds data/charthal\.json and images/"):
        charthal.locate(root / name, tmp_path / "cache")


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def mirror(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A mirror of a small ChartHal, with its files pinned instead of the real ones."""
    folder = tmp_path / "mirror"
    folder.mkdir()
    write(folder, rows())
    names = ("data/charthal.json", "images/7.jpg", "images/10.jpg")
    pinned = {
        name: [(folder / name).stat().st_size, hashlib.sha256((folder / name).read_bytes()).hexdigest()]
        for name in names
    }
    shipped = charthal._shipped
    monkeypatch.setattr(
        charthal, "_shipped", lambda name: json.dumps(pinned) if name == "files.json" else shipped(name)
    )
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as http:
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        monkeypatch.setenv(charthal.URL_VARIABLE, f"http://127.0.0.1:{http.server_address[1]}")
        yield folder
        http.shutdown()
        thread.join()


def test_without_a_copy_the_pinned_files_are_downloaded(mirror: Path, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    folder = charthal.locate(None, tmp_path / "cache", lambda done, whole: told.append((done, whole)))
    assert folder == tmp_path / "cache" / "charthal" / charthal.COMMIT
    assert told[-1] == (3, 3)
    assert charthal.digest(folder) == charthal.digest(mirror)
    (mirror / "images/7.jpg").unlink()
    assert charthal.locate(None, tmp_path / "cache") == folder


def test_a_download_that_fails_says_what_to_do(mirror: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (mirror / "images/7.jpg").write_bytes(b"figure 8")
    with pytest.raises(DataError, match=r"not the pinned one: expected 8 bytes.*--data FOLDER.*SNELLEN_CHARTHAL_URL"):
        charthal.locate(None, tmp_path / "cache")


def test_the_default_address_names_the_pinned_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.delenv(charthal.URL_VARIABLE, raising=False)
    monkeypatch.setattr(charthal, "fetch", lambda files, url, folder, **_: asked.append(f"{url} {len(files)}"))
    charthal.locate(None, tmp_path)
    assert asked == [
        "https://raw.githubusercontent.com/ymcui/ChartHal/b32eb4d0954187b25ff680716e3751e7abf0a8ae 107",
    ]


# Digest


def change_row(folder: Path) -> None:
    write(folder, rows() | {"7_3": row(ref_answer="4")})


def change_image(folder: Path) -> None:
    (folder / "images/10.jpg").write_bytes(b"figure 11")


def drop_image(folder: Path) -> None:
    (folder / "images/10.jpg").unlink()


def swap_images(folder: Path) -> None:
    one, other = (folder / "images/7.jpg").read_bytes(), (folder / "images/10.jpg").read_bytes()
    (folder / "images/7.jpg").write_bytes(other)
    (folder / "images/10.jpg").write_bytes(one)


@pytest.mark.parametrize("change", [change_row, change_image, drop_image, swap_images])
def test_the_digest_changes_with_every_row_and_image(tmp_path: Path, change: Callable[[Path], None]) -> None:
    folder = write(tmp_path, rows())
    before = charthal.digest(folder)
    (folder / "images/unused.jpg").write_bytes(b"nobody asks")
    assert charthal.digest(folder) == before
    change(folder)
    assert charthal.digest(folder) != before


def test_the_pinned_digest_is_that_of_the_pinned_files() -> None:
    lines = (f"{pinned.sha256}  {name}\n" for name, pinned in charthal.pinned_files().items())
    assert hashlib.sha256("".join(lines).encode()).hexdigest() == charthal.PINNED_DIGEST


# Check


def findings(folder: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for finding in charthal.check(folder):
        found.setdefault(finding.kind, []).append(finding.where)
    return found


def test_oddities_are_found(tmp_path: Path) -> None:
    content = {
        "7_3": row(ref_answer=" "),
        "7_1": row(7, 1, q_relation="irrel"),
        "7_12": row(7, 12, figure_path="images/10.jpg"),
        "10_11": row(10, 11, q_type="open", ref_answer=""),
    }
    folder = write(tmp_path, content)
    (folder / "images/99.jpg").write_bytes(b"unused")
    found = findings(folder)
    assert len(found.pop("cell not as in the paper")) == 12
    assert found == {
        "differs from the published file": ["data/charthal.json"],
        "reference missing": ["charthal/7/3"],
        "relabelled": ["charthal/7/1"],
        "unknown template": ["charthal/7/12"],
        "empty reference": ["charthal/10/11"],
        "figure of several images": ["charthal/7"],
        "unused image": ["images/99.jpg"],
    }
    assert [finding.where for finding in charthal.check(folder) if finding.serious] == ["charthal/7/3"]


# The real data


def test_real_data_have_every_item_and_cell(charthal_data: Path) -> None:
    items, errors = split(charthal_data)
    assert errors == []
    assert len(items) == len({item.id for item in items}) == 1062
    assert len({item.cluster for item in items}) == len({item.images for item in items}) == 106
    cells = Counter((item.labels["question_type"], item.labels["relation"]) for item in items)
    for question_type, numbers in charthal.CELLS.items():
        assert tuple(cells[question_type, relation] for relation in RELATIONS.values()) == numbers
    assert items[0].id == "charthal/2/0"
    assert all(Path(item.images[0].path).is_file() for item in items)


def test_real_data_are_the_pinned_ones(charthal_data: Path) -> None:
    assert charthal.locate(charthal_data, Path("unused")) == charthal_data.resolve()
    assert charthal.digest(charthal_data) == charthal.PINNED_DIGEST
    assert set(charthal.pinned_files()) == {
        "data/charthal.json",
        *(image.name for item in split(charthal_data)[0] for image in item.images),
    }


def test_real_data_have_only_the_known_oddities(charthal_data: Path) -> None:
    found = findings(charthal_data)
    by_id = {item.id: item for item in split(charthal_data)[0]}
    open_normal = [name for name, item in by_id.items() if tuple(item.labels.values()) == ("open-ended", "normal")]
    assert len(open_normal) == 75
    assert found.pop("empty reference") == open_normal
    assert len(found.pop("relabelled")) == 71  # as many as the paper says were relabelled by hand
    assert found == {}


def test_a_distractor_is_a_number_that_no_reference_accepts(charthal_data: Path) -> None:
    offered = 0
    for item in charthal.items(charthal_data):
        assert isinstance(item, Item)
        assert isinstance(item.reference, TextReference)
        for distractor in item.distractors:
            offered += 1
            assert number.accepts(item.reference.text, f"It is {distractor}.") is not True
    assert offered > 200
