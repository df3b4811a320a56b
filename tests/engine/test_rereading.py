"""Reading a finished run again, end to end: a small benchmark, recorded answers, a ledger."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from small_screens import confusion, element, fabricated, parse, picture, put
from snellen import library
from snellen.benchmarks import gui_hallubench
from snellen.box import Box
from snellen.convention import PRESETS, Convention, Frame
from snellen.engine.judged import Judged
from snellen.engine.rereading import Rereading, reread, warning
from snellen.engine.workspace import Workspace
from snellen.errors import UsageError
from snellen.item import ElementsReference, ImageRef, Item, TargetReference
from snellen.models import e5
from snellen.readers import embedding
from snellen.request import Request

SCREENS = 14
FRAME = Frame.of(ImageRef("s.png", width=400, height=800))
RUBRIC = "gui:similarity=difflib"


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace(tmp_path / "workspace") as opened:
        yield opened


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Screens with two elements each, the first of them a target, and one absent target."""
    folder = tmp_path / "data"
    asked: list[Any] = []
    for number in range(SCREENS):
        name = f"images/{number}.png"
        picture(folder / name, color=f"#{number * 9:02x}0000")
        asked += [confusion(id=2 * number, image=name), fabricated(id=2 * number + 1, image=name)]
    put(folder / "hallucination.json", asked)
    put(folder / "parsing_en.json", [parse(f"images/{number}.png") for number in range(SCREENS)])
    return folder


def numbers(row: dict[str, Any], written: Convention) -> list[float]:
    return list(written.written(Box(*row["coordinates"]), FRAME))


def listing(written: Convention) -> str:
    rows = [element(), element(type="text", description="Settings", coordinates=[100, 20, 300, 60])]
    listed = [{"type": e["type"], "description": e["description"], "bbox": numbers(e, written)} for e in rows]
    return json.dumps([*listed, {"type": "icon", "description": "invented", "bbox": [0.9, 0.9, 1, 1]}])


def recording(path: Path, workspace: Workspace, data: Path, written: str, *, lists: bool = False) -> Path:
    """Answers of a model that parses well but for one invented element, hits every target, and rejects absent ones."""
    convention, lines = PRESETS[written], []
    for item in gui_hallubench.items(gui_hallubench.locate(data, workspace.cache)):
        assert isinstance(item, Item)
        if isinstance(item.reference, ElementsReference):
            text = listing(convention)
        else:
            assert isinstance(item.reference, TargetReference)
            box = item.reference.box
            text = "The target is not on the screen."
            if box is not None:
                text = json.dumps({"bbox_2d": convention.written(box, FRAME)})
            if lists:
                text = f"Step 1:\n{listing(convention)}\nFinal answer: {text}"
        lines.append(json.dumps({"id": item.id, "response": text}))
    path.write_text("\n".join(lines))
    return path


def judged(workspace: Workspace, data: Path, path: Path, **options: Any) -> Judged:
    options = {"rubric": RUBRIC, **options}
    return library.run("gui-hallubench", model=f"replay:{path}", data=data, workspace=workspace, **options).judged


def again(workspace: Workspace, run: Judged, **options: Any) -> Rereading:
    found = reread(workspace, run, **options)
    assert found is not None
    return found


def test_it_agrees_with_the_judge_and_finds_the_convention(workspace: Workspace, data: Path, tmp_path: Path) -> None:
    path = recording(tmp_path / "a.jsonl", workspace, data, "fraction")
    wrong = judged(workspace, data, path)
    found = again(workspace, wrong)
    suspect = found.conventions.suspect
    assert suspect is not None
    assert suspect.names[0] == "fraction"
    assert (suspect.hits.value, found.conventions.declared.hits.value) == (1, 0)
    assert 'convention = "fraction"' in warning(wrong)

    right = judged(workspace, data, path, convention="fraction")
    assert right.run.id != wrong.run.id or right.judging != wrong.judging
    found = again(workspace, right)
    assert found.conventions.suspect is None
    assert warning(right) == ""
    half = next(line for line in found.sweep.lines if line.threshold == 0.5)
    table = right.table.where(task="parsing")
    for name, estimate in (("recall", half.recall), ("precision", half.precision)):
        top, bottom = table.measure(name)
        assert estimate.value == top.sum() / bottom.sum()
    assert half.localization.value == 1
    values = {each.name: each.value for each in found.sensitivity}
    assert values == {
        "parsing_recall": 1,
        "parsing_precision": pytest.approx(2 / 3),
        "label_agreement": 1,
        "localization_accuracy": 1,
        "hallucination_average": 1,
        "macro_hallucination_average": 1,
    }
    assert found.answers == len(right.table)
    assert found.listed is None


