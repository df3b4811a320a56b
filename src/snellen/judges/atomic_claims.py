"""The judge of atomic claims: a model that splits an answer into its claims and says of each whether it is borne out.

After FActScore (Min et al. 2023, arXiv 2305.14251), which splits a text into atomic facts and checks each against a
source, and FaithScore (Jing et al. 2023, arXiv 2311.01477), which does so for answers about images. It fits any
benchmark: ``--judge MODEL --rubric atomic-claims``. Each claim comes with the words of the answer that make it, one of
four verdicts (supported, contradicted, absent, cannot tell) and a short reason; the prompts are our own, English and
Chinese.

An answer is free of hallucination (1) if none of its claims is contradicted or absent. It has no value where the judge
can tell of none of them. One that makes no claim and declines has nothing in it that could be invented: 1, flagged as
abstained; one that makes no claim and does not decline commits to nothing: 0, flagged as unclear.

Instruction, truth, facts and answer stand between marks that carry a digest of all of them, so that no answer can
contain its own end mark, and are declared to be data. The judge's list stands between such marks too. Option
``image=unseen`` hides the image, so that only the truth and the facts decide.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from snellen.answer import Answer
from snellen.atomic_claim import AtomicClaim
from snellen.item import Item
from snellen.judges._cell import empty_verdict, flags_of, option
from snellen.judges._claim_prompts import prompt
from snellen.judges._claim_reply import claims_in
from snellen.judges._prompt import IMAGE, delimited, message, tag_of
from snellen.readers import thinking
from snellen.request import Message
from snellen.verdict import ABSTAINED, UNCLEAR, Verdict

OPTIONS = {"image": IMAGE[::-1]}
PARAMETERS = {"temperature": 0}

_NAMED = 3  # hallucinated claims that the reason tells of
_LONGEST_REASON = 500


def ask(item: Item, answer: Answer, **options: str) -> tuple[Message, ...] | None:
    """The one message for the judge, or None for an empty answer, which scores 0 unasked.

    Raises:
        UsageError: an unknown option.
    """
    chosen = option(options, OPTIONS)
    if not answer.text.strip():
        return None
    seen = chosen["image"] == "seen" and bool(item.images)
    parts = _parts(item, answer)
    return message(item, prompt(item.language, seen=seen, tag=tag_of(parts), data=delimited(parts)), image=seen)


def read(item: Item, answer: Answer, replies: Sequence[Answer], **options: str) -> Verdict:
    """The verdict on the answer that the claims in the judge's last reply come to.

    Its measures are ``claims``: how many there are, of 1 answer; and ``supported``, ``contradicted`` and ``absent``: so
    many of the claims of which the judge could tell, where it could tell of any or there is none.

    Raises:
        UnreadableReplyError: the reply is no list of claims in the agreed form.
        UsageError: an unknown option.
    """
    claims = atomic_claims(item, answer, replies, **options)
    if not answer.text.strip():
        return empty_verdict()
    flags = flags_of(item, answer.text)
    measures = _measures(claims)
    if not claims:
        if ABSTAINED in flags:
            return Verdict(1, "It declines, and makes no claim.", flags=flags, measures=measures)
        return Verdict(0, "It makes no claim.", flags=(*flags, UNCLEAR), measures=measures)
    if all(claim.verdict == "cannot tell" for claim in claims):
        reason = f"The judge can tell of none of its {len(claims):,} claims."
        return Verdict(None, reason, flags=flags, unscored="judge_cannot_tell", measures=measures)
    wrong = [claim for claim in claims if claim.hallucinated]
    return Verdict(0 if wrong else 1, _reason(claims, wrong), flags=flags, measures=measures)


def atomic_claims(item: Item, answer: Answer, replies: Sequence[Answer], **options: str) -> tuple[AtomicClaim, ...]:
    """The claims in the judge's last reply, with their places in the answer; none of an empty answer.

    Raises:
        UnreadableReplyError: the reply is no list of claims in the agreed form.
        UsageError: an unknown option.
    """
    option(options, OPTIONS)
    if not answer.text.strip():
        return ()
    reply = replies[-1] if replies else Answer("answered")
    visible, cut = thinking.strip(reply.text, reply.finish_reason or None)
    cut = cut or reply.status != "answered"
    return claims_in(visible, tag=tag_of(_parts(item, answer)), cut=cut, answer=answer.text)


def _parts(item: Item, answer: Answer) -> Mapping[str, str]:
    """What the judge is given, name -> text; the answer last."""
    parts = {
        "INSTRUCTION": item.question,
        "TRUTH": item.reference.text if item.reference else "",
        "FACTS": "\n".join(item.facts),
    }
    return {**{name: said for name, said in parts.items() if said.strip()}, "ANSWER": answer.text}


def _measures(claims: Sequence[AtomicClaim]) -> Mapping[str, tuple[float, float]]:
    said = [claim.verdict for claim in claims]
    told = len(said) - said.count("cannot tell")
    if said and not told:
        return {"claims": (len(said), 1)}
    return {
        "claims": (len(said), 1),
        "supported": (said.count("supported"), told),
        "contradicted": (said.count("contradicted"), told),
        "absent": (said.count("absent"), told),
    }


def _reason(claims: Sequence[AtomicClaim], wrong: Sequence[AtomicClaim]) -> str:
    unknown = sum(claim.verdict == "cannot tell" for claim in claims)
    beside = f"; {unknown:,} cannot be told" if unknown else ""
    if not wrong:
        return (
            f"{len(claims) - unknown:,} of {len(claims):,} claims are supported, none contradicted or absent{beside}."
        )
    named = "; ".join(
        f"{(claim.text or claim.quote)[:120]!r} is {claim.verdict}{f' ({claim.reason[:120]})' if claim.reason else ''}"
        for claim in wrong[:_NAMED]
    )
    more = f"; and {len(wrong) - _NAMED:,} more" if len(wrong) > _NAMED else ""
    return f"{len(wrong):,} of {len(claims):,} claims are hallucinated{beside}: {named}{more}"[:_LONGEST_REASON]
