"""Purging: images or thinking taken out of a workspace that is to become smaller, without a number changing.

What is left of a text reads as the whole did: the same visible words, and cut or not as before; for a judge's reply the
same verdict. Where it would not, the text stays. What another run needs stays too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from snellen.engine.as_judged import AsJudged
from snellen.engine.choice import judge_from_row
from snellen.engine.judge import Judge
from snellen.engine.judging import settled
from snellen.engine.workspace import Workspace
from snellen.errors import LedgerError, SnellenError, UnreadableReplyError, UsageError
from snellen.ledger import RunRow, planned, purging
from snellen.ledger.purging import Text
from snellen.readers import thinking
from snellen.verdict import Verdict

_AT_ONCE = 64  # answers held in memory: one may be a megabyte


@dataclass(frozen=True, slots=True)
class Freed:
    """What was taken out, or would be.

    Attributes:
        count: texts or files.
        bytes: of them.
        shared: texts or files that stay, since runs that were not named need them.
        left: texts whose thinking stays, since they would read differently without it.
    """

    count: int = 0
    bytes: int = 0
    shared: int = 0
    left: int = 0


@dataclass(frozen=True, slots=True)
class Purged:
    """What a purge came to; bytes of the ledger and its log, before and after."""

    runs: tuple[str, ...]
    ledger_before: int
    ledger_after: int
    thinking: Freed = field(default_factory=Freed)
    images: Freed = field(default_factory=Freed)


def purge(
    workspace: Workspace, names: Sequence[str] = (), *, of_thinking: bool, of_images: bool, dry: bool = False
) -> Purged:
    """Take thinking or images of runs out of a workspace. A purge that was killed is finished by the next one.

    Args:
        workspace: where they are.
        names: of the runs, as for `Ledger.find_run`; their judgings are purged with them. None: all runs.
        of_thinking: in texts and beside them, of answers and of judges' replies.
        of_images: the original bytes; the next session that needs them takes them from the data again.
        dry: only count.

    Raises:
        UsageError: there is no such run, or a judging is named.
        LedgerError: another process is at work, the workspace cannot be written, or the disk is full.
    """
    ledger = workspace.ledger
    every = ledger.runs()
    chosen = list({row.id: row for row in map(ledger.find_run, names)}.values())
    for row in chosen:
        if row.parent is not None:
            raise UsageError(f"{row.name} is a judging: name its run, whose judgings are purged with it")
    if not names:
        chosen = [row for row in every if row.parent is None]
    before = _ledger_size(ledger.path)
    if not dry:
        _refuse_while_others_work(workspace)
    taken_images = _images(workspace, chosen, every, whole=not names, dry=dry) if of_images else Freed()
    taken_thinking = _thinking(workspace, chosen, every, dry=dry) if of_thinking else Freed()
    if not dry and purging.unfinished(ledger):
        purging.give_back(ledger)
    return Purged(tuple(row.name for row in chosen), before, _ledger_size(ledger.path), taken_thinking, taken_images)


def shortened(text: str, finish_reason: str) -> str | None:
    """The text without its thinking; the text itself where it holds none, None where it would read differently.

    Thinking that never ended leaves its opening tag, since the answer counts as cut.

    >>> shortened("<think>Is it blue? Yes.</think>Blue", "stop")
    'Blue'
    >>> shortened("<think>Is it blue? Or is", "length")
    ''
    """
    if not _may_hold_thinking(text):
        return text
    reading = thinking.strip(text, finish_reason or None)
    if len(reading[0]) >= len(text.strip()):
        return text
    unended = f"{reading[0]}\n<think>"
    if text == unended:  # it has been shortened before
        return text
    for shorter in (reading[0], unended):
        if thinking.strip(shorter, finish_reason or None) == reading and len(shorter) < len(text):
            return shorter
    return None


def _may_hold_thinking(text: str) -> bool:
    # White space and wrappers of the answer are no thinking: a text that holds only those is left as it came.
    return bool(thinking._TAG.search(text) or thinking._HARMONY.search(text)) or "assistantfinal" in text


def _refuse_while_others_work(workspace: Workspace) -> None:
    workspace.ledger.refuse_if_read_only()
    others = workspace.ledger.others()
    if others:
        host, process = others[0]
        raise LedgerError(
            f"process {process} on {host} works in {workspace.folder}: wait for it, or stop it, then purge"
        )


def _record(workspace: Workspace, runs: Sequence[RunRow], what: str) -> None:
    """Take down in every run what was purged from it, and when; before it is, so that a kill leaves no secret."""
    today = datetime.now(UTC).date().isoformat()
    present = {row.id: row for row in workspace.ledger.runs()}
    for row in runs:
        manifest = present[row.id].manifest
        workspace.ledger.record(row.id, {**manifest, "purged": {**manifest.get("purged", {}), what: today}})


# -- images


def _images(workspace: Workspace, runs: Sequence[RunRow], every: Sequence[RunRow], *, whole: bool, dry: bool) -> Freed:
    ours = {row.id for row in runs}
    named = _digests(workspace, [row.id for row in every if row.id in ours])
    others = _digests(workspace, [row.id for row in every if row.parent is None and row.id not in ours])
    files = list(_files(workspace, named - others))
    if whole:  # and what no run refers to any more
        files = [path for path in workspace.images.root.glob("??/*") if path.is_file()]
    count = len(files)
    size = sum(map(_size, files))
    if files and not dry:
        _record(workspace, runs, "images")
        for path in files:
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                raise LedgerError(
                    f"{path} cannot be removed: {error.strerror}; mend its permissions and purge again"
                ) from error
    return Freed(count, size, shared=sum(1 for _ in _files(workspace, named & others)))


def _digests(workspace: Workspace, runs: Sequence[int]) -> set[str]:
    return {digest for run in runs for digest in planned.images_of(workspace.ledger, run) if digest}


def _files(workspace: Workspace, digests: set[str]) -> Iterator[Path]:
    for digest in sorted(digests):
        path = workspace.images.path(digest)
        yield from (file for file in (path, path.with_suffix(".corrupt")) if file.is_file())


def _ledger_size(path: Path) -> int:
    return _size(path) + _size(path.with_name(f"{path.name}-wal"))


def _size(path: Path) -> int:
    with suppress(OSError):
        return path.stat().st_size
    return 0


# -- thinking


def _thinking(workspace: Workspace, runs: Sequence[RunRow], every: Sequence[RunRow], *, dry: bool) -> Freed:
    ledger = workspace.ledger
    parents = {row.id for row in runs}
    chosen = [row for row in every if row.id in parents or row.parent in parents]
    numbers, shared = purging.numbers(ledger, [row.id for row in chosen])
    judges = _Judges(workspace, {row.id: row for row in chosen if row.parent is not None})
    count = size = left = 0
    recorded = dry
    for start in range(0, len(numbers), _AT_ONCE):
        shorter: list[tuple[int, str]] = []
        found = purging.texts(ledger, numbers[start : start + _AT_ONCE])
        changed = {text.key: shortened(text.text, text.finish_reason) for text in found}
        touched = [text for text in found if text.thinking or changed[text.key] != text.text]
        replies = purging.judgings_with(ledger, [text.key for text in touched])
        for text in touched:
            new = changed[text.key]
            if new is None or not judges.agree(text, new, replies.get(text.key, ())):
                left += 1
                new = text.text
                if not text.thinking or not judges.agree(text, new, replies.get(text.key, ())):
                    continue
            shorter.append((text.number, new))
            count += 1
            size += len(text.text.encode()) + len(text.thinking.encode()) - len(new.encode())
        if shorter and not dry:
            if not recorded:
                _record(workspace, runs, "thinking")
                recorded = True
            purging.shorten(ledger, shorter)
    return Freed(count, size, shared, left)


class _Judges:
    """Whether the judges of some judgings read a shorter reply as they read the whole one."""

    def __init__(self, workspace: Workspace, judgings: dict[int, RunRow]) -> None:
        self._ledger, self._judgings = workspace.ledger, judgings
        self._judges: dict[int, Judge | None] = {}

    def agree(self, text: Text, shorter: str, places: Sequence[tuple[int, int]]) -> bool:
        """Whether every judging that has this reply gives the same verdict; with none it is no reply."""
        return all(self._agrees(text, shorter, judging, position) for judging, position in places)

    def _agrees(self, text: Text, shorter: str, judging: int, position: int) -> bool:
        judge = self._judge(judging)
        parent = self._judgings[judging].parent
        reply = self._ledger.final(text.key)
        if judge is None or parent is None or reply is None:
            return False
        rows = AsJudged(self._ledger, parent, judge.on)(self._ledger.at(parent, judging, [position]))
        if not rows or rows[0].answer is None:
            return True  # the reply is read of nothing any more
        _, visible = settled(rows[0].answer, parity=judge.parity)

        def verdict(what: str, beside: str) -> Verdict | str:
            try:
                return judge.read(rows[0].item, visible, (replace(reply, text=what, thinking=beside),))
            except UnreadableReplyError as error:
                return str(error)

        try:
            return verdict(text.text, text.thinking) == verdict(shorter, "")
        except Exception:  # a judge's mistake on one reply leaves that reply as it is
            return False

    def _judge(self, judging: int) -> Judge | None:
        if judging not in self._judges:
            try:
                self._judges[judging] = judge_from_row(self._judgings[judging])
            except SnellenError:  # its rubric is gone: nobody can say how it reads
                self._judges[judging] = None
        return self._judges[judging]
