"""Any model of the package `sentence-transformers`: a name on the hub, or a folder.

`sentence-transformers:/models/bge-large` reads a folder and needs no network; a name is
downloaded when this embedder is first used.
"""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from tipstaff.embed.hub import DEFAULT_MODEL, FromHub, needed, not_loaded

_NAME = "sentence-transformers"


def embedder(*, model: str = "") -> FromHub:
    model = model or DEFAULT_MODEL
    needed(_NAME, package="sentence_transformers")
    from sentence_transformers import SentenceTransformer

    try:
        loaded: Any = SentenceTransformer(model, device="cpu")
    except Exception as problem:
        raise not_loaded(_NAME, model, problem) from problem

    def spans(text: str) -> list[tuple[int, int]]:
        read = loaded.tokenizer(
            text,
            add_special_tokens=False,
            return_offsets_mapping=True,
            truncation=False,
            verbose=False,
        )
        return [(start, end) for start, end in read["offset_mapping"]]

    def passage(text: str) -> npt.ArrayLike:
        vector: npt.ArrayLike = loaded.encode_document(text, show_progress_bar=False)
        return vector

    def query(text: str) -> npt.ArrayLike:
        vector: npt.ArrayLike = loaded.encode_query(text, show_progress_bar=False)
        return vector

    return FromHub(
        name=_NAME,
        model=model,
        package=_NAME,
        dimensions=loaded.get_sentence_embedding_dimension(),
        max_tokens=loaded.max_seq_length or 512,
        spans=spans,
        embed_passage=passage,
        embed_query=query,
    )
