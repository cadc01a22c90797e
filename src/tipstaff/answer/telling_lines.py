"""Of a block of lines (settings, code, a log), each with what it stands in, as claims:
"alarms: … rain_forecast_mm: 4"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tipstaff.answer.evidence_unit import EvidenceUnit
from tipstaff.domain.citation import Citation
from tipstaff.domain.classification import Confidence
from tipstaff.domain.draft import ClaimKind, DraftCitation, DraftClaim
from tipstaff.domain.location import Lines
from tipstaff.verify.addressed import is_order, ordering

_LONGEST = 420
# So many lines a note may have.
_NOTE = 20
# So far above a line what it stands in is looked for.
_FAR = 400


def telling_lines(
    unit: EvidenceUnit, cited: Sequence[Citation], lines: Sequence[str] = ()
) -> Iterator[DraftClaim]:
    """The cited lines of a block, or all of it where none is; not what is too long to be read.
    `lines` are those of the whole item: what a line stands in may be far above its block."""
    place = unit.unit.location
    if not isinstance(place, Lines):
        return
    first, last = place.first - 1, place.last - 1
    if last >= len(lines):
        own = unit.unit.text.splitlines()
        lines = [*("" for _ in range(first)), *own]
        last = len(lines) - 1
    # A note to machines may begin above the block.
    start = max(first - _NOTE, 0)
    orders = ordering(lines[start : last + 1])
    for at in _meant(lines, first, last, [one for one in cited if one.item_id == unit.item_id]):
        above = _above(lines, at)[::-1]
        # A key by itself says nothing without what stands in it.
        inside = _inside(lines, at)
        shown = _that_fit(lines, [[*above, at, *inside], [*above, at], [at, *inside], [at]])
        if shown and not any(
            orders[one - start] if start <= one <= last else is_order(lines[one]) for one in shown
        ):
            where = Citation(unit.item_id, Lines(shown[0] + 1, shown[-1] + 1))
            words = _joined(lines, shown)
            yield DraftClaim(
                text=words,
                kind=ClaimKind.QUOTE,
                confidence=Confidence.MEDIUM,
                citations=(DraftCitation(citation=where, quotes=(words,)),),
            )


def _that_fit(lines: Sequence[str], choices: Sequence[Sequence[int]]) -> Sequence[int]:
    """The first of them that can be read at a look."""
    return next((one for one in choices if len(_joined(lines, one)) <= _LONGEST), ())


def _meant(lines: Sequence[str], first: int, last: int, cited: Sequence[Citation]) -> list[int]:
    ranges = [one.location for one in cited if isinstance(one.location, Lines)]
    every = [at for at in range(first, last + 1) if lines[at].strip()]
    inside = [at for at in every if any(r.first <= at + 1 <= r.last for r in ranges)]
    return inside or every


def _above(lines: Sequence[str], at: int) -> list[int]:
    """The lines that a line stands in: less indented ones above it, and the head of its section."""
    found, depth = [], _depth(lines[at])
    for above in range(at - 1, max(at - _FAR, 0) - 1, -1):
        line = lines[above]
        is_head = line.startswith("[") and not lines[at].startswith("[")
        if line.strip() and (_depth(line) < depth or (is_head and depth == 0)):
            found.append(above)
            depth = -1 if is_head else _depth(line)
    return found


def _inside(lines: Sequence[str], at: int) -> list[int]:
    """The lines that stand in one, if it is no more than a key."""
    if not lines[at].rstrip().endswith(":"):
        return []
    found, length = [], 0
    for below in range(at + 1, len(lines)):
        words = lines[below].strip()
        if (words and _depth(lines[below]) <= _depth(lines[at])) or length > _LONGEST:
            break
        length += len(words) + 1
        if words:
            found.append(below)
    return found


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def _joined(lines: Sequence[str], shown: Sequence[int]) -> str:
    words = ""
    for number, at in enumerate(shown):
        if number:
            # What follows a remark is another line's: "# asked for by Ada", "last_login: May".
            apart = at > shown[number - 1] + 1 or " #" in lines[shown[number - 1]]
            words += " … " if apart else " "
        words += " ".join(lines[at].split())
    return words
