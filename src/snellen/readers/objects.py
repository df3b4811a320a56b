"""Which objects a text claims to be in a picture: the mentions that object-level CHAIR counts.

CHAIR (Rohrbach et al. 2018, arXiv 1809.02156, section 3.1) compares the objects that a caption mentions with those that
are in the picture. Words are looked up in a vocabulary with synonyms (`snellen.readers.object_words`), English and
Chinese; plurals count, and a compound counts for what it names as a whole: a traffic light is no lamp, a hot dog no
dog, 热狗 no 狗, and a bus stop nothing at all.

A mention counts only where it is claimed. What is denied ("there is no dog", "without a dog or a cat", "a dog cannot be
seen", 没有狗), asked, made a condition, or quoted as writing in the picture is passed over. Where a word may be
something else, the reader keeps still: "orange" alone is a color, "oranges" are fruit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from snellen.readers.object_words import NO_OBJECTS, NO_OBJECTS_ZH, OBJECTS
from snellen.readers.pattern import Pattern

_MOST_WORDS: Final = 4  # of a phrase
_BEFORE, _AFTER = 160, 60  # characters around a mention in which its denial is looked for

_SPELT: Final = str.maketrans("‘’ʼ＇“”„「」『』：！？；，（）－‐‑", '\'\'\'\'""""""":!?;,()---')
_MARKDOWN: Final = Pattern(r"\*\*|__|[`#]")
_SPACES: Final = Pattern(r"[^\S\n]+")
_CONTRACTED: Final = Pattern(r"n't\b|(?<=\bcan)not\b")
_SENTENCE: Final = Pattern(r"[^.!?;:。\n]+[.!?;:。\n]?")
_HAN: Final = Pattern("[\u4e00-\u9fff]")
_WORD: Final = Pattern(r"[a-z]+")

_WRITING: Final = (
    Pattern(
        r"\b(?:says?|saying|said|reads?|reading|text|words?|written|writes?|labell?ed|labels?|titled|called|letters?|"
        r"spells?|spelling|inscription|message|bearing|bears)\b[^\"\n]{0,20}\"[^\"\n]{1,80}\""
    ),
    Pattern(r"(?:写着|写有|写的是|写|字样|文字|标有|印有|标着|印着)[^\"\n]{0,6}\"[^\"\n]{1,60}\"|《[^》\n]{1,60}》"),
    Pattern(r"\"[^\"\n]{1,60}\"(?:字样|二字|两个?字|的字样?|的文字)"),
)

_SHOWS: Final = (
    r"(?:show|contain|include|depict|feature|display|have|hold|carry|wear|portray|present|possess|involve|see|find|"
    r"spot|notice|detect|observe|identify)(?:s|ing)?"
)
_DENIES: Final = Pattern(
    rf"\b(?:(?P<no>no)\b(?! (?:doubt|longer|matter|more than|less than|fewer than|one)\b)|"
    rf"(?:not|never) (?:(?!only|merely)[a-z]+ly )?(?:{_SHOWS}|any|an?|the|[a-z]+ing (?=an?\b|any\b))|"
    r"not (?=[a-z]+s\b)|without|lack(?:s|ing)?|absence of|devoid of|free (?:of|from)|instead of|rather than|neither|"
    r"nor|none of)\b"
)
_RESUMES: Final = Pattern(
    r"\b(?:but|however|although|though|while|whereas|only|just|except|besides|apart|than|instead|there|it|they|he|she|"
    r"which|who|that|because|so|since|is|are|was|were|has|have|can|in|on|at|under|over|near|by|beside|behind|between|"
    r"next|above|below|across|around|along|from|into|onto|with|to|for|inside|outside|[a-z]+ing (?:the|his|her|its|"
    r"their))\b"
)
"""What ends the reach of a denial: "no people in the boat" says that there is a boat."""

_ANOTHER: Final = Pattern(r"(?:,|\band) (?:and )?(?:an?|the|one|two|three|four|five|some|several)\b")
"""After "no", which takes no article, this begins something else: "no dog, and a cat"."""

_CONDITION: Final = Pattern(r"\b(?:if|whether|unless)\b[^,]*$")
_DENIED_AFTER: Final = Pattern(
    r"(?: (?:or|and|nor) [a-z ]{1,20}?| in (?:the|this) [a-z]+)? (?:"
    r"(?:is|are|was|were) (?:not|never) (?:visible|present|shown|there|depicted|seen|in (?:the|this|it)|included|part|"
    r"found|here|pictured)|(?:is|are|was|were) (?:absent|missing|nowhere)|"
    r"(?:can|could) not be (?:seen|found|identified|spotted|detected)|(?:do|does|did) not (?:appear|exist))\b"
)
_NO_NOUN_AFTER: Final = Pattern(
    r"-(?:like|shaped|themed|free|style|sized|eared|colou?red)\b| (?:shaped|shape|costume|mask|print|pattern|food|toy|"
    r"leash|collar|owner|lover|stop|station|lane|park|shop|store|shelter|race|show|juice|pie|sauce|ride|trip|"
    r"company|brand|logo|emoji)\b"
)
"""Behind the singular this makes the word a mere attribute, and nothing is claimed: "a bus stop", "dog food"."""

_VERBS: Final = frozenset(("bears", "trains", "plants", "books", "boxes", "ducks", "boards", "signs", "ships"))
_OBJECT_OF_VERB: Final = Pattern(r" (?:an?|the|his|her|its|their|no|witness|resemblance)\b")
_TO_DO: Final = frozenset(("bear", "train", "plant", "book", "box", "duck", "fish", "board", "sign", "ship"))

_DENIES_ZH: Final = Pattern(
    r"没有(?:看到|看见|发现|出现|显示|包含)?|没(?:看到|看见)|没$|看不[到见]|未[见含]|不见|未(?:显示|出现|包含)|"
    r"不(?:含|包含|包括|存在)|并无|无(?![数论法疑比限])|不是|并非|缺[少乏]|而非|有没有|是否有?|如果有?"
)
_RESUMES_ZH: Final = Pattern(r"[但只却仅除在从把被让]|而是|有|(?<!色)(?<![大小新旧何他显见])的")
_DENIED_AFTER_ZH: Final = Pattern(r"[^,]{0,5}?(?:不在(?:图|画|照)|不存在|没有出现|未出现|看不[到见]|不可见)")


@dataclass(frozen=True, slots=True)
class Mention:
    """An object that a text claims.

    Attributes:
        name: of the object in the vocabulary, or as the caller names it.
        word: by which it is named, in lower case.
    """

    name: str
    word: str


@dataclass(frozen=True, slots=True)
class Account:
    """A text beside the objects that are there.

    Attributes:
        mentions: how often the text claims an object, repetitions included.
        hallucinated: how many of these are of objects that are not there.
        objects: how many objects are there.
        covered: how many of these the text mentions, by their own name or a more general one.
    """

    mentions: int
    hallucinated: int
    objects: int
    covered: int


@dataclass(frozen=True, slots=True)
class _Vocabulary:
    english: Mapping[str, tuple[str, bool]]  # words -> name of the object, whether it is a plural
    chinese: Mapping[str, tuple[str, ...]]  # first character -> words, the longest first
    names: Mapping[str, str]  # a Chinese word -> name of the object
    more_general: Mapping[str, str]


def read(text: str, also: Iterable[str] = ()) -> tuple[Mention, ...]:
    """The mentions of objects that the text claims, in its order.

    Args:
        text: an answer, its thinking stripped.
        also: names of objects beside the vocabulary, looked for as they stand and in the plural.

    >>> [mention.name for mention in read("Two dogs wait at a traffic light; there is no cat.")]
    ['dog', 'traffic light']
    >>> [mention.name for mention in read("一只狗在吃热狗，没有猫。")]
    ['dog', 'hot dog']
    """
    vocabulary = _vocabulary(tuple(dict.fromkeys(also)))
    plain = _spelt(text)
    chinese = _HAN.search(plain) is not None
    found: list[Mention] = []
    for sentence in _SENTENCE.finditer(plain):
        said = sentence[0]
        if said.endswith("?"):
            continue
        places = list(_english(said, vocabulary))
        if chinese:
            places += _chinese(said, vocabulary)
        found += [mention for _, mention in sorted(places, key=lambda place: place[0])]
    return tuple(found)


def account(text: str, present: Iterable[str]) -> Account:
    """What a text's mentions come to beside the objects that are in the picture.

    Args:
        text: an answer, its thinking stripped.
        present: names of all the objects that are there; names of the vocabulary, synonyms, or others.

    >>> account("A duck and a dog by the water, and another dog.", ["duck", "boat"])
    Account(mentions=3, hallucinated=2, objects=2, covered=1)
    """
    plain = _vocabulary(())
    there = tuple(dict.fromkeys(_name(one, plain) for one in present))
    general = {one: {one, *_more_general(one, plain.more_general)} for one in there}
    true = set().union(*general.values()) if general else set()
    named = [mention.name for mention in read(text, there)]
    said = set(named)
    return Account(
        mentions=len(named),
        hallucinated=sum(name not in true for name in named),
        objects=len(there),
        covered=sum(bool(names & said) for names in general.values()),
    )


def _name(given: str, vocabulary: _Vocabulary) -> str:
    """The vocabulary's name for an object, or the given one in lower case."""
    plain = " ".join(given.casefold().replace("_", " ").replace("-", " ").split())
    known = vocabulary.english.get(plain, ("", False))[0] or vocabulary.names.get(plain, "")
    return known or plain


