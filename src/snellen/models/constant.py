"""A model that always gives the same answer: what any judge and metric must make of it follows from arithmetic.

``constant`` answers "The answer is 42."; ``constant:TEXT`` answers TEXT. Two texts are more than texts where a prompt
asks for a place on a screen: ``constant:centre`` (or ``center``) points at the middle of every image, whose size it
takes from the header; ``constant:reject`` says that the target is not there, in the words that the prompt gives for it.
Asked for all elements, the first lists one, which is the whole screen, and the second none. Elsewhere, and where the
prompt has no words for rejecting, they are texts like any other.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from snellen.errors import ImageError, ModelError
from snellen.images import identify
from snellen.models._screen_form import Form, form
from snellen.request import Request

FAMILY = "embedded"
DEFAULT = "The answer is 42."


def answer(request: Request, load: Callable[[str], bytes], argument: str = "") -> str:
    """`argument`, or the default where there is none, whatever is asked; see the module for screens.

    Raises:
        ModelError: it is to point at the centre of no image, or of one whose header cannot be read.
    """
    asked = form(request) if argument in ("centre", "center", "reject") else None
    if asked is None:
        return argument or DEFAULT
    if argument == "reject":
        return asked.ended(asked.reject or argument) if asked.target else "[]"
    return _centre(request, load, asked)


def _centre(request: Request, load: Callable[[str], bytes], asked: Form) -> str:
    if not request.images:
        raise ModelError("embedded", "there is no image to point at in this request")
    try:
        info = identify(load(request.images[0]))
    except ImageError as error:
        raise ModelError("image", str(error)) from error
    size = (info.width, info.height) if info.orientation < 5 else (info.height, info.width)  # 5 to 8 lie on their side
    if asked.target:
        return asked.point(size[0] / 2, size[1] / 2, size)
    description = "屏幕" if asked.chinese else "screen"
    whole = {"type": "image", "description": description, "bbox_2d": asked.box(0, 0, *size, size)}
    return json.dumps([whole], ensure_ascii=False)
