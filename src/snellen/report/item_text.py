"""The whole chain of one item on a terminal or in a pipe (`snellen.engine.item_chain` gives it).

On a terminal lines are wrapped with their indentation, up to 100 columns; in a pipe every line stays whole. Foreign
text can neither move the cursor nor turn the reading direction, and a long one is folded with a note of its length.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from snellen.atomic_claim import AtomicClaim, Segment, segments
from snellen.report.claim_marks import CLAIM_MARKS, clipped, label
from snellen.report.text import one_line, visible

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

WIDEST = 100
HEAD, TAIL = 5_000, 1_000
"""Characters of a long text that are shown: of its beginning, and of its end."""

_LIKE_A_MARK = re.compile(r"\[[+!?-]\d")
_OTHERS = 40
_HEADED = 500
_WORDS = 160
_ARE = {
    "changed": "the source has changed since: these are not word for word the messages that were sent",
    "recorded": "recorded elsewhere: nothing was sent from here",
    "gone": "they cannot be put together again: what wrote them is not here",
}


def show(chain: Mapping[str, Any], console: Console, *, full: bool = False) -> None:
    """Print a chain.

    Args:
        chain: as `snellen.engine.item_chain.chain` gives it.
        console: where to.
        full: long texts whole.
    """
    page = _Page(console, full)
    _item(page, chain)
    for number, image in enumerate(chain["image_files"], 1):
        _image(page, number, image, chain)
    _request(page, chain)
    _answer(page, chain)
    _readings(page, chain)
    for verdict in chain["verdicts"]:
        _verdict(page, verdict)
    _people(page, chain)
    _others(page, chain)


class _Page:
    """Lines with indentation."""

    def __init__(self, console: Console, full: bool) -> None:
        self._console, self._full = console, full

    def head(self, title: str, rest: str = "") -> None:
        from rich.text import Text

        self._print(Text(""))
        text = Text(one_line(title, _HEADED), style="bold")
        if rest:
            text.append(f" {one_line(rest, _HEADED)}", style="not bold")  # of several lines one could look like a head
        self._print(text)

    def line(self, name: str, value: str, indent: int = 2, style: str = "") -> None:
        """``name: value``; a value of several lines stands below its name."""
        from rich.text import Text

        shown = self._folded([Segment(value)])
        if "\n" in shown.plain:
            self._print(Text(f"{visible(name)}:"), indent)
            self._print(shown, indent + 2)
        else:
            self._print(Text.assemble((f"{visible(name)}: ", style), shown), indent, hang=2)

    def text(self, value: str, indent: int = 2) -> None:
        self._print(self._folded([Segment(value)]), indent)

    def claimed(self, value: str, claims: Sequence[AtomicClaim], indent: int = 2) -> None:
        self._print(self._folded(segments(value, claims), claims), indent)

    def _folded(self, parts: Sequence[Segment], claims: Sequence[AtomicClaim] = ()) -> Text:
        from rich.text import Text

        length = sum(len(part.text) for part in parts)
        head, tail = (length, 0) if self._full else (HEAD, TAIL)
        found = Text()
        for part, left_out in clipped(parts, head, tail):
            if left_out:
                note = f"... {left_out:,} of {length:,} characters are left out here (--full shows all) ..."
                found.append(f"\n{note}\n", style="dim")
            elif part.verdict:
                mark = CLAIM_MARKS[part.verdict]
                found.append(f"[{label(part.claims, claims)}: {visible(part.text)}]", style=mark.style)
            else:
                found.append(visible(part.text))
        return found

    def _print(self, text: Text, indent: int = 0, hang: int = 0) -> None:
        from rich.text import Text

        width = min(self._console.width, WIDEST)
        for line in text.split("\n", allow_blank=True):
            line.rstrip()
            if not line:
                self._console.print()
                continue
            line.expand_tabs(4)
            if not self._console.is_terminal:
                self._console.print(Text(" " * indent).append_text(line), soft_wrap=True)
                continue
            room = max(20, width - indent - hang)
            for number, piece in enumerate(line.wrap(self._console, room) or [line]):
                piece.rstrip()
                self._console.print(Text(" " * (indent + (hang if number else 0))).append_text(piece), soft_wrap=True)


def _item(page: _Page, chain: Mapping[str, Any]) -> None:
    page.line("run", chain["run"], 0)
    page.line("item", chain["id"], 0)
    page.line("labels", ", ".join(f"{name}={value}" for name, value in chain["labels"].items()) or "none", 0)
    for change in chain["changes"]:
        said = f"{change['name']}, severity {change['severity']}, seed {change['seed']}, truth {change['truth']}"
        page.line("change", said, 0)
    page.line("question", chain["question"], 0)
    for letter, text in chain.get("options", ()):
        page.line(letter, text)
    page.line("reference", chain["reference_text"], 0)
    if chain.get("facts"):
        page.line("facts", "\n".join(chain["facts"]), 0)
    if chain.get("given"):
        page.line("given with the question", chain["given"], 0)


def _image(page: _Page, number: int, image: Mapping[str, Any], chain: Mapping[str, Any]) -> None:
    page.head(f"image {number}", image["name"])
    purged = chain["purged"].get("images")
    gone = f" (purged on {purged})" if purged and not Path(image["path"] or ".").is_file() else ""
    page.line("file", (image["path"] or "none") + gone)
    original, sent = image["original"], image["sent"]
    if original is None:
        page.line("original", f"not to be read: {image['problem']}")
    elif "problem" in original:
        page.line("original", f"{original['bytes']:,} bytes, and {original['problem']}")
    else:
        page.line("original", _picture(original["format"], original))
    if sent is None:
        page.line("sent", "nothing is recorded of what was sent")
        return
    kind = str(sent.get("media_type", "")).rpartition("/")[2]
    how = "the original bytes" if image["as_it_is"] else "converted: " + "; ".join(map(str, sent["steps"]))
    page.line("sent", f"{_picture(kind, sent)}, sha256 {sent.get('sha256', '')}: {how}")


def _picture(kind: str, values: Mapping[str, Any]) -> str:
    size = f"{values.get('width', '?')}x{values.get('height', '?')}"
    return f"{kind} {size} {values.get('mode', '')}, {values.get('bytes', 0):,} bytes"


def _request(page: _Page, chain: Mapping[str, Any]) -> None:
    asked, answer = chain["request"], chain["answer"]
    revision = f", revision {asked['revision']}" if asked["revision"] else ""
    page.head("asked", f"{asked['model']}{revision} with the prompt {asked['prompt']}")
    if asked["image_policy"]:
        page.line("image policy", asked["image_policy"])
    page.line("parameters requested", _values(asked["parameters"]))
    if answer is not None and "parameters" in answer["sent"]:
        page.line("parameters sent", _values(answer["sent"]["parameters"]))
    _messages(page, asked, 2)
    if chain["error"]:
        page.line("not asked", chain["error"])
    for failure in chain["failures"]:
        page.line("failed attempt", f"{failure['kind']}: {failure['message']}")


def _messages(page: _Page, asked: Mapping[str, Any], indent: int) -> None:
    if asked["messages_are"] in _ARE:
        page.line("messages", _ARE[asked["messages_are"]], indent)
    if asked.get("error"):
        page.line("error", asked["error"], indent)
    for message in asked["messages"]:
        page.text(f"{message['role']}:", indent)
        for part in message["parts"]:
            is_text = part["kind"] == "text"
            page.text(part["text"] if is_text else f"(image, sha256 {part['sha256'][:12]}...)", indent + 2)


def _values(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value}" for name, value in values.items()) or "none"


def _answer(page: _Page, chain: Mapping[str, Any]) -> None:
    answer = chain["answer"]
    if answer is None:
        page.head("answer", "none")
        return
    page.head("answer", _course(answer))
    claimed = next((each for each in chain["verdicts"] if each["claims"]), None)
    if not answer["text"].strip():
        page.text("(empty)")
    elif claimed is None:
        page.text(answer["text"])
    else:
        page.claimed(answer["text"], [AtomicClaim(**each) for each in claimed["claims"]])
        legend = ", ".join(f"{mark.sign} {mark.word}" for mark in CLAIM_MARKS.values())
        page.line(f"claims marked as {claimed['judging']} has them", legend)
        if _LIKE_A_MARK.search(answer["text"]):
            page.text("the answer itself holds signs like these: the list of claims below tells which are the judge's")
    if answer["likelihood"]:
        likelihood = answer["likelihood"]
        page.line("likelihood", f"{likelihood['total']:.4g} in all over {likelihood['tokens']:,} tokens")
    if answer["thinking"]:
        page.head("thinking", f"{len(answer['thinking']):,} characters, no part of the answer")
        page.text(answer["thinking"])


def _course(answer: Mapping[str, Any]) -> str:
    """Status, reason, tokens, seconds and the server's name for itself."""
    usage = answer["usage"] or {}
    tokens = [f"{usage[name]:,} {word}" for name, word in _TOKENS.items() if usage.get(name) is not None]
    seconds = answer["seconds"]
    parts = [
        answer["status"],
        answer["finish_reason"] or "no reason given",
        f"tokens {', '.join(tokens)}" if tokens else "",
        "" if seconds is None else f"{seconds:.2f} s",
        f"from {answer['server_model']}" if answer["server_model"] else "",
    ]
    return "; ".join(filter(None, parts))


