"""A vision-language model behind a server that is not ours, `transformers serve`, asked end to end over HTTP.

The model is tiny, and built here. With random weights it says nothing that makes sense; taught a few answers, it shows
that places come through, and that it saw the images: two of its answers differ by nothing else.
"""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.request import ProxyHandler, Request, build_opener

import pytest

import tiny_llava
from snellen import library
from snellen.benchmarks import charthal_demo, gui_demo
from snellen.box import Box
from snellen.convention import PRESETS
from snellen.engine.judged import JudgedRow
from snellen.engine.workspace import Workspace
from snellen.item import ElementsReference, ImageRef, Item, TargetReference
from snellen.prompting import direct
from snellen.request import TextPart
from snellen.verdict import ABSTAINED, FORMAT_ERROR, TRUNCATED, UNCLEAR

pytestmark = pytest.mark.train

CONVENTION = "thousand"
SCREENS = "gui-demo/*/en/phone-[hl]o*"
PLANNED = 12
HOME, LOGIN = "gui-demo/parsing/en/phone-home", "gui-demo/parsing/en/phone-login"
HIT, DISTRACTED, MUMBLED = (f"gui-demo/confusion/en/phone-{name}-en" for name in ("home-0", "home-1", "login-0"))
REJECTED, INVENTED = (f"gui-demo/fabricated/en/phone-home-{number}-en" for number in (2, 3))
CHINESE = "gui-demo/confusion/zh/phone-home-0-zh"
CHART, CHART_WRONG = "charthal-demo/coffee-shops/3", "charthal-demo/coffee-shops/1"
ABSENT = "The target is not on the screen."
LISTED = 3
_WAIT = 180.0  # seconds for the server to import torch on a busy machine
_LOCAL = build_opener(ProxyHandler({}))


