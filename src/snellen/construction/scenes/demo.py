"""The program that made SHALE's demonstration set: pictures, questions and truths from what is written down.

    python -m snellen.construction.scenes.demo OUT

writes ``OUT/items.json`` (in SHALE's own layout, with more fields) and ``OUT/images/``. With one version of Pillow it
writes the same bytes everywhere; the set that ships with Snellen was written by it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson

from snellen.construction.scenes import factuality, faithfulness
from snellen.construction.scenes.asking import rows

SCENES = (*faithfulness.SCENES, *factuality.SCENES)
TRUTHS = (*faithfulness.TRUTHS, *factuality.TRUTHS)


def write(out: Path) -> tuple[int, int]:
    """Draws every scene into `out` and writes its questions; gives the numbers of pictures and of questions."""
    (out / "images").mkdir(parents=True, exist_ok=True)
    boxes: dict[str, dict[str, Any]] = {}
    for scene in SCENES:
        canvas = scene.drawn()
        (out / "images" / f"{scene.name}.png").write_bytes(canvas.png())
        boxes[scene.name] = dict(canvas.regions)
    items = list(rows(TRUTHS, {scene.name: scene for scene in SCENES}, boxes))
    text = orjson.dumps(items, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    (out / "items.json").write_bytes(text)
    return len(SCENES), len(items)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; 0 when all is written."""
    parser = argparse.ArgumentParser(
        prog="python -m snellen.construction.scenes.demo", description="Draw SHALE's demonstration set."
    )
    parser.add_argument("out", type=Path, help="folder to write items.json and images/ into")
    scenes, items = write(parser.parse_args(arguments).out)
    print(f"{scenes} pictures and {items} questions in the folder")
    return 0


if __name__ == "__main__":
    sys.exit(main())
