"""Questions by how much something grew or fell (TIP §6.2): as the context states it, else worked
out from the figures of both times. A figure of one time alone is no answer to them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from tipstaff.answer.alignment import Found, aligned
from tipstaff.answer.arithmetic import change, inference
from tipstaff.answer.claims import claim_of, unit_note
from tipstaff.answer.context import AnswerContext
from tipstaff.answer.contradictions import answer_figure
from tipstaff.answer.factual import answer_from
from tipstaff.answer.gate import Verdict, absent_name, judge
from tipstaff.answer.gathering import Candidate, Gathered, gather
from tipstaff.answer.one_side import find_side
from tipstaff.answer.part_answer import PartAnswer
from tipstaff.answer.question import AnswerKind, Part
from tipstaff.answer.rival_figures import with_rivals
from tipstaff.domain.classification import Confidence
from tipstaff.domain.draft import Paragraph
from tipstaff.domain.response import Gap
from tipstaff.facts.periods import periods
from tipstaff.lexical.analysis import query_terms

_VERB = (
    r"(?:grow|grew|grown|rise|rose|risen|increase[ds]?|climb(?:ed)?|go(?:ne)? up|went up|"
    r"expand(?:ed)?|fall|fell|fallen|drop(?:ped)?|decrease[ds]?|decline[ds]?|shrink|shrank|"
    r"shrunk|go(?:ne)? down|went down|change[ds]?)"
)
_NOUN = r"(?:growth|increase|rise|change|decrease|decline|drop|fall|reduction)"
_DID = r"(?:did|has|have|had)"
_SHARE = r"(?:percent|per cent|percentage points|points)"
_BY_WHAT = (
    rf"(?:(?:by )?how (?:much|many)(?: {_SHARE})?|"
    r"(?:by )?what (?:percentage|percent|per cent)|by what (?:share|amount|factor))"
)
_ASKED = (
    re.compile(rf"\b{_BY_WHAT} {_DID} (?P<what>.+?) {_VERB}\b(?P<rest>.*)", re.IGNORECASE),
    re.compile(
        rf"\bwhat (?:is|was|were) the (?:\w+ )?{_NOUN}(?: rate)? (?:in|of) (?P<what>.+?)"
        r"(?P<rest>\b(?:from|between|since|in|during|over) .*)?$",
        re.IGNORECASE,
    ),
)
_TIMES = re.compile(
    r"\bfrom (?P<from>.+?) to (?P<to>.+)|\bbetween (?P<between>.+?) and (?P<and>.+)", re.IGNORECASE
)
# How the context says itself that something changed, and by how much.
_STATES = re.compile(
    rf"\b(?:{_VERB}|{_NOUN}|up|down|higher|lower|more than|less than|above|below)\b", re.IGNORECASE
)
_YEAR = re.compile(r"\b(?:19|20)\d{2}\b")
_IN_ONE_YEAR = re.compile(r"(?:in|during|over|for) (?P<year>(?:19|20)\d{2})", re.IGNORECASE)
_EDGES = " ?.,;"


@dataclass(frozen=True, slots=True)
class Change:
    """What changed, from when to when; no times where the question does not tell two."""

    what: str
    earlier: str = ""
    later: str = ""


def answer_growth(part: Part, context: AnswerContext) -> PartAnswer | None:
    """None where no change is asked for."""
    asked = change_asked(part.text)
    if asked is None or absent_name(part, context):
        return None
    # A change may be told as a sum, a share or a count.
    part = replace(part, kind=AnswerKind.ANY)
    gathered = gather(part, context)
    stated = [one for one in gathered.candidates if _states_it(one, part)]
    kept = Gathered(candidates=tuple(stated), found=gathered.found)
    if stated and judge(part, kept, context).verdict is Verdict.ANSWER:
        return answer_from(part, kept, context)
    subject = set(query_terms(asked.what))
    told = [one for one in stated if subject <= one.unit.own_terms]
    if told:
        # "Grew" or "an increase of": the words for a change differ, those for the thing do not.
        claim = claim_of(told[0], context, confidence=Confidence.MEDIUM)
        answer = PartAnswer(paragraphs=(Paragraph(claims=(claim,)),))
        found_units = [one.unit for one in gathered.candidates]
        return with_rivals(answer, part, used=[told[0].unit], found=found_units, context=context)
    if not asked.earlier:
        return answer_from(part, kept, context)
    own = replace(part, periods=frozenset())
    sides = [f"{asked.what} in {time}" for time in (asked.earlier, asked.later)]
    found = aligned([find_side(side, own, context) for side in sides])
    return _worked_out(part, found, context)


def change_asked(text: str) -> Change | None:
    """ "By how much did revenue grow from Q2 to Q3 2025?"; in one year: on the year before."""
    match = next((found for pattern in _ASKED if (found := pattern.search(text))), None)
    if match is None:
        return None
    rest = (match["rest"] or "").strip(_EDGES)
    what = match["what"].strip(_EDGES)
    times = _TIMES.search(rest)
    if times:
        earlier = (times["from"] or times["between"]).strip(_EDGES)
        later = (times["to"] or times["and"]).strip(_EDGES)
        year = _YEAR.search(later)
        if year and not _YEAR.search(earlier):
            earlier = f"{earlier} {year.group()}"
        return Change(what, earlier, later) if periods(earlier) and periods(later) else Change(what)
    alone = _IN_ONE_YEAR.fullmatch(rest)
    if alone:
        return Change(what, str(int(alone["year"]) - 1), alone["year"])
    return Change(what)


def _states_it(one: Candidate, part: Part) -> bool:
    """A sentence, or a column, that speaks of the change itself and of the times asked about."""
    unit = one.unit
    if unit.is_row:
        header = unit.cells[one.cell][0] if one.cell else ""
        return bool(_STATES.search(header)) and one.features.times == 1
    return (
        bool(_STATES.search(unit.text))
        and bool(unit.figures)
        and one.features.times == 1
        and part.periods <= unit.all_periods
    )


def _gives_figure(one: Candidate) -> bool:
    """One figure, picked by more than standing in a row that has the words."""
    picked = one.is_exact or bool(one.answer) or not one.unit.is_row
    return picked and answer_figure(one) is not None


def _worked_out(part: Part, found: list[Found], context: AnswerContext) -> PartAnswer:
    known = [one for one in found if one.candidate is not None and _gives_figure(one.candidate)]
    paragraphs = tuple(
        Paragraph(lead=f"On {one.side}:", claims=(claim_of(one.candidate, context, part=one.part),))
        for one in known
        if one.candidate is not None
    )
    if len(known) < 2:
        missing = [one for one in found if one not in known]
        gaps = tuple(
            Gap(one.side, f"The bundled context gives no figure for {one.side}.") for one in missing
        )
        return PartAnswer(paragraphs=paragraphs if known else (), gaps=gaps)
    pair = [one.candidate for one in known if one.candidate is not None]
    figures = [figure for one in pair if (figure := answer_figure(one))]
    if not pair[0].unit.is_row and pair[0].unit.key == pair[1].unit.key:
        # One sentence on both times: which of its figures belongs to which is not certain.
        gap = Gap(part.text.strip(_EDGES), "The bundled context does not settle this change.")
        return PartAnswer(paragraphs=paragraphs[:1], gaps=(gap,))
    notes = {unit_note(one.unit) for one in pair}
    worked = change(*figures, note=notes.pop()) if len(notes) == 1 else None
    if worked is None:
        gap = Gap(part.text.strip(_EDGES), "These figures are not of one measure.")
        return PartAnswer(paragraphs=paragraphs, gaps=(gap,))
    cited = tuple(one for each in paragraphs for claim in each.claims for one in claim.citations)
    told = Paragraph(claims=(inference(*worked, cited),))
    answer = PartAnswer(paragraphs=(*paragraphs, told))
    return with_rivals(
        answer,
        part,
        used=[one.unit for one in pair],
        found=[two.unit for one in known for two in one.others],
        context=context,
    )
