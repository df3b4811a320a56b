"""The engine at work: everything is asked once, nothing that is finished is asked again, what fails is told apart."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import small_charthal
import snellen
from fake_server import FakeServer, completion, question_of
from snellen.engine.budget import Tally
from snellen.engine.limits import Limits
from snellen.engine.store import Store
from snellen.engine.watch import Watch
from snellen.engine.workspace import Workspace
from snellen.errors import UsageError


def is_judge(body: dict[str, Any]) -> bool:
    return bool(body["model"] == "judge")


def plain(body: dict[str, Any], _n: int) -> Any:
    return completion("Score: 1" if is_judge(body) else f"The answer to {question_of(body)} is 1.")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return small_charthal.write(tmp_path / "data")


@pytest.fixture
def workspace(tmp_path: Path) -> Any:
    with Workspace(tmp_path / "workspace") as opened:
        yield opened


@pytest.fixture(autouse=True)
def _no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("snellen.engine.patience._backoff", lambda _state: 0.01)


def go(workspace: Workspace, data: Path, server: FakeServer, **changes: Any) -> snellen.Run:
    values: dict[str, Any] = {
        "model": "vlm",
        "base_url": server.url,
        "judge": "judge",
        "judge_base_url": "" if changes.get("judge") in ("", "rules") else server.url,
        "data": data,
        "workspace": workspace,
    }
    return snellen.run("charthal", **(values | changes))


def test_everything_is_asked_and_judged_once(workspace: Workspace, data: Path) -> None:
    with FakeServer(plain) as server:
        run = go(workspace, data, server)
    assert run.outcome.stopped == ""
    assert Counter(body["model"] for body in server.requests) == {"vlm": 36, "judge": 36}
    assert run.results.headline.value == 1
    assert run.results.headline.n == 36
    assert run.results.headline.clusters == 3
    assert all(body["temperature"] == 0 and "max_tokens" not in body for body in server.requests)


def test_a_second_run_asks_nothing(workspace: Workspace, data: Path) -> None:
    with FakeServer(plain) as server:
        first = go(workspace, data, server)
        count = len(server.requests)
        second = go(workspace, data, server)
        assert len(server.requests) == count
    assert second.name == first.name
    assert second.results == first.results


def test_a_moved_data_folder_is_the_same_run(workspace: Workspace, data: Path, tmp_path: Path) -> None:
    with FakeServer(plain) as server:
        first = go(workspace, data, server)
        moved = data.rename(tmp_path / "moved")
        assert first.results.headline.n == 36
        again = go(workspace, moved, server)
        assert again.name == first.name
        assert len(server.requests) == 72
    digest = next(first.judged.rows()).item.images[0].sha256
    assert first.judged.image(digest) is not None


def test_a_sample_takes_whole_clusters_and_is_a_view_of_the_run(workspace: Workspace, data: Path) -> None:
    with FakeServer(plain) as server:
        sample = go(workspace, data, server, sample=2)
        assert sample.results.headline.n == 24
        assert sample.results.headline.clusters == 2
        chosen = go(workspace, data, server, items="charthal/*/0")
        assert chosen.results.headline.n == 3
        whole = go(workspace, data, server)
        assert whole.results.headline.n == 36
        assert sample.name == chosen.name == whole.name
        assert len(server.requests) == 72
        with pytest.raises(UsageError, match="no item of charthal is left"):
            go(workspace, data, server, items="charthal/99/*")


def test_another_model_another_run_and_another_parameter_too(workspace: Workspace, data: Path) -> None:
    with FakeServer(plain) as server:
        names = {
            go(workspace, data, server, judge="", items="charthal/1/0", model=model).name
            for model in (
                "vlm",
                "other",
                snellen.ModelSpec("vlm", base_url=server.url, parameters={"top_p": 0.9}),
                snellen.ModelSpec("vlm", base_url=server.url, revision="2"),
                snellen.ModelSpec("vlm", base_url=server.url, parameters={"temperature": None}),
            )
        }
        assert len(names) == 5
        assert len(server.requests) == 5
        assert "temperature" not in server.requests[-1]


def test_the_url_is_not_part_of_a_run(workspace: Workspace, data: Path) -> None:
    with FakeServer(plain) as one, FakeServer(plain) as other:
        first = go(workspace, data, one, judge="", items="charthal/1/*")
        second = go(workspace, data, other, judge="", items="charthal/1/*")
        assert first.name == second.name
        assert len(other.requests) == 0


def test_judging_again_does_not_ask_again(workspace: Workspace, data: Path) -> None:
    with FakeServer(plain) as server:
        run = go(workspace, data, server, judge="rules")
        assert len(server.requests) == 36
        again = snellen.judge(run.name, judge="judge", judge_base_url=server.url, workspace=workspace)
        assert Counter(body["model"] for body in server.requests) == {"vlm": 36, "judge": 36}
    assert again.results.headline.value == 1
    assert len(workspace.ledger.judgings(run.row.id)) == 2


def test_failures_are_model_errors_and_are_asked_again(workspace: Workspace, data: Path) -> None:
    broken = True

    def script(body: dict[str, Any], n: int) -> Any:
        if broken and "Question 3 " in question_of(body) and not is_judge(body):
            return (400, {"error": {"message": "Request failed: bad picture"}}, {})
        return plain(body, n)

    with FakeServer(script) as server:
        run = go(workspace, data, server)
        results = run.results
        assert results.unscored["model_error"] == 3
        assert results.headline.n == 33
        assert (results.headline.lower_bound, results.headline.upper_bound) == (33 / 36, 1)
        assert all(row.answer is None for row in run.judged.rows() if row.verdict.unscored == "model_error")
        broken = False
        before = len(server.requests)
        assert go(workspace, data, server).results.headline.n == 36
        assert len(server.requests) == before + 6


def test_servers_that_stumble_are_asked_again_in_the_same_session(workspace: Workspace, data: Path) -> None:
    asked = Counter[tuple[str, str]]()
    stumbles: list[Any] = [
        (429, {"error": {"message": "slow"}}, {"Retry-After": "0.01"}),
        *[(502, b"<html>", {}), (200, b'{"choi', {}), (500, b"", {})] * 5,
    ]

    def script(body: dict[str, Any], n: int) -> Any:
        this = (body["model"], question_of(body))
        asked[this] += 1
        return plain(body, n) if asked[this] > 3 else stumbles[n % len(stumbles)]

    with FakeServer(script) as server:
        run = go(workspace, data, server)
    assert set(asked.values()) == {4}
    assert run.results.headline.n == 36
    assert run.results.headline.value == 1
    assert run.outcome.model.retries > 0


def test_an_unreadable_verdict_is_asked_for_thrice_then_unscored(workspace: Workspace, data: Path) -> None:
    def script(body: dict[str, Any], n: int) -> Any:
        return completion("Score: 10") if is_judge(body) else plain(body, n)

    with FakeServer(script) as server:
        run = go(workspace, data, server, items="charthal/1/0")
        assert [is_judge(body) for body in server.requests] == [False, True, True, True]
        assert run.results.unscored["judge_error"] == 1
        assert run.results.headline.value is None
        before = len(server.requests)
        go(workspace, data, server, items="charthal/1/0")
        assert len(server.requests) == before


def test_a_judge_that_recovers_scores(workspace: Workspace, data: Path) -> None:
    replies = iter(("I think so", "Score: 0"))

    def script(body: dict[str, Any], n: int) -> Any:
        return completion(next(replies)) if is_judge(body) else plain(body, n)

    with FakeServer(script) as server:
        run = go(workspace, data, server, items="charthal/1/0")
    assert run.results.headline.value == 0


def test_a_judge_that_fails_is_nobodys_fault_and_is_asked_again_by_the_next_run(
    workspace: Workspace, data: Path
) -> None:
    broken = True

    def script(body: dict[str, Any], n: int) -> Any:
        return (400, {"error": {"message": "Score: 1"}}, {}) if broken and is_judge(body) else plain(body, n)

    with FakeServer(script) as server:
        run = go(workspace, data, server, items="charthal/1/*")
        assert run.results.unscored["judge_error"] == 12
        assert run.results.headline.value is None
        broken = False
        assert go(workspace, data, server, items="charthal/1/*").results.headline.n == 12
        assert Counter(body["model"] for body in server.requests)["vlm"] == 12


def test_empty_answers_are_asked_twice_more_then_score_zero(workspace: Workspace, data: Path) -> None:
    with FakeServer(lambda body, n: completion("")) as server:
        run = go(workspace, data, server, items="charthal/1/0")
        assert len(server.requests) == 3
        assert run.results.headline.value == 0
        answer = next(row.answer for row in run.judged.rows())
        assert answer is not None
        assert (answer.usage.prompt, answer.usage.completion) == (300, 30)  # all three are paid
        go(workspace, data, server, items="charthal/1/0")
        assert len(server.requests) == 3


def test_thinking_is_stripped_before_judging_and_cut_answers_are_unscored(workspace: Workspace, data: Path) -> None:
    texts = {
        "Question 0 ": ("<think>Score: 0? The chart shows 5.</think>It is not shown.", "stop"),
        "Question 1 ": ("<think>It goes on and on", "length"),
        "Question 2 ": ("secret plan</think>The premise is wrong.", "stop"),
        "Question 3 ": ("<think>never closed", "stop"),
    }

    def script(body: dict[str, Any], n: int) -> Any:
        if is_judge(body):
            assert "think" not in question_of(body).replace("thinking", "")
            assert "secret plan" not in question_of(body)
            return completion("Score: 1")
        return next(completion(*texts[name]) for name in texts if name in question_of(body))

    with FakeServer(script) as server:
        run = go(workspace, data, server, items="charthal/1/[0123]")
    by_item = {row.item.id: row for row in run.judged.rows()}
    assert by_item["charthal/1/0"].visible == "It is not shown."
    assert by_item["charthal/1/2"].visible == "The premise is wrong."
    assert by_item["charthal/1/1"].verdict.unscored == "truncated"
    assert by_item["charthal/1/3"].verdict.unscored == "truncated"
    assert run.results.headline.n == 2
    assert len([body for body in server.requests if is_judge(body)]) == 2


def test_blocked_answers_are_unscored(workspace: Workspace, data: Path) -> None:
    with FakeServer(lambda body, n: completion(None, "content_filter")) as server:
        run = go(workspace, data, server, items="charthal/1/0")
    assert run.results.unscored["blocked"] == 1
    assert len(server.requests) == 1


def test_a_broken_image_is_that_items_error_alone(workspace: Workspace, data: Path) -> None:
    (data / "images" / "1.jpg").write_bytes(b"<html>not found</html>")
    (data / "images" / "2.jpg").unlink()
    warnings: list[str] = []
    with FakeServer(plain) as server:
        run = go(workspace, data, server, watch=Watch(on_warning=warnings.append))
    assert run.results.unscored["data_error"] == 24
    assert run.results.headline.n == 12
    assert run.results.planned == 36
    assert any("images/1.jpg" in warning for warning in warnings)


def test_a_broken_row_stays_in_the_denominator(workspace: Workspace, data: Path) -> None:
    rows = data / "data" / "charthal.json"
    rows.write_text(rows.read_text().replace('"q_type": "desc"', '"q_type": "what"', 1))
    with FakeServer(plain) as server:
        run = go(workspace, data, server)
    assert run.results.unscored["data_error"] == 1
    assert run.results.headline.n == 35


def test_refused_parameters_are_recorded_as_deviations(workspace: Workspace, data: Path) -> None:
    def script(body: dict[str, Any], n: int) -> Any:
        if "temperature" in body and not is_judge(body):
            message = "Unsupported value: 'temperature' does not support 0 with this model."
            return (400, {"error": {"message": message, "param": "temperature"}}, {})
        return plain(body, n)

    with FakeServer(script) as server:
        run = go(workspace, data, server, limits=Limits(1, 1))
    assert run.results.headline.n == 36
    assert sum("temperature" in body for body in server.requests if not is_judge(body)) == 1
    assert any("temperature=0 was refused" in remark for remark in run.judged.remarks)


def test_concurrency_is_bounded_for_model_and_judge_apart(workspace: Workspace, data: Path) -> None:
    most = Counter[str]()
    now = Counter[str]()
    lock = threading.Lock()

    class Server(FakeServer):
        async def _answer(self, request: Any) -> Any:
            import orjson

            name = orjson.loads(await request.read())["model"]
            with lock:
                now[name] += 1
                most[name] = max(most[name], now[name])
            try:
                return await super()._answer(request)
            finally:
                with lock:
                    now[name] -= 1

    with Server(plain, delay=0.02) as server:
        go(workspace, data, server, limits=Limits(4, 2))
    assert most["vlm"] <= 4
    assert most["judge"] <= 2
    assert server.most_in_flight > 4  # judging starts while asking goes on


def test_a_cap_that_is_nearly_used_up_stops_the_session(workspace: Workspace, data: Path) -> None:
    """Model and judge cost differently, so that sums of reservations leave a rest behind."""
    models = {
        "model": snellen.Price(input=2, output=10),
        "judge": snellen.Price(input=3, output=7),
    }
    with FakeServer(plain) as server:
        for cap in (0.0015, 0.0021, 0.0033):
            specs = {
                role: snellen.ModelSpec(name=f"{role}{cap}", base_url=server.url, price=price)
                for role, price in models.items()
            }
            run = go(
                workspace, data, server, **specs, base_url="", judge_base_url="", limits=Limits(7, 7, max_cost=cap)
            )
            assert run.outcome.stopped.startswith("the cap on cost")
            assert run.outcome.model.cost + run.outcome.judge.cost <= cap


@pytest.mark.parametrize(
    "refusal",
    [
        (429, {"error": {"message": "quota"}}, {"Retry-After": "3600"}),
        (429, {"error": {"message": "You exceeded your quota", "code": "insufficient_quota"}}, {}),
    ],
)
def test_a_quota_that_is_used_up_stops_the_session(workspace: Workspace, data: Path, refusal: Any) -> None:
    def script(body: dict[str, Any], n: int) -> Any:
        return plain(body, n) if n < 6 else refusal

    with FakeServer(script) as server:
        run = go(workspace, data, server, judge="", limits=Limits(1))
        assert "gives no more for now" in run.outcome.stopped
        assert len(server.requests) <= 6 + 8 + 2


def test_model_and_judge_may_share_one_pool(workspace: Workspace, data: Path) -> None:
    with FakeServer(plain, delay=0.02) as server:
        run = go(workspace, data, server, limits=Limits(4, shared_pool=True))
    assert len(server.requests) == 72
    assert server.most_in_flight == 4
    assert run.results.headline.n == 36


def test_a_failing_judge_is_not_asked_for_an_item_twice_in_a_session(workspace: Workspace, data: Path) -> None:
    def script(body: dict[str, Any], n: int) -> Any:
        return (400, {"error": {"message": "no"}}, {}) if is_judge(body) else plain(body, n)

    with FakeServer(script) as server:
        run = go(workspace, data, server)
        assert Counter(body["model"] for body in server.requests) == {"vlm": 36, "judge": 36}
    assert run.results.unscored["judge_error"] == 36


def test_what_another_process_is_asking_does_not_hold_up_the_rest(workspace: Workspace, data: Path) -> None:
    """All requests but the last are claimed elsewhere, more than fill the window; the last is asked at once."""
    with Workspace(workspace.folder) as other, FakeServer(plain) as server:
        go(workspace, data, server, judge="", items="charthal/1/0")
        other.ledger.claim([b"another's request"])  # beside it, a dry run leaves what it has taken down
        dry = go(workspace, data, server, judge="", dry=True)
        rows = workspace.ledger.unanswered(dry.row.id, -1, 100)
        theirs = [row.key for row in rows[:-1] if row.key is not None]
        assert set(other.ledger.claim(theirs).values()) == {"granted"}
        waited: list[int] = []

        def progress(model: Tally, judge: Tally) -> None:
            if model.elsewhere and model.asked:
                waited.append(model.elsewhere)
                other.ledger.release(theirs)

        run = go(workspace, data, server, judge="", limits=Limits(1), watch=Watch(on_progress=progress))
    assert waited[0] == 34
    assert len(server.requests) == 36
    assert (run.outcome.model.asked, run.outcome.model.to_ask) == (35, 35)


def test_the_cap_on_cost_stops_cleanly(workspace: Workspace, data: Path) -> None:
    price = snellen.Price(input=1000, output=1000)  # 100 + 10 tokens: 0.11 a request
    with FakeServer(plain) as server:
        model = snellen.ModelSpec("vlm", base_url=server.url, price=price)
        run = go(workspace, data, server, model=model, judge="rules", limits=Limits(4, 4, max_cost=3.0))
        assert "cap on cost" in run.outcome.stopped
        assert run.outcome.model.cost <= 3.0
        assert 0 < len(server.requests) <= 27
        assert run.results.unscored["missing"] == 36 - len(server.requests)
        done = len(server.requests)
        whole = go(workspace, data, server, model=model, judge="rules")
        assert len(server.requests) == 36
        assert done < 36
        assert whole.results.planned == 36


def test_a_cap_on_cost_without_a_price_is_an_error(workspace: Workspace, data: Path) -> None:
    with FakeServer(plain) as server, pytest.raises(UsageError, match=r"price for the model 'vlm'"):
        go(workspace, data, server, limits=Limits(max_cost=1.0))
    assert server.requests == []


def test_the_cap_on_failures_stops_cleanly(workspace: Workspace, data: Path) -> None:
    with FakeServer(lambda body, n: (400, {"error": {"message": "no"}}, {})) as server:
        run = go(workspace, data, server, limits=Limits(1, 1, max_failures=2))
    assert "cap on failures (2)" in run.outcome.stopped
    assert len(server.requests) == 3


def test_a_wrong_key_stops_early(workspace: Workspace, data: Path) -> None:
    with FakeServer(lambda body, n: (401, {"error": {"message": "bad key"}}, {})) as server:
        run = go(workspace, data, server, limits=Limits(1, 1))
    assert "every request failed alike (model: authentication: HTTP 401: bad key)" in run.outcome.stopped
    assert "--key-variable" in run.outcome.stopped
    assert len(server.requests) < 12


def test_a_dry_run_asks_nothing_and_says_what_it_would_take(workspace: Workspace, data: Path) -> None:
    told: list[Any] = []
    with FakeServer(plain) as server:
        run = go(workspace, data, server, dry=True, watch=Watch(on_expect=told.extend))
    assert server.requests == []
    assert [(each.role, each.requests) for each in told] == [("model", 36), ("judge", 36)]
    assert run.outcome.expectations == tuple(told)


def test_a_dry_run_leaves_no_run_behind_that_was_not_there(workspace: Workspace, data: Path) -> None:
    with FakeServer(plain) as server:
        dry = go(workspace, data, server, dry=True)
        assert workspace.ledger.runs() == []
        run = go(workspace, data, server, judge="", items="charthal/1/0")
        assert run.row.name == dry.row.name
        before = workspace.ledger.runs()
        again = go(workspace, data, server, dry=True)
        assert again.row.id == run.row.id
        assert [row.id for row in workspace.ledger.runs()] == [row.id for row in before], "the judging is gone again"
        assert go(workspace, data, server).results.headline.n == 36
        kept = workspace.ledger.runs()
        go(workspace, data, server, dry=True)
        assert [row.id for row in workspace.ledger.runs()] == [row.id for row in kept]
        assert workspace.ledger.size(run.row.id)[0] == 36


def test_a_dry_run_of_the_whole_leaves_a_sample_a_sample(workspace: Workspace, data: Path) -> None:
    """What it takes down to count is no part of the run: it would count as missing, and open the bounds."""
    with FakeServer(plain) as server:
        few = go(workspace, data, server, items="charthal/1/0")
        before = few.results.to_json()
        told: list[Any] = []
        go(workspace, data, server, dry=True, watch=Watch(on_expect=told.extend))
        assert [(each.role, each.requests) for each in told] == [("model", 35), ("judge", 35)]
        with pytest.raises(UsageError, match="a cap on cost needs a price"):
            go(workspace, data, server, dry=True, limits=Limits(max_cost=1.0))
        assert workspace.ledger.size(few.row.id)[0] == 1
        assert snellen.open_judged(workspace, few.name).results.to_json() == before
        assert go(workspace, data, server).results.headline.n == 36


def test_a_run_that_fails_before_its_first_item_leaves_nothing_behind(workspace: Workspace, data: Path) -> None:
    with FakeServer(plain) as server:
        with pytest.raises(UsageError, match="no item of charthal is left"):
            go(workspace, data, server, items="charthal/99/*")
        assert workspace.ledger.runs() == []
        with pytest.raises(UsageError, match="judged on their clean version"):
            go(workspace, data, server, judge_on="clean")
    assert workspace.ledger.runs() == []


def test_equal_questions_are_asked_once(workspace: Workspace, data: Path) -> None:
    rows = data / "data" / "charthal.json"
    rows.write_text(rows.read_text().replace("Question 7 about figure 1", "Question 3 about figure 1"))
    with FakeServer(plain, delay=0.01) as server:
        run = go(workspace, data, server, judge="rules")
    assert len(server.requests) == 35
    assert run.results.planned == 36
    assert run.results.unscored["missing"] == 0


def test_two_clients_at_once_ask_everything_once(data: Path, tmp_path: Path) -> None:
    runs: list[snellen.Run] = []
    with FakeServer(plain, delay=0.02) as server:

        def client() -> None:
            with Workspace(tmp_path / "shared") as workspace:
                run = go(workspace, data, server, limits=Limits(3, 3))
                assert run.results.headline.n == 36
                runs.append(run)

        threads = [threading.Thread(target=client) for _ in range(2)]
        for thread in threads:
            thread.start()
            time.sleep(0.05)
        for thread in threads:
            thread.join()
    assert len(runs) == 2
    asked = Counter((body["model"], question_of(body)) for body in server.requests)
    assert len(asked) == 72
    assert set(asked.values()) == {1}


def test_verdicts_follow_the_judges_source(workspace: Workspace, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with FakeServer(plain) as server:
        run = go(workspace, data, server, items="charthal/1/*")
        asked = len(server.requests)
        from snellen.judges import charthal

        monkeypatch.setattr("snellen.engine.judge.Judge.source", lambda self: "another source")
        monkeypatch.setattr(charthal, "read", lambda *_, **__: snellen.Verdict(0, "the new rule"))
        again = snellen.open_judged(workspace, run.name)
        assert {row.verdict.reason for row in again.rows()} == {"the new rule"}
        assert go(workspace, data, server, items="charthal/1/*").results.headline.value == 0
        assert len(server.requests) == asked


def test_a_judge_that_crashes_on_an_item_leaves_it_unscored(
    workspace: Workspace, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from snellen.judges import rules

    def crash(*_: Any, **__: Any) -> Any:
        raise ZeroDivisionError("a mistake")

    monkeypatch.setattr(rules, "read", crash)
    with FakeServer(plain) as server:
        run = go(workspace, data, server, judge="rules", items="charthal/1/*")
    assert run.results.unscored["judge_error"] == 12
    assert "ZeroDivisionError" in next(run.judged.rows()).verdict.reason


def test_a_judge_of_screens_is_refused_for_charts_before_anything_is_asked(workspace: Workspace, data: Path) -> None:
    vectors = snellen.ModelSpec("vectors", base_url="http://127.0.0.1:9/v1", embeddings=True)
    with FakeServer(plain) as server:
        for judge in ("rules", vectors):
            with pytest.raises(UsageError, match="the judge gui reads targets and elements on screens"):
                go(workspace, data, server, judge=judge, judge_base_url="", rubric="gui:similarity=none")
        assert server.requests == []


def test_the_judges_family_is_flagged(workspace: Workspace, data: Path) -> None:
    with FakeServer(plain) as server:
        run = go(workspace, data, server, model="gpt-4o-mini", judge="gpt-4o-2024-11-20", items="charthal/1/0")
        assert any("of one family (openai)" in remark for remark in run.judged.remarks)
        assert any("written by o4-mini" in remark for remark in run.judged.remarks)
        same = go(workspace, data, server, model="gpt-4o", judge="gpt-4o", items="charthal/1/0")
        assert any("The judge is the model under test" in remark for remark in same.judged.remarks)
        other = go(workspace, data, server, model="qwen2.5-vl-7b", judge="gpt-4o", items="charthal/1/0")
        assert not any("family" in remark for remark in other.judged.remarks)


def test_what_ends_an_iteration_in_the_ledgers_thread_is_an_error_and_no_endless_wait(workspace: Workspace) -> None:
    async def work() -> None:
        async with Store(workspace.ledger) as store:
            await asyncio.wait_for(store.call(next, iter(())), 10)

    with pytest.raises(RuntimeError, match="StopIteration in the ledger's thread"):
        asyncio.run(work())
