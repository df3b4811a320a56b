"""Yes or no: which of the two does an answer declare?

Whole words count, in the clause that they answer in: "know" holds no no, "eyes" no yes, 不是 is no. What an answer
declares last counts where it corrects itself ("Yes... actually, no") or concludes; where it says both without that, it
is unclear. A yes or no that is quoted, asked ("Is it yes?"), offered ("yes or no"), supposed ("it could be yes") or
part of a refusal ("No, I cannot tell") declares nothing.

Without either word a plain statement is read where it can hardly be but an answer: that something is not there or not
so ("There is no dog", 图中没有狗), or, as the whole answer, that it is there. "The lines are of equal length" is
unclear: it depends on the question. In Chinese the verb outranks the particle: 不，有的 is yes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final, Literal

from snellen.readers import abstention
from snellen.readers import yes_no_words as words
from snellen.readers.pattern import Pattern
from snellen.readers.sentences import most_pieces, plain

Reading = Literal["yes", "no", "unclear"]

_NARROW: Final = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: " "}
_LONGEST: Final = 400  # characters of a clause that are looked at, from each of its ends
_STYLED = Pattern(r"\\(?:text|textbf|textit|mathrm|mathbf|bf|rm) ?\{([^{}\n]{0,80})\}")
_BOXED = Pattern(r"\\(?:boxed|fbox) ?\{([^{}\n]{0,80})\}")
_TAG = Pattern(r"</?[a-z][\w-]{0,24}>", re.IGNORECASE)
_DRESS = Pattern(r"[*~$#|]+|(?<![\w])_+|_+(?![\w])|```\w{0,12}")
_KEY = Pattern(r"[\"']([a-z_ ]{1,24})[\"'] ?:")
_SAID_IN_QUOTES = Pattern(
    r"(\b(?:answer|response|reply|verdict|conclusion|result|label|prediction)[\"']? ?(?:is|would be|:|=)|\b(?:say|"
    r"answer|"
    r"with|is)|(?:答案|回答|结论)[是为:]?|^) ?[\"'「『]\s?(yes|no|true|false|correct|incorrect|是的?|否|不是|有|没有|"
    r"对|错)"
    r"\s?[.!。]?\s?[\"'」』]",
    re.MULTILINE,
)
_QUOTED = Pattern(
    r"\"[^\"\n]{0,300}\"|(?<!\w)'[^'\n]{1,60}'(?!\w)|「[^」\n]{0,60}」|『[^』\n]{0,60}』|《[^》\n]{0,60}》"
)
# What is taken out leaves a sign that is no edge of a clause, so that "¤存在" is not 存在.
_QUOTE_ENDS: Final = {".": " ¤. ", "!": " ¤. ", "。": " ¤. ", "?": " ¤, "}
"""What a quotation leaves: a question in quotes may stand in the middle of a sentence."""
_BOTH = Pattern(r"\b(?:yes|no)\b ?(?:/|\\|,? ?or|,? ?and|&|-or-) ?(?:a )?\b(?:yes|no)\b")
_LABELLED_NO = Pattern(r"(答案|回答|结论)(?:应该|应当)?是(否|不是)(?=$|[,.;。!\s])", re.MULTILINE)
_NO_NUMBER = Pattern(r"\bno\.? ?(?=\d+\b(?! (?!is\b|was\b|has\b)[a-z]+s\b))")

_SENTENCE_END = Pattern(r"(\.{2,}|\.(?!\w)|\.(?=(?:yes|no|the|there|it)\b)|[!?…。]+|\n)")
_CLAUSE_END = Pattern(r"([,;:()\[\]{}—–、=]|\s-+\s|\s/\s|->|=>|→)")
_TRIGGER = Pattern(
    r"\b(?:y|n|yes|yeah|yep|yup|yea|no|nope|nah|not|none|nothing|nobody|neither|never|true|false|correct|incorrect|"
    r"right|"
    r"wrong|untrue|indeed|absolutely|definitely|certainly|sure|surely|exactly|of course|affirmative|negative|doubt|so|"
    r"question|undoubtedly|is|are|was|were|does|do|did|has|have|can|will|cannot|see|answer|lacks?|"
    r"actually|wait|sorry|therefore|thus|seems|there)\b|[是否不没对有无错未正确存的非会能在行]"
)
_HAN = Pattern("[\u4e00-\u9fff]")
_PREAMBLE = Pattern(
    r"(?:based on|according to|looking at|from|in|upon|to determine|to answer|let me|let us|let's|sure|question|"
    r"analysis|"
    r"i will|here is|observation|thank|as an ai|根据|观察|分析|问题|让我)"
)
_SUPPOSED = Pattern(r"(?:if|were|should|suppose|assuming|unless|even if)\b|(?:如果|假如|若)")
_EDGES: Final = " \t\"'`-*•>#=$_.!~^“”‘’"


def read(text: str) -> Reading:
    """What an answer, its thinking stripped, declares; `unclear` where it declares neither, or both.

    >>> read("Yes, there is no doubt that it is a pan.")
    'yes'
    >>> read("I cannot determine that from this image.")
    'unclear'
    >>> read("不是，图中是一只猫。")
    'no'
    """
    spelt = _spell(text)
    reading = _Reading()
    left = most_pieces(text)  # clauses
    said = list(islice((sentence for sentence in _sentences(spelt) if sentence.text), left))
    for position, sentence in enumerate(said):
        if left > 0 and _TRIGGER.search(sentence.text):
            left -= _add(reading, sentence, left, first=position == 0 or not reading.began)
        if not (sentence.asked or _is_preamble(sentence.text)):
            reading.began = True
    if reading.any:
        return reading.result
    return _statements(said, spelt)


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str
    asked: bool


class _Reading:
    """What has been declared so far."""

    def __init__(self) -> None:
        self.result: Reading = "unclear"
        self.any = self.explicit = self.began = False
        self.corrects = self.concludes = False  # what stands between the last declaration and the next

    def add(self, value: Reading, *, explicit: bool = False) -> None:
        if not self.any:
            self.result, self.explicit = value, explicit
        elif self.corrects or (explicit and not (self.explicit and value == self.result)):
            self.result, self.explicit = value, explicit or self.explicit
        elif value != self.result and not (self.explicit and not explicit):
            self.result = value if self.concludes else "unclear"
        self.any = True
        self.corrects = self.concludes = False


def _spell(text: str) -> str:
    """One spelling of what is the same, without dress, quotations and offers of both."""
    if not text.isascii():
        text = text.translate(_NARROW)
    if "\\" in text:
        text = _BOXED.sub(r"\nanswer: \1\n", _STYLED.sub(r"\1", text))
    if "<" in text:
        text = _TAG.sub("\n", text)
    text = _DRESS.sub("", plain(text).lower())
    if '"' in text or "'" in text or "「" in text or "『" in text or "《" in text:
        text = _SAID_IN_QUOTES.sub(r"\1 \2", _KEY.sub(r"\1:", text))
        text = _QUOTED.sub(lambda found: _QUOTE_ENDS.get(found[0][-2], " ¤ "), text)
    text = _NO_NUMBER.sub("number ", _BOTH.sub(" ¤, ", text))
    return words.ZH_BOTH.sub("¤", _LABELLED_NO.sub(r"\1:\2", text)) if _HAN.search(text) else text


def _sentences(spelt: str) -> Iterator[_Sentence]:
    parts = _SENTENCE_END.split(spelt)
    for place in range(0, len(parts), 2):
        end = parts[place + 1] if place + 1 < len(parts) else ""
        sentence = parts[place].strip(_EDGES)
        asked = "?" in end or words.ZH_QUESTION.search(sentence[-1:]) is not None
        yield _Sentence(sentence, asked)


def _is_preamble(sentence: str) -> bool:
    return _PREAMBLE.match(sentence) is not None


def _add(reading: _Reading, sentence: _Sentence, most: int, *, first: bool) -> int:
    """Read one sentence clause by clause, so many of them; returns how many it has."""
    parts = _CLAUSE_END.split(sentence.text, maxsplit=most)
    count = len(parts) // 2 + 1
    supposed = _SUPPOSED.match(sentence.text) is not None
    label: re.Match[str] | None = None
    particle = False  # whether the clause before is no more than a Chinese yes or no
    place = 0
    final = max((index for index in range(0, len(parts), 2) if parts[index].strip(_EDGES)), default=0)
    for index in range(0, len(parts), 2):
        clause = parts[index].strip(_EDGES)
        rest_from = place + len(parts[index])
        sign = parts[index + 1] if index + 1 < len(parts) else ""
        place = rest_from + len(sign)
        if not clause:
            continue
        head, tail = clause[:_LONGEST], clause[-_LONGEST:]
        answers_by_verb = particle and bool(words.ZH_VERB_YES.match(head) or words.ZH_VERB_NO.match(head))
        last = index == final
        if sentence.asked and last:
            return count  # what is asked declares nothing; "Yes, right?" does so before it asks
        reading.corrects |= answers_by_verb or words.CORRECTS.search(head) is not None
        reading.concludes |= words.CONCLUDES.search(head) is not None
        found = _clause(head, tail, opens=label is not None or (first and index == 0), last=last)
        if found is not None and not (supposed and "would" in sentence.text[:_LONGEST]):
            value, explicit = found
            refuses = value == "no" and words.CANNOT_TELL.match(
                sentence.text, rest_from - max(0, len(parts[index].lstrip(_EDGES)) - 2)
            )
            if not refuses:
                reading.add(value, explicit=explicit or label is not None)
        particle = words.ZH_PARTICLE.match(head) is not None
        label = words.LABEL.search(tail) if sign in (":", "=", "->", "=>", "→") else None
    if label is not None:
        reading.began = False  # "Answer:" and a line break
    return count


def _clause(head: str, tail: str, *, opens: bool, last: bool) -> tuple[Reading, bool] | None:
    """(what a clause declares, whether it says so as its answer), or None."""
    if _HAN.search(head):
        return _chinese(head)
    filler = words.FILLER.match(head)
    bare = head[filler.end() :] if filler and filler.end() < len(head) else head
    if words.UNSAID.search(tail):
        return None
    if words.YES.match(bare) or (opens and (words.SOFT_YES.match(head) or words.SOFT_YES.match(bare))):
        return "yes", False
    if words.NO.match(bare) or (opens and (words.SOFT_NO.match(head) or words.SOFT_NO.match(bare))):
        return "no", False
    if said := words.SAID.search(tail):
        yes = (said["word"] in ("yes", "affirmative", "correct", "true")) != bool(said["denied"])
        return ("yes" if yes else "no"), said["explicit"] is not None
    if opens and last:
        for value, patterns in (
            ("yes", (words.VERDICT_YES, words.ECHO_YES)),
            ("no", (words.VERDICT_NO, words.ECHO_NO)),
        ):
            if any(pattern.match(bare) for pattern in patterns):
                return ("yes" if value == "yes" else "no"), False
    return None


def _chinese(clause: str) -> tuple[Reading, bool] | None:
    explicit = clause.startswith(("答案", "回答", "结论", "我的答案"))
    filler = words.ZH_FILLER.match(clause)
    for bare in (clause, clause[filler.end() :].strip(_EDGES) if filler else ""):
        if words.ZH_YES.match(bare):
            return "yes", explicit
        if words.ZH_NO.match(bare):
            return "no", explicit
    return ("yes", False) if words.ZH_YES_BEGINS.match(clause) else None


def _statements(said: list[_Sentence], spelt: str) -> Reading:
    """What the first statement of an answer, or its conclusion, comes to, where it says neither yes nor no."""
    stated = [sentence.text for sentence in said if not sentence.asked]
    if not stated:
        return "unclear"
    if len(stated) == 1 and words.NOT_SEEN.match(stated[0][:_LONGEST]):
        return "no"
    if abstention.stance(spelt).declines:
        return "unclear"
    for sentence in reversed(stated[1:]):
        if words.CONCLUDES.match(sentence[:_LONGEST]):
            return "no" if _denies(sentence[:_LONGEST]) else "unclear"
    opening = stated[0][:_LONGEST]
    if _denies(opening):
        return "no"
    if len(stated) == 1:
        pattern = words.ZH_THERE_IS if _HAN.search(opening) else words.THERE_IS
        return "yes" if pattern.match(opening) else "unclear"
    return "unclear"


def _denies(sentence: str) -> bool:
    if _HAN.search(sentence):
        return bool(words.ZH_DENIES.search(sentence)) and not words.ZH_DENIES_NOTHING.search(sentence)
    if words.THINKS_NOT.match(sentence):
        return True
    return bool(words.DENIES.search(sentence)) and not words.DENIES_NOTHING.search(sentence)
