"""The numbers of a run on screens, worked out by hand, and the gap between its languages."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from snellen.card import Card, PublishedRow
from snellen.engine.language_gap import language_gap
from snellen.engine.results import summarise
from snellen.engine.screen_numbers import LINEARISED, NUMBERS, PUBLISHED, estimate
from snellen.engine.screens import Screens, measure
from snellen.estimate import BOOTSTRAP, NO_INTERVAL
from snellen.intervals import bootstrap, cluster_sums
from snellen.item import Item
from snellen.table import TableBuilder, VerdictTable
from snellen.verdict import ABSTAINED, FORMAT_ERROR, UNCLEAR, Verdict

CARD = Card("gui", "GUI", "Screens.", labels={"task": ("parsing", "confusion", "fabricated"), "language": ("en", "zh")})

Row = tuple[str, str, str, Verdict, Mapping[str, str]]


def pointed(where: str, value: int, **more: tuple[float, float]) -> Verdict:
    measures: dict[str, tuple[float, float]] = {"rejected": (0, 1)}
    measures |= {name: (name == where, 1) for name in ("hit", "hit_distractor", "hit_elsewhere")}
    return Verdict(value, measures=measures | more)


def parse(**measures: tuple[float, float]) -> Verdict:
    return Verdict(0, measures=measures)


HIT = pointed("hit", 1)
ON_DISTRACTOR = pointed("hit_distractor", 0)
ELSEWHERE = pointed("hit_elsewhere", 0)
REJECTED_WRONGLY = Verdict(0, flags=(ABSTAINED,), measures={"rejected": (1, 1)})
REJECTED = Verdict(1, flags=(ABSTAINED,), measures={"rejected": (1, 1)})
UNREADABLE = Verdict(0, flags=(FORMAT_ERROR,), measures={"rejected": (0, 1)})
VAGUE = Verdict(0, flags=(UNCLEAR,), measures={"rejected": (0, 1)})
CONTRADICTED = Verdict(0, measures={"rejected": (0, 1), "contradicted": (1, 1)})
FAILED = Verdict(None, unscored="model_error")

ROWS: list[Row] = [
    (
        "parsing",
        "en",
        "a",
        parse(
            recall=(3, 4),
            precision=(3, 6),
            function_similarity=(2.7, 3),
            function_similarity_by_chance=(4.8, 6),
            label_agreement=(2, 3),
        ),
        {"density": "sparse"},
    ),
    (
        "parsing",
        "en",
        "b",
        parse(recall=(1, 2), precision=(1, 1), function_similarity=(0.9, 1), label_agreement=(0, 1)),
        {"density": "dense"},
    ),
    (
        "parsing",
        "zh",
        "a",
        parse(
            recall=(2, 4),
            precision=(2, 4),
            function_similarity=(1.6, 2),
            function_similarity_by_chance=(1.4, 2),
            label_agreement=(2, 2),
        ),
        {"density": "sparse"},
    ),
    ("parsing", "zh", "b", parse(recall=(0, 2), precision=(0, 3)), {"density": "dense"}),
    ("confusion", "en", "a", HIT, {"size": "large", "platform": "web"}),
    ("confusion", "en", "a", ON_DISTRACTOR, {"size": "small", "platform": "web"}),
    ("confusion", "en", "b", ELSEWHERE, {"size": "large", "platform": "mobile"}),
    ("confusion", "en", "b", REJECTED_WRONGLY, {"size": "small", "platform": "mobile"}),
    ("confusion", "en", "b", VAGUE, {"size": "small", "platform": "mobile"}),
    ("confusion", "en", "b", FAILED, {"size": "small", "platform": "mobile"}),
    ("confusion", "zh", "a", HIT, {"size": "large", "platform": "web"}),
    ("confusion", "zh", "b", HIT, {"size": "large", "platform": "mobile"}),
    ("fabricated", "en", "a", REJECTED, {"platform": "web"}),
    ("fabricated", "en", "b", CONTRADICTED, {"platform": "mobile"}),
    ("fabricated", "zh", "a", REJECTED, {"platform": "web"}),
]


def table_of(rows: Sequence[Row]) -> VerdictTable:
    builder = TableBuilder()
    for number, (task, language, screen, verdict, labels) in enumerate(rows):
        more = {"task": task, "language": language, **labels}
        builder.add(number, Item(f"g/{number}", "?", labels=more, cluster=screen, language=language), verdict)
    return builder.build()


def screens_of(rows: Sequence[Row], card: Card = CARD) -> Screens:
    found = measure(table_of(rows), card)
    assert found is not None
    return found


def values(found: Mapping[str, object]) -> dict[str, float | None]:
    return {name: getattr(each, "value", None) for name, each in found.items()}


def test_the_published_numbers_by_hand() -> None:
    found = screens_of(ROWS)
    english, chinese, both = found.languages["en"], found.languages["zh"], found.numbers
    by_hand = {
        "parsing_recall": (4 / 6, 2 / 6, 6 / 12),
        "parsing_precision": (4 / 7, 2 / 7, 6 / 14),
        "function_similarity": (0.9, 0.8, 5.2 / 6),
        "function_similarity_by_chance": (0.8, 0.7, 6.2 / 8),
        "label_agreement": (2 / 4, 1, 4 / 6),
        "localization_accuracy": (1 / 5, 1, 3 / 7),
        "rejection_rate": (1 / 2, 1, 2 / 3),
        "macro_hallucination_average": ((0.2 + 0.5) / 2, 1, (0.2 + 0.5 + 1 + 1) / 4),
        "hallucination_average": (2 / 7, 1, 5 / 10),
        "format_error_rate": (0, 0, 0),
        "contradicted_rejections": (1 / 7, 0, 1 / 10),
    }
    en_average, zh_average = (4 / 6 + 4 / 7 + 0.9) / 3, (2 / 6 + 2 / 7 + 0.8) / 3
    by_hand["parsing_average"] = (en_average, zh_average, (en_average + zh_average) / 2)
    for name, expected in by_hand.items():
        measured = [numbers[name].value for numbers in (english, chinese, both)]
        assert measured == pytest.approx(expected), name
    assert set(PUBLISHED) < set(by_hand)
    assert (both["localization_accuracy"].n, both["localization_accuracy"].unscored) == (7, 1)


def test_the_ways_to_miss_a_target_make_up_all_of_them() -> None:
    found = screens_of([*ROWS, ("confusion", "en", "b", UNREADABLE, {})])
    english = values(found.languages["en"])
    ways = ("missed_on_distractor", "missed_elsewhere", "false_rejection_rate", "missed_without_place")
    assert [english[name] for name in ways] == pytest.approx([1 / 6, 1 / 6, 1 / 6, 2 / 6])
    assert [found.languages["zh"][name].value for name in ways] == [0, 0, 0, 0]
    for numbers in (found.numbers, *found.languages.values()):
        parts = [numbers[name] for name in ("localization_accuracy", *ways)]
        assert sum(part.hits or 0 for part in parts) == parts[0].n
        assert len({part.n for part in parts}) == 1
    assert english["format_error_rate"] == pytest.approx(1 / 10)


def test_rejecting_everything() -> None:
    rows: list[Row] = [("confusion", "en", f"{number}", REJECTED_WRONGLY, {}) for number in range(6)]
    rows += [("fabricated", "en", f"{number}", REJECTED, {}) for number in range(4)]
    found = screens_of(rows).numbers
    assert (found["localization_accuracy"].value, found["rejection_rate"].value) == (0, 1)
    assert found["false_rejection_rate"].value == 1
    assert (found["macro_hallucination_average"].value, found["hallucination_average"].value) == (0.5, 0.4)
    assert found["macro_hallucination_average"].low is None  # no resample differs: that says nothing
    assert found["macro_hallucination_average"].method == NO_INTERVAL
    assert "parsing_recall" not in found


def test_without_an_embedding_model_there_is_no_parsing_average() -> None:
    plain = [(*row[:3], parse(recall=(1, 2), precision=(1, 3)), row[4]) for row in ROWS if row[0] == "parsing"]
    found = screens_of(plain)
    assert found.parsed
    assert not found.compared
    assert found.numbers["function_similarity"].value is None
    assert found.numbers["parsing_average"].value is None
    assert found.gap is not None
    assert list(found.gap.numbers) == ["parsing_recall", "parsing_precision", "format_error_rate"]
    assert found.gap.parsing_less_hallucination is None


def test_breakdowns_are_by_the_labels_that_there_are() -> None:
    found = screens_of(ROWS)
    assert {label: list(parts) for label, parts in found.breakdowns.items()} == {
        "platform": ["mobile", "web"],
        "size": ["small", "large"],
        "density": ["sparse", "dense"],
    }
    sparse, small = found.breakdowns["density"]["sparse"], found.breakdowns["size"]["small"]
    assert sparse["parsing_recall"].value == pytest.approx(5 / 8)
    assert sparse["function_similarity"].value == pytest.approx(4.3 / 5)
    assert "localization_accuracy" not in sparse
    assert (small["localization_accuracy"].value, small["localization_accuracy"].n) == (0, 3)
    assert small["missed_on_distractor"].value == pytest.approx(1 / 3)
    assert found.breakdowns["platform"]["web"]["macro_hallucination_average"].value == pytest.approx(
        (1 / 2 + 1 + 1 + 1) / 4
    )
    english = found.language_breakdowns["en"]
    assert english["density"]["sparse"]["parsing_recall"].value == pytest.approx(3 / 4)
    assert english["platform"]["web"]["macro_hallucination_average"].value == pytest.approx((1 / 2 + 1) / 2)
    assert set(screens_of([row for row in ROWS if row[1] == "en"]).language_breakdowns) == set()


def test_a_breakdown_weighs_every_target_alike_whatever_its_app() -> None:
    rows: list[Row] = [
        ("confusion", "en", f"a{i}", pointed("hit", 1), {"app": "A", "element": "text"}) for i in range(10)
    ]
    rows.append(("confusion", "en", "b", pointed("hit_elsewhere", 0), {"app": "B", "element": "text"}))
    text = screens_of(rows).breakdowns["element"]["text"]["localization_accuracy"]
    assert (f"{text:value}", text.hits, text.n) == ("90.9 %", 10, 11)


def test_targets_presumed_absent_are_a_number_of_their_own() -> None:
    rows: list[Row] = [("presumed-absent", "en", "a", REJECTED, {}), ("presumed-absent", "en", "b", VAGUE, {})]
    found = screens_of(rows).numbers
    assert list(found) == ["presumed_rejection_rate", "format_error_rate", "contradicted_rejections"]
    assert found["presumed_rejection_rate"].value == 0.5


def test_other_tasks_are_no_screens() -> None:
    assert measure(table_of([("yes-no", "en", "a", HIT, {})]), CARD) is None
    assert measure(TableBuilder().build(), CARD) is None
    unlabelled = TableBuilder()
    unlabelled.add(0, Item("i", "?"), HIT)
    assert measure(unlabelled.build(), CARD) is None
    assert summarise(unlabelled.build(), CARD, 1).screens is None


def test_results_carry_them_as_plain_values() -> None:
    row = PublishedRow("Best", {}, "a note", {"parsing_average": 0.7})
    card = Card("gui", "GUI", "Screens.", labels=CARD.labels, published=(row, PublishedRow("Bare", {"": 0.5})))
    plain = summarise(table_of(ROWS), card, len(ROWS)).to_json()["screens"]
    assert plain["numbers"]["rejection_rate"]["value"] == pytest.approx(2 / 3)
    assert plain["languages"]["zh"]["localization_accuracy"]["n"] == 2
    assert plain["gap"]["numbers"]["parsing_recall"]["difference"]["value"] == pytest.approx(1 / 3)
    assert plain["published"] == [{"model": "Best", "note": "a note", "metrics": {"parsing_average": 0.7}}]
    assert all(name in NUMBERS for name in plain["numbers"])


def test_a_gap_is_over_the_screens_of_both_languages() -> None:
    gap = language_gap(table_of(ROWS))
    assert gap is not None
    recall = gap.numbers["parsing_recall"]
    assert recall.paired
    assert recall.difference.value == pytest.approx(4 / 6 - 2 / 6)
    assert recall.values == pytest.approx((4 / 6, 2 / 6))
    assert (recall.difference.n, recall.difference.clusters) == (4, 2)
    assert gap.numbers["localization_accuracy"].difference.value == pytest.approx(0.2 - 1)
    rejected = gap.numbers["rejection_rate"]  # absent targets are on screen b in English alone
    assert rejected.paired
    assert (rejected.difference.value, rejected.difference.n, rejected.difference.clusters) == (0, 2, 1)
    assert rejected.difference.low is None
    parsing = (4 / 6 + 4 / 7 + 0.9) / 3 - (2 / 6 + 2 / 7 + 0.8) / 3
    beside = gap.parsing_less_hallucination
    assert beside is not None
    assert beside.values == pytest.approx((parsing, (0.2 + 0.5) / 2 - 1))
    assert beside.difference.value == pytest.approx(parsing - (0.35 - 1))


def test_without_screens_in_common_a_gap_is_over_all() -> None:
    rows = [(task, language, f"{language}{screen}", *rest) for task, language, screen, *rest in ROWS]
    gap = language_gap(table_of(rows))  # type: ignore[arg-type]
    assert gap is not None
    rejected = gap.numbers["rejection_rate"]
    assert not rejected.paired
    assert (rejected.difference.value, rejected.difference.n, rejected.difference.clusters) == (-0.5, 3, 3)


@pytest.mark.parametrize("rows", [[row for row in ROWS if row[1] == "en"], []])
def test_one_language_has_no_gap(rows: list[Row]) -> None:
    assert language_gap(table_of(rows)) is None


def hard_and_easy_screens(shared: bool) -> VerdictTable:
    """Forty screens, hard and easy ones; English always finds one element of twenty more than Chinese."""
    rows: list[Row] = []
    for number in range(40):
        hits = 2 + number % 16
        for language, found in (("en", hits + 1), ("zh", hits)):
            screen = f"{number}" if shared else f"{language}{number}"
            rows.append(("parsing", language, screen, parse(recall=(found, 20), precision=(found, 20)), {}))
    return table_of(rows)


def test_pairing_takes_the_differences_of_screens_out_of_the_interval() -> None:
    paired, apart = (language_gap(hard_and_easy_screens(shared)) for shared in (True, False))
    assert paired is not None
    assert apart is not None
    one, other = paired.numbers["parsing_recall"].difference, apart.numbers["parsing_recall"].difference
    assert one.value == pytest.approx(0.05)
    assert other.value == pytest.approx(0.05)
    assert one.low is None  # each screen has the very same difference
    assert other.low is not None
    assert other.high is not None
    assert other.low < 0 < 0.05 < other.high


def random_rows(seed: int, screens: int) -> list[Row]:
    draw = random.Random(seed)
    rows: list[Row] = []
    for number in range(screens):
        for language in ("en", "zh"):
            found = draw.randint(2, 12)
            measures = {
                "recall": (found, 14),
                "precision": (found, found + draw.randint(0, 4)),
                "function_similarity": (found * draw.uniform(0.8, 1), found),
            }
            rows.append(("parsing", language, f"{number}", parse(**measures), {"density": "sparse"}))
            for _ in range(3):
                verdict = draw.choice((HIT, ON_DISTRACTOR, ELSEWHERE, REJECTED_WRONGLY, VAGUE, FAILED))
                rows.append(("confusion", language, f"{number}", verdict, {"size": "small"}))
                rows.append(("fabricated", language, f"{number}", draw.choice((REJECTED, VAGUE)), {}))
    return rows


def test_a_gap_s_interval_is_the_bootstrap_of_its_screens() -> None:
    table = table_of(random_rows(3, 30))
    gap = language_gap(table)
    assert gap is not None
    columns = []
    for language in ("en", "zh"):
        rows = table.mask(task="confusion", language=language) & table.scored
        columns += [(rows & (table.values == 1)).astype(float), rows.astype(float)]
    expected = bootstrap(
        cluster_sums(columns, table.clusters), lambda t: t[..., 0] / t[..., 1] - t[..., 2] / t[..., 3], seed=0
    )
    found = gap.numbers["localization_accuracy"].difference
    assert found.method == BOOTSTRAP
    # Numbers over the same screens share their resamples, which puts the screens into another order.
    assert found.value == pytest.approx(expected.value)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=0.02)


@pytest.mark.parametrize("name", ["function_similarity", "parsing_average", "macro_hallucination_average"])
def test_the_quick_interval_is_that_of_the_bootstrap(name: str) -> None:
    table = table_of(random_rows(5, 120))
    slow, quick = estimate(table, name), estimate(table, name, quick=True)
    assert (slow.method, quick.method) == (BOOTSTRAP, LINEARISED)
    assert quick.value == pytest.approx(slow.value)
    assert (quick.n, quick.unscored) == (slow.n, slow.unscored)
    assert (quick.low, quick.high) == pytest.approx((slow.low, slow.high), abs=0.004)


def test_the_quick_interval_by_hand() -> None:
    rows: list[Row] = [
        ("parsing", "en", screen, parse(recall=(1, 1), precision=(1, 1), function_similarity=(cosines, pairs)), {})
        for screen, cosines, pairs in (("a", 1.8, 2), ("b", 0.7, 1), ("c", 0.8, 1))
    ]
    found = estimate(table_of(rows), "function_similarity", quick=True)
    deviations = np.array([1.8 - 2 * 0.825, 0.7 - 0.825, 0.8 - 0.825]) / 4
    half = 4.302652729911275 * np.sqrt(3 / 2 * (deviations**2).sum())  # t of two degrees of freedom
    assert found.value == pytest.approx(0.825)
    assert found.low == pytest.approx(0.825 - half)
    assert found.high == pytest.approx(min(0.825 + half, 1))


def test_order_of_rows_and_names_of_screens_do_not_matter() -> None:
    rows = random_rows(7, 12)
    renamed = [(task, language, f"x{99 - int(screen)}", *rest) for task, language, screen, *rest in rows]
    random.Random(1).shuffle(renamed)
    one, other = screens_of(rows), screens_of(renamed)  # type: ignore[arg-type]
    assert values(one.numbers) == pytest.approx(values(other.numbers))
    assert one.gap is not None
    assert other.gap is not None
    for name, gap in one.gap.numbers.items():
        there = other.gap.numbers[name].difference
        assert (gap.difference.low, gap.difference.high) == pytest.approx((there.low, there.high)), name
