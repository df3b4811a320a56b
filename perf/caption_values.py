"""What an embedded judge can say of captions: are the numbers of a sentence on the chart, as optical reading sees it?

    python perf/caption_values.py --data ../shared/data/chocolate

The data folder holds ``chocolate.json`` (captions of charts by sentences, with the errors that people named in each)
and ``images/``. A sentence with numbers passes if each is on the chart within one per cent, read by the `ocr`
model's reader; people's label is whether they named a value error. It sees no trend, no name and no comparison, and a
value that is right and must be read off an axis it calls wrong: so it is beside people what it is, and no more.

Prints agreement with intervals over charts.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image

from snellen.agreement import agreeing_share, cohen_kappa
from snellen.estimate import rate
from snellen.models._rapidocr import recognize
from snellen.readers import number

NEAR = 0.01
"""How far a number may lie from one on the chart, as a share of it."""


def on_chart(image: Path) -> npt.NDArray[np.float64]:
    """Every number that is read on a picture."""
    with Image.open(image) as opened:
        lines = recognize(opened.convert("RGB"))
    return np.array([quantity.value for line in lines for quantity in number.read(line.text)])


def verdict(sentence: str, seen: npt.NDArray[np.float64]) -> int:
    """1 if every number is there, 0 if one is not, -1 where there is none."""
    stated = [quantity.value for quantity in number.read(sentence)]
    if not stated:
        return -1
    return int(all((np.abs(seen - value) <= NEAR * np.maximum(abs(value), 1e-9)).any() for value in stated))


def report(data: Path) -> str:
    """A table in markdown."""
    people, judge, charts = [], [], []
    known: dict[str, npt.NDArray[np.float64]] = {}
    for row in json.loads((data / "chocolate.json").read_text("utf-8")):
        image = data / "images" / Path(row["image_path"]).name
        if not image.is_file():
            continue
        if image.name not in known:
            known[image.name] = on_chart(image)
        for sentence, errors in zip(row["sentences"], row["labels"], strict=True):
            people.append(int("value_error" not in errors))
            judge.append(verdict(sentence, known[image.name]))
            charts.append(image.name)
    y, f, clusters = np.array(people), np.array(judge), np.array(charts)
    both = f >= 0
    wrong, right = both & (y == 0), both & (y == 1)
    kappa = cohen_kappa(y, f, clusters)
    return "\n".join(
        [
            f"{len(y):,} sentences on {len(known)} charts, {int(both.sum()):,} of them with numbers",
            f"agree: {agreeing_share(y, f, clusters)}",
            f"kappa: {kappa.value:.2f} [{kappa.low:.2f}, {kappa.high:.2f}]",
            f"value errors found: {rate(f[wrong] == 0, clusters[wrong])}",
            f"others passed: {rate(f[right] == 1, clusters[right])}",
        ]
    )


def main() -> None:
    """Print what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="holds chocolate.json and images/")
    print(report(parser.parse_args().data))


if __name__ == "__main__":
    main()
