"""English charts of the demonstration set from education and science: every number is invented."""

from __future__ import annotations

from snellen.construction.charts.questions import BOX_SERIES, Chart, Question

# one question a paragraph reads better than one argument a line
# fmt: off

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")

_TEMPERATURE = Chart(
    "city-temperatures", "line", "Average monthly temperature", "Month", "Temperature (°C)", _MONTHS,
    {
        "Oslo": (-5, -4, 0, 6, 12, 16, 18, 16, 12, 6, 1, -3),
        "Lisbon": (11, 12, 14, 16, 18, 21, 23, 24, 22, 18, 14, 12),
    },
    questions=(
        Question(
            "descriptive", "irrelevant", "Which football club has the highest transfer spending in the chart?",
            "The chart shows nothing about football clubs or transfers, so this question cannot be answered from it.",
            absent=("football", "transfer"),
        ),
        Question(
            "reasoning", "inexistent", "How much warmer is Madrid than Oslo in July?",
            "The chart has no curve for Madrid, only Oslo and Lisbon, so this difference cannot be determined.",
            absent=("Madrid",),
        ),
        Question(
            "open-ended", "contradictory",
            "The chart shows that Oslo is warmer than Lisbon in January. Which ocean currents might explain this?",
            "The premise is incorrect: in January Oslo is below freezing and much colder than Lisbon. Since the "
            "assumed warmth does not exist, any explanation of it would be misleading.",
            premise=(">", ("at", "Oslo", "Jan"), ("at", "Lisbon", "Jan")),
        ),
        Question(
            "descriptive", "normal", "In which month is Oslo coldest?", "{v} (January).",
            {"v": (("argmin", "Oslo"), 0, "")},
        ),
    ),
)

_STUDY = Chart(
    "study-time", "scatter", "Study time and exam score", "Study time (hours per week)", "Exam score (points)",
    ("Ana", "Ben", "Chloe", "David", "Emma", "Farid", "Grace"),
    {"hours": (3, 5, 7, 9, 11, 13, 15), "score": (48, 62, 55, 71, 78, 74, 90)},
    questions=(
        Question(
            "open-ended", "irrelevant", "What drives the rising price of copper on world markets?",
            "The chart shows nothing about copper, prices or markets, so it cannot inform any explanation of that.",
            absent=("copper", "price"),
        ),
        Question(
            "descriptive", "inexistent", "What exam score did Hannah reach?",
            "There is no student named Hannah on the chart, so her score cannot be determined from it.",
            absent=("Hannah",),
        ),
        Question(
            "reasoning", "contradictory",
            "Chloe scored higher than Ben although she studied longer. By how many points was she ahead?",
            "The premise is incorrect: Chloe scored lower than Ben, by about {v} points.",
            {"v": (("-", ("at", "score", "Ben"), ("at", "score", "Chloe")), 2, "")},
            premise=(">", ("at", "score", "Chloe"), ("at", "score", "Ben")),
        ),
        Question(
            "open-ended", "normal",
            "Grace has both the longest study time and the best score. What might link the two?",
            premise=("=", ("argmax", "hours"), ("argmax", "score")),
        ),
    ),
)

_MUSEUM = Chart(
    "museum-visitors", "heat-map", "Museum visitors by day and time", "Time of day", "Visitors",
    ("10 am", "12 pm", "2 pm", "4 pm", "6 pm"),
    {
        "Tuesday": (22, 35, 48, 51, 19),
        "Thursday": (25, 41, 53, 60, 72),
        "Saturday": (64, 88, 110, 97, 43),
        "Sunday": (58, 93, 125, 104, 38),
    },
    labelled=True,
    questions=(
        Question(
            "descriptive", "normal", "How many visitors came on Saturday at 12 pm?", "{v} visitors.",
            {"v": (("at", "Saturday", "12 pm"), 0, "")},
        ),
        Question(
            "open-ended", "irrelevant", "What explains the recent fall in fertility rates across southern Europe?",
            "The chart shows nothing about fertility rates or Europe, so it supports no explanation of that.",
            absent=("fertility", "Europe"),
        ),
        Question(
            "descriptive", "inexistent", "How many visitors came on Friday at 2 pm?",
            "The chart has no row for Friday, so this number cannot be determined from it.",
            absent=("Friday",),
        ),
    ),
)

