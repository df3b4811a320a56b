"""The program that made the demonstration set of screens: pages of our own, drawn by a browser.

    python -m snellen.construction.screens.demo OUT

writes ``OUT/parsing_en.json``, ``OUT/parsing_zh.json``, ``OUT/hallucination.json`` and ``OUT/images/``. It needs
chromium, playwright and a font with Chinese characters. Pixels differ between versions of the browser and fonts, so the
set that ships with Snellen is what counts; its records are those of its own pictures.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson

from snellen.construction.screens import (
    browser,
    desktop,
    desktop_work,
    mobile,
    mobile_leisure,
    records,
    web,
    web_dining,
    web_portals,
)
from snellen.construction.screens.screen import LANGUAGES, Screen
from snellen.errors import UsageError

SCREENS: tuple[Screen, ...] = (
    *mobile.SCREENS,
    *mobile_leisure.SCREENS,
    *web.SCREENS,
    *web_dining.SCREENS,
    *web_portals.SCREENS,
    *desktop.SCREENS,
    *desktop_work.SCREENS,
)


def write(out: Path, screens: Sequence[Screen] = SCREENS) -> tuple[int, int]:
    """Draws every screen into `out` and writes its records; gives the numbers of pictures and of instructions.

    Raises:
        UsageError: browser or font is missing.
        ValueError: something on a screen is covered, cut off or outside, or what is asked about it is not sound.
    """
    (out / "images").mkdir(parents=True, exist_ok=True)
    parsed: dict[str, list[dict[str, Any]]] = {language: [] for language in LANGUAGES}
    asked: list[dict[str, Any]] = []
    faults = []
    with browser.chromium() as opened:
        for screen in screens:
            for language in LANGUAGES:
                shot = browser.shoot(opened, screen, language)
                (out / records.image_name(screen, language)).write_bytes(shot.png)
                faults += [f"{screen.name}-{language}: {fault}" for fault in shot.faults]
                try:
                    asked += records.hallucination(screen, language, shot)
                except ValueError as error:
                    faults.append(str(error))
                parsed[language].append(records.parsing(screen, language, shot))
    if faults:
        raise ValueError("\n".join(faults))
    for language, found in parsed.items():
        _write(out / f"parsing_{language}.json", found)
    _write(out / "hallucination.json", asked)
    return sum(map(len, parsed.values())), len(asked)


def _write(file: Path, rows: list[dict[str, Any]]) -> None:
    """A row a line: five thousand boxes indented by number would be a file of a hundred thousand lines."""
    lines = b",\n".join(orjson.dumps(row) for row in rows)
    file.write_bytes(b"[\n" + lines + b"\n]\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; 0 when all is written, 2 when browser or font is missing."""
    parser = argparse.ArgumentParser(
        prog="python -m snellen.construction.screens.demo", description="Draw the demonstration set of screens."
    )
    parser.add_argument("out", type=Path, help="folder to write the records and images/ into")
    try:
        images, instructions = write(parser.parse_args(arguments).out)
    except UsageError as error:
        print(error, file=sys.stderr)
        return 2
    print(f"{images} pictures and {instructions} instructions in the folder")
    return 0


if __name__ == "__main__":
    sys.exit(main())
