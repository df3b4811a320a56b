"""snellen compare and snellen ladder, from the command line to the page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import snellen
from snellen.cli import cli
from snellen.errors import UsageError

ITEMS = "gui-demo/*/en/phone-home*"


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, str]:
    """A workspace, and two runs on one screen: a model that always rejects, asked in two ways."""
    folder = tmp_path_factory.mktemp("compare") / "workspace"
    names = []
    with snellen.Workspace(folder) as workspace:
        for prompt in ("direct", "abstain"):
            run = snellen.run(
                "gui-demo",
                model="constant:The target is not on the screen.",
                prompt=prompt,
                items=ITEMS,
                rubric="gui:similarity=difflib",
                workspace=workspace,
            )
            names.append(run.name)
    return folder, names[0], names[1]


def call(folder: Path, *arguments: str) -> Result:
    return CliRunner().invoke(cli, ["--workspace", str(folder), *arguments], catch_exceptions=False)


def test_two_prompts_in_one_table(runs: tuple[Path, str, str]) -> None:
    folder, base, other = runs
    said = call(folder, "compare", base, other, "--by", "task", "--items")
    assert said.exit_code == 0
    assert f"compared with {base} (direct)" in said.stdout.replace("\n", "", 1)
    for words in ("over-refusal", "rejection rate", "false rejections", "Fabricated", "gained by", "lost by"):
        assert words in said.stdout
    assert "abstain: compared in prompt: direct, abstain." in said.stdout
    tables = said.stdout[: said.stdout.index("gained by")]
    assert max(map(len, tables.splitlines()[2:])) <= 80


def test_as_json_with_the_items(runs: tuple[Path, str, str]) -> None:
    folder, base, other = runs
    plain = json.loads(call(folder, "compare", base, other, "--items", "--json").stdout)
    assert plain["base"] == base
    assert plain["items"] == [{"run": other, "gained": [], "lost": []}]
    (line,) = plain["lines"]
    assert line["differences"]["rejection_rate"]["base"]["value"] == 1
    assert line["differences"]["localization_accuracy"]["other"]["value"] == 0


def test_more_than_two_are_ranked_and_shown_on_the_page(runs: tuple[Path, str, str], tmp_path: Path) -> None:
    folder, base, other = runs
    with snellen.Workspace(folder) as workspace:
        third = snellen.run(
            "gui-demo", model="constant:centre", items=ITEMS, rubric="gui:similarity=difflib", workspace=workspace
        ).name
    (folder / "models.toml").write_text("", encoding="utf-8")
    said = call(folder, "compare", base, other, third)
    assert said.exit_code == 0
    assert "tiers" in said.stdout
    assert "Runs that share a letter cannot be told apart" in said.stdout
    plain = json.loads(call(folder, "compare", base, other, third, "--json").stdout)
    assert len(plain["tiers"]["ranked"]) == 3
    assert plain["tiers"]["shared"] == plain["lines"][0]["shared"]
    assert plain["tiers"]["open_closed"] is None
    page = tmp_path / "ranking.html"
    assert call(folder, "report", base, other, third, "-o", str(page)).exit_code == 0
    assert "<h3>Ranking</h3>" in page.read_text("utf-8")


def test_one_run_under_several_conditions(tmp_path: Path) -> None:
    with snellen.Workspace(tmp_path) as workspace:
        run = snellen.run("charthal-demo", model="blind", perturb="typos:1,typos:5", sample=6, workspace=workspace)
    said = call(tmp_path, "compare", run.name, "--on", "clean", "--on", "typos:1", "--on", "typos:5", "--items")
    assert said.exit_code == 0
    assert "compared in condition: clean, typos:5." in said.stdout.replace("\n", " ")
    with pytest.raises(UsageError, match="not asked under 'jpeg:3'; there are: clean, typos:1, typos:5"):
        call(tmp_path, "compare", run.name, "--on", "clean", "--on", "jpeg:3")


def test_one_run_is_not_enough(runs: tuple[Path, str, str]) -> None:
    with pytest.raises(UsageError, match="two runs"):
        call(runs[0], "compare", runs[1])


def test_a_ladder_is_asked_shown_and_reported(runs: tuple[Path, str, str], tmp_path: Path) -> None:
    folder, base, _ = runs
    page = tmp_path / "ladder.html"
    said = call(folder, "ladder", base, "--rungs", "true,dropped", "--report", str(page))
    assert said.exit_code == 0
    assert "from-true-parse" in said.stdout
    assert "from-parse-without-target" in said.stdout
    assert said.stdout.count("compared with") == 2
    assert "2 questions, 3 left out: there is no target to drop (3)" in said.stderr
    html = page.read_text("utf-8")
    assert "Item by item, beside direct" in html
    assert "from-parse-without-target" in html
    again = json.loads(call(folder, "ladder", base, "--rungs", "true", "--json").stdout)
    assert again["rungs"]["true"]["asked"] == 5
    name = again["rungs"]["true"]["run"]
    assert name in call(folder, "runs").stdout
    shown = call(folder, "show", name, "gui-demo/confusion/en/phone-home-0-en").stdout
    assert "given with the question:\n  [" in shown
    assert "Camera" in shown


def test_a_dry_run_asks_nothing(runs: tuple[Path, str, str]) -> None:
    folder, base, _ = runs
    said = call(folder, "ladder", base, "--rungs", "dropped", "--with-image", "--dry-run", "--json")
    (name,) = json.loads(said.stdout)["runs"]
    assert name.startswith("gui-demo/constant-")


def test_rungs_are_checked(runs: tuple[Path, str, str]) -> None:
    folder, base, _ = runs
    for rungs, said in (("half", "no rung is named 'half'"), (",", "name a rung"), ("own", "can be read")):
        with pytest.raises(UsageError, match=said):
            call(folder, "ladder", base, "--rungs", rungs)
