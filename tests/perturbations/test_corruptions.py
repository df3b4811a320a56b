"""Every corruption keeps to its contract, at every severity, on every size; and each does what its name says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from perturbations.corruption_pictures import NAMES, PUBLISHED, changed, module_of, photo
from snellen import discovery
from snellen.errors import DataError, ImageError
from snellen.item import ImageRef, Item, Region
from snellen.perturbations import _draws, _pixels, _plasma

Pixels = NDArray[np.uint8]
SIZES = ((1, 1), (7, 1), (1, 7), (4, 1), (2, 2), (31, 33), (640, 480))

SHRINKS = {"downscale", "edge-crop"}
GROWS = {"rotation"}

NOT_GROWING = {"saturate": 2, "snow": 2, "frost": 3, "spatter": 3}
"""Name -> the level whose published successor does not distort more; their modules say why."""


WARPED = {"glass-blur", "motion-blur", "snow", "elastic-transform", "rotation"}
"""What needs OpenCV's warps, which address 32,766 pixels a side."""


def distortion(image: Pixels, result: Pixels) -> float:
    """Mean absolute difference, the result brought back to the image's size."""
    height, width = image.shape[:2]
    same = result if result.shape == image.shape else cv2.resize(result, (width, height))
    return float(np.abs(np.asarray(same, np.int16) - image.astype(np.int16)).mean())


@pytest.mark.parametrize("name", NAMES)
def test_says_what_it_is(name: str) -> None:
    module = module_of(name)
    assert module.KIND == "image"
    assert module.TITLE
    assert module.SUMMARY.endswith(".")
    assert set(module.DOMAINS) <= {"photo", "chart", "screen"}
    assert module.DOMAINS
    assert module.EXTRA == ""
    assert tuple(module.SEVERITIES) == ((1,) if name == "grayscale" else (1, 2, 3, 4, 5))
    assert len({tuple(level) for level in module.SEVERITIES.values()}) == 1, "every level names the same parameters"
    assert len({tuple(level.values()) for level in module.SEVERITIES.values()}) == len(module.SEVERITIES)
    assert module.SOURCE or name not in PUBLISHED


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", NAMES)
def test_works_on_every_size(name: str, size: tuple[int, int]) -> None:
    image = photo(*size)
    image.setflags(write=False)
    before = image.tobytes()
    for severity in module_of(name).SEVERITIES if size != (640, 480) else (1, max(module_of(name).SEVERITIES)):
        result = changed(name, image, severity)
        assert result.dtype == np.uint8
        assert result.flags.c_contiguous
        assert result.flags.writeable, "nothing cached or borrowed is handed out"
        assert result.ndim == 3
        assert result.shape[2] == 3
        assert min(result.shape) >= 1
        if name in SHRINKS:
            assert all(after <= side for after, side in zip(result.shape, image.shape, strict=True))
        elif name in GROWS:
            assert all(after >= side - 1 for after, side in zip(result.shape, image.shape, strict=True))
        else:
            assert result.shape == image.shape
        assert image.tobytes() == before
        assert not np.shares_memory(result, image)


@pytest.mark.parametrize("name", NAMES)
def test_one_seed_gives_one_result(name: str) -> None:
    image = photo(97, 61)
    severity = min(3, max(module_of(name).SEVERITIES))
    once = changed(name, image, severity)
    changed(name, photo(50, 40), 1, seed=1)
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        assert np.array_equal(changed(name, image, severity), once)
    finally:
        cv2.setNumThreads(threads)


SEEDED = [
    name
    for name in NAMES
    if name
    not in {
        "gaussian-blur",
        "defocus-blur",
        "zoom-blur",
        "brightness",
        "contrast",
        "saturate",
        "pixelate",
        "jpeg",
        "downscale",
        "grayscale",
        "low-contrast",
        "rotation",
    }
]


@pytest.mark.parametrize("name", SEEDED)
def test_another_seed_gives_another_result(name: str) -> None:
    image = photo(320, 240)
    results = [changed(name, image, 3, seed=seed) for seed in (1, 2)]
    assert results[0].shape != results[1].shape or not np.array_equal(results[0], results[1])


def test_rotation_goes_both_ways() -> None:
    image = photo(64, 48)
    results = {changed("rotation", image, 3, seed=seed).tobytes() for seed in range(12)}
    assert len(results) == 2


