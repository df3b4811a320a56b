"""Phone screens of health, dining and entertainment: a booking of courts, a day's health, a menu, a player."""

from __future__ import annotations

from snellen.construction.screens.markup import button, div, hit, icon, link, phone, picture, tabs, text, tick
from snellen.construction.screens.screen import Absent, Confused, Screen


def _sport(glyph: str, said: str, free: str) -> str:
    words = div("col gap0", text(said, "strong"), text(free, "tiny soft"))
    return hit(said, icon(glyph, said, "disc"), words, cls="card pad")


SPORTS = Screen(
    "phone-sports",
    "mobile",
    "health",
    "light",
    "#3a8f4f",
    phone(
        "12:24",
        div(
            "head row",
            icon("back", "Go back|返回"),
            text("Book a court|预订场地", "large strong"),
            div("grow"),
            icon("calendar", "Choose a day|选择日期"),
            icon("filter", "Filter|筛选"),
        ),
        div(
            "pad col grow",
            picture("Picture of a green court|绿色球场图片", "court", style="height:150px"),
            div(
                "row", text("Today|今天", "strong accent"), text("Tomorrow|明天", "soft"), text("Saturday|周六", "soft")
            ),
            div(
                "grid two",
                _sport("racket", "Tennis|网球", "4 courts free|剩 4 片"),
                _sport("racket", "Table tennis|乒乓球", "7 tables free|剩 7 张"),
                _sport("ball", "Football|足球", "1 pitch free|剩 1 块"),
                _sport("basket", "Basketball|篮球", "Full today|今日已满"),
                _sport("pulse", "Gym|健身房", "12 places|12 个名额"),
                _sport("drop", "Swimming|游泳", "Open to 21:00|至 21:00"),
                _sport("bike", "Cycling|骑行", "5 bikes free|剩 5 辆"),
                _sport("walk", "Hiking|徒步", "Sunday only|仅周日"),
            ),
            div("grow"),
            div(
                "row",
                button("Book now|立即预订", cls="main tall grow"),
                button("My bookings|我的预订", cls="tall grow"),
            ),
        ),
        tabs(
            "Courts|场地",
            ("home", "Start|首页"),
            ("flag", "Courts|场地"),
            ("users", "Partners|球友"),
            ("user", "Profile|个人资料"),
        ),
    ),
    (
        Confused("Choose Tennis.|选择网球。", "Tennis", ("Table tennis",), "look"),
        Confused("Tap My bookings.|点击我的预订。", "My bookings", ("Book now",), "meaning"),
        Absent("Choose Badminton.|选择羽毛球。", "text", ("badminton|羽毛球",), ("Tennis", "Table tennis")),
        Absent("Choose Volleyball.|选择排球。", "text", ("volleyball|排球",), ("Basketball", "Football")),
        Absent("Open Coaches.|打开教练。", "icon", ("coach|教练", "coaches|教练", "trainer|私教"), ("Partners",)),
    ),
)


def _value(glyph: str, said: str, value: str, color: str) -> str:
    return hit(
        said,
        icon(glyph, said, "filled", f"background:{color}"),
        text(value, "large strong"),
        text(said, "small soft"),
        cls="card pad up",
        style="align-items:flex-start",
    )


