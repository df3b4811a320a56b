"""Planning: a plan taken down in the ledger, chunk by chunk, and what is left of it to ask.

Memory does not grow with the plan: places are kept in an eighth of a byte each, keys as the 9 bytes that tell them
apart. A whole plan without broken rows is sealed; as long as its sources and its rows in the ledger are the same, the
next session reads from the ledger what it came to, instead of reading the data again.
"""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import time
from array import array
from collections.abc import Callable, Container, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from snellen import discovery
from snellen.engine import provenance
from snellen.engine.ask import Stop
from snellen.engine.plan import Plan, View
from snellen.engine.store import Store
from snellen.errors import UsageError
from snellen.images import ImageStore
from snellen.item import Item
from snellen.ledger import Ledger, PlannedRow, planned

_CHUNK = 500
_SAMPLE = 200
_TOLD = 20
_EVERY = 1 << 62
_STARTED = time.time()
_DOWNSTREAM = frozenset(("judges", "metrics", "report", "cli"))  # by the layering, planning never imports these


class Positions(Set[int]):
    """A growing set of places in a plan, a bit for each place up to the highest. Equal to any set of the same places.

    >>> sorted(Positions([3, 1]) & {1, 2})
    [1]
    """

    def __init__(self, positions: Iterable[int] = ()) -> None:
        self._bits, self._count = bytearray(), 0
        for position in positions:
            self.add(position)

    def add(self, position: int) -> None:
        """Take a place in, counted from 0."""
        byte, bit = position >> 3, 1 << (position & 7)
        if byte >= len(self._bits):
            self._bits.extend(bytes(byte + 1 - len(self._bits)))
        if not self._bits[byte] & bit:
            self._bits[byte] |= bit
            self._count += 1

    def __contains__(self, position: object) -> bool:
        if not isinstance(position, int) or not 0 <= position < 8 * len(self._bits):
            return False
        return bool(self._bits[position >> 3] >> (position & 7) & 1)

    def __iter__(self) -> Iterator[int]:
        return (8 * place + bit for place, byte in enumerate(self._bits) for bit in range(8) if byte >> bit & 1)

    def __len__(self) -> int:
        return self._count


@dataclass(frozen=True, slots=True)
class Planned:
    """What a view of a plan came to.

    Attributes:
        positions: of its items.
        askable: items that can be asked; of a run that is only judged, those that are answered.
        unanswered: askable items without a final answer.
        requests: what is left to ask: equal questions on equal images are one request.
        prompt_characters, images: of a typical request, by the first ones.
    """

    positions: Positions = field(default_factory=Positions)
    askable: int = 0
    unanswered: int = 0
    requests: int = 0
    prompt_characters: float = 0.0
    images: float = 0.0


async def take_down(
    plan: Plan | None,
    run_id: int,
    view: View,
    store: Store,
    ledger: Ledger,
    images: ImageStore,
    on_plan: Callable[[int], None],
    on_warning: Callable[[str], None],
    stop: Stop,
) -> Planned:
    """Take the view's items down in the ledger and count what is left to ask.

    Args:
        plan: None where a run is only judged: what it holds already is counted, at the view's positions.
        run_id: the run's number in the ledger.
        view: which items.
        store: through which the ledger is used.
        ledger: where they are taken down.
        images: where their images are put.
        on_plan: told the number of items so far, after each chunk.
        on_warning: told what cannot be asked, in a sentence each, 20 at most.
        stop: ends it early; what is taken down stays.

    Raises:
        UsageError: the view is empty.
        DataError: the data cannot be read.
    """
    if plan is None:
        return await store.call(_asked_before, ledger, run_id, view.positions)
    sources = await asyncio.to_thread(_sources, plan, view)
    if sources:
        sealed = await store.call(_as_sealed, plan, run_id, ledger, images, sources)
        if sealed is not None:
            on_plan(len(sealed.positions))
            return sealed
    counting = _Counting(plan)
    rows_ahead = plan.rows(images, view)
    while not stop:
        chunk = await asyncio.to_thread(lambda: list(itertools.islice(rows_ahead, _CHUNK)))
        if not chunk:
            break
        answered = await store.call(_put, ledger, run_id, chunk, counting.rows if sources else None)
        for row in chunk:
            counting.add(row.position, row.key, row.key in answered)
        counting.look_at(row.item for row in chunk if row.key is not None)
        on_plan(len(counting.positions))
    for problem in plan.problems[:_TOLD]:
        on_warning(str(problem))
    if len(plan.problems) > _TOLD:
        on_warning(f"and {len(plan.problems) - _TOLD} more rows or images like these")
    if not counting.positions and not stop:
        raise UsageError(f"no item of {plan.name} is left: {view or 'its data hold none'}")
    if sources and not stop and not plan.problems and counting.rows.count == len(counting.positions):
        await store.call(planned.put_seal, ledger, run_id, sources, counting.rows)
    return counting.result()


