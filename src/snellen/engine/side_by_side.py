"""Work side by side on several processes: they leave Ctrl-C to their parent, and are gone when it is gone."""

from __future__ import annotations

import contextlib
import itertools
import multiprocessing
import os
import signal
import sys
import threading
import types
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.synchronize import Event
from types import TracebackType
from typing import Self, TypeVar

T = TypeVar("T")
R = TypeVar("R")

_AT_ONCE = 256  # tasks that are handed over together, so that a long list is never held twice

KILLED = (
    "a process that was changing images was killed, perhaps for want of memory: try fewer with --processes; what is "
    "written is kept, and the same command goes on"
)

_stop: Event | None = None
"""In a process that works for another one: set when nothing more is wanted of it."""


def processors() -> int:
    """How many this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


def stopped() -> bool:
    """Whether a task should end early, since nobody waits for what it makes any more."""
    return _stop is not None and _stop.is_set()


class Workers:
    """Processes that are begun with the first work and kept for the next. Use it as a context manager.

    Args:
        processes: how many; as many as there are processors if None. One means this process, on one thread.
    """

    def __init__(self, processes: int | None = None) -> None:
        self.count = processes or processors()
        self._context = multiprocessing.get_context("spawn")
        self._stop = self._context.Event()
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def begun(self) -> bool:
        """Whether the processes are there, so that even a little work may as well go to them."""
        return self._pool is not None

    def map(self, function: Callable[[T], R], tasks: Iterable[T]) -> Iterator[R]:
        """The results in the order of the tasks. `function` is that of a module, and looks at `stopped` if it is slow.

        Raises:
            BrokenProcessPool: a process was killed; the next call begins new ones.
            Exception: whatever the function raises.
        """
        if self.count == 1:
            with _one_thread():
                yield from map(function, tasks)
            return
        ahead = iter(tasks)
        try:
            while part := list(itertools.islice(ahead, _AT_ONCE)):
                yield from self._hand_over(function, part)
        except BrokenProcessPool:
            self._pool = None
            raise
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the processes as soon as each has finished what it is at."""
        if self._pool is not None:
            self._stop.set()
            pool, self._pool = self._pool, None
            pool.shutdown(wait=True, cancel_futures=True)
            self._stop.clear()

    def _hand_over(self, function: Callable[[T], R], part: list[T]) -> Iterator[R]:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self.count, mp_context=self._context, initializer=_begin, initargs=(self._stop,)
            )
        with _no_interrupt(), _without_main():  # processes begin with the first tasks, and inherit what is held back
            return self._pool.map(function, part)


@contextlib.contextmanager
def _no_interrupt() -> Iterator[None]:
    """Ctrl-C within comes at the end; processes that are begun within never hear of it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def _without_main() -> Iterator[None]:
    """Processes that are begun within do not run the user's script once more.

    A new process imports the main module of its parent, and a script without ``if __name__ == "__main__"`` would begin
    its own runs in every one of them. What is handed over is a function of a module of ours, which does not need it.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = types.ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


@contextlib.contextmanager
def _one_thread() -> Iterator[None]:
    """OpenCV would use every processor, and one process is wanted so that the others stay free."""
    import cv2

    before = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        yield
    finally:
        cv2.setNumThreads(before)


def _begin(stop: Event) -> None:
    """What a process does first."""
    global _stop
    import cv2

    _stop = stop
    cv2.setNumThreads(1)  # processes are what runs side by side
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, name="snellen-parent", daemon=True).start()


def _end_with_parent() -> None:
    """A parent that was killed cannot end its processes, and they would wait for tasks for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
