"""Abstention: does a text decline to answer, or say that what is asked for is not there?

A text abstains when one of its clauses declines ("I cannot determine that", 无法确定), says that the information is
missing ("the chart does not show any temperature", 图中没有标注) or that the question has nothing to do with the
picture, and nothing else in it answers all the same. "I can't be certain, but it's about 5" is an answer.

What a text offers ("if you send the data, I can compute it"), explains ("how to get it: ...") or describes ("the
chart shows three curves") is no answer. An estimate is one, also when it is wrapped in "if you want a rough reading:".
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from snellen.readers import phrases
from snellen.readers.sentences import Sentence, clauses, sentences

_YES_NO = re.compile(r"^(?:yes|no|nope|yeah|correct|true|false|是的?|对|不是|否)(?=[,.!:;。]|$)")
_LABEL = re.compile(r"^(?:(?:final |short |brief )?answer|response|a|答案|答|回答) ?: ?")
_CONTRASTS = re.compile(r"^(?:but|however|nevertheless|nonetheless|still|yet|但|不过|然而|可是|只是)")
_CONCEDES = re.compile(r"^(?:although|though|while|even though|even if|despite|虽然|尽管|即使)")
_GOES_ON = re.compile(r"^(?:and|or|including|和|以及|及|并)(?: \S+){1,4}$")
_NEUTRAL = (phrases.ILLEGIBLE, phrases.FALSE_PREMISE)
_BRACKETS = re.compile(r"\([^()]*\)")
# A name, unless it is all there is: "N/A" can be a bar's label.
_QUOTED = re.compile(r"(?!^)\"[^\"]{1,40}\"|\"[^\"]{1,40}\"(?=[^\".,!?。]{2})|「[^」]{1,40}」")
_INFORMATION = re.compile(r"\b(?:information|data)\b|信息|数据")
_DIGIT = re.compile(r"\d")
_WORD = re.compile(r"[a-z\d][\w'%.-]*|[\u4e00-\u9fff]")
_BARE_ANSWER = 4  # words: "PHY.", "Category (c)" before a refusal is an answer; a longer opening may be talk

_BRIEF_OPENING = 10  # words before a list: what its entries deny is part of an explanation
_LONG_ANSWER = 40  # words: who has asserted more than this has answered


@dataclass(frozen=True, slots=True)
class Stance:
    """How a text stands to its question.

    Attributes:
        declines: a clause says that the question cannot be answered, or that the writer does not know.
        not_shown: a clause says that what is asked for is not in the picture.
        unrelated: a clause says that the question has nothing to do with the picture, or what it shows instead.
        illegible: it complains of the picture's quality.
        answers: some part gives an answer or an estimate all the same.
        asserted: words (characters, for Chinese) of clauses that neither decline nor describe nor offer anything.
    """

    declines: bool = False
    not_shown: bool = False
    unrelated: bool = False
    illegible: bool = False
    answers: bool = False
    asserted: int = 0

    @property
    def abstains(self) -> bool:
        """Whether the text as a whole declines."""
        return (self.declines or self.not_shown) and not self.answers


def read(text: str) -> bool:
    """Whether the text declines to answer or says that the information is not there.

    >>> read("I cannot determine that from this image.")
    True
    >>> read("I can't be certain, but it's about 5.")
    False
    >>> read("图中没有提供相关信息，无法回答。")
    True
    """
    return stance(text).abstains


def says_not_shown(text: str) -> bool:
    """Whether it says that what is asked for is not in the picture (a bare "I cannot tell" does not)."""
    return stance(text).not_shown


def says_unrelated(text: str) -> bool:
    """Whether it says that the question has nothing to do with the picture, or what the picture shows instead."""
    return stance(text).unrelated


def stance(text: str) -> Stance:
    """Read a text clause by clause.

    >>> stance("These are ROC curves, not fuel-efficiency values, so I can't tell.").unrelated
    True
    """
    reading = _Reading()
    for sentence in sentences(text):
        reading.add(sentence)
    return reading.result()


class _Reading:
    """What has been seen so far, clause by clause."""

    def __init__(self) -> None:
        self.declines = self.not_shown = self.unrelated = self.illegible = self.answers = False
        self.exact_only = True  # every refusal so far was of exactness only
        self.lead = 0  # words that were asserted before the first refusal
        self.asserted = 0
        self.last_declines = False
        self.described = False  # the clause before says what the picture shows
        self.yes_no = False
        self.offer_block: int | None = None  # the block of an offer that goes on: after a colon, or another question
        self.explains = False  # how the answer could be found, which goes on to the end
        self.offers = False
        self.claims = False  # asserted something between a refusal and the first offer
        self.started = False

    @property
    def refused(self) -> bool:
        return self.declines or self.not_shown or self.unrelated

    def add(self, sentence: Sentence) -> None:
        self.illegible |= bool(phrases.ILLEGIBLE.search(sentence.text))
        if self._within_offer(sentence):
            self.answers |= bool(self.refused and phrases.ESTIMATE_GIVEN.search(sentence.text))
            return
        text = _LABEL.sub("", sentence.text)
        if not self.started and _YES_NO.match(text):
            self.yes_no = True
        self.started = True
        otherwise = bool(phrases.MEANT_OTHERWISE.search(text))
        if not otherwise and phrases.ESTIMATE_OFFERED.search(text):
            given = re.split("[:,]", text, maxsplit=1)[1:]
            if given and given[0].strip() and not phrases.OFFERS.search(given[0]):
                self.answers = True
                return
        offered = False
        for clause in clauses(text):
            conceded, claim = _concession(clause)
            offered = self._add(conceded, offered, sentence.listed)
            if claim:
                offered = self._add(claim, offered, sentence.listed, contrasts=True)
        self.offers |= offered
        colon = sentence.text.endswith(":")
        if otherwise or (offered and colon):
            self.offer_block = sentence.block
        self.explains |= colon and self.refused and bool(phrases.HOW_TO.search(sentence.text))

    def _within_offer(self, sentence: Sentence) -> bool:
        """Lists, and lines of the same block, belong to the offer that introduced them."""
        if self.explains:
            return True
        if self.offer_block is None:
            return False
        if sentence.listed or sentence.block == self.offer_block:
            return True
        self.offer_block = None
        return False

    def _add(self, clause: str, offered: bool, listed: bool, contrasts: bool = False) -> bool:
        """Read one clause; returns whether what follows in its sentence is still an offer."""
        turns = contrasts or bool(_CONTRASTS.match(clause))
        offered = offered and not turns
        meaning = phrases.NO_DECLINE.sub(" _ ", _QUOTED.sub(" _ ", clause))
        offers = offered or bool(phrases.OFFERS.search(clause))
        declines, absent = phrases.DECLINES.search(meaning), phrases.ABSENT.search(meaning)
        foreign = None if offers else phrases.UNRELATED.search(meaning)
        describes = bool(phrases.DESCRIBES.search(meaning))
        unrelated = bool(
            foreign or (phrases.INSTEAD.search(meaning) and (describes or phrases.PICTURE.search(meaning)))
        )
        if (declines or absent or foreign) and not offered:
            self.last_declines = bool(declines)
            if not self.refused and self.lead > (_BRIEF_OPENING if listed else _LONG_ANSWER):
                return False  # an essay has taken it for granted by now; only a refusal as its last word counts
            self.exact_only &= bool(phrases.INEXACT.search(clause))
            self.declines |= bool(declines or foreign or (absent and _INFORMATION.search(meaning)))
            self.not_shown |= bool(absent)
            self.unrelated |= unrelated
            end = max(match.end() for match in (declines, absent, foreign) if match)
            rest = meaning[end:].partition(",")[2]
            guesses = phrases.GUESSES.search(rest) and _DIGIT.search(rest)
            if (phrases.AMOUNT.search(rest) or guesses) and not phrases.OFFERS.search(rest):
                self.answers = True
            return False
        if offers:
            return True
        self.last_declines = False
        self.unrelated |= unrelated and self.lead <= _LONG_ANSWER
        describes = describes or (self.described and bool(_GOES_ON.match(clause)))
        self.described = describes
        outside = _BRACKETS.sub("", clause) if describes else clause
        if phrases.AMOUNT.search(outside) or phrases.CONCLUDES.search(outside):
            self._assert(clause)
            self.answers = True
        elif describes or unrelated or any(neutral.search(clause) for neutral in _NEUTRAL):
            pass
        elif turns or phrases.GUESSES.search(clause):
            self._assert(clause)
            self.answers |= self.refused
            self.lead += not self.refused
        elif not phrases.PREAMBLE.search(clause) and not _YES_NO.match(clause):
            words = self._assert(clause)
            self.lead += 0 if self.refused else words
        return False

    def _assert(self, clause: str) -> int:
        words = len(_WORD.findall(clause))
        self.asserted += words
        self.claims |= self.refused and not self.offers
        return words

    def result(self) -> Stance:
        if self.lead > _LONG_ANSWER and self.last_declines:
            return Stance(True, self.not_shown, self.unrelated, self.illegible, False, self.asserted)
        answers = self.answers
        if self.yes_no and not self.declines:
            answers = True
        if self.lead and (not self.declines or self.exact_only or self.lead <= _BARE_ANSWER):
            answers = True
        if self.exact_only and self.refused and self.claims:
            answers = True
        return Stance(self.declines, self.not_shown, self.unrelated, self.illegible, answers, self.asserted)


def _concession(clause: str) -> tuple[str, str]:
    """What is conceded and what is claimed: "although x is not given, y is largest" claims after its comma."""
    if _CONCEDES.match(clause):
        conceded, _, claim = clause.partition(",")
        return conceded, claim.strip()
    return clause, ""
