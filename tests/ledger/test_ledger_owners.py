"""Owners that were killed leave nothing behind, and several operations are one transaction."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from snellen.answer import Answer, Failure
from snellen.errors import LedgerError
from snellen.ledger import Ledger

TWO_DAYS_AGO = time.time() - 2 * 86_400


def key(number: int) -> bytes:
    return number.to_bytes(16, "big")


def killed_owner(folder: Path, then: str = "") -> None:
    program = (
        "import os, pathlib, signal, sys\n"
        "from snellen.ledger import Ledger\n"
        "ledger = Ledger(pathlib.Path(sys.argv[1]))\n"
        f"ledger.claim([(1).to_bytes(16, 'big')]);{then}\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    assert subprocess.run([sys.executable, "-c", program, str(folder)], check=False).returncode == -9


def owners(ledger: Ledger) -> int:
    with ledger._database.read() as connection:
        return int(connection.execute("SELECT count(*) FROM owner").fetchone()[0])


def test_a_killed_owner_without_claims_goes_when_another_registers(tmp_path: Path) -> None:
    killed_owner(tmp_path, "ledger.release([(1).to_bytes(16, 'big')])")
    ledger = Ledger(tmp_path)
    assert owners(ledger) == 1
    ledger.claim([key(9)])
    assert owners(ledger) == 1  # ours
    assert len(list((tmp_path / "owners").iterdir())) == 1
    ledger.close()


def test_a_killed_owner_goes_when_another_closes(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    ledger.claim([key(9)])
    killed_owner(tmp_path)
    assert owners(ledger) == 2
    ledger.close()
    assert not list((tmp_path / "owners").iterdir())
    again = Ledger(tmp_path)
    assert owners(again) == 0
    again.close()


def test_an_owner_that_lives_stays_and_is_known(tmp_path: Path) -> None:
    first, second = Ledger(tmp_path), Ledger(tmp_path)
    first.claim([key(1)])
    second.claim([key(2)])
    assert [process for _, process in second.others()] == [os.getpid()]
    second.close()
    assert owners(first) == 1
    assert first.others() == []
    first.close()


def test_looking_for_others_makes_no_lock_anew(tmp_path: Path) -> None:
    killed_owner(tmp_path)
    (lock,) = (tmp_path / "owners").iterdir()
    lock.unlink()
    ledger = Ledger(tmp_path)
    assert not ledger.others()
    assert not list((tmp_path / "owners").iterdir())
    ledger.close()


def test_a_workspace_that_was_renamed_is_not_said_to_be_lost(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "here")
    ledger.claim([key(1)])
    (tmp_path / "here").rename(tmp_path / "there")
    with pytest.raises(LedgerError, match="moved, renamed or deleted"):
        ledger.claim([key(2)])
    ledger.close()


def test_numbers_of_owners_are_never_given_again(tmp_path: Path) -> None:
    numbers = set()
    for _ in range(3):
        ledger = Ledger(tmp_path)
        numbers.add(ledger._owner.number())
        ledger.close()
    assert len(numbers) == 3


def test_leftovers_older_than_a_day_are_swept(tmp_path: Path) -> None:
    (tmp_path / "owners").mkdir()
    (tmp_path / "images").mkdir()
    gone, here = 2**22 + 1, os.getpid()  # beyond what Linux counts to; ours
    old = [tmp_path / "owners" / "aa.lock", tmp_path / "images" / f".incoming-{gone}-ab"]
    kept = [tmp_path / "owners" / "bb.lock", tmp_path / "images" / f".incoming-{gone}-cd"]
    at_work = tmp_path / "images" / f".incoming-{here}-ef"
    for path in (*old, *kept, at_work):
        path.touch()
    for path in (*old, at_work):
        os.utime(path, (TWO_DAYS_AGO, TWO_DAYS_AGO))
    ledger = Ledger(tmp_path)
    ledger.claim([key(1)])
    assert not any(path.exists() for path in old)
    assert all(path.exists() for path in (*kept, at_work))
    ledger.close()


def test_a_lock_that_is_held_is_not_swept_however_old(tmp_path: Path) -> None:
    first = Ledger(tmp_path)
    first.claim([key(1)])
    (lock,) = (tmp_path / "owners").iterdir()
    os.utime(lock, (TWO_DAYS_AGO, TWO_DAYS_AGO))
    second = Ledger(tmp_path)
    assert second.claim([key(1)]) == {key(1): "elsewhere"}
    assert lock.exists()
    second.close()
    first.close()


def test_together_is_one_transaction(tmp_path: Path) -> None:
    ledger, other = Ledger(tmp_path), Ledger(tmp_path)
    with ledger.together():
        assert ledger.claim([key(1)]) == {key(1): "granted"}
        ledger.store([(key(1), Answer("answered", "yes", sent={"parameters": {}}, server_model="m"))])
        assert ledger.final(key(1)) is not None  # seen within
        assert other.final(key(1)) is None
    assert other.final(key(1)) == ledger.final(key(1))
    other.close()
    ledger.close()


def test_together_is_undone_as_a_whole(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    answer = Answer("answered", "yes", sent={"parameters": {"seed": 1}}, server_model="m")

    def fails() -> None:
        with ledger.together():
            ledger.store([(key(1), answer)])
            raise ValueError("in the middle")

    with pytest.raises(ValueError, match="in the middle"):
        fails()
    assert ledger.final(key(1)) is None
    ledger.store([(key(2), answer)])  # what was sent was undone too: its number is not remembered
    assert ledger.final(key(2)) == answer
    ledger.close()


def test_a_part_that_fails_in_silence_undoes_the_whole(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)

    def hides() -> None:
        with ledger.together():
            ledger.store([(key(1), Answer("answered", "yes"))])
            with pytest.raises(LedgerError):
                ledger.store([(key(2), Answer("answered", "no", latency=1.0, finish_reason=object()))])  # type: ignore[arg-type]

    with pytest.raises(LedgerError, match="a part of a transaction failed"):
        hides()
    assert ledger.final(key(1)) is None
    ledger.close()


def test_a_key_asked_for_twice_is_claimed_once(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    many = [key(number % 700) for number in range(1000)]
    assert set(ledger.claim(many).values()) == {"granted"}
    ledger.store([(key(3), Answer("failed", failure=Failure("timeout", "slow")))])
    assert ledger.claim([key(3)]) == {key(3): "granted"}
    ledger.release([key(number) for number in range(700)])
    ledger.close()


@pytest.mark.parametrize("count", [1, 2, 3, 500, 511, 512, 513, 1200])
def test_lists_of_any_length_find_what_is_there(tmp_path: Path, count: int) -> None:
    ledger = Ledger(tmp_path)
    ledger.store([(key(number), Answer("answered", str(number))) for number in range(count)])
    wanted = [key(number) for number in range(2 * count)]
    assert ledger.answered(wanted) == {key(number) for number in range(count)}
    assert ledger.answered([]) == set()
    ledger.close()
