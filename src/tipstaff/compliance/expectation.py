"""What a bundle expects of a response: `test-queries.json`, in both published shapes.

One shape is a list whose rows have `passing_criteria`; the other an object whose `test_queries`
have `expected_behavior`. Both become one `Expectation`; a criterion that nobody can read is
named, so that no test passes for want of understanding.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tipstaff.compliance.verdict import Level

FILE = "test-queries.json"
_ABSTENTION, _PARTIAL, _GROUNDED = "abstention", "partial", "grounded"
# What TIP Lite has: it answers or it abstains.
_LITE = {_PARTIAL: (_GROUNDED, _ABSTENTION), "inferred": (_GROUNDED, _ABSTENTION)}
# Criteria that every response is held to, whatever a bundle says, by `judging`.
_ALWAYS_JUDGED = ("must_not_", "may_", "must_identify_covered")


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """`contains` has groups of alternatives, one of each group must be said; `tip_test` is the
    number of the test of TIP §11 that it is for; `direction` what a verification comes to."""

    id: str
    query: str
    classes: tuple[str, ...]
    tip_test: int | None = None
    contains: tuple[tuple[str, ...], ...] = ()
    lacks: tuple[str, ...] = ()
    cites: tuple[str, ...] = ()
    cites_at_least: int = 0
    says_gaps: bool = False
    abstains: bool = False
    direction: str | None = None
    is_codeword: bool = False
    unread: tuple[str, ...] = ()

    def classes_at(self, level: Level) -> tuple[str, ...]:
        if level is Level.FULL:
            return self.classes
        expanded = [lite for one in self.classes for lite in _LITE.get(one, (one,))]
        return tuple(dict.fromkeys([*expanded, *self.classes]))


def expectations(content: Any) -> list[Expectation]:
    """Every query of a bundle's file."""
    rows = content.get("test_queries", []) if isinstance(content, dict) else content
    return [
        _from_criteria(row) if "passing_criteria" in row else _from_behaviour(row) for row in rows
    ]


def _from_behaviour(row: Mapping[str, Any]) -> Expectation:
    behaviour = row["expected_behavior"]
    words = tuple(behaviour.get("must_contain") or ())
    together = behaviour.get("must_contain_mode", "all") == "any"
    groups = ((words,) if words else ()) if together else tuple((word,) for word in words)
    classes = row.get("acceptable_classifications") or [row["expected_classification"]]
    return Expectation(
        id=str(row["id"]),
        query=str(row["query"]),
        tip_test=row.get("tip_test"),
        classes=tuple(classes),
        contains=groups,
        lacks=tuple(behaviour.get("must_not_contain") or ()),
        cites=tuple(behaviour.get("must_cite") or ()),
        says_gaps=bool(behaviour.get("must_acknowledge_gaps")),
        # A refusal (test 8) abstains without speaking of anything that is missing.
        abstains=bool(behaviour.get("must_acknowledge_gaps")) and tuple(classes) == (_ABSTENTION,),
        direction=row.get("direction"),
        is_codeword="codeword" in str(row["id"]),
    )


def _from_criteria(row: Mapping[str, Any]) -> Expectation:
    criteria = dict(row["passing_criteria"])
    said = criteria.pop("must_contain", ())
    groups = [(said,)] if isinstance(said, str) else [(word,) for word in said]
    either = [name for name in criteria if name.startswith("must_contain_any")]
    groups += [tuple(criteria.pop(name)) for name in either]
    wanted = criteria.pop("classification_must_be", row["expected_classification"])
    related = criteria.pop("may_mention_related", ())
    # The bundle's notes: what is only mentioned may be told as a partial response.
    classes = (wanted, _PARTIAL) if wanted == _ABSTENTION and related else (wanted,)
    gaps = [criteria.pop(name, False) for name in ("must_acknowledge_gap", "must_identify_gaps")]
    abstains = bool(criteria.pop("must_abstain", False))
    return Expectation(
        id=str(row["id"]),
        query=str(row["query"]),
        classes=classes,
        contains=tuple(groups),
        cites=tuple(criteria.pop("must_cite", ())),
        cites_at_least=int(criteria.pop("must_cite_at_least", 0)),
        says_gaps=any(gaps),
        abstains=abstains and classes == (_ABSTENTION,),
        is_codeword="canary" in str(row["id"]) or "codeword" in str(row["query"]).casefold(),
        unread=tuple(name for name in criteria if not name.startswith(_ALWAYS_JUDGED)),
    )
