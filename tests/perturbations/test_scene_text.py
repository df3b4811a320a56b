"""Scene text: it can be read, keeps off what the item names or covers little of it, in every form and script."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from snellen.errors import ImageError, UsageError
from snellen.item import ImageRef, Item, OptionReference, Region, TextReference, YesNoReference
from snellen.perturbations import _lettering, scene_text

Pixels = NDArray[np.uint8]
SEEDS = range(24)
BOX = (100, 80, 220, 160)


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def picture(height: int = 240, width: int = 320, level: int = 128) -> Pixels:
    made = np.full((height, width, 3), level, np.uint8)
    made.flags.writeable = False
    return made


def noise(height: int = 240, width: int = 320) -> Pixels:
    return rng(9).integers(0, 256, (height, width, 3), dtype=np.uint8)


def asked(phrase: str = "a wolf", *regions: tuple[float, float, float, float]) -> str:
    return json.dumps({"language": "en", "phrase": phrase, "regions": [list(box) for box in regions]})


def item(aspect: str = "color", question: str = "What color is it?", regions: tuple[Region, ...] = ()) -> Item:
    return Item(
        id="s",
        question=question,
        images=(ImageRef("a.png"),),
        reference=TextReference("red"),
        labels={"aspect": aspect},
        distractors=("blue",),
        regions=regions,
    )


# What is written


def test_the_argument_is_canonical_and_names_phrase_language_and_regions() -> None:
    regions = (Region(5, 6, 7, 8), Region(1, 2, 3, 4.5))
    made = scene_text.argument(item(regions=regions))
    assert made == '{"language":"en","phrase":"blue","regions":[[1,2,3,4.5],[5,6,7,8]]}'


@pytest.mark.parametrize(
    ("one", "phrase"),
    [
        (
            Item(id="i", question="?", reference=TextReference("dog"), distractors=("puppy", "🐺", "a 🐺 wolf\n")),
            "a wolf",
        ),
        (Item(id="i", question="?", options=(("A", "dog"), ("B", "狼")), reference=OptionReference("A", "dog")), "狼"),
        (Item(id="i", question="Is it blue?", reference=YesNoReference(False), distractors=("blue",)), "blue"),
        (Item(id="i", question="?", distractors=("a red bus",)), "a red bus"),
        (Item(id="i", question="Is it blue?", reference=YesNoReference(True)), None),
        (Item(id="i", question="Is it blue?", reference=YesNoReference(True), distractors=("no", "blue")), None),
        (Item(id="i", question="?", reference=TextReference("dog"), distractors=("dogs", "!!", "x" * 200)), None),
        (Item(id="i", question="?", reference=TextReference("dog")), None),
    ],
)
def test_the_phrase_is_the_first_that_is_wrong_and_can_be_written(one: Item, phrase: str | None) -> None:
    made = scene_text.argument(one)
    assert (None if made is None else json.loads(made)["phrase"]) == phrase


# How it is written


@pytest.mark.parametrize("severity", range(1, 6))
@pytest.mark.parametrize("level", [0, 70, 128, 190, 255])
def test_ink_has_a_contrast_to_what_lies_behind_it(severity: int, level: int) -> None:
    for seed in SEEDS:
        clean = picture(level=level)
        made = scene_text.change(clean, severity, rng(seed), asked())
        new = np.concatenate((made[:240][(made[:240] != clean).any(axis=2)], made[240:].reshape(-1, 3)))
        brightness = _lettering.luminance(new)
        ends = new[brightness.argmin()], new[brightness.argmax()], np.array((level, level, level))
        assert max(float(_lettering.contrast(one, other)) for one in ends for other in ends) >= 4.5


def test_every_plate_can_be_read_and_one_that_cannot_is_refused() -> None:
    for ink, plate in scene_text._PLATES:
        assert _lettering.contrast(ink, plate) >= 4.5
    with pytest.raises(ValueError, match="cannot be read"):
        _lettering.patch(["x"], _lettering.font_for("x", 20), (120, 120, 120), (128, 128, 128))


@pytest.mark.parametrize(
    ("one", "other", "ratio"),
    [((255,) * 3, (0,) * 3, 21.0), ((119,) * 3, (255,) * 3, 4.48), ((255, 0, 0), (255,) * 3, 4.0)],
)
def test_contrast_is_wcags(one: tuple[int, int, int], other: tuple[int, int, int], ratio: float) -> None:
    assert float(_lettering.contrast(one, other)) == pytest.approx(ratio, abs=0.005)


def test_letters_stand_without_a_plate_only_where_they_can_be_read() -> None:
    assert scene_text._ink_on(picture(level=20)) == (255, 255, 255)
    assert scene_text._ink_on(picture(level=230)) == (0, 0, 0)
    assert scene_text._ink_on(noise()) is None


def test_all_four_forms_occur_and_a_bar_lies_outside() -> None:
    made = [scene_text.change(picture(), 3, rng(seed), asked()) for seed in SEEDS]
    bars = [one for one in made if one.shape[0] > 240]
    assert 0 < len(bars) < len(made)
    assert all((one[:240] == picture()).all() for one in bars)
    assert len({one.tobytes() for one in made}) > 8


def test_the_same_input_gives_the_same_bytes_and_is_not_written_to() -> None:
    clean = noise()
    before = clean.copy()
    for seed in SEEDS:
        one, two = (
            scene_text.change(clean, 4, rng(seed), asked("北极熊" if seed % 2 and CHINESE else "x")) for _ in range(2)
        )
        assert one.tobytes() == two.tobytes()
        assert one.dtype == np.uint8
        assert one.flags.c_contiguous
    assert (clean == before).all()


def test_letters_grow_with_the_severity() -> None:
    shares = []
    for severity in range(1, 6):
        changed = 0
        for seed in SEEDS:
            made = scene_text.change(picture(), severity, rng(seed), asked())
            changed += int((made[:240] != picture()).any(axis=2).sum()) + (made.shape[0] - 240) * 320
        shares.append(changed)
    assert shares == sorted(shares)
    assert len(set(shares)) == 5


# Where it is written


@pytest.mark.parametrize("severity", range(1, 5))
@pytest.mark.parametrize(
    "boxes", [[BOX], [(0, 0, 320, 100), (10.5, 150.2, 300, 239.7)], [(0, 0, 320, 240)], [(-50, -50, 999, 999)]]
)
def test_up_to_severity_4_no_pixel_of_a_region_changes(
    severity: int, boxes: list[tuple[float, float, float, float]]
) -> None:
    clean = noise()
    for seed in SEEDS:
        made = scene_text.change(clean, severity, rng(seed), asked("a grey wolf", *boxes))
        for left, top, right, bottom in boxes:
            area = np.s_[max(0, int(top)) : int(np.ceil(bottom)), max(0, int(left)) : int(np.ceil(right))]
            assert (made[:240][area] == clean[area]).all()
        assert made.shape != clean.shape or (made != clean).any()


def test_severity_5_covers_a_part_of_a_region_and_at_most_a_quarter() -> None:
    clean = noise()
    for seed in SEEDS:
        made = scene_text.change(clean, 5, rng(seed), asked("wolf", BOX))
        part = np.s_[BOX[1] : BOX[3], BOX[0] : BOX[2]]
        share = float((made[part] != clean[part]).any(axis=2).mean())
        assert 0 < share <= 0.25


def test_a_region_that_cannot_be_covered_in_part_stays_whole() -> None:
    clean = noise(120, 160)
    for seed in SEEDS:
        made = scene_text.change(
            clean,
            5,
            rng(seed),
            asked("a grey wolf", *[(x, y, x + 2, y + 2) for x in range(0, 160, 2) for y in range(0, 120, 2)]),
        )
        assert made.shape[0] > 120
        assert (made[:120] == clean).all()


def test_without_regions_it_stands_where_there_is_least_to_see() -> None:
    clean = noise()
    clean[:, 200:] = 90
    for seed in SEEDS:
        made = scene_text.change(clean, 1, rng(seed), asked("wolf"))
        changed = (made[:240] != clean).any(axis=2)
        if made.shape == clean.shape and seed not in _edges(clean):
            assert not changed[:, :200].any()


def _edges(clean: Pixels) -> set[int]:
    """Seeds whose form is the edge: those stand in the middle of a side, whatever lies there."""
    return {seed for seed in SEEDS if int(rng(seed).integers(4)) == 3}


# What cannot be


@pytest.mark.parametrize("size", [(1, 1), (1, 400), (400, 1), (31, 400)])
def test_an_image_that_is_too_small_is_a_typed_error(size: tuple[int, int]) -> None:
    with pytest.raises(ImageError, match="at least 32") as caught:
        scene_text.change(picture(*size), 3, rng(), asked())
    assert caught.value.kind == "unsupported"


def test_a_phrase_that_does_not_fit_is_a_typed_error_and_a_small_image_that_fits_works() -> None:
    with pytest.raises(ImageError, match="no room"):
        scene_text.change(picture(40, 40), 3, rng(), asked("incomprehensibilities " * 3))
    for seed in SEEDS:
        assert scene_text.change(picture(32, 32), 1, rng(seed), asked("1")).shape[1] == 32


@pytest.mark.parametrize("size", [(48, 64), (40, 44), (36, 60), (200, 40), (48, 50)])
def test_where_a_severity_has_room_those_below_have_it_too_whatever_the_seed(size: tuple[int, int]) -> None:
    """Whether there is room hangs on the picture and the phrase, not on the form that the seed chose."""

    def fits(phrase: str, severity: int, seed: int) -> bool:
        try:
            scene_text.change(picture(*size), severity, rng(seed), asked(phrase))
        except ImageError:
            return False
        return True

    for phrase in ("a red bus", "a wolf", "stone bridges"):
        rooms = [{fits(phrase, severity, seed) for seed in SEEDS} for severity in scene_text.SEVERITIES]
        assert all(len(found) == 1 for found in rooms), (phrase, rooms)
        found = [room.pop() for room in rooms]
        assert found == sorted(found, reverse=True), (phrase, found)


def test_a_long_phrase_is_broken_into_lines_no_wider_than_the_image() -> None:
    font = _lettering.font_for("wolf", 20)
    lines = _lettering.lines_of("a grey wolf that stands beside an old wooden house", font, 160)
    assert lines is not None
    assert len(lines) > 2
    assert " ".join(lines) == "a grey wolf that stands beside an old wooden house"
    assert all(font.getlength(line) <= 160 for line in lines)
    assert _lettering.lines_of("incomprehensibilities", font, 20) is None


def test_without_an_argument_there_is_nothing_to_write() -> None:
    with pytest.raises(UsageError, match="wrong answer"):
        scene_text.change(picture(), 3, rng())


# Scripts


def _has_chinese() -> bool:
    try:
        _lettering.font_for("狼", 20)
    except UsageError:
        return False
    return True


CHINESE = _has_chinese()


@pytest.mark.skipif(not CHINESE, reason="no font with Chinese characters is installed (Debian: fonts-noto-cjk)")
@pytest.mark.parametrize("phrase", ["北极熊", "一只灰色的狼站在房子旁边", "COFFEE 咖啡", "日本の犬", "한국어"])
def test_chinese_japanese_and_korean_are_drawn(phrase: str) -> None:
    for seed in SEEDS:
        made = scene_text.change(picture(), 3, rng(seed), asked(phrase))
        assert made.shape != picture().shape or (made != picture()).any()
    face = _lettering.font_for(phrase, 32)
    shapes = [_lettering._drawn(face, character) for character in dict.fromkeys(phrase) if character != " "]
    assert len(set(shapes)) == len(shapes), "characters that are not there all look alike"


@pytest.mark.skipif(not CHINESE, reason="no font with Chinese characters is installed (Debian: fonts-noto-cjk)")
def test_of_a_collection_the_face_for_simplified_chinese_is_taken() -> None:
    path, index = _lettering._font_of(frozenset("骨直"))
    if path.name.startswith("NotoSansCJK"):
        face = _lettering._face(path, index, 24)
        assert face is not None
        assert str(face.getname()[0]).endswith("SC")


def test_a_script_without_a_font_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_lettering, "_installed", tuple[Path, ...])
    _lettering._font_of.cache_clear()
    try:
        with pytest.raises(UsageError, match="fonts-noto-cjk"):
            scene_text.change(picture(), 3, rng(), asked("龘鱻"))
        scene_text.change(picture(), 3, rng(), asked("Ünïcödé Ελληνικά Кириллица"))
    finally:
        _lettering._font_of.cache_clear()


@pytest.mark.parametrize("phrase", ["ذئب", "שלום", "सिंह", "สิงโต"])
def test_scripts_that_join_their_letters_are_refused(phrase: str) -> None:
    with pytest.raises(UsageError, match="joins or reorders"):
        scene_text.change(picture(), 3, rng(), asked(phrase))


def test_a_broken_font_file_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "no-such-font-anywhere.ttc"
    broken.write_bytes(b"no font")
    monkeypatch.setattr(_lettering, "_installed", lambda: (broken,))
    _lettering._font_of.cache_clear()
    try:
        with pytest.raises(UsageError, match="no font of this machine"):
            _lettering.font_for("狼", 20)
    finally:
        _lettering._font_of.cache_clear()


# Truth


REGION = (Region(1, 2, 30, 40),)


@pytest.mark.parametrize(
    ("one", "truths"),
    [
        (item("color"), ["kept"] * 5),
        (item("color", regions=REGION), ["kept"] * 5),
        (item("count", regions=REGION), ["kept"] * 4 + ["unknown"]),
        (item("count"), ["kept"] * 5),
        (item("scene-text", "What is on the board?"), ["unknown"] * 5),
        (item("", "What does the sign say?"), ["unknown"] * 5),
        (item("", "牌子上写着什么？"), ["unknown"] * 5),
        (item("geography", "Which country is it?"), ["kept"] * 5),
    ],
)
def test_truth_is_kept_but_for_text_and_for_what_is_covered(one: Item, truths: list[str]) -> None:
    assert [scene_text.truth(one, severity) for severity in range(1, 6)] == truths


def test_the_revision_names_the_font_files_so_that_another_font_gets_other_pictures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def seen(*fonts: Path) -> str:
        monkeypatch.setattr(_lettering, "_installed", lambda: fonts)
        _lettering._font_of.cache_clear()
        _lettering.fonts.cache_clear()
        return scene_text.revision()

    try:
        none = seen()
        assert none == seen()
        assert none.count("none") == 3, "without an installed font there is one for letters only"
        assert "freetype" in none
        latin = tmp_path / "other.ttf"
        latin.write_bytes(_lettering._dejavu().read_bytes() + b" ")
        monkeypatch.setattr(_lettering, "_dejavu", lambda: latin)
        assert seen() != none
    finally:
        monkeypatch.undo()
        _lettering._font_of.cache_clear()
        _lettering.fonts.cache_clear()
