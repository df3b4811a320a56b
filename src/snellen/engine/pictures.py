"""Images on their way out: read, converted and encoded off the event loop, at most once while they are in use."""

from __future__ import annotations

import asyncio
import base64
from collections import OrderedDict
from collections.abc import Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

from snellen.errors import ImageError, ModelError
from snellen.images import ImagePolicy, ImageStore, prepare

HELD_BYTES = 48 << 20
"""Encoded images that are kept for questions to come, beside those in use."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """An image as it goes into a body, and what is recorded of it."""

    url_json: bytes
    record: Mapping[str, Any]


class Pictures:
    """Encoded images by digest of the original, under one policy."""

    def __init__(self, store: ImageStore, policy: ImagePolicy, executor: Executor) -> None:
        self._store, self._policy, self._executor = store, policy, executor
        self._held: OrderedDict[str, Encoded] = OrderedDict()
        self._bytes = 0
        self._coming: dict[str, asyncio.Future[Encoded]] = {}

    async def get(self, sha256: str) -> Encoded:
        """The image, encoded.

        Raises:
            ModelError: of kind ``image``: it cannot be read or converted.
        """
        held = self._held.get(sha256)
        if held is not None:
            self._held.move_to_end(sha256)
            return held
        coming = self._coming.get(sha256)
        if coming is None:
            coming = asyncio.get_running_loop().run_in_executor(self._executor, self._encode, sha256)
            self._coming[sha256] = coming
            coming.add_done_callback(lambda future: self._arrived(sha256, future))
        try:
            return await asyncio.shield(coming)
        except ImageError as error:
            raise ModelError("image", str(error)) from error

    def _arrived(self, sha256: str, future: asyncio.Future[Encoded]) -> None:
        self._coming.pop(sha256, None)
        if future.cancelled() or future.exception() is not None:
            return
        encoded = future.result()
        self._held[sha256] = encoded
        self._bytes += len(encoded.url_json)
        while self._bytes > HELD_BYTES and len(self._held) > 1:
            _, old = self._held.popitem(last=False)
            self._bytes -= len(old.url_json)

    def _encode(self, sha256: str) -> Encoded:
        sent = prepare(self._store.get(sha256), self._policy)
        url = b'"data:%s;base64,%s"' % (sent.media_type.encode(), base64.b64encode(sent.data))
        record: dict[str, Any] = {
            "sha256": sent.sha256,
            "media_type": sent.media_type,
            "width": sent.width,
            "height": sent.height,
            "mode": sent.mode,
            "bytes": len(sent.data),
        }
        if sent.steps:
            record |= {
                "steps": list(sent.steps),
                "source": {
                    "sha256": sha256,
                    "width": sent.source_width,
                    "height": sent.source_height,
                    "content": [sent.content_width, sent.content_height],
                },
            }
        return Encoded(url, record)
