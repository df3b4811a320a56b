"""Agreement of instructions with labels; the threshold is the best one on these lists, made for the purpose."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.models._screen_words import THRESHOLD, agreement, atoms, covered

LISTS: tuple[tuple[tuple[str, ...], tuple[tuple[str, str], ...], tuple[str, ...]], ...] = (
    (
        ("Accounts", "Cards", "Transfer money", "Request money", "Standing orders", "Savings goal", "Exchange rates",
         "Statement March", "Statement April", "Block card", "Order new card", "Branch finder", "Log out"),
        (("Open the statement for April.", "Statement April"), ("Block this card", "Block card"),
         ("Click on Request money", "Request money"), ("Find a branch", "Branch finder"), ("Log out", "Log out"),
         ("Show the exchange rates.", "Exchange rates"), ("Transfer some money", "Transfer money"),
         ("Order a new card.", "Order new card"), ("Go to my cards", "Cards")),
        ("Open the statement for June.", "Change the PIN", "Send a gift card", "Open the tax report",
         "Call the support line", "Tap Loans", "Lend money", "Unlock the account limits", "Choose a savings plan"),
    ),
    (
        ("Departures", "Arrivals", "Platform 4", "Platform 7", "Buy ticket", "Refund ticket", "Day pass", "Week pass",
         "Lost property", "Station map", "Lisbon 10:42", "Leeds 10:55", "Lyon 11:03", "Bicycle parking"),
        (("Buy a ticket", "Buy ticket"), ("Select the week pass", "Week pass"), ("Open the map of the station",
         "Station map"), ("Choose the train to Leeds", "Leeds 10:55"), ("View arrivals", "Arrivals"),
         ("Press platform 7", "Platform 7"), ("Get a refund for the ticket", "Refund ticket")),
        ("Select the month pass", "Choose the train to London", "Press platform 9", "Cancel the ticket",
         "Open the car parking", "Reserve a seat", "Open the weather map", "Read the delays"),
    ),
    (
        ("New document", "Open recent", "Save as", "Print preview", "Word count", "Spelling", "Insert table",
         "Insert picture", "Insert link", "Bold", "Italic", "Align left", "Align right", "Zoom 100 %", "Comments"),
        (("Insert a picture", "Insert picture"), ("Make the text bold", "Bold"), ("Align the text to the right",
         "Align right"), ("Check the spelling", "Spelling"), ("Create a new document", "New document"),
         ("Click 'Save as'", "Save as"), ("Show the print preview.", "Print preview"), ("Open recent", "Open recent")),
        ("Insert a footnote", "Underline the text", "Align the text in the centre", "Translate the document",
         "Share the document", "Insert a chart", "Show the outline", "Record a macro", "Count the pages"),
    ),
    (
        ("账户总览", "转账汇款", "手机充值", "理财产品", "贷款申请", "信用卡还款", "交易明细", "网点查询", "三月账单",
         "四月账单",
         "挂失卡片", "安全退出", "外币兑换"),
        (("打开四月账单。", "四月账单"), ("点击手机充值", "手机充值"), ("查询附近网点", "网点查询"), ("还信用卡",
         "信用卡还款"),
         ("退出", "安全退出"), ("查看交易明细", "交易明细"), ("申请贷款", "贷款申请"), ("挂失这张卡片。", "挂失卡片"),
         ("我要转账", "转账汇款")),
        ("打开六月账单。", "修改密码", "点击生活缴费", "联系客服", "查看保险产品", "打开积分商城", "充值公交卡",
         "申请退款"),
    ),
    (
        ("出发", "到达", "四号站台", "七号站台", "购票", "退票", "日票", "周票", "失物招领", "车站地图", "开往成都",
         "开往昆明",
         "自行车停放", "候车室", "播放列表", "下载管理"),
        (("选择周票", "周票"), ("打开车站地图", "车站地图"), ("点击“购票”按钮", "购票"), ("选择去昆明的列车",
         "开往昆明"),
         ("进入七号站台页面", "七号站台"), ("查看到达信息", "到达"), ("打开失物招领", "失物招领"), ("打开下载管理",
          "下载管理")),
        ("选择月票", "选择去西安的列车", "改签", "打开汽车停车场", "选择座位", "进入九号站台页面", "查看天气",
         "打开录像管理"),
    ),
)  # fmt: skip


def rates(threshold: float) -> tuple[float, float]:
    """(share of targets found, share of absent ones rejected)."""
    hits, rejections = [], []
    for labels, present, absent in LISTS:
        for instruction, label in present:
            best = max(labels, key=lambda text: agreement(instruction, text))
            hits.append(best == label and agreement(instruction, best) >= threshold)
        rejections += [max(agreement(each, text) for text in labels) < threshold for each in absent]
    return sum(hits) / len(hits), sum(rejections) / len(rejections)


def test_the_threshold_is_the_best_one_on_made_lists() -> None:
    sums = {step / 100: sum(rates(step / 100)) for step in range(30, 96, 2)}
    best = [threshold for threshold, total in sums.items() if total > max(sums.values()) - 1e-9]
    assert min(best) < THRESHOLD < max(best)
    hits, rejections = rates(THRESHOLD)
    assert hits > 0.9
    assert rejections > 0.85


@pytest.mark.parametrize(
    ("instruction", "nearer", "farther"),
    [
        ("Open Camera.", "Camera", "Camera roll"),
        ("Start table tennis", "Table tennis", "Tennis"),
        ("Start tennis", "Tennis", "Table tennis"),
        ("Go to App lock", "App lock", "Screen lock"),
        ("Tap Sign up", "Sign up", "Sign in"),
        ("Open the section Esports", "Esports", "Sports"),
        ("Play Night Rain", "Night Rain 2:48", "Night"),
        ("Press platform 9", "Platform 9", "Platform 4"),
        ("Open recent", "Open recent", "Recent changes"),
        ("打开已发送。", "已发送", "发送"),
        ("启动乒乓球。", "乒乓球", "网球"),
        ("申请贷款", "贷款申请", "申请进度"),
        ("点击播放列表", "播放列表", "列表"),
        ("打开 Wi-Fi 设置", "Wi-Fi", "蓝牙设置"),
    ],
)
def test_what_an_instruction_means(instruction: str, nearer: str, farther: str) -> None:
    assert agreement(instruction, nearer) > agreement(instruction, farther)
    assert agreement(instruction, nearer) >= THRESHOLD


def test_verbs_say_little_only_at_the_beginning() -> None:
    assert [(atom.text, atom.weight) for atom in atoms("Please open the Street view")] == [
        ("open", 0.2),
        ("street", 1.0),
        ("view", 1.0),
    ]
    assert [atom.weight for atom in atoms("打开播放器")] == [0.1, 0.1, 0.5, 0.5, 0.5]


def test_a_misread_letter_does_not_hide_a_word() -> None:
    assert agreement("Open Calculator", "Calcu1ator") > 0.8
    assert agreement("Open Wallet", "Ballet") == 0
    assert agreement("Open 12345", "12346") == 0


def test_what_stands_in_a_text() -> None:
    assert covered("Add", "Add Beef noodles.") == 1
    assert covered("New mail", "Open the mail from Mario") == 0.5
    assert covered("", "Open") == covered("!", "Open") == 0


TEXTS = st.text(max_size=20) | st.sampled_from(["打开相机", "打开", "Open the camera 2", "的", "a", "申请贷款贷款"])


@given(TEXTS, TEXTS)
def test_agreement_is_a_share(one: str, other: str) -> None:
    assert 0 <= agreement(one, other) <= 1 + 1e-9
    assert 0 <= covered(one, other) <= 1 + 1e-9


@given(TEXTS)
def test_a_text_agrees_with_itself(text: str) -> None:
    assert agreement(text, text) == pytest.approx(1 if atoms(text) else 0)
