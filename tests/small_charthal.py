"""Data in ChartHal's official layout, made by the test: some figures with a question in each of the 12 cells."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from PIL import Image

TYPES = ("desc", "reason", "open")
RELATIONS = ("inexist", "irrel", "contra", "normal")


def rows(figures: int) -> dict[str, dict[str, Any]]:
    """The object of rows."""
    found = {}
    for figure in range(1, figures + 1):
        for index in range(12):
            q_type, relation = TYPES[index // 4], RELATIONS[index % 4]
            found[f"{figure}_{index}"] = {
                "figure_id": figure,
                "figure_path": f"images/{figure}.jpg",
                "subq_idx": index,
                "q_type": q_type,
                "q_relation": relation,
                "question": f"Question {index} about figure {figure}?",
                "ref_answer": ""
                if (q_type, relation) == ("open", "normal")
                else f"About {figure} (Answers in the range [{figure - 0.5}, {figure + 0.5}] are ACCEPTABLE).",
            }
    return found


def write(folder: Path, figures: int = 3) -> Path:
    """Write rows and images; returns the folder."""
    (folder / "data").mkdir(parents=True)
    (folder / "images").mkdir()
    (folder / "data" / "charthal.json").write_text(json.dumps(rows(figures)), encoding="utf-8")
    for figure in range(1, figures + 1):
        Image.new("RGB", (40, 30), (figure * 20 % 255, 90, 120)).save(folder / "images" / f"{figure}.jpg")
    return folder
