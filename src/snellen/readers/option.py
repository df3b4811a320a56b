"""Options: which of the letters offered does an answer choose?

What is declared counts before what merely stands there: ``\\boxed{B}`` and "the final answer is B" before "the answer
is B", 选B, "I choose B" and "B is correct"; these before a letter at the beginning or on a line of its own; and these
before letters in brackets. Letters that are denied or ruled out ("not (A)", A错误) never count, nor does the article of
"A man ...". An answer that gives two letters, a letter that was not offered, or a letter with another option's text
chooses none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from snellen.readers import wording
from snellen.readers.pattern import Pattern
from snellen.readers.sentences import plain

_NARROW: Final = (
    {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
    | {0x24B6 + place: f"({chr(0x41 + place)})" for place in range(26)}  # Ⓐ
    | {0x249C + place: f"({chr(0x41 + place)})" for place in range(26)}  # ⒜
    | dict.fromkeys(map(ord, "【〔「『“"), "(")
    | dict.fromkeys(map(ord, "】〕」』”"), ")")
    | {0x3000: " "}
)
_STYLED = Pattern(r"\\(?:text|textbf|textit|mathrm|mathbf|bf|rm|boldsymbol) ?\{([^{}\n]{0,80})\}")
_BOXED = Pattern(r"\\(?:boxed|fbox) ?\{([^{}\n]{0,80})\}")
_TAG = Pattern(r"</?[A-Za-z][\w-]{0,24}>")
_DRESS = Pattern(r"[*`~$#]+|(?<!\w)_+|_+(?!\w)")
_QUOTED = Pattern(r"[\"']([A-Za-z]{1,2}[.)]?)[\"']")
_KEY = Pattern(r"[\"']([A-Za-z_ ]{1,24})[\"'] ?:")
_CORRECTS = Pattern(
    r"\b(?:wait|correction|scratch that|sorry|i mean|i meant|let me correct|i was wrong|no, actually|actually|"
    r"on (?:closer|second|further) (?:look|inspection|thought))\b|不对[,，。]|更正|纠正|等等|其实|看错|说错",
    re.IGNORECASE,
)

# What stands before a letter, up to it.
_FILL = (
    r"(?:[\s:=\"'()\[\]{<–—-]|(?:the|option|choice|letter|answer|therefore|thus|clearly|definitely|probably|likely|"
    r"most|also|"
    r"actually|indeed|still|be|correct|best|one|is|was|would|should|must|has|to|number|labell?ed|->|=>|→)\b|->|=>|→|"
    r"选项|选择|选|应该|应|是|为|故|项|了)*"
)
_ANSWERS = Pattern(
    r"(?:(?P<final>\bfinal (?:answer|choice|selection|option)|最终(?:的)?(?:答案|选择)|最后(?:的)?(?:答案|选择))|"
    r"\b(?:answer|response|conclusion|prediction)(?: (?:to|for|of|here)\b[^.\n]{1,50}? is)?|"
    r"\b(?:choice|selection|(?:correct|best|right) (?:option|letter|one))(?:\s?:|\s(?:is|was|would be|must be|"
    r"should be))|"
    r"\b(?:i|we)(?:'d| would| will|'ll| must)? (?:\w+ly )?(?:(?:have )?(?:chosen|selected|picked)|choose|select|pick|"
    r"go with|opt for|say|answer|chose|"
    r"selected|"
    r"picked)(?: that)?(?: it(?: is|'s))?|答案|正确的?(?:选项|答案|是)|回?答\s?:|"
    r"(?<!不)(?<!可)选择?(?!项))" + _FILL + "$",
    re.IGNORECASE,
)
_CONCLUDES = Pattern(
    r"(?:\b(?:it is|it's|this is|that is|must be|should be|has to be|i think|i believe|i guess|so|therefore|thus|hence|"
    r"leaving|leaves|only|but|hm+|well)|因此|所以|应该是|应为|故|综上|而是)[\s,，:\"'(\[]*$",
    re.IGNORECASE,
)
_NAMED = Pattern(r"(?:\b(?:options?|choices?|letter)|选项)[\s:\"'(\[]*$", re.IGNORECASE)
_DENIES = Pattern(
    r"(?:\bnot|n't|\bneither|\bnor|\brather than|\binstead of|\brul(?:e|es|ed|ing) out|\beliminat\w+|\bexclud\w+|"
    r"\bexcept|"
    r"\bunlike|\bcannot be|\bdiscard\w*|\breject\w*|\bwithout|不是|不选|不会是|不应选|排除|而非|并非|非)"
    r"(?:[\s\"'(:\[]|(?:the|options?|answers?|choices?|be|also|an?|答案|选项)\b|选项|答案){0,8}$",
    re.IGNORECASE,
)

# What stands behind a letter, from it on.
_CLOSE = r"[\"'>)\]}.]{0,3}(?: ?(?:option|choice)\b|选项|项)?"
_DENIED = Pattern(
    _CLOSE
    + r"(?:,?(?: ?\([^()\n]{1,40}\))?(?: (?:is|are|was|were|can|could|cannot|does|do|seems|must|would|should)(?: be)?"
    r"(?: \w+ly)?(?: be)? (?:not\b|incorrect|wrong|false|ruled out|eliminated|excluded|out\b|impossible|unlikely|"
    r"inaccurate|"
    r"discarded)| cannot be\b)|(?:都|均|也)?是?(?:错误|不正确|不对|错|不符|不成立|可以排除|可排除|被排除|排除|不合))",
    re.IGNORECASE,
)
_CORRECT = Pattern(
    _CLOSE
    + r",?(?: (?:is|are|seems|looks|appears|would be|must be|should be)|是|为)?(?: (?:clearly|indeed|probably|likely|"
    r"definitely|"
    r"obviously|to be|the|a|most))* ?(?:correct|right|best|accurate|appropriate|true|answer|the answer|fits best|"
    r"matches best|"
    r"正确|对的|对(?=$|[\s,.;!，。；])|符合题意|最合适|最佳|是答案)(?![a-z])",
    re.IGNORECASE,
)
_ITEM = Pattern(r"[\"')\]]?(?:项|选项)")
_GOES_ON = Pattern(
    r" (?:because|since|as|is|are|seems|looks|and|or|but|[(\[\-–—])|\s?[.:,;!?)、。，；：\-–—\]}]|\s*$|\s*\n|"
    r"\s?[\u4e00-\u9fff]"
)
_JOINS = Pattern(
    r"[\"')\]}]{0,2}\s?(?:,\s?(?:and |or )?|/|&|\+|、|\band\b|\bor\b|\bnor\b|和|与|或者?|及|以及|还是|并)\s?(?:also |"
    r"option |选项)?[\"'(\[{]{0,2}",
    re.IGNORECASE,
)
_END = Pattern(r"[\"')\]}]{0,3}\s?(?:[.,;!。，；！\n]|$)")
_LISTED = Pattern(r"^\s*(?:[-•] )?[(\[]?([A-Z])[)\].:、]\s*\S", re.MULTILINE)
_INLINE = Pattern(r"\(([A-Z])\)|(?<![A-Za-z(])([A-Z])[.:)]\s")

_MOST: Final = 8_000
"""Characters at either end of an answer in which letters are looked for; no answer to a choice is longer."""
_BEFORE, _AFTER, _LINE, _GAP = 100, 80, 400, 24


def read(text: str, options: Sequence[str] | Mapping[str, str]) -> str | None:
    """The letter that an answer chooses, as it was offered; None where it chooses none, or more than one.

    Args:
        text: the answer, its thinking stripped.
        options: the letters offered, or letter -> what it stands for. With texts, an answer that is exactly the text of
            one option, free of case, articles and punctuation, chooses it.

    >>> read("It is not (A); the answer is (C).", "ABCD")
    'C'
    >>> read("A man is riding a horse.", "ABCD")
    >>> read("The dog.", {"A": "a cat", "B": "a dog"})
    'B'
    """
    texts = dict(options) if isinstance(options, Mapping) else dict.fromkeys(options, "")
    offered = {letter.upper(): letter for letter in texts}
    spelt = _spell(text)
    candidate = _candidate(tuple(offered))
    if len(spelt) < _MOST and (chosen := _by_text(spelt, texts)) is not None and not _is_letter(spelt, candidate):
        return chosen
    corrections = [mark.end() for mark in _CORRECTS.finditer(spelt)]
    found = _choice(spelt[corrections[-1] :].lstrip(" ,.:;，。：；"), candidate) if corrections else None
    found = found or _choice(spelt, candidate)
    if found is None or found.letter not in offered:
        return None
    letter = offered[found.letter]
    rest = wording.normal(found.after.partition("\n")[0])
    others = [other for other, said in texts.items() if said and wording.normal(said) == rest]
    return None if others and letter not in others else letter


@dataclass(frozen=True, slots=True)
class _Mention:
    """A letter and the part it plays.

    Attributes:
        letter: in upper case; empty for several letters that are named together.
        level: 4 the final answer, 3 the answer, 2 where answers begin or a line of its own, 1 in brackets or named,
            0 a letter that says nothing by itself.
        denied: ruled out.
        after: the rest of its line.
    """

    letter: str
    level: int
    denied: bool
    after: str


def _spell(text: str) -> str:
    if len(text) > 2 * _MOST:
        text = f"{text[:_MOST]}\n{text[-_MOST:]}"
    if not text.isascii():
        text = text.translate(_NARROW)
    if "\\" in text:
        text = _BOXED.sub(r"\nfinal answer: \1\n", _STYLED.sub(r"\1", text))
    if "<" in text:
        text = _TAG.sub("\n", text)
    return _QUOTED.sub(r"\1", _KEY.sub(r"\1:", _DRESS.sub("", plain(text)))).strip()


@lru_cache(maxsize=64)
def _candidate(letters: tuple[str, ...]) -> Pattern:
    """A label by itself: any letter where letters are offered, so that one beyond those is seen too."""
    label = (
        "[A-Za-z]"
        if all(len(letter) == 1 and letter.isalpha() for letter in letters)
        else "|".join(re.escape(letter) for letter in sorted(letters, key=len, reverse=True))
    )
    return Pattern(
        rf"(?<![A-Za-z0-9'_-])(?:{label})(?![A-Za-z0-9'_])|(?<![A-Za-z0-9'_-])(?:[A-F]{{2,6}})(?![A-Za-z0-9'_])"
    )


def _is_letter(spelt: str, candidate: Pattern) -> bool:
    return candidate.fullmatch(spelt.strip(" .()[]:,!\"'")) is not None


def _by_text(spelt: str, texts: Mapping[str, str]) -> str | None:
    said = {wording.normal(spelt), wording.normal(wording.bare(spelt))} - {""}
    found = [
        letter
        for letter, text in texts.items()
        if text and not said.isdisjoint((wording.normal(text), wording.normal(f"{letter} {text}")))
    ]
    return found[0] if len(found) == 1 else None


def _choice(spelt: str, candidate: Pattern) -> _Mention | None:
    mentions = [mention for mention in _mentions(spelt, candidate) if not mention.denied]
    for level in (4, 3):
        if declared := [mention for mention in mentions if mention.level == level]:
            return declared[-1]  # what is declared last counts
    for level in (2, 1):
        weak = [mention for mention in mentions if mention.level == level]
        if weak:
            return weak[-1] if len({mention.letter for mention in weak}) == 1 else None
    return None


def _mentions(spelt: str, candidate: Pattern) -> list[_Mention]:
    """Every letter that may be meant as an option; letters that are named together are one, whose letter is empty."""
    lines = {found[1] for found in _LISTED.finditer(spelt)}
    inline = {found[1] or found[2] for found in _INLINE.finditer(spelt.partition("\n")[0])}
    listed = len(lines) > 1 or len(inline) > 2
    result: list[_Mention] = []
    found = list(candidate.finditer(spelt))
    place = 0
    while place < len(found):
        group = [found[place]]
        while place + len(group) < len(found):
            gap = spelt[group[-1].end() : found[place + len(group)].start()]
            joined = found[place + len(group)]
            article = joined[0] in ("a", "A", "i", "I") and _is_article(spelt[joined.end() : joined.end() + _AFTER])
            if len(gap) > _GAP or article or not _JOINS.fullmatch(gap):
                break
            group.append(found[place + len(group)])
        place += len(group)
        if (mention := _mention(spelt, group, listed=listed)) is not None:
            result.append(mention)
    return result


def _mention(spelt: str, group: list[re.Match[str]], *, listed: bool) -> _Mention | None:
    start, end = group[0].start(), group[-1].end()
    before, after = spelt[max(0, start - _BEFORE) : start], spelt[end : end + _AFTER]
    letters = {match[0].upper() for match in group}
    letter = letters.pop() if len(letters) == 1 else ""
    letter = letter if len(letter) == 1 or letter.isdigit() else ""
    bare = group[0][0]
    closed = before[-1:] in ("(", "[", "{") and after[:1] in (")", "]", "}")
    if not closed and bare in ("a", "A", "i", "I") and _is_article(after):
        return None
    denied = _DENIES.search(before) is not None or _DENIED.match(after) is not None
    line = spelt[end : end + _LINE].partition("\n")[0]
    rest = line.lstrip(" \"')]}.:,;、。，：-–—")
    answers = _ANSWERS.search(before)
    if answers is not None:
        return _Mention(letter, 4 if answers["final"] else 3, denied, rest)
    if _CORRECT.match(after) and (closed or bare.isupper()):
        return _Mention(letter, 3, denied, rest)
    alone = before.rpartition("\n")[2].strip(" \"'([{-•") == "" and len(before) < _BEFORE
    opening = before if start < _BEFORE else "."
    opens = opening.strip(" \"'([{-•\n") == "" or _NAMED.fullmatch(opening.lstrip()) is not None
    if opens and (closed or _GOES_ON.match(after)) and not listed:
        return _Mention(letter, 2, denied, rest)
    if alone and not line.strip(" \"')]}.,。!"):
        return _Mention(letter, 2, denied, rest)
    if _CONCLUDES.search(before) and (closed or (bare.isupper() and _END.match(after))):
        return _Mention(letter, 2, denied, rest)
    half = bare.isupper() and after[:1] == ")" and not closed
    if closed or half or _NAMED.search(before) or (bare.isupper() and _ITEM.match(after)):
        return _Mention(letter, 1, denied, rest)
    return _Mention(letter, 0, denied, rest) if bare.isupper() else None


def _is_article(after: str) -> bool:
    return re.match(r" [a-z]", after) is not None and re.match(r" (?:is|are|because|since|as|and|or)\b", after) is None
