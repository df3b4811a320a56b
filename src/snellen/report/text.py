"""Makes foreign text fit to look at: nothing invisible, nothing that turns the reading direction, nothing secret.

Markup is not this module's business: HTML is escaped by jinja2's autoescape, rich by `rich.text.Text`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

COLLAPSE = 600
"""Characters above which a text is folded away behind its beginning."""

CUT = 6_000
"""Characters above which a text is cut in a report, with a note that says so."""

_LINES = 14
_WIDE = frozenset("MWmw@%")

# C0 and C1 controls (tab and newline stay), zero-width and line-separating characters, marks and overrides of the
# reading direction, tag characters (used to hide instructions), lone surrogates and non-characters.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0"
    "\ufff9-\ufffb\ufffe\uffff\ud800-\udfff\U000e0000-\U000e007f]"
)
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003134f]")
_KANA_OR_HANGUL = re.compile("[\u3040-\u30ff\uac00-\ud7af]")

_SECRET_NAME = re.compile(r"(?i)(api[-_ ]?key|authorization|secret|passw(or)?d|cookie|access[-_ ]?token|credential)")
_NAME_OF_A_VARIABLE = re.compile(r"(?i)(variable|env|name)$")
_SECRET_VALUE = re.compile(r"(?i)\b(?:bearer\s+[\w.~+/=-]{8,}|(?:sk|pk|hf|gsk|xai)[-_][\w-]{16,})")
_USERINFO = re.compile(r"(?<=://)[^/\s@]{1,300}@")


def _shown(match: re.Match[str]) -> str:
    return f"\u27e8U+{ord(match[0]):04X}\u27e9"


def visible(text: str) -> str:
    """The text with every invisible or direction-turning character replaced by a visible sign; line ends become LF.

    The result can always be encoded as UTF-8 and stands in XML.

    >>> visible("a\\x00b\\u202ec")
    'a⟨U+0000⟩b⟨U+202E⟩c'
    """
    return _INVISIBLE.sub(_shown, text.replace("\r\n", "\n"))


def one_line(text: str, length: int = 0) -> str:
    """`visible` on one line, cut to `length` characters with an ellipsis (0: not cut).

    >>> one_line("a name\\nof two lines", 10)
    'a name of…'
    """
    line = " ".join(visible(text).split())
    return line if not length or len(line) <= length else line[: length - 1].rstrip() + "…"


def ends(text: str, length: int) -> str:
    """`one_line`, but its middle goes: the ends tell names apart (``model-3f2a@judge``).

    Of what is left, the beginning has two characters for each one of the end. A Han character or a wide Latin one
    takes the room of 1.7 others.

    >>> ends("qwen2.5-vl-72b-instruct-3f2a91@rules", 22)
    'qwen2.5-vl-72…@rules'
    """
    line = one_line(text)
    if sum(map(_room, line)) <= length:
        return line
    head, tail, room = "", "", length - 1.0
    while True:
        for character in (line[len(head)], line[len(head) + 1], line[-1 - len(tail)]):
            room -= _room(character)
            if room < 0:
                return f"{head}…{tail}"
            if len(head) <= 2 * len(tail) + 1:
                head += character
            else:
                tail = character + tail


def _room(character: str) -> float:
    return 1.7 if character in _WIDE or ord(character) > 0x2E7F else 1.0


def language_tag(text: str, default: str = "en") -> str:
    """The BCP 47 tag to render a text with: ``zh-Hans`` where it holds Han characters and neither kana nor hangul.

    >>> language_tag("图中没有温度"), language_tag("no temperature")
    ('zh-Hans', 'en')
    """
    if _HAN.search(text) and not _KANA_OR_HANGUL.search(text):
        return "zh-Hans"
    return "en" if default.startswith("zh") else default


def redact(name: str, value: str) -> str:
    """A manifest's value with what looks like a key, token or password replaced by ``(hidden)``.

    >>> redact("Authorization", "Basic abc"), redact("key_variable", "OPENAI_API_KEY"), redact("url", "http://u:p@h/v1")
    ('(hidden)', 'OPENAI_API_KEY', 'http://(hidden)@h/v1')
    """
    if _SECRET_NAME.search(name) and not _NAME_OF_A_VARIABLE.search(name):
        return "(hidden)" if value else ""
    return _SECRET_VALUE.sub("(hidden)", _USERINFO.sub("(hidden)@", value))


@dataclass(frozen=True, slots=True)
class Passage:
    """A text as a report shows it.

    Attributes:
        lead: its beginning, shown at once; all of it unless it is `long`.
        rest: what is shown on demand (the whole text again, up to `CUT` characters); empty unless it is `long`.
        length: characters of the original.
        cut: whether the end is missing from `rest`.
        language: for the ``lang`` attribute.
    """

    lead: str
    rest: str
    length: int
    cut: bool
    language: str

    @classmethod
    def of(cls, text: str, language: str = "en") -> Passage:
        """Folds a text above `COLLAPSE` characters or 14 lines, and cuts it above `CUT` characters."""
        length, kept = len(text), visible(text[:CUT])
        tag = language_tag(kept[:2_000], language)
        lines = kept.split("\n", _LINES)
        if length <= COLLAPSE and len(lines) <= _LINES:
            return cls(kept, "", length, False, tag)
        lead = "\n".join(lines[:4])[: COLLAPSE // 2].rstrip()
        return cls(lead, kept, length, length > CUT, tag)
