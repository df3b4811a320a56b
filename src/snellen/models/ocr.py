"""A model that reads: it takes the texts off the image with RapidOCR and answers from them alone.

What it does, in order: declines when the question's terms do not stand on the image; guesses, and says so, when it is
asked for reasons; else takes the printed number that lies best with the labels that the question names (or the largest,
the smallest, a sum, a difference), and says that it cannot when no number is printed. It knows nothing of bars, lines
or colors. Questions and images may be English or Chinese; it answers in the question's language.

Where a prompt asks for a place on a screen, it takes the element whose text agrees best with the instruction, and
rejects, in the prompt's own words, where none agrees well enough or only an icon without a text could be meant; where
one asks for all elements, it lists the texts and what their outlines show: buttons, inputs, icons, pictures. Where a
list of the elements is given, it goes by that and does not look.

RapidOCR and its ONNX models come with the extra ``snellen[ocr]``; nothing is downloaded. About 0.7 s for a chart of
760 x 500 pixels on two cores; the readings of the last images are kept, so further questions on one cost nothing.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from itertools import pairwise

from snellen.errors import ImageError, ModelError
from snellen.images import canonical
from snellen.models import _screen, _screen_answer
from snellen.models._page import WORD, Line, Reading, reduced
from snellen.models._rapidocr import recognize, revision
from snellen.models._screen import Screen
from snellen.models._screen_form import form
from snellen.request import Request

FAMILY = "embedded"

__all__ = ["answer", "revision"]

_KEPT = 256  # readings, a few kilobytes each

_lock = threading.Lock()
_readings: OrderedDict[str, Reading] = OrderedDict()
_screens: OrderedDict[str, Screen] = OrderedDict()


def answer(request: Request, load: Callable[[str], bytes], argument: str = "") -> str:
    """What the texts on the request's images say to its question; on a screen, the place or the list asked for.

    Args:
        load: gives the original bytes of an image by its hex SHA-256.

    Raises:
        ModelError: RapidOCR is not installed, there is no image, one cannot be decoded, or an argument was given.
    """
    if argument:
        raise ModelError("embedded", f"ocr takes no argument, not {argument!r}: write --model ocr")
    question = request.text("question") or request.text()
    asked, listed = form(request), request.text("given")
    if asked is not None and listed:
        return _screen_answer.respond(question, _screen_answer.given(listed, asked), asked)
    if not request.images:
        raise ModelError("embedded", "there is no image to read in this request")
    if asked is not None:
        return _screen_answer.respond(question, look(request.images[0], load), asked)
    readings = [read(digest, load) for digest in dict.fromkeys(request.images)]
    best = max(readings, key=lambda reading: -len(missing(question, reading)[0]))  # the first of equals
    return respond(question, best)


def read(digest: str, load: Callable[[str], bytes]) -> Reading:
    """The texts of an image; kept by its digest, one image is read at a time (RapidOCR itself uses two threads).

    Raises:
        ModelError: the image cannot be decoded or RapidOCR is not installed.
    """
    with _lock:
        if (reading := _readings.get(digest)) is None:
            reading = _readings[digest] = Reading(_recognize(load(digest)))
            while len(_readings) > _KEPT:
                _readings.popitem(last=False)
        else:
            _readings.move_to_end(digest)
        return reading


def _recognize(data: bytes) -> list[Line]:
    try:
        return recognize(canonical(data))
    except ImageError as error:
        raise ModelError("image", str(error)) from error


def look(digest: str, load: Callable[[str], bytes]) -> Screen:
    """The elements of a screen; kept by its digest, as readings are.

    Raises:
        ModelError: as `read`.
    """
    with _lock:
        if (screen := _screens.get(digest)) is None:
            screen = _screens[digest] = _look(load(digest))
            while len(_screens) > _KEPT:
                _screens.popitem(last=False)
        else:
            _screens.move_to_end(digest)
        return screen


def _look(data: bytes) -> Screen:
    import numpy as np

    try:
        page = canonical(data)
    except ImageError as error:
        raise ModelError("image", str(error)) from error
    size = page.size
    lines = recognize(page)  # which scales down a page that is too large
    return _screen.look(np.asarray(page), lines, size)


_CHINESE = re.compile(r"[\u3400-\u9fff]+")
_STOP = frozenset(
    re.split(
        r"\s+",
        "a about according all also although an and any are as at average be been being both but by can caused "
        "chart could did difference do does during each exceed exceeds explain figure for from given graph had "
        "has have higher highest how if image in is it its kept large larger largest least less level long longer "
        "lower lowest many might more most much number of on one only or other out over percentage point points "
        "reach reason recorded same saw seen shown shows since so sold than that the their them then there these "
        "they this those times to together total under up value values was were what when where which who why "
        "will with would",
    )
)
_CHINESE_STOP = re.compile(
    "图中|图表|根据|既然|那么|因此|什么|为什么|为何|哪些|哪个|哪一组|哪一|哪种|哪部|哪支|多少|多大|几倍|几个|可能|原因|因素|有关|如何|"
    "怎样|最高|最低|最多|最少|最大|最小|高于|低于|多于|少于|相差|高出|以上|以下|一共|总共|合计|分别|两者|两地|百分点|始终|其他|占比|比例|近年来|"
    "[的是在比和与及把被让使会有了吗呢么这那哪其之或又也都很更最高低多少占个]"
)
_OPEN = re.compile(
    r"\b(why|explain|explains|reasons?|might|could|what drives|how (did|do|does|will|would|has|have))\b"
    r"|为什么|为何|可能|原因|因素|影响|怎样|如何",
    re.IGNORECASE,
)
_MOST = re.compile(r"\b(highest|most|largest|maximum|biggest|top)\b|最(高|多|大|长)", re.IGNORECASE)
_LEAST = re.compile(r"\b(lowest|least|fewest|smallest|minimum|coldest)\b|最(低|少|小|短)", re.IGNORECASE)
_APART = re.compile(
    r"\b(exceeds?|differences?|by how (much|many)|how (much|many) more|higher|more than)\b", re.IGNORECASE
)
_CHINESE_APART = re.compile("相差|差多少|高出|(高|低|多|少)多少|差值")
_SUM = re.compile(r"\b(total|altogether|sum|combined)\b|一共|总共|合计", re.IGNORECASE)


def missing(question: str, reading: Reading) -> tuple[list[str], list[str]]:
    """The question's terms that do not stand on the image, and those that do, each in the order of the question.

    English: words with a meaning of their own, and numbers. Chinese: what is left between common words; such a run
    counts as there when any two neighboring characters of it are.
    """
    absent: dict[str, None] = {}
    present: dict[str, None] = {}
    for match in WORD.finditer(question):
        (word,) = reduced(match[0])[:1] or ("",)
        if match[0].lower() in _STOP or len(word) < 2:
            continue
        there = word in reading.words or (word.isdigit() and word in reading.text)
        (present if there else absent)[match[0]] = None
    for run in _CHINESE.findall(_CHINESE_STOP.sub(" ", question)):
        if len(run) >= 2:
            there = any(a + b in reading.text for a, b in pairwise(run))
            (present if there else absent)[run] = None
    return list(absent), list(present)


def respond(question: str, reading: Reading) -> str:
    """The answer to a question from the texts of one image, in the question's language."""
    chinese = bool(_CHINESE.search(question))
    absent, present = missing(question, reading)
    names = [term for term in absent if _is_name(term, question)]
    if names or not present or len(absent) > 1.5 * len(present):
        what = ("、" if chinese else ", ").join((names or absent)[:3])
        if not what:
            return (
                "图中没有相关信息，因此无法回答。" if chinese else "The chart shows nothing that answers this question."
            )
        if chinese:
            return f"图中没有关于{what}的信息，因此无法回答这个问题。"
        return f"The chart shows nothing about {what}, so this question cannot be answered from it."
    if _OPEN.search(question):
        if chinese:
            return f"图“{reading.title}”没有说明原因。这可能与{present[0]}有关，但这只是一种猜测。"
        return (
            f"The chart “{reading.title}” does not state a reason. It might be linked to {present[0]}, "
            "but that is only a guess."
        )
    found = _value(question, reading)
    if not found:
        return (
            "图中没有标出这个数值，无法读出。" if chinese else "The chart does not print this value, so I cannot tell."
        )
    return f"答案是{found}。" if chinese else f"The answer is {found}."


