"""Statements that keep names, figures and days and tell another deed, of hands whose places nothing
was trained with (`make bench-deeds` measures all)."""

from __future__ import annotations

from benchmarks.deeds import measured


def test_of_false_deeds_few_leave_and_true_ones_do() -> None:
    told = measured(("k", "r"), every=2)
    assert len(told.left) <= 0.05 * told.false
    assert told.kept >= 0.37 * told.true
