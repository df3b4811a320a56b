"""Direct, without the permission to decline: grounding as most agents ask it, with no word of an absent target.

What it shows beside `direct` is how much of a rejection rate is the prompt's doing. Parsing is asked as `direct` asks.
"""

from __future__ import annotations

from snellen.convention import DEFAULT, Convention
from snellen.item import Item
from snellen.prompting._asking import asked
from snellen.prompting._grounding import form
from snellen.request import Message

TITLE = "direct, declining not offered"
DOMAINS = ("screen",)


def messages(item: Item, convention: Convention = DEFAULT) -> tuple[Message, ...]:
    """As `direct.messages`, without a word of absent targets.

    Raises:
        UsageError: an image has no digest yet.
    """
    return asked(item, form(item, convention, reject=False))