def _is_name(term: str, question: str) -> bool:
    """Whether a missing term alone shows that what is asked for is not there: a name, a number, a Chinese term."""
    if _CHINESE.match(term) or term[0].isdigit():
        return True
    return term[0].isupper() and not question.lstrip().startswith(term)


def _value(question: str, reading: Reading) -> str:
    if not reading.values:
        return ""
    if extreme := max if _MOST.search(question) else min if _LEAST.search(question) else None:
        line = extreme(reading.values, key=lambda value: value.number or 0.0)
        texts = [place for place in reading.places if place.number is None]
        near = min(texts or reading.places, default=None, key=lambda place: _distance(place, line))
        return f"{line.text} ({near.text})" if near else line.text
    named = [line for line in (*reading.places, *reading.legend) if _named(line.text, question)]
    # 学院 is not what is meant where 工学院 is named too
    named = [line for line in named if not any(line.text != other.text and line.text in other.text for other in named)]
    places = [line for line in named if line not in reading.legend]
    if not places:
        return ""
    if _SUM.search(question):
        return _plain(sum(value.number or 0.0 for place in places for value in _belonging(place, reading)))
    if len(places) >= 2 and (_APART.search(question) or _CHINESE_APART.search(question)):
        first, second = (_nearest([place], reading).number or 0.0 for place in places[:2])
        return _plain(abs(first - second))
    group = _belonging(places[0], reading)
    for position, entry in enumerate(reading.legend):
        if entry in named and len(group) == len(reading.legend):
            return group[position].text
    return _nearest(places, reading).text


def _named(label: str, question: str) -> bool:
    if _CHINESE.search(label):
        return re.sub(r"\s", "", label) in question
    words = reduced(label)
    return bool(words) and any(word not in _STOP for word in words) and set(words) <= set(reduced(question))


def _distance(label: Line, value: Line) -> float:
    """Small where the value stands in the label's row or column, and near."""
    across, down = abs(label.x - value.x), abs(label.y - value.y)
    return min(across + down / 4, down + across / 4)


def _nearest(labels: Sequence[Line], reading: Reading) -> Line:
    return min(reading.values, key=lambda value: sum(_distance(label, value) for label in labels))


def _belonging(label: Line, reading: Reading) -> list[Line]:
    """The values over a label of the horizontal axis, side by side from the left, stacked from the bottom."""
    row = [line for line in reading.labels if abs(line.y - label.y) <= (label.bottom - label.top) / 2]
    group = [value for value in reading.values if min(row, key=lambda line: abs(line.x - value.x)) is label]
    stacked = max((v.x for v in group), default=0.0) - min((v.x for v in group), default=0.0) < 3
    return sorted(group, key=lambda value: -value.y if stacked else value.x)


def _plain(value: float) -> str:
    return f"{round(value, 4):.10g}"
