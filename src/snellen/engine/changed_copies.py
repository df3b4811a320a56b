"""Changed copies of a folder of images: a folder for each condition, made side by side, and never made twice."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from pathlib import Path

from snellen import image_store
from snellen.engine.changed_images import change, digest_of, encode, pixels
from snellen.engine.conditions import Condition, needs_item
from snellen.engine.out_folder import OutFolder, write
from snellen.engine.side_by_side import KILLED, Workers, processors, stopped
from snellen.errors import ImageError, UsageError

SUFFIXES = frozenset((".png", ".jpg", ".jpeg", ".webp", ".bmp", ".gif", ".tif", ".tiff"))


@dataclass(slots=True)
class Made:
    """Numbers of copies that were written and that were there already, and what could not be made."""

    written: int = 0
    kept: int = 0
    problems: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Task:
    source: Path
    targets: tuple[tuple[Condition, Path], ...]
    kind: str


def copies(
    source: Path,
    out: Path,
    conditions: Sequence[Condition],
    *,
    kind: str = "png",
    processes: int | None = None,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> Made:
    """Write changed copies of an image or of all images in a folder and its folders.

    A copy stands at ``out/CONDITION/relative/path`` and is complete when it has its name. An image's noise depends on
    its bytes, the perturbation, the severity and the seed, and on nothing else.

    Args:
        source: an image or a folder.
        out: outside of `source`.
        conditions: of perturbations that need no item.
        kind: ``png``, or ``jpeg`` of quality 95.
        processes: how many; as many as there are processors if None.
        on_progress: told numbers of copies: done, and in all.

    Raises:
        UsageError: no image, no condition, one that needs an item, two images with copies of one name, `out` lies in
            `source`, or another command is writing into it.
    """
    for step in (step for condition in conditions for step in condition.steps):
        if needs_item(step.module):
            what = (
                "changes instructions" if step.module.KIND != "image" else "needs what an item says (a distractor, ...)"
            )
            advice = "name a benchmark in place of the images, as in 'snellen perturb charthal --data DIR'"
            raise UsageError(f"{step.name} {what}, and images alone have none: {advice}")
    if not conditions:
        raise UsageError("no perturbation is named")
    files = sorted(_images(source)) if source.is_dir() else [source]
    if not files:
        raise UsageError(f"there is no image in {source} ({', '.join(sorted(SUFFIXES))})")
    _tell_apart(files, source, kind)
    made, total = Made(), len(files) * len(conditions)
    workers = Workers(min(processes or processors(), len(files)))
    with OutFolder(out, source), workers:
        on_progress(0, total)
        try:
            for result in workers.map(_copy, (_task(file, source, out, conditions, kind) for file in files)):
                _add(made, result, on_progress, total)
        except BrokenProcessPool:
            raise UsageError(KILLED) from None
    return made


def _images(folder: Path) -> Iterator[Path]:
    for where, folders, names in os.walk(folder):
        folders.sort()
        for name in names:
            if Path(name).suffix.lower() in SUFFIXES:
                yield Path(where) / name


def _task(file: Path, source: Path, out: Path, conditions: Sequence[Condition], kind: str) -> _Task:
    copy = _copy_of(file, source, kind)
    folders = [(condition, out / str(condition).replace(":", "-")) for condition in conditions]
    return _Task(file, tuple((condition, folder / copy) for condition, folder in folders), kind)


def _copy_of(file: Path, source: Path, kind: str) -> Path:
    """Where the copy of a file lies in the folder of a condition."""
    relative = file.relative_to(source) if source.is_dir() else Path(file.name)
    if relative.suffix.lower() in ({".jpg", ".jpeg"} if kind == "jpeg" else {".png"}):
        return relative
    # The whole name is kept: a.png and a.jpg are two images.
    return relative.with_name(f"{relative.name}.{'jpg' if kind == 'jpeg' else kind}")


def _tell_apart(files: Sequence[Path], source: Path, kind: str) -> None:
    taken: dict[Path, Path] = {}
    for file in files:
        copy = _copy_of(file, source, kind)
        if (other := taken.setdefault(copy, file)) != file:
            raise UsageError(f"the copies of {other} and {file} would both be {copy}: rename one of the two")


def _copy(task: _Task) -> Made:
    made = Made()
    lacking = [(condition, target) for condition, target in task.targets if not target.exists()]
    made.kept = len(task.targets) - len(lacking)
    if not lacking:
        return made
    try:
        data = image_store.read(task.source)
        clean = pixels(data, task.source.name)
    except ImageError as error:
        made.problems += [f"{task.source}: {error.what}"] * len(lacking)
        return made
    digest = hashlib.sha256(data).hexdigest()
    for condition, target in lacking:
        if stopped():
            break
        try:
            image = clean
            for place, step in enumerate(condition.steps):
                image = change(image, digest_of(image) if place else digest, step)
            write(encode(image, task.kind), target)
            made.written += 1
        except (ImageError, OSError) as error:
            why = error.what if isinstance(error, ImageError) else error.strerror or str(error)
            made.problems.append(f"{task.source}, {condition}: {why}")
    return made


def _add(made: Made, more: Made, on_progress: Callable[[int, int], None], total: int) -> None:
    made.written += more.written
    made.kept += more.kept
    made.problems += more.problems
    on_progress(made.written + made.kept + len(made.problems), total)
