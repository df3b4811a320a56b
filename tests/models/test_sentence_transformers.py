"""Texts to vectors by the package sentence-transformers, in a BERT with random weights that is built here."""

from __future__ import annotations

import importlib
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt
import pytest

from snellen.benchmarks import gui_demo
from snellen.errors import ModelError
from snellen.item import Element, ElementsReference, Item
from snellen.models import sentence_transformers
from snellen.readers import embedding
from snellen.request import Message, Request, TextPart

pytestmark = pytest.mark.train

SCREENS = ("phone-home", "phone-login")
EDGES = ("left", "top", "right", "bottom")
GIVEN = 4
"""Elements of each screen that the recorded model lists."""

Vector = npt.NDArray[np.float64]


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a BERT of 16 dimensions whose words are single letters; how to pool is not declared, as often."""
    reason = "needs torch and sentence-transformers: make test-train installs them"
    torch = pytest.importorskip("torch", reason=reason)
    pytest.importorskip("sentence_transformers", reason=reason)
    transformers = importlib.import_module("transformers")
    folder = tmp_path_factory.mktemp("bert")
    letters = [chr(code) for code in range(ord("!"), ord("~"))]
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, *(f"##{letter}" for letter in letters)]
    (folder / "vocab.txt").write_text("\n".join(words) + "\n", "utf-8")
    transformers.BertTokenizerFast(vocab=str(folder / "vocab.txt")).save_pretrained(folder)
    torch.manual_seed(5)
    sizes = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
    config = transformers.BertConfig(**sizes, vocab_size=len(words), max_position_embeddings=128, initializer_range=0.5)
    transformers.BertModel(config).save_pretrained(folder)
    return folder


def by_hand(bert: Path, text: str) -> Vector:
    """The mean over a text's tokens, of length 1, without the package."""
    torch, transformers = importlib.import_module("torch"), importlib.import_module("transformers")
    tokens = transformers.AutoTokenizer.from_pretrained(bert)(text, return_tensors="pt")
    with torch.no_grad():
        states = transformers.AutoModel.from_pretrained(bert).eval()(**tokens).last_hidden_state[0]
    mean: Vector = states.double().mean(0).numpy()
    return mean / np.linalg.norm(mean)


def vector(name: object, text: str) -> Vector:
    request = Request((Message("user", (TextPart(text),)),), "sentence-transformers")
    return embedding.read(sentence_transformers.answer(request, no_load, str(name))).astype(np.float64)


def no_load(sha256: str) -> NoReturn:
    raise AssertionError("no image is looked at")


def test_a_text_becomes_the_mean_of_its_tokens(bert: Path) -> None:
    for text in ("Open the camera", "Unpaid invoices, oldest first", ""):
        made = vector(bert, text)
        assert made.shape == (16,)
        assert made @ made == pytest.approx(1, abs=1e-6)
        assert made == pytest.approx(by_hand(bert, text), abs=1e-5)
        assert (vector(bert, text) == made).all()
    assert abs(vector(bert, "Open the camera") @ vector(bert, "Unpaid invoices")) < 0.999


def test_a_vector_is_made_in_one_thread(bert: Path) -> None:
    torch = importlib.import_module("torch")
    threads = torch.get_num_threads()
    torch.set_num_threads(4)
    seen = []
    hook = torch.nn.modules.module.register_module_forward_hook(lambda *_: seen.append(torch.get_num_threads()))
    try:
        vector(bert, "Open the camera")
        after = torch.get_num_threads()
    finally:
        hook.remove()
        torch.set_num_threads(threads)
    assert set(seen) == {1}
    assert after == 4


def test_versions_are_named(bert: Path) -> None:
    assert sentence_transformers.revision().startswith("sentence-transformers ")
    assert ", torch 2." in sentence_transformers.revision()


