"""snellen perturb"""

from __future__ import annotations

from pathlib import Path

import click


@click.command(name="perturb", short_help="Make changed copies of images, or a sheet of every change.")
@click.argument("source", type=click.Path(exists=True, path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), default=None, metavar="PATH", help="Folder, or sheet (PNG).")
@click.option(
    "--perturb", default="all", show_default=True, metavar="LIST", help="As in 'snellen run': 'jpeg:3,fog:1+jpeg:2'."
)
@click.option("--preview", is_flag=True, help="Write one sheet: every perturbation of an image at every severity.")
@click.option(
    "--format",
    "kind",
    type=click.Choice(["png", "jpeg"]),
    default="png",
    show_default=True,
    help="Of the copies: png keeps every pixel.",
)
@click.option("--processes", type=click.IntRange(1), default=None, metavar="N", help="[default: one a processor]")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the perturbations.")
def command(
    source: Path, out: Path | None, perturb: str, preview: bool, kind: str, processes: int | None, seed: int
) -> int:
    """Change the images in a folder (or one image) and write the copies to --out, a folder for each change.

    What is there already is not made again, so that a run that was stopped goes on. Perturbations of the instruction
    need a benchmark's items: they are for 'snellen run'.

    \b
    snellen perturb photos --out changed --perturb jpeg:1,jpeg:5,fog:3+jpeg:2
    snellen perturb photo.jpg --preview --out sheet.png
    """
    import sys

    from snellen.engine.conditions import parse
    from snellen.errors import UsageError

    def warn(text: str) -> None:
        click.echo(f"warning: {text}", err=True)

    if preview:
        from snellen.engine.contact_sheet import write

        if not source.is_file():
            raise UsageError(f"a sheet shows one image, and {source} is none")
        conditions = parse(perturb, seed=seed, on_warning=warn)
        click.echo(f"sheet: {write(source, out or Path('perturbations.png'), conditions, warn)}")
        return 0
    if out is None:
        raise UsageError("where do the copies go? Give --out FOLDER")
    from snellen.engine.changed_copies import copies

    last = [-1]

    def progress(done: int, total: int) -> None:
        step = max(1, total // 20)
        if done == total or done // step != last[0]:
            last[0] = done // step
            end = "\r" if sys.stderr.isatty() and done < total else "\n"
            click.echo(f"perturbed: {done:,}/{total:,}{end}", nl=False, err=True)

    made = copies(
        source, out, parse(perturb, seed=seed, on_warning=warn), kind=kind, processes=processes, on_progress=progress
    )
    for problem in made.problems[:20]:
        warn(problem)
    if len(made.problems) > 20:
        warn(f"and {len(made.problems) - 20} more like these")
    click.echo(
        f"{made.written:,} copies written, {made.kept:,} were there, {len(made.problems):,} could not be made: {out}"
    )
    return 1 if made.problems else 0
