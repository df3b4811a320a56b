"""Web pages of daily life and travel: news, a shop, a search for hotels."""

from __future__ import annotations

from snellen.construction.screens.markup import browser, button, div, field, hit, icon, link, picture, text, tick
from snellen.construction.screens.screen import Absent, Confused, Screen


def _story(said: str, name: str, art: str, about: str, by: str) -> str:
    return hit(
        said,
        picture(name, art, "thumb", style="width:120px;height:78px"),
        div("col grow gap4", text(said, "strong"), text(about, "small soft"), text(by, "tiny soft")),
        cls="top",
    )


def _brief(said: str, about: str, end: str) -> str:
    return div("card pad col gap4", text(about, "tiny accent"), text(said, "strong"), text(end, "small soft"))


NEWS = Screen(
    "web-news",
    "web",
    "daily life",
    "light",
    "#b3261e",
    browser(
        "morningpost.example/home",
        div(
            "head row gap20",
            text("The Morning Post|晨报", "huge strong"),
            div("grow"),
            field("Search the news|搜索新闻", "search", style="width:230px"),
            button("Subscribe|订阅"),
            button("Sign in|登录", cls="main"),
        ),
        div(
            "head row gap20",
            icon("menu", "All sections|全部栏目"),
            *(
                link(one)
                for one in (
                    "World|国际",
                    "Politics|时政",
                    "Business|财经",
                    "Science|科学",
                    "Sport|体育",
                    "Esports|电竞",
                    "Culture|文化",
                    "Opinion|评论",
                    "Weather|天气",
                )
            ),
            div("grow"),
            text("Tuesday, 4 June|6月4日 星期二", "small soft"),
        ),
        div(
            "pad row top gap20",
            div(
                "col",
                picture("Picture of a harbour at sunset|日落海港图片", "sea", style="height:300px"),
                text("Harbour opens after ten years of work|港口历经十年建设终于开放", "huge strong"),
                text("The first ferries left at six in the morning.|首班渡轮于清晨六点出发。", "soft"),
                div(
                    "row",
                    button("Share story|分享报道", "share", cls="slim"),
                    button("Save story|收藏报道", "bookmark", cls="slim"),
                    button("42 comments|42 条评论", "chat", cls="slim"),
                    button("Write a comment|写评论", "pen", cls="slim"),
                ),
                style="width:620px",
            ),
            div(
                "col grow gap20",
                _story(
                    "City plans new tram line|城市规划新电车线路",
                    "Picture of a city at night|城市夜景图片",
                    "city",
                    "Building starts next spring|明年春天动工",
                    "12 minutes ago|12 分钟前",
                ),
                _story(
                    "City plans new train line|城市规划新火车线路",
                    "Picture of hills|山丘图片",
                    "hills",
                    "Two stations in the north|北部新增两站",
                    "40 minutes ago|40 分钟前",
                ),
                _story(
                    "Young team wins the cup|青年队夺得奖杯",
                    "Picture of a sports court|球场图片",
                    "court",
                    "A late goal decides the final|决赛最后时刻进球",
                    "1 hour ago|1 小时前",
                ),
                _story(
                    "A night of jazz in the park|公园爵士之夜",
                    "Picture of a singer on stage|舞台歌手图片",
                    "stage",
                    "Three thousand people came|三千人到场",
                    "2 hours ago|2 小时前",
                ),
                div("row spread", link("More stories|更多报道", "accent"), link("Most read|最多阅读", "accent")),
            ),
        ),
        div(
            "padx grid four",
            _brief("Why the old bridge must stay|老桥为何必须保留", "Opinion by R. Moss|莫斯评论", "Page 4|第 4 版"),
            _brief("Rain until Thursday|降雨持续到周四", "Weather report|天气预报", "14 °C"),
            _brief("Shares rise a little|股市小幅上涨", "Markets today|今日市场", "+0.4 %"),
            _brief("Crossword of the day|每日填字", "Puzzles for all|趣味谜题", "No. 812|第 812 期"),
        ),
    ),
    (
        Confused("Open the section Esports.|打开电竞栏目。", "Esports", ("Sport",), "meaning"),
        Confused(
            "Read City plans new train line.|阅读城市规划新火车线路。",
            "City plans new train line",
            ("City plans new tram line",),
            "meaning",
        ),
        Absent("Open the section Health.|打开健康栏目。", "text", ("health|健康", "medicine|医疗"), ("Science",)),
        Absent("Listen to the story.|收听这篇报道。", "button", ("listen|收听", "audio|音频"), ("Share story",)),
        Absent("Print the story.|打印这篇报道。", "button", ("print|打印",), ("Save story",)),
    ),
)


