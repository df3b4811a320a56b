"""Going through items on screens: filters, neighbours, and what of it stands in the page."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from judged_screens import ELEMENTS, TARGET, add, fill, item_of, listed, picture, verdict_of
from snellen.benchmarks.gui_hallubench import CARD
from snellen.item import Change, Element, ElementsReference, TargetReference
from snellen.report import page
from snellen.report.examples import collect
from snellen.report.pictures import Album
from snellen.report.screen_browsing import FILTERS, STATES, Browsing, Shot, browsing
from snellen.report.screen_pictures import EACH, OUTCOMES
from snellen.verdict import Verdict

Make = Callable[..., Any]

HOSTILE = '</script></style><img src=x onerror="window.hacked=1"><script>window.hacked=2</script>\u202e{{ 7*7 }}'


def plain(label: str, value: str) -> str:
    return f"{label}: {value}" if value else label


@pytest.fixture
def run(make_source: Make) -> Any:
    return fill(make_source(card=CARD, name="gui-hallubench/m-1a2b@gui"))


def browsed(source: Any, sample: int = 60) -> Browsing:
    groups = collect(source, Album(), seed=0, sample=sample, title=plain)
    found = browsing(groups, "run-1", source.card.labels, plain)
    assert found is not None
    return found


class Page(HTMLParser):
    """Tags, ids, links and texts of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        self.text += data

    def all(self, attribute: str) -> list[str]:
        return [attributes[attribute] for _, attributes in self.tags if attribute in attributes]


def written(path: Path, *sources: Any, **options: Any) -> Page:
    page.write(sources, path, **options)
    return Page(path.read_text("utf-8"))


def shown(found: Browsing, chosen: tuple[int, ...]) -> list[Shot]:
    """What agrees with a setting of the filters."""
    return [
        shot
        for shot in found.shots
        if all(not wanted or wanted == number for wanted, number in zip(chosen, shot.numbers, strict=True))
    ]


def test_filters_have_the_cards_order_and_count_what_is_shown(run: Any) -> None:
    task, language, outcome = browsed(run).filters
    assert [(choice.title, choice.count) for choice in task.choices] == [
        ("All", 24),
        ("task: parsing", 8),
        ("task: confusion", 12),
        ("task: fabricated", 4),
    ]
    assert [choice.title for choice in language.choices] == ["All", "language: en", "language: zh"]
    titles = [choice.title for choice in outcome.choices[1:]]
    assert titles == [title for title in OUTCOMES.values() if title in titles]
    assert {"Hit", "Hit a distractor", "Hit elsewhere", "Rejected, rightly", "Rejected, wrongly", "Format error"} < {
        *titles
    }


def test_every_setting_leads_through_all_that_it_shows(run: Any) -> None:
    found = browsed(run)
    for chosen in product(*(range(len(one.choices)) for one in found.filters)):
        state = f"in-{STATES.index(tuple(number > 0 for number in chosen))}"
        row = shown(found, chosen)
        for place, shot in enumerate(row):
            before, after = (
                [step.text for step in steps if state in step.classes.split()] for steps in (shot.before, shot.after)
            )
            assert before == [other.key for other in row[:place][-1:]]
            assert after == [other.key for other in row[place + 1 :][:1]]
            (said,) = [step.text for step in shot.places if state in step.classes.split()]
            assert said == f"{place + 1} of {len(row)}"


def test_settings_that_show_nothing_say_so(run: Any) -> None:
    found = browsed(run)
    for chosen in product(*(range(len(one.choices)) for one in found.filters)):
        setting = {(name, number) for name, number in zip(FILTERS, chosen, strict=True) if number}
        told = any(set(empty) <= setting for empty in found.empty)
        assert told == (not shown(found, chosen))


def test_values_without_end_are_one(make_source: Make) -> None:
    source = make_source(card=CARD)
    for number in range(40):
        add(source, item_of(TargetReference(TARGET), task=f"t{number}", language=f"l{number}"), "(150, 250)")
    task, language, _ = browsed(source).filters
    assert [len(task.choices), len(language.choices)] == [14, 14]
    assert (task.choices[-1].title, task.choices[-1].count) == ("Other", 28)


def test_runs_on_other_things_are_shown_as_ever(make_source: Make, tmp_path: Path) -> None:
    source = make_source()
    source.add("x", Verdict(0))
    groups = collect(source, Album(), seed=0, sample=9, title=plain)
    assert browsing(groups, "run-1", {}, plain) is None
    parsed = written(tmp_path / "r.html", source)
    assert "shot" not in parsed.text + (tmp_path / "r.html").read_text("utf-8")


def test_every_outcome_is_in_a_small_sample(run: Any) -> None:
    add(run, item_of(TargetReference(TARGET)), "(500, 1500)")
    for _ in range(200):
        add(run, item_of(TargetReference(TARGET)), "(5, 5)")
    shots = browsed(run, 30).shots
    assert {"Hit a distractor", "Hit elsewhere", "Pointed at what is absent"} <= {shot.title for shot in shots}


