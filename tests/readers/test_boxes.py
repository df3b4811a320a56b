"""Where answers point: every family's way of writing places, both languages, and what is no place."""

from __future__ import annotations

import pytest

from snellen.box import Box
from snellen.convention import PRESETS, Frame, parse
from snellen.readers.boxes import TargetReading, read_target

FRAME = Frame((1000, 500), (1000, 500), (1000, 500))
Numbers = tuple[float, ...]

POINTS: list[tuple[str, Numbers]] = [
    # JSON
    ('{"point_2d": [120, 300]}', (120, 300)),
    ('[{"point_2d": [120, 300], "label": "gear 2"}]', (120, 300)),
    ('{"point": [120, 300]}', (120, 300)),
    ('{"click": [120, 300]}', (120, 300)),
    ('{"coordinates": [120, 300]}', (120, 300)),
    ('{"coordinate": "(120, 300)"}', (120, 300)),
    ('{"coordinate": "120, 300"}', (120, 300)),
    ('{"position": ["120", "300"]}', (120, 300)),
    ('{"x": 120, "y": 300}', (120, 300)),
    ('{"y": 300, "x": 120}', (120, 300)),
    ('{"x": "120", "y": "300"}', (120, 300)),
    ('{"center": {"x": 120, "y": 300}}', (120, 300)),
    ('{"location": {"x": 120.5, "y": 300.25}}', (120.5, 300.25)),
    ('{"answer": {"steps": [1, 2, 3], "point": [120, 300]}}', (120, 300)),
    ('```json\n{"point_2d": [120, 300]}\n```', (120, 300)),
    ('{"index": 7, "size": [40, 20], "point": [120, 300]}', (120, 300)),
    ('{"point": [120, 300], "image_size": [1000, 500]}', (120, 300)),
    ('{"point": [120, 300], "confidence": 0.93}', (120, 300)),
    ('{"bbox_2d": [120, 300]}', (120, 300)),
    ('{"label": "12, 13", "point": [120, 300]}', (120, 300)),
    ('{"point": [120, 300], "label": "from (1, 2) to (3, 4)"}', (120, 300)),
    ('{"action": "click(120, 300)"}', (120, 300)),
    ('{"thought": "maybe at (1, 2)", "action": "click", "coordinate": [120, 300]}', (120, 300)),
    ('{"point": [120, 300], "reason": "the other one at (400, 20) is a menu"}', (120, 300)),
    ('{"bbox_2d": null, "point_2d": [120, 300]}', (120, 300)),
    ('{"point_2d": [120, 300], "bbox_2d": null}', (120, 300)),
    # calls and actions
    ("pyautogui.click(x=120, y=300)", (120, 300)),
    ("pyautogui.click(120, 300)", (120, 300)),
    ("pyautogui.moveTo(120, 300, duration=0.5)", (120, 300)),
    ("pyautogui.doubleClick(x=120, y=300)", (120, 300)),
    ("pyautogui.click(120, 300, 2)", (120, 300)),
    ("import pyautogui\npyautogui.moveTo(5, 6)\npyautogui.click(x=120, y=300, clicks=2)", (120, 300)),
    ("click(120, 300)", (120, 300)),
    ("CLICK(x=120, y=300)", (120, 300)),
    ("tap(120, 300)", (120, 300)),
    ("click_at(x=120, y=300)", (120, 300)),
    ('{"action": "left_click", "coordinate": [120, 300]}', (120, 300)),
    ('{"type": "click", "x": 120, "y": 300, "button": "left"}', (120, 300)),
    ("{'action': 'CLICK', 'value': None, 'position': [120, 300]}", (120, 300)),
    (
        '<tool_call>\n{"name": "computer_use", "arguments": {"action": "left_click", "coordinate": [120, 300]}}\n'
        "</tool_call>",
        (120, 300),
    ),
    ('{"name": "click", "arguments": "{\\"x\\": 120, \\"y\\": 300}"}', (120, 300)),
    ("Thought: the gear.\nAction: click(start_box='(120,300)')", (120, 300)),
    ("click(start_box='<|box_start|>(120,300)<|box_end|>')", (120, 300)),
    ("click(point='<point>120 300</point>')", (120, 300)),
    ("Action: left_double(start_box='[120, 300]')", (120, 300)),
    # tags
    ("<|box_start|>(120,300)<|box_end|>", (120, 300)),
    ("<point>120 300</point>", (120, 300)),
    ("<point>[[120, 300]]</point>", (120, 300)),
    ("CLICK <point>[[120, 300]]</point>", (120, 300)),
    ('<point x="120.5" y="300.4" alt="gear 3">gear</point>', (120.5, 300.4)),
    ("<point x='120' y='300'>gear</point>", (120, 300)),
    ('<points x1="5" y1="6" x2="120" y2="300" alt="gears">gears</points>', (120, 300)),
    ("<click>120, 300</click>", (120, 300)),
    ("<answer>(120, 300)</answer>", (120, 300)),
    # bare and prose
    ("(120, 300)", (120, 300)),
    ("[120, 300]", (120, 300)),
    ("120, 300", (120, 300)),
    ("120 300", (120, 300)),
    ("**(120, 300)**", (120, 300)),
    ('"(120, 300)"', (120, 300)),
    ("\\boxed{(120, 300)}", (120, 300)),
    ("(120px, 300px)", (120, 300)),
    ("(x=120, y=300)", (120, 300)),
    ("(x: 120, y: 300)", (120, 300)),
    ("x=120, y=300", (120, 300)),
    ("x is 120 and y is 300.", (120, 300)),
    ("The x coordinate is 120, the y coordinate is 300.", (120, 300)),
    ("The gear is at (120, 300).", (120, 300)),
    ("The gear is located at 120, 300.", (120, 300)),
    ("Click at about (120, 300) to open it.", (120, 300)),
    ("The image is 1000x500. Click at (120, 300).", (120, 300)),
    ("The screenshot has size (1000, 500); the button is at (120, 300).", (120, 300)),
    ("At 9:41 in version 2.3.1, the 3rd of 5 icons, a 2d cube, is at (120, 300).", (120, 300)),
    ("1. The gear is at (120, 300).", (120, 300)),
    ("First I saw (5, 6). Final answer: (120, 300)", (120, 300)),
    ("Final answer: the gear at (120, 300). The image has a margin of (0, 0).", (120, 300)),
    ("It is at (120, 300), not at (5, 6).", (120, 300)),
    ("It is not at (5, 6) but at (120, 300).", (120, 300)),
    ("The box is [110, 290, 130, 310], so its center is (120, 300).", (120, 300)),
    ("Elements (1, 2) are tabs; the target is at (120, 300).", (120, 300)),
    ("The color is rgb(10, 20, 30) and the place is (120, 300)", (120, 300)),
    ("12%, 60%", (120, 300)),
    ("It's at (12 %, 60 %).", (120, 300)),
    ("The two tabs are at (5, 6) and (120, 300).", (120, 300)),
    ("Point(x=120, y=300)", (120, 300)),
    ("(x, y) = (120, 300)", (120, 300)),
    ("$(120, 300)$", (120, 300)),
    ('{"point": {"coordinates": [120, 300]}}', (120, 300)),
    ("<coordinate>120, 300</coordinate>", (120, 300)),
    # Chinese
    ("目标在屏幕的右下角，坐标是（120，300）。", (120, 300)),
    ("屏幕上没有其他图标，目标在（120，300）", (120, 300)),
    ("坐标为（120，300）", (120, 300)),
    ("坐标：（１２０，３００）", (120, 300)),
    ("目标位于 (120, 300) 处。", (120, 300)),
    ("点击（120、300）", (120, 300)),
    ("坐标为120，300", (120, 300)),
    ("x坐标为120，y坐标为300。", (120, 300)),
    ("横坐标120，纵坐标300", (120, 300)),
    ("图片尺寸为（1000，500），第3个图标在（120，300）。", (120, 300)),
    ("最终答案：（120，300）", (120, 300)),
    ("不是（5，6），而是（120，300）", (120, 300)),
    ('{"坐标": [120, 300]}', (120, 300)),
    ("【120，300】", (120, 300)),
]

