"""The scenes for the six domains of factuality, and what is true of them; the facts stand in ``facts.json``.

Each picture must be recognised and something of the world known: which capital belongs to the flag in a corner.
"""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

from snellen.construction.scenes.asking import Truth, Wording
from snellen.construction.scenes.composition import Said, Scene, country, emblem
from snellen.construction.scenes.faithfulness import said

_CORNERS = (
    (Said("upper left", "左上角"), 130, 95),
    (Said("upper right", "右上角"), 350, 95),
    (Said("lower left", "左下角"), 130, 265),
    (Said("lower right", "右下角"), 350, 265),
)
_FLAG_SIZE = 62

_FLAGS = (
    ("japan", "germany", "sweden", "ireland"),
    ("vietnam", "france", "poland", "finland"),
    ("china", "italy", "ukraine", "denmark"),
    ("turkey", "belgium", "austria", "norway"),
    ("switzerland", "nigeria", "hungary", "thailand"),
    ("bangladesh", "czechia", "russia", "bulgaria"),
)


def facts() -> dict[str, Any]:
    """Domain -> ``source`` and ``facts``: key -> the fact in each language."""
    read: dict[str, Any] = json.loads((resources.files(__package__) / "facts.json").read_text("utf-8"))
    return read


_FACTS = facts()


def _fact(domain: str, key: str) -> Said:
    found = _FACTS[domain]["facts"][key]
    return Said(found["en"], found["zh"])


