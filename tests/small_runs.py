"""Runs whose numbers are looked at twice: by the commands, and from data frames."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from pathlib import Path

import parsed_screens
import small_charthal
import small_shale
import snellen

FIGURES = 20
SKILLS = (0.2, 0.4, 0.9)


@dataclass(frozen=True, slots=True)
class Made:
    """A workspace with runs in it.

    Attributes:
        folder: of the workspace.
        charts: names of three runs on charts, of rising skill, that state confidences.
        photos: of a run on photos, with changed versions and unscored answers.
        screens: of five runs on screens, of rising skill.
        labels: people's labels of answers of the first run on charts.
    """

    folder: Path
    charts: tuple[str, ...]
    photos: str
    screens: tuple[str, ...]
    labels: Path


def make(folder: Path) -> Made:
    """Ask, judge and label them in this folder."""
    charts, screens = [], []
    with snellen.Workspace(folder / "w") as workspace:
        data = small_charthal.write(folder / "charts", FIGURES)
        for number, skill in enumerate(SKILLS):
            file = folder / f"charts{number}.jsonl"
            answers = _answers(random.Random(number), skill)
            file.write_text("\n".join(map(json.dumps, answers)), encoding="utf-8")
            run = snellen.run(
                "charthal",
                model=f"replay:{file}",
                prompt="confidence",
                data=data,
                workspace=workspace,
                only_recorded=True,
            )
            charts.append(run.name)
        photos = snellen.run(
            "shale",
            model="constant:Yes, a pan on a table.",
            data=small_shale.write(folder / "photos"),
            perturb="grayscale,jpeg:3,jpeg:1+typos:2",
            workspace=workspace,
        ).name
        small = parsed_screens.write(folder / "screens", 8)
        for model in range(5):
            rng, share = random.Random(model), 0.2 + 0.15 * model
            cases: list[parsed_screens.Case] = [
                (2 * (rng.random() < share), rng.random() < share, rng.randrange(3), rng.random() > share)
                for _ in range(8)
            ]
            screens.append(parsed_screens.judged(workspace, small, folder / f"screens{model}.jsonl", cases).name)
        item = random.Random(7)
        labels = folder / "labels.csv"
        lines = [f"{row.item.id},{item.choice(('right', 'wrong'))}\n" for row in _open(workspace, charts[0]).rows()]
        labels.write_text("id,label\n" + "".join(lines[::3]), encoding="utf-8")
    return Made(folder / "w", tuple(charts), photos, tuple(screens), labels)


def _open(workspace: snellen.Workspace, name: str) -> snellen.Judged:
    return snellen.open_judged(workspace, name)


def _answers(rng: random.Random, skill: float) -> list[dict[str, str]]:
    rows = []
    for figure in range(1, FIGURES + 1):
        for index in (1, 2, 3, 5, 7, 8):
            roll = rng.random()
            if index % 4 == 3:
                said = (
                    f"It is {figure}."
                    if roll < skill
                    else "It is 99."
                    if roll < 0.97
                    else "The chart does not show it."
                )
            else:
                said = "The chart does not show this." if roll < skill else "It is 99."
            sure = rng.randrange(60, 101) if roll < skill else rng.randrange(0, 90)
            rows.append({"id": f"charthal/{figure}/{index}", "response": f"{said}\nConfidence: {sure}"})
    return rows
