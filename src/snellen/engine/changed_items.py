"""The changed items of a benchmark as files that any other tool can read: images, and a line of JSON for each item.

    images/SHA256.png   each image once; as it is, with its own ending, where a change touches the instruction alone
    items.jsonl         the changed items, in the benchmark's order
    left_out.jsonl      the items that have no version under a perturbation, and why
    manifest.json       what the folder was made from, and how many there are of each

An image has the very bytes that `snellen run --perturb` sends for that item (or, before a model's limits, would send).
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import orjson

from snellen import discovery
from snellen.engine import items_manifest as manifest
from snellen.engine import provenance
from snellen.engine.changed_images import ChangedImages, encode, pixels
from snellen.engine.clean_items import ImageTaker, broken_row, clean_items
from snellen.engine.conditions import Condition
from snellen.engine.items_manifest import IMAGES, ITEMS, LEFT_OUT
from snellen.engine.out_folder import OutFolder, digest, finish, part_of, write
from snellen.engine.perturbing import LeftOut, Perturber, Tally, worst
from snellen.engine.side_by_side import Workers
from snellen.errors import DataError, ImageError, UsageError
from snellen.images import ImageStore, identify
from snellen.item import Item

_AT_ONCE = 256  # items whose changed images are rendered side by side
_DRAWN_WITH = ("snellen", "numpy", "pillow", "opencv-python-headless")
_ENDINGS = {"jpeg": "jpg", "tiff": "tif"}


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which changed items of what.

    Attributes:
        benchmark: its module.
        name: as on the command line.
        data: folder of its data.
        conditions: the changes.
        seed: of the sample; that of the changes stands in the conditions.
        sample: so many whole clusters; None for all.
        items: a glob over item ids; empty for all.
        languages: of the questions; empty for all.
        kind: of changed images: ``png``, or ``jpeg`` of quality 95.
    """

    benchmark: ModuleType
    name: str
    data: Path
    conditions: tuple[Condition, ...]
    seed: int = 0
    sample: int | None = None
    items: str = ""
    kind: str = "png"
    languages: tuple[str, ...] = ()

    def identity(self) -> dict[str, Any]:
        """What decides every byte that is written, as plain values."""
        sources = {
            step.name: [
                discovery.source_digest(step.module, "perturbations"),
                step.module.revision() if hasattr(step.module, "revision") else "",
            ]
            for condition in self.conditions
            for step in condition.steps
        }
        return {
            "benchmark": self.name,
            "data": self.benchmark.digest(self.data),
            "perturbations": [str(condition) for condition in self.conditions],
            "seed": self.seed,
            "sample": self.sample,
            "items": self.items,
            "languages": list(self.languages),
            "format": self.kind,
            "versions": {name: version for name, version in provenance.versions().items() if name in _DRAWN_WITH},
            "sources": dict(sorted(sources.items())),
        }

    @property
    def chosen(self) -> bool:
        """Whether these are not all items."""
        return self.sample is not None or bool(self.items or self.languages)

    def clean(self) -> Iterator[tuple[int, Item | DataError]]:
        """The clean items, and in a set without a choice the rows that are broken."""
        found = clean_items(
            self.benchmark,
            self.data,
            sample=self.sample,
            items=self.items,
            languages=self.languages,
            seed=self.seed,
        )
        return ((position, item) for position, item in found if not self.chosen or isinstance(item, Item))


@dataclass(slots=True)
class Written:
    """What a set came to.

    Attributes:
        items: changed items in it.
        images_written, images_kept: images that were written now, and that were there already.
        conditions: what each condition came to, as plain values: versions, their truths, items left out by the step
            that does not apply, and items that failed.
        failed: changed items that could not be made, of all conditions.
        problems: why not, in a sentence each.
    """

    items: int = 0
    images_written: int = 0
    images_kept: int = 0
    conditions: dict[str, dict[str, Any]] = field(default_factory=dict)
    failed: int = 0
    problems: list[str] = field(default_factory=list)


