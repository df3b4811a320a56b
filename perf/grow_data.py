"""ChartHal's data with every question so many times, each with a text of its own, so that none shares an answer.

    python perf/grow_data.py SOURCE FOLDER --times 100 [--rows 1062]

Prints how many rows there are. The images stand in the folder as a link to the source's.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path


def grow(source: Path, folder: Path, rows: int | None, times: int) -> int:
    """Write the first rows that often; returns how many there are."""
    found = list(json.loads((source / "data" / "charthal.json").read_text("utf-8")).values())[:rows]
    (folder / "data").mkdir(parents=True)
    (folder / "images").symlink_to((source / "images").resolve(), target_is_directory=True)
    with (folder / "data" / "charthal.json").open("w", encoding="utf-8") as file:
        for time_, row in ((time_, row) for time_ in range(times) for row in found):
            number = row["subq_idx"] + 1000 * time_
            changed = row | {"subq_idx": number}
            if time_:
                changed["question"] = f"{row['question']} (No. {time_ + 1})"
            start = "{\n" if row is found[0] and not time_ else ",\n"
            file.write(f'{start}"{row["figure_id"]}_{number}": {json.dumps(changed, ensure_ascii=False)}')
        file.write("\n}\n")
    return len(found) * times


def main() -> None:
    """From the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rows", type=int, default=None)
    parser.add_argument("--times", type=int, default=1)
    options = parser.parse_args()
    print(grow(options.source, options.folder, options.rows, options.times))


if __name__ == "__main__":
    main()
