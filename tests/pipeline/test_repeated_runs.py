"""Repeats from the command line to the numbers: each is asked once, killed or raised, and what is pooled is said."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import small_charthal
import snellen
from fake_server import FakeServer, completion
from snellen.engine.auditing import audit_runs
from snellen.engine.limits import Limits
from snellen.engine.prepare import pair
from snellen.engine.watch import Watch
from snellen.engine.workspace import Workspace
from snellen.errors import UsageError
from snellen.library import open_judged

PROGRAM = [sys.executable, "-c", "from snellen.cli import main; main()"]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return small_charthal.write(tmp_path / "data")


@pytest.fixture(autouse=True)
def _no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("snellen.engine.patience._backoff", lambda _state: 0.01)


class Random:
    """A server whose answers and verdicts are drawn anew for every request."""

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed)

    def __call__(self, body: dict[str, Any], _number: int) -> Any:
        if body["model"] == "judge":
            return completion(f"Score: {self._random.randint(0, 1)}")
        return completion(f"The answer is {self._random.random()}.")


def asked(server: FakeServer, after: int = 0) -> Counter[str]:
    return Counter(body["model"] for body in server.requests[after:])


def go(workspace: Any, data: Path, server: FakeServer, **changes: Any) -> snellen.Run:
    values: dict[str, Any] = {
        "model": "vlm",
        "base_url": server.url,
        "judge": "judge",
        "judge_base_url": "" if changes.get("judge") in ("", "rules") else server.url,
        "data": data,
        "workspace": workspace,
        "repeats": 2,
    }
    return snellen.run("charthal", **(values | changes))


def command(tmp_path: Path, *arguments: object) -> list[str]:
    return [*PROGRAM, "--workspace", str(tmp_path / "workspace"), *map(str, arguments)]


def call(tmp_path: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(tmp_path, *arguments),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ, "COLUMNS": "100"},
    )


@pytest.mark.slow
def test_killed_raised_and_shown(tmp_path: Path, data: Path) -> None:
    with FakeServer(Random(), delay=0.03) as server:
        base: tuple[object, ...] = (
            "run",
            "charthal",
            "--model",
            "vlm",
            "--base-url",
            server.url,
            "--data",
            data,
            "--concurrency",
            4,
        )
        base = (*base, "--judge", "judge", "--judge-base-url", server.url, "--judge-concurrency", 4)
        killed = subprocess.Popen(command(tmp_path, *base, "--repeats", 2), stderr=subprocess.PIPE)
        until = time.monotonic() + 60
        while len(server.requests) < 100 and time.monotonic() < until:
            time.sleep(0.01)
        killed.send_signal(signal.SIGKILL)
        killed.communicate()
        assert 100 <= len(server.requests) < 2 * 36 * 3
        server.delay = 0.0
        time.sleep(0.2)  # what was in flight is over
        second = call(tmp_path, *base, "--repeats", 2)
        assert second.returncode == 0, second.stderr
        # A kill costs what was in flight, 4 of each at the most.
        assert 72 <= asked(server)["vlm"] <= 76
        assert 144 <= asked(server)["judge"] <= 148
        before = len(server.requests)
        third = call(tmp_path, *base, "--repeats", 3)
        assert third.returncode == 0, third.stderr
        assert asked(server, before) == {"vlm": 36, "judge": 72}
        assert "expected: model vlm (3 repeats): 36 requests (72 stored)" in third.stderr
        assert "(3 repeats, each answer judged 2 times): 72 requests (144 stored)" in third.stderr
        assert "warning: vlm is asked at temperature 0" in third.stderr
        before = len(server.requests)
        again = call(tmp_path, *base, "--repeats", 3)
        assert len(server.requests) == before
    assert again.stdout == third.stdout
    assert "This is the first repeat alone; pooled over 3 answers of each item, each judged 2 times" in third.stdout
    assert "All 216 verdicts are there." in third.stdout
    listed = call(tmp_path, "runs").stdout.splitlines()
    names = [line.split()[0] for line in listed]
    name = names[0]
    assert names == [
        f"{name}{repeat}{judging}"
        for repeat in ("", "~2", "~3")
        for judging in ("", "@charthal-judge", "@charthal-judge~2")
    ]
    shown = json.loads(call(tmp_path, "report", name, "--json").stdout)
    assert shown["run"] == f"{name}@charthal-judge"
    assert shown["repeats"]["runs"] == [name, f"{name}~2", f"{name}~3"]
    assert (shown["repeats"]["repeats"], shown["repeats"]["judgings"], shown["repeats"]["unscored"]) == (3, 2, 0)
    assert [part["name"] for part in shown["repeats"]["components"]] == ["items", "sampling", "judge"]
    page = tmp_path / "report.html"
    assert call(tmp_path, "report", name, "-o", page).returncode == 0
    assert "<h3>Repeats</h3>" in page.read_text("utf-8")
    one = call(tmp_path, "report", f"{name}~2")
    assert f"snellen report {name}@charthal-judge" in " ".join(one.stdout.split())
    assert "<h3>Repeats" not in one.stdout
    assert "made like the first run" in " ".join(call(tmp_path, "compare", name, f"{name}~2").stdout.split())
    assert f"run: {name}~3" in call(tmp_path, "show", f"{name}~3", "charthal/1/0").stdout
    lines = call(tmp_path, "export", f"{name}~2@charthal-judge~2").stdout.splitlines()
    assert len([line for line in lines if line.startswith("{")]) == 36
    assert call(tmp_path, "runs", "--delete", f"{name}~3").returncode == 0
    left = json.loads(call(tmp_path, "report", name, "--json").stdout)
    assert left["repeats"]["repeats"] == 2


def test_each_draw_is_a_request_of_its_own_and_caches_none(tmp_path: Path, data: Path) -> None:
    def same(body: dict[str, Any], _number: int) -> Any:  # equal answers are judged independently all the same
        return completion("Score: 1" if body["model"] == "judge" else "The answer is 1.")

    with Workspace(tmp_path / "workspace") as workspace, FakeServer(same) as server:
        run = go(workspace, data, server, judge_repeats=3, items="charthal/1/*")
        assert asked(server) == {"vlm": 24, "judge": 72}
        found = run.repeats
        assert found is not None
        assert found.spread.pooled.value == 1
        assert found.spread.changed.hits == 0
        assert [other.row.name for other in run.others] == [f"{run.row.name}~2"]
        assert run.outcome.model.asked == 24
        assert run.outcome.judge.asked == 72
        with pytest.raises(UsageError, match="nothing to lay beside"):
            audit_runs(workspace, [run.row.name])  # a judge is no second judge of itself, unless it is named
        assert len(audit_runs(workspace, [run.name, f"{run.name}~2"]).runs[0].judged) == 2
        more = go(workspace, data, server, judge_repeats=4, repeats=3, items="charthal/1/*")
        assert asked(server) == {"vlm": 36, "judge": 144}
        assert more.name == run.name


def test_a_later_view_asks_for_the_rest_and_counts_it(tmp_path: Path, data: Path) -> None:
    said: list[str] = []
    watch = Watch(on_expect=lambda expectations: said.extend(map(str, expectations)))
    with Workspace(tmp_path / "workspace") as workspace, FakeServer(Random()) as server:
        run = go(workspace, data, server, sample=1, watch=watch)
        assert asked(server) == {"vlm": 24, "judge": 48}
        assert run.repeats is not None
        assert run.repeats.spread.items == 12
        go(workspace, data, server, watch=watch)
        assert asked(server) == {"vlm": 72, "judge": 144}
        assert ": 48 requests (24 stored)" in said[2]
        assert ": 96 requests (48 stored)" in said[3]


def test_without_repeats_nothing_is_new_and_the_first_repeat_is_that_run(tmp_path: Path, data: Path) -> None:
    with Workspace(tmp_path / "workspace") as workspace, FakeServer(Random()) as server:
        first = go(workspace, data, server, repeats=1)
        assert first.repeats is None
        assert "repeat" not in first.row.spec
        assert asked(server) == {"vlm": 36, "judge": 36}
        both = go(workspace, data, server)
        assert both.row.name == first.row.name
        assert asked(server) == {"vlm": 72, "judge": 144}


def test_a_judge_of_rules_judges_once(tmp_path: Path, data: Path) -> None:
    with Workspace(tmp_path / "workspace") as workspace, FakeServer(Random()) as server:
        run = go(workspace, data, server, judge="rules")
        found = run.repeats
        assert found is not None
        assert (found.spread.repeats, found.spread.judgings) == (2, 1)
        judge = found.spread.components[-1]
        assert (judge.name, judge.variance.value) == ("judge", 0)
        with pytest.raises(UsageError, match="says the same of an answer each time"):
            go(workspace, data, server, judge="rules", judge_repeats=2)
        with pytest.raises(UsageError, match="nobody judges"):
            go(workspace, data, server, judge="", judge_repeats=2)
        assert asked(server) == {"vlm": 72}


def test_asking_alone_is_repeated_and_judged_later_all_together(tmp_path: Path, data: Path) -> None:
    with Workspace(tmp_path / "workspace") as workspace, FakeServer(Random()) as server:
        asking = go(workspace, data, server, judge="")
        assert asked(server) == {"vlm": 72}
        by: dict[str, Any] = {"judge": "judge", "judge_base_url": server.url, "workspace": workspace}
        said: list[str] = []
        watch = Watch(on_expect=lambda expectations: said.extend(map(str, expectations)))
        snellen.judge(asking.row.name, **by, dry=True, watch=watch)
        assert "(2 repeats, each answer judged 2 times): 144 requests" in said[0]
        assert asked(server)["judge"] == 0
        assert not [row for row in workspace.ledger.runs() if row.parent is not None]
        judged = snellen.judge(asking.row.name, **by)
        assert asked(server)["judge"] == 144
        assert judged.repeats is not None
        snellen.judge(f"{asking.row.name}~2", **by, rubric="charthal:scoring=parity", judge_repeats=1)
        assert asked(server)["judge"] == 144  # the replies are there already
        newest = open_judged(workspace, asking.row.name)
        assert newest.name == f"{asking.row.name}@charthal-judge"


def test_caps_hold_over_all_repeats(tmp_path: Path, data: Path) -> None:
    def failing(body: dict[str, Any], number: int) -> Any:
        if body["model"] == "vlm" and number % 6 == 0:
            return 400, {"error": {"message": "no"}}, {}
        return Random(number)(body, number)

    with Workspace(tmp_path / "workspace") as workspace, FakeServer(failing) as server:
        run = go(workspace, data, server, judge="", repeats=9, limits=Limits(concurrency=1, max_failures=9))
    assert "cap on failures (9)" in run.outcome.stopped
    assert run.outcome.model.failed == 10
    assert len(run.others) == 1


def test_a_cap_on_cost_holds_over_all_repeats(tmp_path: Path, data: Path) -> None:
    price = snellen.Price(1e4, 1e4)  # 110 tokens: 1.1 a request
    with Workspace(tmp_path / "workspace") as workspace, FakeServer(Random()) as server:
        model = snellen.ModelSpec("vlm", base_url=server.url, price=price)
        limits = Limits(concurrency=1, max_cost=66.5)
        run = go(workspace, data, server, model=model, judge="", repeats=9, limits=limits)
        assert "cap on cost (66.5)" in run.outcome.stopped
        count = asked(server)["vlm"]
        # One more could have cost what is assumed of a request: a thousand tokens for the picture, and its answer.
        assert 36 < count < 60
        assert run.outcome.model.cost == pytest.approx(1.1 * count)
        assert len(run.others) == 1


def test_a_dry_run_tells_of_all_and_leaves_nothing(tmp_path: Path, data: Path) -> None:
    said: list[str] = []
    watch = Watch(on_expect=lambda expectations: said.extend(map(str, expectations)))
    with Workspace(tmp_path / "workspace") as workspace, FakeServer(Random()) as server:
        run = go(workspace, data, server, repeats=4, dry=True, watch=watch)
        assert not workspace.ledger.runs()
        assert not server.requests
        few = go(workspace, data, server, repeats=1, items="charthal/1/0")
        go(workspace, data, server, repeats=4, dry=True)
        assert workspace.ledger.size(few.row.id)[0] == 1
    assert "model vlm (4 repeats): 144 requests (0 stored)" in said[0]
    assert "(4 repeats, each answer judged 2 times): 288 requests (0 stored)" in said[1]
    assert [each.requests for each in run.outcome.expectations] == [144, 288]


@pytest.mark.parametrize(("model", "problem"), [("blind", "says the same each time"), ("replay:x.json", "")])
def test_what_cannot_be_repeated_is_refused(tmp_path: Path, data: Path, model: str, problem: str) -> None:
    if model.startswith("replay"):
        file = tmp_path / "answers.jsonl"
        file.write_text('{"id": "charthal/1/0", "answer": "1"}\n', encoding="utf-8")
        model, problem = f"replay:{file}", "recorded answers were given once"
    with Workspace(tmp_path / "workspace") as workspace:
        with pytest.raises(UsageError, match=problem):
            snellen.run("charthal", model=model, judge="rules", data=data, workspace=workspace, repeats=2)
        assert not workspace.ledger.runs()
        with pytest.raises(UsageError, match="once at least"):
            snellen.run("charthal", model="blind", data=data, workspace=workspace, repeats=0)
        with pytest.raises(UsageError, match="100,000,000,000 times is too often: 1,000 repeats"):
            snellen.run("charthal", model=model, data=data, workspace=workspace, repeats=10**11)


def test_pairs_are_told_apart_and_stay_what_they_are() -> None:
    numbers = {pair(one, other) for one in range(40) for other in range(40)}
    assert numbers == set(range(1600))
    assert pair(0, 0) == 0


def test_the_first_of_several_is_found_by_its_beginning(tmp_path: Path, data: Path) -> None:
    with Workspace(tmp_path / "workspace") as workspace, FakeServer(Random()) as server:
        run = go(workspace, data, server)
        find = workspace.ledger.find_run
        assert find("charthal/vlm").name == run.row.name
        assert find(f"{run.row.name}~2").spec["repeat"] == 1
        assert find(f"{run.row.name}@charthal").name == run.name
        assert find(f"{run.row.name}~2@charthal").name == f"{run.row.name}~2@charthal-judge"
        go(workspace, data, server, model="vlm-2", repeats=1)
        with pytest.raises(UsageError, match="several runs begin"):
            find("charthal/vlm")
