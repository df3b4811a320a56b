"""Tables for the terminal and for spreadsheets.

The terminal's are drawn by rich and read as well in a pipe: no colour codes there, nothing wider than 80 columns by
need, frames of ASCII where the output cannot take others. Foreign text goes in as `rich.text.Text`, never as markup,
with control characters made visible, so that a model's name can neither colour nor clear the screen.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from snellen.estimate import Estimate
from snellen.report import repeats, split
from snellen.report.beside import CAPTION_HEADINGS, caption_lines, counted, published_text
from snellen.report.drawing import table as _table
from snellen.report.drawing import text as _text
from snellen.report.resistance import left_out, over_cells, scored, sections
from snellen.report.source import ReportSource
from snellen.report.text import one_line
from snellen.report.view import percent, short_names, title_of

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from snellen.card import Card
    from snellen.engine.resistance import Resistance

_VALUES = 8  # of a label: longer ones (kinds of chart) stand in the report and the export only
_DIFFERING = 10  # items of a difference; all stand in the report and in --json
_LABEL_VALUES = 20  # of a label in the table of resistance: it is one table, and SHALE's aspects are 18
_WORDS = {"declined": "declined, of all", "over-refusal": "over-refusal, of answerable"}

Value = str | int | float | None


def summary(sources: Sequence[ReportSource], console: Console) -> None:
    """Prints each run: headline, cells, marginals, declining, remarks; several runs are compared first.

    Args:
        sources: judged runs, in the order in which they are to be shown.
        console: where to; its width decides the layout.
    """
    if not console.options.ascii_only:
        _print(sources, console)
        return
    with console.capture() as captured:  # the stream cannot take a Chinese name: it gets escapes, not an error
        _print(sources, console)
    console.file.write(captured.get().encode("ascii", "backslashreplace").decode("ascii"))


def _print(sources: Sequence[ReportSource], console: Console) -> None:
    if len(sources) > 1:
        console.print(_comparison(sources))
    for number, source in enumerate(sources):
        if number or len(sources) > 1:
            console.print()
        console.print(_text(source.name, "bold"))
        console.print(_text(source.results.headline_text()))
        if (again := repeats.section(source)) is not None:
            console.print(_text(f"This is the first repeat alone; {again.headline}", "bold"))
        if not source.results.headline.n and not source.results.resistance and again is None:
            console.print(_text("Nothing is scored, so there is no table."))
            console.print(_remarks(source))
            continue
        for cells in _cells(source):
            console.print()
            console.print(cells)
        if lacking := _without_items(source):
            names = ", ".join(title_of(source.card, source.results.rows, row) for row in lacking)
            console.print(_text(f"No items: {names}."))
        split.show(source, console)
        console.print()
        console.print(_lines(source))
        if source.results.screens is not None:
            from snellen.report import screen_tables

            screen_tables.show(source, console)
        if source.results.captions:
            console.print(_captions(source))
        if source.results.claims is not None:
            console.print(_text(source.results.claims.text()))
        if (found := source.results.resistance) is not None:
            console.print(_text(_resistance_text(found, source.card)))
            console.print()
            console.print(_resistance(found, source.card, console.width))
        repeats.show(source, console)
        _print_differences(source, console)
        console.print(_remarks(source))


def _remarks(source: ReportSource) -> Table:
    from rich.table import Table

    grid = Table.grid(padding=(0, 1))
    for remark in dict.fromkeys((*source.remarks, *source.card.notes)):
        grid.add_row(_text("-"), _text(remark))
    return grid


def _comparison(sources: Sequence[ReportSource]) -> Table:
    names = short_names(sources) if len({source.card.name for source in sources}) == 1 else [s.name for s in sources]
    table = _table()
    table.add_column(_text("run"), overflow="fold", min_width=16)
    for heading in ("%", "95 % interval", "scored", "unclear", "unscored"):
        table.add_column(_text(heading), justify="right", overflow="fold")
    for name, source in zip(names, sources, strict=True):
        headline = source.results.headline
        table.add_row(
            _text(name),
            _percent(headline),
            _text(format(headline, "interval")),
            _text(f"{headline.n:,}"),
            _text(f"{source.results.unclear:,}"),
            _text(f"{headline.unscored:,}"),
        )
    return table


def _percent(estimate: Estimate) -> Text:
    return _text("-" if estimate.value is None else percent(estimate.value), "bold")


def _without_items(source: ReportSource) -> list[str]:
    """Rows of the table of cells that no item is in, unless these are all."""
    counts: Counter[str] = Counter()
    for (row, _), cell in source.results.cells.items():
        counts[row] += cell.n + cell.unscored
    lacking = [row for row, count in counts.items() if not count]
    return lacking if len(lacking) < len(counts) else []


def _cells(source: ReportSource) -> Iterator[Table]:
    """The table of cells, or of each of the tables into which the card splits it."""
    card, found = source.card, source.results.split
    if found is None:
        yield from _grid(source, source.results.cells, f"{card.score}, %")
        return
    for value, group in found.groups.items():
        yield from _grid(source, group.cells, f"{split.part_title(found, card, value)}, {card.score}, %")


def _grid(source: ReportSource, cells: Mapping[tuple[str, str], Estimate], heading: str) -> Iterator[Table]:
    card, row_label, column_label = source.card, source.results.rows, source.results.columns
    if not cells:
        return
    rows = [row for row in dict.fromkeys(row for row, _ in cells) if row not in _without_items(source)]
    columns = list(dict.fromkeys(column for _, column in cells))
    table = _table()
    table.add_column(_text(heading), overflow="fold", max_width=16)
    for column in columns:
        table.add_column(_text(title_of(card, column_label, column)), justify="right", overflow="fold")
    for row in rows:
        table.add_section()
        table.add_row(
            _text(title_of(card, row_label, row)),
            *(_cell(cells[row, column]) if (row, column) in cells else _text("") for column in columns),
        )
    yield table


def _cell(estimate: Estimate) -> Text:
    from rich.text import Text

    total = estimate.n + estimate.unscored
    if estimate.value is None:
        return Text(f"-\nnone of {total}\n" if total else "-\nno items\n", style="dim")
    counts = f"{estimate.n:,}" if not estimate.unscored else f"{estimate.n:,} of {total:,}"
    return Text.assemble((percent(estimate.value), "bold"), f"\n{format(estimate, 'interval')}\n{counts}")


def _lines(source: ReportSource) -> Table:
    table = _table()
    table.add_column(_text(""), overflow="fold", min_width=20)
    for heading in ("%", "95 % interval", "scored", "of", "bounds"):
        table.add_column(_text(heading), justify="right", overflow="fold")
    before = ""
    for scope, label, value, estimate in _estimates(source):
        if scope == "cell" or (scope == "marginal" and len(source.results.marginals[label]) > _VALUES):
            continue
        words = title_of(source.card, label, value) if scope == "marginal" else _WORDS.get(label, label)
        if (part := label if scope == "marginal" else scope) != before:
            table.add_section()
        before = part
        low, high = estimate.lower_bound, estimate.upper_bound
        bounds = f"{percent(low)}-{percent(high)}" if estimate.unscored and low is not None and high is not None else ""
        table.add_row(
            _text(words),
            _percent(estimate),
            _text(format(estimate, "interval")),
            _text(f"{estimate.n:,}"),
            _text(f"{estimate.n + estimate.unscored:,}"),
            _text(bounds),
        )
    return table


def _captions(source: ReportSource) -> Table:
    table = _table()
    table.add_column(_text("captions"), overflow="fold", max_width=20)
    for heading in CAPTION_HEADINGS:
        table.add_column(_text(f"{heading}, %"), justify="right", overflow="fold", max_width=16)
    for line in caption_lines(source):
        table.add_row(_text(line.title), *map(_cell, line.estimates))
    return table


def _print_differences(source: ReportSource, console: Console) -> None:
    if said := published_text(source):
        console.print(_text(said))
    for each in source.differences:
        console.print(_text(f"{each.title}, beside {each.there}: {counted(each)}"))
        if not len(each):
            continue
        table = _table()
        for heading in ("item", "here", "there", "reason here"):
            table.add_column(_text(heading), overflow="fold")
        for item in each.items(_DIFFERING):
            table.add_row(*map(_text, (item.item, item.here.words, item.there.words, one_line(item.here.reason, 160))))
        console.print(table)
        if len(each) > _DIFFERING:
            console.print(_text(f"and {len(each) - _DIFFERING:,} more: --json lists all"))


def _resistance_text(found: Resistance, card: Card) -> str:
    """``Resistance: 76.1 % [73.2, 78.9], 904 scored of 910, over all pairs (micro); mean over 36 cells ...``."""
    part = found.micro
    value = "undefined (no clean answer is right)" if part.resistance.value is None else str(part.resistance)
    macro = f"{found.macro:value} {found.macro:interval}".rstrip() if found.macro.value is not None else "undefined"
    said = [f"Resistance: {value}, over all pairs (micro)", f"mean over {over_cells(found, card)} (macro) {macro}"]
    said += [f"left out: {left_out(part)}"] if sum(part.left_out.values()) else []
    for truth, estimate in part.consistency.items():
        if estimate.n + estimate.unscored:
            said.append(f"consistency where the truth is {truth}: {estimate}")
    return "; ".join(said)


def _resistance(found: Resistance, card: Card, width: int) -> Table:
    table = _table()
    table.add_column(_text("resistance"), overflow="fold", min_width=12)
    # At 80 columns the names give way, never the numbers.
    widths = {"%": 5, "interval": 13, "clean": 5, "changed": 7, "scored": 9, "left out": 8}
    for heading, room in widths.items():
        table.add_column(_text(heading), justify="right", overflow="fold", min_width=room if width >= 80 else None)
    for _, parts in sections(found, card):
        if parts is not found.conditions and len(parts) > _LABEL_VALUES:
            continue
        table.add_section()
        for name, part in parts.items():
            table.add_row(
                _condition(name, max(12, width - 67)) if parts is found.conditions else _text(name),
                _percent(part.resistance),
                _text(format(part.resistance, "interval")),
                *(_text("-" if score.value is None else percent(score.value)) for score in (part.clean, part.changed)),
                _text(scored(part)),
                _text(f"{sum(part.left_out.values()):,}"),
            )
    return table


def _condition(name: str, room: int) -> Text:
    """The name of a condition, which holds no blanks, on lines that end behind a ``+`` or a hyphen."""
    from rich.text import Text

    lines = [_text("")]
    for piece in map(_text, re.findall(r"[^+-]+[+-]*|[+-]+", name)):
        if lines[-1] and lines[-1].cell_len + piece.cell_len > room:
            lines.append(_text(""))
        lines[-1].append_text(piece)
    return Text("\n", overflow="fold").join(lines)


def _of_screens(source: ReportSource) -> Iterator[tuple[str, str, str, Estimate]]:
    if source.results.screens is not None:
        from snellen.report import screens

        yield from screens.flat(source)


def _of_changes(source: ReportSource) -> Iterator[tuple[str, str, str, Estimate]]:
    """As `_estimates`, of the changed items: resistance, scores clean and changed, counterfactual consistency."""
    found = source.results.resistance
    if found is None:
        return
    parts = [("", "", found.micro)]
    named = {"condition": found.conditions, "perturbation": found.perturbations, "level": found.levels, **found.labels}
    parts += [(label, value, part) for label, values in named.items() for value, part in values.items()]
    for label, value, part in parts:
        yield "resistance", label, value, part.resistance
        yield "clean", label, value, part.clean
        yield "changed", label, value, part.changed
        for truth, estimate in part.consistency.items():
            if estimate.n + estimate.unscored:
                yield f"consistency_{truth}", label, value, estimate
    yield "resistance_macro", f"condition*{found.macro_label}" if found.macro_label else "condition", "", found.macro
    for label, cells in found.cells.items():
        for (condition, value), estimate in cells.items():
            yield "resistance", f"condition*{label}", f"{condition}*{value}", estimate


def _beside(source: ReportSource) -> Iterator[tuple[str, str, str, Estimate]]:
    """As `_estimates`, of what stands beside the judge's numbers: CHAIR, the published reading, atomic claims."""
    for (label, value), part in source.results.captions.items():
        yield "captions_judged", label, value, part.judged
        yield "chair_i", label, value, part.chair_i
        yield "chair_s", label, value, part.chair_s
        yield "object_coverage", label, value, part.coverage
    if source.results.published is not None:
        yield "published_accuracy", "", "", source.results.published.published
    if source.results.claims is not None:
        yield "hallucinated_claims_per_answer", "", "", source.results.claims.per_answer
        yield "claim_hallucination_rate", "", "", source.results.claims.rate


