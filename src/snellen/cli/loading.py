"""Loading modules: without the garbage collector, and while there is nothing else to do.

What imports make stays for good, more than a hundred thousand objects. The collector looks through them again and again
while they come and once more at the end: a fifth of the time that starting and ending takes.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import threading
from collections.abc import Iterator
from types import TracebackType
from typing import Self


@contextlib.contextmanager
def quickly() -> Iterator[None]:
    """Imports within are not interrupted by the collector, which leaves alone from then on what they made."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if enabled:
            gc.enable()


class Ahead:
    """Modules that are needed at the end, imported in a thread while answers are awaited.

    It only saves time: a module that fails to import fails again, and is reported, where it is used.

    Args:
        names: of the modules, in the order in which they are imported.
        delay: seconds until it begins, so that the first requests are sent by then.
    """

    def __init__(self, names: tuple[str, ...], delay: float) -> None:
        self._names, self._delay = names, delay
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    def begin(self) -> None:
        """Start the thread, once."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._import, name="snellen-ahead", daemon=True)
            self._thread.start()

    def end(self) -> None:
        """Import nothing more, and wait for the module that is being imported."""
        self._ended.set()
        if self._thread is not None:
            self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()

    def _import(self) -> None:
        if self._ended.wait(self._delay):
            return
        for name in self._names:
            if self._ended.is_set():
                return
            with contextlib.suppress(Exception):
                importlib.import_module(name)
