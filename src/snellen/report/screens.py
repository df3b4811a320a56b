"""What a report shows of a run on screens: its numbers by language and label, and the gap."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from snellen.card import Card
from snellen.engine.language_gap import Gap
from snellen.engine.screen_numbers import NUMBERS, PUBLISHED
from snellen.engine.screens import Estimates, Screens
from snellen.estimate import Estimate
from snellen.report import view
from snellen.report.source import ReportSource
from snellen.report.text import one_line

SHORT: Mapping[str, str] = {
    "parsing_recall": "recall",
    "parsing_precision": "prec.",
    "function_similarity": "simil.",
    "localization_accuracy": "hit",
    "false_rejection_rate": "false rej.",
    "rejection_rate": "right rej.",
    "presumed_rejection_rate": "rej.",
}
"""Numbers of a breakdown that stand beside each other, and their headings."""

_GROUPS = {
    "parsing": "Parses",
    "present": "Targets present",
    "absent": "Targets absent",
    "averages": "Averages",
    "answers": "All answers",
}
_COUNTED = {"parsing": "parsing_recall", "present": "localization_accuracy", "answers": "format_error_rate"}


@dataclass(frozen=True, slots=True)
class Line:
    """A number by its title, and how it is in each column; None where a column has no such items."""

    title: str
    estimates: tuple[Estimate | None, ...]

    @property
    def shares(self) -> tuple[view.Share | None, ...]:
        """The estimates in words."""
        return tuple(None if estimate is None else view.Share.of(estimate) for estimate in self.estimates)


@dataclass(frozen=True, slots=True)
class Group:
    """Numbers over the same items; `counts` says over how many in each column, or of a breakdown in each line."""

    title: str
    counts: tuple[str, ...]
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class GapLine:
    """A gap in words; signs are those of the first language less the second."""

    title: str
    values: tuple[str, str]
    points: str
    interval: str
    over: str


@dataclass(frozen=True, slots=True)
class Section:
    """All that the template shows."""

    columns: tuple[str, ...]
    groups: tuple[Group, ...]
    embedder: str
    gap: tuple[GapLine, ...]
    gap_languages: tuple[str, str]
    breakdowns: tuple[Group, ...]
    breakdown_columns: tuple[str, ...]


def section(source: ReportSource) -> Section | None:
    """The section of a run; None where it is on no screens."""
    found = source.results.screens
    if found is None:
        return None
    names = tuple(name for name in found.numbers if name in SHORT)
    return Section(
        columns(found, source.card),
        tuple(groups(found)),
        embedder_text(source),
        gap_lines(found),
        gap_languages(found, source.card),
        tuple(breakdowns(found, source.card, names, view.VALUES)),
        tuple(NUMBERS[name].title for name in names),
    )


def columns(found: Screens, card: Card) -> tuple[str, ...]:
    """Headings: each language, then all together; the latter alone where there is one language."""
    languages = tuple(view.title_of(card, "language", language) for language in found.languages)
    return (*languages, "Together") if len(languages) > 1 else ("value",)


def _columns(found: Screens) -> tuple[Estimates, ...]:
    return (*found.languages.values(), found.numbers) if len(found.languages) > 1 else (found.numbers,)


def groups(found: Screens) -> Iterator[Group]:
    """The numbers in the order in which they are shown."""
    every = _columns(found)
    for group, title in _GROUPS.items():
        names = [name for name in found.numbers if NUMBERS[name].group == group]
        if not names:
            continue
        counted = _COUNTED.get(group) or ("" if group == "averages" else names[0])
        yield Group(
            title,
            tuple(_counts(numbers.get(counted)) for numbers in every),
            tuple(Line(NUMBERS[name].title, tuple(numbers.get(name) for numbers in every)) for name in names),
        )


def _counts(estimate: Estimate | None) -> str:
    if estimate is None:
        return ""
    total = estimate.n + estimate.unscored
    return f"{estimate.n:,}" if estimate.n == total else f"{estimate.n:,} of {total:,}"


def _all(estimate: Estimate) -> str:
    return f"{estimate.n + estimate.unscored:,}"


def breakdowns(found: Screens, card: Card, names: Sequence[str], values: int) -> Iterator[Group]:
    """A group for each label that splits the items; of a label no more than so many values."""
    for label, parts in found.breakdowns.items():
        if len(parts) < 2:
            continue
        shown = list(parts.items())[:values]
        of_how_many = f" (the first {values} of {len(parts):,})" if len(parts) > values else ""
        yield Group(
            view.title_of(card, label) + of_how_many,
            tuple(_all(numbers["format_error_rate"]) for _, numbers in shown),
            tuple(
                Line(view.title_of(card, label, value), tuple(numbers.get(name) for name in names))
                for value, numbers in shown
            ),
        )


def gap_languages(found: Screens, card: Card) -> tuple[str, str]:
    """The two languages in words; empty where there is no gap."""
    if found.gap is None:
        return ("", "")
    return (
        view.title_of(card, "language", found.gap.first),
        view.title_of(card, "language", found.gap.second),
    )


def gap_lines(found: Screens) -> tuple[GapLine, ...]:
    """The gap of every number, and last the parsing gap less the hallucination gap."""
    if found.gap is None:
        return ()
    lines = [_gap_line(NUMBERS[name].title, gap) for name, gap in found.gap.numbers.items()]
    if found.gap.parsing_less_hallucination is not None:
        line = _gap_line("Parsing gap less hallucination gap", found.gap.parsing_less_hallucination, signed=True)
        lines.append(line)
    return tuple(lines)


def _gap_line(title: str, gap: Gap, *, signed: bool = False) -> GapLine:
    found = gap.difference
    assert found.value is not None
    interval = "" if found.low is None or found.high is None else f"[{_points(found.low)}, {_points(found.high)}]"
    over = f"{found.clusters:,} in both" if gap.paired else f"{found.clusters:,} in all"
    one, other = (_points(value) if signed else view.percent(value) for value in gap.values)
    return GapLine(title, (one, other), _points(found.value), interval, over)


def _points(difference: float) -> str:
    """``+3.1``; never ``-0.0``."""
    return f"{round(100 * difference, 1) + 0.0:+.1f}"


def embedder_text(source: ReportSource) -> str:
    """Which model compared the descriptions, or why none did; empty where nothing was parsed."""
    found = source.results.screens
    if found is None or not found.parsed:
        return ""
    judging = source.manifest.get("judging", {})
    model = one_line(str(judging.get("model", "")), 80)
    revision = one_line(str(judging.get("revision", "")), 40)
    if judging.get("options", {}).get("similarity") == "difflib":
        return "Function similarity compares characters (difflib): it is no cosine of embeddings, and none beside it."
    if model:
        name = f"{model} ({revision})" if revision else model
        if not found.compared:
            return f"No element was matched, so {name} had no descriptions to compare."
        return (
            f"Function similarity is the cosine of embeddings by {name}. It cannot be compared with that of another "
            "embedding model; read it by how far it lies above its level by chance."
        )
    if found.compared:
        return "The embedding model behind function similarity is not recorded: compare it with no other run."
    return (
        "Function similarity, and with it the parsing average, was not measured: no embedding model compared the "
        "descriptions. pip install 'snellen[embeddings]' and judge again with --judge e5."
    )


def flat(source: ReportSource) -> Iterator[tuple[str, str, str, Estimate]]:
    """Every number as (name, label, value of the label, estimate); gaps as ``NAME_gap``, label ``language``, ``en-zh``.

    A breakdown within a language has the label ``language*LABEL``, its values joined likewise.
    """
    found = source.results.screens
    if found is None:
        return
    parts: list[tuple[str, str, Estimates]] = [("", "", found.numbers)]
    parts += [("language", language, numbers) for language, numbers in found.languages.items()]
    parts += [(label, value, each) for label, values in found.breakdowns.items() for value, each in values.items()]
    parts += [
        (f"language*{label}", f"{language}*{value}", each)
        for language, labels in found.language_breakdowns.items()
        for label, values in labels.items()
        for value, each in values.items()
    ]
    for label, value, numbers in parts:
        for name, estimate in numbers.items():
            yield name, label, value, estimate
    if found.gap is not None:
        between = f"{found.gap.first}-{found.gap.second}"
        for name, gap in found.gap.numbers.items():
            yield f"{name}_gap", "language", between, gap.difference
        if found.gap.parsing_less_hallucination is not None:
            beside = found.gap.parsing_less_hallucination.difference
            yield "parsing_less_hallucination_gap", "language", between, beside


def paper_columns(sources: Sequence[ReportSource], card: Card) -> list[tuple[str, str, str]]:
    """The published numbers as (heading, language, name of the number); a language is empty for an average."""
    measured = [source.results.screens for source in sources if source.results.screens is not None]
    languages = dict.fromkeys(language for found in measured for language in found.languages)
    named = dict.fromkeys(name for found in measured for name in found.numbers)
    return [
        *(
            (f"{NUMBERS[name].title}, {view.title_of(card, 'language', language)}", language, name)
            for language in languages
            for name in (*PUBLISHED, "presumed_rejection_rate")
            if name in named
        ),
        *((NUMBERS[name].title, "", name) for name in named if NUMBERS[name].group == "averages"),
    ]


def paper_value(source: ReportSource, language: str, name: str) -> Estimate | None:
    """A number of `paper_columns`; None where the run has no such items."""
    found = source.results.screens
    if found is None:
        return None
    return (found.languages.get(language, {}) if language else found.numbers).get(name)
