"""Misspells words that carry no meaning of their own: a control that keeps the truth.

Only words of a list are touched, those that frame a question (what, image, there): names, options, numbers, negations
and whatever the question is about stay letter by letter. English letters are exchanged for a neighbour on the keyboard,
doubled, dropped or swapped; Chinese words for ones that sound alike.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from snellen.item import Item, Truth, YesNoReference

TITLE = "Typos"
SUMMARY = "Words that frame the question are misspelt; what it is about stays as it is."
KIND: Literal["image", "instruction"] = "instruction"
DOMAINS: tuple[str, ...] = ("photo", "chart", "screen")
SEVERITIES: Mapping[int, Mapping[str, Any]] = {number: {"words": number} for number in range(1, 6)}
SOURCE = ""
EXTRA = ""

_FRAME = frozenset(
    re.findall(
        r"\w+",
        """
        what which where when does there this that these those with from about shown shows show seen visible
        image picture photo photograph chart figure graph plot screenshot please describe description answer question
        according based considering looking observing following provided displayed depicted appears appear
        tell could would should have been being give contain contains include includes present detail
        think believe indicate indicates represent represents between
        """,
    )
)
# What a slip could turn them into, and what says something else: a number, another question, another thing.
_REAL = frozenset(
    re.findall(
        r"\w+",
        """
        three here were form than then thus hen wit chat cart char bout hose sow sown shoe shoes plat pot lot slot clot
        wen wed wheat hat hot hit tis thins pleas sea scene grape git
        gave live photos figured plots though through tough
        thee wold wound cold mould quest imaged detailed erased bared baked bead bee big bring bear appeal peas
        """,
    )
)
_KEYS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_SOUNDS = {
    "图片": "图偏",
    "图像": "图象",
    "图中": "图钟",
    "照片": "照骗",
    "什么": "什末",
    "请问": "清问",
    "描述": "描叙",
    "根据": "跟据",
    "回答": "回达",
    "问题": "问提",
    "这张": "这章",
    "这幅": "这副",
    "显示": "显式",
    "多少": "多绍",
    "可以": "可已",
    "看到": "看倒",
    "以下": "已下",
    "下列": "下例",
    "内容": "内荣",
    "正在": "正再",
    "位于": "位与",
    "请": "清",
}
"""Word -> another that sounds alike and is no word that changes what is asked."""

_QUOTED = re.compile(r"\"[^\"]{0,200}\"|“[^”]{0,200}”|「[^」]{0,200}」|'[^']{2,200}'|‘[^’]{0,200}’|`[^`]{0,200}`")


def _neighbours(letter: str) -> str:
    """The letters beside one on a QWERTY keyboard."""
    for row in _KEYS:
        place = row.find(letter)
        if place >= 0:
            return row[max(0, place - 1) : place] + row[place + 1 : place + 2]
    return letter


def slips(word: str) -> list[str]:
    """Every form of an English word with one slip of the finger behind its first letter that is no other word.

    >>> slips("that")[:3]
    ['tgat', 'tjat', 'taht']
    """
    made = []
    for place in range(1, len(word)):
        letter, before, after = word[place], word[:place], word[place + 1 :]
        for beside in _neighbours(letter.lower()):
            made.append(before + (beside.upper() if letter.isupper() else beside) + after)
        if after:
            made.append(before + after[0] + letter + after[1:])
        made += [before + after, before + letter + letter + after]
    real = _FRAME | _REAL | {word.lower()}
    return [slip for slip in dict.fromkeys(made) if slip.lower() not in real]


def _kept(item: Item) -> list[tuple[int, int]]:
    """Spans of the question that stay as they are: quotes, and what an option, the truth or a distractor says."""
    spans = [match.span() for match in _QUOTED.finditer(item.question)]
    named = [*(text for _, text in item.options), *item.distractors, item.labels.get("answer", "")]
    if item.reference is not None and not isinstance(item.reference, YesNoReference):
        named.append(item.reference.text)
    for text in named:
        if text.strip():
            spans += [match.span() for match in re.finditer(re.escape(text.strip()), item.question, re.IGNORECASE)]
    return spans


def change(item: Item, severity: int, rng: np.random.Generator) -> Item | None:
    """The item with misspelt words in its question.

    Args:
        severity: 1 to 5, the number of misspelt words; all there are where the question has fewer.

    Returns:
        None where the question has no word that may be misspelt.
    """
    text, kept = item.question, _kept(item)
    if item.language == "zh":
        pattern = re.compile("|".join(sorted(_SOUNDS, key=len, reverse=True)))
        found = list(pattern.finditer(text))
    else:
        found = [
            match for match in re.finditer(r"(?<![\w'’-])[A-Za-z]+(?![\w'’-])", text) if match[0].lower() in _FRAME
        ]
    free = [match for match in found if not any(match.start() < end and start < match.end() for start, end in kept)]
    if not free:
        return None
    chosen = sorted(int(place) for place in rng.permutation(len(free))[: SEVERITIES[severity]["words"]])
    pieces, last = [], 0
    for match in (free[place] for place in chosen):
        wrong = [_SOUNDS[match[0]]] if item.language == "zh" else slips(match[0])
        pieces += [text[last : match.start()], wrong[int(rng.integers(len(wrong)))]]
        last = match.end()
    return replace(item, question="".join((*pieces, text[last:])))


def truth(item: Item, severity: int) -> Truth:
    """Kept: the question can still be read, and means the same."""
    return "kept"
