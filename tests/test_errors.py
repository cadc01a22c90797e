from __future__ import annotations

import re

import pytest

from tipstaff import errors
from tipstaff.errors import (
    BudgetExhausted,
    BundleUnusable,
    ContextPartlyLoaded,
    FailedItem,
    MalformedQuery,
    ModelUnavailable,
    QueryTimeout,
    RateLimited,
    TipstaffError,
    TokenLimitExceeded,
    VersionMismatch,
    by_priority,
)


def leaves(kind: type[TipstaffError] = TipstaffError) -> list[type[TipstaffError]]:
    children = kind.__subclasses__()
    return [leaf for child in children for leaf in leaves(child)] if children else [kind]


def tree(kind: type[TipstaffError]) -> list[str]:
    """Every class below a root with its depth, in order of definition."""
    lines = []
    for child in kind.__subclasses__():
        lines += [child.__name__, *("  " + line for line in tree(child))]
    return lines


def test_the_drawn_tree_is_the_classes() -> None:
    lines = re.findall(r"(?m)^ {4}([│ ]*)[├└]── (\w+)", errors.__doc__ or "")
    drawn = ["  " * (len(indent) // 4) + name for indent, name in lines]
    assert drawn == tree(TipstaffError)


def test_the_drawn_codes_are_the_classes_codes() -> None:
    drawn = dict(re.findall(r"[├└]── (\w+): ([a-z_]+)$", errors.__doc__ or "", re.MULTILINE))
    assert drawn == {leaf.__name__: leaf.code for leaf in leaves()}


@pytest.mark.parametrize("table", [errors.HTTP_STATUS, errors.EXIT_CODE, errors.STREAM_CODE])
def test_every_leaf_is_in_every_table_once(table: dict[str, object]) -> None:
    codes = [leaf.code for leaf in leaves()]
    assert len(set(codes)) == len(codes)
    assert set(table) == set(codes)


def test_every_type_of_section_14_is_there() -> None:
    named = {
        "context_loading_partial_failure",
        "model_unavailable",
        "token_limit_exceeded",
        "malformed_query",
        "timeout",
        "budget_exhausted",
        "version_mismatch",
    }
    assert named <= set(errors.HTTP_STATUS)


def test_every_stream_code_of_the_enterprise_addendum_is_used() -> None:
    standard = {
        "SESSION_EXPIRED",
        "CONTEXT_LOAD_FAILED",
        "RETRIEVAL_FAILED",
        "GENERATION_FAILED",
        "RATE_LIMITED",
        "AUTHORIZATION_DENIED",
        "BUDGET_EXHAUSTED",
        "INTERNAL_ERROR",
        "CONTEXT_TOO_LARGE",
    }
    assert standard <= set(errors.STREAM_CODE.values())


def test_several_errors_are_reported_in_the_order_of_section_14_8() -> None:
    version = VersionMismatch(required_version="2.0", supported_version="1.0")
    total = BundleUnusable("nothing")
    model = ModelUnavailable()
    tokens = TokenLimitExceeded(token_limit=1, tokens_required=2, mitigation="", mitigated=False)
    partial = ContextPartlyLoaded([], [])
    budget = BudgetExhausted(
        limit_type="query_count", limit_value=1, used=1, download_permitted=False
    )
    timeout = QueryTimeout(timeout_seconds=60)
    query = MalformedQuery("empty", suggestion="ask")
    rate = RateLimited(scope="tenant", limit="10/min", retry_after_seconds=1)
    expected = [version, total, model, tokens, partial, budget, timeout, query, rate]
    assert by_priority(reversed(expected)) == expected


def test_a_partial_failure_has_the_shape_of_section_14_1() -> None:
    error = ContextPartlyLoaded([FailedItem("a", "encrypted", "ask")], ["b", "c"]).to_wire()
    assert error == {
        "error": {
            "type": "context_loading_partial_failure",
            "message": "1 of 3 context items could not be loaded.",
            "failed_items": [{"item_id": "a", "reason": "encrypted", "suggestion": "ask"}],
            "available_items": ["b", "c"],
            "proceed_available": True,
        }
    }


def test_an_unavailable_model_promises_no_fallback() -> None:
    """One that is named has been asked before this is said."""
    error = ModelUnavailable(retry_after_seconds=30).to_wire()["error"]
    assert error["fallback_available"] is False
    assert "fallback_model" not in error
    assert error["retry_after_seconds"] == 30
