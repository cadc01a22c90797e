"""Cohere's embeddings; `CO_API_URL` names another place that speaks its language."""

from __future__ import annotations

import os

from tipstaff.embed.hosted import TIMEOUT_S, Hosted, Role, model_and_dimensions, ready

# TIP §10.1.4: embed-v4.0 with 1024 dimensions, of the 256 to 1536 that it offers.
DEFAULT = "embed-v4.0"
KNOWN = {DEFAULT: 1024, "embed-english-v3.0": 1024, "embed-multilingual-v3.0": 1024}
KEY = "CO_API_KEY"


def embedder(*, model: str = "") -> Hosted:
    name, dimensions = model_and_dimensions("cohere", model, known=KNOWN, default=DEFAULT)
    key = ready("cohere", package="cohere", key=KEY)
    import cohere
    import httpx
    from cohere.core.api_error import ApiError

    place = os.environ.get("CO_API_URL") or None
    client = cohere.ClientV2(api_key=key, base_url=place, timeout=TIMEOUT_S, max_retries=0)

    def send(texts: list[str], role: Role) -> list[list[float]]:
        answer = client.embed(
            model=name,
            texts=texts,
            input_type="search_query" if role == "query" else "search_document",
            embedding_types=["float"],
            truncate="NONE",
            # Older models have one size and refuse to be asked; `None` is not sent.
            output_dimension=dimensions if name == DEFAULT else None,
        )
        return answer.embeddings.float_ or []

    return Hosted(
        name="cohere",
        model=name,
        dimensions=dimensions,
        key=KEY,
        place=place or "",
        send=send,
        failures=(ApiError, httpx.HTTPError),
    )
