"""Benchmarks: one file each, with a card, the items in the official layout, and what is odd in the data.

A benchmark is a module with

    CARD: Card
    def locate(data: Path | None, cache: Path) -> Path      # the user's folder, else a pinned download
    def digest(data: Path) -> str                           # hex; changes when any row or image changes
    def items(data: Path) -> Iterator[Item | DataError]     # a bad row is a DataError, and the rest goes on
    def check(data: Path) -> Iterator[Finding]              # optional: what this benchmark's own files can get wrong

and is found by its file name; folders (``charthal_data``) and names that begin with ``_`` are not benchmarks. What is
true of any benchmark's items (ids, images, labels, references) is checked by `snellen.engine.check`.
"""
