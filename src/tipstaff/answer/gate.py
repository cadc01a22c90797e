"""Whether a part of a question may be answered, and if not, what proves the gap.

Anchored on the question: what it names must be in the context at all, its period must be the
evidence's period, somebody's words must be somebody's words. Only then does probability count.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from tipstaff.answer.context import AnswerContext
from tipstaff.answer.gathering import Candidate, Gathered
from tipstaff.answer.question import AnswerKind, Part
from tipstaff.answer.scoring import is_of_another_kind
from tipstaff.answer.wording import asked_about, ended, listed, said_back
from tipstaff.domain.document import UnitKind
from tipstaff.domain.response import Gap
from tipstaff.facts.lands import LANDS, is_land
from tipstaff.facts.periods import sort_of
from tipstaff.facts.polarity import NEGATION
from tipstaff.facts.titles import TITLES
from tipstaff.lexical.analysis import terms

# Calibrated on tuning data and on bundles other than the reported one (docs/quality.md).
ANSWER = 0.5
WEAK = 0.3


# The reader's logit below which words must carry an answer, and above which a denial may be one.
_DOUBT = -0.4
_CONVINCED = 1.0
_ALL_WORDS = 0.75
_LEFT_OUT = re.compile(
    r"\b(?:leav(?:e|es|ing) out|exclud(?:e|es|ing)|exclusive of|omits?|does not (?:include|cover)|"
    r"do not (?:include|cover)|not includ(?:ed|ing)|without counting)\b",
    re.IGNORECASE,
)
# A question that is reported answers nothing: "she has asked what it would cost".
_ASKS = re.compile(
    r"\b(?:ask(?:s|ed|ing)?|wonder(?:s|ed|ing)?|enquir\w+|inquir\w+)(?: \w+)? "
    r"(?:what|whether|how|why|when|who|which|if)\b[^;:]*[.?]?$",
    re.IGNORECASE,
)
# The head of a mail says who wrote to whom, when and on what, and nothing else.
_OF_MAILS = re.compile(
    r"\b(?:e-?mail\w*|mail\w*|messages?|letters?|thread|correspond\w*|writ(?:es?|ten|ing)|wrote|"
    r"sen(?:d|ds|t|der|ding)|repl(?:y|ies|ied)|forward\w*|cop(?:y|ies|ied)|cc|bcc|subject|"
    r"address\w*|receiv\w*|recipients?)\b",
    re.IGNORECASE,
)
# Nobody is asked for by whoever is greeted.
_GREETING = re.compile(
    r"\W*(?:(?:hi|hello|hey|dear|thanks|thank you|many thanks|cheers|sorry|(?:good )?(?:morning|"
    r"afternoon|evening)|(?:kind |best |warm )?regards|best wishes|best|yours(?: \w+)?)\b"
    r"[^.?!:;\d]{0,40}|[A-Z][\w-]* ?,)\W*",
    re.IGNORECASE,
)
# How a text speaks that holds beyond its own case.
_GENERAL = re.compile(
    r"\b(?:best practices?|in general|generally|usual(?:ly)?|typical(?:ly)?|common(?:ly)?|"
    r"normal(?:ly)?|standards?|always|most (?:companies|firms|organi[sz]ations|people)|should)\b",
    re.IGNORECASE,
)
_HALF = 0.5
_CONTRAST = re.compile(r",\s*(?:and |but )?not\b[^,.;]*", re.IGNORECASE)
# Without a reader, so much must stand in the unit itself.
_MANY_WORDS = 0.4


class Verdict(StrEnum):
    ANSWER = "answer"
    WEAK = "weak"  # something is said on it, but not what was asked
    GAP = "gap"


@dataclass(frozen=True, slots=True)
class Judgement:
    verdict: Verdict
    candidates: tuple[Candidate, ...] = ()
    gap: Gap | None = None
    proven: bool = False  # what is asked for occurs nowhere


def judge(part: Part, gathered: Gathered, context: AnswerContext) -> Judgement:
    """The verdict on a factual part, and the candidates that carry it."""
    absent = absent_name(part, context)
    if absent:
        proven = is_proven_absent(part, context)
        return Judgement(Verdict.GAP, (), _gap_of_name(absent), proven=proven)
    fitting = [one for one in gathered.candidates if _fits(part, one)]
    best = fitting[0].probability if fitting else 0.0
    with_reader = context.reader is not None
    answering = [one for one in fitting if answers(one, part, with_reader=with_reader)]
    if fitting and _is_left_out(part, (answering or fitting)[0], gathered):
        return Judgement(Verdict.GAP, (), gap_of(part))
    if part.is_general:
        # What holds in one case is no answer to what holds in general.
        answering = [one for one in answering if _GENERAL.search(one.unit.text)]
    if answering and answering[0].probability >= 0.8 * best:
        others = [one for one in fitting if one not in answering]
        return Judgement(Verdict.ANSWER, (*answering, *others))
    meant = [one for one in gathered.candidates if one.fitting]
    if meant:
        # The very row, but more than one of its columns: all of them are the answer.
        return Judgement(Verdict.ANSWER, tuple(meant))
    other_time = [
        one
        for one in gathered.candidates
        if one.features.wrong_time and one.features.names == 1 and _shares_subject(part, one)
    ]
    if part.periods and other_time and best < ANSWER:
        return Judgement(Verdict.GAP, tuple(other_time[:2]), _gap_of_time(part, other_time))
    if best >= WEAK and _touches(fitting[0]):
        return Judgement(Verdict.WEAK, tuple(fitting))
    return Judgement(Verdict.GAP, tuple(fitting[:2]), gap_of(part))


def _touches(candidate: Candidate) -> bool:
    """What only touches on a question must do so in its own words, and on what it names."""
    return not candidate.is_reworded and candidate.features.names > 0


def answers(candidate: Candidate, part: Part, *, with_reader: bool) -> bool:
    """Likely enough, about what the question names, and not just a denial of knowledge."""
    facts = candidate.features
    if candidate.is_exact:
        return True
    if candidate.probability < ANSWER or facts.names == 0:
        return False
    if _GREETING.fullmatch(candidate.unit.text):
        return False
    if candidate.unit.unit.kind is UnitKind.HEADER and not _OF_MAILS.search(part.text):
        return False
    if _ASKS.search(candidate.unit.text) and not _ASKS.search(part.text):
        return False
    if not with_reader:
        timed = facts.times > 0 or not part.periods
        return facts.coverage >= _MANY_WORDS and timed and not _denies(candidate, part)
    if facts.voice < _DOUBT and facts.coverage < _ALL_WORDS:
        return False
    return facts.voice >= _CONVINCED or not _denies(candidate, part)


def _is_left_out(part: Part, best: Candidate, gathered: Gathered) -> bool:
    """Whether the document of an answer says that what the question names, and the answer does
    not, is no part of its figures: "all examples leave out …"."""
    missing = set(part.terms) - best.unit.all_terms
    return any(
        len(missing & one.unit.own_terms) > 1 or (bool(missing) and missing <= one.unit.own_terms)
        for one in gathered.candidates
        if one.unit.item_id == best.unit.item_id and _LEFT_OUT.search(one.unit.text)
    )


def _denies(candidate: Candidate, part: Part) -> bool:
    """A denial, unless the question is about it: of what failed it may be said that it failed.
    What an answer is set against ("40, not 50") does not deny it."""
    text = _CONTRAST.sub("", candidate.unit.text)
    asked = set(terms(part.text))
    return any(not asked.issuperset(terms(one.group())) for one in NEGATION.finditer(text))


def absent_name(part: Part, context: AnswerContext) -> str | None:
    """A name of the question that occurs nowhere in the context: proof of a gap."""
    for name in part.names:
        if not _occurs(name, context):
            return name
    return None


def is_proven_absent(part: Part, context: AnswerContext) -> bool:
    """Whether a name of the question could not be there as something else, either: what is Swedish
    may have no more than an address in Malmö."""
    bare = (" ".join(word for word in name.split() if not is_land(word)) for name in part.names)
    return any(name and not _occurs(name, context) for name in bare)


def gap_of(part: Part) -> Gap:
    topic = asked_about(part)
    return Gap(topic, ended(f"The bundled context does not contain information about {topic}"))


def topic_of(part: Part) -> str:
    """What a question asks about, in its own words without the question's frame."""
    text = part.text.strip(" ?.!")
    text = re.sub(
        r"^(?:and |but |so )?(?:please )?(?:can you |could you )?(?:tell me |show me |explain "
        r"|list |"
        r"describe |give me )?(?:what|which|who|whom|whose|when|where|why|how(?: much| many| "
        r"long)?)?"
        r"\s*(?:is|are|was|were|does|do|did|has|have|had|will|would|can|could|should)?\s+",
        "",
        text,
        flags=re.IGNORECASE,
    )
    return text or part.text.strip(" ?.!")


