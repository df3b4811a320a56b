"""Where claims stand in an answer, and how it is cut up by them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.atomic_claim import CLAIM_VERDICTS, AtomicClaim, ClaimVerdict, locate, segments


def claim(quote: str, verdict: ClaimVerdict = "supported") -> AtomicClaim:
    return AtomicClaim("", quote, verdict)


def found(answer: str, *quotes: str) -> list[str | None]:
    """What stands in the answer where each quote was found."""
    located = locate(answer, [claim(quote) for quote in quotes])
    return [answer[each.start : each.end] if each.located else None for each in located]


@pytest.mark.parametrize(
    ("answer", "quote", "expected"),
    [
        ("Two cars\n  wait.", "cars wait", "cars\n  wait"),
        ("图中有３只猫，都是黑色的。", "3只猫,都是", "３只猫，都是"),
        ("图中有 3 只猫。", "3只猫", "3 只猫"),
        ("It\u2019s a \u201cstop\u201d sign.", 'It\'s a "stop" sign', "It\u2019s a \u201cstop\u201d sign"),
        ("A **red** `car`.", "red car", "red** `car"),
        ("<b>A dog</b> & a cat", "<b>A dog</b>", "<b>A dog</b>"),
        ("A dog sleeps.", "a dog", "A dog"),
        ("From 3\u20135 km", "3-5 km", "3\u20135 km"),
        ("A dog.", "A horse", None),
        ("A dog.", "", None),
        ("A dog.", " \n", None),
        ("", "dog", None),
    ],
)
def test_a_quote_is_found_as_judges_quote(answer: str, quote: str, expected: str | None) -> None:
    assert found(answer, quote) == [expected]


def test_a_quote_as_it_is_written_comes_before_one_in_other_capitals() -> None:
    located = locate("US firms lead us.", [claim("us"), claim("US")])
    assert [(each.start, each.end) for each in located] == [(14, 16), (0, 2)]


def test_equal_quotes_get_their_occurrences_in_order_and_the_last_again() -> None:
    located = locate("A cat, a dog, a cat.", [claim("cat"), claim("dog"), claim("cat"), claim("cat")])
    assert [each.start for each in located] == [2, 9, 16, 16]


def test_a_word_is_not_found_within_a_longer_one_where_it_stands_alone_too() -> None:
    assert [each.start for each in locate("concatenate a cat", [claim("cat")])] == [14]
    assert [each.start for each in locate("concatenate", [claim("cat")])] == [3]


def test_quotes_within_each_other_keep_their_places() -> None:
    assert found("a big red dog", "big red dog", "red dog", "red") == ["big red dog", "red dog", "red"]


def test_an_answer_is_cut_where_claims_begin_and_end_and_the_worst_shows() -> None:
    answer = "A big red dog runs."
    claims = locate(
        answer, [claim("big red dog"), claim("red", "contradicted"), claim("red dog", "absent"), claim("lost")]
    )
    assert [(each.text, each.verdict, each.claims) for each in segments(answer, claims)] == [
        ("A ", "", ()),
        ("big ", "supported", (0,)),
        ("red", "contradicted", (0, 1, 2)),
        (" dog", "absent", (0, 2)),
        (" runs.", "", ()),
    ]


def test_nothing_is_cut_of_an_answer_without_claims() -> None:
    assert [each.text for each in segments("A dog.", [])] == ["A dog."]
    assert segments("", []) == ()


@given(
    answer=st.text(alphabet="ab c*图，,\n“\u202e", max_size=40),
    quotes=st.lists(
        st.tuples(st.text(alphabet="ab c*图，,“", max_size=6), st.sampled_from(CLAIM_VERDICTS)), max_size=8
    ),
)
def test_the_segments_of_any_answer_are_the_answer(answer: str, quotes: list[tuple[str, ClaimVerdict]]) -> None:
    claims = locate(answer, [claim(*each) for each in quotes])
    parts = segments(answer, claims)
    assert "".join(part.text for part in parts) == answer
    for each in claims:
        assert each.located == (0 <= each.start < each.end <= len(answer))
    for part in parts:
        said = [claims[number].verdict for number in part.claims]
        assert part.verdict == (min(said, key=CLAIM_VERDICTS.index) if said else "")


def test_many_claims_are_located_in_a_megabyte() -> None:
    answer = "The cat sat on the mat, concatenated. " * 27_000
    quotes = ["cat", "mat", "a", "never there"] * 100 + [f"horse {n}" for n in range(200)]
    located = locate(answer, [claim(quote) for quote in quotes])
    assert "".join(part.text for part in segments(answer, located)) == answer
    assert sum(each.located for each in located) == 300
