"""Prompts: one file each, a way of asking. A prompt is one turn, and pure.

A prompt is a module with

    def messages(item: Item, convention: Convention) -> tuple[Message, ...]

with TITLE (words for people), and is found by its file name. DOMAINS, where a prompt has it, names the kinds of
pictures it is for (``photo``, ``chart``, ``screen``: a card's domain); without it a prompt is for all. The text parts
carry a role (``question``, ``options``, ``frame``), which is not hashed: embedded models tell by it what is asked and
what is wording around it.
"""
