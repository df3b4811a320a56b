"""Confidences that a prompt asks for: whether it does, what an answer states, and the answer without it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from snellen import discovery
from snellen.answer import Answer
from snellen.errors import UsageError
from snellen.readers import thinking


@dataclass(frozen=True, slots=True)
class Stated:
    """What the answers of a run state of their own certainty.

    Attributes:
        asked: whether the prompt asks for a confidence.
        words: on the scale that it offers -> the confidence of each.
    """

    asked: bool
    words: Mapping[str, float]

    @classmethod
    def of(cls, prompt: str) -> Stated:
        """By the prompt's own ``CONFIDENCE``; a prompt that is no file in the folder or is gone asks for none."""
        try:
            words = getattr(discovery.load("prompting", prompt), "CONFIDENCE", None)
        except UsageError:
            words = None
        return cls(words is not None, words or {})

    def confidence(self, answer: Answer) -> float | None:
        """In [0, 1]; None where none was asked for, none is stated, or the answer was cut."""
        return self._read(answer)[1] if self.asked else None

    def without(self, answer: Answer | None) -> Answer | None:
        """The answer without its thinking and the confidence; one that states none, or was cut, stays as it is."""
        if answer is None or not self.asked:
            return answer
        text, _ = self._read(answer)
        return answer if text is None else replace(answer, text=text)

    def _read(self, answer: Answer) -> tuple[str | None, float | None]:
        """(the answer's text without the statement, the confidence)."""
        from snellen.readers import confidence  # most prompts ask for none

        visible, cut = thinking.strip(answer.text, answer.finish_reason or None)
        if cut or answer.status != "answered":
            return None, None
        text, stated = confidence.strip(visible, self.words)
        return (text if text != visible else None), stated
