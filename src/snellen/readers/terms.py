"""Terms: does an answer name what the reference names?

A *name* is what a chart prints: "PHY", "ResNet-2", "a₃", "(c)", "T(5, -9, 2, 2)", text in quotes, a Greek letter.
Order and dress are free: case, spaces, markdown, subscripts. What the question itself says proves nothing, so names
that stand in the question count only when the reference chooses between them.
"""

from __future__ import annotations

import bisect
import itertools
import re
import unicodedata

from snellen.readers.pattern import Pattern

_RANGES = Pattern(r"[(（][^()（）]{0,8}answers? [^()（）]{0,80}(?:[)）]|$)", re.IGNORECASE)
_QUOTED = Pattern(r"[\"“”«]([^\"“”«»]{1,60})[\"“”»]|「([^」]{1,40})」|《([^》]{1,40})》")
_TOKEN = Pattern(r"[A-Za-z0-9_Ͱ-Ͽ][\w+/&-]*|[\u4e00-\u9fff]")
_LETTERED = Pattern(r"\(([a-z])\)", re.IGNORECASE)
_SENTENCE_END = Pattern(r"(?<=[.!?])\s+|(?<=[。！？；])|\n")
_CHOICE = Pattern(r"\b(?:which|who|or|either)\b|哪|还是|或", re.IGNORECASE)
_NUMBER = Pattern(r"[-+]?\d[\d,.]*(?:%|[a-z]{0,4})", re.IGNORECASE)
_TYPED = str.maketrans("αβμµνγ−–‐‑⁄", "abuuvy----/")
_EMPTY = frozenset(
    """
    a an the of in on at to for from by with and or is are was were be been it its this that these those as
    about approximately around roughly there has have had shows show shown chart figure plot graph value values
    category label labelled labeled named called which than both each all so i e ie eg respectively corresponds
    corresponding while whereas their they
    """.split()  # noqa: SIM905 (a list of words is read more easily than a list of strings)
) | frozenset("的了是在和与为约有其中图该这")
_DRESS = Pattern(r"[\s*_`'\"“”‘’,;:!?。，、；：！？()（）\[\]{}]+|\.(?!\d)|(?<!\d)\.")
_NUMBERED = Pattern(r"([a-z]{3,})[- ]?(\d+)")
_SAME = 5  # letters that two forms of one word share at the start: increase, increasing
_SHORT = 6  # content words up to which a reference is a term or a list of terms rather than a statement
_MOST = 300  # words; what says more is neither a term nor a statement, and words alone cannot tell
_ENOUGH, _TOO_FEW = 0.6, 0.25  # shares of a statement's content words


def matches(reference: str, answer: str, question: str = "") -> bool | None:
    """Whether the answer names what the reference names; None where words alone cannot tell.

    Args:
        reference: a term, a list of terms, or a statement; acceptable ranges in it are ignored.
        answer: what the model said.
        question: what it was asked.

    >>> matches("Infidelity.", 'The z axis is labelled "infidelity".')
    True
    >>> matches("RegDG shows the largest increase.", "The NEXUS model.", "Which model shows the largest increase?")
    False
    """
    reference = _RANGES.sub(" ", reference).strip()
    if not reference:
        return None
    if (told := _yes_no(reference)) is not None and (said := _yes_no(answer)) is not None:
        return told == said
    head = _SENTENCE_END.split(reference, maxsplit=1)[0]
    wanted, given = _compact(head), _compact(answer)
    if wanted == given or (len(wanted) > 1 and _contains(given, wanted)):
        return True
    answered, asked = _Answer(answer, given), set(_words(question))
    names = _names(head)
    content = _words(head)
    if len(names) > _MOST or len(content) > _MOST:
        return None
    new_names = [name for name in names if name not in asked]
    if new_names:
        named = [answered.says(name) for name in new_names]
        return True if all(named) else None if named[0] else False  # the first name is the statement's subject
    chosen = [name for name in names if name in asked]
    if chosen and _CHOICE.search(question):
        return answered.says(chosen[0])
    new = [word for word in content if word not in _EMPTY and word not in asked and not _NUMBER.fullmatch(word)]
    if not new or any(c.isdigit() for c in head):
        return None  # nothing but numbers, or what the question says itself
    found = [answered.says(word) for word in new]
    if len(new) <= _SHORT:
        return True if all(found) else False if not any(found) else None
    share = sum(found) / len(new)
    return True if share >= _ENOUGH else False if share < _TOO_FEW else None


