"""The atomic claims of an answer, read anew from the judge's replies in the ledger: they are stored nowhere else."""

from __future__ import annotations

from collections.abc import Sequence

from snellen.answer import Answer
from snellen.atomic_claim import AtomicClaim, locate
from snellen.engine.as_judged import AsJudged
from snellen.engine.judge import Judge
from snellen.engine.judging import is_removed, settled
from snellen.errors import UnreadableReplyError
from snellen.ledger import Ledger
from snellen.readers import thinking


class Claimed:
    """The claims that one judging found in answers.

    Args:
        ledger: that holds run and judging.
        run_id, judging_id: their numbers there.
        judge: of the judging.
    """

    def __init__(self, ledger: Ledger, run_id: int, judging_id: int, judge: Judge) -> None:
        self._ledger, self._run_id, self._judging_id, self._judge = ledger, run_id, judging_id, judge
        self._as_judged = AsJudged(ledger, run_id, judge.on)

    @staticmethod
    def reads(judge: Judge | None) -> bool:
        """Whether a judge takes answers apart."""
        return judge is not None and hasattr(judge.module, "atomic_claims")

    def at(self, position: int) -> Sequence[AtomicClaim]:
        """The claims of the answer at a position, with their places in its text without the thinking.

        None where nothing was judged there, or no reply can be read.
        """
        rows = self._ledger.at(self._run_id, self._judging_id, [position])
        if not rows or rows[0].answer is None:
            return ()
        shown = self._as_judged(rows)[0]
        assert shown.answer is not None
        verdict, visible = settled(shown.answer, parity=self._judge.parity, removed=is_removed(shown.item))
        if verdict is not None:
            return ()
        for _, reply, _ in self._ledger.replies(self._judging_id, position):
            if reply is None:
                continue
            try:
                claims = self._judge.module.atomic_claims(shown.item, visible, (reply,), **self._judge.options)
            except UnreadableReplyError:
                continue
            return self._placed(rows[0].answer, visible.text, claims)
        return ()

    def _placed(self, answer: Answer, judged: str, claims: Sequence[AtomicClaim]) -> Sequence[AtomicClaim]:
        text, _ = thinking.strip(answer.text, answer.finish_reason or None)
        return claims if text == judged else locate(text, claims)  # a confidence was taken out for the judge
