"""A folder of somebody's data: which files of rows it holds, and where the images that they name lie."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from pathlib import Path

from snellen.errors import DataError
from snellen.item import ImageRef


def files_of(data: Path, suffixes: tuple[str, ...]) -> list[Path]:
    """The files of a folder and of the folders in it that end so, by name, hidden ones left out; a file is itself.

    Raises:
        DataError: the name of one is no text, so that no id can be made of it.
    """
    if not data.is_dir():
        return [data]
    found = [path for path in data.rglob("*") if path.name.endswith(suffixes) and path.is_file()]
    visible = [path for path in found if not any(part.startswith(".") for part in path.relative_to(data).parts)]
    for path in visible:
        name = path.relative_to(data).as_posix()
        if not _is_text(name):
            raise DataError("its name is no text (bytes that are not UTF-8): rename it", file=ascii(name)[1:-1])
    return sorted(visible, key=lambda path: path.relative_to(data).as_posix())


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


class ImagePlaces:
    """Where images lie: beside their file, in a folder above it inside the data, or in one of the image folders.

    Args:
        root: the folder of the data.
        folders: of images, relative to it.
    """

    def __init__(self, root: Path, folders: tuple[str, ...]) -> None:
        self._root, self._folders = root, folders
        self._found: dict[tuple[Path, str], ImageRef] = {}

    def of(self, folder: Path, names: Iterable[str]) -> tuple[ImageRef, ...]:
        """The images that a file in `folder` names; one that lies nowhere is where it would lie beside that file.

        The name of an image that would lie outside the data begins with ``..``.
        """
        return tuple(self.one(folder, name) for name in names)

    def one(self, folder: Path, name: str) -> ImageRef:
        """The image of that name, likewise."""
        if (known := self._found.get((folder, name))) is not None:
            return known
        here = folder.relative_to(self._root).as_posix()
        bases = [here]
        while here not in ("", "."):
            here = posixpath.dirname(here)
            bases.append(here)
        bases += self._folders
        paths = [posixpath.normpath(posixpath.join(base, name)) for base in bases]
        inside = [path for path in paths if not path.startswith("..")]
        path = next((path for path in inside if is_file(self._root / path)), (inside or paths)[0])
        self._found[folder, name] = ref = ImageRef(name=path, path=str(self._root / path))
        return ref


def is_file(path: Path) -> bool:
    """Whether a file lies there; False, and no error, for what cannot be looked at."""
    try:
        return path.is_file()
    except OSError:  # a name that is too long, or a folder that may not be looked into
        return False