class _Counting:
    """Counts rows as they come, distinct requests among them."""

    def __init__(self, plan: Plan) -> None:
        self.positions, self.rows = Positions(), planned.RowsDigest()
        self._plan = plan
        self._askable = self._unanswered = 0
        self._looked_at = self._characters = self._images = 0
        self._keys = [array("Q") for _ in range(256)]  # by their first byte, so that each is small when it is counted

    def add(self, position: int, key: bytes | None, answered: bool) -> None:
        self.positions.add(position)
        if key is None:
            return
        self._askable += 1
        if not answered:
            self._unanswered += 1
            self._keys[key[0]].frombytes(key[1:9])

    def look_at(self, items: Iterable[Item]) -> None:
        """Measure the requests of items, until there are enough to tell a typical one."""
        for item in itertools.islice(items, _SAMPLE - self._looked_at):
            self._looked_at += 1
            self._characters += len(self._plan.request(item).text())
            self._images += len(item.images)

    def result(self) -> Planned:
        each = max(1, self._looked_at)
        return Planned(
            self.positions,
            self._askable,
            self._unanswered,
            requests=sum(len(set(keys)) for keys in self._keys),
            prompt_characters=self._characters / each,
            images=self._images / each,
        )


def _put(
    ledger: Ledger, run_id: int, chunk: Sequence[PlannedRow], digest: planned.RowsDigest | None
) -> set[bytes | None]:
    """Take a chunk down, what stands there already left alone; gives those of its keys that are answered."""
    there = planned.standing(ledger, run_id, chunk[0].position, chunk[-1].position)
    fresh = []
    for row in chunk:
        stands = there.get(row.position)
        item = row.item.snapshot()[0] if stands is not None or digest is not None else b""
        if stands != (item, row.key, row.error):
            fresh.append(row)
        if digest is not None and row.key is not None:
            digest.add(item, row.key)
    if fresh:
        ledger.plan_items(run_id, fresh)
    return {*ledger.answered(row.key for row in chunk if row.key is not None)}


def _asked_before(ledger: Ledger, run_id: int, only: Container[int] | None) -> Planned:
    positions, askable = Positions(), 0
    for page in planned.keys_of(ledger, run_id, _EVERY):
        for position, _, _, answered in page:
            if only is None or position in only:
                positions.add(position)
                askable += answered
    return Planned(positions, askable)


def _as_sealed(plan: Plan, run_id: int, ledger: Ledger, images: ImageStore, sources: str) -> Planned | None:
    """What a whole plan came to, from the ledger; None where its seal is of other sources or broken."""
    seal = planned.seal(ledger, run_id)
    if seal is None or seal.sources != sources:
        return None
    counting = _Counting(plan)
    for page in planned.keys_of(ledger, run_id, seal.count):
        for position, item, key, answered in page:
            if position != counting.rows.count or key is None:
                return None
            counting.rows.add(item, key)
            counting.add(position, key, answered)
    if counting.rows.hexdigest() != seal.rows:
        return None
    # Whoever clears images away finds them put back by the next session, as long as the data have them.
    if not all(image in images for image in planned.images_of(ledger, run_id)):
        return None
    counting.look_at(planned.first_items(ledger, run_id, _SAMPLE))
    return counting.result()


def _sources(plan: Plan, view: View) -> str:
    """Everything beside the run's identity (data digest, model, ...) that decides what a whole plan comes to.

    Empty where that cannot be known: for a view, a recording, plugins whose sources lie outside Snellen, and sources
    that were changed while they are in use.
    """
    if view != View() or plan.recording is not None:
        return ""
    root = Path(discovery.__file__).parent
    for module in (plan.benchmark, plan.prompting):
        if not module.__file__ or not Path(module.__file__).is_relative_to(root):
            return ""
    source = _source_of(root)
    return hashlib.sha256(f"{plan.hash.hex()} {provenance.versions()} {source}".encode()).hexdigest() if source else ""


@cache
def _source_of(root: Path) -> str:
    """Digest of every module that may take part in planning; empty where one is newer than this process."""
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        if path.relative_to(root).parts[0] in _DOWNSTREAM:
            continue
        source = path.read_bytes()
        if path.stat().st_mtime > _STARTED:
            return ""
        digest.update(f"{path.relative_to(root).as_posix()} {len(source)}\n".encode() + source)
    return digest.hexdigest()
