"""Request: what is asked of a model, and the key under which its answer is kept.

A key is the hash of content only: messages, image digests and image policy, the model's name and declared revision,
the requested parameters, sample number and attempt. No URL, no item id, no negotiated parameter is in it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import orjson


@dataclass(frozen=True, slots=True)
class TextPart:
    """A text in a message.

    `role` tells embedded models what it is (``question``, ``frame``, ``options``); it is not hashed.
    """

    text: str
    role: str = field(default="question", compare=False)


@dataclass(frozen=True, slots=True)
class ImagePart:
    """An image in a message, by the hex SHA-256 of its original bytes."""

    sha256: str


Part = TextPart | ImagePart


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation."""

    role: Literal["system", "user", "assistant"]
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked of a model.

    Attributes:
        messages: in order.
        model: the name that results are filed under.
        revision: as declared by the user (or, for embedded models, the digest of their source).
        parameters: as requested, before any negotiation with the server.
        image_policy: name of the policy with its resolved limits; empty where there is no image.
        sample: 0 for the first of several repeats.
        attempt: 0 for the first try; a judge whose reply could not be read is asked again with the next attempt.
    """

    messages: tuple[Message, ...]
    model: str
    revision: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    image_policy: str = ""
    sample: int = 0
    attempt: int = 0

    @property
    def key(self) -> bytes:
        """16 bytes: the first half of the SHA-256 of the canonical JSON of the fields above (part roles left out)."""
        body = [
            [
                [message.role, [["t", p.text] if isinstance(p, TextPart) else ["i", p.sha256] for p in message.parts]]
                for message in self.messages
            ],
            self.model,
            self.revision,
            self.parameters,
            self.image_policy,
            self.sample,
            self.attempt,
        ]
        return hashlib.sha256(orjson.dumps(body, option=orjson.OPT_SORT_KEYS)).digest()[:16]

    @property
    def images(self) -> tuple[str, ...]:
        """Digests of the images, in the order of the messages."""
        return tuple(p.sha256 for message in self.messages for p in message.parts if isinstance(p, ImagePart))

    def text(self, *roles: str) -> str:
        """The texts of all messages, of the given part roles (all if none is given), joined by blank lines."""
        return "\n\n".join(
            p.text for m in self.messages for p in m.parts if isinstance(p, TextPart) and (not roles or p.role in roles)
        )
