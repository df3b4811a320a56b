"""How the numbers of screens hang on the overlap that counts as the same place: a sweep over thresholds.

Published numbers use 0.5. A model that draws its boxes a little too wide loses there and not at 0.3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from snellen.box import Box
from snellen.engine.screen_answers import Parse, Ratios
from snellen.estimate import Estimate
from snellen.readers.boxes import TargetReading

THRESHOLDS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


@dataclass(frozen=True, slots=True)
class SweepLine:
    """The numbers at one threshold.

    Attributes:
        threshold: intersection over union that counts.
        recall, precision: of the parses.
        localization: share of the present targets whose predicted box overlaps that far. Answers that give a point
            have no overlap and are left out; rejections and unreadable answers are misses.
    """

    threshold: float
    recall: Estimate
    precision: Estimate
    localization: Estimate

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names."""
        parts = {"recall": self.recall, "precision": self.precision, "localization": self.localization}
        return {"threshold": self.threshold, **{name: each.to_json() for name, each in parts.items()}}


@dataclass(frozen=True, slots=True)
class Sweep:
    """The numbers at every threshold.

    Attributes:
        lines: by threshold, rising.
        points: present targets that were answered with a point.
    """

    lines: Sequence[SweepLine]
    points: int

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names."""
        return {"lines": [line.to_json() for line in self.lines], "points": self.points}


class Sweeping:
    """Collects a sweep, a row at a time.

    Args:
        matching: as the judge's option.
    """

    def __init__(self, matching: str) -> None:
        self._matching, self._points = matching, 0
        self._ratios = {threshold: Ratios("recall", "precision", "localization") for threshold in THRESHOLDS}

    def parse(self, cluster: str, parse: Parse) -> None:
        """One parse."""
        for threshold, ratios in self._ratios.items():
            pairs = len(parse.pairs(self._matching, threshold))
            ratios.add(cluster, "recall", pairs, len(parse.true))
            ratios.add(cluster, "precision", pairs, parse.count)

    def place(self, cluster: str, target: Box, reading: TargetReading) -> None:
        """One answer about a target that is there."""
        if reading.point is not None and reading.box is None:
            self._points += 1
            return
        overlap = reading.box.iou(target) if reading.box is not None else 0.0
        for threshold, ratios in self._ratios.items():
            ratios.add(cluster, "localization", overlap >= threshold, 1)

    def result(self) -> Sweep:
        """The sweep over what was collected."""
        lines = [
            SweepLine(threshold, *(ratios.estimate(name) for name in ("recall", "precision", "localization")))
            for threshold, ratios in self._ratios.items()
        ]
        return Sweep(tuple(lines), self._points)
