"""How alike the matched elements' descriptions are: FS of GUI-HalluBench (CVPR 2026).

The mean over matched pairs of the cosine of their descriptions' embeddings. Numbers of different embedding models
cannot be compared, and no model separates a red button from a blue one well: read it beside
`function_similarity_by_chance` and `label_agreement`. Without an embedding model there is no value.
"""

from __future__ import annotations

from snellen.estimate import Estimate
from snellen.metrics._screens import measured
from snellen.table import VerdictTable

TITLE = "Function similarity"
HIGHER_IS_BETTER: bool | None = True


def estimate(table: VerdictTable) -> Estimate:
    """Sum of cosines over matched pairs, of the parses."""
    return measured(table, "function_similarity")
