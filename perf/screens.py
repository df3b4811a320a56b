"""What reading parses of screens costs: answers read, elements matched, all metrics, without embeddings.

    python perf/screens.py [SCREENS] [ELEMENTS]

2,000 screens with 100 elements each and as many listed ones by default, made in memory: most listed boxes lie a little
beside a true one, some beside nothing, as models' do. CPU seconds of one process, by step, and its peak memory; exits
with 1 where all of it takes more than 20 s.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import orjson

from snellen import discovery
from snellen.answer import Answer
from snellen.box import Box
from snellen.convention import DEFAULT, Frame
from snellen.estimate import Estimate
from snellen.item import Element, ElementsReference, ImageRef, Item
from snellen.judges import _matching, gui
from snellen.readers.boxes import read_elements
from snellen.table import TableBuilder

TARGET = 20.0
"""CPU seconds that the default may take."""

METRICS = ("parsing-recall", "parsing-precision", "parsing-average", "label-agreement", "format-error-rate")

_WIDTH, _HEIGHT = 1920, 1080
_KINDS = ("icon", "text", "button", "image", "input")
_INVENTED = 0.2


class Cost(NamedTuple):
    """CPU seconds: of reading answers alone, of matching alone, and of everything (both, verdicts, table, metrics)."""

    reading: float
    matching: float
    everything: float
    recall: Estimate


def screens(count: int, elements: int, seed: int = 0) -> Iterator[tuple[Item, Answer]]:
    """So many screens in a grid of cells with a box in each, and a parse of each in a model's order."""
    rng = np.random.default_rng(seed)
    columns = int(np.ceil(np.sqrt(elements * _WIDTH / _HEIGHT)))
    rows = -(-elements // columns)
    width, height = _WIDTH / columns, _HEIGHT / rows
    for number in range(count):
        cell = rng.permutation(columns * rows)[:elements]
        left = (cell % columns + rng.uniform(0.05, 0.3, elements)) * width
        top = (cell // columns + rng.uniform(0.05, 0.3, elements)) * height
        size = rng.uniform(0.3, 0.65, (2, elements)) * [[width], [height]]
        true = np.rint(np.stack([left, top, left + size[0], top + size[1]], 1))
        moved = np.clip(np.rint(true + rng.normal(0, 0.04, (elements, 4)) * [width, height, width, height]), 0, None)
        away = rng.random(elements) < _INVENTED
        moved[away] = np.rint(moved[away] / 2)
        moved = np.minimum(moved, [_WIDTH, _HEIGHT, _WIDTH, _HEIGHT])
        moved[:, 2:] = np.maximum(moved[:, 2:], moved[:, :2])
        names = [f"opens the panel number {place} of screen {number}" for place in range(elements)]
        listed = [
            {"type": _KINDS[place % 5], "description": names[place], "bbox_2d": moved[place].astype(int).tolist()}
            for place in rng.permutation(elements).tolist()
        ]
        truth = tuple(Element(_KINDS[place % 5], names[place], Box(*true[place].tolist())) for place in range(elements))
        item = Item(
            f"s/{number}",
            "List every element.",
            (ImageRef("s.png", width=_WIDTH, height=_HEIGHT),),
            reference=ElementsReference(truth),
            labels={"task": "parsing"},
        )
        text = orjson.dumps(listed).decode()
        yield item, Answer("answered", f"```json\n{text}\n```")


def cost(count: int = 2_000, elements: int = 100) -> Cost:
    """Time a set of screens."""
    made = list(screens(count, elements))
    start = time.process_time()
    builder = TableBuilder()
    for position, (item, answer) in enumerate(made):
        builder.add(position, item, gui.read(item, answer))
    table = builder.build()
    found = {name: discovery.load("metrics", name).estimate(table) for name in METRICS}
    everything = time.process_time() - start
    start = time.process_time()
    frame = Frame((_WIDTH, _HEIGHT), (_WIDTH, _HEIGHT), (_WIDTH, _HEIGHT))
    listed = [[e.box for e in read_elements(answer.text, DEFAULT, frame).elements] for _, answer in made]
    reading = time.process_time() - start
    start = time.process_time()
    for (item, _), boxes in zip(made, listed, strict=True):
        assert isinstance(item.reference, ElementsReference)
        _matching.optimal(_matching.overlaps(boxes, [e.box for e in item.reference.elements]))
    return Cost(reading, time.process_time() - start, everything, found["parsing-recall"])


def main(count: int = 2_000, elements: int = 100) -> int:
    """Print what it costs; 1 where the default takes longer than it may."""
    spent = cost(count, elements)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{count:,} screens with {elements:,} elements and as many listed; recall {spent.recall:value}")
    print(f"reading answers {spent.reading:.2f} s, matching {spent.matching:.2f} s")
    print(f"reading, matching, verdicts and metrics {spent.everything:.2f} s; peak memory {peak:.0f} MB")
    if (count, elements) == (2_000, 100) and spent.everything > TARGET:
        print(f"more than the {TARGET:g} s it may take")
        return 1
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", nargs="?", type=int, default=2_000)
    parser.add_argument("elements", nargs="?", type=int, default=100)
    sys.exit(main(**vars(parser.parse_args())))
