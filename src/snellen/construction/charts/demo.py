"""The program that made the demonstration set: charts, questions and references from data that is written down.

    python -m snellen.construction.charts.demo OUT [--font FILE]

writes ``OUT/items.json`` and ``OUT/images/``. Chinese charts need a font with Chinese characters when they are drawn;
the images that ship with Snellen need none.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson

from snellen.construction.charts import demo_chinese, demo_english_business, demo_english_science
from snellen.construction.charts.questions import Chart
from snellen.errors import UsageError

CHARTS: tuple[Chart, ...] = demo_english_business.CHARTS + demo_english_science.CHARTS + demo_chinese.CHARTS
LATIN_FONT = "DejaVu Sans"  # ships with matplotlib


def rows(chart: Chart) -> list[dict[str, Any]]:
    """The questions on a chart as plain rows: cell, texts, and the truth that the reference follows from."""
    return [
        {
            "figure": chart.figure,
            "n": n,
            "image": chart.image,
            "language": chart.language,
            "chart_type": chart.kind,
            "question_type": question.question_type,
            "relation": question.relation,
            "question": question.text,
            "reference": question.written_reference(chart.table),
            "truth": question.truth(chart.table),
        }
        for n, question in enumerate(chart.questions)
    ]


def write(out: Path, font: Path | None = None) -> tuple[int, int]:
    """Draws every chart into `out` and writes its questions; gives the numbers of charts and of questions.

    Raises:
        UsageError: no font with Chinese characters is at hand.
    """
    from snellen.construction.charts import drawing

    chinese = drawing.chinese_font(font)
    (out / "images").mkdir(parents=True, exist_ok=True)
    charts: dict[str, Any] = {}
    items: list[dict[str, Any]] = []
    for chart in CHARTS:
        image = drawing.draw(chart, chinese if chart.language == "zh" else LATIN_FONT)
        (out / chart.image).write_bytes(image)
        charts[chart.figure] = {
            "image": chart.image,
            "sha256": hashlib.sha256(image).hexdigest(),
            "texts": chart.texts,
            "categories": chart.categories,
            "series": chart.series,
            "labelled": chart.labelled,
        }
        items += rows(chart)
    text = orjson.dumps({"charts": charts, "items": items}, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    (out / "items.json").write_bytes(text)
    return len(charts), len(items)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; 0 when all is written, 2 when no font was found."""
    parser = argparse.ArgumentParser(
        prog="python -m snellen.construction.charts.demo", description="Draw the demonstration set."
    )
    parser.add_argument("out", type=Path, help="folder to write items.json and images/ into")
    parser.add_argument("--font", type=Path, help="font file with Chinese characters (default: an installed one)")
    options = parser.parse_args(arguments)
    try:
        charts, items = write(options.out, options.font)
    except UsageError as error:
        print(error, file=sys.stderr)
        return 2
    print(f"{charts} charts and {items} questions in {options.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