def test_the_page(run: Any, tmp_path: Path) -> None:
    parsed = written(tmp_path / "r.html", run, replace(run, name="other"))
    ids = parsed.all("id")
    assert len(ids) == len(set(ids))
    links = [link for link in parsed.all("href") if link.startswith("#")]
    assert {link[1:] for link in links} <= set(ids)
    assert [tag for tag, _ in parsed.tags].count("article") == 48
    assert {tag for tag, _ in parsed.tags}.isdisjoint({"script", "iframe", "img", "form"})
    views = [
        attributes["viewbox"]
        for _, attributes in parsed.tags
        if attributes.get("role") == "group" and "viewbox" in attributes
    ]
    assert set(views) == {"0 0 1000 2000"}
    embedded = [attributes for tag, attributes in parsed.tags if tag == "image"]
    assert [(each["width"], each["height"]) for each in embedded] == [("350", "700")] * 2
    assert {attributes["transform"] for _, attributes in parsed.tags if "transform" in attributes} >= {
        "scale(2.857142857142857 2.857142857142857)"
    }


def test_lists_and_boxes_lead_to_each_other(run: Any, tmp_path: Path) -> None:
    parsed = written(tmp_path / "r.html", run)
    boxes = {a["id"]: a["href"][1:] for tag, a in parsed.tags if tag == "a" and "-box-" in a.get("id", "")}
    lines = {a["id"] for tag, a in parsed.tags if tag == "li" and "-line-" in a.get("id", "")}
    back = {link[1:] for link in parsed.all("href") if "-box-" in link}
    assert boxes
    assert set(boxes.values()) == lines
    assert back == set(boxes)


def test_texts_of_parses(run: Any, tmp_path: Path) -> None:
    text = " ".join(written(tmp_path / "r.html", run).text.split())
    for words in (
        "Items All 24 items that have something to show",
        "invented: listed, not there 1",
        "missed: there, not listed 1",
        "matched: listed, and there 2",
        "InstructionList every element.",
        "The answer was not read, so only the truth is drawn.",
        "answer, missed",
    ):
        assert words in text


def test_flips_are_drawn_on_both_sides(make_source: Make, tmp_path: Path) -> None:
    source = make_source(card=CARD)
    item = item_of(TargetReference(TARGET))
    for text, name, changes in (
        ("(150, 250)", "s/1", ()),
        ("(900, 900)", "s/1@jpeg:3", (Change("jpeg", 3, 0, "kept"),)),
    ):
        data = picture()
        digest = hashlib.sha256(data).hexdigest()
        source.images[digest] = data
        images = (replace(item.images[0], sha256=digest),)
        own = {"id": name, "images": images, "changes": changes, "groups": {"pair": "s/1"}, "cluster": "s/1"}
        source.add(text, verdict_of(item, text), reference=item.reference, labels=item.labels, **own)
    page.write([source], tmp_path / "r.html")
    (flip,) = re.findall(r'<article class="flip">.*?</article>', (tmp_path / "r.html").read_text("utf-8"), re.DOTALL)
    assert [flip.count(f'class="label {kind}"') for kind in ("target", "hit", "miss")] == [2, 1, 1]
    assert " id=" not in flip


def test_nothing_to_draw_is_said(make_source: Make, tmp_path: Path) -> None:
    source = make_source(card=CARD)
    add(source, item_of(TargetReference(None)), "It is not on the screen.")
    assert "nothing to draw: the target is absent" in written(tmp_path / "r.html", source).text


def test_hostile_texts(make_source: Make, tmp_path: Path) -> None:
    source = make_source(card=CARD)
    element = Element(HOSTILE, HOSTILE, ELEMENTS[0].box)
    every = item_of(
        ElementsReference((element, ELEMENTS[1])), task=HOSTILE, language=HOSTILE, question=HOSTILE, id=HOSTILE
    )
    add(source, every, listed((HOSTILE, (100, 100, 200, 200)), (HOSTILE, (0, 0, 9, 9)), (HOSTILE, (0, 0, 9_999, 9))))
    add(source, item_of(TargetReference(TARGET), question=HOSTILE), f"{HOSTILE} (150, 250)")
    parsed = written(tmp_path / "r.html", source)
    assert {tag for tag, _ in parsed.tags}.isdisjoint({"script", "iframe", "img"})
    assert not [name for _, attributes in parsed.tags for name in attributes if name.startswith("on")]
    assert "\u202e" not in (tmp_path / "r.html").read_text("utf-8")
    assert not re.search(r"\b49\b", parsed.text)
    assert parsed.text.count("<img src=x onerror") > 8


def test_ten_thousand_elements_and_none(make_source: Make, tmp_path: Path) -> None:
    source = make_source(card=CARD)
    every = item_of(ElementsReference(ELEMENTS))
    add(
        source,
        every,
        listed(*((f"element {n}", (n % 900, n // 900, n % 900 + 5, n // 900 + 5)) for n in range(10_000))),
    )
    add(source, every, "[]")
    add(source, item_of(ElementsReference(())), listed(("a", (0, 0, 5, 5))))
    parsed = written(tmp_path / "r.html", source)
    assert f"{10_000 - EACH:,} more are not shown here." in parsed.text
    assert (tmp_path / "r.html").stat().st_size < 600_000


def test_same_run_same_bytes(run: Any, tmp_path: Path) -> None:
    one, two = (tmp_path / name for name in ("one.html", "two.html"))
    page.write([run], one)
    page.write([run], two)
    assert one.read_bytes() == two.read_bytes()


def test_pictures_that_are_lost_leave_a_note(run: Any, tmp_path: Path) -> None:
    run.images = {}
    parsed = written(tmp_path / "r.html", run)
    assert parsed.text.count("no longer in the workspace") == 24
    assert "matched: listed, and there" in parsed.text
