"""The words around coordinates: what names an edge, what announces a place, and what announces other numbers."""

from __future__ import annotations

import re
from typing import Final

from snellen.readers.pattern import Pattern

_AXES: Final = {
    **dict.fromkeys(["left", "l", "x1", "xmin", "minx", "xleft", "leftx", "左", "左边", "左侧"], "left"),
    **dict.fromkeys(["top", "t", "y1", "ymin", "miny", "ytop", "topy", "上", "上边", "上侧", "顶部"], "top"),
    **dict.fromkeys(["right", "r", "x2", "xmax", "maxx", "xright", "rightx", "右", "右边", "右侧"], "right"),
    **dict.fromkeys(["bottom", "b", "y2", "ymax", "maxy", "ybottom", "bottomy"], "bottom"),
    **dict.fromkeys(["下", "下边", "下侧", "底部"], "bottom"),
    **dict.fromkeys(["width", "w", "宽", "宽度"], "width"),
    **dict.fromkeys(["height", "h", "高", "高度"], "height"),
    **dict.fromkeys(["cx", "centerx", "centrex", "xcenter", "xcentre", "中心x"], "cx"),
    **dict.fromkeys(["cy", "centery", "centrey", "ycenter", "ycentre", "中心y"], "cy"),
    **dict.fromkeys(["x", "coordx", "posx", "xpos", "xcoord", "xcoordinate", "positionx", "横坐标"], "x"),
    **dict.fromkeys(["y", "coordy", "posy", "ypos", "ycoord", "ycoordinate", "positiony", "纵坐标"], "y"),
    "x0": "x0",
    "y0": "y0",
}  # fmt: skip
_HAN_AXIS: Final = Pattern(
    r"(横坐标|纵坐标|左|上|右|下|顶部|底部|宽度?|高度?)(?:边界|边缘|边|侧|坐标|的|值|为|是|在|约|大约|于)*\Z"
)
_CORNERS: Final = (
    ("start", Pattern(r"(?:top[\s_-]*left|upper[\s_-]*left|左上角?|topleft|\btl\b|\bfrom\b|从)", re.IGNORECASE)),
    ("stop", Pattern(r"(?:bottom[\s_-]*right|lower[\s_-]*right|右下角?|bottomright|\bbr\b)", re.IGNORECASE)),
)
_CAMEL: Final = Pattern(r"(?<=[a-z])(?=[A-Z])")
_PLACE_KEY: Final = Pattern(
    r"(?:.*[_\W\d])?(?:bbox|box|boxes|rect|rectangle|bounds|boundingbox|coordinates?|coords?|points?|positions?|"
    r"locations?|loc|pos|click|tap|centers?|centres?|xyxy|region|area|target|target_?box|polygon|quad|det|"
    r"startbox|clickpoint)(?:_?[23]?d)?\d*(?:_?(?:abs|norm|normalized|px|xyxy|xywh|coords?|coordinates?))?"
    r"|.*(?:坐标|位置|边界框|点击点|区域|中心点?)",
    re.IGNORECASE,
)
_POINT_KEY: Final = Pattern(r"(?:.*[_\W])?(?:points?|clicks?|centers?|centres?)(?:_?2?d)?", re.IGNORECASE)
_SAYING_KEY: Final = Pattern(
    r"(?:.*_)?(?:descriptions?|desc|labels?|text|content|name|title|caption|type|kind|role|category|class|function|alt|"
    r"element_type|element|tooltip|placeholder|id|index|描述|标签|文字|文本|名称|类型|类别|功能|内容|标题)",
    re.IGNORECASE,
)
_THOUGHT_KEY: Final = Pattern(
    r"(?:.*_)?(?:thoughts?|thinking|reasons?|reasoning|analysis|explanation|notes?|observation|rationale|思考|理由|"
    r"分析|说明)",
    re.IGNORECASE,
)
_OTHER_KEY: Final = Pattern(
    r"(?:.*_)?(?:sizes?|resolution|dimensions?|viewport|screen|window|colou?rs?|rgb|confidence|scores?|"
    r"version|尺寸|分辨率|大小|颜色)",
    re.IGNORECASE,
)
_CALL: Final = Pattern(
    r"(?:.*\.)?(?:(?:left|right|double|middle|triple|single|long|mouse)?_?(?:click|tap|press|touch)(?:_at|_on)?|"
    r"(?:move|drag)_?to|mouse_?move|hover(?:_at)?|select|scroll|point|box|bbox|rect|type_text_at)",
    re.IGNORECASE,
)
_OTHER_CALL: Final = Pattern(r"(?:.*\.)?(?:rgba?|hsla?|size|range|scale|len|resize|screen)", re.IGNORECASE)
_LINK: Final = (
    r"(?:(?:is|are|be|was|at|of|on|to|approximately|about|around|roughly|the|would|should|will|located|exactly|pixel|"
    r"pixels|coordinates?|normalized|为|是|在|约|大约|应|于|：)[\s\"'*`:=-]*){0,5}"
)
_CUE: Final = Pattern(
    r"(?:(?:\b(?:at|coordinates?|coords?|positions?|locations?|located|points?|cent(?:er|re)|bbox(?:es)?|box(?:es)?|"
    r"rect(?:angle)?|region|area|bounds|click(?:ed|ing|s)?|tap|press|answer|target|result|output|final|here)|"
    r"坐标|位置|位于|处于|点击|单击|点|在|框|区域|中心|答案|目标|结果)[\s\"'*`:=-]*|\\boxed)"
    + _LINK
    + r"[({\[【$\\]*\Z",
    re.IGNORECASE,
)
_OTHER_CUE: Final = Pattern(
    r"(?:\b(?:sized?|resolution|dimensions?|viewport|width|height|ratio|scale|rgb|hex|colou?r|version|range|"
    r"ind(?:ex|ices)|numbers?|elements|items|options|steps|rows?|columns?|pages?|figures?|sections?|chapters?|ids?|"
    r"padding|margin|origin|(?:image|screenshot|screen|picture) (?:is|has|of))"
    r"|尺寸|分辨率|大小|宽高|颜色|色值|版本|范围|编号|序号|元素|选项|步骤|原点|(?:图片|图像|屏幕|截图)(?:是|为|"
    r"有))[\s\"'*`:=-]*" + _LINK + r"\Z",
    re.IGNORECASE,
)
_NEGATED: Final = Pattern(
    r"(?:\bnot|\brather than|\binstead of|\bunlike|\bas opposed to|\bdifferent from|不是|而非|并非|不同于|区别于)\s*"
    r"(?:(?:at|the|one|that|in|on|with|coordinates?|在|位于|坐标)[\s:]*){0,4}\Z",
    re.IGNORECASE,
)
_CUE_REACH: Final = 64


