"""Verdicts recorded elsewhere: people's labels, another tool's scores.

The import files each verdict as a reply ``{"value": 1, "reason": "..."}``; nothing is asked, so this judge has no
``ask``. ``null`` says that whoever judged could not tell.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from snellen.answer import Answer
from snellen.errors import UnreadableReplyError
from snellen.item import Item
from snellen.judges._cell import flags_of, option
from snellen.verdict import Verdict

OPTIONS: Mapping[str, tuple[str, ...]] = {}


def read(item: Item, answer: Answer, replies: Sequence[Answer], **options: str) -> Verdict:
    """The recorded verdict, with the flags that any judge sets.

    Raises:
        UnreadableReplyError: the last reply is not an object with ``value`` (0, 1 or null) and, if at all, a ``reason``
            in words, and nothing else.
        UsageError: any option: this judge has none.
    """
    option(options, OPTIONS)
    if not replies:
        raise UnreadableReplyError("no verdict was recorded for this answer; import one")
    value, reason = _parse(replies[-1].text)
    flags = flags_of(item, answer.text)
    if value is None:
        return Verdict(None, reason or "Recorded as undecided.", flags=flags, unscored="judge_cannot_tell")
    return Verdict(value, reason or "As recorded.", flags=flags)


def _parse(text: str) -> tuple[int | None, str]:
    try:
        data: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableReplyError(f"a recorded verdict is not JSON: {text[:80]!r}") from error
    if not isinstance(data, dict) or "value" not in data or data.keys() - {"value", "reason"}:
        form = '{"value": 0, 1 or null, "reason": "..."}'
        raise UnreadableReplyError(f"a recorded verdict is {form}, not {text[:80]!r}")
    value, reason = data["value"], data.get("reason", "")
    if value is not None and (type(value) is not int or value not in (0, 1)):
        raise UnreadableReplyError(f"a recorded verdict's value is 0, 1 or null, not {value!r:.80}")
    if not isinstance(reason, str):
        raise UnreadableReplyError(f"a recorded verdict's reason is a text, not {reason!r:.80}")
    return value, reason
