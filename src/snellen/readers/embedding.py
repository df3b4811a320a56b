"""Vectors in replies of embedding models: 32-bit floats in base64, as embedding servers write them."""

from __future__ import annotations

import base64
import binascii

import numpy as np
import numpy.typing as npt

from snellen.errors import UnreadableReplyError


def write(vector: npt.ArrayLike) -> str:
    """A vector as the text of a reply.

    >>> write([1.0, -2.0])
    'AACAPwAAAMA='
    """
    return base64.b64encode(np.asarray(vector, "<f4").tobytes()).decode()


def read(text: str) -> npt.NDArray[np.float32]:
    """The inverse of `write`.

    Raises:
        UnreadableReplyError: no vector, or one that is not finite.
    """
    try:
        vector = np.frombuffer(base64.b64decode(text.strip(), validate=True), "<f4")
    except (binascii.Error, ValueError) as error:
        raise UnreadableReplyError("the reply of the embedding model is no vector in base64") from error
    if not vector.size or not np.isfinite(vector).all():
        raise UnreadableReplyError("the reply of the embedding model is an empty vector, or not finite")
    return vector
