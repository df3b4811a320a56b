"""A judge beside people: agreement, confusion, labels, worst cells, what people would have said."""

from __future__ import annotations

import json

import numpy as np
import pytest

from audited import CARD, Row, crowd_of, table_of
from snellen.engine.audit import audit
from snellen.engine.audit_sample import VERDICT
from snellen.engine.crowd import of_no_run, of_run
from snellen.engine.human_labels import HumanLabels, Label
from snellen.errors import UsageError

ROWS: list[Row] = [
    ("a1", "open/normal", 1),
    ("a2", "open/absent", 0),
    ("b1", "open/normal", 1),
    ("b2", "open/normal", 1),
    ("c1", "closed/absent", 0),
    ("c2", "closed/absent", 0),
    ("d1", "closed/absent", None),
    ("d2", "closed/normal", 1),
    ("e1", "closed/normal", 0),
    ("e1@jpeg:3", "closed/normal", 1),
]
SAID: list[tuple[str, int | None]] = [
    ("a1", 1),
    ("a2", 0),
    ("b1", 0),
    ("b2", 0),
    ("c1", 0),
    ("c2", 1),
    ("d1", 1),
    ("d2", None),
    ("e1@jpeg:3", 1),
]


def test_everything_by_hand() -> None:
    found = audit("made/run@rules", CARD, table_of(ROWS), crowd_of(ROWS, SAID))
    overall = found.overall
    assert (overall.accuracy.hits, overall.accuracy.n) == (4, 7)
    assert (overall.sensitivity.hits, overall.sensitivity.n) == (2, 4)  # of b1, b2, a2, c1 the judge finds two
    assert (overall.specificity.hits, overall.specificity.n) == (2, 3)
    assert (overall.lenient, overall.strict) == (2, 1)
    # p_o = 4 / 7; people 3 right of 7, judge 4 right of 7: p_e = 12 / 49 + 12 / 49.
    assert overall.kappa.value == pytest.approx((4 / 7 - 24 / 49) / (1 - 24 / 49))
    assert found.confusion.tolist() == [[2, 1, 1], [2, 2, 0], [1, 0, 0]]
    assert found.disagreements.tolist() == [2, 3, 5]
    assert found.values.tolist() == [1, 1, 0]
    assert (found.leniency.gained, found.leniency.lost) == (2, 1)
    assert found.leniency.value == pytest.approx(1 / 7)


def test_lines_for_labels_in_the_cards_order_and_for_conditions() -> None:
    found = audit("made/run@rules", CARD, table_of(ROWS), crowd_of(ROWS, SAID))
    lines = [(each.labels, each.accuracy.n, each.accuracy.hits) for each in found.parts]
    assert lines == [
        ({"kind": "open"}, 4, 2),
        ({"kind": "closed"}, 3, 2),
        ({"relation": "normal"}, 4, 2),
        ({"relation": "absent"}, 3, 2),
        ({"@change": "jpeg:3"}, 1, 1),
    ]
    (worst,) = found.worst  # cells of fewer than three answers, or without a disagreement, are not named
    assert worst.labels == {"kind": "open", "relation": "normal"}
    assert (worst.accuracy.hits, worst.accuracy.n) == (1, 3)


def test_the_adjusted_share_is_over_clean_decided_items() -> None:
    found = audit("made/run@rules", CARD, table_of(ROWS), crowd_of(ROWS, SAID))
    adjusted = found.adjusted
    assert adjusted is not None
    assert (adjusted.raw.hits, adjusted.raw.n) == (4, 8)
    assert (adjusted.audited.hits, adjusted.audited.n) == (2, 6)
    assert (adjusted.estimate.n, adjusted.estimate.unscored) == (6, 2)
    only_changed = audit("r", CARD, table_of(ROWS), crowd_of(ROWS, [("e1@jpeg:3", 0)]))
    assert only_changed.adjusted is None
    assert only_changed.sample == ()


