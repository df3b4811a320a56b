"""The methods paragraph says what the manifest holds, in both languages, whatever signs are in it."""

from __future__ import annotations

import re
import string
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from snellen.engine.results import UNSCORED_WORDS
from snellen.errors import UsageError
from snellen.report.escaping import code, escape
from snellen.report.methods import methods
from snellen.report.methods_words import CHINESE, ENGLISH, METHODS_CHINESE, REASONS_CHINESE

Make = Callable[..., Any]

MANIFEST: dict[str, Any] = {
    "plan": {
        "data": "0123456789abcdef" * 4,
        "prompt": "direct",
        "model": "gpt_4o",
        "revision": "",
        "parameters": {"temperature": 0, "max_tokens": 512},
        "image_policy": "formats=png",
        "perturbations": ["jpeg:3"],
        "seed": 7,
    },
    "model": {"name": "gpt_4o", "kind": "openai-compatible"},
    "data_as_published": True,
    "prompt_source": "cafe0123cafe0123",
    "versions": {"python": "3.11.7", "snellen": "0.3.0", "numpy": "2.4.6"},
    "cost": 1.25,
    "asked": {
        "requests": 96,
        "tokens": {"prompt": 120_000, "completion": 3_400},
        "server_models": {"gpt-4o-2024-11-20": 90, "gpt-4o-2024-08-06": 6},
        "sent_parameters": [
            {"parameters": {"max_completion_tokens": 512}, "requests": 90},
            {"parameters": {"temperature": 0, "max_tokens": 512}, "requests": 6},
        ],
        "image_conversions": {"resized": 3},
        "answered": ["2026-09-01T23:00:00+00:00", "2026-09-03T01:00:00+00:00"],
    },
    "judging": {
        "judge": "charthal",
        "options": {"reading": "default", "scoring": "corrected"},
        "judge_model": {"name": "judge-1", "kind": "openai-compatible"},
        "parameters": {"temperature": 0},
        "rubric_source": "feedfeedfeedfeed",
        "readers_source": "beefbeefbeefbeef",
        "cost": 0.5,
        "asked": {
            "server_models": {"judge-1-2026": 96},
            "sent_parameters": [{"parameters": {"temperature": 0}, "requests": 96}],
            "answered": ["2026-09-04T00:00:00+00:00", "2026-09-04T02:00:00+00:00"],
        },
    },
}


@pytest.fixture
def source(run: Any) -> Any:
    return replace(run, manifest=MANIFEST)


FACTS = (
    "gpt_4o", "ChartHal", "0123456789ab", "gpt-4o-2024-11-20", "gpt-4o-2024-08-06", "direct", "cafe0123cafe", "jpeg:3",
    "max_completion_tokens=512", "temperature=0", "formats=png", "resized", "2026-09-01", "2026-09-03", "120,000",
    "3,400", "judge-1", "judge-1-2026", "charthal:reading=default, scoring=corrected", "feedfeedfeed", "beefbeefbeef",
    "2026-09-04", "NumPy 2.4.6", "Snellen 0.3.0", "1.75",
)  # fmt: skip


@pytest.mark.parametrize("language", ["en", "zh"])
def test_everything_that_was_recorded_is_said(source: Any, language: Any) -> None:
    text = methods(source, language)
    missing = [fact for fact in FACTS if fact not in text]
    assert not missing
    assert "\n" not in text
    results = source.results
    assert f"{results.planned:,}" in text
    assert f"{results.scored:,}" in text
    for reason, count in results.unscored.items():
        words = (UNSCORED_WORDS if language == "en" else REASONS_CHINESE)[reason]
        assert (re.search(rf"(?<!\d){count}[^\d]{{1,4}}{words}", text) is not None) == bool(count)


def test_the_first_sentences(source: Any) -> None:
    text = methods(source)
    assert text.startswith(
        f"gpt_4o was evaluated on ChartHal ({source.results.planned} items from 24 images; data digest 0123456789ab, "
        "the published data). In its answers the server named the model gpt-4o-2024-11-20 (90 requests) and "
        "gpt-4o-2024-08-06 (6 requests). Every item was asked once, with the prompt direct"
    )
    assert "95 % intervals" in text


def test_signs_of_markup_stay_signs(source: Any) -> None:
    latex = methods(source, style="latex")
    assert r"gpt\_4o was evaluated" in latex
    assert r"\texttt{gpt-4o-2024-11-20}" in latex
    assert r"95\,\% intervals" in latex
    assert not re.search(r"(?<!\\)[%_&#]", latex)
    assert "`gpt-4o-2024-11-20`" in methods(source, style="markdown")
    hostile = {**MANIFEST, "model": {"name": "{x} \\input{/etc/passwd} 50%\n\x1b[31m", "kind": "openai-compatible"}}
    text = methods(replace(source, manifest=hostile), style="latex")
    assert r"\{x\} \textbackslash{}input\{/etc/passwd\} 50\%" in text
    assert "\x1b" not in text
    assert r"\textlangle{}U+001B\textrangle{}" in text  # which LaTeX has, and plain fonts have not


def test_names_that_markup_would_change_are_read_as_they_are() -> None:
    assert escape("a--b---c", "latex") == "a-{}-{}b-{}-{}-c"  # no dash of LaTeX's own
    assert escape("?`x", "latex") == r"?\textasciigrave{}x"
    assert escape("&lt;b&gt; R&D", "markdown") == r"\&lt;b\&gt; R\&D"
    for name, written in (("a", "`a`"), ("a`b", "``a`b``"), ("``", "``` `` ```"), ("x\n`", "`` x ` ``")):
        assert code(name) == written


def test_what_is_not_there_is_not_said(run: Any) -> None:
    bare: dict[str, Any] = {
        "plan": {"data": "abc", "prompt": "direct", "model": "blind", "revision": "r1", "seed": 0},
        "model": {"name": "blind", "kind": "blind"},
    }
    text = methods(replace(run, manifest=bare))
    assert "needs no server (revision r1)" in text
    assert text.endswith("The answers are not judged yet.")
    assert "None" not in text
    recorded = {**bare, "plan": {**bare["plan"], "recorded": "feed" * 16}, "model": {"name": "m", "kind": "replay"}}
    assert "imported (SHA-256 of the file feedfeedfeed)" in methods(replace(run, manifest=recorded))


def test_rules_and_embeddings_are_told_apart(source: Any) -> None:
    rules = {**MANIFEST, "judging": {"judge": "rules", "options": {}, "source": "abcabcabcabcabc"}}
    assert "judged by rules (rules; rubric digest abcabcabcabc" in methods(replace(source, manifest=rules))
    compared = {**rules, "judging": {**rules["judging"], "judge_model": {"name": "e5", "embeds": True, "kind": "e5"}}}
    assert "descriptions compared by embeddings of e5" in methods(replace(source, manifest=compared))


def test_both_languages_have_the_same_sentences() -> None:
    assert list(ENGLISH) == list(CHINESE)
    for name, sentence in ENGLISH.items():
        places = [
            {place for _, place, _, _ in string.Formatter().parse(text) if place} for text in (sentence, CHINESE[name])
        ]
        assert places[0] == places[1], name
    assert set(REASONS_CHINESE) == set(UNSCORED_WORDS)
    assert all(re.search("[\u4e00-\u9fff]", words) for words in METHODS_CHINESE.values())


def test_another_language_or_style_is_refused(source: Any) -> None:
    with pytest.raises(UsageError, match="in en or zh"):
        methods(source, "fr")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="text, markdown, latex"):
        methods(source, "en", "html")  # type: ignore[arg-type]
