"""The list of options within a question: where it stands, and the question with other texts in it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from snellen.item import Item, OptionReference

_WIDE = str.maketrans("ABCDEFGHIJ", "ＡＢＣＤＥＦＧＨＩＪ")
_LISTED = re.compile(r"[(\[【（［]\s*[AaＡ]\s*[)\]】）］]|(?<![A-Za-z0-9])[AＡ]\s?[.．:：、)）]")
_BETWEEN = r"[\s.。,，;；、]*"


@dataclass(frozen=True, slots=True)
class Parts:
    """A question in three: what is asked, the list of options (empty where there is none), and what follows it.

    Attributes:
        texts: (start, end) of each option's text within the list.
    """

    asked: str
    listed: str
    rest: str
    texts: tuple[tuple[int, int], ...] = ()


def parts(item: Item) -> Parts | None:
    """The question taken apart; None where it lists options that are not the item's."""
    whole = Parts(item.question, "", "")
    if not item.options:
        return whole
    pieces = []
    for letter, text in item.options:
        sign = "".join(dict.fromkeys(letter + letter.translate(_WIDE)))
        words = r"\s+".join(re.escape(word) for word in text.split())
        pieces.append(rf"[(\[【（［]?\s*[{re.escape(sign)}]\s*[)\]】）］.．:：、]+\s*({words})")
    pattern = re.compile(rf"(?<![A-Za-z0-9]){_BETWEEN.join(pieces)}")
    matches = list(pattern.finditer(item.question))
    if not matches:
        return None if _LISTED.search(item.question) else whole
    last = matches[-1]
    start, end = last.span()
    texts = tuple((last.start(n) - start, last.end(n) - start) for n in range(1, len(item.options) + 1))
    return Parts(item.question[:start], item.question[start:end], item.question[end:], texts)


def with_options(item: Item, texts: list[str], reference: OptionReference) -> Item | None:
    """The item with other option texts, in its question too where they are listed there; None where that cannot be."""
    found = parts(item)
    if found is None or len(texts) != len(item.options):
        return None
    pieces, last = [found.asked], 0
    for (start, end), text in zip(found.texts, texts, strict=False):
        pieces += [found.listed[last:start], text]
        last = end
    pieces += [found.listed[last:], found.rest]
    options = tuple((letter, text) for (letter, _), text in zip(item.options, texts, strict=True))
    return replace(item, question="".join(pieces), options=options, reference=reference)
