"""The ledger: what is final stays, what is claimed is asked once, what is broken says so."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from snellen.answer import Answer, Failure, Usage
from snellen.errors import LedgerError, UsageError
from snellen.item import Change, ImageRef, Item, TextReference
from snellen.ledger import Ledger, PlannedRow
from snellen.verdict import ABSTAINED, HEDGED, Verdict

HARD_TEXTS = [
    "",
    "None",
    "N/A",
    "NaN",
    "http://example.org/a " + "x" * 2100,
    "第一行\n第二行\t\r\n",
    "null\x00byte",
    "=1+1",
    "'quoted', \"twice\"",
    "\u202eright to left",
    "🙂" * 300,
]


def item(number: int, **changes: object) -> Item:
    values: dict[str, object] = {
        "id": f"b/{number}/0",
        "question": f"question {number}",
        "images": (ImageRef("images/1.png", sha256="ab" * 32),),
        "reference": TextReference("truth"),
        "labels": {"relation": "normal"},
        "groups": {"figure": "1"},
        "cluster": "b/1",
        "changes": (Change("jpeg", 3, 0, "kept"),),
    }
    return Item(**(values | changes))  # type: ignore[arg-type]


def key(number: int) -> bytes:
    return number.to_bytes(16, "big")


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    opened = Ledger(tmp_path / "workspace")
    yield opened
    opened.close()


def plan(ledger: Ledger, count: int = 3) -> int:
    run = ledger.add_run("b/m-1", b"p" * 16, {"benchmark": "b"})
    ledger.plan_items(run.id, [PlannedRow(n, item(n), key(n)) for n in range(count)])
    return run.id


@pytest.mark.parametrize("text", HARD_TEXTS, ids=range(len(HARD_TEXTS)))
def test_answers_come_back_byte_for_byte(ledger: Ledger, text: str) -> None:
    answer = Answer(
        "answered", text, text, "stop", Usage(1, 2, 0, 1), 1.5, {"parameters": {"temperature": 0}}, "served"
    )
    ledger.claim([key(1)])
    ledger.store([(key(1), answer)])
    assert ledger.final(key(1)) == answer


def test_items_come_back_as_they_went_in(ledger: Ledger) -> None:
    run = plan(ledger)
    assert [row.item for row in ledger.results(run, None)] == [item(n) for n in range(3)]


def test_only_what_is_not_final_is_asked_again(ledger: Ledger) -> None:
    run = plan(ledger, 5)
    ledger.claim([key(n) for n in range(5)])
    ledger.store(
        [
            (key(0), Answer("answered", "yes")),
            (key(1), Answer("truncated", "ye")),
            (key(2), Answer("blocked")),
            (key(3), Answer("failed", failure=Failure("server", "HTTP 500"))),
        ]
    )
    assert [row.position for row in ledger.unanswered(run, -1, 10)] == [3, 4]
    rows = ledger.results(run, None)
    assert rows[3].failure == Failure("server", "HTTP 500")
    assert rows[3].answer is None
    assert rows[4].failure is None


def test_a_failure_is_forgotten_when_the_answer_comes(ledger: Ledger) -> None:
    run = plan(ledger, 1)
    ledger.store([(key(0), Answer("failed", failure=Failure("server", "HTTP 500")))])
    ledger.store([(key(0), Answer("answered", "yes"))])
    row = ledger.results(run, None)[0]
    assert row.failure is None
    assert row.answer is not None
    assert row.answer.text == "yes"


def test_the_first_final_answer_stays(ledger: Ledger) -> None:
    ledger.store([(key(0), Answer("answered", "first"))])
    ledger.store([(key(0), Answer("answered", "second"))])
    final = ledger.final(key(0))
    assert final is not None
    assert final.text == "first"


def test_planning_again_changes_nothing(ledger: Ledger) -> None:
    run = plan(ledger)
    before = ledger.results(run, None)
    assert plan(ledger) == run
    assert ledger.results(run, None) == before


def test_two_owners_never_get_one_request(tmp_path: Path) -> None:
    first, second = Ledger(tmp_path), Ledger(tmp_path)
    assert first.claim([key(1), key(2)]) == {key(1): "granted", key(2): "granted"}
    assert second.claim([key(1), key(3)]) == {key(1): "elsewhere", key(3): "granted"}
    first.store([(key(1), Answer("answered", "yes"))])
    first.release([key(2)])
    claims = second.claim([key(1), key(2)])
    assert claims[key(2)] == "granted"
    assert isinstance(claims[key(1)], Answer)
    first.close()
    second.close()


def test_claims_of_a_closed_owner_are_free(tmp_path: Path) -> None:
    first, second = Ledger(tmp_path), Ledger(tmp_path)
    first.claim([key(1)])
    first.close()
    assert second.claim([key(1)]) == {key(1): "granted"}
    second.close()


def test_claims_of_a_killed_owner_are_free(tmp_path: Path) -> None:
    program = (
        "import os, pathlib, signal, sys\n"
        "from snellen.ledger import Ledger\n"
        "Ledger(pathlib.Path(sys.argv[1])).claim([(1).to_bytes(16, 'big')])\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    killed = subprocess.run([sys.executable, "-c", program, str(tmp_path)], check=False)
    assert killed.returncode == -9
    ledger = Ledger(tmp_path)
    assert ledger.claim([key(1)]) == {key(1): "granted"}
    ledger.close()
    assert not list((tmp_path / "owners").glob("*.lock"))


def test_verdicts_come_back(ledger: Ledger) -> None:
    run = plan(ledger)
    judging = ledger.add_run("b/m-1@rules", b"j" * 16, {"judge": "rules"}, parent=run)
    ledger.store([(key(0), Answer("answered", "yes"))])
    assert [row.position for row in ledger.unjudged(run, judging.id, -1, 10, 2**62)] == [0]
    verdict = Verdict(0, "because", (ABSTAINED, HEDGED), measures={"objects": (1.0, 3.0)})
    unscored = Verdict(None, "", unscored="judge_error")
    ledger.put_verdicts(judging.id, [(0, verdict), (1, unscored)])
    rows = ledger.results(run, judging.id)
    assert (rows[0].verdict, rows[1].verdict, rows[2].verdict) == (verdict, unscored, None)
    assert ledger.unjudged(run, judging.id, -1, 10, 2**62) == []
    assert ledger.judged(judging.id) == {0, 1}


def test_a_judge_that_gave_no_answer_is_known(ledger: Ledger) -> None:
    run = plan(ledger)
    judging = ledger.add_run("b/m-1@j", b"j" * 16, {"judge": "j"}, parent=run)
    ledger.put_replies(judging.id, [(0, 0, key(10)), (1, 0, key(11))])
    ledger.store([(key(10), Answer("answered", "Score: 1"))])
    ledger.store([(key(11), Answer("failed", failure=Failure("timeout", "slow")))])
    assert ledger.unreplied(judging.id) == {1}
    assert ledger.replies(judging.id, 1) == [(0, None, Failure("timeout", "slow"))]
    assert ledger.usage(judging.id, judging=True)["requests"] == 1


def test_deleting_a_run_keeps_what_another_needs(ledger: Ledger) -> None:
    run = plan(ledger)
    other = ledger.add_run("b/m-2", b"q" * 16, {"benchmark": "b"})
    ledger.plan_items(other.id, [PlannedRow(0, item(0), key(0))])
    ledger.store([(key(0), Answer("answered", "shared")), (key(1), Answer("answered", "alone"))])
    ledger.delete_run(run)
    assert ledger.final(key(0)) is not None
    assert ledger.final(key(1)) is None
    assert [row.name for row in ledger.runs()] == ["b/m-2"]
    assert ledger.results(other.id, None)[0].item == item(0)


def test_runs_are_found_by_an_unambiguous_beginning(ledger: Ledger) -> None:
    ledger.add_run("b/m-1a", b"1" * 16, {})
    ledger.add_run("b/m-2a", b"2" * 16, {})
    assert ledger.find_run("b/m-1").name == "b/m-1a"
    with pytest.raises(UsageError, match=r"several runs begin with 'b/m'; there are: b/m-1a, b/m-2a"):
        ledger.find_run("b/m")
    with pytest.raises(UsageError, match="there is no run 'c'; there are: b/m-1a, b/m-2a"):
        ledger.find_run("c")
    with pytest.raises(UsageError, match="there is no run 'b/m-2b'; there are: b/m-2a"):
        ledger.find_run("b/m-2b")


@pytest.mark.parametrize(("version", "advice"), [("3", "upgrade Snellen"), ("1", "use the Snellen that made it")])
def test_another_schema_is_refused(tmp_path: Path, version: str, advice: str) -> None:
    Ledger(tmp_path).close()
    connection = sqlite3.connect(tmp_path / "ledger.sqlite")
    connection.execute("UPDATE meta SET value = ? WHERE name = 'schema_version'", (version,))
    connection.commit()
    connection.close()
    with pytest.raises(LedgerError, match=f"schema version {version}.*{advice}"):
        Ledger(tmp_path)


def test_another_programs_database_is_refused(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "ledger.sqlite")
    connection.execute("CREATE TABLE somebody (else_ TEXT)")
    connection.close()
    with pytest.raises(LedgerError, match="another program's database"):
        Ledger(tmp_path)


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "ledger.sqlite").write_bytes(b"no database at all" * 100)
    with pytest.raises(LedgerError, match="not a ledger"):
        Ledger(tmp_path)


def test_a_workspace_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(LedgerError, match="choose another with --workspace"):
        Ledger(tmp_path / "file")


def test_a_network_file_system_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Part:
        mountpoint, fstype = str(tmp_path.resolve()), "nfs4"

    monkeypatch.setattr("psutil.disk_partitions", lambda **_: [Part])
    with pytest.raises(LedgerError, match="network file system"):
        Ledger(tmp_path / "workspace")


def test_a_full_disk_says_so_and_loses_nothing(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    ledger.store([(key(0), Answer("answered", "kept"))])
    ledger.close()
    ledger = Ledger(tmp_path)
    # SQLite's own cap on pages fails in the same way as a disk without room.
    pages = sqlite3.connect(ledger.path).execute("PRAGMA page_count").fetchone()[0]
    with ledger._database.write() as connection:
        connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(LedgerError, match="the disk is full"):
        ledger.store([(key(1), Answer("answered", "x" * 1_000_000))])
    kept = ledger.final(key(0))
    assert kept is not None
    assert kept.text == "kept"
    assert ledger.final(key(1)) is None
    ledger.close()
