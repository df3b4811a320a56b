"""Flags from geometry: stripes, Nordic crosses, stars and discs, in a frame of 3 x 2 (so -1.5 to 1.5 and -1 to 1)."""

from __future__ import annotations

from collections.abc import Mapping

from snellen.construction.scenes.pen import INK, Pen, ring, star

_STRIPES: Mapping[str, tuple[str, ...]] = {
    "germany": ("#111111", "#dd0000", "#ffce00"),
    "ukraine": ("#0057b7", "#ffd700"),
    "poland": ("#ffffff", "#dc143c"),
    "austria": ("#ed2939", "#ffffff", "#ed2939"),
    "russia": ("#ffffff", "#0039a6", "#d52b1e"),
    "hungary": ("#cd2a3e", "#ffffff", "#436f4d"),
    "bulgaria": ("#ffffff", "#00966e", "#d62612"),
    "thailand": ("#a51931", "#f4f5f8", "#2d2a4a", "#2d2a4a", "#f4f5f8", "#a51931"),
}
_BANDS: Mapping[str, tuple[str, ...]] = {
    "france": ("#0055a4", "#ffffff", "#ef4135"),
    "italy": ("#009246", "#ffffff", "#ce2b37"),
    "belgium": ("#111111", "#fae042", "#ed2939"),
    "ireland": ("#169b62", "#ffffff", "#ff883e"),
    "nigeria": ("#008751", "#ffffff", "#008751"),
}
_NORDIC: Mapping[str, tuple[str, tuple[tuple[str, float], ...]]] = {
    "sweden": ("#006aa7", (("#fecc00", 0.2),)),
    "finland": ("#ffffff", (("#003580", 0.27),)),
    "denmark": ("#c8102e", (("#ffffff", 0.15),)),
    "norway": ("#ba0c2f", (("#ffffff", 0.25), ("#00205b", 0.125))),
}

COUNTRIES = (
    *_STRIPES,
    *_BANDS,
    *_NORDIC,
    "japan",
    "vietnam",
    "switzerland",
    "turkey",
    "china",
    "czechia",
    "bangladesh",
)
"""Every country whose flag can be drawn."""


def flag(pen: Pen, country: str) -> None:
    """The flag of a country, with a thin edge so that white shows on white."""
    if country in _STRIPES:
        colors = _STRIPES[country]
        for place, color in enumerate(colors):
            pen.rect(-1.5, -1 + 2 * place / len(colors), 1.5, -1 + 2 * (place + 1) / len(colors), color)
    elif country in _BANDS:
        for place, color in enumerate(_BANDS[country]):
            pen.rect(place - 1.5, -1, place - 0.5, 1, color)
    elif country in _NORDIC:
        field, crosses = _NORDIC[country]
        pen.rect(-1.5, -1, 1.5, 1, field)
        for color, half in crosses:
            pen.rect(-1.5, -half, 1.5, half, color)
            pen.rect(-0.45 - half, -1, -0.45 + half, 1, color)
    else:
        _single(pen, country)
    half = 1.0 if country == "switzerland" else 1.5
    pen.line([(-half, -1), (half, -1), (half, 1), (-half, 1), (-half, -1)], INK, 0.02)


def _single(pen: Pen, country: str) -> None:
    if country == "japan":
        pen.rect(-1.5, -1, 1.5, 1, "#ffffff")
        pen.disc(0, 0, 0.6, "#bc002d")
    elif country == "bangladesh":
        pen.rect(-1.5, -1, 1.5, 1, "#006a4e")
        pen.disc(-0.15, 0, 0.62, "#f42a41")
    elif country == "vietnam":
        pen.rect(-1.5, -1, 1.5, 1, "#da251d")
        pen.poly(star(0, 0.03, 0.62), "#ffff00")
    elif country == "switzerland":  # the one square flag of a country
        pen.rect(-1, -1, 1, 1, "#da291c")
        pen.rect(-0.2, -0.62, 0.2, 0.62, "#ffffff")
        pen.rect(-0.62, -0.2, 0.62, 0.2, "#ffffff")
    elif country == "turkey":
        pen.rect(-1.5, -1, 1.5, 1, "#e30a17")
        pen.disc(-0.5, 0, 0.5, "#ffffff")
        pen.disc(-0.375, 0, 0.4, "#e30a17")
        pen.poly(star(0.2, 0, 0.25, turn=-90), "#ffffff")
    elif country == "china":
        pen.rect(-1.5, -1, 1.5, 1, "#de2910")
        pen.poly(star(-1.0, -0.5, 0.3), "#ffde00")
        for x, y, turn in ((-0.5, -0.8, 21), (-0.3, -0.6, -8), (-0.3, -0.3, 16), (-0.5, -0.1, -10)):
            pen.poly(star(x, y, 0.1, turn=turn), "#ffde00")
    elif country == "czechia":
        pen.rect(-1.5, -1, 1.5, 0, "#ffffff")
        pen.rect(-1.5, 0, 1.5, 1, "#d7141a")
        pen.poly([(-1.5, -1), (0, 0), (-1.5, 1)], "#11457e")
    else:
        raise ValueError(f"no flag of {country!r} is known")


def european_union(pen: Pen) -> None:
    """Twelve stars in a circle."""
    pen.rect(-1.5, -1, 1.5, 1, "#003399")
    for x, y in ring(0, 0, 0.66, 12):
        pen.poly(star(x, y, 0.13), "#ffcc00")


def united_states(pen: Pen) -> None:
    """Thirteen stripes and fifty stars."""
    for stripe in range(13):
        color = "#b22234" if stripe % 2 == 0 else "#ffffff"
        pen.rect(-1.5, -1 + 2 * stripe / 13, 1.5, -1 + 2 * (stripe + 1) / 13, color)
    pen.rect(-1.5, -1, -0.25, -1 + 14 / 13, "#3c3b6e")
    for row in range(9):
        for place in range(6 if row % 2 == 0 else 5):
            x = -1.5 + (1.25 / 12) * (2 * place + 1 + row % 2)
            pen.poly(star(x, -1 + (14 / 13 / 10) * (row + 1), 0.062), "#ffffff")
    pen.line([(-1.5, -1), (1.5, -1), (1.5, 1), (-1.5, 1), (-1.5, -1)], INK, 0.02)
