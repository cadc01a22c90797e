"""How much of an item may be said, in one response and in one session (TIP §13.3.2).

Statements come in one by one before they are said; each is let through or not. What was left out
is counted, so that it can be said.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

from tipstaff.domain.citation import SYNTHESIS_ID
from tipstaff.domain.draft import ClaimKind
from tipstaff.domain.response import CheckedCitation, RemovedClaim
from tipstaff.tokens import count_tokens
from tipstaff.verify.verifier import Verified, VerifiedClaim

TOO_LONG = "The response has reached its length limit."
TOO_MUCH_OF_ONE = "The response has reached the limit of what may be quoted from one item."
TOO_MUCH_SHOWN = "This session has been shown as much of the item as may be shown."
LIMITS = frozenset({TOO_LONG, TOO_MUCH_OF_ONE, TOO_MUCH_SHOWN})
# What is left out is not a statement but the words at a cited place.
NO_EXCERPT = "The words at a cited place are beyond what may be shown of the item."

# Marks around a statement, and the words that open and close a response.
_MARK_TOKENS = 15
_FRAME_TOKENS = 60
# However short an item is, so many of its words may be said to anybody who may ask about it.
_LEAST_WORDS = 100
_WORD = re.compile(r"\w+")


@dataclass(slots=True)
class ResponseSoFar:
    """What one response says: the statements about each item with their words."""

    tokens: int = 0
    told: dict[str, dict[str, int]] = field(default_factory=dict)
    # Words at cited places that are shown beside what is said.
    excerpts: dict[str, dict[str, int]] = field(default_factory=dict)
    left_out: Counter[str] = field(default_factory=Counter)

    def words_of(self, item_id: str) -> int:
        return sum(self.told.get(item_id, {}).values())


@dataclass(kw_only=True)
class Disclosure:
    """`words_in` counts an item's words, or says None for an item without a limit. Without
    `percent_per_session` (the owner of a bundle) only single responses are limited."""

    max_tokens: int
    words_per_response: int
    percent_per_session: int | None
    words_in: Callable[[str], int | None]
    _now: ResponseSoFar = field(default_factory=ResponseSoFar)
    _in_session: dict[str, dict[str, int]] = field(default_factory=dict)
    _shown_in_session: dict[str, dict[str, int]] = field(default_factory=dict)

    @property
    def left_out(self) -> Counter[str]:
        """How many statements of this response were left out, by reason."""
        return self._now.left_out

    def begin(self) -> None:
        """Another response of the same session: what the last one said has been said."""
        for item_id, told in self._now.told.items():
            self._in_session.setdefault(item_id, {}).update(told)
        for item_id, shown in self._now.excerpts.items():
            self._shown_in_session.setdefault(item_id, {}).update(shown)
        self._now = ResponseSoFar()

    def remember(self, shown: Iterable[tuple[str, Sequence[str]]]) -> None:
        """Statements of earlier responses, each with its items."""
        for text, item_ids in shown:
            for one in item_ids:
                self._in_session.setdefault(one, {})[text] = len(_WORD.findall(text))

    def set_back(self) -> ResponseSoFar:
        """What was let through so far is not said after all, or not yet (`put_back`)."""
        held, self._now = self._now, ResponseSoFar()
        return held

    def put_back(self, held: ResponseSoFar) -> None:
        self._now = held

    def objection(self, text: str, item_ids: Sequence[str], *, must: bool = False) -> str:
        """Why a statement may not be said any more, or nothing: then it counts as said. What
        `must` be said is counted, and never too much."""
        tokens = count_tokens(text) + _MARK_TOKENS
        words = len(_WORD.findall(text))
        items = [one for one in dict.fromkeys(item_ids) if one != SYNTHESIS_ID]
        now, reason = self._now, ""
        if now.tokens and now.tokens + tokens + _FRAME_TOKENS > self.max_tokens:
            reason = TOO_LONG
        elif any(now.words_of(one) + words > self.words_per_response for one in items):
            reason = TOO_MUCH_OF_ONE
        elif any(self._is_beyond_session(one, text, words) for one in items):
            reason = TOO_MUCH_SHOWN
        if reason and not must:
            now.left_out[reason] += 1
            return reason
        now.tokens += tokens
        for one in items:
            now.told.setdefault(one, {})[text] = words
        return ""

    def shown(self, citation: CheckedCitation) -> CheckedCitation:
        """A citation with the words at its place, or without where they are more than may be shown
        of the item: what is said comes first."""
        item_id, text = citation.item_id, citation.text_excerpt
        if not text or item_id == SYNTHESIS_ID:
            return citation
        now = self._now
        said = now.told.get(item_id, {})
        # What is said word for word is not shown again.
        words = 0 if any(text in one for one in said) else len(_WORD.findall(text))
        here = now.excerpts.setdefault(item_id, {})
        total = self.words_in(item_id) if self.percent_per_session is not None else None
        before = self._shown_in_session.get(item_id, {}) | here
        is_beyond = now.words_of(item_id) + sum(here.values()) + words > self.words_per_response
        if total is not None and text not in before:
            allowed = max(total * (self.percent_per_session or 0) // 100, _LEAST_WORDS)
            told = self._in_session.get(item_id, {}) | said
            is_beyond |= sum(told.values()) + sum(before.values()) + words > allowed
        if is_beyond and words and text not in here:
            now.left_out[NO_EXCERPT] += 1
            return replace(citation, text_excerpt="")
        here[text] = words
        return citation

    def within(self, verified: Verified, disputed: Collection[str] = ()) -> Verified:
        """What may be said of what was verified; the rest is withheld with its reason. Of what is
        `disputed` (citations), no side is left out (TIP §4.1, rule 8)."""
        removed: list[RemovedClaim] = []
        paragraphs = tuple(
            replace(paragraph, claims=claims)
            for paragraph in verified.paragraphs
            for claims in [self._admitted(paragraph.claims, removed, disputed)]
            if claims or not paragraph.claims
        )
        related = self._admitted(verified.related, removed, disputed)
        return Verified(paragraphs, related, (*verified.removed, *removed))

    def _admitted(
        self,
        claims: Sequence[VerifiedClaim],
        removed: list[RemovedClaim],
        disputed: Collection[str],
    ) -> tuple[VerifiedClaim, ...]:
        kept = []
        for one in claims:
            one = self._shortened(one)
            items = [cited.item_id for cited in one.citations]
            must = not set(disputed).isdisjoint(one.claim.citations)
            reason = self.objection(one.claim.text, items, must=must)
            if reason:
                removed.append(RemovedClaim(reason, one.claim.citations))
            else:
                kept.append(replace(one, citations=tuple(map(self.shown, one.citations))))
        return tuple(kept)

    def _shortened(self, one: VerifiedClaim) -> VerifiedClaim:
        """A quotation that alone is longer than the limit is an excerpt, and shows it."""
        words = list(_WORD.finditer(one.claim.text))
        if one.draft.kind is not ClaimKind.QUOTE or len(words) <= self.words_per_response:
            return one
        end = words[self.words_per_response - 1].end()
        self._now.left_out[TOO_MUCH_OF_ONE] += 1
        return replace(one, claim=replace(one.claim, text=f"{one.claim.text[:end]} …"))

    def _is_beyond_session(self, item_id: str, text: str, words: int) -> bool:
        """What was said before may be said again: it tells nothing new."""
        told = self._in_session.get(item_id, {}) | self._now.told.get(item_id, {})
        if self.percent_per_session is None or text in told:
            return False
        total = self.words_in(item_id)
        if total is None:
            return False
        allowed = max(total * self.percent_per_session // 100, _LEAST_WORDS)
        return sum(told.values()) + words > allowed
