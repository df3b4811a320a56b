"""Judges: each says of one answer whether it is free of hallucination, and why.

A judge is one file with two functions: ``ask(item, answer, **options)`` gives the messages for a model that judges
(None where nothing needs to be asked; a rule judge has no ``ask``), and ``read(item, answer, replies, **options)``
turns the replies into a verdict. `read` is pure; it raises `UnreadableReplyError` where a reply holds no verdict in
the agreed form, and the engine asks again. ``OPTIONS`` names the options with their allowed values, the first being
the default; ``PARAMETERS`` are requested of the model that judges. Files that start with an underscore are no judges.
"""
