"""What can be declared of a model, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from snellen.errors import UsageError
from snellen.model_spec import ModelSpec, Price, read_models


def declared(tmp_path: Path, lines: str) -> ModelSpec:
    path = tmp_path / "models.toml"
    path.write_text(f'[models."m"]\nbase_url = "http://localhost:8000/v1"\n{lines}\n', encoding="utf-8")
    return read_models(path)["m"]


def test_streaming_and_limits_can_be_declared(tmp_path: Path) -> None:
    spec = declared(tmp_path, "stream = true\nrequests_per_minute = 600\ntokens_per_minute = 2e5\ntimeout = 90")
    assert (spec.stream, spec.requests_per_minute, spec.tokens_per_minute, spec.timeout) == (True, 600, 200_000, 90)


def test_without_a_word_nothing_is_streamed_or_limited(tmp_path: Path) -> None:
    spec = declared(tmp_path, "")
    assert (spec.stream, spec.requests_per_minute, spec.tokens_per_minute) == (False, None, None)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("stream = 1", "stream = 1 has the wrong type"),
        ('stream = "yes"', "wrong type"),
        ("requests_per_minute = true", "wrong type"),
        ('tokens_per_minute = "many"', "wrong type"),
        ("requests_per_minute = 0", "requests_per_minute must be a number from 0.001 to 1e\\+09"),
        ("tokens_per_minute = -1", "tokens_per_minute must be a number from"),
        ("tokens_per_minute = inf", "must be a number from"),
        ("requests_per_minute = 5e-324", "must be a number from"),
        (f"tokens_per_minute = 1{'0' * 375}", "must be a number from"),
        ("timeout = inf", "timeout must be a number from"),
        ("price = {input = inf, output = 1}", "price wants"),
        ("parameters = {messages = []}", "'messages' is not for parameters"),
        ('parameters = {model = "other"}', "'model' is not for parameters"),
        ("requests_per_minute = nan", "must be a number from"),
        ("streaming = true", "unknown key 'streaming'"),
    ],
)
def test_what_is_refused(tmp_path: Path, line: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        declared(tmp_path, line)


def test_cached_tokens_are_a_part_of_the_prompt() -> None:
    price = Price(input=2.0, output=8.0, cached_input=0.5)
    assert price.cost(1_000_000, 500_000, 400_000) == pytest.approx(0.6 * 2 + 0.4 * 0.5 + 0.5 * 8)
    assert Price(2.0, 8.0).cost(1_000_000, 0, 400_000) == 2.0


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("size = 7", "number of the model's parameters"),
        ('size = "7B"', "wrong type"),
        ("size = inf", "number of the model's parameters"),
        ('weights = "half"', "weights is open or closed"),
    ],
)
def test_size_and_weights_are_checked(tmp_path: Path, line: str, said: str) -> None:
    path = tmp_path / "models.toml"
    path.write_text(f'[models."m"]\nweights = "open"\nsize = 7e9\n[models."n"]\n{line}\n', encoding="utf-8")
    with pytest.raises(UsageError, match=said):
        read_models(path)


def test_size_and_weights_are_read(tmp_path: Path) -> None:
    path = tmp_path / "models.toml"
    path.write_text('[models."m"]\nweights = "open"\nsize = 7e9\n', encoding="utf-8")
    assert (read_models(path)["m"].weights, read_models(path)["m"].size) == ("open", 7e9)
