"""Any embedding model that the package sentence-transformers loads: ``sentence-transformers:BAAI/bge-m3``, or a folder.

It turns a text into numbers, written as `snellen.readers.embedding` reads them, on the CPU, in one thread. The package
downloads what is not in its cache. It needs torch and comes with the extra ``snellen[sentence-transformers]``.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from snellen.errors import ModelError
from snellen.readers import embedding
from snellen.request import Request

FAMILY = "embedded"

_ADVICE = "this model needs sentence-transformers: pip install 'snellen[sentence-transformers]'"

_lock = threading.Lock()
_models: dict[str, Any] = {}


def revision() -> str:
    """The versions of what the vectors depend on beside the weights.

    Raises:
        ModelError: the package is not installed.
    """
    from importlib.metadata import PackageNotFoundError, version

    try:
        return ", ".join(f"{name} {version(name)}" for name in ("sentence-transformers", "torch"))
    except PackageNotFoundError as error:
        raise ModelError("embedded", _ADVICE) from error


def answer(request: Request, load: Callable[[str], bytes], argument: str = "") -> str:
    """The vector of the request's text; `load` is never called.

    Raises:
        ModelError: no model is named, it cannot be loaded, or the package is not installed.
    """
    if not argument:
        raise ModelError("embedded", "name the model: sentence-transformers:BAAI/bge-m3, or a folder")
    with _lock:
        return embedding.write(_loaded(argument).encode(request.text(), normalize_embeddings=True))


def _loaded(name: str) -> Any:
    if name not in _models:
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError as error:
            raise ModelError("embedded", _ADVICE) from error
        try:
            _models[name] = SentenceTransformer(name, device="cpu")
        except Exception as error:  # the package, its hub and torch each have their own
            raise ModelError("embedded", f"{name} cannot be loaded: {type(error).__name__}: {error}"[:500]) from error
    return _models[name]
