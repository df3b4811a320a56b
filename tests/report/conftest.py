"""Judged runs for the tests of reports: made up, small, and with every kind of outcome."""

from __future__ import annotations

import hashlib
import io
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import pytest

from snellen.answer import Answer, Failure
from snellen.atomic_claim import AtomicClaim
from snellen.card import Card, PublishedRow
from snellen.engine.differences import Differences
from snellen.engine.repeated import Repeated
from snellen.engine.rereading import Rereading
from snellen.engine.results import Results, summarise
from snellen.item import ImageRef, Item, TextReference
from snellen.table import TableBuilder, VerdictTable
from snellen.verdict import Verdict

TYPES = ("descriptive", "reasoning", "open-ended")
RELATIONS = ("irrelevant", "inexistent", "contradictory", "normal")

CARD = Card(
    name="charthal",
    title="ChartHal",
    summary="Questions on charts.",
    paper="A paper on charts",
    links={"repository": "https://example.org/charts", "bad": "javascript:alert(1)"},
    languages=("en", "zh"),
    labels={"question_type": TYPES, "relation": RELATIONS},
    label_titles={"relation": "Relation to the chart", "relation=normal": "Normal"},
    answerable={"relation": ("normal",)},
    published=(
        PublishedRow("Best-72B", {"": 0.95, "relation=normal": 0.9}),
        PublishedRow("Worst-3B", {"": 0.02, "relation=normal": 0.1}, note="small"),
    ),
    notes=("A note of the card.",),
)


def picture(colour: str = "navy", size: tuple[int, int] = (90, 60), kind: str = "PNG") -> bytes:
    from PIL import Image

    buffer = io.BytesIO()
    Image.new("RGB", size, colour).save(buffer, kind)
    return buffer.getvalue()


@dataclass(frozen=True, slots=True)
class FakeRow:
    position: int
    item: Item
    answer: Answer | None
    visible: str
    verdict: Verdict


@dataclass
class FakeSource:
    """A judged run in memory."""

    name: str = "charthal/model-1a2b@rules"
    card: Card = CARD
    content: list[FakeRow] = field(default_factory=list)
    images: dict[str, bytes | None] = field(default_factory=dict)
    manifest: Mapping[str, Any] = field(default_factory=lambda: {"model": {"name": "model"}, "prompt": "direct"})
    remarks: Sequence[str] = ()
    planned: int = 0
    differences: Sequence[Differences] = ()
    rereading: Rereading | None = None
    claimed: dict[int, Sequence[AtomicClaim]] = field(default_factory=dict)
    repeats: Repeated | None = None

    @cached_property
    def table(self) -> VerdictTable:
        builder = TableBuilder(self.card.answerable)
        for row in self.content:
            builder.add(row.position, row.item, row.verdict)
        return builder.build()

    @cached_property
    def results(self) -> Results:
        return summarise(self.table, self.card, self.planned or len(self.content))

    def rows(self) -> Iterator[FakeRow]:
        return iter(self.content)

    def claims(self, position: int) -> Sequence[AtomicClaim]:
        return self.claimed.get(position, ())

    def image(self, sha256: str) -> bytes | None:
        return self.images.get(sha256)

    def add(self, text: str | None, verdict: Verdict, image: bytes | None = None, **changes: Any) -> FakeRow:
        """Adds a row; cells take turns, four rows to a figure. Keyword arguments change the item."""
        position = len(self.content)
        refs: tuple[ImageRef, ...] = ()
        if image is not None:
            digest = hashlib.sha256(image).hexdigest()
            self.images.setdefault(digest, image)
            refs = (ImageRef(name="images/1.png", sha256=digest),)
        item = Item(
            id=f"charthal/{position // 4}/{position % 4}",
            question=f"What is the value at point {position}?",
            images=refs,
            reference=TextReference(f"About {position}."),
            labels={"question_type": TYPES[position // 4 % 3], "relation": RELATIONS[position % 4]},
            cluster=f"charthal/{position // 4}",
        )
        if text is None:
            answer = Answer("failed", failure=Failure("timeout", "no byte in 60 s"))
        else:
            answer = Answer("answered", text=text)
        row = FakeRow(position, replace(item, **changes), answer, text or "", verdict)
        self.content.append(row)
        return row


def fill(source: FakeSource) -> FakeSource:
    """Every kind of outcome, English and Chinese, over all twelve cells."""
    verdicts = [
        ("It is 5.", Verdict(0, reason="claims a value that is not there")),
        ("大约是五。", Verdict(0, reason="图中没有这个数值")),
        ("It is right.", Verdict(1, reason="inside the range")),
        ("I cannot tell.", Verdict(0, flags=("abstained",), reason="declines")),
        ("Hm.", Verdict(0, flags=("unclear",))),
        ("", Verdict(0, flags=("empty",))),
        ("xyz", Verdict(0, flags=("format_error",))),
        (None, Verdict(None, unscored="model_error")),
        ("It is 6.", Verdict(None, unscored="judge_error")),
        ("It is 7.", Verdict(None, unscored="judge_cannot_tell")),
        ("It is 8 and", Verdict(None, unscored="truncated", flags=("truncated",))),
        ("Stopped", Verdict(None, unscored="blocked")),
        (None, Verdict(None, unscored="data_error")),
    ]
    for number in range(96):
        text, verdict = verdicts[number * 5 % len(verdicts)]
        chinese = number % 3 == 1
        source.add(
            text,
            verdict,
            picture(("navy", "teal", "maroon")[number // 32]),
            language="zh" if chinese else "en",
            question=f"图中第 {number} 个点的数值是多少？" if chinese else f"What is the value of point {number}?",
        )
    return source


@pytest.fixture
def make_source() -> Callable[..., FakeSource]:
    """An empty run, to which rows are added."""
    return FakeSource


@pytest.fixture
def run() -> FakeSource:
    """A run with every kind of outcome."""
    return fill(FakeSource())


@pytest.fixture
def draw() -> Callable[..., bytes]:
    """Draws a plain picture: colour, size, kind of file."""
    return picture


BROWSER_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """A browser."""
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if path is None:
        pytest.skip("no chromium on PATH: apt-get install chromium")
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=BROWSER_ARGUMENTS)
        yield browser
        browser.close()
