"""A query asked in a session of its own → what was observed, judged by rules.

Sessions are not shared: an earlier question of the set must not help, or hinder, a later one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping

from tipstaff.answer.witnessing import ContextWitness
from tipstaff.asking import Interrogation
from tipstaff.citation.grammar import parse_citation
from tipstaff.domain.classification import Support
from tipstaff.domain.response import Claim, Response
from tipstaff.domain.retrieval import Found
from tipstaff.eval.by_rules import ClaimRules, relevance_by_rules
from tipstaff.eval.observation import Observed, Unit, UnitKind
from tipstaff.eval.query_set import EvalQuery, QuerySet
from tipstaff.verify.checked_sentence import CitedEvidence

Progress = Callable[[str, int, int], None]
_Evidence = Mapping[str, CitedEvidence | str]


def observe_all(
    queries: QuerySet,
    begin: Callable[[], Interrogation],
    *,
    progress: Progress | None = None,
) -> list[Observed]:
    """Every query of the set, each in the session that `begin` makes for it."""
    return asyncio.run(_observe_all(queries, begin, progress))


async def _observe_all(
    queries: QuerySet, begin: Callable[[], Interrogation], progress: Progress | None
) -> list[Observed]:
    seen: list[Observed] = []
    reader = None
    for number, query in enumerate(queries.queries):
        if progress is not None:
            progress(query.id, number, len(queries.queries))
        interrogation = begin()
        # Reading its weights again for every query would take longer than the answers.
        interrogation.reader = reader = reader or interrogation.reader
        try:
            seen.append(await observe(query, interrogation))
        finally:
            await interrogation.aclose()
    return seen


async def observe(query: EvalQuery, interrogation: Interrogation) -> Observed:
    envelope = await interrogation.answer(query.query)
    response = envelope.response
    units = await asyncio.to_thread(_units, query, response, interrogation)
    return Observed(
        query=query,
        model=envelope.model,
        classification=response.classification,
        text=response.text,
        cited_items=tuple(dict.fromkeys(one.item_id for one in response.citations)),
        units=units,
    )


def _units(query: EvalQuery, response: Response, interrogation: Interrogation) -> tuple[Unit, ...]:
    boundary = interrogation.boundary
    witness = ContextWitness(
        context=interrogation.context(),
        resolve=boundary.resolve,
        has_integrity=boundary.has_integrity,
        permitted=boundary.may_cite,
    )
    names = boundary.bundle.citable_names()
    evidence: dict[str, CitedEvidence | str] = {}
    references = (one.reference for one in response.citations)
    for reference in (*references, *(r for claim in response.claims for r in claim.citations)):
        cited = parse_citation(f"[[{reference}]]", names=names)
        evidence[reference] = witness.look_up(cited) if cited else "It is no citation."
    home = witness.witness(query.query, may_infer=True).home
    rules = ClaimRules(evidence=evidence, home=home)
    return (
        *_chunks(query, response, interrogation, evidence),
        *_claims(response, rules, evidence),
        *_citations(response, rules, evidence),
    )


def _chunks(
    query: EvalQuery, response: Response, interrogation: Interrogation, evidence: _Evidence
) -> Iterator[Unit]:
    """Enterprise §8.3.1 counts chunks that are used in the response: those that its citations are
    from. What was read by another way than a search is taken as the passage that is cited."""
    found: dict[str, Found] = {
        one.chunk.chunk_id: one for done in interrogation.searches for one in done.found
    }
    used: dict[tuple[str, str], str] = {}
    for citation in response.citations:
        chunk_id = citation.retrieval.chunk_id if citation.retrieval else ""
        chunk = found[chunk_id].chunk if chunk_id in found else None
        if chunk is not None:
            used[citation.item_id, str(chunk.location)] = f"{chunk.context}\n{chunk.text}".strip()
        else:
            words = "\n".join(_words(evidence[citation.reference])) or citation.text_excerpt
            used[citation.item_id, citation.location] = words
    for number, ((item_id, location), text) in enumerate(used.items(), 1):
        yield Unit(
            kind=UnitKind.CHUNK,
            number=number,
            text=text,
            reference=f"{item_id}:{location}" if location else item_id,
            by_rules=relevance_by_rules(query, item_id, text),
        )


def _claims(response: Response, rules: ClaimRules, evidence: _Evidence) -> Iterator[Unit]:
    for number, claim in enumerate(response.claims, 1):
        passages = [words for one in claim.citations for words in _words(evidence[one])]
        yield Unit(
            kind=UnitKind.CLAIM,
            number=number,
            text=claim.text,
            reference=", ".join(claim.citations),
            evidence=tuple(passages),
            inferred=claim.support is Support.INFERRED,
            settled=not passages,
            by_rules=rules.faithfulness(claim),
        )


def _citations(response: Response, rules: ClaimRules, evidence: _Evidence) -> Iterator[Unit]:
    for number, citation in enumerate(response.citations, 1):
        found = evidence[citation.reference]
        claims = _of(citation.claim, response)
        yield Unit(
            kind=UnitKind.CITATION,
            number=number,
            text=citation.claim,
            reference=citation.reference,
            evidence=_words(found),
            inferred=any(claim.support is Support.INFERRED for claim in claims),
            joint=any(len(set(claim.citations)) > 1 for claim in claims),
            settled=isinstance(found, str),
            by_rules=rules.accuracy(citation, claims),
        )


def _of(statement: str, response: Response) -> list[Claim]:
    return [claim for claim in response.claims if claim.text == statement]


def _words(found: CitedEvidence | str) -> tuple[str, ...]:
    """What is cited, with what stands above it; that is said once of units that share it."""
    told: list[str] = []
    above = ""
    for unit in () if isinstance(found, str) else found.units:
        told.append(unit.text if unit.surroundings == above else unit.whole)
        above = unit.surroundings
    return tuple(told)
