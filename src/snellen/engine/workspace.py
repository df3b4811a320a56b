"""Workspace: the folder that holds the ledger, the images by digest, downloads and ``models.toml``."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from snellen.images import ImageStore
from snellen.ledger import Ledger
from snellen.model_spec import ModelSpec, read_models

if TYPE_CHECKING:
    from snellen.item_facts import FactColumns

_MOST_FACTS = 2_000_000
"""Items whose facts are kept in memory, some 150 bytes each."""


class Workspace:
    """A folder of Snellen's. Use it as a context manager.

    Args:
        folder: made if absent.

    Raises:
        LedgerError: its database cannot be used.
    """

    def __init__(self, folder: Path | str) -> None:
        self.folder = Path(folder)
        self.ledger = Ledger(self.folder)
        self.images = ImageStore(self.folder / "images")
        self._facts: dict[tuple[tuple[str, tuple[str, ...]], ...], FactColumns] = {}
        self._of_facts = threading.Lock()

    @property
    def cache(self) -> Path:
        """Where downloads lie; may be deleted."""
        return self.folder / "cache"

    @cached_property
    def models(self) -> Mapping[str, ModelSpec]:
        """The models declared in ``models.toml``."""
        return read_models(self.folder / "models.toml")

    @contextlib.contextmanager
    def facts(self, answerable: Mapping[str, Sequence[str]]) -> Iterator[FactColumns]:
        """What is known of items, for one thread at a time: runs on the same data share it.

        Args:
            answerable: as on the benchmark's card.
        """
        from snellen.item_facts import FactColumns  # with numpy, which asking does without

        name = tuple(sorted((label, tuple(values)) for label, values in answerable.items()))
        with self._of_facts:
            if sum(len(each) for each in self._facts.values()) > _MOST_FACTS:
                self._facts.clear()
            if name not in self._facts:
                self._facts[name] = FactColumns(answerable)
            yield self._facts[name]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.ledger.close()
