"""Windows of a desktop: mail, files, a letter that is about to be printed."""

from __future__ import annotations

from snellen.construction.screens.markup import button, div, field, hit, icon, link, picture, text, tick, window
from snellen.construction.screens.screen import Absent, Confused, Screen


def _mail(said: str, subject: str, when: str, on: bool = False) -> str:
    en, zh = said.split("|")
    return hit(
        f"Mail from {en}|{zh}的邮件",
        icon("star", f"Star for {en}|给{zh}加星标"),
        div("col grow gap0", text(said, "strong"), text(subject, "small soft")),
        text(when, "tiny soft"),
        cls="wide sunk" if on else "wide",
    )


MAIL = Screen(
    "desktop-mail",
    "desktop",
    "daily life",
    "light",
    "#2f63b8",
    window(
        "Post Desk|邮件台",
        "mail",
        div(
            "head row",
            button("New mail|写邮件", "pen", cls="main"),
            button("Reply|回复", "reply"),
            button("Reply to all|全部回复", "reply"),
            button("Forward|转发", "arrow"),
            button("Archive mail|归档邮件", "archive"),
            button("Delete|删除", "trash"),
            div("grow"),
            field("Search mail|搜索邮件", "search", style="width:300px"),
            icon("gear", "Mail settings|邮件设置"),
        ),
        div(
            "side screen",
            div(
                "pane col gap4",
                link("Inbox|收件箱", "item on", "mail"),
                link("Drafts|草稿箱", "item", "document"),
                link("Sent|已发送", "item", "send"),
                link("Outbox|发件箱", "item", "upload"),
                link("Starred|星标邮件", "item", "star"),
                link("Archive|归档", "item", "archive"),
                link("Spam|垃圾邮件", "item", "shield"),
                link("Deleted items|已删除", "item", "trash"),
                text("Folders|文件夹", "strong small"),
                link("Family|家人", "item", "folder"),
                link("Travel|旅行", "item", "folder"),
                link("Flat|房屋", "item", "folder"),
                div("grow"),
                text("2.1 GB of 15 GB used|已用 2.1 GB，共 15 GB", "tiny soft"),
                style="width:200px",
            ),
            div(
                "card lined",
                _mail("Maria Rossi|玛丽亚", "Photos of the garden|花园的照片", "14:02", True),
                _mail("Mario Rossi|马里奥", "Bill for the roof|屋顶账单", "13:40"),
                _mail("Town library|市图书馆", "Your book is due|您借的书即将到期", "11:15"),
                _mail("Swift Rail|迅驰铁路", "Your trip on Friday|您周五的行程", "9:50"),
                _mail("Jun Park|朴俊", "Lunch next week?|下周一起吃午饭？", "9:12"),
                _mail("Power company|电力公司", "Meter reading in May|五月抄表", "Monday|周一"),
                _mail("School office|学校办公室", "Trip to the museum|参观博物馆", "Monday|周一"),
                _mail("Ines Duarte|伊内斯", "Recipe for the soup|汤的做法", "Sunday|周日"),
                _mail("Bike shop|自行车店", "Ready to collect|可以取车了", "Saturday|周六"),
                style="width:370px;border-radius:0",
            ),
            div(
                "pad col grow",
                div(
                    "row",
                    picture("Photo of Maria Rossi|玛丽亚的头像", "portrait", "avatar"),
                    div(
                        "col grow gap0",
                        text("Photos of the garden, again|花园的照片（续）", "large strong"),
                        text("From Maria Rossi to you|玛丽亚发给您", "small soft"),
                    ),
                    icon("printer", "Print mail|打印邮件"),
                    icon("more", "More about this mail|这封邮件的更多操作"),
                ),
                text("Hello! Here are the pictures I promised.|你好！这是我答应发给你的照片。"),
                text("The roses came early this year.|今年的玫瑰开得早。"),
                div(
                    "grid two",
                    picture("Attached picture of hills|附件：山丘图片", "hills", style="height:150px"),
                    picture("Attached picture of the sea|附件：大海图片", "sea", style="height:150px"),
                ),
                div(
                    "row",
                    button("Save attachments|保存附件", "download"),
                    button("Open attachments|打开附件", "link"),
                ),
                text("Quick answer|快速回复", "strong"),
                field("Write an answer|写回复", cls="area", shown="Dear Maria, …|亲爱的玛丽亚："),
                div(
                    "row",
                    button("Send|发送", "send", cls="main"),
                    button("Send later|定时发送", "clock"),
                    button("Attach file|添加附件", "link"),
                    div("grow"),
                    button("Discard|放弃", "trash"),
                ),
            ),
        ),
    ),
    (
        Confused("Open the folder Sent.|打开已发送。", "Sent", ("Send",), "look"),
        Confused(
            "Open the mail from Mario Rossi.|打开马里奥的邮件。",
            "Mail from Mario Rossi",
            ("Mail from Maria Rossi",),
            "meaning",
        ),
        Absent("Open the address book.|打开通讯录。", "icon", ("address book|通讯录", "contacts|联系人"), ("Family",)),
        Absent("Open the folder Work.|打开工作文件夹。", "text", ("work|工作",), ("Travel", "Family")),
        Absent("Translate the mail.|翻译这封邮件。", "button", ("translate|翻译",), ("More about this mail",)),
    ),
)