def _ware(said: str, name: str, price: str, stars: str) -> str:
    en, zh = said.split("|")
    return div(
        "card pad col gap4",
        picture(f"Picture of {en}|{zh}图片", name, style="height:104px"),
        text(said, "strong"),
        div("row spread", text(price, "accent strong"), text(stars, "tiny soft")),
        div(
            "row",
            button(f"Buy {en}|购买{zh}", shown="Add to cart|加入购物车", cls="slim main"),
            div("grow"),
            icon("heart", f"Wish for {en}|心愿单：{zh}"),
        ),
    )


SHOP = Screen(
    "web-shop",
    "web",
    "daily life",
    "light",
    "#2a6fb8",
    browser(
        "loomandlamp.example/new",
        div(
            "head row gap20",
            text("Loom & Lamp|织灯家居", "large strong accent"),
            field("Find products|查找商品", "search", cls="grow"),
            link("Orders|订单", name="document"),
            link("Wish list|心愿单", name="heart"),
            link("Cart|购物车", name="cart"),
            link("Account|账户", name="user"),
        ),
        div(
            "side screen",
            div(
                "pane col",
                text("Departments|商品分类", "strong"),
                *(
                    link(one, "item")
                    for one in ("Lighting|灯具", "Kitchen|厨房", "Shoes|鞋履", "Bedroom|卧室", "Garden|花园")
                ),
                text("Price|价格", "strong"),
                div("row", tick("Up to 50|50 元以内", False), text("Under ¥50|低于 ¥50", "small")),
                div("row", tick("From 50 to 100|50 至 100 元", True), text("¥50 to ¥100|¥50 至 ¥100", "small")),
                div("row", tick("From 100 on|100 元以上", False), text("Over ¥100|高于 ¥100", "small")),
                div("grow"),
                button("Apply filter|应用筛选", "filter"),
                button("Clear filter|清除筛选", "filter"),
                style="width:200px",
            ),
            div(
                "pad col grow",
                div(
                    "row",
                    text("New this week|本周新品", "large strong"),
                    div("grow"),
                    button("Sort by price|按价格排序", "sort", cls="slim"),
                    button("Sort by rating|按评分排序", "sort", cls="slim"),
                ),
                div(
                    "grid four",
                    _ware("Table lamp|台灯", "lamp", "¥89", "4.6"),
                    _ware("Desk lamp|书桌灯", "lamp", "¥75", "4.4"),
                    _ware("Tea mug|茶杯", "mug", "¥52", "4.8"),
                    _ware("Coffee mug|咖啡杯", "mug", "¥58", "4.7"),
                    _ware("Running shoe|跑鞋", "shoe", "¥99", "4.3"),
                    _ware("Wall print|装饰画", "hills", "¥64", "4.1"),
                    _ware("Cake stand|蛋糕架", "cake", "¥71", "4.5"),
                    _ware("Sea poster|海景海报", "sea", "¥55", "4.0"),
                ),
                div("grow"),
                div(
                    "row centre",
                    button("Page 1|第 1 页", shown="1", cls="slim main"),
                    button("Page 2|第 2 页", shown="2", cls="slim"),
                    button("Page 3|第 3 页", shown="3", cls="slim"),
                ),
            ),
        ),
    ),
    (
        Confused("Open the Wish list.|打开心愿单。", "Wish list", ("Wish for Table lamp",), "look"),
        Confused("Buy Coffee mug.|购买咖啡杯。", "Buy Coffee mug", ("Buy Tea mug",), "meaning"),
        Absent("Open the Gift cards.|打开礼品卡。", "text", ("gift cards|礼品卡", "gift|礼物"), ("Wish list",)),
        Absent(
            "Buy the Floor lamp.|购买落地灯。", "button", ("floor lamp|落地灯",), ("Buy Table lamp", "Buy Desk lamp")
        ),
        Absent("Sort by name.|按名称排序。", "button", ("name|名称",), ("Sort by price", "Sort by rating")),
    ),
)


