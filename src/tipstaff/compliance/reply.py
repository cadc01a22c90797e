"""A response as a stranger's server words it (TIP C.2), read without trust in its shape."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tipstaff.citation.grammar import parse_citations
from tipstaff.citation.names import ItemNames
from tipstaff.compliance.wire import Exchange
from tipstaff.domain.citation import Citation, CitationMark
from tipstaff.verify.sentence_stream import SentenceStream


@dataclass(frozen=True, slots=True)
class SaidSentence:
    """A sentence without its marks, what it cites, and what its whole paragraph cites."""

    text: str
    citations: tuple[Citation, ...]
    paragraph: tuple[Citation, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """`listed` are the entries of `citations`, as they came."""

    text: str
    classification: str
    confidence: str
    listed: Sequence[Mapping[str, Any]] = ()
    gaps: Sequence[Any] = ()
    inferences: Sequence[Any] = ()
    contradictions: Sequence[Any] = ()
    model: str = ""
    retrieval: Mapping[str, Any] = field(default_factory=dict)

    def marks(self, names: ItemNames) -> tuple[CitationMark, ...]:
        return parse_citations(self.text, names=names)

    def cited(self, names: ItemNames) -> tuple[Citation, ...]:
        """Every citation of the text, once, in order."""
        every = (one for mark in self.marks(names) for one in mark.citations)
        return tuple(dict.fromkeys(every))

    def sentences(self, names: ItemNames) -> list[SaidSentence]:
        found = []
        for line in self.text.splitlines():
            stream = SentenceStream()
            drafted = [*stream.feed(line), *stream.finish()]
            marked = [parse_citations(one.text, names=names) for one in drafted]
            whole = tuple(dict.fromkeys(c for marks in marked for m in marks for c in m.citations))
            for one, marks in zip(drafted, marked, strict=True):
                cited = tuple(dict.fromkeys(c for mark in marks for c in mark.citations))
                found.append(SaidSentence(_without(one.text, marks), cited, whole))
        return [one for one in found if any(mark.isalnum() for mark in one.text)]


def read_reply(exchange: Exchange) -> Reply:
    """The `response` of an envelope; what is not there is empty, and fails what needs it."""
    envelope = exchange.object()
    said = envelope.get("response")
    said = said if isinstance(said, dict) else {}
    retrieval = envelope.get("retrieval_summary")
    return Reply(
        text=_text(said.get("text")),
        classification=_text(said.get("classification")),
        confidence=_text(said.get("confidence")),
        listed=[one for one in _list(said.get("citations")) if isinstance(one, dict)],
        gaps=_list(said.get("gaps")),
        inferences=_list(said.get("inferences")),
        contradictions=_list(said.get("contradictions")),
        model=_text(envelope.get("model")),
        retrieval=retrieval if isinstance(retrieval, dict) else {},
    )


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _without(text: str, marks: Sequence[CitationMark]) -> str:
    pieces, position = [], 0
    for mark in marks:
        pieces.append(text[position : mark.start])
        position = mark.end
    left = " ".join("".join([*pieces, text[position:]]).split())
    return left.replace(" .", ".").replace(" ,", ",").replace(" ;", ";").replace(" :", ":").strip()
