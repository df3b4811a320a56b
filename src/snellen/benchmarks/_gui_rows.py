"""The rows of GUI-HalluBench as items: parses in the released layout, and the hallucination subset in a layout of ours.

Released, a screen and its elements: ``{image_path, elements: [{type, index, description, coordinates}]}``. Ours, one
instruction on a screen: ``{id, image, instruction, language, kind, target, distractors}``. Both may have ``language``,
``platform``, ``app`` and ``source``. Boxes are edges, [x1, y1, x2, y2], in pixels of the upright original.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from snellen.benchmarks import _screen_labels as labels_of
from snellen.benchmarks._screen_boxes import Form, read_box
from snellen.benchmarks._screen_fields import MEND, fields_of, id_of, language, text, whole
from snellen.benchmarks._screen_files import Repeated, Row, Screens, root_of, rows, size_of
from snellen.box import Box
from snellen.errors import DataError
from snellen.item import Element, ElementsReference, ImageRef, Item, Region, TargetReference, escape_id
from snellen.json_file import shown

NAME = "gui-hallubench"
KINDS = ("confusion", "fabricated")

_FORM = Form("xyxy", "pixels")
_IMAGE_FOLDERS = ("images", "image", "imgs", "screenshots")
_BOX_MEND = "this benchmark's boxes are [x1, y1, x2, y2] in pixels of the image, so convert them"
_COMMON = ("platform", "app", "source")


class Records:
    """The rows of one copy.

    Args:
        data: what `locate` gave.
        advice: added to the error of a file that is something else.
    """

    def __init__(self, data: Path, advice: str) -> None:
        self._data, self._advice = data, advice
        self._screens = Screens(root_of(data), _IMAGE_FOLDERS)

    def items(self) -> Iterator[Item | Repeated | DataError]:
        """Every row as an item, in the order of the files; a row that says what an earlier one said is `Repeated`.

        Raises:
            DataError: no file holds a row.
        """
        said: dict[str, tuple[bytes, str]] = {}
        for row in rows(self._data, self._advice):
            if isinstance(row, DataError):
                yield row
                continue
            try:
                item = self._item(row)
            except DataError as error:
                yield row.error(error.what, error.id)
                continue
            content = _content(item)
            earlier, place = said.setdefault(item.id, (content, row.place))
            if place == row.place:
                yield item
            elif earlier == content:
                yield Repeated(row.name)
            else:
                same = "parses this screen in this language" if "elements" in row.fields else "has this id"
                yield row.error(f"{place} {same} too, and says something else; {MEND}", item.id)

    def images(self) -> Iterator[str]:
        """The names of the images that rows name, bad ones among them."""
        for row in rows(self._data, self._advice):
            if isinstance(row, Row):
                try:
                    yield self._image(row).name
                except DataError:
                    continue

    def _image(self, row: Row) -> ImageRef:
        other = "image" if "image_path" not in row.fields and "image" in row.fields else "image_path"
        return self._screens.named(row, other if "elements" in row.fields else "image")

    def _item(self, row: Row) -> Item:
        parse, instruction = "elements" in row.fields, "instruction" in row.fields
        if parse == instruction:
            have = "both elements and an instruction" if parse else "neither elements nor an instruction"
            raise DataError(f"the row has {have}, so it is unclear whether it asks for a parse or a target; {MEND}")
        return self._parse(row) if parse else self._instruction(row)

    def _parse(self, row: Row) -> Item:
        image = self._screens.sized(self._image(row))
        spoken = language(row.fields, row.name)
        id_ = f"{NAME}/parsing/{spoken}/{'/'.join(map(escape_id, image.name.split('/')))}"
        try:
            found = _elements(row.fields.get("elements"), image)
            common = _common(row.fields)
        except DataError as error:
            raise DataError(error.what, id=id_) from None
        return Item(
            id=id_,
            question=labels_of.PARSE_QUESTION[spoken],
            images=(image,),
            reference=ElementsReference(found),
            labels={"task": "parsing", "language": spoken, **common, "density": labels_of.density(len(found))},
            groups={"screen": image.name},
            cluster=f"{NAME}/{image.name}",
            language=spoken,
        )

    def _instruction(self, row: Row) -> Item:
        fields = row.fields
        kind = text(fields, "kind").casefold()
        if kind not in KINDS:
            raise DataError(f"kind is {shown(fields.get('kind'))}, neither confusion nor fabricated; {MEND}")
        image = self._screens.sized(self._image(row))
        spoken = language(fields, row.name)
        id_ = f"{NAME}/{kind}/{spoken}/{escape_id(id_of(fields))}"
        try:
            question = text(fields, "instruction")
            target = _target(fields.get("target"), kind, image)
            distractors = _boxes(fields.get("distractors"), image)
            labels = {"task": kind, "language": spoken, **_common(fields)}
            if element := text(fields, "element", ""):
                labels["element"] = element.casefold()
        except DataError as error:
            raise DataError(error.what, id=id_) from None
        if target and image.width:
            labels["size"] = labels_of.size(target, image.width, image.height)
        if count := self._count(image.name, spoken):
            labels["density"] = labels_of.density(count)
        return Item(
            id=id_,
            question=question,
            images=(image,),
            reference=TargetReference(target, distractors),
            labels=labels,
            groups={"screen": image.name},
            cluster=f"{NAME}/{image.name}",
            language=spoken,
            regions=(Region(target.left, target.top, target.right, target.bottom),) if target else (),
        )

    def _count(self, image: str, spoken: str) -> int:
        """Elements on a screen by its parse, in that language if there is one; 0 where it has none."""
        counts = self._counts.get(image)
        return 0 if counts is None else counts.get(spoken) or next(iter(counts.values()))

    @cached_property
    def _counts(self) -> Mapping[str, Mapping[str, int]]:
        """Screen -> language -> number of elements: one pass over the files, which keeps these numbers."""
        found: defaultdict[str, dict[str, int]] = defaultdict(dict)
        for row in rows(self._data, self._advice):
            if not isinstance(row, Row) or not isinstance(listed := row.fields.get("elements"), list) or not listed:
                continue
            try:
                found[self._image(row).name].setdefault(language(row.fields, row.name), len(listed))
            except DataError:
                continue  # told of where the row itself is read
        return {image: counts for image, counts in found.items() if counts}


def _content(item: Item) -> bytes:
    return hashlib.sha256(repr((item.question, item.images, item.reference, item.labels)).encode()).digest()[:16]


def _common(fields: Mapping[str, Any]) -> dict[str, str]:
    given = {name: text(fields, name, "") for name in _COMMON}
    given["platform"] = given["platform"].casefold()
    return {name: value for name, value in given.items() if value}


def _elements(value: Any, image: ImageRef) -> tuple[Element, ...]:
    if not isinstance(value, list) or not value:
        raise DataError(f"elements is {'empty' if value == [] else shown(value)}, so nothing is to be listed; {MEND}")
    found = []
    for number, one in enumerate(value):
        try:
            fields = fields_of(one)
            description = fields.get("description")
            if not isinstance(description, str):  # an empty one is told of by `snellen check`
                raise DataError(f"description is {shown(description)}, not a text; {MEND}")
            box = read_box(fields.get("coordinates"), _FORM, size_of(image), "coordinates", _BOX_MEND)
            found.append(Element(text(fields, "type").casefold(), whole("description", description), box))
        except DataError as error:
            raise DataError(f"element {number}: {error.what}") from None
    return tuple(found)


def _target(value: Any, kind: str, image: ImageRef) -> Box | None:
    if value is None:
        if kind == "confusion":
            raise DataError(f"an item of kind confusion has no target, so nothing can be hit; {MEND}")
        return None
    if kind == "fabricated":
        raise DataError(f"an item of kind fabricated has a target, {shown(value)}, and must have none; {MEND}")
    return read_box(value, _FORM, size_of(image), "target", _BOX_MEND)


def _boxes(value: Any, image: ImageRef) -> tuple[Box, ...]:
    if value is None:
        return ()
    if not isinstance(value, list):
        raise DataError(f"distractors is {shown(value)}, not a list of boxes; {MEND}")
    return tuple(
        read_box(one, _FORM, size_of(image), f"distractor {number}", _BOX_MEND) for number, one in enumerate(value)
    )
