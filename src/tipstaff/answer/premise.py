"""What a question takes for granted and the context denies: "Why did the board reject it?" where
the board approved it. It is said plainly, with what the context does say (TIP §3.3)."""

from __future__ import annotations

import re

from tipstaff.answer.claims import claim_of
from tipstaff.answer.context import AnswerContext
from tipstaff.answer.gathering import Candidate, Gathered
from tipstaff.answer.part_answer import PartAnswer
from tipstaff.answer.question import Part
from tipstaff.answer.ruling import puts_off
from tipstaff.answer.wording import ended, said_back
from tipstaff.domain.classification import Confidence
from tipstaff.domain.draft import Paragraph
from tipstaff.domain.response import Gap
from tipstaff.facts.opposites import alike_and_opposite
from tipstaff.facts.polarity import NEGATION
from tipstaff.lexical.analysis import terms

# Questions that rest on something having happened.
_SUPPOSES = re.compile(
    r"^(?:and |but |so )?(?:why|when|how come|where|who(?:m)?|how(?! (?:much|many|long|often|far|"
    r"large|high|old|big)\b)|what (?:caused|led to|made)|on what grounds)\b",
    re.IGNORECASE,
)
_DENIED = re.compile(r"\b(?:not|never|no|nobody|none|neither|\w+n['’]t)\b", re.IGNORECASE)
_CLAUSE = re.compile(r"[;:]\s+|,\s+(?=(?:and|but|while|though|although|which|so)\b)|\s+but\s+")
# How much of what else the question says must stand in a unit that denies it.
_MOST = 0.75
_FEWEST = 2
_MOST_CLAIMS = 2
SAYS_OTHERWISE = "The question supposes something that the context says otherwise:"
NOT_SAID = "The bundled context does not say what is supposed in"


def false_premise(part: Part, gathered: Gathered, context: AnswerContext) -> PartAnswer | None:
    """The denial, with its evidence; None where nothing supposed is denied, or some unit says
    it all the same."""
    if not _SUPPOSES.search(part.text) or NEGATION.search(_without_verbs(part)):
        return None
    fitting = [
        one
        for one in gathered.candidates
        if one.features.names == 1 and not one.features.wrong_time
    ]
    against = [one for one in fitting if _says_otherwise(part, one, context)]
    if not against or any(_says_so(part, one) for one in fitting):
        return None
    claims = tuple(
        claim_of(one, context, confidence=Confidence.MEDIUM) for one in against[:_MOST_CLAIMS]
    )
    gap = Gap(
        said_back(part.text.strip(" ?")),
        ended(f"{NOT_SAID} “{said_back(part.text)}”"),
    )
    return PartAnswer(paragraphs=(Paragraph(lead=SAYS_OTHERWISE, claims=claims),), gaps=(gap,))


def _verbs(part: Part) -> list[str]:
    return [term for term in terms(part.text) if alike_and_opposite(term)]


def _without_verbs(part: Part) -> str:
    """The question without the verbs that have opposites: "rejected" negates nothing here."""
    words = [word for word in part.text.split() if not any(map(alike_and_opposite, terms(word)))]
    return " ".join(words)


def _rest(part: Part, verbs: list[str]) -> set[str]:
    return {term for term in part.terms if term not in verbs and not term.isdigit()}


def _covers(rest: set[str], held: frozenset[str] | set[str], context: AnswerContext) -> bool:
    """Most of what is asked about, weighted by how much it tells, and more than a word of it."""
    total = sum(context.rarity(term) for term in rest)
    shared = rest & held
    told = sum(context.rarity(term) for term in shared)
    return len(shared) >= _FEWEST and told >= _MOST * total


def _says_otherwise(part: Part, one: Candidate, context: AnswerContext) -> bool:
    """The opposite verb, or the verb itself denied, of the same things; or a decision put off."""
    if puts_off(part, one):
        return True
    verbs = _verbs(part)
    for clause in _CLAUSE.split(one.unit.text):
        held = set(terms(clause))
        if not _covers(_rest(part, verbs), held | _named_above(one), context):
            continue
        denied = bool(_DENIED.search(clause))
        for verb in verbs:
            alike, opposite = alike_and_opposite(verb) or (frozenset(), frozenset())
            if (alike & held and denied) or ((opposite - alike) & held and not denied):
                return True
        if not verbs and denied and set(part.terms) <= held:
            return True
    return False


def _says_so(part: Part, one: Candidate) -> bool:
    """The verb, or one like it, of the same things and not denied."""
    verbs = _verbs(part)
    rest = _rest(part, verbs)
    for clause in _CLAUSE.split(one.unit.text):
        held = set(terms(clause))
        said = any((alike_and_opposite(verb) or (frozenset(),))[0] & held for verb in verbs)
        if said and rest & held and not _DENIED.search(clause):
            return True
    return False


def _named_above(one: Candidate) -> frozenset[str]:
    """What a sentence is about may stand over it only."""
    return frozenset(terms(" ".join([one.unit.item_title, *one.unit.block.headings])))
