"""How long a server asks to wait before the next request."""

from __future__ import annotations

import email.utils
import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime

_UNITS = {"d": 86400.0, "h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001, "us": 1e-6, "µs": 1e-6, "ns": 1e-9}
_PART = re.compile(r"(\d+(?:\.\d+)?|\.\d+)(ms|us|µs|ns|[dhms])", re.ASCII)
_DAY = 86400.0


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that the headers ask to wait, 0 or more; None where they do not say.

    In this order: ``retry-after-ms``; ``Retry-After`` in seconds or as a date (RFC 9110, 10.2.3); and where a limit is
    exhausted (``x-ratelimit-remaining-requests`` or ``-tokens`` is 0), the time until it is reset
    (``x-ratelimit-reset-requests`` or ``-tokens``, like ``6m0s``), the later one where both are.

    Args:
        headers: of the reply, names in any case if the mapping does not mind it, else in lower case.
    """
    milliseconds = _seconds(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    value = headers.get("retry-after", "")
    wish = _seconds(value)
    if wish is None:
        wish = _until(value)
    if wish is not None:
        return wish
    resets = [
        duration(headers.get(f"x-ratelimit-reset-{unit}", ""))
        for unit in ("requests", "tokens")
        if _seconds(headers.get(f"x-ratelimit-remaining-{unit}", "")) == 0
    ]
    return max((reset for reset in resets if reset is not None), default=None)


def duration(text: str) -> float | None:
    """Seconds of a duration as OpenAI writes them; a bare number is seconds. None for anything else.

    Nothing longer than a day is one: numbers that large are points in time.

    >>> duration("6m0s"), duration("250ms"), duration("1.5"), duration("soon")
    (360.0, 0.25, 1.5, None)
    """
    text = text.strip()
    seconds = _seconds(text)
    if seconds is None:
        parts = _PART.findall(text)
        if not parts or "".join(number + unit for number, unit in parts) != text:
            return None
        seconds = sum(float(number) * _UNITS[unit] for number, unit in parts)
    return seconds if seconds <= _DAY else None


def _seconds(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return max(0.0, value) if math.isfinite(value) else None


def _until(text: str) -> float | None:
    """Seconds until an HTTP date, 0 for one in the past."""
    try:
        date = email.utils.parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError):
        return None
    if date.tzinfo is None:  # "-0000": universal time, of a place that is not told
        date = date.replace(tzinfo=UTC)
    return max(0.0, (date - datetime.now(UTC)).total_seconds())
