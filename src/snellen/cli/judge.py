"""snellen judge"""

from __future__ import annotations

from pathlib import Path

import click

from snellen.cli import loading, options


@click.command(name="judge", short_help="Judge a run's answers again, without asking again.")
@click.argument("run")
@click.option(
    "--convention",
    default="",
    metavar="NAME",
    help="How the model wrote coordinates, if otherwise than the run says: qwen2.5-vl, gemini, fraction:xyxy, ...",
)
@options.judging(required=True)
@options.judge_repeats
@options.caps
@options.outputs
@click.pass_obj
def command(
    workspace: Path,
    run: str,
    convention: str,
    judge: str,
    judge_base_url: str,
    judge_key_variable: str,
    rubric: str,
    judge_sees_image: bool,
    judge_on: str,
    judge_concurrency: int,
    judge_batch: bool,
    judge_repeats: int | None,
    max_cost: float | None,
    max_failures: int | None,
    dry_run: bool,
    report: Path | None,
    as_json: bool,
) -> int:
    """Judge the answers of RUN with another judge; the model is not asked again.

    Where RUN is the first of several repeats, all of them are judged; RUN~2 is judged alone.
    """
    with loading.quickly():
        from snellen import library
        from snellen.cli.finish import NEEDED, finish
        from snellen.cli.progress import ProgressLines
        from snellen.engine.limits import Limits
        from snellen.engine.workspace import Workspace

    with Workspace(workspace) as opened, ProgressLines(NEEDED) as progress:
        done = library.judge(
            run,
            judge=judge,
            rubric=rubric,
            convention=convention,
            judge_sees_image=judge_sees_image,
            judge_on=judge_on,
            workspace=opened,
            judge_base_url=judge_base_url,
            judge_key_variable=judge_key_variable,
            judge_repeats=judge_repeats,
            limits=Limits(
                judge_concurrency=judge_concurrency,
                max_cost=max_cost,
                max_failures=max_failures,
                judge_batch=judge_batch,
            ),
            watch=progress.watch,
            dry=dry_run,
        )
        progress.__exit__(None, None, None)
        return finish([done], report, as_json, dry=dry_run)
