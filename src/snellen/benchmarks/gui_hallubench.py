"""GUI-HalluBench: does a model find the right one of two look-alikes on a screen, and say so when there is none?

Zicheng Zhang, Hongyi Jing, Rui Lv, Shuo Fang, Shiai Zhu, Junying Wang, Chunyi Li, Xiaohong Liu, Chenguang Ma, Guangtao
Zhai: "Evaluating and Easing Hallucinations for GUI Grounding", CVPR 2026.

2,000 screenshots, half of them English and half Chinese, on mobile, web and desktop. A parsing subset asks for every
element with meaning and box. A hallucination subset asks for one element: it exists beside a distractor that looks
alike or means nearly the same (confusion, about 40 %), or it does not exist, so that only rejecting is right
(fabricated, about 60 %).

The user points at a copy. Parses are read in the released layout; for the hallucination subset, whose layout no public
source gives, Snellen declares one (docs, page on screens). Nothing in a row is repaired: what does not fit is yielded
as a `DataError`, what is odd is reported by `check`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from snellen.benchmarks._gui_rows import KINDS, NAME, Records
from snellen.benchmarks._screen_files import Repeated, digest_of, located
from snellen.benchmarks._screen_labels import TITLES
from snellen.card import Card, Finding, PublishedRow
from snellen.claim import Claim
from snellen.errors import DataError
from snellen.item import Item, TargetReference

_MISSING = "GUI-HalluBench's data have no pinned address, so Snellen does not fetch them."
_LAYOUT = (
    "Get a copy by way of https://github.com/aibench/GUI-HalluBench and pass --data FOLDER, where FOLDER holds its "
    "JSON files and its images, in the layouts that the page on screens (gui.md) of Snellen's documentation describes"
)


def _row(model: str, parsing: float | None, hallucination: float, note: str = "") -> PublishedRow:
    averages = {"parsing_average": parsing, "hallucination_average": hallucination}
    metrics = {name: round(value / 100, 4) for name, value in averages.items() if value is not None}
    return PublishedRow(model, {}, note, metrics)


_PGP = "asked by the parsing-guided prompt"
_HFT = "after hallucination-aware fine-tuning"

CARD = Card(
    name=NAME,
    title="GUI-HalluBench",
    summary=(
        "2,000 English and Chinese screenshots: whether a model lists what is on a screen, finds the right one of two "
        "elements that are easily confused, and rejects an element that is not there."
    ),
    paper="Evaluating and Easing Hallucinations for GUI Grounding",
    authors=(
        "Zicheng Zhang, Hongyi Jing, Rui Lv, Shuo Fang, Shiai Zhu, Junying Wang, Chunyi Li, Xiaohong Liu, Chenguang "
        "Ma, Guangtao Zhai"
    ),
    links={
        "paper": (
            "https://openaccess.thecvf.com/content/CVPR2026/html/"
            "Zhang_Exposing_and_Evaluating_Hallucinations_for_GUI_Grounding_CVPR_2026_paper.html"
        ),
        "repository": "https://github.com/aibench/GUI-HalluBench",
    },
    licence="none known: taken from your own copy, never shipped with Snellen",
    languages=("en", "zh"),
    domain="screen",
    labels={"task": ("parsing", *KINDS), "language": ("en", "zh")},
    label_titles={
        "task": "Task",
        "task=parsing": "Parsing",
        "task=confusion": "Confusion",
        "task=fabricated": "Fabricated",
        **TITLES,
    },
    judge="gui",
    answerable={"task": ("parsing", "confusion")},
    question_writers=("GPT-4o", "Gemini-2.0", "Qwen3-Max"),
    published=(
        _row("GPT-4o (with grounding)", 20.2, 57.2),
        _row("Claude Computer Use", 37.7, 56.6),
        _row("Claude Computer Use (PGP)", None, 59.2, _PGP),
        _row("Gemini-2.0 (Project Mariner)", 41.6, 60.5),
        _row("GUI-Owl-7B", 55.4, 64.9),
        _row("InternVL3.5-8B", 55.7, 63.2),
        _row("InternVL3.5-8B (PGP)", None, 64.8, _PGP),
        _row("InternVL3.5-8B (HFT)", 71.9, 69.1, _HFT),
        _row("Qwen3-VL-8B", 58.1, 66.0),
        _row("Qwen3-VL-8B (PGP)", None, 67.7, _PGP),
        _row("Qwen3-VL-8B (HFT)", 72.3, 73.0, _HFT),
    ),
    notes=(
        "The published averages rest on the authors' own rule for a hit, embedding model and weights, of which no "
        "public source tells: small differences to them mean little.",
        "Truth boxes come from detectors and were then reviewed by people; language models (GPT-4o, Gemini-2.0 and "
        "Qwen3-Max, as one secondary source says) proposed the cases.",
        "Value 1 of a parsing item says that nothing was invented; recall, precision and similarity of functions are "
        "measures of their own.",
    ),
)


CLAIMS = (
    Claim(
        "pgp-helps",
        "Asked to list the elements first (PGP), models hallucinate less.",
        "prompt",
        items={"task": KINDS},
        prompts=("direct", "pgp"),
        metric="hallucination_average",
        pairs=tuple((model, f"{model} (PGP)") for model in ("Claude Computer Use", "InternVL3.5-8B", "Qwen3-VL-8B")),
    ),
    Claim(
        "pgp-helps-rejection",
        "Asked to list the elements first (PGP), models reject absent targets more often.",
        "prompt",
        items={"task": ("fabricated",)},
        prompts=("direct", "pgp"),
    ),
)
"""What the paper states about scores, for `snellen claims`."""


def locate(data: Path | None, cache: Path) -> Path:
    """The user's copy: a folder with JSON files and images, or one JSON file with the images beside it.

    Raises:
        DataError: no copy is given, or it is none, with how to point at one.
    """
    return located(data, _MISSING, _LAYOUT)


def digest(data: Path) -> str:
    """Hex SHA-256 of what ``sha256sum`` prints for the JSON files and then for the images their rows name, by name.

    Names are relative to the folder (to the file's, where one file is the data). An image that cannot be read counts
    as ``missing``.
    """
    return digest_of(data, Records(data, _LAYOUT).images())


def items(data: Path) -> Iterator[Item | DataError]:
    """The items, file by file in the order of the files' names, in each in its own order.

    A row that is not as declared is yielded as a `DataError` (with its id where it has one) and the rest goes on; so is
    a file that cannot be read. A row that says the same as an earlier one is passed over. An item whose image is
    missing is yielded with an image of size 0: planning finds out, so that it stays in the count.

    Raises:
        DataError: no file holds a row.
    """
    for item in Records(data, _LAYOUT).items():
        if not isinstance(item, Repeated):
            yield item


def check(data: Path) -> Iterator[Finding]:
    """What is odd in the files; bad rows, boxes, labels, texts and images are `snellen.engine.check`'s part."""
    repeated: Counter[str] = Counter()
    for item in Records(data, _LAYOUT).items():
        if isinstance(item, Repeated):
            repeated[item.name] += 1
        elif isinstance(item, Item) and isinstance(reference := item.reference, TargetReference):
            if reference.box and not reference.distractors:
                what = "no distractor is given: a miss cannot be told apart from a hit on the look-alike"
                yield Finding("confusion without distractor", item.id, what)
            if "density" not in item.labels:
                yield Finding("screen without parse", item.id, "no parse of its screen is there: no label for density")
    for file, count in sorted(repeated.items()):
        yield Finding("row repeated", file, f"{count} rows say what earlier ones with their ids say: asked once")
