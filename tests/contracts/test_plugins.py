"""What every plugin must keep to, whoever wrote it: run over everything that the folders hold.

A new benchmark, prompt, judge, model or metric is tested here before its author writes a test. What prompts and judges
say is in `test_asking_plugins`.
"""

from __future__ import annotations

import contextlib
import importlib.util
import inspect
import io
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import NoReturn

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen import discovery
from snellen.card import Card, Finding
from snellen.errors import DataError, ModelError, UsageError
from snellen.estimate import Estimate
from snellen.item import Change, Item
from snellen.model_spec import EMBEDDERS
from snellen.readers import embedding
from snellen.request import ImagePart, Message, Request, TextPart
from snellen.table import TableBuilder, VerdictTable
from snellen.verdict import ABSTAINED, FLAGS, FORMAT_ERROR, UNSCORED, Verdict

KINDS = ("benchmarks", "prompting", "judges", "models", "metrics")
PLUGINS = [(kind, name) for kind in KINDS for name in discovery.files(kind)]
HEAVY = {"aiohttp", "sqlite3", "matplotlib", "rich", "jinja2", "rapidocr", "onnxruntime", "cv2", "torch", "scipy"}

MUST_HAVE: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "benchmarks": {"locate": ("data", "cache"), "digest": ("data",), "items": ("data",)},
    "prompting": {"messages": ("item",)},
    "judges": {"read": ("item", "answer", "replies")},
    "models": {},
    "metrics": {"estimate": ("table",)},
}
"""Kind -> the functions that a plugin must have, with the names of their leading parameters."""

MAY_HAVE: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "benchmarks": {"check": ("data",)},
    "judges": {"ask": ("item", "answer")},
}

EMBEDDED: Mapping[str, tuple[str, ...]] = {"answer": ("request", "load", "argument")}
"""What a model that answers without a server must have."""

DIGEST = "0123456789abcdef" * 4
QUESTIONS = ("What is the value of the dashed line at x = 3?", "虚线在 x = 3 处的取值是多少？")
RELATIONS = ("irrelevant", "inexistent", "contradictory", "normal")


def loaded(kind: str, having: str = "") -> dict[str, ModuleType]:
    """The modules of a kind, or those that have an attribute. One that fails to import is named by the test of shapes,
    and the rest is tested."""
    found = {}
    for name in discovery.files(kind):
        with contextlib.suppress(UsageError):
            module = discovery.load(kind, name)
            if not having or hasattr(module, having):
                found[name] = module
    return found


WITHOUT_A_SERVER = loaded("models", having="FAMILY")

OVER = {
    "benchmark": loaded("benchmarks"),
    "checked": loaded("benchmarks", having="check"),
    "embedded": {name: module for name, module in WITHOUT_A_SERVER.items() if name not in EMBEDDERS},
    "embedder": {name: module for name, module in WITHOUT_A_SERVER.items() if name in EMBEDDERS},
    "metric": loaded("metrics"),
}
"""Name of a test's parameter -> the modules that the test runs over."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    for name in OVER.keys() & set(metafunc.fixturenames):
        metafunc.parametrize(name, list(OVER[name].values()), ids=list(OVER[name]))


def test_something_is_discovered_of_every_kind() -> None:
    assert {kind for kind, _ in PLUGINS} == set(KINDS)


@pytest.mark.parametrize(("kind", "name"), PLUGINS)
def test_a_plugin_parses_and_has_the_shape_of_its_kind(kind: str, name: str) -> None:
    assert discovery.broken(kind, name) == ""
    module = discovery.load(kind, name)
    assert (module.__doc__ or "").strip(), f"{name} does not say what it is"
    shapes = dict(MUST_HAVE[kind])
    shapes |= {function: names for function, names in MAY_HAVE.get(kind, {}).items() if hasattr(module, function)}
    if hasattr(module, "FAMILY"):
        shapes |= EMBEDDED
    for function_name, names in shapes.items():
        function = getattr(module, function_name, None)
        assert callable(function), f"{name} has no function {function_name}"
        assert (function.__doc__ or "").strip(), f"{name}.{function_name} has no docstring"
        parameters = list(inspect.signature(function).parameters.values())
        assert tuple(parameter.name for parameter in parameters[: len(names)]) == names
        assert all(p.default is not p.empty or p.kind is p.VAR_KEYWORD for p in parameters[len(names) :])


LIGHT = [(kind, name) for kind, name in PLUGINS if kind != "models" or name in WITHOUT_A_SERVER]


@pytest.mark.parametrize(("kind", "name"), LIGHT)
def test_importing_a_plugin_is_light(kind: str, name: str) -> None:
    code = f"from snellen import discovery; import sys; discovery.load({kind!r}, {name!r}); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert not HEAVY & {module.split(".")[0] for module in done.stdout.split()}


# Benchmarks

FIXTURES = {
    "charthal": "charthal_data",
    "shale": "shale_data",
    "gui-hallubench": "gui_data",
    "screenspot": "screenspot_data",
    "screenspot-absent": "screenspot_data",
}
"""Benchmark -> fixture with its data, where it does not ship its own."""


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every connection fails at once, and nobody waits before trying again."""

    def refuse(*_: object, **__: object) -> NoReturn:
        raise OSError("no network in this test")

    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    wait = threading.Event.wait
    monkeypatch.setattr(threading.Event, "wait", lambda self, timeout=None: wait(self, timeout and 0.001))


