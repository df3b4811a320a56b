"""SHALE: does a model say what an image does not show, or what is not so, and does it hold out when disturbed?

Bei Yan, Zhiyuan Chen, Yuecong Min, Jie Zhang, Jiahao Wang, Xiaozhen Wang, Shiguang Shan: "SHALE: A Scalable Benchmark
for Fine-grained Hallucination Evaluation in LVLMs", arXiv 2508.09584.

About 30,000 pairs of an image and an instruction. Faithfulness to the image is asked for in twelve aspects, factuality
in six domains, by yes-or-no and multiple-choice questions, free-form questions and captions.

The data lie behind a file-share link, so the user points at a copy. The layouts of the authors' README and of their
scorer are read, from one file or from every JSON file of a folder. Nothing in a row is repaired: what does not fit is
yielded as a `DataError`, what is odd is reported by `check`.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from snellen.aspects import ASPECTS, DOMAINS
from snellen.benchmarks import _shale_names as names
from snellen.benchmarks._shale_folder import Placed, Repeated, files, placed
from snellen.card import Card, Finding
from snellen.download import sha256_of
from snellen.errors import DataError
from snellen.item import Item, OptionReference

_LAYOUT = (
    "Download SHALE from the link in https://github.com/BeiiiY/SHALE (the paper is arXiv 2508.09584), unpack it and "
    "pass --data FOLDER, where FOLDER holds its JSON files and its images; or run shale-demo, which needs no data"
)
_MISSING = "missing"

CARD = Card(
    name="shale",
    title="SHALE",
    summary=(
        "About 30,000 pairs of an image and an instruction: whether a model says what the image does not show, in "
        "twelve aspects, or what is not so in the world, in six domains, clean and under perturbation."
    ),
    paper="SHALE: A Scalable Benchmark for Fine-grained Hallucination Evaluation in LVLMs",
    authors="Bei Yan, Zhiyuan Chen, Yuecong Min, Jie Zhang, Jiahao Wang, Xiaozhen Wang, Shiguang Shan",
    links={"paper": "https://arxiv.org/abs/2508.09584", "repository": "https://github.com/BeiiiY/SHALE"},
    licence="none stated in the repository: taken from your own copy, never shipped with Snellen",
    languages=("en", "zh"),
    labels={"aspect": (*ASPECTS, *DOMAINS), "task": names.TASKS, "kind": names.KINDS},
    split="kind",
    label_titles=names.TITLES,
    judge="shale",
    answerable={"kind": names.KINDS},
    resistance=True,
    notes=(
        "Yes-or-no, multiple-choice and free-form questions are scored by accuracy, captions by whether they are free "
        "of hallucination.",
        "A model that sees only the instruction scores about 38.1 % (as the paper reports): read scores from there.",
    ),
)


def locate(data: Path | None, cache: Path) -> Path:
    """The user's copy: a folder with JSON files and images, or one JSON file with the images beside it.

    Raises:
        DataError: no copy is given, or it is none, with where SHALE's data are.
    """
    if data is None:
        raise DataError(f"SHALE's data are behind a file-share link, so Snellen cannot fetch them. {_LAYOUT}")
    if data.is_file() and data.suffix != ".json":
        raise DataError(f"is no JSON file; an archive has to be unpacked first. {_LAYOUT}", file=str(data))
    if not data.exists():
        raise DataError(f"the data folder does not exist. {_LAYOUT}", file=str(data))
    data = data.resolve()
    if not files(data):
        raise DataError(f"there is no JSON file in this folder. {_LAYOUT}", file=str(data))
    return data


def digest(data: Path) -> str:
    """Hex SHA-256 of what ``sha256sum`` prints for the JSON files and then for the images their rows use, by name.

    Names are relative to the folder (to the file's, where one file is the data). An image that cannot be read counts
    as ``missing``.
    """
    root = data if data.is_dir() else data.parent
    rows = [file.relative_to(root).as_posix() for file in files(data)]
    used = {image.name for one in placed(data, _LAYOUT) if isinstance(one, Placed) for image in one.images}
    whole = hashlib.sha256()
    for name in (*rows, *sorted(used)):
        whole.update(f"{_sha256(root / name)}  {name}\n".encode("utf-8", "surrogateescape"))
    return whole.hexdigest()


def items(data: Path) -> Iterator[Item | DataError]:
    """The items, file by file in the order of the files' names, in each in its own order.

    A row that is not as declared is yielded as a `DataError` (with its id where it has one) and the rest goes on; so is
    a file that cannot be read. A row that says the same as an earlier one with its id is passed over. An item whose
    image is missing is yielded as it is: planning finds out, so that it stays in the count.

    Raises:
        DataError: no file holds a row.
    """
    for one in placed(data, _LAYOUT):
        if isinstance(one, DataError):
            yield one
        elif isinstance(one, Placed):
            yield _item(one)


def _item(one: Placed) -> Item:
    row, first = one.row, one.images[0]
    right = row.reference.letter if isinstance(row.reference, OptionReference) else ""
    labels = {"aspect": row.aspect, "task": row.task, "kind": row.kind}
    return Item(
        id=one.id,
        question=row.question,
        images=one.images,
        options=row.options,
        reference=row.reference,
        labels={**labels, "entity_type": row.entity} if row.entity else labels,
        groups={"image": first.name},
        cluster=_cluster(first.name),
        language=row.language,
        facts=row.facts,
        distractors=tuple(text for letter, text in row.options if letter != right),
    )


@cache
def _cluster(image: str) -> str:
    return f"shale/{image}"


def check(data: Path) -> Iterator[Finding]:
    """What is odd in the files and truths; bad rows, labels, texts and images are `snellen.engine.check`'s part."""
    repeated: Counter[str] = Counter()
    for one in placed(data, _LAYOUT):
        if isinstance(one, Repeated):
            repeated[one.where.rsplit(" ", 1)[0]] += 1
        elif isinstance(one, Placed):
            yield from _odd(one)
    for file, count in sorted(repeated.items()):
        yield Finding("row repeated", file, f"{count} rows say what earlier ones with their ids say: asked once")


def _odd(one: Placed) -> Iterator[Finding]:
    row = one.row
    if one.again:
        yield Finding("id of several rows", one.id, f"{one.where} has the id of {one.again} and says something else")
    if row.other_truth and row.task == "yes-no":
        what = f"the task {row.task_name} promises {row.other_truth}, the truth says {row.reference.text}: it counts"
        yield Finding("truth against its task", one.id, what)
    elif row.other_truth:
        what = f"the option marked right says {row.reference.text!r}, the truth {row.other_truth!r}: the option counts"
        yield Finding("truth against its option", one.id, what)
    expected = names.kind_of(row.aspect)
    if expected and row.kind in names.KINDS and row.kind != expected:
        yield Finding("kind against its aspect", one.id, f"{row.aspect} is asked for {row.kind}: kept as it is")
    texts = [" ".join(text.split()).casefold() for _, text in row.options]
    if len(set(texts)) < len(texts):
        yield Finding("options alike", one.id, "two options say the same: an answer by its text cannot be told")


def _sha256(path: Path) -> str:
    try:
        return sha256_of(path)
    except (OSError, ValueError):
        return _MISSING