def _more_general(name: str, more_general: Mapping[str, str]) -> Iterator[str]:
    while name in more_general:
        name = more_general[name]
        yield name


def _spelt(text: str) -> str:
    plain = _MARKDOWN.sub("", text.translate(_SPELT).lower())
    plain = _CONTRACTED.sub(" not", plain)
    if '"' in plain or "《" in plain:
        for writing in _WRITING:
            plain = writing.sub(" ", plain)
    return _SPACES.sub(" ", plain)


def _english(said: str, vocabulary: _Vocabulary) -> Iterator[tuple[int, Mention]]:
    words = list(_WORD.finditer(said))
    place = 0
    hits: list[tuple[int, int, str, bool]] = []  # begin, end, name, plural
    while place < len(words):
        for count in range(min(_MOST_WORDS, len(words) - place), 0, -1):
            begin, end = words[place].start(), words[place + count - 1].end()
            hit = vocabulary.english.get(said[begin:end].replace("-", " "))
            if hit is not None:
                hits.append((begin, end, *hit))
                place += count
                break
        else:
            place += 1
    nouns = [hit for hit in hits if hit[2] and _is_noun(said, *hit)]
    following = {begin for begin, _, _, _ in nouns}
    for begin, end, name, plural in nouns:
        attribute = not plural and end + 1 in following and said[end] == " "  # "a banana box"
        if not attribute and not _is_denied(said, begin, end):
            yield begin, Mention(name, said[begin:end])


