"""A preflight against servers that work, and against servers that fail in one way each."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fake_server import FakeServer, completion, question_of
from snellen.convention import PRESETS, Frame
from snellen.engine import canned_pictures, patience
from snellen.engine.canned_items import questions
from snellen.engine.choice import Wish
from snellen.engine.preflight import NAME, Preflight, preflight
from snellen.engine.preflight_checks import Check
from snellen.engine.workspace import Workspace
from snellen.errors import UsageError
from snellen.item import TargetReference
from snellen.model_spec import ModelSpec, Price


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace(tmp_path / "workspace") as opened:
        yield opened


def images_of(body: Mapping[str, Any]) -> list[bytes]:
    content = body["messages"][-1]["content"]
    urls = [] if isinstance(content, str) else [p["image_url"]["url"] for p in content if p["type"] == "image_url"]
    return [base64.b64decode(url.partition(",")[2]) for url in urls]


class Eyes:
    """Answers as a model would that sees: it knows the pictures of the first preflights by their bytes."""

    def __init__(self, folder: Path, convention: str = "pixels") -> None:
        self._convention = PRESETS[convention]
        self._known = {}
        for number in range(1, 4):
            (folder / str(number)).mkdir(parents=True)
            for item in questions(str(number), folder / str(number), screens=True):
                for image in item.images:
                    self._known[Path(image.path).read_bytes()] = item

    def __call__(self, body: dict[str, Any], number: int) -> Any:
        repeat = re.search(r'Repeat this word, and write nothing else: "(\w+)"', question_of(body))
        if repeat:
            return completion(repeat[1])
        item = self._known[images_of(body)[0]]
        assert item.reference is not None
        if not isinstance(item.reference, TargetReference):
            return completion(f"The word is {item.reference.text.capitalize()}.")
        assert item.reference.box is not None
        box = self._convention.written(item.reference.box, Frame.of(item.images[0]))
        return completion(json.dumps({"bbox_2d": [round(value, 3) for value in box]}))


def judging(body: dict[str, Any], number: int) -> Any:
    """A judge of charts that is right: it finds the numbers that it was given."""
    text = question_of(body)
    answer = text.rpartition("ANSWER")[0].rpartition("ANSWER")[2]
    if "REFERENCE" in text:
        reference = text.partition("REFERENCE")[2].partition("REFERENCE")[0]
        truth = re.search(r"\d\d\b(?!\w)", reference.partition("\n")[2])
        assert truth is not None
        return completion(
            f"It says so.\nScore: {int(bool(re.search(rf'(?<![0-9a-f]){truth[0]}(?![0-9a-f])', answer)))}"
        )
    return completion("It says that this is not there.\nScore: 1")


def by_name(found: Preflight, name: str, role: str) -> list[Check]:
    return [check for check in found.checks if (check.name, check.role) == (name, role)]


def only(found: Preflight, name: str, role: str = "model") -> Check:
    (check,) = by_name(found, name, role)
    return check


def fly(workspace: Workspace, spec: ModelSpec, benchmark: str = "charthal-demo", wish: Wish | None = None) -> Preflight:
    return preflight(workspace, benchmark, spec, wish or Wish(""))


def test_all_is_well(workspace: Workspace, tmp_path: Path) -> None:
    with FakeServer(Eyes(tmp_path)) as model, FakeServer(judging) as judge:
        spec = ModelSpec("served-model", base_url=model.url, price=Price(1.0, 2.0))
        found = fly(workspace, spec, wish=Wish(ModelSpec("served", base_url=judge.url, price=Price(1.0, 1.0))))
        asked = len(model.requests), len(judge.requests)
        again = fly(workspace, spec, wish=Wish(ModelSpec("served", base_url=judge.url, price=Price(1.0, 1.0))))
    assert not found.failed
    assert [(check.name, check.role, check.status) for check in found.checks] == [
        ("data", "run", "ok"),
        ("endpoint", "model", "ok"),
        ("image seen", "model", "ok"),
        ("parameters", "model", "ok"),
        ("endpoint", "judge", "ok"),
        ("parameters", "judge", "ok"),
        ("verdicts", "judge", "ok"),
        ("time and cost", "model", "ok"),
        ("time and cost", "judge", "ok"),
    ]
    assert only(found, "verdicts", "judge").found == "8 of 8 are right (right, wrong, refusing; en and zh)"
    assert "102 requests (0 stored)" in only(found, "time and cost").found
    assert found.cost == pytest.approx((2 * (100 + 20) + 8 * 110) / 1e6)
    # Its requests are runs in the ledger, and none of the second preflight is answered from the first.
    assert asked == (2, 8)
    assert (len(model.requests), len(judge.requests)) == (4, 16)
    assert not again.failed
    runs = {row.name: row for row in workspace.ledger.runs()}
    assert set(found.runs) <= set(runs)
    assert not set(found.runs) & set(again.runs)
    asked_rows = workspace.ledger.results(runs[found.runs[0]].id, None)
    assert [row.answer is not None and row.answer.status for row in asked_rows] == ["answered"] * 2
    assert runs[found.runs[0]].spec["benchmark"] == NAME


def test_a_server_that_ignores_images(workspace: Workspace) -> None:
    def blind(body: dict[str, Any], number: int) -> Any:
        repeat = re.search(r'nothing else: "(\w+)"', question_of(body))
        return completion(repeat[1] if repeat else "I see the word HELLO.")

    with FakeServer(blind) as server:
        found = fly(workspace, ModelSpec("served-model", base_url=server.url))
    assert found.failed
    assert only(found, "endpoint").status == "ok"
    check = only(found, "image seen")
    assert check.status == "failed"
    assert "'I see the word HELLO.'" in check.found
    assert canned_pictures.word("read 1") in check.found
    assert "--mmproj" in check.change


def test_a_model_without_eyes_refuses_the_picture_alone(workspace: Workspace) -> None:
    def text_only(body: dict[str, Any], number: int) -> Any:
        if images_of(body):
            return 400, {"error": {"message": "image input is not supported"}}, {}
        return completion("x")

    with FakeServer(text_only) as server:
        found = fly(workspace, ModelSpec("served-model", base_url=server.url))
    assert only(found, "endpoint").status == "ok"
    check = only(found, "image seen")
    assert check.status == "failed"
    assert "image input is not supported" in check.found
    assert "takes images" in check.change


def test_a_word_that_is_nearly_read_is_a_warning(workspace: Workspace) -> None:
    near = canned_pictures.word("read 1")[:-1] + "Y"
    with FakeServer(lambda body, number: completion(near)) as server:
        found = fly(workspace, ModelSpec("served-model", base_url=server.url))
    assert only(found, "image seen").status == "warning"
    assert near in only(found, "image seen").found


def test_a_model_that_says_nothing(workspace: Workspace) -> None:
    with FakeServer(lambda body, number: completion("<think>hm</think>" if number else "")) as server:
        found = preflight(workspace, "charthal-demo", ModelSpec("served-model", base_url=server.url), Wish("rules"))
    endpoint, seen = (next(each for each in found.checks if each.name == name) for name in ("endpoint", "image seen"))
    assert (endpoint.status, endpoint.found) == ("failed", "a word is to be repeated, and the answer is empty")
    assert "max_tokens" in endpoint.change
    assert seen.status == "skipped"  # an answer without words is no sign of images that were dropped


def test_an_answer_that_is_cut(workspace: Workspace) -> None:
    with FakeServer(lambda body, number: completion("<think>Let me", "length")) as server:
        found = fly(workspace, ModelSpec("served-model", base_url=server.url))
    assert only(found, "image seen").status == "failed"
    assert "max_tokens" in only(found, "image seen").change


@pytest.mark.parametrize("declared", [False, True])
def test_a_server_that_refuses_parameters(workspace: Workspace, tmp_path: Path, declared: bool) -> None:
    eyes = Eyes(tmp_path)

    def strict(body: dict[str, Any], number: int) -> Any:
        for name in ("temperature", "reasoning_effort"):
            if name in body:
                return 400, {"error": {"message": f"Unsupported parameter: {name}", "param": name}}, {}
        return eyes(body, number)

    effort = "high" if declared else ""
    with FakeServer(strict) as server:
        found = fly(workspace, ModelSpec("served-model", base_url=server.url, reasoning_effort=effort))
    checks = {check.found.partition("=")[0]: check for check in by_name(found, "parameters", "model")}
    assert checks["temperature"].status == "warning"
    assert "refused by the server and left out" in checks["temperature"].found
    if declared:  # a comparison of efforts would be one of nothing
        assert checks["reasoning_effort"].status == "failed"
        assert "reasoning_effort" in checks["reasoning_effort"].change
    assert found.failed == declared


def test_a_parameter_that_is_renamed_is_accepted(workspace: Workspace, tmp_path: Path) -> None:
    eyes = Eyes(tmp_path)

    def newer(body: dict[str, Any], number: int) -> Any:
        if "max_tokens" in body:
            message = "'max_tokens' is not supported: use 'max_completion_tokens' instead"
            return 400, {"error": {"message": message, "param": "max_tokens"}}, {}
        return eyes(body, number)

    with FakeServer(newer) as server:
        found = fly(workspace, ModelSpec("served-model", base_url=server.url, parameters={"max_tokens": 512}))
    check = only(found, "parameters")
    assert (check.status, check.found) == (
        "ok",
        "max_tokens=512 is sent as max_completion_tokens, as the server wants it",
    )


@pytest.mark.parametrize(
    ("status", "message", "advice"),
    [
        (401, "Incorrect API key provided", "--key-variable"),
        (404, "The model `served-mode` does not exist", "the name by which the server knows the model"),
    ],
)
def test_a_wrong_key_and_a_wrong_name(workspace: Workspace, status: int, message: str, advice: str) -> None:
    with FakeServer(lambda body, number: (status, {"error": {"message": message}}, {})) as server:
        spec = ModelSpec("served-mode", base_url=server.url)
        found = fly(workspace, spec, wish=Wish(spec))
    for role, name in (("model", "endpoint"), ("judge", "verdicts")):
        check = only(found, name, role)
        assert check.status == "failed"
        assert message in check.found
        assert advice in check.change
    assert only(found, "image seen").status == "skipped"


def test_a_key_that_is_not_set(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    spec = ModelSpec("m", base_url="http://127.0.0.1:1/v1", key_variable="NO_SUCH_KEY")
    found = fly(workspace, spec, wish=Wish(spec))
    for role in ("model", "judge"):
        assert only(found, "endpoint", role).status == "failed"
        assert only(found, "endpoint", role).change.startswith("export NO_SUCH_KEY=")
    assert found.runs == ()


def test_nobody_listens(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "TRIES", 1)
    found = fly(workspace, ModelSpec("m", base_url="http://127.0.0.1:9/v1"))
    assert only(found, "endpoint").status == "failed"
    assert only(found, "endpoint").change.startswith("start the server")


def test_another_model_answers(workspace: Workspace, tmp_path: Path) -> None:
    with FakeServer(Eyes(tmp_path)) as server:
        found = fly(workspace, ModelSpec("qwen2.5-vl-7b", base_url=server.url))
    check = only(found, "endpoint")
    assert check.status == "warning"
    assert "asked for qwen2.5-vl-7b, and the server says that it is served-model" in check.found
    assert not found.failed


def test_a_judge_that_answers_prose(workspace: Workspace) -> None:
    with FakeServer(lambda body, number: completion("Well, I rather like this answer.")) as server:
        found = fly(workspace, ModelSpec("blind"), wish=Wish(ModelSpec("served", base_url=server.url)))
    assert only(found, "endpoint", "model").status == "skipped"
    check = only(found, "verdicts", "judge")
    assert check.status == "failed"
    assert "rather like" in check.found
    assert "keeps to a form" in check.change


def test_a_judge_that_always_agrees(workspace: Workspace) -> None:
    with FakeServer(lambda body, number: completion("Fine.\nScore: 1")) as server:
        found = fly(workspace, ModelSpec("blind"), wish=Wish(ModelSpec("served", base_url=server.url)))
    check = only(found, "verdicts", "judge")
    assert check.status == "failed"
    assert check.found.startswith("4 of 8 verdicts are wrong: 1 instead of 0 for a wrong answer in en")
    assert "in zh" in check.found


def test_a_judge_of_captions_sees_the_picture(workspace: Workspace) -> None:
    def captions(body: dict[str, Any], number: int) -> Any:
        assert images_of(body)
        text = question_of(body)
        if "sorry" in text or "抱歉" in text:
            return completion("It declines.\nVerdict: unclear")
        return completion(f"So.\nVerdict: {'hallucination' if 'dog' in text or '狗' in text else 'no hallucination'}")

    with FakeServer(captions) as server:
        wish = Wish(ModelSpec("served", base_url=server.url))
        found = fly(workspace, ModelSpec("blind"), "shale-demo", wish)
    assert only(found, "verdicts", "judge").status == "ok"


@pytest.mark.parametrize("truly", ["pixels", "thousand", "gemini"])
def test_coordinates_are_tried_under_every_convention(workspace: Workspace, tmp_path: Path, truly: str) -> None:
    with FakeServer(Eyes(tmp_path, truly)) as server:
        spec = ModelSpec("served-model", base_url=server.url, convention="pixels")
        found = fly(workspace, spec, "gui-demo")
        right = fly(workspace, replace(spec, convention=truly), "gui-demo")
    assert only(right, "coordinates").status == "ok"
    check = only(found, "coordinates")
    if truly == "pixels":
        assert check.status == "ok"
        return
    assert check.status == "failed"
    named = re.search(r'convention = "([^"]+)"', check.change)
    assert named is not None
    assert str(PRESETS[named[1]]) == str(PRESETS[truly])


def test_a_model_that_cannot_point(workspace: Workspace) -> None:
    with FakeServer(lambda body, number: completion("It is a nice screen.")) as server:
        found = fly(workspace, ModelSpec("served-model", base_url=server.url), "gui-demo")
    assert only(found, "coordinates").status == "failed"
    assert "'It is a nice screen.'" in only(found, "coordinates").found
    assert any("no convention of coordinates is declared" in check.found for check in found.checks)


def test_data_that_are_not_there(workspace: Workspace, tmp_path: Path) -> None:
    found = preflight(workspace, "charthal", ModelSpec("blind"), Wish("rules"), data=tmp_path)
    (data,) = by_name(found, "data", "run")
    assert data.status == "failed"
    assert found.failed
    assert not by_name(found, "time and cost", "model")


def test_what_does_not_exist_is_said_at_once(workspace: Workspace) -> None:
    with pytest.raises(UsageError, match="no benchmark"):
        fly(workspace, ModelSpec("blind"), "no-such-benchmark")
    with pytest.raises(UsageError, match="no judge"):
        fly(workspace, ModelSpec("blind"), wish=Wish("rules", "no-such-rubric"))


def test_pictures_and_words_are_the_same_for_the_same_seed() -> None:
    word = canned_pictures.word("7")
    assert canned_pictures.word_picture(word) == canned_pictures.word_picture(word)
    assert canned_pictures.word_picture(word) != canned_pictures.word_picture(canned_pictures.word("8"))
    words = {canned_pictures.word(str(seed)) for seed in range(200)}
    assert len(words) > 190
    assert all(re.fullmatch(r"([BDFGKLMNPRSTVZ][AEU]){3}", word) for word in words)
    numbers = {canned_pictures.number(str(seed)) for seed in range(500)}
    assert min(numbers) > 20
    assert max(numbers) < 100
    assert not any(number % 10 == 0 for number in numbers)
