"""Numbers as sums over clusters are the numbers of the results, everywhere."""

from __future__ import annotations

import random

import pytest

from snellen.card import Card
from snellen.engine.results import summarise
from snellen.engine.run_numbers import MOST, numbers_of, usual
from snellen.item import Change, Item
from snellen.table import TableBuilder, VerdictTable
from snellen.verdict import ABSTAINED, Verdict

SCREENS = Card("gui-x", "Screens", "", domain="screen", labels={"task": ("parsing", "confusion", "fabricated")})
CHARTS = Card(
    "charts-x",
    "Charts",
    "",
    domain="chart",
    labels={"relation": ("normal", "inexistent"), "kind": ("a", "b")},
    answerable={"relation": ("normal",)},
)


def screens(seed: int, languages: tuple[str, ...] = ("en", "zh"), similarity: bool = True) -> VerdictTable:
    """Verdicts on six screens, some unscored, clusters shared by languages."""
    rng, builder = random.Random(seed), TableBuilder()
    position = 0
    for screen in range(6):
        for language in languages:
            for task in ("parsing", "confusion", "confusion", "fabricated"):
                labels = {"task": task, "language": language}
                item = Item(f"g/{position}", "?", labels=labels, cluster=f"s{screen}", language=language)
                if position % 11 == 5:
                    verdict = Verdict(None, unscored="model_error")
                elif task == "parsing":
                    pairs = rng.randrange(4)
                    measures: dict[str, tuple[float, float]] = {"recall": (pairs, 5), "precision": (pairs, 4)}
                    if similarity:
                        measures["function_similarity"] = (pairs * 0.8, pairs)
                    verdict = Verdict(int(pairs == 3), measures=measures)
                else:
                    verdict = Verdict(rng.randrange(2), flags=(ABSTAINED,) if rng.random() < 0.3 else ())
                builder.add(position, item, verdict)
                position += 1
    return builder.build()


def charts(seed: int) -> VerdictTable:
    """Verdicts on charts, with changed versions."""
    rng, builder = random.Random(seed), TableBuilder(CHARTS.answerable)
    for number in range(40):
        labels = {"relation": ("normal", "inexistent")[number % 2], "kind": "ab"[number // 2 % 2]}
        cluster = f"c{number // 4}"
        verdict = (
            Verdict(None, unscored="blocked") if number % 9 == 1 else Verdict(rng.randrange(2), flags=(ABSTAINED,))
        )
        builder.add(2 * number, Item(f"c/{number}", "?", labels=labels, cluster=cluster), verdict)
        changed = Item(
            f"c/{number}@jpeg:3",
            "?",
            groups={"pair": f"c/{number}"},
            changes=(Change("jpeg", 3, 0, "kept" if number % 5 else "altered"),),
            labels=labels,
            cluster=cluster,
        )
        builder.add(2 * number + 1, changed, Verdict(rng.randrange(2)))
    return builder.build()


@pytest.mark.parametrize("seed", range(5))
def test_numbers_on_screens_are_those_of_the_results(seed: int) -> None:
    table = screens(seed)
    results = summarise(table, SCREENS, len(table)).screens
    assert results is not None
    found = numbers_of(table, SCREENS)
    assert {"parsing_average", "macro_hallucination_average", "parsing_recall:zh", "rejection_rate"} <= found.keys()
    for key, number in found.items():
        name, _, language = key.partition(":")
        estimate = (results.languages[language] if language else results.numbers)[name]
        assert estimate.value == pytest.approx(number.number, abs=1e-12), key
    known = {name for name, each in results.numbers.items() if each.value is not None}
    assert known == {key for key in found if ":" not in key}


def test_numbers_elsewhere_are_those_of_the_results() -> None:
    table = charts(1)
    results = summarise(table, CHARTS, len(table), ("jpeg:3",))
    found = numbers_of(table, CHARTS)
    assert list(found) == [
        *("score", "relation=normal", "relation=inexistent", "kind=a", "kind=b"),
        *("abstention", "over_refusal", "resistance"),
    ]
    assert found["score"].number == pytest.approx(results.headline.value)
    assert found["kind=b"].number == pytest.approx(results.marginals["kind"]["b"].value)
    assert found["abstention"].number == pytest.approx(results.abstention.value)
    assert found["over_refusal"].number == pytest.approx(results.over_refusal.value)
    from snellen.metrics import resistance_rate

    assert found["resistance"].number == pytest.approx(resistance_rate.estimate(table).value)


def test_the_usual_ones_on_screens_are_the_twelve() -> None:
    keys = usual(list(numbers_of(screens(0), SCREENS)), SCREENS)
    of_language = [
        "parsing_recall",
        "parsing_precision",
        "function_similarity",
        "localization_accuracy",
        "rejection_rate",
    ]
    assert keys == [
        *(f"{name}:en" for name in of_language),
        *(f"{name}:zh" for name in of_language),
        "parsing_average",
        "macro_hallucination_average",
    ]


def test_with_one_language_they_have_none_in_their_names() -> None:
    keys = usual(list(numbers_of(screens(0, ("en",)), SCREENS)), SCREENS)
    assert keys[:2] == ["parsing_recall", "parsing_precision"]
    assert len(keys) == 7


def test_without_an_embedder_there_is_no_parsing_average() -> None:
    found = numbers_of(screens(0, similarity=False), SCREENS)
    assert "parsing_average" not in found
    assert "function_similarity:en" not in found
    assert "macro_hallucination_average" in found


def test_what_is_a_part_of_what() -> None:
    found = numbers_of(screens(0), SCREENS)
    assert "parsing_recall:en" in found["parsing_average"].parts
    assert "rejection_rate:zh" in found["macro_hallucination_average"].parts
    assert "parsing_recall:en" in found["parsing_recall"].parts
    assert "rejection_rate:zh" not in found["parsing_average"].parts
    assert "relation=normal" in numbers_of(charts(0), CHARTS)["score"].parts


def test_a_hostile_label_of_many_values_is_cut_and_an_empty_table_has_no_numbers() -> None:
    builder = TableBuilder()
    for number in range(200):
        builder.add(number, Item(f"c/{number}", "?", labels={"kind": f"v{number}"}), Verdict(number % 2))
    assert len(usual(list(numbers_of(builder.build(), CHARTS)), CHARTS)) == MOST
    for card in (CHARTS, SCREENS):
        assert numbers_of(TableBuilder().build(), card) == {}
