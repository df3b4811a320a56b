"""The scenes for the twelve aspects of faithfulness, and what is true of them (in ``faithfulness.tsv``)."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import resources

from snellen.construction.scenes.asking import Truth
from snellen.construction.scenes.composition import Said, Scene, figure, scattered, sign, smiley, thing
from snellen.construction.scenes.wordings import wording


def said(both: str) -> Said:
    """``English|Chinese`` as both."""
    english, chinese = both.split("|")
    return Said(english, chinese)


SCENES = (
    Scene(
        "meadow-cat",
        "meadow",
        (
            thing("sun", 70, 60, 42, "yellow"),
            thing("tree", 350, 190, 125, "green"),
            thing("cat", 150, 225, 90, "orange"),
        ),
        said(
            "An orange cat sits on a meadow to the left of a green tree; the sun is in the upper left."
            "|一只橙色的猫坐在草地上，在一棵绿树的左边；左上方有太阳。"
        ),
    ),
    Scene(
        "pond-duck",
        "water",
        (thing("boat", 350, 170, 100, "brown"), thing("duck", 150, 225, 85, "yellow", flip=True)),
        said(
            "A yellow duck swims to the left on the water; to its right is a brown sailing boat with white sails."
            "|一只黄色的鸭子在水上朝左游；它的右边有一艘白帆的棕色帆船。"
        ),
    ),
    Scene(
        "street-bus",
        "street",
        (thing("bus", 140, 240, 92, "red"), thing("car", 390, 254, 72, "blue", flip=True)),
        said(
            "A red bus that points to the right and a blue car that points to the left meet on a street."
            "|街上一辆朝右的红色公共汽车和一辆朝左的蓝色小汽车迎面开来。"
        ),
    ),
    Scene(
        "fruit-table",
        "room",
        (
            thing("table", 240, 225, 150, "brown"),
            thing("apple", 150, 116, 30, "red", "apples"),
            thing("apple", 215, 116, 30, "red", "apples"),
            thing("apple", 280, 116, 30, "red", "apples"),
            thing("banana", 350, 118, 38, "yellow"),
            thing("box", 240, 295, 60, "green"),
        ),
        said(
            "Three red apples and one yellow banana lie on a brown table; a green box stands under it."
            "|棕色的桌子上有三个红苹果和一根黄香蕉；桌子下有一个绿箱子。"
        ),
    ),
    Scene(
        "pond-fish",
        "plain",
        (thing("fish", 150, 120, 80, "red"), thing("turtle", 330, 250, 90, "green", flip=True)),
        said(
            "A red fish that points to the right, and below it on the right a green turtle that points to the left."
            "|一条朝右的红鱼，它的右下方是一只朝左的绿乌龟。"
        ),
    ),
    Scene(
        "dog-house",
        "meadow",
        (
            thing("house", 355, 180, 115, "yellow"),
            thing("dog", 105, 270, 80, "brown"),
            thing("ball", 225, 325, 22, "blue"),
        ),
        said(
            "A brown dog stands on a meadow to the left of a yellow house; a blue ball lies in front of it."
            "|一只棕色的狗站在草地上，在黄房子的左边；它前面有一个蓝球。"
        ),
    ),
    Scene(
        "four-ducks",
        "water",
        tuple(scattered("duck", 4, "white", "ducks", (60, 150, 420, 350), 45)),
        said("Four white ducks swim on the water.|四只白鸭子在水上游。"),
    ),
    Scene(
        "balls",
        "plain",
        (
            *scattered("ball", 5, "red", "red balls", (30, 20, 450, 170), 28),
            *scattered("ball", 3, "blue", "blue balls", (60, 200, 420, 340), 28),
        ),
        said("Five red balls are above three blue balls of the same size.|五个红球在上，三个同样大小的蓝球在下。"),
    ),
    Scene(
        "six-flowers",
        "meadow",
        tuple(scattered("flower", 6, "pink", "flowers", (30, 205, 450, 355), 34)),
        said("Six pink flowers stand on a meadow.|草地上有六朵粉色的花。"),
    ),
    Scene(
        "ball-sizes",
        "plain",
        (
            thing("ball", 75, 180, 42, "blue", "blue"),
            thing("ball", 205, 180, 64, "red", "red"),
            thing("ball", 325, 180, 33, "green", "green"),
            thing("ball", 420, 180, 18, "yellow", "yellow"),
        ),
        said(
            "Four balls in a row: the red one is the largest, then the blue one, the green one, and the yellow one is "
            "the smallest.|一排四个球：红球最大，其次是蓝球、绿球，黄球最小。"
        ),
    ),
    Scene(
        "umbrella-sizes",
        "plain",
        (
            thing("umbrella", 70, 190, 56, "purple", "purple"),
            thing("umbrella", 183, 190, 36, "orange", "orange"),
            thing("umbrella", 310, 180, 72, "green", "green"),
            thing("umbrella", 432, 190, 24, "red", "red"),
        ),
        said(
            "Four umbrellas in a row: the green one is the largest, then the purple one, the orange one, and the red "
            "one is the smallest.|一排四把伞：绿伞最大，其次是紫伞、橙伞，红伞最小。"
        ),
    ),
    Scene(
        "stop-open",
        "street",
        (
            sign("octagon", 130, 120, 72, "red", "red board", "STOP", 0.5),
            sign("rectangle", 340, 120, 72, "blue", "blue board", "OPEN", 0.62),
        ),
        said(
            "Two boards: a red octagon that says STOP and, to its right, a blue rectangle that says OPEN."
            "|两块牌子：左边是写着STOP的红色八边形，右边是写着OPEN的蓝色长方形。"
        ),
    ),
    Scene(
        "exit-rice",
        "street",
        (
            sign("circle", 130, 120, 72, "green", "green board", "出口", 0.7),
            sign("diamond", 340, 120, 85, "orange", "orange board", "大米", 0.6),
        ),
        said(
            "Two boards: a green circle that says 出口 and, to its right, an orange square that stands on a corner and "
            "says 大米.|两块牌子：左边是写着“出口”的绿色圆形，右边是写着“大米”的橙色菱形。"
        ),
    ),
    Scene(
        "triangle-hexagon",
        "meadow",
        (
            sign("triangle", 130, 130, 72, "yellow", "yellow board"),
            sign("hexagon", 340, 130, 72, "purple", "purple board"),
        ),
        said(
            "Two empty boards: a yellow triangle and, to its right, a purple hexagon."
            "|两块空白的牌子：左边是黄色三角形，右边是紫色六边形。"
        ),
    ),
    Scene(
        "arrow-rocket",
        "plain",
        (
            thing("arrow", 130, 180, 90, "red", turn=90),
            thing("rocket", 340, 180, 100, "white", turn=-90),
        ),
        said(
            "A red arrow that points to the bottom and, to its right, a white rocket that points to the top."
            "|一个朝下的红色箭头，它的右边是一枚朝上的白色火箭。"
        ),
    ),
    Scene(
        "sit-stand",
        "room",
        (
            thing("chair", 140, 230, 100, "brown"),
            figure("sitting", 152, 215, 100, "red", "red person"),
            figure("standing", 340, 205, 125, "blue", "blue person"),
        ),
        said(
            "A person in red sits on a brown chair; a person in blue stands to the right."
            "|穿红衣的人坐在棕色的椅子上；右边穿蓝衣的人站着。"
        ),
    ),
    Scene(
        "lie-run",
        "meadow",
        (
            figure("running", 330, 190, 120, "orange", "orange person"),
            figure("lying", 150, 310, 110, "purple", "purple person"),
        ),
        said(
            "A person in purple lies on a meadow; a person in orange runs to the right."
            "|穿紫衣的人躺在草地上；穿橙衣的人向右跑。"
        ),
    ),
    Scene(
        "kneel-cheer",
        "room",
        (
            figure("kneeling", 140, 215, 125, "green", "green person"),
            figure("cheering", 340, 205, 125, "yellow", "yellow person"),
        ),
        said(
            "A person in green kneels; a person in yellow stands to the right with both arms raised."
            "|穿绿衣的人跪着；右边穿黄衣的人举着双臂。"
        ),
    ),
    Scene(
        "happy-sad",
        "plain",
        (smiley("happy", 130, 180, 95, "yellow", "yellow face"), smiley("sad", 350, 180, 95, "pink", "pink face")),
        said("A yellow face that is happy, and a pink one that is sad.|一张高兴的黄脸和一张难过的粉脸。"),
    ),
    Scene(
        "angry-surprised",
        "plain",
        (
            smiley("angry", 130, 180, 95, "orange", "orange face"),
            smiley("surprised", 350, 180, 95, "yellow", "yellow face"),
        ),
        said("An orange face that is angry, and a yellow one that is surprised.|一张生气的橙脸和一张吃惊的黄脸。"),
    ),
    Scene(
        "kick",
        "meadow",
        (figure("kicking", 200, 200, 130, "red"), thing("ball", 345, 285, 30, "white")),
        said("A person in red kicks a white ball on a meadow.|穿红衣的人在草地上踢一个白球。"),
    ),
    Scene(
        "hold-umbrella",
        "street",
        (thing("umbrella", 285, 115, 90, "green"), figure("holding", 220, 215, 120, "blue")),
        said("A person in blue holds a green umbrella on a street.|穿蓝衣的人在街上撑着一把绿伞。"),
    ),
    Scene(
        "ride-bicycle",
        "street",
        (thing("bicycle", 240, 235, 125, "red"), figure("riding", 240, 235, 125, "yellow")),
        said("A person in yellow rides a red bicycle on a street.|穿黄衣的人在街上骑红色的自行车。"),
    ),
    Scene(
        "read-book",
        "room",
        (
            thing("chair", 210, 225, 110, "brown"),
            figure("reading", 224, 208, 110, "purple"),
            thing("book", 282, 182, 34, "red", turn=-60),
        ),
        said(
            "A person in purple sits on a brown chair and reads a red book.|穿紫衣的人坐在棕色的椅子上看一本红色的书。"
        ),
    ),
)


def _truths() -> Iterator[Truth]:
    table = (resources.files(__package__) / "faithfulness.tsv").read_text("utf-8")
    for line in table.splitlines()[1:]:
        aspect, scene, about, right, one, two, three, regions, entity, near = line.split("\t")
        yield Truth(
            scene=scene,
            aspect=aspect,
            wording=wording(aspect, said(about)),
            right=said(right),
            wrong=(said(one), said(two), said(three)),
            regions=tuple(regions.split(",")),
            entity=entity,
            near=tuple(said(value) for value in near.split(";") if value),
        )


TRUTHS = tuple(_truths())
"""At least four of each aspect, in the aspects' order."""
