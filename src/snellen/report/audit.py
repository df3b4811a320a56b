"""An audit in words: tables of agreement for the page, and what the terminal's tables are made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from snellen.card import Card
from snellen.engine.audit import JUDGE, PEOPLE, Agreement, Audit
from snellen.engine.audit_sample import VERDICT, Chosen
from snellen.engine.auditing import Audited, Disagreement, RunAudit
from snellen.engine.judge_panel import PANEL
from snellen.engine.self_preference import Preference
from snellen.estimate import Estimate
from snellen.report.comparison import chance, points
from snellen.report.text import Passage, one_line
from snellen.report.view import VALUES, Share, title_of
from snellen.table import CHANGE

SHOWN = 50
"""Disagreements of either kind that the page lists for each judge."""

HEADINGS = ("agree %", "kappa", "alpha", "found %", "passed %")
"""Above the numbers of an `AgreementLine`, after the items."""

LEGEND = (
    "Of the answers that people labelled and the judge decided: the share on which they agree, Cohen's kappa and "
    "Krippendorff's alpha, which take off the agreement by chance, the share of people's wrong answers that the judge "
    "calls wrong too (found: sensitivity), and the share of their right ones that it lets pass (passed: specificity), "
    "each with its 95 % interval over images. + passed by the judge and called wrong by people, - the other way."
)

_WORDS = {"right": "right", "wrong": "wrong", "cannot_tell": "cannot tell", "unscored": "not scored"}

VERDICTS = tuple(_WORDS[name] for name in JUDGE)
"""What a judge can say, above the columns of a confusion table."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A number with its interval; `value` is empty where it is not defined."""

    value: str = ""
    interval: str = ""

    @property
    def text(self) -> str:
        """Both; a dash where there is nothing."""
        return f"{self.value} {self.interval}".rstrip() or "-"


@dataclass(frozen=True, slots=True)
class AgreementLine:
    """How far a judge and people agree on some items, in the order of `HEADINGS`, and which way they differ."""

    title: str
    items: str
    figures: tuple[Figure, ...]
    lenient: str
    strict: str
    group: str = ""


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """A score: by the judge, by people on what they looked at, by people on all."""

    title: str
    figure: Figure
    items: str


@dataclass(frozen=True, slots=True)
class DisagreementLine:
    """An answer that both see differently."""

    item: str
    people: str
    judge: str
    reason: Passage
    question: Passage
    answer: Passage


@dataclass(frozen=True, slots=True)
class JudgeSection:
    """One judge beside people."""

    title: str
    scores: tuple[ScoreLine, ...]
    score_notes: tuple[str, ...]
    confusion: tuple[tuple[str, tuple[str, ...]], ...]
    parts: tuple[AgreementLine, ...]
    worst: tuple[AgreementLine, ...]
    differing: str
    disagreements: tuple[DisagreementLine, ...]


@dataclass(frozen=True, slots=True)
class RunSection:
    """One run."""

    title: str
    people: str
    lines: tuple[AgreementLine, ...]
    judges: tuple[JudgeSection, ...]
    pairs: tuple[tuple[str, str, str, Figure, Figure], ...]
    panel: str


@dataclass(frozen=True, slots=True)
class Section:
    """All that the page's template shows."""

    runs: tuple[RunSection, ...]
    preferences: tuple[str, ...]
    problems: tuple[str, ...]
    headings: tuple[str, ...] = HEADINGS
    legend: str = LEGEND
    verdicts: tuple[str, ...] = VERDICTS


def section(found: Audited, shown: int = SHOWN) -> Section:
    """The whole audit for the page, with so many disagreements of either kind for each judge."""
    return Section(
        tuple(run_section(run, shown) for run in found.runs),
        tuple(preference_text(each) for each in found.preferences),
        tuple(problem_texts(found, 50)),
    )


def problem_texts(found: Audited, most: int) -> Iterator[str]:
    """Labels that were not used, the first of them, and how many more there are."""
    for problem in found.problems[:most]:
        yield one_line(str(problem), 400)
    if len(found.problems) > most:
        yield f"and {len(found.problems) - most:,} more labels that were not used"


def run_section(run: RunAudit, shown: int) -> RunSection:
    """One run in words."""
    return RunSection(
        one_line(run.run, 120),
        people_text(run),
        tuple(agreement_line(judge_title(run, each.name), each.overall) for each in run.audits),
        tuple(_judge_section(run, each, shown) for each in run.audits),
        tuple(
            (
                judge_title(run, pair.first),
                judge_title(run, pair.second),
                f"{pair.accuracy.n:,}",
                share(pair.accuracy),
                coefficient(pair.kappa),
            )
            for pair in (run.panel.pairs if run.panel else ())
        ),
        panel_text(run),
    )