HEALTH = Screen(
    "phone-health",
    "mobile",
    "health",
    "dark",
    "#d0475a",
    phone(
        "21:40",
        div(
            "pad row",
            div("col gap0", text("Good evening|晚上好", "soft small"), text("Your day|今日健康", "huge strong")),
            div("grow"),
            icon("bell", "Alerts|提醒"),
            picture("Photo of you|您的头像", "portrait", "avatar"),
        ),
        div(
            "padx col grow",
            div(
                "grid two",
                _value("heart", "Heart rate|心率", "64 /min|64 次/分", "#d0475a"),
                _value("heart", "Blood pressure|血压", "118/76", "#8a4ab0"),
                _value("walk", "Steps|步数", "8,214", "#2f8f6f"),
                _value("flame", "Calories burned|消耗热量", "412 kcal|412 千卡", "#d07a2f"),
                _value("bowl", "Calories eaten|摄入热量", "1,860 kcal|1860 千卡", "#a8802a"),
                _value("drop", "Water|饮水", "1.2 l|1.2 升", "#2f7fc0"),
            ),
            div("row spread", text("Medicine|用药", "strong"), link("Edit plan|编辑计划", "accent small")),
            div(
                "card lined",
                div(
                    "row",
                    tick("Vitamin D taken|维生素D已服用", True),
                    text("Vitamin D|维生素D"),
                    div("grow"),
                    text("8:00", "soft"),
                ),
                div(
                    "row",
                    tick("Vitamin B taken|维生素B已服用", False),
                    text("Vitamin B|维生素B"),
                    div("grow"),
                    text("20:00", "soft"),
                ),
            ),
            div(
                "row",
                button("Add reading|添加记录", "add", cls="main grow"),
                button("Add medicine|添加药品", "add", cls="grow"),
            ),
        ),
        tabs(
            "Today|今天",
            ("pulse", "Today|今天"),
            ("chart", "Trends|趋势"),
            ("moon", "Night|夜间"),
            ("users", "Doctors|医生"),
        ),
    ),
    (
        Confused("Open Heart rate.|打开心率。", "Heart rate", ("Blood pressure",), "look"),
        Confused("Show Calories eaten.|显示摄入热量。", "Calories eaten", ("Calories burned",), "meaning"),
        Absent("Open Blood sugar.|打开血糖。", "text", ("blood sugar|血糖", "glucose|葡萄糖"), ("Blood pressure",)),
        Absent(
            "Mark Vitamin C as taken.|把维生素C标为已服用。",
            "button",
            ("vitamin C|维生素C",),
            ("Vitamin D taken", "Vitamin B taken"),
        ),
        Absent("Open Weight.|打开体重。", "text", ("weight|体重", "scales|体重秤"), ("Steps",)),
    ),
)


def _dish(said: str, name: str, price: str, about: str) -> str:
    en, zh = said.split("|")
    return div(
        "row",
        picture(f"Picture of {en}|{zh}图片", name, "thumb"),
        div("col grow gap4", text(said, "strong"), text(about, "tiny soft"), text(price, "accent strong small")),
        button(f"Add {en}|添加{zh}", "add", shown="Add|添加", cls="slim round"),
    )


DELIVERY = Screen(
    "phone-delivery",
    "mobile",
    "dining",
    "light",
    "#c2452d",
    phone(
        "11:52",
        div(
            "head row",
            icon("back", "Go back|返回"),
            text("Noodle House|老街面馆", "large strong"),
            div("grow"),
            icon("heart", "Save restaurant|收藏餐厅"),
            icon("share", "Share|分享"),
        ),
        picture("Picture of the soup of the day|今日例汤图片", "soup", style="height:80px;border-radius:0"),
        div(
            "pad row",
            button("Delivery|外送", "bike", cls="round main"),
            button("Pick-up|自取", "walk", cls="round"),
            div("grow"),
            icon("star", "Rating|评分"),
            text("4.7 (320)", "strong"),
        ),
        div(
            "card lined grow",
            _dish("Beef noodles|牛肉面", "soup", "¥32", "Mild, with coriander|微辣，含香菜"),
            _dish("Beef noodle salad|牛肉凉面", "dish", "¥28", "Cold, with sesame|凉拌，含芝麻"),
            _dish("Chicken soup|鸡汤", "soup", "¥26", "Cooked for four hours|慢炖四小时"),
            _dish("Fried rice|炒饭", "dish", "¥22", "With egg|配鸡蛋"),
            _dish("Tomato dumplings|番茄水饺", "dish", "¥24", "Ten pieces|十只"),
        ),
        div(
            "pad row",
            icon("cart", "Shopping cart|购物车", "disc"),
            div("col gap0 grow", text("2 dishes|2 份菜品", "small soft"), text("¥58", "large strong")),
            button("Check out|去结算", cls="main tall round"),
        ),
        tabs(
            "Menu|菜单",
            ("list", "Menu|菜单"),
            ("chat", "Reviews|评价"),
            ("heart", "Favourite dishes|喜欢的菜"),
            ("pin", "About|商家信息"),
        ),
    ),
    (
        Confused(
            "Save the restaurant: tap Save restaurant.|收藏餐厅。", "Save restaurant", ("Favourite dishes",), "look"
        ),
        Confused("Add Beef noodles.|添加牛肉面。", "Add Beef noodles", ("Add Beef noodle salad",), "meaning"),
        Absent("Add Pork dumplings.|添加猪肉水饺。", "button", ("pork|猪肉",), ("Add Tomato dumplings",)),
        Absent("Choose Eat in.|选择堂食。", "button", ("eat in|堂食", "dine in|店内用餐"), ("Pick-up", "Delivery")),
        Absent("Use a voucher.|使用优惠券。", "button", ("voucher|优惠券", "coupon|红包"), ("Check out",)),
    ),
)


