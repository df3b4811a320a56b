"""The judge of GUI-HalluBench: parses are matched with the true elements, targets hit or missed, absent ones rejected.

Paper: GUI-HalluBench (CVPR 2026). Everything is read by rules. A **target** is hit when the point lies in its box, or
the centre of the predicted box does; where it is absent, only a clear rejection is right. A **parse** is matched one to
one with the true elements at an overlap of 0.5: `recall` and `precision` are its measures, and its value is 1 when it
lists something and nothing that is not there.

How alike matched descriptions are (`function_similarity`) is the cosine of their embeddings: where the judging has an
embedding model, it is asked for each description, and its replies are vectors. Beside it stand its chance level, the
same over all pairs that do not match, and how many descriptions are the very same words. Option
``similarity=difflib`` compares characters instead (``none`` compares nothing), and ``matching=greedy`` matches in the
order of the truth, as a released script of a sister repository does both.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from snellen.answer import Answer
from snellen.convention import DEFAULT, Convention, CoordinateError, Frame
from snellen.errors import UnreadableReplyError, UsageError
from snellen.item import Element, ElementsReference, Item, TargetReference
from snellen.judges import _matching
from snellen.judges._cell import option
from snellen.readers import boxes, embedding
from snellen.readers.pattern import Pattern
from snellen.readers.plain_text import flatten
from snellen.request import Message, TextPart
from snellen.verdict import ABSTAINED, EMPTY, FORMAT_ERROR, UNCLEAR, Verdict

OPTIONS = {"matching": ("optimal", "greedy"), "similarity": ("embedding", "difflib", "none")}
PARAMETERS: dict[str, object] = {}
CONVENTION = True

_EMPTY_LIST = Pattern(r"[\[【][ \n]{0,8}[\]】]")

Matched = tuple[tuple[Element, Element], ...]


def each(
    item: Item, answer: Answer, convention: Convention = DEFAULT, **options: str
) -> tuple[tuple[Message, ...], ...]:
    """One request for each description of a matched pair: the listed one, then the true one, pair by pair.

    Raises:
        UsageError: an unknown option.
    """
    chosen = option(options, OPTIONS)
    if not isinstance(item.reference, ElementsReference) or chosen["similarity"] != "embedding":
        return ()
    _, pairs = _parse(item, answer, convention, chosen["matching"])
    return tuple((Message("user", (TextPart(e.description),)),) for pair in pairs for e in pair)


def read(
    item: Item, answer: Answer, replies: Sequence[Answer] = (), convention: Convention = DEFAULT, **options: str
) -> Verdict:
    """The verdict on a parse or on a place.

    Args:
        item: with a `TargetReference` or an `ElementsReference`.
        answer: its text, thinking stripped, and what was sent.
        replies: vectors, in the order of `each`; none where nothing was asked.
        convention: how the model writes coordinates.
        options: see the module.

    Raises:
        UsageError: an item of another kind, or an unknown option.
        UnreadableReplyError: a reply is no vector.
    """
    chosen = option(options, OPTIONS)
    if isinstance(item.reference, TargetReference):
        return _place(item, item.reference, answer, convention)
    if isinstance(item.reference, ElementsReference):
        return _elements(item, item.reference, answer, replies, convention, chosen)
    raise UsageError(f"the judge gui reads targets and elements on screens; {item.id} asks for something else")


def _place(item: Item, truth: TargetReference, answer: Answer, convention: Convention) -> Verdict:
    if not answer.text.strip():
        return Verdict(0, "The answer is empty.", (EMPTY, FORMAT_ERROR))
    try:
        reading = boxes.read_target(answer.text, convention, frame_of(item, answer))
    except CoordinateError as error:
        return Verdict(None, str(error), unscored="data_error")
    if reading.kind == "rejected":
        right = truth.box is None
        reason = (
            "The target is absent, and the answer says so." if right else "The answer rejects a target that is there."
        )
        return Verdict(int(right), reason, (ABSTAINED,), measures={"rejected": (1, 1)})
    if reading.kind == "unclear":
        return Verdict(0, "The answer neither gives a place nor rejects.", (UNCLEAR,), measures={"rejected": (0, 1)})
    if reading.point is None:
        return Verdict(0, f"No place can be read: {reading.problem}", (FORMAT_ERROR,), measures={"rejected": (0, 1)})
    x, y = reading.point
    measures: dict[str, tuple[float, float]] = {"rejected": (0, 1)}
    if reading.kind == "contradicted":
        measures["contradicted"] = (1, 1)
    if truth.box is None:
        return Verdict(0, f"The target is absent, and the answer points at ({x:g}, {y:g}).", measures=measures)
    hit = truth.box.contains(x, y)
    distracted = not hit and any(box.contains(x, y) for box in truth.distractors)
    if reading.box is not None:
        measures["iou"] = (reading.box.iou(truth.box), 1)
    elsewhere = not hit and not distracted
    shares = {"hit": hit, "hit_distractor": distracted, "hit_elsewhere": elsewhere}
    measures |= {name: (int(value), 1) for name, value in shares.items()}
    where = "in the target" if hit else "in a distractor" if distracted else "outside the target"
    return Verdict(int(hit), f"({x:g}, {y:g}) lies {where}, {truth.text}.", measures=measures)


def _elements(
    item: Item,
    truth: ElementsReference,
    answer: Answer,
    replies: Sequence[Answer],
    convention: Convention,
    chosen: dict[str, str],
) -> Verdict:
    try:
        reading, pairs = _parse(item, answer, convention, chosen["matching"])
    except CoordinateError as error:
        return Verdict(None, str(error), unscored="data_error")
    listed, true = len(reading.elements) + len(reading.problems), len(truth.elements)
    # What is listed with a box that is no place on the screen is listed all the same, and matches nothing.
    measures: dict[str, tuple[float, float]] = {"recall": (len(pairs), true), "precision": (len(pairs), listed)}
    if not listed and _EMPTY_LIST.search(answer.text):
        return Verdict(int(not true), "The answer lists nothing.", measures=measures)
    if not listed:
        flags = (EMPTY, FORMAT_ERROR) if not answer.text.strip() else (FORMAT_ERROR,)
        return Verdict(0, "No element can be read.", flags, measures=measures)
    if pairs:
        same = sum(same_words(ours.description, theirs.description) for ours, theirs in pairs)
        measures["label_agreement"] = (same, len(pairs))
        measures |= _similarity(pairs, replies, chosen["similarity"])
    invented = listed - len(pairs)
    reason = f"{len(pairs)} of {true} elements found, {invented} of {listed} listed ones not there"
    return Verdict(int(not invented), f"{reason}.", measures=measures)


def _similarity(pairs: Matched, replies: Sequence[Answer], how: str) -> dict[str, tuple[float, float]]:
    """`function_similarity` over the pairs, and its chance level over all that do not match."""
    if how == "difflib":
        total = sum(difflib.SequenceMatcher(None, a.description, b.description).ratio() for a, b in pairs)
        return {"function_similarity": (total, len(pairs))}
    if not replies:
        return {}
    if len(replies) != 2 * len(pairs):
        raise UnreadableReplyError(f"{len(replies)} vectors for {2 * len(pairs)} descriptions")
    vectors = _unit(np.array([embedding.read(reply.text) for reply in replies], np.float64))
    cosines = vectors[0::2] @ vectors[1::2].T
    count, matched = len(pairs), float(np.trace(cosines))
    found = {"function_similarity": (matched, float(count))}
    if count > 1:
        found["function_similarity_by_chance"] = (float(cosines.sum()) - matched, float(count * (count - 1)))
    return found


def _unit(vectors: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: npt.NDArray[np.float64] = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    return unit


def _parse(item: Item, answer: Answer, convention: Convention, matching: str) -> tuple[boxes.ElementsReading, Matched]:
    assert isinstance(item.reference, ElementsReference)
    reading = boxes.read_elements(answer.text, convention, frame_of(item, answer))
    truth = item.reference.elements
    iou = _matching.overlaps([e.box for e in reading.elements], [e.box for e in truth])
    pairs = _matching.greedy(iou) if matching == "greedy" else _matching.optimal(iou)
    return reading, tuple((reading.elements[i], truth[j]) for i, j in pairs)


def frame_of(item: Item, answer: Answer) -> Frame:
    """What became of an item's first image on its way to the model.

    Raises:
        CoordinateError: the item has no image, or its size is not known.
    """
    if not item.images:
        raise CoordinateError("the item has no image to point at")
    sent = answer.sent.get("images") or [None]
    return Frame.of(item.images[0], sent[0])


def same_words(listed: str, true: str) -> bool:
    """Whether two descriptions are the same, case, spaces and outer punctuation aside."""
    return listed == true or _plain(listed) == _plain(true)


def _plain(description: str) -> str:
    return " ".join(flatten(description).casefold().split()).strip(" .。\"'“”")
