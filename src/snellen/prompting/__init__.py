"""Prompts: one file each, a way of asking. A prompt is one turn, and pure.

A prompt is a module with

    def messages(item: Item) -> tuple[Message, ...]

and is found by its file name. The text parts carry a role (``question``, ``options``, ``frame``), which is not hashed:
embedded models tell by it what is asked and what is wording around it.
"""
