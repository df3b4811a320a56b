"""Readers turn the text of an answer into something to compare: a number, an abstention, the text without its thinking.

A reader is pure and deterministic, reads English and Chinese, takes any text without raising, and needs time linear in
its length. What it cannot read it leaves out, or says so; it never guesses.
"""
