"""Parsing and hallucination item by item: does a model hallucinate on the elements that it failed to parse?

Averages over models cannot tell: a better model does both better. Here each place that a run was asked for is put
beside the parse that the same run gave of the same screen in the same language.

**Targets that are there.** The target's elements are the true ones whose centre lies in its box: a target is all that
reacts to a click, such as an icon with its label, while the elements of a parse are single. (An element that overlaps
the box by 0.5 or more is always among them: its centre lies in what they share.) A target counts as parsed when any of
its elements was matched in the parse, by the judge's own matching; a second figure asks for all of them. Bad is an
answer that does not hit.

**Absent targets.** Of their elements there are none, so what counts is how much the parse invented: elements that it
lists and that are not there. Bad is an answer that points somewhere instead of rejecting.

Each is told by an odds ratio clustered by screen (`snellen.engine.odds`), and within strata, since small elements are
both harder to list and harder to hit: within screens, within types of element, and over several runs within models. An
association is no cause; `snellen ladder` asks for that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import median
from typing import Any

import numpy as np
import numpy.typing as npt

from snellen.box import Box
from snellen.engine.judged import Judged, JudgedRow
from snellen.engine.judging import settled
from snellen.engine.multiplicity import holm
from snellen.engine.odds import Area, Odds, area, mantel_haenszel, odds_ratio
from snellen.engine.screen_answers import convention_read, matching_of, parse_of
from snellen.item import ElementsReference, TargetReference
from snellen.judges import _matching
from snellen.metrics._screens import ABSENT, PRESENT, TASK
from snellen.verdict import EMPTY, FORMAT_ERROR, UNCLEAR

LINKS: Mapping[str, tuple[str, str]] = {
    "missed": ("the target was not parsed", "it is not hit"),
    "missed_in_part": ("the target was not parsed in full", "it is not hit"),
    "missed_pointed": ("the target was not parsed", "an answer that points does not hit"),
    "invented": ("the parse invents more than the run's median", "an absent target is pointed at"),
}
"""Name of an association -> what is exposed, and what is bad."""

LEFT_OUT: Mapping[str, str] = {
    "no_parse": "no parse of the screen in that language was answered",
    "no_element": "the centre of no true element lies in the target",
    "unscored": "the answer has no verdict",
    "unreadable": "the answer to an absent target neither points nor rejects",
}
"""Why a place is left out, in words."""


@dataclass(frozen=True, slots=True)
class Link:
    """One association.

    Attributes:
        name: in `LINKS`.
        crude: all cases together.
        within: ``screen``, ``element``, and over several runs ``run`` and ``run and screen`` -> the odds ratio within.
        p_holm: the crude p (over several runs the one within runs), corrected over all runs of the same link.
    """

    name: str
    crude: Odds
    within: Mapping[str, Odds]
    p_holm: float | None = None

    @property
    def leading(self) -> Odds:
        """The one that is to be read first: within runs where there are several."""
        return self.within.get("run", self.crude)

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names."""
        return {
            "name": self.name,
            "exposed": LINKS[self.name][0],
            "bad": LINKS[self.name][1],
            "crude": self.crude.to_json(),
            "within": {name: each.to_json() for name, each in self.within.items()},
            "p_holm": self.p_holm,
        }


