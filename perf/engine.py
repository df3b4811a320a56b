"""How close the engine comes to the limit: whole processes of snellen beside the floor, against a fast local server.

    python perf/engine.py --data ../shared/data/charthal [--only NAME ...] [--json]

Builds ``fakeapi`` with the C compiler into a temporary folder, starts it on a free port of the loopback, and runs
``snellen`` and ``floor.py`` in turn, from start to exit with the ledger written. Wall, CPU (user and system) and peak
memory are those that the kernel counts for the process (``wait4``); medians over ``--repeat`` runs. Every run is
checked: the server's count of requests and the ledger's count of answers are what they have to be.

Prints a table in markdown: what was measured, snellen's figure, what stands beside it (the floor's figure, or that of
the run with fewer items), their ratio, the target, and whether it is met. Linux only: it reads ``/proc``.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, Self

HERE = Path(__file__).resolve().parent
SNELLEN = Path(sys.executable).with_name("snellen")
SHARED_POOL = "--shared-pool"
"""The option by which model and judge share the ``--concurrency`` requests in flight."""
POOLS_APART = "--judge-concurrency 64"

HEADING = f"| measure | snellen | floor, ideal or fewer items | ratio | target | met |\n|{' --- |' * 6}"
LONGEST_RUN = 3600.0  # seconds; a run that hangs is ended, and is an error
KB, MB = 1000.0, 1e6


class BrokenRunError(Exception):
    """A run failed, or did not do what was to be measured."""


@dataclass(frozen=True)
class Used:
    """What one process used from start to exit: seconds, seconds of CPU, bytes at the peak, bytes written to files.

    `written` is the larger of two counts of the kernel: bytes handed to write calls, and bytes of pages made dirty.
    `window` is the server's: seconds from the first request to the last answer.
    """

    wall: float
    cpu: float
    peak: float
    written: float
    window: float = 0.0


@dataclass(frozen=True)
class Row:
    """A line of the table. The target holds for the ratio where there is one and `of_ratio`, else for the figure."""

    measure: str
    unit: str
    snellen: float
    beside: float | None = None
    ratio: float | None = None
    target: float | None = None
    at_most: bool = False
    of_ratio: bool = True

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None without one."""
        value = self.ratio if self.of_ratio and self.ratio is not None else self.snellen
        if self.target is None:
            return None
        return value <= self.target if self.at_most else value >= self.target

    def line(self) -> str:
        """In markdown."""
        target = "" if self.target is None else f"{'at most' if self.at_most else 'at least'} {self.target:g}"
        met = {None: "", True: "yes", False: "**no**"}[self.met]
        figures = [_figure(self.snellen), _figure(self.beside), _figure(self.ratio)]
        return f"| {' | '.join((f'{self.measure} ({self.unit})', *figures, target, met))} |"


def _figure(value: float | None) -> str:
    return "" if value is None else f"{value:,.{3 if value < 10 else 2 if value < 100 else 1}f}"


def run_whole(command: list[str]) -> Used:
    """Run a program to its end.

    This process must stay small itself: until the program is loaded, the kernel counts our memory as the child's.

    Raises:
        BrokenRunError: it failed, with the end of what it said, or took longer than `LONGEST_RUN`.
    """
    with tempfile.TemporaryFile() as output:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        watchdog = threading.Timer(LONGEST_RUN, process.kill)
        watchdog.start()
        try:
            os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # its counters can be read until it is reaped
            wall = time.perf_counter() - start
            counted = dict(line.split(": ") for line in Path(f"/proc/{process.pid}/io").read_text().splitlines())
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        finally:
            watchdog.cancel()
        if process.returncode:
            output.seek(0)
            text = output.read()[-2000:].decode("utf-8", "replace")
            raise BrokenRunError(f"{' '.join(command)} ended with {process.returncode}:\n{text}")
    written = max(int(counted["wchar"]), int(counted["write_bytes"]))
    return Used(wall, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024.0, written)


