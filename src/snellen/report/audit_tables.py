"""An audit on the terminal: tables that fit it, then what is to be known of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from snellen.engine.auditing import Audited, RunAudit
from snellen.report import audit as words
from snellen.report.audit import AgreementLine, Figure, JudgeSection
from snellen.report.text import one_line

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text


def show(found: Audited, console: Console) -> None:
    """Prints an audit."""
    if not console.options.ascii_only:
        _print(found, console)
        return
    with console.capture() as captured:  # as in `snellen.report.tables.summary`
        _print(found, console)
    console.file.write(captured.get().encode("ascii", "backslashreplace").decode("ascii"))


def _print(found: Audited, console: Console) -> None:
    for run in found.runs:
        _print_run(run, console)
    if found.preferences:
        console.print(_text("self-preference, given the other judges' verdicts", "bold"))
        for each in found.preferences:
            console.print(_text(f"- {words.preference_text(each)}"))


def _print_run(run: RunAudit, console: Console) -> None:
    said = words.run_section(run, 0)
    console.print(_text(said.title, "bold"))
    if said.people:
        console.print(_text(f"people: {said.people}"))
    if said.lines:
        console.print()
        console.print(_agreement("judge", said.lines))
        console.print(_text(words.LEGEND))
    for judge in said.judges:
        console.print()
        _print_judge(judge, console)
    if said.pairs:
        console.print()
        console.print(_pairs(said.pairs))
        console.print(_text(said.panel))
    console.print()


def _print_judge(judge: JudgeSection, console: Console) -> None:
    console.print(_text(judge.title, "bold"))
    if judge.scores:
        table = _empty("score", "share %", "answers")
        for line in judge.scores:
            table.add_row(_text(line.title), _text(line.figure.text), _text(line.items))
        console.print(table)
    for note in judge.score_notes:
        console.print(_text(f"- {note}"))
    confusion = _empty("people", *(f"judge: {name}" for name in words.VERDICTS))
    for name, counts in judge.confusion:
        confusion.add_row(_text(name), *map(_text, counts))
    console.print()
    console.print(confusion)
    for group in dict.fromkeys(line.group for line in judge.parts):
        console.print(_agreement(group.lower(), [line for line in judge.parts if line.group == group]))
    if judge.worst:
        console.print(_agreement("worst", judge.worst))
    console.print(_text(judge.differing))


def _agreement(first: str, lines: Sequence[AgreementLine]) -> Table:
    table = _empty(first, "n", *(name for name in words.HEADINGS if name != "alpha"), "+ / -", padding=(0, 1, 0, 0))
    for line in lines:
        accuracy, kappa, _, found, passed = line.figures
        cells = map(_lines, (accuracy, kappa, found, passed))
        table.add_row(_text(line.title), _text(line.items), *cells, _text(f"+{line.lenient} -{line.strict}"))
    return table


def _pairs(pairs: Sequence[tuple[str, str, str, Figure, Figure]]) -> Table:
    table = _empty("judges", "n", "agree %", "kappa")
    for first, second, items, accuracy, kappa in pairs:
        table.add_row(_text(f"{first}, {second}"), _text(items), _lines(accuracy), _lines(kappa))
    return table


def _empty(first: str, *others: str, padding: tuple[int, int, int, int] = (0, 1, 0, 1)) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="", padding=padding)
    table.add_column(_text(first), overflow="fold")
    for name in others:
        table.add_column(_text(name), justify="right", no_wrap=True)
    return table


def _lines(figure: Figure) -> Text:
    from rich.text import Text

    return Text("\n".join(filter(None, (figure.value or "-", figure.interval.replace("100.0", "100")))))


def _text(text: str, style: str = "") -> Text:
    from rich.text import Text

    return Text(one_line(text), style=style, overflow="fold")
