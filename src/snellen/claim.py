"""Claim: a sentence of a paper about scores, in a form that can be tested on other runs.

A benchmark's module lists those of its paper as ``CLAIMS``; `snellen.engine.claims` tests them on a user's runs and on
the published table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["parts", "effort", "size", "prompt"]


@dataclass(frozen=True, slots=True)
class Claim:
    """What a paper states.

    Attributes:
        name: short, with hyphens.
        text: the sentence, in our words.
        kind: ``parts``: each model scores higher on some items than on others. The other three are of two runs on the
            same items: ``effort``, the same model with more reasoning effort gains at most `margin`; ``size``, the
            bigger model of a series scores higher; ``prompt``, the second of `prompts` scores higher than the first.
        higher, lower: of ``parts``: label -> values of the items with the higher and the lower score.
        items: of the others: label -> values of the items that count; all where empty.
        margin: of ``effort``: what still counts as little, as a share.
        prompts: of ``prompt``: names of two prompts.
        metric: name in `snellen.card.PublishedRow.metrics` that stands for the score of `items`; the overall rate where
            empty.
        series: models of the published table, smallest first, whose order of size their names do not give.
        pairs: of ``prompt`` and ``effort``: pairs of models of the published table, the first without, the second with.
    """

    name: str
    text: str
    kind: Kind
    higher: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    lower: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    items: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    margin: float = 0.0
    prompts: tuple[str, str] = ("", "")
    metric: str = ""
    series: tuple[tuple[str, ...], ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()