BOXES: list[tuple[str, Numbers]] = [
    # B27
    ('[{"bbox_2d": [100, 200, 300, 400], "label": "btn"}]', (100, 200, 300, 400)),
    ('{"bbox": [100, 200, 300, 400]}', (100, 200, 300, 400)),
    ('{"box_2d": [100, 200, 300, 400], "label": "btn"}', (100, 200, 300, 400)),
    ('{"bounding_box": [100, 200, 300, 400]}', (100, 200, 300, 400)),
    ('{"boundingBox": {"left": 100, "top": 200, "right": 300, "bottom": 400}}', (100, 200, 300, 400)),
    ('{"bbox": {"x1": 100, "y1": 200, "x2": 300, "y2": 400}}', (100, 200, 300, 400)),
    ('{"bbox": {"x0": 100, "y0": 200, "x1": 300, "y1": 400}}', (100, 200, 300, 400)),
    ('{"xmin": 100, "ymin": 200, "xmax": 300, "ymax": 400}', (100, 200, 300, 400)),
    ('{"ymin": 200, "xmin": 100, "ymax": 400, "xmax": 300}', (100, 200, 300, 400)),
    ('{"x": 100, "y": 200, "width": 200, "height": 200}', (100, 200, 300, 400)),
    ('{"cx": 200, "cy": 300, "w": 200, "h": 200}', (100, 200, 300, 400)),
    ('{"top_left": [100, 200], "bottom_right": [300, 400]}', (100, 200, 300, 400)),
    ('{"bbox": [[100, 200], [300, 400]]}', (100, 200, 300, 400)),
    ('{"bbox": [[100, 200, 300, 400]]}', (100, 200, 300, 400)),
    ('{"bbox": "[100, 200, 300, 400]"}', (100, 200, 300, 400)),
    ('{"bbox": ["100", "200", "300", "400"]}', (100, 200, 300, 400)),
    ("{'bbox_2d': [100, 200, 300, 400]}", (100, 200, 300, 400)),
    ('{"bbox_2d": [100, 200, 300, 400,],}', (100, 200, 300, 400)),
    ('{"bbox_2d": [100, 200, // left 1, top 2\n 300, 400]}', (100, 200, 300, 400)),
    ('{"bbox_2d": /* x 5, 6 */ [100, 200, 300, 400]}', (100, 200, 300, 400)),
    ('{"bbox_2d": [100, 200, 300, 400], # [1, 2, 3, 4]\n}', (100, 200, 300, 400)),
    ("{bbox_2d: [100, 200, 300, 400]}", (100, 200, 300, 400)),
    ('{"bbox_2d": [\n  100,\n  200,\n  300,\n  400\n]}', (100, 200, 300, 400)),
    ('{"result": {"target": {"bbox": [100, 200, 300, 400]}}}', (100, 200, 300, 400)),
    ('{"bbox_2d": [100, 200, 300, 400], "label": "bt', (100, 200, 300, 400)),
    ('```json\n[\n {"bbox_2d": [100, 200, 300, 400]', (100, 200, 300, 400)),
    ('{"bbox": [1e2, 2.0e2, +300, 400.0]}', (100, 200, 300, 400)),
    ('{"elements": [{"bbox": [1, 2, 3, 4]}, {"bbox": [100, 200, 300, 400]}]}', (100, 200, 300, 400)),
    # tags and calls
    ("<|box_start|>(100,200),(300,400)<|box_end|>", (100, 200, 300, 400)),
    (
        "<|object_ref_start|>gear 2<|object_ref_end|><|box_start|>(100,200),(300,400)<|box_end|>",
        (100, 200, 300, 400),
    ),
    ("<ref>gear 2</ref><box>(100,200),(300,400)</box>", (100, 200, 300, 400)),
    ("<ref>gear</ref><box>[[100, 200, 300, 400]]</box>", (100, 200, 300, 400)),
    ("<box>100 200 300 400</box>", (100, 200, 300, 400)),
    ("<bbox>100, 200, 300, 400</bbox>", (100, 200, 300, 400)),
    ("<|ref|>gear<|/ref|><|det|>[[100, 200, 300, 400]]<|/det|>", (100, 200, 300, 400)),
    ("CLICK(box=[[100,200,300,400]], element_info='gear')", (100, 200, 300, 400)),
    ("click(start_box='[100, 200, 300, 400]')", (100, 200, 300, 400)),
    ("click(start_box='<|box_start|>(100,200),(300,400)<|box_end|>')", (100, 200, 300, 400)),
    # bare and prose
    ("[100, 200, 300, 400]", (100, 200, 300, 400)),
    ("[[100,200,300,400]]", (100, 200, 300, 400)),
    ("(100, 200), (300, 400)", (100, 200, 300, 400)),
    ("100, 200, 300, 400", (100, 200, 300, 400)),
    ("[100, 200, 300, 400", (0,)),
    ("left 100, top 200, right 300, bottom 400", (100, 200, 300, 400)),
    ("Left: 100, Top: 200, Right: 300, Bottom: 400", (100, 200, 300, 400)),
    ("left = 100 top = 200 right = 300 bottom = 400", (100, 200, 300, 400)),
    ("x1=100, y1=200, x2=300, y2=400", (100, 200, 300, 400)),
    ("x1: 100\ny1: 200\nx2: 300\ny2: 400", (100, 200, 300, 400)),
    ("The bounding box is [100, 200, 300, 400].", (100, 200, 300, 400)),
    ("It spans from (100, 200) to (300, 400).", (100, 200, 300, 400)),
    ("Its top-left corner is (100, 200) and its bottom-right corner is (300, 400).", (100, 200, 300, 400)),
    ("Bounding box: 100, 200, 300, 400", (100, 200, 300, 400)),
    ("[10%, 40%, 30%, 80%]", (100, 200, 300, 400)),
    ("There is no label, but the icon is at [100, 200, 300, 400].", (100, 200, 300, 400)),
    ("It is not absent: [100, 200, 300, 400]", (100, 200, 300, 400)),
    ("It might not be the right one: [100, 200, 300, 400]", (100, 200, 300, 400)),
    ("At first I could not find it, but it is at [100, 200, 300, 400].", (100, 200, 300, 400)),
    ("There is no doubt that it is [100, 200, 300, 400].", (100, 200, 300, 400)),
    ("If it were not on the screen, I would say so. [100, 200, 300, 400]", (100, 200, 300, 400)),
    ('The button "Item not found" is at [100, 200, 300, 400].', (100, 200, 300, 400)),
    ('{"bbox_2d": [100, 200, 300, 400], "label": "page does not exist"}', (100, 200, 300, 400)),
    ("The button is not visible in the sidebar, it is in the header at [100, 200, 300, 400]", (100, 200, 300, 400)),
    ('{"thought": "it does not exist in the top bar", "bbox_2d": [100, 200, 300, 400]}', (100, 200, 300, 400)),
    ("x1=100, y1=200, x2=300, y2=400 (width 200, height 200)", (100, 200, 300, 400)),
    # lists, then the target
    (
        'Step 1:\n[{"type": "icon", "description": "a", "bbox_2d": [1, 2, 3, 4]},\n'
        '{"type": "text", "description": "b", "bbox_2d": [5, 6, 7, 8]}]\n'
        'Step 2:\nFinal answer: {"bbox_2d": [100, 200, 300, 400]}',
        (100, 200, 300, 400),
    ),
    ("1. icon a: [1, 2, 3, 4]\n2. icon b: [5, 6, 7, 8]\n\nTarget: [100, 200, 300, 400]", (100, 200, 300, 400)),
    # Chinese
    ("左上角（100，200），右下角（300，400）", (100, 200, 300, 400)),
    ("左上角坐标为(100, 200)，右下角坐标为(300, 400)。", (100, 200, 300, 400)),
    ("从（100，200）到（300，400）", (100, 200, 300, 400)),
    ("左100，上200，右300，下400", (100, 200, 300, 400)),
    ("边界框为 [100, 200, 300, 400]", (100, 200, 300, 400)),
    ("目标不是不存在，它在［１００，２００，３００，４００］", (100, 200, 300, 400)),
    ("没有文字标签，但图标位于[100, 200, 300, 400]。", (100, 200, 300, 400)),
    ('最终答案：{"bbox_2d": [100, 200, 300, 400]}', (100, 200, 300, 400)),
]
BOXES = [case for case in BOXES if len(case[1]) == 4]

