"""Claims of a paper, tested on a user's runs and on the published table.

Of runs, every answer is at hand. Claims about parts of the items are tested within each run (`snellen.engine.parts`),
claims about two runs on the items that both have (`snellen.engine.paired`); each claim's tests are one family for
Holm's correction. A test **supports** its claim where the difference has the claimed sign and p is below 0.05,
**contradicts** it where it has the other sign and p is below 0.05, and leaves it **open** else. "Helps little" is
another matter, for no difference is no evidence of none: it is supported where the whole interval of the gain lies
within the claim's margin, and contradicted where it lies beyond.

Of a published row only shares are known. It agrees or disagrees by its sign (by the margin for "little"); beside it
stands what chance alone would do, 1.96 standard errors of a difference of independent shares, with items on one image
correlated as `snellen.engine.power` assumes. Where two rows share their items that is too much rather than too little.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import sqrt
from typing import Any, Literal

import numpy as np

from snellen.card import Card, PublishedRow
from snellen.claim import Claim
from snellen.engine.comparison import Comparable, Pairing
from snellen.engine.multiplicity import holm
from snellen.engine.paired import Difference, Mask, difference
from snellen.engine.parts import PartsDifference, parts_difference
from snellen.engine.power import DEFAULT_CORRELATION, DEFAULT_PER_IMAGE
from snellen.engine.run_traits import Traits, effort_rank, series_and_size, size_text, traits_of
from snellen.errors import UsageError
from snellen.model_spec import ModelSpec
from snellen.table import VerdictTable

Outcome = Literal["supports", "contradicts", "open"]
LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class Tested:
    """A claim on a user's run, or on two.

    Attributes:
        runs: one name, or the lesser one's (smaller, less effort, first prompt) and the other's.
        about: what tells the two apart, in words.
        found: higher less lower, or the second run less the first.
        outcome: what it says of the claim.
    """

    runs: tuple[str, ...]
    about: str
    found: PartsDifference | Difference
    outcome: Outcome

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names."""
        return {
            "runs": list(self.runs),
            "about": self.about,
            "found": self.found.to_json(),
            "outcome": self.outcome,
        }


