"""A question to an indexed bundle: understood, answered, verified, said.

One interrogation is one recipient with one bundle. It remembers its own questions and nothing
of anybody else's (TIP §8.3).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from tipstaff.answer.context import AnswerContext
from tipstaff.answer.extractive import part_answers
from tipstaff.answer.follow_up import resolved
from tipstaff.answer.item_summaries import answer_from_summaries
from tipstaff.answer.part_answer import PartAnswer, draft_of
from tipstaff.answer.question import Question, understand
from tipstaff.answer.rendering import render
from tipstaff.answer.wording import said_back, without_marks
from tipstaff.boundary import GroundingBoundary
from tipstaff.domain.classification import Support
from tipstaff.domain.draft import Draft
from tipstaff.domain.response import (
    ContextScope,
    Contradiction,
    Gap,
    Inference,
    Response,
    ResponseEnvelope,
    SessionUsage,
    Usage,
)
from tipstaff.domain.retrieval import Retrieval, RetrievalOptions
from tipstaff.domain.scope import Filter
from tipstaff.enveloping import MAX_QUERY_CHARS, new_id, notices_on, now, summary_of
from tipstaff.errors import MalformedQuery
from tipstaff.guarding import SessionGuard
from tipstaff.indexing import IndexedBundle, options_from
from tipstaff.read.reader import Reader, reader_named
from tipstaff.tokens import count_tokens
from tipstaff.verify.classification import classify, confidence_of
from tipstaff.verify.verifier import Verified, VerifiedClaim

MODEL = "extractive"
GROUNDING_MODES = ("strict", "standard", "exploratory")


@dataclass(kw_only=True)
class Interrogation:
    """`ask` answers one query; follow-up questions may lean on those before."""

    indexed: IndexedBundle
    recipient: str | None = None
    options: RetrievalOptions | None = None
    grounding: str = "standard"
    reader: Reader | None = field(init=False)
    boundary: GroundingBoundary = field(init=False)
    guard: SessionGuard = field(init=False)
    session_id: str = field(default_factory=lambda: new_id("session"))
    _history: list[str] = field(default_factory=list)
    _searches: list[Retrieval] = field(default_factory=list)
    _tokens: tuple[int, int] = (0, 0)
    _known: AnswerContext | None = None

    def __post_init__(self) -> None:
        settings = self.indexed.settings
        self.reader = reader_named(settings.reader, threads=settings.embed_threads)
        self.boundary = GroundingBoundary(indexed=self.indexed, recipient=self.recipient)
        self.guard = SessionGuard(boundary=self.boundary)

    @property
    def last_retrieval(self) -> Retrieval | None:
        """How the passages of the last answer were found (`--explain`)."""
        return self._searches[0] if self._searches else None

    def ask(self, query: str, *, released: Callable[[str], None] | None = None) -> ResponseEnvelope:
        """One query, one response. What could not be verified is not in it. `released` is told
        each piece of the text as soon as it is checked; without a model all of it is, at once."""
        question, full = self.begin(query)
        response = (
            self.refusal(question)
            if question.is_meta
            else self.offline_response(question, self.answers(question))
        )
        if released is not None:
            released(response.text)
        return self.finish(query, full, response)

    def begin(self, query: str) -> tuple[Question, str]:
        """A query taken up: what it asks, and its words with what they lean on."""
        if not query.strip():
            raise MalformedQuery(
                "The query is empty.", suggestion="Ask a question about the bundle."
            )
        self._searches.clear()
        judged = self.guard.take_up(query)
        asked = said_back(judged.fair or query, most_chars=MAX_QUERY_CHARS)
        # Nothing leans on what was refused.
        full = resolved(asked, [one for one in self._history if one])
        self._history.append("" if judged.is_refused else full)
        return replace(understand(full), is_meta=judged.is_refused), full

    def answers(self, question: Question) -> list[PartAnswer]:
        """What the engine without a model makes of each part."""
        return part_answers(question, self.context(), grounding=self.grounding)

    def offline_response(self, question: Question, answers: Sequence[PartAnswer]) -> Response:
        """These answers, verified and worded, with what summaries say."""
        summaries = answer_from_summaries(question, self.boundary.summarised())
        proposed = draft_of(answers, also=summaries)
        checked = self.boundary.verifier().verify(proposed)
        verified = self.guard.disclosure.within(checked)
        if not verified.paragraphs and (told := self.guard.exhausted(said_back(question.text))):
            return told
        return _response(proposed, verified, self.context())

    def refusal(self, question: Question) -> Response:
        """A query that is not a question to the bundle (TIP §4.4)."""
        return self.guard.refusal(said_back(question.text))

    def finish(self, query: str, full: str, response: Response) -> ResponseEnvelope:
        """The response in its envelope; the session counts it."""
        asked, said = count_tokens(query), count_tokens(response.text)
        self._tokens = (self._tokens[0] + asked, self._tokens[1] + said)
        used = len({citation.item_id for citation in response.citations})
        return ResponseEnvelope(
            response_id=new_id("response"),
            query_id=new_id("query"),
            created_at=now(),
            session=SessionUsage(
                session_id=self.session_id,
                query_count=len(self._history),
                input_tokens=self._tokens[0],
                output_tokens=self._tokens[1],
                total_tokens_used=sum(self._tokens),
            ),
            response=response,
            context_scope=self.scope(),
            retrieval_summary=summary_of(self._searches, used),
            model=MODEL,
            usage=Usage(input_tokens=asked, output_tokens=said),
            notices=(*notices_on(self.boundary, query, full), *self.guard.notices()),
        )

    def scope(self) -> ContextScope:
        return self.boundary.scope()

    def context(self) -> AnswerContext:
        """Made once: units of evidence that were cut stay cut."""
        if self._known is None:
            searchable = self.boundary.searchable()
            items = [item for item in self.indexed.index.items if item.id in searchable]
            self._known = AnswerContext(
                bundle=self.indexed.opened.bundle,
                index=self.indexed.index,
                scope=Filter().scope(items),
                search=self._search,
                options=self.options or options_from(self.indexed.settings),
                documents=self.boundary.document,
                reader=self.reader,
                quotable=self.boundary.quotable,
            )
        return self._known

    def _search(self, query: str, options: RetrievalOptions) -> Retrieval:
        permitted = self.boundary.searchable()
        done = self.indexed.search(
            query, options=options, permitted=permitted, recipient=self.recipient
        )
        self._searches.append(done)
        return done


def _response(proposed: Draft, verified: Verified, context: AnswerContext) -> Response:
    claims = [one for paragraph in verified.paragraphs for one in paragraph.claims]
    gaps = [Gap(without_marks(g.topic), without_marks(g.description)) for g in proposed.gaps]
    if not claims and not gaps:
        gaps = [Gap("the query", "The bundled context does not contain information about this.")]
    shown = claims or list(verified.related)
    titles = {item.id: item.title for item in context.items}
    return Response(
        text=render(verified, gaps, context.items, titles),
        classification=classify(claims, gaps),
        confidence=confidence_of(claims),
        claims=tuple(one.claim for one in claims),
        citations=tuple(citation for one in shown for citation in one.citations),
        gaps=tuple(gaps),
        inferences=tuple(
            Inference(one.claim.text, one.claim.citations, one.draft.reasoning)
            for one in claims
            if one.claim.support is Support.INFERRED
        ),
        contradictions=_standing(proposed.contradictions, claims),
        removed=verified.removed,
    )


def _standing(
    proposed: Sequence[Contradiction], claims: Sequence[VerifiedClaim]
) -> tuple[Contradiction, ...]:
    """A disagreement is told only if every side of it was let through."""
    said = {reference for one in claims for reference in one.claim.citations}
    return tuple(two for two in proposed if all(side.citation in said for side in two.positions))
