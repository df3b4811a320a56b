"""What is known of a run's model: declared, recorded, or told by its name."""

from __future__ import annotations

from typing import Any

import pytest

from snellen.engine.run_traits import effort_rank, series_and_size, size_text, traits_of
from snellen.model_spec import ModelSpec


@pytest.mark.parametrize(
    ("name", "series", "size"),
    [
        ("InternVL2.5-4B", "internvl2.5", 4e9),
        ("Llama-3.2-11B-Vision-Instruct", "llama-3.2-vision-instruct", 11e9),
        ("org/SmolVLM-500M", "smolvlm", 500e6),
        ("llava:7b", "llava", 7e9),
        ("Mixtral-8x7B", "mixtral", 56e9),
        ("gpt-4o-2024-11-20", "gpt-4o-2024-11-20", None),
        ("model-7B-draft-1B", "model-7b-draft-1b", None),
        ("", "", None),
    ],
)
def test_a_name_tells_series_and_size(name: str, series: str, size: float | None) -> None:
    assert series_and_size(name) == (series, size)


def test_what_is_declared_comes_before_what_was_recorded_and_that_before_the_name() -> None:
    manifest: dict[str, Any] = {
        "plan": {"model": "mine", "prompt": "direct", "parameters": {"reasoning_effort": "high"}},
        "model": {"name": "mine", "kind": "openai-compatible", "server_name": "x/Qwen2.5-VL-7B", "family": "qwen"},
    }
    plain = traits_of(manifest)
    assert (plain.model, plain.family, plain.series, plain.size) == ("x/Qwen2.5-VL-7B", "qwen", "qwen2.5-vl", 7e9)
    assert (plain.weights, plain.effort, plain.prompt) == ("", "high", "direct")
    recorded = {**manifest, "model": {**manifest["model"], "size": 8e9, "weights": "closed"}}
    assert (traits_of(recorded).size, traits_of(recorded).weights) == (8e9, "closed")
    spec = ModelSpec("mine", server_name="y/Qwen2.5-VL-72B", family="alibaba", weights="open", size=73e9)
    declared = traits_of(recorded, {"mine": spec})
    assert (declared.model, declared.family, declared.size, declared.weights) == (
        "y/Qwen2.5-VL-72B",
        "alibaba",
        73e9,
        "open",
    )
    assert declared.to_json()["series"] == "qwen2.5-vl"


def test_embedded_models_and_empty_manifests_have_no_series() -> None:
    assert traits_of({"plan": {"model": "constant:7B"}, "model": {"kind": "constant"}}).series == ""
    assert traits_of({}).model == ""


def test_efforts_and_sizes_in_order_and_words() -> None:
    assert effort_rank("low") < effort_rank("Medium") < effort_rank("high")
    assert effort_rank("utmost") == -1
    assert [size_text(each) for each in (7e9, 1.5e9, 5e8)] == ["7B", "1.5B", "500M"]
