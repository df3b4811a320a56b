"""Where results are to go and cannot: a folder, a device, a full disk, a reader who has left, nobody at all."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest

from drill.harness import ENVIRONMENT, PATIENCE, Done, Scene, Server

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the drill needs pipes and devices of POSIX")

COMMANDS = {"export": ("export", "RUN"), "runs": ("runs",), "report": ("report", "RUN"), "help": ("--help",)}

every_command = pytest.mark.parametrize("command", list(COMMANDS.values()), ids=list(COMMANDS))


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    """A run that is done; its answers are long enough to fill a pipe."""
    folder = tmp_path_factory.mktemp("outputs")
    with Server(folder / "log", "--pad", 20_000) as server:
        scene = Scene(folder, server, figures=1, timeout=60.0)
        scene.declare()
        scene.finish()
        yield scene


# Files


def test_a_folder_for_a_report_is_refused_before_anything_is_asked(scene: Scene) -> None:
    asked = len(scene.server.came())
    done = scene.run("--seed", 1, "--report", scene.folder)
    assert done.returncode == 2
    assert "directory" in done.stderr
    assert "expected" not in done.stderr
    assert len(scene.server.came()) == asked


def test_a_report_that_cannot_be_written_costs_no_answer_and_no_table(scene: Scene, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = scene.run("--report", tmp_path / "file" / "report.html")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith("error: the report cannot be written to ")
    assert "Traceback" not in done.stderr
    assert "12 scored of 12" in done.stdout
    assert list(tmp_path.iterdir()) == [tmp_path / "file"]


@pytest.mark.parametrize("command", ["report", "export"])
def test_a_file_that_cannot_be_written_is_named(scene: Scene, tmp_path: Path, command: str) -> None:
    (tmp_path / "file").touch()
    path = tmp_path / "file" / "output"
    done = scene.call(command, scene.run_name, "-o", path)
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("error: ")
    assert str(path) in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize("command", ["report", "export"])
def test_a_device_or_pipe_is_never_replaced_by_a_file(scene: Scene, tmp_path: Path, command: str) -> None:
    """As root, ``-o /dev/null`` would otherwise break the machine."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", pipe], stdout=subprocess.DEVNULL)
    try:
        done = scene.call(command, scene.run_name, "-o", pipe)
        assert stat.S_ISFIFO(pipe.stat().st_mode)
        assert "Traceback" not in done.stderr
    finally:
        reader.kill()
        reader.wait()


# Standard output and standard error


def with_output(scene: Scene, command: tuple[str, ...], output: IO[bytes] | int) -> Done:
    arguments = [scene.run_name if argument == "RUN" else argument for argument in command]
    return subprocess.run(
        scene.run_command(*arguments[1:]) if arguments[0] == "run" else scene.command(*arguments),
        stdout=output,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        timeout=PATIENCE,
        env=ENVIRONMENT,
    )


def gone() -> int:
    """The writing end of a pipe that nobody reads any more."""
    reading, writing = os.pipe()
    os.close(reading)
    return writing


@pytest.mark.slow
@every_command
def test_a_reader_who_has_left_is_no_mistake(scene: Scene, command: tuple[str, ...]) -> None:
    output = gone()
    try:
        done = with_output(scene, command, output)
    finally:
        os.close(output)
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    assert done.returncode == 0


def test_a_reader_may_leave_after_the_first_line(scene: Scene) -> None:
    client = subprocess.Popen(
        scene.command("export", scene.run_name),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
    )
    assert client.stdout is not None
    assert client.stderr is not None
    assert '"charthal/1/0"' in client.stdout.readline()
    client.stdout.close()
    assert client.stderr.read() == ""
    client.stderr.close()
    assert client.wait(PATIENCE) == 0


@pytest.mark.slow
def test_a_run_whose_reader_has_left_keeps_everything(scene: Scene) -> None:
    asked = len(scene.server.came())
    output = gone()
    try:
        done = with_output(scene, ("run", "--seed", "2"), output)
    finally:
        os.close(output)
    assert "Traceback" not in done.stderr
    again = len(scene.server.came())
    assert scene.run("--seed", 2).returncode == 0
    assert len(scene.server.came()) == again
    assert again >= asked


@pytest.mark.slow
@every_command
def test_a_full_disk_behind_standard_output_is_said_in_a_line(scene: Scene, command: tuple[str, ...]) -> None:
    full = Path("/dev/full")
    if not full.is_char_device():
        pytest.skip("there is no /dev/full here")
    with full.open("wb") as output:
        done = with_output(scene, command, output)
    assert "Traceback" not in done.stderr
    assert "No space left" in done.stderr
    assert done.returncode == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "closed"),
    [
        ("run", 1),
        ("run", 2),
        ("export", 1),
        ("export", 2),
    ],
)
def test_a_closed_stream_is_nothing_to_fall_over(scene: Scene, command: str, closed: int) -> None:
    """As under some supervisors, and with ``>&-`` in a shell."""
    arguments = scene.run_command() if command == "run" else scene.command("export", scene.run_name)
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {closed}>&-', "sh", *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
        env=ENVIRONMENT,
    )
    assert "Traceback" not in done.stderr
    assert done.returncode == 0
    assert "expected: " not in done.stdout
    assert bool(done.stdout) == (closed == 2)
