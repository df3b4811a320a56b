"""Phone screens of daily life and travel: apps, settings, chats, a map, a login."""

from __future__ import annotations

from collections.abc import Iterable

from snellen.construction.screens.markup import (
    button,
    div,
    field,
    hit,
    icon,
    link,
    phone,
    picture,
    tabs,
    text,
    toggle,
)
from snellen.construction.screens.screen import Absent, Confused, Screen


def apps(*of: tuple[str, str, str]) -> str:
    """Tiles of (glyph, text, color)."""
    return "".join(
        hit(said, icon(glyph, said, "tile", f"background:{color}"), text(said, "tiny white"), cls="up")
        for glyph, said, color in of
    )


def settings(rows: Iterable[tuple[str, str, str, str]]) -> str:
    """Rows of (glyph, text, color, what stands at its right: a text, ``on``, ``off`` or nothing)."""
    made = []
    for glyph, said, color, right in rows:
        if right in ("on", "off"):
            en, zh = said.split("|")
            end = toggle(f"Switch for {en}|{zh}开关", right == "on")
        else:
            end = text(right, "soft") if right else ""
        made.append(
            hit(said, icon(glyph, said, "filled", f"background:{color}"), text(said), div("grow"), end, cls="wide")
        )
    return div("card lined", *made)


def _chat(name: str, face: str, last: str, when: str, more: str = "") -> str:
    en, zh = name.split("|")
    lines = div("col grow gap4", text(name, "strong"), text(last, "small soft"))
    end = div("col gap4", text(when, "tiny soft"), more)
    return hit(
        f"Chat with {en}|与{zh}的聊天",
        picture(f"Photo of {en}|{zh}的头像", face, "avatar"),
        lines,
        end,
        cls="wide",
    )


HOME = Screen(
    "phone-home",
    "mobile",
    "daily life",
    "dark",
    "#3f7fd0",
    phone(
        "9:41",
        div(
            "pad col grow gap20",
            field("Search apps|搜索应用", "search", cls="round"),
            div(
                "grid four",
                apps(
                    ("camera", "Camera|相机", "#5b6472"),
                    ("scan", "Scan code|扫一扫", "#2f8f6f"),
                    ("picture", "Album|相册", "#c2713a"),
                    ("camera", "Photo print|照片冲印", "#8a55b8"),
                    ("racket", "Tennis|网球", "#4f9a3f"),
                    ("racket", "Table tennis|乒乓球", "#b8433d"),
                    ("calendar", "Calendar|日历", "#c0392b"),
                    ("alarm", "Alarm|闹钟", "#39424e"),
                    ("mail", "Mail|邮件", "#2f6fc0"),
                    ("chat", "Messages|短信", "#2f9a55"),
                    ("cloud", "Weather|天气", "#3f8fc8"),
                    ("cloud", "Cloud drive|云盘", "#5a6fd0"),
                    ("wallet", "Wallet|钱包", "#3d4a3a"),
                    ("calculator", "Calculator|计算器", "#6b5b45"),
                    ("book", "Reader|阅读", "#b07a2a"),
                    ("gear", "Settings|设置", "#596070"),
                ),
            ),
            div("grow"),
            div("row centre tiny soft", text("Page 1 of 2|第 1 页，共 2 页", "tiny white")),
            div(
                "grid four",
                apps(
                    ("phone", "Phone|电话", "#2f9a55"),
                    ("users", "Contacts|通讯录", "#8a6a4a"),
                    ("globe", "Browser|浏览器", "#2f7fc0"),
                    ("music", "Music|音乐", "#b83f6a"),
                ),
            ),
        ),
    ),
    (
        Confused("Open Camera.|打开相机。", "Camera", ("Photo print", "Scan code"), "look"),
        Confused("Start Table tennis.|启动乒乓球。", "Table tennis", ("Tennis",), "look"),
        Absent("Open Maps.|打开地图。", "icon", ("map|地图", "maps|导航", "navigation|高德"), ("Browser",)),
        Absent(
            "Start the voice recorder.|打开录音机。",
            "icon",
            ("recorder|录音", "voice memos|语音备忘"),
            ("Music",),
        ),
        Absent("Open Badminton.|打开羽毛球。", "icon", ("badminton|羽毛球",), ("Tennis", "Table tennis")),
    ),
    tint="#22304f",
)

