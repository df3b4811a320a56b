"""Clean items: the rows of a benchmark that a view takes, and their images put into the workspace."""

from __future__ import annotations

import fnmatch
import hashlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType

from snellen.errors import DataError, ImageError, UsageError
from snellen.images import ImageStore, identify
from snellen.item import ImageRef, Item


def clean_items(
    benchmark: ModuleType,
    data: Path,
    *,
    sample: int | None = None,
    items: str = "",
    languages: tuple[str, ...] = (),
    seed: int = 0,
) -> Iterator[tuple[int, Item | DataError]]:
    """(position in the whole benchmark, item), streamed; rows that are not as declared are errors in every view.

    Args:
        benchmark: its module.
        data: folder of its data.
        sample: so many whole clusters, drawn by the seed; None for all.
        items: a glob over item ids; empty for all.
        languages: of the questions; empty for all.
        seed: of the sample.

    Raises:
        UsageError: a sample of less than one cluster, or a language in which there are no questions.
        DataError: the data as a whole cannot be read.
    """
    for language in languages:
        if language not in benchmark.CARD.languages:
            known = ", ".join(benchmark.CARD.languages)
            raise UsageError(f"{benchmark.CARD.name} has no questions in {language!r}; there are: {known}")
    chosen = _chosen_clusters(benchmark, data, sample, seed)
    for position, item in enumerate(benchmark.items(data)):
        if isinstance(item, Item):
            if items and not fnmatch.fnmatchcase(item.id, items):
                continue
            if languages and item.language not in languages:
                continue
            if chosen is not None and item.cluster not in chosen:
                continue
        yield position, item


def broken_row(error: DataError, name: str, position: int) -> Item:
    """Stands for a row that is no item, so that it stays in the count."""
    return Item(error.id or f"{name}/row {position}", "", cluster=f"{name}/row {position}")


class ImageTaker:
    """Puts an item's images into the workspace, each file once, and gives the item with their digests."""

    def __init__(self, images: ImageStore) -> None:
        self._images = images
        self._known: dict[str, str | ImageError] = {}
        self._wanted: list[tuple[str, str]] = []  # of the last item
        self._taken: tuple[ImageRef, ...] = ()

    def __call__(self, item: Item) -> Item:
        """The item with its images' digests.

        Raises:
            ImageError: one of them cannot be read, or is no image.
        """
        wanted = [(ref.path, ref.name) for ref in item.images]
        if wanted != self._wanted:  # questions on one image share what is known of it
            self._taken = tuple(replace(ref, sha256=self._digest(ref.path, ref.name)) for ref in item.images)
            self._wanted = wanted
        return replace(item, images=self._taken)

    def _digest(self, path: str, name: str) -> str:
        if path not in self._known:
            try:
                digest, data = self._images.take(Path(path))
                identify(data, name)
                self._known[path] = digest
            except ImageError as error:
                self._known[path] = ImageError(error.kind, error.what, file=name)
        known = self._known[path]
        if isinstance(known, ImageError):
            raise known
        return known


def _chosen_clusters(benchmark: ModuleType, data: Path, sample: int | None, seed: int) -> set[str] | None:
    if sample is None:
        return None
    if sample < 1:
        raise UsageError("a sample takes at least 1 cluster")
    clusters = {item.cluster for item in benchmark.items(data) if isinstance(item, Item)}

    def rank(cluster: str) -> bytes:
        return hashlib.sha256(f"{seed}:{cluster}".encode()).digest()

    return set(sorted(clusters, key=rank)[:sample])
