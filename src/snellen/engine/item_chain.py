"""The whole chain of one item: what was sent and asked, what came back, what was read in it, who judged it and how.

Everything comes from the ledger and the image store; nothing is asked. The result is plain values, as `snellen show
--json` gives them.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, Final

from snellen.answer import Answer
from snellen.engine import item_reading, item_request
from snellen.engine.as_judged import AsJudged
from snellen.engine.choice import convention_of, judge_from_row
from snellen.engine.human_labels import HumanLabels
from snellen.engine.judged import Judged, JudgedRow
from snellen.engine.judging import is_removed, settled
from snellen.engine.stated import Stated
from snellen.engine.workspace import Workspace
from snellen.errors import ImageError, UsageError
from snellen.item import Item
from snellen.ledger import Ledger, ResultRow, RunRow, looking

FIRST_WORDS: Final = 300
"""Characters of another run's answer that are kept."""

_NEAR = 5
_COMPARED = 3_000  # ids that are compared letter by letter


def chain(workspace: Workspace, name: str, item: str, labels: HumanLabels | None = None) -> dict[str, Any]:
    """Everything that is known of one item of a run, as plain values.

    Args:
        workspace: where the run is.
        name: of the run, or of one of its judgings, whose verdict then comes first.
        item: its id.
        labels: of people, among which are those of this answer.

    Raises:
        UsageError: there is no such run, or it has no such item; the nearest names are given.
    """
    ledger = workspace.ledger
    run, named = _run(ledger, name)
    places = looking.places_of(ledger, item)
    position = next((place for number, place in places if number == run.id), None)
    if position is None:
        raise UsageError(f"{run.name} has no item {item!r}; {_nearest(ledger, run.id, item)}")
    judgings = sorted(ledger.judgings(run.id), key=lambda row: named is None or row.id != named.id)
    opened = [Judged(workspace, run, row, judge_from_row(row)) for row in judgings]
    bare = opened[0] if opened else Judged(workspace, run, None, None)
    row, result = next(bare.rows_at([position])), ledger.at(run.id, None, [position])[0]
    stated = Stated.of(run.spec.get("prompt", ""))
    return {
        "run": run.name,
        **row.item.to_json(),
        "position": position,
        "reference_text": "none" if row.item.reference is None else row.item.reference.text,
        "image_paths": [bare.image_path(image.sha256) for image in row.item.images if image.sha256],
        "purged": run.manifest.get("purged", {}),
        "image_files": _images(bare, row),
        "request": item_request.asked(run, row.item, result.key),
        "answer": _answer(row),
        "error": result.error,
        "failures": looking.failures_of(ledger, result.key) if result.key is not None else [],
        "readings": _readings(run, row, stated),
        "verdicts": [_verdict(workspace, each, result) for each in opened] or [_unjudged(row)],
        "people": [_label(label) for label in _labels(labels, run, item)],
        "other_runs": _others(workspace, run, places, judgings[0] if judgings else None),
    }


def _run(ledger: Ledger, name: str) -> tuple[RunRow, RunRow | None]:
    row = ledger.find_run(name)
    if row.parent is None:
        return row, None
    return next(each for each in ledger.runs() if each.id == row.parent), row


def _nearest(ledger: Ledger, run_id: int, item: str) -> str:
    """Names like the one that is not there: those that hold it, else those that are spelt like it."""
    ids = list(looking.ids_of(ledger, run_id))
    if not ids:
        return "it has no items"
    folded = item.casefold()
    near = [each for each in ids if folded and folded in each.casefold()][:_NEAR]
    if not near:
        ids.sort(key=lambda each: (-_alike(each, item), abs(len(each) - len(item))))  # the sort is stable
        near = difflib.get_close_matches(item, ids[:_COMPARED], n=_NEAR, cutoff=0.6)
    return f"did you mean {' or '.join(near)}?" if near else f"its ids look like {ids[0]}"


