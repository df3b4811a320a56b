"""The report as one HTML file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.card import Card, PublishedRow
from snellen.errors import UsageError
from snellen.report import page
from snellen.report.text import CUT, Passage, visible
from snellen.verdict import Verdict

Make = Callable[..., Any]

HOSTILE = '"\'><script>window.hacked=1</script><img src=x onerror="window.hacked=2"><svg onload=alert(1)>{{ 7*7 }}'
VOID = {"meta", "link", "img", "br", "hr", "input"}


class Parsed(HTMLParser):
    """Tags, attributes and texts of a page; fails on tags that do not close."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.text = ""
        self.open: list[str] = []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), (tag, attrs)
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data

    def all(self, attribute: str) -> list[str]:
        return [attributes[attribute] for _, attributes in self.tags if attribute in attributes]


def written(sources: Any, path: Path, **options: Any) -> Parsed:
    page.write(sources if isinstance(sources, list) else [sources], path, **options)
    return Parsed(path.read_text("utf-8"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "report.html"


def words(parsed: Parsed) -> str:
    return " ".join(parsed.text.split())


def assert_harmless(parsed: Parsed) -> None:
    """No script, no frame, no handler, nothing that is fetched."""
    allowed = {"html", "head", "meta", "title", "link", "style", "body", "header", "main", "section", "nav", "footer"}
    allowed |= {"aside", "article", "h1", "h2", "h3", "h4", "p", "a", "b", "i", "code", "cite", "span", "div", "ul"}
    allowed |= {"li", "dl", "dt", "dd", "details", "summary", "table", "thead", "tbody", "tr", "th", "td"}
    allowed |= {"svg", "defs", "image", "use", "g", "path", "text", "rect", "clippath"}
    assert {tag for tag, _ in parsed.tags} <= allowed
    for tag, attributes in parsed.tags:
        assert not [name for name in attributes if name.startswith("on") or name in ("srcdoc", "action", "ping")]
        for name in ("src", "href", "xlink:href"):
            target = attributes.get(name, "")
            assert target == "" or target.startswith(("#", "data:")) or (tag == "a" and target.startswith("https://"))
        if "style" in attributes:
            assert "url(" not in attributes["style"]
            assert "expression" not in attributes["style"]


def test_one_run(run: Any, path: Path) -> None:
    parsed = written(run, path)
    assert_harmless(parsed)
    text = words(parsed)
    results = run.results
    assert results.headline_text() in text
    assert "charthal/model-1a2b@rules" in text
    for title in ("Descriptive", "Open-ended", "Irrelevant", "Contradictory", "Relation to the chart"):
        assert title in text
    for cell in results.cells.values():
        assert f"{100 * cell.value:.1f}{cell:interval}{cell.n} of {cell.n + cell.unscored}" in text
    assert "A sample: 60 of 96 items" in text
    assert "A note of the card." in text
    for word in ("Hallucinated", "Unclear", "Not scored: the judge failed", "Over-refusal", "Manifest"):
        assert word in text
    assert f"Right {results.headline.hits}" in text
    assert "no byte in 60 s" in text


def test_the_page_forbids_everything_but_style_and_pictures(run: Any, path: Path) -> None:
    metas = [attributes for tag, attributes in written(run, path).tags if tag == "meta"]
    (content,) = [meta["content"] for meta in metas if meta.get("http-equiv") == "Content-Security-Policy"]
    assert content.split("; ")[:3] == ["default-src 'none'", "img-src data:", "style-src 'unsafe-inline'"]
    assert "script" not in content


def test_links_come_from_the_card_and_only_by_https(run: Any, path: Path) -> None:
    targets = [target for target in written(run, path).all("href") if not target.startswith(("#", "data:"))]
    assert targets == ["https://example.org/charts"]


def test_hostile_texts_everywhere(make_source: Make, draw: Make, path: Path) -> None:
    card = Card(
        name=HOSTILE, title=HOSTILE, summary=HOSTILE, paper=HOSTILE, links={HOSTILE: f"https://x/{HOSTILE}"},
        labels={HOSTILE: (HOSTILE, "b"), "second": (HOSTILE,)}, label_titles={HOSTILE: HOSTILE}, score=HOSTILE,
        notes=(HOSTILE,), answerable={"second": (HOSTILE,)},
        published=tuple(PublishedRow(HOSTILE, {"": 0.5, f"{HOSTILE}={HOSTILE}": 0.5}, HOSTILE) for _ in "ab"),
    )  # fmt: skip
    sources = []
    for _ in range(2):
        source = make_source(
            name=HOSTILE, card=card, remarks=[HOSTILE], manifest={HOSTILE: {HOSTILE: [HOSTILE, {HOSTILE: HOSTILE}]}}
        )
        for value in (0, 1, None):
            source.add(
                HOSTILE, Verdict(value, reason=HOSTILE, unscored="" if value is not None else "judge_error"), draw(),
                id=HOSTILE, question=HOSTILE, language=HOSTILE, cluster=HOSTILE,
                labels={HOSTILE: HOSTILE, "second": HOSTILE},
            )  # fmt: skip
        source.add(None, Verdict(None, unscored="model_error"), labels={HOSTILE: "unheard-of"}, id=f"{HOSTILE}2")
        sources.append(source)
    for several in ([sources[0]], sources):
        parsed = written(several, path)
        assert_harmless(parsed)
        assert parsed.text.count(HOSTILE) > 20
        assert "49" not in re.findall(r"\b49\b", parsed.text)


def test_direction_and_control_characters_are_shown(make_source: Make, path: Path) -> None:
    source = make_source()
    source.add("safe\u202etxt.exe\x00\x1b[2J\ud800", Verdict(0, reason="\u2066x"), id="a\u202eb")
    page.write([source], path)
    raw = path.read_text("utf-8")
    assert not re.search("[\u202a-\u202e\u2066-\u2069\x00\x1b]", raw)
    assert "safe⟨U+202E⟩txt.exe⟨U+0000⟩⟨U+001B⟩[2J⟨U+D800⟩" in raw


@pytest.fixture(scope="module")
def macros() -> Any:
    return page._template().environment.get_template("macros.html.j2").module


@settings(deadline=None, max_examples=60)
@given(text=st.text(alphabet=st.characters(categories=None), max_size=400))
def test_any_text_comes_out_as_it_went_in(macros: Any, text: str) -> None:
    parsed = Parsed(str(macros.passage(Passage.of(text))))
    assert {tag for tag, _ in parsed.tags} <= {"span", "details", "summary", "p", "code"}
    if text and len(text.split("\n")) < 10:
        assert parsed.text.strip("\n") == visible(text).strip("\n")


def test_long_answers_are_folded_and_cut_with_a_note(make_source: Make, path: Path) -> None:
    source = make_source()
    source.add("a" * 1_000, Verdict(0))
    source.add("b" * 50_000, Verdict(0))
    parsed = written(source, path)
    assert "show all 1,000 characters" in parsed.text
    assert f"the report shows {CUT:,} of 50,000 characters" in parsed.text
    assert "a" * 1_000 in parsed.text
    assert "b" * CUT in parsed.text
    assert "b" * (CUT + 1) not in parsed.text


def test_languages_are_marked(run: Any, path: Path) -> None:
    parsed = written(run, path)
    tagged = [attributes["lang"] for tag, attributes in parsed.tags if tag == "span" and "lang" in attributes]
    assert {"en", "zh-Hans"} == set(tagged)
    assert "图中第" in parsed.text


def test_same_run_same_bytes(run: Any, tmp_path: Path) -> None:
    one, two, other = (tmp_path / name for name in ("one.html", "two.html", "other.html"))
    page.write([run], one, sample=20)
    page.write([run], two, sample=20)
    page.write([run], other, sample=20, seed=1)
    assert one.read_bytes() == two.read_bytes()
    assert one.read_bytes() != other.read_bytes()


def test_pictures_stand_in_the_page_once(run: Any, path: Path) -> None:
    parsed = written(run, path, sample=96)
    embedded = [attributes for tag, attributes in parsed.tags if tag == "image"]
    assert len(embedded) == 3
    assert all(attributes["href"].startswith("data:image/") for attributes in embedded)
    shown = [attributes["href"] for tag, attributes in parsed.tags if tag == "use" and "picture" in attributes["href"]]
    assert len(shown) == 96
    assert {f"#{attributes['id']}" for attributes in embedded} == set(shown)


def test_a_lost_picture_leaves_a_note(run: Any, path: Path) -> None:
    run.images = {}
    assert "The picture is no longer in the workspace" in written(run, path).text


def test_ids_are_unique_and_references_lead_somewhere(run: Any, path: Path, make_source: Make) -> None:
    parsed = written([run, replace(run, name="charthal/other-1a2b@rules")], path)
    ids = parsed.all("id")
    assert len(ids) == len(set(ids))
    targets = {target.removeprefix("#") for target in parsed.all("href") if target.startswith("#")}
    assert targets | set(parsed.all("aria-labelledby")) <= set(ids)


def test_empty_cells_and_cells_without_a_score(make_source: Make, path: Path) -> None:
    source = make_source()
    source.add("x", Verdict(1))
    source.add("y", Verdict(None, unscored="judge_error"))
    text = words(written(source, path))
    assert "none of 1 scored" in text
    assert text.count("no items") == 10


@pytest.mark.parametrize("verdict", [None, Verdict(None, unscored="missing"), Verdict(None, unscored="model_error")])
def test_a_run_without_a_score(make_source: Make, path: Path, verdict: Verdict | None) -> None:
    source = make_source(planned=3)
    if verdict is not None:
        source.add(None, verdict)
    text = words(written(source, path))
    assert "no value" in text
    assert "Not scored 3" in text


def test_the_run_stands_among_the_published_rows(run: Any, path: Path) -> None:
    parsed = written(run, path)
    text = words(parsed)
    rows = text[text.index("with every label") :]
    assert rows.index("Best-72B") < rows.index("model-1a2b@rules") < rows.index("Worst-3B")
    assert "(small)" in rows
    assert [attributes for tag, attributes in parsed.tags if tag == "tr" and attributes.get("class") == "run"]


def test_a_card_without_published_rows_has_no_such_part(run: Any, path: Path) -> None:
    run.card = replace(run.card, published=())
    assert "published" not in words(written(run, path)).lower()


def test_a_card_with_one_label_has_no_heat_map(run: Any, path: Path) -> None:
    run.card = replace(run.card, labels={"relation": run.card.labels["relation"]}, published=())
    parsed = written(run, path)
    assert "heat" not in parsed.all("class")
    assert "Contradictory" in parsed.text


def test_several_runs_are_compared_at_the_top(run: Any, path: Path) -> None:
    other = replace(run, name="charthal/other-9z@rules", manifest={"model": {"name": "other"}, "prompt": "pgp"})
    parsed = written([run, other], path, sample=5)
    text = words(parsed)
    assert text.index("Comparison") < text.index("To be read with these numbers")
    assert "they differ in prompt; see their manifests" in text
    assert text.count("Among the published results") == 1
    assert "with the 2 runs among them" in text
    assert [attributes["id"] for tag, attributes in parsed.tags if tag == "section" and "id" in attributes] == [
        "comparison", "published-1", "run-1", "run-2",
    ]  # fmt: skip


def test_runs_that_were_made_alike_are_not_warned_of(run: Any, path: Path) -> None:
    other = replace(run, name="charthal/other-9z@rules", manifest={"model": {"name": "other"}, "prompt": "direct"})
    assert "not made alike" not in written([run, other], path, sample=0).text


def test_runs_of_two_benchmarks(run: Any, path: Path) -> None:
    other = replace(run, card=replace(run.card, name="other", title="Other"))
    parsed = written([run, other], path, sample=0)
    assert "2 runs on 2 benchmarks" in parsed.text
    assert parsed.text.count("Among the published results of") == 2


def test_what_differs_within_the_judge_is_named(run: Any, path: Path) -> None:
    one = replace(run, manifest={"judge": {"name": "charthal", "options": {"reading": "default"}}})
    two = replace(run, manifest={"judge": {"name": "charthal", "options": {"reading": "strict"}}})
    assert "they differ in judge › options › reading" in words(written([one, two], path, sample=0))


def test_what_a_run_is_and_how_it_went_may_differ(run: Any, path: Path) -> None:
    def manifest(number: int, rubric: str) -> dict[str, Any]:
        return {
            "run": f"r{number}",
            "plan": {"data": "d", "model": f"m{number}", "revision": f"v{number}", "prompt": "direct"},
            "model": {"name": f"m{number}", "price": {"input": number}},
            "sessions": [{"started": 1.0 * number}],
            "asked": {"requests": number},
            "judging": {"name": f"j{number}", "judge": rubric, "judge_model": {"name": rubric}, "cost": number},
        }

    alike = [replace(run, manifest=manifest(number, "rules")) for number in (1, 2)]
    assert "not made alike" not in written(alike, path, sample=0).text
    unlike = [replace(run, manifest=manifest(number, rubric)) for number, rubric in enumerate(("rules", "charthal"))]
    text = words(written(unlike, path, sample=0))
    assert "they differ in judging › judge, judging › judge model › name; see" in text


def test_moments_are_dates(run: Any, path: Path) -> None:
    run.manifest = {"sessions": [{"started": 1764473940.5}, {"started": 1e300}]}
    text = words(written(run, path, sample=0))
    assert "started2025-11-30T03:39:00+00:00" in text
    assert "started1e+300" in text


def test_the_manifest_is_shown_without_secrets(run: Any, path: Path) -> None:
    run.manifest = {
        "model": {"name": "m", "headers": {"Authorization": "Bearer abcdefghijkl"}, "api_key": ["k1", "k2"]},
        "tokens": {"prompt": 1234},
        "temperature": 0.0,
        "deviations": ["temperature left out", "max_tokens renamed"],
        "empty": {},
        "steps": [{"name": "one"}],
        "cached": True,
        "cost": None,
    }
    text = words(written(run, path))
    for shown in ("prompt1234", "temperature0.0", "temperature left out, max_tokens renamed", "cachedyes", "costnone"):
        assert shown in text
    for secret in ("abcdefghijkl", "k1", "k2"):
        assert secret not in text
    assert "(hidden)" in text


def test_a_manifest_without_end_is_cut(run: Any, path: Path) -> None:
    run.manifest = {f"key {number}": number for number in range(5_000)}
    text = words(written(run, path))
    assert "cut after 400 entries" in text
    assert "key 399" in text
    assert "key 401" not in text


def test_a_label_of_a_thousand_values_does_not_swamp_the_page(make_source: Make, path: Path) -> None:
    source = make_source()
    for number in range(60):  # not more: the run's own summary has a cell for every pair
        source.add("x", Verdict(0), labels={"question_type": f"type {number:03}", "relation": f"r{number:03}"})
    parsed = written(source, path, sample=1)
    assert path.stat().st_size < 1_000_000
    assert "the first 40 of 63 values" in parsed.text
    assert "Not all rows and columns are shown." in parsed.text
    assert sum(tag == "td" for tag, _ in parsed.tags) < 2_500


def test_no_examples_when_none_are_asked_for(run: Any, path: Path) -> None:
    parsed = written(run, path, sample=0)
    assert "No items are shown" in words(parsed)
    assert not [tag for tag, _ in parsed.tags if tag in ("article", "image")]


def test_all_examples_when_there_are_few(make_source: Make, path: Path) -> None:
    source = make_source()
    source.add("x", Verdict(1))
    assert "All 1 items that have something to show" in words(written(source, path))


def test_a_failure_leaves_the_old_report_alone(run: Any, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_text("old")

    def broken() -> Iterator[Any]:
        yield run.content[0]
        raise RuntimeError("the ledger is gone")

    monkeypatch.setattr(run, "rows", broken)
    with pytest.raises(RuntimeError, match="ledger is gone"):
        page.write([run], path)
    assert path.read_text() == "old"
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


def test_a_failure_while_writing_leaves_nothing_behind(run: Any, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(UsageError, match=r"cannot be written to .*: No space left on device"):
        page.write([run], path, sample=0)
    assert not list(path.parent.iterdir())


def test_missing_folders_are_made(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "报告.html"
    page.write([run], path, sample=0)
    assert path.read_text("utf-8").startswith("<!DOCTYPE html>")


def test_what_cannot_be_done_is_said(run: Any, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="at least one judged run"):
        page.write([], tmp_path / "x.html")
    with pytest.raises(UsageError, match="0 or more items, not -1"):
        page.write([run], tmp_path / "x.html", sample=-1)
    with pytest.raises(UsageError, match="is a folder"):
        page.write([run], tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot be written"):
        page.write([run], tmp_path / "file" / "x.html", sample=0)
