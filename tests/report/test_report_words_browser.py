"""No word of a report lies on another, is cut or faint: many runs, long names, many values of a label."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from judged_screens import fill as fill_screens
from snellen.benchmarks.gui_hallubench import CARD as SCREENS
from snellen.item import Change
from snellen.report import page as report
from snellen.verdict import Verdict

pytestmark = pytest.mark.browser

KINDS: tuple[str, ...] = (
    *("bar", "horizontal bar", "grouped bar", "orientation", "interaction relation", "scatter"),
    *("histogram", "heat map", "box", "expression", "spatial relation", "pie"),
)
LONG = "vision-language-model-of-seventy-two-billion-parameters-instruct-awq-int4-2026-3f2a91@charthal-judge-of-its-own"

FAULTS = """
() => {
  const faults = [], fault = (kind, node, more = "") =>
    faults.push(`${kind}: ${node.textContent.trim().slice(0, 50)} ${more}`);
  document.querySelectorAll("details.section").forEach(each => { each.open = true; });
  const seen = node => node.checkVisibility() && !node.closest(".hidden, defs");
  const rect = node => { const range = document.createRange(); range.selectNodeContents(node);
    return range.getBoundingClientRect(); };
  for (const cell of document.querySelectorAll(".heat th, .heat td")) {
    if (!seen(cell) || cell.querySelector(".hidden")) continue;
    const words = rect(cell), box = cell.getBoundingClientRect();
    if (words.left < box.left - 1.5 || words.right > box.right + 1.5 || words.top < box.top - 1.5) fault("out", cell);
  }
  for (const number of document.querySelectorAll(".heat td b"))
    if (seen(number) && rect(number).height > 1.9 * parseFloat(getComputedStyle(number).fontSize))
      fault("broken", number);
  for (const figure of document.querySelectorAll("svg.figure")) {
    if (!seen(figure)) continue;
    const all = [...figure.querySelectorAll("text")].map(node => [node, node.getBoundingClientRect()]);
    const room = figure.getBoundingClientRect();
    all.forEach(([node, box], place) => {
      if (box.left < room.left - 1 || box.right > room.right + 1) fault("cut", node, figure.getAttribute("aria-label"));
      for (const [other, there] of all.slice(place + 1)) {
        const across = Math.min(box.right, there.right) - Math.max(box.left, there.left);
        const along = Math.min(box.bottom, there.bottom) - Math.max(box.top, there.top);
        if (across > 2 && along > 0.4 * Math.min(box.height, there.height)) fault("on", node, other.textContent);
      }
    });
  }
  let last = 0;
  for (const heading of document.querySelectorAll("h1, h2, h3, h4, h5")) {
    const level = Number(heading.tagName[1]);
    if (level > last + 1) fault(`h${last} to h${level}`, heading);
    last = level;
  }
  const parts = colour => colour.match(/[\\d.]+/g).map(Number);
  const linear = v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const behind = node => {
    for (; node; node = node.parentElement) {
      const colour = parts(getComputedStyle(node).backgroundColor);
      if (colour.length < 4 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  const written = "p, li, th, td, td b, td span, a, dt, dd, summary, h1, h2, h3, h4, h5";
  for (const node of document.querySelectorAll(written)) {
    const own = [...node.childNodes].some(each => each.nodeType === 3 && each.data.trim());
    if (!own || !seen(node) || node.closest(".drawn, .picture")) continue;
    const [more, less] = [light(parts(getComputedStyle(node).color)), light(behind(node))].sort((a, b) => b - a);
    if ((more + 0.05) / (less + 0.05) < 4.5) fault("faint", node, getComputedStyle(node).color);
  }
  return [...new Set(faults)];
}
"""


@pytest.fixture
def runs(run: Any) -> list[Any]:
    """Five runs whose card has a label of twelve values; one is a baseline, two have changed items, names are long."""
    labels = {**run.card.labels, "kind": KINDS}
    card = replace(run.card, labels=labels)
    clean = [
        replace(row, item=replace(row.item, labels={**row.item.labels, "kind": KINDS[row.position % len(KINDS)]}))
        for row in run.content
    ]
    right = [replace(row, verdict=Verdict(1)) if row.item.labels["kind"] == "pie" else row for row in clean]
    changed = [
        replace(
            row,
            position=len(right) + number,
            item=replace(
                row.item,
                id=f"{row.item.id}@{name}:3",
                changes=(Change(name, 3, 0, "kept"),),
                groups={"pair": row.item.id},
            ),
        )
        for number, (name, row) in enumerate((name, row) for name in ("jpeg", "scene-text") for row in right[:48])
    ]
    names = (LONG, LONG + "~2", "model-1a2b@rules", "W" * 60 + "@rules", "blind-0b1c@rules")
    found = []
    for name in names:
        rows = [*right, *changed] if name.startswith(LONG) else list(right)
        model = "blind" if name.startswith("blind") else name.partition("@")[0]
        manifest = {"plan": {"model": model}, "model": {"name": model}}
        found.append(replace(run, name=f"charthal/{name}", card=card, content=rows, manifest=manifest))
    return found


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(
    ("width", "media"),
    [
        (1200, {"color_scheme": "light"}),
        (1200, {"color_scheme": "dark"}),
        (390, {"color_scheme": "light"}),
        (700, {"media": "print"}),
    ],
)
def test_words_can_be_read(
    chromium: Any,
    runs: list[Any],
    make_source: Callable[..., Any],
    tmp_path: Path,
    width: int,
    media: dict[str, str],
    language: str,
) -> None:
    screens = fill_screens(make_source(card=SCREENS, name="gui-hallubench/m-1a2b@gui"))
    tab = chromium.new_page(viewport={"width": width, "height": 900})
    tab.emulate_media(**media)
    for name, sources in (("one", runs[:1]), ("five", runs), ("screens", [screens])):
        path = tmp_path / f"{name}.html"
        report.write(sources, path, language=language, sample=12)
        tab.goto(path.as_uri())
        assert tab.evaluate(FAULTS) == [], name
        assert tab.evaluate("document.documentElement.scrollWidth") <= width
    tab.close()
