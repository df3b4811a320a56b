"""How many hallucinated claims an answer makes: atomic claims that the image contradicts or holds nothing to support.

The atomic facts are those of FActScore (Min et al. 2023, arXiv 2305.14251) and, for answers about images, of
FaithScore (Jing et al. 2023, arXiv 2311.01477), counted by the answer instead of by the fact. Long answers have more
occasion to be wrong, so it is read together with `claim_hallucination_rate`. Only answers that a judge of atomic claims
has taken apart take part. One without a claim counts with none; one of whose claims the judge can tell none is left
out.
"""

from __future__ import annotations

from snellen.estimate import Estimate, ratio
from snellen.table import VerdictTable

TITLE = "Hallucinated claims per answer"
HIGHER_IS_BETTER: bool | None = False
COUNTED = "claims"
MEASURES = ("contradicted", "absent")


def estimate(table: VerdictTable) -> Estimate:
    """Contradicted and absent claims over answers, each answer weighing the same; a number, not a share."""
    if not {COUNTED, *MEASURES} <= set(table.measures):
        return Estimate(None, None, None, 0, 0)
    (contradicted, told), (absent, _) = map(table.measure, MEASURES)
    _, answers = table.measure(COUNTED)
    counted = told >= 0  # NaN where a verdict has no such measure
    return ratio((contradicted + absent)[counted], answers[counted], table.clusters[counted], seed=0)