def _file(glyph: str, said: str, kind: str, when: str, size: str) -> str:
    return hit(
        said,
        icon(glyph, said, "accent"),
        text(said, style="width:330px"),
        text(kind, "soft", style="width:150px"),
        text(when, "soft", style="width:150px"),
        div("grow"),
        text(size, "soft"),
        cls="wide",
    )


FILES = Screen(
    "desktop-files",
    "desktop",
    "entertainment",
    "dark",
    "#d08a2f",
    window(
        "Films – File cabinet|电影 – 文件柜",
        "folder",
        div(
            "head row",
            icon("back", "Folder before|后退"),
            icon("forward", "Folder after|前进"),
            icon("up", "Parent folder|上级文件夹"),
            field("Path|路径", "folder", shown="Home / Videos / Films|主目录 / 视频 / 电影", cls="grow"),
            field("Search in Films|在电影中搜索", "search", style="width:280px"),
            icon("list", "View as list|列表视图"),
            icon("grid", "View as grid|网格视图"),
        ),
        div(
            "head row",
            button("New folder|新建文件夹", "folder"),
            button("Cut|剪切", "cut"),
            button("Copy|复制", "copy"),
            button("Copy to …|复制到…", "copy"),
            button("Paste|粘贴", "document"),
            button("Delete|删除", "trash"),
            button("Delete for ever|永久删除", "trash"),
            div("grow"),
            button("Sort|排序", "sort"),
            button("Play all|全部播放", "play", cls="main"),
        ),
        div(
            "side screen",
            div(
                "pane col gap4",
                text("Places|位置", "strong small"),
                link("Home folder|主目录", "item", "home"),
                link("Pictures|图片", "item", "picture"),
                link("Songs|歌曲", "item", "music"),
                link("Videos|视频", "item on", "video"),
                link("Downloaded|下载内容", "item", "download"),
                link("Bin|回收站", "item", "trash"),
                text("Devices|设备", "strong small"),
                link("System disk|系统盘", "item", "save"),
                link("Camera card|相机存储卡", "item", "camera"),
                link("Cloud folder|云文件夹", "item", "cloud"),
                style="width:200px",
            ),
            div(
                "lined grow gap0",
                div(
                    "row soft small strong",
                    div("icon"),
                    text("Name|名称", style="width:330px"),
                    text("Kind|类型", style="width:150px"),
                    text("Changed|修改日期", style="width:150px"),
                    div("grow"),
                    text("Size|大小"),
                ),
                _file("folder", "Classics|经典老片", "Folder|文件夹", "2 May|5月2日", "14 items|14 项"),
                _file("folder", "Cartoons|动画片", "Folder|文件夹", "28 April|4月28日", "9 items|9 项"),
                _file("folder", "Trailers|预告片", "Folder|文件夹", "11 April|4月11日", "31 items|31 项"),
                _file("video", "The Lighthouse.mp4|灯塔.mp4", "Video|视频文件", "30 April|4月30日", "1.4 GB"),
                _file("video", "The Lighthouse 2.mp4|灯塔2.mp4", "Video|视频文件", "1 May|5月1日", "1.6 GB"),
                _file("video", "Winter Road.mp4|冬之路.mp4", "Video|视频文件", "19 March|3月19日", "980 MB"),
                _file("video", "Paper Moon.mp4|纸月亮.mp4", "Video|视频文件", "8 March|3月8日", "1.1 GB"),
                _file("music", "Theme of Winter Road.mp3|冬之路主题曲.mp3", "Audio|音频", "19 March|3月19日", "6 MB"),
                _file("picture", "Poster of Paper Moon.png|纸月亮海报.png", "Picture|图像", "8 March|3月8日", "2 MB"),
                _file("document", "To watch.txt|片单.txt", "Note|文本", "3 May|5月3日", "1 kB"),
            ),
            div(
                "card pad col",
                picture("Still of the chosen film|所选影片画面", "city", style="height:150px"),
                text("Details|详细信息", "strong"),
                text("Length: 1 h 52 min|时长：1 小时 52 分", "small soft"),
                text("Picture: 1920 × 1080|画面：1920 × 1080", "small soft"),
                text("Sound: stereo|声音：立体声", "small soft"),
                button("Play film|播放影片", "play"),
                button("Rename film|重命名影片", "pen"),
                button("Share film|分享影片", "share"),
                style="width:230px;border-radius:0;align-self:stretch",
            ),
        ),
        div(
            "bar row small soft",
            text("10 items, one chosen|10 项，已选 1 项"),
            div("grow"),
            text("212 GB free|可用 212 GB"),
        ),
    ),
    (
        Confused("Open The Lighthouse 2.mp4.|打开灯塔2.mp4。", "The Lighthouse 2.mp4", ("The Lighthouse.mp4",), "look"),
        Confused("Tap Delete for ever.|点击永久删除。", "Delete for ever", ("Delete", "Bin"), "look"),
        Absent("Open Series.|打开剧集。", "text", ("series|剧集", "episodes|连续剧"), ("Cartoons", "Trailers")),
        Absent("Compress the file.|压缩文件。", "button", ("compress|压缩", "zip|打包"), ("Copy to …",)),
        Absent("Undo the last step.|撤销上一步。", "button", ("undo|撤销",), ("Folder before",)),
    ),
)

