"""What a page of the reference is: its text, and what the code leaves undocumented.

The build fails while `undocumented` has anything in it, so that a command, a setting, an error,
a route, an event or an exported name cannot be added without a word on it.
"""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass

# "TIP §14.3." alone sends a reader elsewhere and tells nothing.
_SECTION_ALONE = re.compile(r"(TIP|Enterprise)( Appendix \w+| §[\d.]+)(, §[\d.]+)*\.?")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferencePage:
    text: str
    undocumented: tuple[str, ...]


def words_of(thing: object) -> str:
    """The docstring of its own, whole; nothing for one that is made up, inherited or only a
    number."""
    own = vars(thing).get("__doc__") if isinstance(thing, type) else inspect.getdoc(thing)
    text = inspect.cleandoc(own or "")
    name = getattr(thing, "__name__", "")
    made_up = text.startswith(f"{name}(") and isinstance(thing, type)
    return "" if made_up or _SECTION_ALONE.fullmatch(text) else text