_TOKENS = {"prompt": "in", "completion": "out", "cached": "cached", "reasoning": "of reasoning"}


def _readings(page: _Page, chain: Mapping[str, Any]) -> None:
    if not chain["readings"]:
        return
    page.head("read in the answer")
    for each in chain["readings"]:
        more = f" ({', '.join(each['parts'])})" if each.get("parts") else ""
        page.line(each["reader"], each["says"] + more)
        for element in each.get("elements", ()):
            page.text(element, 4)


def _verdict(page: _Page, verdict: Mapping[str, Any]) -> None:
    value = f"unscored: {verdict['unscored']}" if verdict["value"] is None else str(verdict["value"])
    flags = f" [{', '.join(verdict['flags'])}]" if verdict["flags"] else ""
    page.head(f"verdict of {verdict['judging'] or 'nobody'}:", value + flags)
    if verdict["reason"]:
        page.line("reason", verdict["reason"])
    if verdict["measures"]:
        said = (
            f"{name} {top:g}" + (f" of {bottom:g}" if bottom != 1 else "")
            for name, (top, bottom) in verdict["measures"].items()
        )
        page.line("measures", ", ".join(said))
    if verdict["reads"]:
        page.line("how", verdict["reads"])
    if verdict["options"]:
        page.line("options", _values(verdict["options"]))
    if verdict["claims"]:
        _claims(page, verdict["claims"])
    if verdict["vectors"] and verdict["replies"]:
        page.line("the judge compared", f"{len(verdict['replies']):,} vectors of descriptions")
    for attempt in verdict["attempts"]:
        _attempt(page, attempt)
    if verdict["rubric"] is not None:
        page.text("the judge was asked:")
        _messages(page, verdict["rubric"], 4)


