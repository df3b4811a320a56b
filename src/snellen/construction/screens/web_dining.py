"""Web pages of dining: a table to book, a recipe."""

from __future__ import annotations

from snellen.construction.screens.markup import browser, button, div, field, icon, link, picture, text
from snellen.construction.screens.screen import Absent, Confused, Screen

TABLE = Screen(
    "web-table",
    "web",
    "dining",
    "light",
    "#7a3f2a",
    browser(
        "oliveandrye.example/book",
        div(
            "head row gap20",
            text("Olive & Rye|橄榄与黑麦", "huge strong accent"),
            div("grow"),
            *(
                link(one)
                for one in ("Lunch menu|午餐菜单", "Dinner menu|晚餐菜单", "Drinks|酒水", "Our story|我们的故事")
            ),
            button("Contact|联系我们", "phone"),
        ),
        div(
            "pad row top gap20 grow",
            div(
                "col",
                picture("Picture of the dish of the day|今日主菜图片", "dish", style="height:260px"),
                div(
                    "grid three",
                    picture("Picture of the tomato soup|番茄汤图片", "soup", style="height:96px"),
                    picture("Picture of the cherry cake|樱桃蛋糕图片", "cake", style="height:96px"),
                    picture("Picture of the dining room|餐厅内景图片", "room", style="height:96px"),
                ),
                text("Fresh bread, slow food, good company|新鲜面包，慢食，好朋友", "large"),
                div(
                    "row soft",
                    icon("pin", "Address of the restaurant|餐厅位置"),
                    text("8 Mill Lane|磨坊巷 8 号"),
                    icon("clock", "Opening hours|营业时间"),
                    text("12:00 – 23:00"),
                ),
                div("grow"),
                div(
                    "row",
                    button("Order a gift card|购买礼品卡", "gift"),
                    button("Order for home|外卖点餐", "bag"),
                    button("Print the menu|打印菜单", "printer"),
                ),
                style="width:560px;align-self:stretch",
            ),
            div(
                "card pad col grow",
                text("Book a table|预订餐桌", "huge strong"),
                div(
                    "row",
                    field("First name|名", cls="grow"),
                    field("Last name|姓", cls="grow"),
                ),
                field("E-mail address|邮箱地址", "mail"),
                field("Telephone|联系电话", "phone"),
                div(
                    "row",
                    field("Day of the visit|到店日期", "calendar", shown="Friday, 7 June|6月7日 星期五", cls="grow"),
                    field("Number of people|用餐人数", "users", shown="4 people|4 人", cls="grow"),
                ),
                text("Times for Friday|周五可订时间", "strong"),
                div(
                    "grid four",
                    *map(button, ("17:00", "17:30", "18:00", "18:30", "19:00", "19:30", "20:00", "20:30")),
                ),
                field("Wishes|特殊要求", cls="area", shown="Allergies, a high chair …|过敏、儿童座椅……"),
                div(
                    "row",
                    button("Book the table|确认订位", cls="main tall grow"),
                    button("Cancel a booking|取消订位", cls="tall grow"),
                ),
            ),
        ),
    ),
    (
        Confused("Fill in Last name.|填写“姓”。", "Last name", ("First name",), "meaning"),
        Confused("Open the Dinner menu.|打开晚餐菜单。", "Dinner menu", ("Lunch menu",), "meaning"),
        Absent("Open the Breakfast menu.|打开早餐菜单。", "text", ("breakfast|早餐",), ("Lunch menu",)),
        Absent("Choose 21:00.|选择 21:00。", "button", ("21:00",), ("20:30",)),
        Absent("Pay a deposit.|支付订金。", "button", ("deposit|订金", "pay|支付"), ("Book the table",)),
    ),
)


def _step(number: int, said: str) -> str:
    return div(
        "row top", text(f"Step {number}|第 {number} 步", "strong accent", shown=f"{number}."), text(said, "long grow")
    )


