"""Scenes: what is written as true of them is true of what is drawn, and drawing gives the same every time."""

from __future__ import annotations

import io
import re
from collections import Counter
from pathlib import Path

import numpy as np
import orjson
import PIL
import pytest
from PIL import Image

from snellen.benchmarks import shale_demo
from snellen.construction.scenes import demo, factuality, faithfulness, flags, signs
from snellen.construction.scenes.asking import Truth
from snellen.construction.scenes.composition import Scene
from snellen.construction.scenes.pen import COLORS, HEIGHT, WIDTH, Canvas

SHIPPED = shale_demo.locate(None, Path("unused"))
SCENES = {scene.name: scene for scene in demo.SCENES}
BOXES = {name: scene.drawn().regions for name, scene in SCENES.items()}
LOCK = Path(__file__).resolve().parents[2] / "requirements" / "run.txt"


def of(aspect: str) -> list[Truth]:
    return [truth for truth in demo.TRUTHS if truth.aspect == aspect]


def middle(scene: str, key: str) -> tuple[float, float]:
    left, top, right, bottom = BOXES[scene][key]
    return (left + right) / 2, (top + bottom) / 2


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("scenes")
    assert demo.main([str(out)]) == 0
    return out


def test_what_ships_is_what_the_program_writes(written: Path) -> None:
    assert (written / "items.json").read_bytes() == (SHIPPED / "items.json").read_bytes()
    names = sorted(path.name for path in (written / "images").iterdir())
    assert names == sorted(path.name for path in (SHIPPED / "images").iterdir())
    for name in names:
        with Image.open(written / "images" / name) as drawn, Image.open(SHIPPED / "images" / name) as shipped:
            assert (drawn.mode, drawn.size) == ("RGB", (WIDTH, HEIGHT))
            assert np.array_equal(np.asarray(drawn), np.asarray(shipped)), name


def test_with_the_pinned_pillow_the_bytes_are_the_same(written: Path) -> None:
    pinned = re.search(r"^pillow==(\S+)", LOCK.read_text("utf-8"), re.M)
    assert pinned is not None
    if pinned[1] != PIL.__version__:
        pytest.skip(f"Pillow {PIL.__version__} is not the pinned {pinned[1]}: its PNG writer may pack otherwise")
    assert shale_demo.digest(written) == shale_demo.digest(SHIPPED)


def test_every_truth_has_its_scene_regions_and_different_values() -> None:
    for truth in demo.TRUTHS:
        assert set(truth.regions) <= set(BOXES[truth.scene])
        for language in ("en", "zh"):
            values = [truth.right.of(language), *(wrong.of(language) for wrong in truth.wrong)]
            assert len({value.casefold() for value in values}) == 4, truth
            for text in (truth.wording.whether, truth.wording.which, truth.wording.caption):
                assert "{n}" not in text.of(language)
            assert "{v}" in truth.wording.whether.of(language)
    assert {truth.scene for truth in demo.TRUTHS} == set(SCENES), "a scene is drawn for nothing"
    assert len(SCENES) == len(demo.SCENES) <= 90


def test_regions_lie_in_the_picture() -> None:
    for boxes in BOXES.values():
        for left, top, right, bottom in boxes.values():
            assert 0 <= left < right <= WIDTH
            assert 0 <= top < bottom <= HEIGHT


def test_counts_are_what_is_drawn() -> None:
    assert of("count")
    for truth in of("count"):
        (key,) = truth.regions
        assert int(truth.right.en) == sum(part.key == key for part in SCENES[truth.scene].parts)


def test_scattered_things_do_not_hide_each_other() -> None:
    """Each is a blob of its own: as many pixels of its color as so many alone have."""
    scene = SCENES["balls"]
    for key, color in (("red balls", "red"), ("blue balls", "blue")):
        parts = [part for part in scene.parts if part.key == key]
        together = pixels_of(scene, color)
        alone = sum(pixels_of(Scene("one", "plain", (part,), scene.description), color) for part in parts)
        assert together == pytest.approx(alone, rel=0.01)


def pixels_of(scene: Scene, color: str) -> int:
    wanted = np.array([int(COLORS[color][place : place + 2], 16) for place in (1, 3, 5)])
    with Image.open(io.BytesIO(scene.drawn().png())) as image:
        return int((np.abs(np.asarray(image).astype(int) - wanted).max(axis=2) < 12).sum())


