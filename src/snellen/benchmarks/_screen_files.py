"""Folders of rows about screens: their JSON and JSON Lines files, row by row, and the screens that these name."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from snellen.benchmarks._image_places import ImagePlaces, files_of
from snellen.benchmarks._screen_fields import fields_of, path
from snellen.download import sha256_of
from snellen.errors import DataError, ImageError
from snellen.image_headers import identify
from snellen.image_store import MOST_BYTES
from snellen.item import ImageRef
from snellen.json_file import elements, lines

LAYOUT_FILE = "layout.json"
"""A file of this name declares how boxes are written; it holds no rows."""

SUFFIXES = (".json", ".jsonl")

_HOLDS = "one JSON list of rows (or, with one row a line, end in .jsonl)"
MISSING = "missing"
"""In place of the digest of a file that cannot be read."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row that is an object; its fields are not looked at yet.

    Attributes:
        file: it stands in.
        name: of the file, relative to the data.
        where: in the file, as messages say it.
        number: of the row in the file, from 0.
        fields: by name.
    """

    file: Path
    name: str
    where: str
    number: int
    fields: dict[str, Any]

    @property
    def place(self) -> str:
        """File and row."""
        return f"{self.name} {self.where}"

    def error(self, what: str, id_: str = "") -> DataError:
        """What is wrong with it, with where it stands."""
        return DataError(what, file=self.name, row=self.where, id=id_)


@dataclass(frozen=True, slots=True)
class Repeated:
    """A row that says the same as an earlier one: it is not asked again."""

    name: str


def located(data: Path | None, missing: str, layout: str) -> Path:
    """The user's copy: a folder, or one file of rows.

    Args:
        data: as given.
        missing: why nothing is fetched.
        layout: how to point at a copy.

    Raises:
        DataError: no copy is given, or it holds no file of rows.
    """
    if data is None:
        raise DataError(f"{missing} {layout}")
    if not data.exists():
        raise DataError(f"the data folder does not exist. {layout}", file=str(data))
    if data.is_file() and not data.name.endswith(SUFFIXES):
        raise DataError(f"is no JSON file; an archive has to be unpacked first. {layout}", file=str(data))
    data = data.resolve()
    if not row_files(data):
        raise DataError(f"there is no JSON file of rows in this folder. {layout}", file=str(data))
    return data


def root_of(data: Path) -> Path:
    """The folder of the data: where one file is given, the folder it lies in."""
    return data if data.is_dir() else data.parent


def row_files(data: Path) -> list[Path]:
    """The files of rows, by name."""
    return [file for file in files_of(data, SUFFIXES) if file.name != LAYOUT_FILE]


def rows(data: Path, advice: str) -> Iterator[Row | DataError]:
    """Every row of every file, in the order of the files' names, streamed: no more than one row is kept.

    Args:
        data: what `located` gave.
        advice: added to the error of a file that is something else.

    Raises:
        DataError: no file holds a row; the first file's error where there is one.
    """
    root, anything, first_error = root_of(data), False, None
    for file in row_files(data):
        name = file.relative_to(root).as_posix()
        try:
            for number, where, value in _values(file, advice):
                anything = True
                try:
                    if isinstance(value, DataError):
                        raise value
                    yield Row(file, name, where, number, fields_of(value))
                except DataError as error:
                    yield DataError(error.what, file=name, row=where)
        except DataError as error:  # of the file as a whole
            broken = DataError(error.what, file=name)
            first_error = first_error or broken
            yield broken
    if not anything:
        what = first_error.what if first_error else f"no file holds a row. {advice}"
        raise DataError(what, file=first_error.file if first_error else str(data))


def _values(file: Path, advice: str) -> Iterator[tuple[int, str, Any]]:
    if file.name.endswith(".jsonl"):
        for number, (line, value) in enumerate(lines(file, advice)):
            yield number, f"line {line}", value
    else:
        for number, value in enumerate(elements(file, advice, _HOLDS)):
            yield number, f"[{number}]", value


@dataclass
class Screens:
    """The images that rows name, and their sizes: from the header, read once an image.

    Attributes:
        root: of the data.
        folders: of images, relative to it.
    """

    root: Path
    folders: tuple[str, ...]
    _places: ImagePlaces = field(init=False)
    _sizes: dict[str, tuple[int, int]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._places = ImagePlaces(self.root, self.folders)

    def named(self, row: Row, name: str) -> ImageRef:
        """The image that a field of a row names, without its size.

        Raises:
            DataError: the field is no path, or one that leaves the data.
        """
        given = path(row.fields, name)
        found = self._places.one(row.file.parent, given)
        if found.name.startswith(".."):
            raise DataError(f"the image {given!r} lies outside the data: give --data the folder that holds both")
        return found

    def sized(self, image: ImageRef) -> ImageRef:
        """The image with the size of the upright original; with size 0 where it is missing or cannot be read."""
        if image.name not in self._sizes:
            self._sizes[image.name] = _size(Path(image.path))
        width, height = self._sizes[image.name]
        return replace(image, width=width, height=height)


def size_of(image: ImageRef) -> tuple[int, int] | None:
    """(width, height) in pixels; None where it is not known."""
    return (image.width, image.height) if image.width else None


def _size(file: Path) -> tuple[int, int]:
    try:
        if not file.is_file() or file.stat().st_size > MOST_BYTES:
            return 0, 0
        info = identify(file.read_bytes(), file.name)
    except (OSError, ImageError):  # planning and `snellen check` say what is wrong with it
        return 0, 0
    turned = info.orientation >= 5
    return (info.height, info.width) if turned else (info.width, info.height)


def digest_of(data: Path, images: Iterable[str]) -> str:
    """Hex SHA-256 of what ``sha256sum`` prints for the JSON files and then for the images, each by name.

    Names are relative to the folder of the data. An image that cannot be read counts as ``missing``.
    """
    root = root_of(data)
    beside = root / LAYOUT_FILE
    listed = {*files_of(data, SUFFIXES), *([beside] if beside.is_file() else [])}
    names = sorted(file.relative_to(root).as_posix() for file in listed)
    whole = hashlib.sha256()
    for name in (*names, *sorted(set(images))):
        whole.update(f"{sha256(root / name)}  {name}\n".encode("utf-8", "surrogateescape"))
    return whole.hexdigest()


def sha256(file: Path) -> str:
    """Hex digest of a file; `MISSING` where it cannot be read."""
    try:
        return sha256_of(file) if file.is_file() else MISSING
    except (OSError, ValueError):
        return MISSING
