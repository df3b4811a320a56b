"""ChartHal: does a model say what a chart does not?

Xingqi Wang, Yiming Cui, Xin Yao, Shijin Wang, Guoping Hu, Xiaoyu Qin: "ChartHal: A Fine-grained Framework Evaluating
Hallucination of Large Vision Language Models in Chart Understanding", arXiv 2509.17481.

1,062 questions on 106 charts. Three types of question cross four relations to the chart: irrelevant to it, about what
is not in it (inexistent), built on a false premise about it (contradictory), and answerable (normal).

The data are one JSON object and a folder of images, as in the authors' repository; the state of one commit is pinned
file by file. Nothing in a row is repaired: what does not fit is yielded as a `DataError`, what is odd is reported by
`check`.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import lru_cache
from importlib import resources
from pathlib import Path

from snellen.benchmarks._charthal_rows import RELATIONS, TYPES, Row, rows
from snellen.benchmarks._wrong_value import wrong_value
from snellen.card import Card, Finding, PublishedRow
from snellen.claim import Claim
from snellen.download import PinnedFile, Progress, fetch, sha256_of
from snellen.errors import DataError
from snellen.item import ImageRef, Item, TextReference

COMMIT = "b32eb4d0954187b25ff680716e3751e7abf0a8ae"
"""The state of the authors' repository that is pinned (2025-11-05)."""

PINNED_DIGEST = "582c1bae79793f29ca4d5d217954e6c075af63dc3abcc51636eccc8b7c8c3d17"
"""`digest` of the data as published at `COMMIT`."""

URL_VARIABLE = "SNELLEN_CHARTHAL_URL"
"""Environment variable: base URL of a mirror that has the pinned files under the same names."""

_URL = f"https://raw.githubusercontent.com/ymcui/ChartHal/{COMMIT}"
_ROWS = "data/charthal.json"
_MISSING = "missing"
_LAYOUT = (
    "Get a copy of https://github.com/ymcui/ChartHal (or of the hub's hfl/ChartHal, with images.zip unpacked) and pass "
    "--data FOLDER, where FOLDER holds data/charthal.json and images/"
)
_ADVICE = f"{_LAYOUT}; or set {URL_VARIABLE} to the base URL of a mirror"

CELLS = {
    "descriptive": (56, 151, 76, 100),
    "reasoning": (99, 105, 54, 64),
    "open-ended": (114, 88, 80, 75),
}
"""Items per question type (rows) and relation (in the order of `RELATIONS`), as the paper counts them: 1,062 in all."""


def _published_items() -> dict[str, int]:
    """Items by type, by relation and overall."""
    found = {f"question_type={value}": sum(CELLS[value]) for value in TYPES.values()}
    columns = zip(*CELLS.values(), strict=True)
    found |= {f"relation={value}": sum(column) for value, column in zip(RELATIONS.values(), columns, strict=True)}
    return found | {"": sum(map(sum, CELLS.values()))}


def _published() -> tuple[PublishedRow, ...]:
    """The paper's main table: per cent by type, by relation and overall, in the order of the labels above."""
    keys = (
        *(f"question_type={value}" for value in TYPES.values()),
        *(f"relation={value}" for value in RELATIONS.values()),
    )
    return tuple(
        PublishedRow(
            model=row["model"],
            rates={key: round(rate / 100, 4) for key, rate in zip((*keys, ""), row["rates"], strict=True)},
            note=row["note"],
        )
        for row in json.loads(_shipped("published.json"))
    )


def _shipped(name: str) -> str:
    return (resources.files("snellen.benchmarks") / "charthal_data" / name).read_text("utf-8")


