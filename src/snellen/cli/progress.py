"""Progress on standard error: a live line on a terminal, plain lines now and then in a pipe."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Self

from snellen.cli.loading import Ahead
from snellen.cli.plain import plain, say

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from snellen.engine.batch_terms import Waiting
    from snellen.engine.budget import Tally
    from snellen.engine.expect import Expectation
    from snellen.engine.watch import Watch

_PLAIN_EVERY = 10.0
_PLAIN_AT_LEAST = 60.0  # when nothing happens, that is said too
_AHEAD_AFTER = 0.25


class ProgressLines:
    """Tells of a session. Use as a context manager; `watch` is what the session is given.

    Args:
        ahead: modules that are needed once it has ended, imported while it waits for answers.
    """

    def __init__(self, ahead: tuple[str, ...] = ()) -> None:
        self._ahead = Ahead(ahead, _AHEAD_AFTER)
        self._live: Progress | None = None
        self._tasks: dict[str, TaskID] = {}
        self._waited: dict[str, tuple[int, int, int, int, str]] = {}
        self._last = 0.0
        self._said: list[tuple[int, int, int, int]] = []
        self._shown: Sequence[tuple[str, Tally]] = ()
        self._began: dict[str, tuple[float, int]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ahead.end()
        if self._live is not None:
            self._live.stop()
        elif self._shown and self._counts(self._shown) != self._said:
            self._say()

    @property
    def watch(self) -> Watch:
        """The callbacks."""
        from snellen.engine.watch import Watch

        return Watch(on_expect=self._expect, on_progress=self._progress, on_wait=self._wait, on_warning=self._warn)

    def _warn(self, text: str) -> None:
        self._print(f"warning: {text}")

    def _wait(self, role: str, waiting: Waiting) -> None:
        said = (waiting.batches, waiting.requests, waiting.completed, waiting.failed, waiting.status)
        if self._waited.get(role) != said:
            self._waited[role] = said
            failed = f", {waiting.failed:,} failed" if waiting.failed else ""
            status = f" ({waiting.status})" if waiting.status else ""
            count = "a batch" if waiting.batches == 1 else f"{waiting.batches} batches"
            self._print(
                f"waiting: {role}, {count} of {waiting.requests:,} requests, {waiting.completed:,} done{failed}{status}"
            )

    def _expect(self, expectations: Sequence[Expectation]) -> None:
        for expectation in expectations:
            self._print(f"expected: {expectation}")

    def _print(self, text: str) -> None:
        if self._live is not None:
            from rich.text import Text

            self._live.console.print(Text(plain(text)))
        else:
            say(text, err=True)

    def _progress(self, model: Tally, judge: Tally) -> None:
        self._ahead.begin()
        shown = [(name, tally) for name, tally in (("model", model), ("judge", judge)) if tally.to_ask or tally.asked]
        if sys.stderr.isatty():
            self._draw(shown)
            return
        now = time.monotonic()
        self._shown = shown
        finished = all(tally.asked >= tally.to_ask for _, tally in shown)
        changed = self._counts(shown) != self._said
        since = now - self._last
        if shown and ((changed and (since >= _PLAIN_EVERY or finished)) or since >= _PLAIN_AT_LEAST):
            self._say()

    def _say(self) -> None:
        self._last, self._said = time.monotonic(), self._counts(self._shown)
        self._print(f"progress: {'; '.join(self._line(name, tally) for name, tally in self._shown)}")

    def _counts(self, shown: Sequence[tuple[str, Tally]]) -> list[tuple[int, int, int, int]]:
        return [(tally.asked, tally.failed, tally.retries, tally.elsewhere) for _, tally in shown]

    def _draw(self, shown: Sequence[tuple[str, Tally]]) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        if self._live is None:
            if not shown:
                return
            columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
            self._live = Progress(
                *columns, TextColumn("{task.fields[note]}", markup=False), console=Console(stderr=True)
            )
            self._live.start()
        for name, tally in shown:
            total = max(tally.to_ask, tally.asked)
            if name not in self._tasks:
                self._tasks[name] = self._live.add_task(name, total=total, note="")
            self._live.update(
                self._tasks[name], completed=tally.asked, total=total, note=plain(self._note(name, tally))
            )

    def _line(self, name: str, tally: Tally) -> str:
        return f"{name} {tally.asked:,}/{max(tally.to_ask, tally.asked):,}, {self._note(name, tally)}"

    def _note(self, name: str, tally: Tally) -> str:
        began, already = self._began.setdefault(name, (time.monotonic(), tally.asked))
        seconds = time.monotonic() - began
        done = tally.asked - already
        parts = []
        if done and seconds > 0.5:
            rate = done / seconds
            left = max(0, tally.to_ask - tally.asked)
            parts += [f"{rate:.1f}/s", f"{_clock(left / rate)} left"]
        if tally.elsewhere:
            parts.append(f"waiting for {tally.elsewhere:,} that another process is asking")
        if tally.failed:
            parts.append(f"{tally.failed:,} failed")
        if tally.retries:
            parts.append(f"{tally.retries:,} asked again")
        if tally.cost:
            parts.append(f"cost {tally.cost:.4f}")
        if tally.last_error and (tally.failed or tally.retries):
            parts.append(f"last: {' '.join(tally.last_error.split())[:80]}")
        return ", ".join(parts) or ("done" if tally.asked and tally.asked >= tally.to_ask else "starting")


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds + 0.5), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
