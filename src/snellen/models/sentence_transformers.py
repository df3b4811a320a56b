"""Any embedding model that the package sentence-transformers loads: ``sentence-transformers:BAAI/bge-m3``, or a folder.

It turns a text into numbers, written as `snellen.readers.embedding` reads them, on the CPU, in one thread. The package
downloads what is not in its cache. It needs torch and comes with the extra ``snellen[sentence-transformers]``.
"""

from __future__ import annotations

import hashlib
import importlib
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from snellen.errors import ModelError
from snellen.readers import embedding
from snellen.request import Request

FAMILY = "embedded"

_ADVICE = "this model needs sentence-transformers: pip install 'snellen[sentence-transformers]'"

_lock = threading.Lock()
_models: dict[str, Any] = {}


def revision(argument: str = "") -> str:
    """The versions of what the vectors depend on, and the digest of a model that is a folder of this machine.

    Raises:
        ModelError: the package is not installed.
    """
    from importlib.metadata import PackageNotFoundError, version

    try:
        parts = [f"{name} {version(name)}" for name in ("sentence-transformers", "torch")]
    except PackageNotFoundError as error:
        raise ModelError("embedded", _ADVICE) from error
    if argument and Path(argument).is_dir():
        digest = hashlib.sha256()
        for file in sorted(path for path in Path(argument).rglob("*") if path.is_file()):
            with file.open("rb") as opened:
                said = hashlib.file_digest(opened, "sha256").hexdigest()
            digest.update(f"{file.relative_to(argument).as_posix()} {said}\n".encode())
        parts.append(f"folder {digest.hexdigest()[:16]}")
    return ", ".join(parts)


def answer(request: Request, load: Callable[[str], bytes], argument: str = "") -> str:
    """The vector of the request's text; `load` is never called.

    Raises:
        ModelError: no model is named, it cannot be loaded or takes no such text, or the package is not installed.
    """
    if not argument:
        raise ModelError("embedded", "name the model: sentence-transformers:BAAI/bge-m3, or a folder")
    with _lock:
        model = _loaded(argument)
        try:
            with _one_thread():
                vector = model.encode(request.text(), normalize_embeddings=True, show_progress_bar=False)
        except Exception as error:  # to the tokenizer half a surrogate pair is a type error
            raise _failure(argument, "cannot turn a text into a vector", error) from error
    return embedding.write(vector)


@contextmanager
def _one_thread() -> Iterator[None]:
    """The sums depend on the number of threads, and a vector on its sums."""
    threads = importlib.import_module("threadpoolctl")  # comes with the package, by way of scikit-learn
    with threads.threadpool_limits(1):
        yield


def _loaded(name: str) -> Any:
    if name not in _models:
        model = _package().SentenceTransformer
        try:
            _models[name] = model(name, device="cpu")
        except Exception as error:  # the package, its hub and torch each have their own
            raise _failure(name, "cannot be loaded", error) from error
    return _models[name]


def _package() -> Any:
    """sentence-transformers, without the bars of loading weights, which would run into the run's own progress."""
    try:
        hub = importlib.import_module("huggingface_hub.utils")
        if hub.are_progress_bars_disabled():
            return importlib.import_module("sentence_transformers")
        hub.disable_progress_bars()  # what is imported now takes it over for good; downloads are shown all the same
        try:
            return importlib.import_module("sentence_transformers")
        finally:
            hub.enable_progress_bars()
    except ImportError as error:
        raise ModelError("embedded", _ADVICE) from error


def _failure(name: str, what: str, error: Exception) -> ModelError:
    return ModelError("embedded", f"{name} {what}: {type(error).__name__}: {error}"[:500])
