"""Perturbing: from a clean item and a condition to the changed item, or to the reason why there is none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from snellen.engine.changed_images import ChangedImages, Rendering, Wish, rng_of
from snellen.engine.conditions import Condition, Step
from snellen.engine.side_by_side import Workers
from snellen.item import Change, ElementsReference, ImageRef, Item, Reference, TargetReference, Truth
from snellen.placement import Placement

PAIR = "pair"
"""Group of a clean item and its changed versions; its name is the clean item's id."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Why an item has no version under a condition: the step that does not apply, and what it misses in a few words."""

    step: Step
    why: str = field(default="", compare=False)


@dataclass(slots=True)
class Tally:
    """What a condition came to: versions, items left out by step, and the mean effect where a surrogate tells one."""

    versions: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    truths: Counter[str] = field(default_factory=Counter)
    effects: list[float] = field(default_factory=lambda: [0.0, 0.0])

    def to_json(self) -> dict[str, object]:
        """Plain values for a run's manifest."""
        plain: dict[str, object] = {"versions": self.versions, "truth": dict(sorted(self.truths.items()))}
        if self.left_out:
            plain["left_out"] = dict(sorted(self.left_out.items()))
        if self.effects[0]:
            plain["surrogate_effect"] = round(self.effects[1] / self.effects[0], 4)
        return plain


class Perturber:
    """Makes changed versions of items.

    Args:
        conditions: which.
        changed: renders images.
    """

    def __init__(self, conditions: Sequence[Condition], changed: ChangedImages) -> None:
        self.conditions, self._changed = tuple(conditions), changed
        self.tallies = {str(condition): Tally() for condition in conditions}

    def prepare(
        self,
        items: Iterable[Item],
        workers: Workers | None = None,
        on_done: Callable[[int, int], None] = lambda done, total: None,
    ) -> None:
        """Render the images of these items ahead, side by side. Arguments as of `ChangedImages.prepare`."""
        wishes: dict[Wish, None] = {}
        for item in items:
            for condition in self.conditions:
                found = self._follow(item, condition)
                if not isinstance(found, LeftOut):
                    wishes.update(dict.fromkeys(found[1]))
        self._changed.prepare(wishes, workers, on_done)

    def version(self, item: Item, condition: Condition) -> Item | LeftOut:
        """The changed item.

        Raises:
            ImageError: an image cannot be changed.
        """
        tally = self.tallies[str(condition)]
        found = self._follow(item, condition)
        if isinstance(found, LeftOut):
            tally.left_out[found.step.name] += 1
            return found
        changed, wishes = found
        made = [self._changed.get(wish) for wish in wishes]
        tally.versions += 1
        tally.truths[worst(change.truth for change in changed.changes)] += 1
        self._note(tally, made)
        images = tuple(_changed_image(image, each) for image, each in zip(item.images, made, strict=True))
        moved = made[0].placement if made else None  # places are in the first image
        reference = changed.reference if moved is None else _moved(changed.reference, moved)
        return replace(changed, images=images, reference=reference)

    def _follow(self, item: Item, condition: Condition) -> tuple[Item, list[Wish]] | LeftOut:
        """The item with everything changed but its images, and what has to be done to these."""
        current = item
        to_images: list[tuple[Step, str]] = []
        for step in condition.steps:
            if step.severity == 0:
                current = _with_change(current, step, "kept")
                continue
            module = step.module
            truth: Truth = module.truth(current, step.severity)
            if module.KIND == "image":
                argument = module.argument(current) if hasattr(module, "argument") else ""
                if not current.images:
                    return LeftOut(step, "it has no image")
                if argument is None:
                    return LeftOut(step, "it says nothing that this change could be made with")
                to_images.append((step, argument))
                moves = getattr(module, "MOVES_REGIONS", False)
                loses = getattr(module, "LOSES_PLACES", False) or (moves and not hasattr(module, "placement"))
                if loses and _has_places(current):
                    truth = worst((truth, "unknown"))
                if moves or loses:
                    current = replace(current, regions=())
            else:
                changed = module.change(current, step.severity, rng_of(item.id, step))
                if changed is None:
                    return LeftOut(step, "the change does not apply to what it asks")
                current = changed
            current = _with_change(current, step, truth)
        current = replace(current, id=f"{item.id}@{condition}", groups={**item.groups, PAIR: item.id})
        return current, [Wish(image.sha256, tuple(to_images)) for image in item.images]

    def _note(self, tally: Tally, made: Iterable[Rendering]) -> None:
        for each in made:
            if each.effect is not None:
                tally.effects[0] += 1
                tally.effects[1] += each.effect


def worst(truths: Iterable[Truth]) -> Truth:
    """What holds of several changes together: kept only where each one keeps.

    >>> worst(["kept", "removed"])
    'removed'
    """
    order: tuple[Truth, ...] = ("unknown", "removed", "altered", "kept")
    return min(truths, key=order.index, default="kept")


def paired(item: Item) -> Item:
    """A clean item that has changed versions."""
    return replace(item, groups={**item.groups, PAIR: item.id})


def unmade(item: Item, condition: Condition) -> Item:
    """Stands for a version that could not be made."""
    for step in condition.steps:
        item = _with_change(item, step, "unknown")
    return replace(item, id=f"{item.id}@{condition}", groups={**item.groups, PAIR: item.id})


def _changed_image(image: ImageRef, made: Rendering) -> ImageRef:
    width, height = made.size if made.size and image.width else (image.width, image.height)
    return replace(image, path="", sha256=made.sha256, width=width, height=height)


def _has_places(item: Item) -> bool:
    """Whether what is true of it is said by boxes; an absent target has none."""
    truth = item.reference
    return isinstance(truth, ElementsReference) or (isinstance(truth, TargetReference) and truth.box is not None)


def _moved(truth: Reference | None, placement: Placement) -> Reference | None:
    """The truth on the changed image. What was cut off is no look-alike and no element any more, but a target stays."""
    if isinstance(truth, TargetReference):
        left = tuple(box for box in map(placement.visible, truth.distractors) if box is not None)
        return TargetReference(None if truth.box is None else placement.box(truth.box), left)
    if isinstance(truth, ElementsReference):
        seen = ((each, placement.visible(each.box)) for each in truth.elements)
        return ElementsReference(tuple(replace(each, box=box) for each, box in seen if box is not None))
    return truth


def _with_change(item: Item, step: Step, truth: Truth) -> Item:
    return replace(item, changes=(*item.changes, Change(step.name, step.severity, step.seed, truth)))
