"""How sure a run's answers are: as they state it where the prompt asks for it, or by their tokens' probabilities.

A confidence that was asked for in words is a probability of being right, as the model says it. The mean token
probability (the geometric mean over the answer, so that length does not matter; Malinin & Gales 2021, ICLR) is how
likely the model found these words, not that they are true: it can put answers in an order, and is no calibrated number.
It needs ``logprobs = true`` among the model's parameters and a server that returns them.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Final, Literal, get_args

import numpy as np

from snellen import discovery
from snellen.answer import Answer
from snellen.engine.choice import RULES, convention_of, judge_of
from snellen.engine.judged import Judged
from snellen.engine.stated import Stated
from snellen.errors import SnellenError, UsageError
from snellen.intervals import FloatArray
from snellen.prompting._grounding import ABSENT
from snellen.table import VerdictTable

Source = Literal["words", "tokens"]
SOURCES: Final[tuple[Source, ...]] = get_args(Source)
"""Where a confidence comes from: what the answer says, or its tokens' probabilities."""

REFUSAL: Mapping[str, str] = {"en": "I cannot tell this from the image.", "zh": "根据图像无法判断。"}
"""What stands in place of an answer that is withheld; on screens it is the sentence that prompts give for rejecting."""


def source_of(name: str) -> Source:
    """The name as one of `SOURCES`.

    Raises:
        UsageError: it is none.
    """
    for known in SOURCES:
        if name == known:
            return known
    raise UsageError(f"a confidence comes from {' or '.join(SOURCES)}, not from {name!r}")


def asked_for(judged: Judged) -> bool:
    """Whether the run asked for a confidence, by its prompt or its parameters: without, no answer has one."""
    spec = judged.run.spec
    return Stated.of(spec.get("prompt", "")).asked or bool((spec.get("parameters") or {}).get("logprobs"))


def confidences(judged: Judged, table: VerdictTable, source: Source | None = None) -> tuple[FloatArray, Source | None]:
    """(the confidence of each row, shape (N,), NaN where there is none; where they come from). Rows are streamed.

    Args:
        judged: the run.
        table: rows of its table.
        source: where they are to come from; None for what was asked for in words, else for tokens. None comes back
            where there is not a single one.
    """
    stated = Stated.of(judged.run.spec.get("prompt", ""))
    place = {position: number for number, position in enumerate(table.positions.tolist())}
    found: dict[Source, FloatArray] = {name: np.full(len(table), np.nan) for name in SOURCES}
    for row in judged.rows():
        number, answer = place.get(row.position), row.answer
        if number is None or answer is None or answer.failure is not None:
            continue
        if (said := stated.confidence(answer)) is not None:
            found["words"][number] = said
        if answer.likelihood is not None:
            found["tokens"][number] = answer.likelihood.mean
    for name in (source,) if source is not None else SOURCES:
        if np.isfinite(found[name]).any():
            return found[name], name
    return np.full(len(table), np.nan), None


def refused(judged: Judged, positions: Set[int]) -> dict[int, int]:
    """Position -> the value of a plain refusal in place of the answer, by the benchmark's rules.

    Whether declining is right is for the rubric to say: a bare refusal passes where the information is missing, and not
    where a false premise had to be pointed out. What the rules cannot tell is 0.
    """
    benchmark = discovery.load("benchmarks", judged.run.spec["benchmark"])
    own = benchmark.CARD.judge or RULES
    rubric = RULES if hasattr(discovery.load("judges", own), "ask") else own
    judge = judge_of(benchmark, rubric, None, convention=convention_of(judged.run))
    words = ABSENT if judged.card.domain == "screen" else REFUSAL
    found = {}
    for row in judged.rows():
        if row.position in positions:
            said = Answer("answered", text=words.get(row.item.language, words["en"]))
            try:
                found[row.position] = int(judge.read(row.item, said, ()).value == 1)
            except SnellenError:
                found[row.position] = 0
    return found