@pytest.fixture
def data_of(request: pytest.FixtureRequest, tmp_path: Path, no_network: None) -> Callable[[ModuleType], Path]:
    """The folder of a benchmark's data, found by its own `locate`."""

    def find(module: ModuleType) -> Path:
        fixture = FIXTURES.get(module.CARD.name)
        given_data = None if fixture is None else request.getfixturevalue(fixture)
        found = module.locate(given_data, tmp_path)
        assert isinstance(found, Path)
        return found

    return find


def test_a_card_is_whole(benchmark: ModuleType) -> None:
    card = benchmark.CARD
    assert isinstance(card, Card)
    assert card.name == benchmark.__name__.rsplit(".", 1)[-1].replace("_", "-")
    assert card.title
    assert card.summary
    assert card.licence
    assert card.labels
    assert set(card.languages) <= {"en", "zh"}
    assert card.languages
    named = {"", *card.labels, *(f"{label}={value}" for label, values in card.labels.items() for value in values)}
    assert set(card.label_titles) <= named | {"language", *(f"language={language}" for language in card.languages)}
    assert card.split in ("", *list(card.labels)[1:])
    for label, values in card.answerable.items():
        assert set(values) <= set(card.labels[label])
    for row in card.published:
        assert set(row.rates) <= named
        assert all(0 <= rate <= 1 for rate in row.rates.values())
    assert not card.judge or card.judge in discovery.names("judges")


def test_a_benchmark_without_data_says_what_to_do(benchmark: ModuleType, tmp_path: Path, no_network: None) -> None:
    with pytest.raises(DataError):
        benchmark.locate(tmp_path / "absent", tmp_path / "cache")
    if benchmark.CARD.name in FIXTURES:
        with pytest.raises(DataError, match="--data"):
            benchmark.locate(None, tmp_path / "cache")
    else:
        assert benchmark.locate(None, tmp_path / "cache").is_dir()


def test_items_are_whole_and_the_same_each_time(benchmark: ModuleType, data_of: Callable[[ModuleType], Path]) -> None:
    card, data = benchmark.CARD, data_of(benchmark)
    rows = list(benchmark.items(data))
    assert not [row for row in rows if isinstance(row, DataError)], "the published data have no broken row"
    assert rows == list(benchmark.items(data))
    assert len({item.id for item in rows}) == len(rows)
    assert len({item.cluster for item in rows}) < len(rows)
    seen: dict[str, set[str]] = {label: set() for label in card.labels}
    for item in rows:
        assert item.id.startswith(f"{card.name}/")
        assert item.question.strip()
        assert item.language in card.languages
        assert all(item.labels[label] in values for label, values in card.labels.items())
        assert all(Path(image.path).is_file() and not image.sha256 for image in item.images)
        assert Item.from_json(item.to_json()) == item
        for label in card.labels:
            seen[label].add(item.labels[label])
    assert seen == {label: set(values) for label, values in card.labels.items()}
    assert {item.language for item in rows} == set(card.languages)


