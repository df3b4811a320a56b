"""Judging: from answers to verdicts, while asking goes on.

A judge is two pure functions, one that asks and one that reads. What holds for every judge is decided here: an answer
that failed, was blocked or was cut is nobody's hallucination, and a judge that gives no readable verdict is asked
again, then leaves the item unscored.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace

from snellen.answer import Answer
from snellen.engine.as_judged import AsJudged
from snellen.engine.ask import Asker
from snellen.engine.judge import Judge
from snellen.engine.store import Store
from snellen.errors import LedgerError, UnreadableReplyError
from snellen.item import Item
from snellen.ledger import Ledger, ResultRow
from snellen.readers import thinking
from snellen.verdict import ABSTAINED, TRUNCATED, Verdict

ATTEMPTS = 3
"""How often a judge is asked for one verdict before the item is left unscored."""

_PAGE = 128


def settled(answer: Answer, *, parity: bool, removed: bool = False) -> tuple[Verdict | None, Answer]:
    """(the verdict that no judge is needed for, the answer without its thinking).

    Args:
        answer: of the model.
        parity: whether cut answers are judged, as published scripts do.
        removed: whether a change took what is asked for out of the image: whoever says that it cannot be told is right.
    """
    if answer.status == "blocked":
        reason = f"a content filter stopped the answer ({answer.finish_reason})"
        return Verdict(None, reason, unscored="blocked"), answer
    visible, cut = thinking.strip(answer.text, answer.finish_reason or None)
    answer = replace(answer, text=visible)
    if (cut or answer.status == "truncated") and not parity:
        return Verdict(None, "the answer was cut", (TRUNCATED,), unscored="truncated"), answer
    if removed:
        from snellen.readers import abstention  # most runs ask nothing that was removed

        if abstention.read(visible):
            return Verdict(1, "what is asked for was removed, and the answer declines", (ABSTAINED,)), answer
        return Verdict(0, "what is asked for was removed, and the answer does not say so"), answer
    return None, answer


def is_removed(item: Item) -> bool:
    """Whether a change took what is asked for out of the image."""
    truths = {change.truth for change in item.changes}
    return "removed" in truths and "unknown" not in truths


class Judging:
    """One judging of one run, at work."""

    def __init__(
        self, ledger: Ledger, store: Store, run_id: int, judging_id: int, judge: Judge, asker: Asker | None
    ) -> None:
        self._ledger, self._store, self._judge, self._asker = ledger, store, judge, asker
        self._run_id, self._judging_id = run_id, judging_id
        self._as_judged = AsJudged(ledger, run_id, judge.on)
        self._busy: set[int] = set()  # positions that are being judged
        self._tried: set[int] = set()  # positions whose judge could not be asked: the next run tries again
        self._all_done = asyncio.Event()
        self._window = asyncio.Semaphore(asker.window if asker is not None else 1)

    async def work(
        self, answered: deque[int], news: asyncio.Event, asking: Callable[[], bool], wanted: Callable[[int], bool]
    ) -> None:
        """Judge what is answered already, then what arrives, then whatever came from elsewhere in between.

        Args:
            answered: positions as their answers arrive.
            news: set when there are some, and when asking ends.
            asking: whether more may arrive.
            wanted: whether a position is in the view.
        """
        async with asyncio.TaskGroup() as group:
            await self._backlog(group, await self._store.call(self._ledger.last_answer), wanted)
            while not self._stopped():
                positions = [answered.popleft() for _ in range(min(len(answered), _PAGE))]
                if positions:
                    rows = await self._store.call(self._ledger.at, self._run_id, self._judging_id, positions)
                    await self._judge_rows(group, rows)
                elif not asking():
                    break
                else:
                    news.clear()
                    if not answered and asking():
                        await news.wait()
            while self._busy:
                self._all_done.clear()
                await self._all_done.wait()
            if not self._stopped():
                await self._backlog(group, 2**62, wanted)

    async def _backlog(self, group: asyncio.TaskGroup, last_answer: int, wanted: Callable[[int], bool]) -> None:
        after = -1
        while not self._stopped():
            rows = await self._store.call(
                self._ledger.unjudged, self._run_id, self._judging_id, after, _PAGE, last_answer
            )
            if not rows:
                return
            after = rows[-1].position
            await self._judge_rows(group, [row for row in rows if wanted(row.position)])

    def _is_seen(self, position: int) -> bool:
        return position in self._busy or position in self._tried

    def _stopped(self) -> bool:
        return self._asker is not None and bool(self._asker.stop)

    async def _judge_rows(self, group: asyncio.TaskGroup, rows: Sequence[ResultRow]) -> None:
        rows = [row for row in rows if row.verdict is None and not self._is_seen(row.position)]
        rows = await self._store.call(self._as_judged, rows)
        if self._asker is None:
            verdicts = await asyncio.to_thread(self._by_rule, rows)
            await self._store.verdicts(self._judging_id, verdicts)
            return
        for row in rows:
            if row.answer is None:
                continue
            await self._window.acquire()
            if self._stopped():
                self._window.release()
                return
            self._busy.add(row.position)
            group.create_task(self._one(self._asker, row.position, row.item, row.answer))

    async def _one(self, asker: Asker, position: int, item: Item, answer: Answer) -> None:
        try:
            verdict = await self._by_model(asker, position, item, answer)
            if verdict is not None:
                await self._store.verdicts(self._judging_id, [(position, verdict)])
            else:
                self._tried.add(position)
        finally:
            self._window.release()
            self._busy.discard(position)
            if not self._busy:
                self._all_done.set()

    def _by_rule(self, rows: Sequence[ResultRow]) -> list[tuple[int, Verdict]]:
        verdicts = []
        for row in rows:
            if row.answer is None:
                continue
            verdict, visible = settled(row.answer, parity=self._judge.parity, removed=is_removed(row.item))
            try:
                verdicts.append((row.position, verdict or self._read(row.item, visible, ())))
            except UnreadableReplyError as error:
                verdicts.append((row.position, Verdict(None, str(error), unscored="judge_error")))
        return verdicts

    def _read(self, item: Item, answer: Answer, replies: Sequence[Answer]) -> Verdict:
        try:
            return self._judge.read(item, answer, replies)
        except UnreadableReplyError:
            raise
        except Exception as error:  # a judge's mistake on one item leaves that item unscored, and says so
            return _judge_failed(error)

    async def _by_model(self, asker: Asker, position: int, item: Item, answer: Answer) -> Verdict | None:
        """A verdict, or None where the judge could not be asked: that is tried again by the next run."""
        verdict, visible = settled(answer, parity=self._judge.parity, removed=is_removed(item))
        if verdict is not None:
            return verdict
        if self._judge.embeds:
            return await self._by_vectors(asker, position, item, visible)
        problem = ""
        for attempt in range(1 if self._judge.recording is not None else ATTEMPTS):
            try:
                request = self._judge.request(item, visible, attempt)
            except Exception as error:  # as in `_read`
                return _judge_failed(error)
            if request is None:
                return self._read(item, visible, ())
            if attempt:
                asker.tally.to_ask += 1
            key = request.key
            await self._store.reply(self._judging_id, position, attempt, key)
            reply = await asker.obtain(request, key)
            if reply is None or reply.failure is not None:
                return None
            try:
                return self._read(item, visible, (reply,))
            except UnreadableReplyError as error:
                problem = str(error)
        return Verdict(None, f"no readable verdict: {problem}", unscored="judge_error")

    async def _by_vectors(self, asker: Asker, position: int, item: Item, answer: Answer) -> Verdict | None:
        """As `_by_model`, from the vectors of the texts that the judge compares; a text is asked for once."""
        try:
            requests = self._judge.embeddings(item, answer)
        except Exception as error:  # as in `_read`
            return _judge_failed(error)
        distinct = {request.key: request for request in requests}
        asker.tally.to_ask += max(0, len(distinct) - 1)
        for number, key in enumerate(distinct):
            await self._store.reply(self._judging_id, position, number, key)
        replies = dict(
            zip(
                distinct,
                await asyncio.gather(*(asker.obtain(each, key) for key, each in distinct.items())),
                strict=True,
            )
        )
        vectors = [replies[request.key] for request in requests]
        if any(vector is None or vector.failure is not None for vector in vectors):
            return None
        try:
            return self._read(item, answer, [vector for vector in vectors if vector is not None])
        except UnreadableReplyError as error:
            return Verdict(None, f"no readable vector: {error}", unscored="judge_error")


def _judge_failed(error: Exception) -> Verdict:
    return Verdict(None, f"the judge failed: {type(error).__name__}: {error}", unscored="judge_error")


def reread(ledger: Ledger, run_id: int, judging_id: int, judge: Judge) -> None:
    """Read all verdicts of a judging anew, from the replies that are stored, since its judge's source has changed.

    Where the judge would now ask something else, the item is left without a verdict: the next judging asks.
    """
    ledger.clear_verdicts(judging_id)
    as_judged = AsJudged(ledger, run_id, judge.on)
    after = -1
    while rows := ledger.unjudged(run_id, judging_id, after, _PAGE, 2**62):
        after = rows[-1].position
        shown = as_judged(rows)
        verdicts = [(row.position, _reread_safely(ledger, judge, row.item, row.answer)) for row in shown if row.answer]
        ledger.put_verdicts(judging_id, [(position, verdict) for position, verdict in verdicts if verdict is not None])


def _reread_safely(ledger: Ledger, judge: Judge, item: Item, answer: Answer) -> Verdict | None:
    try:
        return _reread_one(ledger, judge, item, answer)
    except LedgerError:
        raise
    except Exception as error:  # as in `Judging._read`
        return _judge_failed(error)


def _reread_one(ledger: Ledger, judge: Judge, item: Item, answer: Answer) -> Verdict | None:
    verdict, visible = settled(answer, parity=judge.parity, removed=is_removed(item))
    if verdict is None and judge.embeds:
        replies = [ledger.final(request.key) for request in judge.embeddings(item, visible)]
        vectors = [reply for reply in replies if reply is not None]
        try:
            return judge.read(item, visible, vectors) if len(vectors) == len(replies) else None
        except UnreadableReplyError as error:
            return Verdict(None, f"no readable vector: {error}", unscored="judge_error")
    problem = ""
    for attempt in range(ATTEMPTS):
        if verdict is not None:
            break
        request = judge.request(item, visible, attempt)
        reply = ledger.final(request.key) if request is not None else None
        if request is not None and reply is None:
            return None if attempt == 0 else Verdict(None, f"no readable verdict: {problem}", unscored="judge_error")
        try:
            verdict = judge.read(item, visible, (reply,) if reply is not None else ())
        except UnreadableReplyError as error:
            problem = str(error)
    return verdict or Verdict(None, f"no readable verdict: {problem}", unscored="judge_error")
