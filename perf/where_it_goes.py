"""Where each tenth of a millisecond goes: CPU of ``snellen run`` by what it was spent on, an item.

    python perf/where_it_goes.py --data ../shared/data/charthal [--judging] [--repeat 5]

Runs the command line in a process of its own against ``fakeapi`` without latency. A thread looks every half millisecond
at what each other thread is doing, and books the CPU that the thread has used since (its own clock, as the kernel keeps
it) on the innermost part that its stack shows. What passes before the thread starts, and after it ends, is Python's own
start and end. The thread itself costs something, which is told as the last line and is in no other. Linux only.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import subprocess
import sys
import tempfile
from collections import Counter
from contextlib import closing
from pathlib import Path

HERE = Path(__file__).resolve().parent

INSIDE = r"""
import atexit, json, os, resource, sys, threading, time
from collections import Counter

parts, target, arguments = json.loads(sys.argv[1]), sys.argv[2], sys.argv[3:]
booked, last, over = Counter(), {}, threading.Event()
at_start = time.process_time()

def part_of(frame):
    package, importing, found = "", False, ""
    while frame is not None:
        code = frame.f_code
        if code.co_name == "<module>" and not package and not code.co_filename.startswith("<frozen"):
            name = frame.f_globals.get("__name__", "").partition(".")[0]
            package = name if name in ("snellen", "aiohttp", "numpy", "rich", "asyncio", "click") else "other modules"
        importing = importing or code.co_filename == "<frozen importlib._bootstrap>"
        if not found:
            place = code.co_filename
            found = next((name for name, marks in parts for mark in marks if mark in place), "")
        frame = frame.f_back
    return f"importing {package or 'other modules'}" if importing else found or "the rest"

def look():
    me = threading.get_ident()
    while not over.is_set():
        time.sleep(0.0005)
        for ident, frame in sys._current_frames().items():
            if ident == me:
                continue
            try:
                used = time.clock_gettime(time.pthread_getcpuclockid(ident))
            except (OSError, OverflowError):  # it has just ended
                continue
            booked[part_of(frame)] += used - last.get(ident, 0.0 if ident != main else at_start)
            last[ident] = used

main = threading.get_ident()
sys.setswitchinterval(0.0005)
sampler = threading.Thread(target=look, daemon=True)
sampler.start()
sys.argv = ["snellen", *arguments]
from snellen.cli import main as run
try:
    run()
except SystemExit as ended:
    assert not ended.code, ended.code
over.set()
sampler.join()
booked["this program's own thread"] = time.process_time() - at_start - sum(booked.values())
booked["Python's start"] = at_start
with open(target, "w") as file:
    json.dump(booked, file)
"""

PARTS = [
    ["reading the benchmark's rows", ["snellen/benchmarks/", "snellen/json_file.py", "snellen/engine/clean_items.py"]],
    ["digest of the sources, counting the plan", ["snellen/engine/planning.py"]],
    ["images into the workspace", ["snellen/image_store.py", "snellen/image_headers.py", "snellen/images.py"]],
    ["requests and their keys", ["snellen/request.py", "snellen/prompting/", "snellen/engine/plan.py",
                                 "snellen/item.py"]],
    ["the judge: its requests and readings", ["snellen/judges/", "snellen/readers/", "snellen/engine/judge.py"]],
    ["judging: its loop", ["snellen/engine/judging.py", "snellen/engine/as_judged.py"]],
    ["the ledger", ["snellen/ledger/", "snellen/engine/store.py"]],
    ["images, encoded for bodies", ["snellen/engine/pictures.py", "snellen/image_policy.py"]],
    ["the HTTP client", ["aiohttp/", "yarl/", "multidict/", "propcache/", "frozenlist/", "aiosignal/"]],
    ["bodies of requests, reading completions", ["snellen/models/"]],
    ["the loop that asks", ["snellen/engine/ask.py", "snellen/engine/pace.py", "snellen/engine/throttle.py",
                            "snellen/engine/rate.py", "snellen/engine/budget.py", "snellen/engine/work.py"]],
    ["numbers and table", ["snellen/engine/results.py", "snellen/engine/judged.py", "snellen/table.py",
                           "snellen/report/", "snellen/estimate.py", "snellen/intervals.py", "rich/", "numpy/"]],
    ["event loop and sockets", ["asyncio/", "selectors.py"]],
    ["command line and manifest", ["snellen/cli/", "click/", "snellen/engine/", "snellen/library.py"]],
]  # fmt: skip
"""What a part is called, and what a source file's path holds: the innermost frame of a part counts."""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", required=True, type=Path, help="ChartHal's folder")
    parser.add_argument("--judging", action="store_true", help="with a judge on the same server")
    parser.add_argument("--repeat", type=int, default=5, help="runs, of which the mean counts")
    options = parser.parse_args()
    booked: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run(["cc", "-O2", "-o", folder / "fakeapi", HERE / "fakeapi.c"], check=True)
        with subprocess.Popen([folder / "fakeapi", "0"], stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                url = f"http://127.0.0.1:{server.stdout.readline().split()[1]}/0/v1"
                for number in range(options.repeat):
                    booked.update(_once(folder, f"workspace{number}", url, options))
            finally:
                server.kill()
        with closing(sqlite3.connect(folder / "workspace0" / "ledger.sqlite")) as ledger:
            (items,) = ledger.execute("SELECT count(*) FROM run_item").fetchone()
    each = {part: 1000 * seconds / options.repeat / items for part, seconds in booked.items()}
    print("| What | CPU, ms an item |\n| --- | --- |")
    for part, used in sorted(each.items(), key=lambda pair: -pair[1]):
        if used >= 0.005:
            print(f"| {part} | {used:.2f} |")
    print(f"| together | {sum(each.values()):.2f} |")


def _once(folder: Path, workspace: str, url: str, options: argparse.Namespace) -> dict[str, float]:
    target = folder / "booked.json"
    judge = ["--judge", "judge", "--judge-base-url", url] if options.judging else ["--judge", "none"]
    asked = ["--workspace", str(folder / workspace), "run", "charthal", "--data", str(options.data), "--model", "vlm"]
    inside = [sys.executable, "-c", INSIDE, json.dumps(PARTS), str(target)]
    subprocess.run([*inside, *asked, "--base-url", url, "--concurrency", "64", *judge], check=True, capture_output=True)
    booked: dict[str, float] = json.loads(target.read_bytes())
    return booked


if __name__ == "__main__":
    main()
