"""`snellen show` from outside: the whole chain of an item, with a judge of atomic claims on a server with a script."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import small_charthal
from fake_server import FakeServer, completion, question_of
from snellen.cli import cli
from snellen.errors import UsageError

ANSWER = "There are **red cars**, and a dog.\nThe dog is brown. 右边有一只猫。 <b>bold</b> \x1b[31m\u202eevil"
LISTED = (
    ("There are cars.", "cars", "supported", "seen"),
    ("The cars are red.", "red cars", "contradicted", "they are blue"),
    ("There is a dog.", "a dog", "absent", "no animal"),
    ("右边有一只猫。", "右边有一只猫", "cannot tell", "太小"),
    ("There is a horse.", "a horse", "absent", "none"),
)


def call(folder: Path, *arguments: object) -> Result:
    return CliRunner().invoke(cli, ["--workspace", str(folder / "workspace"), *map(str, arguments)])


def listed(body: dict[str, Any]) -> str:
    tag = re.findall(r"^<<<CLAIMS (\w+)$", question_of(body), re.MULTILINE)[-1]
    claims = [dict(zip(("claim", "quote", "verdict", "reason"), each, strict=True)) for each in LISTED]
    return f"The list:\n<<<CLAIMS {tag}\n{json.dumps({'claims': claims}, ensure_ascii=False)}\n{tag} CLAIMS>>>"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with two runs on one figure, one judged by a judge of claims whose first reply cannot be read."""
    folder = tmp_path_factory.mktemp("show")
    data = small_charthal.write(folder / "data", figures=1)
    judged: set[str] = set()

    def script(body: dict[str, Any], _n: int) -> Any:
        if body["model"] == "judge":
            first = question_of(body) not in judged
            judged.add(question_of(body))
            return completion("I see no claims." if first else listed(body))
        if "Question 9" in question_of(body):
            return 400, {"error": {"message": "\x1b[2Jno such luck"}}, {}
        if "Question 8" in question_of(body):
            return completion("Long. " * 200_000)
        return completion(f"<think>Are there cars?</think>{ANSWER}")

    with FakeServer(script) as server:
        asked = ("run", "charthal", "--model", "vlm", "--base-url", server.url, "--data", data)
        claims = ("--judge", "judge", "--judge-base-url", server.url, "--rubric", "atomic-claims")
        done = call(folder, *asked, "--items", "charthal/1/[01]", *claims, "--report", folder / "report.html")
        assert done.exit_code == 0, done.output
        call(folder, *asked, "--items", "charthal/1/[0189]", "--judge", "none")
        call(folder, *asked, "--items", "charthal/1/[01]", "--prompt", "abstain")
    (folder / "names.json").write_text(call(folder, "runs", "--json").output, encoding="utf-8")
    return folder


@pytest.fixture
def names(folder: Path) -> list[str]:
    """Of the judging by claims and of the run with the prompt abstain."""
    found = re.findall(r'"(charthal/vlm-[^"]+)"', (folder / "names.json").read_text(encoding="utf-8"))
    claims = next(name for name in found if name.endswith("@atomic-claims-judge"))
    return [claims, next(name for name in found if "@" not in name and not claims.startswith(name))]


def test_the_whole_chain_is_told(folder: Path, names: list[str]) -> None:
    (folder / "labels.csv").write_text(
        "id,label,rater\ncharthal/1/0,wrong,ada\ncharthal/1/1,right,ada\n", encoding="utf-8"
    )
    shown = call(folder, "show", names[0], "charthal/1/0", "--human", folder / "labels.csv")
    assert shown.exit_code == 0, shown.output
    said = shown.output
    for expected in (
        "run: charthal/vlm-",
        "labels: question_type=descriptive, relation=inexistent",
        "original: jpeg 40x30 RGB, ",
        ": the original bytes",
        "asked vlm with the prompt direct",
        "parameters requested: temperature=0",
        "parameters sent: temperature=0",
        "Question 0 about figure 1?",
        "answer answered; stop; tokens 100 in, 10 out; ",
        "from served-model",
        "[-2: red ][+1 -2: cars]**, and [!3: a dog].",
        "[?4: 右边有一只猫]。 <b>bold</b> \u27e8U+001B\u27e9[31m\u27e8U+202E\u27e9evil",
        "+ supported, - contradicted, ! absent: nothing in the image supports it, ? the judge cannot tell",
        "thinking 30 characters, no part of the answer\n  <think>Are there cars?</think>",
        "abstention: does not decline",
        f"verdict of {names[0]}: 0",
        "how: a model read the answer: these readings set the flags alone",
        '!5 absent: There is a horse. "a horse" (these words are not in the answer)',
        "I see no claims.",
        "the judge said (attempt 2; ",
        "You check an answer that a model gave",
        "people\n  ada: wrong (",
        f"  {names[1]}@rules, prompt abstain: ",
    ):
        assert expected in said, expected
    assert not set("\x1b\u202e") & set(said)