def _estimates(source: ReportSource) -> Iterator[tuple[str, str, str, Estimate]]:
    """(scope, label, value, estimate): overall, marginals, cells (label and value joined by ``*``), rates."""
    results, card = source.results, source.card
    yield "overall", card.score, "", results.headline
    for label, values in results.marginals.items():
        for value, estimate in values.items():
            yield "marginal", label, value, estimate
    labels = f"{results.rows}*{results.columns}"
    for (row, column), estimate in results.cells.items():
        yield "cell", labels, f"{row}*{column}", estimate
    yield "rate", "declined", "", results.abstention
    if card.answerable:
        yield "rate", "over-refusal", "", results.over_refusal


def to_rows(source: ReportSource) -> list[dict[str, Value]]:
    """Every estimate of a run as a flat record, for CSV, JSON or a data frame.

    Keys: run, benchmark, scope (``overall``, ``marginal``, ``cell``, ``rate``; of changed items ``resistance``,
    ``resistance_macro``, ``clean``, ``changed``, ``consistency_altered``, ``consistency_removed``; of captions that are
    compared with objects ``captions_judged``, ``chair_i``, ``chair_s``, ``object_coverage``; ``published_accuracy``;
    of atomic claims ``hallucinated_claims_per_answer`` (a number) and ``claim_hallucination_rate``; of
    split tables ``score``, ``accuracy``, ``non_hallucination_rate``, and ``macro``, ``macro_accuracy`` and so on; of
    screens the names of `snellen.engine.screen_numbers.NUMBERS`, and these with ``_gap``), label, value_of_label, then
    the estimate's value, low, high, scored, unscored, clusters, lower_bound, upper_bound, method; shares in [0, 1].
    """
    return [
        {
            "run": source.name,
            "benchmark": source.card.name,
            "scope": scope,
            "label": label,
            "value_of_label": value,
            "value": estimate.value,
            "low": estimate.low,
            "high": estimate.high,
            "scored": estimate.n,
            "unscored": estimate.unscored,
            "clusters": estimate.clusters,
            "lower_bound": estimate.lower_bound,
            "upper_bound": estimate.upper_bound,
            "method": estimate.method,
        }
        for scope, label, value, estimate in (
            *_estimates(source),
            *split.flat(source),
            *_of_changes(source),
            *_beside(source),
            *_of_screens(source),
        )
    ]
