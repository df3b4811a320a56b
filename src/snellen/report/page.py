"""One HTML file that opens offline: no script, no request, every foreign text escaped.

The layout stands in templates/; a content security policy in the page forbids everything but inline style and
embedded pictures, so that even a mistake in a template could not run what a model said.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from snellen.card import Card, PublishedRow
from snellen.errors import UsageError
from snellen.report import (
    audit,
    beside,
    comparison,
    correlation,
    overview,
    repeats,
    rereading,
    resistance,
    screen_averages,
    screen_browsing,
    screens,
    selective,
    split,
    view,
)
from snellen.report.chinese import Translator
from snellen.report.examples import Group, collect
from snellen.report.figures import Dot, dots
from snellen.report.pictures import SIDE, Album
from snellen.report.screen_pictures import BITS, WORDS
from snellen.report.source import ReportSource
from snellen.report.text import CUT, one_line, visible

_LINK = re.compile(r"https?://[^\s\"'<>\\]+\Z")

# Entries of a manifest that may differ in runs that are compared: what they are, and how it went.
_COURSE = frozenset(("created", "started", "seconds", "sessions", "cost", "tokens", "requests", "asked", "problems"))
_OWN = _COURSE | {"run", "model", "name", "data_folder"}
_PARTS = {"plan": _OWN | {"revision"}, "judging": _OWN}


@dataclass(frozen=True, slots=True)
class _Run:
    """A run as the template sees it."""

    name: str
    anchor: str
    score: str
    headline_text: str
    overall: view.Share
    outcomes: tuple[view.Outcome, ...]
    abstention: view.Share
    over_refusal: view.Share
    remarks: tuple[str, ...]
    grid: view.Grid
    split: split.Section | None
    marginals: tuple[view.Part, ...]
    figure: str
    declining: tuple[view.Line, ...]
    captions: tuple[beside.CaptionLine, ...]
    claims: str
    resistance: resistance.Section | None
    maps: tuple[overview.HeatMap, ...]
    drawings: tuple[overview.Drawing, ...]
    screens: screens.Section | None
    rereading: rereading.Section | None
    repeats: repeats.Section | None
    published: str
    differences: tuple[beside.DifferenceGroup, ...]
    groups: tuple[Group, ...]
    browsing: screen_browsing.Browsing | None
    shown: int
    total: int
    seed: int
    manifest: tuple[view.ManifestLine, ...]


def write(
    sources: Sequence[ReportSource],
    path: Path,
    *,
    seed: int = 0,
    sample: int = 60,
    correlated: correlation.Section | Sequence[correlation.Section] | None = None,
    audited: audit.Section | None = None,
    selected: selective.Section | None = None,
    notes: Sequence[str] = (),
    items: str = "",
    language: str = "en",
) -> None:
    """Writes one self-contained report of one or more judged runs.

    Same sources and seed, same bytes. A file that is there is replaced at once or not at all. Rows are
    streamed: memory does not grow with them.

    Args:
        sources: judged runs, in the order in which they are to be shown.
        path: of the HTML file; missing folders are made.
        seed: of the sample of examples.
        sample: examples shown of each run, at the most.
        correlated: how the runs' numbers go together, of one benchmark or of several, where that is to be shown.
        audited: the runs' judges beside people and each other, where that is to be shown.
        selected: what answers are worth when a model may decline, where that is to be shown.
        notes: what is not shown and where it is to be had, in sentences.
        items: address of a page that shows all items; no examples are shown here then.
        language: of the page's own words, ``en`` or ``zh``; questions, answers and names stay as they are.

    Raises:
        UsageError: there is no run, the sample is negative, or the file cannot be written.

    Example:
        >>> write([run], Path("report.html"))                                                # doctest: +SKIP
    """
    if not sources:
        raise UsageError("a report needs at least one judged run")
    if sample < 0:
        raise UsageError(f"a report shows a sample of 0 or more items, not {sample}")
    if path.is_dir():
        raise UsageError(f"{path} is a folder: give the name of an HTML file in it, such as {path / 'report.html'}")
    if path.exists() and not path.is_file():
        raise UsageError(f"{path} is no regular file, and a report would replace it: give the name of an HTML file")
    context = _context(sources, seed=seed, sample=0 if items else sample, items=items)
    context["audited"] = audited
    if selected is not None:
        context["selected"] = replace(selected, parts=tuple(_with_figures(part) for part in selected.parts))
    together = [correlated] if isinstance(correlated, correlation.Section) else list(correlated or ())
    context["correlated"] = [replace(each, figure=_markup(each.figure)) for each in together]
    context["notes"] = notes
    partial = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with partial.open("w", encoding="utf-8", newline="\n") as file:
            pieces = _template().generate(context)
            for piece in [Translator().page("".join(pieces))] if language == "zh" else pieces:
                file.write(piece)
        partial.replace(path)
    except OSError as error:
        raise UsageError(f"the report cannot be written to {path}: {error.strerror or error}") from error
    finally:
        with suppress(OSError):
            partial.unlink()


def _template() -> Any:
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    def finalize(value: Any) -> Any:
        return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value

    environment = Environment(
        loader=PackageLoader("snellen.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=finalize,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template("report.html.j2")


def _context(sources: Sequence[ReportSource], *, seed: int, sample: int, items: str = "") -> dict[str, Any]:
    album = Album()
    runs = [
        _run(source, f"run-{number}", album, seed=seed, sample=sample, shows=not items)
        for number, source in enumerate(sources, 1)
    ]
    benchmarks = [
        (card, [source for source in sources if source.card.name == card.name])
        for card in {source.card.name: source.card for source in sources}.values()
    ]
    cards = [card for card, _ in benchmarks]
    title = cards[0].title if len(cards) == 1 else f"{len(sources)} runs on {len(cards)} benchmarks"
    return {
        "title": one_line(title, 200),
        "cards": [{"title": card.title, "summary": card.summary, "links": _links(card.links)} for card in cards],
        "runs": runs,
        "pictures": album.embedded,
        "comparison": _comparison(benchmarks) if len(sources) > 1 else None,
        "published": [
            published
            for number, (card, members) in enumerate(benchmarks, 1)
            if (published := _published(card, members, f"published-{number}")) is not None
        ],
        "caption_headings": beside.CAPTION_HEADINGS,
        "mark_words": WORDS,
        "bits": BITS,
        "states": [tuple(zip(screen_browsing.FILTERS, state, strict=True)) for state in screen_browsing.STATES],
        "selected": None,
        "items": items,
        "cut": CUT,
        "side": SIDE,
    }


def _links(links: Mapping[str, str]) -> list[dict[str, str]]:
    return [{"name": name, "url": url} for name, url in links.items() if _LINK.match(url)]


def _markup(svg: str) -> Any:
    from markupsafe import Markup

    return Markup(svg)  # drawn and escaped by figures.py


def _drawings(drawings: Iterable[overview.Drawing]) -> tuple[overview.Drawing, ...]:
    return tuple(replace(drawing, figure=_markup(drawing.figure)) for drawing in drawings)


def _with_figures(part: selective.Part) -> selective.Part:
    risk, reliability = _markup(part.risk_figure), _markup(part.reliability_figure)
    return replace(part, risk_figure=risk, reliability_figure=reliability)


def _run(source: ReportSource, anchor: str, album: Album, *, seed: int, sample: int, shows: bool) -> _Run:
    card, results = source.card, source.results

    def tag(label: str, value: str) -> str:
        return view.title_of(card, label, value)

    changed = resistance.section(source, album, seed=seed, sample=sample, title=tag)
    groups = collect(source, album, seed=seed, sample=sample, title=tag) if shows else ()
    return _Run(
        name=one_line(source.name, 200),
        anchor=anchor,
        score=card.score,
        headline_text=results.headline_text(),
        overall=view.Share.of(results.headline),
        outcomes=view.outcomes(source),
        abstention=view.Share.of(results.abstention),
        over_refusal=view.Share.of(results.over_refusal),
        remarks=tuple(dict.fromkeys((*source.remarks, *card.notes))),
        grid=view.grid(source),
        split=split.section(source),
        marginals=view.marginals(source),
        figure=_markup(view.marginals_figure(source, f"{anchor}-labels")) if results.marginals else "",
        declining=view.declining(source),
        captions=beside.caption_lines(source),
        claims="" if results.claims is None else results.claims.text(),
        resistance=changed,
        maps=tuple(overview.label_maps(source)),
        drawings=_drawings(overview.changed(source, anchor)),
        screens=screens.section(source),
        rereading=rereading.section(source),
        repeats=repeats.section(source),
        published=beside.published_text(source),
        differences=beside.difference_groups(source),
        groups=groups,
        browsing=screen_browsing.browsing(groups, anchor, card.labels, tag),
        shown=sum(len(group.examples) for group in groups),
        total=sum(group.total for group in groups),
        seed=seed,
        manifest=view.manifest_lines(source.manifest),
    )


def _comparison(benchmarks: Sequence[tuple[Card, list[ReportSource]]]) -> dict[str, Any]:
    figures, differences = [], []
    for number, (card, members) in enumerate(benchmarks, 1):
        names = view.short_names(members)
        lines = [
            Dot(name, source.results.headline.value, source.results.headline.low, source.results.headline.high)
            for name, source in zip(names, members, strict=True)
        ]
        drawing = dots(
            lines,
            key=f"forest-{number}",
            title=f"Runs on {card.title}",
            axis=f"share {card.score}",
            references=overview.references(members),
        )
        paired = comparison.paired(members) if len(members) > 1 else None
        figures.append(
            {
                "title": card.title,
                "figure": _markup(drawing),
                "paired": paired,
                "drawings": _drawings(overview.beside(card, members, f"beside-{number}")),
                "maps": tuple(overview.run_maps(card, members)) if len(members) > 1 else (),
            }
        )
        differences += [
            f"{card.title}: they differ in {', '.join(different)}; see their manifests."
            for different in [_differences(members)]
            if different
        ]
    return {"figures": figures, "differences": differences}


def _differences(sources: Sequence[ReportSource]) -> list[str]:
    """Entries of the manifests that ought to be alike and are not, besides the model itself."""

    def leaves(value: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
        if path and (path[0] in _OWN or (path[1:2] and path[1] in _PARTS.get(path[0], ()))):
            return
        if isinstance(value, Mapping):
            for key, entry in value.items():
                yield from leaves(entry, (*path, str(key)))
        else:
            yield path, repr(value)

    manifests = [dict(leaves(source.manifest, ())) for source in sources]
    paths = dict.fromkeys(path for manifest in manifests for path in manifest)
    return [
        one_line(" › ".join(path), 80).replace("_", " ")
        for path in paths
        if len({manifest.get(path) for manifest in manifests}) > 1
    ][:12]


def _published(card: Card, sources: Sequence[ReportSource], anchor: str) -> dict[str, Any] | None:
    """Published rows with the runs among them, best first; ties keep the published order, runs after."""
    if not any("" in row.rates for row in card.published):
        averages = screen_averages.published(card, sources, anchor)
        return None if averages is None else {**averages, "figure": _markup(averages["figure"])}
    keys = ["", *(f"{label}={value}" for label, values in card.labels.items() for value in values)]
    keys = [key for key in keys if any(key in row.rates for row in card.published)]
    rows: list[tuple[float, PublishedRow | None, ReportSource | None, str]] = [
        (row.rates[""], row, None, one_line(row.model, 80)) for row in card.published if "" in row.rates
    ]
    rows += [
        (source.results.headline.value, None, source, name)
        for source, name in zip(sources, view.short_names(sources), strict=True)
        if source.results.headline.value is not None
    ]
    rows.sort(key=lambda row: -row[0])
    figure = [
        Dot(name, value, style="published")
        if source is None
        else Dot(name, value, source.results.headline.low, source.results.headline.high)
        for value, _, source, name in rows
    ]
    return {
        "anchor": anchor,
        "title": card.title,
        "paper": card.paper,
        "models": sum(row is not None for _, row, _, _ in rows),
        "runs": "the run" if len(sources) == 1 else f"the {len(sources)} runs",
        "figure": _markup(
            dots(
                figure,
                key=anchor,
                title=f"Published results of {card.title}",
                axis=f"share {card.score}",
                references=overview.references(sources),
            )
        ),
        "columns": [_column(card, key) for key in keys],
        "lines": [
            {
                "title": name,
                "note": "" if row is None else row.note,
                "run": source is not None,
                "rates": [_rate(key, row, source) for key in keys],
            }
            for _, row, source, name in rows
        ],
    }


def _column(card: Card, key: str) -> str:
    label, _, value = key.partition("=")
    return view.title_of(card, label, value) if key else "Overall"


def _rate(key: str, row: PublishedRow | None, source: ReportSource | None) -> str:
    if row is not None:
        return view.percent(row.rates[key]) if key in row.rates else ""
    if source is None:
        return ""
    label, _, value = key.partition("=")
    estimate = source.results.marginals.get(label, {}).get(value) if key else source.results.headline
    return "" if estimate is None or estimate.value is None else view.percent(estimate.value)
