"""Nouns come back from the wire as they went."""

from __future__ import annotations

import pytest

from tipstaff.domain.classification import Classification, Confidence, Support
from tipstaff.domain.events import BY_NAME, SessionStart, Token, event_from_wire
from tipstaff.domain.evidence import RetrievalSummary, RetrievalTrace
from tipstaff.domain.response import (
    CheckedCitation,
    Claim,
    ContextScope,
    Gap,
    Notice,
    NoticeKind,
    Response,
    ResponseEnvelope,
    SessionUsage,
    Usage,
)
from tipstaff.domain.wire import from_wire, to_wire
from tipstaff.errors import BudgetExhausted, InternalError, RateLimited, error_from_wire

ENVELOPE = ResponseEnvelope(
    response_id="r",
    query_id="q",
    created_at="2026-01-01T00:00:00Z",
    session=SessionUsage(query_count=1, input_tokens=2, output_tokens=3, total_tokens_used=5),
    response=Response(
        text="Blue [[notes:L1]].",
        classification=Classification.GROUNDED,
        confidence=Confidence.HIGH,
        claims=(
            Claim(
                text="Blue",
                confidence=Confidence.HIGH,
                citations=("notes:L1",),
                support=Support.QUOTED,
            ),
        ),
        citations=(
            CheckedCitation(
                item_id="notes",
                location="L1",
                text_excerpt="blue",
                claim="Blue",
                exists_verified=True,
                integrity_verified=True,
                quote_verified=False,
                retrieval=RetrievalTrace(method="hybrid", vector_score=1.0),
            ),
        ),
        gaps=(Gap("a", "b"),),
    ),
    context_scope=ContextScope(
        total_items=1,
        accessible_items=1,
        accessible_item_ids=("notes",),
        restricted_items=0,
        scope_complete=True,
    ),
    retrieval_summary=RetrievalSummary(
        strategy="single_pass", chunks_retrieved=1, chunks_used=1, items_referenced=1
    ),
    model="extractive",
    usage=Usage(estimated_cost_usd=1.0),
    notices=(Notice(NoticeKind.MODEL, "said"),),
)


def test_a_response_comes_back_as_it_went() -> None:
    assert from_wire(ResponseEnvelope, to_wire(ENVELOPE)) == ENVELOPE


def test_a_cost_that_is_not_known_is_said_to_be_not_known_and_comes_back_so() -> None:
    wired = to_wire(Usage(estimated_cost_usd=None))
    assert wired["estimated_cost_usd"] is None
    assert from_wire(Usage, wired) == Usage(estimated_cost_usd=None)


def test_fields_that_are_not_known_are_passed_over() -> None:
    """TIP §15.2: a server of a later minor version may say more."""
    wired = {**to_wire(ENVELOPE), "new": {"deep": [1]}}
    wired["response"]["citations"][0]["newer"] = 1
    assert from_wire(ResponseEnvelope, wired) == ENVELOPE


@pytest.mark.parametrize(
    "change",
    [
        {"response": None},
        {"response": []},
        {"model": 7},
        {"usage": {"input_tokens": "1"}},
        {"notices": {"kind": "model"}},
        {"notices": [{"kind": "no-such-kind", "message": ""}]},
    ],
)
def test_what_is_no_response_is_not_taken_for_one(change: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"."):
        from_wire(ResponseEnvelope, {**to_wire(ENVELOPE), **change})
    with pytest.raises(ValueError, match=r"response_id"):
        from_wire(ResponseEnvelope, {})


def test_there_are_nine_events_and_an_unknown_one_is_none() -> None:
    assert len(BY_NAME) == 9
    assert event_from_wire("tip.token", {"delta": "x"}) == Token("x")
    assert event_from_wire("tip.future", {"x": 1}) is None
    start = SessionStart(tez_id="t", session_id="s", timestamp="now")
    assert event_from_wire(start.name, to_wire(start)) == start


def test_errors_come_back_as_what_they_were() -> None:
    went = RateLimited(scope="tez", limit="9 queries/minute", retry_after_seconds=4)
    came = error_from_wire(went.to_wire()["error"])
    assert isinstance(came, RateLimited)
    assert came.to_wire() == went.to_wire()
    spent = BudgetExhausted(
        limit_type="query_count", limit_value=1, used=1, download_permitted=True
    )
    assert error_from_wire(spent.to_wire()["error"]).details["options"] == spent.details["options"]
    assert isinstance(error_from_wire({"type": "of-the-future"}), InternalError)
