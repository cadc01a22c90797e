"""The default embedder: what it finds similar, long texts, and the arithmetic of a query."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tipstaff.embed import minilm
from tipstaff.embed.embedder import Embedder
from tipstaff.embed.minilm import MiniLM
from tipstaff.embed.static import Static
from tipstaff.embed.text_windows import by_bytes, by_tokens
from tipstaff.embed.whole_numbers import whole_numbers
from tipstaff.errors import InternalError
from tipstaff.models import MINILM, ModelFile, checked_bytes
from tipstaff.models.wordpiece import sendable, token_ids, windows

QUESTION = "When can the tenant end the lease early?"
# From near to far, as a reader would order them.
GOLDEN = (
    "The lessee may terminate the lease before its term by giving 90 days' notice.",
    "The lease runs for five years from 1 March 2024.",
    "The landlord shall insure the building against fire.",
    "Photosynthesis turns light into chemical energy.",
)
# Of each with the question.
GOLDEN_COSINES = [0.58, 0.55, 0.33, 0.06]


@pytest.fixture(scope="module")
def embedder() -> MiniLM:
    return MiniLM()


@given(
    count=st.integers(0, 900),
    size=st.integers(2, 300),
    data=st.data(),
)
def test_windows_hold_every_piece_in_order(count: int, size: int, data: st.DataObject) -> None:
    step = data.draw(st.integers(1, size))
    made = windows(list(range(count)), size=size, step=step)
    assert all(len(window) <= size for window in made)
    seen = {piece for window in made for piece in window}
    assert seen == set(range(count))
    starts = [window[0] for window in made if window]
    assert starts == sorted(set(starts))


@given(text=st.text(), max_bytes=st.integers(8, 60))
def test_pieces_by_bytes_are_the_text(text: str, max_bytes: int) -> None:
    pieces = by_bytes(text, max_bytes=max_bytes)
    assert all(len(piece.encode()) <= max_bytes for piece in pieces)
    assert "".join("".join(pieces).split()) == "".join(sendable(text).split())


@given(words=st.lists(st.text("abc", min_size=1, max_size=5), max_size=90), size=st.integers(4, 30))
def test_pieces_by_tokens_hold_every_token(words: list[str], size: int) -> None:
    text = " ".join(f"{number}{word}" for number, word in enumerate(words))
    spans, place = [], 0
    for word in text.split():
        spans.append((place, place + len(word)))
        place += len(word) + 1
    pieces = by_tokens(text, spans, size=size)
    assert all(len(piece.split()) <= size for piece in pieces)
    assert {word for piece in pieces for word in piece.split()} == set(text.split())


@pytest.mark.parametrize("kind", [MiniLM, Static])
def test_the_last_sentence_of_a_long_text_counts(kind: type[MiniLM] | type[Static]) -> None:
    embedder: Embedder = kind()
    body = " ".join(f"Clause {number} sets out how goods are delivered." for number in range(230))
    assert len(token_ids(body)) > 2_000
    ends = ("The fine for late delivery is nine million dollars.", "Bananas grow in bunches.")
    fine, bananas = embedder.passages([f"{body} {end}" for end in ends])
    assert not np.array_equal(fine, bananas)
    query = embedder.query("What is the fine for late delivery?")
    assert float(fine @ query) > float(bananas @ query)


@pytest.mark.parametrize("kind", [MiniLM, Static])
def test_similarity_follows_sense(kind: type[MiniLM] | type[Static]) -> None:
    embedder: Embedder = kind()
    query = embedder.query(QUESTION)
    similar = [float(passage @ query) for passage in embedder.passages(GOLDEN)]
    assert similar == sorted(similar, reverse=True)
    assert similar[0] > similar[-1] + 0.3


def test_vectors_are_those_that_were_measured(embedder: MiniLM) -> None:
    """Golden cosines: other weights, pooling or tokens would show in the second digit."""
    query = embedder.query(QUESTION)
    similar = [round(float(passage @ query), 2) for passage in embedder.passages(GOLDEN)]
    assert similar == pytest.approx(GOLDEN_COSINES, abs=0.015)


TEXTS = [QUESTION, *GOLDEN, "a", "", "契約", "x " * 400, *(f"{QUESTION} {n}" for n in range(20))]


def test_a_query_is_embedded_as_the_runtime_would(embedder: MiniLM) -> None:
    for text, passage in zip(TEXTS, embedder.passages(TEXTS), strict=True):
        query = embedder.query(text)
        assert np.abs(query - passage).max() < 1e-6
        kept = whole_numbers(query).astype(int) - whole_numbers(passage)
        assert np.abs(kept).max() <= 1


def test_a_query_has_one_vector_however_many_came_before() -> None:
    fresh = MiniLM()
    vectors = [fresh.query(QUESTION) for _ in range(5)]
    assert all(np.array_equal(vector, vectors[0]) for vector in vectors)


def test_a_query_has_one_vector_with_any_number_of_threads() -> None:
    """Sums in another order would give other bits: in 64 of them, none that is kept."""
    program = (
        "import sys; from tipstaff.embed.minilm import MiniLM;"
        "from tipstaff.embed.whole_numbers import whole_numbers;"
        "sys.stdout.write(whole_numbers(MiniLM().query(sys.argv[1])).tobytes().hex())"
    )

    def vector(threads: str) -> str:
        return subprocess.run(
            [sys.executable, "-c", program, " ".join(GOLDEN)],
            env={**os.environ, "OPENBLAS_NUM_THREADS": threads},
            check=True,
            capture_output=True,
            text=True,
        ).stdout

    assert len(vector("1")) == 4 * 384
    assert vector("1") == vector("2") == vector("7")


def test_a_stopped_run_ends_its_threads(embedder: MiniLM) -> None:
    made = embedder.passages([f"clause {number}" for number in range(200)])
    next(made)
    made.close()  # type: ignore[attr-defined]
    assert len(list(embedder.passages(["one more"]))) == 1


def test_a_file_with_other_bytes_is_not_loaded() -> None:
    with pytest.raises(InternalError, match="is not the file"):
        checked_bytes(ModelFile(MINILM.package, MINILM.name, "0" * 64))


def test_a_package_that_is_not_there_is_said() -> None:
    with pytest.raises(InternalError, match="is not installed"):
        checked_bytes(ModelFile("no_such_package", "model.onnx", "0" * 64))


def test_passages_are_begun_in_the_order_in_which_they_are_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else the first one, if it is short, waits for all others, and a killed run keeps none."""
    begun: list[str] = []

    def embedded(_session: object, text: str) -> np.ndarray:
        begun.append(text)
        return np.zeros(384, np.float32)

    monkeypatch.setattr(minilm, "_embedded", embedded)
    monkeypatch.setattr(minilm, "_session", lambda **_: None)
    texts = ["short", "rather longer", "mid-length", "the longest of all of them"]
    assert len(list(MiniLM(threads=1).passages(texts))) == 4
    assert begun == texts