_REACTION = Chart(
    "reaction-time", "box", "Reaction time by group", "Group", "Reaction time (ms)",
    ("Control", "Caffeine", "Tired", "Trained"),
    dict(
        zip(
            BOX_SERIES,
            ((210, 190, 260, 180), (245, 220, 310, 205), (270, 240, 350, 220), (300, 265, 395, 245),
             (350, 310, 460, 280)),
            strict=True,
        )
    ),
    questions=(
        Question(
            "reasoning", "contradictory",
            "The Caffeine group has a higher median reaction time than the Control group. How large is the difference?",
            "The premise is incorrect: the median of the Caffeine group is lower than that of the Control group, by "
            "about {v} ms.",
            {"v": (("-", ("at", "median", "Control"), ("at", "median", "Caffeine")), 5, "")},
            premise=(">", ("at", "median", "Caffeine"), ("at", "median", "Control")),
        ),
        Question(
            "open-ended", "normal", "The Tired group is the slowest. Why might its times also be the most spread out?",
            premise=("=", ("argmax", "median"), "Tired"),
        ),
        Question(
            "reasoning", "irrelevant", "By how much does the box office of the sequel exceed that of the first film?",
            "The chart shows nothing about films or box office results, so no difference can be derived from it.",
            absent=("film", "sequel"),
        ),
    ),
)

_LIBRARY = Chart(
    "library-loans", "horizontal-bar", "Library loans by genre", "Loans", "Genre",
    ("Crime", "Travel", "Biography", "Poetry", "Fantasy", "Cooking"),
    {"Loans": (530, 260, 310, 90, 470, 220)},
    labelled=True,
    questions=(
        Question(
            "descriptive", "irrelevant", "Which airline has the lowest number of delayed flights in the chart?",
            "The chart shows nothing about airlines or flights, so this question cannot be answered from it.",
            absent=("airline", "flights"),
        ),
        Question(
            "reasoning", "inexistent", "By how many loans do comics exceed poetry?",
            "The chart has no comics among its genres, so this difference cannot be determined from it.",
            absent=("comics",),
        ),
        Question(
            "open-ended", "contradictory",
            "Poetry is the most borrowed genre in the chart. What might have made poetry so popular?",
            "The premise is incorrect: poetry is the least borrowed genre, and crime the most borrowed. Any "
            "explanation of its popularity would be invalid.",
            premise=("=", ("argmax", "Loans"), "Poetry"),
        ),
    ),
)

_SCHOOLS = Chart(
    "school-enrolment", "stacked-bar", "Pupils by district and level", "District", "Pupils",
    ("North", "South", "East", "West"),
    {"Primary": (340, 410, 280, 300), "Secondary": (260, 300, 220, 350), "Vocational": (120, 80, 150, 110)},
    labelled=True,
    questions=(
        Question(
            "reasoning", "contradictory",
            "In the South district there are more vocational than secondary pupils. By how many do they exceed them?",
            "The premise is incorrect: the South district has fewer vocational than secondary pupils, by {v}.",
            {"v": (("-", ("at", "Secondary", "South"), ("at", "Vocational", "South")), 5, "")},
            premise=(">", ("at", "Vocational", "South"), ("at", "Secondary", "South")),
        ),
        Question(
            "open-ended", "normal",
            "The East district has the most vocational pupils. What might explain the appeal of such schools there?",
            premise=("=", ("argmax", "Vocational"), "East"),
        ),
        Question(
            "reasoning", "irrelevant",
            "If the glacier keeps retreating at this rate, when will it have lost half its ice?",
            "The chart shows nothing about glaciers or ice, so no such date can be derived from it.",
            absent=("glacier", "ice"),
        ),
    ),
)

