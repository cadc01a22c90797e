"""Which language model a name stands for; nothing is imported until one is chosen.

Every provider is an entry point of the group `tipstaff.model`: a function that is called with
`model=`, what stands behind the colon in `openai:gpt-4o`. `extractive`, which answers without a
language model, is none of them.
"""

from __future__ import annotations

import difflib
from importlib.metadata import entry_points
from typing import cast

from tipstaff.errors import UsageError
from tipstaff.llm.model import Model

GROUP = "tipstaff.model"
EXTRACTIVE = "extractive"


def model_named(name: str) -> Model:
    """The model of a setting: `anthropic:NAME`, `openai:NAME`, `scripted:FILE`."""
    provider, _, model = name.strip().partition(":")
    found = {point.name: point for point in entry_points(group=GROUP)}
    if provider == EXTRACTIVE:
        raise UsageError(
            f"'{name.strip()}' is no language model.",
            suggestion=f"'{EXTRACTIVE}' answers without one, has no name behind it, and stands in "
            "for a model by itself: leave fallback_model = none.",
        )
    if provider not in found:
        near = difflib.get_close_matches(provider, [*found, EXTRACTIVE], n=1)
        raise UsageError(
            f"There is no language model provider '{provider}'.",
            suggestion=f"Did you mean '{near[0]}'?"
            if near
            else f"There are: {', '.join(sorted(found))}; 'extractive' needs none.",
        )
    if not model.strip():
        what = "a file" if provider == "scripted" else "a model"
        raise UsageError(
            f"'{provider}' needs {what}.",
            suggestion=f"Name it behind a colon: --model {provider}:NAME (docs/models.md).",
        )
    return cast(Model, found[provider].load()(model=model.strip()))
