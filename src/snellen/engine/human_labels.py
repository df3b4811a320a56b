"""Labels by people, from files: what a person says of the answer to an item, to be laid beside a judge's verdict.

CSV with a header (``id,label``, and ``rater`` and ``run`` where there are several), or JSON Lines of objects with the
same keys; other columns do not matter. A label is 1 for right, free of hallucination, 0 for not, or empty where the
person cannot tell; `WORDS` says it in words too. Without a rater the file's own name stands for the person, with that
of its folder where several files are called the same.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snellen import json_file
from snellen.errors import DataError
from snellen.json_file import Pairs, shown

WORDS: Mapping[int | None, tuple[str, ...]] = {
    1: (
        *("1", "right", "pass", "passed", "yes", "y", "true", "correct", "ok", "good", "supported", "faithful"),
        *("no hallucination", "without hallucination", "not hallucinated"),
        *("t", "√", "✓", "✔", "对", "是", "正确", "通过", "合格", "无幻觉", "没有幻觉"),
    ),
    0: (
        *("0", "wrong", "fail", "failed", "no", "n", "false", "incorrect", "bad", "unsupported", "unfaithful"),
        *("hallucination", "with hallucination", "hallucinated"),
        *(
            "f",
            "×",
            "✗",
            "✘",
            "错",
            "否",
            "错误",
            "不对",
            "不是",
            "不正确",
            "不通过",
            "未通过",
            "不合格",
            "幻觉",
            "有幻觉",
        ),
    ),
    None: (
        *("", "unclear", "cannot tell", "can't tell", "unsure", "not sure", "unknown", "undecided", "skip", "skipped"),
        *("none", "null", "na", "n/a", "nan", "?", "-"),
        *("不清楚", "不确定", "无法判断", "看不出", "说不清", "跳过"),
    ),
}
"""Label -> how it may be written; case, spaces at the ends, hyphens and underscores do not matter."""

_MEANING = {word: value for value, words in WORDS.items() for word in words}
_LONGEST = 1 << 20  # of a CSV field: an answer that was left beside its label
_SEPARATORS = ",;\t"
_SEPARATOR_LINE = re.compile(r"(?i)\W?sep=([,;|\t])\W?")


@dataclass(frozen=True, slots=True)
class Label:
    """What one person says of one answer.

    Attributes:
        item: id of the item.
        value: 1 right, 0 wrong, None cannot tell.
        rater: who says it.
        run: of which run the answer is; empty where the file does not say.
        file, row: where it stands.
    """

    item: str
    value: int | None
    rater: str = ""
    run: str = ""
    file: str = ""
    row: str = ""

    def problem(self, what: str) -> DataError:
        """Something that is wrong with it, at its place."""
        return DataError(what, file=self.file, row=self.row, id=self.item)


@dataclass(frozen=True, slots=True)
class HumanLabels:
    """Labels in the order of their files, with the rows that cannot be used."""

    labels: tuple[Label, ...]
    problems: tuple[DataError, ...] = ()

    @property
    def raters(self) -> tuple[str, ...]:
        """Who said anything, sorted."""
        return tuple(sorted({label.rater for label in self.labels}))


def read(files: Sequence[Path]) -> HumanLabels:
    """The labels of one or several files.

    A row that cannot be used is told of and left out: no id, a label that is none, or a person's second label for one
    item (the first is kept).

    Raises:
        DataError: a file is absent, is no text, has no columns ``id`` and ``label``, or no label that can be used.
    """
    labels: dict[tuple[str, str, str], Label] = {}
    problems: list[DataError] = []
    for file in files:
        before = len(labels)
        for found in _read(file, _person(file, files)):
            if isinstance(found, DataError):
                problems.append(found)
                continue
            known = labels.setdefault((found.run, found.item, found.rater), found)
            if known is not found:
                problems.append(found.problem(_twice(known, found)))
        if len(labels) == before:
            first = f"; first: {problems[-1]}" if problems else ""
            raise DataError(f"no label in it can be used: rows need an id and a label{first}", file=str(file))
    return HumanLabels(tuple(labels.values()), tuple(problems))


def value_of(text: str) -> int | None:
    """A label as written: 1, 0 or None for cannot tell.

    Raises:
        ValueError: it is none of `WORDS`.

    >>> value_of(" Right "), value_of("错误"), value_of("can't tell"), value_of("1.0")
    (1, 0, None, 1)
    """
    plain = unicodedata.normalize("NFKC", text).replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    word = " ".join(plain.casefold().replace("_", " ").split()).rstrip(".!。")
    word = {"1.0": "1", "0.0": "0"}.get(word, word)
    for form in (word, word.replace("-", " ")):
        if form in _MEANING:
            return _MEANING[form]
    raise ValueError(text)


def _twice(known: Label, found: Label) -> str:
    same = "the same label" if known.value == found.value else "another label"
    advice = "name who labelled in a column rater, if these are two people's"
    return f"this person has labelled the item already, with {same} (row {known.row}); the first is kept: {advice}"


def _person(file: Path, files: Sequence[Path]) -> str:
    """Who labelled, where the file does not say: its name, told apart from others of that name."""
    same = any(other.stem == file.stem and other != file for other in files)
    return f"{file.resolve().parent.name}/{file.stem}" if same else file.stem


def _holds_objects(file: Path) -> bool:
    """Whether a file is JSON Lines: by its ending, or by what it begins with where that tells nothing."""
    ending = file.suffix.lower()
    if ending in (".jsonl", ".ndjson"):
        return True
    if ending in (".csv", ".tsv", ".txt") or not file.is_file():  # a pipe can be read once only
        return False
    try:
        with file.open("rb") as stream:
            return stream.read(200).lstrip()[:1] in (b"{", b"[")
    except OSError:
        return False  # told of by whoever reads it


def _read(file: Path, person: str) -> Iterator[Label | DataError]:
    rows = _json_rows(file) if _holds_objects(file) else _csv_rows(file)
    for row, values in rows:
        if isinstance(values, DataError):
            yield DataError(values.what, file=str(file), row=row)
            continue
        try:
            yield _label(file, row, values, person)
        except DataError as error:
            yield error


def _label(file: Path, row: str, values: Mapping[str, Any], person: str) -> Label:
    def refuse(what: str) -> DataError:
        return DataError(what, file=str(file), row=row, id=item if isinstance(item, str) else "")

    texts = {}
    item = values.get("id")
    for name in ("id", "rater", "run"):
        text = values.get(name)
        if isinstance(text, bool) or not isinstance(text, str | int | None):
            raise refuse(f"{name} is {shown(text)} and must be a text")
        texts[name] = "" if text is None else str(text).strip()
    if not texts["id"]:
        raise refuse("the row has no id: it must be that of an item, as `snellen export RUN` gives it")
    if "label" not in values:
        raise refuse("the row has no label")
    label = values["label"]
    if isinstance(label, bool | int | float | None):
        label = "" if label is None else str(label)
    try:
        value = value_of(label) if isinstance(label, str) else _refused(label)
    except ValueError:
        what = "write 1 or right, 0 or wrong, or nothing where it cannot be told"
        raise refuse(f"the label {shown(label)} is none: {what}") from None
    return Label(texts["id"], value, texts["rater"] or person, texts["run"].partition("@")[0], str(file), row)


def _refused(value: object) -> int:
    raise ValueError(repr(value))


def _json_rows(file: Path) -> Iterator[tuple[str, dict[str, Any] | DataError]]:
    for number, value in json_file.lines(file, 'Labels are lines like {"id": "charthal/2/0", "label": 1}.'):
        row = f"line {number}"
        if isinstance(value, DataError):
            yield row, value
        elif not isinstance(value, Pairs):
            yield row, DataError(f"the line is {shown(value)} and must be an object with id and label")
        elif len({name for name, _ in value}) < len(value):
            yield row, DataError("a key stands twice in the object")
        else:
            yield row, dict(value)


def _csv_rows(file: Path) -> Iterator[tuple[str, dict[str, Any] | DataError]]:
    lines = io.StringIO(_text(file), newline="")
    first = lines.readline()
    named = _SEPARATOR_LINE.fullmatch(first.strip(" \r\n"))  # by which Excel names it, above the header
    if named:
        separator, above = named[1], 1
    else:
        lines.seek(0)
        separator, above = max(_SEPARATORS, key=lambda each: (first.count(each), -_SEPARATORS.index(each))), 0
    csv.field_size_limit(_LONGEST)
    reader = csv.reader(lines, delimiter=separator, strict=True)
    try:
        names = [name.strip().casefold() for name in next(reader, [])]
    except csv.Error as error:
        raise DataError(f"the file's first line is no header of a CSV file: {error}", file=str(file)) from error
    missing = [name for name in ("id", "label") if name not in names]
    if missing or len(set(_known(names))) < len(list(_known(names))):
        what = f"has no column named {' and none named '.join(missing)}" if missing else "names a column twice"
        raise DataError(f"the first line {what}: it must be like id,label or id,label,rater", file=str(file), row="1")
    while True:
        row = str(reader.line_num + 1 + above)
        try:
            cells = next(reader, None)
        except csv.Error as error:
            yield row, DataError(f"the row cannot be read: {error}")
            continue
        if cells is None:
            return
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) > len(names):
            yield (
                row,
                DataError(f"the row has {len(cells)} cells under {len(names)} columns: quote what holds {separator!r}"),
            )
            continue
        yield row, dict(zip(names, cells, strict=False))


def _known(names: Iterable[str]) -> Iterator[str]:
    return (name for name in names if name in ("id", "label", "rater", "run"))


def _text(file: Path) -> str:
    try:
        data = file.read_bytes()
    except FileNotFoundError:
        raise DataError("there is no such file", file=str(file)) from None
    except OSError as error:
        raise DataError(f"the file cannot be read: {error.strerror or error}", file=str(file)) from error
    try:
        text = data.decode("utf-8-sig")  # Excel writes the mark
    except UnicodeDecodeError as error:
        what = f"the file is not UTF-8 (byte {error.start}): save it as CSV UTF-8"
        raise DataError(what, file=str(file)) from error
    if "\0" in text:
        raise DataError(
            "the file is no text: save it as CSV UTF-8 (a spreadsheet's own format will not do)", file=str(file)
        )
    return text
