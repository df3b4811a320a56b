"""How fast the corruptions are, beside imagecorruptions-imaug where it can be had.

    python perf/corruptions.py
    python perf/corruptions.py --alone
    python perf/corruptions.py --python OTHER/bin/python --only fog --rounds 9
    python perf/corruptions.py --part processes

The other package wants an OpenCV of its own, so it runs in an environment of its own: one that is named, or one that is
made in a temporary folder and deleted again. Two workers, one of each, hold the same images and take turns call by
call; the figures are the quickest of the calls alone, which other work on the machine disturbs least. Where the other
environment cannot be made, only ours are printed. The second table is the CPU time of reading a JPEG, changing it and
writing it again, over that of reading and writing. The last one is the wall time of `snellen perturb` on a folder, from
start to exit, with one process and with two, which take turns too; it wants two processors with nothing else to do.
"""

from __future__ import annotations

import argparse
import importlib
import json
import math
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

PACKAGE = "imagecorruptions-imaug"
SIZES = ((640, 480), (1920, 1080))
SEVERITY = 3
SHARED = {
    "gaussian_noise": "gaussian_noise",
    "shot_noise": "shot_noise",
    "impulse_noise": "impulse_noise",
    "speckle_noise": "speckle_noise",
    "gaussian_blur": "gaussian_blur",
    "defocus_blur": "defocus_blur",
    "glass_blur": "glass_blur",
    "motion_blur": "motion_blur",
    "zoom_blur": "zoom_blur",
    "snow": "snow",
    "frost": "frost",
    "fog": "fog",
    "brightness": "brightness",
    "contrast": "contrast",
    "saturate": "saturate",
    "spatter": "spatter",
    "elastic_transform": "elastic_transform",
    "pixelate": "pixelate",
    "jpeg": "jpeg_compression",
}
"""Our name -> theirs."""

OURS_ALONE = (
    "salt_and_pepper_noise",
    "downscale",
    "grayscale",
    "low_contrast",
    "edge_crop",
    "rotation",
    "moire",
    "watermark",
    "occlusion",
)


PARTS = ("calls", "pipeline", "processes")
MIXED = ("gaussian_noise", "defocus_blur", "fog", "jpeg")
"""Changes of a folder where none is named: cheap and dear ones."""
LEAST_OF_TWO = 1.7
"""How many times as fast as one process two have to be."""


def picture(width: int, height: int, seed: int = 0) -> np.ndarray[Any, Any]:
    """Something like a photo: smooth shades, edges, texture, grain."""
    rng = np.random.default_rng(seed)
    down, across = np.mgrid[0:height, 0:width] / height
    shades = np.stack([down, 0.5 + 0.4 * np.sin(5 * across + 3 * down), 1 - down], axis=-1) * 200 + 20
    shades[(across % 0.3 < 0.15) & (down % 0.4 < 0.2)] *= 0.5
    shades += rng.normal(0, 6, shades.shape)
    return np.asarray(np.clip(shades, 0, 255), np.uint8)


def worker(side: str, folder: Path) -> None:
    """Reads [name, number of the image] a line, and answers with the seconds that the change took, or why it failed."""
    images = [np.load(folder / f"{number}.npy") for number in range(len(SIZES))]
    change = ours() if side == "ours" else theirs()
    for line in sys.stdin:
        name, number = json.loads(line)
        try:
            start = time.perf_counter()
            change(images[number], name)
            reply: Any = time.perf_counter() - start
        except Exception as error:  # whatever the other package fails with, the table goes on
            reply = f"{type(error).__name__}: {error}"
        print("=" + json.dumps(reply), flush=True)


def ours() -> Callable[[Any, str], Any]:
    """Our change by our name, as the engine calls it."""
    from snellen import discovery

    modules = {name: discovery.load("perturbations", name) for name in (*SHARED, *OURS_ALONE)}

    def change(image: Any, name: str) -> Any:
        module = modules[name]
        return module.change(image, min(SEVERITY, max(module.SEVERITIES)), np.random.default_rng(1))

    return change


