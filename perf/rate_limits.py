"""How much of a server's allowed rate the engine uses, untold and told: whole processes, in real time.

    python perf/rate_limits.py --data ../shared/data/charthal [--minutes 4] [--json]

Starts a server of its own on the loopback that enforces 600 requests and 200,000 tokens a minute, and runs ``snellen``
against it until it has been asked for so many minutes. All cases run side by side: they wait most of the time. Rates
are those after the first minute, in which a bucket or window that begins full gives more than its rate; of minutes of
the clock, whole ones count.

Prints a table in markdown: how the server counts, whether the limit was declared in ``models.toml``, what was used of
the allowed rate, and how many requests were refused.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections import deque
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from aiohttp import web

HERE = Path(__file__).resolve().parent
SNELLEN = Path(sys.executable).with_name("snellen")

REQUESTS, TOKENS = 600, 200_000
"""Allowed a minute."""

LATENCY = 1.0  # seconds


@dataclass
class Case:
    """A server's way of counting, and what the client is told.

    Attributes:
        counts: ``bucket`` (fills evenly), ``fixed`` (by the minute of the clock) or ``sliding`` (any 60 seconds).
        tokens: of one request; above 333 the tokens are what binds.
        says: whether a refusal comes with Retry-After.
        told: whether the limits are declared.
    """

    counts: str
    tokens: int
    says: bool
    told: bool
    accepted: list[float] = field(default_factory=list)
    refused: int = 0
    level: dict[str, float] = field(default_factory=lambda: {"requests": REQUESTS, "tokens": TOKENS})
    since: float = field(default_factory=time.monotonic)
    seen: deque[float] = field(default_factory=deque)

    @property
    def name(self) -> str:
        """For the table."""
        return f"{self.counts}, {self.tokens} tokens each{', Retry-After' if self.says else ''}"

    @property
    def allowed(self) -> float:
        """Requests a minute."""
        return min(REQUESTS, TOKENS / self.tokens)

    def wait(self) -> float:
        """Seconds until the next request would be let in, 0 where this one is."""
        now = time.monotonic()
        if self.counts == "bucket":
            for name, limit in (("requests", REQUESTS), ("tokens", TOKENS)):
                self.level[name] = min(limit, self.level[name] + (now - self.since) * limit / 60)
            self.since = now
            lacking = max((1 - self.level["requests"]) / REQUESTS, (self.tokens - self.level["tokens"]) / TOKENS) * 60
            if lacking > 0:
                return lacking
            self.level["requests"] -= 1
            self.level["tokens"] -= self.tokens
            return 0.0
        while self.seen and (now - self.seen[0] >= 60 if self.counts == "sliding" else self.seen[0] // 60 < now // 60):
            self.seen.popleft()
        if len(self.seen) + 1 > int(self.allowed):
            return self.seen[0] + 60 - now if self.counts == "sliding" else 60 - now % 60
        self.seen.append(now)
        return 0.0

    async def answer(self, request: web.Request) -> web.Response:
        """A chat completion, or 429."""
        body = await request.json()
        wait = self.wait()
        if wait > 0:
            self.refused += 1
            headers = {"Retry-After": f"{wait:.2f}"} if self.says else {}
            return web.json_response({"error": {"message": "too many requests"}}, status=429, headers=headers)
        self.accepted.append(time.monotonic())
        await asyncio.sleep(LATENCY)
        usage = {"prompt_tokens": self.tokens - 10, "completion_tokens": 10}
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "It is 4."}}
        return web.json_response({"model": body["model"], "choices": [choice], "usage": usage})


CASES = (
    *(Case(counts, tokens, says=False, told=False) for counts in ("bucket", "fixed", "sliding") for tokens in (200,)),
    Case("bucket", 800, says=False, told=False),
    Case("bucket", 200, says=True, told=False),
    Case("fixed", 200, says=True, told=False),
    *(Case(counts, tokens, says=False, told=True) for counts in ("bucket", "fixed", "sliding") for tokens in (200,)),
    Case("bucket", 800, says=False, told=True),
)


async def measure(case: Case, data: Path, folder: Path, seconds: float) -> dict[str, Any]:
    """Run one case to its end."""
    application = web.Application(client_max_size=64 << 20)
    application.router.add_post("/v1/chat/completions", case.answer)
    runner = web.AppRunner(application)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    folder.mkdir(parents=True)
    limits = f"requests_per_minute = {REQUESTS}\ntokens_per_minute = {TOKENS}\n" if case.told else ""
    (folder / "models.toml").write_text(f'[models.vlm]\nbase_url = "http://127.0.0.1:{port}/v1"\n{limits}')
    command = [SNELLEN, "--workspace", folder, "run", "charthal", "--data", data, "--model", "vlm", "--judge", "none"]
    process = await asyncio.create_subprocess_exec(
        *map(str, command), "--concurrency", "64", stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    reading = asyncio.create_task(process.stderr.read() if process.stderr else asyncio.sleep(0))
    while not case.accepted and process.returncode is None:
        await asyncio.sleep(0.1)
    start = time.monotonic()
    try:
        await asyncio.wait_for(process.wait(), seconds)
        message = (await reading or b"")[-2000:].decode()
        raise RuntimeError(f"{case.name}: ended before its time with {process.returncode}:\n{message}")
    except TimeoutError:
        process.terminate()
        await process.wait()
        await reading
    await runner.cleanup()
    first, last = start + 60, start + seconds
    if case.counts == "fixed":  # whole minutes of the clock: most of a minute's requests come at its beginning
        first, last = -(-first // 60) * 60, last // 60 * 60
    counted = sum(first <= at < last for at in case.accepted) / (last - first) * 60
    return {
        "server": case.name,
        "told": case.told,
        "allowed": case.allowed,
        "used": counted,
        "share": counted / case.allowed,
        "refused": case.refused,
        "accepted": len(case.accepted),
    }


async def run(options: argparse.Namespace) -> list[dict[str, Any]]:
    """All cases at once."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        times = int(REQUESTS * (options.minutes + 2) / 1062) + 1
        command = [sys.executable, HERE / "grow_data.py", options.data, folder / "data", "--times", str(times)]
        subprocess.run(command, check=True, capture_output=True)
        measures = [
            measure(case, folder / "data", folder / f"case{number}", options.minutes * 60)
            for number, case in enumerate(CASES)
        ]
        return list(await asyncio.gather(*measures))


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of ChartHal's data")
    parser.add_argument("--minutes", type=float, default=4.0)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = asyncio.run(run(options))
    if options.json:
        json.dump([asdict(case) | row for case, row in zip(CASES, rows, strict=True)], sys.stdout)
        return
    print("| server | limit declared | allowed a minute | used a minute | share | refused | accepted |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for row in rows:
        print(
            f"| {row['server']} | {'yes' if row['told'] else 'no'} | {row['allowed']:.0f} | {row['used']:.1f} |"
            f" {row['share']:.3f} | {row['refused']} | {row['accepted']} |"
        )


if __name__ == "__main__":
    main()
