"""A folder with a copy of SHALE: its files of rows, the ids of their rows, and where the images lie."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from snellen.benchmarks._image_places import ImagePlaces, files_of
from snellen.benchmarks._shale_rows import Row, rows
from snellen.errors import DataError
from snellen.item import ImageRef, escape_id

_IMAGE_FOLDERS = ("images", "Image", "Images", "image")


@dataclass(frozen=True, slots=True)
class Placed:
    """A row with its place among the rows of all files.

    Attributes:
        id: of the item; unique.
        where: file and row.
        row: what it says.
        images: where they lie, or would lie.
        again: the id that the row shares with an earlier, different one; empty where it shares none.
    """

    id: str
    where: str
    row: Row
    images: tuple[ImageRef, ...]
    again: str


@dataclass(frozen=True, slots=True)
class Repeated:
    """A row that says the same as an earlier one with the same id: it is not asked again."""

    id: str
    where: str


def files(data: Path) -> list[Path]:
    """The JSON files of a folder and of the folders in it, by name; a file is itself."""
    return files_of(data, (".json",))


def placed(data: Path, advice: str) -> Iterator[Placed | Repeated | DataError]:
    """Every row of every file, in the order of the files' names.

    An id is ``shale/831``. A row that has an earlier row's id and says something else has its file in its id too
    (``shale/Query/style/831``), and a number where even that is taken: files that each count from 1 are one set.

    Raises:
        DataError: no file holds a row that can be read; the first file's error where there is one.
    """
    root = data if data.is_dir() else data.parent
    images, known, taken = ImagePlaces(root, _IMAGE_FOLDERS), dict[str, set[bytes]](), set[str]()
    anything, first_error = False, None
    for file in files(data):
        name = file.relative_to(root).as_posix()
        try:
            for where, row in rows(file, name, advice):
                anything = True
                if isinstance(row, DataError):
                    yield row
                    continue
                found = images.of(file.parent, row.images)
                content = _content(row, found)
                said = known.setdefault(row.id, set())
                own = f"shale/{escape_id(row.id)}"
                place = f"{name} {where}"
                if content in said:
                    yield Repeated(own, place)
                    continue
                said.add(content)
                id_ = _free(own, name, row.id, taken)
                taken.add(id_)
                again = own if len(said) > 1 else ""
                escaping = next((image.name for image in found if image.name.startswith("..")), "")
                if escaping:
                    what = (
                        f"the image {escaping!r} lies outside the data folder: give --data the folder that holds both"
                    )
                    yield DataError(what, file=name, row=where, id=id_)
                    continue
                yield Placed(id_, place, row, found, again)
        except DataError as error:  # of the file as a whole
            broken = DataError(error.what, file=name)
            first_error = first_error or broken
            yield broken
    if not anything:
        what = first_error.what if first_error else f"no file holds a row. {advice}"
        raise DataError(what, file=first_error.file if first_error else str(data))


def _free(own: str, file: str, row_id: str, taken: set[str]) -> str:
    if own not in taken:
        return own
    stem = "/".join(escape_id(part) for part in file.removesuffix(".json").split("/"))
    longer, number = f"shale/{stem}/{escape_id(row_id)}", 2
    free = longer
    while free in taken:
        free, number = f"{longer}/{number}", number + 1
    return free


def _content(row: Row, images: tuple[ImageRef, ...]) -> bytes:
    """16 bytes that tell rows with one id apart: by what is asked, of which images, and what is true."""
    said = (row.task, row.aspect, row.question, row.reference, row.facts, [image.name for image in images])
    return hashlib.sha256(repr(said).encode("utf-8", "backslashreplace")).digest()[:16]
