"""Text as readers want it: one spelling of what is the same, cut into sentences and clauses.

Readers of abstention, hedging and premises look at one clause at a time, since "I cannot read the exact value, but it
is about 5" declines in its first clause and answers in its second. English and Chinese. All of it is linear in the
length of the text. Of a text that is hardly anything but ends of sentences (more than 10,000, and more than one in 50
characters) the rest is left.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice

from snellen.readers.cues import CHINESE, cue, cues
from snellen.readers.pattern import Pattern

_SPELLINGS = {
    "‘": "'", "’": "'", "ʼ": "'", "´": "'", "＇": "'", "“": '"', "”": '"', "„": '"',
    "\u2010": "-", "\u2011": "-", "\u00ad": "", "\u200b": "", "\u200c": "", "\u200d": "",
    "\u2060": "", "\ufeff": "", "：": ":", "！": "!", "？": "?", "；": ";", "，": ",", "（": "(", "）": ")",
    **dict.fromkeys("\r\u2028\u2029\x0b\x0c", "\n"),
    **dict.fromkeys(("\t", "\u00a0", "\u1680", "\u202f", "\u205f", "\u3000", *map(chr, range(0x2000, 0x200B))), " "),
    **dict.fromkeys("\x1c\x1d\x1e\x1f\x85", " "),
}  # fmt: skip
_SPELT = frozenset(_SPELLINGS)
_MARKDOWN = Pattern(r"\*\*|__|`(?<!``)`?(?!`)")
_SPACES = Pattern(" {2,}")  # one space for a run of them also keeps the patterns below linear
_NOT_SPELT = {
    "cant": "cannot", "wont": "will not", "dont": "do not", "doesnt": "does not", "didnt": "did not",
    "isnt": "is not", "arent": "are not", "couldnt": "could not",
}  # fmt: skip
_NOT = Pattern(rf"\bcan ?not\b|\b(?:{'|'.join(_NOT_SPELT)})\b", re.IGNORECASE)
_IGNORED_CASE = ("ſ", "ı", "i̇")  # these too are an s or an i to a pattern that ignores case
# These start with the apostrophe, so that a search goes from one to the next.
_N_T = Pattern(r"'(?<=n')(?:(?P<can>(?<=\bcan'))|(?P<cann>(?<=\bcann'))|)t\b", re.IGNORECASE)
_WONT = Pattern(r"\b(?:wo|sha)n't\b", re.IGNORECASE)
_SHORT = Pattern(
    r"'(?:(re|ve|ll)\b|(?<=\bi')(m)\b|(?:(?<=\bthere')|(?<=\bit')|(?<=\bthat')|(?<=\bthis')|(?<=\bwhat')|(?<=\bhere')|"
    r"(?<=\bwhich'))(s)\b)",
    re.IGNORECASE,
)
_LONG = {"re": " are", "ve": " have", "ll": " will", "m": " am", "s": " is"}
_FENCE = Pattern(r" {0,3}(?:```|~~~)")
_LINE_START = Pattern(r"\s*(?:[-*•·–]|\(?\d{1,2}[.)]|\(?[a-z][)]|#{1,6}|>|\|)\s+")
# A sentence ends behind the first character of what this finds; the rest of it belongs to no sentence.
_SENTENCE_END = Pattern(
    r"[.!?…。](?:(?<=[.!?…])(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bvs\.)(?<!\bfig\.)(?<!approx\.)[\"')\]]*\s+"
    r"|(?<=[!?])(?=[\u4e00-\u9fff])|(?<=。))"
)
_JOINS = CHINESE | cue(
    "but. however. nevertheless. nonetheless. though. although. yet. still. so. because. since. while. whereas. and. "
    "which."
)
_CLAUSE_END = Pattern(
    r"\s*(?:—+|\s–\s|\s--?\s|;)\s*"
    r"|,?\s+(?=(?:but|however|nevertheless|nonetheless|though|although|yet|still)\b)"
    r"|,\s*(?=(?:so|because|since|while|whereas|and|which)\b)"
    r"|[,。]?\s*(?=但|不过|然而|可是|只是|因此|所以|因为|而且|并且|虽然|尽管)"
    r"|(?<=[\u4e00-\u9fff]),"
)
# The same where there is no Chinese; it starts with one class of characters, so that letters are skipped quickly.
_ENGLISH_CLAUSE_END = Pattern(
    r"[\s,;—](?:"
    r"(?<=\s)\s*(?:—+\s*|–\s+|--?\s+|;\s*|(?=(?:but|however|nevertheless|nonetheless|though|although|yet|still)\b))"
    r"|(?<=,)(?:\s+(?=(?:but|however|nevertheless|nonetheless|though|although|yet|still)\b)"
    r"|\s*(?=(?:so|because|since|while|whereas|and|which)\b))"
    r"|(?<=;)\s*|(?<=—)—*\s*)"
)


def most_pieces(text: str) -> int:
    """How many sentences, or clauses, of a text are read; far more than prose of its length holds."""
    return 10_000 + len(text) // 50


def plain(text: str) -> str:
    """The text with one spelling for quotes, spaces and negations, without markdown emphasis and zero-width characters.

    >>> plain("It **isn’t** shown; I can't tell.")
    'It is not shown; I cannot tell.'
    """
    for character in _SPELT.intersection(text):
        text = text.replace(character, _SPELLINGS[character])
    if "*" in text or "_" in text or "`" in text:
        text = _MARKDOWN.sub("", text)
    if "  " in text:
        text = _SPACES.sub(" ", text)
    lowered = text.lower()
    if "'" in text:
        if "won't" in lowered or "han't" in lowered:
            text = _WONT.sub("will not", text)
        text = _SHORT.sub(_spell_out, text)
    if _may_deny(lowered, text):
        text = _NOT.sub(lambda match: _NOT_SPELT.get(match[0].lower(), "cannot"), text)
    return _spell_out_not(text) if "'" in text else text


def _spell_out(match: re.Match[str]) -> str:
    return _LONG[match[match.lastindex or 0].lower()]


def _may_deny(lowered: str, text: str) -> bool:
    """Whether there is something to change for `_NOT`, or a letter that makes this hard to tell."""
    return (
        lowered.count("cannot") != text.count("cannot")
        or "can not" in lowered
        or any(part in lowered and _is_word(part, lowered) for part in _NOT_SPELT)
        or any(letter in lowered for letter in _IGNORED_CASE)
    )


def _is_word(word: str, text: str) -> bool:
    at = text.find(word)
    while at >= 0:
        if not text[at - 1 : at].isalpha() and not text[at + len(word) : at + len(word) + 1].isalpha():
            return True
        at = text.find(word, at + 1)
    return False


def _spell_out_not(text: str) -> str:
    parts: list[str] = []
    last = 0
    for match in _N_T.finditer(text):
        back = 3 if match["can"] is not None else 4 if match["cann"] is not None else 1
        parts += (text[last : match.start() - back], " not" if back == 1 else "cannot")
        last = match.end()
    return "".join(parts) + text[last:] if parts else text


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence, lower-cased.

    Attributes:
        text: in the spelling of `plain`, lower-cased, without a list marker.
        listed: whether it stands in a list (or is a heading, a quotation, a row of a table).
        opens: whether it is the first of its line.
        block: number of its block: lines with no blank line between them.
        seen: the cues in it (see `snellen.readers.cues`).
    """

    text: str
    listed: bool
    opens: bool
    block: int
    seen: int = field(compare=False, repr=False)


