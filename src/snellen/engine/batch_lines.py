"""The lines of batch files: requests on their way out, replies on their way in."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from snellen.answer import Answer, Failure
from snellen.errors import LedgerError, ModelError
from snellen.models._batch_api import ENDPOINT, read_refusal
from snellen.models.openai_compatible import OpenAICompatible

CHUNK_LINES = 500
CHUNK_BYTES = 8 << 20
"""Replies that are read and stored at once, whichever comes first."""

LONGEST_LINE = 64 << 20
"""Bytes; a longer reply is none."""

_NAME = re.compile(r"([0-9a-f]{32})(?:\.output|\.errors)?\.jsonl(?:\.part)?")


@dataclass(frozen=True, slots=True)
class Reply:
    """What came of one request, and whether asking again can help where nothing did."""

    key: bytes
    answer: Answer
    again: bool = False


def failed(key: bytes, kind: str, message: str, *, again: bool) -> Reply:
    """A reply that is none."""
    return Reply(key, Answer(status="failed", failure=Failure(kind, message)), again)


class InputFile:
    """An input file that is being written: ``TOKEN.jsonl.part`` until it is sealed, then ``TOKEN.jsonl``.

    Attributes:
        requests: key -> record of what is sent, as JSON.
        size: bytes.
    """

    def __init__(self, folder: Path, token: str) -> None:
        self.token = token
        self.requests: dict[bytes, str] = {}
        self.size = 0
        self._records: dict[str, str] = {}  # one text for all that are equal: most are
        self._part = part_path(folder, token)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file = self._part.open("wb")
        except OSError as error:
            raise _disk(self._part, error) from error

    def append(self, key: bytes, line: bytes, sent: Mapping[str, Any]) -> None:
        """The next request."""
        try:
            self._file.write(line)
        except OSError as error:
            raise _disk(self._part, error) from error
        record = orjson.dumps(sent, option=orjson.OPT_SORT_KEYS).decode()
        self.requests[key] = self._records.setdefault(record, record)
        self.size += len(line)

    def close(self) -> None:
        """Bring it to the disk. It is sealed by `seal` once the ledger knows it."""
        try:
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
        except OSError as error:
            raise _disk(self._part, error) from error

    def drop(self) -> None:
        """Delete it."""
        self._file.close()
        self._part.unlink(missing_ok=True)


def input_path(folder: Path, token: str) -> Path:
    """Where a sealed input file lies."""
    return folder / f"{token}.jsonl"


def part_path(folder: Path, token: str) -> Path:
    """Where an input file lies while it is written."""
    return folder / f"{token}.jsonl.part"


def seal(folder: Path, token: str) -> bool:
    """Give an input file that is whole and known to the ledger its name; whether it is there."""
    path, part = input_path(folder, token), part_path(folder, token)
    try:
        if part.exists():
            part.replace(path)
    except OSError as error:
        raise _disk(part, error) from error
    return path.exists()


def files(folder: Path) -> list[tuple[Path, str]]:
    """(path, token) of all files of batches in a folder, whether or not it is there."""
    found = [(path, _NAME.fullmatch(path.name)) for path in sorted(folder.glob("*"))]
    return [(path, match[1]) for path, match in found if match]


def request_line(key: bytes, body: bytes) -> bytes:
    """A line of an input file."""
    head = f'{{"custom_id":"{key.hex()}","method":"POST","url":"{ENDPOINT}","body":'
    return head.encode() + body + b"}\n"


def keys_at(path: Path, numbers: Iterable[int]) -> dict[int, bytes]:
    """Line number (from 1) -> key, of these lines of an input file; empty where the file is gone."""
    wanted = set(numbers)
    found: dict[int, bytes] = {}
    if wanted and path.exists():
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if number in wanted and (parsed := parse(line)) is not None:
                    found[number] = parsed[0]
    return found


def chunks_of(path: Path) -> Iterator[list[bytes]]:
    """The lines of a file of replies, a chunk at a time; one that is too long is left out."""
    chunk: list[bytes] = []
    size = 0
    try:
        with path.open("rb") as file:
            while line := file.readline(LONGEST_LINE):
                if not line.endswith(b"\n") and len(line) == LONGEST_LINE:
                    while (rest := file.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
                        pass
                    continue
                chunk.append(line)
                size += len(line)
                if len(chunk) >= CHUNK_LINES or size >= CHUNK_BYTES:
                    yield chunk
                    chunk, size = [], 0
    except OSError as error:
        raise _disk(path, error) from error
    if chunk:
        yield chunk


def parse(line: bytes) -> tuple[bytes, dict[str, Any]] | None:
    """(key, value) of a line; None where it is no reply to anything of ours."""
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError:
        try:  # a lone surrogate, which strict parsers refuse
            value = json.loads(line)
        except (ValueError, RecursionError):
            return None
    name = value.get("custom_id") if isinstance(value, dict) else None
    try:
        key = bytes.fromhex(name) if isinstance(name, str) else b""
    except ValueError:
        return None
    return (key, value) if len(key) == 16 else None


def read(client: OpenAICompatible, key: bytes, value: Mapping[str, Any], sent: Mapping[str, Any]) -> Reply:
    """What a line of replies says."""
    response, error = value.get("response"), value.get("error")
    status = response.get("status_code") if isinstance(response, dict) else None
    try:
        if isinstance(response, dict) and isinstance(status, int) and status:
            data = _bytes(response.get("body"))
            if status == 200:
                return Reply(key, client.read_reply(data, 0.0, sent))
            return Reply(key, read_refusal(client, status, data, sent))
    except ModelError as failure:
        return failed(key, failure.kind, failure.message, again=failure.retry)
    code = str(error.get("code") or "") if isinstance(error, dict) else ""
    said = str(error.get("message") or error) if isinstance(error, dict) else str(error or "a line without a reply")
    if code in ("batch_expired", "batch_cancelled"):
        return failed(key, code.removeprefix("batch_"), said[:500], again=code == "batch_expired")
    return failed(key, "server", f"{code}: {said}"[:500] if code else said[:500], again=True)


def _bytes(body: Any) -> bytes:
    if isinstance(body, str):
        return body.encode("utf-8", "replace")
    try:
        return orjson.dumps(body)
    except TypeError:  # lone surrogates, or numbers beyond 64 bits
        return json.dumps(body).encode()


def _disk(path: Path, error: OSError) -> LedgerError:
    return LedgerError(f"{path}: {error.strerror or error}: mend that and run the same command again; nothing is lost")
