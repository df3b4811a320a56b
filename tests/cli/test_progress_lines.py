"""What progress says in a pipe."""

from __future__ import annotations

import pytest

from snellen.cli.progress import ProgressLines
from snellen.engine.budget import Tally


def test_what_is_over_at_once_is_done_and_not_starting(capsys: pytest.CaptureFixture[str]) -> None:
    with ProgressLines() as lines:
        lines.watch.on_progress(Tally(to_ask=2), Tally())
        lines.watch.on_progress(Tally(to_ask=2, asked=2), Tally())
    assert capsys.readouterr().err.splitlines() == ["progress: model 0/2, starting", "progress: model 2/2, done"]
