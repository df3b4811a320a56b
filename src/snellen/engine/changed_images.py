"""Changed images: rendered once, known again by what they were made from, on as many processes as there are.

What is remembered is which digest came out; the bytes lie in the store of images like all others and may be deleted:
they are rendered again, to the same bytes.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import tempfile
from collections.abc import Callable, Iterable
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from snellen import discovery
from snellen.engine.conditions import Step
from snellen.engine.side_by_side import Workers, processors, stopped
from snellen.errors import ImageError, UsageError
from snellen.image_pixels import canonical
from snellen.images import ImageStore
from snellen.placement import Placement

Pixels = npt.NDArray[np.uint8]

WORTH_PROCESSES = 8
"""Images for which it is worth to start other processes."""


JPEG_QUALITY = 95


@dataclass(frozen=True, slots=True)
class Rendering:
    """What came out.

    Attributes:
        sha256: hex digest of the image.
        effect: the surrogate's drop, where the perturbation tells one.
        size: width and height of the image; None where nothing was done to it.
        placement: where things lie now, where they were moved and the perturbations say how.
    """

    sha256: str
    effect: float | None = None
    size: tuple[int, int] | None = None
    placement: Placement | None = None

    def then(self, later: Rendering) -> Rendering:
        """What came out of both, the later one being of this one's image."""
        placement = later.placement if self.placement is None else self.placement
        if self.placement is not None and later.placement is not None:
            placement = self.placement.then(later.placement)
        effect = self.effect if later.effect is None else later.effect
        return Rendering(later.sha256, effect, later.size or self.size, placement)


@dataclass(frozen=True, slots=True)
class Wish:
    """An image (hex digest of its bytes) that is to be changed by steps in order, each with its argument."""

    sha256: str
    steps: tuple[tuple[Step, str], ...]


class ChangedImages:
    """Changed images of one workspace.

    Args:
        images: the store that holds the originals and receives what is rendered.
        folder: where it is remembered what came out.
    """

    def __init__(self, images: ImageStore, folder: Path) -> None:
        self.images, self.folder = images, folder

    def get(self, wish: Wish) -> Rendering:
        """The changed image; rendered now if it has to be. The effect is that of the last step that tells one.

        Raises:
            ImageError: the original cannot be read, or this change cannot be made of it.
        """
        rendering = Rendering(wish.sha256)
        for place, (step, argument) in enumerate(wish.steps):
            rendering = rendering.then(self._one(rendering.sha256, step, argument, first=not place))
        return rendering

    def known(self, wish: Wish) -> bool:
        """Whether nothing has to be rendered for it."""
        sha256 = wish.sha256
        for step, argument in wish.steps:
            made = self._remembered(self._memo(sha256, step, argument))
            if made is None or made.sha256 not in self.images:
                return False
            sha256 = made.sha256
        return True

    def prepare(
        self,
        wishes: Iterable[Wish],
        workers: Workers | None = None,
        on_done: Callable[[int, int], None] = lambda done, total: None,
    ) -> None:
        """Render what is not there, on several processes where it is worth it. Errors come again with `get`.

        Args:
            wishes: what will be asked for; those that begin alike are rendered one after the other.
            workers: the processes; some of its own, as many as there are processors, if None.
            on_done: told numbers of images: rendered so far, and all that had to be.
        """
        lacking = [wish for wish in dict.fromkeys(wishes) if not self.known(wish)]
        groups: dict[tuple[str, tuple[tuple[Step, str], ...]], list[Wish]] = {}
        for wish in lacking:
            groups.setdefault((wish.sha256, wish.steps[:1]), []).append(wish)
        where = str(self.images.root), str(self.folder)
        with contextlib.ExitStack() as stack:
            one = workers is not None and workers.count == 1
            if workers is None:
                workers = stack.enter_context(Workers(min(processors(), len(lacking) or 1)))
            worth = one or workers.begun or len(lacking) >= WORTH_PROCESSES
            render = workers.map if worth else map
            done = 0
            try:
                for made in render(_render_group, [(*where, group) for group in groups.values()]):
                    done += made
                    on_done(done, len(lacking))
            except BrokenProcessPool:
                return  # whoever needs one of them renders it then, and says what is wrong

    def _one(self, sha256: str, step: Step, argument: str, *, first: bool) -> Rendering:
        if step.severity == 0:
            return Rendering(sha256)
        memo = self._memo(sha256, step, argument)
        known = self._remembered(memo)
        if known is not None and known.sha256 in self.images:
            return known
        source = pixels(self.images.get(sha256), sha256[:12])
        name = sha256 if first else digest_of(source)
        made = change(source, name, step, argument)
        height, width = made.shape[:2]
        effect = getattr(step.module, "effect", None)
        rendering = Rendering(
            self.images.put(encode(made)),
            None if effect is None else round(float(effect(source, made)), 6),
            (width, height),
            placement(source, name, step, argument),
        )
        memo.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=memo.parent, prefix=".", delete=False) as file:
            json.dump(_plain(rendering), file)
        Path(file.name).replace(memo)
        return rendering

    def _memo(self, sha256: str, step: Step, argument: str) -> Path:
        module = step.module
        revision = module.revision() if hasattr(module, "revision") else ""
        source = discovery.source_digest(module, "perturbations")
        parts = json.dumps([sha256, step.name, source, revision, step.severity, step.seed, argument])
        name = hashlib.sha256(parts.encode()).hexdigest()
        return self.folder / name[:2] / name

    def _remembered(self, memo: Path) -> Rendering | None:
        try:
            found: dict[str, Any] = json.loads(memo.read_text("utf-8"))
            (width, height), moved = found["size"], found["placement"]
            where = None if moved is None else Placement.from_json(moved)
            return Rendering(str(found["sha256"]), found["effect"], (int(width), int(height)), where)
        except (OSError, ValueError, KeyError, TypeError):
            return None


