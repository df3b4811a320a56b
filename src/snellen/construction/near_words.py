"""Asks a named model for confusing words and writes them into a file for the perturbation `confusing-synonyms`.

    python -m snellen.construction.near_words shale --data DIR --model gpt-4o --base-url URL --out words.json
    SNELLEN_NEAR_WORDS=words.json snellen run shale --data DIR --model M --perturb confusing-synonyms

Every right answer of the benchmark is asked for once, with up to three of its questions: first for words that are near
and wrong, then, of what came, which ones could pass for right after all; these are dropped, and so is whatever the
rules of the perturbation do not hold for surely wrong. Both requests go through the ledger like any other, so what is
answered is never asked again.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from snellen import discovery
from snellen.engine.ask import Asker, Stop
from snellen.engine.budget import Budget, Tally
from snellen.engine.clients import open_client, revision
from snellen.engine.plan import PROTOCOL
from snellen.engine.rate import Rate
from snellen.engine.store import Store
from snellen.engine.throttle import Slots, Throttle
from snellen.engine.workspace import Workspace
from snellen.errors import DataError, SnellenError, UsageError
from snellen.item import Item, YesNoReference
from snellen.model_spec import EMBEDDED, ModelSpec, resolve
from snellen.perturbations._word_source import key_of
from snellen.perturbations._wrong import LONGEST, is_wrong, number_of, one_line, right_text
from snellen.readers import thinking
from snellen.request import Message, Request, TextPart

WANTED = 6
"""Words that are asked for."""

_QUESTIONS = 3
_TOKENS = 200.0
_BULLET = re.compile(r"^\s*(?:[-*•·]\s+|\(?\d{1,2}[.)、：:]\s*|\(?[A-Ha-h][.)、]\s*)")
_LETTERS = "ABCDEFGHIJ"
_NONE = re.compile(r"\W*(?:none|没有|无|都不)", re.IGNORECASE)

_NAME = {
    "en": (
        "The right answer to the following is: {right}\n\n{questions}\n\nName {wanted} wrong answers that are easily "
        "taken for it because they lie near to it in meaning or looks. None may be another word for the right answer, "
        "a kind of it, something that it is a kind of, a part of it, or true beside it. Write them in the form of the "
        "right answer, one a line, and nothing else."
    ),
    "zh": (
        "下列问题的正确答案是：{right}\n\n{questions}\n\n请写出{wanted}个错误答案，它们在意思或外观上与正确答案相近，容易"
        "混淆。不得是正确答案的同义词、下位词、上位词、组成部分，也不得与正确答案同时成立。形式与正确答案相同，每行一个，"
        "不要写别的。"
    ),
}
_REVIEW = {
    "en": (
        "The right answer to the following is: {right}\n\n{questions}\n\nOther answers:\n{listed}\n\nWhich of these "
        "could be accepted as right too: another word for the right answer, a kind of it, something that it is a kind "
        "of, or true at the same time? Reply with their letters only, or with: none"
    ),
    "zh": (
        "下列问题的正确答案是：{right}\n\n{questions}\n\n其他答案：\n{listed}\n\n其中哪些也可以算对："
        "正确答案的同义词、下位词、上位词，或与它同时成立？只回答字母；如果一个也没有，回答：没有"
    ),
}


@dataclass(slots=True)
class Wanted:
    """A right answer, its language, and questions to which it is the answer."""

    right: str
    language: str
    questions: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Named:
    """What came: (language, right answer) -> words, and how many right answers could not be asked for."""

    near: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    failed: int = 0
    why: str = ""


def wanted(items: Iterable[Item | DataError]) -> list[Wanted]:
    """Every right answer in words, in the order of the items: no numbers, no captions, none of more than 80 letters."""
    found: dict[tuple[str, str], Wanted] = {}
    for item in items:
        if isinstance(item, DataError) or item.labels.get("task") == "caption":
            continue
        right = one_line(right_text(item))
        if not right or len(right) > LONGEST or number_of(right) is not None:
            continue
        language = "zh" if item.language == "zh" else "en"
        one = found.setdefault((language, key_of(right)), Wanted(right, language))
        asked = one_line(item.question.partition("\n")[0] if item.options else item.question)[:300]
        # A question to be denied names a wrong word, which would come back as an answer.
        denied = isinstance(item.reference, YesNoReference) and not item.reference.yes
        if not denied and asked not in one.questions:
            one.questions = [*one.questions, asked][:_QUESTIONS]
    return list(found.values())


def read_words(text: str, one: Wanted) -> list[str]:
    """The words of a reply, one a line, without bullets, quotes and what is not surely wrong."""
    words: dict[str, str] = {}
    for line in thinking.strip(text)[0].splitlines():
        word = one_line(_BULLET.sub("", line)).strip("\"'“”‘’`*").rstrip(" .。,，;；")
        if word and len(word) <= LONGEST and is_wrong(word, one.right, one.language):
            words.setdefault(key_of(word), word)
    return [*words.values()][: len(_LETTERS)]


def kept(text: str, words: Sequence[str]) -> list[str]:
    """The words that a review does not name; none where it cannot be read."""
    reply = thinking.strip(text)[0].strip()
    letters = _LETTERS[: len(words)]
    named = re.findall(rf"(?<![A-Za-z])[{letters}](?![A-Za-z])", reply) if letters else []
    if not named and not _NONE.match(reply):
        return []
    return [word for letter, word in zip(letters, words, strict=True) if letter not in named]


async def ask(
    workspace: Workspace,
    spec: ModelSpec,
    answers: Sequence[Wanted],
    *,
    concurrency: int = 16,
    on_progress: Callable[[int], None] = lambda done: None,
) -> Named:
    """The words that a model names for these right answers, reviewed by it.

    Raises:
        UsageError, LedgerError: the model or the workspace cannot be used.
    """
    named, stop = Named(), Stop()
    parameters = {} if spec.kind in EMBEDDED else spec.requested(PROTOCOL)
    weights = revision(spec)
    with ThreadPoolExecutor(1) as executor:
        async with Store(workspace.ledger) as store:
            client = open_client(spec, images=workspace.images, executor=executor, concurrency=concurrency)
            rate = Rate(spec.requests_per_minute, spec.tokens_per_minute, _TOKENS)
            throttle = Throttle(Slots(concurrency), rate, stop.sleep, stop.__bool__)
            asker = Asker("model", client, store, throttle, Budget(), Tally(), spec.price, 0.0, stop)
            room = asyncio.Semaphore(concurrency)

            async def reply(text: str) -> str | None:
                message = Message("user", (TextPart(text),))
                request = Request((message,), spec.name, weights, parameters)
                answer = await asker.obtain(request, request.key)
                if answer is not None and answer.status == "answered":
                    return answer.text
                named.why = (answer.failure.message if answer.failure else answer.status) if answer else stop.reason
                return None

            async def one_answer(one: Wanted) -> None:
                async with room:
                    words = await _words_of(one, reply)
                if words is None:
                    named.failed += 1
                elif words:
                    named.near[one.language, one.right] = tuple(words)
                on_progress(1)

            try:
                async with asyncio.TaskGroup() as group:
                    for one in answers:
                        group.create_task(one_answer(one))
            finally:
                await client.close()
    return named


async def _words_of(one: Wanted, reply: Callable[[str], Any]) -> list[str] | None:
    about = {"right": one.right, "questions": "\n".join(one.questions)}
    text = await reply(_NAME[one.language].format(wanted=WANTED, **about))
    if text is None:
        return None
    words = read_words(text, one)
    if not words:
        return []
    listed = "\n".join(f"({letter}) {word}" for letter, word in zip(_LETTERS, words, strict=False))
    text = await reply(_REVIEW[one.language].format(listed=listed, **about))
    return None if text is None else kept(text, words)


def write(path: Path, named: Named, spec: ModelSpec, benchmark: str) -> None:
    """Write the file that ``SNELLEN_NEAR_WORDS`` names: the same words give the same bytes."""
    near: dict[str, dict[str, list[str]]] = {}
    for (language, right), words in sorted(named.near.items()):
        near.setdefault(language, {})[right] = list(words)
    plain = {"model": spec.name, "revision": spec.revision, "benchmark": benchmark, "near": near}
    data = orjson.dumps(plain, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_bytes(data)
        beside.replace(path)
    except OSError as error:
        raise UsageError(f"the words cannot be written to {path}: {error.strerror}") from error
    finally:
        beside.unlink(missing_ok=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m snellen.construction.near_words",
        description="Ask a model for confusing words near to a benchmark's right answers.",
    )
    parser.add_argument("benchmark", help="as in snellen run")
    parser.add_argument("--model", required=True, help="who is asked: as in snellen run")
    parser.add_argument("--base-url", default="", help="where the model is served")
    parser.add_argument("--key-variable", default="", help="environment variable that holds the key")
    parser.add_argument("--data", type=Path, help="folder of the benchmark's data")
    parser.add_argument("--out", type=Path, required=True, help="file to write")
    parser.add_argument("--concurrency", type=int, default=16, help="requests in flight at once (16)")
    parser.add_argument(
        "--workspace", type=Path, default=Path(os.environ.get("SNELLEN_WORKSPACE") or "snellen"), help="workspace"
    )
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line: 0 when all is written, 1 where requests failed (the rest is written), 2 for wrong usage."""
    given = _parser().parse_args(arguments)
    try:
        if given.concurrency < 1:
            raise UsageError("the concurrency must be at least 1")
        benchmark = discovery.load("benchmarks", given.benchmark)
        with Workspace(given.workspace) as workspace:
            spec = resolve(given.model, workspace.models, base_url=given.base_url, key_variable=given.key_variable)
            if spec.recorded:
                raise UsageError("a recording has no words to give: name a model")
            answers = wanted(benchmark.items(benchmark.locate(given.data, workspace.cache)))
            named = asyncio.run(ask(workspace, spec, answers, concurrency=given.concurrency))
        write(given.out, named, spec, given.benchmark)
    except SnellenError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    words = sum(map(len, named.near.values()))
    print(f"{words} words for {len(named.near)} of {len(answers)} right answers: {given.out}")
    if named.failed:
        print(f"{named.failed} were not answered ({named.why}): the same command asks for them again", file=sys.stderr)
    return 1 if named.failed else 0


if __name__ == "__main__":
    sys.exit(main())
