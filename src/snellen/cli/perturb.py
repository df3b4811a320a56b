"""snellen perturb"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from snellen.cli import options
from snellen.cli.plain import say

if TYPE_CHECKING:
    from snellen.engine.changed_items import Wanted
    from snellen.engine.conditions import Condition
    from snellen.item import Item

_TOLD = 20  # problems that are told one by one


@click.command(
    name="perturb", short_help="Make changed copies of images or of a benchmark, or a sheet of every change."
)
@click.argument("source")
@click.option("--out", type=click.Path(path_type=Path), default=None, metavar="PATH", help="Folder, or sheet (PNG).")
@click.option(
    "--perturb",
    default="all",
    callback=options.not_blank,
    show_default=True,
    metavar="LIST",
    help="As in 'snellen run': 'jpeg:3,fog:1+jpeg:2'.",
)
@click.option("--preview", is_flag=True, help="Write one sheet: every perturbation of an image at every severity.")
@click.option("--item", "item_id", default="", metavar="ID", help="Of the preview. [default: the benchmark's first]")
@click.option(
    "--format",
    "kind",
    type=click.Choice(["png", "jpeg"]),
    default="png",
    show_default=True,
    help="Of changed images: png keeps every pixel, as a run does.",
)
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    default=None,
    metavar="DIR",
    help="The benchmark's data. [default: fetched into the workspace]",
)
@click.option("--sample", type=click.IntRange(1), default=None, metavar="N", help="Only N whole clusters (images).")
@click.option("--items", default="", metavar="GLOB", help="Only items whose id matches: 'charthal/2/*'.")
@options.chosen_languages
@click.option("--processes", type=click.IntRange(1), default=None, metavar="N", help="[default: one a processor]")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the sample and the perturbations.")
@options.json_output
@click.pass_obj
def command(
    workspace: Path,
    source: str,
    out: Path | None,
    perturb: str,
    preview: bool,
    item_id: str,
    kind: str,
    data: Path | None,
    sample: int | None,
    items: str,
    language: tuple[str, ...],
    processes: int | None,
    seed: int,
    as_json: bool,
) -> int:
    """Change the images in a folder (or one image), or the items of a benchmark, and write them to --out.

    SOURCE is a benchmark where it is the name of one, and a folder or a file where it has a path separator or is there.
    Where it is both, ./NAME is the folder and --data says that the benchmark is meant.

    Of a folder come copies of its images, a folder for each change. Of a benchmark come its changed items: the images,
    each once, items.jsonl, left_out.jsonl (which items were left out, and why) and manifest.json. Perturbations of the
    instruction and those that need what an item says (scene-text, occlusion) need a benchmark.

    What is there already is not made again, so that a command that was stopped goes on.

    \b
    snellen perturb photos --out changed --perturb jpeg:1,jpeg:5,fog:3+jpeg:2
    snellen perturb charthal --out changed --perturb jpeg:3,scene-text,jpeg:3+misleading-prefix
    snellen perturb photo.jpg --preview --out sheet.png
    snellen perturb shale-demo --preview --item shale-demo/meadow-cat/0 --out sheet.png
    """
    from snellen.errors import UsageError

    benchmark = _is_benchmark(source, data is not None)
    if not benchmark:
        chosen = {"--data": data, "--sample": sample, "--items": items, "--language": language, "--item": item_id}
        for name, given in chosen.items():
            if given:
                raise UsageError(f"{name} is for a benchmark, and {source} is a folder or a file")
    if item_id and not preview:
        raise UsageError("--item is for --preview; --items chooses items by a pattern")
    if preview and (items or sample or language):
        raise UsageError("a preview shows one item: name it with --item")
    if preview and kind != "png":
        raise UsageError("a preview is a PNG: --format is for copies")
    if not preview and out is None:
        raise UsageError("where do the copies go? Give --out FOLDER")
    if not benchmark:
        return _of_images(Path(source), out, perturb, preview, kind, processes, seed, as_json)
    from snellen import discovery
    from snellen.engine.conditions import parse

    module = discovery.load("benchmarks", source)
    name = source.replace("_", "-")
    folder = module.locate(data, workspace / "cache")
    conditions = parse(perturb, seed=seed, domain=module.CARD.domain, on_warning=_warn)
    if preview:
        item = _item(module, folder, item_id, name)
        return _sheet(Path(item.images[0].path), out, conditions, item, as_json)
    from snellen.engine.changed_items import Wanted

    assert out is not None
    wanted = Wanted(module, name, folder, conditions, seed, sample, items, kind, language)
    return _of_benchmark(wanted, out, workspace, processes, as_json)


def _is_benchmark(source: str, has_data: bool) -> bool:
    """Whether a benchmark is meant.

    Raises:
        UsageError: it is both a benchmark and something that is there, or neither.
    """
    import difflib

    from snellen import discovery
    from snellen.errors import UsageError

    if not source:
        raise UsageError("name a benchmark, a folder or an image")
    separators = [each for each in (os.sep, os.altsep) if each]
    there = Path(source).exists()
    names = discovery.names("benchmarks")
    known = source.replace("_", "-") in names
    if any(each in source for each in separators) or not known:
        if there:
            return False
        near = difflib.get_close_matches(source.replace("_", "-"), names, n=1)
        hint = f"; did you mean {near[0]}?" if near else f"; benchmarks are {', '.join(names)}"
        raise UsageError(f"{source} does not exist, and is no benchmark{hint}")
    if there and not has_data:
        what = "a folder" if Path(source).is_dir() else "a file"
        raise UsageError(
            f"{source} is a benchmark, and {what} here: write .{os.sep}{source} for {what}, or name the benchmark's "
            "data with --data"
        )
    return True


def _warn(text: str) -> None:
    say(f"warning: {' '.join(text.splitlines())}", err=True)  # a file's name may hold line ends


def _of_images(
    source: Path,
    out: Path | None,
    perturb: str,
    preview: bool,
    kind: str,
    processes: int | None,
    seed: int,
    plain: bool,
) -> int:
    from snellen.cli.countdown import Countdown
    from snellen.cli.finish import echo_json
    from snellen.engine.conditions import parse
    from snellen.errors import UsageError

    if preview:
        if not source.is_file():
            raise UsageError(f"a sheet shows one image, and {source} is none")
        return _sheet(source, out, parse(perturb, seed=seed, on_warning=_warn), None, plain)
    from snellen.engine.changed_copies import copies

    assert out is not None
    conditions = parse(perturb, seed=seed, images_alone=True, on_warning=_warn)
    with Countdown("perturbed") as countdown:
        made = copies(source, out, conditions, kind=kind, processes=processes, on_progress=countdown)
    _tell(made.problems)
    if plain:
        echo_json({"out": str(out), "written": made.written, "kept": made.kept, "problems": made.problems})
    else:
        say(
            f"{made.written:,} copies written, {made.kept:,} were there, "
            f"{len(made.problems):,} could not be made: {out}"
        )
    return 1 if made.problems else 0


def _of_benchmark(wanted: Wanted, out: Path, workspace: Path, processes: int | None, plain: bool) -> int:
    from snellen.cli.countdown import Countdown
    from snellen.cli.finish import echo_json
    from snellen.engine.changed_items import write_items

    with Countdown("perturbed") as countdown:
        made = write_items(wanted, out, workspace, processes=processes, on_progress=countdown)
    _tell(made.problems)
    left_out = sum(sum(each.get("left_out", {}).values()) for each in made.conditions.values())
    if plain:
        echo_json(
            {
                "out": str(out),
                "items": made.items,
                "left_out": left_out,
                "failed": made.failed,
                "images_written": made.images_written,
                "images_kept": made.images_kept,
                "conditions": made.conditions,
            }
        )
        return 1 if made.failed else 0
    for condition, counts in made.conditions.items():
        say(f"{condition}: {_counts(counts)}")
    say(
        f"{made.items:,} changed items, {left_out:,} left out, {made.failed:,} could not be made; "
        f"{made.images_written:,} images written, {made.images_kept:,} were there: {out}"
    )
    return 1 if made.failed else 0


def _counts(counts: dict[str, Any]) -> str:
    """``20 items (truth kept 18, unknown 2), 4 left out (scene-text 4)``."""

    def listed(parts: dict[str, int]) -> str:
        return ", ".join(f"{name} {count:,}" for name, count in parts.items())

    text = f"{counts['versions']:,} items"
    if counts["truth"]:
        text += f" (truth {listed(counts['truth'])})"
    if left_out := counts.get("left_out"):
        text += f", {sum(left_out.values()):,} left out ({listed(left_out)})"
    if failed := counts.get("failed"):
        text += f", {failed:,} could not be made"
    return text


def _item(module: Any, folder: Path, item_id: str, name: str) -> Item:
    """The item of that id, or the first that has an image."""
    from snellen.errors import UsageError
    from snellen.item import Item

    first = ""
    for item in module.items(folder):
        if not isinstance(item, Item) or (item_id and item.id != item_id):
            first = first or getattr(item, "id", "")
            continue
        if item.images:
            return item
        if item_id:
            raise UsageError(f"{item_id} has no image to show")
    if item_id:
        raise UsageError(f"{name} has no item {item_id!r}; its ids look like {first or 'nothing: it has none'}")
    raise UsageError(f"no item of {name} has an image to show")


def _sheet(source: Path, out: Path | None, conditions: Sequence[Condition], item: Item | None, plain: bool) -> int:
    from snellen.cli.finish import echo_json
    from snellen.engine import contact_sheet

    path = contact_sheet.write(source, out or Path("perturbations.png"), conditions, _warn, item)
    questions = dict(contact_sheet.instructions(item, conditions, _warn)) if item is not None else {}
    if plain:
        told = {} if item is None else {"item": item.id, "question": item.question, "changed_questions": questions}
        echo_json({"sheet": str(path), **told})
        return 0
    say(f"sheet: {path}")
    if item is not None:
        say(f"item: {item.id}\nquestion: {item.question}")
    for name, question in questions.items():
        say(f"{name}: {question}")
    return 0


def _tell(problems: Sequence[str]) -> None:
    told = list(dict.fromkeys(problems))  # an image that cannot be read is one problem, whatever was to be done to it
    for problem in told[:_TOLD]:
        _warn(problem)
    if len(told) > _TOLD:
        _warn(f"and {len(told) - _TOLD:,} more like these")
