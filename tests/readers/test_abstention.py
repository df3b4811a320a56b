"""Abstention in English and Chinese: what declines, what answers although it sounds like it, and hostile text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.readers import abstention
from snellen.readers.sentences import sentences

DECLINES = """
I cannot determine that from this image.
The chart does not show any temperature data.
This information is not available in the figure.
I'm sorry, but I can't tell.
Unknown
N/A
Not enough information.
There is no information about sales in 2020.
It is impossible to tell from the chart.
The question cannot be answered based on the chart.
I don't know.
Based on the image, there is no way to determine the exact speed.
The image doesn't provide this information.
I can't see any geothermal entry in the legend.
It's unclear from the chart.
Hard to say.
The figure lacks a legend, so the color can't be identified.
I'm unable to answer this question.
The chart shows temperature over time for three cities. It does not include rainfall, so this can't be determined.
Cannot be determined.
I’m not sure.
There isn't any data for 2021.
The chart doesn't say.
None of the axes is labelled with a year, so I can't tell which year this is.
The plot has no label for sample B.
No data is available for that year.
I would need more information to answer.
There's no line labeled s = 2 in the chart.
The value isn't specified.
As an AI, I cannot view images.
The information you're asking about is not present in the chart.
I do not have enough information to answer this question
The chart is about energy; it has nothing to do with coffee, so I can't answer.
无法确定。
图中没有提供相关信息，无法回答。
从图中看不出来。
该图表未显示2020年的数据。
我不知道。
抱歉，这张图里没有关于价格的信息。
图表并未标注单位，因此不能确定。
这个问题与图表无关，无法回答。
信息不足，无法判断。
图中没有名为E4的类别。
不清楚
图里看不清具体的数值，无法给出答案。
根据图片内容，无法得知该公司2019年的收入。
仅凭这张图不能判断原因。
图中找不到这条曲线
The answer to this question is not in the image.
Sorry, I can't help with that.
I have no way of knowing that.
That can't be inferred from the picture.
Nothing in the chart indicates the year.
The chart contains no such information.
Not specified.
Not shown in the chart.
The data shown doesn't allow a conclusion.
We can't conclude anything about rainfall from this plot.
This cannot be answered.
Can't say.
cannot determine
insufficient data
I’m afraid the image doesn’t contain enough information to answer that.
The graph gives no indication of the price.
I don't see a category labelled BIO.
I am not able to determine the value from the given chart.
The picture is too blurry for me to read the number.
Without additional context, it's not possible to say.
The exact value is not stated anywhere in the chart.
There is nothing in the figure about coffee.
The text is not legible.
That question isn't answerable from this chart.
I can't answer that because the chart shows ROC curves rather than fuel efficiency.
Neither the axis nor the legend mentions a year.
I would rather not guess.
It doesn't say.
No answer can be given.
**Cannot be determined** from the chart.
The chart only shows data for 2010 to 2015, so the value for 2020 is unknown.
I couldn't find that information in the chart.
The requested information isn't provided.
Undeterminable.
No information
The image does not depict any cars, so the question about their color can't be answered.
图表中没有相关数据。
无法从图中得知。
图中未给出该信息。
对不起，我无法回答这个问题。
这张图没有显示湿度。
图片太模糊，看不清数字。
没有足够的信息来判断。
图中并没有提到2025年。
不能确定。
难以判断。
该问题无法根据图表回答。
图里没有这个类别，所以没法回答。
图表只显示了2010年到2015年的数据，无法得知2020年的数值。
我不确定。
这张图片不包含任何关于天气的内容。
未知
图中没有标明年份。
题目所问的内容在图中不存在。
从给出的图表来看，没有任何信息能说明原因。
目前的信息不足以得出结论。
图表展示的是温度，而不是湿度，因此无法回答。
I'm sorry, but the image does not contain information about the population of France.
The graph doesn't mention which company made the product.
There's not enough detail in the image to answer.
This cannot be inferred from the given figure.
It is not possible to determine the answer from the provided chart.
The answer is not provided in the image.
I can't answer this question based on the information given.
I don't have access to that data.
The chart does not give any data for Canada.
We have no data about this.
Can't be known from this picture.
You can't tell from the image.
No way to know.
The image does not specify the brand of the car.
This question cannot be answered because the chart does not show years.
The figure does not contain a green curve.
There is no category E in this chart.
There are no labels on the axis, so the unit is unknown.
I'm not certain what the value is.
Unfortunately, the resolution is too low to read the labels.
The value at x = 12 is not shown since the axis ends at 10.
It's not clear which line corresponds to France.
It cannot be said with certainty.
I do not see any information regarding temperature in this figure.
Neither of the panels gives the sample size.
The plot doesn't have a legend, so I can't say which line is which.
The question is unanswerable.
Not applicable.
Unable to determine.
Information not available.
Data not provided.
none of the information in the chart relates to GDP
I need more information.
I can't provide an answer.
This chart does not include the requested data.
The picture gives no clue about the price.
It would be speculation to say.
No, the chart does not provide that information.
图中看不出具体年份。
很抱歉，图片中没有足够的信息来回答这个问题。
根据现有信息无法判断。
该图没有提供关于收入的数据。
无法辨认图中的文字。
这个无法从图表中得出。
图表里没有提到任何公司。
我没办法回答。
这道题没有办法根据图片作答。
图中不包含降雨量信息。
不能从图中判断出原因。
图片没有给出答案。
我无法确定这是哪一年。
图上没有标出单位
没有相关信息。
此问题超出了图表的范围。
图表中并未涉及该主题。
缺少图例，因此无法确定颜色的含义。
看不出来
说不准。
没法确定。
图表没有显示X曲线。
抱歉，我看不到图片。
这与图表内容不相关。
""".strip().splitlines()

ANSWERS = """
I can't be certain, but it's about 5.
Yes, there is no doubt that it is a pan.
Its importance cannot be overstated; sales doubled.
About 300 K.
The blue line is the highest.
I cannot read the exact value, but the blue line is highest.
I'm not 100% sure, but I think it's B.
No.
No, 2021 is wrong.
There is no difference between A and B.
There are no outliers.
The value does not exceed 5.
The chart shows no increase after 2010.
Although the exact number isn't given, A is clearly larger than B.
It is not the red line; it is the blue line.
The answer is not A but B.
0
None of the models shows a reduction.
I don't see any difference between the two curves.
Nothing changed between 2010 and 2020.
It can't be more than 10.
The exact value isn't labelled; visually it's roughly 0.5.
Approximately 40, though the axis is not clearly labelled.
The company does not sell in Europe.
You can tell it's red because the legend says so.
Without a doubt, it is Paris.
The known value is 5.
I know it is 5.
He cannot swim.
The chart does not start at zero; the lowest bar is 12.
There is no cat in the image.
Not only A but also B.
It's hard to miss that the red curve peaks at 7.
大约是5。
我不能完全确定，但大约是5。
毫无疑问是红色。
不是红色，是蓝色。
没有变化。
没有。
蓝色曲线最高。
虽然图中没有标出具体数值，但大约为40。
无论如何，答案是3。
不难看出，A比B高。
无法否认，A的增长最快。
看不清具体数字，估计在50左右。
A公司没有增长。
图中没有猫。
不，最高的是B。
The sum is 12, not 13.
The peak occurs at 3, not at 4.
The bars are labelled A to D. B is the tallest.
The exact value can't be read off, but B is larger than A by approximately 10.
I cannot give an exact figure; my best estimate is 42.
Hard to say exactly, maybe 7.
It's difficult to tell precisely, but around 2015.
I can determine that the value is 5.
The trend is clear: it rises.
Yes.
The label cannot be changed.
Nobody knows more about it than the CEO, Jane Doe.
There is no question that sales rose.
The unknown planet is Mars.
The series labelled "Unknown" has the highest bar.
The category "N/A" is the largest.
"Not specified" has 12 responses.
Sales did not increase in 2020.
The curve never reaches 10.
It is not possible for the curve to exceed 1.
The bars do not overlap.
A does not have a higher value than B; B is higher.
The model cannot beat the baseline after epoch 5.
The missing value is 12.
The chart lacks any upward trend; it falls from 9 to 3.
Probably 2019.
It appears to be blue.
If I had to guess, I'd say 45.
可能是2019年。
我猜是蓝色。
不确定，可能是3。
数值没有超过5。
销量没有增加。
虽然看不清，但应该是B。
最高的是“其他”，不是“未知”。
无疑，答案是B。
没有一个模型超过50%。
图例中红色代表男性。
A不等于B。
两者没有区别。
不能说A高于B，实际上B更高。
It looks like 12.
I'm fairly sure it's the red one.
The answer cannot be anything but 7.
The unknown in the equation is x = 4.
No country exceeds 50 percent.
The company has no debt.
Sales are not declining.
The tallest bar, labelled "No data", is 12 percent.
Nobody was injured.
I can see three bars.
It is clear from the chart that A leads.
He does not know that the dog is behind him.
No, the red line is below the blue one.
The bars show no clear trend.
The value is zero.
None.
The temperature did not change.
The two lines don't intersect.
Germany does not appear among the top three; the top three are the US, China and Japan.
I think it's probably around 30, though I'm not sure.
While it isn't labelled, the line most likely represents France.
The text says "cannot be returned".
The sign says "No entry".
5 (not 6)
Not less than 12.
It's impossible for it to be negative, so the answer is 3.
No doubt about it: 42.
The model fails to detect small objects.
There's a lack of diversity in the sample.
The chart shows that the number of people without insurance fell to 8%.
About 12, but I can't be sure.
It isn't C; it's D.
The legend doesn't matter here: the answer is 5.
The correlation is weak, not strong.
答案是5。
大概在2015年左右。
应该是红色，但我不太确定。
没有超过10。
图中共有3条曲线。
A没有B高。
从图中可以确定答案为7。
下降了，没有上升。
不，是蓝色。
没有一个国家超过50%。
没人受伤。
标有“无数据”的柱子最高。
毫无疑问，中国最高。
虽然没有标注，但这条线最有可能是法国。
尽管不能百分之百确定，答案大概是12。
数值为零。
二者没有明显差别。
销量并未下降。
不超过5个。
""".strip().splitlines()


@pytest.mark.parametrize("text", DECLINES)
def test_declines(text: str) -> None:
    assert abstention.read(text) is True


@pytest.mark.parametrize("text", ANSWERS)
def test_answers(text: str) -> None:
    assert abstention.read(text) is False


@pytest.mark.parametrize("dress", ["**{}**", "  {}\n", "> {}", "- {}", "Answer: {}", "```\n{}\n```", "Sorry. {}"])
def test_dress_does_not_matter(dress: str) -> None:
    assert [text for text in DECLINES if not abstention.read(dress.format(text))] == []


@pytest.mark.parametrize(
    "answer", [", but it is about 5.", " — my best guess is 42.", "\n\nThe answer is 12.", "，但大约是5。"]
)
def test_a_refusal_followed_by_an_answer_is_an_answer(answer: str) -> None:
    assert [text for text in DECLINES if abstention.read(text.rstrip(".。") + answer)] == []


@pytest.mark.parametrize("text", ["", " ", "\n\n", "...", "?!", "。", "*", "`", "```", "-", "\u200b"])
def test_nothing_declines_nothing(text: str) -> None:
    assert abstention.read(text) is False


def test_typographic_and_plain_apostrophes_are_one() -> None:
    assert abstention.read("I can’t tell.")
    assert abstention.read("I can't tell.")
    assert abstention.read("I cannot tell.")
    assert abstention.read("I CAN'T TELL FROM THE CHART")


def test_case_of_full_width_punctuation() -> None:
    assert abstention.read("抱歉，图中没有这项数据！")
    assert abstention.read("抱歉,图中没有这项数据!")


def test_what_is_offered_is_no_answer() -> None:
    text = (
        "The chart does not show a year, so I can't tell which series this is.\n\n"
        "If you meant the blue series: it peaks at about 12.\n\n"
        "How to find it yourself:\n1. Open the data.\n2. The year is the second column, e.g. 2019.\n"
    )
    assert abstention.read(text)


def test_an_estimate_in_an_offer_is_an_answer() -> None:
    assert not abstention.read("I can't read the exact value. If you want a rough visual estimate: it is about 40.")
    assert abstention.read("I can't read the value. If you want a rough visual estimate, I can provide one.")


def test_an_essay_that_denies_something_late_has_answered() -> None:
    essay = "The rise reflects cheaper batteries and better roads. " * 12
    assert not abstention.read(essay + "The model does not include subsidies. " + essay)
    assert abstention.read(essay + "So in the end this cannot be determined.")


def test_how_it_declines() -> None:
    missing = abstention.stance("The chart does not include any rainfall data.")
    assert missing.not_shown
    assert not missing.unrelated
    assert not missing.illegible
    assert not missing.answers
    foreign = abstention.stance("These are ROC curves, not fuel-efficiency values.")
    assert foreign.unrelated
    assert not foreign.answers
    assert not foreign.not_shown
    blurred = abstention.stance("I can't read it, the image is too blurry.")
    assert blurred.declines
    assert blurred.illegible
    assert not blurred.not_shown
    assert not blurred.unrelated
    assert abstention.stance("这个问题与图表无关。").unrelated
    assert abstention.stance("图中没有降雨量数据。").not_shown
    assert not abstention.stance("无法确定。").not_shown
    assert not abstention.stance("无法确定。").unrelated


def test_a_stance_without_refusal_never_abstains() -> None:
    stance = abstention.stance("It is 5.")
    assert not stance.abstains
    assert stance.answers


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    assert abstention.read(text) in (True, False)


@given(st.lists(st.sampled_from([*DECLINES, *ANSWERS, "but", "—", "\n", "- ", "1. ", "if you", ":", '"', "("])))
def test_any_mix_is_read_the_same_twice(parts: list[str]) -> None:
    text = " ".join(parts)
    first = abstention.stance(text)
    abstention.stance.cache_clear()
    assert abstention.stance(text) == first


SAID = [
    "Prices rise as roads get better.",
    "Not shown.",
    "If you meant B: it is 5.",
    "Yes.",
    "无法确定。",
    "The chart shows ROC.",
    "5?",
    "-",
]


@given(st.lists(st.tuples(st.sampled_from([*SAID, *DECLINES[:8], *ANSWERS[:8]]), st.integers(1, 20)), max_size=5))
def test_what_is_said_again_and_again_is_read_as_often(parts: list[tuple[str, int]]) -> None:
    text = " ".join(said for part, times in parts for said in [part] * times)
    reading = abstention._Reading()
    for sentence in sentences(text):
        reading.add(sentence)
    assert abstention.stance(text) == reading.result()


def test_a_text_of_nothing_but_clauses_is_read_in_part() -> None:
    clauses = abstention.stance("虽然" * 300_000 + ",无法确定")
    assert not clauses.declines
    assert clauses.asserted < 100_000
    assert abstention.stance("虽然" * 1_000 + ",无法确定").declines


def test_a_final_answer_after_an_explanation_is_an_answer() -> None:
    how = "I can't read it exactly.\n\nHow to get it yourself:\n1. Count the bars.\n2. Add them.\n\n"
    assert abstention.read(how)
    assert not abstention.read(how + "Final answer: 12")