@dataclass(frozen=True, slots=True)
class PublishedTest:
    """A claim on a row of the published table, or on two.

    Attributes:
        rows: one model, or the lesser one and the other.
        lower, higher: the two shares.
        chance: how far a difference could come from chance alone; None where the items behind it are not known.
        agrees: whether the difference is as claimed.
    """

    rows: tuple[str, ...]
    lower: float
    higher: float
    chance: float | None
    agrees: bool

    @property
    def value(self) -> float:
        """The difference."""
        return self.higher - self.lower

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names, with the difference."""
        return {name: getattr(self, name) for name in self.__slots__} | {"rows": list(self.rows), "value": self.value}


@dataclass(frozen=True, slots=True)
class ClaimTest:
    """A claim with all that was tested of it."""

    claim: Claim
    published: tuple[PublishedTest, ...]
    tested: tuple[Tested, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "name": self.claim.name,
            "text": self.claim.text,
            "published": [each.to_json() for each in self.published],
            "tested": [each.to_json() for each in self.tested],
        }


def claims(
    card: Card,
    stated: Sequence[Claim],
    runs: Sequence[Comparable] = (),
    models: Mapping[str, ModelSpec] | None = None,
) -> tuple[ClaimTest, ...]:
    """Test what a benchmark's paper states.

    Args:
        card: of the benchmark.
        stated: the claims.
        runs: judged runs of it; none tests the published table alone.
        models: those declared in ``models.toml``, by name.

    Raises:
        UsageError: there is no claim, a run is named twice, or one has no label that a claim is about.
    """
    if not stated:
        raise UsageError(f"{card.name} lists no claim of a paper")
    names = [run.name for run in runs]
    if twice := next((name for name in names if names.count(name) > 1), ""):
        raise UsageError(f"{twice} is named twice")
    traits = [traits_of(run.manifest, models) for run in runs]
    return tuple(ClaimTest(claim, _published(card, claim), _tested(claim, runs, traits)) for claim in stated)


def _tested(claim: Claim, runs: Sequence[Comparable], traits: Sequence[Traits]) -> tuple[Tested, ...]:
    if claim.kind == "parts":
        found = [Tested((run.name,), "", _parts(claim, run.table), "open") for run in runs]
    else:
        found = []
        for lesser, more, about in _steps(claim, traits):
            pairing = Pairing.of(runs[lesser].table, runs[more].table)
            rows = _mask(pairing.base, claim.items)
            if rows.any():
                base, other = pairing.base.values[rows], pairing.other.values[rows]
                step = difference(base, other, pairing.base.clusters[rows])
                found.append(Tested((runs[lesser].name, runs[more].name), about, step, "open"))
    corrected = holm([each.found.p for each in found])
    done = (replace(each, found=replace(each.found, p_holm=p)) for each, p in zip(found, corrected, strict=True))
    return tuple(replace(each, outcome=_outcome(claim, each.found)) for each in done)


def _parts(claim: Claim, table: VerdictTable) -> PartsDifference:
    clean = table.select(table.clean)
    higher, lower = _mask(clean, claim.higher), _mask(clean, claim.lower)
    return parts_difference(clean.values, higher, lower, clean.clusters)


def _mask(table: VerdictTable, labels: Mapping[str, Sequence[str]]) -> Mask:
    return table.mask(**{name: tuple(values) for name, values in labels.items()})


def _outcome(claim: Claim, found: PartsDifference | Difference) -> Outcome:
    if claim.kind == "effort":
        if found.low is None or found.high is None:
            return "open"
        return "supports" if found.high <= claim.margin else "contradicts" if found.low > claim.margin else "open"
    if found.value is None or found.p_holm is None or found.p_holm >= LEVEL:
        return "open"
    return "supports" if found.value > 0 else "contradicts"


def _steps(claim: Claim, traits: Sequence[Traits]) -> list[tuple[int, int, str]]:
    """Places of two runs that differ in what the claim is about and in nothing else: the lesser first."""
    groups: dict[tuple[str, ...], list[int]] = {}
    for place, each in enumerate(traits):
        key: tuple[str, ...]
        if claim.kind == "effort":
            key = (each.model, each.prompt)
        elif claim.kind == "size":
            key = (each.series or each.family, each.effort, each.prompt)
        else:
            key = (each.model, each.effort)
        groups.setdefault(key, []).append(place)
    found = []
    for members in groups.values():
        ordered = sorted((rank, place) for place in members if (rank := _rank(claim, traits[place])) is not None)
        for (less, one), (more, other) in pairwise(ordered):
            if less < more:
                found.append((one, other, _about(claim, traits[one], traits[other])))
    return found


def _rank(claim: Claim, traits: Traits) -> float | None:
    if claim.kind == "effort":
        return float(effort_rank(traits.effort or "medium"))  # what servers take where nothing is asked for
    if claim.kind == "size":
        return traits.size if traits.series or traits.family else None
    return float(claim.prompts.index(traits.prompt)) if traits.prompt in claim.prompts else None


def _about(claim: Claim, one: Traits, other: Traits) -> str:
    if claim.kind == "effort":
        return f"{one.effort or 'default'} to {other.effort or 'default'}"
    if claim.kind == "size":
        return f"{size_text(one.size)} to {size_text(other.size)}"
    return f"{one.prompt} to {other.prompt}"


def _published(card: Card, claim: Claim) -> tuple[PublishedTest, ...]:
    if claim.kind == "parts":
        return tuple(filter(None, (_published_parts(card, claim, row) for row in card.published)))
    rows = {row.model: row for row in card.published}
    found = []
    for lesser, more in _published_steps(card, claim):
        if lesser not in rows or more not in rows:
            continue
        low, high = (_number(rows[name], claim) for name in (lesser, more))
        if low is None or high is None:
            continue
        items = 0 if claim.metric else card.published_items.get("", 0)
        chance = _chance((low, items), (high, items)) if items else None
        agrees = high - low <= claim.margin if claim.kind == "effort" else high > low
        found.append(PublishedTest((lesser, more), low, high, chance, agrees))
    return tuple(found)


def _number(row: PublishedRow, claim: Claim) -> float | None:
    return row.metrics.get(claim.metric) if claim.metric else row.rates.get("")


def _published_steps(card: Card, claim: Claim) -> list[tuple[str, str]]:
    found = [*claim.pairs, *(pair for series in claim.series for pair in pairwise(series))]
    if claim.kind == "size":
        by_series: dict[str, list[tuple[float, str]]] = {}
        for row in card.published:
            stem, size = series_and_size(row.model)
            if size is not None and not row.note:
                by_series.setdefault(stem, []).append((size, row.model))
        found += [(one, other) for each in by_series.values() for (_, one), (_, other) in pairwise(sorted(each))]
    return found


def _published_parts(card: Card, claim: Claim, row: PublishedRow) -> PublishedTest | None:
    shares = []
    for labels in (claim.lower, claim.higher):
        # A table gives shares by one label at a time.
        ((label, values),) = labels.items()
        keys = [f"{label}={value}" for value in values]
        if not all(key in row.rates and key in card.published_items for key in keys):
            return None
        items = [card.published_items[key] for key in keys]
        shares.append((float(np.average([row.rates[key] for key in keys], weights=items)), sum(items)))
    (low, _), (high, _) = shares
    return PublishedTest((row.model,), low, high, _chance(*shares), high > low)


def _chance(*shares: tuple[float, int]) -> float:
    """1.96 standard errors of a difference of shares of so many items, independent but for those on one image."""
    effect = 1 + DEFAULT_CORRELATION * (DEFAULT_PER_IMAGE - 1)
    return 1.96 * sqrt(effect * sum(share * (1 - share) / items for share, items in shares))