def _hotel(said: str, art: str, where: str, price: str) -> str:
    en, zh = said.split("|")
    return div(
        "card row pad",
        picture(f"Picture of {en}|{zh}图片", art, style="width:170px;height:104px"),
        div(
            "col grow gap4",
            text(said, "large strong"),
            div("row small soft", icon("pin", f"Place of {en}|{zh}位置"), text(where)),
            div("row small soft", icon("wifi", f"Wireless at {en}|{zh}无线网"), text("Free internet|免费上网")),
        ),
        div(
            "col gap4",
            text(price, "large strong"),
            text("per night|每晚", "tiny soft"),
            button(f"Choose {en}|选择{zh}", shown="Choose|选择", cls="main slim"),
        ),
    )


HOTELS = Screen(
    "web-hotels",
    "web",
    "travel",
    "dark",
    "#c27a1f",
    browser(
        "staywell.example/search?city=lisbon",
        div(
            "head row gap20",
            icon("bed", "Stay Well logo|安住标志", "accent"),
            text("Stay Well|安住", "large strong"),
            link("Hotels|酒店"),
            link("Flights|机票"),
            link("Flight and hotel|机酒套餐"),
            link("Car hire|租车"),
            div("grow"),
            link("My trips|我的行程", name="bag"),
            link("Help|帮助"),
            button("Log in|登录", cls="main"),
        ),
        div(
            "pad row",
            field("Where to|目的地", "pin", shown="Lisbon|里斯本", cls="grow"),
            field("Arrival|入住日期", "calendar", shown="12 May|5月12日", cls="grow"),
            field("Departure|离店日期", "calendar", shown="16 May|5月16日", cls="grow"),
            field("Guests|入住人数", "users", shown="2 adults|2 位成人", cls="grow"),
            button("Search|搜索", "search", cls="main"),
        ),
        div(
            "padx row top gap20 grow",
            div(
                "card pad col",
                text("Narrow down|缩小范围", "strong"),
                *(
                    div("row", tick(f"Tick {one}", on), text(shown))
                    for one, shown, on in (
                        ("breakfast|勾选早餐", "Breakfast|含早餐", True),
                        ("half board|勾选半餐", "Half board|含早晚餐", False),
                        ("pool|勾选泳池", "Pool|泳池", False),
                        ("parking|勾选停车", "Parking|停车", False),
                        ("city centre|勾选市中心", "City centre|市中心", True),
                    )
                ),
                text("Stars|星级", "strong"),
                button("Four stars|四星", "star", cls="slim"),
                button("Five stars|五星", "star", cls="slim"),
                button("Guest rating|住客评分", "star", cls="slim"),
                button("Show on map|在地图上查看", "map"),
                style="width:220px",
            ),
            div(
                "col grow",
                div(
                    "row",
                    text("4 hotels in Lisbon|里斯本的 4 家酒店", "large strong"),
                    div("grow"),
                    button("Cheapest first|价格最低", cls="slim main"),
                    button("Nearest first|距离最近", cls="slim"),
                ),
                _hotel("Harbour Inn|海港旅馆", "sea", "200 m to the river|距河边 200 米", "€ 96"),
                _hotel("Harbour View|海港景观", "room", "900 m to the river|距河边 900 米", "€ 104"),
                _hotel("Old Town House|老城公寓", "city", "In the old town|位于老城", "€ 118"),
                _hotel("Hill Garden|山丘花园", "hills", "Quiet, with a garden|安静，带花园", "€ 131"),
            ),
        ),
        div("pady"),
    ),
    (
        Confused("Choose Harbour View.|选择海港景观。", "Choose Harbour View", ("Choose Harbour Inn",), "meaning"),
        Confused("Filter by Guest rating.|按住客评分筛选。", "Guest rating", ("Five stars", "Four stars"), "look"),
        Absent("Open Trains.|打开火车票。", "text", ("trains|火车票", "rail|铁路"), ("Flights", "Car hire")),
        Absent(
            "Choose Harbour Palace.|选择海港皇宫。",
            "button",
            ("palace|皇宫",),
            ("Choose Harbour Inn", "Choose Harbour View"),
        ),
        Absent("Tick Pets allowed.|勾选允许宠物。", "button", ("pets|宠物", "dogs|狗"), ("Tick parking",)),
    ),
)

SCREENS = (NEWS, SHOP, HOTELS)
