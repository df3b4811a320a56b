"""Which items a report shows."""

from __future__ import annotations

import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.item import Change, Item
from snellen.report.examples import KINDS, choose, collect, kind_of
from snellen.report.pictures import SIDE, Album
from snellen.table import TableBuilder, VerdictTable
from snellen.verdict import FLAGS, UNSCORED, Verdict

Make = Callable[..., Any]


def normal(relation: str = "normal", **more: Any) -> Item:
    return Item(id="a/1/0", question="?", labels={"relation": relation}, **more)


def plain(label: str, value: str) -> str:
    return f"{label}: {value}"


@pytest.mark.parametrize(
    ("verdict", "item", "kind"),
    [
        (Verdict(0), normal(), "hallucinated"),
        (Verdict(1), normal(), "right"),
        (Verdict(0, flags=("abstained",)), normal(), "over_refusal"),
        (Verdict(1, flags=("abstained",)), normal(), "over_refusal"),
        (Verdict(1, flags=("abstained",)), normal("inexistent"), "right"),
        (Verdict(0, flags=("abstained",)), normal("contradictory"), "declined"),
        (Verdict(0, flags=("abstained",)), normal(changes=(Change("crop", 3, 0, "removed"),)), "declined"),
        (Verdict(0, flags=("unclear",)), normal(), "unclear"),
        (Verdict(0, flags=("empty", "unclear")), normal(), "empty"),
        (Verdict(None, unscored="truncated", flags=("abstained",)), normal(), "truncated"),
    ],
)
def test_kinds(run: Any, verdict: Verdict, item: Item, kind: str) -> None:
    assert kind_of(item, verdict, run.card) == kind


@given(
    st.one_of(
        st.builds(Verdict, st.sampled_from([0, 1]), flags=st.lists(st.sampled_from(FLAGS), unique=True).map(tuple)),
        st.sampled_from(UNSCORED).map(lambda reason: Verdict(None, unscored=reason)),
    )
)
def test_every_verdict_has_a_kind(verdict: Verdict) -> None:
    from snellen.card import Card

    card = Card("x", "X", "x", answerable={"relation": ("normal",)})
    assert kind_of(normal(), verdict, card) in {kind.name for kind in KINDS} | {"missing"}


def test_every_kind_and_every_cell_is_shown(run: Any) -> None:
    counts, chosen = choose(run, seed=0, sample=60)
    assert sum(map(len, chosen.values())) == 60
    assert all(chosen[kind] for kind in counts)
    assert counts.total() == len(run.content)
    cells = {tuple(run.content[position].item.labels.values()) for position in chosen["hallucinated"]}
    there = {
        tuple(row.item.labels.values())
        for row in run.content
        if kind_of(row.item, row.verdict, run.card) == "hallucinated"
    }
    assert cells == there


@pytest.mark.parametrize("sample", [0, 1, 5, 95, 96, 1000])
def test_never_more_than_the_sample(run: Any, sample: int) -> None:
    chosen = choose(run, seed=0, sample=sample)[1]
    positions = [position for kind in chosen.values() for position in kind]
    assert len(positions) == len(set(positions)) == min(sample, 96)


def test_the_choice_is_seeded_and_knows_no_order(run: Any) -> None:
    first = choose(run, seed=1, sample=20)
    assert choose(run, seed=1, sample=20) == first
    # Few cells hold more than one row of a kind: one other seed may pick the same of each.
    assert any(choose(run, seed=seed, sample=20)[1] != first[1] for seed in range(2, 12))
    run.content.reverse()
    assert choose(run, seed=1, sample=20) == first