REJECTED = """
The target is not on the screen.
"The target is not on the screen."
**The target is not on the screen.**
The target isn't on the screen.
The target element does not exist.
The element is not visible in this screenshot.
No such element.
There is no such element on the screen.
There is no "Settings" icon on the screen.
There's no camera app here.
I can't find it.
I can’t find the Settings icon anywhere.
I could not locate the requested element.
I was unable to find a matching button.
I don't see any search bar on this page.
The requested icon is absent.
The icon is missing from the screen.
The screenshot does not contain a search bar.
The current page has no download button.
The Settings icon does not appear on the screen.
The target does not appear to be on the screen.
No element matches the description.
None of the icons on the screen match the instruction.
Nothing on the screen matches the description.
Not found.
Absent
not_found
{"target": "absent"}
{"bbox_2d": "not found"}
{"bbox_2d": "目标不存在"}
The instruction refers to a "Trash" icon, but no trash icon is present.
Based on the screenshot, there isn't a "Settings" icon visible.
The element could not be found.
The target is nowhere to be found.
I looked at all 12 icons. The target is not on the screen.
{"bbox_2d": null, "reason": "The target is not on the screen"}
{"answer": "The target is not on the screen."}
{"exists": false}
{"found": false, "bbox_2d": []}
{"status": "not_found"}
The target is not on the screen. [-1, -1]
The target is not on the screen: (0, 0)
The target is not on the screen. [0, 0, 0, 0]
The target is not on the screen. []
目标不存在。
“目标不存在。”
目标不存在
最终答案：目标不存在。
屏幕上没有该元素。
屏幕上没有“设置”图标。
当前页面没有搜索按钮。
找不到目标。
我找不到这个图标。
未找到目标元素。
未能在截图中找到该按钮。
没有找到对应的图标。
该元素不在屏幕上。
所描述的图标并未出现。
界面中不存在该按钮。
不存在
没有
{"bbox_2d": null, "理由": "目标不存在"}
{"answer": "目标不存在"}
目标不存在，[-1, -1]
""".strip().splitlines()

