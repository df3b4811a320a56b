"""snellen export"""

from __future__ import annotations

import contextlib
import csv
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from snellen.cli import loading

if TYPE_CHECKING:
    from snellen.engine.judged import Judged

_COLUMNS = ("id", "question", "reference", "status", "response", "value", "unscored", "flags", "reason")


@click.command(name="export", short_help="Write a run's items, answers and verdicts as JSON Lines or CSV.")
@click.argument("run")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    default=None,
    metavar="FILE",
    help="Written at once when complete. [default: standard output]",
)
@click.option("--format", "form", type=click.Choice(("jsonl", "csv")), default=None, help="[default: by FILE's ending]")
@click.option("--estimates", is_flag=True, help="The numbers with their intervals instead of the items.")
@click.pass_obj
def command(workspace: Path, run: str, output: Path | None, form: str | None, estimates: bool) -> int:
    """Write every item of RUN with its answer and verdict, one a row, in UTF-8 and without loss.

    JSON Lines keep texts exactly as they are. In CSV a missing answer is an empty field with an empty status.
    """
    with loading.quickly():
        from snellen import library
        from snellen.engine.workspace import Workspace
        from snellen.errors import UsageError

    if form is None:
        form = "csv" if output is not None and output.suffix.lower() == ".csv" else "jsonl"
    with Workspace(workspace) as opened:
        judged = library.open_judged(opened, run)
        rows = _estimates(judged) if estimates else _items(judged)
        if output is None:
            _write(rows, sys.stdout, form)
            return 0
        if output.exists() and not output.is_file():
            raise UsageError(f"{output} is no regular file; leave -o out to write to standard output")
        temporary = output.with_name(f".{output.name}.partial")
        try:
            with temporary.open("w", encoding="utf-8", newline="") as file:
                _write(rows, file, form)
            temporary.replace(output)
        except OSError as error:
            raise UsageError(f"{output} cannot be written: {error.strerror or error}") from error
        finally:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)
        click.echo(output)
    return 0


def _items(judged: Judged) -> Iterator[dict[str, Any]]:
    for row in judged.rows():
        answer, verdict = row.answer, row.verdict
        yield {
            "id": row.item.id,
            **{f"label:{name}": value for name, value in row.item.labels.items()},
            "language": row.item.language,
            "cluster": row.item.cluster,
            "question": row.item.question,
            "reference": row.item.reference.text if row.item.reference is not None else None,
            "status": answer.status if answer is not None else None,
            "response": row.visible if answer is not None else None,
            "value": verdict.value,
            "unscored": verdict.unscored or None,
            "flags": " ".join(verdict.flags),
            "reason": verdict.reason,
        }


def _estimates(judged: Judged) -> Iterator[dict[str, Any]]:
    from snellen.report import tables

    yield from tables.to_rows(judged)


def _write(rows: Iterator[dict[str, Any]], file: TextIO, form: str) -> None:
    if form == "jsonl":
        import orjson

        for row in rows:
            file.write(orjson.dumps(row).decode() + "\n")
        return
    first = next(rows, None)
    if first is None:
        return
    writer = csv.DictWriter(file, list(first), extrasaction="ignore", restval="")
    writer.writeheader()
    writer.writerow(first)
    writer.writerows(rows)
