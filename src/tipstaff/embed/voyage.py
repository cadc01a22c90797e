"""Voyage AI's embeddings; `VOYAGE_BASE_URL` names another place that speaks its language."""

from __future__ import annotations

import os

from tipstaff.embed.hosted import TIMEOUT_S, Hosted, Role, model_and_dimensions, ready

# TIP §10.1.4 recommends voyage-3.
DEFAULT = "voyage-3"
KNOWN = {DEFAULT: 1024, "voyage-3-large": 1024, "voyage-3.5": 1024, "voyage-law-2": 1024}
KEY = "VOYAGE_API_KEY"


def embedder(*, model: str = "") -> Hosted:
    name, dimensions = model_and_dimensions("voyage", model, known=KNOWN, default=DEFAULT)
    key = ready("voyage", package="voyageai", key=KEY)
    import voyageai
    from voyageai.error import VoyageError

    place = os.environ.get("VOYAGE_BASE_URL") or None
    client = voyageai.Client(api_key=key, base_url=place, max_retries=0, timeout=TIMEOUT_S)

    def send(texts: list[str], role: Role) -> list[list[float]]:
        answer = client.embed(
            texts,
            model=name,
            input_type="query" if role == "query" else "document",
            truncation=False,
            # Models of one size refuse to be asked for it.
            output_dimension=dimensions if dimensions != KNOWN.get(name, dimensions) else None,
        )
        return [list(map(float, row)) for row in answer.embeddings]

    return Hosted(
        name="voyage",
        model=name,
        dimensions=dimensions,
        key=KEY,
        place=place or "",
        send=send,
        failures=(VoyageError,),
    )
