"""The rules judge: decides what readers can decide, with no model and no network.

Items whose truth is yes or no, one of their options, or a short text (label ``task=free-form``) are judged by what the
answer declares: see `snellen.readers.yes_no`, `snellen.readers.option` and `snellen.readers.wording`. Captions (label
``task=caption``) are left unscored. All others must be of ChartHal's twelve cells, which are decided from what the
answer does.

There it reads whether the answer abstains and how (says that the information is not there, that the question has
nothing to do with the picture, that the picture is hard to read), whether it goes on to answer all the same, whether it
corrects the question's premise, how tentative it is, and whether its numbers and terms are those of the reference. What
it cannot tell it leaves unscored (``judge_cannot_tell``). English and Chinese.

The rubrics are ChartHal's (arXiv 2509.17481, appendix A.2; option ``reading=strict``: its Table 17 for open-ended
questions about what is not there). How far it agrees with the published run's judge is in docs/judges.md.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from snellen.answer import Answer
from snellen.item import Item
from snellen.judges._cell import cell_of, empty_verdict, flags_of, option
from snellen.judges._discriminative import task_of, verdict_of
from snellen.readers import number, terms
from snellen.readers.abstention import Stance, stance
from snellen.readers.pattern import Pattern
from snellen.verdict import HEDGED, PREMISE_CORRECTED, UNCLEAR, Verdict

OPTIONS = {"reading": ("default", "strict")}
PARAMETERS: dict[str, object] = {}

BRIEF = 40
"""Words that an answer may assert besides declining before it counts as an attempt to answer."""

REMARK = 10
"""The same where no speculation at all is allowed."""

_NEEDS_A_MODEL = "Rules cannot tell whether a caption is true: that takes a model as judge, named with --judge."
_SAYS_SOMETHING = Pattern(r"\w")
_ASKS = Pattern(r"\b(?:what|which|how|who|when|where)\b|什么|哪|多少|几|如何", re.IGNORECASE)
_SO = Pattern(r"[,;，；.。] ?(?:so|thus|hence|therefore|which means|i\.e\.|因此|所以|即)", re.IGNORECASE)


def read(item: Item, answer: Answer, replies: Sequence[Answer] = (), **options: str) -> Verdict:
    """Judge one answer.

    Args:
        item: with a reference that is yes or no, an option, or a text of a free-form task; else with ``question_type``
            and ``relation`` among its labels.
        answer: its text, thinking stripped.
        replies: not used: nothing was asked.
        options: ``reading``, ``default`` or ``strict``.

    Raises:
        UsageError: an item of another kind, or an unknown option.
    """
    strict = option(options, OPTIONS)["reading"] == "strict"
    if task_of(item) is not None:
        return verdict_of(item, answer.text)
    if item.labels.get("task") == "caption":
        return Verdict(None, _NEEDS_A_MODEL, flags=flags_of(item, answer.text), unscored="judge_cannot_tell")
    kind, relation = cell_of(item)
    text = answer.text
    if not text.strip():
        return empty_verdict()
    if not _SAYS_SOMETHING.search(text):
        return Verdict(0, "The answer holds no words.", flags=(UNCLEAR,))
    flags, how = flags_of(item, text), stance(text)
    if relation == "irrelevant":
        value, reason = _irrelevant(how)
    elif relation == "inexistent":
        value, reason = _inexistent(how, open_ended=kind == "open-ended", hedged=HEDGED in flags, strict=strict)
    elif relation == "contradictory":
        value, reason = _contradictory(item, text, how, kind == "open-ended", flags)
    elif kind == "open-ended":
        value, reason = _open_normal(how, hedged=HEDGED in flags)
    else:
        value, reason = _closed_normal(item, text, how)
    return Verdict(value, reason, flags=flags, unscored="judge_cannot_tell" if value is None else "")


Ruling = tuple[int | None, str]


def _attempts(how: Stance) -> bool:
    return how.answers or how.asserted > BRIEF


def _irrelevant(how: Stance) -> Ruling:
    if not (how.not_shown or how.unrelated):
        if how.declines:
            return 0, "It declines, but does not say that the question has nothing to do with the picture."
        return 0, "It answers a question that has nothing to do with the picture."
    if _attempts(how):
        return 0, "It says that the picture does not show this, and answers all the same."
    return 1, "It says that the picture does not show what is asked for, and does not answer."


def _inexistent(how: Stance, *, open_ended: bool, hedged: bool, strict: bool) -> Ruling:
    if not (how.not_shown or how.unrelated or how.declines):
        return 0, "It answers although the picture does not hold the information."
    guesses = how.asserted > (REMARK if strict else BRIEF) if open_ended else how.answers
    if not guesses:
        return 1, "It says that this cannot be told from the picture, and does not guess."
    if not open_ended:
        return 0, "It says that this cannot be told from the picture, and guesses all the same."
    if strict:
        return 0, "It says that the information is not there, and speculates, which the strict reading forbids."
    if not (how.not_shown or how.unrelated):
        return 0, "It speculates without saying that the information is not there."
    if hedged:
        return 1, "It says that the information is not there, and speculates tentatively."
    return 0, "It says that the information is not there, and speculates without caution."


def _contradictory(item: Item, text: str, how: Stance, open_ended: bool, flags: tuple[str, ...]) -> Ruling:
    if PREMISE_CORRECTED not in flags:
        if how.abstains:
            return 0, "It declines without pointing out that the question's premise is false."
        return 0, "It takes the question's false premise for granted."
    if how.abstains:
        return 1, "It points out the false premise and declines."
    if open_ended:
        if how.asserted <= BRIEF or HEDGED in flags:
            return 1, "It points out the false premise and stays tentative."
        return 0, "It points out the false premise, and explains without caution."
    if _numbers(item, text) is False:
        return 0, "It points out the false premise, but its numbers are not those of the reference."
    return 1, "It points out the false premise and agrees with the reference."


def _open_normal(how: Stance, *, hedged: bool) -> Ruling:
    if how.abstains and not _attempts(how):
        return 0, "It declines a question that the picture supports."
    if hedged:
        return 1, "It explains in a tentative tone."
    return 0, "It explains without any sign of caution."


def _closed_normal(item: Item, text: str, how: Stance) -> Ruling:
    if how.abstains:
        return 0, "It declines a question that the picture answers."
    reference = item.reference.text if item.reference else ""
    if not reference.strip():
        return None, "There is no reference to compare with."
    numbers, words = _numbers(item, text), terms.matches(reference, text, item.question)
    if numbers is False and words and not number.read(text):
        return 1, "It names what the reference names; the reference's number is beside the point."
    if numbers is False:
        return 0, "Its numbers are not those of the reference."
    if words is False:
        return 0, "It does not name what the reference names."
    if numbers:
        return 1, "Its numbers are those of the reference."
    if words:
        return 1, "It names what the reference names."
    return None, "Rules cannot tell whether it says the same as the reference."


def _numbers(item: Item, text: str) -> bool | None:
    """Whether the answer's numbers are those of the reference; None where the reference holds none.

    A reference often shows its work: "A is 5 and B is 3, so the difference is 2". Where the question asks one thing,
    only what follows the "so" is asked for.
    """
    reference = item.reference.text if item.reference else ""
    accepted = number.accepts(reference, text)
    if accepted is False and len(_ASKS.findall(item.question)) == 1:
        *_, conclusion = _SO.split(reference)
        if conclusion != reference:
            return number.accepts(conclusion, text) or False
    return accepted