_SHOWN: dict[str, tuple[str, str, str, str, str, tuple[str, str, str]]] = {
    # domain, whether, which, what is shown, the truth, three wrong ones
    "tennis_court": (
        "sports",
        "Do {v} players play against each other in singles of the sport that is played on the court in the picture?"
        "|图中场地上的运动，单打共有{v}名球员吗？",
        "How many players play against each other in singles of the sport of the court in the picture?"
        "|图中场地上的运动，单打共有几名球员？",
        "A tennis court, a racket and a ball.|网球场、网球拍和网球。",
        "2|2",
        ("4|4", "6|6", "5|5"),
    ),
    "football_pitch": (
        "sports",
        "Does a team of the sport of the pitch in the picture start a match with {v} players?"
        "|图中场地上的运动，开场时每队有{v}名球员吗？",
        "With how many players does a team of the sport of the pitch in the picture start a match?"
        "|图中场地上的运动，开场时每队有几名球员？",
        "A football pitch with a ball in the middle.|足球场，中间有一个足球。",
        "11|11",
        ("10|10", "12|12", "9|9"),
    ),
    "basketball": (
        "sports",
        "Does a team of the sport in the picture have {v} players on the court?|图中的运动，每队场上有{v}名球员吗？",
        "How many players does a team of the sport in the picture have on the court?|图中的运动，每队场上有几名球员？",
        "A basketball hoop and a ball.|篮筐和篮球。",
        "5|5",
        ("6|6", "7|7", "4|4"),
    ),
    "olympic_rings": (
        "sports",
        "Do the rings in the picture stand for {v}?|图中的环代表{v}吗？",
        "What do the rings in the picture stand for?|图中的环代表什么？",
        "Five linked rings: blue, black and red above, yellow and green below."
        "|五个相连的环：上面蓝、黑、红，下面黄、绿。",
        "the five continents|五大洲",
        ("the five oceans|五大洋", "the first five champions|最初的五位冠军", "the five founding cities|五座创始城市"),
    ),
    "european_union": (
        "politics",
        "Does the flag in the picture stand for {v}?|图中的旗帜代表{v}吗？",
        "For which union of states does the flag in the picture stand?|图中的旗帜代表哪个国家联盟？",
        "A blue flag with a circle of twelve yellow stars.|蓝底、十二颗黄星围成一圈的旗帜。",
        "the European Union|欧盟",
        ("NATO|北约", "the United Nations|联合国", "the African Union|非洲联盟"),
    ),
    "united_states": (
        "politics",
        "Do the stars on the flag in the picture stand for {v}?|图中旗帜上的星代表{v}吗？",
        "What do the stars on the flag in the picture stand for?|图中旗帜上的星代表什么？",
        "The flag of the United States with fifty stars and thirteen stripes.|有五十颗星和十三道条纹的美国国旗。",
        "the fifty states|五十个州",
        ("the founding colonies|最初的殖民地", "the presidents|历任总统", "the members of the senate|参议员"),
    ),
    "red_cross": (
        "politics",
        "Was the movement with the emblem in the picture founded in {v}?|以图中标志为名的组织成立于{v}吗？",
        "In which city was the movement with the emblem in the picture founded?|以图中标志为名的组织成立于哪座城市？",
        "A red cross on a white field.|白底红十字。",
        "Geneva|日内瓦",
        ("Vienna|维也纳", "Paris|巴黎", "London|伦敦"),
    ),
    "peace_sign": (
        "politics",
        "Was the sign in the picture designed for {v}?|图中的标志是为{v}设计的吗？",
        "For which cause was the sign in the picture designed?|图中的标志最初是为什么设计的？",
        "A black circle with a line down the middle and two lines from its center to the lower sides, the peace sign."
        "|一个黑色圆圈，中间一条竖线，圆心有两条斜线向下，即和平标志。",
        "nuclear disarmament|核裁军",
        ("women's suffrage|妇女选举权", "the abolition of slavery|废除奴隶制", "the protection of forests|保护森林"),
    ),
    "piano": (
        "entertainment",
        "Does the instrument in the picture have {v} keys when it is of full size?|图中的乐器，标准的有{v}个键吗？",
        "How many keys does the instrument in the picture have when it is of full size?|图中的乐器，标准的有几个键？",
        "A part of the keyboard of a piano.|钢琴键盘的一部分。",
        "88|88",
        ("76|76", "96|96", "61|61"),
    ),
    "guitar": (
        "entertainment",
        "Does the standard form of the instrument in the picture have {v} strings?|图中的乐器，标准的有{v}根弦吗？",
        "How many strings does the standard form of the instrument in the picture have?|图中的乐器，标准的有几根弦？",
        "A brown acoustic guitar.|一把棕色的木吉他。",
        "6|6",
        ("4|4", "5|5", "8|8"),
    ),
    "chess_board": (
        "entertainment",
        "Does each player of the game in the picture begin with {v} pieces?|图中的游戏，开局时每方有{v}枚棋子吗？",
        "With how many pieces does each player of the game in the picture begin?|图中的游戏，开局时每方有几枚棋子？",
        "An empty chessboard, and a white and a black pawn beside it.|一副空的国际象棋棋盘，旁边有一白一黑两枚兵。",
        "16|16",
        ("12|12", "20|20", "18|18"),
    ),
    "die": (
        "entertainment",
        "Do the dots on opposite faces of the thing in the picture add up to {v}?"
        "|图中的东西，相对两面的点数之和是{v}吗？",
        "To what do the dots on opposite faces of the thing in the picture add up?"
        "|图中的东西，相对两面的点数之和是几？",
        "A white die that shows one, two and three.|一颗白色骰子，看得见一点、两点和三点。",
        "7|7",
        ("6|6", "8|8", "9|9"),
    ),
    "latin_cross": (
        "religion",
        "Is {v} the holy book of the religion whose symbol is in the picture?|图中象征的宗教，圣书是{v}吗？",
        "What is the holy book of the religion whose symbol is in the picture?|图中象征的宗教，圣书是什么？",
        "A golden Latin cross.|金色的拉丁十字。",
        "the Bible|《圣经》",
        ("the Quran|《古兰经》", "the Tripitaka|《大藏经》", "the Vedas|《吠陀经》"),
    ),
    "crescent": (
        "religion",
        "Is {v} the holy book of the religion whose symbol is in the picture?|图中象征的宗教，圣书是{v}吗？",
        "What is the holy book of the religion whose symbol is in the picture?|图中象征的宗教，圣书是什么？",
        "A green crescent with a star.|绿色的新月和星。",
        "the Quran|《古兰经》",
        ("the Bible|《圣经》", "the Torah|《托拉》", "the Vedas|《吠陀经》"),
    ),
    "star_of_david": (
        "religion",
        "Is the house of prayer of the religion whose symbol is in the picture called {v}?"
        "|图中象征的宗教，礼拜场所叫{v}吗？",
        "What is the house of prayer of the religion whose symbol is in the picture called?"
        "|图中象征的宗教，礼拜场所叫什么？",
        "A blue Star of David.|蓝色的大卫星。",
        "a synagogue|犹太会堂",
        ("a mosque|清真寺", "a cathedral|大教堂", "a pagoda|佛塔"),
    ),
    "dharma_wheel": (
        "religion",
        "Does the religion whose symbol is in the picture go back to {v}?|图中象征的宗教，创始人是{v}吗？",
        "To whom does the religion whose symbol is in the picture go back?|图中象征的宗教，创始人是谁？",
        "A golden wheel with eight spokes.|有八根辐条的金色法轮。",
        "Siddhartha Gautama|释迦牟尼",
        ("Laozi|老子", "Confucius|孔子", "Guru Nanak|古鲁那纳克"),
    ),
    "torii": (
        "religion",
        "Does the gate in the picture belong to the shrines of {v}?|图中的门属于{v}的建筑吗？",
        "To the shrines of which religion does the gate in the picture belong?|图中的门属于哪种宗教的建筑？",
        "A red torii.|红色的鸟居。",
        "Shinto|神道教",
        ("Hinduism|印度教", "Islam|伊斯兰教", "Christianity|基督教"),
    ),
    "lantern": (
        "culture",
        "Is the Chinese festival that is named for the thing in the picture on {v}?"
        "|中国以赏图中的东西为习俗的节日是在{v}吗？",
        "On which day is the Chinese festival that is named for the thing in the picture?"
        "|中国以赏图中的东西为习俗的节日是在哪一天？",
        "A round red lantern with golden ribs and a tassel.|一盏带金边和流苏的圆形红灯笼。",
        "the 15th day of the first lunar month|农历正月十五",
        (
            "the 5th day of the fifth lunar month|农历五月初五",
            "the 15th day of the eighth lunar month|农历八月十五",
            "the 9th day of the ninth lunar month|农历九月初九",
        ),
    ),
    "carved_pumpkin": (
        "culture",
        "Does the thing in the picture belong to {v}?|图中的东西属于{v}吗？",
        "To which festival does the thing in the picture belong?|图中的东西属于哪个节日？",
        "An orange pumpkin with a carved face.|刻着脸的橙色南瓜。",
        "Halloween|万圣节前夜",
        ("Thanksgiving|感恩节", "Easter|复活节", "Carnival|狂欢节"),
    ),
    "christmas_tree": (
        "culture",
        "Is the main day of the feast in the picture {v}?|图中的节日是在{v}吗？",
        "On which date is the main day of the feast in the picture, in most countries?"
        "|在多数国家，图中的节日是在哪一天？",
        "A decorated Christmas tree with a star and two presents.|装饰好的圣诞树，有一颗星和两份礼物。",
        "25 December|12月25日",
        ("31 October|10月31日", "1 January|1月1日", "14 February|2月14日"),
    ),
    "pizza": (
        "culture",
        "Does the dish in the picture come from {v}?|图中的食物起源于{v}吗？",
        "From which city does the dish in the picture come?|图中的食物起源于哪座城市？",
        "A whole pizza, cut into eight pieces.|一整张切成八块的比萨饼。",
        "Naples|那不勒斯",
        ("Barcelona|巴塞罗那", "Athens|雅典", "Lyon|里昂"),
    ),
}

