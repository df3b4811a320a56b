"""A wrong value for a question on a chart: in the form of the right one, and never one that could be right too."""

from __future__ import annotations

import pytest

from snellen.benchmarks._wrong_value import wrong_value


@pytest.mark.parametrize(
    ("reference", "question", "wrong"),
    [
        ("Red.", "", "Blue"),
        ("Red.", "Which line lies above the blue one?", "Green"),
        ("The purple dashed line", "", "The red dashed line"),
        ("Three.", "", "Seven"),
        ("Eight panels", "", "Two panels"),
        ("Magenta", "", "Green"),
        ("The upper one", "", ""),
        ("The red one and the blue one", "", ""),
        ("The model that is drawn in red is the best", "", ""),
        ("PHY", "", ""),
        ("", "", ""),
        ("Redshift", "", ""),
        ("12.5", "", "46.2"),
    ],
)
def test_a_color_or_numeral_is_exchanged_where_it_is_the_whole_answer(
    reference: str, question: str, wrong: str
) -> None:
    assert wrong_value(reference, question) == wrong
