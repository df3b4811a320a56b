"""The fault drill: a server that is rude to three requests in ten, and clients that are killed at any moment."""

from __future__ import annotations

import contextlib
import functools
import random
import signal
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from drill.harness import PATIENCE, Client, Outcome, Scene, Server, committed, kill, wait_until
from drill.rude_server import RUDE

SEED = 11


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], Outcome]:
    """What a run on so many figures comes to that nothing befalls."""

    @functools.cache
    def outcome(figures: int) -> Outcome:
        folder = tmp_path_factory.mktemp("polite")
        with Server(folder / "log") as server:
            scene = Scene(folder, server, figures, timeout=60.0)
            scene.declare()
            found = scene.finish()
            assert scene.committed() == scene.names
            assert server.answered() == Counter(dict.fromkeys(scene.names, 1))
            return found

    return outcome


def some_moment(scene: Scene, client: Client, chance: random.Random) -> None:
    """While it starts or plans (one time in four), or after some requests."""
    if chance.random() < 0.25:
        time.sleep(chance.uniform(0.02, 0.8))
    else:
        enough = len(scene.server.came()) + chance.randrange(9)
        wait_until(lambda: len(scene.server.came()) >= enough, client)
        time.sleep(chance.uniform(0.0, 0.08))


def drill(folder: Path, figures: int, kills: int, expected: Outcome) -> None:
    """Kill so often, then let it finish: all is as if nothing had been, and nothing kept was asked again."""
    chance = random.Random(SEED)
    kept_since: dict[str, int] = {}
    with Server(folder / "log", "--seed", SEED, "--share", 0.3, "--delay", 0.05) as server:
        scene = Scene(folder, server, figures)
        scene.declare()
        for number in range(kills):
            # Few at once, so that the work outlasts the kills; how many is no part of the plan.
            client = scene.start("--concurrency", chance.choice((1, 2, 4)), "--judge-concurrency", 2)
            some_moment(scene, client, chance)
            if number == kills - 1:
                wait_until(lambda: bool(committed(scene.ledger)), client)  # let there be something to lose
            assert kill(client), f"the run was done before kill {number}"
            server.settle()
            asked = len(server.came())
            for name in scene.committed():
                kept_since.setdefault(name, asked)
        assert kept_since
        assert scene.finish() == expected
        assert scene.committed() == scene.names
        again = [name for number, name in enumerate(server.came()) if number >= kept_since.get(name, number + 1)]
        assert again == []
        asked = len(server.came())
        assert scene.run().returncode == 0
        assert len(server.came()) == asked


def test_a_few_kills_change_nothing(tmp_path: Path, undisturbed: Callable[[int], Outcome]) -> None:
    drill(tmp_path, 4, 2, undisturbed(4))


@pytest.mark.slow
def test_fifty_kills_change_nothing(tmp_path: Path, undisturbed: Callable[[int], Outcome]) -> None:
    drill(tmp_path, 24, 50, undisturbed(24))


@pytest.mark.slow
def test_every_rudeness_is_borne(tmp_path: Path, undisturbed: Callable[[int], Outcome]) -> None:
    """A run long enough to meet all of them, and the share of requests that met one."""
    with Server(tmp_path / "log", "--seed", SEED, "--share", 0.3) as server:
        scene = Scene(tmp_path, server, 24)
        scene.declare()
        assert scene.finish() == undisturbed(24)
        done = Counter(entry["done"] for entry in server.entries() if entry["event"] == "came")
        assert set(done) == {*RUDE, "answer"}
        assert 0.2 < 1 - done["answer"] / done.total() < 0.4


@pytest.mark.slow
def test_a_kill_while_the_report_is_written_leaves_a_whole_one_or_none(tmp_path: Path) -> None:
    with Server(tmp_path / "log") as server:
        scene = Scene(tmp_path, server, timeout=60.0)
        scene.declare()
        scene.finish()
        report = tmp_path / "report.html"
        for number in range(16):
            client = scene.start("--report", report)
            time.sleep(0.4 + number * 0.15)
            kill(client)
            assert not report.exists() or report.read_text(encoding="utf-8").rstrip().endswith("</html>")
        scene.finish("--report", report)
        assert report.read_text(encoding="utf-8").rstrip().endswith("</html>")


