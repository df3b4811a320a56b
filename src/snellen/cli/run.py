"""snellen run"""

from __future__ import annotations

from pathlib import Path

import click

from snellen.cli import loading, options


@click.command(name="run", short_help="Ask a benchmark of a model and judge the answers.")
@click.argument("benchmark")
@options.model
@options.judging(required=False)
@options.asking
@click.option(
    "--batch",
    is_flag=True,
    help="Put requests to the model into batches of its provider: half the price, within a day.",
)
@options.repeats
@options.judge_repeats
@click.option(
    "--absent",
    is_flag=True,
    help="Ask the instructions on other screens too, where they are presumed absent: a run and a table of their own.",
)
@click.option("--shared-pool", is_flag=True, help="Model and judge share --concurrency, as one server's limit.")
@options.caps
@options.outputs
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
    repeats: int,
    judge_repeats: int | None,
    absent: bool,
    shared_pool: bool,
    max_cost: float | None,
    max_failures: int | None,
    dry_run: bool,
    report: Path | None,
    as_json: bool,
) -> int:
    """Ask BENCHMARK of a model, judge the answers, print the table.

    The same command again goes on where it was: what is answered is not asked again. A sample and a choice of items
    are views of the same run. More repeats ask what they add.

    \b
    snellen run charthal --model qwen2.5-vl-7b --base-url http://localhost:8000/v1 \\
        --judge gpt-4o-2024-11-20 --judge-base-url https://api.openai.com/v1 \\
        --judge-key-variable OPENAI_API_KEY --report report.html
    """
    with loading.quickly():
        from snellen import library
        from snellen.cli.finish import NEEDED, finish
        from snellen.cli.progress import ProgressLines
        from snellen.engine.limits import Limits
        from snellen.engine.workspace import Workspace

    limits = Limits(
        concurrency, judge_concurrency, max_cost, max_failures, shared_pool, batch=batch, judge_batch=judge_batch
    )
    names = [benchmark, _absent(benchmark)] if absent else [benchmark]
    runs: list[library.Run] = []
    with Workspace(workspace) as opened:
        for name in names:
            with ProgressLines(NEEDED if judge != "none" else ()) as progress:
                run = library.run(
                    name,
                    model=model,
                    judge="" if judge == "none" else judge,
                    rubric=rubric,
                    judge_sees_image=judge_sees_image,
                    judge_on=judge_on,
                    workspace=opened,
                    data=data,
                    prompt=prompt,
                    perturb=perturb,
                    base_url=base_url,
                    convention=convention,
                    key_variable=key_variable,
                    judge_base_url=judge_base_url,
                    judge_key_variable=judge_key_variable,
                    sample=sample,
                    items=items,
                    languages=language,
                    seed=seed,
                    repeats=repeats,
                    judge_repeats=judge_repeats,
                    limits=limits,
                    watch=progress.watch,
                    dry=dry_run,
                )
            runs.append(run)
            if run.outcome.stopped:
                break
            limits = limits.after(run.outcome.model, run.outcome.judge)
        return finish(runs, report, as_json, dry=dry_run)


def _absent(benchmark: str) -> str:
    """The benchmark that asks the same where it is presumed to be absent.

    Raises:
        UsageError: there is none.
    """
    from snellen import discovery
    from snellen.errors import UsageError

    name = f"{benchmark.replace('_', '-')}-absent"
    every = discovery.names("benchmarks")
    if name not in every:
        known = ", ".join(each.removesuffix("-absent") for each in every if each.endswith("-absent"))
        raise UsageError(f"--absent asks targets where they are presumed to be absent, which is for {known}")
    return name
