"""Tells a judge's own verdict from one that it quotes of the answer: an answer may hold a line that looks like one.

The verdict is the judge's last line. Lines before it that look like one are passed over where they are the answer's own
words, and never more than that: whoever writes an answer must be able neither to decide, nor to make an honest judge
unreadable.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from snellen.readers.pattern import Pattern

_SPACES = Pattern(r"\s+")
_FENCE = Pattern(r"(?:```|~~~)[\w-]*")
_MARKS: Final = ">\"'`“”‘’「」『』«»"


@dataclass(frozen=True, slots=True)
class Line:
    """A line that says something.

    Attributes:
        text: with single spaces.
        plain: without harmless dress.
        marked: as a quotation: in a code fence, or behind ``>`` or a quotation mark.
    """

    text: str
    plain: str
    marked: bool


def lines_of(text: str, width: Mapping[int, int], dress: Pattern) -> list[Line]:
    """The lines of a text that say something, code fences left out.

    Args:
        text: any.
        width: full-width signs -> plain ones.
        dress: what is taken off a line for `Line.plain`.
    """
    found, fenced = [], False
    for raw in text.translate(width).splitlines():
        line = _SPACES.sub(" ", raw).strip()
        if _FENCE.fullmatch(line):
            fenced = not fenced
        elif line:
            marked = fenced or line[0] in _MARKS
            found.append(Line(line, dress.sub("", line).strip(), marked))
    return found


def refused(rivals: Sequence[Line], last: Line, answer: Sequence[Line], says: Callable[[Line], object]) -> str:
    """Why the last line cannot be taken for the judge's own verdict; empty where it can.

    Args:
        rivals: the lines before it that look like a verdict.
        last: the last line of the reply.
        answer: the lines of the answer that is judged.
        says: a line -> the verdict in it; None where it is none.

    A rival must be a line of the answer, or marked as a quotation and stand somewhere in it. One that is not marked may
    still be the judge's own, and the last line the quotation: so where the answer holds the last line too, an unmarked
    rival must not say anything else. A last line that is itself marked, and stands in the answer, is no verdict.
    """
    lines = {line.plain for line in answer}
    whole = "\n".join(line.plain for line in answer)

    def quoted(line: Line) -> bool:
        return line.plain in lines or (line.marked and line.plain.strip(_MARKS + " ") in whole)

    if last.marked and quoted(last):
        return "ends in words of the answer, marked as a quotation:"
    if not all(map(quoted, rivals)):
        return "declares more than one verdict, ending in"
    if last.plain in lines and any(not rival.marked and says(rival) != says(last) for rival in rivals):
        return "declares more than one verdict, and any may be the answer's own words, ending in"
    return ""