def test_judged_in_another_convention_is_read_in_that_one(workspace: Workspace, data: Path, tmp_path: Path) -> None:
    run = judged(workspace, data, recording(tmp_path / "a.jsonl", workspace, data, "fraction"))
    other = library.judge(run.run.name, judge="rules", rubric=RUBRIC, convention="fraction", workspace=workspace).judged
    assert again(workspace, other).conventions.declared.names[0] == "fraction"
    assert warning(other) == ""
    assert again(workspace, run).conventions.suspect is not None


def test_lists_in_answers_are_parses(workspace: Workspace, data: Path, tmp_path: Path) -> None:
    path = recording(tmp_path / "p.jsonl", workspace, data, "fraction", lists=True)
    run = judged(workspace, data, path, prompt="pgp", convention="fraction")
    listed = again(workspace, run).listed
    assert listed is not None
    assert (listed.answers, listed.empty, listed.unknown) == (2 * SCREENS, 0, 0)
    assert listed.source == run.run.name
    assert (listed.recall.value, listed.label_agreement.value) == (1, 1)
    assert listed.precision.value == pytest.approx(2 / 3)
    assert listed.recall.clusters == SCREENS
    json.dumps(again(workspace, run).to_json())


def test_parses_of_another_run(workspace: Workspace, data: Path, tmp_path: Path) -> None:
    whole = judged(workspace, data, recording(tmp_path / "a.jsonl", workspace, data, "fraction"))
    alone = tmp_path / "alone"
    for file in data.rglob("*.png"):
        (alone / file.relative_to(data)).parent.mkdir(parents=True, exist_ok=True)
        (alone / file.relative_to(data)).write_bytes(file.read_bytes())
    (alone / "hallucination.json").write_bytes((data / "hallucination.json").read_bytes())
    path = recording(tmp_path / "p.jsonl", workspace, alone, "fraction", lists=True)
    run = judged(workspace, alone, path, prompt="pgp", convention="fraction")
    assert again(workspace, run).listed is None
    listed = again(workspace, run, parses=whole.run).listed
    assert listed is not None
    assert (listed.answers, listed.source, listed.recall.value) == (2 * SCREENS, whole.run.name, 1)
    with pytest.raises(UsageError, match="has no parsing items"):
        reread(workspace, run, parses=run.run)
    with pytest.raises(UsageError, match="holds no lists"):
        reread(workspace, whole, parses=run.run)


def test_the_same_draws_give_the_same(workspace: Workspace, data: Path, tmp_path: Path) -> None:
    run = judged(workspace, data, recording(tmp_path / "a.jsonl", workspace, data, "pixels"))
    assert again(workspace, run).to_json() == again(workspace, run).to_json()
    assert again(workspace, run, seed=1).sensitivity != again(workspace, run, seed=2).sensitivity
    assert run.rereading is not None
    assert run.rereading.to_json() == again(workspace, run).to_json()


def test_similarity_from_the_vectors_of_the_judging(
    workspace: Workspace, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = recording(tmp_path / "a.jsonl", workspace, data, "pixels")
    path.write_text(path.read_text().replace("Settings", "Set"))

    def answer(request: Request, load: object, argument: str = "") -> str:
        return embedding.write([3.0, float(len(request.text()))])

    monkeypatch.setattr(e5, "answer", answer)
    run = judged(workspace, data, path, rubric="gui", judge="e5", items="*parsing*")
    top, bottom = run.table.measure("function_similarity")
    found = {each.name: each for each in again(workspace, run).sensitivity}
    assert found["function_similarity"].value == pytest.approx(top.sum() / bottom.sum())
    assert 0.9 < found["function_similarity"].value < 0.999
    assert found["parsing_average"].value == pytest.approx((1 + 2 / 3 + found["function_similarity"].value) / 3)


def test_other_benchmarks_have_nothing_to_read_again(workspace: Workspace) -> None:
    run = library.run("charthal-demo", model="blind", workspace=workspace, items="*/0").judged
    assert reread(workspace, run) is None
    assert run.rereading is None
    assert warning(run) == ""