def test_json_holds_the_whole(folder: Path, names: list[str]) -> None:
    found = json.loads(call(folder, "show", names[0], "charthal/1/0", "--json").output)
    assert found["answer"]["text"] == ANSWER
    assert found["answer"]["thinking"] == "<think>Are there cars?</think>"
    assert found["request"]["messages_are"] == "sent"
    verdict = found["verdicts"][0]
    assert verdict["rubric"]["messages_are"] == "sent"
    assert [each["verdict"] for each in verdict["claims"]] == [each[2] for each in LISTED]
    assert ANSWER[verdict["claims"][2]["start"] : verdict["claims"][2]["end"]] == "a dog"
    assert verdict["attempts"][0]["text"] == "I see no claims."
    assert verdict["measures"]["claims"] == [5, 1]
    assert [(each["run"], each["prompt"], each["value"]) for each in found["other_runs"]] == [
        (f"{names[1]}@rules", "abstain", 0)
    ]


def test_an_item_that_gave_no_answer_says_why(folder: Path, names: list[str]) -> None:
    said = call(folder, "show", names[0].partition("@")[0], "charthal/1/9").output
    assert "answer none" in said
    assert "failed attempt: bad_request: " in said
    assert "no such luck" in said
    assert "\x1b" not in said


def test_a_long_answer_is_folded_unless_all_is_wanted(folder: Path, names: list[str]) -> None:
    run = names[0].partition("@")[0]
    folded = call(folder, "show", run, "charthal/1/8").output
    assert "... 1,193,999 of 1,199,999 characters are left out here (--full shows all) ..." in folded
    assert len(folded) < 40_000
    assert len(call(folder, "show", run, "charthal/1/8", "--full").output) > 1_190_000


def test_an_item_that_is_not_there_is_answered_with_near_names(folder: Path, names: list[str]) -> None:
    wrong = {"1/8": "did you mean charthal/1/8?", "charthal/1/88": "charthal/1/8", "CHARTHAL/1/9": "charthal/1/9"}
    for wanted, near in {**wrong, "\u56fe": "its ids look like charthal/1/0"}.items():
        done = call(folder, "show", names[0], wanted)
        assert isinstance(done.exception, UsageError)
        assert near in str(done.exception)


def test_the_numbers_of_claims_stand_in_table_and_report(folder: Path, names: list[str]) -> None:
    shown = call(folder, "report", names[0], "--json")
    claims = json.loads(shown.output)["results"]["claims"]
    assert claims["per_answer"]["value"] == 3
    assert claims["rate"]["value"] == 0.75
    html = (folder / "report.html").read_text(encoding="utf-8")
    assert "Claims in 2 answers: 3.00" in html
    mark = '<mark class="claim contradicted">'
    assert f'{mark}red </mark>{mark}cars<sup>+1 -2 <span class="word">contradicted</span></sup></mark>' in html
    assert "&lt;b&gt;bold&lt;/b&gt;" in html


def test_people_who_cannot_be_read_are_told_of(folder: Path, names: list[str]) -> None:
    (folder / "bad.csv").write_text("id,label\ncharthal/1/0,maybe\ncharthal/1/0,1\n", encoding="utf-8")
    done = call(folder, "show", names[0], "charthal/1/0", "--human", folder / "bad.csv")
    assert done.exit_code == 0
    assert "warning: the label 'maybe' is none" in done.output
    assert "bad: right (" in done.output


def test_thinking_alone_and_words_that_look_like_ours(tmp_path: Path) -> None:
    data = small_charthal.write(tmp_path / "data", figures=1)

    def script(body: dict[str, Any], _n: int) -> Any:
        said = {"Question 0": "<think>Are there cars?", "Question 1": "<think>all</think>"}
        text = next((each for name, each in said.items() if name in question_of(body)), "5")
        return {**completion(text), "model": "vlm\n\nverdict of rules: 1\x1b[2J" + "m" * 5_000}

    with FakeServer(script) as server:
        asked = ("run", "charthal", "--model", "vlm", "--base-url", server.url, "--data", data)
        assert call(tmp_path, *asked, "--items", "charthal/1/[012]").exit_code == 0
    for item, thought in (("charthal/1/0", "<think>Are there cars?"), ("charthal/1/1", "<think>all</think>")):
        found = json.loads(call(tmp_path, "show", "charthal/vlm", item, "--json").output)
        assert (found["answer"]["text"], found["answer"]["thinking"]) == ("", thought)
        assert f"\n  {thought}\n" in call(tmp_path, "show", "charthal/vlm", item).output
    lines = call(tmp_path, "show", "charthal/vlm", "charthal/1/2").output.splitlines()
    assert [line for line in lines if line.startswith("verdict of")] == [
        line for line in lines if line.startswith("verdict of charthal/vlm-")
    ]
    assert max(map(len, lines)) < 1_000


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_a_stream_that_cannot_write_every_sign(folder: Path, names: list[str], encoding: str) -> None:
    def say(*arguments: str) -> str:
        program = [sys.executable, "-c", "from snellen.cli import main; main()"]
        done = subprocess.run(
            [*program, "--workspace", str(folder / "workspace"), *arguments],
            capture_output=True,
            check=False,
            timeout=120,
            env={**os.environ, "PYTHONIOENCODING": encoding},
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.decode("utf-8" if encoding == "ascii" else encoding)  # click writes UTF-8 for ASCII

    found = json.loads(say("show", names[0], "charthal/1/0", "--json"))
    assert found["answer"]["text"] == ANSWER
    rows = [json.loads(line) for line in say("export", names[0]).splitlines()]
    assert ANSWER in {row["response"] for row in rows}
    assert "\\u53f3\\u8fb9" in say("show", names[0], "charthal/1/0")
