"""Several tests at once: p-values corrected for how many there are."""

from __future__ import annotations

from collections.abc import Sequence


def holm(p: Sequence[float | None]) -> list[float | None]:
    """Each p corrected for all that are there, one family (Holm 1979, Scandinavian J. of Statistics 6).

    The chance that any of a family that is due to chance comes out below 0.05 is at most 5 %. None is no test.

    >>> holm([0.01, None, 0.04, 0.03])
    [0.03, None, 0.06, 0.06]
    """
    places = sorted((place for place, each in enumerate(p) if each is not None), key=lambda place: p[place] or 0.0)
    found: list[float | None] = [None] * len(p)
    most = 0.0
    for rank, place in enumerate(places):
        most = max(most, min(1.0, (p[place] or 0.0) * (len(places) - rank)))
        found[place] = most
    return found
