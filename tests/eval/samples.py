"""Observed responses, made by hand."""

from __future__ import annotations

from collections.abc import Sequence

from tipstaff.domain.classification import Classification
from tipstaff.eval.observation import Observed, Unit, UnitKind, Verdict
from tipstaff.eval.query_set import EvalQuery


def unit(kind: UnitKind, number: int, *, holds: bool = True, is_edge: bool = False) -> Unit:
    return Unit(
        kind=kind,
        number=number,
        text=f"the words of {kind} {number}",
        reference=f"notes:L{number}",
        evidence=("what is cited",),
        by_rules=Verdict(holds, is_edge=is_edge),
    )


def units(kind: UnitKind, holds: Sequence[bool]) -> tuple[Unit, ...]:
    return tuple(unit(kind, number, holds=one) for number, one in enumerate(holds, 1))


def answered(
    name: str,
    *,
    chunks: Sequence[bool] = (True,),
    claims: Sequence[bool] = (True,),
    citations: Sequence[bool] = (True,),
    needs: Sequence[str] = ("notes",),
    cites: Sequence[str] = ("notes",),
    expected: Sequence[tuple[str, ...]] = (),
    answerable: bool = True,
    text: str = "It is so.",
    classification: Classification = Classification.GROUNDED,
    acceptable: Sequence[str] = (),
) -> Observed:
    return Observed(
        query=EvalQuery(
            id=name,
            query=f"What of {name}?",
            answerable=answerable,
            relevant_items=tuple(needs) if answerable else (),
            expected=tuple(expected),
            acceptable=tuple(acceptable),
        ),
        model="extractive",
        classification=classification,
        text=text,
        cited_items=tuple(cites),
        units=(
            *units(UnitKind.CHUNK, chunks),
            *units(UnitKind.CLAIM, claims),
            *units(UnitKind.CITATION, citations),
        ),
    )


def abstained(
    name: str,
    *,
    answerable: bool,
    needs: Sequence[str] = ("notes",),
    acceptable: Sequence[str] = (),
) -> Observed:
    return answered(
        name,
        chunks=(),
        claims=(),
        citations=(),
        cites=(),
        needs=needs,
        answerable=answerable,
        classification=Classification.ABSTENTION,
        text="The context does not say.",
        acceptable=acceptable,
    )
