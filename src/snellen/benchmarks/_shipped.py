"""Demonstration sets that ship with the package: where they lie, or the user's copy of one, and their digest."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from snellen.errors import DataError


def located(data: Path | None, folder: str, files: Iterable[str]) -> Path:
    """The folder of the data: the user's, else the one of that name beside this module.

    Raises:
        DataError: one of the files is missing in it.
    """
    place = Path(__file__).parent / folder if data is None else data
    for name in files:
        if not (place / name).is_file():
            advice = "install Snellen again" if data is None else "name the folder that holds it, or leave --data out"
            raise DataError(f"there is no {name} in the folder of the demonstration set: {advice}", file=str(place))
    return place


def digest_of(data: Path, file: str) -> str:
    """Hex SHA-256 over the file of rows and every file in ``images/``, names included."""
    whole = hashlib.sha256()
    images = data / "images"
    for path in (data / file, *(sorted(images.iterdir()) if images.is_dir() else ())):
        if path.is_file():
            whole.update(f"{path.relative_to(data).as_posix()} {path.stat().st_size}\n".encode())
            whole.update(path.read_bytes())
    return whole.hexdigest()
