"""The association of parses and places, counted by hand on small copies with recorded answers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import parsed_screens as made
from snellen import library
from snellen.box import Box
from snellen.engine.parse_association import Association, Link, associate, elements_of
from snellen.engine.workspace import Workspace

CASES: list[made.Case] = [
    # listed, hit, invented, pointed
    (2, True, 0, False),
    (2, True, 0, False),
    (2, False, 0, True),
    (1, True, 0, False),
    (1, False, 1, False),
    (0, False, 2, True),
    (0, False, 3, True),
    (0, True, 3, True),
]


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace(tmp_path / "w") as opened:
        yield opened


def link(found: Association, name: str) -> Link:
    return next(each for each in found.links if each.name == name)


def cells(found: Link) -> tuple[int, int, int, int]:
    crude = found.crude
    return crude.exposed_bad, crude.exposed_good, crude.other_bad, crude.other_good


def test_counted_by_hand(workspace: Workspace, tmp_path: Path) -> None:
    data = made.write(tmp_path / "d", len(CASES))
    (found,) = associate([made.judged(workspace, data, tmp_path / "a.jsonl", CASES)])
    assert found.run.startswith("gui-hallubench/")
    # Not parsed at all: the last three, two of them missed; of the other five two are missed.
    assert cells(link(found, "missed")) == (2, 1, 2, 3)
    assert link(found, "missed").crude.value == pytest.approx(2 * 3 / (1 * 2))
    # Not in full: the last five, three of them missed; of the three that are parsed in full one.
    assert cells(link(found, "missed_in_part")) == (3, 2, 1, 2)
    # Every answer points.
    assert cells(link(found, "missed_pointed")) == (2, 1, 2, 3)
    # Median of invented 0.5: the last four are above it, three of them pointed at; below it one of four.
    assert cells(link(found, "invented")) == (3, 1, 1, 3)
    # Pointed at where 0, 2, 3 and 3 are invented, rejected where 0, 0, 0 and 1 are.
    pairs = [(a > b) + 0.5 * (a == b) for a in (0, 2, 3, 3) for b in (0, 0, 0, 1)]
    assert found.areas["invented"].value == pytest.approx(float(np.mean(pairs)))
    assert found.left_out == {}
    assert set(link(found, "missed").within) == {"screen", "element"}
    assert set(link(found, "invented").within) == {"element"}


def test_several_runs_are_pooled_with_the_model_as_stratum(workspace: Workspace, tmp_path: Path) -> None:
    data = made.write(tmp_path / "d", len(CASES))
    turned = [(2 - listed, not hit, invented, pointed) for listed, hit, invented, pointed in CASES]
    first = made.judged(workspace, data, tmp_path / "a.jsonl", CASES)
    second = made.judged(workspace, data, tmp_path / "b.jsonl", turned)
    one, other, pooled = associate([first, second])
    assert pooled.run == ""
    assert cells(link(other, "missed")) == (2, 1, 2, 3)
    assert cells(link(pooled, "missed")) == (4, 2, 4, 6)
    within = link(pooled, "missed").within
    assert set(within) == {"screen", "element", "run", "run and screen"}
    # Each run: 2 x 3 / 8 over 1 x 2 / 8.
    assert within["run"].value == pytest.approx(3)
    assert within["run"].strata == 2
    assert within["run"].clusters == 8
    assert link(pooled, "missed").leading is within["run"]
    assert link(one, "missed").p_holm is not None
    assert link(one, "missed").p_holm >= link(one, "missed").crude.p  # type: ignore[operator]


def test_an_association_that_is_there_is_found(workspace: Workspace, tmp_path: Path) -> None:
    cases: list[made.Case] = [(2, n % 8 != 0, 0, n % 8 == 0) for n in range(24)]
    cases += [(0, n % 8 == 0, 2, n % 8 != 0) for n in range(24)]
    data = made.write(tmp_path / "d", len(cases))
    (found,) = associate([made.judged(workspace, data, tmp_path / "a.jsonl", cases)])
    for name in ("missed", "missed_in_part", "missed_pointed", "invented"):
        each = link(found, name)
        assert each.crude.value == pytest.approx(49)
        assert each.crude.low is not None
        assert each.crude.low > 5
        assert each.p_holm is not None
        assert each.p_holm < 1e-4
    assert found.areas["invented"].low is not None
    assert found.areas["invented"].low > 0.7


def test_what_is_left_out_is_counted(workspace: Workspace, tmp_path: Path) -> None:
    data = made.write(tmp_path / "d", len(CASES))
    rows = json.loads((data / "hallucination.json").read_text())
    rows[0]["target"] = [300, 300, 320, 320]  # nothing lies there
    (data / "hallucination.json").write_text(json.dumps(rows))
    parses = json.loads((data / "parsing_en.json").read_text())
    (data / "parsing_en.json").write_text(json.dumps(parses[:-1]))  # the last screen has no parse
    file = made.answers(tmp_path / "a.jsonl", CASES)
    lines = file.read_text().splitlines()
    lines = [line for line in lines if "confusion/en/c1" not in line]  # never answered
    lines = [
        json.dumps({"id": "gui-hallubench/fabricated/en/f2", "response": "Nice colours."}) if "/f2" in line else line
        for line in lines
    ]
    file.write_text("\n".join(lines))
    run = library.run(
        "gui-hallubench", model=f"replay:{file}", rubric="gui:similarity=none", workspace=workspace, data=data
    )
    (found,) = associate([run.judged])
    assert found.left_out == {"no_element": 1, "unscored": 1, "unreadable": 1, "no_parse": 2}
    assert sum(cells(link(found, "missed"))) == len(CASES) - 3
    assert sum(cells(link(found, "invented"))) == len(CASES) - 2


def test_rejections_are_misses_and_point_nowhere(workspace: Workspace, tmp_path: Path) -> None:
    data = made.write(tmp_path / "d", len(CASES))
    file = made.answers(tmp_path / "a.jsonl", CASES)
    text = file.read_text()
    lines = [
        json.dumps({"id": "gui-hallubench/confusion/en/c5", "response": made.REJECTED}) if "/c5" in line else line
        for line in text.splitlines()
    ]
    file.write_text("\n".join(lines))
    run = library.run(
        "gui-hallubench", model=f"replay:{file}", rubric="gui:similarity=none", workspace=workspace, data=data
    )
    (found,) = associate([run.judged])
    assert cells(link(found, "missed")) == (2, 1, 2, 3)
    assert cells(link(found, "missed_pointed")) == (1, 1, 2, 3)


def test_other_benchmarks_have_none(workspace: Workspace) -> None:
    run = library.run("charthal-demo", model="blind", items="charthal-demo/*/0", workspace=workspace)
    assert associate([run.judged]) == ()


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        (Box(0, 0, 100, 50), [0, 1]),  # both centres
        (Box(12, 12, 40, 32), [0]),
        (Box(0, 0, 10, 10), []),  # within the first element, far from its centre, and small
        (Box(16, 11, 41, 31), [0]),
        (Box(20.1, 10, 30, 30), []),  # nearly half of the first, beside its centre at x = 20
        (Box(20, 10, 30, 30), [0]),  # the centre lies on its edge
    ],
)
def test_elements_of_a_target(target: Box, expected: list[int]) -> None:
    edges = np.array([[10, 10, 30, 30], [60, 10, 90, 30], [200, 200, 210, 210]], float)
    assert elements_of(target, edges).tolist() == expected


def test_an_element_that_overlaps_by_half_and_more_is_always_among_them() -> None:
    rng = np.random.default_rng(0)
    corners = np.sort(rng.integers(0, 12, (4000, 2, 2)), axis=1)
    boxes = corners.reshape(-1, 4).astype(float)
    for one, other in zip(boxes[0::2], boxes[1::2], strict=True):
        target, element = Box(*one), Box(*other)
        if target.iou(element) >= 0.5:
            assert elements_of(target, other[None]).tolist() == [0]


def test_no_elements_and_a_box_turned_inside_out_have_none() -> None:
    assert elements_of(Box(0, 0, 10, 10), np.zeros((0, 4))).tolist() == []
    assert elements_of(Box(90, 90, 10, 10), np.array([[0.0, 0.0, 100.0, 100.0]])).tolist() == []
