"""The Chinese charts of the demonstration set: every number is invented."""

from __future__ import annotations

from snellen.construction.charts.questions import BOX_SERIES, Chart, Question

# one question a paragraph reads better than one argument a line
# fmt: off

_TEA = Chart(
    "tea-sales", "bar", "三月各门店奶茶销量", "门店", "销量（杯）",
    ("东湖店", "西街店", "南站店", "北苑店", "大学店"),
    {"销量": (520, 380, 640, 290, 730)},
    language="zh",
    labelled=True,
    questions=(
        Question(
            "descriptive", "irrelevant", "图中鲸鱼的平均寿命是多少年？",
            "图中没有任何关于鲸鱼或寿命的信息，因此无法根据该图回答这个问题。",
            absent=("鲸鱼", "寿命"),
        ),
        Question(
            "reasoning", "inexistent", "大学店四月的销量比三月多多少杯？",
            "图中只有三月的销量，没有四月的数据，因此无法得出这一差值。",
            absent=("四月",),
        ),
        Question(
            "open-ended", "contradictory", "图中北苑店的销量最高，可能是哪些原因让它领先其他门店？",
            "前提不正确：北苑店的销量最低，销量最高的是大学店。既然北苑店并不领先，任何对其领先的解释都不成立。",
            premise=("=", ("argmax", "销量"), "北苑店"),
        ),
        Question(
            "descriptive", "normal", "南站店的销量是多少杯？", "{v}杯。",
            {"v": (("at", "销量", "南站店"), 5, "")},
        ),
    ),
)

_CARS = Chart(
    "electric-cars", "horizontal-bar", "各城市新能源汽车上牌量", "上牌量（辆）", "城市",
    ("杭州", "成都", "武汉", "西安", "青岛"),
    {"上牌量": (4200, 3900, 3100, 2600, 1800)},
    language="zh",
    labelled=True,
    questions=(
        Question(
            "open-ended", "irrelevant", "古代丝绸之路为什么逐渐衰落？",
            "图中没有任何关于丝绸之路的信息，无法据此作出解释。",
            absent=("丝绸之路",),
        ),
        Question(
            "descriptive", "inexistent", "广州的新能源汽车上牌量是多少辆？",
            "图中没有广州的数据，因此无法根据该图得出答案。",
            absent=("广州",),
        ),
        Question(
            "reasoning", "contradictory", "既然武汉的上牌量高于成都，那么两地相差多少辆？",
            "前提不正确：武汉的上牌量低于成都，相差{v}辆。",
            {"v": (("-", ("at", "上牌量", "成都"), ("at", "上牌量", "武汉")), 20, "")},
            premise=(">", ("at", "上牌量", "武汉"), ("at", "上牌量", "成都")),
        ),
        Question(
            "open-ended", "normal", "图中杭州的上牌量最高，可能与哪些因素有关？",
            premise=("=", ("argmax", "上牌量"), "杭州"),
        ),
    ),
)

_ADMISSIONS = Chart(
    "college-admissions", "grouped-bar", "各学院录取人数", "学院", "录取人数",
    ("理学院", "工学院", "文学院", "医学院"),
    {"本科": (240, 420, 180, 150), "研究生": (160, 310, 90, 200)},
    language="zh",
    labelled=True,
    questions=(
        Question(
            "reasoning", "irrelevant", "台风登陆后的降水量比登陆前多多少毫米？",
            "图中没有任何关于台风或降水量的信息，无法据此计算。",
            absent=("台风", "降水量"),
        ),
        Question(
            "open-ended", "inexistent", "法学院的录取人数近年来下降，可能是什么原因？",
            "图中没有法学院，也没有多年的数据，因此看不出这样的变化，任何解释都只能是猜测。",
            absent=("法学院",),
        ),
        Question(
            "descriptive", "contradictory", "医学院录取的本科生多于研究生，那么医学院录取了多少名本科生？",
            "前提不正确：医学院录取的本科生少于研究生。医学院录取的本科生为{v}名。",
            {"v": (("at", "本科", "医学院"), 5, "")},
            premise=(">", ("at", "本科", "医学院"), ("at", "研究生", "医学院")),
        ),
        Question(
            "reasoning", "normal", "工学院的本科和研究生一共录取了多少人？", "一共录取了{v}人。",
            {"v": (("total", "工学院"), 0, "")},
        ),
    ),
)

_AIR = Chart(
    "air-quality", "line", "两城市空气质量指数", "月份", "空气质量指数",
    ("1月", "2月", "3月", "4月", "5月", "6月", "7月", "8月"),
    {"滨海市": (60, 55, 50, 48, 42, 38, 35, 36), "山城市": (110, 98, 90, 76, 70, 64, 58, 62)},
    language="zh",
    questions=(
        Question(
            "descriptive", "irrelevant", "图中哪支篮球队的胜率最高？",
            "图中没有任何关于篮球队或胜率的信息，因此无法回答这个问题。",
            absent=("篮球队", "胜率"),
        ),
        Question(
            "reasoning", "inexistent", "江北市3月的指数比滨海市高多少？",
            "图中没有江北市的数据，因此无法得出这一差值。",
            absent=("江北市",),
        ),
        Question(
            "open-ended", "contradictory", "图中山城市的空气质量指数始终低于滨海市，可能是什么原因？",
            "前提不正确：山城市的空气质量指数始终高于滨海市。既然前提不成立，任何对此的解释都会产生误导。",
            premise=("<", ("max", "山城市"), ("min", "滨海市")),
        ),
        Question(
            "descriptive", "normal", "滨海市的指数在哪个月最低？", "{v}。",
            {"v": (("argmin", "滨海市"), 0, "")},
        ),
    ),
)