CONTRADICTED = """
The target is not on the screen. [100, 200, 300, 400]
[100, 200, 300, 400] The target is not on the screen.
{"bbox_2d": [100, 200, 300, 400], "note": "the target is not on the screen"}
There is no Settings icon, but the closest match is at [100, 200, 300, 400].
I can't find it; my best guess is [100, 200, 300, 400].
The element does not exist. <box>(100,200),(300,400)</box>
目标不存在。[100, 200, 300, 400]
屏幕上没有该图标，最接近的是[100, 200, 300, 400]
找不到目标，坐标为（100，200，300，400）
""".strip().splitlines()

UNCLEAR = [
    "I would click the blue button.",
    "It might not be on the screen.",
    "The target may not exist.",
    "Perhaps there is no such icon.",
    "I'm not sure whether it is on the screen.",
    "If the target is not on the screen, say so.",
    "Is the target not on the screen?",
    "It is not absent.",
    "The icon in the top left corner.",
    "I can't see the image.",
    "I cannot determine the coordinates.",
    "The image is 1920x1080.",
    "The time is 9:41 and the version is 2.3.1.",
    "It is the 3rd icon of 5 in row 2.",
    "The 2d view, page 4.",
    "It's not true that the target is not on the screen.",
    "目标可能不存在。",
    "如果目标不存在，请说明。",
    "不是不存在。",
    "也许屏幕上没有它。",
    "点击第3个图标",
    "图片尺寸是1920×1080",
    "无法确定坐标。",
    "",
    "   ",
    "```\n```",
]

