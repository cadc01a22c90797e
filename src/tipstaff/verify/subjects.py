"""What a sentence is about: a statement may not say of one thing what the evidence says of another.

"Title passes to the buyer. Risk stays with the builder" does not say that risk passes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.statement import STRUCTURE, Statement
from tipstaff.verify.synonyms import is_form, is_known

_HEAD = re.compile(
    r"^\W*(?:[\d.]+\s+)?(?P<article>(?i:the|an?|its|their|his|her|this|that|each|every|any|no)\s+)?"
    r"(?P<noun>[A-Za-z][\w-]+)"
)
# "Ada Byron: …" says who speaks.
_SPEAKER = re.compile(r"\W*[A-ZÀ-Þ][\w’'.-]*(?: [A-ZÀ-Þ][\w’'-]+){0,3}:\s")
# What belongs to something said before is about that.
_LEANS = re.compile(r"(?:its|their|his|her|this|that)\b", re.IGNORECASE)
_WHENCE = tuple(
    re.compile(rf"\b(?:come|came|comes|go|goes|went|move|moved|travel\w*|sent|brought) {way} "
               rf"(?:the )?([A-ZÀ-Þ][\w’'-]+)")
    for way in ("from", "to")
)  # fmt: skip
_BY_AGENT = re.compile(r"\b\w+(?:ed|en|wn|ld|nt|de) by (?:the|its|their|an?) ([A-Za-z][a-z]{3,})\b")
_IS_A = re.compile(
    r"\b(?P<one>[a-z]{3,}) (?:is|was|are|were) an? (?P<other>[a-z]{3,})\b(?! of)", re.I
)
_DEALS = re.compile(
    r"\b(?:the )?(?P<party>[a-z]\w+) (?:shall|may|must|will|can|should|has to)(?: not)? "
    r"(?P<verb>[a-z]+)(?: to)? (?:the )?(?P<other>[a-z]\w+)\b",
    re.IGNORECASE,
)
_DOES = re.compile(
    r"\bthe (?P<party>[a-z]\w+) (?P<verb>[a-z]+(?:s|ed|id|nt|ld|ve))(?: to)? "
    r"the (?P<other>[a-z]\w+)\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"\W*([A-ZÀ-Þ][\w’'-]+(?: [A-ZÀ-Þ][\w’'-]+)*) [a-z]")
_DONE_BY = re.compile(
    r"\b([a-z]+(?:ed|en|wn|ght|ade|ung|id)) by (?:(?:Dr|Mr|Mrs|Ms|Prof)\.? )?"
    r"([A-ZÀ-Þ][\w’'-]+(?: [A-ZÀ-Þ][\w’'-]+)*)"
)
# Somebody with a title, or with two names.
_TWO_NAMES = re.compile(r"\b(?:(?:Dr|Mr|Mrs|Ms|Prof)\.?|[A-ZÀ-Þ][\w’'-]+) [A-ZÀ-Þ][\w’'-]+")
_PARTS = re.compile(r";|, (?:but|while|whereas)\b|(?<=[.!?])\s")
# So many more words of another sentence make it the one that is retold.
_MORE = 2
# So many words right behind the noun are what is done.
_SAME = 3
# Fewer words are a label and no sentence.
_SENTENCE = 4


_SUBJECT = re.compile(
    r"\W*(?:the|an?) (?P<noun>[a-z][\w-]+) (?:was|were|is|are|has been|have been|will be) "
    r"(?P<done>[a-z]+ed)\b",
    re.IGNORECASE,
)


def _other_subject(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """ "The ditch was postponed" under a heading that has the ditch, and "the standpipes were"."""
    said = _SUBJECT.match(statement.plain)
    if said is None:
        return False
    noun = frozenset(terms(said["noun"]))
    told = [match for one in evidence if (match := _SUBJECT.match(one.text))]
    same = [one for one in told if terms(one["done"]) == terms(said["done"])]
    own = frozenset().union(*(one.own_terms for one in evidence))
    return (
        bool(same)
        and noun.isdisjoint(own)
        and not any(is_known(term, own) for term in noun)
        and all(frozenset(terms(one["noun"])).isdisjoint(terms(statement.plain)) for one in same)
    )


def subject_exchanged(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """Whether a statement begins with what one sentence is about, and goes on with another that
    is about something else and does not name it."""
    if _other_subject(statement, evidence):
        return True
    if any(
        _says_of_neighbour(statement, one)
        or _another_does(statement, one)
        or _done_to_doer(statement, one)
        or _comes_from_elsewhere(statement, one)
        or _done_by_other(statement, one)
        or _has_other_agent(statement, one)
        for one in evidence
        if not one.is_row
    ):
        return True
    subject = _subject(statement.plain)
    if not subject or len(evidence) < 2:
        return False
    rest = [word for word in statement.words if word != subject]
    own = [
        one
        for one in evidence
        if not one.is_row and len(one.sequence) >= _SENTENCE and _subject(one.text) == subject
    ]
    if not own:
        return False
    least = max(_shared(rest, one) for one in own)
    return any(
        (other := _subject(one.text))
        and other != subject
        and not is_known(other, statement.words)
        and not is_known(subject, one.own_terms)
        and _shared(rest, one) >= least + _MORE
        for one in evidence
        if not one.is_row
    )


def _done_by_other(statement: Statement, unit: EvidenceText) -> bool:
    """Whether something is said to be done by somebody, and the clause that has it done names
    another: "Ms Fairley had proposed them; Mr Okafor was against"."""
    for done, name in _DONE_BY.findall(statement.plain):
        surname = name.split()[-1]
        if surname not in unit.text:
            continue
        doing = [
            one for one in unit.clauses if any(is_form(term, one.terms) for term in terms(done))
        ]
        if doing and all(surname not in one.text and _TWO_NAMES.search(one.text) for one in doing):
            return True
    return False


def _has_other_agent(statement: Statement, unit: EvidenceText) -> bool:
    """Whether something is "supplied by the buyer", and the sentence has it supplied by somebody
    else and does not name the buyer."""
    said = [term for agent in _BY_AGENT.findall(statement.plain) for term in terms(agent)]
    elsewhere = unit.nearby_terms | unit.paper_terms
    return bool(_BY_AGENT.search(unit.text)) and any(
        agent in elsewhere and not is_known(agent, unit.own_terms) for agent in said
    )


def calls_it_other(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """Whether a statement says that one thing is another, and no sentence has them both: "the
    cutover is a fallback"."""
    for match in _IS_A.finditer(statement.plain):
        pair = [term for word in match.group("one", "other") for term in terms(word)[:1]]
        if len(pair) != 2 or not set(pair) <= set(statement.words) or pair[0] == pair[1]:
            continue
        if not any(all(is_known(term, one.terms) for term in pair) for one in evidence):
            return True
    return False


