"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

F = TypeVar("F", bound=Callable[..., Any])


def not_blank(context: click.Context, parameter: click.Parameter, value: str) -> str:
    """The value as it is; one that is given and blank is refused, for it stands where a shell's variable is not set.

    Raises:
        click.BadParameter: it is blank.
    """
    if not value.strip() and context.get_parameter_source(parameter.name or "") is not ParameterSource.DEFAULT:
        raise click.BadParameter("it is empty: name what is meant, or leave the option out")
    return value


def languages(context: click.Context, parameter: click.Parameter, value: str) -> tuple[str, ...]:
    """What stands between the commas.

    Raises:
        click.BadParameter: it is given and blank.
    """
    parts = not_blank(context, parameter, value).split(",")
    return tuple(dict.fromkeys(part.strip() for part in parts if part.strip()))


chosen_languages = click.option(
    "--language", default="", callback=languages, metavar="en,zh", help="Only questions in these languages."
)


def together(*given: Callable[[Any], Any]) -> Callable[[F], F]:
    """Several options as one decorator, in the order in which the help shows them."""

    def add(function: F) -> F:
        for option in reversed(given):
            function = option(function)
        return function

    return add


model = together(
    click.option(
        "--model", required=True, metavar="NAME", help="Served, embedded (ocr, blind, constant) or replay:FILE."
    ),
    click.option("--base-url", default="", metavar="URL", help="OpenAI-compatible server: http://localhost:8000/v1"),
    click.option(
        "--convention",
        default="",
        metavar="NAME",
        help="How the model writes coordinates, over what models.toml declares: qwen2.5-vl, gemini, fraction:xyxy, ...",
    ),
    click.option("--key-variable", default="", metavar="VARIABLE", help="Environment variable that holds the key."),
)
"""Who is asked."""


asking = together(
    click.option(
        "--data",
        type=click.Path(path_type=Path),
        default=None,
        metavar="DIR",
        help="The benchmark's data. [default: fetched into the workspace]",
    ),
    click.option("--prompt", default="direct", show_default=True, help="The way of asking."),
    click.option(
        "--perturb",
        default="",
        callback=not_blank,
        metavar="LIST",
        help="Ask every item changed too: 'jpeg:3,scene-text,jpeg:3+misleading-prefix', or 'all'.",
    ),
    click.option("--sample", type=click.IntRange(1), default=None, metavar="N", help="Only N whole clusters (images)."),
    click.option("--items", default="", metavar="GLOB", help="Only items whose id matches: 'charthal/2/*'."),
    chosen_languages,
    click.option("--seed", type=int, default=0, show_default=True, help="Of the sample and the perturbations."),
    click.option(
        "--concurrency",
        type=click.IntRange(1),
        default=32,
        show_default=True,
        help="Requests in flight at once.",
    ),
)
"""What is asked, of which items, and how much at once."""


def json_output(function: F) -> F:
    """Plain values instead of tables."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(function)


def judging(required: bool) -> Callable[[F], F]:
    """Who judges, and what the judge is asked."""

    return together(
        click.option(
            "--judge",
            required=required,
            default=None if required else "rules",
            show_default=not required,
            metavar="NAME",
            help="rules (embedded, no network), or the judge's model, or replay:FILE"
            + ("." if required else "; none to ask only."),
        ),
        click.option("--judge-base-url", default="", metavar="URL", help="Server of the judge's model."),
        click.option(
            "--judge-key-variable",
            default="",
            metavar="VARIABLE",
            help="Environment variable that holds the judge's key.",
        ),
        click.option(
            "--rubric",
            default="",
            metavar="NAME[:option=value,...]",
            help="What the judge's model is asked, with its options. [default: the benchmark's own]",
        ),
        click.option(
            "--judge-sees-image",
            is_flag=True,
            help="Show the judge's model the image too: short for the rubric's option image=seen.",
        ),
        click.option(
            "--judge-on",
            type=click.Choice(("changed", "clean")),
            default="changed",
            show_default=True,
            help="Show the judge a changed item's own image and instruction, or those of its clean version.",
        ),
        click.option(
            "--judge-concurrency",
            type=click.IntRange(1),
            default=32,
            show_default=True,
            help="Requests to the judge in flight at once.",
        ),
        click.option(
            "--judge-batch",
            is_flag=True,
            help="Put requests to the judge into batches of its provider: half the price, within a day.",
        ),
    )


human = click.option(
    "--human",
    multiple=True,
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="People's labels: CSV with id,label (and rater, run), or JSON Lines; may be repeated.",
)
"""Files of labels to lay beside the judges."""

repeats = click.option(
    "--repeats",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    metavar="N",
    help="Ask every item N times, each time as a run of its own: RUN, RUN~2, ...",
)
"""How often every item is asked."""


judge_repeats = click.option(
    "--judge-repeats",
    type=click.IntRange(1),
    default=None,
    metavar="M",
    help="Have the judge's model judge every answer M times. [default: 2 where answers are repeated, else 1]",
)
"""How often every answer is judged."""


caps = together(
    click.option(
        "--max-cost",
        type=click.FloatRange(0),
        default=None,
        metavar="AMOUNT",
        help="Stop before model and judge cost more, in the currency of the prices in models.toml.",
    ),
    click.option(
        "--max-failures",
        type=click.IntRange(0),
        default=None,
        metavar="N",
        help="Stop when more than so many requests got no answer.",
    ),
    click.option("--dry-run", is_flag=True, help="Print what would be asked, and what it would take; stop there."),
)
"""Caps on cost and failures, and a dry run."""


outputs = together(
    click.option(
        "--report",
        "report",
        type=click.Path(dir_okay=False, path_type=Path),
        default=None,
        metavar="FILE",
        help="Write an HTML report.",
    ),
    json_output,
)
"""Where results go."""
