"""Metrics: pure functions from a table of verdicts to an estimate.

A metric is one file here: ``TITLE`` (words for people), ``HIGHER_IS_BETTER`` (None where neither is) and
``estimate(table) -> Estimate``. It sees nouns only: no reader, no judge, no other metric.
"""
