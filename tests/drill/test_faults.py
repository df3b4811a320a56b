"""Faults of the machine: no room, no rights, no lock, no folder, a clock that jumps. Each is one line, no loss."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from drill.harness import Done, Scene, Server, committed, kill, wait_until
from snellen.answer import Answer
from snellen.errors import LedgerError
from snellen.ledger import Ledger

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the drill needs signals, limits and mounts of POSIX")

ROOM = 50_000_000


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A polite server whose answers are long, so that they fill a small disk."""
    with Server(tmp_path_factory.mktemp("server") / "log", "--pad", 20_000, "--delay", 0.05) as server:
        yield server


@pytest.fixture
def scene(tmp_path: Path, server: Server) -> Scene:
    """Models, and nothing asked yet."""
    scene = Scene(tmp_path, server, figures=2, timeout=60.0)
    scene.declare()
    return scene


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory, server: Server) -> Scene:
    """A workspace in which the run is done; to be copied, not touched."""
    scene = Scene(tmp_path_factory.mktemp("finished"), server, figures=2, timeout=60.0)
    scene.declare()
    scene.finish()
    return scene


@pytest.fixture
def done_scene(scene: Scene, finished: Scene) -> Scene:
    """A workspace of one's own in which the run is done."""
    shutil.copytree(finished.workspace, scene.workspace, dirs_exist_ok=True)
    return scene


def refused(done: Done, *words: str) -> None:
    """It ended with status 2 and one line that says all these words, and printed no result."""
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    lines = [
        line
        for line in done.stderr.splitlines()
        if line and not line.startswith(("warning: ", "expected: ", "progress: "))
    ]
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("error: ")
    for word in words:
        assert re.search(word, lines[0]), lines[0]
    assert done.stdout == ""


def resumed(scene: Scene, since: int) -> None:
    """The same command does the rest; what had been committed when `since` requests had come is not asked again."""
    kept = scene.committed()
    scene.finish()
    assert scene.committed() == scene.names
    assert kept.isdisjoint(scene.server.came()[since:])


# No room


@contextlib.contextmanager
def small_disk(place: Path, size: int) -> Iterator[Path]:
    """A file system of so many bytes, mounted there; skips where this is not allowed."""
    place.mkdir(exist_ok=True)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)]
    try:
        failed = subprocess.run(mount, capture_output=True, text=True, check=False).returncode
    except OSError:
        failed = 1
    if failed:
        pytest.skip("mounting a small disk needs the rights of an administrator")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


def remount(place: Path, option: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{option}", str(place)], check=True)


# 64 KB do not hold the tables, 160 KB not the plan, the rest not all of the answers.
@pytest.mark.slow
@pytest.mark.parametrize("size", [64_000, 160_000, 400_000, 700_000])
def test_a_full_disk_stops_the_run_and_room_lets_it_go_on(scene: Scene, size: int) -> None:
    with small_disk(scene.workspace, size):
        scene.declare()
        refused(scene.run("--concurrency", 2, "--judge-concurrency", 2), "full|No space", "make room|free space")
        since = len(scene.server.came())
        remount(scene.workspace, f"size={ROOM}")
        resumed(scene, since)


LIMIT = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({0}, {0}))"


@pytest.mark.slow
@pytest.mark.parametrize("size", [20_000, 120_000, 500_000])
def test_a_limit_on_the_size_of_files_stops_the_run_likewise(scene: Scene, size: int) -> None:
    refused(scene.run("--concurrency", 2, "--judge-concurrency", 2, sabotage=LIMIT.format(size)), "disk I/O error")
    resumed(scene, len(scene.server.came()))


@pytest.mark.slow
def test_an_input_output_error_comes_with_advice(scene: Scene) -> None:
    refused(scene.run(sabotage=LIMIT.format(20_000)), "disk I/O error", "disk|space|quota", str(scene.workspace))


@pytest.mark.slow
def test_an_image_that_does_not_fit_into_the_workspace_is_no_broken_image(scene: Scene) -> None:
    large = scene.data / "images" / "2.jpg"
    Image.effect_noise((1800, 1800), 90).save(large, quality=95)
    assert large.stat().st_size > 1_200_000
    since = len(scene.server.came())
    refused(scene.run(sabotage=LIMIT.format(1_000_000)), "the images of the workspace cannot be written", "free space")
    assert len(scene.server.came()) == since
    assert not list((scene.workspace / "images").glob(".*"))
    resumed(scene, since)