def axis(name: str, *, han: bool = False) -> str | None:
    """The edge or side that a name stands for, in one spelling; None for any other word."""
    if han:
        found = _HAN_AXIS.search(name)
        return _AXES.get(found[1]) if found else None
    if len(name) > 20:
        return None
    plain = name.rpartition(".")[2] if "." in name else name
    return _AXES.get("".join(filter(str.isalnum, plain)).lower())


def corner(lead: str) -> str | None:
    """``start`` or ``stop`` where the words before a point name the first or the last corner of a box."""
    best, at = None, -1
    for which, pattern in _CORNERS:
        for found in pattern.finditer(lead):
            if found.start() > at:
                best, at = which, found.start()
    return best


def key_kind(key: str) -> str:
    """What a key announces: ``place``, ``saying`` (words of the screen), ``thought``, ``other``, or nothing known."""
    if len(key) > 60:
        return ""
    spelt = _CAMEL.sub("_", key.strip().strip("\\"))
    if _OTHER_KEY.fullmatch(spelt):
        return "other"
    if _PLACE_KEY.fullmatch(spelt):
        return "place"
    if _SAYING_KEY.fullmatch(spelt):
        return "saying"
    return "thought" if _THOUGHT_KEY.fullmatch(spelt) else ""


def names_points(key: str) -> bool:
    """Whether a key announces one point or several."""
    return len(key) <= 60 and _POINT_KEY.fullmatch(key) is not None


def call_kind(name: str) -> str:
    """``place`` for a function that acts at a place, ``other`` for one whose numbers are none."""
    if _OTHER_CALL.fullmatch(name):
        return "other"
    return "place" if len(name) <= 60 and _CALL.fullmatch(name) else ""


def announced(text: str, start: int, floor: int) -> str:
    """What the words right before an offset announce: ``place``, ``other``, ``negated`` or nothing."""
    lead = text[max(floor, start - _CUE_REACH) : start]
    if not any(map(str.isalpha, lead)):
        return ""
    if _NEGATED.search(lead):
        return "negated"
    if _OTHER_CUE.search(lead):
        return "other"
    return "place" if _CUE.search(lead) else ""
