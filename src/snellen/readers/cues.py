"""Finding one of many phrases without searching for each of them.

A phrase is a regular expression with its *cues*: the beginnings of words of which any text that it matches holds one
(``know`` for "I do not know"; with a full stop, ``know.``, the whole word; ``0`` for any digit). The words of a clause
are looked up once, in a table that remembers each word, and only phrases whose cues are among them are searched for: in
most clauses none. A phrase of Chinese characters has no cues; it is searched for where the text holds such characters.

What is found is what one pattern of all the phrases, joined by ``|``, would find.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import reduce
from operator import or_
from typing import Final

from snellen.readers.pattern import Pattern

CHINESE: Final = 1
"""The bit of Chinese characters."""

NOTHING: Final = 2
"""The cues of a text without any: the bit that every text has, for phrases without cues."""

_LONGEST: Final = 32  # characters between two spaces; what is longer is looked up each time
_MOST: Final = 30_000  # remembered; some MB

_HAN = re.compile("[\u4e00-\u9fff]")
_SIGNS: Final = ":=≈~≃≅∼"  # these are cues too
_WORD = re.compile(rf"[a-z]+|[{_SIGNS}]|\d")
_BITS: dict[str, int] = {}  # the beginning of a word -> the bits of the cues that it is
_CUES: dict[str, int] = {}  # the same cues are one bit
_REMEMBERED: dict[str, int] = {}  # a word, or what stands between two spaces -> the bits of the cues in it


def cues(text: str) -> int:
    """Which cues a text in lower case holds, as a set of bits; to be handed to `Phrases`, which reads it."""
    parts = text.split()
    bits = list(map(_REMEMBERED.get, parts))
    if None in bits:
        bits = [_look_up(part) if known is None else known for part, known in zip(parts, bits, strict=True)]
    return reduce(or_, filter(None, bits), NOTHING)


def _look_up(part: str) -> int:
    if (known := _REMEMBERED.get(part)) is not None:
        return known
    words = _WORD.findall(part)
    if words == [part]:
        bits = _BITS.get("0" if part.isdigit() else part + ".", 0)
        for end in range(1, min(len(part), _LONGEST) + 1):
            bits |= _BITS.get(part[:end], 0)
    else:
        bits = reduce(or_, map(_look_up, words), 0)
        if not part.isascii() and _HAN.search(part) is not None:
            bits |= CHINESE
    if len(part) <= _LONGEST:
        if len(_REMEMBERED) >= _MOST:
            _REMEMBERED.clear()
        _REMEMBERED[part] = bits
    return bits


def cue(words: str) -> int:
    """The bit of one cue, which stands for any of several beginnings of words, parted by spaces."""
    key = " ".join(sorted(words.split()))
    if key not in _CUES:
        _CUES[key] = NOTHING << (len(_CUES) + 1)
        for word in key.split():
            if re.fullmatch(rf"[a-z]{{1,{_LONGEST}}}\.?|[{_SIGNS}0]", word) is None:
                raise ValueError(
                    f"a cue is a word, or how one begins, in lower case, or one of {_SIGNS}0, not {word!r}"
                )
            _BITS[word] = _BITS.get(word, 0) | _CUES[key]
        _REMEMBERED.clear()
    return _CUES[key]


class Phrases:
    """Where any of several phrases stands in a text.

    Attributes:
        phrases: each phrase with the bits that the cues of a text must have for it to be searched for; the Chinese ones
            are one.

    Every method takes the text and, where the caller has them, its `cues` (those of a longer text will do).
    """

    def __init__(self, phrases: tuple[str | tuple[str, str], ...]) -> None:
        self.phrases: list[tuple[int, Pattern]] = []
        chinese: list[str] = []
        english: list[str] = []
        self._cues = 0
        for phrase in phrases:
            if isinstance(phrase, tuple):
                bits = [cue(words) for words in phrase[0].split("&")]
                pattern = phrase[1]
            elif _HAN.search(phrase):
                chinese.append(f"(?:{phrase})")
                continue
            else:
                bits, pattern = [NOTHING], phrase
            if chinese:
                raise ValueError(f"phrases of Chinese characters come last, not before {pattern!r}")
            self._cues |= bits[0]
            english.append(f"(?:{pattern})")
            self.phrases.append((sum(set(bits)), Pattern(pattern)))
        if chinese:
            self._cues |= CHINESE
            self.phrases.append((CHINESE, Pattern("|".join(chinese))))
        self._english, self._all = Pattern("|".join(english)), Pattern("|".join(english + chinese))

    def may_stand(self, seen: int) -> bool:
        """Whether a text with these cues can hold a match."""
        return bool(seen & self._cues)

    def search(self, text: str, seen: int | None = None) -> re.Match[str] | None:
        """The first match; of those that start at one place, that of the phrase named first."""
        seen = cues(text) if seen is None else seen
        if not seen & self._cues:
            return None
        best: re.Match[str] | None = None
        for needed, pattern in self.phrases:
            if seen & needed == needed:
                found = pattern.search(text)
                if found is not None and (best is None or found.start() < best.start()):
                    best = found
        return best

    def stands_in(self, text: str, seen: int | None = None) -> bool:
        """Whether there is a match."""
        seen = cues(text) if seen is None else seen
        if not seen & self._cues:
            return False
        for needed, pattern in self.phrases:  # noqa: SIM110 (a generator costs more than what it runs)
            if seen & needed == needed and pattern.search(text) is not None:
                return True
        return False

    def opens(self, text: str, seen: int | None = None) -> bool:
        """Whether the text starts with a match."""
        seen = cues(text) if seen is None else seen
        if not seen & self._cues:
            return False
        for needed, pattern in self.phrases:  # noqa: SIM110 (a generator costs more than what it runs)
            if seen & needed == needed and pattern.match(text) is not None:
                return True
        return False

    def count(self, text: str, seen: int | None = None) -> int:
        """How many matches there are, none overlapping another."""
        pattern = self._needed(text, seen)
        return 0 if pattern is None else len(pattern.findall(text))

    def sub(self, replacement: str, text: str, seen: int | None = None) -> str:
        """The text with every match replaced."""
        pattern = self._needed(text, seen)
        return text if pattern is None else pattern.sub(replacement, text)

    def finditer(self, text: str, seen: int | None = None) -> Iterator[re.Match[str]]:
        """Every match, none overlapping another."""
        pattern = self._needed(text, seen)
        return iter(()) if pattern is None else pattern.finditer(text)

    def _needed(self, text: str, seen: int | None) -> Pattern | None:
        """One pattern for what can stand in the text; None for nothing."""
        seen = cues(text) if seen is None else seen
        if seen & self._cues:
            for needed, _ in self.phrases:
                if seen & needed == needed:
                    return self._all if seen & CHINESE else self._english
        return None


def any_of(*phrases: str | tuple[str, str]) -> Phrases:
    """Phrases, each a pattern, or its cues and the pattern: ``"not & sure certain"`` wants "not" and one of two others.

    A pattern without cues is searched for in every text, one with Chinese characters (which every match must hold) in
    texts with some. Chinese ones come last.

    >>> phrases = any_of(("know", r"\\bdo not know\\b"), r"\\?$", "不知道")
    >>> phrases.stands_in("i do not know"), phrases.stands_in("i know"), phrases.stands_in("我不知道。")
    (True, False, True)
    """
    return Phrases(phrases)
