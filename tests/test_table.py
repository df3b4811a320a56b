"""The table of verdicts: compact, in one order, and the same however it was put together."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.errors import DataError, UsageError
from snellen.item import Change, Item
from snellen.table import CHANGE, TRUTH, TableBuilder, VerdictTable, concatenate
from snellen.verdict import ABSTAINED, FLAGS, HEDGED, UNCLEAR, UNSCORED, Verdict

ANSWERABLE = {"relation": ("normal",)}
Row = tuple[int, Item, Verdict]


def item(number: int, cluster: str = "", language: str = "en", **labels: str) -> Item:
    return Item(f"t/{number}", "?", labels=labels, cluster=cluster, language=language)


def build(rows: Sequence[Row]) -> VerdictTable:
    builder = TableBuilder(ANSWERABLE)
    for row in rows:
        builder.add(*row)
    assert len(builder) == len(rows)
    return builder.build()


def same(one: VerdictTable, other: VerdictTable) -> bool:
    columns = ("positions", "values", "reasons", "bits", "clusters", "cluster_keys", "pair_keys", "answerable")
    return (
        all(np.array_equal(getattr(one, name), getattr(other, name)) for name in columns)
        and dict(one.vocabulary) == dict(other.vocabulary)
        and list(one.codes) == list(other.codes)
        and all(np.array_equal(one.codes[name], other.codes[name]) for name in one.codes)
        and list(one.measures) == list(other.measures)
        and all(np.array_equal(one.measures[name], other.measures[name], equal_nan=True) for name in one.measures)
    )


ROWS: list[Row] = [
    (0, item(0, "b", relation="normal", shape="x"), Verdict(1)),
    (3, item(1, "b", relation="inexistent"), Verdict(0, flags=(UNCLEAR, ABSTAINED))),
    (4, item(2, "a", "zh", relation="normal"), Verdict(None, unscored="judge_error")),
    (9, item(3, "c", relation="normal"), Verdict(1, flags=(HEDGED,), measures={"iou": (1.5, 2)})),
]


def test_columns() -> None:
    table = build(ROWS)
    assert len(table) == 4
    assert table.positions.tolist() == [0, 3, 4, 9]
    assert table.values.tolist() == [1, 0, -1, 1]
    assert table.scored.tolist() == [True, True, False, True]
    assert table.clusters.tolist() == [0, 0, 1, 2]
    assert table.answerable.tolist() == [True, False, True, True]
    assert table.flag(ABSTAINED).tolist() == [False, True, False, False]
    assert table.flag(HEDGED).tolist() == [False, False, False, True]
    assert table.label_names == ("language", "relation", "shape")
    assert table.label_values("relation") == ("inexistent", "normal")
    assert table.codes["shape"].tolist() == [0, -1, -1, -1]
    top, bottom = table.measure("iou")
    assert (top[3], bottom[3]) == (1.5, 2)
    assert np.isnan(top[:3]).all()
    assert np.isnan(bottom[:3]).all()
    counts = table.unscored_counts()
    assert tuple(counts) == UNSCORED
    assert counts["judge_error"] == sum(counts.values()) == 1


def test_columns_are_small_and_fixed() -> None:
    table = build(ROWS)
    per_row = sum(
        column.itemsize
        for column in (
            table.positions,
            table.values,
            table.reasons,
            table.bits,
            table.clusters,
            table.pair_keys,
            table.answerable,
        )
    )
    assert per_row + 2 * len(table.codes) + 16 * len(table.measures) <= 52
    for column in (table.values, table.codes["relation"], table.measure("iou")[0], table.select(table.scored).values):
        with pytest.raises(ValueError, match="read-only"):
            column[0] = 0


@pytest.mark.parametrize("flag", FLAGS)
def test_every_flag_has_its_bit(flag: str) -> None:
    table = build([(0, item(0), Verdict(0, flags=(flag, flag)))])
    assert [other for other in FLAGS if table.flag(other)[0]] == [flag]


@pytest.mark.parametrize("reason", UNSCORED)
def test_every_reason_is_counted(reason: str) -> None:
    assert build([(0, item(0), Verdict(None, unscored=reason))]).unscored_counts()[reason] == 1


def test_where() -> None:
    table = build(ROWS)
    assert table.where(relation="normal").positions.tolist() == [0, 4, 9]
    assert table.where(relation="normal", language="zh").positions.tolist() == [4]
    assert table.where(relation=("normal", "inexistent")).positions.tolist() == [0, 3, 4, 9]
    assert table.where(shape="x").positions.tolist() == [0]
    assert len(table.where(relation="contradictory")) == 0
    assert len(table.where(relation=())) == 0
    assert len(table.where()) == 4
    assert table.where(relation="contradictory").where(relation="normal").label_values("relation")
    with pytest.raises(UsageError, match=r"'colour'.*language, relation, shape"):
        table.where(colour="red")


def test_select_takes_booleans_of_the_right_length() -> None:
    table = build(ROWS)
    assert table.select(table.values == 1).positions.tolist() == [0, 9]
    for wrong in ([True], [0, 1, 2, 3], [0, 1, 1, 0]):
        with pytest.raises(ValueError, match="4 booleans"):
            table.select(wrong)


def test_unknown_names_say_what_is_known() -> None:
    table = build(ROWS)
    with pytest.raises(UsageError, match="abstained"):
        table.flag("lazy")
    with pytest.raises(UsageError, match="iou"):
        table.measure("recall")
    with pytest.raises(UsageError, match="none"):
        build([]).label_values("relation")


def test_an_empty_table() -> None:
    table = build([])
    assert len(table) == 0
    assert table.label_names == ()
    assert len(table.where(relation="normal")) == 0
    assert sum(table.unscored_counts().values()) == 0
    assert same(concatenate([]), table)


def test_a_position_counts_once() -> None:
    with pytest.raises(ValueError, match="position 3"):
        build([*ROWS, ROWS[1]])
    table = build(ROWS)
    with pytest.raises(ValueError, match="position 0"):
        concatenate([table, table.select(table.values == 1)])


def test_answerable_needs_every_label_named_and_nothing_removed() -> None:
    builder = TableBuilder({"relation": ("normal",), "target": ("present", "hidden")})
    removed = Item(
        "t/3",
        "?",
        labels={"relation": "normal", "target": "present"},
        changes=(Change("crop", 3, 0, "removed"),),
    )
    builder.add(0, item(0, relation="normal", target="hidden"), Verdict(1))
    builder.add(1, item(1, relation="normal"), Verdict(1))
    builder.add(2, item(2, relation="normal", target="absent"), Verdict(1))
    builder.add(3, removed, Verdict(1))
    assert builder.build().answerable.tolist() == [True, False, False, False]
    silent = TableBuilder()
    silent.add(0, item(0, relation="normal"), Verdict(1))
    assert silent.build().answerable.tolist() == [False]


def test_changed_rows_are_told_from_clean_ones_and_carry_what_was_done() -> None:
    def changed(number: int, *changes: Change) -> Item:
        return Item(f"t/0@{number}", "?", groups={"pair": "t/0"}, cluster="t/0", changes=changes)

    rows: list[Row] = [
        (0, item(0), Verdict(1)),
        (1, changed(1, Change("jpeg", 3, 0, "kept")), Verdict(1)),
        (2, changed(2, Change("jpeg", 3, 7, "kept"), Change("typos", 2, 0, "altered")), Verdict(0)),
        (3, changed(3, Change("crop", 1, 0, "removed"), Change("typos", 2, 0, "altered")), Verdict(0)),
        (4, changed(4, Change("crop", 1, 0, "unknown"), Change("mirror", 1, 0, "removed")), Verdict(0)),
        (5, Item("t/5", "?", groups={"pair": "t/0"}), Verdict(1)),  # a pair of the benchmark's own, of clean items
    ]
    table = build(rows)
    assert table.clean.tolist() == [True, False, False, False, False, True]
    assert table.label_values(CHANGE) == ("crop:1+mirror:1", "crop:1+typos:2", "jpeg:3", "jpeg:3:7+typos:2")
    truths = [table.label_values(TRUTH)[code] if code >= 0 else "" for code in table.codes[TRUTH]]
    assert truths == ["", "kept", "altered", "removed", "unknown", ""]
    assert len(set(table.pair_keys[:5].tolist())) == 1
    assert table.pair_keys[5] != table.pair_keys[0]
    assert table.where(**{CHANGE: "jpeg:3"}).positions.tolist() == [1]
    assert same(concatenate([table.select(~table.clean), table.select(table.clean)]), build(rows))
    assert build(ROWS).clean.all()


@pytest.mark.parametrize("name", [CHANGE, TRUTH])
def test_a_label_under_a_name_of_snellens_own_is_refused(name: str) -> None:
    with pytest.raises(DataError, match=r"another name .*t/0"):
        build([(0, Item("t/0", "?", labels={name: "x"}), Verdict(1))])


def test_a_label_named_language_of_the_benchmarks_own_wins() -> None:
    table = build(
        [(0, item(0, language="en"), Verdict(1)), (1, Item("t/1", "?", labels={"language": "py"}), Verdict(1))]
    )
    assert table.label_values("language") == ("en", "py")


def test_a_label_with_a_value_of_its_own_for_every_item_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("snellen.label_columns.MOST_VALUES", 2)
    builder = TableBuilder()
    for number in range(2):
        builder.add(number, item(number, figure=str(number)), Verdict(1))
    with pytest.raises(DataError, match=r"figure.*item t/2"):
        builder.add(2, item(2, figure="2"), Verdict(1))
    assert len(builder) == 2
    builder.add(2, item(2, figure="1"), Verdict(1))
    assert len(builder.build()) == 3


def test_odd_names_of_clusters() -> None:
    table = build([(n, item(n, name), Verdict(1)) for n, name in enumerate(("图/1", "\ud800", "a b", "图/1"))])
    assert table.clusters.tolist() == [0, 1, 2, 0]


def test_padding_counts_what_is_missing() -> None:
    table = build(ROWS)
    padded = table.padded(6)
    assert len(padded) == 6
    assert padded.unscored_counts()["missing"] == 2
    assert len(np.unique(padded.clusters)) == 5
    assert padded.codes["relation"].tolist()[-2:] == [-1, -1]
    assert padded.answerable.tolist()[-2:] == [False, False]
    assert table.padded(4) is table
    assert len(build([]).padded(3)) == 3
    with pytest.raises(ValueError, match="4 rows"):
        table.padded(3)


verdicts = st.one_of(
    st.builds(
        Verdict,
        st.sampled_from([0, 1]),
        flags=st.lists(st.sampled_from(FLAGS), max_size=2).map(tuple),
        measures=st.dictionaries(
            st.sampled_from(["iou", "recall"]), st.tuples(st.floats(0, 9), st.just(math.pi)), max_size=2
        ),
    ),
    st.builds(Verdict, st.none(), unscored=st.sampled_from(UNSCORED)),
)
labels = st.dictionaries(st.sampled_from(["relation", "type"]), st.sampled_from(["normal", "图", ""]), max_size=2)
items = st.builds(
    lambda own, cluster, language: Item("i", "?", labels=own, cluster=cluster, language=language),
    labels,
    st.sampled_from(["a", "b", "c", "d"]),
    st.sampled_from(["en", "zh"]),
)
tables = st.lists(st.tuples(st.integers(0, 99), items, verdicts), max_size=15, unique_by=lambda row: row[0])


@given(tables, st.randoms(use_true_random=False))
def test_the_order_of_adding_does_not_matter(rows: list[Row], random: object) -> None:
    shuffled = sorted(rows, key=lambda _: random.random())  # type: ignore[attr-defined]
    assert same(build(rows), build(shuffled))


@given(tables, st.data())
def test_parts_make_the_whole_again(rows: list[Row], data: st.DataObject) -> None:
    whole = build(rows)
    cut = data.draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows)))
    mask = np.array(cut, np.bool_)
    assert same(concatenate([whole.select(~mask), whole.select(mask)]), whole)
    # Built apart, the parts know other vocabularies and number their clusters otherwise.
    apart = [build([row for row, c in zip(rows, cut, strict=True) if c is part]) for part in (True, False)]
    assert same(concatenate(apart), whole)


@given(tables)
def test_splitting_by_a_label_loses_nothing(rows: list[Row]) -> None:
    table = build(rows)
    for name in table.label_names:
        parts = [table.where(**{name: value}) for value in table.label_values(name)]
        parts.append(table.select(table.codes[name] < 0))
        assert sum(map(len, parts)) == len(table)
        assert sum(int(part.scored.sum()) for part in parts) == int(table.scored.sum())
        for reason, count in table.unscored_counts().items():
            assert sum(part.unscored_counts()[reason] for part in parts) == count


def test_items_in_plain_values_make_the_same_table() -> None:
    removed = Item("t/5", "?", labels={"relation": "normal"}, changes=(Change("crop", 3, 0, "removed"),))
    rows = [*ROWS, (10, removed, Verdict(0))]
    builder = TableBuilder(ANSWERABLE)
    for position, whole, verdict in rows:
        builder.add_snapshot(position, whole.to_json(), verdict)
    assert same(builder.build(), build(rows))
    assert build(rows).answerable.tolist()[-1] is False
