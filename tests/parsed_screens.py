"""Small copies of GUI-HalluBench with answers whose associations can be counted by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from small_screens import picture, put
from snellen import library
from snellen.engine.judged import Judged
from snellen.engine.workspace import Workspace

ICON = {"type": "icon", "description": "camera", "coordinates": [12, 22, 58, 58]}
NAME = {"type": "text", "description": "Camera", "coordinates": [20, 60, 50, 70]}
OTHER = {"type": "icon", "description": "tennis", "coordinates": [200, 20, 260, 80]}
GHOST = {"type": "icon", "description": "ghost", "bbox": [300, 700, 340, 760]}
REJECTED = "The target is not on the screen."
HIT, MISS = '{"bbox": [30, 40, 40, 50]}', '{"bbox": [210, 30, 250, 70]}'
TARGET, DISTRACTOR = [10, 20, 60, 75], [200, 20, 260, 80]

Case = tuple[int, bool, int, bool]
"""Elements of the target that are listed (0 to 2), whether it is hit, elements invented, absent target pointed at."""


def write(folder: Path, count: int) -> Path:
    """A copy with so many screens: on each a parse, a target made of an icon and its name, and an absent one."""
    for number in range(count):
        picture(folder / "images" / f"{number}.png", color=f"#{number:06x}")
    rows: list[dict[str, Any]] = []
    for number in range(count):
        common = {"image": f"images/{number}.png", "language": "en", "instruction": "Open the camera"}
        rows.append({**common, "id": f"c{number}", "kind": "confusion", "target": TARGET, "distractors": [DISTRACTOR]})
        rows.append({**common, "id": f"f{number}", "kind": "fabricated", "target": None})
    put(folder / "hallucination.json", rows)
    elements = [{**each, "index": place} for place, each in enumerate((ICON, NAME, OTHER))]
    put(
        folder / "parsing_en.json",
        [{"image_path": f"images/{number}.png", "elements": elements} for number in range(count)],
    )
    return folder


def answers(file: Path, cases: list[Case]) -> Path:
    """Recorded answers, one case for each screen."""
    rows = []
    for number, (listed, hit, invented, pointed) in enumerate(cases):
        found = [*(ICON, NAME)[:listed], OTHER]
        parse = [{"type": e["type"], "description": e["description"], "bbox": e["coordinates"]} for e in found]
        parse += [{**GHOST, "bbox": [300, 700 - 9 * each, 340, 760 - 9 * each]} for each in range(invented)]
        rows += [
            {"id": f"gui-hallubench/parsing/en/images/{number}.png", "response": json.dumps(parse)},
            {"id": f"gui-hallubench/confusion/en/c{number}", "response": HIT if hit else MISS},
            {"id": f"gui-hallubench/fabricated/en/f{number}", "response": MISS if pointed else REJECTED},
        ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return file


def judged(workspace: Workspace, data: Path, file: Path, cases: list[Case]) -> Judged:
    """A run with these answers, judged without an embedding model."""
    run = library.run(
        "gui-hallubench",
        model=f"replay:{answers(file, cases)}",
        rubric="gui:similarity=difflib",
        workspace=workspace,
        data=data,
    )
    return run.judged
