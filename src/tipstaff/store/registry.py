"""Which store a name stands for; nothing is imported until one is chosen."""

from __future__ import annotations

import difflib
from importlib.metadata import entry_points

from tipstaff.errors import UsageError
from tipstaff.settings import Settings
from tipstaff.store.store import Store

GROUP = "tipstaff.store"


def store_named(name: str, settings: Settings) -> Store:
    """The store of a setting; a store's class is called with the settings."""
    if name == "embedded":
        # The default, found without looking through every installed package.
        from tipstaff.store.embedded import EmbeddedStore

        return EmbeddedStore.from_settings(settings)
    found = {point.name: point for point in entry_points(group=GROUP)}
    if name not in found:
        near = difflib.get_close_matches(name, found, n=1)
        raise UsageError(
            f"There is no store '{name}'.",
            suggestion=f"Did you mean '{near[0]}'?"
            if near
            else f"There are: {', '.join(sorted(found))}.",
        )
    made: Store = found[name].load().from_settings(settings)
    return made
