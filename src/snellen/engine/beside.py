"""What stands beside the judge's numbers and never in their place: object-level CHAIR of captions, and accuracy as
SHALE's published script reads answers. Both come from measures that the judge put on its verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from snellen.estimate import Estimate
from snellen.metrics import accuracy, chair_i, chair_s, non_hallucination_rate, object_coverage, published_accuracy
from snellen.table import VerdictTable

_DIFFERS = "published_differs"


@dataclass(frozen=True, slots=True)
class Captions:
    """Captions whose items name the objects in their pictures.

    Attributes:
        judged: share free of hallucination by the judge, of the same captions.
        chair_i: share of the objects mentioned that are not there.
        chair_s: share of the captions that mention such an object.
        coverage: share of the objects there that are mentioned.
    """

    judged: Estimate
    chair_i: Estimate
    chair_s: Estimate
    coverage: Estimate

    @classmethod
    def of(cls, table: VerdictTable) -> Captions:
        """Of a table's captions; it must have the measures."""
        named = table.select(table.measure(chair_s.MEASURE)[1] > 0)
        return cls(
            non_hallucination_rate.estimate(named),
            chair_i.estimate(named),
            chair_s.estimate(named),
            object_coverage.estimate(named),
        )

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names."""
        return {name: getattr(self, name).to_json() for name in self.__slots__}


CaptionParts = Mapping[tuple[str, str], Captions]
"""(label, value) -> its captions; ``("", "")`` is all of them."""


def caption_parts(table: VerdictTable, labels: Mapping[str, Sequence[str]]) -> CaptionParts:
    """All captions with CHAIR, then those of each value of the labels by which they differ; empty where there are none.

    Args:
        table: of clean items.
        labels: label -> values, in the order in which they are shown.
    """
    if chair_s.MEASURE not in table.measures:
        return {}
    named = table.select(table.measure(chair_s.MEASURE)[1] > 0)
    if not len(named):
        return {}
    parts = {("", ""): Captions.of(named)}
    for label, values in labels.items():
        if label not in named.label_names:
            continue
        found = {value: part for value in values if len(part := named.where(**{label: value}))}
        if len(found) > 1:
            parts |= {(label, value): Captions.of(part) for value, part in found.items()}
    return parts


@dataclass(frozen=True, slots=True, eq=False)
class Published:
    """Yes-or-no and multiple-choice items of SHALE, read as its published script reads them, beside the reading here.

    Attributes:
        accuracy: of the reading here, over the clean items.
        published: of the published reading, over the same.
        read: items read both ways, changed versions included.
        differing: int64: places in the plan of those on which the readings differ, rising.
        values: int8: their values under the published reading.
    """

    accuracy: Estimate
    published: Estimate
    read: int
    differing: npt.NDArray[np.int64]
    values: npt.NDArray[np.int8]

    def to_json(self) -> dict[str, Any]:
        """Plain values; the items themselves are listed among the differences of a judged run."""
        return {
            "accuracy": self.accuracy.to_json(),
            "published": self.published.to_json(),
            "read": self.read,
            "differing": len(self.differing),
        }


def published(table: VerdictTable) -> Published | None:
    """Both readings of a table of clean and changed items; None where nothing was read both ways."""
    if _DIFFERS not in table.measures:
        return None
    read = table.measure(_DIFFERS)[1]
    both = table.select(read > 0)
    if not len(both):
        return None
    clean = both.select(both.clean)
    differing = both.select(both.measure(_DIFFERS)[0] > 0)
    return Published(
        accuracy.estimate(clean),
        published_accuracy.estimate(clean),
        len(both),
        differing.positions,
        differing.measure(published_accuracy.MEASURE)[0].astype(np.int8),
    )