_SPENDING = Chart(
    "family-spending", "pie", "家庭年度支出构成", "", "",
    ("住房", "食品", "教育", "交通", "医疗", "娱乐"),
    {"占比": (31, 24, 18, 12, 9, 6)},
    language="zh",
    labelled=True,
    questions=(
        Question(
            "open-ended", "irrelevant", "火山喷发会怎样影响全球气候？",
            "图中没有任何关于火山或气候的信息，无法据此作出说明。",
            absent=("火山", "气候"),
        ),
        Question(
            "descriptive", "inexistent", "旅游支出占多大比例？",
            "图中没有旅游这一类别，因此无法得出其所占比例。",
            absent=("旅游",),
        ),
        Question(
            "reasoning", "contradictory", "既然教育支出的占比高于食品，那么高出多少个百分点？",
            "前提不正确：教育支出的占比低于食品，低{v}个百分点。",
            {"v": (("-", ("at", "占比", "食品"), ("at", "占比", "教育")), 0.5, "")},
            premise=(">", ("at", "占比", "教育"), ("at", "占比", "食品")),
        ),
        Question(
            "open-ended", "normal", "住房在支出中占比最大，可能有哪些原因？",
            premise=("=", ("argmax", "占比"), "住房"),
        ),
    ),
)

_HEIGHT = Chart(
    "student-height", "histogram", "七年级学生身高分布", "身高（厘米）", "学生人数",
    ("140-145", "145-150", "150-155", "155-160", "160-165", "165-170"),
    {"人数": (8, 17, 34, 41, 22, 9)},
    language="zh",
    labelled=True,
    questions=(
        Question(
            "reasoning", "irrelevant", "黄金价格的涨幅是白银的几倍？",
            "图中没有任何关于黄金或白银的信息，无法据此计算。",
            absent=("黄金", "白银"),
        ),
        Question(
            "open-ended", "inexistent", "为什么男生的身高比女生分布得更分散？",
            "图中没有区分男生和女生，因此看不出这样的差别，任何解释都只能是猜测。",
            absent=("男生", "女生"),
        ),
        Question(
            "descriptive", "contradictory", "人数最多的一组是165-170厘米，这一组有多少名学生？",
            "前提不正确：人数最多的一组是{m}厘米。165-170厘米这一组有{v}名学生。",
            {"m": (("argmax", "人数"), 0, ""), "v": (("at", "人数", "165-170"), 1, "")},
            premise=("=", ("argmax", "人数"), "165-170"),
        ),
        Question(
            "reasoning", "normal", "身高在150厘米以下的学生一共有多少名？", "一共有{v}名。",
            {"v": (("+", ("at", "人数", "140-145"), ("at", "人数", "145-150")), 1, "")},
        ),
    ),
)

_POWER = Chart(
    "district-power", "stacked-bar", "各区用电量", "区", "用电量（兆瓦时）",
    ("城东区", "城西区", "开发区", "高新区"),
    {"居民": (120, 150, 60, 90), "工业": (80, 40, 240, 160), "商业": (70, 60, 30, 80)},
    language="zh",
    questions=(
        Question(
            "descriptive", "irrelevant", "图中哪部电影的票房最低？",
            "图中没有任何关于电影或票房的信息，因此无法回答这个问题。",
            absent=("电影", "票房"),
        ),
        Question(
            "reasoning", "inexistent", "开发区的农业用电比工业用电少多少？",
            "图中没有农业用电这一类别，因此无法得出这一差值。",
            absent=("农业",),
        ),
        Question(
            "open-ended", "contradictory", "图中城西区的工业用电量居各区之首，这会给当地带来哪些影响？",
            "前提不正确：城西区的工业用电量是各区中最低的，居首的是开发区。在错误前提上的分析不成立。",
            premise=("=", ("argmax", "工业"), "城西区"),
        ),
    ),
)

_REACTION = Chart(
    "reaction-rate", "scatter", "温度与反应速率", "温度（摄氏度）", "反应速率（毫摩尔每分）",
    ("甲组", "乙组", "丙组", "丁组", "戊组", "己组"),
    {"温度": (20, 30, 40, 50, 60, 70), "速率": (12, 18, 29, 41, 38, 22)},
    language="zh",
    questions=(
        Question(
            "descriptive", "normal", "哪一组的反应速率最高？", "{v}。",
            {"v": (("argmax", "速率"), 0, "")},
        ),
        Question(
            "open-ended", "irrelevant", "为什么近年来城市房租持续上涨？",
            "图中没有任何关于房租的信息，无法据此作出解释。",
            absent=("房租",),
        ),
        Question(
            "descriptive", "inexistent", "庚组的反应速率是多少？",
            "图中没有庚组，因此无法得出其反应速率。",
            absent=("庚组",),
        ),
    ),
)