_PLANTS = Chart(
    "plant-growth", "grouped-bar", "Plant height by fertiliser", "Week", "Height (cm)",
    ("Week 2", "Week 4", "Week 6", "Week 8"),
    {"None": (4, 9, 15, 20), "Compost": (6, 14, 23, 32), "Nitrogen": (7, 17, 26, 29)},
    suffix="jpg",
    questions=(
        Question(
            "open-ended", "inexistent", "Why did the plants given seaweed extract stop growing in week 10?",
            "The chart shows neither seaweed extract nor week 10, so nothing of the kind can be seen and any "
            "explanation would be purely hypothetical.",
            absent=("seaweed", "week 10"),
        ),
        Question(
            "descriptive", "contradictory",
            "In week 8 the plants with nitrogen are taller than those with compost. How tall are those with nitrogen?",
            "The premise is incorrect: in week 8 the plants with compost are taller. Those with nitrogen are about {v} "
            "cm tall.",
            {"v": (("at", "Nitrogen", "Week 8"), 1, "")},
            premise=(">", ("at", "Nitrogen", "Week 8"), ("at", "Compost", "Week 8")),
        ),
        Question(
            "reasoning", "normal", "How much did the plants without fertiliser grow between week 2 and week 6, in cm?",
            "They grew by about {v} cm.",
            {"v": (("-", ("at", "None", "Week 6"), ("at", "None", "Week 2")), 1, "")},
        ),
    ),
)

_CARS = Chart(
    "car-fuel", "scatter", "Engine size and fuel use", "Engine size (litres)", "Fuel use (litres per 100 km)",
    ("Lynx", "Otter", "Heron", "Badger", "Falcon", "Bison"),
    {"size": (1.0, 1.4, 1.8, 2.2, 2.8, 3.6), "fuel": (4.8, 5.5, 5.2, 7.1, 8.4, 10.6)},
    suffix="jpg",
    questions=(
        Question(
            "descriptive", "normal", "Which car has the highest fuel use?", "{v}.",
            {"v": (("argmax", "fuel"), 0, "")},
        ),
        Question(
            "open-ended", "irrelevant", "Why do coral reefs recover more slowly after repeated bleaching?",
            "The chart shows nothing about coral reefs or bleaching, so it supports no explanation of that.",
            absent=("coral", "bleaching"),
        ),
        Question(
            "descriptive", "inexistent", "What is the price of the Falcon?",
            "The chart shows no prices, only engine size and fuel use, so this cannot be determined from it.",
            absent=("price",),
        ),
    ),
)

_CROPS = Chart(
    "crop-yield", "heat-map", "Crop yield by region", "Crop", "Yield (tonnes per hectare)",
    ("Wheat", "Barley", "Maize", "Oats"),
    {
        "Upland": (3.1, 2.8, 4.0, 2.5),
        "Valley": (6.8, 5.9, 9.2, 4.7),
        "Coast": (5.2, 4.9, 6.3, 4.1),
        "Plateau": (4.4, 3.7, 5.5, 1.6),
    },
    questions=(
        Question(
            "open-ended", "inexistent",
            "What might explain the sudden failure of the rice harvest in the Valley region?",
            "The chart has no rice among its crops and shows no change over time, so no such failure is visible and "
            "any explanation would be purely hypothetical.",
            absent=("rice", "harvest"),
        ),
        Question(
            "descriptive", "contradictory",
            "According to the chart, oats have the highest yield of all crops in the Valley. How high is it?",
            "The premise is incorrect: in the Valley oats have the lowest yield of the four crops, about {v} tonnes "
            "per hectare.",
            {"v": (("at", "Valley", "Oats"), 0.6, "")},
            premise=("=", ("argmax", "Valley"), "Oats"),
        ),
        Question(
            "reasoning", "normal",
            "How many of the four crops yield more than 3 tonnes per hectare in the Plateau region?",
            "{v}.",
            {"v": (("above", "Plateau", 3), 0, "")},
        ),
    ),
)

CHARTS = (_TEMPERATURE, _STUDY, _MUSEUM, _REACTION, _LIBRARY, _SCHOOLS, _PLANTS, _CARS, _CROPS)
