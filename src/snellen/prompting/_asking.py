"""What prompts share: the images, the question, and wording around it in the item's language."""

from __future__ import annotations

from collections.abc import Mapping

from snellen.errors import UsageError
from snellen.item import ElementsReference, Item, TargetReference
from snellen.request import ImagePart, Message, TextPart


def asked(item: Item, *after: str, before: str = "") -> tuple[Message, ...]:
    """One user message: every image, wording before the question, the question, wording after it.

    Args:
        item: whose images have digests.
        after: texts after the question; empty ones are left out.
        before: text before it.

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
    frames_before = (TextPart(before, role="frame"),) if before else ()
    frames_after = tuple(TextPart(text, role="frame") for text in after if text)
    return (Message("user", (*images, *frames_before, TextPart(item.question, role="question"), *frames_after)),)


def wording(item: Item, texts: Mapping[str, str]) -> str:
    """The text in the item's language, English where there is none in it."""
    return texts.get(item.language, texts["en"])


def is_grounding(item: Item) -> bool:
    """Whether a place on the image is asked for."""
    return isinstance(item.reference, TargetReference)


def is_parsing(item: Item) -> bool:
    """Whether a list of elements is asked for."""
    return isinstance(item.reference, ElementsReference)
