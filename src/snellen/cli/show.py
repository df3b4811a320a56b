"""snellen show"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from snellen.cli import loading, options
from snellen.cli.plain import say


@click.command(name="show", short_help="Show one item of a run with its answer and every verdict.")
@click.argument("run")
@click.argument("item")
@options.json_output
@click.pass_obj
def command(workspace: Path, run: str, item: str, as_json: bool) -> int:
    """Show ITEM of RUN: image path, question, reference, answer, every verdict and why."""
    with loading.quickly():
        from snellen import library
        from snellen.cli.finish import echo_json
        from snellen.engine.workspace import Workspace
        from snellen.errors import UsageError

    with Workspace(workspace) as opened:
        judged = library.open_judged(opened, run)
        row = judged.row(item)
        if row is None:
            raise UsageError(f"{judged.run.name} has no item {item!r}; its ids look like {_first_id(judged)}")
        shown: dict[str, Any] = {
            "run": judged.run.name,
            **row.item.to_json(),
            "image_paths": [judged.image_path(image.sha256) for image in row.item.images if image.sha256],
            "purged": judged.run.manifest.get("purged", {}),
            "answer": None
            if row.answer is None
            else {
                "status": row.answer.status,
                "text": row.visible,
                "thinking": row.answer.text != row.visible or bool(row.answer.thinking),
                "finish_reason": row.answer.finish_reason,
                "seconds": row.answer.latency,
                "sent": row.answer.sent,
                "server_model": row.answer.server_model,
            },
            "verdicts": [],
        }
        for judging in opened.ledger.judgings(judged.run.id):
            other = library.open_judged(opened, judging.name)
            verdict = next(each.verdict for each in other.rows() if each.position == row.position)
            replies = opened.ledger.replies(judging.id, row.position)
            shown["verdicts"].append(
                {
                    "judging": judging.name,
                    "vectors": other.judge is not None and other.judge.embeds,
                    "value": verdict.value,
                    "unscored": verdict.unscored,
                    "reason": verdict.reason,
                    "flags": list(verdict.flags),
                    "replies": [
                        reply.text if reply is not None else f"failed: {failure.message if failure else 'not asked'}"
                        for _, reply, failure in replies
                    ],
                }
            )
        if not judged.judging:
            shown["verdicts"].append(
                {
                    "judging": "",
                    "vectors": False,
                    "value": None,
                    "unscored": row.verdict.unscored,
                    "reason": row.verdict.reason,
                    "flags": [],
                    "replies": [],
                }
            )
    if as_json:
        echo_json(shown)
    else:
        _print(shown, row.item.reference.text if row.item.reference is not None else "none")
    return 0


def _first_id(judged: Any) -> str:
    return next((row.item.id for row in judged.rows()), "(none)")


def _print(shown: dict[str, Any], reference: str) -> None:
    answer = shown["answer"]
    labels = ", ".join(f"{name}={value}" for name, value in shown["labels"].items())
    pairs = [("run", shown["run"]), ("item", shown["id"]), ("labels", labels)]
    purged = shown["purged"].get("images")
    for path in shown["image_paths"]:
        gone = f" (purged on {purged})" if purged and not Path(path).exists() else ""
        pairs.append(("image", path + gone))
    pairs += [("question", shown["question"]), ("reference", reference)]
    if shown.get("given"):
        pairs.append(("given with the question", shown["given"]))
    if answer is None:
        pairs.append(("answer", "none"))
    else:
        extra = "; thinking left out" if answer["thinking"] else ""
        pairs.append(
            (f"answer ({answer['status']}, {answer['finish_reason'] or 'no reason given'}{extra})", answer["text"])
        )
    for verdict in shown["verdicts"]:
        value = f"unscored: {verdict['unscored']}" if verdict["value"] is None else str(verdict["value"])
        flags = f" [{', '.join(verdict['flags'])}]" if verdict["flags"] else ""
        pairs.append((f"verdict of {verdict['judging'] or 'nobody'}", f"{value}{flags} {verdict['reason']}".strip()))
        if verdict["vectors"]:
            pairs.append(("  the judge compared", f"{len(verdict['replies']):,} vectors of descriptions"))
        else:
            pairs += [("  the judge said", reply) for reply in verdict["replies"]]
    for name, text in pairs:
        say(f"{name}: {text}")
