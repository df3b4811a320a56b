"""Data in SHALE's layouts, made by the test: a question of each task for every aspect and domain."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from PIL import Image

ASPECTS = (
    "type",
    "Existence",
    "count",
    "color",
    "shape",
    "orientation",
    "posture",
    "expression",
    "Scene Text",
    "size_relation",
    "Spatial relation",
    "interactionRelation",
)
DOMAINS = ("Sports", "politics", "entertainment", "religion", "culture", "Geography")
WORDS = ("pan", "pot", "cup", "bowl")


def rows() -> list[dict[str, Any]]:
    """Rows in the layout of the README: six of each aspect or domain, one of them Chinese."""
    found: list[dict[str, Any]] = []

    def add(task: str, aspect: str, instruction: str, truth: str, picture: int) -> None:
        found.append(
            {
                "id": len(found) + 1,
                "task": task,
                "hallucination_type": "faithfulness" if aspect in ASPECTS else "factuality",
                "evaluation_dimension": aspect,
                "entity_type": "object",
                "images": [f"./Image/{picture}.jpg"],
                "instruction": instruction,
                "ground_truth": truth,
            }
        )

    for place, aspect in enumerate((*ASPECTS, *DOMAINS)):
        picture = place // 2 + 1
        add("PosYNQ", aspect, f"Is the {aspect} that of a pan?", "Yes", picture)
        add("NegYNQ", aspect, f"Is the {aspect} that of a pot?", "No", picture)
        options = " ".join(f"({letter}) {word}" for letter, word in zip("ABCD", WORDS, strict=True))
        add("MCQ", aspect, f"Whose {aspect} is it? {options}", "(A)", picture)
        add("OpenVQA", aspect, f"What of {aspect} is shown?", "A pan.", picture)
        add("Caption", aspect, f"Describe the image and its {aspect}.", "A pan on a table.", picture)
        add("MCQ", aspect, f"图中的{aspect}是什么？\nＡ．锅\nＢ．碗", "B", picture)
    return found


def write(folder: Path, name: str = "Query/clean.json", content: Any = None) -> Path:
    """Write rows (those above if none are given) and images; returns the folder."""
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(rows() if content is None else content), encoding="utf-8")
    (folder / "Image").mkdir(exist_ok=True)
    for picture in range(1, 10):
        Image.new("RGB", (40, 30), (picture * 20, 90, 120)).save(folder / "Image" / f"{picture}.jpg")
    return folder
