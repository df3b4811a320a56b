"""A model judge that sees one sentence at a time, reached through a server that replies by a script, beside the labels
that people gave: what it got wrong is found again, and the score is corrected."""

from __future__ import annotations

import json
import zlib
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

import chocolate_captions
import snellen
from fake_server import FakeServer, completion
from snellen import discovery
from snellen.engine.auditing import audit_runs
from snellen.model_spec import ModelSpec


def errs(sentence: str, share: int = 20) -> bool:
    """Whether the scripted judge errs on a sentence, for so many in a hundred."""
    return zlib.crc32(sentence.encode()) % 100 < share


@pytest.mark.slow
def test_a_scripted_judge_beside_people(test_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = test_data / "chocolate"
    if not (data / "chocolate.json").is_file():
        pytest.skip(f"no CHOCOLATE data at {data}: SNELLEN_TEST_DATA should hold chocolate/chocolate.json")
    point = EntryPoint("chocolate", "chocolate_captions", "snellen.benchmarks")
    third_parties = {"benchmarks": {"chocolate": point}}
    monkeypatch.setattr(discovery, "_entry_points", lambda kind: third_parties.get(kind, {}))
    rows = list(chocolate_captions.rows(data))
    by_people = {sentence: label for _, sentence, label, _, _ in rows}
    rows = [row for row in rows if by_people[row[1]] == row[2]]  # sentences that stand twice, labelled otherwise
    recorded = tmp_path / "captions.jsonl"
    recorded.write_text("\n".join(json.dumps({"id": row[0], "response": row[1]}) for row in rows), encoding="utf-8")

    def script(body: dict[str, Any], number: int) -> Any:
        parts = body["messages"][-1]["content"]
        assert any(part["type"] == "image_url" for part in parts)  # the judge is shown the chart
        text = next(part["text"] for part in parts if part["type"] == "text")
        sentence = max((each for each in by_people if each in text), key=len)
        value = by_people[sentence] ^ errs(sentence)
        return completion(f"It says so.\nVerdict: {'no hallucination' if value else 'hallucination'}")

    labels = tmp_path / "people.csv"
    third = [row for row in rows if zlib.crc32(row[4].encode()) % 3 == 0]  # of the charts, whole
    labels.write_text("id,label\n" + "".join(f"{row[0]},{row[2]}\n" for row in third), encoding="utf-8")
    whole = tmp_path / "everything.csv"
    whole.write_text("id,label\n" + "".join(f"{row[0]},{row[2]}\n" for row in rows), encoding="utf-8")
    with FakeServer(script) as server, snellen.Workspace(tmp_path / "workspace") as workspace:
        run = snellen.import_recorded("chocolate", recorded, model="captions", workspace=workspace, data=data)
        judge = ModelSpec("scripted", base_url=server.url)
        snellen.judge(run.row.name, judge=judge, workspace=workspace)
        name = next(row.name for row in workspace.ledger.runs() if row.parent == run.row.id and "scripted" in row.name)
        (found,) = audit_runs(workspace, [name], [whole]).runs[0].audits
        (part,) = audit_runs(workspace, [name], [labels]).runs[0].audits
    wrong = sum(errs(row[1]) for row in rows)
    assert wrong > 20
    assert found.overall.accuracy.n == len(rows)
    assert found.overall.lenient + found.overall.strict == wrong == len(found.disagreements)
    assert found.adjusted is not None
    truth = found.adjusted.audited.value
    assert truth == pytest.approx(sum(row[2] for row in rows) / len(rows))
    assert part.adjusted is not None
    estimate = part.adjusted.estimate
    assert (estimate.n, estimate.unscored) == (len(third), len(rows) - len(third))
    assert estimate.low is not None
    assert estimate.high is not None
    assert truth is not None
    assert estimate.low < truth < estimate.high
