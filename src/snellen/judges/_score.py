"""Reads a judge's reply that ends in ``Score: 0`` or ``Score: 1``: strictly, or as ChartHal's published script does."""

from __future__ import annotations

import json
import re

from snellen.errors import UnreadableReplyError
from snellen.judges._quoted import Line, lines_of, refused
from snellen.readers.pattern import Pattern

_WIDTH = str.maketrans("：＝．０１２３４５６７８９－", ":=.0123456789-")
_SCORE = r"(?:(?:final|the|my|overall) ){0,2}(?:score|评分|得分|分数|最终得分|最终评分)"
_DRESS = Pattern(r"^#{1,6} |[*_`]")
_VERDICT = Pattern(rf"{_SCORE} ?[:=] ?([01]) ?[.。]?", re.IGNORECASE)
_VERDICT_LIKE = Pattern(rf"{_SCORE} ?(?:[:=]|is) ?[-+]?[\d.]+[^a-z]{{0,10}}", re.IGNORECASE)
_SPACES = Pattern(r"\s+")
_LONGEST_JSON = 20_000
_LONGEST_REASON = 500
_AFTER_SCORE = Pattern(r"\bscore\b ?[:-]? ?([0-9]+(?:\.[0-9]+)?)", re.IGNORECASE)
_OUT_OF_TEN = Pattern(r"(?<!\d)(\d+(?:\.\d+)?) ?/ ?10")
_ANY = Pattern(r"(?<!\d)(?:10|[0-9])(?!\d)")
_HEAD = 3
_MOST = 10.0


def strict_score(text: str, *, cut: bool = False, answer: str = "") -> tuple[int, str]:
    """The verdict 0 or 1 that a reply declares, alone on its last line, and the reason before it.

    Harmless dress is tolerated: markdown, a code fence, a full stop, full-width signs, "Final score", a JSON object
    with ``score``. What is out of scale, declared twice, quoted or not on a line of its own is no verdict. A line that
    the reply quotes of the answer is none of these lines (`snellen.judges._quoted`).

    Args:
        text: the reply, thinking stripped.
        cut: whether the reply was cut, so that its last line is not its end.
        answer: that is judged.

    Raises:
        UnreadableReplyError: with what was found instead.

    >>> strict_score("It declines.\\n**Score:** 1")
    (1, 'It declines.')
    """
    if cut:
        raise UnreadableReplyError("the judge's reply was cut before its verdict; raise the judge's max_tokens")
    lines = lines_of(text, _WIDTH, _DRESS)
    if not lines:
        raise UnreadableReplyError("the judge's reply is empty")
    *before, last = lines
    whole = lines[0].text.startswith("{") and last.text.endswith("}")
    rivals = [line for line in before if _VERDICT_LIKE.fullmatch(line.plain) or _is_json(line.text)]
    if why := refused([] if whole else rivals, last, lines_of(answer, _WIDTH, _DRESS), _said):
        raise UnreadableReplyError(f"the judge's reply {why} {_short(last.text)}")
    if whole:
        return _from_json(" ".join(line.text for line in lines))
    reason = " ".join(line.text for line in before)[:_LONGEST_REASON]
    if _is_json(last.text):
        value, inner = _from_json(last.text)
        return value, reason or inner
    found = _VERDICT.fullmatch(last.plain)
    if found is None:
        where = f"the judge's reply ends in {_short(last.text)}"
        raise UnreadableReplyError(f"{where}, not in a line 'Score: 0' or 'Score: 1'")
    return int(found[1]), reason


def parity_score(text: str) -> int | None:
    """What ChartHal's published script reads in a reply: 0 to 10, or None.

    Source: behaviour of ``evaluate.py`` in github.com/ymcui/ChartHal at b5b41e2. Only the first three lines count;
    the number after "score", else one "out of /10", else the first number from 0 to 10 anywhere; clamped, rounded half
    to even. So "Score: -1" gives 1, and "No, 2021 has 1 bar" gives 1.

    >>> parity_score("Score: 10"), parity_score("Score: -1"), parity_score("none")
    (10, 1, None)
    """
    head = _SPACES.sub(" ", "\n".join(text.splitlines()[:_HEAD]))
    if found := _AFTER_SCORE.search(head) or _OUT_OF_TEN.search(head):
        return round(min(_MOST, float(found[1])))
    return int(any_number[0]) if (any_number := _ANY.search(head)) else None


def _said(line: Line) -> int | str | None:
    if _is_json(line.text):
        return line.text
    found = _VERDICT.fullmatch(line.plain)
    return None if found is None else int(found[1])


def _is_json(line: str) -> bool:
    return line.startswith("{") and line.endswith("}") and '"score"' in line.lower()


def _from_json(text: str) -> tuple[int, str]:
    if len(text) > _LONGEST_JSON:
        raise UnreadableReplyError("the judge's reply is a JSON object of unreasonable length")
    try:
        data = json.loads(text, object_pairs_hook=_no_key_twice)
    except (ValueError, RecursionError) as error:
        raise UnreadableReplyError(f"the judge's reply is not the JSON object it looks like: {_short(text)}") from error
    score = {str(key).lower(): value for key, value in data.items()}.get("score")
    if type(score) is not int or score not in (0, 1):
        raise UnreadableReplyError(f"the judge's JSON reply has no score 0 or 1: {_short(text)}")
    reason = data.get("reason", "")
    return score, reason[:_LONGEST_REASON] if isinstance(reason, str) else ""


def _no_key_twice(pairs: list[tuple[str, object]]) -> dict[str, object]:
    keys = [key.lower() for key, _ in pairs]
    if len(set(keys)) < len(keys):
        raise ValueError("a key stands twice")
    return dict(pairs)


def _short(text: str) -> str:
    return repr(text if len(text) <= 80 else text[:77] + "...")
