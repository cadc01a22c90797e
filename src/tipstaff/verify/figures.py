"""Whether the figures of a claim stand in what it cites."""

from __future__ import annotations

from collections.abc import Sequence

from tipstaff.facts.quantities import Quantity, quantities


def figures_missing_from(claim: str, passages: Sequence[str]) -> list[str]:
    """The figures that a claim states and none of the cited passages does, as written."""
    known = [figure for passage in passages for figure in quantities(passage)]
    return [figure.text for figure in quantities(claim) if not _is_among(figure, known)]


def _is_among(figure: Quantity, known: Sequence[Quantity]) -> bool:
    return any(figure.value == other.value for other in known)
