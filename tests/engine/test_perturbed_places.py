"""What is true of places on a changed image: where the picture shows it, or said to be unknown."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from snellen import discovery
from snellen.box import Box
from snellen.engine.changed_images import ChangedImages, Wish, pixels
from snellen.engine.conditions import parse
from snellen.engine.perturbing import Perturber, worst
from snellen.images import ImageStore
from snellen.item import (
    Element,
    ElementsReference,
    ImageRef,
    Item,
    Reference,
    Region,
    TargetReference,
    TextReference,
    Truth,
)

WIDTH, HEIGHT = 301, 203
TARGET, LOOK_ALIKE, CORNER = Box(200, 120, 260, 150), Box(40, 50, 80, 90), Box(0, 0, 6, 6)
RED = (250, 10, 10)
IMAGES = [name for name in discovery.names("perturbations") if discovery.load("perturbations", name).KIND == "image"]
APART = {"adversarial", "adversarial-targeted", "scene-text", "style-transfer"}
"""Those that need a surrogate or a distractor; they change no size (see their own tests)."""


def screen() -> bytes:
    """Red where the target is, grey where the look-alike and something in the corner are."""
    image = np.full((HEIGHT, WIDTH, 3), 255, np.uint8)
    for box, color in ((TARGET, RED), (LOOK_ALIKE, (90, 90, 90)), (CORNER, (90, 90, 90))):
        image[int(box.top) : int(box.bottom), int(box.left) : int(box.right)] = color
    buffer = io.BytesIO()
    Image.fromarray(image).save(buffer, "PNG")
    return buffer.getvalue()


def element(box: Box) -> Element:
    return Element("icon", "", box)


SEVERAL = ("downscale:2+downscale:1", "edge-crop:4+downscale:1+jpeg:1", "jpeg:1+edge-crop:5")
LOST = ("rotation:1", "elastic-transform:1", "zoom-blur:1", "motion-blur:1", "jpeg:1+rotation:1")

PARSE = ElementsReference((element(TARGET), element(LOOK_ALIKE), element(CORNER)))
PRESENT = TargetReference(TARGET, (LOOK_ALIKE, CORNER))
ABSENT = TargetReference(None, (LOOK_ALIKE,))


@pytest.fixture
def changed(tmp_path: Path) -> ChangedImages:
    return ChangedImages(ImageStore(tmp_path / "images"), tmp_path / "changed")


def version(changed: ChangedImages, text: str, reference: Reference, seed: int = 0) -> Item:
    regions = (Region(200, 120, 260, 150),) if reference == PRESENT else ()
    image = ImageRef("a.png", sha256=changed.images.put(screen()), width=WIDTH, height=HEIGHT)
    clean = Item("gui/1", "Open it", images=(image,), reference=reference, regions=regions)
    (condition,) = parse(text, seed=seed)
    found = Perturber([condition], changed).version(clean, condition)
    assert isinstance(found, Item)
    return found


def truth_of(item: Item) -> Truth:
    return worst(change.truth for change in item.changes)


def shown(changed: ChangedImages, item: Item) -> np.ndarray:
    return pixels(changed.images.get(item.images[0].sha256))


def red(image: np.ndarray) -> Box:
    """Around all that is red."""
    there = (image[..., 0].astype(int) - image[..., 1]) > 120
    ys, xs = np.nonzero(there)
    return Box(float(xs.min()), float(ys.min()), float(xs.max() + 1), float(ys.max() + 1))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("text", ["downscale:1", "downscale:3", "edge-crop:2", "edge-crop:5"])
def test_a_target_is_true_of_the_changed_image(changed: ChangedImages, text: str, seed: int) -> None:
    found = version(changed, text, PRESENT, seed)
    image = shown(changed, found)
    assert isinstance(found.reference, TargetReference)
    assert found.reference.box is not None
    assert found.reference.box.iou(red(image)) > 0.9
    assert (found.images[0].height, found.images[0].width) == image.shape[:2]
    assert truth_of(found) == "kept"
    for box in found.reference.distractors:
        assert 0 <= box.left < box.right <= image.shape[1]
        x, y = box.centre
        assert image[int(y), int(x), 0] < 200, "grey"


@pytest.mark.parametrize("text", SEVERAL)
def test_places_follow_several_changes(changed: ChangedImages, text: str) -> None:
    found = version(changed, text, PRESENT)
    again = version(ChangedImages(changed.images, changed.folder), text, PRESENT)
    assert again == found, "what is remembered says the same"
    assert isinstance(found.reference, TargetReference)
    assert found.reference.box is not None
    assert found.reference.box.iou(red(shown(changed, found))) > 0.85


def test_a_parse_loses_what_was_cut_off(changed: ChangedImages) -> None:
    counts = set()
    for seed in range(6):
        found = version(changed, "edge-crop:4", PARSE, seed)
        assert isinstance(found.reference, ElementsReference)
        image = shown(changed, found)
        assert truth_of(found) == "unknown"
        for each in found.reference.elements:
            assert 0 <= each.box.left < each.box.right <= image.shape[1]
            assert 0 <= each.box.top < each.box.bottom <= image.shape[0]
        counts.add(len(found.reference.elements))
    assert counts == {2}, "the corner is always cut"
    assert truth_of(version(changed, "downscale:2", PARSE)) == "kept"


@pytest.mark.parametrize(
    "text", ["rotation:1", "elastic-transform:1", "zoom-blur:1", "motion-blur:1", "jpeg:1+rotation:1"]
)
def test_where_no_box_says_the_place_it_is_unknown(changed: ChangedImages, text: str) -> None:
    for reference in (PRESENT, PARSE):
        found = version(changed, text, reference)
        assert truth_of(found) == "unknown"
        assert not found.regions
        assert (found.images[0].height, found.images[0].width) == shown(changed, found).shape[:2]
    assert truth_of(version(changed, text, ABSENT)) == "kept"
    assert truth_of(version(changed, text, TextReference("4"))) == "kept"


@pytest.mark.parametrize("text", ["edge-crop:5", "occlusion:5", "contrast:5"])
def test_what_is_absent_stays_absent(changed: ChangedImages, text: str) -> None:
    found = version(changed, text, ABSENT)
    assert truth_of(found) == "kept"
    assert isinstance(found.reference, TargetReference)
    assert found.reference.box is None


def test_letters_over_a_screen_are_no_element_of_its_parse(changed: ChangedImages) -> None:
    assert truth_of(version(changed, "watermark:1", PARSE)) == "unknown"
    assert truth_of(version(changed, "watermark:1", PRESENT)) == "kept"


@pytest.mark.parametrize("name", [name for name in IMAGES if name not in APART])
def test_every_change_that_moves_things_says_so(changed: ChangedImages, name: str) -> None:
    """Another size, or red elsewhere, is followed by the truth, or the truth is not said to be kept."""
    for severity in discovery.load("perturbations", name).SEVERITIES:
        found = version(changed, f"{name}:{severity}", PRESENT)
        image = shown(changed, found)
        assert (found.images[0].height, found.images[0].width) == image.shape[:2]
        if truth_of(found) != "kept":
            continue
        assert isinstance(found.reference, TargetReference)
        assert found.reference.box is not None
        x, y = found.reference.box.centre
        assert (
            abs(int(image[int(y), int(x), 0]) - int(image[2, -2, 0]))
            + abs(int(image[int(y), int(x), 1]) - int(image[2, -2, 1]))
            > 25
        ), "the middle of the target shows the target"


def test_an_image_whose_size_nobody_needs_gets_none(changed: ChangedImages) -> None:
    image = ImageRef("a.png", sha256=changed.images.put(screen()))
    (condition,) = parse("downscale:1")
    found = Perturber([condition], changed).version(Item("a", "Why?", images=(image,)), condition)
    assert isinstance(found, Item)
    assert found.images[0].width == 0


def test_what_is_remembered_without_a_place_is_made_again(changed: ChangedImages) -> None:
    wish = Wish(changed.images.put(screen()), tuple((step, "") for step in parse("downscale:1")[0].steps))
    first = changed.get(wish)
    for memo in changed.folder.glob("*/*"):
        memo.write_text(f'{{"sha256": "{first.sha256}", "effect": null}}')
    assert not changed.known(wish)
    assert changed.get(wish) == first
