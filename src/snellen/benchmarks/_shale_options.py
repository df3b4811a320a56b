"""The options of a multiple-choice instruction: found in its text, in whichever layout they stand."""

from __future__ import annotations

import re
from collections.abc import Mapping

LETTERS = "ABCDEFGHIJ"

_NARROW = str.maketrans("ＡＢＣＤＥＦＧＨＩＪ（）［］．：", "ABCDEFGHIJ()[].:")
_MARKERS = (
    re.compile(r"[(\[【]\s*([A-J])\s*[)\]】][.:、]?\s*"),
    re.compile(r"(?<![A-Za-z0-9.'(\[])([A-J])\s?[.:、)]\s*"),
)
_TAIL = re.compile(
    r"(?<=[.。;；!！])\s*(?=(?:please|answer|choose|select|respond|reply|pick|only|请|只|回答|选择)).*",
    re.IGNORECASE | re.DOTALL,
)
"""What follows the last option in its line: a sentence that says how to answer."""

_STARTS = 20
"""Letters A that may begin the list, from the end: more are no options, and each costs a look at all that follows."""


def parse(instruction: str) -> tuple[tuple[str, str], ...]:
    """(letter, text) of each option in an instruction, in the order in which they stand; empty where there are none.

    Brackets, full stops, colons and full-width signs are known. Of several lists the longest counts, of equally long
    ones the last: an instruction ends with its options.

    >>> parse("What is it? (A) a pan (B) a pot")
    (('A', 'a pan'), ('B', 'a pot'))
    >>> parse("图中是什么？\\nＡ．锅\\nＢ．碗")
    (('A', '锅'), ('B', '碗'))
    """
    narrow = instruction.translate(_NARROW)  # one character for one: places stay what they are
    best: tuple[tuple[str, str], ...] = ()
    for pattern in _MARKERS:
        marks = [(match[1], match.start(), match.end()) for match in pattern.finditer(narrow)]
        for first in [place for place, (letter, _, _) in enumerate(marks) if letter == "A"][-_STARTS:]:
            found = _list_from(instruction, marks, first)
            if len(found) > len(best) or (len(found) == len(best) and pattern is _MARKERS[0]):
                best = found
    return best


def _list_from(instruction: str, marks: list[tuple[str, int, int]], first: int) -> tuple[tuple[str, str], ...]:
    run = [marks[first]]
    for mark in marks[first + 1 :]:
        if len(run) < len(LETTERS) and mark[0] == LETTERS[len(run)]:
            run.append(mark)
    if len(run) < 2:
        return ()
    ends = [start for _, start, _ in run[1:]]
    texts = [instruction[end:stop] for (_, _, end), stop in zip(run, ends, strict=False)]
    texts.append(_TAIL.sub("", instruction[run[-1][2] :].split("\n", 1)[0], count=1))
    texts = [" ".join(text.split()).rstrip(",;，；、 ") for text in texts]
    stopped = [text.endswith((".", "。")) for text in texts]
    if all(stopped) or (stopped[-1] and not any(stopped[:-1]) and texts[-1].count(".") <= 1):  # not "the U.S."
        texts = [text[:-1] if stop else text for text, stop in zip(texts, stopped, strict=True)]
    if not all(texts):
        return ()
    return tuple((letter, text) for (letter, _, _), text in zip(run, texts, strict=True))


def given(value: object) -> tuple[tuple[str, str], ...]:
    """The options of a field of their own: a list of texts, or letters with texts; empty where it is neither."""
    if isinstance(value, Mapping):
        pairs = [(str(letter).strip("() .").upper(), text) for letter, text in value.items()]
    elif isinstance(value, list):
        pairs = list(zip(LETTERS, value, strict=False)) if len(value) <= len(LETTERS) else []
    else:
        return ()
    texts = [(letter, text.strip()) for letter, text in pairs if isinstance(text, str) and text.strip()]
    right = [letter for letter, _ in texts] == list(LETTERS[: len(pairs)])
    return tuple((letter, re.sub(rf"^\(?{letter}[).:]\s*", "", text)) for letter, text in texts) if right else ()


def written(options: tuple[tuple[str, str], ...]) -> str:
    """Options as SHALE writes them: ``(A) a pan (B) a pot``.

    >>> written((("A", "a pan"), ("B", "a pot")))
    '(A) a pan (B) a pot'
    """
    return " ".join(f"({letter}) {text}" for letter, text in options)


def chosen(text: str, options: tuple[tuple[str, str], ...]) -> str:
    """The letter of the option that a truth names, by its letter, its text or both; empty where it names none or two.

    >>> chosen("(B)", (("A", "a pan"), ("B", "a pot"))), chosen("A pan.", (("A", "a pan"), ("B", "a pot")))
    ('B', 'A')
    """
    narrow = text.translate(_NARROW).strip()
    by_text = {letter for letter, option in options if _plain(option) == _plain(text)}
    match = re.match(r"(?:[(\[【]\s*([A-J])\s*[)\]】]|([A-J])(?=[\s.:、)]|$))[.:、)]?\s*(.*)", narrow, re.DOTALL)
    if match is None or (match[3] and len(by_text) == 1):
        return by_text.pop() if len(by_text) == 1 else ""
    letter = str(match[1] or match[2])
    if match[3]:
        return letter if _plain(dict(options).get(letter, "")) == _plain(match[3]) else ""
    if match[2] and by_text - {letter}:  # a bare letter that is also what another option says
        return "" if letter in dict(options) or len(by_text) > 1 else by_text.pop()
    return letter


def _plain(text: str) -> str:
    return " ".join(text.split()).strip(" .。").casefold()
