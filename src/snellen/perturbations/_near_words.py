"""The table of near words: what is near to a word, what is another spelling of it, and what is true of it as well.

``data/near_words.txt`` is Snellen's own: groups of words of which no two are true of the same thing (lion, tiger,
leopard), in English and Chinese, each with the words that are true of all of them (big cat, animal). From a group come
words that are near to an answer and wrong; the other spellings and the words above are what must never be taken for
wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

_TABLE = Path(__file__).with_name("data") / "near_words.txt"
_IRREGULAR = {
    "mouse": "mice",
    "goose": "geese",
    "wolf": "wolves",
    "ox": "oxen",
    "knife": "knives",
    "child": "children",
    "man": "men",
    "woman": "women",
    "person": "people",
    "sheep": "sheep",
    "deer": "deer",
    "fish": "fish",
    "bookshelf": "bookshelves",
    "scarf": "scarves",
    "cactus": "cacti",
    "bison": "bison",
    "moose": "moose",
}
_COUNTED = frozenset(("animal", "plant", "food", "vehicle", "object", "person", "place", "shape"))
"""Sections whose English words have a plural that is made."""

_LONGEST = 300
"""Characters of a text that is searched: answers are short, and what is longer has no one word that decides."""

MEASURES = "只个条张辆位匹头名朵本把架艘座棵件顶双杯碗根"
_COUNTED_CHINESE = re.compile(rf"(?:.*的|(?:[一二两三四五六七八九十几这那]|\d+)*[{MEASURES}])(?P<word>.+)")
_TOKEN = re.compile(r"\w+(?:['’.-]\w+)*\.?")
_MOST_WORDS, _MOST_CHARACTERS = 6, 12
"""The longest spellings of the table: words of an English one, characters of a Chinese one."""

_ARTICLE = re.compile(r"^(?:an?|the)\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Group:
    """Words near to one another of which no two are true of the same thing.

    Attributes:
        section: what they are about: ``animal``, ``color``.
        above: what is true of each of them, in both languages, casefolded.
        words: for each word, its spellings: (English, Chinese).
    """

    section: str
    above: frozenset[str]
    words: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class Found:
    """A word of the table in a text: where it stands, how the table spells it, and whether it stands in the plural."""

    start: int
    end: int
    word: str
    plural: bool


def plural_of(word: str) -> str:
    """The English plural: ``fox`` -> ``foxes``.

    >>> plural_of("guinea pig"), plural_of("wolf"), plural_of("butterfly")
    ('guinea pigs', 'wolves', 'butterflies')
    """
    head, _, last = word.rpartition(" ")
    front = f"{head} " if head else ""
    if last in _IRREGULAR:
        return front + _IRREGULAR[last]
    if last.endswith(("s", "x", "z", "ch", "sh")):
        return word if last.endswith("s") and not last.endswith("ss") else f"{word}es"
    if last.endswith("y") and last[-2:-1] not in tuple("aeiou"):
        return f"{word[:-1]}ies"
    return f"{word}es" if last in ("potato", "tomato", "mango", "buffalo", "mosquito", "volcano") else f"{word}s"


def _spellings(text: str) -> tuple[str, ...]:
    return tuple(spelling.strip() for spelling in text.split("/") if spelling.strip())


def _both(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    english, _, chinese = text.partition("=")
    return _spellings(english), _spellings(chinese)


def parse(text: str) -> Iterator[Group]:
    """The groups of a table in the form of ``near_words.txt``."""
    section, above_all = "", frozenset[str]()
    for line in text.splitlines():
        if line.startswith("["):
            section, _, more = line.strip("[]").partition("|")
            section = section.strip()
            above_all = frozenset(word.casefold() for words in _both(more) for word in words)
        elif line.strip() and not line.startswith("#"):
            above, found, listed = line.rpartition(">")
            names = frozenset(word.casefold() for words in _both(above) for word in words) if found else frozenset()
            yield Group(section, above_all | names, tuple(_both(word) for word in listed.split("|")))


@cache
def groups() -> tuple[Group, ...]:
    """Every group of the table."""
    return tuple(parse(_TABLE.read_text(encoding="utf-8")))


def _column(language: str) -> int:
    return 1 if language == "zh" else 0


@cache
def _places(language: str) -> dict[str, tuple[tuple[Group, int], ...]]:
    """Spelling, casefolded -> the groups it stands in, and where."""
    places: dict[str, tuple[tuple[Group, int], ...]] = {}
    for group in groups():
        for number, word in enumerate(group.words):
            for spelling in word[_column(language)]:
                key = _ARTICLE.sub("", spelling.casefold())
                places[key] = (*places.get(key, ()), (group, number))
    return places


@cache
def _plurals() -> dict[str, str]:
    """English plural -> word, for the words that are counted."""
    singular = _places("en")
    counted = [word for word, places in singular.items() if places[0][0].section in _COUNTED]
    return {plural_of(word): word for word in counted if plural_of(word) not in singular}


def _word(text: str, language: str) -> tuple[str, bool] | None:
    """(the table's spelling, whether it is a plural) of a text that is one word of the table."""
    bare = text.strip(" \t\n.,;:!?。，；：！？\"'“”‘’").casefold()
    key = bare if language == "zh" else _ARTICLE.sub("", bare)
    if key in _places(language):
        return key, False
    singular = _plurals().get(key) if language != "zh" else None
    return (singular, True) if singular else None


@lru_cache(maxsize=20_000)
def _found(text: str, language: str) -> tuple[Found, ...]:
    return tuple(_find_chinese(text) if language == "zh" else _find_english(text))


def find(text: str, language: str) -> list[Found]:
    """The words of the table that stand in a text, longest first where several begin at one place; none overlap.

    A Chinese word of one character counts only as the whole text or behind a measure word or 的. A text of more than
    300 characters is not searched.
    """
    if len(text) > _LONGEST:
        return []
    return list(_found(text, language))


def _find_english(text: str) -> list[Found]:
    tokens = list(_TOKEN.finditer(text))
    found, place = [], 0
    while place < len(tokens):
        for count in range(min(_MOST_WORDS, len(tokens) - place), 0, -1):
            start, end = tokens[place].start(), tokens[place + count - 1].end()
            end -= text[start:end].endswith(".")
            word = _word(text[start:end], "en") if _ARTICLE.match(text[start:end]) is None else None
            if word is not None:
                found.append(Found(start, end, *word))
                place += count - 1
                break
        place += 1
    return found


def _find_chinese(text: str) -> list[Found]:
    bare = text.strip(" 。.！？")
    if bare.casefold() in _places("zh"):
        start = text.index(bare)
        return [Found(start, start + len(bare), bare.casefold(), False)]
    counted = _COUNTED_CHINESE.fullmatch(bare)
    if counted is not None and len(counted["word"]) == 1 and counted["word"] in _places("zh"):
        start = text.rindex(counted["word"])
        return [*_find_chinese(text[:start]), Found(start, start + 1, counted["word"], False)]
    found, place = [], 0
    while place < len(text):
        for end in range(min(len(text), place + _MOST_CHARACTERS), place + 1, -1):
            if text[place:end].casefold() in _places("zh"):
                found.append(Found(place, end, text[place:end].casefold(), False))
                place = end - 1
                break
        place += 1
    return found


def sections(word: str, language: str) -> frozenset[str]:
    """The sections that a word of the table stands in; more than one says that it is ambiguous."""
    return frozenset(group.section for group, _ in _places(language).get(word.casefold(), ()))


def near(word: str, language: str, section: str) -> tuple[str, ...]:
    """The words of one section that are near to a word of the table and exclude it, in the table's order."""
    others: dict[str, None] = {}
    for group, number in _places(language).get(word.casefold(), ()):
        if group.section == section:
            own = group.words[number][_column(language)]
            turn = [_ARTICLE.sub("", spelling.casefold()) for spelling in own].index(word.casefold())
            for place, other in enumerate(group.words):
                spellings = other[_column(language)]
                # Directions are listed in matching forms: to the left of, to the right of.
                matching = section == "direction" and len(spellings) == len(own)
                if place != number:
                    others[spellings[turn if matching else 0]] = None
    barred = same(word, language) | above(word, language)
    return tuple(other for other in others if other.casefold() not in barred)


def others(word: str, language: str, section: str) -> tuple[str, ...]:
    """The words of a whole section, in the table's order, but for the word and what it is a kind of."""
    own = same(word, language)
    barred = own | above(word, language)
    listed: dict[str, None] = {}
    for group in groups():
        if group.section == section and not group.above & own:
            listed.update(dict.fromkeys(spellings[_column(language)][0] for spellings in group.words))
    return tuple(other for other in listed if other.casefold() not in barred)


def same(text: str, language: str) -> frozenset[str]:
    """All spellings of the one word that a text is, casefolded; itself alone where the table does not know it."""
    word = _word(text, language)
    if word is None:
        return frozenset((text.strip().casefold(),))
    places = _places(language)[word[0]]
    return frozenset(
        _ARTICLE.sub("", spelling.casefold())
        for group, number in places
        for spelling in group.words[number][_column(language)]
    )


def above(text: str, language: str) -> frozenset[str]:
    """What is true of the one word that a text is, as the table knows: ``cat`` -> animal, feline, pet, ..."""
    return frozenset(
        name
        for spelling in same(text, language)
        for group, _ in _places(language).get(spelling, ())
        for name in group.above
    )