@dataclass(frozen=True)
class Served:
    """A running server with two models, ``taught`` and ``random``."""

    url: str
    lessons: dict[str, tiny_llava.Lesson]
    prepared: Any
    log: Path

    def asked(self) -> int:
        """Completions asked for until now."""
        return self.log.read_text("utf-8", "replace").count('"POST /v1/chat/completions HTTP/1.1"')


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    reason = "needs torch, transformers and what `transformers serve` needs: make test-train installs them"
    for package in ("torch", "transformers", "accelerate", "fastapi", "openai", "uvicorn"):
        pytest.importorskip(package, reason=reason)
    folder = tmp_path_factory.mktemp("served")
    lessons = lessons_by_id()
    prepared = tiny_llava.processor(list(lessons.values()))
    taught = tiny_llava.model(prepared)
    assert tiny_llava.teach(taught, prepared, list(lessons.values())) > 0.5
    tiny_llava.save(taught, prepared, folder / "taught")
    untaught = tiny_llava.model(prepared)
    # It would hardly ever write the one end there is: many of its words end an answer.
    untaught.generation_config.eos_token_id = list(range(2, len(prepared.tokenizer), 5))
    tiny_llava.save(untaught, prepared, folder / "random")
    with (folder / "server.log").open("wb") as log:
        port = free_port()
        # The models are named by their folders, from where the server runs. Without a time limit no timer outlives it.
        server = subprocess.Popen(
            [str(Path(sys.executable).with_name("transformers")), "serve", "--host", "127.0.0.1", "--port", str(port),
             "--device", "cpu", "--model-timeout", "-1"],
            cwd=folder, stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
            env=os.environ | {"HF_HUB_OFFLINE": "1", "HF_HOME": str(folder / "hub"), "OMP_NUM_THREADS": "1"},
        )  # fmt: skip
        try:
            started(f"http://127.0.0.1:{port}/health", server, folder / "server.log")
            yield Served(f"http://127.0.0.1:{port}/v1", lessons, prepared, folder / "server.log")
        finally:
            server.terminate()
            try:
                server.wait(20)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait(20)


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def started(health: str, server: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until the server is there."""
    end = time.monotonic() + _WAIT
    while time.monotonic() < end and server.poll() is None:
        try:
            with _LOCAL.open(health, timeout=5) as reply:
                if reply.status == 200:
                    return
        except OSError:
            time.sleep(0.3)
    pytest.fail(f"transformers serve did not start:\n{log.read_text('utf-8', 'replace')[-3000:]}")


def lessons_by_id() -> dict[str, tiny_llava.Lesson]:
    """Item -> what `direct` asks about it, and what the model is taught to answer."""
    nowhere = Path()
    screens = gui_demo.items(gui_demo.locate(None, nowhere))
    charts = charthal_demo.items(charthal_demo.locate(None, nowhere))
    items = {item.id: item for item in (*screens, *charts) if isinstance(item, Item)}
    said = {
        HIT: written(target(items[HIT]).box, items[HIT].images[0]),
        DISTRACTED: written(target(items[DISTRACTED]).distractors[0], items[DISTRACTED].images[0]),
        MUMBLED: "Tap the button, of course: bbox_2d [41,",
        REJECTED: ABSENT,
        INVENTED: '{"point_2d": [500, 250]}',
        CHINESE: written(target(items[CHINESE]).box, items[CHINESE].images[0]),
        HOME: listed(items[HOME]),
        LOGIN: listed(items[LOGIN]),
        CHART: "The Station shop sold 580 cups.",
        CHART_WRONG: "They exceeded those in May by 40 cups.",
    }
    return {id_: lesson(items[id_], answer) for id_, answer in said.items()}


def target(item: Item) -> TargetReference:
    assert isinstance(item.reference, TargetReference)
    return item.reference


def elements(item: Item) -> ElementsReference:
    assert isinstance(item.reference, ElementsReference)
    return item.reference


def lesson(item: Item, answer: str) -> tiny_llava.Lesson:
    seen = replace(item, images=tuple(replace(image, sha256="0" * 64) for image in item.images))
    (message,) = direct.messages(seen, PRESETS[CONVENTION])
    texts = tuple(part.text for part in message.parts if isinstance(part, TextPart))
    return tiny_llava.Lesson(Path(item.images[0].path), texts, answer)


def numbers(box: Box | None, image: ImageRef) -> list[int]:
    assert box is not None
    across, down = 1000 / image.width, 1000 / image.height
    return [round(box.left * across), round(box.top * down), round(box.right * across), round(box.bottom * down)]


def written(box: Box | None, image: ImageRef) -> str:
    return json.dumps({"bbox_2d": numbers(box, image)})


def listed(item: Item) -> str:
    """The first elements of a screen, as `direct` asks for them."""
    first = [
        {"type": element.kind, "description": element.description, "bbox_2d": numbers(element.box, item.images[0])}
        for element in elements(item).elements[:LISTED]
    ]
    return json.dumps(first)


def snellen(workspace: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "from snellen.cli import main; main()", "--workspace", str(workspace), *arguments],
        capture_output=True, text=True, check=False, timeout=400, env=os.environ | {"COLUMNS": "200"},
    )  # fmt: skip


def rows(workspace: Path, run: str) -> dict[str, JudgedRow]:
    with Workspace(workspace) as opened:
        return {row.item.id: row for row in library.open_judged(opened, run).rows()}


def test_places_come_through_a_served_model_and_nothing_is_asked_twice(served: Served, tmp_path: Path) -> None:
    model = ("--model", "taught", "--base-url", served.url, "--convention", CONVENTION)
    arguments = ("run", "gui-demo", "--items", SCREENS, *model, "--rubric", "gui:similarity=difflib")
    before = served.asked()
    done = snellen(tmp_path, *arguments)
    assert done.returncode == 0, done.stderr
    assert f"of {PLANNED} scored of {PLANNED}," in done.stdout
    assert served.asked() - before == PLANNED

    found = rows(tmp_path, "gui-demo/taught-")
    assert len(found) == PLANNED
    assert all(row.answer is not None and row.answer.status == "answered" for row in found.values())
    assert all(row.verdict.value in (0, 1) for row in found.values())
    for id_ in (HIT, DISTRACTED, MUMBLED, REJECTED, INVENTED, HOME, LOGIN):
        assert text_of(found[id_]) == served.lessons[id_].answer

    verdicts = {id_: row.verdict for id_, row in found.items()}
    assert verdicts[HIT].value == 1
    overlap, _ = verdicts[HIT].measures["iou"]
    assert overlap > 0.98  # thousandths of a side of 1688 pixels
    assert (verdicts[DISTRACTED].value, verdicts[DISTRACTED].measures["hit_distractor"]) == (0, (1, 1))
    assert verdicts[MUMBLED].value == 0
    assert {FORMAT_ERROR, UNCLEAR} & set(verdicts[MUMBLED].flags)
    assert "hit" not in verdicts[MUMBLED].measures
    assert (verdicts[REJECTED].value, verdicts[REJECTED].flags) == (1, (ABSTAINED,))
    assert verdicts[INVENTED].value == 0
    assert "points at (390, 422)" in verdicts[INVENTED].reason  # the middle of the upper half of 780 x 1688
    for id_ in (HOME, LOGIN):
        assert verdicts[id_].value == 1
        assert verdicts[id_].measures["recall"] == (LISTED, len(elements(found[id_].item).elements))
        assert verdicts[id_].measures["precision"] == (LISTED, LISTED)

    again = snellen(tmp_path, *arguments)
    assert (again.returncode, again.stdout) == (0, done.stdout), again.stderr
    assert served.asked() - before == PLANNED


def test_the_images_were_really_sent(served: Served, tmp_path: Path) -> None:
    assert served.lessons[HOME].texts == served.lessons[LOGIN].texts
    assert served.lessons[HOME].answer != served.lessons[LOGIN].answer  # so only the image can tell which is right
    arguments = ("--base-url", served.url, "--model", "taught", "--convention", CONVENTION, "--judge", "none")
    assert (
        snellen(tmp_path, "run", "gui-demo", "--items", "gui-demo/parsing/en/phone-[hl]o*", *arguments).returncode == 0
    )
    found = rows(tmp_path, "gui-demo/taught-")
    assert set(found) == {HOME, LOGIN}
    for id_, row in found.items():
        assert text_of(row) == served.lessons[id_].answer
        text = tiny_llava.prompt(served.prepared, served.lessons[id_]).replace("<image>", "")
        without = len(served.prepared.tokenizer(text)["input_ids"])
        assert row.answer is not None
        assert row.answer.usage.prompt == without + tiny_llava.PATCHES
        asked = {"role": "user", "content": [{"type": "text", "text": part} for part in served.lessons[id_].texts]}
        assert prompt_tokens(served, {"model": "taught", "messages": [asked], "max_tokens": 1}) == without


def prompt_tokens(served: Served, body: dict[str, Any]) -> int:
    """What the server counts where Snellen does not ask."""
    request = Request(f"{served.url}/chat/completions", json.dumps(body).encode(), {"content-type": "application/json"})
    with _LOCAL.open(request, timeout=120) as reply:
        return int(json.load(reply)["usage"]["prompt_tokens"])


def test_a_stream_says_the_same_and_chinese_comes_through(served: Served, tmp_path: Path) -> None:
    declare(tmp_path, f'[models.streamed]\nname = "taught"\nbase_url = "{served.url}"\nconvention = "{CONVENTION}"\n'
            "stream = true\n")  # fmt: skip
    done = snellen(tmp_path, "run", "gui-demo", "--items", CHINESE, "--model", "streamed")
    assert done.returncode == 0, done.stderr
    (row,) = rows(tmp_path, "gui-demo/streamed-").values()
    assert text_of(row) == served.lessons[CHINESE].answer
    assert row.verdict.value == 1
    assert row.answer is not None
    assert row.answer.sent["parameters"]["stream"] is True
    assert (row.answer.finish_reason, row.answer.server_model) == ("stop", "taught")
    assert row.answer.usage.prompt
    assert row.answer.usage.completion


def test_questions_about_charts_are_answered_and_judged(served: Served, tmp_path: Path) -> None:
    done = snellen(tmp_path, "run", "charthal-demo", "--items", "charthal-demo/coffee-shops/[13]", "--base-url",
                   served.url, "--model", "taught")  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = rows(tmp_path, "charthal-demo/taught-")
    assert {id_: (text_of(row), row.verdict.value) for id_, row in found.items()} == {
        CHART: (served.lessons[CHART].answer, 1),
        CHART_WRONG: (served.lessons[CHART_WRONG].answer, 0),
    }


def test_a_model_with_random_weights_ends_no_run_and_no_place_is_made_up(served: Served, tmp_path: Path) -> None:
    # The server knows no min_p and refuses it; a limit of 12 tokens cuts some of what is written.
    declare(tmp_path, f'[models.random]\nbase_url = "{served.url}"\nparameters = {{ max_tokens = 12, min_p = 0.1 }}\n')
    judge = ("--rubric", "gui:similarity=difflib")
    arguments = ("run", "gui-demo", "--items", SCREENS, "--model", "random", *judge, "--json")
    done = snellen(tmp_path, *arguments)
    found = rows(tmp_path, "gui-demo/random-")
    assert len(found) == PLANNED
    cut = [row for row in found.values() if row.verdict.unscored]
    assert all(row.verdict.unscored == "truncated" and TRUNCATED in row.verdict.flags for row in cut)
    assert done.returncode == 0, done.stderr
    sent = [row.answer.sent["parameters"] for row in found.values() if row.answer is not None]
    assert len(sent) == PLANNED
    assert all(each["max_tokens"] == 12 and "min_p" not in each for each in sent)
    results = json.loads(done.stdout)["results"]
    assert (results["planned"], results["scored"]) == (PLANNED, PLANNED - len(cut))
    judged = [row for row in found.values() if not row.verdict.unscored]
    assert judged, "every answer was cut: nothing is tested"
    for row in judged:
        if not re.search(r"\d", text_of(row)):  # nothing that a place could come from
            assert {FORMAT_ERROR, UNCLEAR} & set(row.verdict.flags)
            assert row.verdict.value == 0
            assert not {"iou", "hit"} & set(row.verdict.measures)
            assert row.verdict.measures.get("precision", (0, 0)) == (0, 0)
    again = json.loads(snellen(tmp_path, *arguments).stdout)["results"]
    assert again == results


def text_of(row: JudgedRow) -> str:
    assert row.answer is not None
    return row.answer.text


def declare(workspace: Path, models: str) -> None:
    (workspace / "models.toml").write_text(models, "utf-8")
