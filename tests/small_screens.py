"""Data in the layouts of GUI-HalluBench and of ScreenSpot, made by the test: plain pictures and rows of JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from PIL import Image

Rows = list[Any]

SIZE = (400, 800)
"""Width and height of the screens."""


def picture(path: Path, size: tuple[int, int] = SIZE, color: str = "white", orientation: int = 1) -> None:
    """A picture of one color; `size` is as stored, before the orientation is applied."""
    path.parent.mkdir(parents=True, exist_ok=True)
    image = Image.new("RGB", size, color)
    exif = Image.Exif()
    if orientation != 1:
        exif[0x0112] = orientation
    image.save(path, exif=exif)


def put(path: Path, content: Any) -> Path:
    """Rows as a JSON list, or one a line where the file ends in ``.jsonl``; a text as it is."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, str):
        path.write_text(content, "utf-8")
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in content), "utf-8")
    else:
        path.write_text(json.dumps(content), "utf-8")
    return path


def element(**changed: Any) -> dict[str, Any]:
    """An element in the released layout."""
    return {"type": "icon", "index": 0, "description": "opens the camera", "coordinates": [10, 20, 60, 70]} | changed


def parse(image: str = "images/1.png", **changed: Any) -> dict[str, Any]:
    """A screen in the released layout."""
    elements = [element(), element(type="text", index=1, description="Settings", coordinates=[100, 20, 300, 60])]
    return {"image_path": image, "elements": elements} | changed


def confusion(**changed: Any) -> dict[str, Any]:
    """An instruction whose target is there, beside a look-alike."""
    row = {
        "id": 1,
        "image": "images/1.png",
        "instruction": "Open the camera",
        "language": "en",
        "kind": "confusion",
        "target": [10, 20, 60, 70],
        "distractors": [[100, 20, 150, 70]],
    }
    return row | changed


def fabricated(**changed: Any) -> dict[str, Any]:
    """An instruction whose target is not there."""
    row = {"id": 2, "image": "images/1.png", "instruction": "Open the map", "language": "en", "kind": "fabricated"}
    return row | {"target": None} | changed


def write_gui(folder: Path) -> Path:
    """A whole small copy of GUI-HalluBench: two screens, all tasks, both languages."""
    for name in ("1", "2"):
        picture(folder / "images" / f"{name}.png", color="white" if name == "1" else "gray")
    put(folder / "parsing_en.json", [parse(), parse("images/2.png", platform="mobile", app="travel")])
    put(folder / "parsing_zh.json", [parse(elements=[element(description="打开相机")])])
    put(
        folder / "hallucination.jsonl",
        [
            confusion(platform="mobile", app="daily life", source="AMEX", element="icon"),
            fabricated(),
            confusion(id=3, language="zh", instruction="打开相机"),
            fabricated(id=4, language="zh", instruction="打开地图", image="images/2.png"),
        ],
    )
    return folder


def spot(image: str = "web_1.png", **changed: Any) -> dict[str, Any]:
    """A row of ScreenSpot."""
    row = {"img_filename": image, "bbox": [10, 20, 50, 40], "instruction": "close", "data_type": "icon"}
    return row | {"data_source": "shop"} | changed


def spot_pro(image: str = "vscode/1.png", **changed: Any) -> dict[str, Any]:
    """A row of ScreenSpot-Pro."""
    row = {
        "img_filename": image,
        "bbox": [10, 20, 60, 60],
        "instruction": "fold the code",
        "instruction_cn": "折叠代码",
        "id": "vscode_macos_0",
        "application": "vscode",
        "platform": "macos",
        "img_size": [*SIZE],
        "ui_type": "icon",
        "group": "Dev",
    }
    return row | changed


def write_screenspot(folder: Path) -> Path:
    """A whole small copy of ScreenSpot and ScreenSpot-Pro."""
    for number, color in enumerate(("white", "gray", "black"), 1):
        picture(folder / "screenspot_imgs" / f"web_{number}.png", color=color)
        picture(folder / "images" / "vscode" / f"{number}.png", color=color)
    put(
        folder / "screenspot_web.json",
        [spot(), spot(instruction="buy"), spot("web_2.png"), spot("web_3.png", instruction="go")],
    )
    put(
        folder / "annotations" / "vscode_macos.json",
        [spot_pro(), spot_pro("vscode/2.png", instruction="run", instruction_cn="运行")],
    )
    return folder
