"""Statistics over data frames: every number of Snellen from a table of results, Snellen's own or anybody's.

A table is a Polars frame, or a lazy one, with a row for each verdict. The names of its columns are arguments, whose
defaults are those of `snellen.frame`. `by` names columns whose values get rows of their own. What comes back is a frame
too: the columns of `by`, then ``value``, ``low``, ``high`` (a 95 % interval), ``n`` (rows it is over), ``clusters``
(distinct ones among them), ``unscored`` (rows that belong here and have no value), ``lower_bound`` and ``upper_bound``
(the value, were all unscored 0, or 1; null where that is not known) and ``method`` (of the interval).

The formulas are those of the commands and stand where these have them; docs/library.md lists all with their sources.
What cannot be used is a `DataError` that names column and row, rows being counted from 0; a column that is not there is
a `UsageError`.

>>> import polars as pl
>>> from snellen import statistics
>>> table = pl.DataFrame({"value": [1, 0, None, 1], "cluster": ["a", "a", "b", "b"], "kind": ["x", "y", "x", "x"]})
>>> statistics.rate(table, by="kind").select("kind", "value", "n", "clusters", "unscored").rows()
[('x', 1.0, 2, 2, 1), ('y', 0.0, 1, 1, 0)]
"""

from snellen.statistics.agreeing import adjusted_rate, agreement, reliability
from snellen.statistics.certainty import (
    calibration_error,
    reliability_diagram,
    risk_coverage,
    risk_coverage_curve,
    signal_detection,
)
from snellen.statistics.comparing import compare, difference, pairwise, tiers
from snellen.statistics.planning import power
from snellen.statistics.ranking import rank_correlation
from snellen.statistics.rates import counterfactual_consistency, rate, ratio, resistance_rate
from snellen.statistics.verdicts import frame, read_export

__all__ = [
    "adjusted_rate",
    "agreement",
    "calibration_error",
    "compare",
    "counterfactual_consistency",
    "difference",
    "frame",
    "pairwise",
    "power",
    "rank_correlation",
    "rate",
    "ratio",
    "read_export",
    "reliability",
    "reliability_diagram",
    "resistance_rate",
    "risk_coverage",
    "risk_coverage_curve",
    "signal_detection",
    "tiers",
]
