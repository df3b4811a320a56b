"""A wrong value for a question on a chart: what perturbations may tempt with where the data name no distractor."""

from __future__ import annotations

import re

_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:,\d{3})*(?:\.\d+)?")
_FACTOR = 3.7  # beyond every range of acceptable answers, which lie within some per cent of the value
_MOST_WORDS = 4
"""Words of an answer that may be one of the words below; longer ones are sentences, whose denial may be true too."""

_NUMERALS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_COLORS = ("red", "blue", "green", "orange", "purple", "yellow", "black", "brown", "gray", "pink")
_OTHER_COLORS = frozenset(("grey", "violet", "magenta", "cyan", "teal", "navy", "maroon", "beige", "white", "gold"))


def wrong_value(reference: str, question: str = "") -> str:
    """Something that the reference does not accept, in its form: another number, numeral or color; empty else.

    A color is only exchanged where the reference names one alone, for one that neither it nor the question names.

    >>> wrong_value("About 12.5 (Answers in the range [12, 13] are ACCEPTABLE).")
    '46.2'
    >>> wrong_value("The red line."), wrong_value("Three.")
    ('The blue line', 'Seven')
    >>> wrong_value("The model with residual connections.")
    ''
    """
    found = _NUMBER.findall(reference)
    if not found:
        return _wrong_word(reference, question)
    first = found[0].replace(",", "")
    places = len(first.partition(".")[2])
    value = float(first) * _FACTOR or 37.0
    limit = max(abs(float(number.replace(",", ""))) for number in found)
    while abs(value) <= 1.5 * limit and limit:
        value *= _FACTOR
    return f"{value:.{places}f}"


def _wrong_word(reference: str, question: str) -> str:
    words = re.findall(r"[a-z]+", reference.casefold())
    if not 0 < len(words) <= _MOST_WORDS or len(reference.split()) > _MOST_WORDS:
        return ""
    colors = [word for word in words if word in _COLORS or word in _OTHER_COLORS]
    numerals = [word for word in words[:1] if word in _NUMERALS]  # "the upper one" counts nothing
    if len(colors) + len(numerals) != 1:
        return ""
    old = (colors + numerals)[0]
    if numerals:
        new = _NUMERALS[(_NUMERALS.index(old) + 4) % len(_NUMERALS)]
    else:
        asked = frozenset(re.findall(r"[a-z]+", question.casefold()))
        new = next(color for color in _COLORS if color not in asked and not _alike(color, old))
    match = re.search(rf"\b{old}\b", reference, re.IGNORECASE)
    assert match is not None, "the word was found in it"
    new = new.capitalize() if match[0][:1].isupper() else new
    return (reference[: match.start()] + new + reference[match.end() :]).strip().rstrip(".")


def _alike(one: str, other: str) -> bool:
    """Whether two names of colors may be of one color as it is printed: near hues are not told apart by everybody."""
    families = (
        {"red", "pink", "magenta", "maroon", "orange", "brown"},
        {"blue", "purple", "violet", "cyan", "teal", "navy", "magenta"},
        {"green", "teal", "cyan"},
        {"orange", "yellow", "gold", "brown", "beige"},
        {"black", "gray", "grey", "white", "navy", "beige"},
    )
    return one == other or any(one in family and other in family for family in families)
