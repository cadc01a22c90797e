"""Something in a text that its sender may not want to send."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Recognised:
    """`start` to `end` is where it stands; a secret opens something, personal data names
    somebody."""

    kind: str
    start: int
    end: int
    is_secret: bool = False


def masked(value: str) -> str:
    """Enough to find it by, too little to use it."""
    plain = " ".join(value.split())
    kept = 2 if len(plain) < 12 else 4
    return f"{plain[:kept]}…" if len(plain) > kept else "…"
