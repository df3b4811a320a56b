"""Pictures of a report's folder: a file for each, made small in threads while rows are still being read."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from snellen.errors import SnellenError
from snellen.report.pictures import small
from snellen.report.text import one_line

SIZES = "sizes.json"
"""What lies beside the pictures: file name -> width and height, so that the next report need not open them."""

_ENDINGS = {"image/png": "png", "image/jpeg": "jpg"}
_NAME = re.compile(r"([0-9a-f]{32})\.(?:png|jpg)")
_WAITING = 64  # pictures that are held in memory at once

Entry = list[Any]
"""Of a picture: file name (empty where it cannot be shown), width, height in pixels, and why it cannot be shown."""


class Images:
    """The pictures of one folder, numbered in the order in which they are first asked for. A context manager.

    Args:
        folder: where they go; it is there and empty.
        older: where those of an older report lie; they are taken over.
    """

    def __init__(self, folder: Path, older: Path) -> None:
        self._folder, self._older, self._made_before = folder, older, _sizes(older)
        self._numbers: dict[str, int] = {}
        self._entries: list[Entry] = []
        self._futures: deque[tuple[int, Future[Entry]]] = deque()
        self._pool = ThreadPoolExecutor(max_workers=max(1, min(8, os.cpu_count() or 1)))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)

    @property
    def known(self) -> int:
        """How many there are so far."""
        return len(self._entries)

    @property
    def entries(self) -> list[Entry]:
        """All of them, by number; complete after `finish`."""
        return self._entries

    def number(self, sha256: str, load: Callable[[str], bytes | None]) -> int:
        """The number of the picture of a digest; never raises for a bad image.

        What one run has lost another may still have: such a picture is looked for again.
        """
        number = self._numbers.get(sha256)
        if number is not None and not self._entries[number][3]:
            return number
        if number is None:
            number = len(self._entries)
            self._numbers[sha256] = number
            self._entries.append(["", 0, 0, ""])
        name, width, height = self._made_before.get(sha256[:32], ("", 0, 0))
        if name and self._taken_over(name):
            self._entries[number] = [name, width, height, ""]
            return number
        data, note = _loaded(sha256, load)
        self._entries[number] = ["", 0, 0, note]
        if data is not None:
            while len(self._futures) >= _WAITING:
                self._take_in()
            self._futures.append((number, self._pool.submit(self._made, sha256, data)))
        return number

    def finish(self) -> Iterator[None]:
        """Waits for all pictures, a step for each."""
        while self._futures:
            self._take_in()
            yield
        sizes = {entry[0]: entry[1:3] for entry in self._entries if entry[0]}
        (self._folder / SIZES).write_text(json.dumps(sizes, indent=0, sort_keys=True), "utf-8")

    def _take_in(self) -> None:
        number, future = self._futures.popleft()
        self._entries[number] = future.result()

    def _taken_over(self, name: str) -> bool:
        try:
            os.link(self._older / name, self._folder / name)
        except FileExistsError:
            return True
        except OSError:
            try:
                shutil.copyfile(self._older / name, self._folder / name)
            except OSError:
                return False
        return True

    def _made(self, sha256: str, data: bytes) -> Entry:
        try:
            media_type, encoded, width, height, note = small(data)
        except (SnellenError, OSError) as error:
            return ["", 0, 0, f"The picture cannot be shown: {one_line(str(error), 300)}"]
        if not encoded:
            return ["", 0, 0, note]
        name = f"{sha256[:32]}.{_ENDINGS[media_type]}"
        (self._folder / name).write_bytes(encoded)
        return [name, width, height, ""]


def _loaded(sha256: str, load: Callable[[str], bytes | None]) -> tuple[bytes | None, str]:
    if not sha256:
        return None, "The picture was never read; the verdict says why."
    try:
        data = load(sha256)
    except (SnellenError, OSError) as error:
        return None, f"The picture cannot be shown: {one_line(str(error), 300)}"
    if data is None:
        return None, f"The picture is no longer in the workspace (SHA-256 {sha256[:16]}…)."
    return data, ""


def _sizes(folder: Path) -> dict[str, tuple[str, int, int]]:
    """Digest -> file name, width and height of an older report's pictures; nothing where that cannot be read."""
    try:
        read = json.loads((folder / SIZES).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    found = {}
    for name, size in read.items() if isinstance(read, dict) else ():
        match = _NAME.fullmatch(name)
        if match and isinstance(size, list) and len(size) == 2 and all(isinstance(side, int) for side in size):
            found[match[1]] = (name, size[0], size[1])
    return found
