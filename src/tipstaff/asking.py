"""A question to an indexed bundle: understood, answered, verified, said.

One interrogation is one recipient with one bundle. It remembers its own questions and nothing
of anybody else's (TIP §8.3).
"""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from tipstaff.access.recipients import permitted_items, quotable
from tipstaff.answer.context import AnswerContext
from tipstaff.answer.extractive import draft
from tipstaff.answer.follow_up import resolved
from tipstaff.answer.item_summaries import answer_from_summaries
from tipstaff.answer.part_answer import with_answer
from tipstaff.answer.question import Question, understand
from tipstaff.answer.rendering import meta_refusal, render
from tipstaff.answer.wording import said_back, without_marks
from tipstaff.citation.places import CitableDocument
from tipstaff.citation.resolution import resolve
from tipstaff.domain.access import AccessLevel
from tipstaff.domain.citation import SYNTHESIS_ID, Citation, Passage, Resolution, Unresolved
from tipstaff.domain.classification import Classification, Confidence, Support
from tipstaff.domain.clean_text import clean
from tipstaff.domain.draft import Draft
from tipstaff.domain.evidence import RetrievalSummary
from tipstaff.domain.location import WHOLE_ITEM
from tipstaff.domain.response import (
    ContextScope,
    Contradiction,
    Gap,
    Inference,
    Notice,
    NoticeKind,
    Response,
    ResponseEnvelope,
    SessionUsage,
    Usage,
)
from tipstaff.domain.retrieval import Retrieval, RetrievalOptions
from tipstaff.domain.scope import Filter, IndexedItem
from tipstaff.errors import MalformedQuery
from tipstaff.indexing import IndexedBundle, options_from
from tipstaff.read.reader import Reader, reader_named
from tipstaff.reading import read_bundle
from tipstaff.tokens import count_tokens
from tipstaff.verify.classification import classify, confidence_of
from tipstaff.verify.verifier import Verified, VerifiedClaim, Verifier

MODEL = "extractive"
# No figure and no sentence runs on from one cell into the next.
_BETWEEN_CELLS = " | "
# No question is longer; what looks for its parts takes time by the square of it.
MAX_QUERY_CHARS = 2_000
GROUNDING_MODES = ("strict", "standard", "exploratory")