@dataclass(frozen=True, slots=True)
class Association:
    """What the parses of a run, or of several, say of its places.

    Attributes:
        run: its name; empty for all runs together.
        links: by name; those without a case are left out.
        areas: ``invented`` and ``imprecision`` (1 - precision) -> how well the number of invented elements, or their
            share of the parse, tells absent targets that are pointed at from rejected ones; of single runs alone.
        left_out: reason in `LEFT_OUT` -> places.
    """

    run: str
    links: tuple[Link, ...]
    areas: Mapping[str, Area]
    left_out: Mapping[str, int]

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names."""
        return {
            "run": self.run,
            "links": [link.to_json() for link in self.links],
            "areas": {name: each.to_json() for name, each in self.areas.items()},
            "left_out": dict(self.left_out),
        }


@dataclass(slots=True)
class _Cases:
    """Cases of one link, as columns."""

    exposed: list[bool] = field(default_factory=list)
    bad: list[bool] = field(default_factory=list)
    clusters: list[str] = field(default_factory=list)
    screens: list[str] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    runs: list[int] = field(default_factory=list)

    def add(self, exposed: bool, bad: bool, cluster: str, screen: str, kind: str) -> None:
        self.exposed.append(exposed)
        self.bad.append(bad)
        self.clusters.append(cluster)
        self.screens.append(screen)
        self.kinds.append(kind)
        self.runs.append(0)

    def of_run(self, number: int) -> _Cases:
        return replace(self, runs=[number] * len(self.runs))

    def __add__(self, other: _Cases) -> _Cases:
        return _Cases(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))

    def link(self, name: str, *, several: bool) -> Link:
        whole = (self.exposed, self.bad)
        strata: dict[str, list[str]] = {"screen": self.screens, "element": self.kinds}
        if name == "invented" and not several:
            del strata["screen"]  # a screen in one language has one parse: all its cases are exposed alike
        if several:
            runs = [str(number) for number in self.runs]
            both = [f"{number} {screen}" for number, screen in zip(runs, self.screens, strict=True)]
            strata |= {"run": runs, "run and screen": both}
            if name == "invented":
                del strata["run and screen"]
        within = {each: mantel_haenszel(*whole, of, self.clusters) for each, of in strata.items()}
        return Link(name, odds_ratio(*whole, self.clusters), within)


@dataclass(frozen=True, slots=True)
class _Screen:
    """A parse: edges and types of the true elements, which of them were matched, and what was invented of how many."""

    edges: npt.NDArray[np.float32]
    kinds: tuple[str, ...]
    matched: npt.NDArray[np.bool_]
    invented: int
    listed: int


@dataclass(frozen=True, slots=True)
class _Place:
    """A place that was asked for: `bad` whether it was not hit, or was pointed at; `points` whether the answer does."""

    cluster: str
    screen: str
    kind: str
    target: Box | None
    bad: bool
    points: bool


def associate(runs: Sequence[Judged]) -> tuple[Association, ...]:
    """The association within each run, then over all where there are several. Rows are streamed.

    Runs that are not on screens or have no case give nothing.
    """
    found: list[Association] = []
    pooled: dict[str, _Cases] = {name: _Cases() for name in LINKS}
    left_out: Counter[str] = Counter()
    for number, run in enumerate(runs):
        if run.card.domain != "screen":
            continue
        cases, areas, own = _cases(run)
        if not any(each.bad for each in cases.values()):
            continue
        links = tuple(each.link(name, several=False) for name, each in cases.items() if each.bad)
        found.append(Association(run.name, links, areas, own))
        left_out += own
        for name, each in cases.items():
            pooled[name] += each.of_run(number)
    if len(found) > 1:
        links = tuple(each.link(name, several=True) for name, each in pooled.items() if each.bad)
        found.append(Association("", links, {}, left_out))
    return _corrected(found)


def _corrected(found: Sequence[Association]) -> tuple[Association, ...]:
    by_name: dict[str, dict[int, float | None]] = {}
    for name in LINKS:
        places = [number for number, each in enumerate(found) if any(link.name == name for link in each.links)]
        p = [next(link.leading.p for link in found[number].links if link.name == name) for number in places]
        by_name[name] = dict(zip(places, holm(p), strict=True))
    return tuple(
        replace(each, links=tuple(replace(link, p_holm=by_name[link.name][number]) for link in each.links))
        for number, each in enumerate(found)
    )


def _cases(run: Judged) -> tuple[dict[str, _Cases], dict[str, Area], Counter[str]]:
    screens, places, left_out = _read(run)
    cases = {name: _Cases() for name in LINKS}
    absent: list[tuple[_Place, _Screen]] = []
    for place in places:
        screen = screens.get(place.screen)
        if screen is None:
            left_out["no_parse"] += 1
        elif place.target is None:
            absent.append((place, screen))
        elif not len(own := elements_of(place.target, screen.edges)):
            left_out["no_element"] += 1
        else:
            seen = screen.matched[own]
            about = (place.cluster, place.screen, place.kind or screen.kinds[own[0]])
            cases["missed"].add(not seen.any(), place.bad, *about)
            cases["missed_in_part"].add(not seen.all(), place.bad, *about)
            if place.points:
                cases["missed_pointed"].add(not seen.any(), place.bad, *about)
    if not absent:
        return cases, {}, left_out
    middle = median(screen.invented for _, screen in absent)
    for place, screen in absent:
        cases["invented"].add(screen.invented > middle, place.bad, place.cluster, place.screen, place.kind)
    bad, clusters = [place.bad for place, _ in absent], [place.cluster for place, _ in absent]
    scores = {
        "invented": [float(screen.invented) for _, screen in absent],
        "imprecision": [screen.invented / max(screen.listed, 1) for _, screen in absent],
    }
    return cases, {name: area(score, bad, clusters) for name, score in scores.items()}, left_out


def elements_of(target: Box, edges: npt.NDArray[np.floating[Any]]) -> npt.NDArray[np.int64]:
    """Which elements, given by edges of shape (E, 4), make up a target: shape (K,), places among them.

    Those whose centre lies in its box, edges included.

    >>> elements_of(Box(0, 0, 10, 10), np.array([[2, 2, 4, 4], [6, 6, 9, 9], [20, 20, 30, 30]])).tolist()
    [0, 1]
    """
    x, y = (edges[:, 0] + edges[:, 2]) / 2, (edges[:, 1] + edges[:, 3]) / 2
    return np.flatnonzero((target.left <= x) & (x <= target.right) & (target.top <= y) & (y <= target.bottom))


def _read(run: Judged) -> tuple[dict[str, _Screen], list[_Place], Counter[str]]:
    convention, matching = convention_read(run), matching_of(run)
    screens: dict[str, _Screen] = {}
    places: list[_Place] = []
    left_out: Counter[str] = Counter()
    for row in run.rows():
        item = row.item
        if item.changes:
            continue
        screen = f"{item.language} {item.groups.get('screen', item.cluster)}"
        if isinstance(item.reference, TargetReference) and item.labels.get(TASK) in (*PRESENT, *ABSENT):
            place = _place(row, item.reference, screen)
            if isinstance(place, str):
                left_out[place] += 1
            else:
                places.append(place)
        elif isinstance(item.reference, ElementsReference) and row.answer is not None and row.answer.failure is None:
            verdict, visible = settled(row.answer, parity=False)
            true = item.reference.elements
            parse = parse_of(item, true, visible, convention) if verdict is None else None
            if parse is not None:
                pairs = parse.pairs(matching)
                matched = np.zeros(len(true), np.bool_)
                matched[[j for _, j in pairs]] = True
                edges = _matching.edges([each.box for each in true]).astype(np.float32)
                kinds = tuple(each.kind for each in true)
                screens[screen] = _Screen(edges, kinds, matched, parse.count - len(pairs), parse.count)
    return screens, places, left_out


def _place(row: JudgedRow, truth: TargetReference, screen: str) -> _Place | str:
    verdict, kind = row.verdict, row.item.labels.get("element", "")
    if verdict.value is None:
        return "unscored"
    points = not {"rejected", "hit"}.isdisjoint(verdict.measures) and not verdict.measures.get("rejected", (0, 1))[0]
    points = points and not {EMPTY, FORMAT_ERROR, UNCLEAR}.intersection(verdict.flags)
    if truth.box is None and not points and not verdict.value:
        return "unreadable"
    return _Place(row.item.cluster, screen, kind, truth.box, not verdict.value, points)