class Server:
    """fakeapi at work. Use as a context manager.

    Raises:
        BrokenRunError: no C compiler, or it does not start.
    """

    def __init__(self, folder: Path) -> None:
        compiler = shutil.which(os.environ.get("CC", "cc"))
        if compiler is None:
            raise BrokenRunError("there is no C compiler: install one, or name it in CC")
        program = folder / "fakeapi"
        subprocess.run([compiler, "-O2", "-o", program, HERE / "fakeapi.c"], check=True)
        self._process = subprocess.Popen([program, "0"], stdout=subprocess.PIPE, text=True)
        line = self._process.stdout.readline() if self._process.stdout else ""
        if not line.startswith("port "):
            raise BrokenRunError("the server does not start")
        self.port = int(line.split()[1])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()

    def get(self, what: str) -> dict[str, Any]:
        """``stats`` or ``reset``."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/{what}", timeout=30) as reply:
            answer: dict[str, Any] = json.load(reply)
            return answer

    def url(self, latency_ms: int) -> str:
        """The base URL of that latency."""
        return f"http://127.0.0.1:{self.port}/{latency_ms}/v1"


def make_data(source: Path, folder: Path, rows: int | None, times: int) -> int:
    """Data of ``grow_data.py``; returns how many rows. A process of its own, so that this one stays small."""
    command = [sys.executable, str(HERE / "grow_data.py"), str(source), str(folder), "--times", str(times)]
    limit = ["--rows", str(rows)] if rows is not None else []
    return int(subprocess.run([*command, *limit], check=True, capture_output=True, text=True).stdout)


@dataclass
class Bench:
    """Everything that a measure needs."""

    server: Server
    folder: Path
    data: Path
    items: int
    options: argparse.Namespace

    def snellen(
        self, *options: str, latency_ms: int = 0, data: Path | None = None, workspace: Path, judging: str = ""
    ) -> Used:
        """``snellen run``; `judging` holds the options that say how many requests to the judge are in flight."""
        url = self.server.url(latency_ms)
        judge = ["--judge", "judge", "--judge-base-url", url, *judging.split()] if judging else ["--judge", "none"]
        command = [str(SNELLEN), "--workspace", str(workspace), "run", "charthal", "--data", str(data or self.data)]
        self.server.get("reset")
        used = run_whole([*command, "--model", "vlm", "--base-url", url, *judge, *options])
        return Used(**(asdict(used) | {"window": self.server.get("stats")["window_s"]}))

    def fresh(self, *options: str, latency_ms: int = 0, judging: str = "") -> Used:
        """`snellen` in a new workspace, checked."""
        with tempfile.TemporaryDirectory(dir=self.folder) as workspace:
            used = self.snellen(*options, latency_ms=latency_ms, workspace=Path(workspace), judging=judging)
            if "--dry-run" not in options:
                self.check(Path(workspace), self.items, bool(judging))
            return used

    def check(self, workspace: Path, items: int, judged: bool) -> None:
        """Every request was made once, and every answer is kept.

        Raises:
            BrokenRunError: it is not so.
        """
        wanted = items * (2 if judged else 1)
        asked = self.server.get("stats")["requests"]
        kept = in_ledger(workspace, "SELECT count(*) FROM answer")
        verdicts = in_ledger(workspace, "SELECT count(*) FROM verdict WHERE value IS NOT NULL")
        if (asked, kept, verdicts) != (wanted, wanted, items if judged else 0):
            raise BrokenRunError(f"{asked} requests, {kept} answers, {verdicts} verdicts for {items} items")

    def floor(self, concurrency: int, latency_ms: int, judging: str = "none") -> Used:
        """``floor.py``."""
        options = ("--port", self.server.port, "--concurrency", concurrency, "--latency-ms", latency_ms)
        words = [str(word) for word in ("--data", self.data, *options, "--judging", judging)]
        self.server.get("reset")
        return run_whole([sys.executable, str(HERE / "floor.py"), *words])

    def in_turn(self, *programs: Callable[[], Used]) -> list[Used]:
        """Medians of several programs that take turns, so that whatever else the machine does hits all of them."""
        rounds = [[program() for program in programs] for _ in range(self.options.repeat)]
        return [_medians(list(column)) for column in zip(*rounds, strict=True)]


def said(command: list[str]) -> str:
    """What a program prints."""
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def in_ledger(workspace: Path, query: str) -> int:
    """The number that a query gives."""
    with closing(sqlite3.connect(workspace / "ledger.sqlite")) as ledger:
        return int(ledger.execute(query).fetchone()[0])


def _medians(runs: list[Used]) -> Used:
    return Used(**{name: median(getattr(run, name) for run in runs) for name in asdict(runs[0])})


Measure = Callable[[Bench], Iterator[Row]]


def waiting(in_flight: int, target: float, judging: str = "", pools: str = "", ideally: str = "") -> Measure:
    """Wall at a latency, beside the floor's; and the ``window`` of the requests, or the ``wall``, beside the ideal.

    `judging` holds the options of judging, `pools` says whether its pool is ``shared`` or ``apart``. The target holds
    for the share of the floor, or of the ideal (items x latency / requests in flight) where `ideally` is ``wall``.
    """

    def measure(bench: Bench) -> Iterator[Row]:
        latency = int(bench.options.latency_ms)
        if judging == SHARED_POOL and judging not in said([str(SNELLEN), "run", "--help"]):
            print(f"not measured: this snellen has no {SHARED_POOL}", file=sys.stderr)
            return
        ours, floor = bench.in_turn(
            partial(bench.fresh, "--concurrency", str(in_flight), latency_ms=latency, judging=judging),
            partial(bench.floor, in_flight, latency, pools or "none"),
        )
        pool = {"": f"{in_flight} in flight", "shared": f"one pool of {in_flight}", "apart": f"{in_flight} each"}[pools]
        what = f"asking{' and judging' if judging else ''}, {latency} ms, {pool}: "
        ideal = bench.items * latency / 1000 / in_flight
        share, aim = floor.wall / ours.wall, None if ideally == "wall" else target
        yield Row(f"{what}wall beside the floor", "s", ours.wall, floor.wall, share, aim)
        if ideally == "wall":
            yield Row(f"{what}wall beside the ideal", "s", ours.wall, ideal, ideal / ours.wall, target)
        elif ideally == "window":
            yield Row(f"{what}request window beside the ideal", "s", ours.window, ideal, ideal / ours.window, 0.95)

    return measure


def cpu(bench: Bench) -> Iterator[Row]:
    """CPU per item at no latency, of the whole process and beyond a dry run."""
    for what, judging, floor_judging, target in (
        ("asking", "", "none", 1.5),
        ("asking and judging", POOLS_APART, "apart", 2.5),
    ):
        ours, dry, floor = (
            1000 * used.cpu / bench.items
            for used in bench.in_turn(
                partial(bench.fresh, "--concurrency", "64", judging=judging),
                partial(bench.fresh, "--dry-run", judging=judging),
                partial(bench.floor, 64, 0, floor_judging),
            )
        )
        yield Row(f"{what}, 0 ms: CPU an item", "ms", ours, floor, floor / ours, target, at_most=True, of_ratio=False)
        yield Row(f"{what}, 0 ms: CPU an item beyond a dry run", "ms", ours - dry)


def growth(judging: bool, per_item_kb: float) -> Measure:
    """Many times the questions: memory, CPU, the ledger's size, what is written, and a second run that asks nothing."""

    def measure(bench: Bench) -> Iterator[Row]:
        how, what = (POOLS_APART, "asking and judging") if judging else ("", "asking")
        small, _, small_again = grown(bench, bench.data, bench.items, how, bench.options.repeat)
        data = bench.folder / f"grown-{what}"
        items = make_data(bench.data, data, None, bench.options.growth)
        large, kept, again = grown(bench, data, items, how, bench.options.growth_repeat)
        name, beside = f"{what}, {items:,} items", f"beside {bench.items:,}"
        peaks = large.peak / MB, small.peak / MB
        yield Row(f"{name}: peak memory {beside}", "MB", *peaks, peaks[0] / peaks[1], 1.2, at_most=True)
        yield Row(f"{name}: peak memory", "MB", peaks[0], target=150.0, at_most=True)
        each = 1000 * large.cpu / items, 1000 * small.cpu / bench.items
        yield Row(f"{name}: CPU an item {beside}", "ms", *each, each[0] / each[1], 1.0, at_most=True)
        size, text = kept
        beyond = (size - text) / items / KB
        yield Row(f"{name}: ledger an item beyond the text", "KB", beyond, target=per_item_kb, at_most=True)
        written = large.written / MB, size / MB
        yield Row(f"{name}: written beside the ledger", "MB", *written, written[0] / written[1], 12.0, at_most=True)
        yield Row(f"{what}, {bench.items:,} items: second run", "s", small_again.wall, target=1.5, at_most=True)
        yield Row(f"{name}: second run", "s", again.wall, target=15.0, at_most=True)
        yield Row(f"{name}: peak memory of the second run", "MB", again.peak / MB)

    return measure


