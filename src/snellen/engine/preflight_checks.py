"""What a preflight makes of the answers it got: each check with what was found and, where it fails, what to change."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Literal

from snellen.convention import Convention
from snellen.engine.budget import HOPELESS
from snellen.engine.canned_items import BUTTON, REPEAT, WORD, Case
from snellen.engine.convention_detective import meanings
from snellen.judges import gui
from snellen.ledger import ResultRow
from snellen.model_spec import ModelSpec
from snellen.readers import thinking
from snellen.verdict import ABSTAINED, FORMAT_ERROR, UNCLEAR, Verdict

Status = Literal["ok", "warning", "failed", "skipped"]

_ALIKE = 0.75  # of two words, as `SequenceMatcher` counts: a letter or two misread
_TELLING = 5  # characters of a name that is found within another
_QUOTED = 120  # characters of a model's words


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at.

    Attributes:
        name: ``endpoint``, ``image seen``, ``parameters``, ``coordinates``, ``verdicts``, ``data``, ``time and cost``,
            ``at the start``.
        role: ``model``, ``judge`` or ``run``.
        status: ``ok``; ``warning``, which stops nothing; ``failed``; ``skipped``, with the reason.
        found: what was found, in a sentence without a full stop.
        change: what to change; empty where nothing needs to be.
    """

    name: str
    role: str
    status: Status
    found: str
    change: str = ""

    def to_json(self) -> dict[str, str]:
        """Plain values under the attributes' names."""
        return {name: getattr(self, name) for name in ("name", "role", "status", "found", "change")}


_ADVICE: Mapping[str, str] = {
    **HOPELESS,
    "timeout": "see whether the server is overloaded, or raise timeout in the model's entry of models.toml",
    "rate_limit": "wait, or ask for a higher limit; requests_per_minute in models.toml declares a known one",
    "quota": "the account is used up for now: raise its quota, or come back later",
    "bad_request": "the server refuses the request itself: read its words",
    "server": "the server itself fails: read its log",
    "malformed": "the base URL must be that of an OpenAI-compatible API, up to and with /v1",
    "image": "declare what the server takes of images in image_limits of the model's entry of models.toml",
}


_SILENT = (
    "see that thinking does not use up max_tokens, and that the server puts the answer into content and not into "
    "another field alone"
)


def about_endpoint(rows: Mapping[str, ResultRow], spec: ModelSpec) -> Check:
    """Whether the model answers at all, and who it says it is."""
    row = rows.get(REPEAT)
    answered = [each for each in rows.values() if each.answer is not None]
    if row is None or row.answer is None:
        if answered:
            kind, said = _failure(row)
            found = f"it answers about a picture, and not without one ({said})"
            return Check("endpoint", "model", "warning", found, _ADVICE.get(kind, ""))
        kind, said = _failure(row)
        return Check("endpoint", "model", "failed", said, _ADVICE.get(kind, "see the server's log"))
    if not _said(row):
        found = "a word is to be repeated, and the answer is empty"
        return Check("endpoint", "model", "failed", found, _SILENT)
    named = Counter(each.answer.server_model for each in answered if each.answer is not None)
    return endpoint_of("model", spec, named, row.answer.latency)


def endpoint_of(role: str, spec: ModelSpec, named: Mapping[str, int], seconds: float) -> Check:
    """The check of an endpoint that has answered, by the names which the server gave itself."""
    asked = spec.server_name or spec.name
    names = [name for name in named if name]
    if not names:
        return Check("endpoint", role, "ok", f"answers in {seconds:.1f} s; the server does not say which model it is")
    listed = " and ".join(names)
    if all(_alike(asked, name) for name in names):
        return Check("endpoint", role, "ok", f"answers in {seconds:.1f} s; the server says that it is {listed}")
    change = f"see that {asked} is what is served there: results are filed under {spec.name}"
    return Check("endpoint", role, "warning", f"asked for {asked}, and the server says that it is {listed}", change)


