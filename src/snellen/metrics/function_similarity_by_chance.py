"""The chance level of function similarity: the same cosine over the pairs that do not belong together.

On every screen the descriptions that were matched are paired with each other's partners instead. Multilingual embedding
models give 0.8 and more there, so a function similarity says something only by how far it lies above this.
"""

from __future__ import annotations

from snellen.estimate import Estimate
from snellen.metrics._screens import measured
from snellen.table import VerdictTable

TITLE = "Function similarity by chance"
HIGHER_IS_BETTER: bool | None = None


def estimate(table: VerdictTable) -> Estimate:
    """Sum of cosines over shuffled pairs, of the parses with two matches or more."""
    return measured(table, "function_similarity_by_chance")
