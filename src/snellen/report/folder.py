"""The report as a folder that opens offline: the numbers in `index.html`, every item of every run in `items.html`.

A page that is opened from a disk may fetch nothing, so data come as scripts that call one function with JSON in a
string, 500 rows a file, and pictures as files. The content security policy of `items.html` lets only the folder's own
files run, and what a model said is never more than the text of a text node.

    DIR/index.html            numbers and figures, without a script
    DIR/items.html            all items: filters, search, keyboard
    DIR/items.js, review.js   what it runs: the browser, and labels by people
    DIR/items.css             what it looks like
    DIR/data/*.js             columns to filter by, items, and answers of each run
    DIR/images/*              pictures, once each
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from importlib import resources
from pathlib import Path

from snellen.engine.out_folder import OutFolder
from snellen.engine.review_sample import review_sample
from snellen.errors import UsageError
from snellen.report import page
from snellen.report.analyses import Sections
from snellen.report.folder_data import Data
from snellen.report.folder_images import Images
from snellen.report.source import ReportSource

MARKER = "snellen-report.json"
"""The file by which a folder is known to be such a report, so that it may be replaced."""

ITEMS = "items.html"


def write(
    sources: Sequence[ReportSource],
    path: Path,
    *,
    seed: int = 0,
    on_progress: Callable[[int, int], None] | None = None,
    analyses: Sections | None = None,
    review: int = 0,
    language: str = "en",
) -> None:
    """Writes all items of one or more judged runs into a folder, with the numbers.

    Same sources, same bytes. The folder is there whole or not at all: it is made beside its place and then put there.
    An older report is replaced; its pictures are taken over, so that writing again is quick. Rows are streamed: memory
    grows with a few bytes for each item, not with what was said.

    Args:
        sources: judged runs, in the order in which they are to be shown.
        path: of the folder; it must be absent, empty or such a report.
        seed: of what the numbers' page draws.
        on_progress: is told (rows and pictures done, how many there are).
        analyses: what the page of numbers shows besides them.
        review: answers of each run that are drawn to be labelled by people; 0 draws none.
        language: of the page of numbers, ``en`` or ``zh``; that of all items has both.

    Raises:
        UsageError: there is no run, something else lies there, another command is writing there, or it cannot be
            written.

    Example:
        >>> write([run], Path("report"))                                                     # doctest: +SKIP
    """
    if not sources:
        raise UsageError("a report needs at least one judged run")
    place = Path(os.path.realpath(path))
    _usable(place, path)
    making = place.with_name(f".{place.name}.part")
    try:
        with OutFolder(making):
            try:
                drawn = [review_sample(source.card, source.table, review, seed) for source in sources if review]
                _fill(sources, making, place, drawn, on_progress or _silent)
                page.write(
                    sources,
                    making / "index.html",
                    seed=seed,
                    items=ITEMS,
                    language=language,
                    **({} if analyses is None else analyses.to_page()),
                )
                (making / MARKER).write_text('{"report": "folder"}\n', "utf-8")
                _put(making, place)
            finally:
                shutil.rmtree(making, ignore_errors=True)
    except OSError as error:
        raise UsageError(f"the report cannot be written to {path}: {error.strerror or error}") from error


def _silent(done: int, total: int) -> None:
    pass


def _usable(place: Path, path: Path) -> None:
    if place.exists() and not place.is_dir():
        raise UsageError(f"{path} is a file: name a folder for the report")
    if place.is_dir() and not (place / MARKER).is_file() and any(place.iterdir()):
        raise UsageError(f"{path} holds something else than a report: name an empty folder, or one that is to be made")


def _fill(
    sources: Sequence[ReportSource],
    making: Path,
    old: Path,
    drawn: Sequence[Sequence[int]],
    on_progress: Callable[[int, int], None],
) -> None:
    for each in list(making.iterdir()):  # what a killed command left
        shutil.rmtree(each) if each.is_dir() else each.unlink()
    for name in ("data", "images"):
        (making / name).mkdir()
    with Images(making / "images", old / "images") as images:
        rows = sum(len(source.table) for source in sources)
        data = Data(making / "data", sources, images, drawn)
        for number, _ in enumerate(data.rows(), 1):
            if not number % 500:
                on_progress(number, rows + images.known)
        for number, _ in enumerate(images.finish(), 1):
            on_progress(min(rows + number, rows + images.known), rows + images.known)
        data.finish()
        on_progress(rows + images.known, rows + images.known)
    templates = resources.files("snellen.report") / "templates"
    folder = templates / "folder"
    for name in (ITEMS, "items.js", "review.js"):
        (making / name).write_bytes((folder / name).read_bytes())
    style = (templates / "style.css").read_bytes() + b"\n" + (folder / "items.css").read_bytes()
    (making / "items.css").write_bytes(style)


def _put(making: Path, place: Path) -> None:
    """Puts a finished folder in its place; the older one is gone only when the new one is there."""
    older = place.with_name(f".{place.name}.old")
    shutil.rmtree(older, ignore_errors=True)
    if place.is_dir():
        place.rename(older)
    try:
        making.rename(place)
    except OSError:
        if older.is_dir():
            older.rename(place)
        raise
    shutil.rmtree(older, ignore_errors=True)
