"""Web pages with a menu at the left: videos, and a clinic's portal."""

from __future__ import annotations

from snellen.construction.screens.markup import browser, button, div, field, hit, icon, link, picture, text
from snellen.construction.screens.screen import Absent, Confused, Screen


def _video(said: str, art: str, by: str, length: str) -> str:
    en, zh = said.split("|")
    play = div("over", icon("play", f"Play {en}|播放{zh}"), style="left:10px;bottom:10px")
    return div(
        "col gap4",
        picture(f"Still of {en}|{zh}画面", art, inner=play, style="height:124px"),
        text(said, "strong"),
        div("row spread", text(by, "tiny soft"), text(length, "tiny soft")),
    )


VIDEOS = Screen(
    "web-videos",
    "web",
    "entertainment",
    "dark",
    "#d0392f",
    browser(
        "reelbox.example/home",
        div(
            "head row gap20",
            icon("menu", "Open menu|打开菜单"),
            icon("video", "Reelbox logo|影匣标志", "accent"),
            text("Reelbox|影匣", "large strong"),
            div("grow"),
            field("Search videos|搜索视频", "search", style="width:420px"),
            div("grow"),
            icon("upload", "Upload a video|上传视频"),
            icon("bell", "Notices|消息"),
            picture("Your picture|您的头像", "portrait", "avatar", style="width:34px;height:34px"),
        ),
        div(
            "side screen",
            div(
                "pane col gap4",
                link("Start page|首页", "item on", "home"),
                link("Films|电影", "item", "video"),
                link("Short films|短片", "item", "video"),
                link("Series|剧集", "item", "list"),
                link("Concerts|演唱会", "item", "music"),
                link("Games|游戏", "item", "game"),
                link("Watch later|稍后观看", "item", "clock"),
                link("Watched|看过的", "item", "clock"),
                link("Liked videos|点赞的视频", "item", "heart"),
                link("Downloads|下载", "item", "download"),
                div("grow"),
                link("Preferences|偏好设置", "item", "gear"),
                style="width:200px",
            ),
            div(
                "pad col grow",
                div(
                    "row",
                    button("For you|推荐", cls="slim main round"),
                    button("New|最新", cls="slim round"),
                    button("Popular|热门", cls="slim round"),
                    button("Live now|正在直播", cls="slim round"),
                    button("Followed|已关注", cls="slim round"),
                ),
                div(
                    "grid four",
                    _video("Waves at night|夜浪", "wave", "Mira Sol|米拉", "4:02"),
                    _video("Live in the park|公园现场", "stage", "Jazz Club|爵士俱乐部", "58:10"),
                    _video("Soup in ten minutes|十分钟做汤", "soup", "Slow Spoon|慢勺", "10:00"),
                    _video("Soup for ten people|十人份的汤", "soup", "Slow Spoon|慢勺", "12:41"),
                    _video("Over the hills|翻山越岭", "hills", "Far Roads|远路", "21:30"),
                    _video("City of lights|光之城", "city", "Far Roads|远路", "18:05"),
                    _video("The last set|最后一盘", "court", "Ace TV|王牌体育", "33:17"),
                    _video("Sunset sailing|日落航行", "sea", "Blue Sail|蓝帆", "7:48"),
                    _video("How to bake a cake|蛋糕怎么做", "cake", "Oven Club|烤箱俱乐部", "15:20"),
                    _video("A room of my own|我的小屋", "room", "Nest|小窝", "9:09"),
                    _video("Shoes, tested|跑鞋测评", "shoe", "Run Lab|跑步实验室", "11:54"),
                    _video("Portrait of Ada|艾达肖像", "portrait", "Gallery|画廊", "26:00"),
                ),
            ),
        ),
    ),
    (
        Confused("Go to Watch later.|进入稍后观看。", "Watch later", ("Watched",), "look"),
        Confused(
            "Play Soup for ten people.|播放十人份的汤。",
            "Play Soup for ten people",
            ("Play Soup in ten minutes",),
            "look",
        ),
        Absent("Open Podcasts.|打开播客。", "text", ("podcasts|播客",), ("Concerts",)),
        Absent("Open Documentaries.|打开纪录片。", "text", ("documentaries|纪录片",), ("Films", "Short films")),
        Absent("Search by voice.|语音搜索。", "icon", ("voice|语音", "microphone|麦克风"), ("Search videos",)),
    ),
)


