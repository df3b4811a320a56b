"""The command line from outside: what is printed where, exit statuses, going on after an interruption."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import click
import pytest

import small_charthal
import small_shale
from fake_server import FakeServer, completion, question_of
from snellen.cli import cli

PROGRAM = [sys.executable, "-c", "from snellen.cli import main; main()"]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return small_charthal.write(tmp_path / "data", figures=2)


def snellen(tmp_path: Path, *arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PROGRAM, "--workspace", str(tmp_path / "workspace"), *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ, "COLUMNS": "100", **environment},
    )


def script(body: dict[str, Any], _n: int) -> Any:
    if body["model"] == "judge":
        return completion("Score: 1")
    return completion(f"It is 1. ({question_of(body)})")


def run_arguments(server: FakeServer, data: Path) -> list[object]:
    return [
        "run", "charthal", "--model", "vlm", "--base-url", server.url, "--judge", "judge", "--judge-base-url",
        server.url, "--data", data,
    ]  # fmt: skip


def test_the_whole_road(tmp_path: Path, data: Path) -> None:
    with FakeServer(script) as server:
        run = snellen(tmp_path, *run_arguments(server, data), "--report", tmp_path / "report.html")
        asked = len(server.requests)
        assert run.returncode == 0, run.stderr
        assert asked == 48
        assert "100.0 % [" in run.stdout
        assert "24 of 24 scored" in run.stdout
        assert "expected: model vlm: 24 requests (0 stored)" in run.stderr
        assert "expected" not in run.stdout
        assert "\x1b[" not in run.stdout + run.stderr
        assert (tmp_path / "report.html").stat().st_size > 1000
        name = run.stdout.split("\n")[0].strip()
        assert name.startswith("charthal/vlm-")
        assert name.endswith("@charthal-judge")

        again = snellen(tmp_path, *run_arguments(server, data), "--json")
        assert len(server.requests) == asked
        assert json.loads(again.stdout)["results"]["headline"]["value"] == 1.0

    judged = snellen(tmp_path, "judge", name, "--judge", "rules")
    assert judged.returncode in (0, 1)
    assert "@rules" in judged.stdout

    shown = snellen(tmp_path, "show", name, "charthal/1/0")
    assert shown.returncode == 0
    assert "question: Question 0 about figure 1?" in shown.stdout
    assert "answer answered; stop; tokens 100 in, 10 out; " in shown.stdout
    assert "\n  It is 1. (Question 0 about figure 1?)\n" in shown.stdout
    assert "@charthal-judge: 1" in shown.stdout
    assert "):\n    Score: 1\n" in shown.stdout
    assert "@rules: " in shown.stdout
    image = next(line for line in shown.stdout.split("\n") if line.startswith("  file: "))
    assert Path(image.removeprefix("  file: ")).read_bytes() == (data / "images" / "1.jpg").read_bytes()

    listed = json.loads(snellen(tmp_path, "runs", "--json").stdout)
    assert [row["items"] for row in listed["runs"]] == [24, 24, 24]

    report = snellen(tmp_path, "report", name, f"{name.split('@')[0]}@rules", "-o", tmp_path / "two.html")
    assert report.returncode == 0
    assert "@rules" in (tmp_path / "two.html").read_text(encoding="utf-8")

    deleted = snellen(tmp_path, "runs", "--delete", name.split("@")[0])
    assert deleted.returncode == 0
    assert "no runs yet" in deleted.stdout


def test_exports_lose_nothing(tmp_path: Path, data: Path) -> None:
    hard = ["", "None", "N/A", "http://example.org/a " + "x" * 2100, 'a\r\nb,"c"', "=cmd()", "是的\u2028。"]
    rows = [{"id": f"charthal/1/{n}", "response": text} for n, text in enumerate(hard)]
    file = tmp_path / "answers.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    run = snellen(tmp_path, "import", "charthal", file, "--model", "m", "--data", data)
    name = run.stdout.split("\n")[0].strip()
    lines = snellen(tmp_path, "export", name).stdout
    exported = [json.loads(line) for line in lines.split("\n") if line]
    assert [row["response"] for row in exported] == hard
    snellen(tmp_path, "export", name, "-o", tmp_path / "out.csv")
    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as opened:
        assert [row["response"] for row in csv.DictReader(opened)] == hard
    estimates = snellen(tmp_path, "export", name, "--estimates").stdout
    assert json.loads(estimates.split("\n")[0])["scored"] == 7


def test_recorded_answers_are_judged(tmp_path: Path, data: Path) -> None:
    file = tmp_path / "response.json"
    rows = {
        key: {"response": "The chart does not show this, so it cannot be determined."}
        for key in small_charthal.rows(2)
        if not key.startswith("2_1")
    }
    file.write_text(json.dumps(rows), encoding="utf-8")
    run = snellen(tmp_path, "run", "charthal", "--model", f"replay:{file}", "--data", data, "--json")
    assert run.returncode == 1  # what was not recorded is missing
    results = json.loads(run.stdout)["results"]
    assert results["planned"] == 24
    assert results["unscored"]["missing"] == 3
    imported = snellen(tmp_path, "import", "charthal", file, "--model", "m", "--data", data, "--json")
    assert imported.returncode == 0
    assert json.loads(imported.stdout)["results"]["planned"] == 21


def test_recorded_verdicts_are_imported(tmp_path: Path, data: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"id": "1_0", "response": "a", "verdict": 1, "reason": "fine"},
        {"id": "charthal/1/1", "response": "b", "verdict": 0},
        {"id": "1_2", "response": "c", "verdict": None, "reason": "cannot tell"},
        {"id": "1_3", "response": "Failed to obtain answer via API.", "verdict": 0},
        {"id": "1_4", "response": "d", "verdict": 0.5},
        {"id": "1_5", "response": 7},
        {"response": "no id"},
    ]
    file = tmp_path / "verdicts.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in rows) + "\nnot json\n", encoding="utf-8")
    run = snellen(tmp_path, "import", "charthal", file, "--model", "m", "--data", data, "--json")
    results = json.loads(run.stdout)["results"]
    assert (results["scored"], results["planned"]) == (2, 4)
    assert results["unscored"]["judge_cannot_tell"] == 1
    assert results["unscored"]["model_error"] == 1
    for place in ("line 5", "line 6", "line 7", "line 8"):
        assert place in run.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "charthall", "--model", "blind"], "did you mean charthal"),
        (["run", "charthal", "--model", "vlm"], "ocr, blind, constant, replay:FILE, and as judges alone: e5"),
        (["run", "charthal", "--model", "vlm", "--base-url", "localhost:8000"], "http://"),
        (["run", "charthal-demo", "--model", "blind", "--rubric", "rules:reading=x"], "reading='x'"),
        (["run", "charthal-demo", "--model", "blind", "--rubric", "nope"], "there is no judge 'nope'"),
        (["run", "charthal-demo", "--model", "blind", "--prompt", "nope"], "there is no prompt 'nope'"),
        (["run", "charthal-demo", "--model", "blind", "--items", "nope"], "no item of charthal-demo is left"),
        (["run", "charthal-demo", "--model", "replay:absent.json"], "absent.json"),
        (["run", "charthal", "--model", "blind", "--data", "absent"], "absent"),
        (["run", "charthal-demo"], "--model"),
        (["show", "nope", "x"], "there is no run 'nope'"),
        (["nope"], "No such command"),
        (["run", "charthal-demo", "--model", "blind", "--sample", "0"], "0"),
        (["run", "charthal-demo", "--model", "blind", "--key-variable", "KEY"], "takes no key"),
        (["run", "charthal-demo", "--model", "blind", "--judge-base-url", "http://x/v1"], "name it with --judge"),
        (["run", "charthal-demo", "--model", "blind", "--judge", "none", "--rubric", "rules"], "nobody judges"),
        (["run", "charthal-demo", "--model", "blind", "--judge", "none", "--judge-on", "clean"], "nobody judges"),
    ],
)
def test_what_does_not_exist_is_said_with_status_2(tmp_path: Path, arguments: list[str], message: str) -> None:
    done = snellen(tmp_path, *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_a_mistake_in_models_toml_is_named(tmp_path: Path) -> None:
    (tmp_path / "workspace").mkdir()
    (tmp_path / "workspace" / "models.toml").write_text('[models."vlm"]\nbase_ur = "http://x"\n')
    done = snellen(tmp_path, "run", "charthal-demo", "--model", "vlm")
    assert done.returncode == 2
    assert "unknown key 'base_ur'" in done.stderr


def test_models_toml_is_used(tmp_path: Path, data: Path) -> None:
    with FakeServer(script) as server:
        (tmp_path / "workspace").mkdir()
        (tmp_path / "workspace" / "models.toml").write_text(
            f'[models."vlm"]\nname = "org/vlm"\nbase_url = "{server.url}/"\nkey_variable = "VLM_KEY"\n'
            'headers = {"x-team" = "eyes"}\nparameters = {top_p = 0.5}\nreasoning_effort = "low"\n'
            "price = {input = 1, output = 2}\n"
        )
        arguments = ["run", "charthal", "--model", "vlm", "--data", data, "--items", "charthal/1/0"]
        lacking = snellen(tmp_path, *arguments)
        assert lacking.returncode == 2
        assert "VLM_KEY" in lacking.stderr
        done = snellen(tmp_path, *arguments, VLM_KEY="sesame")
        assert "cost about" in done.stderr
    assert server.requests[0]["model"] == "org/vlm"
    assert server.requests[0]["top_p"] == 0.5
    assert server.requests[0]["reasoning_effort"] == "low"
    assert server.headers[0]["Authorization"] == "Bearer sesame"
    assert server.headers[0]["x-team"] == "eyes"
    ledger = (tmp_path / "workspace" / "ledger.sqlite").read_bytes()
    wal = tmp_path / "workspace" / "ledger.sqlite-wal"
    assert b"sesame" not in ledger + (wal.read_bytes() if wal.exists() else b"")


def test_caps_end_with_status_3_and_a_dry_run_asks_nothing(tmp_path: Path, data: Path) -> None:
    with FakeServer(lambda body, n: (400, {"error": {"message": "no"}}, {})) as server:
        arguments = ["run", "charthal", "--model", "vlm", "--base-url", server.url, "--data", data]
        dry = snellen(tmp_path, *arguments, "--dry-run")
        assert dry.returncode == 0
        assert "24 requests" in dry.stderr
        assert server.requests == []
        capped = snellen(tmp_path, *arguments, "--max-failures", 3, "--concurrency", 1)
        assert capped.returncode == 3
        assert "cap on failures (3)" in capped.stderr
        failed = snellen(tmp_path, *arguments)
        assert failed.returncode == 1


def test_ctrl_c_ends_with_130_and_the_same_command_goes_on(tmp_path: Path, data: Path) -> None:
    with FakeServer(script, delay=0.3) as server:
        arguments = [*PROGRAM, "--workspace", str(tmp_path / "workspace"), *map(str, run_arguments(server, data))]
        arguments += ["--concurrency", "2", "--judge-concurrency", "2"]
        process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while len(server.requests) < 6:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
        assert process.returncode == 130
        assert "requests in flight" in said
        assert "Traceback" not in said
        server.delay = 0.0
        done = subprocess.run(arguments, capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == 0, done.stderr
        assert "24 of 24 scored" in done.stdout
    asked = Counter((body["model"], question_of(body)) for body in server.requests)
    assert len(asked) == 48
    assert set(asked.values()) == {1}  # nothing finished, and nothing that was in flight, was asked twice


def test_a_second_ctrl_c_drops_what_is_in_flight_in_one_line(tmp_path: Path, data: Path) -> None:
    with FakeServer(script, delay=30.0) as server:
        arguments = [*PROGRAM, "--workspace", str(tmp_path / "workspace"), *map(str, run_arguments(server, data))]
        process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while len(server.requests) < 2:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        assert process.stderr is not None
        while "again to drop them" not in process.stderr.readline():
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "Traceback" not in said
    assert said.splitlines()[-1] == "interrupted"


def test_in_a_pipe_the_reason_of_failures_is_told(tmp_path: Path, data: Path) -> None:
    with FakeServer(lambda body, n: (400, {"error": {"message": "the picture is bad"}}, {})) as server:
        done = snellen(tmp_path, *run_arguments(server, data))
    assert done.returncode == 1
    assert "24 failed" in done.stderr
    assert "the picture is bad" in done.stderr


def test_a_killed_client_loses_only_what_was_in_flight(tmp_path: Path, data: Path) -> None:
    with FakeServer(script, delay=0.2) as server:
        arguments = [*PROGRAM, "--workspace", str(tmp_path / "workspace"), *map(str, run_arguments(server, data))]
        arguments += ["--concurrency", "2", "--judge-concurrency", "2"]
        process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while len(server.requests) < 9:
            time.sleep(0.02)
        process.kill()
        process.wait()
        server.delay = 0.0
        done = subprocess.run(arguments, capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == 0, done.stderr
        assert "24 of 24 scored" in done.stdout
    asked = Counter((body["model"], question_of(body)) for body in server.requests)
    assert len(asked) == 48
    assert sum(count - 1 for count in asked.values()) <= 4


def test_a_hostile_answer_cannot_move_the_cursor(tmp_path: Path, data: Path) -> None:
    with FakeServer(lambda body, n: completion("\x1b[2J\x07[bold]red[/bold] \u202e")) as server:
        run = snellen(
            tmp_path, "run", "charthal", "--model", "[red]m[/red]", "--base-url", server.url, "--data", data,
            "--items", "charthal/1/0",
        )  # fmt: skip
        name = run.stdout.split("\n")[0].strip()
        shown = snellen(tmp_path, "show", name, "charthal/1/0")
    assert "\x1b" not in run.stdout + run.stderr + shown.stdout
    assert "[bold]red[/bold]" in shown.stdout


def test_a_hostile_error_cannot_move_the_cursor(tmp_path: Path, data: Path) -> None:
    with FakeServer(lambda body, n: (400, {"error": {"message": "\x1b[2J\x9b31m\u202eno"}}, {})) as server:
        done = snellen(tmp_path, *run_arguments(server, data))
    assert "\ufffd[2J\ufffd31m\ufffdno" in done.stderr
    assert not set("\x1b\x9b\u202e") & set(done.stdout + done.stderr)


def test_a_hostile_row_cannot_move_the_cursor(tmp_path: Path) -> None:
    folder = small_shale.write(tmp_path / "shale")
    (folder / "\x1b]0;x\x07.json").write_text("{}", encoding="utf-8")
    checked = snellen(tmp_path, "check", "shale", "--data", folder)
    assert "\ufffd]0;x\ufffd.json" in checked.stdout
    missing = snellen(tmp_path, "check", "shale", "--data", tmp_path / "\x1b[2J")
    assert missing.returncode == 2
    assert "\x1b" not in checked.stdout + checked.stderr + missing.stderr


def test_a_folder_whose_name_is_no_text_is_used(tmp_path: Path) -> None:
    folder = small_shale.write(tmp_path / os.fsdecode(b"caf\xe9"))
    asked = ("shale", "--data", folder, "--items", "shale/1")
    done = snellen(tmp_path, "run", *asked, "--model", "blind", "--report", tmp_path / "report.html")
    assert done.returncode == 0, done.stderr
    assert "caf?" in (tmp_path / "report.html").read_text(encoding="utf-8")
    made = snellen(tmp_path, "perturb", *asked, "--out", tmp_path / "out", "--perturb", "jpeg:1")
    assert made.returncode == 0, made.stderr


def test_a_shell_variable_that_is_not_set_is_no_clean_run(tmp_path: Path) -> None:
    for command in (("run", "charthal-demo", "--model", "blind"), ("preflight", "charthal-demo", "--model", "blind")):
        refused = snellen(tmp_path, *command, "--perturb", "")
        assert refused.returncode == 2
        assert "'--perturb': it is empty" in refused.stderr
    refused = snellen(tmp_path, "perturb", "charthal-demo", "--out", tmp_path / "out", "--perturb", " ")
    assert refused.returncode == 2
    assert "'--perturb': it is empty" in refused.stderr


def test_check_reports_and_list_lists(tmp_path: Path, data: Path) -> None:
    checked = snellen(tmp_path, "check", "charthal", "--data", data)
    assert "findings" in checked.stderr
    listed = json.loads(snellen(tmp_path, "list", "--json").stdout)
    assert "charthal" in listed["benchmarks"]
    assert "rules" in listed["judges"]
    assert snellen(tmp_path, "list", "benchmarks").stdout.startswith("benchmarks: ")


def test_what_prints_results_prints_json_too() -> None:
    context = click.Context(cli)
    named = {}
    for name in cli.list_commands(context):
        command = cli.get_command(context, name)
        assert command is not None
        named[name] = {option.name for option in command.params}
    assert [name for name, options in named.items() if "as_json" not in options] == ["export"]  # JSON Lines by itself


def test_help_needs_no_workspace(tmp_path: Path) -> None:
    done = snellen(tmp_path, "--help")
    assert done.returncode == 0
    assert not (tmp_path / "workspace").exists()
    for command in ("run", "demo", "import", "judge", "report", "show", "runs", "list", "export", "check"):
        assert f"  {command} " in done.stdout
        assert snellen(tmp_path, command, "--help").returncode == 0


def test_languages_are_chosen_by_name(tmp_path: Path) -> None:
    asked = snellen(tmp_path, "run", "gui-demo", "--model", "constant:reject", "--judge", "none", "--language", "zh")
    assert "132 answers" in asked.stderr
    refused = snellen(tmp_path, "run", "gui-demo", "--model", "constant:reject", "--language", "fr")
    assert refused.returncode == 2
    assert "no questions in 'fr'; there are: en, zh" in refused.stderr