def _another_does(statement: Statement, one: EvidenceText) -> bool:
    """Whether a unit says of something else, in the same words, what a statement says of what the
    unit does not have: "the farm may end it", and "the dairy may end it"."""
    said, told = _HEAD.match(statement.plain), _HEAD.match(one.text)
    subject, other = _subject(statement.plain), _subject(one.text)
    if said is None or told is None or not subject or not other or subject == other:
        return False
    if not said["article"] or not told["article"]:
        return False
    if is_known(subject, one.terms) or is_known(other, statement.words):
        return False
    behind = terms(statement.plain[said.end() :])[:_SAME]
    return len(behind) == _SAME and behind == terms(one.text[told.end() :])[:_SAME]


def _done_to_doer(statement: Statement, one: EvidenceText) -> bool:
    """Whether a statement has one party do to the other what that one does to it: "the firm shall
    credit the supplier", and "the supplier shall credit the firm"."""
    said, told = _dealings(statement.plain), _dealings(one.text)
    return any(deal[::-1] in told and deal not in told for deal in said)


def _comes_from_elsewhere(statement: Statement, one: EvidenceText) -> bool:
    """Whether a place is named behind "from" or "to", and the unit has another there and this one
    behind something else: "the delay in Graz: it had to come from Leoben"."""
    for pattern in _WHENCE:
        said = {match[1] for match in pattern.finditer(statement.plain)}
        told = {match[1] for match in pattern.finditer(one.text)}
        if told and any(
            place not in told and re.search(rf"\b(?:in|at|near) {re.escape(place)}\b", one.text)
            for place in said
        ):
            return True
    return False


def _dealings(text: str) -> set[tuple[str, ...]]:
    return {
        (match["party"].lower(), *terms(match["verb"])[:1], match["other"].lower())
        for pattern in (_DEALS, _DOES)
        for match in pattern.finditer(text)
    }


def _says_of_neighbour(statement: Statement, one: EvidenceText) -> bool:
    """Whether the first name of a statement heads one part of a sentence, and all that is said of
    it stands in a part that another name heads: "Ada may start; Max may not come"."""
    first = _NAME.match(statement.plain)
    parts = [part for part in _PARTS.split(one.text) if part.strip()]
    heads = [_NAME.match(part) for part in parts]
    if first is None or sum(head is not None for head in heads) < 2:
        return False
    if first[1] not in statement.names and not re.search(
        rf"[a-z,;:] {re.escape(first[1])}\b", one.text
    ):
        # A capital at the head of a sentence makes no name.
        return False
    said = set(statement.words) - set(terms(first[1]))
    own = theirs = frozenset[str]()
    for part, head in zip(parts, heads, strict=True):
        words = said.intersection(terms(part))
        if head is not None and head[1] == first[1]:
            own |= words
        elif head is not None:
            theirs |= words
    return bool(theirs) and not own and first[1] in [head[1] for head in heads if head]


def _subject(text: str) -> str:
    """The noun that a sentence opens with; nothing if it opens with a word that tells nothing."""
    match = None if _SPEAKER.match(text) else _HEAD.match(text)
    if match is None or _LEANS.match(match["article"] or ""):
        return ""
    (term, *_) = terms(match["noun"]) or [""]
    return "" if term in STOP_WORDS or term in STRUCTURE else term


def _shared(words: Sequence[str], one: EvidenceText) -> int:
    return sum(word in one.own_terms for word in words)
