"""How long a text is in tokens, by a vocabulary that comes with the install (o200k)."""

from __future__ import annotations


def count_tokens(text: str) -> int:
    """Close to any current model's own count; exact for none that is not OpenAI's."""
    import bpe_openai

    return len(bpe_openai.get_encoding("o200k_base").encode(text))
