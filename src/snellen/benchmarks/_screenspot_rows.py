"""The rows of ScreenSpot, ScreenSpot-v2 and ScreenSpot-Pro: what is asked, where it lies, on which screen.

A layout is told by its fields, and its form of boxes is declared here; a file ``layout.json`` beside the rows or above
them, ``{"boxes": "xywh", "unit": "pixels"}``, declares another one. It is never guessed from the numbers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from snellen.benchmarks._screen_boxes import Form, form_of, read_box
from snellen.benchmarks._screen_fields import LANGUAGES, MEND, text
from snellen.benchmarks._screen_files import LAYOUT_FILE, Repeated, Row, Screens, root_of, rows, size_of
from snellen.box import Box
from snellen.errors import DataError
from snellen.item import ImageRef, escape_id
from snellen.json_file import members, shown

IMAGE_FOLDERS = ("images", "screenspot_imgs", "screenspotv2_image", "screenspot_v2_imgs", "imgs", "image")

PLATFORMS: Mapping[str, str] = {
    **dict.fromkeys(("mobile", "ios", "android"), "mobile"),
    **dict.fromkeys(("desktop", "windows", "macos", "linux"), "desktop"),
    **dict.fromkeys(("web", "tool", "shop", "gitlab", "forum"), "web"),
}
"""What rows and names of files say of a screen's origin -> its platform."""

ADVICE = (
    "Get a copy of ScreenSpot (https://github.com/njucckevin/SeeClick), ScreenSpot-v2 (the hub's "
    "OS-Copilot/ScreenSpot-v2) or ScreenSpot-Pro (the hub's likaixin/ScreenSpot-Pro) and pass --data FOLDER, where "
    "FOLDER holds its JSON files and its images"
)
MISSING = "ScreenSpot's data are not fetched by Snellen."

_HOLDS = "one JSON object"
_DECLARE = f"declare the form in a file {LAYOUT_FILE} beside it, as FORM"


@dataclass(frozen=True, slots=True)
class Layout:
    """A layout of rows.

    Attributes:
        image: field with the path of the screen.
        element: field with the type of the target.
        form: of the boxes; None where it has to be declared.
    """

    image: str
    element: str
    form: Form | None


def layout_of(fields: Mapping[str, Any]) -> Layout:
    """The layout of a row, by its fields.

    Raises:
        DataError: it is of no known layout.
    """
    if "img_filename" in fields and ("ui_type" in fields or "img_size" in fields):
        return Layout("img_filename", "ui_type", Form("xyxy", "pixels"))  # ScreenSpot-Pro
    if "img_filename" in fields:
        return Layout("img_filename", "data_type", Form("xywh", "pixels"))  # ScreenSpot and v2
    if "file_name" in fields:
        return Layout("file_name", "data_type", Form("xyxy", "fraction"))  # the hub's tables
    if "image" in fields:  # UGround's copies have a scale; others are of several forms
        return Layout("image", "data_type", Form("xywh", "pixels") if "scale" in fields else None)
    raise DataError(f"the row names no screen (img_filename, file_name or image); {MEND}")


@dataclass(frozen=True, slots=True)
class Spot:
    """What a row asks for.

    Attributes:
        id: parts that are unique in the data: ``screenspot_web/0``.
        file: it stands in, relative to the data.
        where: in the file.
        image: the screen, with its size where it is known.
        box: of the target, in pixels.
        instructions: language -> what is asked.
        description: of the target, where the row has one.
        labels: platform, app, source and element, where they are known.
    """

    id: str
    file: str
    where: str
    image: ImageRef
    box: Box
    instructions: Mapping[str, str]
    description: str
    labels: Mapping[str, str]


