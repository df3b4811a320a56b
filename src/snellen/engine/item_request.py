"""What was asked about one item, put together again: the messages of the model's request and of its judge's.

Messages are not stored: they follow from the item and the prompt. Whether they are still the ones that were sent is
told by the request's key, which is stored: where it differs, the prompt's or the rubric's source has changed since.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from snellen import discovery
from snellen.answer import Answer
from snellen.convention import Convention
from snellen.engine.choice import convention_of
from snellen.engine.judge import Judge
from snellen.errors import ImageError, UsageError
from snellen.image_policy import ImagePolicy
from snellen.images import identify
from snellen.item import Item
from snellen.ledger import RunRow
from snellen.model_spec import ModelSpec
from snellen.request import Message, Request, TextPart

SAME = "sent"
CHANGED = "changed"
RECORDED = "recorded"
GONE = "gone"
"""What is known of messages: they are those that were sent, the source has changed since, the answer was recorded
elsewhere and nothing was sent, or the prompt is gone."""


def asked(run: RunRow, item: Item, key: bytes | None) -> dict[str, Any]:
    """What was asked of a run's model about an item, as plain values.

    Args:
        run: whose model was asked.
        item: as it was asked.
        key: of the request; None where it could not be asked.
    """
    spec = run.spec
    found: dict[str, Any] = {
        "prompt": spec.get("prompt", ""),
        "model": spec.get("model", ""),
        "revision": spec.get("revision", ""),
        "image_policy": spec.get("image_policy", "") if item.images else "",
        "parameters": dict(spec.get("parameters") or {}),
        "key": key.hex() if key is not None else "",
        "messages": [],
        "messages_are": GONE,
    }
    try:
        ways = _ways(found["prompt"], item, convention_of(run))
    except UsageError:
        return found
    identity, policies = (found["model"], found["revision"], found["parameters"]), {found["image_policy"], ""}
    keys = [
        {Request(messages, *identity, policy, sample=spec.get("repeat", 0)).key for policy in policies}
        for messages in ways
    ]
    same = next((messages for messages, known in zip(ways, keys, strict=True) if key in known), None)
    found["messages"] = plain(ways[0] if same is None else same)
    found["messages_are"] = RECORDED if "recorded" in spec else CHANGED if same is None else SAME
    return found


def rubric(
    judge: Judge, item: Item, answer: Answer, keys: Mapping[int, bytes], models: Mapping[str, ModelSpec]
) -> dict[str, Any] | None:
    """What a judge asks of its model about an answer, as plain values; None where it asks nothing.

    Args:
        judge: of a judging.
        item, answer: as the judge is shown them.
        keys: attempt -> key of what it asked.
        models: those declared, whose limits for images are not kept with a judging.
    """
    try:
        request = judge.request(item, answer, 0) if judge.asks and not judge.embeds else None
    except Exception as error:  # as in judging: a judge's mistake on one item is that item's
        return {"messages": [], "messages_are": GONE, "error": f"{type(error).__name__}: {error}"}
    if request is None:
        return None
    are = CHANGED
    if judge.recording is not None:
        are = RECORDED
    elif not keys or any(each.key in keys.values() for each in _policies(request, models)):
        are = SAME
    return {"model": request.model, "parameters": dict(request.parameters), "messages": plain(request.messages),
            "messages_are": are}  # fmt: skip


def _policies(request: Request, models: Mapping[str, ModelSpec]) -> Iterator[Request]:
    yield request
    spec = models.get(request.model)
    if request.images and spec is not None:
        yield replace(request, image_policy=ImagePolicy.from_mapping(spec.image_limits).name)


def _ways(name: str, item: Item, convention: Convention) -> list[tuple[Message, ...]]:
    """The messages that a prompt may have written; a second run from a parse may show the screen beside it."""
    from snellen.engine.ladder import RUNGS
    from snellen.prompting import _given_parse

    if name in RUNGS.values():
        return [_given_parse.messages(item, convention, image=image) for image in (False, True)]
    return [discovery.load("prompting", name).messages(item, convention)]


def plain(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Messages as plain values: role and parts."""
    return [
        {
            "role": message.role,
            "parts": [
                {"kind": "text", "role": part.role, "text": part.text}
                if isinstance(part, TextPart)
                else {"kind": "image", "sha256": part.sha256}
                for part in message.parts
            ],
        }
        for message in messages
    ]


def image_of(data: bytes | None, sent: Mapping[str, Any] | None) -> dict[str, Any]:
    """What is known of an item's image: its original by the header, and what was sent of it."""
    found: dict[str, Any] = {"original": None, "sent": dict(sent) if sent else None, "as_it_is": None}
    if data is not None:
        try:
            info = identify(data)
        except ImageError as error:
            found["original"] = {"bytes": len(data), "problem": str(error)}
        else:
            found["original"] = {
                "bytes": len(data),
                "format": info.format,
                "width": info.width,
                "height": info.height,
                "mode": info.mode,
            }
    if sent:
        found["as_it_is"] = not sent.get("steps")
    return found
