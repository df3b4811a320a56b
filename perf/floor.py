"""The floor: what a client of an OpenAI-compatible server can reach with aiohttp and nothing else.

    cc -O2 -o fakeapi perf/fakeapi.c && ./fakeapi 9100 &
    python perf/floor.py --data ../shared/data/charthal --port 9100 --concurrency 64 --latency-ms 500

It asks every ChartHal question with its image, and keeps nothing. With ``--judging shared`` every answer is judged at
once, from one pool of requests in flight; with ``--judging apart`` a second pool of the same size judges while the
first goes on asking. Prints seconds of wall and CPU from the first request to the last; time the whole process where
whole processes are compared.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import functools
import json
import resource
import time
from pathlib import Path
from typing import Any

import aiohttp

RUBRIC = "You judge one answer that a model gave to a question about a chart. Judge only by the rubric. " * 11
"""As long as a ChartHal rubric with the frame around it."""


class Floor:
    """Asks and judges.

    Args:
        client: the open session.
        port, latency_ms: of the server.
        root: the data.
    """

    def __init__(self, client: aiohttp.ClientSession, port: int, latency_ms: int, root: Path) -> None:
        self._client = client
        self._url = f"http://127.0.0.1:{port}/{latency_ms}/v1/chat/completions"
        self._encoded = functools.cache(lambda path: base64.b64encode((root / path).read_bytes()).decode())

    async def ask(self, sample: dict[str, Any]) -> str:
        """The model's answer."""
        image = {"url": "data:image/jpeg;base64," + self._encoded(sample["figure_path"])}
        return await self._post(
            "vlm", [{"type": "text", "text": sample["question"]}, {"type": "image_url", "image_url": image}]
        )

    async def judge(self, sample: dict[str, Any], answer: str) -> str:
        """The judge's reply."""
        return await self._post("judge", f"{RUBRIC}\n\n{sample['question']}\n\n{sample['ref_answer']}\n\n{answer}")

    async def _post(self, model: str, content: Any) -> str:
        body = json.dumps({"model": model, "messages": [{"role": "user", "content": content}]}).encode()
        async with self._client.post(self._url, data=body, headers={"content-type": "application/json"}) as reply:
            text: str = json.loads(await reply.read())["choices"][0]["message"]["content"]
            return text


async def work(floor: Floor, samples: list[dict[str, Any]], concurrency: int, judging: str) -> None:
    """Ask all, and judge all where this is wanted."""
    to_ask = iter(samples)
    to_judge: asyncio.Queue[tuple[dict[str, Any], str] | None] = asyncio.Queue()

    async def asker() -> None:
        for sample in to_ask:
            answer = await floor.ask(sample)
            if judging == "shared":
                await floor.judge(sample, answer)
            elif judging == "apart":
                to_judge.put_nowait((sample, answer))

    async def judge() -> None:
        while (pair := await to_judge.get()) is not None:
            await floor.judge(*pair)

    judges = [asyncio.create_task(judge()) for _ in range(concurrency if judging == "apart" else 0)]
    await asyncio.gather(*(asker() for _ in range(concurrency)))
    for _ in judges:
        to_judge.put_nowait(None)
    await asyncio.gather(*judges)


async def measure(arguments: argparse.Namespace) -> dict[str, Any]:
    """Work, and say how long it took."""
    rows = json.loads((arguments.data / "data" / "charthal.json").read_text("utf-8"))
    samples = list(rows.values()) * arguments.repeat
    pools = 2 if arguments.judging == "apart" else 1
    connector = aiohttp.TCPConnector(limit=arguments.concurrency * pools)
    async with aiohttp.ClientSession(connector=connector) as client:
        floor = Floor(client, arguments.port, arguments.latency_ms, arguments.data)
        start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_SELF)
        await work(floor, samples, arguments.concurrency, arguments.judging)
        wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {
        "samples": len(samples),
        "wall_s": round(wall, 3),
        "cpu_ms_per_sample": round(1000 * cpu / len(samples), 3),
        "samples_per_s": round(len(samples) / wall, 1),
        "peak_rss_mb": round(after.ru_maxrss / 1024, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="The floor of a client: aiohttp and nothing else.")
    parser.add_argument("--data", type=Path, required=True, help="holds data/charthal.json and images/")
    parser.add_argument("--port", type=int, default=9100, help="of fakeapi")
    parser.add_argument("--concurrency", type=int, default=64, help="requests in flight at once, in each pool")
    parser.add_argument("--latency-ms", type=int, default=0, help="of the server")
    parser.add_argument("--judging", choices=("none", "shared", "apart"), default="none", help="one pool, or two")
    parser.add_argument("--repeat", type=int, default=1, help="ask the questions so many times")
    print(json.dumps(asyncio.run(measure(parser.parse_args()))))


if __name__ == "__main__":
    main()
