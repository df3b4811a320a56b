"""Answers and judges' replies recorded elsewhere, by item: nothing is asked.

Read are ChartHal's own ``response.json`` and ``eval.json`` (an object of rows, whose keys the benchmark translates),
and JSON Lines or a JSON list of rows with ``id`` and ``response``. A judge's reply stands in ``eval_resp`` or
``reply``, a bare verdict in ``verdict`` (0, 1 or null) with an optional ``reason``.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from snellen.answer import Answer
from snellen.errors import DataError, ModelError
from snellen.request import Request

_FAILURE_TEXT = re.compile(
    r"\s*(?:\[?[^\n\]]{0,80}REQUEST_FAILED|Failed to obtain answer via API|Request failed\s*:|"
    r"(?:Error|Exception|Failed)\b[^\n]{0,40}\b(?:HTTP|API|status code|timed? ?out|connection|rate limit)\b)",
    re.IGNORECASE,
)


def is_failure_text(text: str) -> bool:
    """Whether a recorded text is another tool's note of a failed call, which is never an answer.

    >>> is_failure_text("Failed to obtain answer via API.")
    True
    """
    return len(text) < 2000 and _FAILURE_TEXT.match(text) is not None


@dataclass(slots=True)
class Recording:
    """What a file holds.

    Attributes:
        digest: hex SHA-256 of the file.
        answers: item id -> the model's text.
        replies: item id -> a judge's reply, or a verdict as the JSON that the judge ``recorded`` reads.
        failures: item id -> another tool's note of a failed call.
        verdicts: whether the replies are bare verdicts.
        problems: rows that could not be read; the rest goes on.
    """

    digest: str
    answers: dict[str, str] = field(default_factory=dict)
    replies: dict[str, str] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)
    verdicts: bool = False
    problems: list[DataError] = field(default_factory=list)

    def text(self, item_id: str, *, judging: bool) -> str | None:
        """The recorded answer (or judge's reply) to an item."""
        return (self.replies if judging else self.answers).get(item_id)


def recorded_key(text: str) -> str:
    """What stands in a request's parameters for a recorded text, so that the request's key is its content."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def read(path: Path, official_id: Callable[[str], str]) -> Recording:
    """Read a file of recorded answers.

    Args:
        path: ``.json`` or ``.jsonl``.
        official_id: translates a key of the benchmark's own layout into an item id.

    Raises:
        DataError: the file is absent, no text or no JSON at all.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror}", file=str(path)) from error
    recording = Recording(hashlib.sha256(data).hexdigest())
    for where, key, row in _rows(path, data, recording):
        _take(recording, path, where, key, row, official_id)
    if not (recording.answers or recording.replies or recording.failures):
        detail = f"; first: {recording.problems[0]}" if recording.problems else ""
        raise DataError(f"holds no recorded answer: rows need id and response{detail}", file=str(path))
    return recording


def _rows(path: Path, data: bytes, recording: Recording) -> Iterator[tuple[str, str, Any]]:
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise DataError(f"is not UTF-8 at byte {error.start}", file=str(path)) from error
    try:
        whole = json.loads(text, object_pairs_hook=_pairs)
    except (ValueError, RecursionError):
        whole = None
    if isinstance(whole, _Pairs) and whole.get("id") is None and whole.get("response") is None:
        for key, row in whole:
            yield f"key {key}", key, row
    elif isinstance(whole, list) and not isinstance(whole, _Pairs):
        for number, row in enumerate(whole, 1):
            yield f"row {number}", "", row
    else:
        for number, line in enumerate(text.split("\n"), 1):
            if not line.strip():
                continue
            try:
                yield f"line {number}", "", json.loads(line, object_pairs_hook=_pairs)
            except (ValueError, RecursionError) as error:
                recording.problems.append(DataError(f"is no JSON: {error}", file=str(path), row=f"line {number}"))


class _Pairs(list[tuple[str, Any]]):
    """An object with its keys as they stand, so that a key that stands twice is seen."""

    def get(self, key: str) -> Any:
        return next((value for name, value in self if name == key), None)


def _pairs(pairs: list[tuple[str, Any]]) -> _Pairs:
    return _Pairs(pairs)


def _take(recording: Recording, path: Path, where: str, key: str, row: Any, official_id: Callable[[str], str]) -> None:
    def problem(what: str, item_id: str = "") -> None:
        recording.problems.append(DataError(what, file=str(path), row=where, id=item_id))

    if not isinstance(row, _Pairs):
        return problem("is no object with id and response")
    raw = key or row.get("id")
    if not isinstance(raw, str) or not raw:
        return problem("has no id")
    item_id = official_id(raw)
    response = next((value for name, value in row if name in ("response", "answer")), None)
    reply = next((value for name, value in row if name in ("eval_resp", "reply")), None)
    names = {name for name, _ in row}
    if not isinstance(response, str | None) or not isinstance(reply, str | None):
        return problem("response and reply must be texts", item_id)
    if response is None and reply is None and "verdict" not in names:
        return problem("has neither response nor reply nor verdict", item_id)
    if "verdict" in names:
        verdict = row.get("verdict")
        if verdict not in (0, 1, None) or isinstance(verdict, float):
            return problem(f"the verdict {verdict!r} is not 0, 1 or null", item_id)
        reason = row.get("reason")
        body = {"value": None if verdict is None else int(verdict), "reason": reason if isinstance(reason, str) else ""}
        reply = orjson.dumps(body).decode()
        recording.verdicts = True
    known = recording.answers.get(item_id, recording.failures.get(item_id))
    if known is not None and response is not None and known != response:
        return problem("stands twice with different answers; the first is kept", item_id)
    if response is not None:
        (recording.failures if is_failure_text(response) else recording.answers)[item_id] = response
    if reply is not None and recording.replies.setdefault(item_id, reply) != reply:
        return problem("stands twice with different verdicts; the first is kept", item_id)
    return None


class Replay:
    """A client that gives recorded texts; a request names its text by digest."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts

    @classmethod
    def of(cls, recording: Recording, *, judging: bool) -> Replay:
        """The answers of a recording, or its judge's replies."""
        texts = (recording.replies if judging else recording.answers).values()
        return cls({recorded_key(text): text for text in texts})

    async def ask(self, request: Request) -> Answer:
        """The recorded text.

        Raises:
            ModelError: the file no longer holds it.
        """
        text = self._texts.get(str(request.parameters.get("recorded")))
        if text is None:
            raise ModelError("not_recorded", "the file of recorded answers no longer holds this text")
        return Answer(status="answered", text=text, finish_reason="recorded")

    async def close(self) -> None:
        """Nothing is held."""
