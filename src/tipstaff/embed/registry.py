"""Which embedder a name stands for; nothing is imported until one is chosen.

Every embedder is an entry point of the group `tipstaff.embedder`: a class or function that is
called without arguments, or with `model=` where the setting names one, as in
`openai:text-embedding-3-small`.
"""

from __future__ import annotations

import difflib
from importlib.metadata import entry_points

from tipstaff.embed.embedder import Embedder, checked
from tipstaff.errors import UsageError

GROUP = "tipstaff.embedder"


def embedder_named(name: str, *, threads: int) -> Embedder:
    """The embedder of a setting: `minilm`, `static`, `openai:text-embedding-3-small`."""
    if name == "minilm":
        # The default, found without looking through every installed package.
        from tipstaff.embed.minilm import MiniLM

        return MiniLM(threads=threads)
    kind, _, model = name.partition(":")
    found = {point.name: point for point in entry_points(group=GROUP)}
    if kind not in found:
        near = difflib.get_close_matches(kind, found, n=1)
        raise UsageError(
            f"There is no embedder '{kind}'.",
            suggestion=f"Did you mean '{near[0]}'?"
            if near
            else f"There are: {', '.join(sorted(found))}.",
        )
    made = found[kind].load()
    return checked(made(model=model) if model else made())
