"""Inputs that broke other tools, in ``cases/inputs.jsonl`` beside the test data: each is read as it says there."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from PIL import Image

import small_charthal
from snellen.answer import Answer
from snellen.box import Box
from snellen.cli import cli
from snellen.convention import DEFAULT, Convention, Frame, parse
from snellen.errors import UnreadableReplyError
from snellen.estimate import Estimate
from snellen.image_policy import ImagePolicy
from snellen.images import prepare
from snellen.item import Item, TextReference, YesNoReference
from snellen.judges import charthal, rules
from snellen.metrics import non_hallucination_rate
from snellen.readers import boxes, option, thinking, yes_no
from snellen.table import TableBuilder
from snellen.verdict import Verdict

LARGE = Frame((4000, 3000), (4000, 3000), (4000, 3000))


def estimate(verdicts: list[tuple[Item, Verdict]]) -> Estimate:
    builder = TableBuilder()
    for position, (item, verdict) in enumerate(verdicts):
        builder.add(position, item, verdict)
    return non_hallucination_rate.estimate(builder.build())


def place(text: str, convention: Convention = DEFAULT, frame: Frame = LARGE) -> boxes.TargetReading:
    return boxes.read_target(text, convention, frame)


def numbers(text: str) -> tuple[float, ...]:
    return tuple(map(float, re.findall(r"\d+", text)))


def answers_yes_no(given: str, expected: str) -> None:
    first, _, others = given.partition("(also:")
    texts = [first.strip(), *(t.strip().replace("\\n", "\n") for t in others.rstrip(" )").split(" / ") if t)]
    wanted = "unclear" if "unclear" in expected else expected.lower()
    assert {yes_no.read(thinking.strip(text)[0]) for text in texts} == {wanted}


def is_truncated(given: str, expected: str) -> None:
    text, _, reason = given.removesuffix("]").partition("[finish_reason=")
    assert thinking.strip(text, reason) == ("", True)
    assert "truncated" in expected


def unclear_is_wrong_and_counted(given: str, expected: str) -> None:
    said = [*["yes"] * 2, *["I am not sure"] * 3, *["no"] * 5]
    items = [Item(f"x/{n}", "Is there a dog?", reference=YesNoReference(n < 5), cluster=str(n)) for n in range(10)]
    judged = [(item, rules.read(item, Answer("answered", text=text))) for item, text in zip(items, said, strict=True)]
    assert sum("unclear" in verdict.flags for _, verdict in judged) == 3
    assert estimate(judged).value == 0.7
    assert estimate(judged[:5]).value == 0.4
    assert "accuracy 0.7 (unclear as wrong); recall 0.4 (unclear as miss)" in expected


def is_the_option(given: str, expected: str) -> None:
    assert option.read(given, "ABCD") == expected


def replied(reply: str, status: str = "answered") -> Verdict:
    labels = {"question_type": "descriptive", "relation": "normal"}
    item = Item("x/1", "How many?", reference=TextReference("2020"), labels=labels)
    return charthal.read(item, Answer("answered", text="2021"), [Answer(status, text=reply)])  # type: ignore[arg-type]


def is_no_verdict(given: str, expected: str) -> None:
    with pytest.raises(UnreadableReplyError):
        replied(given.partition("   (")[0])


def leaves_a_gap_with_bounds(given: str, expected: str) -> None:
    with pytest.raises(UnreadableReplyError):
        replied(given.partition("   [cut]")[0], "truncated")
    lost = Verdict(None, "no readable verdict", unscored="judge_error")
    found = estimate([(Item(f"x/{n}", "?", cluster=str(n)), Verdict(1) if n else lost) for n in range(4)])
    assert (found.value, found.n, found.unscored) == (1, 3, 1)
    assert (found.lower_bound, found.upper_bound) == (0.75, 1)


def is_the_true_box(given: str, expected: str) -> None:
    x1, y1, x2, y2 = numbers(expected.partition("xyxy [")[2])
    assert parse("original:xywh").box(numbers(given)[-4:], LARGE) == Box(x1, y1, x2, y2)


def is_a_box(given: str, expected: str) -> None:
    reading = place(given)
    assert reading.box == Box(100, 200, 300, 400)
    assert reading.point == (200, 300)


def is_a_point_and_a_format_error(given: str, expected: str) -> None:
    point, empty = given.split("   and   ")
    assert place(point).point == (1327, 864)  # and not 863.9999999999999, a miss where that is the edge
    assert (place(empty).kind, place(empty).point) == ("format_error", None)


def lies_outside(given: str, expected: str) -> None:
    reading = place(given.rpartition("model box ")[2], frame=Frame((4000, 3000), (2044, 1540), (2044, 1540)))
    assert (reading.kind, reading.box) == ("format_error", None)
    assert "lies outside 2044 x 1540" in reading.problem


def is_written_y_first(given: str, expected: str) -> None:
    frame = Frame((1000, 500), (1000, 500), (1000, 500))
    assert place("[100, 200, 300, 400]", parse("gemini"), frame).box == Box(200, 50, 400, 150)


def is_a_micro_average(given: str, expected: str) -> None:
    apps = [*["A"] * 10, "B"]
    items = [(Item(f"x/{n}", "?", labels={"app": app}, cluster=app), app) for n, app in enumerate(apps)]
    found = estimate([(item, Verdict(int(app == "A"))) for item, app in items])
    assert f"text accuracy {found.value:.1%}".replace("%", " %") == expected


def is_converted(given: str, expected: str) -> None:
    written = io.BytesIO()
    Image.new("CMYK", (4, 4), (0, 200, 200, 0)).save(written, "JPEG")
    sent = prepare(written.getvalue(), ImagePolicy())
    assert (sent.mode, sent.width, sent.height, sent.steps[0]) == ("RGB", 4, 4, "CMYK to RGB")


def is_upright(given: str, expected: str) -> None:
    exif = Image.Exif()
    exif[274] = 6
    written = io.BytesIO()
    Image.new("RGB", (40, 20)).save(written, "JPEG", exif=exif)
    sent = prepare(written.getvalue(), ImagePolicy())
    assert (sent.source_width, sent.source_height, sent.width, sent.height) == (20, 40, 20, 40)


def is_brought_under_the_limit(given: str, expected: str) -> None:
    noise = np.random.default_rng(0).integers(0, 256, (40, 50, 3), dtype=np.uint8)
    written = io.BytesIO()
    Image.fromarray(noise).save(written, "PNG")
    limit = len(written.getvalue()) * 4 // 3 - 30  # just above it, as in the case: 5,272,940 of 5,242,880
    sent = prepare(written.getvalue(), ImagePolicy(max_base64_bytes=limit))
    assert -(-len(sent.data) // 3) * 4 <= limit < -(-len(written.getvalue()) // 3) * 4
    assert sent.record()["bytes"] == len(sent.data)


def is_read_back(given: str, expected: str, tmp_path: Path) -> None:
    texts = ["http://example.org/a" + "x" * 2100, "", "None"]
    assert [row["response"] for row in exported(tmp_path, texts, "export")] == texts


def has_empty_cells(given: str, expected: str, tmp_path: Path) -> None:
    told = exported(tmp_path, ["It is not shown."] * 4, "report", "--json")
    counts = [cell["estimate"]["n"] for cell in told["results"]["cells"]]
    assert sorted(counts) == [0] * 8 + [1] * 4


def exported(tmp_path: Path, texts: list[str], *command: str) -> Any:
    data = small_charthal.write(tmp_path / "data", figures=1)
    file = tmp_path / "answers.jsonl"
    rows = [{"id": f"charthal/1/{number}", "response": text} for number, text in enumerate(texts)]
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    start = ["--workspace", str(tmp_path / "workspace")]
    taken = CliRunner().invoke(cli, [*start, "import", "charthal", str(file), "--model", "m", "--data", str(data)])
    assert taken.exception is None, taken.output
    name = taken.stdout.split("\n")[0].strip()
    done = CliRunner().invoke(cli, [*start, command[0], name, *command[1:]]).stdout
    return json.loads(done) if "--json" in command else [json.loads(line) for line in done.splitlines()]


CASES: Mapping[str, Callable[..., None]] = {
    "B01": answers_yes_no,
    "B04": answers_yes_no,
    "B05": answers_yes_no,
    "B07": answers_yes_no,
    "B08": is_truncated,
    "B09": unclear_is_wrong_and_counted,
    "B11": is_the_option,
    "B12": is_the_option,
    "B13": is_the_option,
    "B14": is_the_option,
    "B20": is_no_verdict,
    "B21": is_no_verdict,
    "B23": leaves_a_gap_with_bounds,
    "B25": is_the_true_box,
    "B27": is_a_box,
    "B28": is_a_point_and_a_format_error,
    "B30": lies_outside,
    "B31": is_written_y_first,
    "B35": is_a_micro_average,
    "B36": is_converted,
    "B38": is_upright,
    "B41": is_brought_under_the_limit,
    "B43": is_read_back,
    "B44": has_empty_cells,
}


@pytest.fixture
def cases(test_data: Path) -> dict[str, dict[str, str]]:
    path = test_data.parent / "cases" / "inputs.jsonl"
    if not path.is_file():
        pytest.skip(f"no cases at {path}")
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {row["id"]: row for row in rows}


def test_every_case_is_looked_at(cases: dict[str, dict[str, str]]) -> None:
    assert set(cases) == set(CASES)


@pytest.mark.parametrize("name", CASES)
def test_it_is_read_as_it_says_there(cases: dict[str, dict[str, str]], name: str, tmp_path: Path) -> None:
    check, case = CASES[name], cases[name]
    if "tmp_path" in check.__annotations__:
        check(case["input"], case["expected"], tmp_path=tmp_path)
    else:
        check(case["input"], case["expected"])