def _alike(one: str, other: str) -> int:
    """How many characters two names share at their beginning."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _images(judged: Judged, row: JudgedRow) -> list[dict[str, Any]]:
    sent = (row.answer.sent.get("images") or ()) if row.answer is not None else ()
    found = []
    for number, image in enumerate(row.item.images):
        data = problem = None
        try:
            data = judged.image(image.sha256) if image.sha256 else None
        except ImageError as error:
            problem = error.what
        if data is None and problem is None:
            problem = "it is not in the workspace"
        found.append(
            {
                "name": image.name,
                "path": judged.image_path(image.sha256) if image.sha256 else "",
                "sha256": image.sha256,
                "problem": problem,
                **item_request.image_of(data, sent[number] if number < len(sent) else None),
            }
        )
    return found


def _answer(row: JudgedRow) -> dict[str, Any] | None:
    answer = row.answer
    if answer is None:
        return None
    inside = answer.text.strip() != row.visible
    return {
        "status": answer.status,
        "text": row.visible,
        "whole_text": answer.text if inside else None,
        "thinking": answer.thinking or (_left_out(answer.text, row.visible) if inside else ""),
        "finish_reason": answer.finish_reason,
        "usage": asdict(answer.usage),
        "seconds": answer.latency,
        "sent": answer.sent,
        "server_model": answer.server_model,
        "likelihood": None if answer.likelihood is None else asdict(answer.likelihood),
    }


def _left_out(text: str, visible: str) -> str:
    """What was taken out of a text as thinking; all of it where what is left does not stand in it in one piece."""
    if not visible:
        return text.strip()
    before, found, after = text.rpartition(visible)
    return f"{before}{after}".strip() if found else text


def _readings(run: RunRow, row: JudgedRow, stated: Stated) -> list[dict[str, Any]]:
    if row.answer is None:
        return []
    without = stated.without(row.answer)
    assert without is not None
    text = without.text if without is not row.answer else row.visible
    if not text.strip():
        return []
    shown = replace(row.answer, text=text)
    return item_reading.readings(row.item, shown, convention_of(run), stated, row.answer)


def _verdict(workspace: Workspace, judged: Judged, result: ResultRow) -> dict[str, Any]:
    judging, judge, ledger = judged.judging, judged.judge, workspace.ledger
    assert judging is not None
    assert judge is not None
    position = result.position
    row = next(judged.rows_at([position]))
    keys = looking.reply_keys(ledger, judging.id, position)
    shown: tuple[Item, Answer] | None = None
    if result.answer is not None:
        as_judged = AsJudged(ledger, judged.run.id, judge.on)([result])[0]
        assert as_judged.answer is not None
        decided, visible = settled(as_judged.answer, parity=judge.parity, removed=is_removed(as_judged.item))
        shown = None if decided is not None else (as_judged.item, visible)
    asked = None if shown is None else item_request.rubric(judge, *shown, keys, workspace.models)
    replies = ledger.replies(judging.id, position)
    verdict = row.verdict
    return {
        "judging": judging.name,
        "judge": judge.name,
        "options": dict(judge.options),
        "vectors": judge.embeds,
        "value": verdict.value,
        "unscored": verdict.unscored,
        "reason": verdict.reason,
        "flags": list(verdict.flags),
        "measures": {name: list(pair) for name, pair in verdict.measures.items()},
        "reads": "" if shown is None else item_reading.read_by(judge, *shown, asked is not None),
        "rubric": asked,
        "replies": [
            reply.text if reply is not None else f"failed: {failure.message if failure else 'not asked'}"
            for _, reply, failure in replies
        ],
        "attempts": [
            {
                "attempt": attempt,
                "status": "failed" if reply is None else reply.status,
                "text": "" if reply is None else reply.text,
                "thinking": "" if reply is None else reply.thinking,
                "finish_reason": "" if reply is None else reply.finish_reason,
                "seconds": None if reply is None else reply.latency,
                "usage": None if reply is None else asdict(reply.usage),
                "server_model": "" if reply is None else reply.server_model,
                "failures": looking.failures_of(ledger, keys[attempt]) if reply is None else [],
            }
            for attempt, reply, _ in replies
            if not judge.embeds
        ],
        "claims": [asdict(claim) for claim in judged.claims(position)],
    }


def _unjudged(row: JudgedRow) -> dict[str, Any]:
    return {
        **dict.fromkeys(("judging", "judge", "reads"), ""),
        "options": {},
        "vectors": False,
        "value": None,
        "unscored": row.verdict.unscored,
        "reason": row.verdict.reason,
        "flags": [],
        "measures": {},
        "rubric": None,
        "replies": [],
        "attempts": [],
        "claims": [],
    }


def _labels(labels: HumanLabels | None, run: RunRow, item: str) -> list[Any]:
    if labels is None:
        return []
    return [label for label in labels.labels if label.item == item and label.run in ("", run.name)]


def _label(label: Any) -> dict[str, Any]:
    return {"rater": label.rater, "value": label.value, "file": label.file, "row": label.row}


def _others(
    workspace: Workspace, run: RunRow, places: Sequence[tuple[int, int]], judging: RunRow | None
) -> list[dict[str, Any]]:
    """What other runs said of the item: each through its judging of the same name, else its newest."""
    ledger, by_id = workspace.ledger, _by_id(workspace)
    wanted = judging.name.partition("@")[2] if judging is not None else ""
    found = []
    for number, position in places:
        other = by_id.get(number)
        if other is None or number == run.id:
            continue
        judgings = ledger.judgings(number)
        same = [each for each in judgings if each.name.partition("@")[2] == wanted]
        chosen = next(iter((same or judgings)[-1:]), None)
        judged = Judged(workspace, other, chosen, judge_from_row(chosen) if chosen is not None else None)
        row = next(judged.rows_at([position]))
        found.append(
            {
                "run": judged.name,
                "model": other.spec.get("model", ""),
                "prompt": other.spec.get("prompt", ""),
                "status": row.answer.status if row.answer is not None else "missing",
                "value": row.verdict.value,
                "unscored": row.verdict.unscored,
                "flags": list(row.verdict.flags),
                "answer": " ".join(row.visible[: 4 * FIRST_WORDS].split())[:FIRST_WORDS],
                "same_item": other.spec.get("data") == run.spec.get("data"),
            }
        )
    return found


def _by_id(workspace: Workspace) -> Mapping[int, RunRow]:
    return {row.id: row for row in workspace.ledger.runs() if row.parent is None}
