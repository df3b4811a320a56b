"""The rules judge: every cell in both languages, its options and flags, and its agreement with the recorded run."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.answer import Answer
from snellen.benchmarks import charthal, charthal_demo
from snellen.errors import UsageError
from snellen.item import Item, TextReference
from snellen.judges import rules
from snellen.readers import number
from snellen.verdict import ABSTAINED, EMPTY, HEDGED, PREMISE_CORRECTED, UNCLEAR, Verdict

TYPES = ("descriptive", "reasoning", "open-ended")
RELATIONS = ("irrelevant", "inexistent", "contradictory", "normal")


def item(kind: str, relation: str, question: str = "What is A?", reference: str = "", language: str = "en") -> Item:
    labels = {"question_type": kind, "relation": relation}
    return Item("x/1", question, reference=TextReference(reference), labels=labels, language=language)


def judge(
    cell: tuple[str, str], text: str, question: str = "What is A?", reference: str = "", **options: str
) -> Verdict:
    return rules.read(item(*cell, question, reference), Answer("answered", text=text), (), **options)


ESSAY = "Growth follows cheaper batteries, better roads and stronger grids in many regions. " * 8

IRRELEVANT = [
    ("The chart shows ROC curves, not fuel efficiency, so I can't answer that.", 1),
    ("There is no fuel-efficiency data in this chart.", 1),
    ("The chart is about batteries and has nothing to do with cheese.", 1),
    ("这个问题与图表无关，图中没有油耗数据。", 1),
    ("图表展示的是电池价格，而不是奶酪产量，无法回答。", 1),
    ("I cannot answer that.", 0),
    ("The image is too blurry to read; please upload a larger one.", 0),
    ("About 300 mm.", 0),
    ("The chart does not show rainfall, but it is about 300 mm.", 0),
    ("The chart says nothing about cheese. Still, here are the drivers.\n\n" + ESSAY, 0),
    ("无法回答。", 0),
    ("大约300毫米。", 0),
]


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize(("text", "value"), IRRELEVANT)
def test_irrelevant(kind: str, text: str, value: int) -> None:
    assert judge((kind, "irrelevant"), text).value == value


INEXISTENT_CLOSED = [
    ("The figure does not show 2020.", 1),
    ("I can't tell from this chart.", 1),
    ("I can't read it: there is no 2020 label. If you meant 2019, it is about 5.", 1),
    ("图中没有2020年的数据，无法确定。", 1),
    ("看不出来。", 1),
    ("About 5.", 0),
    ("2020 is not labelled, but it is roughly 5.", 0),
    ("I can't read an exact value; my best estimate is 5.", 0),
    ("大约是5。", 0),
    ("图中没有标注，但大约是5。", 0),
]


@pytest.mark.parametrize("kind", TYPES[:2])
@pytest.mark.parametrize(("text", "value"), INEXISTENT_CLOSED)
def test_inexistent_closed(kind: str, text: str, value: int) -> None:
    assert judge((kind, "inexistent"), text).value == value
    assert judge((kind, "inexistent"), text, reading="strict").value == value


SPECULATES = (
    "The chart does not show any data for Europe, so this is only speculation. One possibility is that a tax reform "
    "may have lowered demand; it could also be that prices rose, or that the sample was perhaps too small to tell, "
    "which might produce such a dip in a single year without any real change."
)
INEXISTENT_OPEN = [
    ("The chart does not break the data down by region, so no explanation can be given.", 1, 1),
    (SPECULATES, 1, 0),
    ("图中没有欧洲的数据，无法解释。", 1, 1),
    (ESSAY, 0, 0),
    ("The chart does not show Europe. It is definitely the tax reform. " + ESSAY, 0, 0),
    ("It may be the tax reform, or perhaps higher prices. " + ESSAY, 0, 0),
    ("这是因为税制改革导致需求下降。", 0, 0),
]


@pytest.mark.parametrize(("text", "default", "strict"), INEXISTENT_OPEN)
def test_inexistent_open(text: str, default: int, strict: int) -> None:
    assert judge(("open-ended", "inexistent"), text).value == default
    assert judge(("open-ended", "inexistent"), text, reading="strict").value == strict


PREMISE = "Given that B is below A, by how much is B below A?"
TRUTH = "The premise is wrong: B is above A by 5 (Answers in the range [4, 6] are ACCEPTABLE)."
CONTRADICTORY_CLOSED = [
    ("B isn't below A; it is 5 higher.", 1),
    ("The premise is false, so I can't give such a difference.", 1),
    ("问题的前提有误：B比A高5。", 1),
    ("B isn't below A; it is 9 higher.", 0),
    ("About 5.", 0),
    ("I cannot answer that.", 0),
    ("大约是5。", 0),
    ("无法确定。", 0),
]


@pytest.mark.parametrize("kind", TYPES[:2])
@pytest.mark.parametrize(("text", "value"), CONTRADICTORY_CLOSED)
def test_contradictory_closed(kind: str, text: str, value: int) -> None:
    verdict = judge((kind, "contradictory"), text, PREMISE, TRUTH)
    assert verdict.value == value, verdict.reason


CONTRADICTORY_OPEN = [
    ("Actually the chart shows sales rising, so there is no fall to explain.", 1),
    ("The premise is wrong: sales rise. That may be due to cheaper batteries, or perhaps better roads.", 1),
    ("前提有误，图中销量是上升的，可能与价格下降有关。", 1),
    ("Sales fall because demand is weak.", 0),
    ("The premise is wrong: sales rise. " + ESSAY, 0),
    ("It may be weak demand.", 0),
    ("可能是需求下降。", 0),
]


@pytest.mark.parametrize(("text", "value"), CONTRADICTORY_OPEN)
def test_contradictory_open(text: str, value: int) -> None:
    verdict = judge(("open-ended", "contradictory"), text, "Why do sales fall every year?", "The premise is wrong.")
    assert verdict.value == value, verdict.reason


RANGE = "About 0.048 (Answers in the range [0.045, 0.050] are ACCEPTABLE)."
NORMAL_CLOSED = [
    ("What is A?", RANGE, "About 0.047.", 1),
    ("What is A?", RANGE, "About 0.06.", 0),
    ("What is A?", RANGE, "I cannot determine that from the chart.", 0),
    ("Which is highest?", "PHY", "PHY is.", 1),
    ("Which is highest?", "PHY", "CIT is.", 0),
    ("Which model rises most, and by how much?", "RegDG rises most, by 3.", "NEXUS, by 3.", 0),
    ("Which model rises most, and by how much?", "RegDG rises most, by 3.", "RegDG, by 3.", 1),
    ("How much higher is A than B?", "A is 5 and B is 3, so A is 2 higher.", "A is 2 higher.", 1),
    ("A是多少？", "大约0.048（答案在[0.045, 0.050]范围内均可接受）", "约0.047。", 1),
    ("A是多少？", "0.5", "0.7", 0),
    ("哪个最高？", "北京", "最高的是北京。", 1),
    ("A是多少？", "0.5", "图中没有标注，无法确定。", 0),
    ("What is A?", "", "It is 5.", None),
]


@pytest.mark.parametrize("kind", TYPES[:2])
@pytest.mark.parametrize(("question", "reference", "text", "value"), NORMAL_CLOSED)
def test_normal_closed(kind: str, question: str, reference: str, text: str, value: int | None) -> None:
    verdict = judge((kind, "normal"), text, question, reference)
    assert verdict.value == value, verdict.reason
    assert verdict.unscored == ("judge_cannot_tell" if value is None else "")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The rise may reflect cheaper batteries; another possible cause is the tax reform.", 1),
        ("这可能是由于电池价格下降，也不排除政策的影响。", 1),
        ("The rise is caused by cheaper batteries.", 0),
        ("这是电池降价造成的。", 0),
        ("I cannot say; the chart gives no information on causes.", 0),
    ],
)
def test_normal_open(text: str, value: int) -> None:
    assert judge(("open-ended", "normal"), text).value == value


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("relation", RELATIONS)
def test_empty_and_wordless_answers_score_0_everywhere(kind: str, relation: str) -> None:
    for text in ("", " \n\t", "\u3000"):
        assert judge((kind, relation), text) == Verdict(0, "The answer is empty.", flags=(EMPTY,))
    assert judge((kind, relation), "...?!").flags == (UNCLEAR,)
    assert judge((kind, relation), "……").value == 0


def test_flags_say_what_the_answer_does() -> None:
    assert ABSTAINED in judge(("descriptive", "normal"), "I cannot tell.").flags
    assert ABSTAINED not in judge(("descriptive", "normal"), "5").flags
    assert PREMISE_CORRECTED in judge(("descriptive", "contradictory"), "The premise is wrong.").flags
    assert PREMISE_CORRECTED not in judge(("descriptive", "normal"), "The premise is wrong.").flags
    assert HEDGED in judge(("open-ended", "normal"), "It may be noise.").flags


def test_every_verdict_gives_a_reason_in_one_sentence() -> None:
    for kind in TYPES:
        for relation in RELATIONS:
            for text in ("5", "I cannot tell.", "The premise is wrong.", SPECULATES, ESSAY):
                reason = judge((kind, relation), text, reference="5").reason
                assert reason.endswith(".")
                assert ". " not in reason


def test_items_of_other_benchmarks_and_unknown_options_are_refused() -> None:
    with pytest.raises(UsageError, match="question_type=none"):
        rules.read(Item("x/1", "?"), Answer("answered", text="5"))
    with pytest.raises(UsageError, match="there are reading"):
        judge(("descriptive", "normal"), "5", rubric="strict")
    with pytest.raises(UsageError, match="default, strict"):
        judge(("descriptive", "normal"), "5", reading="lenient")


def test_a_caption_is_left_to_a_model() -> None:
    caption = Item("x/1", "Describe it.", reference=TextReference("A cat."), labels={"task": "caption"})
    verdict = rules.read(caption, Answer("answered", text="A cat."))
    assert (verdict.value, verdict.unscored) == (None, "judge_cannot_tell")
    assert "--judge" in verdict.reason
    assert ABSTAINED in rules.read(caption, Answer("answered", text="I cannot tell.")).flags


def test_it_asks_no_model() -> None:
    assert not hasattr(rules, "ask")
    assert rules.OPTIONS["reading"][0] == "default"


@given(st.text(), st.text(), st.text(), st.sampled_from(TYPES), st.sampled_from(RELATIONS))
def test_any_text_gets_a_verdict(text: str, question: str, reference: str, kind: str, relation: str) -> None:
    one = rules.read(item(kind, relation, question or "?", reference), Answer("answered", text=text))
    assert one == rules.read(item(kind, relation, question or "?", reference), Answer("answered", text=text))


def _program() -> ModuleType:
    path = Path(__file__).resolve().parents[2] / "perf" / "judge_agreement.py"
    spec = importlib.util.spec_from_file_location("judge_agreement", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["judge_agreement"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def test_agreement_with_the_recorded_run(charthal_data: Path) -> None:
    if not (charthal_data / "results" / "eval.json").is_file():
        pytest.skip("no recorded verdicts: results/eval.json is not among the ChartHal data")
    program = _program()
    found = program.pairs(charthal_data)
    odd = [pair for pair in found if pair.figure % 2 == 1]
    assert len(found) == 717
    assert len(odd) == 377
    assert program.coverage(odd) >= 0.97
    assert float(program.kappa(program.counts(odd))) >= 0.72
    low, high = program.interval(odd)
    assert low < float(program.kappa(program.counts(odd))) < high
    text = program.report(found)
    assert text.count("\n") == 19
    assert "odd figure id (held out) | 377" in text


def _share_of_references_that_pass(items: list[Item]) -> float:
    values = []
    for subject in items:
        if subject.reference is not None and subject.reference.text:
            text = number.without_ranges(subject.reference.text)
            values.append(rules.read(subject, Answer("answered", text=text)).value == 1)
    return sum(values) / len(values)


def test_references_given_as_answers_pass(charthal_data: Path) -> None:
    """Not all do: some references contradict their own ranges, or explain what is true at length without caution."""
    items = [subject for subject in charthal.items(charthal_data) if isinstance(subject, Item)]
    assert _share_of_references_that_pass(items) > 0.97


def test_references_of_the_demo_pass_in_both_languages(tmp_path: Path) -> None:
    items = [s for s in charthal_demo.items(charthal_demo.locate(None, tmp_path)) if isinstance(s, Item)]
    assert {subject.language for subject in items} == {"en", "zh"}
    assert _share_of_references_that_pass(items) > 0.97


def test_kappa_is_cohens() -> None:
    np = pytest.importorskip("numpy")
    metrics = pytest.importorskip("sklearn.metrics")
    table = np.array([[20, 5], [10, 15]])
    first = [0] * 25 + [1] * 25
    second = [0] * 20 + [1] * 5 + [0] * 10 + [1] * 15
    assert float(_program().kappa(table)) == pytest.approx(metrics.cohen_kappa_score(first, second))
