"""Puts a false sentence before the instruction: the wrong answer, said in a tone from a hint to an authority.

SHALE's misleading prefix is a sentence built from a distractor. A yes/no question that is to be denied gets what it
asks for asserted, and one that is to be affirmed a distractor in the place of what it names ("the cat in the picture is
gray"); without a distractor it is denied ("there is no dog in the image"). Where the question is of no form that can be
turned into a statement, the wrong answer stands in quotes ('the answer is "no"'). Multiple choice names the text of a
wrong option, never a letter; a free-form question and a caption name a distractor.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from snellen.item import Item, Truth, YesNoReference
from snellen.perturbations._wrong import exchanged, mentions, right_text, wrong_answers

TITLE = "Misleading prefix"
SUMMARY = "A false sentence, built from a wrong answer, stands before the instruction."
KIND: Literal["image", "instruction"] = "instruction"
DOMAINS: tuple[str, ...] = ("photo", "chart", "screen")
SEVERITIES: Mapping[int, Mapping[str, Any]] = {
    1: {"tone": "hint"},
    2: {"tone": "opinion"},
    3: {"tone": "assertion"},
    4: {"tone": "majority"},
    5: {"tone": "authority"},
}
SOURCE = "SHALE, arXiv 2508.09584, misleading prefix; the wording and the five tones are Snellen's"
EXTRA = ""

_TONES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "en": {
        "hint": ("Hint: {claim}.", "A small hint: {claim}."),
        "opinion": ("As far as I can tell, {claim}.", "In my view, {claim}."),
        "assertion": ("Clearly, {claim}.", "It is a fact that {claim}."),
        "majority": (
            "Everyone who was asked before you agrees that {claim}.",
            "Nearly all the people who were asked say that {claim}.",
        ),
        "authority": (
            "A panel of experts has checked this carefully and confirmed that {claim}.",
            "According to the official answer key, which experts have verified, {claim}.",
        ),
    },
    "zh": {
        "hint": ("提示：{claim}。", "小提示：{claim}。"),
        "opinion": ("在我看来，{claim}。", "我个人认为，{claim}。"),
        "assertion": ("显然，{claim}。", "事实上，{claim}。"),
        "majority": ("之前被问到的人都认为：{claim}。", "几乎所有人都说：{claim}。"),
        "authority": ("专家组已经仔细核查并确认：{claim}。", "根据经专家审定的官方答案，{claim}。"),
    },
}
_ANSWER = {"en": 'the answer to the following question is "{}"', "zh": "下面这个问题的答案是“{}”"}
_DESCRIPTION = {"en": 'the right description of this image speaks of "{}"', "zh": "对这张图的正确描述应当提到“{}”"}

_THERE = re.compile(r"(is|are) there (?:(an?|any|some) )?([^?.!]+)\?", re.IGNORECASE)
_COUNTED = re.compile(
    r"(?:\d|(?:one|two|three|four|five|six|seven|eight|nine|ten|exactly|only|more|fewer|at|less)\b)", re.I
)
_SHOWS = re.compile(
    r"does (the|this) (image|picture|photo|chart|screenshot) (contain|show|include|depict) ([^?.!]+)\?", re.I
)
_IS = re.compile(
    r"(is|are) ((?:the|this|these) [^?,;:]+? in (?:the|this) (?:image|picture|photo|chart|screenshot)) ([^?.!,;:]+)\?",
    re.IGNORECASE,
)
_DOES = re.compile(
    r"does ((?:the|this) [^?,;:]+? in (?:the|this) (?:image|picture|photo|chart|screenshot)) "
    r"(look|say|point to|stand for|belong to|come from) ([^?.!,;:]+)\?",
    re.IGNORECASE,
)
_THIRD = {"say": "says", "look": "looks"}
_CHINESE_WHETHER = re.compile(r"((?:这张)?(?:图|图片|图像|画面|照片)[^？?。]{2,60}?)吗[？?]")
_CHINESE_HAS = re.compile(
    r"((?:这张)?(?:图|图片|图像|画面|照片)(?:片)?(?:中|里|上)?)(?:是否)?有([^？?。，]+?)(?:吗)?[？?]"
)
_ARTICLE = re.compile(r"^(?:an?|the)\s+", re.IGNORECASE)
_SEVERAL = re.compile(r"\b(?:and|or|not|no)\b", re.IGNORECASE)


def _turned(question: str, yes: bool, language: str) -> str:
    """The question as a statement, affirmed or denied; empty where it is of no form that can be turned."""
    text = " ".join(question.split())
    if language == "zh":
        has = _CHINESE_HAS.fullmatch(text)
        if has is None or re.search(r"[没不无或和]", has[2]):
            whether = _CHINESE_WHETHER.fullmatch(text) if yes and not re.search(r"[没不无或和]|是否", text) else None
            return whether[1] if whether is not None else ""
        return f"{has[1]}{'有' if yes else '没有'}{has[2]}"
    if (there := _THERE.fullmatch(text)) is not None and not _SEVERAL.search(there[3]):
        verb, article, rest = there[1].lower(), (there[2] or "").lower(), there[3].strip()
        if yes:
            if article == "any" and verb == "is":
                return ""
            return " ".join(("there", verb, *((article,) if article not in ("", "any") else ()), rest))
        denied = f"not {rest}" if _COUNTED.match(rest) else f"no {rest}"
        return f"there {verb} {denied}"
    if (shows := _SHOWS.fullmatch(text)) is not None and not _SEVERAL.search(shows[4]) and " any " not in f" {text} ":
        verb = f"{shows[3].lower()}s" if yes else f"does not {shows[3].lower()}"
        return f"{shows[1].lower()} {shows[2].lower()} {verb} {shows[4].strip()}"
    if (is_ := _IS.fullmatch(text)) is not None and not _SEVERAL.search(is_[3]):
        return f"{_lower(is_[2])} {is_[1].lower()} {'' if yes else 'not '}{is_[3].strip()}"
    if yes and (does := _DOES.fullmatch(text)) is not None and not _SEVERAL.search(does[3]):
        verb, _, rest = does[2].lower().partition(" ")
        said = " ".join(filter(None, (_THIRD.get(verb, f"{verb}s"), rest)))
        return f"{_lower(does[1])} {said} {does[3].strip()}"
    return ""


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def _with_distractor(item: Item) -> str:
    """The question that is to be affirmed, with a wrong word in the place of the right one; empty where it has none."""
    right = right_text(item)
    bare = _ARTICLE.sub("", right)
    pattern = re.escape(bare) if item.language == "zh" else rf"(?<![\w-]){re.escape(bare)}(?![\w-])"
    places = list(re.finditer(pattern, item.question, re.IGNORECASE)) if bare else []
    if len(places) != 1:
        return ""
    for wrong in wrong_answers(item):
        # Either both have an article or neither: "a bus" takes the place of "a truck", "the red one" of "the blue one".
        if not mentions(item.question, wrong) and bool(_ARTICLE.match(wrong)) == (bare != right):
            return exchanged(item.question, *places[0].span(), _ARTICLE.sub("", wrong))
    return ""


def _claim(item: Item) -> str | None:
    """A false statement on the item, without a full stop; None where nothing is known to be wrong."""
    language = "zh" if item.language == "zh" else "en"
    if isinstance(item.reference, YesNoReference):
        said = not item.reference.yes
        words = ("是", "否") if language == "zh" else ("yes", "no")
        if item.reference.yes and (other := _with_distractor(item)) and (claim := _turned(other, True, language)):
            return claim
        return _turned(item.question, said, language) or _ANSWER[language].format(words[0 if said else 1])
    wrong = wrong_answers(item)
    if not wrong:
        return None
    named = re.sub(r"[\"“”]", "'", wrong[0])
    return (_DESCRIPTION if item.labels.get("task") == "caption" else _ANSWER)[language].format(named)


def change(item: Item, severity: int, rng: np.random.Generator) -> Item | None:
    """The item with the false sentence before its question.

    Args:
        item: with a yes/no reference, wrong options, or distractors.
        severity: 1 to 5, the tone.
        rng: chooses between two wordings of the tone.

    Returns:
        None where no wrong answer is known: no reference, or neither distractors nor options.
    """
    claim = _claim(item)
    if claim is None:
        return None
    language = "zh" if item.language == "zh" else "en"
    wordings = _TONES[language][SEVERITIES[severity]["tone"]]
    sentence = wordings[int(rng.integers(len(wordings)))].format(claim=claim)
    return replace(item, question=f"{sentence}{'' if language == 'zh' else ' '}{item.question}")


def truth(item: Item, severity: int) -> Truth:
    """Kept: what is said does not change what is to be seen."""
    return "kept"
