"""A finished run on screens, read again in one pass: at other overlaps, with an unsure truth, in other conventions.

Nothing is asked, and nothing holds the rows: each is read, counted and forgotten.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from snellen.answer import Answer
from snellen.engine.convention_detective import Conventions, Detective
from snellen.engine.judge import Judge
from snellen.engine.judged import Judged
from snellen.engine.listed_first import Listed, listing_of
from snellen.engine.overlap_sweep import Sweep, Sweeping
from snellen.engine.screen_answers import Parse, answers, convention_read, matching_of, parse_of, place_of
from snellen.engine.unsure_truth import DRAWS, Sensitivity, Unsettling
from snellen.engine.workspace import Workspace
from snellen.errors import UnreadableReplyError
from snellen.item import ElementsReference, Item, TargetReference
from snellen.judges._matching import Pair
from snellen.ledger import RunRow
from snellen.readers import embedding

LITTLE = 400_000
"""Characters of answers that the warning at the end of a run is worth: a second or two."""


@dataclass(frozen=True, slots=True)
class Rereading:
    """What is found by reading a run again.

    Attributes:
        run: its name.
        answers: that were read: of clean items, as far as a judge reads them.
        draws: of each change of the truth.
        seed: of the draws.
        sweep: over the overlap that counts.
        sensitivity: of each number to the truth.
        listed: lists in answers scored as parses; None where the run asks for none, or no parsing item is at hand.
        conventions: every answer under every convention.
    """

    run: str
    answers: int
    draws: int
    seed: int
    sweep: Sweep
    sensitivity: Sequence[Sensitivity]
    listed: Listed | None
    conventions: Conventions

    def to_json(self) -> dict[str, Any]:
        """Plain values under the attributes' names."""
        return {
            "run": self.run,
            "answers": self.answers,
            "draws": self.draws,
            "seed": self.seed,
            "sweep": self.sweep.to_json(),
            "sensitivity": [each.to_json() for each in self.sensitivity],
            "listed": None if self.listed is None else self.listed.to_json(),
            "conventions": self.conventions.to_json(),
        }


def reread(
    workspace: Workspace, judged: Judged, *, parses: RunRow | None = None, draws: int = DRAWS, seed: int = 0
) -> Rereading | None:
    """Read a run again; None where it is not on screens, or nothing is answered.

    Args:
        workspace: that holds it.
        judged: the run, seen through one of its judgings, whose convention and matching are used.
        parses: another run, with the parsing items for the lists in this one's answers.
        draws: of each change of the truth.
        seed: of the draws.

    Raises:
        UsageError: as `snellen.engine.listed_first.listing_of` and `snellen.engine.unsure_truth.Unsettling`.
    """
    if judged.card.domain != "screen":
        return None
    convention, matching = convention_read(judged), matching_of(judged)
    sweeping, unsettling = Sweeping(matching), Unsettling(matching, draws, seed)
    detective, listing = _detective(judged), listing_of(judged, workspace, parses, matching)
    count = 0
    for item, answer in answers(judged):
        count += 1
        detective.look(item, answer)
        if isinstance(item.reference, ElementsReference):
            parse = parse_of(item, item.reference.elements, answer, convention)
            if parse is not None:
                cosines = _cosines(workspace, judged.judge, item, answer, parse)
                sweeping.parse(item.cluster, parse)
                unsettling.parse(item.id, item.language, parse, cosines)
        elif isinstance(item.reference, TargetReference):
            reading = place_of(item, answer, convention)
            target = item.reference.box
            if reading is not None and target is not None:
                sweeping.place(item.cluster, target, reading)
                unsettling.place(item.id, item.language, target, reading.point)
            elif reading is not None and item.labels.get("task") != "presumed-absent":
                unsettling.absent(item.id, item.language, rejected=reading.kind == "rejected")
            if listing is not None:
                listing.place(item, answer, convention)
    if not count:
        return None
    listed = listing.result() if listing is not None else None
    found = (sweeping.result(), unsettling.results(), listed, detective.result())
    return Rereading(judged.name, count, draws, seed, *found)


def warning(judged: Judged) -> str:
    """What the convention detective says of the beginning of a run; empty where it suspects nothing.

    Reads at the most `LITTLE` characters of answers, so that it costs little after any run.
    """
    if judged.card.domain != "screen":
        return ""
    detective, left = _detective(judged), LITTLE
    for item, answer in answers(judged):
        if detective.targets and not (isinstance(item.reference, TargetReference) and item.reference.box):
            continue  # it would add nothing
        detective.look(item, answer)
        left -= len(answer.text)
        if left <= 0:
            break
    return detective.result().warning()


def _detective(judged: Judged) -> Detective:
    model = judged.run.spec.get("model")
    return Detective(convention_read(judged), matching_of(judged), str(model or "the model"))


def _cosines(
    workspace: Workspace, judge: Judge | None, item: Item, answer: Answer, parse: Parse
) -> Mapping[Pair, float]:
    """Cosines of the pairs that the judge matched, from the vectors in the ledger; none where there are none."""
    if judge is None or not judge.embeds:
        return {}
    pairs = parse.pairs(judge.options.get("matching", ""))
    vectors = []
    for request in judge.embeddings(item, answer):
        reply = workspace.ledger.final(request.key)
        try:
            vectors.append(embedding.read(reply.text if reply is not None else ""))
        except UnreadableReplyError:
            return {}
    if len(vectors) != 2 * len(pairs):
        return {}
    ours, theirs = np.array(vectors[0::2]), np.array(vectors[1::2])
    if not len(ours):
        return {}
    lengths = np.linalg.norm(ours, axis=1) * np.linalg.norm(theirs, axis=1)
    cosines = np.divide((ours * theirs).sum(1), lengths, out=np.zeros(len(ours)), where=lengths > 0)
    return dict(zip(pairs, cosines.tolist(), strict=True))
