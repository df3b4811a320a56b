"""Workspace: the folder that holds the ledger, the images by digest, downloads and ``models.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Self

from snellen.images import ImageStore
from snellen.ledger import Ledger
from snellen.model_spec import ModelSpec, read_models


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

    @property
    def cache(self) -> Path:
        """Where downloads lie; may be deleted."""
        return self.folder / "cache"

    @cached_property
    def models(self) -> Mapping[str, ModelSpec]:
        """The models declared in ``models.toml``."""
        return read_models(self.folder / "models.toml")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.ledger.close()
