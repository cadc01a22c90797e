"""Whether a text is English, by its smallest words."""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W\d_]+")


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


# Words that hardly another language has, and words that some have.
_ENGLISH = frozenset(
    _words(
        "the and were are has been with that which its from would their this than it each must "
        "shall we our your you they she his her not when after before until"
    )
)
_SHARED = frozenset(
    _words("of is was in to for by on at a an be as no or if had have will can may all per")
)
_OTHER = frozenset(
    _words(
        "der die das und ist nicht ein eine einen dem den von zu zum zur mit für auf im am sich "
        "le la les des du une est et dans pour sur par que qui au aux ne pas "
        "el los las una unos con por del se su "
        "het een de van en dat niet zijn op voor met te "
        "il lo gli di da che non sono della nel "
        "og det som til av ikke och att är inte på "
        "na się jest nie że do w z i o um uma não em os dos"
    )
)


def is_english(text: str) -> bool:
    """More of its own words than of others; shared ones count where no other stands."""
    words = _words(text)
    own = sum(word in _ENGLISH for word in words)
    other = sum(word in _OTHER for word in words)
    if other:
        return own > other
    return own > 0 or any(word in _SHARED for word in words)