def _is_noun(said: str, begin: int, end: int, _: str, plural: bool) -> bool:
    if not plural and _NO_NOUN_AFTER.match(said, end):
        return False
    if said[begin:end] in _VERBS and _OBJECT_OF_VERB.match(said, end):
        return False
    return not (said[begin:end] in _TO_DO and said.endswith(" to ", 0, begin))


def _is_denied(said: str, begin: int, end: int) -> bool:
    if _DENIED_AFTER.match(said[end : end + _AFTER]):
        return True
    before = said[max(0, begin - _BEFORE) : begin]
    if _CONDITION.search(before):
        return True
    cue: re.Match[str] | None = None
    for cue in _DENIES.finditer(before):  # noqa: B007 (the last one is wanted)
        pass
    if cue is None:
        return False
    between = before[cue.end() :]
    return _RESUMES.search(between) is None and not (cue["no"] and _ANOTHER.search(between))


def _chinese(said: str, vocabulary: _Vocabulary) -> Iterator[tuple[int, Mention]]:
    place = 0
    while place < len(said):
        for word in vocabulary.chinese.get(said[place], ()):
            if said.startswith(word, place):
                end = place + len(word)
                name = vocabulary.names[word]
                if name and not _is_denied_zh(said, place, end):
                    yield place, Mention(name, word)
                place = end
                break
        else:
            place += 1


def _is_denied_zh(said: str, begin: int, end: int) -> bool:
    if _DENIED_AFTER_ZH.match(said[end : end + _AFTER]):
        return True
    clause = said[max(0, begin - _BEFORE) : begin].rpartition(",")[2]
    cue: re.Match[str] | None = None
    for cue in _DENIES_ZH.finditer(clause):  # noqa: B007 (the last one is wanted)
        pass
    return cue is not None and _RESUMES_ZH.search(clause, cue.end()) is None


@lru_cache(64)
def _vocabulary(also: tuple[str, ...]) -> _Vocabulary:
    if also:
        return _extended(_vocabulary(()), also)
    english: dict[str, tuple[str, bool]] = {}
    names: dict[str, str] = {}
    more_general: dict[str, str] = {}
    for line in OBJECTS.replace("\n    ", " ").splitlines():
        head, _, rest = line.partition(": ")
        name, _, general = head.partition(" < ")
        if general:
            more_general[name] = general
        in_english, _, in_chinese = rest.partition(" |")
        for entry in in_english.split(","):
            singular, _, plural = entry.strip().partition("/")
            english[plural or _plural(singular)] = (name, True)
            english.setdefault(singular, (name, False))
        names |= dict.fromkeys(in_chinese.split(), name)
    english |= {phrase.strip(): ("", False) for phrase in NO_OBJECTS.split(",")}
    names |= dict.fromkeys(NO_OBJECTS_ZH.split(), "")
    return _Vocabulary(english, _by_first(names), names, more_general)


def _extended(known: _Vocabulary, also: tuple[str, ...]) -> _Vocabulary:
    """With objects that the vocabulary does not have, under their own names."""
    english, names = dict(known.english), dict(known.names)
    own = set(known.names.values())
    for name in also:
        if english.get(name, ("", False))[0] or names.get(name) or name in own:
            continue
        if _HAN.search(name):
            names[name] = name
        elif name:
            english[name], english[_plural(name)] = (name, False), (name, True)
    return _Vocabulary(english, _by_first(names), names, known.more_general)


def _by_first(names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for word in sorted(names, key=lambda word: (-len(word), word)):
        found.setdefault(word[0], []).append(word)
    return {first: tuple(words) for first, words in found.items()}


def _plural(singular: str) -> str:
    if singular.endswith(("s", "x", "z", "ch", "sh")):
        return f"{singular}es"
    if singular.endswith("y") and singular[-2:-1] not in "aeiou":
        return f"{singular[:-1]}ies"
    return f"{singular}s"
