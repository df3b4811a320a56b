"""Hedging: tentative and certain texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.readers import hedging

TENTATIVE = [
    "One possible explanation is the 2015 reform, which may have lowered prices.",
    "This could reflect weak demand.",
    "A plausible reason is the new policy; without more data this is speculation.",
    "It is likely due to noise, though other causes are possible.",
    "The pattern is consistent with saturation.",
    "这可能是由于政策变化。",
    "一种解释是需求下降，但也不排除其他原因。",
    "也许是测量误差。",
]
CERTAIN = [
    "The reform caused it.",
    "It is definitely the policy.",
    "Prices fell because demand collapsed.",
    "This is certainly, undoubtedly and obviously due to what may be called greed.",
    "一定是政策导致的。",
    "需求下降导致价格下跌。",
    "",
    "...",
]


@pytest.mark.parametrize("text", TENTATIVE)
def test_tentative(text: str) -> None:
    assert hedging.read(text)


@pytest.mark.parametrize("text", CERTAIN)
def test_certain(text: str) -> None:
    assert not hedging.read(text)


def test_tone_counts_and_density() -> None:
    tone = hedging.tone("It may rain. It will certainly rain, perhaps twice.")
    assert (tone.tentative, tone.certain, tone.words) == (2, 1, 9)
    assert tone.density == pytest.approx(100 / 9)
    assert hedging.tone("").density == 0.0


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    tone = hedging.tone(text)
    assert tone.tentative >= 0
    assert tone.certain >= 0
    assert tone.words >= 0
