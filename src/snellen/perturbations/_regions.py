"""The regions of an item as the argument of a change, and back."""

from __future__ import annotations

import json
import math

from snellen.errors import DataError
from snellen.item import Item

Box = tuple[int, int, int, int]


def regions_argument(item: Item) -> str:
    """Canonical JSON of the item's boxes, ``[[left, top, right, bottom], ...]``; empty where it has none.

    An item of several images gives none: a change sees one image, and not which one it is.
    """
    if len(item.images) != 1 or not item.regions:
        return ""
    boxes = sorted([region.left, region.top, region.right, region.bottom] for region in item.regions)
    return json.dumps(boxes, separators=(",", ":"))


def boxes_within(argument: str, width: int, height: int) -> list[Box]:
    """The boxes of an argument in whole pixels, clipped to the image.

    Raises:
        DataError: a box has no pixel of the image in it, or is no box.
    """
    if not argument:
        return []
    boxes = []
    for box in json.loads(argument):
        if not all(math.isfinite(side) for side in box):
            raise DataError(f"the region {box} is not a box: its sides must be finite numbers of pixels")
        left, top = max(0, math.floor(box[0])), max(0, math.floor(box[1]))
        right, bottom = min(width, math.ceil(box[2])), min(height, math.ceil(box[3]))
        if left >= right or top >= bottom:
            raise DataError(
                f"the region {box} has no pixel within the image of {width} x {height}: regions are left, top, right, "
                "bottom in pixels of the original image"
            )
        boxes.append((left, top, right, bottom))
    return boxes
