"""Reads a judge's reply that ends in ``Verdict: no hallucination``, ``hallucination`` or ``unclear``: strictly, or as
SHALE's published script reads its own form."""

from __future__ import annotations

import re
from typing import Final, Literal

from snellen.errors import UnreadableReplyError
from snellen.judges._quoted import Line, lines_of, refused
from snellen.readers.pattern import Pattern

Label = Literal["no hallucination", "hallucination", "unclear", "cannot tell"]

_LABELS: Final[dict[str, Label]] = {
    "no hallucination": "no hallucination", "without hallucination": "no hallucination", "无幻觉": "no hallucination",
    "hallucination": "hallucination", "with hallucination": "hallucination", "有幻觉": "hallucination",
    "unclear": "unclear", "不明确": "unclear",
    "cannot tell": "cannot tell", "无法判断": "cannot tell",
}  # fmt: skip
_WIDTH: Final = str.maketrans("：＝．", ":=.")
_DRESS = Pattern(r"^#{1,6} |^> |[*_`\"]")
_BEGINS = r"(?:(?:final|the|my|overall) ){0,2}(?:verdict|判定|结论|最终判定|最终结论)"
_VERDICT = Pattern(rf"{_BEGINS} ?[:=] ?({'|'.join(sorted(_LABELS, key=len, reverse=True))}) ?[.。]?", re.IGNORECASE)
_VERDICT_LIKE = Pattern(rf"{_BEGINS} ?[:=]", re.IGNORECASE)
_LONGEST_REASON: Final = 500
_PUBLISHED_LINE = Pattern(r"Response ?(\d+) ?:")
_PUBLISHED: Final[tuple[tuple[tuple[str, str], Label], ...]] = (
    (("With Hallu", "With hallu"), "hallucination"),
    (("Without Hallu", "Without hallu"), "no hallucination"),
    (("Unclear", "Unclear"), "unclear"),
)


def strict_label(text: str, *, cut: bool = False, answer: str = "") -> tuple[Label, str]:
    """The label that a reply declares, alone on its last line, and the evidence before it.

    Harmless dress is tolerated: markdown, a code fence, a full stop, full-width signs, "Final verdict", "with" and
    "without hallucination". What is no label, declared on two lines or not on a line of its own is no verdict. A
    line that the reply quotes of the answer is none of these lines (`snellen.judges._quoted`).

    Args:
        text: the reply, thinking stripped.
        cut: whether the reply was cut, so that its last line is not its end.
        answer: that is judged.

    Raises:
        UnreadableReplyError: with what was found instead.

    >>> strict_label("It names a cat that is not there.\\n**Verdict:** hallucination")
    ('hallucination', 'It names a cat that is not there.')
    """
    if cut:
        raise UnreadableReplyError("the judge's reply was cut before its verdict; raise the judge's max_tokens")
    lines = lines_of(text, _WIDTH, _DRESS)
    if not lines:
        raise UnreadableReplyError("the judge's reply is empty")
    *before, last = lines
    rivals = [line for line in before if _VERDICT_LIKE.match(line.plain)]
    if why := refused(rivals, last, lines_of(answer, _WIDTH, _DRESS), _said):
        raise UnreadableReplyError(f"the judge's reply {why} {_short(last.text)}")
    label = _said(last)
    if label is None:
        raise UnreadableReplyError(
            f"the judge's reply ends in {_short(last.text)}, not in a line 'Verdict: no hallucination', 'Verdict: "
            f"hallucination' or 'Verdict: unclear'"
        )
    return label, " ".join(line.text for line in before)[:_LONGEST_REASON]


def _said(line: Line) -> Label | None:
    found = _VERDICT.fullmatch(line.plain)
    return None if found is None else _LABELS[found[1].lower()]


def parity_label(text: str) -> Label | None:
    """What SHALE's published script reads in a reply of its own form, ``Response 1: Without Hallucination, ...``.

    Source: behaviour of ``Evaluation/evaluate.py`` in github.com/BeiiiY/SHALE at 372cef4. A line counts when it holds
    "Response", a number and a colon; of several the last; and in it a label wherever it stands, "with" before
    "without" before "unclear", so that a label that is quoted as evidence can turn it over.

    >>> parity_label("Response 1: Without Hallucination, though 'With Hallucination' was asked for")
    'hallucination'
    >>> parity_label("No label.")
    """
    label: Label | None = None
    for line in text.split("\n"):
        if _PUBLISHED_LINE.search(line):
            label = next((name for spellings, name in _PUBLISHED if any(s in line for s in spellings)), label)
    return label


def _short(text: str) -> str:
    return repr(text if len(text) <= 80 else text[:77] + "...")