def test_a_transaction_that_failed_leaves_nothing_behind_in_memory(tmp_path: Path) -> None:
    """What was written with it is gone, so that later answers must not refer to it."""
    answer = Answer("answered", "a", finish_reason="stop", sent={"parameters": {"temperature": 0}})
    ledger = Ledger(tmp_path)
    with contextlib.closing(sqlite3.connect(ledger.path, isolation_level=None)) as other:
        other.execute("CREATE TRIGGER no BEFORE INSERT ON answer BEGIN SELECT RAISE(ABORT, 'no'); END")
        with pytest.raises(LedgerError):
            ledger.store([(bytes(16), answer)])
        other.execute("DROP TRIGGER no")
    ledger.store([(bytes(16), answer)])
    ledger.close()
    again = Ledger(tmp_path)
    assert again.final(bytes(16)) == answer
    again.close()


# No rights, no lock, the wrong file


@contextlib.contextmanager
def read_only(scene: Scene) -> Iterator[None]:
    """The workspace cannot be written: by a mount for the administrator, whom rights do not bind, else by rights."""
    if os.geteuid() == 0:
        aside = scene.folder / "aside"
        shutil.move(scene.workspace, aside)
        with small_disk(scene.workspace, ROOM):
            shutil.copytree(aside, scene.workspace, dirs_exist_ok=True)
            remount(scene.workspace, "ro")
            yield
        shutil.copytree(aside, scene.workspace, dirs_exist_ok=True)
        return
    folders = [scene.workspace, *(path for path in scene.workspace.rglob("*") if path.is_dir())]
    files = [path for path in scene.workspace.rglob("*") if path.is_file()]
    try:
        for path in (*files, *folders):
            path.chmod(0o444 if path in files else 0o555)
        yield
    finally:
        for path in (*folders, *files):
            path.chmod(0o755 if path in folders else 0o644)


@pytest.mark.slow
def test_a_workspace_that_cannot_be_written_is_named(done_scene: Scene) -> None:
    with read_only(done_scene):
        refused(done_scene.run(), str(done_scene.workspace), "can only be read", "another with --workspace")
        assert done_scene.call("runs").returncode == 0  # and it can be read
        done_scene.workspace = done_scene.workspace / "inner"
        refused(done_scene.call("runs"), str(done_scene.workspace), "cannot be made", "--workspace")
        done_scene.workspace = done_scene.workspace.parent
    resumed(done_scene, len(done_scene.server.came()))


def test_a_network_file_system_is_refused_before_anything_is_written(scene: Scene) -> None:
    mounts = f"[N(mountpoint='/', fstype='ext4'), N(mountpoint={str(scene.folder)!r}, fstype='nfs4')]"
    sabotage = f"import psutil; from types import SimpleNamespace as N; psutil.disk_partitions = lambda all: {mounts}"
    refused(scene.run(sabotage=sabotage), r"network file system \(nfs4\)", "--workspace")
    assert [path.name for path in scene.workspace.iterdir()] == ["models.toml"]


@pytest.mark.slow
@pytest.mark.parametrize(("version", "advice"), [("99", "upgrade Snellen"), ("0", "use the Snellen that made it")])
def test_a_ledger_of_another_schema_is_left_as_it_is(done_scene: Scene, version: str, advice: str) -> None:
    with contextlib.closing(sqlite3.connect(done_scene.ledger)) as connection, connection:
        connection.execute("UPDATE meta SET value = ? WHERE name = 'schema_version'", [version])
    before = done_scene.ledger.read_bytes()
    refused(done_scene.run(), f"schema version {version}", advice, "nothing was changed")
    assert done_scene.ledger.read_bytes() == before


@pytest.mark.slow
@pytest.mark.parametrize("keep", [0.0, 0.5])
def test_a_damaged_ledger_is_named(done_scene: Scene, keep: float) -> None:
    body = done_scene.ledger.read_bytes()
    done_scene.ledger.write_bytes(body[: int(len(body) * keep)] or b"no database " * 1000)
    for file in done_scene.workspace.glob("ledger.sqlite-*"):
        file.unlink()
    refused(done_scene.run(), str(done_scene.ledger), "is damaged or not a ledger", "move it away")


IMPATIENT = """
import sqlite3
connect = sqlite3.connect
sqlite3.connect = lambda *a, **k: connect(*a, **{**k, 'timeout': 0.2})
"""
"""Waits a fifth of a second for a lock instead of half a minute."""


