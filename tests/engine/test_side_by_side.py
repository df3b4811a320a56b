"""Work on several processes: results in order, errors as they are, one command to a folder."""

from __future__ import annotations

import operator
import os
import subprocess
import sys
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import cv2
import pytest

from snellen.engine.out_folder import OutFolder, finish, part_of, write
from snellen.engine.side_by_side import Workers
from snellen.errors import UsageError


def test_results_come_in_order_and_the_processes_are_kept() -> None:
    with Workers(2) as workers:
        assert not workers.begun
        assert list(workers.map(abs, range(-300, 0))) == list(range(300, 0, -1))
        assert workers.begun
        processes = {*workers.map(operator.call, [os.getpid] * 40), *workers.map(operator.call, [os.getpid] * 40)}
        assert os.getpid() not in processes
        assert len(processes) <= 2
    assert not workers.begun


def test_one_process_is_this_one_on_one_thread() -> None:
    before = cv2.getNumThreads()
    with Workers(1) as workers:
        assert list(workers.map(_threads, range(2))) == [(os.getpid(), 1)] * 2
        assert not workers.begun
    assert cv2.getNumThreads() == before


def _threads(_: int) -> tuple[int, int]:
    return os.getpid(), cv2.getNumThreads()


def test_an_error_ends_the_work_and_is_the_callers() -> None:
    with Workers(2) as workers:
        with pytest.raises(TypeError):
            list(workers.map(abs, [1, "a"]))  # type: ignore[arg-type]
        assert list(workers.map(abs, [-1])) == [1]


def test_a_process_that_is_killed_breaks_one_work_and_not_the_next() -> None:
    with Workers(2) as workers:
        with pytest.raises(BrokenProcessPool):
            list(workers.map(os._exit, [3]))
        assert list(workers.map(abs, [-1])) == [1]


def test_a_folder_is_for_one_command_at_a_time(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "out"
    with OutFolder(out):
        with pytest.raises(UsageError, match="another command is writing"), OutFolder(out):
            pass
        write(b"a", out / "a")
    with OutFolder(out):
        pass
    assert [path.name for path in out.iterdir()] == ["a"]


def test_what_a_killed_command_left_is_removed_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "images").mkdir()
    left = [part_of(tmp_path / "items.jsonl"), part_of(tmp_path / "images" / "a.png")]
    kept = [tmp_path / "notes.part", tmp_path / ".hidden.part", tmp_path / "a.snellen-part"]
    for path in (*left, *kept):
        path.write_bytes(b"half")
    with OutFolder(tmp_path):
        pass
    assert not any(path.exists() for path in left)
    assert all(path.exists() for path in kept)


def test_the_same_file_is_not_written_again(tmp_path: Path) -> None:
    write(b"one", tmp_path / "a")
    date = (tmp_path / "a").stat().st_mtime_ns
    for data in (b"one", b"two"):
        part = part_of(tmp_path / "a")
        part.write_bytes(data)
        finish(part, tmp_path / "a")
        assert not part.exists()
        assert (tmp_path / "a").read_bytes() == data
        assert ((tmp_path / "a").stat().st_mtime_ns == date) == (data == b"one")


def test_a_script_without_a_guard_is_run_once(tmp_path: Path) -> None:
    """Beginners write none, and each process would begin the script's runs anew."""
    script = tmp_path / "script.py"
    script.write_text(
        "print('ran')\n"
        "from snellen.engine.side_by_side import Workers\n"
        "with Workers(2) as workers:\n"
        "    print(sum(workers.map(abs, range(-3, 0))))\n",
        encoding="utf-8",
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout, done.stderr, done.returncode) == ("ran\n6\n", "", 0)
    assert sys.modules["__main__"].__name__ == "__main__"