def test_a_digest_is_hexadecimal_and_the_same_each_time(
    benchmark: ModuleType, data_of: Callable[[ModuleType], Path]
) -> None:
    data = data_of(benchmark)
    digest = benchmark.digest(data)
    assert re.fullmatch(r"[0-9a-f]{16,}", digest)
    assert benchmark.digest(data) == digest


def test_a_check_reports_findings(checked: ModuleType, data_of: Callable[[ModuleType], Path]) -> None:
    findings = list(checked.check(data_of(checked)))
    assert all(isinstance(finding, Finding) for finding in findings)
    assert all(finding.kind and finding.what for finding in findings)


# Models that answer without a server


@pytest.fixture(scope="module")
def picture() -> bytes:
    """A small PNG with a line on it."""
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (160, 80), "white")
    ImageDraw.Draw(image).line((10, 70, 150, 10), fill="black", width=2)
    stream = io.BytesIO()
    image.save(stream, "PNG")
    return stream.getvalue()


def request_of(question: str) -> Request:
    return Request((Message("user", (ImagePart(DIGEST), TextPart(question))),), "contract")


def skip_without_its_packages(module: ModuleType) -> None:
    if module.__name__.endswith(".ocr") and importlib.util.find_spec("rapidocr") is None:
        pytest.skip("the ocr model needs the extra ocr")


def test_an_embedded_model_is_pure(embedded: ModuleType, picture: bytes) -> None:
    skip_without_its_packages(embedded)
    assert embedded.FAMILY == "embedded"

    def load(sha256: str) -> bytes:
        assert sha256 == DIGEST
        return picture

    english, chinese = (request_of(question) for question in QUESTIONS)
    first = embedded.answer(english, load)
    assert isinstance(first, str)
    assert first.strip()
    assert embedded.answer(chinese, load).strip()
    assert embedded.answer(english, load) == first, "another question in between must not matter"
    if hasattr(embedded, "revision"):
        assert isinstance(embedded.revision(), str)
        assert embedded.revision() == embedded.revision()


def test_an_embedded_model_makes_nothing_of_what_is_no_image(embedded: ModuleType) -> None:
    """It says so by the declared error, or never looked."""
    skip_without_its_packages(embedded)
    looked = []

    def load(sha256: str) -> bytes:
        looked.append(sha256)
        return b"<html>not an image</html>"

    with contextlib.suppress(ModelError):
        assert embedded.answer(request_of(QUESTIONS[0]), load).strip()
        assert not looked


def test_an_embedder_turns_texts_into_vectors_and_looks_at_nothing(embedder: ModuleType) -> None:
    assert embedder.FAMILY == "embedded"

    def load(sha256: str) -> NoReturn:
        raise AssertionError("an embedder has no business with images")

    english, chinese = (Request((Message("user", (TextPart(question),)),), "contract") for question in QUESTIONS)
    try:
        assert embedder.revision() == embedder.revision()
        first = embedder.answer(english, load)
    except ModelError as error:
        if "pip install" in str(error) or "name the model" in str(error):
            pytest.skip(f"it cannot be tried as it stands: {error}")
        raise
    vector = embedding.read(first)
    assert vector.ndim == 1
    assert abs(float(vector @ vector) - 1) < 1e-3
    assert embedding.read(embedder.answer(chinese, load)).shape == vector.shape
    assert embedder.answer(english, load) == first, "another text in between must not matter"


# Metrics


def table_of(verdicts: list[Verdict]) -> VerdictTable:
    """Every second item is a changed version of the one before, by turns with its truth kept and altered."""
    builder = TableBuilder({"relation": ("normal",)})
    for position, verdict in enumerate(verdicts):
        figure = position // 4
        change = Change("jpeg", 3, 0, "altered" if position % 4 == 3 else "kept")
        item = Item(
            id=f"contract/{figure}/{position}",
            question="?",
            labels={"relation": RELATIONS[position % 4]},
            groups={"pair": f"contract/{figure}/{position - position % 2}"},
            cluster=f"contract/{figure}",
            changes=(change,) if position % 2 else (),
        )
        builder.add(position, item, verdict)
    return builder.build()