SETTINGS = Screen(
    "phone-settings",
    "mobile",
    "daily life",
    "light",
    "#2f7fd8",
    phone(
        "10:08",
        div(
            "padx col grow",
            text("Settings|设置", "huge strong"),
            field("Search settings|搜索设置项", "search"),
            settings(
                (
                    ("plane", "Flight mode|飞行模式", "#d98a2b", "off"),
                    ("wifi", "Wi-Fi|无线局域网", "#2f7fd8", "Home 5G|家里5G"),
                    ("wifi", "Hotspot|个人热点", "#2f9a75", "Off|关闭"),
                    ("bell", "Notifications|通知", "#c8453b", ""),
                    ("speaker", "Sounds|声音", "#c04a86", ""),
                )
            ),
            settings(
                (
                    ("sun", "Display|显示", "#3f7fd0", ""),
                    ("moon", "Sleep mode|睡眠模式", "#5a55b8", "on"),
                    ("bell", "Reminders|提醒事项", "#b8743a", "3 today|今天 3 条"),
                    ("battery", "Battery saver|省电模式", "#3a9a55", "off"),
                )
            ),
            settings(
                (
                    ("lock", "Screen lock|锁屏密码", "#4a5562", ""),
                    ("lock", "App lock|应用锁", "#6a4a8a", ""),
                    ("user", "Account|账号", "#7a6a55", ""),
                )
            ),
        ),
    ),
    (
        Confused("Open Notifications.|打开通知。", "Notifications", ("Reminders",), "look"),
        Confused("Go to App lock.|进入应用锁。", "App lock", ("Screen lock",), "look"),
        Absent("Turn on Bluetooth.|打开蓝牙。", "button", ("bluetooth|蓝牙",), ("Wi-Fi",)),
        Absent("Open Storage.|打开存储空间。", "text", ("storage|存储", "disk space|空间"), ()),
        Absent("Change the keyboard.|更改键盘设置。", "text", ("keyboard|键盘", "input method|输入法"), ("Display",)),
    ),
)

CHATS = Screen(
    "phone-chats",
    "mobile",
    "daily life",
    "dark",
    "#2fae6f",
    phone(
        "20:15",
        div(
            "head row",
            text("Chats|聊天", "huge strong"),
            div("grow"),
            icon("camera", "Take a photo|拍照"),
            icon("add", "New chat|发起聊天"),
        ),
        div("pad", field("Search chats|搜索聊天记录", "search", cls="round")),
        div(
            "lined grow",
            _chat("Lin Tao|林涛", "portrait", "See you at the station|车站见", "20:11"),
            _chat("Lin Yao|林瑶", "sea", "Photos from the beach|海边的照片", "19:58"),
            _chat("Family group|家人群", "hills", "Dad: dinner is ready|爸爸：饭做好了", "19:30"),
            _chat("Running club|跑步俱乐部", "court", "Saturday at seven?|周六七点？", "18:02"),
            _chat("Work team|工作群", "city", "The plan is fixed|方案定了", "17:45"),
            _chat("Anna Berg|安娜", "wave", "Thank you so much!|太谢谢了！", "Monday|周一"),
            _chat("Parcel desk|快递柜", "lamp", "Your parcel is here|您的包裹到了", "Sunday|周日"),
        ),
        div(
            "padx",
            div(
                "row card pad",
                icon("lock", "Private chats hint|私密聊天提示"),
                text("Private chats are hidden|私密聊天已隐藏", "small soft"),
            ),
        ),
        div("pady"),
        tabs(
            "Chats|聊天",
            ("chat", "Chats|聊天"),
            ("phone", "Call log|通话记录"),
            ("users", "Friends|好友"),
            ("users", "Groups|群组"),
            ("user", "Me|我"),
        ),
    ),
    (
        Confused(
            "Open the chat with Lin Yao.|打开与林瑶的聊天。", "Chat with Lin Yao", ("Chat with Lin Tao",), "meaning"
        ),
        Confused("Go to Groups.|进入群组。", "Groups", ("Friends",), "look"),
        Absent(
            "Open the chat with Lin Hao.|打开与林浩的聊天。",
            "text",
            ("Lin Hao|林浩",),
            ("Chat with Lin Tao", "Chat with Lin Yao"),
        ),
        Absent("Start a video call.|发起视频通话。", "icon", ("video|视频",), ("Call log", "Take a photo")),
        Absent("Scan a code.|扫描二维码。", "icon", ("scan|扫", "code|码"), ("Take a photo",)),
    ),
)

_STREETS = (
    '<svg viewBox="0 0 390 620" preserveAspectRatio="xMidYMid slice" fill="none">'
    '<rect width="390" height="620" fill="#e9e6de"/><path d="M250 0c-30 160 60 240 20 380s40 160 60 240h60V0z" '
    'fill="#a9cfe6"/><path d="M20 330h110v120H20z" fill="#bcdcae"/><path d="M0 110l390 60M0 300l300-20M0 500l390 40'
    'M90 0l40 620M200 0l-20 620" stroke="#fff" stroke-width="12"/>'
    '<path d="M90 0l40 620" stroke="#f1c65b" stroke-width="8"/>'
    '<path d="M125 520C100 400 150 300 190 250" stroke="#2f6fd0" stroke-width="6" stroke-dasharray="2 10" '
    'stroke-linecap="round"/></svg>'
)


def _place(said: str, name: str, color: str, left: int, top: int) -> str:
    at = f"left:{left}px;top:{top}px;gap:2px"
    pin = icon(name, said, "filled", f"background:{color};border-radius:50%")
    return hit(said, pin, text(said, "tiny strong", style="color:#2a2f36"), cls="up at", style=at)


