"""The manifest of a set of changed items: what a folder was made from, so that nothing else is ever mixed into it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson

from snellen.engine.out_folder import digest, finish, part_of
from snellen.errors import UsageError

ITEMS, LEFT_OUT, IMAGES, MANIFEST = "items.jsonl", "left_out.jsonl", "images", "manifest.json"


def before(out: Path, identity: dict[str, Any]) -> dict[str, Any] | None:
    """The manifest that is there, None where the folder is new.

    Raises:
        UsageError: the folder holds something else.
    """
    try:
        data = (out / MANIFEST).read_bytes()
    except FileNotFoundError:
        for name in (ITEMS, LEFT_OUT, IMAGES):
            if (out / name).exists():
                raise UsageError(f"{out} holds {name} of something else: name another folder") from None
        return None
    try:
        found: dict[str, Any] = orjson.loads(data)
        there = {name: found[name] for name in identity}
    except (ValueError, KeyError, TypeError):
        what = f"{out / MANIFEST} is none that this version of Snellen has written: name another folder"
        raise UsageError(what) from None
    differing = [name for name, value in identity.items() if there[name] != value]
    if differing:
        first = differing[0]
        raise UsageError(
            f"{out} holds other changed items ({', '.join(differing)} differ; {first} there: {_brief(there[first])}, "
            f"here: {_brief(identity[first])}): name another folder, or delete it"
        )
    return found


def begin(out: Path, identity: dict[str, Any]) -> None:
    """Say what a new folder is for, so that a killed command is known again."""
    _write(out, {**identity, "complete": False})


def end(out: Path, identity: dict[str, Any], counts: dict[str, Any]) -> None:
    """Say that everything is there: how many of what, and the digests of the files of lines."""
    files = {name: digest(out / name) for name in (ITEMS, LEFT_OUT)}
    _write(out, {**identity, "complete": True, "counts": counts, "files": files})


def images_if_whole(out: Path, manifest: dict[str, Any]) -> int | None:
    """The number of images of a set that was finished; None where something is missing, was changed, or had failed."""
    try:
        if not manifest["complete"] or manifest["counts"]["failed"]:
            return None
        if manifest["files"] != {name: digest(out / name) for name in (ITEMS, LEFT_OUT)}:
            return None
        with (out / ITEMS).open("rb") as rows:
            paths = {image["path"] for row in rows for image in orjson.loads(row)["images"]}
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return len(paths) if all((out / path).is_file() for path in paths) else None


def _write(out: Path, manifest: dict[str, Any]) -> None:
    part = part_of(out / MANIFEST)
    part.write_bytes(orjson.dumps(manifest, option=orjson.OPT_INDENT_2) + b"\n")
    finish(part, out / MANIFEST)


def _brief(value: Any) -> str:
    text = orjson.dumps(value).decode()
    return text if len(text) <= 120 else text[:117] + "..."