# Two clients on one workspace

FEW = ("--concurrency", 4, "--judge-concurrency", 4)


@pytest.fixture(params=[(2, 0.1), pytest.param((8, 0.3), marks=pytest.mark.slow)], ids=["small", "large"])
def shared(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Scene]:
    """A workspace and a rude server that never stalls, so that no answer is lost because the machine was slow."""
    figures, share = request.param
    options = ("--seed", SEED, "--share", share, "--delay", 0.1, "--no-stalls")
    with Server(tmp_path / "log", *options) as server:
        scene = Scene(tmp_path, server, figures, timeout=60.0)
        scene.declare()
        yield scene


@pytest.mark.slow
def test_two_clients_ask_everything_once(shared: Scene) -> None:
    clients = [shared.start(*FEW) for _ in range(2)]
    outputs = [client.communicate(timeout=PATIENCE) for client in clients]
    assert [client.returncode for client in clients] == [0, 0], outputs
    assert outputs[0][0] == outputs[1][0]
    assert shared.committed() == shared.names
    assert shared.server.answered() == Counter(dict.fromkeys(shared.names, 1))


def test_the_second_client_finishes_what_a_killed_one_was_asking(shared: Scene) -> None:
    server = shared.server
    first = shared.start(*FEW)
    wait_until(lambda: len(server.came()) >= 4, first)
    second = shared.start(*FEW)
    wait_until(lambda: len(server.came()) >= 16, first)
    assert kill(first)
    # The other goes on: what is kept now is not asked from now on, but for what is on its way already.
    kept = committed(shared.ledger)
    asked = len(server.came())
    _, said = second.communicate(timeout=PATIENCE)
    assert second.returncode == 0, said
    assert shared.committed() == shared.names
    assert kept.isdisjoint(server.came()[asked:])
    twice = [name for name, count in server.answered().items() if count > 1]
    assert len(twice) <= 8  # what the dead one had in flight


def stop(client: Client, ledger: Path) -> None:
    """Stop it (Ctrl-Z) where it is not in the middle of writing to the ledger."""
    while True:
        client.send_signal(signal.SIGSTOP)
        with contextlib.closing(sqlite3.connect(ledger, timeout=0.2, isolation_level=None)) as connection:
            try:
                connection.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError:
                client.send_signal(signal.SIGCONT)
                time.sleep(0.01)
            else:
                return


@pytest.mark.slow
def test_what_a_stopped_client_is_asking_is_not_asked_by_another(tmp_path: Path) -> None:
    """A claim holds as long as its owner lives, however long that takes."""
    with Server(tmp_path / "log", "--delay", 0.3) as server:
        scene = Scene(tmp_path, server, timeout=60.0)
        scene.declare()
        first = scene.start(*FEW)
        wait_until(lambda: len(server.came()) >= 6, first)
        stop(first, scene.ledger)
        second = scene.start(*FEW)
        wait_until(lambda: len(list((scene.workspace / "owners").iterdir())) == 2, second)
        time.sleep(1.5)
        assert second.poll() is None
        first.send_signal(signal.SIGCONT)
        for client in (first, second):
            _, said = client.communicate(timeout=PATIENCE)
            assert client.returncode == 0, said
        assert server.answered() == Counter(dict.fromkeys(scene.names, 1))


@pytest.mark.slow
def test_another_client_asks_what_a_stopped_one_is_not_asking(tmp_path: Path) -> None:
    with Server(tmp_path / "log", "--delay", 0.1) as server:
        scene = Scene(tmp_path, server, figures=6, timeout=60.0)
        scene.declare()
        first = scene.start(*FEW)
        wait_until(lambda: len(server.came()) >= 8, first)
        stop(first, scene.ledger)
        second = scene.start(*FEW)
        try:
            wait_until(lambda: len(committed(scene.ledger)) >= len(scene.names) - 2 * 8, second, patience=10.0)
        finally:
            kill(first)
            kill(second)
