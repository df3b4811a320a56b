"""Claims marked on an answer: on the page and on a terminal, also where the answer is hostile or long."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from snellen.atomic_claim import CLAIM_VERDICTS, AtomicClaim, ClaimVerdict, Segment, locate, segments
from snellen.report import item_text
from snellen.report import page as report
from snellen.report.claim_marks import CLAIM_MARKS, clipped, marked
from snellen.report.claimed import ClaimedAnswer
from snellen.verdict import Verdict

ANSWER = "A <b>red</b> dog \u202eruns."


def claims(answer: str, **quotes: str) -> tuple[AtomicClaim, ...]:
    return locate(answer, [AtomicClaim("", quote, verdict(name)) for name, quote in quotes.items()])


def verdict(name: str) -> ClaimVerdict:
    return next(each for each in CLAIM_VERDICTS if each.replace(" ", "_") == name)


def test_every_verdict_has_a_mark_of_its_own() -> None:
    assert set(CLAIM_MARKS) == set(CLAIM_VERDICTS)
    for part in ("sign", "name", "word", "style"):
        assert len({getattr(mark, part) for mark in CLAIM_MARKS.values()}) == len(CLAIM_MARKS)


def test_the_parts_of_an_answer_are_text_and_verdict() -> None:
    found = marked("A red dog.", claims("A red dog.", contradicted="red"))
    assert found == (("A ", ""), ("red", "contradicted"), (" dog.", ""))


@given(pieces=st.lists(st.text(max_size=9), max_size=6), head=st.integers(0, 30), tail=st.integers(0, 10))
def test_a_clipped_text_keeps_its_ends_and_tells_what_is_left_out(pieces: list[str], head: int, tail: int) -> None:
    text = "".join(pieces)
    parts = list(clipped([Segment(piece) for piece in pieces], head, tail))
    shown = "".join(part.text for part, _ in parts)
    left_out = sum(count for _, count in parts)
    assert len(shown) + left_out == len(text)
    if head + tail >= len(text):
        assert shown == text
    else:
        assert shown == text[:head] + text[len(text) - tail :]


def test_a_long_answer_is_folded_and_cut() -> None:
    text = "A dog. " * 200_000
    found = ClaimedAnswer.of(text, claims(text, absent="A dog"))
    assert (len("".join(part.text for part in found.lead)), found.cut, found.length) == (300, True, 1_400_000)
    assert len("".join(part.text for part in found.rest)) == 6_000
    assert found.lead[0].mark is CLAIM_MARKS["absent"]
    assert (found.lead[0].label, found.lead[0].word) == ("!1", "absent")


def test_the_page_marks_claims_and_escapes_what_is_said(make_source: Callable[..., Any], tmp_path: Path) -> None:
    source = make_source()
    source.add(ANSWER, Verdict(0, reason="1 of 3"))
    source.add("A plain answer.", Verdict(0))
    hostile = AtomicClaim("<script>alert(1)</script>", "a horse\u202e", "cannot tell", "<img src=x>")
    source.claimed = {0: (*claims(ANSWER, contradicted="red", supported="<b>red</b> dog"), hostile)}
    report.write([source], tmp_path / "report.html")
    html = (tmp_path / "report.html").read_text(encoding="utf-8")
    supported, contradicted = ('<mark class="claim ' + name + '">' for name in ("supported", "contradicted"))
    assert (
        f'{supported}&lt;b&gt;</mark>{contradicted}red<sup>-1 <span class="word">contradicted</span></sup></mark>'
        in html
    )
    assert '<mark class="claim supported">&lt;/b&gt; dog<sup>+2</sup></mark> \u27e8U+202E\u27e9runs.' in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html
    assert "(these words are not in the answer)" in html
    assert "3 claims, by the judge" in html
    assert html.count('class="claims-legend"') == 1, "an answer without claims is shown as ever"
    assert not set("\u202e") & set(html)
    assert "<script" not in html
    assert "<img" not in html


TEXT = "图中有一只非常非常大的棕色的狗在公园里跑。" * 4 + "[-1: no claim]"
CHAIN: dict[str, Any] = {
    "run": "charthal/m-1@atomic-claims-j", "id": "charthal/1/0", "labels": {"relation": "normal"}, "changes": [],
    "question": "What \x1b[2J is it?", "reference_text": "none", "purged": {},
    "image_files": [{
        "name": "1.png", "path": "", "sha256": "", "problem": "it is not in the workspace", "original": None,
        "sent": {"media_type": "image/jpeg", "width": 10, "height": 9, "mode": "RGB", "bytes": 1234, "sha256": "ab",
                 "steps": ["alpha over white", "resized"]}, "as_it_is": False,
    }],
    "request": {"prompt": "direct", "model": "m", "revision": "r1", "image_policy": "", "parameters": {},
                "messages": [{"role": "user", "parts": [{"kind": "text", "role": "question", "text": "q"}]}],
                "messages_are": "changed"},
    "answer": {"status": "answered", "text": TEXT, "thinking": "",
               "finish_reason": "stop", "usage": {"prompt": None, "completion": 7}, "seconds": 1.0, "sent": {},
               "server_model": "", "likelihood": None},
    "error": "", "failures": [], "readings": [{"reader": "numbers", "says": "none"}],
    "verdicts": [{
        "judging": "charthal/m-1@atomic-claims-j", "value": None, "unscored": "judge_error", "flags": [], "reason": "r",
        "measures": {}, "reads": "", "options": {}, "vectors": False, "rubric": None, "replies": [],
        "attempts": [{"attempt": 0, "status": "failed", "failures": [{"kind": "timeout", "message": "60 s"}]}],
        "claims": [{"text": "A dog.", "quote": "狗", "verdict": "absent", "reason": "", "start": 14, "end": 15}],
    }],
    "people": [{"rater": "ada", "value": None, "file": "l.csv", "row": "2"}], "other_runs": [],
}  # fmt: skip


def shown(width: int, *, terminal: bool) -> str:
    stream = io.StringIO()
    console = Console(file=stream, width=width, force_terminal=terminal, color_system=None, highlight=False)
    item_text.show(CHAIN, console)
    return stream.getvalue()


@pytest.mark.parametrize("width", [60, 80, 100])
def test_a_terminal_gets_lines_that_fit(width: int) -> None:
    from rich.cells import cell_len

    said = shown(width, terminal=True)
    plain = said.replace("\x1b[0m", "").replace("\x1b[1m", "")
    assert max(map(cell_len, plain.splitlines())) <= width
    for expected in (
        "converted: alpha over white; resized",
        "[!1: 狗]",
        "the source has changed since",
        "timeout: 60 s",
    ):
        assert expected in " ".join(plain.split())
    assert "the answer itself holds signs like these" in " ".join(plain.split())
    assert "\u27e8U+001B\u27e9[2J" in plain
    assert "ada: cannot tell (l.csv, row 2)" in plain


def test_a_pipe_gets_lines_that_are_whole() -> None:
    said = shown(60, terminal=False)
    assert "\x1b" not in said
    assert CHAIN["answer"]["text"].replace("狗", "[!1: 狗]", 1) in said


def test_claims_without_a_place_are_not_marked() -> None:
    assert [part.text for part in segments("A dog.", claims("A dog.", absent="horse"))] == ["A dog."]
