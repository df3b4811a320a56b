"""How sure a model says it is of its answer: a statement at the end of the text, and the text without it.

Read are a line of its own (``Confidence: 85``, ``**Confidence level:** 85 %``, 置信度：85分), the same at the end of
the last line, a field of a JSON object (``"confidence": 0.85``), a tag (``<confidence>85</confidence>``), and a last
sentence (``I am 85 % sure.``, 我有八成五的把握). Of several the last holds.

The scale is the prompt's, 0 to 100, so a bare ``85`` is 0.85 and a bare ``1`` is 0.01; a decimal fraction up to 1
(``0.85``, ``1.0``) and what names its whole (``17/20``, ``9 out of 10``, 八成) are taken as what they are. Words are
read only where the prompt offers them. Whatever else is said (a range, 150, ``high`` on a scale of numbers) is no
confidence: nothing is guessed, and nothing is made of its absence. So texts are only read where a confidence was asked
for: a chart's own "confidence level: 95%" is none.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import Final

from snellen.readers import number
from snellen.readers.pattern import Pattern
from snellen.readers.plain_text import flatten

_TAIL: Final = 4_000  # characters at the end of a text that are looked through

_LABEL = (
    r"(?:(?:my |our |the )?(?:final |overall )?(?:answer )?confidence(?: level| score| rating)?"
    r"(?: (?:in|of) (?:(?:this|my|the) )?answer)?(?: ?\(0 ?(?:-|to) ?100\))?"
    r"|(?:我的|总体|答案的?|回答的?)?(?:置信度|置信水平|信心|确信度|确信程度|把握|把握程度|可信度|自信度)"
    r"(?: ?\(0 ?(?:-|到|至) ?100\))?)"
)
_MARKS = r"[*_` ]{0,4}"
_NAMED = rf"{_MARKS}{_LABEL}{_MARKS}(?:[:=]|is\b|是|为|約|约){_MARKS}"
_REST = r"(?P<said>[^\n\"{}]{1,160}?)"
_LINE: Final = Pattern(rf"^[ >#*_\-(\[]{{0,8}}{_NAMED}{_REST}[ *_`\"'.。)\]]{{0,6}}$", re.IGNORECASE | re.MULTILINE)
_LAST_WORDS: Final = Pattern(
    rf"(?:(?<=[.。!！?？;；,，])|[(（\[])[ ]{{0,4}}{_NAMED}(?P<said>[^\n,;，；]{{1,24}}?)[ *_`\"'.。)\]]{{0,6}}\s*\Z",
    re.IGNORECASE,
)
_FIELD: Final = Pattern(
    r"(?P<comma>,\s{0,20})?\"(?:confidence|confidence_score|置信度)\"\s{0,8}:\s{0,8}\"?(?P<said>[^\n\",}\]]{1,40})\"?"
    r"(?(comma)|\s{0,8},?)",
    re.IGNORECASE,
)
_TAG: Final = Pattern(r"<confidence>\s{0,8}(?P<said>[^<>\n]{1,40}?)\s{0,8}</confidence>", re.IGNORECASE)
_SENTENCE: Final = Pattern(
    r"(?:^|(?<=[.。!！?？;；\n]))[ ]{0,4}"
    r"(?:I(?:'m| am) (?:about |around )?(?P<said>\d{1,3}(?:\.\d{1,4})? ?\\?(?:%|percent)) "
    r"(?:sure|confident|certain)\b[^.。\n]{0,60}|"
    r"(?:对此)?我?(?:大约|大概)?有(?:大约|大概)?(?P<had>[^\n,，。]{1,12}?)的?(?:把握|信心))"
    r"[.。!]?\s*\Z",
    re.IGNORECASE,
)
_PATTERNS: Final = (_LINE, _LAST_WORDS, _FIELD, _TAG, _SENTENCE)
_HINT: Final = Pattern(r"confid|\bsure\b|certain|置信|把握|信心|确信|可信|自信", re.IGNORECASE)

_PLAIN: Final = Pattern(
    r"(?:about |around |approximately |roughly |~|≈|大约|大概|约)?(?P<digits>\d{1,4}(?:\.\d{1,6})?)"
    r" ?(?:(?P<hundredth>\\?%|percent|per cent|points?|分)|(?:/|out of) ?(?P<whole>\d{1,4}))?",
    re.IGNORECASE,
)
_REMARK: Final = Pattern(r" ?\(.*| ?[,;](?! ?\d).*| (?:-(?! ?\d)|because|since|as) .*")
_CHINESE: Final = Pattern(r"(?:大约|大概|约)?(?:百分之)?[零〇一二两三四五六七八九十百成点半]{1,8}分?")


def strip(text: str, words: Mapping[str, float] | None = None) -> tuple[str, float | None]:
    """The text without the last statement of confidence, and the confidence in [0, 1]; None where none is stated.

    Args:
        text: an answer without its thinking, given where a confidence was asked for.
        words: what the prompt's scale offers in words -> the confidence that each stands for.

    Returns:
        A statement that is none of the scale's is taken off too: its number is no part of the answer.

    >>> strip("It is 5.\\nConfidence: 85%")
    ('It is 5.', 0.85)
    >>> strip("是五。\\n置信度：八成")
    ('是五。', 0.8)
    >>> strip("Confidence: high"), strip("Confidence: high", {"high": 0.75})
    (('', None), ('', 0.75))
    >>> strip("The band is the 95% confidence interval.")
    ('The band is the 95% confidence interval.', None)
    """
    start = max(0, len(text) - _TAIL)
    tail = flatten(text[start:])  # character for character: offsets stay true
    if not _HINT.search(tail):
        return text, None
    found = max(_each(tail), key=lambda match: match.start(), default=None)
    if found is None:
        return text, None
    said = found.groupdict().get("had") or found["said"]
    rest = text[: start + found.start()].rstrip() + _after(text[start + found.end() :])
    return rest.strip(), _value(said, words or {})


def read(text: str, words: Mapping[str, float] | None = None) -> float | None:
    """The confidence that `strip` finds.

    >>> read("Confidence: 0.85"), read("confidence: 85 / 100"), read("Confidence: 1"), read("Confidence: 80-90 %")
    (0.85, 0.85, 0.01, None)
    """
    return strip(text, words)[1]


def _each(tail: str) -> Iterator[re.Match[str]]:
    for pattern in _PATTERNS:
        yield from pattern.finditer(tail)


def _after(rest: str) -> str:
    """What follows a statement, on a line of its own where it is more than the end of a bracket or of an object."""
    kept = rest.strip()
    return f"\n{kept}" if kept and rest[:1].isspace() else kept


def _value(said: str, words: Mapping[str, float]) -> float | None:
    plain = _REMARK.sub("", said.strip(" *_`\"'.。()[]").casefold()).strip(" *_`\"'.。()[]")
    for word, confidence in words.items():
        if plain == word.casefold():
            return confidence
    found = _PLAIN.fullmatch(plain)
    if found is None:
        return _chinese(plain) if _CHINESE.fullmatch(plain) else None
    value = float(found["digits"])
    if found["whole"]:
        value = value / float(found["whole"]) if float(found["whole"]) else math.inf
    elif found["hundredth"] or "." not in found["digits"] or value > 1:
        value /= 100
    return value if value <= 1 else None


def _chinese(said: str) -> float | None:
    """A numeral in Chinese: tenths (八成), hundredths (百分之八十五), or a number on the scale (八十五)."""
    quantities = number.read(said.removesuffix("分"))
    if len(quantities) != 1:
        return None
    value = quantities[0].value / 100
    return value if 0 <= value <= 1 else None
