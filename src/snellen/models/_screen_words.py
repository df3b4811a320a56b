"""How well an instruction and the text of an element agree.

Both are taken apart into atoms: English words and numbers, Chinese characters. An English word agrees with one that is
equal once reduced, or nearly so (a letter misread). Chinese characters agree in runs of at least two. Words that go
with any target weigh little: kinds of elements ("button", 按钮), small words ("up", 里), and the verb at the beginning
("open", 打开). A number that an element says and the instruction does not is a detail of it (a count, a price, a time),
unless the two name different ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from snellen.models._page import reduced

THRESHOLD = 0.6
"""Agreement from which an element is taken for the target.

It lies in the middle of where hits on targets that are there and rejections of absent ones were highest together, on
made lists of labels (tests/models/test_screen_words.py), none of them from a benchmark.
"""

_LITTLE = 0.2
_DETAIL = 0.3
_CHARACTER = 0.5  # a Chinese character is about half a word
_PART = re.compile(r"[a-z0-9]+(?:[.,:'’-][a-z0-9]+)*|[\u3400-\u9fff]", re.IGNORECASE)
_ARTICLES = frozenset(re.split(" ", "a an and are be can i is it its let me my now our please so the us we would you"))
_ANY = frozenset(
    re.split(
        r"\s+",
        "as at by for from in into of off on onto or out some that their them then there these this those to up using "
        "want what where which with your app application bar box button checkbox control dropdown element entry field "
        "folder icon input item label link list menu option page row screen section tab tile toggle window",
    )
)
_VERBS = frozenset(
    re.split(
        r"\s+",
        "access activate bring check choose click display enter find get give go hit launch locate look make navigate "
        "open pick press put read see select show start switch take tap turn use view visit",
    )
)
_CHINESE_ANY = re.compile(
    "请|帮我|我要|我想|一下|按钮|图标|按键|选项卡|选项|标签页|标签|链接|文件夹|应用程序|应用|软件|输入框|文本框|"
    "这[个封条张首篇份]?|那[个封条张]?|一[个封条张]|里面|上面|下面|页面|界面|屏幕|[的了把将在到里中上去给与和并吧]"
)
_CHINESE_VERBS = re.compile(
    r"^\W*(?:请|帮我|我要|我想)?"
    "(打开|点击|点按|点选|轻点|单击|双击|按下|选择|选中|启动|进入|查看|显示|前往|跳转|切换|使用|找到|播放|看看)"
)


@dataclass(frozen=True, slots=True)
class Atom:
    """A word or a character, and how much it says."""

    text: str
    weight: float

    @property
    def character(self) -> bool:
        """Whether it is a Chinese character."""
        return "\u3400" <= self.text <= "\u9fff"


@lru_cache(maxsize=4096)
def atoms(text: str) -> tuple[Atom, ...]:
    """What a text is made of, in its order; articles are left out.

    >>> [atom.text for atom in atoms("Open the Camera app")]
    ['open', 'camera', 'app']
    """
    lowered = text.lower()
    verbs = _CHINESE_VERBS.match(lowered)
    little = set(range(*verbs.span())) if verbs else set()
    little |= {place for match in _CHINESE_ANY.finditer(lowered) for place in range(*match.span())}
    found: list[Atom] = []
    for match in _PART.finditer(lowered):
        if "\u3400" <= match[0] <= "\u9fff":
            found.append(Atom(match[0], _CHARACTER * (_LITTLE if match.start() in little else 1)))
            continue
        for word in reduced(match[0]):
            if word not in _ARTICLES:
                leading = all(atom.weight == _LITTLE for atom in found) and word in _VERBS
                found.append(Atom(word, _LITTLE if leading or word in _ANY or match[0] in _ANY else 1.0))
    return tuple(found)


def agreement(instruction: str, text: str) -> float:
    """From 0 (nothing in common) to 1: what agrees, of all that both say.

    >>> agreement("Open Camera.", "Camera") > 0.9
    True
    >>> agreement("Open Camera.", "Calendar")
    0.0
    """
    ours, theirs = atoms(instruction), atoms(text)
    asked, given, details = _agreed(ours, theirs)
    total = _weight(ours) + _weight(theirs) - details * (1 - _DETAIL)
    return (asked + given) / total if total else 0.0


def covered(instruction: str, text: str) -> float:
    """The share of an instruction that stands in a text."""
    ours = atoms(instruction)
    return _agreed(ours, atoms(text))[0] / _weight(ours) if ours else 0.0


def _weight(some: Sequence[Atom]) -> float:
    return sum(atom.weight for atom in some)


def _agreed(ours: Sequence[Atom], theirs: Sequence[Atom]) -> tuple[float, float, float]:
    """The weight of what agrees, as each side weighs it, and that of numbers which only the second side has."""
    asked, given, missed = 0.0, 0.0, False
    words = [atom for atom in theirs if not atom.character]
    for atom in (each for each in ours if not each.character):
        alike, same = max(((_alike(atom.text, other.text), other) for other in words), default=(0.0, atom), key=_first)
        if alike:
            words.remove(same)
            asked, given = asked + alike * atom.weight, given + alike * same.weight
        missed = missed or (not alike and atom.text[0].isdigit())
    mine, other = [each for each in ours if each.character], [each for each in theirs if each.character]
    for first, second, size in _runs("".join(each.text for each in mine), "".join(each.text for each in other)):
        asked += _weight(mine[first : first + size])
        given += _weight(other[second : second + size])
    return asked, given, 0.0 if missed else sum(atom.weight for atom in words if atom.text[0].isdigit())


def _runs(one: str, other: str) -> Iterator[tuple[int, int, int]]:
    """(start, start, length) of common runs of at least two characters (one, if there is only one), longest first."""
    least = min(2, len(other))
    left, right = list(one), list(other)
    while True:
        matcher = SequenceMatcher(None, left, right, autojunk=False)
        first, second, size = matcher.find_longest_match()
        if size < max(1, least):
            return
        yield first, second, size
        left[first : first + size] = [f"-{n}" for n in range(size)]  # in no order: 申请贷款 agrees with 贷款申请
        right[second : second + size] = [f"+{n}" for n in range(size)]


def _first(pair: tuple[float, Atom]) -> float:
    return pair[0]


def _alike(one: str, other: str) -> float:
    """1 for equal words, less for nearly equal ones, 0 for others."""
    if one == other:
        return 1.0
    if min(len(one), len(other)) < 5 or one.isdigit() or other.isdigit():
        return 0.0
    ratio = SequenceMatcher(None, one, other, autojunk=False).ratio()
    return ratio if ratio >= 0.85 else 0.0