def _song(said: str, time: str) -> str:
    return hit(said, icon("music", said), text(said), div("grow"), text(time, "soft small"), cls="wide")


PLAYER = Screen(
    "phone-player",
    "mobile",
    "entertainment",
    "dark",
    "#b04a8f",
    phone(
        "22:05",
        div(
            "pad row",
            icon("down", "Close player|收起播放器"),
            div("grow"),
            text("Evening mix|晚间歌单", "strong"),
            div("grow"),
            icon("more", "Song options|歌曲选项"),
        ),
        div("padx", picture("Cover with blue waves|蓝色海浪封面", "wave", style="height:250px;border-radius:16px")),
        div(
            "pad row",
            div("col gap4 grow", text("Blue Harbour|蓝色港湾", "huge strong"), text("Mira Sol|米拉", "soft")),
            icon("heart", "Like song|喜欢这首歌"),
            icon("add", "Add to playlist|加入歌单"),
        ),
        div(
            "padx col gap4",
            div("meter", style="--part:38%"),
            div("row spread", text("1:32", "tiny soft"), text("4:02", "tiny soft")),
        ),
        div(
            "pad row spread",
            icon("shuffle", "Shuffle|随机播放"),
            icon("previous", "Previous song|上一首"),
            icon("pause", "Pause|暂停", "disc", "width:64px;height:64px;font-size:32px"),
            icon("next", "Next song|下一首"),
            icon("repeat", "Repeat|循环播放"),
        ),
        div(
            "padx row spread",
            button("Song text|歌词", "document", cls="round slim"),
            button("Similar songs|相似歌曲", "music", cls="round slim"),
            button("Queue|播放队列", "list", cls="round slim"),
        ),
        div(
            "pad col grow",
            text("Up next|接下来播放", "strong"),
            div(
                "card lined",
                _song("Night Train|夜车", "3:20"),
                _song("Night Rain|夜雨", "2:48"),
            ),
        ),
        tabs(
            "Listen|听歌",
            ("play", "Listen|听歌"),
            ("search", "Search|搜索"),
            ("heart", "My favourites|我的收藏"),
            ("user", "Account|账户"),
        ),
    ),
    (
        Confused("Go to My favourites.|进入我的收藏。", "My favourites", ("Like song",), "look"),
        Confused("Play Night Rain.|播放夜雨。", "Night Rain", ("Night Train",), "meaning"),
        Absent("Download the song.|下载这首歌。", "icon", ("download|下载", "offline|离线"), ("Add to playlist",)),
        Absent("Set the sleep timer.|设置睡眠定时。", "icon", ("timer|定时", "sleep|睡眠"), ("Repeat",)),
        Absent("Play Night Flight.|播放夜航。", "text", ("Night Flight|夜航",), ("Night Train", "Night Rain")),
    ),
)

SCREENS = (SPORTS, HEALTH, DELIVERY, PLAYER)
