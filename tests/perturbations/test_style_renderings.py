"""The painted renderings: any size, the same bytes, stronger with severity, and true to what they promise to keep."""

from __future__ import annotations

from types import ModuleType

import cv2
import numpy as np
import pytest

from snellen.item import Item, YesNoReference
from snellen.perturbations import cartoon, oil_painting, sketch, watercolor
from snellen.perturbations._pixels import Pixels

RENDERINGS = (cartoon, oil_painting, sketch, watercolor)
SIZES = ((1, 1), (1, 2), (2, 1), (3, 5), (1, 400), (400, 1), (31, 33), (120, 90))


def scene(height: int = 240, width: int = 320) -> Pixels:
    """A red disc and a blue box before a gradient, with grain of many sizes as in photos; not to be written to."""
    rng = np.random.default_rng(7)
    image = np.empty((height, width, 3), np.uint8)
    image[:] = np.linspace(60, 220, height)[:, None, None]
    cv2.circle(image, (width // 3, height // 2), height // 4, (200, 30, 30), -1)
    cv2.rectangle(image, (width // 2, height // 4), (width - 20, height - 40), (30, 40, 190), -1)
    grain = np.zeros((height, width), np.float32)
    for size in (2, 4, 8, 16):
        coarse = rng.standard_normal((height // size + 1, width // size + 1), np.float32)
        grain += 7 * cv2.resize(coarse, (width, height))
    grained: Pixels = np.clip(image + grain[..., None], 0, 255).astype(np.uint8)
    grained.flags.writeable = False
    return grained


def changed(module: ModuleType, image: Pixels, severity: int, seed: int = 0) -> Pixels:
    made: Pixels = module.change(image, severity, np.random.default_rng(seed))
    return made


def distance(one: Pixels, other: Pixels) -> float:
    return float(np.abs(one.astype(int) - other).mean())


@pytest.mark.parametrize("module", RENDERINGS, ids=lambda module: module.TITLE)
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_any_size_gives_an_image_of_that_size(module: ModuleType, size: tuple[int, int]) -> None:
    image = np.random.default_rng(1).integers(0, 256, (*size, 3), dtype=np.uint8)
    image.flags.writeable = False
    for severity in range(1, 6):
        made = changed(module, image, severity)
        assert made.shape == image.shape
        assert made.dtype == np.uint8
        assert made.flags.c_contiguous


@pytest.mark.parametrize("module", RENDERINGS, ids=lambda module: module.TITLE)
def test_the_same_bytes_on_any_number_of_threads(module: ModuleType) -> None:
    image, threads = scene(700, 500), cv2.getNumThreads()
    try:
        cv2.setNumThreads(1)
        alone = changed(module, image, 4)
        cv2.setNumThreads(4)
        together = changed(module, image, 4)
    finally:
        cv2.setNumThreads(threads)
    assert np.array_equal(alone, together)


@pytest.mark.parametrize("module", RENDERINGS, ids=lambda module: module.TITLE)
def test_the_distance_to_the_clean_image_grows_with_severity(module: ModuleType) -> None:
    image = scene()
    assert set(module.SEVERITIES) == {1, 2, 3, 4, 5}
    distances = [distance(image, changed(module, image, severity)) for severity in range(1, 6)]
    assert distances[0] > 1
    assert distances == sorted(set(distances))


@pytest.mark.parametrize("module", [cartoon, oil_painting, watercolor], ids=lambda module: module.TITLE)
@pytest.mark.parametrize("severity", range(1, 6))
def test_red_stays_red_and_blue_blue(module: ModuleType, severity: int) -> None:
    made = changed(module, scene(), severity).astype(int)
    red, blue = made[100:140, 90:125].mean(axis=(0, 1)), made[100:140, 200:260].mean(axis=(0, 1))
    assert red[0] > red[1:].max() + 60
    assert blue[2] > blue[:2].max() + 60


@pytest.mark.parametrize("module", [cartoon, oil_painting, sketch], ids=lambda module: module.TITLE)
def test_nothing_is_drawn_by_chance(module: ModuleType) -> None:
    assert np.array_equal(changed(module, scene(), 3, 0), changed(module, scene(), 3, 1))


def test_a_cartoon_has_few_levels_of_light() -> None:
    ramp = np.repeat(np.arange(256, dtype=np.uint8)[None, :, None], 200, axis=0).repeat(3, axis=2)
    for severity in range(1, 6):
        levels = cartoon.SEVERITIES[severity]["levels"]
        seen = len(np.unique(changed(cartoon, ramp, severity)[..., 0]))
        assert levels // 2 <= seen <= levels


def test_a_cartoon_draws_outlines_in_black() -> None:
    image = np.full((200, 200, 3), 200, np.uint8)
    image[:, 100:] = 120
    made = changed(cartoon, image, 3)
    assert (made[:, 100:104].max(axis=2) == 0).any(axis=1).all()
    assert made[:, :90].min() > 150


@pytest.mark.parametrize("severity", range(1, 6))
def test_a_sketch_has_no_color_and_white_paper(severity: int) -> None:
    made = changed(sketch, scene(), severity)
    assert np.array_equal(made[..., 0], made[..., 1])
    assert np.array_equal(made[..., 0], made[..., 2])
    white = changed(sketch, np.full((50, 60, 3), 255, np.uint8), severity)
    assert (white == 255).all()


def test_a_full_sketch_does_not_tell_how_dark_a_surface_is() -> None:
    made = [changed(sketch, np.full((40, 40, 3), level, np.uint8), 5) for level in (20, 120, 240)]
    assert all((each == 255).all() for each in made)


@pytest.mark.parametrize("severity", range(1, 6))
def test_an_oil_painting_mixes_no_colors_of_different_lightness(severity: int) -> None:
    image = np.full((300, 80, 3), (220, 210, 40), np.uint8)
    image[::3, ::2] = (20, 30, 90)
    image[150:] = (20, 30, 90)
    found = {tuple(color) for color in changed(oil_painting, image, severity).reshape(-1, 3).tolist()}
    assert found == {(220, 210, 40), (20, 30, 90)}


@pytest.mark.parametrize("module", [oil_painting, watercolor], ids=lambda module: module.TITLE)
def test_stripes_leave_no_seams(module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    image = scene(300, 100)
    monkeypatch.setattr(module, "_STRIPE", 1000)
    whole = changed(module, image, 5)
    monkeypatch.setattr(module, "_STRIPE", 11)
    assert np.array_equal(changed(module, image, 5), whole)


def test_a_watercolor_is_paler_and_settles_by_the_seed() -> None:
    image = scene()
    made = changed(watercolor, image, 4)
    assert made.mean() > image.mean() + 10
    assert np.array_equal(made, changed(watercolor, image, 4))
    assert not np.array_equal(made, changed(watercolor, image, 4, seed=1))


@pytest.mark.parametrize(
    ("module", "aspect", "truths"),
    [
        (cartoon, "color", "kept kept kept kept unknown"),
        (cartoon, "count", "kept kept kept kept kept"),
        (cartoon, "scene-text", "kept kept kept unknown unknown"),
        (sketch, "color", "removed removed removed removed removed"),
        (sketch, "shape", "kept kept kept kept kept"),
        (sketch, "", "unknown unknown unknown unknown unknown"),
        (oil_painting, "color", "kept kept kept kept kept"),
        (oil_painting, "expression", "kept kept unknown unknown unknown"),
        (oil_painting, "existence", "kept kept kept kept kept"),
        (watercolor, "color", "kept kept kept kept kept"),
        (watercolor, "geography", "kept kept kept unknown unknown"),
        (watercolor, "", "kept kept unknown unknown unknown"),
    ],
)
def test_what_stays_true(module: ModuleType, aspect: str, truths: str) -> None:
    item = Item("a", "What is there?", reference=YesNoReference(True), labels={"aspect": aspect} if aspect else {})
    assert [module.truth(item, severity) for severity in range(1, 6)] == truths.split()


def test_a_sketch_of_the_red_car_may_not_show_which_car_is_meant() -> None:
    item = Item("a", "Is a dog left of the red car?", labels={"aspect": "spatial-relation"})
    assert sketch.truth(item, 2) == "unknown"
    assert cartoon.truth(item, 2) == "kept"
