"""Snellen: an eye chart for vision-language models.

Names are imported when they are used, so that ``import snellen`` costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from snellen.answer import Answer, Failure, Usage
    from snellen.card import Card, Finding, PublishedRow
    from snellen.engine.auditing import Audited, audit_runs
    from snellen.engine.comparison import Comparison, compare
    from snellen.engine.judged import Judged, JudgedRow
    from snellen.engine.limits import Limits
    from snellen.engine.results import Results
    from snellen.engine.selective import Selective, selective
    from snellen.engine.watch import Outcome, Watch
    from snellen.engine.workspace import Workspace
    from snellen.errors import (
        DataError,
        ImageError,
        LedgerError,
        ModelError,
        SnellenError,
        StoppedError,
        UnreadableReplyError,
        UsageError,
    )
    from snellen.estimate import Estimate
    from snellen.images import ImagePolicy
    from snellen.item import Change, ImageRef, Item, TextReference
    from snellen.library import Run, import_recorded, judge, ladder, open_judged, run, write_report
    from snellen.model_spec import ModelSpec, Price
    from snellen.request import ImagePart, Message, Request, TextPart
    from snellen.statistics.verdicts import frame
    from snellen.table import VerdictTable
    from snellen.verdict import Verdict

__version__ = "0.4.0"

_WHERE = {
    "Answer": "answer",
    "Failure": "answer",
    "Usage": "answer",
    "Card": "card",
    "Finding": "card",
    "PublishedRow": "card",
    "Audited": "engine.auditing",
    "audit_runs": "engine.auditing",
    "Comparison": "engine.comparison",
    "compare": "engine.comparison",
    "Judged": "engine.judged",
    "JudgedRow": "engine.judged",
    "Results": "engine.results",
    "Selective": "engine.selective",
    "selective": "engine.selective",
    "Limits": "engine.limits",
    "Outcome": "engine.watch",
    "Watch": "engine.watch",
    "Workspace": "engine.workspace",
    "DataError": "errors",
    "ImageError": "errors",
    "LedgerError": "errors",
    "ModelError": "errors",
    "SnellenError": "errors",
    "StoppedError": "errors",
    "UnreadableReplyError": "errors",
    "UsageError": "errors",
    "Estimate": "estimate",
    "ImagePolicy": "images",
    "Change": "item",
    "ImageRef": "item",
    "Item": "item",
    "TextReference": "item",
    "Run": "library",
    "import_recorded": "library",
    "judge": "library",
    "ladder": "library",
    "open_judged": "library",
    "run": "library",
    "write_report": "library",
    "ModelSpec": "model_spec",
    "Price": "model_spec",
    "ImagePart": "request",
    "Message": "request",
    "Request": "request",
    "TextPart": "request",
    "frame": "statistics.verdicts",
    "VerdictTable": "table",
    "Verdict": "verdict",
}

__all__ = [
    "Answer",
    "Audited",
    "Card",
    "Change",
    "Comparison",
    "DataError",
    "Estimate",
    "Failure",
    "Finding",
    "ImageError",
    "ImagePart",
    "ImagePolicy",
    "ImageRef",
    "Item",
    "Judged",
    "JudgedRow",
    "LedgerError",
    "Limits",
    "Message",
    "ModelError",
    "ModelSpec",
    "Outcome",
    "Price",
    "PublishedRow",
    "Request",
    "Results",
    "Run",
    "Selective",
    "SnellenError",
    "StoppedError",
    "TextPart",
    "TextReference",
    "UnreadableReplyError",
    "Usage",
    "UsageError",
    "Verdict",
    "VerdictTable",
    "Watch",
    "Workspace",
    "__version__",
    "audit_runs",
    "compare",
    "frame",
    "import_recorded",
    "judge",
    "ladder",
    "open_judged",
    "run",
    "selective",
    "write_report",
]


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module 'snellen' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"snellen.{_WHERE[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
