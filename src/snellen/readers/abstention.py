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
from functools import lru_cache
from itertools import islice

from snellen.readers import phrases, refusals
from snellen.readers.cues import NOTHING, cues
from snellen.readers.pattern import Pattern
from snellen.readers.sentences import Sentence, clauses, most_pieces, sentences

_YES_NO = Pattern(r"^(?:yes|no|nope|yeah|correct|true|false|是的?|对|不是|否)(?=[,.!:;。]|$)")
_LABEL = Pattern(r"^(?:(?:final |short |brief )?answer|response|a|答案|答|回答) ?: ?")
_CONTRASTS = Pattern(r"^(?:but|however|nevertheless|nonetheless|still|yet|但|不过|然而|可是|只是)")
_CONCEDES = Pattern(r"^(?:although|though|while|even though|even if|despite|虽然|尽管|即使)")
_GOES_ON = Pattern(r"^(?:and|or|including|和|以及|及|并)(?: \S+){1,4}$")
_NEUTRAL = (phrases.ILLEGIBLE, phrases.FALSE_PREMISE)
_BRACKETS = Pattern(r"\([^()]*\)")
# A name, unless it is all there is: "N/A" can be a bar's label.
_QUOTED = Pattern(r"(?!^)\"[^\"]{1,40}\"|\"[^\"]{1,40}\"(?=[^\".,!?。]{2})|「[^」]{1,40}」")
_INFORMATION = Pattern(r"\b(?:information|data)\b|信息|数据")
_DIGIT = Pattern(r"\d")
_WORD = Pattern(r"[a-z\d][\w'%.-]*|[\u4e00-\u9fff]")
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


