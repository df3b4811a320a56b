"""Text as readers want it: one spelling of what is the same, cut into sentences and clauses.

Readers of abstention, hedging and premises look at one clause at a time, since "I cannot read the exact value, but it
is about 5" declines in its first clause and answers in its second. English and Chinese. All of it is linear in the
length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_SPELLINGS = str.maketrans(
    {
        "‘": "'", "’": "'", "ʼ": "'", "´": "'", "＇": "'", "“": '"', "”": '"', "„": '"',
        "\u00a0": " ", "\u202f": " ", "\u2009": " ", "\u3000": " ", "\t": " ",
        "\u2010": "-", "\u2011": "-", "\u00ad": None, "\u200b": None, "\u200c": None, "\u200d": None,
        "\u2060": None, "\ufeff": None, "：": ":", "！": "!", "？": "?", "；": ";", "，": ",", "（": "(", "）": ")",
        "\r": "\n", "\u2028": "\n", "\u2029": "\n", "\x0b": "\n", "\x0c": "\n",
    }
)  # fmt: skip
_MARKDOWN = re.compile(r"\*\*|__|(?<!`)`{1,2}(?!`)")
_SPACES = re.compile(r"[^\S\n]+")  # one space for a run of them also keeps the patterns below linear
_NOT = re.compile(
    r"\bcan(?:n't|'t| not|not)\b|\b(?:cant|wont|dont|doesnt|didnt|isnt|arent|couldnt)\b|n't\b", re.IGNORECASE
)
_NOT_SPELT = {
    "cant": "cannot", "wont": "will not", "dont": "do not", "doesnt": "does not", "didnt": "did not",
    "isnt": "is not", "arent": "are not", "couldnt": "could not", "n't": " not",
}  # fmt: skip
_WONT = re.compile(r"\b(?:wo|sha)n't\b", re.IGNORECASE)
_SHORT = re.compile(r"\b(there|it|that|this|what|here|which)'s\b|\b(i)'m\b|'(re|ve|ll)\b", re.IGNORECASE)
_LONG = {"re": " are", "ve": " have", "ll": " will"}
_FENCE = re.compile(r" {0,3}(?:```|~~~)")
_LINE_START = re.compile(r"\s*(?:[-*•·–]|\(?\d{1,2}[.)]|\(?[a-z][)]|#{1,6}|>|\|)\s+")
_SENTENCE_END = re.compile(
    r"(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bvs\.)(?<!\bfig\.)(?<!approx\.)(?<=[.!?…])[\"')\]]*\s+"
    r"|(?<=[!?])(?=[\u4e00-\u9fff])|(?<=。)"
)
_CLAUSE_END = re.compile(
    r"\s*(?:—+|\s–\s|\s--?\s|;)\s*"
    r"|,?\s+(?=(?:but|however|nevertheless|nonetheless|though|although|yet|still)\b)"
    r"|,\s*(?=(?:so|because|since|while|whereas|and|which)\b)"
    r"|[,。]?\s*(?=但|不过|然而|可是|只是|因此|所以|因为|而且|并且|虽然|尽管)"
    r"|(?<=[\u4e00-\u9fff]),"
)


def plain(text: str) -> str:
    """The text with one spelling for quotes, spaces and negations, without markdown emphasis and zero-width characters.

    >>> plain("It **isn’t** shown; I can't tell.")
    'It is not shown; I cannot tell.'
    """
    text = _SPACES.sub(" ", _MARKDOWN.sub("", text.translate(_SPELLINGS)))
    text = _WONT.sub("will not", text)
    text = _SHORT.sub(_spell_out, text)
    return _NOT.sub(lambda match: _NOT_SPELT.get(match[0].lower(), "cannot"), text)


def _spell_out(match: re.Match[str]) -> str:
    if match[1]:
        return f"{match[1]} is"
    return f"{match[2]} am" if match[2] else _LONG[match[3].lower()]


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence, lower-cased.

    Attributes:
        text: in the spelling of `plain`, lower-cased, without a list marker.
        listed: whether it stands in a list (or is a heading, a quotation, a row of a table).
        opens: whether it is the first of its line.
        block: number of its block: lines with no blank line between them.
    """

    text: str
    listed: bool
    opens: bool
    block: int


def sentences(text: str) -> Iterator[Sentence]:
    """The sentences of a text in order; fenced code is left out, since code claims nothing (unless it is all there is).

    >>> [s.text for s in sentences("Not shown. 图中没有标注。看不清")]
    ['not shown.', '图中没有标注。', '看不清']
    """
    lines = plain(text).lower().split("\n")
    outside = list(_outside_fences(lines))
    if not any(line.strip() for line in outside):
        outside = [line for line in lines if not _FENCE.match(line)]
    block = 0
    for line in outside:
        if not line.strip():
            block += 1
            continue
        marker = _LINE_START.match(line)
        start = marker.end() if marker else 0
        first = True
        for piece in _split(_SENTENCE_END, line[start:]):
            yield Sentence(piece, bool(marker), first, block)
            first = False


def _outside_fences(lines: list[str]) -> Iterator[str]:
    fenced = False
    for line in lines:
        if _FENCE.match(line):
            fenced = not fenced
        elif not fenced:
            yield line


def clauses(sentence: str) -> list[str]:
    """A sentence cut at dashes, semicolons and the words that join clauses (but, so, because, 但, 因此, ...).

    The joining word stays with the clause that it opens.

    >>> clauses("i cannot read it exactly, but it is about 5")
    ['i cannot read it exactly', 'but it is about 5']
    """
    return list(_split(_CLAUSE_END, sentence))


def _split(where: re.Pattern[str], text: str) -> Iterator[str]:
    for piece in where.split(text):
        if piece and (piece := piece.strip()):
            yield piece