def test_runs_that_went_alike_show_the_same_items(run: Any, make_source: Make) -> None:
    other = make_source(content=[replace(row, verdict=row.verdict) for row in run.content[: len(run.content) // 2]])
    few = choose(other, seed=0, sample=96)[1]
    many = choose(run, seed=0, sample=96)[1]
    assert all(set(few[kind]) <= set(many[kind]) for kind in few)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 1000))
def test_the_sample_is_uniform_enough(seed: int) -> None:
    """No position is preferred: over seeds the first half is chosen as often as the second."""
    from snellen.card import Card

    class Source:
        card = Card("x", "X", "x")
        name = "x"

        @property
        def table(self) -> VerdictTable:
            builder = TableBuilder()
            for position in range(400):
                builder.add(position, Row(position).item, Row.verdict)
            return builder.build()

    class Row:
        verdict = Verdict(0)

        def __init__(self, position: int) -> None:
            self.position = position
            self.item = Item(id=f"x/{position}", question="?")

    chosen = choose(Source(), seed=seed, sample=100)[1]["hallucinated"]  # type: ignore[arg-type]
    assert 25 <= sum(position < 200 for position in chosen) <= 75


def test_labels_without_end_open_no_strata_without_end(make_source: Make) -> None:
    source = make_source()
    for number in range(300):
        source.add("x", Verdict(0), labels={"question_type": f"t{number}", "relation": "\0"})
    counts, chosen = choose(source, seed=0, sample=10)
    assert counts == Counter(hallucinated=300)
    assert len(chosen["hallucinated"]) == 10


def test_rows_are_not_held(make_source: Make) -> None:
    source = make_source()
    row = source.add("x", Verdict(0))

    class Streamed:
        card = source.card

        @cached_property
        def table(self) -> VerdictTable:
            builder = TableBuilder()
            for each in self.rows():
                builder.add(each.position, each.item, each.verdict)
            return builder.build()

        def rows(self) -> Iterator[Any]:
            for position in range(3_000):
                text = f"{position} " + "x" * 20_000  # 60 MB in all
                yield replace(
                    row, position=position, visible=text, item=replace(row.item, id=f"a/{position}", question=text)
                )

        def image(self, sha256: str) -> None:
            return None

        def claims(self, position: int) -> tuple[()]:
            return ()

    tracemalloc.start()
    try:
        groups = collect(Streamed(), Album(), seed=0, sample=30, title=plain)  # type: ignore[arg-type]
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert sum(len(group.examples) for group in groups) == 30
    assert peak < 5_000_000


def test_an_example_says_why_there_is_no_answer(run: Any) -> None:
    groups = {group.kind.name: group for group in collect(run, Album(), seed=0, sample=96, title=plain)}
    assert groups["model_error"].examples[0].no_answer == "No answer (timeout): no byte in 60 s"
    assert groups["empty"].examples[0].no_answer == "The answer is empty."
    assert groups["hallucinated"].examples[0].no_answer == ""


def test_thinking_is_counted_and_not_shown(make_source: Make) -> None:
    source = make_source()
    row = source.add("<think>hmm</think>It is 5.", Verdict(1))
    source.content[0] = replace(row, visible="It is 5.")
    example = collect(source, Album(), seed=0, sample=1, title=plain)[0].examples[0]
    assert example.thinking == len("<think>hmm</think>")
    assert example.answer is not None
    assert example.answer.lead == "It is 5."
    source.content[0] = replace(row, visible="")
    assert "nothing but thinking" in collect(source, Album(), seed=0, sample=1, title=plain)[0].examples[0].no_answer


def test_a_picture_is_embedded_once_and_made_small(make_source: Make, draw: Make) -> None:
    source, album = make_source(), Album()
    big = draw("teal", (1400, 350), "JPEG")
    for _ in range(5):
        source.add("x", Verdict(0), big)
    source.add("x", Verdict(0), draw("navy"))
    collect(source, album, seed=0, sample=10, title=plain)
    sizes = {(picture.width, picture.height) for picture in album.embedded}
    assert sizes == {(SIDE, 175), (90, 60)}


def test_metadata_of_a_picture_stays_behind(make_source: Make) -> None:
    import base64
    import io

    from PIL import Image, PngImagePlugin

    info = PngImagePlugin.PngInfo()
    info.add_text("Comment", "a secret of the author")
    buffer = io.BytesIO()
    Image.new("RGB", (20, 20), "teal").save(buffer, "PNG", pnginfo=info)
    source, album = make_source(), Album()
    source.add("x", Verdict(0), buffer.getvalue())
    collect(source, album, seed=0, sample=1, title=plain)
    assert b"secret" in buffer.getvalue()
    assert b"secret" not in base64.b64decode(album.embedded[0].uri.partition(",")[2])


@pytest.mark.parametrize(
    ("data", "note"),
    [
        (None, "no longer in the workspace"),
        (b"", "cannot be shown"),
        (b"<html>not found</html>", "cannot be shown"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "cannot be shown"),
    ],
)
def test_a_picture_that_cannot_be_shown_says_why(make_source: Make, data: bytes | None, note: str) -> None:
    source, album = make_source(), Album()
    source.add("x", Verdict(0), b"stand-in")
    source.images = dict.fromkeys(source.images, data)
    example = collect(source, album, seed=0, sample=1, title=plain)[0].examples[0]
    assert note in example.pictures[0].note
    assert not album.embedded


def test_a_picture_that_one_run_lost_another_may_have(make_source: Make, draw: Make) -> None:
    lost, whole, album = make_source(), make_source(), Album()
    for source in (lost, whole):
        source.add("x", Verdict(0), draw())
    lost.images = {}
    collect(lost, album, seed=0, sample=1, title=plain)
    assert collect(whole, album, seed=0, sample=1, title=plain)[0].examples[0].pictures[0].uri


def test_an_enormous_picture_is_not_decoded(make_source: Make) -> None:
    import struct
    import zlib

    header = struct.pack(">IIBBBBB", 10_000, 10_000, 8, 0, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", b"x" * 200_000), (b"IEND", b"")]
    png = b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) for kind, body in chunks
    )
    source = make_source()
    source.add("x", Verdict(0), png)
    example = collect(source, Album(), seed=0, sample=1, title=plain)[0].examples[0]
    assert example.pictures[0].note == "The picture (10000 × 10000 pixels) is too large to be shown here."


def test_of_many_pictures_the_first_six_are_shown(make_source: Make, draw: Make) -> None:
    from snellen.item import ImageRef

    source = make_source()
    source.add("x", Verdict(0), images=tuple(ImageRef(name=f"{n}.png", sha256="") for n in range(9)))
    example = collect(source, Album(), seed=0, sample=1, title=plain)[0].examples[0]
    assert (len(example.pictures), example.pictures_left_out) == (6, 3)


def test_the_table_tells_kinds_and_cells_as_the_rows_do(run: Any) -> None:
    from snellen.report import choosing
    from snellen.report.examples import _by_rows

    counts, found = choosing.strata(run.table, run.card, seed=0, sample=1_000)
    by_rows, rows = _by_rows(run, 0, 1_000)
    assert counts == by_rows
    assert {place: sorted(each) for place, each in found.items()} == {p: sorted(each) for p, each in rows.items()}
    names = [choosing.OUTCOMES[code] for code in choosing.outcomes(run.table).tolist()]
    assert names == [kind_of(row.item, row.verdict, run.card) for row in run.content]
