"""A contact sheet: one image under every perturbation at every severity, to look at before a run."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

from snellen.engine.changed_images import change, pixels
from snellen.engine.conditions import Condition, Step
from snellen.errors import ImageError, UsageError
from snellen.item import ImageRef, Item

CELL = 180
"""Pixels of the longer side of a picture in the sheet."""

_LABEL = 150
_LINE = 22
_LONGEST = 1024  # larger images are made smaller first, as most models do


def write(
    source: Path, target: Path, conditions: Sequence[Condition], on_warning: Callable[[str], None] = lambda text: None
) -> Path:
    """Write the sheet as PNG and return its path. Perturbations of instructions are not on it.

    Args:
        source: the image.
        target: the sheet.
        conditions: one perturbation each; their severities are not looked at.
        on_warning: told what could not be made.

    Raises:
        UsageError: nothing to show.
        ImageError: the image cannot be read.
    """
    import numpy as np
    from PIL import Image, ImageDraw, ImageFont

    data = source.read_bytes()
    clean = pixels(data, source.name)
    image = Image.fromarray(clean)
    image.thumbnail((_LONGEST, _LONGEST))
    clean = np.ascontiguousarray(np.asarray(image, np.uint8))
    digest = hashlib.sha256(data).hexdigest()
    names = dict.fromkeys(step.name for condition in conditions for step in condition.steps)
    rows = [name for name in names if Step(name, 1).module.KIND == "image"]
    if not rows:
        raise UsageError("none of these perturbations changes an image")
    scale = CELL / max(image.size)
    width, height = max(1, round(image.width * scale)), max(1, round(image.height * scale))
    columns = max(max(Step(name, 1).module.SEVERITIES) for name in rows)
    sheet = Image.new("RGB", (_LABEL + (columns + 1) * (width + 6), _LINE + len(rows) * (height + 6)), "white")
    draw, font = ImageDraw.Draw(sheet), ImageFont.load_default(14)
    for column in range(columns + 1):
        title = f"severity {column}" if column else "as it is"
        draw.text((_LABEL + column * (width + 6), 3), title, fill="black", font=font)
    for row, name in enumerate(rows):
        top = _LINE + row * (height + 6)
        draw.text((4, top + height // 2 - 8), name, fill="black", font=font)
        sheet.paste(image.resize((width, height)), (_LABEL, top))
        for severity in Step(name, 1).module.SEVERITIES:
            step = Step(name, severity)
            try:
                made = change(clean, digest, step, _argument(step))
            except ImageError as error:
                on_warning(f"{step}: {error}")
                continue
            left = _LABEL + severity * (width + 6)
            sheet.paste(Image.fromarray(made).resize((width, height)), (left, top))
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f".{target.name}.part")
    sheet.save(part, "PNG")
    part.replace(target)
    return target


def _argument(step: Step) -> str:
    """What an item might say that the picture is shown with."""
    if not hasattr(step.module, "argument"):
        return ""
    item = Item("preview", "What is shown?", images=(ImageRef("preview"),), distractors=("a red bus",))
    argument: str | None = step.module.argument(item)
    return argument or ""