LETTER = Screen(
    "desktop-letter",
    "desktop",
    "daily life",
    "dark",
    "#3f7fd8",
    window(
        "Letter to the landlord – Pages|给房东的信 – 文稿",
        "document",
        div("sheet-of-paper", *("<i></i>" for _ in range(24))),
        div(
            "veil",
            div(
                "dialog col",
                text("Print the letter|打印信件", "large strong"),
                div(
                    "row top gap20",
                    picture("Preview of the page|页面预览", "letter", "sunk", style="width:240px;height:300px"),
                    div(
                        "col",
                        text("Printer|打印机", "small soft"),
                        field("Choose printer|选择打印机", "printer", shown="Study, upstairs|书房（楼上）"),
                        text("Pages to print|打印页数", "small soft"),
                        div(
                            "row",
                            button("All pages|全部页面", cls="main"),
                            button("This page|当前页"),
                            button("Odd pages|奇数页"),
                            button("Even pages|偶数页"),
                        ),
                        text("Copies|份数", "small soft"),
                        div(
                            "row",
                            button("One copy less|减少一份", shown="−"),
                            text("1", "large strong"),
                            button("One copy more|增加一份", shown="+"),
                        ),
                        div("row", tick("Print on both sides|双面打印", True), text("Both sides|双面")),
                        div("row", tick("Print in grey|灰度打印", False), text("Grey|灰度")),
                        div("row", tick("Save ink|节省墨水", False), text("Spare the ink|省墨模式")),
                        style="width:420px",
                    ),
                ),
                div(
                    "row",
                    button("Save as PDF|存为 PDF", "save"),
                    button("Save settings|保存设置", "save"),
                    div("grow"),
                    button("Cancel|取消"),
                    button("Print|打印", "printer", cls="main"),
                ),
            ),
        ),
    ),
    (
        Confused("Click Save settings.|点击保存设置。", "Save settings", ("Save as PDF",), "look"),
        Confused("Choose Even pages.|选择偶数页。", "Even pages", ("Odd pages",), "meaning"),
        Absent(
            "Turn the page: choose Landscape.|选择横向。",
            "button",
            ("landscape|横向", "orientation|方向"),
            ("Preview of the page",),
        ),
        Absent("Send the letter by fax.|用传真发送信件。", "button", ("fax|传真",), ("Print",)),
        Absent("Choose the paper size.|选择纸张大小。", "input", ("paper|纸张", "A4"), ("Choose printer",)),
    ),
)

SCREENS = (MAIL, FILES, LETTER)
