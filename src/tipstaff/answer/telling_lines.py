"""Of a block of lines (settings, code, a log), each with what it stands in, as claims:
"alarms: … rain_forecast_mm: 4"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tipstaff.answer.evidence_unit import EvidenceUnit
from tipstaff.answer.item_lines import NO_LINES, ItemLines, depth_of, item_lines
from tipstaff.domain.citation import Citation
from tipstaff.domain.classification import Confidence
from tipstaff.domain.draft import ClaimKind, DraftCitation, DraftClaim
from tipstaff.domain.location import Lines

_LONGEST = 420
# Who cites more lines than this has cited no place.
_MOST = 2000


def telling_lines(
    unit: EvidenceUnit, cited: Sequence[Citation], whole: ItemLines = NO_LINES
) -> Iterator[DraftClaim]:
    """The cited lines of a block, or all of it where none is; not what is too long to be read, nor
    what speaks to machines. `whole` are the lines of the item: what a line stands in may be far
    above its block."""
    place = unit.unit.location
    if not isinstance(place, Lines):
        return
    first, last = place.first - 1, place.last - 1
    if last >= len(whole.texts):
        whole = item_lines("\n" * first + unit.unit.text)
        last = len(whole.texts) - 1
    lines = whole.texts
    meant = _meant(lines, first, last, [one for one in cited if one.item_id == unit.item_id])
    for at in meant if len(meant) <= _MOST else ():
        if whole.orders[at]:
            continue
        above = [one for one in whole.above(at) if not whole.orders[one]]
        # A key by itself says nothing without what stands in it.
        inside = [one for one in _inside(lines, at) if not whole.orders[one]]
        if shown := _that_fit(lines, [[*above, at, *inside], [*above, at], [at, *inside], [at]]):
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


def _inside(lines: Sequence[str], at: int) -> list[int]:
    """The lines that stand in one, if it is no more than a key."""
    if not lines[at].rstrip().endswith(":"):
        return []
    found, length = [], 0
    for below in range(at + 1, len(lines)):
        words = lines[below].strip()
        if (words and depth_of(lines[below]) <= depth_of(lines[at])) or length > _LONGEST:
            break
        length += len(words) + 1
        if words:
            found.append(below)
    return found


def _joined(lines: Sequence[str], shown: Sequence[int]) -> str:
    words = ""
    for number, at in enumerate(shown):
        if number:
            # What follows a remark is another line's: "# asked for by Ada", "last_login: May".
            apart = at > shown[number - 1] + 1 or " #" in lines[shown[number - 1]]
            words += " … " if apart else " "
        words += " ".join(lines[at].split())
    return words