def _yes_no(text: str) -> bool | None:
    match = re.match(r"\s*(?:(yes|是的?|对|有)|(no|否|不是?|没有))(?=[\s,.，。!！:：—-]|$)", text, re.IGNORECASE)
    return None if match is None else bool(match[1])


def _compact(text: str) -> str:
    """Letters, digits, signs and decimal points only, so that ``T(5,-9,2,2)`` and ``T(5, −9, 2, 2)`` are one."""
    return _DRESS.sub("", _normal(text).casefold())


def _contains(haystack: str, needle: str) -> bool:
    """Whether the needle stands in the haystack and does not cut a number or, for one or two letters, a word."""
    start = haystack.find(needle) if needle else -1
    while start >= 0:
        before, after = haystack[start - 1 : start], haystack[start + len(needle) : start + len(needle) + 1]
        cuts_number = (needle[0].isdigit() and before.isdigit()) or (needle[-1].isdigit() and after.isdigit())
        if not cuts_number and (len(needle) > 3 or not needle.isascii()):
            return True
        start = haystack.find(needle, start + 1)
    return False


def _words(text: str) -> list[str]:
    return [_fold(token) for token in _TOKEN.findall(_lettered(_normal(text)))]


def _normal(text: str) -> str:
    """Subscripts and superscripts as plain digits; the Greek letters that are often typed as Latin ones are these."""
    return unicodedata.normalize("NFKC", text).translate(_TYPED)


def _lettered(text: str) -> str:
    """ "(c)" as one token that no article or unit can be mistaken for."""
    return _LETTERED.sub(r" letter_\1 ", text)


def _fold(token: str) -> str:
    return token.casefold().rstrip("-/&+")


def _names(text: str) -> list[str]:
    """Tokens that look like names: quoted, capitals inside or after the first word, letters and digits mixed, Greek."""
    names: list[str] = []
    for match in _QUOTED.finditer(text):
        quoted = _words(next(group for group in match.groups() if group))
        names += [word for word in quoted if word not in _EMPTY]
    after_number = False
    for position, token in enumerate(_TOKEN.findall(_lettered(_normal(text)))):
        folded = _fold(token)
        unit, after_number = after_number, token.isdigit()
        amount = (token.islower() or token.isdigit()) and _NUMBER.fullmatch(folded)
        plain = folded in _EMPTY and not (token.isupper() and len(token) > 1)
        if unit or amount or plain or "\u4e00" <= token[0] <= "\u9fff":
            continue
        capital = any(c.isupper() for c in token[1:]) or (token[0].isupper() and position > 0)
        mixed = any(c.isdigit() for c in token) and any(c.isalpha() for c in token)
        greek = any("Ͱ" <= c <= "Ͽ" for c in token)
        letter = token.startswith("letter_") or (len(token) == 1 and token.isupper())
        if capital or mixed or greek or letter:
            names.append(folded)
    return list(dict.fromkeys(names))


class _Answer:
    """The words of an answer, each looked up in time that does not grow with their number.

    Args:
        text: the answer.
        compact: the same by `_compact`.
    """

    def __init__(self, text: str, compact: str) -> None:
        words = _words(text)
        self._words, self._compact = frozenset(words), compact
        self._sorted = sorted(self._words)
        self._numbered: set[tuple[str, str]] = set()  # the first three letters of a word, and the number behind it
        for word, following in zip(words, itertools.chain(words[1:], [""]), strict=False):
            if (numbered := _NUMBERED.fullmatch(word)) is not None:
                self._numbered.add((word[:3], numbered[2]))
            if following.isdigit():
                self._numbered.add((word[:3], following))

    def says(self, word: str) -> bool:
        """Whether a word of the answer is this one, or another form of it."""
        if word in self._words:
            return True
        if word.startswith("letter_"):
            return word[-1] in self._words
        if len(word) > 2 and not word.isdigit() and _contains(self._compact, _compact(word)):
            return True
        if numbered := _NUMBERED.fullmatch(word):  # Vox1, Voxel1 and voxel 1 are one
            return (numbered[1][:3], numbered[2]) in self._numbered
        stem = word[:_SAME] if len(word) > _SAME else word
        if len(stem) < _SAME - 1 or not stem.isalpha():
            return False
        at = bisect.bisect_left(self._sorted, stem)
        return at < len(self._sorted) and self._sorted[at].startswith(stem)