@lru_cache(maxsize=4)  # the flags of a verdict and the rules read one answer in turn
def stance(text: str) -> Stance:
    """Read a text clause by clause.

    >>> stance("These are ROC curves, not fuel-efficiency values, so I can't tell.").unrelated
    True
    """
    reading = _Reading()
    last: Sentence | None = None
    left = most_pieces(text)  # clauses
    for sentence in sentences(text):
        if left <= 0:
            break
        if sentence == last:
            left -= reading.repeat(sentence, left)
        else:
            left -= reading.add(sentence, left)
            reading.settled = None
        last = sentence
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
        self.settled: tuple[int, int] | None = None  # what the same sentence once more adds to lead and to asserted

    @property
    def refused(self) -> bool:
        return self.declines or self.not_shown or self.unrelated

    def add(self, sentence: Sentence, most: int | None = None) -> int:
        """Read one sentence, of a long one so many clauses; returns how many there were."""
        seen = sentence.seen
        self.illegible = self.illegible or phrases.ILLEGIBLE.stands_in(sentence.text, seen)
        if self._within_offer(sentence):
            self.answers |= self.refused and phrases.ESTIMATE_GIVEN.stands_in(sentence.text, seen)
            return 1
        label = _LABEL.match(sentence.text)
        text = sentence.text[label.end() :] if label else sentence.text
        if not self.started and _YES_NO.match(text):
            self.yes_no = True
        self.started = True
        otherwise = phrases.MEANT_OTHERWISE.stands_in(text, seen)
        if not otherwise and phrases.ESTIMATE_OFFERED.stands_in(text, seen):
            given = re.split("[:,]", text, maxsplit=1)[1:]
            if given and given[0].strip() and not phrases.OFFERS.stands_in(given[0]):
                self.answers = True
                return 1
        offered = False
        said = clauses(text, seen)
        for clause in islice(said, most):
            conceded, claim = _concession(clause)
            offered = self._add(
                conceded, seen if conceded is sentence.text else cues(conceded), offered, sentence.listed
            )
            if claim:
                offered = self._add(claim, cues(claim), offered, sentence.listed, contrasts=True)
        self.offers |= offered
        colon = sentence.text.endswith(":")
        if otherwise or (offered and colon):
            self.offer_block = sentence.block
        self.explains |= colon and self.refused and phrases.HOW_TO.stands_in(sentence.text, seen)
        return len(said)

    def repeat(self, sentence: Sentence, most: int | None = None) -> int:
        """Add the sentence that was added last; models that are stuck say one thing ten thousand times.

        Once that changes nothing but the counts, and these cannot matter any more, the sentence need not be read again.
        """
        if self.settled is None:
            before = vars(self).copy()
            count = self.add(sentence, most)
            grown = self.lead - before["lead"], self.asserted - before["asserted"]
            if vars(self) == {**before, "lead": self.lead, "asserted": self.asserted} and (
                grown[0] == 0 or before["lead"] > _LONG_ANSWER
            ):
                self.settled = grown
            return count
        self.lead += self.settled[0]
        self.asserted += self.settled[1]
        return 0

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

    def _add(self, clause: str, seen: int, offered: bool, listed: bool, contrasts: bool = False) -> bool:
        """Read one clause; returns whether what follows in its sentence is still an offer."""
        turns = contrasts or bool(_CONTRASTS.match(clause))
        offered = offered and not turns
        if seen == NOTHING:
            if not offered:
                self._add_plain(clause, turns)
            return offered
        named = _QUOTED.sub(" _ ", clause) if '"' in clause or "「" in clause else clause
        meaning = phrases.NO_DECLINE.sub(" _ ", named, seen)
        meant = seen if meaning is clause else cues(meaning)
        offers = offered or phrases.OFFERS.stands_in(clause, seen)
        declines, absent = refusals.DECLINES.search(meaning, meant), refusals.ABSENT.search(meaning, meant)
        foreign = None if offers else refusals.UNRELATED.search(meaning, meant)
        describes = phrases.DESCRIBES.opens(meaning, meant)
        unrelated = foreign is not None or (
            phrases.INSTEAD.stands_in(meaning, meant) and (describes or phrases.PICTURE.stands_in(meaning, meant))
        )
        if (declines or absent or foreign) and not offered:
            self.last_declines = bool(declines)
            if not self.refused and self.lead > (_BRIEF_OPENING if listed else _LONG_ANSWER):
                return False  # an essay has taken it for granted by now; only a refusal as its last word counts
            self.exact_only &= phrases.INEXACT.stands_in(clause, seen)
            self.declines |= bool(declines or foreign or (absent and _INFORMATION.search(meaning)))
            self.not_shown |= bool(absent)
            self.unrelated |= unrelated
            end = max(match.end() for match in (declines, absent, foreign) if match)
            rest = meaning[end:].partition(",")[2]
            guesses = phrases.GUESSES.stands_in(rest, meant) and _DIGIT.search(rest)
            if (phrases.AMOUNT.stands_in(rest, meant) or guesses) and not phrases.OFFERS.stands_in(rest, meant):
                self.answers = True
            return False
        if offers:
            return True
        self.last_declines = False
        self.unrelated |= unrelated and self.lead <= _LONG_ANSWER
        describes = describes or (self.described and bool(_GOES_ON.match(clause)))
        self.described = describes
        outside, said = clause, seen
        if describes and "(" in clause:
            outside = _BRACKETS.sub("", clause)
            said = cues(outside)
        if phrases.AMOUNT.stands_in(outside, said) or phrases.CONCLUDES.stands_in(outside, said):
            self._assert(clause)
            self.answers = True
        elif describes or unrelated or any(neutral.stands_in(clause, seen) for neutral in _NEUTRAL):
            pass
        elif turns or phrases.GUESSES.stands_in(clause, seen):
            self._venture(clause)
        elif not phrases.PREAMBLE.opens(clause, seen) and not _YES_NO.match(clause):
            self._state(clause)
        return False

    def _add_plain(self, clause: str, turns: bool) -> None:
        """What `_add` comes to for a clause in which no phrase stands."""
        self.last_declines = False
        self.described = self.described and _GOES_ON.match(clause) is not None
        if turns and not self.described:
            self._venture(clause)
        elif not (self.described or _YES_NO.match(clause)):
            self._state(clause)

    def _venture(self, clause: str) -> None:
        self._assert(clause)
        self.answers |= self.refused
        self.lead += not self.refused

    def _state(self, clause: str) -> None:
        words = self._assert(clause)
        self.lead += 0 if self.refused else words

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