CARD = Card(
    name="charthal",
    title="ChartHal",
    summary=(
        "1,062 questions on 106 charts from arXiv papers: whether a model tells what a chart does not show, in twelve "
        "cells of question type and relation of the question to the chart."
    ),
    paper=(
        "ChartHal: A Fine-grained Framework Evaluating Hallucination of Large Vision Language Models in Chart "
        "Understanding"
    ),
    authors="Xingqi Wang, Yiming Cui, Xin Yao, Shijin Wang, Guoping Hu, Xiaoyu Qin",
    links={
        "paper": "https://arxiv.org/abs/2509.17481",
        "repository": "https://github.com/ymcui/ChartHal",
        "hub": "https://huggingface.co/datasets/hfl/ChartHal",
    },
    licence="none stated in the repository: fetched for you, never shipped with Snellen",
    languages=("en",),
    domain="chart",
    labels={"question_type": tuple(TYPES.values()), "relation": tuple(RELATIONS.values())},
    label_titles={
        "question_type": "Question type",
        "question_type=descriptive": "Descriptive",
        "question_type=reasoning": "Reasoning",
        "question_type=open-ended": "Open-ended",
        "relation": "Relation to the chart",
        "relation=irrelevant": "Irrelevant",
        "relation=inexistent": "Inexistent",
        "relation=contradictory": "Contradictory",
        "relation=normal": "Normal",
    },
    judge="charthal",
    answerable={"relation": ("normal",)},
    question_writers=("o4-mini",),
    published=_published(),
    published_items=_published_items(),
    notes=(
        "The recorded run in the authors' repository (31.73 %, 337 of 1,062) is not the published GPT-5-mini row "
        "(27.02 %, 287 of 1,062).",
        "o4-mini wrote the questions and is one of the published models; GPT-4o-2024-11-20 judged the published rows "
        "and is one of them too.",
        "The published rows were judged with the authors' wording of the rubrics and scored by their scripts. Snellen "
        "words the rubrics anew, so small differences to the published rows mean little.",
    ),
)


CLAIMS = (
    Claim(
        "descriptive-over-reasoning",
        "Models do better on descriptive questions than on reasoning questions.",
        "parts",
        higher={"question_type": ("descriptive",)},
        lower={"question_type": ("reasoning",)},
    ),
    Claim(
        "reasoning-over-open-ended",
        "Models do better on reasoning questions than on open-ended ones.",
        "parts",
        higher={"question_type": ("reasoning",)},
        lower={"question_type": ("open-ended",)},
    ),
    Claim(
        "normal-over-unanswerable",
        "Models do worse on questions that the chart cannot answer than on normal ones.",
        "parts",
        higher={"relation": ("normal",)},
        lower={"relation": ("irrelevant", "inexistent", "contradictory")},
    ),
    Claim(
        "effort-helps-little",
        "More reasoning effort helps little (here: by 3 points or less).",
        "effort",
        margin=0.03,
        pairs=tuple((model, f"{model} (high)") for model in ("GPT-5", "GPT-5-mini", "GPT-5-nano", "o4-mini")),
    ),
    Claim(
        "bigger-is-better",
        "Within a family, bigger models hallucinate less.",
        "size",
        series=(("GPT-5-nano", "GPT-5-mini", "GPT-5"), ("GPT-5-nano (high)", "GPT-5-mini (high)", "GPT-5 (high)")),
    ),
)
"""What the paper states about scores, for `snellen claims`."""


def locate(data: Path | None, cache: Path, progress: Progress | None = None) -> Path:
    """The folder that holds ``charthal.json`` and ``images/``.

    Args:
        data: the user's copy: the repository's root, its ``data`` folder, the hub's layout (``charthal.json`` beside
            ``images/``), or the JSON file itself. Used as it is, whatever its content.
        cache: where a download goes when no copy is given; a complete one is used without a network.
        progress: called with (files done, files in all) while downloading.

    Raises:
        DataError: the copy is not one, or the download failed, with what to do.
    """
    if data is None:
        folder = cache / "charthal" / COMMIT
        fetch(pinned_files(), os.environ.get(URL_VARIABLE) or _URL, folder, advice=_ADVICE, progress=progress)
        return folder
    start = data.parent if data.name == "charthal.json" and data.is_file() else data
    if not start.is_dir():
        what = "is a file, not a folder: unpack it" if start.exists() else "does not exist"
        raise DataError(f"the data folder {what}. {_LAYOUT}", file=str(data))
    start = start.resolve()
    rows = _rows_file(start)
    if not rows.is_file():
        raise DataError(f"there is no charthal.json in this folder. {_LAYOUT}", file=str(data))
    # Somebody who points at the repository's data folder means the images beside it.
    beside = start.name == "data" and rows.parent == start and not (start / "images").is_dir()
    return start.parent if beside else start


def pinned_files() -> dict[str, PinnedFile]:
    """The files at `COMMIT` that the questions need: name -> size and SHA-256. 54 further images there are not used."""
    listed = json.loads(_shipped("files.json"))
    return {name: PinnedFile(size, sha256) for name, (size, sha256) in listed.items()}


