"""What comparing, reporting and exporting large runs costs, as whole commands on a ledger.

    python perf/large_runs.py [--items 30000] [--conditions 12] [--runs 5] [--only WORDS] [--keep FOLDER]

Writes a workspace of made-up runs through the ledger's own functions: SHALE's labels, 4 to 10 questions to an image,
every question clean and under each condition, answers of some 200 characters, verdicts with reasons, flags and
measures, a judge's replies on captions. Then it runs each command in a process of its own, prints seconds, CPU, peak
memory (the kernel's count for the process and its children), and deletes the workspace. 390,000 verdicts a run take
some 0.6 GB of disk each. ``--keep FOLDER`` writes the workspace there, or takes the one that is there, and keeps it.

"again" is the same command a second time. The first one may find nothing that was kept from an earlier one.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from snellen.answer import Answer, Failure, Usage
from snellen.aspects import ASPECTS, DOMAINS
from snellen.benchmarks import shale
from snellen.engine import provenance
from snellen.engine.choice import judge_of
from snellen.engine.workspace import Workspace
from snellen.item import Change, ImageRef, Item, OptionReference, Reference, TextReference, YesNoReference
from snellen.ledger import PlannedRow, RunRow
from snellen.model_spec import ModelSpec
from snellen.verdict import ABSTAINED, UNCLEAR, Verdict

NAMES = (
    "jpeg",
    "blur",
    "noise",
    "fog",
    "snow",
    "brightness",
    "contrast",
    "rotate",
    "pixelate",
    "typos",
    "crop",
    "grayscale",
)
TASKS = ("yes-no", "multiple-choice", "free-form", "caption")
WORDS = ("the", "picture", "shows", "a", "dog", "that", "runs", "on", "grass", "near", "two", "children", "by", "water")
LABELS = "labels.jsonl"
CHUNK = 200  # clean items that are written at once


class Made:
    """The runs that are written.

    Args:
        items: clean items.
        conditions: changes of each.
        runs: how many.
    """

    def __init__(self, items: int, conditions: int, runs: int) -> None:
        self.items, self.changes = items, [Change(name, 3, 0, "kept") for name in NAMES[:conditions]]
        rng = np.random.default_rng(0)
        sizes = rng.integers(4, 11, items)
        self.image = np.repeat(np.arange(items), sizes)[:items].tolist()
        hard = rng.beta(4, 3, items)[self.image]
        shape = (runs, items, conditions + 1)
        right = np.linspace(0.85, 1.0, runs)[:, None, None] * hard[None, :, None] * np.ones(shape)
        right[:, :, 1:] *= np.linspace(0.95, 0.7, conditions)
        self.right = rng.random(shape) < right
        self.draws = rng.integers(0, 100, shape)
        self.texts = [" ".join(WORDS[each] for each in rng.integers(0, len(WORDS), 42)) for _ in range(500)]

    def rows(self, first: int, last: int) -> Iterator[tuple[int, int, int, Item]]:
        """(position, number of the clean item, condition, item) of these clean items and their changed versions."""
        for number in range(first, last):
            task = TASKS[number % 4]
            image = self.image[number]
            labels = {
                "aspect": (*ASPECTS, *DOMAINS)[number % 18],
                "task": task,
                "kind": shale.CARD.labels["kind"][number % 18 > 11],
            }
            reference: Reference = (
                YesNoReference(number % 3 > 0),
                OptionReference("B", "dog"),
                TextReference("a dog"),
                TextReference(self.texts[number % 500]),
            )[number % 4]
            about: dict[str, Any] = {
                "options": (("A", "cat"), ("B", "dog"), ("C", "horse"), ("D", "bird")) if number % 4 == 1 else (),
                "reference": reference,
                "labels": labels,
                "groups": {"image": f"images/{image}.jpg", "pair": f"shale/{number}"},
                "cluster": f"shale/images/{image}.jpg",
                "language": "zh" if image % 5 == 0 else "en",
                "objects": ("dog", "child", "grass") if task == "caption" else (),
            }
            question = f"What does picture {image} show of point {number}, and what is beside it on the left?"
            for place in range(len(self.changes) + 1):
                sha256 = hashlib.sha256(f"{image} {place}".encode()).hexdigest()
                picture = ImageRef(f"images/{image}.jpg", sha256=sha256)
                change = self.changes[place - 1] if place else None
                identity = f"shale/{number}" + (f"@{change.name}:{change.severity}" if change else "")
                changes = (change,) if change else ()
                position = number * (len(self.changes) + 1) + place
                yield position, number, place, Item(identity, question, (picture,), changes=changes, **about)

    def answer(self, run: int, number: int, place: int, item: Item) -> Answer:
        """What that run's model said."""
        draw = int(self.draws[run, number, place])
        if draw == 0:
            return Answer("failed", failure=Failure("timeout", "no answer within 600 s"))
        sent = {
            "parameters": {"temperature": 0},
            "images": [
                {
                    "sha256": item.images[0].sha256,
                    "width": 800,
                    "height": 600,
                    "mode": "RGB",
                    "bytes": 81_234,
                    "format": "JPEG",
                    "steps": [],
                }
            ],
        }
        word = "Yes" if self.right[run, number, place] else "No"
        text = f"{word}, {number}: {self.texts[(7 * number + place + run) % 500]}."
        return Answer("answered", text, "", "stop", Usage(900, 50), 0.8, sent, f"made-{run}")

    def verdict(self, run: int, number: int, place: int) -> Verdict:
        """What its judge found."""
        draw, right = int(self.draws[run, number, place]), int(self.right[run, number, place])
        task = TASKS[number % 4]
        if task == "caption":
            if draw == 1:
                return Verdict(None, "neither can be seen", unscored="judge_cannot_tell")
            measures = {
                "chair_i": (1.0 - right, 3.0),
                "chair_s": (1.0 - right, 1.0),
                "object_coverage": (draw % 3, 3.0),
            }
            return Verdict(right, f"claims a {WORDS[draw % 14]} that is not there", measures=measures)
        flags = (ABSTAINED,) if draw < 6 else (UNCLEAR,) if draw < 8 else ()
        value = right if draw >= 8 else 0
        read = {"published": (float(value), 1.0), "published_differs": (float(draw == 9), 1.0)}
        return Verdict(
            value, f"read as {WORDS[draw % 14]}, the truth is dog", flags, measures={} if task == "free-form" else read
        )

    def write(self, folder: Path) -> None:
        """All runs, into a new workspace."""
        with Workspace(folder) as workspace:
            runs = [self._registered(workspace, number) for number in range(self.right.shape[0])]
            for first in range(0, self.items, CHUNK):
                rows = list(self.rows(first, min(first + CHUNK, self.items)))
                for number, (run, judging) in enumerate(runs):
                    with workspace.ledger.together():
                        self._write(workspace, number, run, judging, rows)

    def _registered(self, workspace: Workspace, number: int) -> tuple[RunRow, RunRow]:
        model = ModelSpec(f"made-{number}")
        plan = hashlib.sha256(model.name.encode()).digest()[:16]
        spec = {
            "benchmark": "shale",
            "data": "0" * 64,
            "prompt": "direct",
            "perturbations": [f"{c.name}:{c.severity}" for c in self.changes],
            "seed": 0,
            "image_policy": "original",
            "model": model.name,
            "revision": "",
            "parameters": {"temperature": 0},
        }
        ledger, name = workspace.ledger, f"shale/{model.name}"
        run = ledger.add_run(name, plan, spec)
        ledger.record(run.id, {"model": {"name": model.name, "kind": "served", "family": ""}, "versions": {}})
        judge = judge_of(shale, "shale", ModelSpec("judge"))
        judged = {"run": plan.hex(), **judge.identity(), "source": judge.source()}
        return run, ledger.add_run(f"{name}@judge", hashlib.sha256(plan).digest()[:16], judged, parent=run.id)

    def _write(
        self,
        workspace: Workspace,
        number: int,
        run: RunRow,
        judging: RunRow,
        rows: Sequence[tuple[int, int, int, Item]],
    ) -> None:
        def key(*of: object) -> bytes:
            return hashlib.sha256(repr((number, *of)).encode()).digest()[:16]

        ledger = workspace.ledger
        answers = [self.answer(number, clean, place, item) for _, clean, place, item in rows]
        ledger.plan_items(run.id, [PlannedRow(position, item, key(position)) for position, _, _, item in rows])
        ledger.store([(key(row[0]), answer) for row, answer in zip(rows, answers, strict=True)])
        judged = [row for row, answer in zip(rows, answers, strict=True) if answer.failure is None]
        ledger.put_verdicts(
            judging.id, [(position, self.verdict(number, clean, place)) for position, clean, place, _ in judged]
        )
        captions = [position for position, clean, _, _ in judged if TASKS[clean % 4] == "caption"]
        ledger.put_replies(judging.id, [(position, 0, key(position, "reply")) for position in captions])
        reply = Answer(
            "answered",
            '{"evidence": "no dog is there", "verdict": "no hallucination"}',
            "",
            "stop",
            Usage(1200, 20),
            0.5,
            {"parameters": {"temperature": 0}},
            "judge",
        )
        ledger.store([(key(position, "reply"), reply) for position in captions])