def test_other_weights_in_one_folder_are_another_revision(bert: Path, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(bert, folder)
    before = sentence_transformers.revision(str(folder))
    assert sentence_transformers.revision(str(bert)) == before
    with next(folder.glob("*.safetensors")).open("ab") as weights:
        weights.write(b"\0")
    assert sentence_transformers.revision(str(folder)) != before


def test_what_cannot_be_loaded_is_named(bert: Path, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}", "utf-8")
    with pytest.raises(ModelError, match="cannot be loaded") as caught:
        vector(tmp_path, "Open the camera")
    assert str(tmp_path) in str(caught.value)


def test_any_text_is_a_vector_or_a_typed_error(bert: Path) -> None:
    for text in ("open " * 5000, "打开相机 \U0001f4f7 \x00\u202e", "\n\t "):
        assert np.isfinite(vector(bert, text)).all()
    with pytest.raises(ModelError, match="cannot turn a text into a vector"):
        vector(bert, "half a pair: \ud83d")


def parses() -> tuple[dict[str, str], dict[str, tuple[Element, ...]]]:
    """Recorded answers that list the first elements of two screens, every one in other words; and those elements."""
    said, true = {}, {}
    for item in gui_demo.items(gui_demo.locate(None, Path())):
        if not isinstance(item, Item) or item.id not in [f"gui-demo/parsing/en/{screen}" for screen in SCREENS]:
            continue
        assert isinstance(item.reference, ElementsReference)
        true[item.id] = item.reference.elements[:GIVEN]
        rows = [
            {"type": each.kind, "description": other(each), "bbox_2d": [getattr(each.box, edge) for edge in EDGES]}
            for each in true[item.id]
        ]
        said[item.id] = json.dumps(rows)
    return said, true


def other(element: Element) -> str:
    return f"shows {element.description[:-2]}"


def test_function_similarity_is_measured_by_it(bert: Path, tmp_path: Path) -> None:
    said, true = parses()
    recorded = tmp_path / "answers.jsonl"
    recorded.write_text(
        "".join(json.dumps({"id": id_, "response": text}) + "\n" for id_, text in said.items()), "utf-8"
    )
    items = ("--items", "gui-demo/parsing/en/phone-[hl]o*")
    model = ("--model", f"replay:{recorded}", "--convention", "original-pixels")
    arguments = ("run", "gui-demo", *items, *model, "--judge", f"sentence-transformers:{bert}")
    done = snellen(tmp_path, *arguments)
    assert done.returncode == 0, done.stderr
    run, *_ = done.stdout.split()
    assert "Loading weights" not in done.stderr
    assert f"embeddings by sentence-transformers:{bert}" in " ".join(done.stdout.split())

    alike, chance = [], []
    for elements in true.values():
        ours = np.array([by_hand(bert, other(each)) for each in elements])
        cosines = ours @ np.array([by_hand(bert, each.description) for each in elements]).T
        alike.append(np.trace(cosines) / GIVEN)
        chance.append((cosines.sum() - np.trace(cosines)) / (GIVEN * (GIVEN - 1)))
    lines = snellen(tmp_path, "export", run, "--estimates").stdout.splitlines()
    values: dict[str, Any] = {
        row["scope"]: row["value"] for row in map(json.loads, lines) if not row["label"] and row["value"] is not None
    }
    assert values["function_similarity"] == pytest.approx(np.mean(alike), abs=1e-4)
    assert values["function_similarity_by_chance"] == pytest.approx(np.mean(chance), abs=1e-4)
    assert abs(np.mean(alike) - np.mean(chance)) > 0.01  # so one cannot stand for the other

    again = snellen(tmp_path, *arguments)
    assert (again.returncode, again.stdout) == (0, done.stdout), again.stderr
    assert "nothing to ask" in again.stderr


def snellen(workspace: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    program = [sys.executable, "-c", "from snellen.cli import main; main()", "--workspace", str(workspace)]
    return subprocess.run([*program, *arguments], capture_output=True, text=True, check=False, timeout=300)