class Spots:
    """The rows of one copy.

    Args:
        data: what `locate` gave.
    """

    def __init__(self, data: Path) -> None:
        self._data = data
        self.screens = Screens(root_of(data), IMAGE_FOLDERS)
        self._declared: dict[Path, Form | None] = {}

    def rows(self) -> Iterator[Spot | Repeated | DataError]:
        """Every row, in the order of the files; one that asks what an earlier one asked, for the same box, is
        `Repeated`.

        Raises:
            DataError: no file holds a row, or a declaration of the boxes' form is none.
        """
        said: set[bytes] = set()
        for row in rows(self._data, ADVICE):
            if isinstance(row, DataError):
                yield row
                continue
            form, id_ = self._form(row.file.parent), _id(row)
            try:
                spot = self._spot(row, id_, form)
            except DataError as error:
                yield row.error(error.what, f"screenspot/{id_}")
                continue
            asked = repr((spot.image.name, sorted(spot.instructions.items()), spot.box))
            content = hashlib.sha256(asked.encode()).digest()[:16]
            yield Repeated(row.name) if content in said else spot
            said.add(content)

    def named(self) -> Iterator[tuple[Row, ImageRef]]:
        """The rows whose screen can be told, whatever else is wrong with them."""
        for row in rows(self._data, ADVICE):
            if isinstance(row, Row):
                try:
                    image = self.screens.named(row, layout_of(row.fields).image)
                except DataError:
                    continue
                yield row, image

    def _spot(self, row: Row, id_: str, declared: Form | None) -> Spot:
        fields = row.fields
        layout = layout_of(fields)
        form = declared or layout.form
        if form is None:
            example = _DECLARE.replace("FORM", Form("xywh", "pixels").declared)
            raise DataError(f"the form of the boxes is not known for rows with these fields: {example}, if it is that")
        image = self._sized(self.screens.named(row, layout.image), fields.get("img_size"))
        labels = {
            "platform": platform_of(fields, row.name),
            "app": text(fields, "group", "") or text(fields, "application", ""),
            "application": text(fields, "application", ""),
            "source": text(fields, "data_source", "") or _system(fields),
            "element": text(fields, layout.element, "").casefold(),
        }
        return Spot(
            id=id_,
            file=row.name,
            where=row.where,
            image=image,
            box=read_box(fields.get("bbox"), form, size_of(image), "bbox", _DECLARE),
            instructions=instructions_of(fields),
            description=text(fields, "description", ""),
            labels={name: value for name, value in labels.items() if value},
        )

    def _sized(self, image: ImageRef, declared: Any) -> ImageRef:
        found = self.screens.sized(image)
        if declared is None:
            return found
        if not isinstance(declared, list) or len(declared) != 2 or not all(type(side) is int for side in declared):
            raise DataError(f"img_size is {shown(declared)}, not [width, height] in pixels; {MEND}")
        width, height = declared
        if min(width, height) < 1:
            raise DataError(f"img_size is {width} x {height}, which no image has; {MEND}")
        if found.width and (found.width, found.height) != (width, height):
            raise DataError(
                f"img_size is {width} x {height}, and the image has {found.width} x {found.height} pixels, so the box "
                "is in other pixels than the image's: take the image that the rows were made for"
            )
        return found if found.width else ImageRef(image.name, image.path, width=width, height=height)

    def _form(self, folder: Path) -> Form | None:
        """What the nearest declaration says, from the rows' folder up to the root of the data."""
        if folder not in self._declared:
            root = root_of(self._data)
            file = folder / LAYOUT_FILE
            if file.is_file():
                name = file.relative_to(root).as_posix()
                try:
                    self._declared[folder] = form_of(dict(members(file, holds=_HOLDS)))
                except DataError as error:
                    raise DataError(error.what, file=name) from None
            else:
                self._declared[folder] = None if folder == root else self._form(folder.parent)
        return self._declared[folder]


def _system(fields: Mapping[str, Any]) -> str:
    """The operating system that ``platform`` names in ScreenSpot-Pro; empty where it names a platform."""
    named = text(fields, "platform", "")
    return "" if named.casefold() in PLATFORMS.values() else named


def platform_of(fields: Mapping[str, Any], file: str) -> str:
    """``mobile``, ``desktop`` or ``web``, by the row, else by the name of its file; empty where neither says it."""
    for name in ("platform", "data_source"):
        if found := PLATFORMS.get(text(fields, name, "").casefold()):
            return found
    words = PurePosixPath(file).stem.casefold().split("_")
    return next((PLATFORMS[word] for word in words if word in PLATFORMS), "")


def instructions_of(fields: Mapping[str, Any]) -> dict[str, str]:
    """Language -> instruction: English, unless the row has a field ``language``; ``instruction_cn`` is Chinese.

    Raises:
        DataError: there is none, or the language is neither English nor Chinese.
    """
    given = text(fields, "language", "en")
    language = LANGUAGES.get(given.casefold().replace("_", "-"))
    if language is None:
        raise DataError(f"language is {shown(given)}, neither en nor zh; {MEND}")
    found = {language: text(fields, "instruction")}
    if chinese := text(fields, "instruction_cn", ""):
        found.setdefault("zh", chinese)
    return found


def _id(row: Row) -> str:
    stem = row.name.removesuffix(".json")
    return "/".join(escape_id(part) for part in (*stem.split("/"), str(row.number)))