def _claims(page: _Page, claims: Sequence[Mapping[str, Any]]) -> None:
    page.text(f"claims: {len(claims):,}")
    for number, each in enumerate(claims, 1):
        claim = AtomicClaim(**each)
        mark = CLAIM_MARKS[claim.verdict]
        said = claim.text or claim.quote
        where = f' "{claim.quote}"' if claim.text and claim.quote and claim.quote != claim.text else ""
        lost = "" if claim.located else " (these words are not in the answer)"
        page.line(f"{mark.sign}{number} {claim.verdict}", _one(f"{said}{where}{lost}"), 4, mark.style)
        if claim.reason:
            page.text(_one(claim.reason), 8)


def _attempt(page: _Page, attempt: Mapping[str, Any]) -> None:
    number = attempt["attempt"] + 1
    if attempt["status"] == "failed":
        for failure in attempt["failures"] or [{"kind": "failed", "message": "not asked to the end"}]:
            page.line(f"attempt {number}", f"{failure['kind']}: {failure['message']}")
        return
    page.text(f"the judge said ({'' if number == 1 else f'attempt {number}; '}{_course(attempt)}):")
    page.text(attempt["text"] or "(empty)", 4)
    if attempt["thinking"]:
        page.text("its thinking:")
        page.text(attempt["thinking"], 4)


def _people(page: _Page, chain: Mapping[str, Any]) -> None:
    if not chain["people"]:
        return
    page.head("people")
    for each in chain["people"]:
        value = {1: "right", 0: "wrong", None: "cannot tell"}[each["value"]]
        row = f"row {each['row']}" if each["row"].isdigit() else each["row"]
        page.line(each["rater"], f"{value} ({each['file']}, {row})")


def _others(page: _Page, chain: Mapping[str, Any]) -> None:
    others = chain["other_runs"]
    if not others:
        return
    page.head("other runs")
    for each in others[:_OTHERS]:
        value = f"unscored: {each['unscored']}" if each["value"] is None else str(each["value"])
        flags = f" [{', '.join(each['flags'])}]" if each["flags"] else ""
        data = "" if each["same_item"] else ", on other data"
        words = f' "{_one(each["answer"])[:_WORDS]}"' if each["answer"] else f" ({each['status']})"
        page.line(f"{each['run']}, prompt {each['prompt']}{data}", f"{value}{flags}{words}")
    if len(others) > _OTHERS:
        page.text(f"and {len(others) - _OTHERS:,} more (--json)")


def _one(text: str) -> str:
    return " ".join(text.split())