def declare_present(folder: Path) -> None:
    """The made-up verdicts as those of the judge's present source, so that none is read anew, and what answers come to
    summed up and kept, as ``snellen run`` leaves them."""
    source = judge_of(shale, "shale", ModelSpec("judge")).source()
    with Workspace(folder) as workspace:
        rows = workspace.ledger.runs()
        for row in rows:
            if row.parent is not None:
                workspace.ledger.respecify(row.id, {**row.spec, "source": source})
                provenance.manifest(workspace.ledger, next(run for run in rows if run.id == row.parent), row)


def write_labels(folder: Path, made: Made) -> None:
    """People's labels of some answers, as a file for ``audit``."""
    chosen = list(made.rows(0, min(made.items, 400)))[:: len(made.changes) + 1]
    lines = [
        json.dumps(
            {
                "id": item.id,
                "label": ("hallucination", "no hallucination")[int(made.right[0, number, 0]) if number % 9 else 0],
            }
        )
        for _, number, _, item in chosen
    ]
    (folder / LABELS).write_text("\n".join(lines), encoding="utf-8")


def commands(folder: Path, items: int, conditions: int, count: int) -> Iterator[tuple[str, list[str]]]:
    """What is measured: words, and the arguments of ``snellen``."""
    runs = [f"shale/made-{number}" for number in range(count)]
    one, scratch = runs[0], folder / "written"
    scratch.mkdir(exist_ok=True)
    yield "compare", ["compare", *runs]
    yield "compare, again", ["compare", *runs]
    yield "compare by aspect and task, as JSON", ["compare", *runs, "--by", "aspect", "--by", "task", "--json"]
    if conditions:
        yield "compare under a condition", ["compare", *runs, "--on", f"{NAMES[0]}:3"]
    yield "compare with items", ["compare", *runs[:2], "--items"]
    yield "report", ["report", *runs]
    yield "report as JSON", ["report", *runs, "--json"]
    yield "report as a page", ["report", *runs, "-o", str(scratch / "page.html")]
    yield "report of one run", ["report", one]
    yield "runs", ["runs"]
    yield "show", ["show", one, f"shale/{items - 1}"]
    yield "methods", ["methods", one]
    yield "diff", ["diff", *runs[:2]]
    yield "selective", ["selective", one]
    yield "correlate", ["correlate", *runs]
    yield "audit", ["audit", one, "--human", str(folder / LABELS)]
    yield "export csv", ["export", one, "--format", "csv", "-o", str(scratch / "rows.csv")]
    yield "export parquet", ["export", one, "--format", "parquet", "-o", str(scratch / "rows.parquet")]


