"""Asks the same in other words, by rules: a control that keeps the truth.

A rule rewrites a whole question of one form into another of exactly the same meaning; what it names is carried over
letter by letter. A question that no rule knows is left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from snellen.item import Item, Truth
from snellen.perturbations._option_list import parts

TITLE = "Paraphrase"
SUMMARY = "The question is asked in other words of the same meaning."
KIND: Literal["image", "instruction"] = "instruction"
DOMAINS: tuple[str, ...] = ("photo", "chart", "screen")
SEVERITIES: Mapping[int, Mapping[str, Any]] = {1: {}}
SOURCE = ""
EXTRA = ""

_SHOWN = r"(?P<shown>(?:the|this) (?:image|picture|photo|chart|figure|screenshot))"
_WHERE = rf"(?P<where> (?:in|on) {_SHOWN})"
# A thing without a clause or a second part of its own, which would belong to something else after a rewrite.
_THING = r"(?P<thing>(?:(?!\b(?:and|or|that|which|who|if|when|while|in|on)\b)[^?,;:.])+?)"
_OF = r"(?P<of>(?:(?!\b(?:and|or|that|which|who|if|when|while|is|are|was|were)\b)[^?,;:.])+?)"
_BESIDE = r"(?:to the (?:left|right) of|under|above|below|behind|in front of|beside)"

_ENGLISH: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        rf"is there (?P<article>an?|any) {_THING}{_WHERE}\?",
        ("Does {shown} show {article} {thing}?", "Can {article} {thing} be seen{where}?"),
    ),
    (
        rf"are there any {_THING}{_WHERE}\?",
        ("Does {shown} show any {thing}?", "Can any {thing} be seen{where}?"),
    ),
    (
        rf"are there (?P<thing>(?:exactly )?(?:\d+|two|three|four|five|six|seven|eight|nine|ten) [^?,;:.]+?){_WHERE}\?",
        ("Does {shown} show {thing}?", "Can {thing} be seen{where}?"),
    ),
    (
        rf"(?P<verb>is|are) (?P<thing>(?:the|this|these) [^?,;]+?){_WHERE} (?P<what>[^?,;]+)\?",
        (
            "Is it true that {thing}{where} {verb} {what}?",
            "Would it be right to say that {thing}{where} {verb} {what}?",
        ),
    ),
    (
        rf"does {_SHOWN} (?:contain|show|include) (?P<article>an?|any) {_THING}\?",
        ("Is there {article} {thing} in {shown}?", "Can {article} {thing} be seen in {shown}?"),
    ),
    (
        rf"how many {_THING} (?:are there|can be seen|are visible|are shown){_WHERE}\?",
        ("What is the number of {thing}{where}?", "Count the {thing}{where}: how many are there?"),
    ),
    (
        rf"how many {_THING} are{_WHERE}\?",
        ("What is the number of {thing}{where}?", "Count the {thing}{where}: how many are there?"),
    ),
    (
        rf"what colou?r (?P<verb>is|are) (?P<thing>(?:the|this|that|these|those) {_OF})\?",
        ("What is the color of {thing}?", "Which color does {thing} have?|Which color do {thing} have?"),
    ),
    (
        rf"what is the (?P<kind>colou?r|shape|size|orientation|posture|material) of (?P<thing>the {_OF})\?",
        ("State the {kind} of {thing}.", "Tell me the {kind} of {thing}."),
    ),
    (
        rf"what is the (?P<kind>[\w-]+(?: [\w-]+)?) of {_OF}\?",
        ("Tell me the {kind} of {of}.", "State the {kind} of {of}."),
    ),
    (
        rf"(?:please )?describe {_SHOWN}(?P<more> in detail| briefly)?\.?",
        ("Give a description of {shown}{more}.", "Say{more} what {shown} shows."),
    ),
    (
        rf"what is the (?P<thing>[\w-]+(?: [\w-]+)?){_WHERE}\?",
        ("Tell me what the {thing}{where} is.", "Say what the {thing}{where} is."),
    ),
    (
        rf"where is the (?P<thing>[\w-]+(?: [\w-]+)?){_WHERE}\?",
        ("Tell me where the {thing}{where} is.", "In which place{where} is the {thing}?"),
    ),
    (
        r"what is the (?P<kind>[\w-]+(?: [\w-]+)?) of (?P<of>the [^?,;:.]+ (?:that|which|whose) [^?,;:.]+)\?",
        ("Tell me the {kind} of {of}.", "State the {kind} of {of}."),
    ),
    (
        rf"describe {_SHOWN} in (?P<length>one or two sentences|one sentence|a few words); (?P<rest>[^.?]+)\.",
        ("In {length}, describe {shown}; {rest}.", "Give a description of {shown} in {length}; {rest}."),
    ),
    (
        r"describe in (?P<length>one or two sentences|one sentence|a few words) (?P<rest>[^.?]+)\.",
        ("In {length}, describe {rest}.", "Tell in {length} {rest}."),
    ),
    (r"name (?P<rest>[^.?]+)\.", ("Please name {rest}.", "Tell the names of {rest}.")),
    (
        rf"does the {_THING}{_WHERE} (?P<what>(?:look|say|point to|stand for|belong to|come from) [^?,;:]+)\?",
        ("In {shown}, does the {thing} {what}?",),
    ),
    (
        rf"what does the {_THING}{_WHERE} say\?",
        ("What is written on the {thing}{where}?", "Tell me what the {thing}{where} says."),
    ),
    (
        rf"how does the {_THING}{_WHERE} look: what is its expression\?",
        ("What is the expression of the {thing}{where}?", "Which expression does the {thing}{where} have?"),
    ),
    (
        rf"what (?P<kind>shape|size) is the {_THING}{_WHERE}\?",
        ("What is the {kind} of the {thing}{where}?", "Tell me the {kind} of the {thing}{where}."),
    ),
    (
        r"to which side of (?P<shown>(?:the|this) (?:image|picture|photo)) does the (?P<thing>[^?,;:]+) point\?",
        ("Which side of {shown} does the {thing} point to?", "Tell me to which side of {shown} the {thing} points."),
    ),
    (
        rf"what can be seen (?P<place>{_BESIDE}) the (?P<thing>[\w -]+?){_WHERE}\?",
        ("What does {shown} show {place} the {thing}?", "In {shown}, what is there {place} the {thing}?"),
    ),
    (
        rf"which one is the {_THING}{_WHERE}\?",
        ("Which is the {thing}{where}?", "Tell me which one is the {thing}{where}."),
    ),
    (
        rf"what is the {_THING}{_WHERE} doing\?",
        ("What does the {thing}{where} do?", "Tell me what the {thing}{where} is doing."),
    ),
    (
        rf"is the (?P<thing>[\w -]+?) (?P<place>(?:on|{_BESIDE}) the [\w -]+?){_WHERE}\?",
        ("In {shown}, is the {thing} {place}?",),
    ),
    (rf"what (?:is|can be seen) in {_SHOWN}\?", ("What does {shown} show?", "What is shown in {shown}?")),
    (
        rf"what (?P<kind>animal|object|sport|vehicle|fruit|food|flower|bird|building|instrument) is "
        rf"(?:shown )?in {_SHOWN}\?",
        ("Which {kind} does {shown} show?", "Name the {kind} that is shown in {shown}."),
    ),
    (r"(?:can|could) you (?P<rest>tell me|explain|describe) (?P<what>[^?]+)\?", ("Please {rest} {what}.",)),
    (
        r"(?:according to|based on) (?P<what>(?:the|this) (?:chart|figure|graph|plot|picture)), (?P<rest>[^?]+)\?",
        ("Going by {what}, {rest}?", "As {what} shows it, {rest}?"),
    ),
    (
        r"in (?P<what>panel|subplot|subfigure) (?P<name>\(?\w\)?), (?P<rest>[^?]+)\?",
        ("Look at {what} {name}: {rest}?",),
    ),
    (
        r"(?:looking at|considering) (?P<what>(?:the|this) (?:chart|figure|graph|plot)), (?P<rest>[^?]+)\?",
        ("Going by {what}, {rest}?",),
    ),
)

_PLACE = r"(?P<place>(?:这张|这幅)?(?:图|图片|图像|画面|照片|图表)(?:中|里|上))"
_NAME = r"(?P<thing>[^？?，。、和或吗呢几多少]+?)"
_CHINESE: tuple[tuple[str, tuple[str, ...]], ...] = (
    (rf"{_PLACE}(?:是否)?有{_NAME}吗？", ("{place}是否有{thing}？", "{place}能看到{thing}吗？")),
    (rf"{_PLACE}是否有{_NAME}？", ("{place}有{thing}吗？", "{place}是否能看到{thing}？")),
    (rf"{_PLACE}有没有{_NAME}？", ("{place}是否有{thing}？", "{place}有{thing}吗？")),
    (
        rf"{_PLACE}(?:一共|总共|共)?有(?:多少|几)(?P<unit>[个只条张辆位名朵本把头匹架艘座棵])?(?![种类层行列排次天片块的]){_NAME}？",
        ("{place}{thing}的数量是多少？", "请数一数{place}的{thing}，一共有多少{unit}？"),
    ),
    (rf"{_NAME}是什么(?P<kind>颜色|形状|姿势|表情|朝向)的?？", ("{thing}的{kind}是什么？", "{thing}是哪种{kind}？")),
    (
        rf"{_NAME}的(?P<kind>颜色|形状|姿势|表情|朝向|材质|大小)是什么？",
        ("{thing}的{kind}是怎样的？", "请说出{thing}的{kind}。"),
    ),
    (
        r"(?:请)?(?P<more>详细|简要|简单)?(?:地)?描述(?:一下)?(?P<place>这张图片|这幅图|这张图|这张照片|图片|该图片)"
        r"(?:的内容)?[。？]?",
        ("请对{place}进行{more}描述。", "请用文字{more}说明{place}的内容。"),
    ),
    (
        rf"{_PLACE}的(?P<thing>[^？，。、的是]{{1,8}})是什么？",
        ("请说出{place}的{thing}是什么。", "{place}能看到的{thing}是什么？"),
    ),
    (
        rf"{_PLACE}(?:的)?(?P<thing>[^？，。、]{{1,10}})在(?:哪里|哪儿|什么地方)？",
        ("{place}{thing}的位置在哪里？", "请说出{place}{thing}在什么地方。"),
    ),
    (
        r"用(?P<length>一两句话|一句话|几句话)描述(?P<place>这张图片?|这幅图|图片)，(?P<rest>[^？]+)。",
        ("请用{length}来描述{place}，{rest}。", "请描述{place}，用{length}，{rest}。"),
    ),
    (
        r"用(?P<length>一两句话|一句话|几句话)说出(?P<rest>[^？]+)。",
        ("请用{length}说出{rest}。", "请说出{rest}，用{length}。"),
    ),
    (r"说出(?P<rest>[^？]+)。", ("请说出{rest}。", "请写出{rest}。")),
    (rf"{_PLACE}正好有(?P<thing>[^？，。吗呢]+)吗？", ("{place}是否正好有{thing}？", "请问{place}正好有{thing}吗？")),
    (
        rf"(?P<thing>{_PLACE}[^？，。、吗呢没不否]{{2,30}})(?P<verb>是|叫)(?P<other>[^？，。、吗呢没不否是]{{1,20}}?)吗？",
        ("{thing}是否{verb}{other}？", "请问{thing}{verb}{other}吗？"),
    ),
    (
        rf"(?P<thing>{_PLACE}[^？，。、吗呢没不否]{{1,20}}?)(?P<verb>朝向|代表|属于|在)"
        r"(?P<other>[^？，。、吗呢没不否]{1,12})吗？",
        ("{thing}是否{verb}{other}？", "请问{thing}{verb}{other}吗？"),
    ),
    (rf"(?P<thing>{_PLACE}[^？，。、]{{1,20}})上写着什么？", ("{thing}上写的是什么？", "请说出{thing}上写着什么。")),
    (
        rf"(?P<thing>{_PLACE}[^？，。、]{{1,20}}?)"
        r"(?P<what>朝向哪一边|是哪一个|在做什么|代表什么|有什么|属于哪[^？，。]{1,4})？",
        ("请说出{thing}{what}。", "请问{thing}{what}？"),
    ),
    (
        rf"(?P<thing>{_PLACE}[^？。、]{{1,30}})，(?P<other>[^？，。、]{{1,16}}(?:是什么|是哪里|是谁|叫什么|几[^？，。]{{1,3}}))？",
        ("请说出{thing}，{other}。", "请问{thing}，{other}？"),
    ),
    (
        rf"(?P<thing>{_PLACE}[^？。、]{{1,30}})，(?P<other>[^？，。、吗呢没不否]{{1,30}})吗？",
        ("请问{thing}，{other}吗？",),
    ),
    (rf"{_PLACE}(?P<what>有什么|是什么)？", ("请说出{place}{what}。", "请问{place}{what}？")),
    (
        r"(?:根据|依据)(?P<what>图表|该图表|这张图表?|图片|图中信息)，(?P<rest>[^？]+)？",
        ("依照{what}，{rest}？", "从{what}来看，{rest}？"),
    ),
)


_LONGEST = 1_000
"""Characters of a question that is rewritten: longer ones are no plain questions, and patterns take their time."""


def _compiled(rules: tuple[tuple[str, tuple[str, ...]], ...]) -> tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]:
    return tuple((re.compile(pattern, re.IGNORECASE), forms) for pattern, forms in rules)


_RULES = {"en": _compiled(_ENGLISH), "zh": _compiled(_CHINESE)}


def rewrites(question: str, language: str) -> tuple[str, ...]:
    """Every rewrite that the first fitting rule gives; empty where none fits.

    >>> rewrites("Is there a dog in the image?", "en")
    ('Does the image show a dog?', 'Can a dog be seen in the image?')
    """
    text = " ".join(question.split())
    if len(text) > _LONGEST:
        return ()
    text = text.replace("?", "？") if language == "zh" else text
    for pattern, forms in _RULES["zh" if language == "zh" else "en"]:
        match = pattern.fullmatch(text)
        if match is None:
            continue
        parts = {name: value or "" for name, value in match.groupdict().items()}
        made = []
        for form in forms:
            one, _, several = form.partition("|")
            parts["verb"] = parts.get("verb", "").lower()
            filled = (several if several and parts["verb"] == "are" else one).format(**parts)
            made.append(filled[0].upper() + filled[1:])
        return tuple(form for form in made if form != text)
    return ()


def change(item: Item, severity: int, rng: np.random.Generator) -> Item | None:
    """The item with its question in other words, its options as they were; None where no rule knows its form."""
    question = parts(item)
    if question is None or (question.listed and question.rest.strip()):
        return None  # what follows the options might speak of the wording
    asked = question.asked.rstrip()
    found = [text for text in rewrites(asked, item.language) if text != asked]
    if not found:
        return None
    rewritten = found[int(rng.integers(len(found)))] + question.asked[len(asked) :]
    return replace(item, question=f"{rewritten}{question.listed}{question.rest}")


def truth(item: Item, severity: int) -> Truth:
    """Kept: the same is asked."""
    return "kept"