def grown(bench: Bench, data: Path, items: int, judging: str, repeat: int) -> tuple[Used, tuple[int, int], Used]:
    """(first run, (bytes of the ledger, of texts in it), second run); medians."""
    first, second, kept = [], [], (0, 0)
    for _ in range(repeat):
        with tempfile.TemporaryDirectory(dir=bench.folder) as name:
            workspace = Path(name)
            first.append(bench.snellen("--concurrency", "64", data=data, workspace=workspace, judging=judging))
            bench.check(workspace, items, bool(judging))
            size = sum(path.stat().st_size for path in workspace.glob("ledger.sqlite*"))
            text = in_ledger(workspace, "SELECT sum(length(CAST(text || thinking AS BLOB))) FROM answer")
            kept = size, text
            second.append(bench.snellen("--concurrency", "64", data=data, workspace=workspace, judging=judging))
            if bench.server.get("stats")["requests"]:
                raise BrokenRunError("a second run asked again")
    return _medians(first), kept, _medians(second)


def start(bench: Bench) -> Iterator[Row]:
    """Wall of commands that ask nothing."""
    for words, target in (("--help", 0.15), ("list", 0.5)):
        (used,) = bench.in_turn(partial(run_whole, [str(SNELLEN), words]))
        yield Row(f"snellen {words}: wall", "s", used.wall, target=target, at_most=True)