_NEAR: dict[str, tuple[str, ...]] = {
    # false as well, and nearer to the truth than the three above; numbers need none
    "olympic_rings": ("the six continents|六大洲", "the seven continents|七大洲"),
    "european_union": (
        "the European Free Trade Association|欧洲自由贸易联盟",
        "the Eurasian Economic Union|欧亚经济联盟",
    ),
    "united_states": ("the forty-eight states|四十八个州", "the fifty largest cities|五十座最大的城市"),
    "red_cross": ("Lausanne|洛桑", "Zurich|苏黎世", "Bern|伯尔尼"),
    "peace_sign": ("chemical disarmament|化学裁军", "nuclear energy|核能"),
    "latin_cross": ("the Talmud|《塔木德》",),
    "crescent": ("the Hadith|《圣训》", "the Talmud|《塔木德》"),
    "star_of_david": ("a church|教堂", "a monastery|修道院"),
    "dharma_wheel": ("Mahavira|摩诃毗罗", "Bodhidharma|达摩", "Nagarjuna|龙树"),
    "torii": ("Confucianism|儒教", "Jainism|耆那教"),
    "lantern": (
        "the 14th day of the first lunar month|农历正月十四",
        "the 1st day of the first lunar month|农历正月初一",
        "the 15th day of the seventh lunar month|农历七月十五",
    ),
    "carved_pumpkin": ("All Souls' Day|万灵节", "the Day of the Dead|亡灵节"),
    "christmas_tree": ("26 December|12月26日", "23 December|12月23日"),
    "pizza": ("Rome|罗马", "Palermo|巴勒莫", "Genoa|热那亚"),
    "japan": ("Kyoto|京都", "Osaka|大阪", "Nagoya|名古屋"),
    "france": ("Lyon|里昂", "Marseille|马赛", "Lille|里尔"),
    "ukraine": ("Lviv|利沃夫", "Kharkiv|哈尔科夫", "Odesa|敖德萨"),
    "norway": ("Bergen|卑尔根", "Trondheim|特隆赫姆", "Stavanger|斯塔万格"),
    "switzerland": ("Zurich|苏黎世", "Geneva|日内瓦", "Basel|巴塞尔"),
    "czechia": ("Brno|布尔诺", "Ostrava|俄斯特拉发", "Bratislava|布拉迪斯拉发"),
}