def test_colors_are_those_of_the_pixels() -> None:
    assert of("color")
    for truth in of("color"):
        (key,) = truth.regions
        left, top, right, bottom = BOXES[truth.scene][key]
        with Image.open(SHIPPED / "images" / f"{truth.scene}.png") as image:
            inside = np.asarray(image)[top:bottom, left:right].reshape(-1, 3).astype(int)
        found: Counter[str] = Counter()
        for name in (truth.right.en, *(wrong.en for wrong in truth.wrong)):
            wanted = np.array([int(COLORS[name][place : place + 2], 16) for place in (1, 3, 5)])
            found[name] = int((np.abs(inside - wanted).max(axis=1) < 12).sum())
        assert found.most_common(1)[0][0] == truth.right.en
        assert found[truth.right.en] > 0.2 * len(inside)


def test_sizes_are_those_of_the_regions() -> None:
    assert len(of("size-relation")) == 4
    for truth in of("size-relation"):
        widths = {key: box[2] - box[0] for key, box in BOXES[truth.scene].items()}
        ranked = sorted(widths, key=lambda key: widths[key])
        right = ranked[-1] if "largest" in truth.wording.which.en else ranked[0]
        assert truth.right.en == f"the {right} one"
        assert truth.regions == (right,)
        assert len(set(widths.values())) == 4


@pytest.mark.parametrize(
    ("scene", "one", "other", "dx", "dy"),
    [
        ("meadow-cat", "cat", "tree", -1, 0),
        ("meadow-cat", "tree", "cat", 1, 0),
        ("pond-duck", "boat", "duck", 1, 0),
        ("dog-house", "dog", "house", -1, 0),
        ("pond-fish", "turtle", "fish", 1, 1),
        ("fruit-table", "box", "table", 0, 1),
        ("balls", "red balls", "blue balls", 0, -1),
        ("stop-open", "blue board", "red board", 1, 0),
    ],
)
def test_things_lie_where_the_description_says(scene: str, one: str, other: str, dx: int, dy: int) -> None:
    (x, y), (to_x, to_y) = middle(scene, one), middle(scene, other)
    assert dx == 0 or (x - to_x) * dx > 40
    assert dy == 0 or (y - to_y) * dy > 40


def test_the_corner_of_a_flag_is_the_one_asked_for() -> None:
    assert len(of("geography")) == 6
    for truth in of("geography"):
        x, y = middle(truth.scene, truth.regions[0])
        corner = f"{'upper' if y < HEIGHT / 2 else 'lower'} {'left' if x < WIDTH / 2 else 'right'}"
        assert corner in truth.wording.which.en
        assert factuality.facts()["geography"]["facts"][truth.regions[0]]["en"].endswith(truth.right.en)


def test_every_flag_is_used_once_and_different() -> None:
    used = [part.key for scene in demo.SCENES if scene.name.startswith("flags-") for part in scene.parts]
    assert sorted(used) == sorted(flags.COUNTRIES)
    drawn = set()
    for country in flags.COUNTRIES:
        canvas = Canvas()
        flags.flag(canvas.at(240, 180, 100), country)
        drawn.add(canvas.png())
    assert len(drawn) == len(flags.COUNTRIES) == 24
    with pytest.raises(ValueError, match="atlantis"):
        flags.flag(Canvas().at(240, 180, 100), "atlantis")


def test_every_domain_of_facts_has_a_source() -> None:
    facts = factuality.facts()
    assert set(facts) == set(shale_demo.CARD.labels["aspect"][12:])
    for domain in facts.values():
        assert len(domain["source"]) > 20
        assert all(
            fact["en"].strip() and re.search(r"[\u4e00-\u9fff]", fact["zh"]) for fact in domain["facts"].values()
        )


def test_chinese_words_on_signs_have_their_strokes() -> None:
    for truth in of("scene-text"):
        if not truth.right.en.isascii():
            assert set(truth.right.en) <= set(signs.GLYPHS)


def test_a_description_is_in_both_languages() -> None:
    for scene in demo.SCENES:
        assert scene.description.en.isascii() or "出口" in scene.description.en
        assert re.search(r"[\u4e00-\u9fff]", scene.description.zh)
    with pytest.raises(ValueError, match="unpack"):
        faithfulness.said("only English")


def test_a_scene_names_its_objects_or_none() -> None:
    assert SCENES["meadow-cat"].objects == ("sun", "tree", "cat")
    assert SCENES["fruit-table"].objects == ("table", "apple", "banana", "box")  # three apples are one object
    assert SCENES["sit-stand"].objects == ("chair", "person")
    assert SCENES["happy-sad"].objects == SCENES["pizza"].objects == SCENES["flags-japan"].objects == ()


def test_rows_are_plain(written: Path) -> None:
    rows = orjson.loads((written / "items.json").read_bytes())
    assert all(isinstance(row, dict) for row in rows)
    assert len({row["id"] for row in rows}) == len(rows)