def digest(data: Path) -> str:
    """Hex SHA-256 of what ``sha256sum`` prints for ``data/charthal.json`` and the images its items use, sorted by name.

    An image that cannot be read counts as ``missing``. Equal to `PINNED_DIGEST` for the data as published.
    """
    names = {record.path for record in rows(_rows_file(data), _LAYOUT) if isinstance(record, Row)}
    lines = [f"{_sha256(_rows_file(data))}  {_ROWS}\n"]
    lines += [f"{_sha256(data / name)}  {name}\n" for name in sorted(names)]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def items(data: Path) -> Iterator[Item | DataError]:
    """The items in the file's order.

    A row that is not as declared is yielded as a `DataError` (with the item's id where the key gives one) and the rest
    goes on. An item whose image is missing is yielded as it is: planning finds out, so that it stays in the count.

    Raises:
        DataError: the file as a whole cannot be read.
    """

    @lru_cache(4096)
    def image(name: str) -> tuple[ImageRef]:
        return (ImageRef(name=name, path=str(data / name)),)

    for record in rows(_rows_file(data), _LAYOUT):
        if isinstance(record, DataError):
            yield record
            continue
        yield Item(
            id=record.id,
            question=record.question,
            images=image(record.path),
            reference=TextReference(record.reference),
            labels={"question_type": record.type, "relation": record.relation},
            groups={"figure": str(record.figure)},
            cluster=f"charthal/{record.figure}",
            language="en",
            distractors=tuple(filter(None, (wrong_value(record.reference, record.question),))),
        )


def official_id(key: str) -> str:
    """The item id behind a key of the official files of results; other texts as they are.

    >>> official_id("2_0")
    'charthal/2/0'
    """
    figure, _, question = key.partition("_")
    return f"charthal/{figure}/{question}" if figure.isdigit() and question.isdigit() else key


def check(data: Path) -> Iterator[Finding]:
    """What is odd in the files and labels; references' ranges, images and texts are `snellen.engine.check`'s part."""
    records = [record for record in rows(_rows_file(data), _LAYOUT) if not isinstance(record, DataError)]
    for name, pinned in pinned_files().items():
        path = _rows_file(data) if name == _ROWS else data / name
        if _sha256(path) not in (pinned.sha256, _MISSING):
            what = f"is not the file at commit {COMMIT[:12]}; used as it is"
            yield Finding("differs from the published file", name, what)
    counted = Counter((record.type, record.relation) for record in records)
    for row, numbers in CELLS.items():
        for column, expected in zip(RELATIONS.values(), numbers, strict=True):
            if counted[row, column] != expected:
                what = f"{counted[row, column]} items where the paper counts {expected}"
                yield Finding("cell not as in the paper", f"{row} / {column}", what)
    for record in records:
        yield from _check_record(record)
    yield from _check_figures(records)
    used = {record.path for record in records}
    if (data / "images").is_dir():
        for path in sorted((data / "images").iterdir()):
            name = f"images/{path.name}"
            if name not in used and not path.name.startswith(".") and path.suffix != ".part":
                yield Finding("unused image", name, "no question is about it; it is not part of the digest")


def _check_record(record: Row) -> Iterator[Finding]:
    if not record.reference.strip():
        if record.type == "open-ended":
            yield Finding("empty reference", record.id, "nothing to compare with, and the rubric needs nothing")
        else:
            what = f"a {record.type} {record.relation} question has no reference to compare an answer with"
            yield Finding("reference missing", record.id, what, serious=record.relation in ("contradictory", "normal"))
    if record.template >= 12:
        yield Finding("unknown template", record.id, f"subq_idx is {record.template}, and there are twelve (0 to 11)")
    else:
        kind, relation = [*TYPES.values()][record.template // 4], [*RELATIONS.values()][record.template % 4]
        if (kind, relation) != (record.type, record.relation):
            what = (
                f"written from the template for {kind} / {relation}, labelled {record.type} / {record.relation}; "
                "Snellen goes by the label"
            )
            yield Finding("relabelled", record.id, what)


def _check_figures(records: list[Row]) -> Iterator[Finding]:
    paths: defaultdict[int, set[str]] = defaultdict(set)
    for record in records:
        paths[record.figure].add(record.path)
    for figure, several in sorted(paths.items()):
        if len(several) > 1:
            what = f"its questions use {', '.join(sorted(several))}: intervals take them for one image"
            yield Finding("figure of several images", f"charthal/{figure}", what)


def _rows_file(folder: Path) -> Path:
    official = folder / "data" / "charthal.json"
    return official if official.is_file() else folder / "charthal.json"  # the latter: the hub's layout


def _sha256(path: Path) -> str:
    try:
        return sha256_of(path)
    except (OSError, ValueError):
        return _MISSING
