"""Opening a model: a server's client, an embedded model in threads, or a recording."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType

from snellen import discovery
from snellen.answer import Answer
from snellen.engine.pace import Client
from snellen.errors import ModelError
from snellen.images import ImagePolicy, ImageStore
from snellen.model_spec import EMBEDDED, ModelSpec
from snellen.models.replay import Recording, Replay
from snellen.request import Request


class Embedded:
    """A model that answers in this process, in as many threads as it is asked from."""

    def __init__(self, module: ModuleType, argument: str, load: Callable[[str], bytes], threads: int) -> None:
        self._answer, self._argument, self._load = module.answer, argument, load
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="snellen-model")

    async def ask(self, request: Request) -> Answer:
        """Answer once.

        Raises:
            ModelError: whatever the model raises, named.
        """
        start = time.perf_counter()
        loop = asyncio.get_running_loop()
        text = await loop.run_in_executor(self._threads, self._guarded, request)
        return Answer(status="answered", text=text, finish_reason="stop", latency=time.perf_counter() - start)

    async def close(self) -> None:
        """End the threads; a running answer ends first."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _guarded(self, request: Request) -> str:
        try:
            text = self._answer(request, self._load, self._argument)
        except ModelError:
            raise
        except Exception as error:  # one item's failure, whatever it is, is that item's alone
            raise ModelError("embedded", f"{type(error).__name__}: {error}") from error
        if not isinstance(text, str):
            raise ModelError("embedded", f"answered with {type(text).__name__} instead of a text")
        return text


def revision(spec: ModelSpec) -> str:
    """What stands for the weights in a request's key: declared, or the digest of an embedded model's source."""
    if spec.kind in EMBEDDED:
        module = discovery.load("models", spec.kind)
        versions = module.revision(spec.argument) if hasattr(module, "revision") else ""
        return "-".join(filter(None, (discovery.source_digest(module), versions)))
    return spec.revision


def load_ahead(*specs: ModelSpec | None) -> None:
    """Import what `open_client` needs for served models: half of it is waiting for files, so it may go on beside other
    work, in a thread. What fails here fails again where it is used."""
    if any(spec is not None and spec.kind not in EMBEDDED and not spec.recorded for spec in specs):
        import snellen.engine.pictures
        import snellen.models.openai_compatible  # noqa: F401


def open_client(
    spec: ModelSpec,
    *,
    images: ImageStore,
    executor: ThreadPoolExecutor,
    concurrency: int,
    recording: Recording | None = None,
    judging: bool = False,
) -> Client:
    """The client of a model; to be closed by the caller, within a running event loop.

    Raises:
        UsageError: a key that is declared is not set, or image limits make no sense.
    """
    if recording is not None:
        return Replay.of(recording, judging=judging)
    if spec.kind in EMBEDDED:
        module = discovery.load("models", spec.kind)
        return Embedded(module, spec.argument, images.get, threads=min(concurrency, 2))
    from snellen.engine.pictures import Pictures
    from snellen.models.openai_compatible import OpenAICompatible

    pictures = Pictures(images, ImagePolicy.from_mapping(spec.image_limits), executor)
    if spec.embeddings:
        from snellen.models.embeddings_api import EmbeddingsAPI

        return EmbeddingsAPI(spec, pictures.get, concurrency)
    return OpenAICompatible(spec, pictures.get, concurrency)
