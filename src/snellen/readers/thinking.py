"""Takes the thinking out of a model's text, and says whether the text was cut off.

Kinds of tags: ``<think>``, ``<thinking>``, ``<reasoning>``, ``<thought>``, ``<scratchpad>``, with attributes, a prefix
(``<seed:think>``) and any case; ``◁think▷``; ``[THINK]``; ``<|begin_of_thought|>``; ``<|START_THINKING|>``;
``<|channel>thought ... <channel|>``; ``<unused94>thought ... <unused95>``; and harmony's channels
(``<|channel|>analysis<|message|>...<|end|><|start|>assistant<|channel|>final<|message|>...``), also after a decoder
that dropped the special tokens (``analysis...assistantfinal...``). Wrappers of the final answer (``<answer>``,
``<|begin_of_box|>``, ``<|begin_of_solution|>``, ``[BEGIN FINAL RESPONSE]`` and such) are taken off; what they hold
stays.

Rules:

- A closing tag closes everything that is open, and one that was never opened makes thinking of all that stands before
  it (servers put the opening tag into the prompt). So doubled and nested opening tags do no harm.
- An opening tag without an end leaves what stood before it, and the text counts as cut.
- A finish reason of "length" (or ``max_tokens``) means cut, whatever the text looks like.
- A tag that is quoted (``` `<think>` ```, ``"</think>"``) is talked about and stays. A code block around everything is
  no quotation: some models fence their whole output.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from snellen.readers.pattern import Pattern

_CUT_REASONS: Final = frozenset({"length", "max_tokens", "max_output_tokens", "model_length"})

# How every tag starts: a bracket and at last a letter. Most answers hold nothing like it, and are read no further.
_LIKE_A_TAG: Final = Pattern(r"[<◁\[][\s|/]{0,10}(?:\w{1,16}:)?[^\W\d_]")
_NAMES = r"(?:think|thinking|reasoning|thoughts?|scratchpad|inner_monologue|internal_thoughts?)"
_TAG: Final = Pattern(
    rf"(?P<open><\s{{0,4}}(?:\w{{1,16}}:)?{_NAMES}(?:\s[^<>]{{0,200}})?>|◁\s?{_NAMES}\s?▷|\[{_NAMES}\]|"
    rf"<\|begin_of_{_NAMES}\|>|<\|start_thinking\|>|"
    rf"<\|{_NAMES}\|>|<\|channel>\s{{0,4}}{_NAMES}\b|<unused94>\s{{0,4}}{_NAMES}?\b)"
    rf"|(?P<close><\s{{0,4}}/\s{{0,4}}(?:\w{{1,16}}:)?{_NAMES}\s{{0,4}}>|◁\s?/\s?{_NAMES}\s?▷|\[/{_NAMES}\]|"
    rf"<\|end_of_{_NAMES}\|>|<\|end_thinking\|>|"
    rf"<\|/{_NAMES}\|>|<channel\|>|<unused95>)",
    re.IGNORECASE,
)
_WRAPPER: Final = Pattern(
    r"</?(?:final_?)?answer>|<\|(?:begin|end)_of_(?:box|solution|answer)\|>|<\|(?:start|end)_response\|>|"
    r"</?solution>|</?final_?response>|"
    r"\[(?:BEGIN|END) FINAL RESPONSE\]|◁/?answer▷|<\|(?:end|return|eot_id|im_end|endoftext)\|>",
    re.IGNORECASE,
)
_HARMONY: Final = Pattern(
    r"(?:<\|start\|>\s{0,4}\w{0,32})?<\|channel\|>\s{0,4}(?P<name>\w{1,32})[^<>]{0,200}(?:<\|constrain\|>[^<>]{0,64})?<\|message\|>",
    re.IGNORECASE,
)
_HARMONY_END: Final = Pattern(r"<\|(?:end|return|call)\|>", re.IGNORECASE)
_QUOTES: Final = {"`": "`", '"': '"', "'": "'", "“": "”", "‘": "’", "「": "」", "『": "』", "«": "»"}
_MOST_PASSES: Final = 4


def strip(text: str, finish_reason: str | None = None) -> tuple[str, bool]:
    """The visible text, and whether the answer was cut off.

    Args:
        text: what the model returned.
        finish_reason: the server's word for why it stopped, if it gave one.

    Returns:
        The text without thinking and wrappers, outer white space removed; and True where the thinking never ended or
        the finish reason says that the limit of tokens was reached.

    >>> strip("<think>Is it yes? No handle, though.</think>No")
    ('No', False)
    >>> strip("<think>The pan seems to be yes but", "length")
    ('', True)
    """
    cut = (finish_reason or "").lower() in _CUT_REASONS
    visible = text
    for _ in range(_MOST_PASSES):
        if not _may_hold_tags(visible) and "assistantfinal" not in visible:
            return visible.strip(), cut
        before = visible
        visible, unfinished = _harmony(visible)
        cut = cut or unfinished
        visible, unfinished = _tags(visible)
        cut = cut or unfinished
        visible = _unwrap(visible).strip()
        if visible == before:
            return visible, cut
    # Tags that only appear once others are gone ("<th<think></think>ink>"), again and again: no model's answer.
    left = any(next(_each(pattern, visible), None) for pattern in (_TAG, _WRAPPER, _HARMONY))
    return ("", True) if left else (visible, cut)


def _may_hold_tags(text: str) -> bool:
    return ("<" in text or "[" in text or "◁" in text) and _LIKE_A_TAG.search(text) is not None


def _each(pattern: Pattern, text: str) -> Iterator[re.Match[str]]:
    """What `pattern.finditer` finds, for a pattern that starts like a tag; tried only where something does."""
    like = _LIKE_A_TAG.search(text)
    while like is not None:
        found = pattern.match(text, like.start())
        if found is not None:
            yield found
        like = _LIKE_A_TAG.search(text, found.end() if found is not None else like.start() + 1)


def _tags(text: str) -> tuple[str, bool]:
    """The text outside of thinking tags, and whether one stayed open."""
    kept: list[str] = []
    start = 0  # where the visible stretch begins; meaningless while thinking
    thinking = False
    quoted_open = False
    for found in _each(_TAG, text):
        if found.lastgroup == "open":
            if thinking:
                continue
            if _quoted(text, found):
                continue
            if quoted_pair := _opens_quoted_pair(text, found):
                quoted_open = quoted_pair
                continue
            kept.append(text[start : found.start()])
            thinking = True
        else:
            if quoted_open and text[found.end() : found.end() + 1] == "`":
                quoted_open = False
                continue
            if _quoted(text, found):
                continue
            if not thinking:
                kept.clear()
            start, thinking, quoted_open = found.end(), False, False
    if not thinking:
        kept.append(text[start:])
    return "".join(kept), thinking


def _quoted(text: str, found: re.Match[str]) -> bool:
    before, after = (
        text[found.start() - 1 : found.start()] if found.start() else "",
        text[found.end() : found.end() + 1],
    )
    return bool(before) and _QUOTES.get(before) == after


def _opens_quoted_pair(text: str, found: re.Match[str]) -> bool:
    """Whether a code span starts with this tag and ends with a closing tag, on one line: `<think>...</think>`."""
    if found.start() == 0 or text[found.start() - 1] != "`" or text[max(0, found.start() - 2) : found.start()] == "``":
        return False
    closing = text.find("`", found.end(), found.end() + 200)
    inside = text[found.end() : closing] if closing >= 0 else ""
    return (
        closing >= 0
        and "\n" not in inside
        and any(m.lastgroup == "close" and m.end() == len(inside) for m in _each(_TAG, inside))
    )


def _harmony(text: str) -> tuple[str, bool]:
    """What stands in the final channel, and whether it is missing; the text itself where there are no channels."""
    headers = list(_each(_HARMONY, text))
    if headers:
        final = [index for index, header in enumerate(headers) if header["name"].lower() == "final"]
        if not final:
            return text[: headers[0].start()], True
        parts = []
        for index in final:
            stop = headers[index + 1].start() if index + 1 < len(headers) else len(text)
            body = text[headers[index].end() : stop]
            ended = _HARMONY_END.search(body)
            parts.append(body[: ended.start()] if ended else body)
        return "\n".join(parts), False
    lead = text.lstrip()
    if lead.startswith("analysis") and "assistantfinal" in lead:
        return lead.rpartition("assistantfinal")[2], False
    return text, False


def _unwrap(text: str) -> str:
    parts: list[str] = []
    last = 0
    for found in _each(_WRAPPER, text):
        if not _quoted(text, found):
            parts.append(text[last : found.start()])
            last = found.end()
    return "".join(parts) + text[last:]