BROKEN: list[tuple[str, str]] = [
    ("click(start_box='=')", "no coordinates"),  # B28
    ("<box></box>", "no coordinates"),
    ("<|box_start|><|box_end|>", "no coordinates"),
    ('{"bbox_2d": "upper left"}', "no coordinates"),
    ('{"bbox_2d": [100, 200, 300]}', "3 numbers"),
    ('{"bbox_2d": [100, 200, 300, 400, 500]}', "5 numbers"),
    ('{"bbox_2d": [100, 200, 300', "ends within"),
    ('{"bbox_2d": [100, 200', "ends within"),
    ('{"bbox_2d": [100, 200,', "ends within"),
    ('{"bbox_2d": [100, 200, 300, 40', "ends within"),
    ("[100, 200, 300, 400", "ends within"),
    ("(120, 3", "ends within"),
    ('{"bbox_2d": [NaN, 200, 300, 400]}', "finite"),
    ('{"bbox_2d": [100, Infinity, 300, 400]}', "finite"),
    ('{"bbox_2d": [100, null, 300, 400]}', "finite"),
    ('{"bbox_2d": [300, 400, 100, 200]}', "inverted"),
    ('{"bbox_2d": [100, 200, 300, 501]}', "outside"),
    ('{"bbox_2d": [-5, 200, 300, 400]}', "outside"),
    ("(1001, 300)", "outside"),
    ("(1e999, 300)", "finite"),
    ("pyautogui.click(x=120)", "only x"),
    ('{"x": 120, "y": 300, "width": 40}', "only"),
    ("(12%, 300)", "percent"),
    ("<loc_12><loc_13><loc_14><loc_15>", "location tokens"),
    ('{"point": [120, 300]}\nFinal answer: {"point": [1200, 300]}', "outside"),
    ("-1", "sentinel"),
    ("null", "sentinel"),
    ("None", "sentinel"),
    ("[]", "sentinel"),
    ("{}", "sentinel"),
    ("[-1, -1]", "sentinel"),
    ("[-1, -1, -1, -1]", "sentinel"),
    ("[0, 0, 0, 0]", "sentinel"),
    ('{"bbox_2d": null}', "sentinel"),
    ('{"bbox_2d": []}', "sentinel"),
    ('{"bbox_2d": ""}', "sentinel"),
    ('{"coordinate": [-1, -1]}', "sentinel"),
    ('{"x": null, "y": null}', "sentinel"),
    ("<box>[]</box>", "sentinel"),
]