def _occurs(name: str, context: AnswerContext) -> bool:
    """Some part of every word of the name is known; an acronym may be spelled out."""
    words = [word for word in name.split() if word[0].isalnum()]
    # "Councillor Moncrieff" is there as "Cllr Hilda Moncrieff".
    words = [word for word in words if word.strip(".").casefold() not in TITLES] or words
    for word in words:
        whole, *pieces = terms(word) or [""]
        known = context.occurs(whole) if whole else 1
        if not known and pieces:
            known = all(context.occurs(piece) for piece in pieces)
        if land := LANDS.get(word.casefold()):
            known = known or any(map(context.occurs, terms(land)))
        if known or (word.isupper() and len(word) <= 5):
            continue
        if not context.spoken_by([word.casefold()]):
            return False
    return True


def _gap_of_name(name: str) -> Gap:
    said = said_back(name)
    return Gap(said, f"'{said}' does not occur anywhere in the bundled context.")


def _shares_subject(part: Part, one: Candidate) -> bool:
    """Half of the question without its year, which such a unit cannot have."""
    years = {mark[1:] for mark in part.periods if sort_of(mark) == "y"}
    named = {term for name in part.names for term in terms(name)}
    asked = {term for term in part.terms if term not in years | named}
    shared = asked & one.unit.all_terms
    return one.features.together >= _HALF or (len(shared) > 1 and 2 * len(shared) >= len(asked))


def _gap_of_time(part: Part, others: list[Candidate]) -> Gap:
    """The time that a question takes for granted, beside those that the context speaks of."""
    topic = asked_about(part)
    years = {mark for mark in part.periods if sort_of(mark) == "y"}
    told = {mark for one in others[:2] for mark in one.unit.own_periods if sort_of(mark) == "y"}
    which = "other periods"
    if years and told and years.isdisjoint(told):
        said, asked = (listed([mark[1:] for mark in sorted(marks)]) for marks in (told, years))
        which = f"{said} and not for {asked}"
    return Gap(
        topic,
        ended(
            f"The bundled context speaks of this for {which}: it does not contain information "
            f"about {topic}"
        ),
    )


def _fits(part: Part, candidate: Candidate) -> bool:
    """Neither of another time nor of another kind than was asked for."""
    if candidate.is_exact:
        return True
    if candidate.features.wrong_time:
        return False
    if is_of_another_kind(part.kind, candidate.answer):
        return False
    return bool(candidate.features.kind) or part.kind in (AnswerKind.PLACE, AnswerKind.PERSON)
