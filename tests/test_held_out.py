"""The bundle that is held out is counted, and its questions stay unseen."""

from __future__ import annotations

from benchmarks.answers import HELD_OUT, Tally, _listed, _misses

_MISS = "wrong: an-id: What is asked?\n    why\n    'said'"


def test_no_miss_of_a_held_out_bundle_is_written_or_printed() -> None:
    tallies = {name: Tally(misses=[_MISS]) for name in HELD_OUT}
    assert list(_listed(tallies)) == []
    assert list(_misses(tallies)) == []


def test_the_misses_of_the_others_are() -> None:
    tallies = {"meridian": Tally(misses=[_MISS])}
    assert list(_listed(tallies)) == ["- meridian, wrong: an-id: What is asked?"]
    assert list(_misses(tallies)) == [f"meridian: {_MISS}"]