def about_image(rows: Mapping[str, ResultRow]) -> Check:
    """Whether the word in the picture was read."""
    row = rows.get(WORD)
    if row is None or row.answer is None:
        kind, said = _failure(row)
        asked = rows.get(REPEAT)
        if asked is None or asked.answer is None:
            return Check("image seen", "model", "skipped", "the model does not answer")
        if kind in ("bad_request", "image", "server"):
            change = "serve a model that takes images, with its image processor, or declare image_limits in models.toml"
        else:
            change = _ADVICE.get(kind, "")
        return Check("image seen", "model", "failed", f"a request with a picture fails ({said})", change)
    if row.answer.status == "truncated":
        change = "raise max_tokens in parameters of the model's entry of models.toml, or leave it out"
        return Check("image seen", "model", "failed", "the answer was cut before its end", change)
    text = _said(row)
    if not text and not _said(rows.get(REPEAT)):
        return Check("image seen", "model", "skipped", "the model says nothing")
    truth = row.item.reference.text if row.item.reference is not None else ""
    likeness = max((_likeness(truth, found) for found in re.findall(r"[^\W\d_]+", text)), default=0.0)
    if likeness == 1.0:
        return Check("image seen", "model", "ok", f"the word {truth} was read from a picture")
    if likeness >= _ALIKE:
        found = f"the word {truth} was read from a picture as {_quote(text)}"
        return Check("image seen", "model", "warning", found, "see whether images are scaled down on their way")
    change = (
        "the server may drop images: serve a model that takes them, with its image processor (llama.cpp: --mmproj), "
        "and mind image_limits in models.toml"
    )
    return Check("image seen", "model", "failed", f"a picture shows {truth}; the answer is {_quote(text)}", change)


def about_parameters(role: str, spec: ModelSpec, requested: Mapping[str, Any], sent: Sequence[Any]) -> Iterator[Check]:
    """Whether the parameters that were requested reached the model.

    Args:
        role: ``model`` or ``judge``.
        spec: the model.
        requested: of it.
        sent: parameters as sent, of each answer.
    """
    if not sent:
        yield Check("parameters", role, "skipped", "no answer tells")
        return
    lost = {name: value for name, value in requested.items() if any(each.get(name) != value for each in sent)}
    if not lost:
        listed = ", ".join(f"{name}={value}" for name, value in requested.items()) or "none"
        yield Check("parameters", role, "ok", f"accepted: {listed}")
    for name, value in lost.items():
        other = next((key for each in sent for key, v in each.items() if v == value and key not in requested), "")
        if other:
            yield Check("parameters", role, "ok", f"{name}={value} is sent as {other}, as the server wants it")
            continue
        declared = name in spec.parameters or (name == "reasoning_effort" and bool(spec.reasoning_effort))
        found = f"{name}={value} is refused by the server and left out"
        if declared:
            change = f"take {name} out of the model's entry of models.toml, or serve a model that knows it"
            yield Check("parameters", role, "failed", found, change)
        else:
            change = (
                f"declare parameters = {{{name} = ...}} in models.toml with a value that the server takes, or live "
            )
            yield Check("parameters", role, "warning", found, f"{change}with the server's own default")


def about_coordinates(rows: Mapping[str, ResultRow], declared: Convention, model: str) -> Check:
    """Whether places mean what is declared: big buttons are looked for under every convention."""
    answers = [(row.item, row.answer) for id_, row in rows.items() if id_.startswith(BUTTON) and row.answer is not None]
    if not answers:
        return Check("coordinates", "model", "skipped", "no answer about a screen")
    hits: list[int] = []
    known = meanings(declared)
    own = next(k for k, (_, each) in enumerate(known) if str(each) == str(declared))
    readings: list[Verdict] = []
    for k, (_, convention) in enumerate(known):
        verdicts = [gui.read(item, answer, convention=convention) for item, answer in answers]
        hits.append(sum(verdict.value == 1 for verdict in verdicts))
        readings = verdicts if k == own else readings
    n, best = len(answers), max(range(len(hits)), key=lambda k: (hits[k], k == own))
    if hits[own] >= n - 1 and hits[own]:
        return Check("coordinates", "model", "ok", f"{hits[own]} of {n} big buttons are hit, read as {declared}")
    said = f"read as declared ({declared}), {hits[own]} of {n} big buttons are hit"
    if hits[best] >= max(2, n - 1) and hits[best] - hits[own] >= 2:
        names, convention = known[best]
        name = next((each for each in names if each.partition("-")[0] in model.lower()), names[0])
        found = f"{said}; read as {convention}, {hits[best]} are"
        change = f'put convention = "{name}" into the entry of {model} in models.toml, or name it with --convention'
        return Check("coordinates", "model", "failed", found, change)
    words = _quote(answers[0][1].text)
    if all(FORMAT_ERROR in verdict.flags or UNCLEAR in verdict.flags for verdict in readings):
        change = "a model that is not trained to point cannot be measured on screens; see what it writes instead"
        return Check("coordinates", "model", "failed", f"no answer gives a place that can be read: {words}", change)
    if all(ABSTAINED in verdict.flags for verdict in readings):
        return Check("coordinates", "model", "warning", f"every big button is said to be absent: {words}")
    change = "the model may point badly, or in a convention that is not known; the words of its answers tell"
    return Check("coordinates", "model", "warning", f"{said}, and no other reading does better: {words}", change)


