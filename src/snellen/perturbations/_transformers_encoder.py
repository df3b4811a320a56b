"""An image encoder of transformers (torch) as a surrogate: CLIP, SigLIP and their kin, or one without a text tower."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import cache
from typing import Any

from snellen.errors import UsageError
from snellen.perturbations._surrogate import Surrogate

_CHANNELS = 3


def loaded(where: str, wanted: str | None) -> Surrogate:
    """The model of a hub name or folder, at a revision; its code comes from transformers only, never from the model.

    An embedding is what ``get_image_features`` gives, else the pooled output, else the mean over the patches. Pixels
    are normalised as the model's own ``preprocessor_config.json`` says.

    Raises:
        ImportError: a package is missing.
        UsageError: the model sees no images, or of no fixed size.
    """
    torch = importlib.import_module("torch")
    transformers = importlib.import_module("transformers")
    processing = importlib.import_module("transformers.image_processing_utils")
    model = transformers.AutoModel.from_pretrained(where, revision=wanted, trust_remote_code=False).float().eval()
    model.requires_grad_(False)
    size = getattr(getattr(model.config, "vision_config", model.config), "image_size", None)
    if not isinstance(size, int) or size < 1:
        raise UsageError(f"hf:{where} is no image encoder that sees a square of fixed size: its image_size is {size!r}")
    declared, _ = processing.BaseImageProcessor.get_image_processor_dict(where, revision=wanted)
    mean, deviation = (
        torch.tensor(declared[key], dtype=torch.float32).view(1, _CHANNELS, 1, 1) for key in ("image_mean", "image_std")
    )

    def embed(pixels: Any) -> Any:
        given = {"pixel_values": (pixels - mean) / deviation}
        if hasattr(model, "get_image_features"):
            return _vector(model.get_image_features(**given))
        return _vector(model(**given))

    @cache
    def tokenizer() -> Any:
        try:
            return transformers.AutoTokenizer.from_pretrained(where, revision=wanted, trust_remote_code=False)
        except Exception as error:  # the hub's, the network's and the tokenizer's own each have theirs
            raise UsageError(f"hf:{where} has no tokenizer that can be loaded: {error}") from error

    def nearness(target: str) -> Callable[[Any], Any]:
        if not hasattr(model, "get_text_features"):
            raise UsageError(f"hf:{where} has no text tower and cannot be aimed at {target!r}: take a CLIP or SigLIP")
        longest = model.config.text_config.max_position_embeddings
        tokens = tokenizer()(target, padding="max_length", truncation=True, max_length=longest, return_tensors="pt")
        given = {"input_ids": tokens["input_ids"]}
        if not model.config.model_type.startswith("siglip"):  # SigLIP was trained without a mask
            given["attention_mask"] = tokens["attention_mask"]
        aim = _vector(model.get_text_features(**given))
        return lambda embedding: torch.nn.functional.cosine_similarity(embedding, aim)

    return Surrogate(size, embed, nearness)


def _vector(output: Any) -> Any:
    """(1, d), from a tensor (transformers 4) or an output with fields."""
    if hasattr(output, "shape"):
        return output
    pooled = getattr(output, "pooler_output", None)
    return pooled if pooled is not None else output.last_hidden_state.mean(dim=1)
