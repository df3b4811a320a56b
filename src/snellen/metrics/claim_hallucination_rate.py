"""Share of the atomic claims in answers that are hallucinated: contradicted by the image, or with nothing in it to
support them.

One minus the share of supported facts as FActScore has it (Min et al. 2023, arXiv 2305.14251) and, for answers about
images, FaithScore (Jing et al. 2023, arXiv 2311.01477), with two differences: the average is over claims and not over
answers (a ratio of sums), and there is no penalty for short answers. Claims of which the judge cannot tell are left
out.
"""

from __future__ import annotations

from snellen.estimate import Estimate, ratio
from snellen.table import VerdictTable

TITLE = "Claim hallucination rate"
HIGHER_IS_BETTER: bool | None = False
MEASURES = ("contradicted", "absent")


def estimate(table: VerdictTable) -> Estimate:
    """Contradicted and absent claims over the claims that could be told; no value where there are none."""
    if not set(MEASURES) <= set(table.measures):
        return Estimate(None, None, None, 0, 0)
    (contradicted, told), (absent, _) = map(table.measure, MEASURES)
    counted = told >= 0  # NaN where a verdict has no such measure
    return ratio((contradicted + absent)[counted], told[counted], table.clusters[counted], seed=0)
