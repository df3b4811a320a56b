"""Direct: the images and the question, nothing else; on screens, also how to write a place and how to say that it is
not there.

No system message, no frame around the question, no permission to decline: what ChartHal's protocol asks for (arXiv
2509.17481), and the default everywhere. One user message holds the images in the item's order, then the question as it
stands in the data. The authors' scripts put the image first for the open models and the question first for the served
ones; here it is the image first for all, so that rows can be compared.

Grounding is the exception: coordinates are read only in a form that was agreed on, and a rejection rate means nothing
where a model was never told that it may reject (`direct-no-reject` leaves that out).
"""

from __future__ import annotations

from snellen.convention import DEFAULT, Convention
from snellen.item import Item
from snellen.prompting._asking import asked
from snellen.prompting._grounding import form
from snellen.request import Message

TITLE = "direct"


def messages(item: Item, convention: Convention = DEFAULT) -> tuple[Message, ...]:
    """One user message: every image, then the question, then the form of the answer where a place is asked for.

    Raises:
        UsageError: an image has no digest yet.
    """
    return asked(item, form(item, convention))