MAP = Screen(
    "phone-map",
    "mobile",
    "travel",
    "light",
    "#2f6fd0",
    phone(
        "8:30",
        div(
            "plan",
            _STREETS,
            div(
                "at row",
                field("Search here|在此搜索", "search", cls="grow round"),
                icon("user", "My account|我的账号", "disc"),
                style="left:16px;right:16px;top:12px",
            ),
            div(
                "at row",
                button("Hotels|酒店", "bed", cls="round slim"),
                button("Hostels|青年旅舍", "bed", cls="round slim"),
                button("Cafés|咖啡馆", "cup", cls="round slim"),
                style="left:16px;top:70px;gap:8px",
            ),
            _place("North Station|北站", "train", "#7a4ab0", 40, 130),
            _place("Bus station|汽车站", "bus", "#2f8f6f", 152, 176),
            _place("City Museum|市博物馆", "book", "#b0653a", 60, 268),
            _place("Museum Café|博物馆咖啡", "cup", "#b0653a", 180, 318),
            _place("Oak Park|橡树公园", "leaf", "#3f8f46", 44, 372),
            _place("Ferry pier|轮渡码头", "flag", "#2f6fa8", 250, 420),
            icon("pin", "My location|我的位置", "disc at", "right:16px;bottom:84px;background:#fff;color:#2f6fd0"),
            icon("copy", "Map layers|地图图层", "disc at", "right:16px;bottom:24px;background:#fff;color:#2f6fd0"),
        ),
        div(
            "card pad col",
            div("row", text("City Walk|城市漫步", "large strong"), div("grow"), text("2.4 km|2.4 公里", "soft")),
            div(
                "grid four",
                button("By car|驾车", "car", cls="slim tight"),
                button("By bus|公交", "bus", cls="slim tight"),
                button("On foot|步行", "walk", cls="slim tight main"),
                button("By bike|骑行", "bike", cls="slim tight"),
                style="gap:8px",
            ),
            button("Start|开始", "arrow", cls="main tall"),
        ),
        tabs("Explore|探索", ("map", "Explore|探索"), ("bookmark", "Saved|已收藏"), ("bell", "Updates|动态")),
    ),
    (
        Confused("Show Hostels.|显示青年旅舍。", "Hostels", ("Hotels",), "look"),
        Confused("Choose By bus.|选择公交。", "By bus", ("Bus station", "By car"), "look"),
        Absent("Show petrol stations.|显示加油站。", "button", ("petrol|加油", "fuel|油站"), ("Hotels",)),
        Absent("Open South Station.|打开南站。", "text", ("South Station|南站",), ("North Station", "Bus station")),
        Absent(
            "Go by ship on this route: choose By ship.|选择乘船。", "button", ("by ship|乘船",), ("By bus", "By bike")
        ),
    ),
)

LOGIN = Screen(
    "phone-login",
    "mobile",
    "travel",
    "dark",
    "#c8553a",
    phone(
        "7:02",
        div("pad row", icon("back", "Go back|返回"), div("grow"), link("Help|帮助", "soft")),
        div(
            "pad col grow gap20",
            div(
                "col centre", icon("train", "Railway logo|铁路标志", "tile"), text("Swift Rail|迅驰铁路", "huge strong")
            ),
            text("Sign in to see your tickets|登录后查看车票", "soft", style="margin:0 auto"),
            field("Mobile number|手机号", "phone"),
            div("row", field("Password|密码", "lock", cls="grow"), icon("eye", "Show password|显示密码")),
            div(
                "row spread small",
                link("Forgot password|忘记密码", "accent"),
                link("Forgot user name|忘记用户名", "accent"),
            ),
            button("Sign in|登录", cls="main tall"),
            button("Sign up|注册", cls="tall"),
            text("or continue with|其他登录方式", "small soft", style="margin:0 auto"),
            div(
                "grid two",
                button("E-mail|电子邮箱", "mail"),
                button("Text message|短信验证", "chat"),
                button("Face|面容识别", "user"),
                button("Company account|企业账号", "users"),
            ),
            div("grow"),
            div(
                "row centre small soft",
                link("Terms|服务条款"),
                link("Privacy|隐私政策"),
                link("Language|语言", name="globe"),
            ),
        ),
    ),
    (
        Confused("Tap Sign up.|点击注册。", "Sign up", ("Sign in",), "meaning"),
        Confused("Tap Forgot user name.|点击忘记用户名。", "Forgot user name", ("Forgot password",), "meaning"),
        Absent(
            "Sign in with a fingerprint.|使用指纹登录。", "button", ("fingerprint|指纹", "touch ID|触控"), ("Face",)
        ),
        Absent("Tap Continue as guest.|点击游客登录。", "button", ("guest|游客", "visitor|访客"), ("Sign in",)),
        Absent(
            "Tick Remember me.|勾选记住我。", "button", ("remember|记住", "stay signed in|保持登录"), ("Show password",)
        ),
    ),
)

SCREENS = (HOME, SETTINGS, CHATS, MAP, LOGIN)
