"""A methods paragraph for a paper, from what a run's manifest recorded: nothing in it is typed by hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from snellen.engine.results import UNSCORED_WORDS
from snellen.errors import UsageError
from snellen.intervals import RESAMPLES
from snellen.report.escaping import STYLES, Style, code, escape
from snellen.report.methods_words import CHINESE, ENGLISH, METHODS_CHINESE, PACKAGES, REASONS_CHINESE
from snellen.report.source import ReportSource
from snellen.report.text import one_line, redact

if TYPE_CHECKING:
    from snellen.engine.repeats import Spread

_WORDS = {"en": ENGLISH, "zh": CHINESE}
_DIGEST = 12  # hex digits of a digest that are spelt: enough to tell data and sources apart
_LONGEST = 200

Language = Literal["en", "zh"]


def methods(source: ReportSource, language: Language = "en", style: Style = "text") -> str:
    """How the numbers of a run came about, as one paragraph.

    It names benchmark and data digest, the model as declared and as its server named it, prompt, parameters as
    requested and as sent, image policy and conversions, dates, judge and rubric with their digests, counts, how
    intervals are made, versions and seed. What a manifest does not hold is left out.

    Args:
        source: a judged run, or one that is not judged yet.
        language: ``en`` or ``zh``.
        style: ``text``, ``markdown`` or ``latex``: how names are set and signs are escaped.

    Raises:
        UsageError: another language or style.
    """
    if language not in _WORDS or style not in STYLES:
        raise UsageError(f"a methods paragraph is in en or zh and {', '.join(STYLES)}, not in {language} and {style}")
    writer = _Writer(_WORDS[language], language, style)
    return writer.words["gap"].join((*_about_asking(source, writer), *_about_judging(source, writer)))


class _Writer:
    """Fills sentences in, names set as names."""

    def __init__(self, words: Mapping[str, str], language: Language, style: Style) -> None:
        self.words, self.language, self._style = words, language, style

    def say(self, sentence: str, **values: str) -> str:
        """A sentence with its places filled; values are fit for the style already."""
        return self.words[sentence].format(pct={"latex": r"\,\%"}.get(self._style, " %"), **values)

    def plain(self, value: Any) -> str:
        """A value as running text."""
        return escape(one_line(str(value), _LONGEST), self._style)

    def name(self, value: Any) -> str:
        """A value as a name: code in Markdown and LaTeX."""
        text = one_line(str(value), _LONGEST)
        if self._style == "markdown":
            return code(text)
        return rf"\texttt{{{escape(text, 'latex')}}}" if self._style == "latex" else text

    def digest(self, value: Any) -> str:
        """The beginning of a digest."""
        return self.name(str(value or "unknown")[:_DIGEST])

    def listed(self, parts: Sequence[str]) -> str:
        """Parts in a row, with "and" before the last."""
        if len(parts) < 2:
            return "".join(parts)
        return self.words["listed"].join(parts[:-1]) + self.words["last"] + parts[-1]

    def names(self, counts: Mapping[str, int]) -> str:
        """Names with their counts, where there are several."""
        if len(counts) == 1:
            return self.name(next(iter(counts)))
        return self.listed([self.say("count", set=self.name(name), count=f"{n:,}") for name, n in counts.items()])

    def parameters(self, values: Mapping[str, Any]) -> str:
        """``temperature=0, max_tokens=512``; in words where there are none."""
        if not values:
            return self.words["defaults"]
        texts = (f"{name}={redact(name, str(value))}" for name, value in sorted(values.items()))
        return ", ".join(map(self.name, texts))


def _about_asking(source: ReportSource, writer: _Writer) -> Iterator[str]:
    manifest = source.manifest
    plan: Mapping[str, Any] = manifest.get("plan", {})
    model: Mapping[str, Any] = manifest.get("model", {})
    asked: Mapping[str, Any] = manifest.get("asked", {})
    published = manifest.get("data_as_published")
    same = "" if published is None else writer.words["as_published" if published else "not_as_published"]
    clean = source.table.clean
    yield writer.say(
        "evaluated",
        model=writer.plain(model.get("name", plan.get("model", ""))),
        benchmark=writer.plain(source.card.title),
        items=f"{source.results.planned:,}",
        clusters=f"{len(set(source.table.clusters[clean].tolist())):,}",
        data=writer.digest(plan.get("data")),
        same=same,
    )
    served = model.get("kind", "openai-compatible") == "openai-compatible"
    if plan.get("recorded"):
        yield writer.say("recorded", digest=writer.digest(plan["recorded"]))
    elif not served:
        yield writer.say("embedded", revision=writer.name(plan.get("revision", "")))
    elif plan.get("revision"):
        yield writer.say("revision", revision=writer.name(plan["revision"]))
    if asked.get("server_models"):
        yield writer.say("named", names=writer.names(asked["server_models"]))
    if not plan.get("recorded"):
        prompt = plan.get("prompt", "direct")
        digest = writer.digest(manifest.get("prompt_source"))
        often = source.repeats.spread.repeats if source.repeats is not None else 1
        sentence = "asked" if often == 1 else "asked_often"
        yield writer.say(sentence, prompt=writer.name(prompt), digest=digest, repeats=f"{often:,}")
        if prompt == "direct" and source.card.domain != "screen":
            yield writer.say("direct")
    if plan.get("perturbations"):
        conditions = writer.listed([writer.name(each) for each in plan["perturbations"]])
        yield writer.say("changed", conditions=conditions, seed=writer.plain(plan.get("seed", 0)))
    if source.card.domain == "screen" and not plan.get("recorded"):
        yield writer.say("convention", convention=writer.name(plan.get("convention") or "sent:xyxy:xy"))
    if served and not plan.get("recorded"):
        yield writer.say(
            "requested", parameters=writer.parameters(plan.get("parameters", {})), sent=_sent(asked, writer)
        )
        yield _about_images(plan, asked, writer)
        yield from _about_dates("dates", asked, writer)
        tokens = asked.get("tokens", {})
        if asked.get("requests") and tokens.get("prompt"):
            counts = {name: f"{tokens[name]:,}" for name in ("prompt", "completion")}
            yield writer.say("tokens", requests=f"{asked['requests']:,}", **counts)


def _sent(asked: Mapping[str, Any], writer: _Writer) -> str:
    sets = asked.get("sent_parameters", ())
    if len(sets) < 2:
        return writer.parameters(sets[0]["parameters"] if sets else {})
    return writer.listed(
        [writer.say("count", set=writer.parameters(each["parameters"]), count=f"{each['requests']:,}") for each in sets]
    )


def _about_images(plan: Mapping[str, Any], asked: Mapping[str, Any], writer: _Writer) -> str:
    steps = asked.get("image_conversions", {})
    said = [writer.say("step", step=writer.plain(step), count=f"{count:,}") for step, count in steps.items()]
    conversions = writer.say("converted", steps=writer.listed(said)) if said else writer.words["unconverted"]
    return writer.say("images", policy=writer.name(plan.get("image_policy", "")), conversions=conversions)


def _about_dates(sentence: str, asked: Mapping[str, Any], writer: _Writer) -> Iterator[str]:
    moments = asked.get("answered", ())
    if moments:
        first, last = str(moments[0])[:10], str(moments[-1])[:10]
        yield writer.say(sentence, first=writer.plain(first), last=writer.plain(last))


def _about_judging(source: ReportSource, writer: _Writer) -> Iterator[str]:
    manifest, results = source.manifest, source.results
    judging: Mapping[str, Any] = manifest.get("judging", {})
    if not judging:
        yield writer.say("unjudged")
    else:
        yield from _about_judge(judging, writer)
        counts = {"planned": results.planned, "scored": results.scored, "unclear": results.unclear}
        yield writer.say("scored", **{name: f"{count:,}" for name, count in counts.items()})
        reasons = UNSCORED_WORDS if writer.language == "en" else REASONS_CHINESE
        unscored = {reason: count for reason, count in results.unscored.items() if count}
        if unscored:
            said = [
                writer.say("reason", count=f"{count:,}", reason=writer.plain(reasons.get(reason, reason)))
                for reason, count in unscored.items()
            ]
            yield writer.say("unscored", reasons=writer.listed(said))
        method = results.headline.method
        yield writer.say(
            "rates",
            confidence=f"{100 * results.headline.confidence:g}",
            method=writer.plain(method if writer.language == "en" else METHODS_CHINESE.get(method, method)),
        )
        if source.repeats is not None:
            yield from _about_repeats(source.repeats.spread, writer)
        if results.resistance is not None or results.screens is not None:
            yield writer.say("ratios", resamples=f"{RESAMPLES:,}")
    versions = [f"{PACKAGES.get(name, name)} {version}" for name, version in manifest.get("versions", {}).items()]
    if versions:
        yield writer.say(
            "versions", versions=writer.plain(", ".join(versions)), seed=writer.plain(manifest["plan"].get("seed", 0))
        )
    if manifest.get("earlier_environments") or judging.get("earlier_environments"):
        yield writer.say("earlier")
    cost = (manifest.get("cost") or 0.0) + (judging.get("cost") or 0.0)
    if cost:
        yield writer.say("cost", cost=f"{cost:,.2f}")


def _about_repeats(spread: Spread, writer: _Writer) -> Iterator[str]:
    from snellen.engine.repeats import JUDGE

    pooled = spread.pooled
    if pooled.value is None or pooled.low is None or pooled.high is None:
        return
    ends = {name: f"{100 * value:.1f}" for name, value in (("low", pooled.low), ("high", pooled.high))}
    often = {"repeats": f"{spread.repeats:,}", "judgings": f"{spread.judgings:,}"}
    yield writer.say("pooled", value=f"{100 * pooled.value:.1f}", **ends, **often)
    shares = {part.name: part.share.value for part in spread.components if part.share.value is not None}
    if shares and JUDGE in shares:
        said = [
            writer.say("part", name=writer.words[name], share=f"{100 * share:.0f}") for name, share in shares.items()
        ]
        yield writer.say("parts", parts=writer.listed(said))


def _about_judge(judging: Mapping[str, Any], writer: _Writer) -> Iterator[str]:
    options = ", ".join(f"{name}={value}" for name, value in sorted(judging.get("options", {}).items()))
    both = judging.get("source")  # of rubric and readers together, where they are not known apart
    digests = {
        "own": writer.digest(judging.get("rubric_source") or both),
        "readers": writer.digest(judging.get("readers_source") or both),
    }
    rubric = writer.name(f"{judging.get('judge', '')}{':' if options else ''}{options}")
    model: Mapping[str, Any] = judging.get("judge_model", {})
    asked: Mapping[str, Any] = judging.get("asked", {})
    if not model:
        yield writer.say("rules", rubric=rubric, **digests)
        return
    judge = writer.plain(model.get("name", ""))
    yield writer.say("compared" if model.get("embeds") else "judged", judge=judge, rubric=rubric, **digests)
    if asked.get("server_models"):
        yield writer.say("judge_named", names=writer.names(asked["server_models"]))
    if model.get("kind") == "openai-compatible":
        parameters = writer.parameters(judging.get("parameters", {}))
        yield writer.say("requested", parameters=parameters, sent=_sent(asked, writer))
        if judging.get("image_policy"):
            yield writer.say("judge_saw")
        yield from _about_dates("judge_dates", asked, writer)
