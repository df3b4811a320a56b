"""A model that always gives the same answer: what any judge and metric must make of it follows from arithmetic.

``constant`` answers "The answer is 42."; ``constant:TEXT`` answers TEXT.
"""

from __future__ import annotations

from collections.abc import Callable

from snellen.request import Request

FAMILY = "embedded"
DEFAULT = "The answer is 42."


def answer(request: Request, load: Callable[[str], bytes], argument: str = "") -> str:
    """`argument`, or the default where there is none, whatever is asked."""
    return argument or DEFAULT
