"""How the twelve aspects of faithfulness are asked for."""

from __future__ import annotations

from collections.abc import Mapping

from snellen.construction.scenes.asking import Wording
from snellen.construction.scenes.composition import Said

_ASKED: Mapping[str, tuple[str, str, str, str, str, str]] = {
    # whether, which, what a caption has to tell: in English, then in Chinese; {n} is what it is about
    "entity-type": (
        "Is the {n} in the picture {v}?",
        "What is the {n} in the picture?",
        "what kinds of things are in it",
        "图中的{n}是{v}吗？",
        "图中的{n}是什么？",
        "说出里面各是什么东西",
    ),
    "existence": (
        "Is there {v} in the picture?",
        "What can be seen {n} in the picture?",
        "everything that is in it and nothing that is not",
        "图中有{v}吗？",
        "图中{n}有什么？",
        "说出图中有的东西，不说没有的",
    ),
    "count": (
        "Are there exactly {v} {n} in the picture?",
        "How many {n} are there in the picture?",
        "how many there are of each thing",
        "图中正好有{v}{n}吗？",
        "图中有几{n}？",
        "说出每样东西有几个",
    ),
    "color": (
        "Is the {n} in the picture {v}?",
        "What color is the {n} in the picture?",
        "the color of each thing",
        "图中的{n}是{v}的吗？",
        "图中的{n}是什么颜色的？",
        "说出每样东西的颜色",
    ),
    "shape": (
        "Is the {n} in the picture {v}?",
        "What shape is the {n} in the picture?",
        "the shape of each board",
        "图中的{n}是{v}吗？",
        "图中的{n}是什么形状的？",
        "说出每块牌子的形状",
    ),
    "orientation": (
        "Does the {n} in the picture point to the {v}?",
        "To which side of the picture does the {n} point?",
        "which way things point",
        "图中{n}朝向{v}吗？",
        "图中{n}朝向哪一边？",
        "说出东西各朝哪一边",
    ),
    "posture": (
        "Is the {n} in the picture {v}?",
        "What posture is the {n} in the picture in?",
        "the posture of each person",
        "图中{n}是{v}吗？",
        "图中{n}是什么姿势？",
        "说出每个人的姿势",
    ),
    "expression": (
        "Does the {n} in the picture look {v}?",
        "How does the {n} in the picture look: what is its expression?",
        "the expression of each face",
        "图中{n}看起来是{v}的吗？",
        "图中{n}是什么表情？",
        "说出每张脸的表情",
    ),
    "scene-text": (
        "Does the {n} in the picture say “{v}”?",
        "What does the {n} in the picture say?",
        "what is written in it",
        "图中的{n}上写的是“{v}”吗？",
        "图中的{n}上写着什么？",
        "说出图中写的文字",
    ),
    "size-relation": (
        "Is the {n} in the picture {v}?",
        "Which one is the {n} in the picture?",
        "how large the things are beside each other",
        "图中{n}是{v}吗？",
        "图中{n}是哪一个？",
        "说出各样东西的大小关系",
    ),
    "spatial-relation": (
        "Is the {n} {v} in the picture?",
        "Where is the {n} in the picture?",
        "where things are in relation to each other",
        "图中的{n}在{v}吗？",
        "图中的{n}在哪里？",
        "说出各样东西的位置关系",
    ),
    "interaction-relation": (
        "Is the person in the picture {v}?",
        "What is the person in the picture doing?",
        "what the person does with what",
        "图中的人在{v}吗？",
        "图中的人在做什么？",
        "说出人在用什么做什么",
    ),
}


def wording(aspect: str, about: Said) -> Wording:
    """The questions of an aspect about something."""
    whether, which, told, whether_zh, which_zh, told_zh = _ASKED[aspect]
    return Wording(
        Said(whether.replace("{n}", about.en), whether_zh.replace("{n}", about.zh)),
        Said(which.replace("{n}", about.en), which_zh.replace("{n}", about.zh)),
        Said(f"Describe the picture in one or two sentences; tell {told}.", f"用一两句话描述这张图，{told_zh}。"),
    )
