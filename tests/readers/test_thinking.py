"""Thinking is taken out whatever its tags, and a cut answer is known as cut."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from snellen.readers.thinking import strip

WHOLE = [
    ("No", "No"),
    ("", ""),
    ("  No \n", "No"),
    ("<think>Is it yes? No handle, though.</think>No", "No"),
    ("<think></think>No", "No"),
    ("<think>\n\n</think>\n\nNo", "No"),
    ("<think>是吗？没有把手。</think>不是", "不是"),
    ("Is it yes?</think>No", "No"),
    ("是吗？</think>\n\n不是", "不是"),
    ("</think>No", "No"),
    ("<think>reasoning that ends in nothing</think>", ""),
    ("<think>a<think>b</think>c</think>No", "No"),
    ("<think>\n<think>\na</think>No", "No"),
    ("<think>a</think><think>b</think>No", "No"),
    ("<think>a</think>It is <think>b</think>no", "It is no"),
    ("a</think>b</think>No", "No"),
    ("<THINK>a</THINK>No", "No"),
    ("<Think>a</think>No", "No"),
    ("< think >a</ think >No", "No"),
    ("<think type='deep' budget=\"5\">a</think>No", "No"),
    ("<think\n>a</think\n>No", "No"),
    ("<thinking>a</thinking>No", "No"),
    ("<reasoning>a</reasoning>No", "No"),
    ("<thought>a</thought>No", "No"),
    ("<thoughts>a</thoughts>No", "No"),
    ("<scratchpad>a</scratchpad>No", "No"),
    ("<think>a</thinking>No", "No"),
    ("<seed:think>a</seed:think>No", "No"),
    ("◁think▷a◁/think▷No", "No"),
    ("◁think▷看一下◁/think▷不是", "不是"),
    ("[THINK]a[/THINK]No", "No"),
    ("<|begin_of_thought|>a<|end_of_thought|>\n<|begin_of_solution|>No<|end_of_solution|>", "No"),
    ("<|START_THINKING|>a<|END_THINKING|><|START_RESPONSE|>No<|END_RESPONSE|>", "No"),
    ("<|channel>thought\na<channel|>No", "No"),
    ("<unused94>thought\na<unused95>No", "No"),
    ("<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>No<|return|>", "No"),
    ("<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>commentary<|message|>b<|end|>"
     "<|start|>assistant<|channel|>final<|message|>No", "No"),
    ("<|start|>assistant<|channel|>final<|message|>No<|end|>", "No"),
    ("analysisWe look at it.assistantfinalNo", "No"),
    ("<answer>No</answer>", "No"),
    ("<think>a</think><answer>No</answer>", "No"),
    ("<think>a</think>\n<final_answer>\nNo\n</final_answer>", "No"),
    ("It is <|begin_of_box|>5<|end_of_box|>.", "It is 5."),
    ("<think>a</think>[BEGIN FINAL RESPONSE]No[END FINAL RESPONSE]", "No"),
    ("No<|im_end|>", "No"),
    ("<think>if a < b and c > d then <b>x</b></think>No", "No"),
    ("<think>use a ` here</think>Say `no`", "Say `no`"),
    ("```\n<think>a</think>\nNo\n```", "```\n\nNo\n```"),
    ("I think it is 5.", "I think it is 5."),
    ("Thinking: 3 < 5 > 2", "Thinking: 3 < 5 > 2"),
    ("An <b>analysis</b> of the chart", "An <b>analysis</b> of the chart"),
    ("analysis of the chart", "analysis of the chart"),
    ("The tag `<think>` opens thinking.", "The tag `<think>` opens thinking."),
    ('The "</think>" tag closes it.', 'The "</think>" tag closes it.'),
    ("Models write `<think>a</think>` first.", "Models write `<think>a</think>` first."),
    ("标签“<think>”表示思考。", "标签“<think>”表示思考。"),
    ("<think>The tag `</think>` ends it.</think>No", "No"),
]  # fmt: skip

CUT = [
    ("<think>The pan seems to be yes but", None, ""),
    ("<think>The pan seems to be yes but", "length", ""),
    ("<think>The pan seems to be yes but", "stop", ""),
    ("<think>a</think><think>b", None, ""),
    ("It is 5. <think>or is it", None, "It is 5."),
    ("◁think▷a", None, ""),
    ("[THINK]a", None, ""),
    ("<|channel>thought\na", None, ""),
    ("<|channel|>analysis<|message|>a", None, ""),
    ("<think>a</thi", None, ""),
    ("The answer is", "length", "The answer is"),
    ("<think>a</think>The answer is", "length", "The answer is"),
    ("", "length", ""),
    ("答案是", "max_tokens", "答案是"),
    ("The answer", "MAX_TOKENS", "The answer"),
]


@pytest.mark.parametrize(("text", "visible"), WHOLE)
def test_whole_answers(text: str, visible: str) -> None:
    assert strip(text) == (visible, False)
    assert strip(text, "stop") == (visible, False)


@pytest.mark.parametrize(("text", "reason", "visible"), CUT)
def test_cut_answers(text: str, reason: str | None, visible: str) -> None:
    assert strip(text, reason) == (visible, True)


def test_tags_that_form_again_and_again_are_no_answer() -> None:
    text = "No"
    for _ in range(12):
        text = f"<th{'<think>x</think>'}ink>" + text
    visible, _ = strip("<th" * 9 + "<think>x</think>" + "ink>" * 9 + text)
    assert "<think>" not in visible


PIECES = st.lists(
    st.sampled_from(
        ["<think>", "</think>", "<thi", "nk>", "◁think▷", "◁/think▷", "[THINK]", "[/THINK]", "<|channel|>", "final",
         "analysis", "<|message|>", "<|end|>", "<|channel>thought", "<channel|>", "<answer>", "</answer>",
         "`", '"', "No",
         " ", "\n", "<", ">", "是", "assistantfinal"]
    ),
    max_size=20,
).map("".join)  # fmt: skip


@settings(deadline=None)
@given(st.one_of(st.text(max_size=60), PIECES))
@example("<|mes<answer>sage|>")
@example("analysis analysisassistantfinalassistantfinal")
def test_stripping_twice_changes_nothing(text: str) -> None:
    visible, _ = strip(text)
    assert strip(visible)[0] == visible
    assert visible == visible.strip()
    assert len(visible) <= len(text)


@settings(deadline=None)
@given(
    st.text(st.characters(exclude_characters="<>[]◁▷|`\"'“‘「『«")),
    st.text(st.characters(exclude_characters="<>[]◁▷|`\"'“‘「『«")),
)
def test_what_is_thought_never_shows(thought: str, said: str) -> None:
    if said.strip().startswith("analysis"):
        return
    assert strip(f"<think>{thought}</think>{said}") == (said.strip(), False)
    assert strip(f"{thought}</think>{said}", "length") == (said.strip(), True)
    assert strip(f"<think>{thought}") == ("", True)
