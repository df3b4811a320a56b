"""The aspects and domains by which SHALE tells hallucinations apart (arXiv 2508.09584), in the paper's order."""

from __future__ import annotations

ASPECTS = (
    "entity-type",
    "existence",
    "count",
    "color",
    "shape",
    "orientation",
    "posture",
    "expression",
    "scene-text",
    "size-relation",
    "spatial-relation",
    "interaction-relation",
)
"""The twelve aspects of faithfulness."""

DOMAINS = ("sports", "politics", "entertainment", "religion", "culture", "geography")
"""The six domains of factuality."""
