"""snellen judge: two judgings of one run, and what they decide differently."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from fake_server import FakeServer, completion, question_of

PROGRAM = [sys.executable, "-c", "from snellen.cli import main; main()"]


def snellen(tmp_path: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PROGRAM, "--workspace", str(tmp_path / "workspace"), *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ, "COLUMNS": "100"},
    )


def script(body: dict[str, Any], _number: int) -> Any:
    question = question_of(body)
    if body["model"] != "judge":
        return completion("A cat and a dog, no bird." if "用一两句话" in question else "NO, (B)")
    if "Response 1" in question:
        return completion("Response 1: With Hallucination, a dog.")
    misled = "\n用一两句话描述这张图" not in question
    return completion(f"Seen.\nVerdict: {'hallucination' if misled else 'no hallucination'}")


def test_flips_and_the_published_reading_are_listed(tmp_path: Path) -> None:
    with FakeServer(script) as server:
        judge = ("--judge", "judge", "--judge-base-url", server.url)
        perturb = ("--perturb", "misleading-prefix:3")
        model = ("--model", "vlm", "--base-url", server.url)
        run = snellen(tmp_path, "run", "shale-demo", *model, *judge, *perturb, "--items", "shale-demo/meadow-cat/[0-4]")
        assert run.returncode == 0, run.stderr
        assert "CHAIR_i" in run.stdout
        name = run.stdout.split("\n")[0].strip().partition("@")[0]
        clean = snellen(tmp_path, "judge", name, *judge, "--judge-on", "clean", "--json")
        assert clean.returncode == 0, clean.stderr
        assert json.loads(clean.stdout)["run"] == f"{name}@shale-on-clean-judge"
        parity = snellen(tmp_path, "judge", name, *judge, "--rubric", "shale:scoring=parity")
        assert parity.returncode == 0, parity.stderr
    report = json.loads(snellen(tmp_path, "report", f"{name}@shale-judge", "--json").stdout)
    whole = next(part for part in report["results"]["captions"] if not part["label"])
    assert (whole["chair_i"]["value"], whole["chair_s"]["value"], whole["coverage"]["value"]) == (1 / 2, 1.0, 1 / 3)
    published, on_clean, in_parity = report["differences"]
    assert (published["title"], published["there"]) == ("yes, no and options as read here", "SHALE's published script")
    read = {each["id"]: (each["here"]["value"], each["there"]["value"]) for each in published["items"]}
    # "NO" is no to the reader here and nothing to the script.
    assert read["shale-demo/meadow-cat/1"] == (1, 0)
    assert all(each["here"]["reason"].endswith("script reads unclear.") for each in published["items"])
    assert [each["id"] for each in on_clean["items"]] == ["shale-demo/meadow-cat/4@misleading-prefix:3"]
    assert {each["id"] for each in in_parity["items"]} >= {"shale-demo/meadow-cat/1", "shale-demo/meadow-cat/4"}
    page = tmp_path / "report.html"
    written = snellen(tmp_path, "report", f"{name}@shale-judge", "-o", page)
    assert written.returncode == 0, written.stderr
    html = page.read_text("utf-8")
    assert "Judged on the clean version of changed items: 1 of" in html
    assert "Captions: the judge" in html


def test_a_run_without_changes_cannot_be_judged_on_clean_versions(tmp_path: Path) -> None:
    items = ("--items", "shale-demo/meadow-cat/0")
    run = snellen(tmp_path, "run", "shale-demo", "--model", "constant", *items, "--judge-on", "clean")
    assert run.returncode == 2
    assert "no changed items" in run.stderr