def about_verdicts(cases: Sequence[Case], rows: Mapping[str, ResultRow], failures: Mapping[str, str]) -> Check:
    """Whether the judge's verdicts can be read, and are right.

    Args:
        cases: what it was given.
        rows: by item id, with its verdicts.
        failures: item id -> kind and message, where it could not be asked.
    """
    wrong: list[str] = []
    for case in cases:
        row = rows.get(case.item.id)
        verdict = row.verdict if row is not None else None
        if verdict is None:
            kind, _, said = failures.get(case.item.id, "").partition(": ")
            found = f"does not answer ({kind}: {said})" if kind else "does not answer"
            return Check("verdicts", "judge", "failed", found, _ADVICE.get(kind, "see the server's log"))
        where = f"{case.what} answer in {case.item.language}"
        if verdict.unscored == "judge_error":
            change = (
                "take a judge that keeps to a form, raise its max_tokens if replies are cut, or choose another rubric"
            )
            return Check("verdicts", "judge", "failed", f"a {where}: {_quote(verdict.reason)}", change)
        if verdict.value != case.value:
            said = "no verdict" if verdict.value is None else f"{verdict.value}"
            wrong.append(f"{said} instead of {case.value} for a {where}")
    if wrong:
        change = "take a stronger judge, or audit this one before its numbers are used"
        listed = "; ".join(wrong)
        return Check(
            "verdicts", "judge", "failed", f"{len(wrong)} of {len(cases)} verdicts are wrong: {listed}", change
        )
    languages = " and ".join(dict.fromkeys(case.item.language for case in cases))
    kinds = ", ".join(dict.fromkeys(case.what.partition(",")[0] for case in cases))
    return Check("verdicts", "judge", "ok", f"{len(cases)} of {len(cases)} are right ({kinds}; {languages})")


def _said(row: ResultRow | None) -> str:
    """An answer without its thinking; empty where there is none."""
    if row is None or row.answer is None:
        return ""
    return thinking.strip(row.answer.text, row.answer.finish_reason or None)[0].strip()


def _failure(row: ResultRow | None) -> tuple[str, str]:
    """(kind, words) of why there is no answer."""
    if row is None or row.failure is None:
        return "", "not asked: the session was stopped"
    return row.failure.kind, f"{row.failure.kind}: {row.failure.message}"


def _alike(asked: str, named: str) -> bool:
    """Whether one name is a longer form of the other: ``gpt-4o`` and ``gpt-4o-2024-11-20``."""
    a, b = (re.sub(r"[^a-z0-9]+", "-", name.lower().rsplit("/", 1)[-1]) for name in (asked, named))
    short, long = sorted((a, b), key=len)
    return long.startswith(short) or (len(short) >= _TELLING and short in long)


def _likeness(a: str, b: str) -> float:
    return SequenceMatcher(None, a.lower(), b.lower(), autojunk=False).ratio()


def _quote(text: str) -> str:
    line = " ".join(text.split())
    return repr(line if len(line) <= _QUOTED else f"{line[: _QUOTED - 1]}…") if line else "empty"
