"""Embedders with models from a hub. Nothing is downloaded in tests: the models are folders."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.embed.fakes import Honest
from tipstaff.contracts.embedders import faults_of
from tipstaff.embed.embedder import Vector
from tipstaff.embed.hub import FromHub, not_loaded
from tipstaff.embed.registry import embedder_named
from tipstaff.errors import RetrievalFailed
from tipstaff.models import MINILM, TOKENIZER, checked_bytes

MINILM_ON_THE_HUB = "sentence-transformers/all-MiniLM-L6-v2"


def folder_with_minilm(folder: Path) -> Path:
    """The default model, laid out as the hub has it."""
    tokenizer = json.loads(checked_bytes(TOKENIZER))
    tokenizer["truncation"] = {
        "direction": "Right",
        "max_length": 256,
        "strategy": "LongestFirst",
        "stride": 0,
    }
    special = {
        name: f"[{name[:3].upper()}]"
        for name in ("cls_token", "sep_token", "pad_token", "unk_token")
    }
    files = {
        "model.onnx": checked_bytes(MINILM),
        "tokenizer.json": json.dumps(tokenizer).encode(),
        "config.json": json.dumps({"pad_token_id": 0, "max_position_embeddings": 512}).encode(),
        "tokenizer_config.json": json.dumps(
            {"model_max_length": 256, "max_length": 256, "pad_token": "[PAD]"}
        ).encode(),
        "special_tokens_map.json": json.dumps(special).encode(),
    }
    for name, content in files.items():
        for place in (folder, folder / "onnx"):
            place.mkdir(parents=True, exist_ok=True)
            (place / name).write_bytes(content)
    return folder


def words(text: str) -> list[tuple[int, int]]:
    spans, place = [], 0
    for word in text.split(" "):
        spans.append((place, place + len(word)))
        place += len(word) + 1
    return spans


def short_sighted(text: str) -> Vector:
    """A model that refuses what it cannot read to the end."""
    assert len(words(text)) <= 64
    return Honest().query(text)


def in_windows() -> FromHub:
    return FromHub(
        name="fake",
        model="fake/model",
        package="numpy",
        dimensions=256,
        max_tokens=64,
        spans=words,
        embed_passage=short_sighted,
        embed_query=short_sighted,
    )


def test_long_texts_are_read_by_windows() -> None:
    assert faults_of(in_windows(), another=in_windows) == []


def test_the_fingerprint_names_model_dimensions_and_library() -> None:
    assert f"fake/model 256 {np.__version__} " in in_windows().fingerprint


def test_fastembed_passes_the_suite_with_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("fastembed")
    monkeypatch.setenv("FASTEMBED_MODEL_PATH", str(folder_with_minilm(tmp_path)))
    embedder = embedder_named(f"fastembed:{MINILM_ON_THE_HUB}", threads=1)
    assert embedder.dimensions == 384
    assert (
        faults_of(
            embedder, another=lambda: embedder_named(f"fastembed:{MINILM_ON_THE_HUB}", threads=1)
        )
        == []
    )


def test_fastembed_without_a_network_says_what_it_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("fastembed")
    monkeypatch.setenv("FASTEMBED_CACHE_PATH", str(tmp_path))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(RetrievalFailed, match=r"BAAI/bge-large-en-v1\.5") as caught:
        embedder_named("fastembed", threads=1)
    assert "hub must be reachable once" in str(caught.value.suggestion)


def test_sentence_transformers_passes_the_suite_with_a_folder(tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers")
    folder = random_transformer(tmp_path)
    embedder = embedder_named(f"sentence-transformers:{folder}", threads=1)
    assert embedder.dimensions == 256
    again = embedder_named(f"sentence-transformers:{folder}", threads=1)
    faults = faults_of(embedder, another=lambda: again)
    # Its weights are random: it cannot know a paraphrase.
    assert [fault for fault in faults if "paraphrase" not in fault] == []


def random_transformer(folder: Path) -> Path:
    import torch
    from sentence_transformers import SentenceTransformer, models
    from transformers import BertConfig, BertModel, BertTokenizerFast

    torch.manual_seed(1)
    (folder / "bert").mkdir()
    (folder / "tokenizer.json").write_bytes(checked_bytes(TOKENIZER))
    config = BertConfig(
        vocab_size=30522,
        hidden_size=256,
        num_hidden_layers=1,
        num_attention_heads=4,
        intermediate_size=256,
    )
    BertModel(config).save_pretrained(folder / "bert")
    tokenizer = BertTokenizerFast(tokenizer_file=str(folder / "tokenizer.json"))
    tokenizer.save_pretrained(folder / "bert")
    read = models.Transformer(str(folder / "bert"), max_seq_length=128)
    SentenceTransformer(modules=[read, models.Pooling(256)], device="cpu").save(
        str(folder / "model")
    )
    return folder / "model"


def test_sentence_transformers_without_a_network_says_what_it_wanted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("sentence_transformers")
    # Its variable is read once, when the package is imported.
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(RetrievalFailed, match="no/such-model"):
        embedder_named("sentence-transformers:no/such-model", threads=1)


@pytest.mark.parametrize("problem", [OSError("no route\nto host"), ValueError("")])
def test_what_a_library_says_is_one_line(problem: Exception) -> None:
    said = not_loaded("fastembed", "BAAI/bge-large-en-v1.5", problem)
    assert "\n" not in said.message
    assert "minilm needs no network" in str(said.suggestion)
