"""Whether a figure is of what its clause speaks of, or of what the clause beside it does."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache

from tipstaff.facts.quantities import Measure, Quantity
from tipstaff.lexical.analysis import terms
from tipstaff.verify.clauses import Clause
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.exchanges import LIGHT
from tipstaff.verify.figures import is_label, same_measure, stated_in
from tipstaff.verify.measures import measured_in, unit_terms
from tipstaff.verify.statement import Statement, telling_in
from tipstaff.verify.synonyms import is_known

# So many words on either side of a figure say what it is of.
_BESIDE = 3
_NO_NOUNS = frozenset(
    terms("without within per plus including until since during before after against between "
          "only each every")
)  # fmt: skip
_NOUN = re.compile(r"\s([a-z]{3,})\b")
_FEW = 2
_PAST = re.compile(r"\s([a-z]+ed)\b")
_ELLIPTIC = frozenset(terms("for from with and were was are is had have"))


def of_its_clause(
    figure: Quantity,
    said: Clause,
    statement: Statement,
    evidence: Sequence[EvidenceText],
    far: Sequence[EvidenceText],
) -> bool:
    """No clause with another figure of its kind fits better than those that have this one; one
    that is `far` from them must fit much better."""
    # A figure does not say what it is of, in words no more than in digits.
    spelled = {term for one in statement.figures for term in terms(one.text)}
    wanted = telling_in(said) - unit_terms() - spelled
    # Figures that are stated too are no rivals; whether they are swapped is asked apart.
    beside = [one for one in statement.figures if one is not figure]
    named = wanted & {term for name in statement.names for term in terms(name)}
    having, rivals, farther = [0], [0], [0]
    holding: list[tuple[EvidenceText, Clause, frozenset[str]]] = []
    beside_it: list[tuple[EvidenceText, Clause]] = []
    told = "\n".join(one.text for one in evidence)
    for one in (*evidence, *far):
        if one.is_row:
            continue
        before, counted = frozenset[str](), frozenset[str]()
        figures = sorted(one.own_figures, key=lambda f: f.start)
        starts = [f.start for f in figures]
        for clause in one.clauses:
            own = figures[bisect_left(starts, clause.start) : bisect_left(starts, clause.end)]
            # Whose figure it is tells more than what is said of it.
            shared = len(wanted & clause.terms) + bool(named & clause.terms)
            # "It has five floors and 1,150 seats": a few words go on with what was said before.
            nouns = frozenset(_noun_behind(one.text, f.end) for f in own) - {""}
            goes_on = figure.measure is Measure.NUMBER and len(telling_in(clause)) <= _FEW
            # "Garaventa would change only tower 9, for CHF 4,900."
            goes_on = goes_on or telling_in(clause) <= _only_figures(clause, own)
            lead = before if goes_on and nouns.isdisjoint(counted) else frozenset()
            before, counted = clause.terms, nouns
            if stated_in(figure, statement.plain, own, f"{one.text}\n{one.surroundings}", told):
                if _counts_other(figure, statement.plain, one, own):
                    return False
                led = clause.terms | lead
                holding.append((one, clause, _figure_words(one, clause, figure)))
                having.append(len(wanted & led) + bool(named & led))
            elif not _is_stated(own, beside) and any(
                same_measure(figure, other)
                and not is_label(other, one.text, [one.text])
                # What is measured is not money.
                and not (figure.measure is Measure.MONEY and measured_in(one.text, other.end))
                for other in own
            ):
                (rivals if any(one is near for near in evidence) else farther).append(shared)
                if shared:
                    beside_it.append((one, clause))
    best, rival = max(having), max(rivals)
    if rival == best and _is_of_neighbour(wanted, holding, beside_it, statement):
        return False
    if max(farther) > best + 1:
        return False
    return rival <= best + 1 if best else not rival


def _only_figures(clause: Clause, own: Sequence[Quantity]) -> frozenset[str]:
    """The words of a clause that are its figures, or the currency that they are in."""
    spelled = {term for one in own for term in terms(f"{one.text} {one.unit}")}
    return frozenset(spelled | unit_terms() | {one for one in clause.terms if one[:1].isdigit()})


def _is_of_neighbour(
    wanted: frozenset[str],
    holding: Sequence[tuple[EvidenceText, Clause, frozenset[str]]],
    rivals: Sequence[tuple[EvidenceText, Clause]],
    statement: Statement,
) -> bool:
    """Whether what a figure is said to be of stands with another figure, and with this one stands
    something else: "in seven cases milk was missing, in three cases mustard"."""
    if len(holding) != 1:
        return False
    ((unit, own, near),) = holding
    said = frozenset(terms(statement.plain))
    other = {
        term
        for term in near & telling_in(own) - unit_terms() - said - LIGHT
        if not term[:1].isdigit() and not is_known(term, said)
    }
    return bool(other) and any(
        wanted & rival.terms - own.terms - LIGHT for one, rival in rivals if one is unit
    )


def _figure_words(one: EvidenceText, clause: Clause, figure: Quantity) -> frozenset[str]:
    """The words right before and behind a figure in its clause."""
    for other in one.own_figures:
        if other.value == figure.value and clause.start <= other.start < clause.end:
            before = terms(one.text[clause.start : other.start])[-_BESIDE:]
            return frozenset((*before, *terms(one.text[other.end : clause.end])[:_BESIDE]))
    return frozenset()


def _counts_other(figure: Quantity, said: str, one: EvidenceText, own: Sequence[Quantity]) -> bool:
    """Whether what a figure is said to count is counted by another one there, and this one counts
    something else: 1,150 floors, and "five floors and 1,150 seats"."""
    if figure.measure is not Measure.NUMBER:
        return False
    noun = _noun_behind(said, figure.end)
    mine = {_noun_behind(one.text, other.end) for other in own if other.value == figure.value}
    if not noun or noun in mine or "" in mine or noun not in _counted_in(one):
        return False
    # "Four technicians for the get-in and six for the get-out": the noun stands once.
    verbs = {
        term
        for other in own
        if other.value == figure.value and (verb := _PAST.match(one.text, other.end))
        for term in terms(verb[1])
    }
    return not mine <= _ELLIPTIC | verbs and not _counts_first(noun, figure, one)


@lru_cache(maxsize=256)
def _counted_in(one: EvidenceText) -> frozenset[str]:
    """What the figures of a unit count."""
    return frozenset(_noun_behind(one.text, other.end) for other in one.own_figures)


def _counts_first(noun: str, figure: Quantity, one: EvidenceText) -> bool:
    """Whether a noun with an adjective is counted by this figure, too: "three dimmer modules"."""
    return any(
        noun in terms(one.text[other.end :])[:2]
        for other in one.own_figures
        if other.value == figure.value
    )


def _noun_behind(text: str, end: int) -> str:
    match = _NOUN.match(text, end)
    noun = next(iter(terms(match[1])), "") if match else ""
    return "" if noun in _NO_NOUNS else noun


def _is_stated(own: Sequence[Quantity], stated: Sequence[Quantity]) -> bool:
    """Whether a clause is where another figure of the statement comes from."""
    return any(one.value == other.value for one in own for other in stated)
