"""MiniLM: model files, import cost and side effects."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest
from numpy.testing import assert_allclose

from omoide.providers.minilm import MAX_PIECES, MiniLM

pytestmark = pytest.mark.minilm
omoide_minilm = pytest.importorskip("omoide_minilm", reason="the extra minilm is not installed")


@pytest.fixture(scope="module", name="minilm")
def _minilm() -> MiniLM:
    return MiniLM()


def test_the_shipped_files_have_their_checksums() -> None:
    for path in (omoide_minilm.MODEL, omoide_minilm.TOKENIZER):
        assert hashlib.sha256(path.read_bytes()).hexdigest() == omoide_minilm.CHECKSUMS[path.name]


def test_the_name_changes_with_the_weights(minilm: MiniLM) -> None:
    assert minilm.name == f"all-MiniLM-L6-v2-int8-{omoide_minilm.CHECKSUMS['model.onnx'][:8]}"
    assert minilm.dimensions == omoide_minilm.DIMENSIONS == 384


@pytest.mark.parametrize(
    ("text", "published"),
    [
        (
            "The weather is lovely today.",
            {"It's so sunny outside!": 0.666, "He drove to the stadium.": 0.105},
        ),
        (
            "That is a happy person",
            {
                "That is a happy dog": 0.695,
                "That is a very happy person": 0.943,
                "Today is a sunny day": 0.257,
            },
        ),
    ],
)
def test_similarities_are_those_published_for_the_model(minilm: MiniLM, text: str, published: dict[str, float]) -> None:
    vector, *others = minilm.embed([text, *published])
    assert [float(vector @ other) for other in others] == pytest.approx(list(published.values()), abs=0.01)


def test_similarity_follows_meaning_not_spelling(minilm: MiniLM) -> None:
    texts = ["Who is my physician?", "Your doctor is Ana Lima.", "Who is my musician?"]
    asked, meant, spelled = minilm.embed(texts)
    assert asked @ meant > asked @ spelled + 0.1


def test_text_after_the_last_word_piece_is_ignored(minilm: MiniLM) -> None:
    full = "word " * (MAX_PIECES - 2)  # [CLS] and [SEP] take the other two
    within, beyond, shorter = minilm.embed([full, full + "and something else", full.removesuffix("word ")])
    assert_allclose(within, beyond, atol=1e-6)
    assert abs(within - shorter).max() > 1e-5


def test_more_threads_give_the_same_vectors(minilm: MiniLM) -> None:
    texts = ["a short one", "and a somewhat longer one to keep it company"]
    assert float((minilm.embed(texts) * MiniLM(threads=2).embed(texts)).sum(axis=1).min()) > 0.9999


def run(code: str, home: Path) -> subprocess.CompletedProcess[str]:
    """Runs code in a new interpreter with an empty home folder."""
    source = str(Path(__file__).parent.parent / "src")
    environment = {"HOME": str(home), "PYTHONPATH": source, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=120)


def test_making_one_loads_neither_the_runtime_nor_the_weights(tmp_path: Path) -> None:
    done = run(
        "import sys; from omoide.providers.minilm import MiniLM; MiniLM().name;"
        "print(sorted({'numpy', 'onnxruntime', 'tokenizers'} & set(sys.modules)))",
        tmp_path,
    )
    assert done.stdout == "[]\n", done.stderr


@pytest.mark.parametrize("module", ["omoide_minilm", "onnxruntime", "tokenizers"])
def test_a_missing_dependency_names_its_extra(module: str, tmp_path: Path) -> None:
    done = run(
        f"import sys; sys.modules[{module!r}] = None\n"  # Python's own way to say that it cannot be found
        "from omoide.providers.minilm import MiniLM; MiniLM()",
        tmp_path,
    )
    assert f'ImportError: MiniLM needs {module}, which is missing: pip install "omoide[minilm]"' in done.stderr


def test_embedding_leaves_nothing_in_the_home_folder(tmp_path: Path) -> None:
    # onnxruntime's telemetry would put a device id and a queue of reports there.
    done = run("from omoide.providers.minilm import MiniLM; MiniLM().embed(['quiet'])", tmp_path)
    assert done.returncode == 0, done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
def test_a_forked_child_can_exit_in_the_ordinary_way(tmp_path: Path) -> None:
    done = run(
        "import os, sys; from omoide.providers.minilm import MiniLM; m = MiniLM(); m.embed(['parent'])\n"
        "child = os.fork()\n"
        "if child == 0: m.embed(['child']); sys.exit(7)\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))",
        tmp_path,
    )
    assert done.stdout == "7\n", done.stderr


@pytest.mark.parametrize(
    ("text", "readable"),
    [
        ("Where are the keys?", True),
        ("", True),
        ("1 + 1?", True),
        ("Wo liegen die Schlüssel?", True),
        ("How do you say 钥匙 in English?", True),
        ("钥匙在哪里？", False),
        ("鍵はどこですか？ (keys)", False),
        ("열쇠는 어디에 있어요?", False),
    ],
)
def test_east_asian_text_is_not_supported(minilm: MiniLM, text: str, readable: bool) -> None:
    assert minilm.supports(text) is readable
