"""Whether a response says only what the bundle says, where it says it (TIP §2.3, §3, §5.5).

Three questions of every sentence: does what it cites exist; do the words there bear it out; and
does it bring anything along that the whole bundle does not have. Sentences that state nothing of
the bundle (TIP §3.2) are free. A paraphrase is not held to the very words: only what can be
looked up decides, and sentences of which most words are nowhere near.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tipstaff.compliance.evidence import Evidence
from tipstaff.compliance.reply import Reply, SaidSentence
from tipstaff.compliance.verdict import Check
from tipstaff.domain.citation import Citation, Passage
from tipstaff.domain.classification import Support
from tipstaff.facts.periods import outside_dates
from tipstaff.facts.quantities import quantities
from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.exemptions import is_abstention, is_exempt
from tipstaff.verify.inferences import follows, is_labelled
from tipstaff.verify.quotes import plain, stands_in
from tipstaff.verify.reasons import AGAINST, MISPLACED
from tipstaff.verify.support import check_support
from tipstaff.verify.synonyms import is_known

# Of the telling words of a sentence so many must stand at what it cites, in whatever form, and
# so many anywhere in the bundle.
_LEAST_THERE = 0.5
_LEAST_INSIDE = 0.6
_LEAST_TOGETHER = 0.8
_FEW_WORDS = 3
_SHOWN = 160
# Of a whole item that is cited.
_MOST_UNITS = 24
_BETWEEN = re.compile(r";|: |\||“|”|\"")
_MARKS = " .,;:*-–•\"“”'"
# "and 6 more items": how many there are is no fact of any of them.
_COUNTED = re.compile(r"\b\d+ (?:more |other |relevant )*(?:items?|documents?|sources?)\b", re.I)
_ADDRESSED = re.compile(r"(?:ask|please|would you|you (?:may|might|can|could)|let me)\b", re.I)
_OF_CONTEXT = re.compile(
    r"\b(?:context|bundle|synthesis|sources|materials|documents|passages|items?)\b", re.I
)
# Whoever retells, writes these.
_RETELLING = frozenset(
    terms(
        "according state states stated say says said show shows report reports note notes mention "
        "mentions record records context document source give gives set sets put total come comes "
        "amount amounts based figure figures value values inferred calculated follows weakly "
        "supported limited information tangentially however regarding while whereas respectively "
        "described describes identified lists listed also both each including includes"
    )
)


def grounding_checks(reply: Reply, query: str, evidence: Evidence) -> Iterator[Check]:
    """What every response is held to, whatever its test is about."""
    yield from _citations_exist(reply, evidence)
    yield _listed_hold(reply, evidence)
    yield _claims_are_cited(reply, query, evidence)
    yield _citations_support(reply, query, evidence)
    yield _nothing_from_outside(reply, query, evidence)


def _citations_exist(reply: Reply, evidence: Evidence) -> Iterator[Check]:
    """TIP §5.5, (1) and (2), of each by itself."""
    for citation in reply.cited(evidence.subject.names):
        found = evidence.at(citation)
        reason = found if isinstance(found, str) else ""
        yield Check(f"{citation} leads to a place that exists", not reason, reason)


def _listed_hold(reply: Reply, evidence: Evidence) -> Check:
    """The entries of `citations`: the place exists, and the excerpt stands there."""
    names, bad = evidence.subject.names, []
    for entry in reply.listed:
        reference = ":".join(filter(None, map(str, (entry.get("item_id"), entry.get("location")))))
        marks = Reply(text=f"[[{reference}]]", classification="", confidence="").cited(names)
        passage = evidence.resolve(marks[0]) if len(marks) == 1 else None
        if not isinstance(passage, Passage):
            bad.append(f"there is no '{reference}'")
        elif not _stands(str(entry.get("text_excerpt") or ""), evidence.words_at(marks[0])):
            bad.append(f"the excerpt does not stand at '{reference}'")
    return Check("the listed citations exist and their excerpts stand there", not bad, _first(bad))


def _stands(excerpt: str, words: str) -> bool:
    pieces = [piece for part in excerpt.split(" | ") if (piece := part.strip(" .…\"“”'"))]
    return all(stands_in(piece, words) or plain(piece) in plain(words) for piece in pieces)


def _claims_are_cited(reply: Reply, query: str, evidence: Evidence) -> Check:
    """TIP §3.2. A sentence may share the citation of its paragraph."""
    bad = [
        said.text
        for said in reply.sentences(evidence.subject.names)
        if not said.paragraph and not _states_nothing(said.text, query, evidence)
    ]
    return Check("every factual claim has a citation", not bad, _first(bad))


def _citations_support(reply: Reply, query: str, evidence: Evidence) -> Check:
    bad = []
    for said in reply.sentences(evidence.subject.names):
        cited = said.citations or said.paragraph
        if cited and not _states_nothing(said.text, query, evidence):
            reason = _unsupported(said, cited, reply, evidence)
            if reason:
                bad.append(f"{said.text[:_SHOWN]} ({reason})")
    return Check("what is cited supports what is said", not bad, _first(bad))


def _unsupported(
    said: SaidSentence, cited: tuple[Citation, ...], reply: Reply, evidence: Evidence
) -> str:
    """Why the cited words do not bear a sentence out, or nothing."""
    found = [near for one in cited if (near := _near(said.text, one, evidence))]
    if not found:
        return "nothing stands there"
    words = "\n".join(_words(said.text, one, evidence) for one in {*cited, *said.paragraph})
    if _is_copied(said.text, words):
        return ""
    verdict = check_support(said.text, found)
    if verdict.support is not Support.UNVERIFIED:
        return ""
    infers = is_labelled(said.text) or reply.classification == "inferred"
    if infers:
        every = reply.cited(evidence.subject.names)
        words = "\n".join([words, *(_words(said.text, one, evidence) for one in every)])
    if missing := _figures_missing(said.text, words, may_follow=infers):
        return f"{missing} does not stand there"
    if verdict.reason in AGAINST and not (
        verdict.reason == MISPLACED and _is_in_one_unit(said.text, found)
    ):
        return verdict.reason
    return "" if _share(said.text, set(terms(words))) >= _LEAST_THERE else verdict.reason


def _is_in_one_unit(text: str, found: list[tuple[EvidenceText, ...]]) -> bool:
    """Whether one row or sentence has all the figures and nearly all the words: whose figures
    they are is not in doubt then, though a column may go unnamed."""
    return any(
        not _figures_missing(text, unit.whole) and _share(text, unit.terms) >= _LEAST_TOGETHER
        for units in found
        for unit in units
    )


def _near(text: str, citation: Citation, evidence: Evidence) -> tuple[EvidenceText, ...]:
    """Of a whole item that is cited, the units that a sentence can be about."""
    units = evidence.at(citation)
    if isinstance(units, str) or len(units) <= _MOST_UNITS:
        return () if isinstance(units, str) else units
    wanted = set(terms(text)) - STOP_WORDS
    shared = sorted((-len(wanted & one.own_terms), at) for at, one in enumerate(units))
    return tuple(units[at] for at in sorted(at for _, at in shared[:_MOST_UNITS]))


def _words(text: str, citation: Citation, evidence: Evidence) -> str:
    """What stands at a place: all of it, or of a whole item what is nearest."""
    near = _near(text, citation, evidence)
    if len(near) < _MOST_UNITS:
        return evidence.words_at(citation)
    return "\n".join(one.whole for one in near)


def _is_copied(text: str, words: str) -> bool:
    """Word for word, a row with its headers between."""
    pieces = [piece for part in _BETWEEN.split(text) if (piece := part.strip(_MARKS))]
    return bool(pieces) and all(stands_in(piece, words) for piece in pieces)


def _figures_missing(text: str, words: str, *, may_follow: bool = False) -> str:
    """A figure that does not stand there; of an inference (TIP §6.2) one that does not follow."""
    known = quantities(words)
    for figure in outside_dates(quantities(text), text):
        stands = any(figure.agrees_with(other) for other in known) or figure.text in words
        if not stands and not (may_follow and follows(figure, words)):
            return figure.text
    return ""


def _nothing_from_outside(reply: Reply, query: str, evidence: Evidence) -> Check:
    """TIP §3.3: what no item has is not from the context, with a citation or without."""
    known = evidence.vocabulary | frozenset(terms(query))
    bad = []
    for said in reply.sentences(evidence.subject.names):
        figures = outside_dates(quantities(said.text), said.text)
        asked = {one.value for one in quantities(query)}
        foreign = [
            one
            for one in figures
            if one.digits > 1 and one.value not in evidence.figures and one.value not in asked
        ]
        if _share(said.text, known) < _LEAST_INSIDE:
            bad.append(said.text[:_SHOWN])
        elif foreign and not said.paragraph:
            bad.append(f"{said.text[:_SHOWN]} ({foreign[0].text})")
    return Check("nothing is said that the bundle does not have", not bad, _first(bad))


def _states_nothing(text: str, query: str, evidence: Evidence) -> bool:
    """TIP §3.2: of the context itself, of the question, or of what is not there."""
    subject = evidence.subject
    titles = " ".join(f"{item.id} {item.title}" for item in subject.bundle.items)
    known = f"{query} {titles} {subject.bundle.title}"
    figures = frozenset(one.text for one in quantities(known))
    if is_exempt(text, frozenset(terms(known)), figures):
        return True
    counted = _COUNTED.sub("", text)
    if any(one.text not in figures for one in outside_dates(quantities(counted), counted)):
        return False
    if is_abstention(text) or _ADDRESSED.match(text):
        return True
    # What follows is introduced, or the context itself is spoken of.
    return text.rstrip().endswith(":") or bool(_OF_CONTEXT.search(text))


def _share(text: str, known: set[str] | frozenset[str]) -> float:
    telling = [word for word in terms(text) if word not in STOP_WORDS and word not in _RETELLING]
    if len(telling) < _FEW_WORDS:
        return 1.0
    return sum(is_known(word, known) for word in telling) / len(telling)


def _first(bad: list[str]) -> str:
    more = f" (and {len(bad) - 1} more)" if len(bad) > 1 else ""
    return f"{bad[0][:400]}{more}" if bad else ""