@contextlib.contextmanager
def held(ledger: Path) -> Iterator[None]:
    """Another program is writing to the ledger."""
    with contextlib.closing(sqlite3.connect(ledger, timeout=30, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield


@pytest.mark.slow
def test_another_program_may_hold_the_ledger_for_a_while(scene: Scene) -> None:
    scene.call("runs")
    with held(scene.ledger):
        client = scene.start("--concurrency", 1)
        time.sleep(2.0)
        assert client.poll() is None
    wait_until(lambda: len(committed(scene.ledger)) > 3, client)
    with held(scene.ledger):
        time.sleep(1.0)
    _, said = client.communicate(timeout=60)
    assert client.returncode == 0, said
    assert scene.committed() == scene.names


@pytest.mark.slow
def test_a_ledger_that_is_held_for_long_is_given_up(scene: Scene) -> None:
    scene.call("runs")
    with held(scene.ledger):
        refused(scene.run(sabotage=IMPATIENT), "database is locked", "another program holds the database")
    client = scene.start("--concurrency", 1, "--judge-concurrency", 1, sabotage=IMPATIENT)
    wait_until(lambda: len(committed(scene.ledger)) > 3, client)
    with held(scene.ledger):
        out, err = client.communicate(timeout=60)
    refused(Done(client.args, client.returncode, out, err), "database is locked")
    resumed(scene, len(scene.server.came()))


@pytest.mark.slow
def test_no_more_is_lost_to_a_held_ledger_than_was_in_flight(scene: Scene) -> None:
    before = scene.server.answered().total()
    client = scene.start("--concurrency", 1, "--judge-concurrency", 1, sabotage=IMPATIENT.replace("0.2", "1.5"))
    wait_until(lambda: len(committed(scene.ledger)) > 3, client)
    with held(scene.ledger):
        kept = len(committed(scene.ledger))
        client.communicate(timeout=60)
    assert client.returncode == 2
    lost = scene.server.answered().total() - before - kept
    assert lost <= 4, f"{lost} answers, with 2 requests in flight at most"


@pytest.mark.slow
def test_owners_that_are_dead_are_nobody(scene: Scene) -> None:
    """Whatever is left of them: a row and claims, with their lock file or without it."""
    client = scene.start("--concurrency", 1)
    wait_until(lambda: len(committed(scene.ledger)) > 2, client)
    kill(client)
    with contextlib.closing(sqlite3.connect(scene.ledger)) as connection, connection:
        ((killed,),) = connection.execute("SELECT id FROM owner").fetchall()
        connection.execute("INSERT INTO owner VALUES (98, 'with', 'elsewhere', 1, 0), (99, 'without', 'here', 1, 0)")
        connection.execute("DELETE FROM claim")
        connection.execute(
            "INSERT INTO claim SELECT key, iif(position % 4, 96 + position % 4, ?) FROM run_item"
            " WHERE key NOT IN (SELECT key FROM answer)",
            [killed],
        )  # and of 97 there is not even a row
    (scene.workspace / "owners" / "with.lock").touch()
    resumed(scene, len(scene.server.came()))
    assert not list((scene.workspace / "owners").iterdir())


# The ground moves


@pytest.mark.slow
def test_a_clock_that_runs_backwards_changes_nothing(scene: Scene, finished: Scene) -> None:
    """An hour back at each look."""
    sabotage = "import itertools, time; t, n = time.time, itertools.count(); time.time = lambda: t() - 3600 * next(n)"
    with Server(scene.folder / "log", "--seed", 3, "--share", 0.2, "--pad", 20_000, "--no-stalls") as rude:
        scene.server = rude
        scene.declare()
        done = scene.run(sabotage=sabotage)
        assert done.returncode == 0, done.stderr
        assert "-" not in "".join(line for line in done.stderr.splitlines() if line.startswith("progress: "))
        assert rude.answered() == Counter(dict.fromkeys(scene.names, 1))
        assert scene.finish() == finished.finish()


@pytest.mark.slow
def test_a_workspace_that_is_deleted_meanwhile_is_missed(scene: Scene) -> None:
    client = scene.start("--concurrency", 1, "--judge-concurrency", 1)
    wait_until(lambda: len(committed(scene.ledger)) > 3, client)
    shutil.rmtree(scene.workspace)
    out, err = client.communicate(timeout=60)
    refused(Done(client.args, client.returncode, out, err), str(scene.workspace))
    scene.declare()
    resumed(scene, len(scene.server.came()))