MEASURES: dict[str, Measure] = {
    "start": start,
    "ask-64": waiting(64, 0.95, ideally="window"),
    "ask-256": waiting(256, 0.85),
    "shared-64": waiting(64, 0.95, SHARED_POOL, "shared"),
    "apart-64": waiting(64, 0.8, POOLS_APART, "apart", ideally="wall"),
    "cpu": cpu,
    "growth-asking": growth(False, 1.5),
    "growth-judging": growth(True, 2.5),
}


def main() -> None:
    parser = argparse.ArgumentParser(description="Snellen's engine beside the floor, as whole processes.")
    parser.add_argument("--data", type=Path, required=True, help="holds data/charthal.json and images/")
    parser.add_argument("--only", choices=list(MEASURES), action="append", help="only this; may be given several times")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--repeat", type=int, default=5, help="runs of each, of which the median counts")
    parser.add_argument("--items", type=int, default=None, help="only so many of the questions")
    parser.add_argument("--latency-ms", type=int, default=500, help="of the server, where latency is measured")
    parser.add_argument("--growth", type=int, default=100, help="how many times the questions are to grow")
    parser.add_argument("--growth-repeat", type=int, default=1, help="runs of the grown questions")
    arguments = parser.parse_args()
    before = os.getloadavg()[0]
    with tempfile.TemporaryDirectory(prefix="snellen-perf-") as name, Server(Path(name)) as server:
        data = Path(name) / "data"
        items = make_data(arguments.data, data, arguments.items, 1)
        bench = Bench(server, Path(name), data, items, arguments)
        bench.fresh("--dry-run")  # compiles whatever is not compiled yet
        rows = []
        for each in arguments.only or MEASURES:
            for row in MEASURES[each](bench):
                rows.append(row)
                print(row.line(), file=sys.stderr, flush=True)
    loads = f"load {before:.2f} before, {os.getloadavg()[0]:.2f} after"
    machine = f"{items} items, median of {arguments.repeat}, {os.cpu_count()} cores, {loads}"
    if arguments.json:
        print(json.dumps({"rows": [{**asdict(row), "met": row.met} for row in rows], "machine": machine}, indent=2))
        return
    print(HEADING, *(row.line() for row in rows), "", machine, sep="\n")


if __name__ == "__main__":
    main()
