"""Power in words, on the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from snellen.engine.power import Part, Power
from snellen.report.text import one_line

if TYPE_CHECKING:
    from rich.console import Console

NOTE = (
    "Needed: images that show the difference, with as many items each. Shown: the least difference, in points, that "
    "the images at hand show; power: theirs, to see the difference. Differ: share of the items on which two runs "
    "differ (discordance). Corr.: correlation of differences on one image."
)


def show(found: Power, console: Console) -> None:
    """Prints a plan: a line for each part, then what it rests on."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="")
    for number, heading in enumerate(("part", "items", "images", "needed", "shown", "power", "differ", "corr.")):
        table.add_column(heading, justify="right" if number else "left", overflow="fold")
    before = ""
    for part in found.parts:
        if part.label != before:
            table.add_section()
        before = part.label
        table.add_row(*(Text(one_line(word, 60)) for word in _words(part, found.given)))
    if console.options.ascii_only:  # as in `snellen.report.tables.summary`
        with console.capture() as captured:
            console.print(table)
        console.file.write(captured.get().encode("ascii", "backslashreplace").decode("ascii"))
    else:
        console.print(table)
    family = f", each of {found.tests:,} at {found.level / found.tests:g}" if found.tests > 1 else ""
    console.print(
        Text(
            f"To see {100 * found.difference:g} points between two runs on the same items with a probability of "
            f"{100 * found.power:g} %, tested at {100 * found.level:g} %{family}."
        )
    )
    console.print(Text(NOTE))
    for line in notes(found):
        console.print(Text(f"- {line}"))


def notes(found: Power) -> list[str]:
    """What a plan rests on."""
    whole = found.parts[0].variation
    names = [name for name in ("discordance", "correlation") if name not in found.given]
    said = [f"{' and '.join(found.given).capitalize()} {_are(found.given)} as given."] if found.given else []
    subject = f"{' and '.join(names).capitalize()} {_are(names)}"
    if names and not whole.pairs:
        what = "assumptions" if names[1:] else "an assumption"
        said.append(f"{subject} {what}: there are no two runs that differ on enough items.")
    elif names:
        spread = ""
        if whole.low is not None and whole.high is not None and whole.pairs > 1:
            spread = f", whose discordance lies between {100 * whole.low:.1f} and {100 * whole.high:.1f} %"
        medians = f"the median{'s' if names[1:] else ''} of {whole.pairs:,} pairs"
        of = medians if whole.pairs > 1 else f"{'those' if names[1:] else 'that'} of one pair"
        said.append(f"{subject} {of} of runs{spread}.")
    if names and any(part.from_whole for part in found.parts):
        said.append("Where two runs differ on fewer than ten of a part's items, those of all items stand in (*).")
    return said


def _are(names: Sequence[str]) -> str:
    return "are" if len(names) > 1 else "is"


def _words(part: Part, given: Sequence[str]) -> tuple[str, ...]:
    stars = ["*" if part.from_whole and name not in given else "" for name in ("discordance", "correlation")]
    return (
        part.value if part.label else "all",
        f"{part.items:,}",
        f"{part.images:,}",
        "> 10 million" if part.needed is None else f"{part.needed:,}",
        "-" if part.shows is None else f"{100 * part.shows:.1f}",
        f"{100 * part.power:.0f} %",
        f"{100 * part.variation.discordance:.1f} %{stars[0]}",
        f"{part.variation.correlation:.2f}{stars[1]}",
    )