def measured(folder: Path, arguments: Sequence[str]) -> tuple[float, float, float, int, str]:
    """(wall, CPU, peak MB of the process, exit code, the end of what it said of an error) of one command."""
    with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as out:
        start = time.perf_counter()
        environment = {**os.environ, "SNELLEN_WORKSPACE": str(folder)}
        program = [str(Path(sys.executable).with_name("snellen")), *arguments]
        actions = [(os.POSIX_SPAWN_DUP2, out.fileno(), 1), (os.POSIX_SPAWN_DUP2, said.fileno(), 2)]
        pid = os.posix_spawn(program[0], program, environment, file_actions=actions)
        _, status, used = os.wait4(pid, 0)
        wall = time.perf_counter() - start
        said.seek(0)
        last = said.read()[-300:].decode(errors="replace").strip()
    code = os.waitstatus_to_exitcode(status)
    return wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, code, last


def main() -> None:
    """Write the workspace, run the commands, print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=30_000)
    parser.add_argument("--conditions", type=int, default=12, choices=range(len(NAMES) + 1))
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only", nargs="*", default=[], help="commands that begin with one of these")
    parser.add_argument("--keep", type=Path, default=None)
    parser.add_argument("--write", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    size = (chosen.items, chosen.conditions, chosen.runs)
    if chosen.write:
        if not (chosen.keep / LABELS).exists():
            made = Made(*size)
            made.write(chosen.keep)
            write_labels(chosen.keep, made)
        declare_present(chosen.keep)
        return
    with tempfile.TemporaryDirectory() as place:
        folder = chosen.keep or Path(place)
        start = time.perf_counter()
        # In a process of its own: what this one takes at its largest would count for its children.
        subprocess.run([sys.executable, *sys.argv, "--write", "--keep", str(folder)], check=True)
        took, length = time.perf_counter() - start, (folder / "ledger.sqlite").stat().st_size
        print(f"written in {took:.0f} s: {length / 1e6:,.0f} MB of ledger\n", flush=True)
        print(f"load {os.getloadavg()[0]:.1f}\n\n| Command | Wall, s | CPU, s | Peak, MB |\n| --- | --- | --- | --- |")
        for what, arguments in commands(folder, *size):
            if chosen.only and not any(what.startswith(words) for words in chosen.only):
                continue
            wall, cpu, peak, code, said = measured(folder, arguments)
            failed = f" exit {code}: {said}" if code else ""
            print(f"| {what} | {wall:.1f} | {cpu:.1f} | {peak:,.0f} |{failed}", flush=True)


if __name__ == "__main__":
    main()