_EXAMS = Chart(
    "exam-scores", "box", "各科期末成绩", "科目", "成绩（分）",
    ("语文", "数学", "英语", "物理"),
    dict(
        zip(
            BOX_SERIES,
            ((58, 42, 50, 35), (70, 58, 66, 52), (78, 72, 75, 64), (85, 86, 84, 76), (96, 100, 98, 94)),
            strict=True,
        )
    ),
    language="zh",
    questions=(
        Question(
            "reasoning", "contradictory", "物理成绩的中位数高于语文，那么两者相差多少分？",
            "前提不正确：物理成绩的中位数低于语文，相差约{v}分。",
            {"v": (("-", ("at", "median", "语文"), ("at", "median", "物理")), 2, "")},
            premise=(">", ("at", "median", "物理"), ("at", "median", "语文")),
        ),
        Question(
            "open-ended", "normal", "四科中物理成绩的中位数最低，可能是什么原因？",
            premise=("=", ("argmin", "median"), "物理"),
        ),
        Question(
            "reasoning", "irrelevant", "两条河流的长度之比是多少？",
            "图中没有任何关于河流的信息，无法据此计算。",
            absent=("河流",),
        ),
    ),
)

_TOURISTS = Chart(
    "scenic-tourists", "area", "景区游客人数", "年份", "游客人数",
    ("2017", "2018", "2019", "2020", "2021", "2022", "2023"),
    {"游客人数": (5200, 6100, 7400, 2300, 3900, 3500, 8200)},
    language="zh",
    suffix="jpg",
    questions=(
        Question(
            "open-ended", "inexistent", "外国游客的人数为什么恢复得比国内游客慢？",
            "图中没有区分外国游客和国内游客，因此看不出这样的差别，任何解释都只能是猜测。",
            absent=("外国", "国内"),
        ),
        Question(
            "descriptive", "contradictory", "2020年的游客人数比2019年多，那么2020年有多少名游客？",
            "前提不正确：2020年的游客人数比2019年少。2020年约有{v}名游客。",
            {"v": (("at", "游客人数", "2020"), 200, "")},
            premise=(">", ("at", "游客人数", "2020"), ("at", "游客人数", "2019")),
        ),
        Question(
            "reasoning", "normal", "2023年的游客比2021年多多少名？", "约多{v}名。",
            {"v": (("-", ("at", "游客人数", "2023"), ("at", "游客人数", "2021")), 300, "")},
        ),
    ),
)

_LOANS = Chart(
    "library-heat", "heat-map", "图书馆各类图书借阅量", "星期", "借阅量（册）",
    ("周一", "周三", "周五", "周六"),
    {"小说": (45, 52, 78, 120), "历史": (28, 31, 40, 66), "科技": (36, 44, 39, 57), "少儿": (22, 25, 61, 138)},
    language="zh",
    labelled=True,
    questions=(
        Question(
            "descriptive", "irrelevant", "图中哪种药物的副作用最少？",
            "图中没有任何关于药物或副作用的信息，因此无法回答这个问题。",
            absent=("药物", "副作用"),
        ),
        Question(
            "reasoning", "inexistent", "周日的小说借阅量比周六少多少册？",
            "图中没有周日的数据，因此无法得出这一差值。",
            absent=("周日",),
        ),
        Question(
            "open-ended", "contradictory", "图中少儿类图书在周六的借阅量最低，图书馆应如何吸引孩子周六前来？",
            "前提不正确：少儿类图书在周六的借阅量最高。在错误前提上的建议不成立。",
            premise=("=", ("argmin", "少儿"), "周六"),
        ),
    ),
)

_PHONES = Chart(
    "phone-satisfaction", "grouped-bar", "手机用户满意度调查", "项目", "满意度（%）",
    ("外观", "续航", "拍照", "售后"),
    {"星云": (82, 64, 78, 71), "远航": (75, 88, 69, 80)},
    language="zh",
    labelled=True,
    suffix="jpg",
    questions=(
        Question(
            "descriptive", "normal", "远航在续航上的满意度是多少？", "{v}。",
            {"v": (("at", "远航", "续航"), 0.5, "%")},
        ),
        Question(
            "open-ended", "irrelevant", "北极熊的栖息地为什么不断缩小？",
            "图中没有任何关于北极熊或其栖息地的信息，无法据此作出解释。",
            absent=("北极熊", "栖息地"),
        ),
        Question(
            "descriptive", "inexistent", "用户对屏幕的满意度是多少？",
            "图中没有屏幕这一项目，因此无法得出其满意度。",
            absent=("屏幕",),
        ),
    ),
)

CHARTS = (
    _TEA, _CARS, _ADMISSIONS, _AIR, _SPENDING, _HEIGHT, _POWER, _REACTION, _EXAMS, _TOURISTS, _LOANS, _PHONES,
)
