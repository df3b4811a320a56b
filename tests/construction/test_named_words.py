"""Words that a named model gives: asked once through the ledger, reviewed, and written for the perturbation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fake_server import FakeServer, completion
from snellen.construction import near_words
from snellen.construction.near_words import Wanted
from snellen.errors import DataError
from snellen.item import Item, OptionReference, TextReference, YesNoReference
from snellen.perturbations import _word_source, confusing_synonyms


def items() -> list[Item | DataError]:
    return [
        Item(id="a", question="What is it?", reference=TextReference("a theremin"), labels={"task": "free-form"}),
        Item(
            id="b",
            question="Which one?\n(A) A theremin. (B) x",
            options=(("A", "A theremin."), ("B", "x")),
            reference=OptionReference("A", "A theremin."),
        ),
        Item(id="c", question="Is it a car?", reference=YesNoReference(False), labels={"answer": "a theremin"}),
        Item(id="d", question="这是什么？", reference=TextReference("古筝"), language="zh"),
        Item(id="e", question="How many?", reference=TextReference("3")),
        Item(id="f", question="Describe.", reference=TextReference("It is a dog."), labels={"task": "caption"}),
        Item(id="g", question="What?", reference=TextReference("x" * 81)),
        DataError("broken"),
    ]


def test_every_right_answer_in_words_is_wanted_once_with_its_questions() -> None:
    first, second = near_words.wanted(items())
    assert first == Wanted("a theremin", "en", ["What is it?", "Which one?"])
    assert second == Wanted("古筝", "zh", ["这是什么？"])


def test_answers_that_differ_in_case_and_full_stop_are_one() -> None:
    both = [items()[1], Item(id="z", question="What?", reference=TextReference("a theremin"))]
    (one,) = near_words.wanted([*both, Item(id="y", question="And?", reference=TextReference("A Theremin"))])
    assert one.questions == ["Which one?", "What?", "And?"]


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        ("a wolf\na fox", ["a wolf", "a fox"]),
        ("1. a wolf\n2) a fox\n- a jackal\n* **hyena**", ["a wolf", "a fox", "a jackal", "hyena"]),
        ('"a wolf"\nA Wolf.\n\n“a fox”', ["a wolf", "a fox"]),
        ("a puppy\ndogs\nan animal\na wolf", ["a wolf"]),
        ("<think>a cat\n</think>a wolf", ["a wolf"]),
        ("x" * 200, []),
        ("", []),
        ("\n".join(f"word number{n}x" for n in range(30)), None),
    ],
)
def test_a_reply_is_read_line_by_line_and_only_what_is_surely_wrong_stays(reply: str, words: list[str] | None) -> None:
    found = near_words.read_words(reply, Wanted("a dog", "en"))
    assert (found == words) if words is not None else len(found) == 10


@pytest.mark.parametrize(
    ("reply", "left"),
    [
        ("none", ["x", "y", "z"]),
        ("None of them.", ["x", "y", "z"]),
        ("没有", ["x", "y", "z"]),
        ("B", ["x", "z"]),
        ("(A), (C)", ["y"]),
        ("I am not sure", []),
        ("", []),
    ],
)
def test_what_the_review_names_is_dropped_and_everything_where_it_says_nothing(reply: str, left: list[str]) -> None:
    assert near_words.kept(reply, ["x", "y", "z"]) == left


def served(body: dict[str, Any], number: int) -> Any:
    text = body["messages"][0]["content"]
    text = text if isinstance(text, str) else text[0]["text"]
    if "Other answers" in text or "其他答案" in text:
        return completion("A")
    return completion("古琴\n琵琶" if "古筝" in text else "an electric violin\nan ondes martenot")


def arguments(tmp_path: Path, url: str) -> list[str]:
    data = [
        {"id": "1", "task": "OpenVQA", "hallucination_type": "faithfulness", "evaluation_dimension": "entity type"}
        | {"images": ["images/a.png"], "instruction": "What is it?", "ground_truth": "a theremin"},
        {"id": "2", "task": "OpenVQA", "hallucination_type": "faithfulness", "evaluation_dimension": "entity type"}
        | {"images": ["images/a.png"], "instruction": "这是什么？", "ground_truth": "古筝"},
    ]
    for row, language in zip(data, ("en", "zh"), strict=True):
        row |= {"language": language}
    (tmp_path / "items.json").write_text(json.dumps(data), "utf-8")
    given = [
        "shale-demo",
        "--data",
        str(tmp_path),
        "--model",
        "m",
        "--base-url",
        url,
        "--out",
        str(tmp_path / "w.json"),
    ]
    return [*given, "--workspace", str(tmp_path / "ws")]


def test_words_are_asked_for_reviewed_written_and_used_and_nothing_is_asked_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with FakeServer(served) as server:
        given = arguments(tmp_path, server.url)
        assert near_words.main(given) == 0
        assert len(server.requests) == 4
        first = (tmp_path / "w.json").read_bytes()
        assert near_words.main(given) == 0
        assert len(server.requests) == 4, "the ledger has the answers"
    assert (tmp_path / "w.json").read_bytes() == first
    plain = json.loads(first)
    assert plain["model"] == "m"
    assert plain["near"] == {"en": {"a theremin": ["an ondes martenot"]}, "zh": {"古筝": ["琵琶"]}}
    assert "2 words for 2 of 2" in capsys.readouterr().out
    monkeypatch.setenv(_word_source.VARIABLE, str(tmp_path / "w.json"))
    item = Item(id="f", question="What is it?", reference=TextReference("a theremin"))
    changed = confusing_synonyms.change(item, 1, np.random.default_rng(0))
    assert changed is not None
    assert "an ondes martenot" in changed.question


def test_what_fails_is_counted_and_asked_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def fails(body: dict[str, Any], number: int) -> Any:
        return (400, {"error": {"message": "no"}}, {}) if "古筝" in str(body) else served(body, number)

    with FakeServer(fails) as server:
        assert near_words.main(arguments(tmp_path, server.url)) == 1
    assert "1 were not answered" in capsys.readouterr().err
    assert list(json.loads((tmp_path / "w.json").read_text("utf-8"))["near"]) == ["en"]
    with FakeServer(served) as server:
        assert near_words.main(arguments(tmp_path, server.url)) == 0
        assert len(server.requests) == 2


def test_wrong_usage_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = arguments(tmp_path, "http://127.0.0.1:9/v1")
    assert near_words.main([*given, "--concurrency", "0"]) == 2
    assert near_words.main([*given, "--base-url", "nowhere"]) == 2
    assert near_words.main(["no-such", *given[1:]]) == 2
    assert near_words.main([*given, "--model", "constant:none", "--out", str(tmp_path / "no" / "w.json")]) == 2
    assert capsys.readouterr().err.count("error: ") == 4