def write_items(
    wanted: Wanted,
    out: Path,
    workspace: Path,
    *,
    processes: int | None = None,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> Written:
    """Write the changed items and their images into a folder; what is there is not made again.

    Args:
        wanted: which.
        out: outside of the data; of these changed items, or new.
        workspace: folder of Snellen's, where rendered images are kept as for a run.
        processes: how many; as many as there are processors if None.
        on_progress: told numbers of changed items: done, and in all, those left out among them.

    Raises:
        UsageError: no condition, no item, or `out` holds something else, lies in the data, or is being written.
        DataError: the data cannot be read.
    """
    if not wanted.conditions:
        raise UsageError("no perturbation is named")
    identity = wanted.identity()
    with OutFolder(out, wanted.data):
        before = manifest.before(out, identity)
        if before is not None and (images := manifest.images_if_whole(out, before)) is not None:
            counts = before["counts"]
            return Written(counts["items"], images_kept=images, conditions=counts["conditions"])
        total = sum(1 for _ in wanted.clean()) * len(wanted.conditions)
        if not total:
            chosen = "the choice of --items and --sample" if wanted.chosen else "its data"
            raise UsageError(f"no item of {wanted.name} is left: {chosen} has none")
        if before is None:
            manifest.begin(out, identity)
        on_progress(0, total)
        with Workers(processes) as workers:
            return _Writing(wanted, out, ImageStore(workspace / "images"), workers, total, on_progress).all(identity)


class _Writing:
    """The work of one call, from item to files."""

    def __init__(
        self,
        wanted: Wanted,
        out: Path,
        images: ImageStore,
        workers: Workers,
        total: int,
        on_progress: Callable[[int, int], None],
    ) -> None:
        self._wanted, self._out, self._images, self._workers = wanted, out, images, workers
        self._total, self._on_progress = total, on_progress
        self._perturber = Perturber(wanted.conditions, ChangedImages(images, images.root.parent / "changed"))
        self._written = Written()
        self._failed: Counter[str] = Counter()
        self._there: dict[tuple[str, bool], tuple[str, str]] = {}  # (digest, whether changed) -> (path, file's digest)

    def all(self, identity: dict[str, Any]) -> Written:
        """Everything, in the benchmark's order."""
        take, clean, done = ImageTaker(self._images), self._wanted.clean(), 0
        items, left_out = part_of(self._out / ITEMS), part_of(self._out / LEFT_OUT)
        with items.open("wb") as self._items, left_out.open("wb") as self._left_out:
            while part := list(itertools.islice(clean, _AT_ONCE)):
                self._chunk([self._taken(position, item, take) for position, item in part], done)
                done += len(part) * len(self._wanted.conditions)
                self._on_progress(done, self._total)
        written = self._written
        written.conditions = {
            name: _counts(tally, self._failed[name]) for name, tally in self._perturber.tallies.items()
        }
        finish(items, self._out / ITEMS)
        finish(left_out, self._out / LEFT_OUT)
        counts = {"items": written.items, "failed": written.failed, "conditions": written.conditions}
        manifest.end(self._out, identity, counts)
        return written

    def _taken(self, position: int, item: Item | DataError, take: ImageTaker) -> tuple[Item, DataError | None]:
        if isinstance(item, DataError):
            return broken_row(item, self._wanted.name, position), item
        try:
            return take(item), None
        except ImageError as error:
            return item, ImageError(error.kind, error.what, file=error.file, id=item.id)

    def _chunk(self, part: Sequence[tuple[Item, DataError | None]], before: int) -> None:
        pairs = len(part) * len(self._wanted.conditions)

        def on_done(done: int, total: int) -> None:
            self._on_progress(before + pairs * done // (total + 1), self._total)

        self._perturber.prepare((item for item, error in part if error is None), self._workers, on_done)
        made: list[tuple[Item, Condition, Item | LeftOut | DataError]] = []
        for item, error in part:
            if error is not None:
                self._written.problems.append(str(error))
            for condition in self._wanted.conditions:
                made.append((item, condition, error or self._version(item, condition)))
        self._put_images(made)
        for item, condition, version in made:
            self._put_row(item, condition, version)

    def _version(self, item: Item, condition: Condition) -> Item | LeftOut | ImageError:
        try:
            return self._perturber.version(item, condition)
        except ImageError as error:
            problem = ImageError(error.kind, error.what, file=error.file, id=f"{item.id}@{condition}")
            self._written.problems.append(str(problem))
            return problem

    def _put_images(self, made: Sequence[tuple[Item, Condition, Item | LeftOut | DataError]]) -> None:
        wanted: dict[tuple[str, bool], None] = {}
        for item, _, version in made:
            if isinstance(version, Item):
                wanted.update(dict.fromkeys(_names(item, version)))
        lacking = [name for name in wanted if name not in self._there]
        with ThreadPoolExecutor(self._workers.count) as threads:  # codecs, hashes and disks let other threads go on
            for name, (path, sha256, written) in zip(lacking, threads.map(self._put_image, lacking), strict=True):
                self._there[name] = path, sha256
                self._written.images_written += written
                self._written.images_kept += not written

    def _put_image(self, name: tuple[str, bool]) -> tuple[str, str, bool]:
        sha256, changed = name
        if changed and self._wanted.kind == "jpeg":
            target = self._out / IMAGES / f"{sha256}.jpg"
            if target.is_file():
                return f"{IMAGES}/{target.name}", digest(target), False
            data = encode(pixels(self._images.get(sha256)), "jpeg")
            write(data, target)
            return f"{IMAGES}/{target.name}", digest(target), True
        source = self._images.path(sha256)
        with source.open("rb") as file:
            kind = "png" if changed else identify(file.read(), sha256[:12]).format
        target = self._out / IMAGES / f"{sha256}.{_ENDINGS.get(kind, kind)}"
        there = target.is_file() and target.stat().st_size == source.stat().st_size
        if not there:
            write(self._images.get(sha256), target)
        return f"{IMAGES}/{target.name}", sha256, not there

    def _put_row(self, item: Item, condition: Condition, version: Item | LeftOut | DataError) -> None:
        if isinstance(version, Item):
            self._written.items += 1
            images = []
            for image, name in zip(version.images, _names(item, version), strict=True):
                path, sha256 = self._there[name]
                images.append({"path": path, **image.to_json(), "sha256": sha256})
            plain = version.to_json()
            first = {"id": plain.pop("id"), "source": item.id, "perturbation": str(condition)}
            truth = worst(change.truth for change in version.changes)
            self._items.write(orjson.dumps({**first, "truth": truth, **plain, "images": images}) + b"\n")
            return
        row = {"source": item.id, "perturbation": str(condition)}
        if isinstance(version, LeftOut):
            row |= {"reason": "does_not_apply", "step": str(version.step), "why": version.why}
        else:
            self._failed[str(condition)] += 1
            self._written.failed += 1
            kind = version.kind if isinstance(version, ImageError) else "row"
            row |= {"reason": "failed", "kind": kind, "why": str(version)}
        self._left_out.write(orjson.dumps(row) + b"\n")


def _names(item: Item, version: Item) -> list[tuple[str, bool]]:
    """Of each image its digest, and whether it is a changed one."""
    return [
        (after.sha256, after.sha256 != before.sha256) for before, after in zip(item.images, version.images, strict=True)
    ]


def _counts(tally: Tally, failed: int) -> dict[str, Any]:
    return {**tally.to_json(), "failed": failed} if failed else tally.to_json()