def read(text: str, convention: str = "pixels", frame: Frame = FRAME) -> TargetReading:
    return read_target(text, parse(convention), frame)


@pytest.mark.parametrize(("text", "point"), POINTS)
def test_points(text: str, point: Numbers) -> None:
    reading = read(text)
    assert (reading.kind, reading.point, reading.box) == ("point", point, None)
    assert reading.problem == ""


@pytest.mark.parametrize(("text", "edges"), BOXES)
def test_boxes(text: str, edges: Numbers) -> None:
    reading = read(text)
    assert (reading.kind, reading.box) == ("box", Box(*edges))
    assert reading.point == Box(*edges).centre


@pytest.mark.parametrize("text", REJECTED)
def test_rejections(text: str) -> None:
    reading = read(text)
    assert (reading.kind, reading.box, reading.point) == ("rejected", None, None)
    assert read_target(text, PRESETS["pixels"], FRAME, sentinel_offered=True).kind == "rejected"


@pytest.mark.parametrize("text", CONTRADICTED)
def test_rejections_beside_a_box_keep_it(text: str) -> None:
    reading = read(text)
    assert (reading.kind, reading.box, reading.point) == ("contradicted", Box(100, 200, 300, 400), (200, 300))


@pytest.mark.parametrize("text", UNCLEAR)
def test_neither_a_place_nor_a_rejection(text: str) -> None:
    assert read(text) == TargetReading("unclear")


@pytest.mark.parametrize(("text", "problem"), BROKEN)
def test_format_errors_say_why(text: str, problem: str) -> None:
    reading = read(text)
    assert (reading.kind, reading.box, reading.point) == ("format_error", None, None)
    assert problem in reading.problem
    offered = read_target(text, PRESETS["pixels"], FRAME, sentinel_offered=True)
    assert offered.kind == ("rejected" if problem == "sentinel" else "format_error")


def test_two_zeros_are_a_corner_of_the_image() -> None:
    assert read("(0, 0)").point == (0, 0)
    assert read_target("(0, 0)", PRESETS["pixels"], FRAME, sentinel_offered=True).point == (0, 0)


def test_a_list_before_a_rejection_contradicts_nothing() -> None:
    listed = '[{"type": "icon", "bbox_2d": [1, 2, 3, 4]}, {"type": "text", "bbox_2d": [5, 6, 7, 8]}]'
    assert read(f"{listed}\nThe target is not on the screen.").kind == "rejected"
    assert read(f"{listed}\nFinal answer: The target is not on the screen.").kind == "rejected"
    assert read(f"第一步：{listed}\n最终答案：目标不存在。").kind == "rejected"
    assert read("- icon: [1, 2, 3, 4]\n- text: [5, 6, 7, 8]\nThe target is not on the screen.").kind == "rejected"
    assert read(f"The target is not on the screen.\n{listed}").kind == "contradicted"


