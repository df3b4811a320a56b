"""Reads a judge's reply that lists atomic claims: JSON between marks that whoever wrote the answer cannot know."""

from __future__ import annotations

import json
from typing import Any, Final

from snellen.atomic_claim import CLAIM_VERDICTS, AtomicClaim, ClaimVerdict, locate
from snellen.errors import UnreadableReplyError
from snellen.readers.pattern import Pattern

_LONGEST: Final = 4_000_000
_MOST: Final = 1_000
_WIDTH = str.maketrans("＿－", "_-")
_FENCE = Pattern(r"\A(?:```|~~~)[\w-]*\s|\s(?:```|~~~)\Z")
_VERDICTS: Final[dict[str, ClaimVerdict]] = {verdict: verdict for verdict in CLAIM_VERDICTS}


def claims_in(text: str, *, tag: str, cut: bool = False, answer: str = "") -> tuple[AtomicClaim, ...]:
    """The claims that a reply lists, with their places in the answer.

    The list stands between the marks that were asked for, with a code fence around it or within if need be. A reply
    that is the JSON object alone will do too, unless the answer holds the whole of it: then it may be the answer's.
    Keys that were not asked for do not matter. Everything else is no list of claims.

    Args:
        text: the reply, thinking stripped.
        tag: of the marks.
        cut: whether the reply was cut.
        answer: that is judged.

    Raises:
        UnreadableReplyError: with what was found instead.
    """
    if cut:
        raise UnreadableReplyError("the judge's reply was cut before its end; raise the judge's max_tokens")
    if len(text) > _LONGEST:
        raise UnreadableReplyError("the judge's reply is of unreasonable length")
    return locate(answer, _parse(_listed(text.strip(), tag, answer)))


def _listed(text: str, tag: str, answer: str) -> str:
    opening, closing = f"<<<CLAIMS {tag}", f"{tag} CLAIMS>>>"
    found = text.count(opening), text.count(closing)
    if found == (1, 1):
        _, _, rest = text.partition(opening)
        inside, _, after = rest.partition(closing)
        if tag in inside or after.strip().strip("`~"):
            raise UnreadableReplyError("the judge's reply goes on after its list of claims")
        return _FENCE.sub("", inside.strip()).strip()
    if found != (0, 0):
        raise UnreadableReplyError("the judge's reply holds its marks more than once, or only one of them")
    bare = _FENCE.sub("", text).strip()
    if not bare.startswith("{") or not bare.endswith("}"):
        raise UnreadableReplyError(f"the judge's reply has no list of claims between its marks: {_short(text)}")
    if "".join(bare.split()) in "".join(answer.split()):  # however it is laid out
        raise UnreadableReplyError("the judge's reply is JSON without its marks, and may be the answer's own words")
    return bare


def _parse(text: str) -> list[AtomicClaim]:
    try:
        data: Any = json.loads(text, object_pairs_hook=_no_key_twice, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise UnreadableReplyError(f"the judge's list of claims is no JSON ({error!s:.80}): {_short(text)}") from error
    listed = data.get("claims") if isinstance(data, dict) else None
    if not isinstance(listed, list):
        raise UnreadableReplyError(f"the judge's JSON is no object with a list 'claims': {_short(text)}")
    if len(listed) > _MOST:
        raise UnreadableReplyError(f"the judge lists {len(listed):,} claims; more than {_MOST:,} are not read")
    return [_claim(number, each) for number, each in enumerate(listed, 1)]


def _claim(number: int, data: Any) -> AtomicClaim:
    where = f"claim {number} of the judge's list"
    if not isinstance(data, dict):
        raise UnreadableReplyError(f"{where} is no object: {_short(str(data))}")
    values = {name: data.get(name, "") for name in ("claim", "quote", "verdict", "reason")}
    for name, value in values.items():
        if not isinstance(value, str):
            raise UnreadableReplyError(f"{where} has {name} {_short(str(value))}, which is no text")
    if not values["quote"].strip() and not values["claim"].strip():
        raise UnreadableReplyError(f"{where} says neither what it claims nor what it quotes")
    said = " ".join(values["verdict"].translate(_WIDTH).replace("_", " ").replace("-", " ").lower().split())
    if said not in _VERDICTS:
        known = ", ".join(CLAIM_VERDICTS)
        raise UnreadableReplyError(f"{where} has the verdict {_short(values['verdict'])}, which is none of {known}")
    text, quote, reason = (_whole(values[name]) for name in ("claim", "quote", "reason"))
    return AtomicClaim(text, quote, _VERDICTS[said], reason)


def _whole(text: str) -> str:
    """The text without halves of characters, which JSON's escapes can spell and no database can keep."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({key for key, _ in pairs}) < len(pairs):
        raise ValueError("a key stands twice")
    return dict(pairs)


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _short(text: str) -> str:
    return repr(text if len(text) <= 80 else text[:77] + "...")
