"""A ranking in words, on the terminal and on the page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from snellen.engine.run_traits import Traits, size_text
from snellen.engine.tiers import Tiers
from snellen.report.text import ends, one_line

if TYPE_CHECKING:
    from rich.table import Table

NOTE = (
    "Runs that share a letter cannot be told apart: sign-flip tests of every pair over images, by Holm's correction "
    "over all pairs, at 5 %."
)


@dataclass(frozen=True, slots=True)
class Place:
    """A run of the ranking in words."""

    title: str
    model: str
    score: str
    interval: str
    letters: str


def places(tiers: Tiers) -> tuple[Place, ...]:
    """The runs, the best first."""
    return tuple(
        Place(
            ends(each.title, 80),
            one_line(about(each.traits), 80),
            f"{each.score:value}".removesuffix(" %"),
            f"{each.score:interval}",
            each.letters,
        )
        for each in tiers.ranked
    )


def about(traits: Traits) -> str:
    """What is known of a model, in a few words: ``qwen, 7B, open, effort high``."""
    effort = f"effort {traits.effort}" if traits.effort else ""
    return ", ".join(filter(None, (traits.family, size_text(traits.size), traits.weights, effort)))


def notes(tiers: Tiers) -> Iterator[str]:
    """What to know of the ranking, in sentences."""
    yield NOTE
    if tiers.scored < tiers.shared:
        yield (f"Scores are over the {tiers.scored:,} items scored in every run, of {tiers.shared:,} that all have.")
    else:
        yield f"Scores are over the {tiers.scored:,} items that all runs have."
    found = tiers.open_closed
    if found is not None:
        ends = "" if found.low is None or found.high is None else f" [{100 * found.low:+.1f}, {100 * found.high:+.1f}]"
        p = "p < 0.001" if found.p < 0.001 else f"p {found.p:.3f}"
        yield (
            f"Open weights ({len(found.open):,} runs) against closed ({len(found.closed):,}): "
            f"{100 * found.value:+.1f} points{ends}, {p}; of these models, on other images of this kind."
        )


def table(tiers: Tiers) -> Table:
    """The ranking for the terminal."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    drawn = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="")
    drawn.add_column("rank", justify="right")
    drawn.add_column("run", overflow="fold", min_width=12)
    known = any(place.model for place in places(tiers))
    if known:
        drawn.add_column("model", overflow="fold")
    drawn.add_column("score", justify="right")
    drawn.add_column("95 % interval", justify="right")
    drawn.add_column("tiers")
    for number, each in enumerate(places(tiers), 1):
        words = [str(number), each.title, *([each.model] if known else []), each.score, each.interval, each.letters]
        drawn.add_row(*(Text(word, overflow="fold") for word in words))
    return drawn
