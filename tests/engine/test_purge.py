"""Purging: smaller, and every number, verdict and visible word as it was."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import small_charthal
import snellen
from fake_server import FakeServer, completion, question_of
from snellen import library
from snellen.engine.purge import Freed, purge, shortened
from snellen.errors import ImageError, LedgerError, UsageError
from snellen.ledger import Ledger, purging
from snellen.readers import thinking

LONG = "Let me look at the chart. " * 2000


def script(body: dict[str, Any], _n: int) -> Any:
    if body["model"] == "judge":
        return completion("<think>Score: 0, or is it? " + LONG + "</think>Score: 1")
    number = int(question_of(body).split()[1])
    if number % 3 == 0:
        return completion(f"<think>{LONG}</think>It is {number}.")
    if number % 3 == 1:
        return completion(f"It is {number}.", reasoning_content=LONG)
    return completion(f"Perhaps {number}.<think>{LONG}")  # never ended: the answer counts as cut


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[snellen.Workspace]:
    with snellen.Workspace(tmp_path / "workspace") as opened:
        yield opened


def run(workspace: snellen.Workspace, server: FakeServer, data: Path, model: str = "vlm", **options: Any) -> Any:
    return library.run(
        "charthal",
        model=model,
        judge="judge",
        workspace=workspace,
        data=data,
        base_url=server.url,
        judge_base_url=server.url,
        **options,
    )


def seen(workspace: snellen.Workspace, name: str) -> list[tuple[Any, ...]]:
    judged = library.open_judged(workspace, name)
    return [(row.item, row.visible, row.verdict, row.answer and row.answer.status) for row in judged.rows()]


def numbers(workspace: snellen.Workspace, name: str) -> dict[str, Any]:
    return library.open_judged(workspace, name).results.to_json()


@pytest.mark.parametrize(
    ("text", "finish", "left"),
    [
        ("<think>a b c</think>Blue", "stop", "Blue"),
        ("a b c</think>Blue", "stop", "Blue"),
        ("Blue <think>a b c d e f g h", "stop", "Blue\n<think>"),
        ("<think>a b c d e f g h", "length", ""),
        ("  Blue.  ", "stop", "  Blue.  "),
        ("<answer>Blue</answer>", "stop", "<answer>Blue</answer>"),
        ("It says `<think>` there", "stop", "It says `<think>` there"),
        ("", "stop", ""),
        ("<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>Blue", "stop", "Blue"),
        ("<think>", "stop", None),
    ],
)
def test_a_text_without_its_thinking_reads_the_same(text: str, finish: str, left: str | None) -> None:
    assert shortened(text, finish) == left
    if left is not None:
        assert thinking.strip(left, finish) == thinking.strip(text, finish)


def test_thinking_goes_and_everything_read_from_it_stays(tmp_path: Path, workspace: snellen.Workspace) -> None:
    data = small_charthal.write(tmp_path / "data", figures=2)
    with FakeServer(script) as server:
        name = run(workspace, server, data).name
        before, figures = seen(workspace, name), numbers(workspace, name)
        would = purge(workspace, of_thinking=True, of_images=False, dry=True)
        assert seen(workspace, name) == before
        assert would.thinking.count == 24 + 16  # cut answers are not judged
        assert would.thinking.bytes > 40 * 50_000

        done = purge(workspace, of_thinking=True, of_images=False)
        assert done.thinking == would.thinking
        assert done.ledger_after < done.ledger_before - would.thinking.bytes * 0.9
        assert not workspace.ledger.path.with_name("ledger.sqlite-wal").stat().st_size
        assert seen(workspace, name) == before
        assert numbers(workspace, name) == figures
        assert all(LONG[:50] not in text.text + text.thinking for text in all_texts(workspace.ledger))
        assert "thinking" in library.open_judged(workspace, name).manifest["purged"]

        asked = len(server.requests)
        assert run(workspace, server, data).name == name
        assert len(server.requests) == asked
    workspace.ledger.clear_verdicts(workspace.ledger.find_run(name).id)
    spec = {**workspace.ledger.find_run(name).spec, "source": "another"}
    workspace.ledger.respecify(workspace.ledger.find_run(name).id, spec)
    assert seen(workspace, name) == before  # read anew from what is left
    assert purge(workspace, of_thinking=True, of_images=False).thinking == Freed()


def all_texts(ledger: Ledger) -> list[purging.Text]:
    return purging.texts(ledger, range(1, ledger.last_answer() + 1))


def test_a_reply_that_its_judge_would_read_differently_stays(tmp_path: Path, workspace: snellen.Workspace) -> None:
    data = small_charthal.write(tmp_path / "data", figures=1)
    recorded = tmp_path / "recorded.jsonl"
    reason = "it wrote <think>much that is long enough to be worth it</think> and stopped"
    recorded.write_text(
        "".join(
            f'{{"id": "charthal/1/{n}", "response": "Yes.", "verdict": 1, "reason": "{reason}"}}\n' for n in range(2)
        )
    )
    name = library.import_recorded("charthal", recorded, model="m", workspace=workspace, data=data).name
    before = seen(workspace, name)
    assert any(row[2].reason == reason for row in before)
    done = purge(workspace, of_thinking=True, of_images=False)
    assert (done.thinking.count, done.thinking.left) == (0, 1)  # equal replies are kept once
    assert seen(workspace, name) == before


def test_what_another_run_needs_stays(tmp_path: Path, workspace: snellen.Workspace) -> None:
    data = small_charthal.write(tmp_path / "data", figures=2)
    with FakeServer(script) as server:
        whole = run(workspace, server, data).row.name
        other = run(workspace, server, data, model="other", items="charthal/1/*").row.name
        before = seen(workspace, other)
        done = purge(workspace, [whole], of_thinking=True, of_images=True)
        assert (done.images.count, done.images.shared) == (1, 1)
        assert done.runs == (whole,)
        assert seen(workspace, other) == before
        images = {row.item.images[0].sha256 for row in library.open_judged(workspace, other).rows()}
        assert all(workspace.images.get(image) for image in images)
        assert "purged" not in workspace.ledger.find_run(other).manifest


def test_images_are_taken_from_the_data_again(tmp_path: Path, workspace: snellen.Workspace) -> None:
    data = small_charthal.write(tmp_path / "data", figures=2)
    with FakeServer(script) as server:
        first = run(workspace, server, data, items="charthal/1/*")
        done = purge(workspace, of_thinking=False, of_images=True)
        assert done.images.count == 1
        assert not list(workspace.images.root.glob("??/*"))
        judged = library.open_judged(workspace, first.name)
        image = next(iter(judged.rows())).item.images[0].sha256
        with pytest.raises(ImageError, match="it was purged from the workspace on 20"):
            judged.image(image)
        page = library.write_report([judged], tmp_path / "report.html").read_text()
        assert "it was purged from the workspace on" in page

        whole = run(workspace, server, data)
        assert whole.outcome.model.failed == 0
        assert library.open_judged(workspace, whole.name).image(image) == (data / "images" / "1.jpg").read_bytes()
        assert whole.row.manifest["purged"].keys() == {"images"}


def test_images_that_no_run_refers_to_go_with_all(workspace: snellen.Workspace) -> None:
    digest = workspace.images.put(b"of a run that was deleted")
    assert purge(workspace, of_thinking=False, of_images=True, dry=True).images.count == 1
    assert digest in workspace.images
    purge(workspace, of_thinking=False, of_images=True)
    assert digest not in workspace.images


def test_a_purge_is_refused_while_another_process_asks(workspace: snellen.Workspace) -> None:
    other = Ledger(workspace.folder)
    other.claim([b"k" * 16])
    with pytest.raises(LedgerError, match=rf"process {os.getpid()} on .* works in .*: wait for it"):
        purge(workspace, of_thinking=True, of_images=True)
    purge(workspace, of_thinking=True, of_images=True, dry=True)
    other.close()
    purge(workspace, of_thinking=True, of_images=True)


def test_a_judging_cannot_be_purged_alone(tmp_path: Path, workspace: snellen.Workspace) -> None:
    data = small_charthal.write(tmp_path / "data", figures=1)
    name = library.run("charthal", model="blind", workspace=workspace, data=data).name
    with pytest.raises(UsageError, match="is a judging: name its run"):
        purge(workspace, [name], of_thinking=True, of_images=False)
    with pytest.raises(UsageError, match="there is no run"):
        purge(workspace, ["nothing"], of_thinking=True, of_images=False)


def test_a_read_only_workspace_is_not_purged(workspace: snellen.Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("snellen.ledger.database.may_write", lambda path: False)
    with (
        snellen.Workspace(workspace.folder) as read_only,
        pytest.raises(LedgerError, match="can only be read"),
    ):
        purge(read_only, of_thinking=True, of_images=True)


def test_no_room_is_said_and_the_next_purge_finishes(
    tmp_path: Path, workspace: snellen.Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = small_charthal.write(tmp_path / "data", figures=1)
    with FakeServer(script) as server:
        name = run(workspace, server, data).name
    before = seen(workspace, name)
    size = sum(path.stat().st_size for path in workspace.folder.glob("ledger.sqlite*"))

    class Usage:
        free = 1000

    with monkeypatch.context() as patched:
        patched.setattr("snellen.ledger.purging.shutil.disk_usage", lambda path: Usage)
        with pytest.raises(LedgerError, match=r"there is no room to make .* smaller"):
            purge(workspace, of_thinking=True, of_images=False)
    assert seen(workspace, name) == before
    done = purge(workspace, of_thinking=True, of_images=False)
    assert done.thinking == Freed()
    assert done.ledger_after < size / 2


def test_a_purge_that_was_killed_is_finished_by_the_next(tmp_path: Path) -> None:
    data = small_charthal.write(tmp_path / "data", figures=2)
    folder = tmp_path / "workspace"
    with FakeServer(script) as server, snellen.Workspace(folder) as workspace:
        name = run(workspace, server, data).name
        before = seen(workspace, name)
    program = (
        "import os, signal, sys\n"
        "import snellen\n"
        "from snellen.engine import purge\n"
        "from snellen.ledger import purging\n"
        "purge._AT_ONCE = 8\n"
        "shorten, calls = purging.shorten, []\n"
        "def third(ledger, shorter):\n"
        "    calls.append(shorten(ledger, shorter))\n"
        "    if len(calls) == 3:\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "purging.shorten = third\n"
        "purge.purge(snellen.Workspace(sys.argv[1]), of_thinking=True, of_images=True)\n"
    )
    assert subprocess.run([sys.executable, "-c", program, str(folder)], check=False).returncode == -9
    with snellen.Workspace(folder) as workspace:
        assert seen(workspace, name) == before
        done = purge(workspace, of_thinking=True, of_images=True)
        assert done.thinking.count == 40 - 24
        assert not purging.unfinished(workspace.ledger)
        assert seen(workspace, name) == before
        assert all(LONG[:50] not in text.text + text.thinking for text in all_texts(workspace.ledger))
