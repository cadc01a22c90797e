"""Models that the package `fastembed` knows, run by onnxruntime.

The variable `FASTEMBED_MODEL_PATH` names a folder with the model's files; without it they are
downloaded from a hub when this embedder is first used.
"""

from __future__ import annotations

import os
from typing import Any

import numpy.typing as npt

from tipstaff.embed.hub import DEFAULT_MODEL, FromHub, needed, not_loaded


def embedder(*, model: str = "") -> FromHub:
    model = model or DEFAULT_MODEL
    needed("fastembed", package="fastembed")
    from fastembed import TextEmbedding

    folder = os.environ.get("FASTEMBED_MODEL_PATH")
    try:
        loaded: Any = TextEmbedding(model, threads=1, specific_model_path=folder)
        dimensions = TextEmbedding.get_embedding_size(model)
    except Exception as problem:
        raise not_loaded("fastembed", model, problem) from problem
    tokens, max_tokens = _whole_text_tokenizer(loaded.model.tokenizer)

    def spans(text: str) -> list[tuple[int, int]]:
        found: list[tuple[int, int]] = tokens.encode(text, add_special_tokens=False).offsets
        return found

    def passage(text: str) -> npt.ArrayLike:
        (vector,) = loaded.passage_embed([text])
        return vector  # type: ignore[no-any-return]

    def query(text: str) -> npt.ArrayLike:
        (vector,) = loaded.query_embed([text])
        return vector  # type: ignore[no-any-return]

    return FromHub(
        name="fastembed",
        model=model,
        package="fastembed",
        dimensions=dimensions,
        max_tokens=max_tokens,
        spans=spans,
        embed_passage=passage,
        embed_query=query,
    )


def _whole_text_tokenizer(own: Any) -> tuple[Any, int]:
    """A copy that does not cut off what the model cannot read, and how much it can."""
    from tokenizers import Tokenizer

    tokens = Tokenizer.from_str(own.to_str())
    limit = (own.truncation or {}).get("max_length", 512)
    tokens.no_truncation()
    tokens.no_padding()
    return tokens, limit
