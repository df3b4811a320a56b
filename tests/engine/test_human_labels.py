"""Labels by people from files: what is read, what is told of, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from snellen.engine.human_labels import WORDS, Label, read, value_of
from snellen.errors import DataError


def written(tmp_path: Path, text: str | bytes, name: str = "labels.csv") -> Path:
    path = tmp_path / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def brief(labels: tuple[Label, ...]) -> list[tuple[str, int | None, str]]:
    return [(label.item, label.value, label.rater) for label in labels]


def test_csv_with_raters_chinese_and_a_mark(tmp_path: Path) -> None:
    text = '\ufeffID, Label ,note,rater\r\nc/1,正确,,李\r\nc/1,wrong,"two\nlines, and more",ann\r\n\r\nc/2,,,ann\r\n'
    found = read([written(tmp_path, text)])
    assert brief(found.labels) == [("c/1", 1, "李"), ("c/1", 0, "ann"), ("c/2", None, "ann")]
    assert found.raters == ("ann", "李")
    assert not found.problems
    assert found.labels[2].row == "6"  # as an editor counts the file's lines


@pytest.mark.parametrize("separator", [";", "\t"])
def test_other_separators(tmp_path: Path, separator: str) -> None:
    rows = (("id", "label"), ("a,1", "1"), ("b", "0"))
    found = read([written(tmp_path, "\n".join(separator.join(row) for row in rows))])
    assert brief(found.labels) == [("a,1", 1, "labels"), ("b", 0, "labels")]


def test_json_lines_with_numbers_booleans_and_null(tmp_path: Path) -> None:
    rows = [{"id": "a", "label": 1, "x": []}, {"id": "b", "label": False}, {"id": "c", "label": None, "run": "r@rules"}]
    found = read([written(tmp_path, "\n".join(map(json.dumps, rows)), "ann.jsonl")])
    assert brief(found.labels) == [("a", 1, "ann"), ("b", 0, "ann"), ("c", None, "ann")]
    assert [label.run for label in found.labels] == ["", "", "r"]


def test_a_line_that_names_the_separator_stands_above_the_header(tmp_path: Path) -> None:
    for line, separator in (("sep=;", ";"), ('"sep=,"', ","), ("SEP=\t", "\t"), ("sep=|", "|")):
        rows = (("id", "label"), ("a", "1"), ("b", "maybe"))
        text = "\r\n".join([line, *(separator.join(row) for row in rows)])
        found = read([written(tmp_path, text)])
        assert brief(found.labels) == [("a", 1, "labels")]
        assert "row 4" in str(found.problems[0])


@pytest.mark.parametrize("name", ["labels", "labels.json", "labels.jsonl"])
def test_json_lines_are_known_by_what_they_begin_with(tmp_path: Path, name: str) -> None:
    assert len(read([written(tmp_path, '{"id": "a", "label": 1}\n{"id": "b", "label": 0}\n', name)]).labels) == 2
    with pytest.raises(DataError, match="the line is a list and must be an object"):
        read([written(tmp_path, '[{"id": "a", "label": 1}]', name)])


def test_files_of_one_name_in_several_folders_are_several_people(tmp_path: Path) -> None:
    files = []
    for name in ("ann", "bob"):
        (tmp_path / name).mkdir()
        files.append(written(tmp_path / name, "id,label\na,1\n"))
    found = read(files)
    assert brief(found.labels) == [("a", 1, "ann/labels"), ("a", 1, "bob/labels")]
    assert not found.problems
    with pytest.raises(DataError, match="this person has labelled the item already"):
        read([files[0], files[0]])  # one file twice is one person


def test_every_word_means_one_thing() -> None:
    words = [word for group in WORDS.values() for word in group]
    assert len(words) == len(set(words))
    for value, group in WORDS.items():
        assert all(value_of(f" {word.upper()} ") == value for word in group)
    assert value_of("Not_Hallucinated.") == 1
    assert value_of("can\N{RIGHT SINGLE QUOTATION MARK}t tell") is None
    assert value_of("\N{FULLWIDTH DIGIT ONE}") == 1
    for odd in ("2", "maybe", "right wrong", "-1", "10"):
        with pytest.raises(ValueError, match=odd):
            value_of(odd)


def test_rows_that_cannot_be_used_are_told_of_and_the_rest_goes_on(tmp_path: Path) -> None:
    text = "id,label,rater\na,1,ann\na,0,ann\na,1,bob\n,1,ann\nb,maybe,ann\nc,1,ann,extra\nd\ne,0,ann\na,1,ann\n"
    found = read([written(tmp_path, text)])
    assert brief(found.labels) == [("a", 1, "ann"), ("a", 1, "bob"), ("e", 0, "ann")]
    said = [(problem.row, problem.id, problem.what) for problem in found.problems]
    assert [row for row, _, _ in said] == ["3", "5", "6", "7", "8", "10"]
    assert "another label (row 2)" in said[0][2]
    assert "no id" in said[1][2]
    assert "'maybe'" in said[2][2]
    assert "4 cells under 3 columns" in said[3][2]
    assert said[4][1:] == ("d", "the row has no label")
    assert "the same label" in said[5][2]
    assert all(problem.file.endswith("labels.csv") for problem in found.problems)


def test_json_lines_that_cannot_be_used(tmp_path: Path) -> None:
    lines = ['{"id": "a", "label": 1}', "[1]", '{"id": "b", "label": [1]}', "{", '{"id": 3, "label": "no"}']
    lines += [
        '{"id": "d", "label": 1, "label": 0}',
        '{"id": true, "label": 1}',
        '{"label": 1}',
        '{"id": "e", "label": 7}',
    ]
    found = read([written(tmp_path, "\n".join(lines), "l.jsonl")])
    assert brief(found.labels) == [("a", 1, "l"), ("3", 0, "l")]
    assert [problem.row for problem in found.problems] == [f"line {n}" for n in (2, 3, 4, 6, 7, 8, 9)]


def test_a_broken_quote_does_not_take_the_rest_along_unsaid(tmp_path: Path) -> None:
    found = read([written(tmp_path, 'id,label\na,1\nb,"0\nc,1\n')])
    assert brief(found.labels) == [("a", 1, "labels")]
    (problem,) = found.problems
    assert (problem.row, problem.what) == ("3", "the row cannot be read: unexpected end of data")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "no column named id and none named label"),
        ("item,label\na,1\n", "no column named id"),
        ("id,label,id\na,1,b\n", "names a column twice"),
        ("id,label\n", "no label in it can be used"),
        ("id,label\na,perhaps\n", "first: the label 'perhaps' is none"),
        ("id,label\n标,1\n".encode("gb18030"), "not UTF-8"),
        (b"PK\x03\x04\x00\x00", "no text"),
    ],
)
def test_files_that_are_refused(tmp_path: Path, content: str | bytes, said: str) -> None:
    with pytest.raises(DataError, match=said) as caught:
        read([written(tmp_path, content)])
    assert caught.value.file.endswith("labels.csv")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such file"):
        read([tmp_path / "labels.csv"])
    with pytest.raises(DataError, match="cannot be read"):
        read([tmp_path])


def test_several_files_are_several_people(tmp_path: Path) -> None:
    files = [written(tmp_path, "id,label\na,1\n", f"{name}.csv") for name in ("ann", "bob")]
    assert brief(read(files).labels) == [("a", 1, "ann"), ("a", 1, "bob")]
