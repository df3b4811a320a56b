"""Windows of a desktop with many small parts: a sheet of costs, a restaurant's figures, a plan of training."""

from __future__ import annotations

from snellen.construction.screens.markup import button, div, field, hit, icon, link, picture, text, tick, window
from snellen.construction.screens.screen import Absent, Confused, Screen


def _sheet() -> str:
    """A table of costs, with letters above and numbers at the left."""
    rows = (
        ("Item|项目", "Place|地点", "Planned|预算", "Paid|已付", "Left|剩余", "Paid by|付款人", "Note|备注"),
        ("Flight out|去程航班", "Rome|罗马", "240", "240", "0", "Lea|莉亚", "Seat 14 A|座位 14A"),
        ("Flight back|回程航班", "Naples|那不勒斯", "225", "225", "0", "Lea|莉亚", "Seat 9 C|座位 9C"),
        ("Hotel, week 1|酒店第一周", "Rome|罗马", "560", "280", "280", "Tom|汤姆", "Breakfast|含早餐"),
        ("Hotel, week 2|酒店第二周", "Naples|那不勒斯", "490", "0", "490", "Tom|汤姆", "Sea view|海景"),
        ("Train|火车", "Rome – Naples|罗马—那不勒斯", "58", "58", "0", "Lea|莉亚", "11:30"),
        ("Ferry|渡轮", "Capri|卡普里", "44", "0", "44", "Open|待定", "Check times|查时刻"),
        ("Museum|博物馆", "Rome|罗马", "36", "36", "0", "Tom|汤姆", "Two tickets|两张票"),
        ("Car|租车", "Naples|那不勒斯", "130", "0", "130", "Open|待定", "Two days|两天"),
        ("Food|餐饮", "All|全部", "700", "185", "515", "Both|共同", "50 a day|每天 50"),
    )
    cells = [div(""), *(div("sunk row centre gap0", text(letter, "small soft")) for letter in "ABCDEFG")]
    for number, row in enumerate(rows, 1):
        cells.append(div("sunk row centre gap0", text(f"Row {number}|第 {number} 行", "small soft", shown=str(number))))
        cells += (div("", text(cell, "strong" if number == 1 else "")) for cell in row)
    for number in range(len(rows) + 1, 17):
        cells.append(div("sunk row centre gap0", text(f"Row {number}|第 {number} 行", "small soft", shown=str(number))))
        cells += [div("")] * 7
    return div("sheet", *cells, style="grid-template-columns:44px 200px 200px 120px 120px 120px 150px 1fr")


COSTS = Screen(
    "desktop-costs",
    "desktop",
    "travel",
    "light",
    "#2f8f5a",
    window(
        "Italy in May – Sheets|五月意大利 – 表格",
        "table",
        div(
            "head row gap20 small",
            *map(
                link,
                ("File|文件", "Edit|编辑", "View|视图", "Insert|插入", "Format|格式", "Data|数据", "Window|窗口"),
            ),
            div("grow"),
            text("All changes saved|所有更改已保存", "soft"),
        ),
        div(
            "head row",
            icon("undo", "Undo|撤销"),
            icon("redo", "Redo|重做"),
            icon("save", "Save sheet|保存表格"),
            icon("printer", "Print sheet|打印表格"),
            icon("bold", "Bold|加粗"),
            icon("italic", "Italic|斜体"),
            icon("link", "Insert link|插入链接"),
            icon("picture", "Insert picture|插入图片"),
            icon("chart", "Insert chart|插入图表"),
            button("Insert row|插入行", "add", cls="slim"),
            button("Insert column|插入列", "add", cls="slim"),
            button("Sort rows|排序行", "sort", cls="slim"),
            button("Filter rows|筛选行", "filter", cls="slim"),
            button("Sum|求和", "calculator", cls="slim"),
            button("Average|平均值", "calculator", cls="slim"),
            div("grow"),
            button("Share sheet|共享表格", "share", cls="main slim"),
        ),
        div(
            "head row",
            field("Name of the cell|单元格名称", shown="C4", style="width:90px"),
            field("Formula|公式", "calculator", shown="= 2 * 280", cls="grow"),
        ),
        div("screen", _sheet()),
        div(
            "bar row small",
            icon("add", "New tab|新建标签页"),
            button("Tab Costs|费用标签页", shown="Costs|费用", cls="slim main"),
            button("Tab Packing|行李标签页", shown="Packing|行李", cls="slim"),
            button("Tab Route|路线标签页", shown="Route|路线", cls="slim"),
            div("grow"),
            text("Sum: 560|合计：560", "soft"),
        ),
    ),
    (
        Confused("Click Insert column.|点击插入列。", "Insert column", ("Insert row",), "look"),
        Confused("Choose the cell Flight back.|选择单元格“回程航班”。", "Flight back", ("Flight out",), "meaning"),
        Absent("Open the menu Tools.|打开工具菜单。", "text", ("tools|工具",), ("Format", "Data")),
        Absent("Underline the text.|给文字加下划线。", "icon", ("underline|下划线",), ("Bold", "Italic")),
        Absent(
            "Choose the cell Hotel, week 3.|选择单元格“酒店第三周”。",
            "text",
            ("week 3|第三周",),
            ("Hotel, week 1", "Hotel, week 2"),
        ),
    ),
)