def _judge_section(run: RunAudit, found: Audit, shown: int) -> JudgeSection:
    card = run.judged[0].card
    return JudgeSection(
        judge_title(run, found.name),
        tuple(scores(found)),
        (*score_notes(found, card), leniency_text(found)),
        tuple(
            (_WORDS[people], tuple(f"{count:,}" for count in row))
            for people, row in zip(PEOPLE, found.confusion.tolist(), strict=True)
        ),
        tuple(_part_line(card, each) for each in found.parts[: 3 * VALUES]),
        tuple(agreement_line(labels_title(card, each.labels), each) for each in found.worst),
        differing_text(found, shown),
        tuple(disagreement_line(each) for each in run.disagreements(found, shown)),
    )


def differing_text(found: Audit, shown: int) -> str:
    """How many answers both see differently, which way, and whether all of them are listed."""
    lenient, strict = found.overall.lenient, found.overall.strict
    if not lenient and not strict:
        return "No answer is seen differently."
    listed = "" if not shown or max(lenient, strict) <= shown else f" The first {shown} of either kind are shown."
    return (
        f"Seen differently: {lenient + strict:,}. The judge lets {lenient:,} pass that people call wrong, and calls "
        f"{strict:,} wrong that people let pass.{listed}"
    )


def _part_line(card: Card, found: Agreement) -> AgreementLine:
    """The value's name under the label's."""
    group, _, title = labels_title(card, found.labels).partition(": ")
    return replace(agreement_line(title, found), group=group)


def judge_title(run: RunAudit, name: str) -> str:
    """A judging's name without the run's; the panel's says how many judges it has."""
    if name == PANEL and run.panel is not None:
        return f"panel of {len(run.panel.judges)}"
    return one_line(name.removeprefix(f"{run.run}@"), 60)


def labels_title(card: Card, labels: Mapping[str, str]) -> str:
    """``Relation: Normal``; ``Open-ended, Normal`` for a cell of several labels."""
    if len(labels) == 1:
        ((name, value),) = labels.items()
        if name == CHANGE:
            return f"Condition: {one_line(value, 60)}"
        return f"{title_of(card, name)}: {title_of(card, name, value)}"
    return ", ".join(title_of(card, name, value) for name, value in labels.items())


def share(estimate: Estimate) -> Figure:
    """A share in per cent: ``93.8``, ``[91.0, 95.7]``."""
    words = Share.of(estimate)
    return Figure(words.value, words.interval)


def coefficient(estimate: Estimate) -> Figure:
    """Kappa or alpha: ``0.85``, ``[0.81, 0.89]``."""
    if estimate.value is None:
        return Figure()
    interval = "" if estimate.low is None or estimate.high is None else f"[{estimate.low:.2f}, {estimate.high:.2f}]"
    return Figure(f"{estimate.value:.2f}", interval)


def agreement_line(title: str, found: Agreement) -> AgreementLine:
    """An agreement in words."""
    figures = (
        share(found.accuracy),
        coefficient(found.kappa),
        coefficient(found.alpha),
        share(found.sensitivity),
        share(found.specificity),
    )
    return AgreementLine(title, f"{found.accuracy.n:,}", figures, f"{found.lenient:,}", f"{found.strict:,}")


def scores(found: Audit) -> Iterator[ScoreLine]:
    """The judge's score, people's on what they looked at, and what people would have said of all."""
    adjusted = found.adjusted
    if adjusted is None:
        return
    yield ScoreLine("by the judge, all that it decided", share(adjusted.raw), f"{adjusted.raw.n:,}")
    yield ScoreLine("by the judge, what people looked at", share(adjusted.judged), f"{adjusted.judged.n:,}")
    yield ScoreLine("by people, what they looked at", share(adjusted.audited), f"{adjusted.audited.n:,}")
    whole = f"{adjusted.estimate.n + adjusted.estimate.unscored:,}"
    yield ScoreLine("human-adjusted: by people, all", share(adjusted.estimate), whole)


def score_notes(found: Audit, card: Card) -> Iterator[str]:
    """What the adjusted score rests on."""
    adjusted = found.adjusted
    if adjusted is None:
        yield "No clean answer is both decided by the judge and labelled, so there is no human-adjusted score."
        return
    if not adjusted.estimate.unscored:
        yield "People looked at every answer that the judge decided: their own share needs no adjusting."
        return
    yield (
        f"Human-adjusted: prediction-powered inference with weight {adjusted.weight:.2f} for the judge. It holds if "
        f"what people looked at, {_answers(adjusted.estimate.n)}, is a random sample of the "
        f"{adjusted.estimate.n + adjusted.estimate.unscored:,} that the judge decided on clean items."
    )
    differing = [each for each in found.sample if each.differs]
    for each in differing[:VALUES]:
        yield (
            f"They do not look like one: {chosen_text(card, each)} ({chance(each.p_holm)}). The human-adjusted score "
            "is not to be trusted as it stands; have a random sample labelled."
        )
    if not differing and any(each.p is not None for each in found.sample):
        yield (
            f"They look like one: the judge's verdict and {len(found.sample) - 1} values of labels are as frequent "
            "among them as among the others, within chance."
        )


