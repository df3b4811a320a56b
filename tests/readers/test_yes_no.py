"""The yes/no reader: what declares a yes or a no, English and Chinese, and what only looks like one."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.readers import thinking, yes_no

YES = [
    "Yes",
    "yes",
    "YES",
    "Yes.",
    "yes!",
    "**Yes**",
    "**Yes.**",
    "*Yes*",
    "_Yes_",
    "`yes`",
    '"Yes"',
    "'Yes.'",
    "Yes, there is a dog.",
    "Yes there is.",
    "yes it is",
    "Yeah.",
    "Yep, it is.",
    "Answer: Yes",
    "Answer: yes.",
    "**Answer:** Yes",
    "Final answer: yes",
    "The answer is yes.",
    "The answer is: Yes",
    "The answer to the question is yes.",
    'the correct answer is "Yes".',
    "\\boxed{Yes}",
    "$\\boxed{\\text{Yes}}$",
    "<answer>Yes</answer>",
    '{"answer": "yes", "reason": "no handle is hidden"}',
    "Yes, there is no doubt that it is a pan.",
    "So, yes, the value of x in the image is 5.",
    "I would say yes.",
    "I think yes.",
    "I believe the answer is yes.",
    "My answer is yes.",
    "Correct.",
    "True",
    "Definitely.",
    "Absolutely!",
    "Of course.",
    "That is correct.",
    "It is.",
    "There is.",
    "They are.",
    "I think so.",
    "Is there a dog in the image? Yes.",
    "Is there a dog in the image?\nYes, there is.",
    "Question: Is it red? Answer: Yes.",
    "Yes or no? Yes.",
    "You asked yes or no. My answer: yes.",
    "No, wait, yes.",
    "No. Actually, yes.",
    "No... on closer inspection, yes.",
    "I first thought no, but the answer is yes.",
    "Yes. No handle is visible, though.",
    "Yes, but no handle is visible.",
    "Yes, I can see no other dog.",
    "Probably yes.",
    "Most likely yes.",
    "I'm not sure, but I think yes.",
    "Yes, but I'm not certain.",
    'Yes, the sign says "No Parking".',
    "Yes, he knows the eyes.",
    "No doubt about it.",
    "Without a doubt.",
    "There is a dog in the image.",
    "Yes, right?",
    "The answer is not no, it is yes.",
    "Sure, yes.",
    "Well, yes.",
    "Yes — the dog is there.",
    "Yes: it is a pan.",
    "- Yes",
    "1. Yes",
    "Okay, yes!",
    "ＹＥＳ",
    "Ｙｅｓ。",
    "是",
    "是的",
    "是的。",
    "对",
    "对的。",
    "没错",
    "有",
    "有的。",
    "存在",
    "确实如此",
    "是的，图中有一只狗。",
    "有，图中有一只狗。",
    "答案：是",
    "答案是：是的",
    "答案是肯定的",
    "正确答案：是。",
    "我的答案是“是”。",
    "图中有狗吗？有。",
    "图中是否有狗？是的。",
    "图中有一只狗。",
    "确实有。",
    "当然有",
    "嗯，是的。",
    "对，那是一个锅。",
    "不，有的",
    "不是没有疑问，是的",
    "不对，应该是：是",
    "**是**",
    "\\boxed{是}",
    "没有疑问，是的。",
    "Yes，图中有狗。",
    "正确",
    "Yes/No: Yes",
    "Based on the image, yes, there is a dog.",
    "In the image there is a dog, so yes.",
    "Y",
    "The final answer is **Yes**.",
    "Based on the sequence, the answer is yes because he dunks.",
    "Yes,it is",
    "YES, THERE IS A DOG.",
    "Yes\n\nThe image shows no cat.",
    "The answer is therefore yes",
    "I'd go with yes",
    'I would answer with "yes".',
    "It's a yes.",
    "Yes indeed.",
    "So the answer is yes",
    "So yes, angle A > 180 in this shape.",
    "Short answer: yes",
    "A: Yes",
    "Hmm, let me see... yes.",
    "Given the visible tail, I would have to say yes.",
    "If you look closely, yes, there is a cat.",
    "Yes, the pan has a handle, although no lid is shown.",
    "Yes! There's a cat sleeping on the couch.",
    "Yes, there are no other animals but there is a dog.",
    "Indeed, there is a dog.",
    "Yes, not only a dog but also a cat.",
    "Definitely yes.",
    "Yes of course",
    "Yes (high confidence)",
    "Answer: Yes, because nothing else fits.",
    "Reasoning: there is no handle. Conclusion: yes.",
    "Step 1: Look for a dog. No dog on the left. Step 2: there is one on the right. Final answer: Yes",
    "The answer is yes; no objects are missing.",
    "**Answer**: *Yes*",
    "Yes, it cannot be anything else.",
    "Yes, I know.",
    "Yes, I don't see why not.",
    "Yes, that's correct. There is no mistake.",
    "I can confirm that yes, there is a bench.",
    "It is true that there is a dog, so the answer is yes.",
    "Correct, the sky is blue.",
    "True. The sky is blue.",
    "That's right.",
    "Yes, the man isn't wearing a hat.",
    "Although it is hard to tell, I'd say yes.",
    "Not sure at first, but yes.",
    "Initially I said no, but on closer inspection the answer is yes.",
    "No... wait, yes.",
    "No, sorry, I misread: yes.",
    "是的，没有看到其他动物，但有一只狗。",
    "是的，这是一个锅，毫无疑问。",
    "对，图中确实有一只狗。",
    "是，不过没有把手。",
    "有的，图里有一只猫。",
    "图片里有一只猫。",
    "答案：是。理由：没有把手，但有盖子。",
    "最终答案：是",
    "我认为是的。",
    "没错，这就是一个平底锅。",
    "不，等等，是的。",
    "一开始我觉得不是，但仔细看后，答案是：是。",
    "问题：图中有狗吗？回答：有。",
    "“是”",
    "是！",
    "当然是。",
    "有，一共三只。",
    "可以看到一只狗，所以答案是是的。",
    "存在。",
    "YES - there is a car",
    "Sure! Yes, there is.",
    "<b>Yes</b>",
    "Yes,",
    "yes :)",
    "The man is indeed wearing a hat. Yes.",
    "Yes/No → Yes",
    '{"answer":"Yes","confidence":0.9}',
    "Yes, since no other answer fits.",
]

NO = [
    "No",
    "no",
    "NO",
    "No.",
    "NO!",
    "no\n",
    "**No**",
    "**No.**",
    "No, there isn't.",
    "no it is not",
    "Nope.",
    "Nah",
    "Answer: No",
    "Answer: NO",
    "Final Answer: No.",
    "The answer is no.",
    "The answer is **no**.",
    "the correct answer is 'No'.",
    "\\boxed{No}",
    "\\boxed{\\text{No}}",
    "<answer>No</answer>",
    '{"answer": "no"}',
    '{"reason": "yes seems likely", "answer": "No"}',
    "I would say no.",
    "Incorrect.",
    "False",
    "Definitely not.",
    "Absolutely not.",
    "Not really.",
    "Not at all",
    "That is not correct.",
    "It isn't.",
    "It is not.",
    "There isn't.",
    "There aren't any.",
    "They are not.",
    "I don't think so.",
    "I think not",
    "Is there a dog in the image? No.",
    "Is it a pan? No, it's a pot.",
    "Yes... actually no",
    "Yes. Wait, no.",
    "Yes, sorry, no.",
    "Yes. On closer inspection, no.",
    "At first I thought yes, but the answer is no.",
    "First glance suggests yes, but actually no.",
    "No, the eyes are closed.",
    "No, I know it is not.",
    "No, yes-men are not shown.",
    "There is no dog in the image.",
    "There are no dogs.",
    "There's no dog.",
    "I don't see any dog.",
    "I do not see a dog in this picture.",
    "I cannot see a dog.",
    "The image does not contain a dog.",
    "The image doesn't show a dog.",
    "No dog is visible.",
    "No dogs are in the image.",
    "It does not appear that the player is making a three-point shot. Instead, it looks like a dunk.",
    "angleA + angleB is not less than 180; it is exactly 180.",
    "The sea is not calm.",
    "None.",
    "Probably not.",
    "Most likely not",
    "Yes or no? No.",
    "So the answer is no.",
    "Based on the tally, so, no, the USA did not.",
    "No, there are only two cats.",
    "No, there is a cat instead.",
    "No — it's a cat.",
    "No: two.",
    "no, because it is red",
    "No because it is red",
    "The answer is no, as it is red.",
    "No, I can't see a dog.",
    "No, I cannot identify any dog here.",
    "ＮＯ",
    "Ｎo！",
    "否",
    "不",
    "不是",
    "不是。",
    "不是的。",
    "没有",
    "并没有",
    "没有。",
    "不对",
    "错误",
    "错",
    "不存在",
    "并非如此",
    "不，图中没有狗。",
    "不，那是猫。",
    "没有，图中没有狗。",
    "答案：否",
    "答案是：不是",
    "答案是否",
    "答案是不是。",
    "答案是否定的。",
    "正确答案是否。",
    "图中有狗吗？没有。",
    "是红色吗？不是。",
    "图中没有狗。",
    "图片中并没有狗。",
    "看不到狗。",
    "没看到狗",
    "不是红色的。",
    "图中的物体不是锅。",
    "是的……不对，没有。",
    "是的，等等，不是。",
    "一开始我以为是，但答案是否定的。",
    "当然不是",
    "绝对不是",
    "嗯，没有。",
    "**否**",
    "\\boxed{否}",
    "No，图中没有狗。",
    "不会",
    "不可能",
    "不在",
    "图中不存在狗。",
    "未见狗",
    "N",
    "no.",
    "- No",
    'The answer is "No".',
    "Therefore, no.",
    "The answer would be no.",
    "It's a no from me.",
    "No, not at all.",
    "Not in this image.",
    "Not that I can see.",
    "Yes? No.",
    "I'd say no, there isn't one.",
    "The dog is not visible.",
    "No way",
    "No, yes-shaped clouds do not exist.",
    "No! There's no cat.",
    "No, only a dog is there.",
    "Certainly not.",
    "No (high confidence)",
    "Answer: No, although it is yes-like.",
    "Reasoning: it seems yes at first. Conclusion: no.",
    "Final answer: No",
    "No, it's not; the eyes are blue.",
    "No, but there is a cat.",
    "No, there is a bench instead of a chair.",
    "No, not that I know of.",
    "I can confirm that no, there is no bench.",
    "That is false.",
    "That's not right.",
    "False. The sky is grey.",
    "Incorrect, the sky is grey.",
    "Not true.",
    "Although it is hard to tell, I'd say no.",
    "Yes... no, wait, no.",
    "I thought yes at first. However, looking again, the answer is no.",
    "Initially I said yes, but on closer inspection the answer is no.",
    "Unfortunately, no.",
    "I'm afraid not.",
    "I'm afraid no.",
    "Nope, nothing there.",
    "No sir.",
    "It doesn't look like it.",
    "It does not seem so.",
    "I see no dog here.",
    "There appears to be no dog in this image.",
    "There does not appear to be a dog.",
    "There seems to be no dog.",
    "No cat can be seen in the image.",
    "None of the people is wearing a hat.",
    "No one is wearing a hat.",
    "Nobody is in the picture.",
    "不是，这是一个碗。",
    "没有，图中只有一只猫。",
    "不，它是红色的。",
    "否，图中没有狗。",
    "并不是。",
    "并没有狗。",
    "图里没有猫。",
    "图像中不存在猫。",
    "这不是锅，是碗。",
    "没有看到任何狗。",
    "答案：否。理由：是碗。",
    "最终答案：否",
    "我认为不是。",
    "我觉得没有。",
    "不对，这是碗。",
    "是的，哦不对，不是。",
    "问题：图中有狗吗？回答：没有。",
    "“不是”",
    "当然没有。",
    "没有，是猫。",
    "错误。",
    '{"answer":"No","confidence":0.9}',
    "<b>No</b>",
    "No,",
    "NO - there is no car",
    "no :(",
    "No. There are two.",
    "No. 3 dogs are there, not 4.",
    "It is not a dog. It is a cat.",
    "The object in the image is not a pan; it is a pot.",
    "不，图中的物体不是锅。",
    "没有狗",
    "不是锅",
]

UNCLEAR = [
    "I cannot determine that from this image.",
    "I can't tell.",
    "I don't know.",
    "I know.",
    "Eyes",
    "His eyes are blue.",
    "Yes or no",
    "yes/no",
    "Yes and no.",
    "Maybe.",
    "Perhaps.",
    "Not sure.",
    "I'm not sure.",
    "It could be yes or no.",
    "It might be yes.",
    "It could be no.",
    "Maybe yes, maybe no.",
    "",
    "   ",
    "...",
    "_",
    "The image shows a cat.",
    "The lines are of equal length.",
    "Unknown",
    "Notice the nose.",
    "Nothing comes to mind? ",
    "Is there a dog in the image?",
    "Is it yes?",
    "Yes. No.",
    "Yes, no.",
    "No, I cannot determine that from this image.",
    "No, I can't tell.",
    "No, it is impossible to say.",
    "No idea.",
    "No information is given.",
    "There is not enough information to answer.",
    "It is not clear whether there is a dog.",
    "It is not possible to tell.",
    'The sign says "Yes".',
    'The word "No" is written there.',
    'He said "yes" to her.',
    "Norway",
    "Noon",
    "Yesterday",
    "Yesterday it was noon.",
    "Canoe",
    "无法判断",
    "不知道",
    "不确定",
    "我不清楚。",
    "不好说",
    "看不清",
    "无法确定是否有狗。",
    "是否",
    "有没有狗？",
    "图中有狗吗？",
    "可能是",
    "也许",
    "说不定有",
    "是或否",
    "As an AI language model, I cannot view images.",
    "I'm sorry, I can't help with that.",
    "I am unable to view the image.",
    "Please answer yes or no.",
    "The options are yes and no.",
    "Some might say yes.",
    "One could say no.",
    "You might think yes.",
    "If there were a dog, the answer would be yes.",
    "No. 5 is printed on the jersey.",
    "不一定",
    "未必",
    "None of your business is known to me, I cannot tell",
    "42",
    "Hmm",
    "The scene is peaceful.",
    "There are three dogs.",
    "There is only one dog.",
    "The dog could be a wolf.",
    "I know nothing about it, sorry.",
    "The nose and the eyes are visible.",
    "Not necessarily.",
    "The image shows a man with yesterday's newspaper.",
    "Both yes and no are possible.",
    "I would need a clearer image to say yes or no.",
    "It's impossible to answer yes or no.",
    "Whether the answer is yes or no depends on the angle.",
    "Could be yes, could be no.",
    "I can't say yes.",
    "Knowing the nose is now north, nothing.",
    "The note says 'No entry'.",
    'The button labelled "Yes" is green.',
    'A "No Parking" sign is visible.',
    "Is there a dog? Is there a cat?",
    "Do you mean the yes button?",
    "Uncertain.",
    "N/A",
    "Unable to determine.",
    "The image is too blurry to tell.",
    "Sorry, but I can't assist with that request.",
    "The man in the photo looks at the camera.",
    "A cat and a dog",
    "Two dogs.",
    "Red.",
    "图中有三只狗。",
    "图片模糊，无法辨认。",
    "难以判断是不是锅。",
    "可能有，也可能没有。",
    "这要看情况。",
    "抱歉，我无法回答这个问题。",
    "请问您指的是哪一只？",
    "红色",
    "是否存在取决于角度。",
    "yes no",
    "Yes? No?",
    "有没有？",
    "图中是一只猫。",
    "Yes for the left one, no for the right one.",
    "The first is yes. The second is no.",
    'Answer "Yes" or "No".',
    "I cannot confirm or deny.",
    "There is insufficient evidence for a yes.",
    "It's a maybe.",
    "notyes",
    "eyes, nose, yesteryear",
]


@pytest.mark.parametrize("text", YES)
def test_yes(text: str) -> None:
    assert yes_no.read(text) == "yes"


@pytest.mark.parametrize("text", NO)
def test_no(text: str) -> None:
    assert yes_no.read(text) == "no"


@pytest.mark.parametrize("text", UNCLEAR)
def test_unclear(text: str) -> None:
    assert yes_no.read(text) == "unclear"


def test_an_object_in_code_is_read() -> None:
    assert yes_no.read('```json\n{"answer": "yes"}\n```') == "yes"
    assert yes_no.read('```json\n{\n  "answer": "No",\n  "why": "yes is wrong"\n}\n```') == "no"


CHINESE_OBJECTS = (
    "狗",
    "雪板",
    "红色的汽车",
    "不锈钢杯",
    "是非图",
    "无人机",
    "对讲机",
    "没有把手的杯子",
    "电视",
    "正方形",
)
CHINESE = {
    "yes": (
        "是的，图中有{}。",
        "有，图中有{}。",
        "图中有{}吗？有。",
        "图中有{}吗？是的，有。",
        "对，确实有{}。",
        "没错，图里确实有{}。",
        "问题：图中是否有{}？答案：是",
        "图片中有没有{}？有的。",
        "是的，可以看到{}。",
        "答案是“是”，因为图中有{}。",
    ),
    "no": (
        "不是，图中没有{}。",
        "没有，图中没有{}。",
        "图中没有{}。",
        "图中有{}吗？没有。",
        "图中有{}吗？不，没有。",
        "否，没有{}。",
        "问题：图中是否有{}？答案：否",
        "图片中有没有{}？没有。",
        "图中并没有{}。",
        "看不到{}。",
        "图中不存在{}。",
        "不，那不是{}。",
        "答案是“否”，因为图中没有{}。",
        "未看到{}。",
    ),
    "unclear": (
        "图中有{}吗？",
        "无法判断图中是否有{}。",
        "不确定有没有{}。",
        "图中可能有{}。",
        "看不清是不是{}。",
    ),
}  # fmt: skip


@pytest.mark.parametrize("expected", CHINESE)
def test_chinese_names_hold_no_answer(expected: str) -> None:
    """The names hold 不, 是, 无, 有, 对, 没有, 正."""
    for sentence, name in product(CHINESE[expected], CHINESE_OBJECTS):
        assert yes_no.read(sentence.format(name)) == expected, sentence.format(name)


ENGLISH_OBJECTS = ("dog", "nose", "canoe", "piano", "yesterday's newspaper", "no-entry sign", "knot", "eye")
ENGLISH = {
    "yes": (
        "Yes, there is a {} in the image.",
        "Yes, I can see a {} next to a table and no chair.",
        "There is a {} in the image.",
        "Is there a {} in the image? Yes.",
        "Question: Is there a {} in the image?\nAnswer: Yes",
        "Yes, a {} is visible.",
        'The answer to the question "Is there a {} in the image?" is yes.',
    ),
    "no": (
        "No, there is no {} in the image.",
        "There is no {} in the image.",
        "There isn't a {} in the image.",
        "The image does not contain a {}.",
        "I don't see a {} in the image.",
        "No {} is visible in the image.",
        "The {} is not present in the image.",
        "Is there a {} in the image? No.",
        "No, I can't find a {}.",
        'The answer to the question "Is there a {} in the image?" is no.',
    ),
    "unclear": (
        "Is there a {} in the image?",
        "The question is: Is there a {}? I cannot determine that from the image.",
        "It could be a {}.",
        "The man holds a {}.",
        "I cannot tell whether there is a {}.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("expected", ENGLISH)
def test_english_names_hold_no_answer(expected: str) -> None:
    for sentence, name in product(ENGLISH[expected], ENGLISH_OBJECTS):
        assert yes_no.read(sentence.format(name)) == expected, sentence.format(name)


def test_the_cases_that_broke_other_tools(test_data: Path) -> None:
    path = test_data.parent / "cases" / "inputs.jsonl"
    if not path.is_file():
        pytest.skip(f"no cases at {path}")
    seen = 0
    for line in path.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        if case["area"] == "yes/no":
            texts, expected = [case["input"]], case["expected"].lower()
            if "(also:" in case["input"]:
                first, _, others = case["input"].partition("(also:")
                others = others.strip().removesuffix(")")
                texts = [first.strip(), *(text.strip().replace("\\n", "\n") for text in others.split(" / "))]
            wanted = "unclear" if "unclear" in expected else expected
            for text in texts:
                assert yes_no.read(text) == wanted, (case["id"], text)
        elif case["area"] == "thinking":
            visible, cut = thinking.strip(case["input"])
            assert not cut
            assert yes_no.read(visible) == case["expected"].lower(), case["id"]
        elif case["area"] == "thinking, truncated":
            text, _, reason = case["input"].removesuffix("]").partition("[finish_reason=")
            assert thinking.strip(text, reason) == ("", True)
        else:
            continue
        seen += 1
    assert seen >= 5


def test_recorded_answers_that_begin_with_their_answer(test_data: Path) -> None:
    path = test_data / "hallusionbench" / "HallusionBench_result_sample.json"
    if not path.is_file():
        pytest.skip(f"no HallusionBench sample at {path}")
    begins = {"yes": 0, "no": 0}
    for row in json.loads(path.read_text(encoding="utf-8")):
        answer = row["model_prediction"].strip()
        word = answer.lower().partition(",")[0].partition(".")[0]
        if word in begins:
            begins[word] += 1
            assert yes_no.read(answer) == word, answer
    assert min(begins.values()) > 50


def test_questions_of_pope_and_amber_are_no_answers(test_data: Path) -> None:
    pope, amber = test_data / "pope" / "output" / "coco", test_data / "amber" / "data" / "query" / "query_all.json"
    if not (pope.is_dir() and amber.is_file()):
        pytest.skip(f"no POPE or AMBER below {test_data}")
    rows = (pope / "coco_pope_random.json").read_text(encoding="utf-8").splitlines()
    questions = {json.loads(row)["text"] for row in rows}
    queries = [row["query"] for row in json.loads(amber.read_text(encoding="utf-8")) if row["query"].endswith("?")]
    for question in sorted({*questions, *queries[::10]}):
        assert yes_no.read(question) == "unclear"
        assert yes_no.read(f"{question} Yes.") == "yes"
        assert yes_no.read(f'The answer to "{question}" is no.') == "no"


@given(st.text())
def test_any_text_has_a_reading(text: str) -> None:
    assert yes_no.read(text) in ("yes", "no", "unclear")


@given(
    st.lists(
        st.sampled_from(
            [
                "yes",
                "no",
                "not",
                "is",
                "是",
                "不",
                "没有",
                "有",
                ",",
                ".",
                "?",
                ":",
                '"',
                "'",
                "\n",
                "(",
                ")",
                "answer",
                "the",
                "wait",
                "actually",
            ]
        ),
        max_size=30,
    )
)
def test_any_mixture_has_one_reading(parts: list[str]) -> None:
    text = " ".join(parts)
    assert yes_no.read(text) == yes_no.read(text)


@pytest.mark.parametrize(
    "unit", ["yes, ", "no ", "answer: ", "the answer is ", '"a" ', "图中有", "是否", "- ", "(", "wait "]
)
def test_a_megabyte_is_read(unit: str) -> None:
    assert yes_no.read(unit * (1_000_000 // len(unit))) in ("yes", "no", "unclear")
