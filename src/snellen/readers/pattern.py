"""Regular expressions that are compiled when they are first used.

The readers hold some two hundred patterns, most of them for words that a run never meets (the Chinese ones, in an
English run). Compiling all of them takes longer than importing everything else that judging needs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, Final

_METHODS: Final = ("search", "match", "fullmatch", "split", "findall", "finditer", "sub")


class Pattern:
    """A pattern with the methods of `re.Pattern`; the first use of any of them compiles it.

    Args:
        pattern: the regular expression.
        flags: as for `re.compile`.

    >>> Pattern("[a-z]+").findall("one 2 three")
    ['one', 'three']
    """

    search: Callable[..., re.Match[str] | None]
    match: Callable[..., re.Match[str] | None]
    fullmatch: Callable[..., re.Match[str] | None]
    split: Callable[..., list[Any]]
    findall: Callable[..., list[Any]]
    finditer: Callable[..., Iterator[re.Match[str]]]
    sub: Callable[..., str]

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self.pattern = pattern
        self.flags = flags

    def __getattr__(self, name: str) -> Any:
        # Only called for what the object does not have yet, so that later uses cost what they cost on re.Pattern.
        if name not in _METHODS:
            raise AttributeError(name)
        compiled = re.compile(self.pattern, self.flags)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)
