"""The program that drew the demonstration set, and the expressions its truths are written in."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib import font_manager
from PIL import Image

from snellen.benchmarks import charthal_demo
from snellen.construction.charts import demo, drawing
from snellen.construction.charts.questions import Chart, Question
from snellen.construction.charts.truth import Expression, Table, Value, evaluate
from snellen.errors import UsageError

TABLE = Table(("Q1", "Q2", "Q3"), {"Sales": (3.0, 5.0, 4.0), "Costs": (1.0, 2.0, 3.0)})
ENGLISH: dict[str, Chart] = {chart.kind: chart for chart in demo.CHARTS if chart.language == "en"}


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        (7, 7),
        ("word", "word"),
        (("at", "Sales", "Q2"), 5.0),
        (("-", ("at", "Sales", "Q2"), ("at", "Sales", "Q1")), 2.0),
        (("+", 1, 2, ("at", "Costs", "Q3")), 6.0),
        (("*", ("last", "Sales"), 2), 8.0),
        (("/", ("sum", "Sales"), ("count",)), 4.0),
        (("mean", "Sales"), 4.0),
        (("first", "Sales"), 3.0),
        (("total", "Q3"), 7.0),
        (("count-series",), 2),
        (("max", "Sales"), 5.0),
        (("argmax", "Sales"), "Q2"),
        (("argmin", "Sales"), "Q1"),
        (("above", "Sales", 3), 2),
        (("rising", "Costs"), True),
        (("rising", "Sales"), False),
        (("falling", "Costs"), False),
        (("<", ("min", "Sales"), ("min", "Costs")), False),
        (("=", ("argmax", "Costs"), "Q3"), True),
    ],
)
def test_expressions(expression: Expression, value: Value) -> None:
    assert evaluate(expression, TABLE) == value


def test_what_is_not_in_the_table_is_an_error() -> None:
    with pytest.raises(KeyError):
        evaluate(("at", "Sales", "Q4"), TABLE)
    with pytest.raises(KeyError):
        evaluate(("max", "Profit"), TABLE)
    with pytest.raises(ValueError, match="unknown operation 'median'"):
        evaluate(("median", "Sales"), TABLE)
    with pytest.raises(ValueError, match="2 values for 1"):
        Table(("Q1",), {"Sales": (1.0, 2.0)})


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=8))
def test_expressions_agree_with_numpy(values: list[float]) -> None:
    names = tuple(str(number) for number in range(len(values)))
    table = Table(names, {"s": tuple(values)})
    assert evaluate(("sum", "s"), table) == pytest.approx(float(np.sum(values)), abs=1e-6)
    assert evaluate(("mean", "s"), table) == pytest.approx(float(np.mean(values)), abs=1e-6)
    assert evaluate(("argmax", "s"), table) == names[int(np.argmax(values))]
    assert evaluate(("-", ("max", "s"), ("min", "s")), table) == pytest.approx(float(np.ptp(values)))


def test_a_reference_is_filled_in_from_the_data() -> None:
    question = Question(
        "descriptive", "normal", "?", "From {a} to {b}, {c} more, best in {d}.",
        {
            "a": (("at", "Sales", "Q1"), 0, ""),
            "b": (("at", "Sales", "Q2"), 0.25, "%"),
            "c": (("/", 2, 3), 0.1, ""),
            "d": (("argmax", "Sales"), 0, ""),
        },
    )  # fmt: skip
    assert question.written_reference(TABLE) == (
        "From 3 to 5% (Answers in the range [4.75%, 5.25%] are ACCEPTABLE), "
        "0.67 (Answers in the range [0.57, 0.77] are ACCEPTABLE) more, best in Q2."
    )
    with pytest.raises(KeyError):
        replace(question, reference="{nothing}").written_reference(TABLE)


def test_the_shipped_file_is_what_the_program_writes() -> None:
    folder = charthal_demo.locate(None, Path("unused"))
    shipped = orjson.loads((folder / "items.json").read_bytes())
    written = [row for chart in demo.CHARTS for row in demo.rows(chart)]
    assert shipped["items"] == orjson.loads(orjson.dumps(written)), "run the program again"
    assert list(shipped["charts"]) == [chart.figure for chart in demo.CHARTS]
    for chart in demo.CHARTS:
        there = shipped["charts"][chart.figure]
        assert there["categories"] == list(chart.categories)
        assert there["series"] == {name: list(values) for name, values in chart.series.items()}
        assert there["texts"] == list(chart.texts)
        assert there["image"] == chart.image


def pixels(data: bytes) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    with Image.open(io.BytesIO(data)) as image:
        return np.asarray(image)


@pytest.mark.parametrize("kind", sorted(ENGLISH))
def test_every_kind_shows_its_data(kind: str) -> None:
    """The picture has the declared size and format, is the same each time, and changes with any value drawn."""
    chart = ENGLISH[kind]
    data = drawing.draw(chart, demo.LATIN_FONT)
    with Image.open(io.BytesIO(data)) as image:
        assert (image.size, image.mode) == (chart.size, "RGB")
        assert image.format == {"png": "PNG", "jpg": "JPEG"}[chart.suffix]
    name, values = next(iter(chart.series.items()))
    changed = replace(chart, series={**chart.series, name: (values[0] * 1.3 - 1, *values[1:])})
    assert (pixels(drawing.draw(changed, demo.LATIN_FONT)) != pixels(data)).any()
    if kind in ("bar", "area"):
        assert drawing.draw(chart, demo.LATIN_FONT) == data


@pytest.fixture
def two_charts(monkeypatch: pytest.MonkeyPatch) -> tuple[Chart, ...]:
    charts = tuple(next(chart for chart in demo.CHARTS if chart.language == language) for language in ("en", "zh"))
    monkeypatch.setattr(demo, "CHARTS", charts)
    return charts


def test_the_program_writes_a_folder_that_can_be_used(
    two_charts: tuple[Chart, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        drawing.chinese_font()
    except UsageError as error:
        pytest.skip(str(error))
    out = tmp_path / "new" / "folder"
    assert demo.main([str(out)]) == 0
    assert "2 charts and 8 questions" in capsys.readouterr().out
    assert len(list(charthal_demo.items(out))) == 8
    assert list(charthal_demo.check(out)) == []
    before = charthal_demo.digest(out)
    assert demo.main([str(out)]) == 0
    assert charthal_demo.digest(out) == before


def test_no_chinese_font_is_said_before_anything_is_written(
    two_charts: tuple[Chart, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(font_manager.fontManager, "ttflist", [])
    assert demo.main([str(tmp_path / "out")]) == 2
    assert "fonts-noto-cjk" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("content", [None, b"", b"not a font"])
def test_a_file_that_is_no_font_is_refused(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "font.ttf"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(UsageError, match=r"font\.ttf"):
        drawing.chinese_font(file)


def test_a_font_can_be_named_by_its_file() -> None:
    assert drawing.chinese_font(Path(font_manager.findfont(demo.LATIN_FONT))) == demo.LATIN_FONT
