"""What the cited words only ask for, threaten, suppose or foresee, said as what has happened.

"Rehearsals may have to move if asbestos is found" says neither that they have moved nor that any
was found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from tipstaff.lexical.analysis import terms
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.irregular_forms import forms_of
from tipstaff.verify.statement import Statement

_ADVERBS = r"(?:(?:\w+ly|also|now|then|already|since|both|all|just|not|never|again) )*"
_PERFECT = re.compile(
    rf"\b(?:has|have|had|was|were) {_ADVERBS}(?:been {_ADVERBS})?(?P<verb>[a-z]{{3,}})\b",
    re.IGNORECASE,
)
# "It is measured" tells a rule.
_PAST = re.compile(
    r"\b(?:(?P<rule>is|are|be|being|[Aa]n?|[Tt]he|[Nn]o|of|have|has|to|in|see) "
    rf"{_ADVERBS}(?:being )?)?"
    r"(?P<verb>[a-z]{3,}ed)\b"
)
# Whoever writes "I must correct what I said", "we can offer" and "could you" has done it by that.
_BY_SAYING = frozenset(
    terms(
        "ask asked offer offered agree agreed confirm confirmed correct corrected request "
        "requested propose proposed say said recommend recommended suggest suggested state "
        "stated remind reminded apologise apologised thank thanked promise promised warn warned "
        "advise advised decide decided"
    )
)
_WORD = re.compile(r"[A-Za-z]+")
_SENTENCE = re.compile(r"[.!?;](?=\s)|\n")
# So much before a verb tells whether it happened, and so many places of a verb are looked at.
_BEFORE, _PLACES = 400, 40
# Directly before a verb: it is not said to have happened.
_MODAL = re.compile(
    r"(?:\b(?:will|shall|would|may|might|can|could|should|must|cannot|"
    r"(?:is|are|was|were|has|have) to|(?:wo|ca|would|could|should|must)n?[’']t)|[’']ll) "
    rf"{_ADVERBS}(?:(?:be|have|been|need|able|to|want|wish|like) )*{_ADVERBS}$",
    re.IGNORECASE,
)
_WILL = re.compile(r"\b(?:will|shall|must|may|would|should)\b[^,;:]*$", re.IGNORECASE)
_INFINITIVE = re.compile(rf"\bto {_ADVERBS}(?:(?:be|have|been) )*$", re.IGNORECASE)
# Of these one does not know whether it came to that.
_GOVERNS = re.compile(
    r"\b(?:threat\w+|agree[sd]?|ask\w*|recommend\w*|refus\w+|declin\w+|authoris\w+|authoriz\w+|"
    r"instruct\w*|told|allow\w*|permi\w+|requir\w+|needs?|needed|(?:is|are|was|were|has|have)"
    r"(?= to )|undert\w+|promis\w+|consider\w*|tried|tries|try|trying|attempt\w*|want\w*|wish\w*|"
    r"hop(?:e[sd]?|ing)|plan\w*|intend\w*|intention|propos\w+|suggest\w*|offer\w*|due|going|"
    r"expect\w*|aim\w*|invit\w+|urg(?:e[sd]?|ing)|advis\w+|right|entitled|free|ready|willing|"
    r"happy|prepared|able|option|reluctant|likely|scheduled|set|obliged|order(?:ed|s)?|"
    r"encourag\w+|forb\w+|warn\w*|consent\w*|permission|request\w*|demand\w*|decision|power|"
    r"quot\w+|estimat\w+|bids?|tender\w*|grants?|budget\w*|funds?|money)\b"
    r"(?:[^,;:]|,(?=\d)){0,60}(?:,[^,;:]{0,40},[^,;:]{0,20})?$",
    re.IGNORECASE,
)
_SUPPOSES = re.compile(
    r"(?<!as )(?<!even )\b(?:if|unless|whether|in case|provided that|in the event|depends? on|"
    r"subject to|pending|awaiting|awaits?)\b[^,;:]*$",
    re.IGNORECASE,
)
# Of these, if it has not been: "once it is fitted", and "until it was fitted".
_FORESEES = re.compile(
    r"\b(?:once|until|till|before|when|as soon as|by the time)\b(?P<behind>[^,;:]*)$", re.IGNORECASE
)
_BEEN = re.compile(r"\b(?:was|were|had|did)\b|ed\b", re.IGNORECASE)
_ASKED_TO_BE = re.compile(
    r"\b(?:recommend|suggest|propos|ask|request|demand|insist|urg|requir|order|instruct)\w*\b"
    r"[^;:]{0,80}\bbe $",
    re.IGNORECASE,
)
_MUSES = re.compile(
    r"\b(?:consider\w*|propos\w+|suggest\w*|recommend\w*|plan\w*|discuss\w*|oppos\w+|avoid\w*|"
    r"without|against|instead of|risk\w*|before|rather than) (?:\w+ ){0,2}$",
    re.IGNORECASE,
)
_DID_SO = re.compile(
    r"\b(?:did so|do(?:ne|es|ing) so|has done|have done|did|this (?:was|has been)|both happened)\b",
    re.IGNORECASE,
)


def is_unreal(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """Whether a verb of a statement says that something happened, and wherever the cited words have
    it they do not."""
    told = [unit for unit in evidence if not unit.is_row]
    if not told or statement.denies or any(_DID_SO.search(unit.text) for unit in told):
        return False
    return any(
        bool(places := list(islice(_places(verb, told), _PLACES)))
        and all(_is_supposed(text, start) for text, start in places)
        for verb in dict.fromkeys(_happened(statement.plain))
    )


def _happened(text: str) -> Iterator[str]:
    for pattern in (_PERFECT, _PAST):
        for match in pattern.finditer(text):
            verbs = set(terms(match["verb"])) - _BY_SAYING
            is_verb = match["verb"].endswith("ed") or any(map(forms_of, verbs))
            if match.groupdict().get("rule") or not is_verb:
                continue
            starts = (match.start(), match.start("verb"))
            heads = [text[max(0, start - _BEFORE) : start] for start in starts]
            if not any(_FORESEES.search(head) or _WILL.search(head) for head in heads) and not any(
                _is_supposed(text, start) for start in starts
            ):
                yield from verbs


def _places(verb: str, told: Sequence[EvidenceText]) -> Iterator[tuple[str, int]]:
    known = {verb, *forms_of(verb)}
    for unit in told:
        if known.isdisjoint(unit.own_terms):
            continue
        for word in _WORD.finditer(unit.text):
            if not known.isdisjoint(terms(word.group())):
                yield unit.text, word.start()


def _is_supposed(text: str, start: int) -> bool:
    head = _SENTENCE.split(text[max(0, start - _BEFORE) : start])[-1]
    word = _WORD.match(text, start)
    if _MODAL.search(head) or _SUPPOSES.search(head) or _ASKED_TO_BE.search(head):
        return True
    infinitive = _INFINITIVE.search(head)
    if infinitive and _GOVERNS.search(head[: infinitive.start()]):
        return True
    foreseen = _FORESEES.search(head)
    if foreseen and word and not _BEEN.search(foreseen["behind"] + word.group()):
        return True
    return bool(word and word.group().endswith("ing") and _MUSES.search(head))
