"""How much of a work is done and how long the rest will take, on standard error."""

from __future__ import annotations

import sys
import time
from collections import deque
from types import TracebackType
from typing import Self

import click

_PLAIN_EVERY = 10.0
_DRAWN_EVERY = 0.2
_LOOKED_BACK = 30.0  # seconds: what was there already goes by in no time, and says nothing of the rest


class Countdown:
    """A line that is drawn again on a terminal, a line now and then in a pipe. Use it as a context manager.

    Args:
        verb: what is done, in the past: ``perturbed``.
    """

    def __init__(self, verb: str) -> None:
        self._verb = verb
        self._told: deque[tuple[float, int]] = deque()
        self._shown = 0.0
        self._last = ""
        self._drawn = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._drawn:
            click.echo(err=True)
            self._drawn = 0

    def __call__(self, done: int, total: int) -> None:
        """Tell of it."""
        now = time.monotonic()
        self._told.append((now, done))
        while len(self._told) > 2 and now - self._told[1][0] > _LOOKED_BACK:
            self._told.popleft()
        live = sys.stderr.isatty()
        if done < total and now - self._shown < (_DRAWN_EVERY if live else _PLAIN_EVERY):
            return
        line = f"{self._verb}: {done:,}/{total:,}{self._left(done, total)}"
        if line == self._last:
            return
        self._shown, self._last = now, line
        if live:
            click.echo("\r" + line.ljust(self._drawn), nl=False, err=True)
            self._drawn = len(line)
        else:
            click.echo(line, err=True)

    def _left(self, done: int, total: int) -> str:
        (began, before), (now, _) = self._told[0], self._told[-1]
        if done >= total or done <= before or now - began < 0.5:
            return ""
        minutes, seconds = divmod(round((total - done) * (now - began) / (done - before)), 60)
        hours, minutes = divmod(minutes, 60)
        return f", {hours}:{minutes:02}:{seconds:02} left" if hours else f", {minutes}:{seconds:02} left"