def _number(said: str, value: str, change: str) -> str:
    return div("card pad col gap4", text(said, "small soft"), text(value, "huge strong"), text(change, "tiny accent"))


def _order(number: str, dishes: str, place: str, state: str) -> str:
    return div(
        "row",
        text(f"Order {number}|订单 {number}", "strong", style="width:110px"),
        text(dishes, "grow"),
        text(place, "soft", style="width:90px"),
        text(state, style="width:90px"),
        button(f"Open order {number}|打开订单 {number}", shown="Open|打开", cls="slim"),
    )


TILL = Screen(
    "desktop-till",
    "desktop",
    "dining",
    "light",
    "#b0532a",
    window(
        "Kitchen Desk|厨房台",
        "bowl",
        div(
            "side screen",
            div(
                "pane col gap4",
                link("Today|今日", "item on", "home"),
                link("Orders|订单", "item", "list"),
                link("Reorders|补货", "item", "list"),
                link("Tables|餐桌", "item", "grid"),
                link("Bookings|预订", "item", "calendar"),
                link("Dishes|菜品", "item", "bowl"),
                link("Staff|员工", "item", "users"),
                link("Guests|客人", "item", "users"),
                link("Till|收银", "item", "calculator"),
                link("Reports|报表", "item", "chart"),
                div("grow"),
                link("Options|选项", "item", "gear"),
                style="width:200px",
            ),
            div(
                "pad col grow",
                div(
                    "row",
                    text("Today at Olive & Rye|橄榄与黑麦今日", "huge strong"),
                    div("grow"),
                    button("Day|日", cls="main"),
                    button("Week|周"),
                    button("Month|月"),
                    button("Export figures|导出数据", "download"),
                    icon("bell", "Kitchen calls|厨房呼叫"),
                ),
                div(
                    "grid four",
                    _number("Sales|销售额", "€ 2,418", "+8 % on Monday|比周一 +8 %"),
                    _number("Guests so far|到店人数", "96", "+12 on Monday|比周一 +12"),
                    _number("Mean bill|平均账单", "€ 25.20", "−2 % on Monday|比周一 −2 %"),
                    _number("Free tables|空桌", "5", "of 22|共 22 桌"),
                ),
                div(
                    "row top",
                    div(
                        "card pad col grow",
                        text("Sales by hour|每小时销售额", "strong"),
                        picture("Chart of sales by hour|每小时销售额图表", "bars", style="height:190px"),
                    ),
                    div(
                        "card pad col grow",
                        text("Guests by day|每日客人", "strong"),
                        picture("Chart of guests by day|每日客人图表", "line", style="height:190px"),
                    ),
                ),
                div(
                    "row spread",
                    text("Open orders|进行中的订单", "large strong"),
                    button("New order|新建订单", "add", cls="main"),
                ),
                div(
                    "card lined",
                    _order("118", "Tomato soup, bread|番茄汤、面包", "Table 4|4 号桌", "Cooking|制作中"),
                    _order("119", "Fried rice, tea|炒饭、茶", "Table 9|9 号桌", "Ready|已完成"),
                    _order("120", "Beef noodles, two|牛肉面两份", "Table 2|2 号桌", "Served|已上菜"),
                    _order("121", "Cherry cake, coffee|樱桃蛋糕、咖啡", "Bar|吧台", "Cooking|制作中"),
                ),
                div(
                    "row",
                    button("Close the till|关闭收银", "lock"),
                    button("Close the kitchen|关闭厨房", "lock"),
                    button("Print the bill|打印账单", "printer"),
                    button("Split the bill|拆分账单", "cut"),
                ),
            ),
        ),
    ),
    (
        Confused("Click Close the kitchen.|点击关闭厨房。", "Close the kitchen", ("Close the till",), "look"),
        Confused("Open Reorders.|打开补货。", "Reorders", ("Orders",), "look"),
        Absent("Show the figures of the Year.|显示年数据。", "button", ("year|年",), ("Month", "Week")),
        Absent(
            "Open order 122.|打开订单 122。", "button", ("order 122|订单 122",), ("Open order 121", "Open order 120")
        ),
        Absent("Open Suppliers.|打开供应商。", "text", ("suppliers|供应商",), ("Staff", "Guests")),
    ),
)