def _doctor(said: str, field_: str, art: str, when: str) -> str:
    en, zh = said.split("|")
    return div(
        "row",
        picture(f"Photo of {en}|{zh}照片", art, "avatar"),
        div("col grow gap0", text(said, "strong"), text(field_, "small soft")),
        text(when, "small"),
        button(f"Book {en}|预约{zh}", shown="Book|预约", cls="slim main"),
        button(f"Message {en}|留言给{zh}", "mail", shown="Write|留言", cls="slim"),
    )


CLINIC = Screen(
    "web-clinic",
    "web",
    "health",
    "light",
    "#1f7f8a",
    browser(
        "riverclinic.example/portal",
        div(
            "head row gap20",
            icon("shield", "Clinic logo|诊所标志", "accent"),
            text("River Clinic|河畔诊所", "large strong"),
            div("grow"),
            button("Emergency|急诊", "phone", cls="main"),
            button("Call us|联系电话", "phone"),
            link("Log out|退出登录"),
        ),
        div(
            "side screen",
            div(
                "pane col gap4",
                link("Overview|总览", "item on", "home"),
                link("Appointments|预约", "item", "calendar"),
                link("Check-ups|体检", "item", "pulse"),
                link("Prescriptions|处方", "item", "pill"),
                link("Descriptions|用药说明", "item", "document"),
                link("Test results|检验结果", "item", "chart"),
                link("Invoices|账单", "item", "wallet"),
                link("Letters|信件", "item", "mail"),
                link("My data|我的资料", "item", "user"),
                style="width:200px",
            ),
            div(
                "pad col grow",
                text("Welcome, Ms Okafor|欢迎您，王女士", "huge strong"),
                div(
                    "grid three",
                    hit(
                        "Next appointment|下次预约",
                        icon("calendar", "Next appointment|下次预约", "filled"),
                        div(
                            "col gap0",
                            text("Next appointment|下次预约", "small soft"),
                            text("9 June, 10:20|6月9日 10:20", "strong"),
                        ),
                        cls="card pad",
                    ),
                    hit(
                        "Last appointment|上次预约",
                        icon("calendar", "Last appointment|上次预约", "filled"),
                        div(
                            "col gap0",
                            text("Last appointment|上次预约", "small soft"),
                            text("2 March|3月2日", "strong"),
                        ),
                        cls="card pad",
                    ),
                    hit(
                        "Open invoice|未付账单",
                        icon("wallet", "Open invoice|未付账单", "filled"),
                        div("col gap0", text("Open invoice|未付账单", "small soft"), text("€ 42")),
                        cls="card pad",
                    ),
                ),
                div(
                    "row",
                    field("Find a doctor|查找医生", "search", cls="grow"),
                    button("Any day|任意日期", "calendar"),
                    button("Skin|皮肤科"),
                    button("Eyes|眼科"),
                    button("Heart|心脏科"),
                ),
                div(
                    "card lined",
                    _doctor("Dr Mayer|马医生", "Skin, allergies|皮肤、过敏", "portrait", "Today 15:00|今天 15:00"),
                    _doctor("Dr Meyer|梅医生", "Eye care|眼部保健", "hills", "Monday 9:00|周一 9:00"),
                    _doctor("Dr Chen|陈医生", "Heart|心脏", "sea", "Monday 11:30|周一 11:30"),
                    _doctor("Dr Adeyemi|阿医生", "Children|儿童", "wave", "Tuesday 8:15|周二 8:15"),
                    _doctor("Dr Silva|席医生", "Back and joints|脊柱与关节", "city", "Friday 14:00|周五 14:00"),
                ),
                div("grow"),
                div(
                    "row",
                    button("Renew prescription|续开处方", "pill", cls="grow"),
                    button("Send a question|提交问题", "send", cls="grow"),
                    button("Upload a letter|上传信件", "upload", cls="grow"),
                ),
            ),
        ),
    ),
    (
        Confused("Book Dr Meyer.|预约梅医生。", "Book Dr Meyer", ("Book Dr Mayer",), "meaning"),
        Confused(
            "Open Next appointment.|打开下次预约。", "Next appointment", ("Last appointment", "Appointments"), "look"
        ),
        Absent("Book Dr Moser.|预约莫医生。", "button", ("Dr Moser|莫医生",), ("Book Dr Mayer", "Book Dr Meyer")),
        Absent("Open Vaccinations.|打开疫苗接种。", "text", ("vaccinations|疫苗", "vaccine|接种"), ("Prescriptions",)),
        Absent("Choose Teeth.|选择牙科。", "button", ("teeth|牙科", "dentist|口腔"), ("Skin", "Eyes")),
    ),
)

SCREENS = (VIDEOS, CLINIC)
