"""``snellen purge`` from outside."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import small_charthal
import snellen
from snellen import library
from snellen.cli import cli


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    data = small_charthal.write(tmp_path / "data", figures=2)
    with snellen.Workspace(tmp_path / "workspace") as workspace:
        library.run("charthal", model="constant", workspace=workspace, data=data)
    return tmp_path / "workspace"


def call(folder: Path, *arguments: str) -> Result:
    return CliRunner().invoke(cli, ["--workspace", str(folder), *arguments])


def test_images_are_counted_then_taken_out(folder: Path) -> None:
    dry = call(folder, "purge", "--images", "--dry-run")
    assert dry.exit_code == 0
    assert dry.output.startswith("images: 2 files, ")
    assert dry.output.endswith(" to be freed\n")
    assert len(list((folder / "images").glob("??/*"))) == 2
    done = json.loads(call(folder, "purge", "--images", "--json").output)
    assert (done["images"]["count"], done["dry_run"], done["thinking"]["count"]) == (2, False, 0)
    assert not list((folder / "images").glob("??/*"))


def test_show_says_that_a_picture_was_purged(folder: Path) -> None:
    name = json.loads(call(folder, "runs", "--json").output)["runs"][0]["name"]
    assert "purged" not in call(folder, "show", name, "charthal/1/0").output
    call(folder, "purge", "--images", name)
    assert " (purged on 20" in call(folder, "show", name, "charthal/1/0").output
    assert json.loads(call(folder, "show", name, "charthal/1/0", "--json").output)["purged"].keys() == {"images"}


def test_thinking_and_the_size_of_the_ledger_are_said(folder: Path) -> None:
    done = call(folder, "purge", "--thinking")
    assert done.output.startswith("thinking: 0 answers and replies, 0 B freed\nledger: ")


def test_what_to_take_out_must_be_said(folder: Path) -> None:
    refused = call(folder, "purge")
    assert refused.exit_code == 2
    assert "say what is to be taken out: --thinking, --images, or both" in refused.output


def test_a_folder_without_a_ledger_is_left_alone(tmp_path: Path) -> None:
    refused = call(tmp_path / "nowhere", "purge", "--images")
    assert refused.exit_code == 2
    assert "there is no ledger in" in refused.output
    assert not (tmp_path / "nowhere").exists()
