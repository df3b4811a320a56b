"""Claims on an answer in a real browser: told apart by colour, underline and words, in light, dark and print."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from snellen.atomic_claim import AtomicClaim, locate
from snellen.report import page as report
from snellen.verdict import Verdict

pytestmark = pytest.mark.browser

ANSWER = "Two red cars wait, a dog sleeps, and a sign says stop. <img src=x onerror=window.hacked=1>"
UNDERLINES = {"supported": "solid", "contradicted": "wavy", "absent": "double", "cannot-tell": "dotted"}

LOOK = """
mark => {
  const channels = colour => colour.match(/[\\d.]+/g).map(Number);
  const linear = v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => [r, g, b].map(v => linear(v / 255))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = node => {
    for (; node; node = node.parentElement) {
      const colour = channels(getComputedStyle(node).backgroundColor);
      if (colour.length < 4 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  const ratio = (one, other) => {
    const [a, b] = [light(one), light(other)].sort((x, y) => y - x);
    return (a + 0.05) / (b + 0.05);
  };
  const style = getComputedStyle(mark), back = behind(mark), label = mark.querySelector("sup");
  return {
    underline: style.textDecorationStyle,
    line: channels(style.textDecorationColor).join(),
    text: ratio(channels(style.color), back),
    label: ratio(channels(getComputedStyle(label).color), back),
  };
}
"""


@pytest.mark.parametrize("media", [{"color_scheme": "light"}, {"color_scheme": "dark"}, {"media": "print"}])
def test_claims_are_told_apart_and_can_be_read(
    chromium: Any, make_source: Callable[..., Any], tmp_path: Path, media: dict[str, str]
) -> None:
    source = make_source()
    source.add(ANSWER, Verdict(0))
    said = {"cars": "supported", "red": "contradicted", "a dog": "absent", "stop": "cannot tell"}
    source.claimed = {0: locate(ANSWER, [AtomicClaim("", quote, each) for quote, each in said.items()])}  # type: ignore[arg-type]
    report.write([source], tmp_path / "report.html")
    tab = chromium.new_page(viewport={"width": 1000, "height": 800})
    tab.emulate_media(**media)
    tab.goto((tmp_path / "report.html").as_uri())
    looks = {}
    for name, underline in UNDERLINES.items():
        mark = tab.locator(f".answer mark.{name}")
        look = mark.evaluate(LOOK)
        assert look["underline"] == underline
        assert look["text"] >= 7, (name, look)
        assert look["label"] >= 4.5, (name, look)
        looks[name] = look["line"]
    assert len(set(looks.values())) == len(looks)
    answer = tab.locator(".answer").first.inner_text()
    assert "red-2 contradicted" in answer
    assert "a dog!3 absent" in answer
    assert "<img src=x" in answer
    legend = tab.locator(".claims-legend").inner_text()
    assert "contradicted" in legend
    assert "nothing in the image supports it" in legend
    assert tab.evaluate("window.hacked") is None
    tab.close()