def test_what_was_thought_before_the_final_answer_does_not_count() -> None:
    assert read("I can't find it on the left.\nFinal answer: [100, 200, 300, 400]").kind == "box"
    assert read("It is at [100, 200, 300, 400].\nFinal answer: the target is not on the screen.").kind == "rejected"


def test_a_contradicted_place_that_cannot_be_read_says_why() -> None:
    reading = read("The target is not on the screen. [900, 200, 2000, 400]")
    assert (reading.kind, reading.box, reading.point) == ("contradicted", None, None)
    assert "outside" in reading.problem


def test_values_are_as_written_and_the_span_holds_them() -> None:
    text = "坐标：（１２０，３００）。"
    reading = read(text)
    assert reading.values == ("１２０", "３００")
    assert text[slice(*reading.span)] == "（１２０，３００）"
    assert read('{"a": {"bbox": ["010.50", "20", "30", "40"]}}').values == ("010.50", "20", "30", "40")


def test_the_span_of_a_rejection_is_its_line() -> None:
    text = "I looked.\n  The target is not on the screen. \nBye."
    assert text[slice(*read(text).span)] == "The target is not on the screen."


def test_b28_click_with_a_box() -> None:
    frame = Frame((1920, 1080), (1920, 1080), (1920, 1080))
    assert read("click(start_box='<|box_start|>(1327,864)<|box_end|>')", "pixels", frame).point == (1327, 864)
    reading = read("click(start_box='=')", "pixels", frame)
    assert (reading.kind, reading.point) == ("format_error", None)


def test_b30_outside_what_was_sent_is_no_silent_rescale() -> None:
    frame = Frame((4000, 3000), (2044, 1540), (2044, 1540))
    reading = read("[1708, 2099, 1776, 2195]", "pixels", frame)
    assert (reading.kind, reading.box) == ("format_error", None)
    assert "lies outside 2044 x 1540" in reading.problem


def test_b31_gemini_writes_y_first_in_thousandths() -> None:
    assert read("[100, 200, 300, 400]", "gemini").box == Box(200, 50, 400, 150)
    assert read('{"point": [100, 200]}', "gemini").point == (200, 50)


def test_b25_xywh_is_declared() -> None:
    frame = Frame((1920, 1080), (1920, 1080), (1920, 1080))
    assert read("[879, 75, 599, 269]", "original:xywh", frame).box == Box(879, 75, 1478, 344)
    assert read("[879, 75, 599, 269]", "original", frame).kind == "format_error"


def test_names_overrule_the_order_of_the_convention() -> None:
    assert read("x=500, y=200", "gemini").point == (500, 100)
    assert read('{"x1": 100, "y1": 200, "x2": 300, "y2": 400}', "gemini").box == Box(100, 100, 300, 200)
    assert read('{"xmin": 100, "ymin": 200, "xmax": 300, "ymax": 400}', "sent:xywh").box == Box(100, 200, 300, 400)
    assert read("pyautogui.click(500, 200)", "gemini").point == (500, 100)


def test_corners_have_the_order_of_points() -> None:
    assert read("(100, 200), (300, 400)", "gemini").box == Box(200, 50, 400, 150)
    assert read("<box>(100, 200), (300, 400)</box>", "sent:xywh").box == Box(100, 200, 300, 400)


def test_fractions_and_scaling() -> None:
    frame = Frame((2000, 1000), (1000, 500), (1000, 500))
    assert read("at (0.12, 0.5)", "fraction", frame).point == (240, 500)
    assert read("[.1, .2, .3, .4]", "fraction", frame).box == Box(200, 200, 600, 400)
    assert read("[100, 200, 300, 400]", "pixels", frame).box == Box(200, 400, 600, 800)


def test_location_tokens_only_where_they_fit() -> None:
    florence = "gear<loc_100><loc_200><loc_300><loc_400>"
    assert read(florence, "thousand").box == Box(100, 100, 300, 200)
    assert read(florence, "fraction").kind == "format_error"
    pali = "<loc0256><loc0128><loc0512><loc0384> gear"
    assert read(pali, "fraction:yxyx:yx").box == Box(125, 125, 375, 250)
    assert read(pali, "thousand").kind == "format_error"
