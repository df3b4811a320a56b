"""The demonstration set: about a hundred ChartHal questions on charts that we drew, so every truth is known exactly.

Layout of a data folder: ``items.json`` holds ``charts`` (figure -> image, its SHA-256, the texts on it, the drawn
data) and ``items`` (rows with figure, n, image, language, chart_type, question_type, relation, question, reference,
truth); ``images/`` holds the charts. It ships with the package and was written by
``python -m snellen.construction.charts.demo``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from snellen.benchmarks import _shipped
from snellen.benchmarks._screen_files import MISSING, sha256
from snellen.benchmarks._wrong_value import wrong_value
from snellen.card import Card, Finding
from snellen.errors import DataError
from snellen.item import ImageRef, Item, TextReference, escape_id

_ITEMS = "items.json"
_TEXTS = ("figure", "image", "language", "chart_type", "question_type", "relation", "question", "reference")

CARD = Card(
    name="charthal-demo",
    title="ChartHal demonstration",
    summary=(
        "Thirty charts drawn from invented data and about a hundred questions on them, over ChartHal's twelve cells of "
        "question type and relation, in English and Chinese: does a model claim to see what a chart does not show?"
    ),
    authors="The Snellen authors",
    licence="Apache-2.0 (drawn for Snellen from invented data)",
    languages=("en", "zh"),
    domain="chart",
    labels={
        "question_type": ("descriptive", "reasoning", "open-ended"),
        "relation": ("irrelevant", "inexistent", "contradictory", "normal"),
        "language": ("en", "zh"),
        "chart_type": (
            "bar",
            "horizontal-bar",
            "grouped-bar",
            "stacked-bar",
            "line",
            "area",
            "scatter",
            "pie",
            "histogram",
            "heat-map",
            "box",
        ),
    },
    label_titles={
        "question_type": "Question type",
        "question_type=descriptive": "Descriptive",
        "question_type=reasoning": "Reasoning",
        "question_type=open-ended": "Open-ended",
        "relation": "Relation to the chart",
        "relation=irrelevant": "Irrelevant",
        "relation=inexistent": "Inexistent",
        "relation=contradictory": "Contradictory",
        "relation=normal": "Normal",
        "language": "Language",
        "language=en": "English",
        "language=zh": "Chinese",
        "chart_type": "Chart type",
        "chart_type=bar": "Bar",
        "chart_type=horizontal-bar": "Horizontal bar",
        "chart_type=grouped-bar": "Grouped bar",
        "chart_type=stacked-bar": "Stacked bar",
        "chart_type=line": "Line",
        "chart_type=area": "Area",
        "chart_type=scatter": "Scatter",
        "chart_type=pie": "Pie",
        "chart_type=histogram": "Histogram",
        "chart_type=heat-map": "Heat map",
        "chart_type=box": "Box",
    },
    judge="charthal",
    answerable={"relation": ("normal",)},
    notes=(
        "This is a demonstration set, small and easy: it shows that everything works, and is no measure to publish.",
        "Charts, questions and references follow from invented data; nothing in it is taken from ChartHal itself.",
    ),
)


def locate(data: Path | None, cache: Path) -> Path:
    """The folder of the data: the user's, else the one in the package; nothing is ever written into `cache`.

    Raises:
        DataError: the folder holds no ``items.json``.
    """
    return _shipped.located(data, "charthal_demo_data", [_ITEMS])


def digest(data: Path) -> str:
    """Hex SHA-256 over ``items.json`` and every image, names included."""
    return _shipped.digest_of(data, _ITEMS)


def items(data: Path) -> Iterator[Item | DataError]:
    """Every question, in the order of the file; a row that is not as declared is yielded as a `DataError`.

    Raises:
        DataError: ``items.json`` cannot be read at all.
    """
    seen: set[str] = set()
    for number, row in enumerate(_read(data)["items"]):
        where = f"items[{number}]"
        if problem := _problem(row):
            yield DataError(problem, file=_ITEMS, row=where)
            continue
        figure = escape_id(row["figure"])
        id_ = f"{CARD.name}/{figure}/{row['n']}"
        if id_ in seen:
            yield DataError(
                "this id occurred before: give every question of a figure its own n", file=_ITEMS, row=where
            )
            continue
        seen.add(id_)
        yield Item(
            id=id_,
            question=row["question"],
            images=(ImageRef(name=row["image"], path=str(data / row["image"])),),
            reference=TextReference(row["reference"]),
            labels={name: row[name] for name in CARD.labels},
            groups={"figure": row["figure"]},
            cluster=f"{CARD.name}/{figure}",
            language=row["language"],
            distractors=_distractors(row),
        )


def check(data: Path) -> Iterator[Finding]:
    """Rows that cannot be used, and images that are missing or not those that were drawn."""
    for item in items(data):
        if isinstance(item, DataError):
            yield Finding("bad row", f"{item.file} {item.row}", f"{item.what}; the row is left out", serious=True)
    charts = _read(data)["charts"]
    for figure, chart in charts.items() if isinstance(charts, dict) else ():
        where = f"{_ITEMS} charts.{figure}"
        name, recorded = (chart.get("image"), chart.get("sha256")) if isinstance(chart, dict) else (None, None)
        if not isinstance(name, str) or not _inside(name) or not isinstance(recorded, str):
            yield Finding("bad chart", where, "it does not name its image and the image's sha256", serious=True)
        elif (there := sha256(data / name)) == MISSING:
            yield Finding("image missing", f"{name:.200}", "its questions cannot be asked", serious=True)
        elif there != recorded:
            yield Finding("image changed", name, "it is not the image that was drawn; it is asked about as it is")


def _read(data: Path) -> dict[str, Any]:
    try:
        content = orjson.loads((data / _ITEMS).read_bytes())
    except (OSError, orjson.JSONDecodeError) as error:
        raise DataError(
            f"cannot be read ({error}): restore it, or leave --data out", file=str(data / _ITEMS)
        ) from error
    if not isinstance(content, dict) or not isinstance(content.get("items"), list) or "charts" not in content:
        raise DataError("is not an object with 'charts' and a list of 'items'", file=str(data / _ITEMS))
    return content


def _distractors(row: dict[str, Any]) -> tuple[str, ...]:
    """A wrong number for the last one that the row's truth settles, which is what is asked for."""
    truth = row.get("truth")
    settled = truth.get("values") if isinstance(truth, dict) else None
    numbers = [each.get("value") for each in settled or () if isinstance(each, dict)]
    written = [f"{number:.12g}" for number in numbers if isinstance(number, int | float)]
    return tuple(filter(None, map(wrong_value, written[-1:])))


def _inside(name: str) -> bool:
    path = Path(name)
    return bool(name) and "\0" not in name and not path.is_absolute() and ".." not in path.parts


def _problem(row: Any) -> str:
    if not isinstance(row, dict):
        return "is not an object"
    for name in _TEXTS:
        if not isinstance(row.get(name), str):
            return f"{name!r} is not a text"
    for name in ("figure", "question"):
        if not row[name].strip():
            return f"{name!r} is empty"
    if not isinstance(row.get("n"), int) or isinstance(row["n"], bool) or row["n"] < 0:
        return "'n' is not a number from 0"
    for name, values in CARD.labels.items():
        if row[name] not in values:
            return f"{name!r} is {row[name][:40]!r}, not one of {', '.join(values)}"
    if not _inside(row["image"]):
        return "'image' is not a path inside the data folder"
    return ""
