"""A contact sheet: one image under every perturbation at every severity, to look at before a run."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from snellen import image_store
from snellen.engine.changed_images import change, pixels, rng_of
from snellen.engine.conditions import Condition, Step
from snellen.engine.out_folder import part_of
from snellen.errors import ImageError, UsageError
from snellen.item import ImageRef, Item, Region

CELL = 180
"""Pixels of the longer side of a picture in the sheet."""

_LABEL = 150
_LINE = 22
_LONGEST = 1024  # larger images are made smaller first, as most models do
_STAND_IN = Item("preview", "What is shown?", images=(ImageRef("preview"),), distractors=("a red bus",))


def write(
    source: Path,
    target: Path,
    conditions: Sequence[Condition],
    on_warning: Callable[[str], None] = lambda text: None,
    item: Item | None = None,
) -> Path:
    """Write the sheet as PNG and return its path. Perturbations of instructions are not on it: see `instructions`.

    Args:
        source: the image.
        target: the sheet.
        conditions: one perturbation each; their severities are not looked at.
        on_warning: told what could not be made.
        item: whose first image it is, and what changes that need one are made with; a made-up one if None.

    Raises:
        UsageError: nothing to show.
        ImageError: the image cannot be read.
    """
    import numpy as np
    from PIL import Image, ImageDraw, ImageFont

    if target.is_dir():
        raise UsageError(f"{target} is a folder: name the file of the sheet, as in --out sheet.png")
    data = image_store.read(source)
    clean = pixels(data, source.name)
    image = Image.fromarray(clean)
    width = image.width
    image.thumbnail((_LONGEST, _LONGEST))
    clean = np.ascontiguousarray(np.asarray(image, np.uint8))
    digest = hashlib.sha256(data).hexdigest()
    shown = _STAND_IN if item is None else _scaled(item, image.width / width)
    rows = [step for step in _steps(conditions) if step.module.KIND == "image"]
    if not rows:
        raise UsageError("none of these perturbations changes an image")
    scale = CELL / max(image.size)
    width, height = max(1, round(image.width * scale)), max(1, round(image.height * scale))
    columns = max(max(step.module.SEVERITIES) for step in rows)
    sheet = Image.new("RGB", (_LABEL + (columns + 1) * (width + 6), _LINE + len(rows) * (height + 6)), "white")
    draw, font = ImageDraw.Draw(sheet), ImageFont.load_default(14)
    for column in range(columns + 1):
        title = f"severity {column}" if column else "as it is"
        draw.text((_LABEL + column * (width + 6), 3), title, fill="black", font=font)
    for row, first in enumerate(rows):
        top = _LINE + row * (height + 6)
        draw.text((4, top + height // 2 - 8), first.name, fill="black", font=font)
        sheet.paste(image.resize((width, height)), (_LABEL, top))
        argument: str | None = first.module.argument(shown) if hasattr(first.module, "argument") else ""
        if argument is None:
            on_warning(f"{first.name} does not apply to {shown.id}: it says nothing that the change could be made with")
            continue
        for severity in first.module.SEVERITIES:
            step = replace(first, severity=severity)
            try:
                made = change(clean, digest, step, argument)
            except ImageError as error:
                on_warning(f"{step}: {error}")
                continue
            left = _LABEL + severity * (width + 6)
            sheet.paste(Image.fromarray(made).resize((width, height)), (left, top))
    target.parent.mkdir(parents=True, exist_ok=True)
    part = part_of(target)
    sheet.save(part, "PNG")
    part.replace(target)
    return target


def instructions(
    item: Item, conditions: Sequence[Condition], on_warning: Callable[[str], None] = lambda text: None
) -> Iterator[tuple[str, str]]:
    """(perturbation and severity, changed question) for every perturbation of instructions, at every severity."""
    for first in _steps(conditions):
        if first.module.KIND == "image":
            continue
        for severity in first.module.SEVERITIES:
            step = replace(first, severity=severity)
            changed: Item | None = first.module.change(item, severity, rng_of(item.id, step))
            if changed is None:
                on_warning(f"{step} does not apply to what {item.id} asks")
            else:
                yield str(step), changed.question


def _steps(conditions: Sequence[Condition]) -> list[Step]:
    """Each perturbation once, with the seed that it is named with."""
    return list({step.name: step for condition in conditions for step in condition.steps}.values())


def _scaled(item: Item, scale: float) -> Item:
    """The item with what it says of places in its first image, the only one that is shown, at this scale."""
    regions = tuple(
        Region(each.left * scale, each.top * scale, each.right * scale, each.bottom * scale)
        for each in item.regions
        if each.image == 0
    )
    return replace(item, images=item.images[:1], regions=regions)
