"""What is odd in the boxes of an item's truth: targets, distractors and elements of screens.

A box that lies outside its image, is inverted or has no area can be hit by nothing, so it is serious; one that reaches
past an edge is used as it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from snellen.box import Box
from snellen.card import Finding
from snellen.item import Element, ElementsReference, ImageRef, Item, TargetReference

ELEMENTS = ("icon", "text", "button", "image", "input")
"""The types of elements that GUI-HalluBench has and that models are told of."""


def findings(item: Item) -> Iterator[Finding]:
    """The findings on one item; none where its truth has no boxes."""
    reference = item.reference
    image = item.images[0] if item.images else None
    if isinstance(reference, TargetReference):
        if reference.box is not None:
            yield from _box(item, "target", reference.box, image)
            if reference.box in reference.distractors:
                what = "a distractor has the target's box, so that a hit and a miss are one: the hit counts"
                yield Finding("target equal to a distractor", item.id, what, serious=True)
        for number, box in enumerate(reference.distractors):
            yield from _box(item, f"distractor {number}", box, image)
        for box, count in Counter(reference.distractors).items():
            if count > 1:
                yield Finding("distractor given twice", item.id, f"{count} distractors are {_spelt(box)}")
    elif isinstance(reference, ElementsReference):
        yield from _elements(item, reference.elements, image)


def _elements(item: Item, elements: tuple[Element, ...], image: ImageRef | None) -> Iterator[Finding]:
    for number, element in enumerate(elements):
        yield from _box(item, f"element {number}", element.box, image)
    for box, count in Counter(element.box for element in elements).items():
        if count > 1:
            what = f"{count} elements are at {_spelt(box)}: all of them count, and each is matched by one prediction"
            yield Finding("box twice in a parse", item.id, what)
    for kind, count in Counter(element.kind for element in elements).items():
        if kind not in ELEMENTS:
            what = f"{count} elements are of the type {kind!r}, none of {', '.join(ELEMENTS)}: kept as it is"
            yield Finding("unknown element type", item.id, what)
    if silent := sum(not element.description.strip() for element in elements):
        what = f"{silent} of {len(elements)} elements have no description to compare an answer with"
        yield Finding("element without description", item.id, what)


def _box(item: Item, name: str, box: Box, image: ImageRef | None) -> Iterator[Finding]:
    if box.right < box.left or box.bottom < box.top:
        yield Finding("box inverted", item.id, f"the {name} is {_spelt(box)}: nothing can hit it", serious=True)
        return
    if not box.area:
        yield Finding("box of no area", item.id, f"the {name} is {_spelt(box)}: nothing matches it", serious=True)
        return
    if image is None or not image.width:
        return
    frame = f"{image.name} has {image.width} x {image.height} pixels"
    if box.left >= image.width or box.top >= image.height or box.right <= 0 or box.bottom <= 0:
        what = f"the {name} is {_spelt(box)}, and {frame}"
        yield Finding("box outside the image", item.id, what, serious=True)
    elif box.left < 0 or box.top < 0 or box.right > image.width or box.bottom > image.height:
        what = f"the {name} is {_spelt(box)}, and {frame}: used as it is"
        yield Finding("box past the edge", item.id, what)


def _spelt(box: Box) -> str:
    return f"[{box.left:g}, {box.top:g}, {box.right:g}, {box.bottom:g}]"
