"""Hedging: how tentative a text is.

An explanation is tentative when it says so: "may", "one possibility", "I'm not claiming any single cause". Words of
certainty ("clearly", "definitely") count against it. English and Chinese.
"""

from __future__ import annotations

from dataclasses import dataclass

from snellen.readers.cues import any_of
from snellen.readers.pattern import Pattern
from snellen.readers.sentences import Sentence, sentences

TENTATIVE = any_of(
    (
        "may. might. could. perhaps. maybe. possibly. potentially. presumably. conceivably. "
        "plausibl likely. probably. arguably.",
        r"\b(?:may|might|could|perhaps|maybe|possibly|potentially|presumably|conceivably|plausibl[ye]|likely|probably|"
        r"arguably)\b",
    ),
    (
        "possible. potential. hypothe tentative speculat candidate. uncertain unclear.",
        r"\b(?:possible|potential|hypothes[ei]s|hypothe[ts]\w+|tentative\w*|speculat\w+|candidate|uncertain\w*|unclear)\b",
    ),
    (
        "suggest hint. hints. indicate appear seem looks. tend. tends. can.",
        r"\b(?:suggests?|suggesting|hints?|indicates?|appears?|seems?|looks like|tends? to|can (?:be|arise|reflect|"
        r"produce|come|cause|explain|also))\b",
    ),
    (
        "consistent. line. would. one. several. few. some. various. common. typical. assuming. "
        "if. depend. depends. principle. usually. often. typically. generally. without.",
        r"\b(?:consistent with|in line with|would (?:be|suggest|expect|likely|explain|have)|one (?:explanation|reason|"
        r"interpretation|reading)|"
        r"(?:several|a few|some|various|common|typical) (?:\w+ ){0,2}(?:explanations?|reasons?|factors?|causes?|"
        r"mechanisms?)|"
        r"assuming|if (?:this|that|the|so)|depends? on|in principle|usually|often|typically|generally|without (?:more|"
        r"further))\b",
    ),
    r"可能|也许|或许|大概|似乎|看起来|看上去|推测|猜测|或者|未必|不一定|有可能|不排除|暗示|倾向于|应该是|一种解释|假设|假说|通常|往往|一般",
)
CERTAIN = any_of(
    (
        "definitely. certainly. undoubtedly. obviously. clearly. surely. exactly. always. "
        "never. prove proven. must. doubt. unquestionably. reason. cause. caused. precisely. "
        "guarantee guaranteed. conclusively.",
        r"\b(?:definitely|certainly|undoubtedly|obviously|clearly|surely|exactly|always|never|proves?|proven|must be|"
        r"without (?:a )?doubt|"
        r"no doubt|unquestionably|the (?:reason|cause) is|is caused by|precisely|guaranteed?|conclusively)\b",
    ),
    r"一定|必定|必然|肯定|毫无疑问|无疑|显然|明显|绝对|证明了|就是因为|正是",
)
_WORD = Pattern(r"[a-z][a-z'-]*|[\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True)
class Tone:
    """Counts of what makes a text tentative or certain.

    Attributes:
        tentative: marks of tentativeness.
        certain: marks of certainty.
        words: words, or characters for Chinese.
        opening: whether one of the first two sentences is tentative.
    """

    tentative: int
    certain: int
    words: int
    opening: bool

    @property
    def density(self) -> float:
        """Marks of tentativeness less marks of certainty, a hundred words."""
        return 100 * (self.tentative - self.certain) / self.words if self.words else 0.0


def tone(text: str) -> Tone:
    """Count the marks.

    >>> tone("It may reflect a policy change.").tentative
    1
    """
    tentative = certain = words = 0
    opening = False
    for position, sentence in enumerate(sentences(text)):
        marks, against = _marks(sentence)
        tentative += marks
        certain += against
        words += len(_WORD.findall(sentence.text))
        opening |= position < 2 and marks > 0
    return Tone(tentative, certain, words, opening)


def read(text: str) -> bool:
    """Whether the text as a whole speaks tentatively: it has marks of it, and more than marks of certainty.

    >>> read("One possible explanation is the 2015 reform, which may have lowered prices.")
    True
    >>> read("The reform caused it.")
    False
    """
    marks = [_marks(sentence) for sentence in sentences(text)]
    return sum(tentative for tentative, _ in marks) > sum(certain for _, certain in marks)


def _marks(sentence: Sentence) -> tuple[int, int]:
    """How often a sentence is tentative, and how often certain."""
    return TENTATIVE.count(sentence.text, sentence.seen), CERTAIN.count(sentence.text, sentence.seen)
