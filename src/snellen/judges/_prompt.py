"""What the judges that ask a model share: data that cannot steer the judge, and the picture before the text."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from snellen.item import Item
from snellen.request import ImagePart, Message, TextPart

IMAGE = ("unseen", "seen")
"""Values of the option `image`: whether the judge's model is shown the item's images."""


def tag_of(parts: Mapping[str, str]) -> str:
    """16 hex digits that none of the texts contains, and that whoever writes one of them cannot know."""
    seed = "\0".join(parts.values()).encode("utf-8", "surrogatepass")
    tag = hashlib.sha256(seed).hexdigest()[:16]
    while any(tag in text for text in parts.values()):
        tag = hashlib.sha256(tag.encode()).hexdigest()[:16]
    return tag


def delimited(parts: Mapping[str, str]) -> str:
    """Each text between marks that none of the texts contains, named in the marks.

    The marks carry a digest of all texts, so that whoever writes one of them cannot know its end mark.
    """
    tag = tag_of(parts)
    return "\n\n".join(f"<<<{name} {tag}\n{text}\n{tag} {name}>>>" for name, text in parts.items())


def message(item: Item, text: str, *, image: bool) -> tuple[Message, ...]:
    """The one message for a judge: the item's images, where it is to see them, then the text."""
    pictures = tuple(ImagePart(reference.sha256) for reference in item.images) if image else ()
    return (Message("user", (*pictures, TextPart(text, role="frame"))),)
