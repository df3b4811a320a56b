"""Hallucinated claims per answer, and their share, on numbers that were worked out by hand."""

from __future__ import annotations

import pytest

from snellen.engine.claim_numbers import claim_numbers
from snellen.item import Item
from snellen.metrics import claim_hallucination_rate, hallucinated_claims_per_answer
from snellen.table import TableBuilder, VerdictTable
from snellen.verdict import Verdict


def table(*answers: tuple[int, int, int, int] | None) -> VerdictTable:
    """(supported, contradicted, absent, cannot tell) of each answer, two to an image; None for a judge that failed."""
    builder = TableBuilder()
    for position, counts in enumerate(answers):
        item = Item(f"a/{position}", "?", cluster=f"a/{position // 2}")
        if counts is None:
            builder.add(position, item, Verdict(None, unscored="judge_error"))
            continue
        supported, contradicted, absent, untold = counts
        told = supported + contradicted + absent
        measures: dict[str, tuple[float, float]] = {"claims": (told + untold, 1)}
        if told or not untold:
            measures |= {
                "supported": (supported, told),
                "contradicted": (contradicted, told),
                "absent": (absent, told),
            }
            value = int(not contradicted + absent)
            builder.add(position, item, Verdict(value, measures=measures))
        else:
            builder.add(position, item, Verdict(None, unscored="judge_cannot_tell", measures=measures))
    return builder.build()


FIVE = table((3, 1, 0, 0), (5, 0, 0, 2), (0, 2, 1, 0), (0, 0, 0, 0), (0, 0, 0, 4), None)


def test_hallucinated_claims_are_averaged_over_answers() -> None:
    found = hallucinated_claims_per_answer.estimate(FIVE)
    assert found.value == pytest.approx((1 + 0 + 3 + 0) / 4), (
        "the fifth can be told nothing of, the sixth was not judged"
    )
    assert found.n == 4
    assert found.low is not None
    assert found.high is not None
    assert found.low <= 1 <= found.high


def test_their_share_is_a_ratio_of_sums() -> None:
    found = claim_hallucination_rate.estimate(FIVE)
    assert found.value == pytest.approx(4 / 12)


def test_it_may_be_more_than_one_an_answer() -> None:
    assert hallucinated_claims_per_answer.estimate(table((0, 3, 2, 0), (0, 0, 7, 0))).value == pytest.approx(6)


def test_without_claims_there_is_no_number() -> None:
    assert claim_numbers(table(None)) is None
    assert hallucinated_claims_per_answer.estimate(table(None)).value is None
    nothing_said = table((0, 0, 0, 0))
    assert claim_hallucination_rate.estimate(nothing_said).value is None
    assert hallucinated_claims_per_answer.estimate(nothing_said).value == 0


def test_they_are_summed_up_in_a_sentence() -> None:
    found = claim_numbers(FIVE)
    assert found is not None
    assert (found.answers, found.claims, found.supported, found.contradicted, found.absent, found.untold) == (
        4, 18, 8, 3, 1, 6,
    )  # fmt: skip
    said = found.text()
    assert said.startswith("Claims in 4 answers: 1.00 [")
    assert "33.3 % [" in said
    assert said.endswith("of 12 claims (3 contradicted, 1 absent, 8 supported); 6 more cannot be told.")
    assert found.to_json()["rate"]["value"] == pytest.approx(1 / 3)
