"""The judge of SHALE: readers for what can be read, and a model that sees the picture for what must be looked at.

Paper: SHALE (arXiv 2508.09584). Yes/no, multiple choice and free-form are decided by readers, with no model: a
free-form answer by the words of the truth, and with option ``free_form=judge`` a model is asked whether it means the
same where the words do not decide. Captions, and the answers to any other item, are judged by a model that sees the
image itself, the instruction, the truth and, for factuality, the facts; one answer a prompt, in our own words, in
English or Chinese.

Instruction, truth, facts and answer stand between marks that carry a digest of all of them, so that no answer can
contain its own end mark, and are declared to be data.

Beside the verdict on a caption stands object-level CHAIR, where the item names the objects in its picture.

Option ``scoring=parity`` reads yes, no, options and the judge's reply as the published script does (the reply is asked
for in its form), and has free-form answers judged like captions, as it does. ``image=unseen`` hides the image.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from snellen.answer import Answer
from snellen.item import Item
from snellen.judges._cell import empty_verdict, flags_of, option
from snellen.judges._discriminative import matches, task_of, verdict_of
from snellen.judges._label import Label, parity_label, strict_label
from snellen.judges._objects import measures_of
from snellen.judges._prompt import IMAGE, delimited, message
from snellen.judges._shale_prompts import Rubric, prompt
from snellen.readers import thinking
from snellen.request import Message
from snellen.verdict import UNCLEAR, Verdict

OPTIONS = {"image": IMAGE[::-1], "scoring": ("corrected", "parity"), "free_form": ("match", "judge")}
PARAMETERS = {"temperature": 0}

_VALUES: dict[Label, int | None] = {"no hallucination": 1, "hallucination": 0, "unclear": 0, "cannot tell": None}


def ask(item: Item, answer: Answer, **options: str) -> tuple[Message, ...] | None:
    """The one message for the judge, or None where no model is needed: an empty answer, or one that a reader decides.

    Raises:
        UsageError: an unknown option.
    """
    chosen = option(options, OPTIONS)
    rubric = _rubric(item, answer.text, chosen)
    if rubric is None:
        return None
    seen = chosen["image"] == "seen" and bool(item.images)
    parts = {"INSTRUCTION": item.question, "TRUTH": item.reference.text if item.reference else ""}
    if rubric == "factuality":
        parts["FACTS"] = "\n".join(item.facts)
    parts["ANSWER"] = answer.text
    text = prompt(
        item.language,
        rubric,
        aspect=item.labels.get("aspect", ""),
        seen=seen,
        parity=chosen["scoring"] == "parity",
        data=delimited({name: said for name, said in parts.items() if said.strip()}),
    )
    return message(item, text, image=seen)


def read(item: Item, answer: Answer, replies: Sequence[Answer], **options: str) -> Verdict:
    """The verdict of a reader, or that in the judge's last reply, with its evidence as the reason.

    It carries the measures of `measures_of` for a caption.

    An answer that is *unclear* commits to nothing: value 0, flagged. A judge that *cannot tell* leaves it unscored.

    Raises:
        UnreadableReplyError: the reply does not end in exactly one verdict of the agreed form (never in parity mode,
            where such a reply leaves the item unscored, as it leaves the published denominator).
        UsageError: an unknown option.
    """
    verdict = _read(item, answer, replies, option(options, OPTIONS))
    measures = measures_of(item, answer.text)
    return replace(verdict, measures={**verdict.measures, **measures}) if measures else verdict


def _read(item: Item, answer: Answer, replies: Sequence[Answer], chosen: dict[str, str]) -> Verdict:
    parity = chosen["scoring"] == "parity"
    if _rubric(item, answer.text, chosen) is None:
        if task_of(item) is None or not answer.text.strip():
            return empty_verdict()
        return verdict_of(item, answer.text, parity=parity)
    flags = flags_of(item, answer.text)
    reply = replies[-1] if replies else Answer("answered")
    if parity:
        label = parity_label(reply.text)
        if label is None:
            reason = "The published script finds no label in the judge's reply and leaves the item out."
            return Verdict(None, reason, flags=flags, unscored="judge_error")
        return _verdict(label, f"The published script reads {label!r} in the judge's reply.", flags)
    visible, cut = thinking.strip(reply.text, reply.finish_reason or None)
    label, evidence = strict_label(visible, cut=cut or reply.status != "answered", answer=answer.text)
    return _verdict(label, evidence or "The judge gave no evidence.", flags)


def _rubric(item: Item, text: str, chosen: dict[str, str]) -> Rubric | None:
    """What a model has to judge; None where it has nothing to."""
    if not text.strip():
        return None
    task = task_of(item)
    if task == "free-form" and chosen["scoring"] == "corrected":
        return None if chosen["free_form"] == "match" or matches(item, text) else "sameness"
    if task in ("yes-no", "multiple-choice"):
        return None
    kind = item.labels.get("kind") or ("factuality" if item.facts else "faithfulness")
    return "factuality" if kind == "factuality" else "faithfulness"


def _verdict(label: Label, reason: str, flags: tuple[str, ...]) -> Verdict:
    value = _VALUES[label]
    if label == "unclear":
        flags = (*flags, UNCLEAR)
    return Verdict(value, reason, flags=flags, unscored="judge_cannot_tell" if value is None else "")
