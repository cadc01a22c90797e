"""A tez and a scripted model whose answers take a while: long enough to leave in the middle."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.conftest import BundleMaker, manifest_of

THINGS = (
    "roof",
    "walls",
    "garden",
    "cellar",
    "stairs",
    "windows",
    "doors",
    "fence",
    "gate",
    "well",
)
_FACTS = [f"The budget for the {thing} is ${1_000 + 137 * n:,}." for n, thing in enumerate(THINGS)]
ITEMS = {"notes.md": ("# Notes\n\n" + "\n\n".join(_FACTS) + "\n").encode()}
QUESTION = "What is the budget for each thing?"
FOLLOW_UP = "And for the roof alone, what is the budget?"


def long_bundle(make_bundle: BundleMaker, **changes: Any) -> Path:
    return make_bundle(ITEMS, manifest=manifest_of(ITEMS, **changes))


def slow_model(folder: Path, *, delay_ms: int) -> str:
    """Every fact, one after the other, with so long between them."""
    steps: list[Any] = []
    for number, fact in enumerate(_FACTS):
        steps += [{"delay_ms": delay_ms}, f"{fact[:-1]} [[notes:L{3 + 2 * number}]]. "]
    script = folder / f"slow-{delay_ms}.json"
    script.write_text(json.dumps({"": [steps], "roof alone": [steps[:2]]}))
    return f"scripted:{script}"
