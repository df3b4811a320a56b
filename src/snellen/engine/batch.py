"""Asking by batch: requests gather in files, a provider answers them in its own time, for less.

It goes in rounds. In each, whatever lacks an answer is collected (`BatchAsker` stands where an `Asker` would, and has
nothing to give yet), and then settled: handed over, waited for, stored. What failed is collected again by the next
round, and judges find the answers that they wait for.
"""

from __future__ import annotations

import asyncio
import uuid
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Literal

from snellen.answer import Answer, Failure
from snellen.engine.ask import Asker, Coming, Stop
from snellen.engine.batch_lines import InputFile, Reply, input_path, request_line, seal
from snellen.engine.batch_replies import Replies
from snellen.engine.batch_terms import BATCH_PRICE, ROUNDS, Terms, Waiting, halved
from snellen.engine.budget import Budget, Tally
from snellen.engine.courier import POLL_TRIES, Api, Courier, wait
from snellen.engine.pace import EMPTY_TRIES, Client
from snellen.engine.store import Store
from snellen.engine.throttle import Throttle
from snellen.errors import ModelError, UsageError
from snellen.ledger import Claim, Ledger
from snellen.ledger.batches import Batches, BatchRow
from snellen.model_spec import ModelSpec, Price
from snellen.models._batch_api import RemoteBatch
from snellen.models.openai_compatible import OpenAICompatible
from snellen.request import Request