RECIPE = Screen(
    "web-recipe",
    "web",
    "dining",
    "dark",
    "#3f8f5f",
    browser(
        "slowspoon.example/tomato-soup",
        div(
            "head row gap20",
            icon("bowl", "Slow Spoon logo|慢勺标志", "accent"),
            text("Slow Spoon|慢勺食谱", "large strong"),
            link("Starters|前菜"),
            link("Main dishes|主菜"),
            link("Desserts|甜点"),
            link("Vegetarian|素食"),
            link("Vegan|纯素"),
            div("grow"),
            field("Search recipes|搜索食谱", "search", style="width:220px"),
            link("Cookbook|我的食谱", name="book"),
        ),
        div(
            "pad row top gap20",
            picture("Picture of a bowl of tomato soup|一碗番茄汤图片", "soup", style="width:420px;height:270px"),
            div(
                "col grow",
                text("Tomato soup with basil|罗勒番茄汤", "huge strong"),
                div(
                    "row soft",
                    icon("clock", "Time to cook|烹饪时间"),
                    text("35 minutes|35 分钟"),
                    icon("users", "Servings|份量"),
                    text("4 persons|4 人份"),
                    icon("flame", "Energy|热量"),
                    text("210 kcal|210 千卡"),
                ),
                div(
                    "row",
                    button("Save recipe|收藏食谱", "bookmark"),
                    button("Print recipe|打印食谱", "printer"),
                    button("Send recipe|发送食谱", "send"),
                ),
                div(
                    "row",
                    button("Start cooking|开始烹饪", "play", cls="main"),
                    button("Play video|播放视频", "play"),
                ),
                text("Rate this recipe|为食谱评分", "strong"),
                div(
                    "row",
                    *(icon("star", f"Give {n} of 5 stars|评 {n} 星（满分 5 星）", "accent") for n in range(1, 6)),
                    text("4.5 (88)", "soft"),
                ),
            ),
        ),
        div(
            "padx row top gap20 grow",
            div(
                "card pad col",
                text("Ingredients|食材", "large strong"),
                *(
                    div("row spread", text(said), text(amount, "soft"))
                    for said, amount in (
                        ("Tomatoes|番茄", "1 kg|1 千克"),
                        ("Onions|洋葱", "2"),
                        ("Spring onions|小葱", "1 bunch|1 把"),
                        ("Basil|罗勒", "10 leaves|10 片"),
                        ("Olive oil|橄榄油", "3 spoons|3 勺"),
                        ("Salt|盐", "1 pinch|1 撮"),
                    )
                ),
                button("Add to shopping list|加入购物清单", "cart"),
                style="width:420px",
            ),
            div(
                "card pad col grow",
                text("How to do it|做法", "large strong"),
                _step(1, "Cut the onions, and fry them gently in the oil.|洋葱切丁，用橄榄油小火炒软。"),
                _step(2, "Add the tomatoes and simmer for 20 minutes.|加入番茄，小火煮 20 分钟。"),
                _step(3, "Blend until it is smooth, and season with salt.|搅打至顺滑，加盐调味。"),
                _step(4, "Serve with basil and warm bread.|撒上罗勒，配热面包食用。"),
                text("Tips from readers|读者小贴士", "strong"),
                text("A spoon of sugar helps sour tomatoes.|番茄太酸可加一勺糖。", "long soft"),
                div("row", field("Your tip|您的小贴士", "pen", cls="grow"), button("Send tip|发送小贴士", "send")),
            ),
        ),
        div("pady"),
    ),
    (
        Confused("Tap Send tip.|点击发送小贴士。", "Send tip", ("Send recipe",), "look"),
        Confused("Open the Vegan recipes.|打开纯素食谱。", "Vegan", ("Vegetarian",), "meaning"),
        Absent("Open Soups.|打开汤类。", "text", ("soups|汤类",), ("Starters",)),
        Absent("Download the recipe.|下载食谱。", "button", ("download|下载",), ("Save recipe", "Print recipe")),
        Absent("Set a kitchen timer.|设置厨房计时器。", "icon", ("timer|计时器", "alarm|闹钟"), ("Time to cook",)),
    ),
)


SCREENS = (TABLE, RECIPE)
