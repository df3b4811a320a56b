"""Item facts: what a table of verdicts needs to know of an item, whatever was answered to it.

A run's items are those of other runs too, so the facts of an item are found once and kept under its content hash.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import orjson

from snellen.errors import DataError
from snellen.item import Truth
from snellen.label_columns import Combination

LANGUAGE = "language"
"""Label name under which an item's language is kept, unless its benchmark has a label of that name."""

CHANGE = "@change"
"""Label name under which is kept what was changed, as in ids: ``jpeg:3+typos:2``; a clean row has no such label."""

TRUTH = "@truth"
"""Label name under which is kept what the changes together did to the truth: a value of `item.Truth`."""

_TRUTHS: tuple[Truth, ...] = ("kept", "altered", "removed", "unknown")  # of several changes the last of these holds


def name_key(name: str) -> int:
    """The hash by which a cluster or a clean item is known, in 64 bits."""
    return int.from_bytes(hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


_MOST_TOLD = 1 << 14
_MOST_NUMBERS = 1 << 27  # items beyond are found anew each time: numbers that rise one by one never come there

_cluster_key = lru_cache(4096)(name_key)  # neighbours share a cluster
_pair_key = lru_cache(4096)(name_key)  # and the changed versions of an item the item


class ItemFacts(NamedTuple):
    """What is needed of one item.

    Attributes:
        labels: name and value, Snellen's own among them.
        cluster: `name_key` of the cluster.
        clean: `name_key` of the clean item's id: its own, or that of the item of which it is a changed version.
        answerable: whether an answer exists to the item's question.
    """

    labels: Combination
    cluster: int
    clean: int
    answerable: bool


def facts_of(item: Mapping[str, Any], answerable: Mapping[str, frozenset[str]]) -> ItemFacts:
    """The facts of an item.

    Args:
        item: in plain values, as `Item.to_json` gives them.
        answerable: label -> values for which an answer exists; empty: no item is known to be answerable.

    Raises:
        DataError: a label has a name of Snellen's.
    """
    changes = item["changes"]
    labels = {LANGUAGE: item["language"], **item["labels"]}
    if CHANGE in labels or TRUTH in labels:
        raise DataError(f"labels named {CHANGE} and {TRUTH} are Snellen's own; give it another name", id=item["id"])
    if changes:
        labels[CHANGE] = "+".join(map(_condition, changes))
        labels[TRUTH] = max((change["truth"] for change in changes), key=_TRUTHS.index)
    answers = bool(answerable) and all(labels.get(name) in values for name, values in answerable.items())
    answers = answers and not any(change["truth"] == "removed" for change in changes)
    clean = item["groups"].get("pair", item["id"]) if changes else item["id"]
    return ItemFacts(tuple(labels.items()), _cluster_key(item["cluster"]), _pair_key(clean), answers)


def _condition(change: Mapping[str, Any]) -> str:
    return f"{change['name']}:{change['severity']}" + (f":{change['seed']}" if change["seed"] else "")


class FactColumns:
    """The facts of many items as columns, each item once.

    An item is looked up by its number in the ledger, and known by its content hash: a number may be given to another
    item once its own is deleted.

    Args:
        answerable: as `facts_of` takes it.

    Attributes:
        combinations: combinations of labels, each with the id of an item that has it.
    """

    def __init__(self, answerable: Mapping[str, Sequence[str]]) -> None:
        self._answerable = {name: frozenset(values) for name, values in answerable.items()}
        self.combinations: list[tuple[Combination, str]] = []
        self._codes: dict[Combination, int] = {}
        self._told: dict[tuple[Any, ...], tuple[int, bool]] = {}
        # By number: a dictionary takes ten times the memory.
        self._places, self._hashes = np.zeros(0, np.int32), np.zeros(0, np.uint64)
        self._labels, self._clusters, self._clean, self._answers = array("i"), array("Q"), array("Q"), array("b")

    def __len__(self) -> int:
        return len(self._labels)

    def places(self, numbers: npt.NDArray[np.int64], hashes: npt.NDArray[np.uint64]) -> npt.NDArray[np.int32]:
        """The places of items in the columns, -1 where one is not known; shape (N,).

        Args:
            numbers: in the ledger, shape (N,).
            hashes: the first 8 bytes of their content hashes, as numbers; shape (N,).
        """
        found = np.full(len(numbers), -1, np.int32)
        inside = np.flatnonzero(numbers < len(self._places))
        at = numbers[inside]
        found[inside] = np.where(self._hashes[at] == hashes[inside], self._places[at], -1)
        return found

    def learn(self, rows: Sequence[tuple[int, bytes, str]]) -> list[int]:
        """Take items in; gives their places.

        Args:
            rows: number in the ledger, content hash and snapshot, which has that hash.

        Raises:
            DataError: as `facts_of`.
        """
        places = [self._add(body) for _, _, body in rows]
        most = max((number for number, _, _ in rows if number < _MOST_NUMBERS), default=-1)
        if most >= len(self._places):
            more = max(most + 1, len(self._places) * 5 // 4) - len(self._places)
            self._places = np.concatenate([self._places, np.full(more, -1, np.int32)])
            self._hashes = np.concatenate([self._hashes, np.zeros(more, np.uint64)])
        for (number, digest, _), place in zip(rows, places, strict=True):
            if number < _MOST_NUMBERS:
                self._places[number], self._hashes[number] = place, int.from_bytes(digest[:8], "little")
        return places

    def _add(self, body: str) -> int:
        item = orjson.loads(body)
        labels, changes = item["labels"], item["changes"]
        # Items differ in few ways: what is made of labels and changes is made once.
        key = (item["language"], *labels, *labels.values(), *(tuple(each.values()) for each in changes))
        told = self._told.get(key)
        if told is None:
            told = self._tell(key, item)
        self._labels.append(told[0])
        self._clusters.append(_cluster_key(item["cluster"]))
        self._clean.append(_pair_key(item["groups"].get("pair", item["id"]) if changes else item["id"]))
        self._answers.append(told[1])
        return len(self._labels) - 1

    def _tell(self, key: tuple[Any, ...], item: Mapping[str, Any]) -> tuple[int, bool]:
        facts = facts_of(item, self._answerable)
        code = self._codes.get(facts.labels)
        if code is None:
            code = self._codes[facts.labels] = len(self.combinations)
            self.combinations.append((facts.labels, item["id"]))
        if len(self._told) >= _MOST_TOLD:
            self._told.clear()
        self._told[key] = (code, facts.answerable)
        return self._told[key]

    def at(
        self, places: npt.NDArray[np.int32]
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint64], npt.NDArray[np.uint64], npt.NDArray[np.bool_]]:
        """Numbers of combinations, keys of clusters, keys of clean items, answerable: of the items at these places."""
        return (
            np.array(self._labels, np.int32)[places],
            np.array(self._clusters, np.uint64)[places],
            np.array(self._clean, np.uint64)[places],
            np.array(self._answers, np.bool_)[places],
        )