def test_a_sample_of_failures_is_noticed() -> None:
    rng = np.random.default_rng(0)
    rows: list[Row] = [
        (f"{chr(0x4E00 + image)}{number}", "open/normal" if number % 2 else "closed/absent", int(rng.random() < 0.5))
        for image in range(60)
        for number in range(4)
    ]
    failures = [name for name, _, value in rows if value == 0][:60]
    chance = [rows[place][0] for place in rng.choice(len(rows), 60, replace=False)]
    for names, differs in ((failures, True), (chance, False)):
        found = audit("r", CARD, table_of(rows), crowd_of(rows, [(name, 1) for name in names]))
        by_label = {(each.label, each.value): each for each in found.sample}
        verdict = by_label[VERDICT, "right"]
        assert verdict.differs is differs
        assert verdict.p_holm is not None
        assert verdict.p is not None
        assert verdict.p <= verdict.p_holm
        assert not by_label["kind", "open"].differs
    (_, *labels) = found.sample
    assert {(each.label, each.value) for each in labels} == {
        ("kind", "open"),
        ("kind", "closed"),
        ("relation", "normal"),
        ("relation", "absent"),
    }


def test_people_by_majority_with_ties_left_out() -> None:
    said = [("a1", 1, "x"), ("a1", 1, "y"), ("a1", 0, "z"), ("a2", 1, "x"), ("a2", 0, "y")]
    crowd = crowd_of(ROWS, [*said, ("b1", None, "x"), ("b2", 0, "x"), ("b2", None, "z")])
    assert crowd.values.tolist() == [1, -1, -1, 0, -1, -1, -1, -1, -1, -1]
    assert crowd.looked_at.tolist() == [True] * 4 + [False] * 6
    assert (crowd.ties, crowd.undecided, crowd.several) == (1, 1, 2)
    assert (crowd.unanimous().hits, crowd.unanimous().n) == (0, 2)
    # Pairs that differ: 4 of 6 in a1, 2 of 2 in a2; (4 / 2 + 2 / 1) = 4; three right, two wrong of 5.
    assert crowd.alpha().value == pytest.approx(1 - (5 - 1) * 4 / (25 - 9 - 4))
    plain = crowd.to_json()
    assert plain["raters"][2] == {"rater": "z", "labels": 2, "cannot_tell": 1}
    assert (plain["items"], plain["ties"], plain["cannot_tell"]) == (4, 1, 1)


def test_labels_of_unknown_items_and_other_runs_are_problems() -> None:
    table = table_of(ROWS)
    labels = HumanLabels(
        (
            Label("a1", 1, "ann", "made/run", "f.csv", "2"),
            Label("zz", 1, "ann", "", "f.csv", "3"),
            Label("a2", 1, "ann", "made/other", "f.csv", "4"),
        )
    )
    crowd = of_run(labels, "made/run", table, lambda ids: {"a1": 0})
    assert int(crowd.looked_at.sum()) == 1
    (unknown,) = crowd.problems
    assert (unknown.row, unknown.id) == ("3", "zz")
    assert "has no such item" in str(unknown)
    (other,) = of_no_run(labels, ["made/run"])
    assert (other.row, other.what) == ("4", "the label is of made/other, which is not audited here: name that run too")


def test_nothing_labelled_or_other_rows_are_refused() -> None:
    with pytest.raises(UsageError, match="nobody has labelled"):
        audit("r", CARD, table_of(ROWS), crowd_of(ROWS, []))
    with pytest.raises(UsageError, match="over 10 rows, and r has 9"):
        audit("r", CARD, table_of(ROWS[1:]), crowd_of(ROWS, SAID))


def test_all_that_people_cannot_tell_gives_counts_and_no_numbers() -> None:
    found = audit("r", CARD, table_of(ROWS), crowd_of(ROWS, [("a1", None), ("d1", None)]))
    assert found.confusion.tolist() == [[0, 0, 0], [0, 0, 0], [1, 0, 1]]
    assert (found.overall.accuracy.value, found.overall.kappa.value, found.leniency.value) == (None, None, None)
    assert (found.adjusted, found.parts, found.worst) == (None, (), ())


def test_plain_values_are_json() -> None:

    plain = audit("r", CARD, table_of(ROWS), crowd_of(ROWS, SAID)).to_json()
    assert json.loads(json.dumps(plain))["confusion"]["wrong"] == {"right": 2, "wrong": 2, "unscored": 0}
