"""Opens screens in chromium, and reads where every element is: pictures as PNG, boxes from the page itself."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import cv2
import numpy as np

from snellen.construction.charts.drawing import chinese_font
from snellen.construction.screens.markup import in_language
from snellen.construction.screens.screen import SIZES, Screen
from snellen.errors import UsageError

Edges = tuple[int, int, int, int]

_ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-lcd-text",  # colored fringes differ by machine, and double the size of the pictures
    "--font-render-hinting=none",
    "--force-color-profile=srgb",
    "--hide-scrollbars",
)


@dataclass(frozen=True, slots=True)
class Leaf:
    """An element of a page.

    Attributes:
        role: ``icon``, ``text``, ``button``, ``image`` or ``input``.
        key: what it says or is for, in English.
        said: the same in the page's language.
        edges: left, top, right, bottom in pixels of the picture, rounded outward.
        within: index of the element it lies in; -1 for none.
        glyphs: names of what is drawn in it.
    """

    role: str
    key: str
    said: str
    edges: Edges
    within: int
    glyphs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """A part of a page that reacts to a click as a whole.

    Attributes:
        key, said: as of a `Leaf`.
        edges: rounded to the nearest pixel.
        leaves: indices of the elements in it.
        glyphs: names of what is drawn in it.
    """

    key: str
    said: str
    edges: Edges
    leaves: tuple[int, ...]
    glyphs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Shot:
    """A screen as it was drawn.

    Attributes:
        png: the picture.
        width, height: its size in pixels.
        leaves: its elements, in the order of the page.
        hits: its parts that react as a whole.
        faults: what is covered, cut off or outside, in words; nothing of the sort may ship.
    """

    png: bytes
    width: int
    height: int
    leaves: tuple[Leaf, ...]
    hits: tuple[Hit, ...]
    faults: tuple[str, ...]


@cache
def _file(name: str) -> str:
    return (files(__package__) / name).read_text("utf-8")


def page(screen: Screen, language: str) -> str:
    """The whole HTML of a screen in a language."""
    style = _file("style.css")
    tint = f"background:{screen.tint};" if screen.tint else ""
    return (
        f'<!doctype html><html lang="{"zh-CN" if language == "zh" else "en"}"><head><meta charset="utf-8">'
        f"<title>{screen.name}</title><style>{style}</style></head>"
        f'<body class="{screen.platform} {screen.theme}" style="--accent:{screen.accent};{tint}">'
        f"{in_language(screen.body, language)}</body></html>"
    )


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser.

    Raises:
        UsageError: there is no chromium, no playwright to drive it, or no font with Chinese characters.
    """
    if importlib.util.find_spec("playwright") is None:
        raise UsageError("playwright is not installed, and screens are drawn in a browser: pip install playwright")
    from playwright.sync_api import sync_playwright

    chinese_font()
    found = filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome")))
    with sync_playwright() as playwright:
        path = next(found, None) or playwright.chromium.executable_path
        if shutil.which(path) is None:
            raise UsageError("there is no chromium on PATH: apt-get install chromium, or playwright install chromium")
        browser = playwright.chromium.launch(executable_path=path, args=list(_ARGUMENTS))
        try:
            yield browser
        finally:
            browser.close()


def shoot(browser: Any, screen: Screen, language: str) -> Shot:
    """A screen in a language, as the browser draws it. The page has no network."""
    width, height, scale = SIZES[screen.platform]
    context = browser.new_context(
        viewport={"width": width, "height": height}, device_scale_factor=scale, offline=True, reduced_motion="reduce"
    )
    try:
        tab = context.new_page()
        tab.set_content(page(screen, language))
        read = tab.evaluate(_file("read.js"))
        png = tab.screenshot(type="png")
    finally:
        context.close()
    leaves = tuple(
        Leaf(one["role"], one["key"], one["said"], _outward(one["edges"], scale), one["within"], tuple(one["glyphs"]))
        for one in read["leaves"]
    )
    hits = tuple(
        Hit(one["key"], one["said"], _nearest(one["edges"], scale), tuple(one["leaves"]), tuple(one["glyphs"]))
        for one in read["hits"]
    )
    across, down = width * scale, height * scale
    faults = (*read["faults"], *_outside(leaves, hits, across, down), *_crossing(leaves))
    return Shot(_small(png), across, down, leaves, hits, faults)


def _outward(edges: list[float], scale: int) -> Edges:
    """Pixels that hold the whole of it; a thousandth of a pixel, which is how browsers round, is none."""
    left, top, right, bottom = (edge * scale for edge in edges)
    return int(left + 0.001), int(top + 0.001), -int(-(right - 0.001) // 1), -int(-(bottom - 0.001) // 1)


def _nearest(edges: list[float], scale: int) -> Edges:
    """Whole pixels such that neighbours, whose edges are one line, share none."""
    left, top, right, bottom = (int(edge * scale + 0.5) for edge in edges)
    return left, top, right, bottom


def _outside(leaves: tuple[Leaf, ...], hits: tuple[Hit, ...], width: int, height: int) -> Iterator[str]:
    parts: list[Leaf | Hit] = [*leaves, *hits]
    for one in parts:
        left, top, right, bottom = one.edges
        if not (0 <= left < right <= width and 0 <= top < bottom <= height):
            yield f"{one.said} is outside, or of no size: {one.edges}"


def _crossing(leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """Elements that share more than a line of pixels, though neither lies in the other."""
    for place, one in enumerate(leaves):
        for other_place, other in enumerate(leaves[:place]):
            across = min(one.edges[2], other.edges[2]) - max(one.edges[0], other.edges[0])
            down = min(one.edges[3], other.edges[3]) - max(one.edges[1], other.edges[1])
            if across > 2 and down > 4 and other_place != one.within and place != other.within:
                yield f"{one.said} crosses {other.said}"


def _small(png: bytes) -> bytes:
    """The same pixels in fewer bytes: flat areas and letters that come again pack best without a filter."""
    pixels = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    assert pixels is not None, "chromium writes PNG"
    settings = [cv2.IMWRITE_PNG_COMPRESSION, 9, cv2.IMWRITE_PNG_FILTER, cv2.IMWRITE_PNG_FILTER_NONE]
    settings += [cv2.IMWRITE_PNG_STRATEGY, cv2.IMWRITE_PNG_STRATEGY_DEFAULT]
    return cv2.imencode(".png", pixels, settings)[1].tobytes()
