"""What the drills are made with: the rude server and its clients as processes, and looks at what a ledger holds."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import small_charthal

PATIENCE = 120.0
"""Seconds after which a client is given up: far more than any of them needs on a slow machine."""

Done = subprocess.CompletedProcess[str]
Client = subprocess.Popen[str]
Outcome = tuple[list[dict[str, Any]], Any]


class Server:
    """The rude server. Use it as a context manager; it ends with this process, too."""

    def __init__(self, log: Path, *options: object) -> None:
        self.log = log
        self._command = [sys.executable, str(Path(__file__).with_name("rude_server.py")), "--log", str(log)]
        self._command += [str(option) for option in options]

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self.url = f"http://127.0.0.1:{int(self._process.stdout.readline())}/v1"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate(timeout=10)  # closes its input

    def entries(self) -> list[dict[str, Any]]:
        """The log."""
        lines = self.log.read_bytes().split(b"\n")[:-1] if self.log.exists() else []
        return [json.loads(line) for line in lines]

    def came(self) -> list[str]:
        """What was asked, in order, every try."""
        return [entry["name"] for entry in self.entries() if entry["event"] == "came"]

    def answered(self) -> Counter[str]:
        """How often the whole answer to each request was sent."""
        return Counter(entry["name"] for entry in self.entries() if entry.get("whole"))

    def settle(self) -> None:
        """Wait until nothing comes any more from a client that is dead."""
        size = -1
        while size != (size := self.log.stat().st_size if self.log.exists() else 0):
            time.sleep(0.05)


class Scene:
    """Data, a workspace and the command that runs the one in the other.

    Args:
        folder: where both are made.
        figures: of the data; each has twelve questions.
        server: of model and judge.
        timeout: of the client, in seconds.
    """

    def __init__(self, folder: Path, server: Server, figures: int = 2, timeout: float = 1.0) -> None:
        self.folder, self.figures, self.server = folder, figures, server
        self.data = folder / "data"
        if not self.data.exists():
            small_charthal.write(self.data, figures)
        self.workspace = folder / "workspace"
        self.ledger = self.workspace / "ledger.sqlite"
        self.timeout = timeout

    @property
    def names(self) -> set[str]:
        """Everything there is to ask."""
        return {f"{model} {f}/{q}" for model in ("vlm", "judge") for f in range(1, self.figures + 1) for q in range(12)}

    def declare(self) -> None:
        """Write the models into the workspace."""
        self.workspace.mkdir(exist_ok=True)
        table = '[models."{}"]\nbase_url = "{}"\ntimeout = {}\n'
        models = [table.format(name, self.server.url, self.timeout) for name in ("vlm", "judge")]
        (self.workspace / "models.toml").write_text("\n".join(models), encoding="utf-8")

    def command(self, *arguments: object, sabotage: str = "") -> list[str]:
        """The command line of a client; `sabotage` is Python that is run in it first."""
        program = f"{sabotage}\nfrom snellen.cli import main\nmain()"
        return [sys.executable, "-c", program, "--workspace", str(self.workspace), *map(str, arguments)]

    def run_command(self, *more: object, sabotage: str = "") -> list[str]:
        """The command line of the run."""
        arguments = ["run", "charthal", "--model", "vlm", "--judge", "judge", "--data", self.data, *more]
        return self.command(*arguments, sabotage=sabotage)

    def start(self, *more: object, sabotage: str = "") -> Client:
        """A client at work on the run, as a process that can be killed."""
        return subprocess.Popen(
            self.run_command(*more, sabotage=sabotage),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=ENVIRONMENT,
        )

    def run(self, *more: object, sabotage: str = "", **how: Any) -> Done:
        """The run, to its end."""
        return call(self.run_command(*more, sabotage=sabotage), **how)

    def call(self, *arguments: object, sabotage: str = "", **how: Any) -> Done:
        """Any command, to its end."""
        return call(self.command(*arguments, sabotage=sabotage), **how)

    def finish(self, *more: object) -> Outcome:
        """The run, as often as it takes until nothing is missing; each time may lose a few to a slow machine.

        Returns:
            (every item with its answer and verdict as exported, the numbers)
        """
        for _ in range(5):
            done = self.run("--json", *more)
            if done.returncode != 1:
                break
        assert done.returncode == 0, done.stderr
        printed = json.loads(done.stdout)
        self.run_name: str = printed["run"]
        exported = self.call("export", self.run_name)
        assert exported.returncode == 0, exported.stderr
        return [json.loads(line) for line in exported.stdout.splitlines()], printed["results"]

    def committed(self) -> set[str]:
        """What the ledger holds a final answer to, as the server names it, while no client is at work.

        A copy is looked at: recovering what a dead client left is the next client's work.
        """
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "ledger.sqlite"
            for ending in ("", "-wal"):
                if (file := self.workspace / f"ledger.sqlite{ending}").exists():
                    shutil.copyfile(file, f"{copy}{ending}")
            return committed(copy)


ENVIRONMENT = {**os.environ, "COLUMNS": "100", "PYTHONUNBUFFERED": "1"}


def call(command: list[str], **how: Any) -> Done:
    """A program to its end."""
    return subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=PATIENCE, env=ENVIRONMENT, **how
    )


def committed(ledger: Path) -> set[str]:
    """What a ledger holds a final answer to; it must be sound. Empty while it, or its tables, are not made."""
    if not ledger.exists():
        return set()
    connection = sqlite3.connect(f"{ledger.as_uri()}?mode=rw", timeout=30, uri=True)
    try:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'answer'").fetchall():
            return set()
        answers = connection.execute(
            "SELECT body FROM run_item JOIN answer USING (key) JOIN item ON item.id = item_id"
        ).fetchall()
        replies = connection.execute(
            "SELECT body FROM reply JOIN answer USING (key) JOIN run ON run.id = reply.run_id"
            " JOIN run_item ON run_item.run_id = parent AND run_item.position = reply.position"
            " JOIN item ON item.id = item_id"
        ).fetchall()
    finally:
        connection.close()

    def name(model: str, body: str) -> str:
        identity: str = json.loads(body)["id"]
        return f"{model} {identity.removeprefix('charthal/')}"

    return {name("vlm", body) for (body,) in answers} | {name("judge", body) for (body,) in replies}


def wait_until(condition: Callable[[], bool], process: Client | None = None, patience: float = PATIENCE) -> None:
    """Until it holds, or the process has ended."""
    end = time.monotonic() + patience
    while not condition() and (process is None or process.poll() is None):
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.01)


def kill(client: Client) -> bool:
    """kill -9, and whether it was still at work."""
    client.kill()
    client.communicate(timeout=PATIENCE)
    return client.returncode == -9
