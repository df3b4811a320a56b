"""What a report of all items costs, and how quick its page is.

    python perf/report_folder.py [ITEMS [RUNS [CONDITIONS]]]

Writes a folder of made-up runs (30,000 items, 5 runs, no conditions by default; four items to an image, answers of some
400 characters, 100 different pictures), in memory, so that the ledger's own speed is not in it: seconds, peak memory,
size. Then, where there is a chromium, opens the page of all items without a network and prints how long it takes to
open, to filter, to sort, to step to the next item and to search for a word.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import re
import resource
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from snellen.answer import Answer
from snellen.card import Card
from snellen.engine.differences import Differences
from snellen.engine.results import Results, summarise
from snellen.item import Change, ImageRef, Item, TextReference
from snellen.report import folder
from snellen.table import TableBuilder, VerdictTable
from snellen.verdict import ABSTAINED, UNCLEAR, Verdict

CARD = Card(
    name="made-up",
    title="Made up",
    summary="Made up.",
    labels={"kind": ("count", "color", "place"), "aspect": tuple(f"aspect {n:02}" for n in range(18))},
)
WORDS = ("the", "chart", "shows", "a", "line", "that", "rises", "and", "then", "falls", "below", "the", "axis")
VERDICTS = (Verdict(1), Verdict(0, "claims what is not there"), Verdict(0, "commits to nothing", (UNCLEAR,)))
DECLINED = Verdict(0, "declines", (ABSTAINED,))
FAILED = Verdict(None, "timeout", unscored="model_error")
BROWSER = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]


@dataclass(frozen=True, slots=True)
class Row:
    """A made-up row."""

    position: int
    item: Item
    answer: Answer | None
    visible: str
    verdict: Verdict


def pictures(count: int = 100) -> dict[str, bytes]:
    """Digest -> bytes of so many pictures."""
    from PIL import Image

    found = {}
    for number in range(count):
        colours = np.random.default_rng(number).integers(0, 255, (30, 40, 3), dtype=np.uint8)
        buffer = io.BytesIO()
        Image.fromarray(colours).resize((800, 600)).save(buffer, "PNG")
        found[hashlib.sha256(buffer.getvalue()).hexdigest()] = buffer.getvalue()
    return found


@dataclass
class Source:
    """A made-up run, whose rows are made anew each time."""

    name: str
    items: int
    conditions: int
    seed: int
    images: Mapping[str, bytes]
    card: Card = CARD
    manifest: Mapping[str, Any] = field(default_factory=lambda: {"plan": {"model": "made-up"}})
    remarks: Sequence[str] = ()
    differences: Sequence[Differences] = ()
    rereading: None = None
    repeats: None = None

    @cached_property
    def table(self) -> VerdictTable:
        """Its verdicts."""
        builder = TableBuilder()
        for row in self.rows():
            builder.add(row.position, row.item, row.verdict)
        return builder.build()

    @cached_property
    def results(self) -> Results:
        """Its numbers."""
        return summarise(self.table, self.card, len(self.table))

    def rows(self) -> Iterator[Row]:
        """All rows."""
        digests = list(self.images)
        draws = np.random.default_rng(self.seed).integers(0, 100, (self.items, self.conditions + 1))
        texts = [self._text(n) for n in range(100)]
        for number in range(self.items):
            for place in range(self.conditions + 1):
                draw = int(draws[number, place])
                verdict = FAILED if draw == 0 else DECLINED if draw < 6 else VERDICTS[0 if draw < 60 else 1 + draw % 2]
                text = f"Answer {number}. {texts[draw]}"
                answer = Answer("answered", text)
                yield Row(
                    number * (self.conditions + 1) + place, self._item(number, place, digests), answer, text, verdict
                )

    def _item(self, number: int, place: int, digests: Sequence[str]) -> Item:
        change = (Change(f"change-{place:02}", 3, 0, "kept"),) if place else ()
        identity = f"made-up/{number}"
        return Item(
            identity + (f"@change-{place:02}:3" if place else ""),
            f"What is the value of point {number} in the year {1900 + number % 120}?",
            images=(ImageRef(f"{number // 4}.png", sha256=digests[number // 4 % len(digests)]),),
            reference=TextReference(f"about {number}"),
            labels={"kind": CARD.labels["kind"][number % 3], "aspect": CARD.labels["aspect"][number % 18]},
            groups={"pair": identity},
            cluster=f"made-up/{number // 4}",
            language="zh" if number % 5 == 0 else "en",
            changes=change,
        )

    def _text(self, number: int) -> str:
        rng = np.random.default_rng(1_000 * self.seed + number)
        return " ".join(WORDS[each] for each in rng.integers(0, len(WORDS), 80))

    def image(self, sha256: str) -> bytes | None:
        """A picture."""
        return self.images.get(sha256)

    def claims(self, position: int) -> tuple[()]:
        """No judge looked for claims."""
        return ()


def look(path: Path, word: str, found: int) -> None:
    """Open the page and print how quick it is; the word is in so many items."""
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        print("no chromium on PATH: the page is not opened")
        return
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=BROWSER)
        tab = browser.new_context(offline=True, viewport={"width": 1300, "height": 850}).new_page()
        start = time.perf_counter()
        tab.goto((path / folder.ITEMS).as_uri())
        tab.locator(".row .ask", has_text="value").first.wait_for()
        print(f"open: {time.perf_counter() - start:.2f} s until the first items are read")

        def took(what: str, does: str) -> None:
            """Milliseconds from an input to the frame after it, in the page's own clock."""
            spent = tab.evaluate(
                f"""async () => {{
                    const begun = performance.now();
                    {does};
                    await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
                    return performance.now() - begun;
                }}"""
            )
            print(f"{what}: {spent:.0f} ms; {tab.locator('.count').inner_text()}")

        def choose(place: int, value: str) -> str:
            return (
                f"const e = document.querySelectorAll('select')[{place}]; e.value = {value!r};"
                "e.dispatchEvent(new Event('change'))"
            )

        took("filter by outcome", choose(2, "v0"))
        took("filter by run", choose(1, "2"))
        took("sort by length", choose(0, "by_length"))
        took("sort by name", choose(0, "by_id"))
        took("next item", "dispatchEvent(new KeyboardEvent('keydown', {key: 'j'}))")
        took("scroll to the end", "document.querySelector('.list').scrollTop = 1e9")
        took("clear", "document.querySelector('.facets button').click()")
        for again in ("first", "second"):
            tab.locator("input").fill("")
            tab.wait_for_timeout(400)
            start = time.perf_counter()
            tab.locator("input").fill(word)
            tab.locator(".count", has_text=re.compile(f"^{found} of")).wait_for(timeout=60_000)
            print(f"{again} search: {time.perf_counter() - start:.2f} s, with 0.15 s of waiting for the next key")
        browser.close()


def main(items: int = 30_000, runs: int = 5, conditions: int = 0) -> None:
    """Write, then look."""
    images = pictures()
    sources = [Source(f"made-up/model-{n}@rules", items, conditions, n, images) for n in range(1, runs + 1)]
    rows = sum(len(source.table) for source in sources)
    for source in sources:
        assert source.results.headline.value is not None
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "report"
        for what in ("write", "write again"):
            start = time.perf_counter()
            folder.write(sources, path)
            size = sum(each.stat().st_size for each in path.rglob("*") if each.is_file())
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            print(
                f"{what}: {time.perf_counter() - start:.1f} s for {rows:,} rows, {size / 1e6:.0f} MB; "
                f"peak memory {peak / 1024:.0f} MB, {before / 1024:.0f} MB before"
            )
        look(path, f"answer {items - 1}", conditions + 1)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (("items", 30_000), ("runs", 5), ("conditions", 0)):
        parser.add_argument(name, nargs="?", type=int, default=default)
    main(**vars(parser.parse_args()))