def sentences(text: str) -> Iterator[Sentence]:
    """The sentences of a text in order; fenced code is left out, since code claims nothing (unless it is all there is).

    >>> [s.text for s in sentences("Not shown. 图中没有标注。看不清")]
    ['not shown.', '图中没有标注。', '看不清']
    """
    return iter(_sentences(text))


@lru_cache(maxsize=4)  # several readers in turn read one answer
def _sentences(text: str) -> tuple[Sentence, ...]:
    spelt = plain(text).lower()
    lines = spelt.split("\n")
    outside = list(_outside_fences(lines)) if "```" in spelt or "~~~" in spelt else lines
    if not any(line.strip() for line in outside):
        outside = [line for line in lines if not _FENCE.match(line)]
    block = 0
    found: list[Sentence] = []
    most = most_pieces(text)
    for line in outside:
        if len(found) >= most:
            break
        if not line.strip():
            block += 1
            continue
        marker = _LINE_START.match(line)
        opens = True
        for piece in islice(_pieces(line[marker.end() :] if marker else line), most - len(found)):
            found.append(Sentence(piece, marker is not None, opens, block, cues(piece)))
            opens = False
    return tuple(found)


def _pieces(line: str) -> Iterator[str]:
    start = 0
    for end in _SENTENCE_END.finditer(line):
        if piece := line[start : end.start() + 1].strip():
            yield piece
        start = end.end()
    if piece := line[start:].strip():
        yield piece


def _outside_fences(lines: list[str]) -> Iterator[str]:
    fenced = False
    for line in lines:
        if _FENCE.match(line):
            fenced = not fenced
        elif not fenced:
            yield line


def clauses(sentence: str, seen: int | None = None) -> list[str]:
    """A sentence cut at dashes, semicolons and the words that join clauses (but, so, because, 但, 因此, ...).

    The joining word stays with the clause that it opens.

    Args:
        sentence: in the spelling of `plain`, in lower case.
        seen: its cues (see `snellen.readers.cues`), where the caller has them.

    >>> clauses("i cannot read it exactly, but it is about 5")
    ['i cannot read it exactly', 'but it is about 5']
    """
    seen = cues(sentence) if seen is None else seen
    # A chain of tests: any() over the signs takes longer than the tests.
    if not (seen & _JOINS or ";" in sentence or "—" in sentence or " –" in sentence or " -" in sentence):
        return [clause] if (clause := sentence.strip()) else []
    end = _CLAUSE_END if seen & CHINESE else _ENGLISH_CLAUSE_END
    return [piece for part in end.split(sentence) if part and (piece := part.strip())]
