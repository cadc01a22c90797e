"""People judge the units of responses, one question at a time (`human_evaluation`), or only those
about which automatic judges are not sure (`human_in_the_loop`, Enterprise §8.5).

What an automatic judge thinks is not shown: whoever sees it tends to agree.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from tipstaff.eval.observation import Observed, Unit, UnitKind, Verdict
from tipstaff.eval.review_file import ReviewFile

_ASKED = {
    UnitKind.CHUNK: "Is this passage relevant to the query?",
    UnitKind.CLAIM: "Do the cited words directly support this claim?",
    UnitKind.CITATION: "Do the words at this place support the claim that cites them?",
}
_INFERRED = "It is marked as inferred. Does it follow from the cited words?"
_PART = "Do the words at this place bear a part of the claim that cites them?"
KEYS = "y yes · n no · u undo · s skip for now · q stop"
_YES, _NO, _UNDO, _SKIP, _QUIT = "y", "n", "u", "s", "q"


class Desk(Protocol):
    """Where a person sits: shown something, asked for a word. None: they have gone."""

    def show(self, text: str) -> None: ...

    def ask(self, prompt: str) -> str | None: ...


@dataclass(frozen=True, slots=True)
class ToJudge:
    observed: Observed
    unit: Unit

    @property
    def id(self) -> str:
        return self.observed.unit_id(self.unit)

    @property
    def question(self) -> str:
        if self.unit.kind is UnitKind.CITATION and (self.unit.joint or self.unit.inferred):
            return _PART
        return _INFERRED if self.unit.inferred else _ASKED[self.unit.kind]


def all_units(observed: Sequence[Observed]) -> list[ToJudge]:
    """What is a matter of fact is nobody's to judge."""
    return [ToJudge(one, unit) for one in observed for unit in one.units if not unit.settled]


def edge_cases(observed: Sequence[Observed], automatic: Mapping[str, Verdict]) -> list[ToJudge]:
    """Those of which the automatic judge is not sure."""
    return [one for one in all_units(observed) if automatic[one.id].is_edge]


def review(
    wanted: Sequence[ToJudge], kept: ReviewFile, desk: Desk, *, by: str, clock: Callable[[], str]
) -> bool:
    """Asks for every judgement that is missing; whether none is missing now. Each is kept at
    once, so that nothing is lost whenever it ends."""
    skipped: set[str] = set()
    shown = ""
    while one := _next(wanted, kept, skipped):
        done = sum(other.id in kept.judged for other in wanted)
        if one.observed.query.id != shown:
            shown = one.observed.query.id
            desk.show(f"\nQuery: {one.observed.query.query}\n\n{one.observed.text}\n")
        desk.show(f"{_words(one)}\n[{done + 1}/{len(wanted)}] {one.question}")
        key = desk.ask(f"({KEYS}) ")
        if key is None or key.strip().lower()[:1] == _QUIT:
            break
        _act(key.strip().lower()[:1], one, kept, desk, skipped, by=by, clock=clock)
    return all(one.id in kept.judged for one in wanted)


def _next(wanted: Sequence[ToJudge], kept: ReviewFile, skipped: set[str]) -> ToJudge | None:
    return next(
        (one for one in wanted if one.id not in kept.judged and one.id not in skipped), None
    )


def _act(
    key: str,
    one: ToJudge,
    kept: ReviewFile,
    desk: Desk,
    skipped: set[str],
    *,
    by: str,
    clock: Callable[[], str],
) -> None:
    if key in (_YES, _NO):
        verdict = Verdict(key == _YES, why="judged by a person")
        kept.record(one.id, verdict, by=by, at=clock())
    elif key == _UNDO:
        undone = kept.take_back(at=clock())
        desk.show("Nothing to undo." if undone is None else f"Undone: {undone}")
        skipped.clear()
    elif key == _SKIP:
        skipped.add(one.id)
    else:
        desk.show(f"Answer with a letter: {KEYS}")


def _words(one: ToJudge) -> str:
    unit = one.unit
    head = f"── {unit.kind} · {unit.reference}"
    if unit.kind is UnitKind.CHUNK:
        return f"{head}\n{unit.text}"
    passages = "\n".join(f"  ▌ {line}" for text in unit.evidence for line in text.splitlines())
    return f"{head}\n{unit.text}\nCited words:\n{passages}"
