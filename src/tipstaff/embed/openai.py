"""OpenAI's embeddings, or those of any server that speaks its language (`OPENAI_BASE_URL`)."""

from __future__ import annotations

import os

from tipstaff.embed.hosted import TIMEOUT_S, Hosted, Role, model_and_dimensions, ready

# TIP §10.1.4 recommends both; the first is the default.
KNOWN = {"text-embedding-3-large": 3072, "text-embedding-3-small": 1536}
KEY = "OPENAI_API_KEY"


def embedder(*, model: str = "") -> Hosted:
    name, dimensions = model_and_dimensions("openai", model, known=KNOWN, default=next(iter(KNOWN)))
    key = ready("openai", package="openai", key=KEY)
    import openai

    place = os.environ.get("OPENAI_BASE_URL") or None
    client = openai.OpenAI(api_key=key, base_url=place, max_retries=0, timeout=TIMEOUT_S)
    # Only these models can be asked for fewer dimensions than they have.
    shortened = dimensions if dimensions != KNOWN.get(name, dimensions) else openai.omit

    def send(texts: list[str], _role: Role) -> list[list[float]]:
        answer = client.embeddings.create(
            model=name, input=texts, dimensions=shortened, encoding_format="float"
        )
        return [row.embedding for row in sorted(answer.data, key=lambda row: row.index)]

    return Hosted(
        name="openai",
        model=name,
        dimensions=dimensions,
        key=KEY,
        place=place or "",
        send=send,
        failures=(openai.APIError,),
    )