MEASURES = ("recall", "precision", "function_similarity", "function_similarity_by_chance", "label_agreement")
TASKS = ("parsing", "confusion", "fabricated")


def beside_of(verdicts: list[Verdict]) -> VerdictTable:
    """What a judge measures beside the verdict is its value, whatever the task: CHAIR, claims, published reading."""
    names = ("chair_i", "chair_s", "object_coverage", "published", "claims", "contradicted", "absent")
    values = [(verdict, verdict.value or 0) for verdict in verdicts]
    return table_of([replace(verdict, measures=dict.fromkeys(names, (value, 1))) for verdict, value in values])


def screens_of(verdicts: list[Verdict]) -> VerdictTable:
    """The three tasks of screens by turns; what a parse measures is its value."""
    builder = TableBuilder()
    for position, verdict in enumerate(verdicts):
        task, value = TASKS[position % 3], verdict.value
        if task == "parsing" and value is not None:
            verdict = replace(verdict, measures=dict.fromkeys(MEASURES, (value, 1)))
        item = Item(f"screen/{position}", "?", labels={"task": task}, cluster=f"screen/{position // 3}")
        builder.add(position, item, verdict)
    return builder.build()


VERDICTS = st.one_of(
    st.builds(
        Verdict,
        value=st.sampled_from((0, 1)),
        flags=st.lists(st.sampled_from(FLAGS), unique=True, max_size=2).map(tuple),
    ),
    st.builds(Verdict, value=st.none(), unscored=st.sampled_from(UNSCORED)),
)


def test_a_metric_says_what_it_is(metric: ModuleType) -> None:
    assert metric.TITLE.strip()
    assert metric.HIGHER_IS_BETTER in (True, False, None)


def test_no_two_metrics_have_one_title() -> None:
    titles = [metric.TITLE for metric in OVER["metric"].values()]
    assert len(set(titles)) == len(titles)


@given(verdicts=st.lists(VERDICTS, max_size=24))
@settings(max_examples=40, deadline=None)
def test_a_metric_gives_ordered_numbers_and_the_same_each_time(metric: ModuleType, verdicts: list[Verdict]) -> None:
    estimate = metric.estimate(table_of(verdicts))
    assert isinstance(estimate, Estimate)
    assert metric.estimate(table_of(verdicts)) == estimate
    assert 0 <= estimate.n <= len(verdicts)
    assert estimate.n + estimate.unscored <= len(verdicts)
    if estimate.value is None:
        assert estimate.low is None
        assert estimate.high is None
        return
    assert estimate.low is None or estimate.high is None or estimate.low <= estimate.value <= estimate.high
    if estimate.lower_bound is not None and estimate.upper_bound is not None:
        assert estimate.lower_bound <= estimate.value <= estimate.upper_bound


@given(verdicts=st.lists(VERDICTS, min_size=1, max_size=24), data=st.data())
@settings(max_examples=40, deadline=None)
def test_more_judge_failures_never_raise_a_lower_bound(
    metric: ModuleType, verdicts: list[Verdict], data: st.DataObject
) -> None:
    before = metric.estimate(table_of(verdicts)).lower_bound
    failing = data.draw(st.sets(st.integers(0, len(verdicts) - 1), min_size=1))
    failed = Verdict(None, unscored="judge_error")
    after = metric.estimate(table_of([failed if n in failing else v for n, v in enumerate(verdicts)])).lower_bound
    assert before is None or (after is not None and after <= before + 1e-12)


def test_a_metric_of_nothing_has_no_value(metric: ModuleType) -> None:
    assert metric.estimate(table_of([])).value is None


TABLES = (table_of, screens_of, beside_of)


def test_a_metric_moves_with_what_it_measures(metric: ModuleType) -> None:
    """Some change of value, flag or being scored must be visible, else it measures nothing."""
    tables = (
        [Verdict(1)] * 8,
        [Verdict(0)] * 8,
        [Verdict(0, flags=(ABSTAINED,))] * 8,
        [Verdict(None, unscored="judge_error")] * 4 + [Verdict(1)] * 4,
        [Verdict(0, flags=(FORMAT_ERROR,))] * 8,
    )
    values = [{metric.estimate(of(list(verdicts))).value for verdicts in tables} for of in TABLES]
    assert max(map(len, values)) > 1
