"""Card: what a benchmark is, where it comes from, and in what order its labels are read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class PublishedRow:
    """One row of a published table.

    Attributes:
        model: as the paper names it.
        rates: ``""`` (overall) or ``label=value`` -> share in [0, 1] of items with value 1.
        note: what to know of the row.
        metrics: numbers that are no such share, by name, in [0, 1]: ``parsing_average``.
    """

    model: str
    rates: Mapping[str, float]
    note: str = ""
    metrics: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Card:
    """A benchmark's identity.

    Attributes:
        name: as on the command line, with hyphens.
        title: for people.
        summary: one or two sentences: what it measures.
        paper: title of the paper; empty where there is none.
        authors: as the paper gives them.
        links: name -> URL.
        licence: what its owners state, in words ("none stated: fetched for you, never shipped").
        languages: of the questions.
        domain: what its images are: ``photo``, ``chart`` or ``screen``; some perturbations make sense in some only.
        labels: label name -> its values, both in the paper's order; the first label gives the rows of the table of
            cells, the second its columns.
        split: a label of these whose values are tables of their own, each with the rows that occur in it; empty: one
            table.
        label_titles: ``label`` or ``label=value`` -> words for people.
        judge: name of its own model judge.
        score: what value 1 means, in two or three words: ``free of hallucination``.
        answerable: label -> values for which an answer exists (abstaining there is over-refusal).
        resistance: whether it measures resistance to changes, so that a report without any must say so.
        question_writers: models that wrote its questions; a tested model of their family is flagged.
        published: rows of the published table.
        published_items: ``""`` or ``label=value`` -> items behind a share of that table.
        notes: sentences that every report on it must show.
    """

    name: str
    title: str
    summary: str
    paper: str = ""
    authors: str = ""
    links: Mapping[str, str] = field(default_factory=dict)
    licence: str = ""
    languages: tuple[str, ...] = ("en",)
    domain: str = "photo"
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    split: str = ""
    label_titles: Mapping[str, str] = field(default_factory=dict)
    judge: str = ""
    score: str = "free of hallucination"
    answerable: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    resistance: bool = False
    question_writers: tuple[str, ...] = ()
    published: tuple[PublishedRow, ...] = ()
    published_items: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """Something odd in a benchmark's data: reported, never repaired in silence.

    Attributes:
        kind: a few words for counting and grouping: ``range reversed``.
        where: file and row, or the item's id.
        what: what is odd, and what Snellen does about it.
        serious: whether the item cannot be used as it is (otherwise it is a remark).
    """

    kind: str
    where: str
    what: str
    serious: bool = False