@dataclass(kw_only=True)
class Interrogation:
    """`ask` answers one query; follow-up questions may lean on those before."""

    indexed: IndexedBundle
    recipient: str | None = None
    options: RetrievalOptions | None = None
    grounding: str = "standard"
    reader: Reader | None = field(init=False)
    _documents: dict[str, CitableDocument | None] = field(default_factory=dict)
    _history: list[str] = field(default_factory=list)
    _retrievals: list[Retrieval] = field(default_factory=list)
    _tokens: tuple[int, int] = (0, 0)
    _known: AnswerContext | None = None
    session_id: str = field(default_factory=lambda: _new_id("session"))

    def __post_init__(self) -> None:
        settings = self.indexed.settings
        self.reader = reader_named(settings.reader, threads=settings.embed_threads)
        self.options = self.options or options_from(settings)

    @property
    def last_retrieval(self) -> Retrieval | None:
        """How the passages of the last answer were found (`--explain`)."""
        return self._retrievals[0] if self._retrievals else None

    def ask(self, query: str) -> ResponseEnvelope:
        """One query, one response. What could not be verified is not in it."""
        if not query.strip():
            raise MalformedQuery(
                "The query is empty.", suggestion="Ask a question about the bundle."
            )
        self._retrievals.clear()
        full = resolved(said_back(query, most_chars=MAX_QUERY_CHARS), self._history)
        question = understand(full)
        self._history.append(full)
        context = self._context()
        if question.is_meta:
            response = _refusal(context, question)
        else:
            proposed = draft(question, context, grounding=self.grounding)
            proposed = with_answer(proposed, answer_from_summaries(question, self._summarised()))
            response = self._response(proposed, self._verifier(context).verify(proposed), context)
        return self._envelope(query, full, response)

    def _permitted(self) -> frozenset[str]:
        """TIP §13.4.2: of an item of which only a summary may be had, nothing is searched."""
        bundle = self.indexed.opened.bundle
        allowed = permitted_items(bundle, self.recipient)
        if self.recipient is None:
            return allowed
        return frozenset(
            item.id
            for item in bundle.items
            if item.id in allowed and item.access.level is not AccessLevel.SUMMARY_ONLY
        )

    def _summarised(self) -> list[IndexedItem]:
        searched = self._permitted()
        allowed = permitted_items(self.indexed.opened.bundle, self.recipient)
        return [item for item in self.indexed.index.items if item.id in allowed - searched]

    def _context(self) -> AnswerContext:
        """Made once: units of evidence that were cut stay cut."""
        if self._known is not None:
            return self._known
        permitted = self._permitted()
        items = [item for item in self.indexed.index.items if item.id in permitted]
        assert self.options is not None  # noqa: S101 (set in __post_init__)
        self._known = AnswerContext(
            bundle=self.indexed.opened.bundle,
            index=self.indexed.index,
            scope=Filter().scope(items),
            search=self._search,
            options=self.options,
            documents=self._document,
            reader=self.reader,
            quotable=lambda item_id: quotable(self.indexed.opened.bundle, item_id, self.recipient),
        )
        return self._known

    def _search(self, query: str, options: RetrievalOptions) -> Retrieval:
        done = self.indexed.search(query, options=options, permitted=self._permitted())
        self._retrievals.append(done)
        return done

    def _document(self, item_id: str) -> CitableDocument | None:
        """The document of an item that may be searched; for this recipient there are no others."""
        if item_id != SYNTHESIS_ID and item_id not in self._permitted():
            return None
        return self._citable(item_id)

    def _citable(self, item_id: str) -> CitableDocument | None:
        if item_id not in self._documents:
            read = read_bundle(self.indexed.opened, settings=self.indexed.settings, only={item_id})
            self._documents[item_id] = read.documents.get(item_id)
        return self._documents[item_id]

    def _verifier(self, context: AnswerContext) -> Verifier:
        bundle = self.indexed.opened.bundle
        permitted = permitted_items(bundle, self.recipient)
        summarised = {item.id for item in self._summarised()}

        def has_integrity(item_id: str) -> bool:
            item = bundle.item(item_id)
            return item_id == SYNTHESIS_ID or (item is not None and item.has_integrity)

        return Verifier(
            resolve=self._resolve,
            readings=self._readings,
            has_integrity=has_integrity,
            quotable=lambda item_id: item_id in summarised or context.quotable(item_id),
            permitted=lambda item_id: item_id == SYNTHESIS_ID or item_id in permitted,
            headers=self._headers,
        )

    def _resolve(self, citation: Citation) -> Resolution:
        """TIP §13.4.2: an item that speaks through its summary has no other words."""
        for item in self._summarised():
            if item.id == citation.item_id:
                if citation.location != WHOLE_ITEM:
                    return Unresolved(citation, "only the summary of this item may be cited")
                return Passage(citation, item.summary, ())
        document = self._citable(citation.item_id)
        return resolve(citation, {citation.item_id: document} if document else {})

    def _readings(self, passage: Passage) -> tuple[str, ...]:
        """The words as they are in the file, without the format's marks, and cell by cell."""
        citable = self._citable(passage.citation.item_id) if passage.spans else None
        if citable is None:
            return (passage.text,)
        document = citable.document
        words = "\n".join(clean(document, span).text for span in passage.spans)
        cells = [
            clean(document, c.span).text for s in passage.spans for c in document.cells.within(s)
        ]
        return tuple(
            dict.fromkeys(
                (passage.text, words, _BETWEEN_CELLS.join(cells))
                if cells
                else (passage.text, words)
            )
        )

    def _headers(self, passage: Passage) -> frozenset[str]:
        document = self._citable(passage.citation.item_id)
        if document is None:
            return frozenset()
        cells = document.document.cells
        return frozenset(
            " ".join(cell.header.split()) for span in passage.spans for cell in cells.within(span)
        )

    def _response(self, proposed: Draft, verified: Verified, context: AnswerContext) -> Response:
        claims = [one for paragraph in verified.paragraphs for one in paragraph.claims]
        gaps = [Gap(without_marks(g.topic), without_marks(g.description)) for g in proposed.gaps]
        if not claims and not gaps:
            gaps = [
                Gap("the query", "The bundled context does not contain information about this.")
            ]
        shown = claims or list(verified.related)
        titles = {item.id: item.title for item in context.items}
        return Response(
            text=render(verified, gaps, context.items, titles),
            classification=classify(claims, gaps),
            confidence=confidence_of(claims),
            claims=tuple(one.claim for one in claims),
            citations=tuple(citation for one in shown for citation in one.citations),
            gaps=tuple(gaps),
            inferences=tuple(map(_inference, filter(_is_inferred, claims))),
            contradictions=_standing(proposed.contradictions, claims),
            removed=verified.removed,
        )

    def _envelope(self, query: str, full: str, response: Response) -> ResponseEnvelope:
        asked, said = count_tokens(query), count_tokens(response.text)
        self._tokens = (self._tokens[0] + asked, self._tokens[1] + said)
        retrieval = self.last_retrieval
        used = len({citation.item_id for citation in response.citations})
        return ResponseEnvelope(
            response_id=_new_id("response"),
            query_id=_new_id("query"),
            created_at=dt.datetime.now(dt.UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
            session=SessionUsage(
                session_id=self.session_id,
                query_count=len(self._history),
                input_tokens=self._tokens[0],
                output_tokens=self._tokens[1],
                total_tokens_used=sum(self._tokens),
            ),
            response=response,
            context_scope=self.scope(),
            retrieval_summary=_summary(retrieval, used, self._retrievals),
            model=MODEL,
            usage=Usage(input_tokens=asked, output_tokens=said),
            notices=self._notices(query, full),
        )

    def scope(self) -> ContextScope:
        """Enterprise §3.6: how much of the bundle this recipient's answers rest on."""
        bundle = self.indexed.opened.bundle
        total = len(bundle.items)
        accessible = permitted_items(bundle, self.recipient)
        ids = tuple(item.id for item in bundle.items if item.id in accessible)
        return ContextScope(
            total_items=total,
            accessible_items=len(ids),
            accessible_item_ids=ids,
            restricted_items=total - len(ids),
            scope_complete=total == len(ids),
        )

    def _notices(self, query: str, full: str) -> tuple[Notice, ...]:
        notices = []
        scope = self.scope()
        if not scope.scope_complete:
            notices.append(
                Notice(
                    NoticeKind.REDUCED_SCOPE,
                    f"This response is based on {scope.accessible_items} of {scope.total_items} "
                    "context items in this tez. Additional context items exist that you do "
                    "not have "
                    "access to. The completeness of this response may be affected.",
                )
            )
        indexed = {item.id for item in self.indexed.index.items}
        permitted = permitted_items(self.indexed.opened.bundle, self.recipient)
        archives = {item.parent for item in self.indexed.opened.bundle.items}
        missing = [
            item.id
            for item in self.indexed.opened.bundle.items
            if item.id in permitted and item.id not in indexed and item.id not in archives
        ]
        if missing:
            notices.append(
                Notice(
                    NoticeKind.DEGRADED_CONTEXT,
                    f"Not readable and so not searched: {', '.join(missing)}.",
                )
            )
        if len(query) > MAX_QUERY_CHARS:
            told = f"Only the first {MAX_QUERY_CHARS} characters of the query were read."
            notices.append(Notice(NoticeKind.QUERY_TRUNCATED, told))
        elif full != said_back(query, most_chars=MAX_QUERY_CHARS):
            notices.append(Notice(NoticeKind.FOLLOW_UP, f"Understood as: {full}"))
        return tuple(notices)


def _refusal(context: AnswerContext, question: Question) -> Response:
    return Response(
        text=meta_refusal(context.items),
        classification=Classification.ABSTENTION,
        confidence=Confidence.HIGH,
        gaps=(Gap(said_back(question.text), "This is not a question about the bundled context."),),
    )


def _standing(
    proposed: Sequence[Contradiction], claims: Sequence[VerifiedClaim]
) -> tuple[Contradiction, ...]:
    """A disagreement is told only if every side of it was let through."""
    said = {reference for one in claims for reference in one.claim.citations}
    return tuple(two for two in proposed if all(side.citation in said for side in two.positions))


def _is_inferred(one: VerifiedClaim) -> bool:
    return one.claim.support is Support.INFERRED


def _inference(one: VerifiedClaim) -> Inference:
    return Inference(one.claim.text, one.claim.citations, one.draft.reasoning)


def _summary(retrieval: Retrieval | None, used: int, every: list[Retrieval]) -> RetrievalSummary:
    if retrieval is None:
        return RetrievalSummary(
            strategy="single_pass", chunks_retrieved=0, chunks_used=0, items_referenced=0
        )
    found = {one.number for done in every for one in done.found}
    summary = retrieval.summary(used=used)
    return replace(
        summary,
        chunks_retrieved=len(found),
        chunks_used=used,
        items_referenced=used,
        chunks_evaluated=sum(done.evaluated for done in every),
        retrieval_time_ms=sum(done.time_ms for done in every),
    )


def _new_id(kind: str) -> str:
    return f"{kind}-{uuid.uuid4()}"