def theirs() -> Callable[[Any, str], Any]:
    """Their change by our name."""
    import warnings

    corrupt = importlib.import_module("imagecorruptions").corrupt  # not there where the types are checked
    warnings.simplefilter("ignore")
    return lambda image, name: corrupt(image, SEVERITY, SHARED[name])


class Worker:
    """One side, waiting to be asked."""

    def __init__(self, side: str, python: str, folder: Path) -> None:
        command = [python, __file__, "--worker", side, "--folder", str(folder)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def seconds(self, name: str, number: int) -> float | str:
        """Of one call, or why it failed."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps([name, number]), file=self._process.stdin, flush=True)
        for line in self._process.stdout:
            if line.startswith("="):
                reply: float | str = json.loads(line[1:])
                return reply
        raise RuntimeError(f"the worker ended with exit code {self._process.wait()}")

    def close(self) -> None:
        """Lets it end."""
        self._process.communicate()


@contextmanager
def environment(named: str) -> Iterator[str]:
    """A Python that has the other package; empty where there can be none."""
    if named:
        yield named
        return
    with tempfile.TemporaryDirectory() as folder:
        python = str(Path(folder) / "bin" / "python")
        try:
            for command in ([sys.executable, "-m", "venv", folder], [python, "-m", "pip", "install", "-q", PACKAGE]):
                subprocess.run(command, check=True, capture_output=True, text=True)
        except (OSError, subprocess.CalledProcessError) as error:
            said = str(getattr(error, "stderr", "") or error).strip().splitlines()
            print(f"{PACKAGE} cannot be installed: only ours are measured ({said[-1] if said else error})\n")
            python = ""
        yield python


def compare(names: list[str], rounds: int, python: str) -> None:
    """The table of calls, and the geometric mean of the ratios."""
    with tempfile.TemporaryDirectory() as folder:
        for number, size in enumerate(SIZES):
            np.save(Path(folder) / f"{number}.npy", picture(*size))
        sides = {"ours": Worker("ours", sys.executable, Path(folder))}
        if python:
            sides["theirs"] = Worker("theirs", python, Path(folder))
        ratios: list[float] = []
        print(f"| Corruption | Size | Snellen (ms) | {PACKAGE} (ms) | Ratio |\n| --- | --- | --- | --- | --- |")
        for name in names:
            for number, (width, height) in enumerate(SIZES):
                asked = [side for side in sides if side == "ours" or name in SHARED]
                taken: dict[str, list[float | str]] = {side: [] for side in asked}
                for _ in range(rounds + 1):  # the first call warms up, and is not counted
                    for side in asked:
                        taken[side].append(sides[side].seconds(name, number))
                cells = [f"{quickest(taken[side]):.1f}" if numbers(taken[side]) else "fails" for side in asked]
                cells += [""] * (2 - len(cells))
                ratio = ""
                if len(asked) == 2 and all(numbers(taken[side]) for side in asked):
                    ratios.append(quickest(taken["theirs"]) / quickest(taken["ours"]))
                    ratio = f"{ratios[-1]:.2f}"
                print(f"| {name} | {width} x {height} | {cells[0]} | {cells[1]} | {ratio} |", flush=True)
        for asked_worker in sides.values():
            asked_worker.close()
    if ratios:
        mean = statistics.geometric_mean(ratios)
        print(f"\nGeometric mean of {len(ratios)} ratios: {mean:.1f}; least {min(ratios):.2f}")


def numbers(taken: list[float | str]) -> list[float]:
    """The counted calls that went well."""
    return [seconds for seconds in taken[1:] if isinstance(seconds, float)]


def quickest(taken: list[float | str]) -> float:
    """In milliseconds."""
    return min(numbers(taken)) * 1e3


def pipeline(names: list[str], rounds: int) -> None:
    """Reading, changing and writing over reading and writing, in CPU time, and the dearest of the cheaper half."""
    from PIL import Image

    change = ours()
    file = BytesIO()
    Image.fromarray(picture(*SIZES[0])).save(file, "JPEG", quality=90)

    def once(name: str) -> float:
        start = time.process_time()
        image = np.array(Image.open(BytesIO(file.getvalue())))
        changed = change(image, name) if name else image
        Image.fromarray(changed).save(BytesIO(), "JPEG", quality=90)
        return time.process_time() - start

    factors = {}
    for name in names:
        once(name)
        pairs = [(once(name), once("")) for _ in range(rounds)]
        factors[name] = statistics.median(changed for changed, _ in pairs) / statistics.median(
            alone for _, alone in pairs
        )
    ordered = sorted(factors, key=lambda name: factors[name])
    print("\n| Corruption | Reading, changing, writing over reading and writing |\n| --- | --- |")
    for name in ordered:
        print(f"| {name} | {factors[name]:.2f} |")
    half = ordered[: math.ceil(len(ordered) / 2)]
    print(f"\nThe dearest of the cheaper half: {max(factors[name] for name in half):.2f}")


def processes(names: list[str], images: int, rounds: int) -> None:
    """Whole processes of snellen that change a folder of images, with one process and with two."""
    from PIL import Image

    from snellen import discovery

    modules = {name: discovery.load("perturbations", name) for name in names}
    alone = [name for name in names if not hasattr(modules[name], "argument")]  # what needs an item needs a benchmark
    if not alone:
        return
    changes = ",".join(f"{name.replace('_', '-')}:{min(SEVERITY, max(modules[name].SEVERITIES))}" for name in alone)
    taken: dict[int, list[float]] = {1: [], 2: []}
    with tempfile.TemporaryDirectory() as folder:
        photos = Path(folder) / "photos"
        photos.mkdir()
        for number in range(images):
            Image.fromarray(picture(*SIZES[1], seed=number)).save(photos / f"{number}.jpg", quality=90)
        for _ in range(rounds):
            for count in taken:
                out = Path(folder) / f"out{count}"
                command = [str(Path(sys.executable).with_name("snellen")), "perturb", str(photos), "--out", str(out)]
                command += ["--perturb", changes, "--processes", str(count)]
                start = time.perf_counter()
                subprocess.run(command, check=True, capture_output=True)
                taken[count].append(time.perf_counter() - start)
                shutil.rmtree(out)
    one, two = (min(seconds) for seconds in taken.values())
    met = "yes" if one / two >= LEAST_OF_TWO else "**no**"
    print("\n| Folder | One process (s) | Two (s) | Ratio | Target | Met |\n| --- | --- | --- | --- | --- | --- |")
    size = f"{images} images {SIZES[1][0]} x {SIZES[1][1]}, {len(alone)} changes"
    print(f"| {size} | {one:.1f} | {two:.1f} | {one / two:.2f} | at least {LEAST_OF_TWO} | {met} |")


def main() -> None:
    """Reads the options and measures."""
    parser = argparse.ArgumentParser(description="How fast the corruptions are.")
    parser.add_argument("--python", default="", help=f"a Python that has {PACKAGE}; else one is made")
    parser.add_argument("--alone", action="store_true", help="measure ours only")
    parser.add_argument("--only", action="append", choices=[*SHARED, *OURS_ALONE], help="measure only this one")
    parser.add_argument("--rounds", type=int, default=7, help="counted calls of each side")
    parser.add_argument("--part", action="append", choices=PARTS, help="measure only this part")
    parser.add_argument("--images", type=int, default=40, help="in the folder that one process and two change")
    parser.add_argument("--worker", choices=["ours", "theirs"], help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        worker(options.worker, options.folder)
        return
    names = options.only or [*SHARED, *OURS_ALONE]
    parts = options.part or PARTS
    if "calls" in parts:
        with nullcontext("") if options.alone else environment(options.python) as python:
            compare(names, options.rounds, python)
    if "pipeline" in parts:
        pipeline(names, 3 * options.rounds)
    if "processes" in parts:
        processes(options.only or [*MIXED], options.images, min(3, options.rounds))


if __name__ == "__main__":
    main()
