"""Plan: which items of a benchmark are asked of which model, in what words, and under which key each answer is kept.

Everything here is pure and seeded; nothing waits on a model. A plan's hash is the run's identity: the same command is
the same run and goes on with it, while a sample or a choice of items is only a view of it.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import orjson

from snellen.card import Card
from snellen.convention import DEFAULT, Convention
from snellen.convention import parse as parse_convention
from snellen.engine.clean_items import ImageTaker, broken_row, clean_items
from snellen.engine.conditions import Condition
from snellen.errors import DataError, ImageError, UsageError
from snellen.images import ImagePolicy, ImageStore
from snellen.item import Item
from snellen.ledger import PlannedRow
from snellen.model_spec import EMBEDDED, ModelSpec
from snellen.models.replay import Recording, recorded_key
from snellen.request import Request

if TYPE_CHECKING:
    from snellen.engine.perturbing import Perturber, Tally

_AHEAD = 64  # items whose changed images are rendered side by side

PROTOCOL: Mapping[str, Any] = {"temperature": 0}
"""Requested of every served model unless the user says otherwise; no ``max_tokens`` (ChartHal, section on set-up)."""


@dataclass(frozen=True, slots=True)
class View:
    """Which items of a run are looked at and asked now.

    Attributes:
        sample: so many whole clusters, drawn by the run's seed; None for all.
        items: a glob over item ids; empty for all.
        languages: of the questions; empty for all.
        positions: of a run that is only judged: no others than these.
    """

    sample: int | None = None
    items: str = ""
    languages: tuple[str, ...] = ()
    positions: Container[int] | None = None

    def __str__(self) -> str:
        parts = [
            f"{self.sample} clusters" if self.sample is not None else "",
            f"items {self.items}" if self.items else "",
            f"questions in {', '.join(self.languages)}" if self.languages else "",
        ]
        return ", ".join(filter(None, parts))


@dataclass(frozen=True)
class Plan:
    """A run before anything is asked.

    Attributes:
        benchmark: its module.
        name: the benchmark's name on the command line.
        data: folder of its data.
        data_digest: hex digest of them.
        prompt: name of the way of asking.
        prompting: its module.
        model: as declared.
        revision: of the model, as it goes into keys.
        seed: of the sample and of whatever is random later.
        recording: answers recorded elsewhere, in place of a model.
        only_recorded: whether the run's items are the recording's rows (an import) or all of the benchmark's.
        conditions: under which every item is asked too, beside as it is.
        repeat: 0 for the first of several runs that ask the same; the sample number of every request.
        tallies: what each condition came to, as far as it is planned.
    """

    benchmark: ModuleType
    name: str
    data: Path
    data_digest: str
    prompt: str
    prompting: ModuleType
    model: ModelSpec
    revision: str
    seed: int = 0
    recording: Recording | None = None
    only_recorded: bool = False
    conditions: tuple[Condition, ...] = ()
    repeat: int = 0
    tallies: dict[str, Tally] = field(default_factory=dict, compare=False)
    problems: list[DataError] = field(default_factory=list, compare=False)

    @property
    def card(self) -> Card:
        """The benchmark's card."""
        card = self.benchmark.CARD
        if not isinstance(card, Card):
            raise UsageError(f"the benchmark {self.name!r} has no Card named CARD")
        return card

    @property
    def served(self) -> bool:
        """Whether the model is asked over the network."""
        return self.recording is None and self.model.kind not in EMBEDDED

    @cached_property
    def convention(self) -> Convention:
        """How the model writes coordinates: as declared, else pixels of the image as it was sent."""
        return parse_convention(self.model.convention) if self.model.convention else DEFAULT

    @cached_property
    def image_policy(self) -> str:
        """Name of the policy with its resolved limits; embedded models get every image as it is."""
        return ImagePolicy.from_mapping(self.model.image_limits).name if self.served else ""

    @cached_property
    def parameters(self) -> Mapping[str, Any]:
        """What is requested of the model beside its messages."""
        return self.model.requested(PROTOCOL) if self.served else {}

    def identity(self) -> dict[str, Any]:
        """What the run is: the plain values whose hash is its key."""
        identity: dict[str, Any] = {
            "benchmark": self.name,
            "data": self.data_digest,
            "prompt": self.prompt,
            "perturbations": [str(condition) for condition in self.conditions],
            "seed": self.seed,
            "image_policy": self.image_policy,
            "model": self.model.name,
            "revision": self.revision,
            "parameters": self.parameters,
        }
        # What a perturbation does may hang on more than its name: this machine's fonts, a surrogate, a file of words.
        steps = [step for condition in self.conditions for step in condition.steps]
        revisions = {step.name: step.module.revision() for step in steps if hasattr(step.module, "revision")}
        if any(revisions.values()):
            identity["perturbation_revisions"] = {name: said for name, said in revisions.items() if said}
        if self.model.convention:  # prompts tell the model how to write coordinates
            identity["convention"] = self.convention.name
        if self.repeat:  # left out of the first, which so is what it was before there were others
            identity["repeat"] = self.repeat
        if self.recording is not None:
            identity |= {"recorded": self.recording.digest, "only_recorded": self.only_recorded}
        return identity

    @property
    def hash(self) -> bytes:
        """16 bytes over the identity."""
        return plan_hash(self.identity())

    def request(self, item: Item) -> Request:
        """What is asked for an item whose images have digests."""
        parameters = self.parameters
        if self.recording is not None:
            text = self.recording.text(item.id, judging=False)
            parameters = {"recorded": recorded_key(text or "")}
        messages = self.prompting.messages(item, self.convention)
        policy = self.image_policy if item.images else ""
        return Request(messages, self.model.name, self.revision, parameters, policy, sample=self.repeat)

    def rows(self, images: ImageStore, view: View) -> Iterator[PlannedRow]:
        """Every item of the view at its position in the whole benchmark, streamed; changed versions follow the clean.

        A broken row or image is a row with an error: it stays in the denominator. Errors are also kept in `problems`.
        """
        clean = self._clean_rows(images, view)
        if not self.conditions:
            yield from clean
            return
        # With numpy and the codecs, which runs without changes can do without.
        from snellen.engine.changed_images import ChangedImages
        from snellen.engine.perturbing import Perturber

        perturber = Perturber(self.conditions, ChangedImages(images, images.root.parent / "changed"))
        self.tallies.update(perturber.tallies)
        while rows := list(itertools.islice(clean, _AHEAD)):
            perturber.prepare(row.item for row in rows if row.key is not None)
            for row in rows:
                yield from self._versions(row, perturber)

    def _versions(self, row: PlannedRow, perturber: Perturber) -> Iterator[PlannedRow]:
        from snellen.engine.perturbing import LeftOut, paired, unmade

        position = row.position * (1 + len(self.conditions))
        yield replace(row, position=position, item=paired(row.item))
        if row.key is None:
            return
        for place, condition in enumerate(self.conditions, position + 1):
            try:
                version = perturber.version(row.item, condition)
            except ImageError as error:
                problem = ImageError(error.kind, error.what, file=error.file, id=f"{row.item.id}@{condition}")
                self.problems.append(problem)
                yield PlannedRow(place, unmade(row.item, condition), None, f"data_error: {problem}")
                continue
            if not isinstance(version, LeftOut):
                yield PlannedRow(place, version, self.request(version).key)

    def _clean_rows(self, images: ImageStore, view: View) -> Iterator[PlannedRow]:
        take = ImageTaker(images)
        chosen = clean_items(
            self.benchmark, self.data, sample=view.sample, items=view.items, languages=view.languages, seed=self.seed
        )
        for position, item in chosen:
            if isinstance(item, Item):
                yield from self._row(position, item, take)
                continue
            self.problems.append(item)
            if view == View() and not self.only_recorded:
                yield PlannedRow(position, broken_row(item, self.name, position), None, f"data_error: {item}")

    def _row(self, position: int, item: Item, take: Callable[[Item], Item]) -> Iterator[PlannedRow]:
        recording = self.recording
        if recording is not None and recording.text(item.id, judging=False) is None:
            failed = recording.failures.get(item.id)
            if failed is not None:
                yield PlannedRow(position, item, None, f"model_error: recorded as failed: {failed[:200]}")
            elif not self.only_recorded:
                yield PlannedRow(position, item, None, "missing: no recorded answer")
            return
        try:
            item = take(item)
        except ImageError as error:
            if recording is None:
                problem = ImageError(error.kind, error.what, file=error.file, id=item.id)
                self.problems.append(problem)
                yield PlannedRow(position, item, None, f"data_error: {problem}")
                return
            # A recorded answer has been given already: it can be judged without the picture.
            item = replace(item, images=())
        yield PlannedRow(position, item, self.request(item).key)


def plan_hash(identity: Mapping[str, Any]) -> bytes:
    """16 bytes: the first half of the SHA-256 of the canonical JSON of an identity."""
    return hashlib.sha256(orjson.dumps(identity, option=orjson.OPT_SORT_KEYS)).digest()[:16]
