"""A wrong value for a question on a chart: what perturbations may tempt with where the data name no distractor."""

from __future__ import annotations

import re

_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:,\d{3})*(?:\.\d+)?")
_FACTOR = 3.7  # beyond every range of acceptable answers, which lie within some per cent of the value


def wrong_value(reference: str) -> str:
    """A number that the reference does not accept, in the form of its first one; empty where it has none.

    >>> wrong_value("About 12.5 (Answers in the range [12, 13] are ACCEPTABLE).")
    '46.2'
    >>> wrong_value("The red line.")
    ''
    """
    found = _NUMBER.findall(reference)
    if not found:
        return ""
    first = found[0].replace(",", "")
    places = len(first.partition(".")[2])
    value = float(first) * _FACTOR or 37.0
    limit = max(abs(float(number.replace(",", ""))) for number in found)
    while abs(value) <= 1.5 * limit and limit:
        value *= _FACTOR
    return f"{value:.{places}f}"
