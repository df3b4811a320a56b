"""Adversarial noise on encoders of transformers: tiny ones with random weights, built here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from snellen.errors import UsageError
from snellen.perturbations import _surrogate, adversarial, adversarial_targeted
from snellen.perturbations._pixels import Pixels

pytestmark = pytest.mark.train

SIZE = 32
TEXT = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
PREPROCESSING = {"image_mean": [0.48, 0.46, 0.41], "image_std": [0.27, 0.26, 0.28], "size": {"shortest_edge": SIZE}}


@pytest.fixture(scope="module")
def transformers() -> Any:
    reason = 'needs torch and transformers: pip install "snellen[adversarial]"'
    pytest.importorskip("torch", reason=reason)
    return pytest.importorskip("transformers", reason=reason)


@pytest.fixture(scope="module")
def clip(transformers: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a CLIP of 16 dimensions and a tokenizer of single letters."""
    folder = tmp_path_factory.mktemp("clip")
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = [*letters, *(f"{letter}</w>" for letter in letters), "<|startoftext|>", "<|endoftext|>"]
    (folder / "vocab.json").write_text(json.dumps({word: number for number, word in enumerate(words)}))
    (folder / "merges.txt").write_text("#version: 0.2\n")
    (folder / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "CLIPTokenizer"}))
    ends = {"bos_token_id": len(words) - 2, "eos_token_id": len(words) - 1, "pad_token_id": len(words) - 1}
    config = transformers.CLIPConfig(
        text_config={**TEXT, **ends, "vocab_size": len(words), "max_position_embeddings": 12},
        vision_config={**TEXT, "image_size": SIZE, "patch_size": 8},
        projection_dim=16,
    )
    save(transformers.CLIPModel, config, folder)
    return folder


@pytest.fixture(scope="module")
def plain(transformers: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a vision transformer that reads nothing."""
    folder = tmp_path_factory.mktemp("vit")
    save(transformers.ViTModel, transformers.ViTConfig(**TEXT, image_size=SIZE, patch_size=8), folder)
    return folder


@pytest.fixture(scope="module")
def siglip(transformers: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a SigLIP without a tokenizer."""
    folder = tmp_path_factory.mktemp("siglip")
    config = transformers.SiglipConfig(
        text_config={**TEXT, "vocab_size": 30, "max_position_embeddings": 8},
        vision_config={**TEXT, "image_size": SIZE, "patch_size": 8},
    )
    save(transformers.SiglipModel, config, folder)
    return folder


def save(kind: Any, config: Any, folder: Path) -> None:
    import importlib

    importlib.import_module("torch").manual_seed(3)
    kind(config).save_pretrained(folder)
    (folder / "preprocessor_config.json").write_text(json.dumps(PREPROCESSING))


def choose(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setenv(_surrogate.VARIABLE, f"hf:{folder}")


def picture(height: int = 50, width: int = 70) -> Pixels:
    return np.random.default_rng(2).integers(0, 256, (height, width, 3), dtype=np.uint8)


def attacked(image: Pixels, severity: int, target: str = "") -> Pixels:
    if target:
        return adversarial_targeted.change(image, severity, np.random.default_rng(0), f'{{"target":"{target}"}}')
    return adversarial.change(image, severity, np.random.default_rng(0))


@pytest.mark.parametrize("which", ["clip", "siglip", "plain"])
@pytest.mark.parametrize("size", [(1, 1), (20, 90), (64, 64)], ids=str)
def test_within_the_bound_the_same_bytes_and_effective(
    which: str, size: tuple[int, int], request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose(monkeypatch, request.getfixturevalue(which))
    image = picture(*size)
    made = attacked(image, 4)
    assert int(np.abs(made.astype(int) - image).max()) <= 8
    assert np.array_equal(made, attacked(image, 4))
    noise = np.random.default_rng(1).integers(-8, 9, image.shape)
    noisy = np.clip(image + noise, 0, 255).astype(np.uint8)
    assert adversarial.effect(image, made) < adversarial.effect(image, noisy)


def test_a_text_is_aimed_at(clip: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib

    torch = importlib.import_module("torch")
    choose(monkeypatch, clip)
    image = picture(SIZE, SIZE)
    changed = {target: attacked(image, 5, target) for target in ("cat", "dog by a house")}
    with _surrogate.surrogate() as encoder, torch.no_grad():
        for target, made in changed.items():
            before, after = (
                float(
                    encoder.nearness(target)(encoder.embed(torch.tensor(each.transpose(2, 0, 1)[None] / 255.0).float()))
                )
                for each in (image, made)
            )
            assert after > before + 0.01
    assert not np.array_equal(changed["cat"], changed["dog by a house"])


def test_a_target_longer_than_the_text_tower_is_cut(clip: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    choose(monkeypatch, clip)
    assert attacked(picture(), 1, "cat " * 50).shape == picture().shape


def test_without_a_text_tower_it_says_so(plain: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    choose(monkeypatch, plain)
    with pytest.raises(UsageError, match="no text tower"):
        attacked(picture(), 1, "cat")


def test_without_a_tokenizer_it_says_so(siglip: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    choose(monkeypatch, siglip)
    with pytest.raises(UsageError, match="no tokenizer"):
        attacked(picture(), 1, "cat")


def test_the_revision_is_that_of_the_weights(clip: Path, plain: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    choose(monkeypatch, clip)
    first = adversarial.revision()
    choose(monkeypatch, plain)
    assert adversarial.revision() != first
    assert str(clip) not in first


@pytest.mark.usefixtures("transformers")
@pytest.mark.parametrize("content", ["", "{}", '{"model_type": "bert"}'])
def test_a_folder_without_an_image_encoder_is_refused(
    content: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "config.json").write_text(content)
    choose(monkeypatch, tmp_path)
    with pytest.raises(UsageError, match="SNELLEN_SURROGATE"):
        attacked(picture(), 1)


def test_a_text_model_is_refused(transformers: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(transformers.BertModel, transformers.BertConfig(**TEXT, vocab_size=30), tmp_path)
    choose(monkeypatch, tmp_path)
    with pytest.raises(UsageError, match="no image encoder"):
        attacked(picture(), 1)
