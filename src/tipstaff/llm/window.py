"""Whether a prompt fits into a model's window, before it is sent (TIP §14.3).

A service that is sent too much answers in its own way, or cuts the prompt and says nothing: then
the rules of the prompt could be what is missing.
"""

from __future__ import annotations

from tipstaff.errors import TokenLimitExceeded
from tipstaff.llm.model import Model, Prompt
from tipstaff.tokens import count_tokens

# What a service adds around each message.
AROUND_MESSAGE = 8
_HELPS = (
    "History was left out and fewer passages were taken, and it is still too much. Ask a shorter "
    "question, or choose a model with a larger window."
)


def must_fit(prompt: Prompt, model: Model, *, max_tokens: int) -> None:
    """Raises `TokenLimitExceeded` if prompt and answer are more than the window."""
    said = (prompt.system, *(message.content for message in prompt.messages))
    required = sum(count_tokens(text) + AROUND_MESSAGE for text in said)
    required += min(max_tokens, model.max_output_tokens)
    if required > model.window_tokens:
        raise too_long(model.window_tokens, required)


def too_long(limit: int, required: int) -> TokenLimitExceeded:
    return TokenLimitExceeded(
        token_limit=limit, tokens_required=required, mitigation=_HELPS, mitigated=False
    )
