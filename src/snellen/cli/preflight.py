"""snellen preflight"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from snellen.cli import loading, options
from snellen.cli.plain import say

if TYPE_CHECKING:
    from snellen.engine.preflight import Preflight

_MARKS = {"ok": "ok", "warning": "WARNING", "failed": "FAILED", "skipped": "skipped"}


@click.command(name="preflight", short_help="Try model, judge and data before a run is paid for.")
@click.argument("benchmark")
@options.model
@options.judging(required=False)
@options.asking
@click.option("--batch", is_flag=True, help="Expect the price of batches for the model.")
@options.json_output
@click.pass_obj
def command(
    workspace: Path,
    benchmark: str,
    model: str,
    base_url: str,
    convention: str,
    key_variable: str,
    judge: str,
    judge_base_url: str,
    judge_key_variable: str,
    rubric: str,
    judge_sees_image: bool,
    judge_on: str,
    judge_concurrency: int,
    judge_batch: bool,
    data: Path | None,
    prompt: str,
    perturb: str,
    sample: int | None,
    items: str,
    language: tuple[str, ...],
    seed: int,
    concurrency: int,
    batch: bool,
    as_json: bool,
) -> int:
    """Try everything that a run of BENCHMARK with these options would stand on, and say what to change.

    Whether every row and image of the data can be used; whether the model answers, and under which name; whether it
    sees a picture; which parameters the server refuses; on screens, whether coordinates mean what is declared; whether
    the judge's verdicts on right, wrong and refusing answers can be read and are right, in every language of the
    benchmark; what the run will take. Exit status 1 if anything fails.

    A handful of requests is made. They are ordinary ones, kept in runs named preflight/..., and cost as any other.

    \b
    snellen preflight charthal --model qwen2.5-vl-7b --base-url http://localhost:8000/v1 --judge gpt-4o-2024-11-20
    """
    with loading.quickly():
        from snellen.cli.finish import echo_json
        from snellen.cli.progress import ProgressLines
        from snellen.engine.choice import Wish
        from snellen.engine.limits import Limits
        from snellen.engine.plan import View
        from snellen.engine.preflight import preflight
        from snellen.engine.workspace import Workspace
        from snellen.model_spec import resolve

    judge = "" if judge == "none" else judge
    with Workspace(workspace) as opened, ProgressLines() as progress:
        spec = resolve(model, opened.models, base_url=base_url, key_variable=key_variable, convention=convention)
        found = preflight(
            opened,
            benchmark,
            spec,
            Wish(judge, rubric, judge_sees_image, judge_base_url, judge_key_variable, judge_on),
            data=data,
            prompt=prompt,
            perturb=perturb,
            seed=seed,
            view=View(sample, items, language),
            limits=Limits(concurrency, judge_concurrency, batch=batch, judge_batch=judge_batch),
            watch=progress.watch,
        )
        progress.__exit__(None, None, None)
    if as_json:
        echo_json(found.to_json())
    else:
        _show(found)
    return 130 if found.interrupted else 1 if found.failed else 0


def _show(found: Preflight) -> None:
    width = max(len(_title(each.role, each.name)) for each in found.checks)
    for each in found.checks:
        say(f"{_MARKS[each.status]:<7}  {_title(each.role, each.name):<{width}}  {_line(each.found)}")
        if each.change and each.status in ("failed", "warning"):
            say(f"{'':<7}  {'':<{width}}  -> {_line(each.change)}")
    for name in found.runs:
        say(f"requests: snellen show {name} ITEM", err=True)
    if found.cost:
        say(f"cost of this preflight: {found.cost:.4f}", err=True)


def _title(role: str, name: str) -> str:
    return name if role == "run" else f"{role}: {name}"


def _line(text: str) -> str:
    return " ".join(text.split())