class BatchAsker(Asker):
    """Collects requests to one model, and settles them by batch.

    Args:
        role, client, store, throttle, budget, tally, price, expected_cost, stop: as of an `Asker`; the client must be
            that of a served model, and price and cost are those of single requests.
        spec: the model.
        api: its provider's files and batches.
        ledger: that of the store.
        folder: for the files, in the workspace.
        on_wait: is told how it stands, after each look.
        on_warning: one sentence.
        sleep: waits that many seconds; by default, not beyond a stop.
        terms: how large files may be, and how long they are waited for.
    """

    def __init__(
        self,
        role: str,
        client: Client,
        store: Store,
        throttle: Throttle,
        budget: Budget,
        tally: Tally,
        price: Price | None,
        expected_cost: float,
        stop: Stop,
        *,
        spec: ModelSpec,
        api: Api,
        ledger: Ledger,
        folder: Path,
        on_wait: Callable[[Waiting], None] = lambda waiting: None,
        on_warning: Callable[[str], None] = lambda text: None,
        sleep: Callable[[float], Awaitable[None]] | None = None,
        terms: Terms = Terms(),  # noqa: B008 - frozen
    ) -> None:
        super().__init__(role, client, store, throttle, budget, tally, halved(price), expected_cost * BATCH_PRICE, stop)
        if not isinstance(client, OpenAICompatible):
            raise UsageError(f"a batch needs a served model, and {spec.name!r} is none: leave --batch out")
        self._lines = client
        self._spec, self._ledger, self._folder = spec, ledger, folder
        self._batches = Batches(ledger)
        self._sleep = sleep or stop.sleep
        self._courier = Courier(
            api, spec.base_url, store, self._batches, folder, terms.window, self._sleep, lambda: bool(stop)
        )
        self._on_wait, self._on_warning = on_wait, on_warning
        self._terms = terms
        self._file: InputFile | None = None
        self._lock = asyncio.Lock()
        self._replies = Replies(self._lines, store, self._batches, folder, self._keep)
        self._open: dict[int, BatchRow] = {}
        self._resumed: set[int] = set()
        self._taken: set[bytes] = set()  # granted to us, and not yet in a batch that the ledger knows
        self._failures: dict[bytes, int] = {}  # key -> rounds in which it got no answer
        self._answers = 0  # that the present settling brought
        self._stored = 0  # answers that the run will find in the ledger, and that are ours
        self._full = False  # what is collected may cost what is left
        self._capped = self._lacking = False  # a round was full: no other one; and something would be for it
        self._elsewhere = self._told = 0  # requests that are others' to ask, and how many were told of last

    @property
    def collected(self) -> int:
        """Requests that wait for `settle`."""
        return sum(row.requests for row in self._open.values()) + (len(self._file.requests) if self._file else 0)

    @property
    def capped(self) -> str:
        """Why requests without an answer are put into no batch any more; empty unless there are such."""
        if not (self._full or self._lacking):
            return ""
        return f"the cap on cost ({self.budget.max_cost:g}) is reached: {self.budget.spent:.4f} spent"

    # -- collecting --------------------------------------------------------------------------------------------------

    async def claim(self, keys: Sequence[bytes]) -> dict[bytes, Claim | Literal["coming"]]:
        """For each key its answer; ``granted``, and then it must be given to `ask`; or ``coming``: in a batch, or
        another process's to ask, or given up: `follow` has nothing to tell of it."""
        asked = [key for key in dict.fromkeys(keys) if key not in self._taken]
        found = await self.store.claim(asked) if asked else {}
        granted = [key for key, claim in found.items() if claim == "granted" and key not in self._taken]
        self._taken.update(granted)
        held = await self.store.call(self._batches.holding, granted) if granted else {}
        claims: dict[bytes, Claim | Literal["coming"]] = dict.fromkeys(keys, "coming")
        for key, claim in found.items():
            if isinstance(claim, Answer):
                claims[key] = claim
                ours = self._stored > 0
                self._stored -= ours
                self.tally.to_ask -= not ours
            elif claim == "elsewhere":
                self._elsewhere += 1
        for key in granted:
            if key not in held and self._failures.get(key, 0) < ROUNDS and not self._full and not self.stop:
                if not self._capped:
                    claims[key] = "granted"
                    continue
                self._lacking = True
            self._taken.discard(key)
            if held.get(key) not in self._open:
                self._elsewhere += key in held
                await self.store.release(key)
        return claims

    async def follow(self, key: bytes) -> Coming:
        """None: what is in a batch comes with the next round."""
        return None

    async def obtain(self, request: Request, key: bytes) -> Answer | None:
        """The answer if the ledger has it; else None, and the request is in a batch if it can be."""
        claim = (await self.claim([key]))[key]
        if isinstance(claim, Answer):
            return claim
        return await self.ask(request, key) if claim == "granted" else None

    async def ask(self, request: Request, key: bytes) -> Answer | None:
        """Put what was granted into the file; a failed answer where it cannot be."""
        try:
            body, sent = await self._lines.body(request)
            line = request_line(key, body)
            if len(line) > self._terms.max_bytes:
                raise ModelError("too_large", self._too_large(request, len(line)))
        except ModelError as error:
            answer = Answer(status="failed", failure=Failure(error.kind, error.message))
            self._failures[key] = ROUNDS
            self._taken.discard(key)
            self.budget.reserved += self.expected_cost
            self._book(answer)
            await self.store.answer(key, answer)
            return answer
        async with self._lock:
            if self.stop or self._full or not self._affordable_now():
                self._taken.discard(key)
                await self.store.release(key)
                return None
            if self._file is not None and (
                self._file.size + len(line) > self._terms.max_bytes
                or len(self._file.requests) >= self._terms.max_requests
            ):
                await self._seal()
            if self._file is None:
                owner = await self.store.call(self._batches.owner_token)
                self._file = InputFile(self._folder, owner[:16] + uuid.uuid4().hex[:16])
            self._file.append(key, line, sent)
        return None

    def _too_large(self, request: Request, size: int) -> str:
        images = f" with {len(request.images)} images" if request.images else ""
        most = self._terms.max_bytes
        return (
            f"a request{images} of {size:,} bytes; a batch file takes {most:,}: declare image_limits, or leave"
            " --batch out"
        )

    def _affordable_now(self) -> bool:
        if self.budget.reserve(self.expected_cost):
            return True
        if self.budget.stopped:
            self.stop.now(self.budget.stopped)
        self._full = True
        return False

    async def _seal(self) -> None:
        file = self._file
        if file is None:
            return
        await asyncio.to_thread(file.close)
        requests = list(file.requests.items())
        row = await self.store.call(self._batches.add, file.token, self._spec.name, self._spec.base_url, requests)
        self._open[row.id], self._file = row, None
        self._taken.difference_update(file.requests)
        seal(self._folder, file.token)  # where it is gone, that is seen when it is handed over

    # -- settling ----------------------------------------------------------------------------------------------------

    async def resume(self) -> int:
        """Settle the batches of this model that an earlier session left open; call it before anything is collected.

        Returns:
            how many requests got an answer.
        """
        for row in await self.store.call(self._batches.strays, self._spec.name, self._spec.base_url):
            if input_path(self._folder, row.token).exists():
                self._on_warning(
                    f"{row.requests} requests are in a batch at {row.base_url}, and are not asked here: run with that"
                    f" address, or delete {input_path(self._folder, row.token)} to forget them"
                )
            else:
                await self._courier.forget(row)
        for row in await self.store.call(self._batches.adopt, self._spec.name, self._spec.base_url):
            self._open[row.id] = row
            self._resumed.add(row.id)
            self.budget.reserved += self.expected_cost * row.requests  # what is on its way may be paid already
        await self._courier.clean()
        return await self.settle()

    async def settle(self) -> int:
        """Hand over what is collected, wait for it and store it; a stop leaves it with the provider.

        Returns:
            how many requests got an answer.

        Raises:
            UsageError: the server has no batch endpoint, or refuses a batch as a whole.
            ModelError: it cannot be reached, or does not know a batch; what is open stays open.
        """
        self._answers = 0
        try:
            if not self.stop:
                await self._seal()
            for row in list(self._open.values()):
                await self._submit(row)
            await self._look_after()
        finally:
            await self.close()
        self._capped = self._capped or self._full  # else what turned out cheaper makes a long row of ever smaller ones
        self._full = self._lacking = False
        return self._answers

    async def _submit(self, row: BatchRow) -> None:
        if row.state == "written" and not seal(self._folder, row.token):
            self._on_warning(f"the input file of a batch of {row.requests} requests is gone: they are asked again")
            await self._courier.forget(row)
            self._forgotten(row)
            self.budget.unreserve(self.expected_cost * row.requests)
            return
        try:
            for step in (self._courier.upload, self._courier.create):
                if not self.stop:
                    row = self._open[row.id] = await step(row, resumed=row.id in self._resumed)
        except UsageError:  # it was refused, and is no more
            self._forgotten(row)
            self.budget.unreserve(self.expected_cost * row.requests)
            raise

    async def _look_after(self) -> None:
        pause = self._terms.first_pause
        misses = 0
        while self._open and not self.stop:
            counts: list[RemoteBatch] = []
            wish = 0.0
            for row in list(self._open.values()):
                if row.state not in ("created", "fetched"):
                    continue
                try:
                    remote = await self._courier.look(row)
                    misses = 0
                except ModelError as error:
                    misses += 1
                    if not error.retry or misses >= POLL_TRIES:
                        raise
                    self.budget.note_retry(self.tally, error)
                    wish = max(wish, wait(1, error))
                    continue
                if remote is None:
                    await self._courier.forget(row)
                    self._forgotten(row)
                elif remote.finished:
                    await self._take(row, remote)
                else:
                    counts.append(remote)
            if not self._open:
                return
            requests = sum(row.requests for row in self._open.values())
            completed, missed = sum(batch.completed for batch in counts), sum(batch.failed for batch in counts)
            status = max(stand, key=stand.__getitem__) if (stand := Counter(each.status for each in counts)) else ""
            self._on_wait(Waiting(len(self._open), requests, completed, missed, status))
            await self._sleep(max(pause, wish))
            pause = min(pause * 1.5, self._terms.longest_pause)

    async def _take(self, row: BatchRow, remote: RemoteBatch) -> None:
        row = self._open[row.id] = await self._courier.fetch(row, remote)
        await self._replies.store(row, self._courier.outputs(row))
        gone = self._courier.gone(row)
        count, fault = await self._replies.store_rest(row, remote)
        if gone and count:
            self._on_warning(f"{gone}: {count} requests in it have no answer, and are asked and paid again")
        await self._courier.finish(row)
        self._forgotten(row)
        if fault:
            raise UsageError(f"the batch {row.batch_id} failed at {self._spec.base_url}: {fault}")
        if count and remote.status == "cancelled":
            self._on_warning(f"{count} requests of the cancelled batch {row.batch_id} are asked by the next run")

    async def _keep(self, row: BatchRow, replies: Sequence[Reply]) -> None:
        kept = []
        for reply in replies:
            answer, again = reply.answer, reply.again
            rounds = self._failures.get(reply.key, 0) + 1
            if answer.status == "answered" and not answer.text.strip() and rounds < EMPTY_TRIES:
                answer, again = Answer(status="failed", failure=Failure("empty", "an empty answer")), True
            if answer.failure is None:
                self._failures.pop(reply.key, None)
                self._answers += 1
                self._stored += 1
            else:
                self._failures[reply.key] = rounds if again else ROUNDS
            if answer.failure is not None and self._failures[reply.key] < ROUNDS:
                self.budget.unreserve(self.expected_cost)
                self.budget.note_retry(self.tally, ModelError(answer.failure.kind, answer.failure.message, retry=True))
            else:
                self._book(answer)
            kept.append((reply.key, answer))
        if kept:
            await self.store.call(self._batches.keep, row.id, kept)

    def _book(self, answer: Answer) -> None:
        self.budget.settle(self.role, self.expected_cost, answer, self.tally, self.price)
        if self.budget.stopped:
            self.stop.now(self.budget.stopped)

    # -- leaving -----------------------------------------------------------------------------------------------------

    def _forgotten(self, row: BatchRow) -> None:
        self._open.pop(row.id, None)
        self._resumed.discard(row.id)

    async def _drop(self) -> None:
        """What was collected and handed to nobody is given back."""
        if self._file is not None:
            file, self._file = self._file, None
            file.drop()
            for key in file.requests:
                self.budget.unreserve(self.expected_cost)
                await self.store.release(key)
            self._taken.difference_update(file.requests)
        for row in list(self._open.values()):
            if row.state == "written" and row.id not in self._resumed:
                await self._courier.forget(row)
                self._forgotten(row)
                self.budget.unreserve(self.expected_cost * row.requests)

    async def close(self) -> None:
        """Leave what is not done: batches stay with their provider, for whoever comes next."""
        if self._elsewhere not in (0, self._told):
            self._on_warning(
                f"{self._elsewhere} requests are in other batches or another process is asking them: run again later"
            )
        self._told, self._elsewhere = self._elsewhere, 0
        await self._drop()
        left = list(self._open.values())
        if not left:
            return
        await self.store.call(self._batches.leave, [row.id for row in left])
        self._open.clear()
        self._resumed.clear()
        for row in left:
            self.budget.unreserve(self.expected_cost * row.requests)
        ids = ", ".join(row.batch_id for row in left if row.batch_id) or "not yet created"
        self._on_warning(
            f"{sum(row.requests for row in left)} requests stay in batches at {self._spec.base_url} ({ids}): the same"
            " command goes on with them"
        )