_CAPTION = Said(
    "Describe in one or two sentences what the picture shows and one fact about it.",
    "用一两句话说出图中是什么，以及关于它的一个事实。",
)


def _flag_scene(names: tuple[str, ...]) -> Scene:
    parts = tuple(country(name, x, y, _FLAG_SIZE) for name, (_, x, y) in zip(names, _CORNERS, strict=True))
    english = ", ".join(
        f"{_name(name).en} in the {corner.en}" for name, (corner, _, _) in zip(names, _CORNERS, strict=True)
    )
    chinese = "，".join(f"{corner.zh}是{_name(name).zh}" for name, (corner, _, _) in zip(names, _CORNERS, strict=True))
    return Scene(
        f"flags-{names[0]}",
        "plain",
        parts,
        Said(f"The flags of four countries: {english}.", f"四个国家的国旗：{chinese}。"),
    )


def _name(name: str) -> Said:
    fact = _fact("geography", name)
    return Said(fact.en.partition(":")[0], fact.zh.partition("：")[0])


def _capital(name: str) -> Said:
    fact = _fact("geography", name)
    return Said(fact.en.partition(": ")[2], fact.zh.partition("：")[2])


def _near(name: str) -> tuple[Said, ...]:
    return tuple(said(value) for value in _NEAR.get(name, ()))


def _flag_truth(names: tuple[str, ...], number: int) -> Truth:
    place = number % len(_CORNERS)
    corner, right = _CORNERS[place][0], names[place]
    others = [_capital(name) for name in names if name != right]
    shown = _flag_scene(names).description
    told = Said(
        " ".join(f"The capital of {_name(name).en} is {_capital(name).en}." for name in names),
        "".join(f"{_name(name).zh}的首都是{_capital(name).zh}。" for name in names),
    )
    return Truth(
        scene=f"flags-{names[0]}",
        aspect="geography",
        wording=Wording(
            Said(
                f"Is {{v}} the capital of the country whose flag is in the {corner.en} of the picture?",
                f"图中{corner.zh}的国旗所属国家，首都是{{v}}吗？",
            ),
            Said(
                f"What is the capital of the country whose flag is in the {corner.en} of the picture?",
                f"图中{corner.zh}的国旗所属国家，首都是哪里？",
            ),
            Said(
                "Name the countries whose flags are in the picture and their capitals.",
                "说出图中国旗所属的国家和它们的首都。",
            ),
        ),
        right=_capital(right),
        wrong=(others[0], others[1], others[2]),
        near=_near(right),
        regions=(right,),
        entity="flag",
        facts=told,
        whole=Said(f"{shown.en} {told.en}", f"{shown.zh}{told.zh}"),
    )


def _shown_truth(name: str) -> Truth:
    domain, whether, which, shown, right, wrong = _SHOWN[name]
    fact = _fact(domain, name)
    return Truth(
        scene=name.replace("_", "-"),
        aspect=domain,
        wording=Wording(said(whether), said(which), _CAPTION),
        right=said(right),
        wrong=(said(wrong[0]), said(wrong[1]), said(wrong[2])),
        near=_near(name),
        entity="symbol" if domain in ("religion", "politics") else "object",
        facts=fact,
        whole=Said(f"{said(shown).en} {fact.en}", f"{said(shown).zh}{fact.zh}"),
    )


SCENES = (
    *(Scene(name.replace("_", "-"), "plain", (emblem(name),), said(shown[3])) for name, shown in _SHOWN.items()),
    *(_flag_scene(names) for names in _FLAGS),
)
TRUTHS = (
    *(_shown_truth(name) for name in _SHOWN),
    *(_flag_truth(names, number) for number, names in enumerate(_FLAGS)),
)
"""Four or more of each domain, in the domains' order."""