def _plain(rendering: Rendering) -> dict[str, Any]:
    moved = rendering.placement
    return {
        "sha256": rendering.sha256,
        "effect": rendering.effect,
        "size": rendering.size,
        "placement": None if moved is None else moved.to_json(),
    }


def rng_of(what: str, step: Step) -> np.random.Generator:
    """The generator of a step: the same for one image (or, for questions, one item), perturbation, severity, seed."""
    digest = hashlib.sha256(f"{what}:{step.name}:{step.severity}:{step.seed}".encode()).digest()
    return np.random.default_rng(int.from_bytes(digest[:16], "little"))


def pixels(data: bytes, name: str = "") -> Pixels:
    """The canonical decoded form of an image, (height, width, 3) RGB.

    Raises:
        ImageError: it cannot be decoded.
    """
    image = canonical(data, name)
    return np.ascontiguousarray(np.asarray(image.convert("RGB"), np.uint8))


def digest_of(image: Pixels) -> str:
    """Hex digest of decoded pixels: names an image between two steps, whose bytes nobody has written."""
    return hashlib.sha256(repr(image.shape).encode() + image.tobytes()).hexdigest()


def change(source: Pixels, sha256: str, step: Step, argument: str = "") -> Pixels:
    """An image changed by one step.

    Args:
        source: is not written to.
        sha256: names it: of the original's bytes for the first step, `digest_of` its pixels for a later one.
        step: which change.
        argument: what the item says, where the change depends on it.

    Raises:
        ImageError: this change cannot be made of it, or the perturbation fails.
        UsageError: the perturbation lacks what it needs: a package, a font, a surrogate that fits.
    """
    if step.severity == 0:
        return source
    frozen = source.view()
    frozen.flags.writeable = False
    try:
        made = step.module.change(frozen, step.severity, rng_of(sha256, step), argument)
    except (ImageError, UsageError):  # of this image, or of how Snellen was called: then of all of them
        raise
    except Exception as error:  # a perturbation's mistake on one image is that image's: it stays unscored, and says so
        raise ImageError("not_changed", f"{step} failed: {type(error).__name__}: {error}") from error
    if (
        not isinstance(made, np.ndarray)
        or made.dtype != np.uint8
        or made.ndim != 3
        or made.shape[2] != 3
        or not made.size
    ):
        raise ImageError("not_changed", f"{step} gave no RGB image of 8 bits")
    return np.ascontiguousarray(made)


def placement(source: Pixels, sha256: str, step: Step, argument: str = "") -> Placement | None:
    """Where this change puts things, arguments as of `change`; None where it leaves them or does not say."""
    if step.severity == 0 or not hasattr(step.module, "placement"):
        return None
    height, width = source.shape[:2]
    found: Placement = step.module.placement(width, height, step.severity, rng_of(sha256, step), argument)
    return found


def encode(image: Pixels, kind: str = "png") -> bytes:
    """The bytes of an image file: ``png``, without loss, or ``jpeg`` of quality 95 without subsampling."""
    from PIL import Image

    buffer = io.BytesIO()
    options = {"quality": JPEG_QUALITY, "subsampling": 0} if kind == "jpeg" else {"compress_level": 3}
    Image.fromarray(image).save(buffer, kind.upper(), **options)
    return buffer.getvalue()


def _render_group(task: tuple[str, str, list[Wish]]) -> int:
    root, folder, wishes = task
    changed = ChangedImages(ImageStore(Path(root)), Path(folder))
    for wish in wishes:
        if stopped():
            break
        with contextlib.suppress(ImageError):
            changed.get(wish)
    return len(wishes)
