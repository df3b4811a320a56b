"""Direct: the images and the question, nothing else.

No system message, no frame around the question, no permission to decline: what ChartHal's protocol asks for (arXiv
2509.17481), and the default everywhere. One user message holds the images in the item's order, then the question as it
stands in the data. The authors' scripts put the image first for the open models and the question first for the served
ones; here it is the image first for all, so that rows can be compared.
"""

from __future__ import annotations

from snellen.errors import UsageError
from snellen.item import Item
from snellen.request import ImagePart, Message, TextPart


def messages(item: Item) -> tuple[Message, ...]:
    """One user message: every image, then the question.

    Raises:
        UsageError: an image has no digest yet. Planning reads the images and fills it in; a request without it would
            be kept under a key that does not tell one image from another.
    """
    for image in item.images:
        if not image.sha256:
            raise UsageError(
                f"image {image.name} of item {item.id} has no digest: read the images first (plan the run)"
            )
    images = tuple(ImagePart(image.sha256) for image in item.images)
    return (Message("user", (*images, TextPart(item.question, role="question"))),)