def test_another_process_gives_the_same_bytes() -> None:
    code = (
        "import sys, hashlib; sys.path.insert(0, sys.argv[1])\n"
        "from perturbations.corruption_pictures import NAMES, changed, photo\n"
        "image = photo(80, 60); digest = hashlib.sha256()\n"
        "for name in reversed(NAMES): digest.update(changed(name, image, 1).tobytes())\n"
        "print(digest.hexdigest())"
    )
    tests = str(Path(__file__).resolve().parent.parent)
    runs = [subprocess.run([sys.executable, "-c", code, tests], capture_output=True, text=True) for _ in range(2)]
    assert runs[0].returncode == 0, runs[0].stderr
    assert len(runs[0].stdout.strip()) == 64
    assert runs[0].stdout == runs[1].stdout


@pytest.mark.parametrize("name", [name for name in NAMES if name != "grayscale"])
@pytest.mark.parametrize("size", [(320, 240), (700, 500)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_distortion_grows_with_severity(name: str, size: tuple[int, int]) -> None:
    images = [photo(*size, seed=seed) for seed in range(4)]
    grown = [
        float(np.mean([distortion(image, changed(name, image, severity, seed)) for seed, image in enumerate(images)]))
        for severity in range(1, 6)
    ]
    falls = [level for level in range(1, 5) if grown[level] <= grown[level - 1]]
    assert falls in ([], [NOT_GROWING.get(name)])
    assert grown[0] > 0.05
    assert grown[4] > 1.15 * grown[0]


@pytest.mark.parametrize("name", sorted(NOT_GROWING))
def test_what_is_exempt_says_so(name: str) -> None:
    level = NOT_GROWING[name]
    said = f"The published levels do not grow in distortion from {level} to {level + 1}:"
    assert said in " ".join((module_of(name).__doc__ or "").split())


def test_lengths_grow_with_the_square_root_of_the_shorter_side() -> None:
    assert _pixels.growth(photo(100, 50)) == 1.0
    assert _pixels.growth(photo(224, 400)) == 1.0
    assert _pixels.growth(photo(2000, 896)) == pytest.approx(2.0)


def drawn() -> bytes:
    """The next draw of OpenCV's global generator."""
    low, high = np.zeros(1), np.full(1, 255.0)
    return np.asarray(cv2.randu(np.zeros(16, np.uint8), low, high)).tobytes()


def test_opencv_global_randomness_is_neither_used_nor_touched() -> None:
    image = photo(40, 30)
    for name in NAMES:
        cv2.setRNGSeed(5)
        first = changed(name, image, 1)
        after = drawn()
        cv2.setRNGSeed(5)
        assert after == drawn()
        cv2.setRNGSeed(6)
        assert np.array_equal(changed(name, image, 1), first)


# What the noises are


@pytest.mark.parametrize(("severity", "deviation"), [(1, 0.08), (3, 0.18)])
def test_gaussian_noise_has_its_deviation(severity: int, deviation: float) -> None:
    grey = np.full((300, 400, 3), 128, np.uint8)
    noise = changed("gaussian-noise", grey, severity).astype(float) - 128
    assert noise.std() == pytest.approx(255 * deviation, rel=0.02)
    assert abs(noise.mean()) < 0.5
    assert abs(np.corrcoef(noise[..., 0].ravel(), noise[..., 1].ravel())[0, 1]) < 0.02


def test_gaussian_noise_is_added_alike_to_images_of_one_column() -> None:
    """OpenCV reads an array of four values as a scalar where it may."""
    for shape in ((4, 1, 3), (1, 4, 3), (4, 4, 3)):
        image = np.full(shape, 100, np.uint8)
        noise = _draws.normal_steps(np.random.default_rng(7), *shape, deviation=0.08 * 255)
        assert np.array_equal(changed("gaussian-noise", image, 1), np.clip(image + noise, 0, 255).astype(np.uint8))


def test_speckle_noise_grows_with_the_light() -> None:
    for level in (40, 120):
        result = changed("speckle-noise", np.full((200, 200, 3), level, np.uint8), 1).astype(float)
        assert result.std() == pytest.approx(0.15 * level, rel=0.04)
    assert not changed("speckle-noise", np.zeros((9, 9, 3), np.uint8), 5).any()


def test_shot_noise_is_a_poisson_count() -> None:
    photons = 12
    counts = changed("shot-noise", np.full((300, 300, 3), 102, np.uint8), 3).astype(float) * photons / 255
    expected = photons * 102 / 255
    assert counts.mean() == pytest.approx(expected, rel=0.01)
    assert counts.var() == pytest.approx(expected, rel=0.03)
    assert np.abs(counts - np.rint(counts)).max() < 0.03
    assert (counts == 0).mean() == pytest.approx(np.exp(-expected), rel=0.1)
    assert not changed("shot-noise", np.zeros((9, 9, 3), np.uint8), 5).any()


@pytest.mark.parametrize("name", ["impulse-noise", "salt-and-pepper-noise"])
def test_impulses_hit_their_share_half_black_half_white(name: str) -> None:
    share = module_of(name).SEVERITIES[4]["share"]
    result = changed(name, np.full((300, 300, 3), 90, np.uint8), 4)
    assert (result == 0).mean() == pytest.approx(share / 2, rel=0.05)
    assert (result == 255).mean() == pytest.approx(share / 2, rel=0.05)
    together = (result == result[..., :1]).all()
    assert together == (name == "salt-and-pepper-noise")


def test_the_normal_table_is_normal() -> None:
    drawn = _draws.normal(np.random.default_rng(0), 400, 500, mean=2.0, deviation=3.0)
    assert drawn.dtype == np.float32
    assert drawn.mean() == pytest.approx(2, abs=0.03)
    assert drawn.std() == pytest.approx(3, rel=0.01)
    assert ((drawn > 2 + 1.96 * 3).mean()) == pytest.approx(0.025, rel=0.1)


# What the others are


def test_a_blur_keeps_a_flat_image_and_the_mean_of_any() -> None:
    flat = np.full((60, 80, 3), (10, 120, 250), np.uint8)
    image = photo(320, 240)
    for name in ("gaussian-blur", "defocus-blur", "motion-blur", "zoom-blur", "glass-blur"):
        assert np.abs(changed(name, flat, 3).astype(int) - flat).max() <= 1, name
        shift = changed(name, image, 3).mean(axis=(0, 1)) - image.mean(axis=(0, 1))
        assert np.abs(shift).max() < 4, name


def test_defocus_makes_a_point_a_disk_of_the_published_radius() -> None:
    image = np.zeros((101, 101, 3), np.uint8)
    image[50, 50] = 255
    disk = changed("defocus-blur", image, 1)[..., 0] > 0
    reach = np.flatnonzero(disk.any(axis=0))
    assert (reach[0], reach[-1]) in {(47, 53), (46, 54)}


def test_motion_blur_smears_along_one_direction_and_to_one_side() -> None:
    image = np.zeros((121, 121, 3), np.uint8)
    image[60, 60] = 255
    trace = changed("motion-blur", image, 1, seed=3)[..., 0].astype(float)
    rows, columns = np.nonzero(trace)
    weights = trace[rows, columns]
    middle = np.average(columns, weights=weights) - 60
    assert abs(middle) > 1
    spread = np.cov(np.stack([columns, rows]), aweights=weights)
    narrow, wide = np.linalg.eigvalsh(spread)
    assert wide > 4 * narrow


@pytest.mark.parametrize("severity", [1, 2, 3, 4, 5])
def test_glass_blur_spreads_like_the_published_loop(severity: int) -> None:
    """On a ramp a shift is a difference of grey. The deviations are those of the published loop, measured."""
    published = {1: 0.71, 2: 1.20, 3: 2.08, 4: 2.79, 5: 3.96}  # both axes together
    ramp = np.repeat(np.arange(0, 240, 4, dtype=np.uint8)[np.newaxis, :, np.newaxis], 200, axis=0).repeat(3, axis=2)
    moved = (changed("glass-blur", ramp, severity).astype(float) - ramp)[12:-12, 16:-16] / 4
    # the second blur divides the deviation of independent shifts by 2 sqrt(pi) sigma
    sigma = module_of("glass-blur").SEVERITIES[severity]["sigma_px"]
    assert moved.std() * 2 * np.sqrt(np.pi) * sigma == pytest.approx(published[severity], rel=0.25)
    assert abs(moved.mean()) <= 0.55, "at most half a pixel of drift"


def test_brightness_and_saturation_agree_with_their_definition() -> None:
    """Against the conversions of colorsys, pixel by pixel."""
    import colorsys

    image = photo(12, 9)
    image[0, :4] = ((0, 0, 0), (255, 255, 255), (80, 80, 80), (255, 0, 0))
    for name, severity in (("brightness", 2), ("brightness", 5), *(("saturate", level) for level in range(1, 6))):
        level = module_of(name).SEVERITIES[severity]
        result = changed(name, image, severity)
        for pixel, got in zip(image.reshape(-1, 3), result.reshape(-1, 3), strict=True):
            hue, saturation, value = colorsys.rgb_to_hsv(*(pixel / 255))
            if name == "brightness":
                value = min(value + level["added"], 1)
            else:
                saturation = min(max(saturation * level["factor"] + level["added"], 0), 1)
            expected = np.array(colorsys.hsv_to_rgb(hue, saturation, value)) * 255
            assert np.abs(got - expected).max() <= 1.1, (name, severity, pixel)


def test_contrast_keeps_the_mean_and_its_share_of_the_spread() -> None:
    image = photo(90, 70)
    result = changed("contrast", image, 3)
    assert np.abs(result.mean(axis=(0, 1)) - image.mean(axis=(0, 1))).max() < 0.6
    assert result.std() < 0.3 * image.std()


def test_fog_lightens_what_is_dark_and_lies_within_the_range() -> None:
    dark = np.full((120, 160, 3), 20, np.uint8)
    assert changed("fog", dark, 3).max() <= 21, "fog is no brighter than the brightest of the image, as published"
    heights = _plasma.plasma(np.random.default_rng(0), 300, 500, decay=1.7)
    assert heights.shape == (300, 500)
    assert heights.min() >= 0
    assert heights.max() <= 1
    assert heights.std() > 0.05
    assert not changed("fog", np.zeros((30, 30, 3), np.uint8), 5).any()


def test_ice_is_bluish_and_full_of_edges() -> None:
    ice = changed("frost", np.zeros((300, 400, 3), np.uint8), 5)
    means = ice.mean(axis=(0, 1))
    assert means[0] < means[1] < means[2]
    assert cv2.Laplacian(ice, cv2.CV_64F).std() > 10


def test_mud_darkens_and_water_brightens() -> None:
    light = np.full((240, 320, 3), 200, np.uint8)
    dark = np.full((240, 320, 3), 30, np.uint8)
    assert changed("spatter", dark, 3).min() >= 30
    assert changed("spatter", dark, 3).max() > 60
    mud = changed("spatter", light, 5)
    assert mud.min() < 40
    assert 0.05 < (mud < 150).any(axis=2).mean() < 0.5


def test_snow_is_white() -> None:
    grey = np.full((240, 320, 3), 90, np.uint8)
    result = changed("snow", grey, 1)
    assert result.min() >= 90
    assert result.max() == 255
    assert (result[..., 0] == result[..., 2]).all()


def test_pixelate_makes_squares_of_one_colour() -> None:
    result = changed("pixelate", photo(40, 40), 5)
    blocks = result.reshape(10, 4, 10, 4, 3)
    assert (blocks == blocks[:, :1, :, :1]).all()


def test_downscale_and_grayscale() -> None:
    image = photo(200, 100)
    assert changed("downscale", image, 2).shape == (50, 100, 3)
    grey = changed("grayscale", image, 1)
    assert (grey == grey[..., :1]).all()
    expected = image @ np.array((0.299, 0.587, 0.114))
    assert np.abs(grey[..., 0] - expected).max() <= 1


def test_rotation_keeps_all_of_the_image_and_fills_with_its_rim() -> None:
    white = np.full((80, 120, 3), 255, np.uint8)
    white[40:44, 2:118] = 0
    result = changed("rotation", white, 5)
    assert (result[0, 0] == 255).all()
    assert (result < 128).all(axis=2).sum() == pytest.approx(4 * 116, rel=0.1)


def test_watermark_and_moire_leave_no_part_untouched() -> None:
    grey = np.full((240, 320, 3), 120, np.uint8)
    for name in ("watermark", "moire"):
        touched = np.abs(changed(name, grey, 5).astype(int) - 120).max(axis=2) > 8
        assert all(part.any() for half in np.array_split(touched, 2) for part in np.array_split(half, 2, axis=1)), name


def test_a_jpeg_of_the_same_quality_is_a_jpeg() -> None:
    image = photo(64, 64)
    options = [cv2.IMWRITE_JPEG_QUALITY, 15]
    written = cv2.imencode(".jpg", np.ascontiguousarray(image[..., ::-1]), options)[1]
    assert np.array_equal(changed("jpeg", image, 3), np.asarray(cv2.imdecode(written, cv2.IMREAD_COLOR))[..., ::-1])


# Regions


def item(*regions: Region, images: int = 1) -> Item:
    return Item(id="x/1", question="?", images=tuple(ImageRef(f"{n}.png") for n in range(images)), regions=regions)


def test_occlusion_covers_the_region_whole_and_more_with_severity() -> None:
    image = photo(100, 80)
    argument = module_of("occlusion").argument(item(Region(10.5, 20, 30, 40.2)))
    assert argument == "[[10.5,20,30,40.2]]"
    areas = []
    for severity in range(1, 6):
        result = changed("occlusion", image, severity, argument=argument)
        assert (result[20:41, 10:30] == 128).all()
        areas.append(int((result == 128).all(axis=2).sum()))
    assert areas[0] == 21 * 20
    assert areas == sorted(set(areas))
    assert np.array_equal(changed("occlusion", image, 1, argument=argument)[:20], image[:20])


def test_cropping_never_cuts_a_region() -> None:
    image = photo(100, 80)
    argument = module_of("edge-crop").argument(item(Region(0, 1, 5, 9), Region(90, 70, 100, 80)))
    for seed in range(5):
        result = changed("edge-crop", image, 5, seed, argument)
        cut = image.shape[0] - result.shape[0]
        assert cut in (0, 1), "only the row above the first region may go"
        assert np.array_equal(result, image[cut:])


def test_cropping_takes_its_share_where_nothing_is_in_the_way() -> None:
    image = photo(100, 80)
    result = changed("edge-crop", image, 5)
    assert result.shape == (56, 70, 3)
    argument = module_of("edge-crop").argument(item(Region(40, 40, 42, 42)))
    assert changed("edge-crop", image, 5, argument=argument).shape == (56, 70, 3)


@pytest.mark.parametrize("name", ["occlusion", "edge-crop"])
def test_no_region_or_several_images_give_no_argument(name: str) -> None:
    argument = module_of(name).argument
    assert argument(item()) == ""
    assert argument(item(Region(0, 0, 5, 5), images=2)) == ""
    assert argument(item(Region(3, 0, 5, 5), Region(0, 0, 5, 5))) == argument(
        item(Region(0, 0, 5, 5), Region(3, 0, 5, 5))
    )


@pytest.mark.parametrize("name", ["occlusion", "edge-crop"])
@pytest.mark.parametrize("box", [(200, 0, 300, 9), (5, 5, 5, 9), (9, 9, 2, 20), (float("nan"), 0, 4, 4)])
def test_a_region_outside_the_image_is_refused(name: str, box: tuple[float, float, float, float]) -> None:
    argument = module_of(name).argument(item(Region(*box)))
    with pytest.raises(DataError, match="region"):
        changed(name, photo(100, 80), 1, argument=argument)


@pytest.mark.parametrize("name", sorted(WARPED))
def test_what_opencv_cannot_address_is_a_typed_error(name: str) -> None:
    with pytest.raises(ImageError, match="32766") as caught:
        changed(name, np.zeros((1, 32_767, 3), np.uint8), 1)
    assert caught.value.kind == "too_large"


def test_an_image_too_large_for_jpeg_is_a_typed_error() -> None:
    with pytest.raises(ImageError, match="JPEG"):
        changed("jpeg", np.zeros((1, 65_501, 3), np.uint8), 1)


@pytest.mark.parametrize(
    "name",
    [name for name in NAMES if name not in WARPED],
)
@pytest.mark.parametrize("shape", [(1, 33_000, 3), (33_000, 1, 3)], ids=["wide", "high"])
def test_everything_else_takes_very_long_images(name: str, shape: tuple[int, int, int]) -> None:
    assert changed(name, np.full(shape, 77, np.uint8), 1).size > 0


def test_every_name_is_found_by_the_registry() -> None:
    assert set(NAMES) <= set(discovery.names("perturbations"))
    assert len(PUBLISHED) == len(set(PUBLISHED)) == 19
