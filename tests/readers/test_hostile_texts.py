"""Every reader on long texts of one thing said again and again: none takes time that grows with its square.

A reader that did would take minutes where these take seconds; each has a process of its own, which is given up then.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

READERS = {
    "a judge's score": "_score.parity_score(text), unread(_score.strict_score, text)",
    "a judge's label": "_label.parity_label(text), unread(_label.strict_label, text)",
    "a target": "boxes.read_target(text, PRESETS['pixels'], FRAME)",
    "elements": "boxes.read_elements(text, PRESETS['pixels'], FRAME)",
    "abstention": "abstention.stance(text)",
    "hedging": "hedging.tone(text)",
    "intervals": "intervals.read(text)",
    "number": "number.read(text)",
    "acceptable ranges": "number.acceptable_ranges(text)",
    "a range": "number.acceptable_ranges('5 (Answers in the range [4, 6] are ACCEPTABLE). ' + text)",
    "accepts": "number.accepts('About 5 (Answers in the range [4, 6] are ACCEPTABLE).', text)",
    "a reference": "number.accepts(text, 'about 5')",
    "mentions": "declared.mentions(text)",
    "option": "option.read(text, {'A': 'red bird', 'B': 'a blue car', 'C': '12'})",
    "an option": "option.read('The red bird.', {'A': text, 'B': 'a cat'})",
    "premise": "premise.corrects(text, 'Why is 1 not actually the premise 不是?')",
    "a question": "premise.corrects('It is not so.', text)",
    "terms": "terms.matches('The red line', text, 'Which line is it?')",
    "a term": "terms.matches(text, 'The red line')",
    "thinking": "thinking.strip(text), thinking.strip('<think>' + text, 'length')",
    "wording": "wording.says('red bird', text), wording.same(text, text + 'x'), wording.bare(text)",
    "a truth": "wording.says(text, 'red bird')",
    "yes or no": "yes_no.read(text)",
}

UNITS = [
    *("1", "1 ", "1-1-", "$1", "one hundred ", "[1,", "{,}1", "1 or ", "a (b) (c", "((a) ", "[[1],"),
    *(" ", "\n", "a\n", "```", "**", '"', "'a ", "no ", "yes, ", "there is no ", "but ", "the answer is ", "A or B "),
    *("[", "(", "[1", '{"a":"\\"', "(1,2),", "[1,2,3,4],", "<a x=", "<box>", "\\", "left 1 ", "[/*", '["', "x=1,y=2,"),
    *(
        "the target is not ",
        '{"a": "[1,2]"}',
        "at 1, 2\n",
        "<loc_1><loc_2><loc_3><loc_4>",
        '- [icon] "a" (1, 2, 3, 4)\n',
    ),
    *(
        "Score: ",
        "score: 1.",
        "score",
        "1/",
        "{",
        "#",
        "：",
        "<think>",
        "<think ",
        "`<think>",
        "<a>",
        "◁",
        "\\boxed{",
        "a",
        "。",
        "没有",
        "虽然",
        "一百万",
        "「",
    ),
]

PROGRAM = """
import sys
from snellen.convention import PRESETS, Frame
from snellen.readers import abstention, boxes, declared, hedging, intervals, number, option, premise, terms, thinking
from snellen.errors import UnreadableReplyError
from snellen.judges import _label, _score
from snellen.readers import wording
from snellen.readers import yes_no
def unread(read, text):
    try:
        return read(text)
    except UnreadableReplyError:
        return None
FRAME = Frame((900, 900), (900, 900), (900, 900))
for unit in sys.argv[2:]:
    text = (unit * 80_000)[:80_000]
    eval(sys.argv[1])
    print("read")
"""


@pytest.mark.slow
@pytest.mark.parametrize("reader", READERS)
def test_no_text_takes_a_reader_long(reader: str) -> None:
    command = [sys.executable, "-c", PROGRAM, READERS[reader], *UNITS]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=True)
    assert done.stdout.split() == ["read"] * len(UNITS)
