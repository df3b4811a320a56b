"""Scenes: drawn pictures whose every truth is known, and the questions of the SHALE-shaped demonstration set."""