def _day(day: str, what: str, name: str, done: bool) -> str:
    en, zh = day.split("|")
    return div(
        "card pad col",
        div("row spread", text(day, "strong"), tick(f"{en} done|{zh}完成", done)),
        hit(
            f"{what.split('|')[0]} on {en}|{zh}的{what.split('|')[1]}",
            icon(name, f"Sign of {en}|{zh}的标志", "filled"),
            text(what, "small"),
        ),
    )


TRAINING = Screen(
    "desktop-training",
    "desktop",
    "health",
    "dark",
    "#2f9f8f",
    window(
        "Fit Plan|健身计划",
        "pulse",
        div(
            "head row",
            button("Add training|添加训练", "add", cls="main"),
            button("Add meal|添加餐食", "add"),
            button("Import plan|导入计划", "upload"),
            button("Export plan|导出计划", "download"),
            div("grow"),
            icon("back", "Week before|上一周"),
            text("3 to 9 June|6月3日至9日", "strong"),
            icon("forward", "Week after|下一周"),
            div("grow"),
            field("Search trainings|搜索训练", "search", style="width:240px"),
            icon("user", "My profile|我的资料"),
        ),
        div(
            "side screen",
            div(
                "pane col gap4",
                link("Plan|计划", "item on", "calendar"),
                link("Planner|计划助手", "item", "calendar"),
                link("Runs|跑步", "item", "shoe"),
                link("Walks|步行", "item", "walk"),
                link("Rides|骑行", "item", "bike"),
                link("Strength|力量", "item", "flame"),
                link("Stretching|拉伸", "item", "leaf"),
                link("Body weight|体重", "item", "scales"),
                link("Sleep|睡眠", "item", "moon"),
                link("Goals|目标", "item", "flag"),
                div("grow"),
                link("Setup|设置", "item", "gear"),
                style="width:200px",
            ),
            div(
                "pad col grow",
                text("Your week|您的一周", "huge strong"),
                div(
                    "grid four",
                    _day("Monday|周一", "Easy run|轻松跑", "shoe", True),
                    _day("Tuesday|周二", "Strength|力量训练", "flame", True),
                    _day("Wednesday|周三", "Rest|休息", "moon", True),
                    _day("Thursday|周四", "Fast run|快跑", "shoe", False),
                    _day("Friday|周五", "Yoga|瑜伽", "leaf", False),
                    _day("Saturday|周六", "Long ride|长途骑行", "bike", False),
                    _day("Sunday|周日", "Walk|散步", "walk", False),
                    div(
                        "card pad col",
                        text("This week|本周", "strong"),
                        div("meter", style="--part:43%"),
                        text("3 of 7 done|已完成 3 / 7", "small soft"),
                    ),
                ),
                div(
                    "row top",
                    div(
                        "card pad col grow",
                        text("Pulse at rest|静息脉搏", "strong"),
                        picture("Chart of the pulse|脉搏图表", "line", style="height:170px"),
                    ),
                    div(
                        "card pad col grow",
                        text("Minutes of training|训练分钟数", "strong"),
                        picture("Chart of the minutes|分钟数图表", "bars", style="height:170px"),
                    ),
                ),
                text("Thursday in detail|周四详情", "large strong"),
                div(
                    "card lined",
                    div(
                        "row",
                        icon("clock", "Start time|开始时间"),
                        text("Start at 7:00|7:00 开始"),
                        div("grow"),
                        button("Change start|更改开始时间", shown="Change|更改", cls="slim"),
                    ),
                    div(
                        "row",
                        icon("pin", "Place of the run|跑步地点"),
                        text("River path, 8 km|河边小路，8 公里"),
                        div("grow"),
                        button("Change place|更改地点", shown="Change|更改", cls="slim"),
                    ),
                    div(
                        "row",
                        icon("heart", "Aim of the pulse|目标脉搏"),
                        text("Pulse 140 to 155|脉搏 140 至 155"),
                        div("grow"),
                        button("Change pulse|更改脉搏", shown="Change|更改", cls="slim"),
                    ),
                ),
                div(
                    "row",
                    button("Start training|开始训练", "play", cls="main"),
                    button("Skip training|跳过训练", "next"),
                    button("Move training|调整训练", "calendar"),
                ),
            ),
        ),
    ),
    (
        Confused("Open the Planner.|打开计划助手。", "Planner", ("Plan",), "look"),
        Confused(
            "Open Fast run on Thursday.|打开周四的快跑。", "Fast run on Thursday", ("Easy run on Monday",), "look"
        ),
        Absent("Open Swimming.|打开游泳。", "text", ("swimming|游泳", "swims|泳"), ("Rides", "Runs")),
        Absent("Click Pause training.|点击暂停训练。", "button", ("pause|暂停",), ("Skip training", "Start training")),
        Absent("Open Friends.|打开好友。", "text", ("friends|好友", "community|社区"), ("My profile",)),
    ),
)

SCREENS = (COSTS, TILL, TRAINING)