def chosen_text(card: Card, each: Chosen) -> str:
    """``Relation: Normal is 40.0 % of them and 22.5 % of the others``."""
    title = "the judge's verdict right" if each.label == VERDICT else labels_title(card, {each.label: each.value})
    return f"{title} is {100 * each.audited:.1f} % of them and {100 * each.others:.1f} % of the others"


def leniency_text(found: Audit) -> str:
    """In which direction the judge errs."""
    leniency = found.leniency
    if leniency.value is None:
        return "No answer was decided by both."
    interval = ""
    if leniency.low is not None and leniency.high is not None:
        interval = f" [{points(leniency.low)}, {points(leniency.high)}]"
    return (
        f"The judge's share of right answers less people's, on the same {leniency.n:,}: {points(leniency.value)} points"
        f"{interval}, {chance(leniency.p)} (sign-flip test over images)."
    )


def people_text(run: RunAudit) -> str:
    """Who labelled what, and how far they agree among themselves."""
    crowd = run.crowd
    if crowd is None:
        return ""
    if not crowd.looked_at.any():
        return "Nobody labelled an answer of this run."
    who = "1 person" if len(crowd.raters) == 1 else f"{len(crowd.raters):,} people"
    text = f"{who}, {_answers(int(crowd.looked_at.sum()))} labelled"
    if crowd.undecided:
        text += f", {crowd.undecided:,} of which nobody can tell"
    if not crowd.several:
        return f"{text}. No answer has two people's labels, so their own agreement is not known."
    return (
        f"{text}; {crowd.several:,} by two or more: all say the same of {share(crowd.unanimous()).text} % of them, "
        f"Krippendorff's alpha {coefficient(crowd.alpha()).text}. The majority counts; {_ties(crowd.ties)} left out."
    )


def panel_text(run: RunAudit) -> str:
    """The judges together."""
    found = run.panel
    if found is None:
        return ""
    return (
        f"{len(found.judges)} judges: Krippendorff's alpha {coefficient(found.alpha).text}. Their majority lets "
        f"{share(found.rate).text} % pass, {_answers(found.rate.n)}; {_ties(found.ties)} not scored."
    )


def _answers(count: int) -> str:
    return f"{count:,} answer{'' if count == 1 else 's'}"


def _ties(count: int) -> str:
    return f"{count:,} tie{' is' if count == 1 else 's are'}"


def preference_text(each: Preference) -> str:
    """Whether a judge favours its own family."""
    value, low, high = each.difference.value, each.difference.low, each.difference.high
    name, family = one_line(each.judge, 60), one_line(each.family, 30)
    if value is None:
        return f"{name}: no answers of its family ({family}) and of others on which the other judges say the same."
    interval = "" if low is None or high is None else f" [{points(low)}, {points(high)}]"
    if low is None or high is None or low <= 0 <= high:
        verdict = "no preference is seen"
    else:
        verdict = "it favours its own family" if low > 0 else "it is harder on its own family"
    passed = "; ".join(
        f"of those that the others {'pass' if panel else 'fail'} it passes {share(own).text} % of its own and "
        f"{share(others).text} % of other families"
        for panel, (own, others) in each.passed.items()
    )
    return (
        f"{name} ({family}), {len(each.own)} runs of its family and {len(each.others)} of others, beside "
        f"{one_line(', '.join(each.panel), 120)}: {points(value)} points{interval}, {verdict}; {passed}."
    )


def disagreement_line(each: Disagreement) -> DisagreementLine:
    """A disagreement in words."""
    return DisagreementLine(
        one_line(each.item, 200),
        said_by(each.people),
        "right" if each.judge else "wrong",
        Passage.of(each.reason),
        Passage.of(each.question),
        Passage.of(each.answer),
    )


def said_by(people: Mapping[str, int | None]) -> str:
    """``wrong (ann, bob), right (cem)``."""
    groups: dict[str, list[str]] = {}
    for rater, value in people.items():
        word = "cannot tell" if value is None else "right" if value else "wrong"
        groups.setdefault(word, []).append(one_line(rater, 30))
    return ", ".join(f"{word} ({', '.join(_few(raters))})" for word, raters in groups.items())


def _few(raters: Sequence[str]) -> list[str]:
    return [*raters[:8], *([f"and {len(raters) - 8} more"] if len(raters) > 8 else [])]
