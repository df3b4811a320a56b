"""The command line. Each command is a file in this folder, imported when it is called."""

from __future__ import annotations

import codecs
import contextlib
import gc
import importlib
import io
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from snellen import __version__
from snellen.cli.plain import plain, say

_FOLDER = Path(__file__).parent
_ESCAPES = "snellen-escapes"
_ORDER = (
    "run",
    "demo",
    "preflight",
    "import",
    "judge",
    "report",
    "compare",
    "claims",
    "power",
    "diff",
    "audit",
    "selective",
    "correlate",
    "ladder",
    "screens",
    "show",
    "runs",
    "list",
    "export",
    "methods",
    "check",
    "perturb",
    "purge",
)


class Commands(click.Group):
    """Commands by file name: ``import_.py`` is ``import``; their one-line help stands in this file's docstring."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order in which a user meets them."""
        return [*_ORDER]  # `list` is our submodule of that name once it has been imported

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, imported now."""
        if cmd_name not in _ORDER:
            return None
        stem = f"{cmd_name}_" if (_FOLDER / f"{cmd_name}_.py").exists() else cmd_name
        command = importlib.import_module(f"snellen.cli.{stem}").command
        assert isinstance(command, click.Command)
        return command

    def make_context(self, *arguments: Any, **extra: Any) -> click.Context:
        """As click does; this is where ``--help`` prints."""
        with _readers_may_leave():
            return super().make_context(*arguments, **extra)

    def invoke(self, ctx: click.Context) -> object:
        """The command's result."""
        with _readers_may_leave():
            result = super().invoke(ctx)
            sys.stdout.flush()
        return result


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="snellen")
@click.option(
    "--workspace",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("snellen"),
    envvar="SNELLEN_WORKSPACE",
    show_default="./snellen",
    show_envvar=True,
    help="Folder of the ledger, the images and models.toml.",
)
@click.pass_context
def cli(ctx: click.Context, workspace: Path) -> None:
    """An eye chart for vision-language models: measure what a model claims to see that is not there.

    Results go to standard output, progress and warnings to standard error. Exit status: 0 done, 1 answers or verdicts
    failed or are missing, 2 usage or data error, 3 stopped by a cap, 130 interrupted.
    """
    ctx.obj = workspace


def main() -> None:
    """The entry point: runs the command line and turns our errors into a line and an exit status."""
    from snellen.errors import SnellenError, StoppedError

    # A stream that was closed before we began is None, and everything that prints would fail on it.
    if sys.stdout is None:
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 (as long as the process)
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 (as long as the process)
    codecs.register_error(_ESCAPES, _escaped)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and codecs.lookup(stream.encoding).name != "utf-8":
            stream.reconfigure(errors=_ESCAPES)
    try:
        sys.exit(cli.main(standalone_mode=False) or 0)
    except click.exceptions.Abort:
        click.echo("interrupted", err=True)
        sys.exit(130)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except StoppedError as error:
        say(f"stopped: {error}", err=True)
        sys.exit(3)
    except SnellenError as error:
        say(f"error: {error}", err=True)
        sys.exit(2)
    except KeyboardInterrupt:
        click.echo("interrupted", err=True)
        sys.exit(130)
    except OSError as error:
        _hush()
        print(plain(f"error: {error.filename or 'standard output'}: {error.strerror or error}"), file=sys.stderr)
        sys.exit(2)
    finally:
        gc.freeze()  # or the interpreter looks through all that was imported once more before it ends: 0.1 s


def _escaped(error: UnicodeError) -> tuple[str, int]:
    """What a stream's encoding has no sign for, as JSON escapes it: so data stay readable, by programs too."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4)), error.end


@contextlib.contextmanager
def _readers_may_leave() -> Iterator[None]:
    """A reader that has gone (``| head``) is the end, and no mistake; click would end with status 1."""
    try:
        yield
    except BrokenPipeError:
        _hush()
        raise click.exceptions.Exit(0) from None


def _hush() -> None:
    """Send what is left of standard output nowhere: Python would fail on it again when it ends."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
