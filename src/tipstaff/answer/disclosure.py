"""How much of an item may be said, in one response and in one session (TIP §13.3.2).

Statements come in one by one before they are said; each is let through or not. What was left out
is counted, so that it can be said.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from tipstaff.domain.citation import SYNTHESIS_ID
from tipstaff.domain.draft import ClaimKind
from tipstaff.domain.response import RemovedClaim
from tipstaff.tokens import count_tokens
from tipstaff.verify.verifier import Verified, VerifiedClaim

TOO_LONG = "The response has reached its length limit."
TOO_MUCH_OF_ONE = "The response has reached the limit of what may be quoted from one item."
TOO_MUCH_SHOWN = "This session has been shown as much of the item as may be shown."

# Marks around a statement, and the words that open and close a response.
_MARK_TOKENS = 15
_FRAME_TOKENS = 60
# However short an item is, so many of its words may be said to anybody who may ask about it.
_LEAST_WORDS = 100
_WORD = re.compile(r"\w+")


@dataclass(kw_only=True)
class Disclosure:
    """`words_in` counts an item's words, or says None for an item without a limit. Without
    `percent_per_session` (the owner of a bundle) only single responses are limited."""

    max_tokens: int
    words_per_response: int
    percent_per_session: int | None
    words_in: Callable[[str], int | None]
    left_out: Counter[str] = field(default_factory=Counter)
    _tokens: int = 0
    _in_response: Counter[str] = field(default_factory=Counter)
    _in_session: dict[str, dict[str, int]] = field(default_factory=dict)

    def begin(self) -> None:
        """Another response of the same session."""
        self.left_out, self._in_response, self._tokens = Counter(), Counter(), 0

    def objection(self, text: str, item_ids: Sequence[str]) -> str:
        """Why a statement may not be said any more, or nothing: then it counts as said."""
        tokens = count_tokens(text) + _MARK_TOKENS
        words = len(_WORD.findall(text))
        items = [one for one in dict.fromkeys(item_ids) if one != SYNTHESIS_ID]
        reason = ""
        if self._tokens and self._tokens + tokens + _FRAME_TOKENS > self.max_tokens:
            reason = TOO_LONG
        elif any(self._in_response[one] + words > self.words_per_response for one in items):
            reason = TOO_MUCH_OF_ONE
        elif any(self._is_beyond_session(one, text, words) for one in items):
            reason = TOO_MUCH_SHOWN
        if reason:
            self.left_out[reason] += 1
            return reason
        self._tokens += tokens
        for one in items:
            self._in_response[one] += words
            self._in_session.setdefault(one, {})[text] = words
        return ""

    def within(self, verified: Verified) -> Verified:
        """What may be said of what was verified; the rest is withheld with its reason."""
        removed: list[RemovedClaim] = []
        paragraphs = tuple(
            replace(paragraph, claims=claims)
            for paragraph in verified.paragraphs
            for claims in [self._admitted(paragraph.claims, removed)]
            if claims or not paragraph.claims
        )
        related = self._admitted(verified.related, removed)
        return Verified(paragraphs, related, (*verified.removed, *removed))

    def _admitted(
        self, claims: Sequence[VerifiedClaim], removed: list[RemovedClaim]
    ) -> tuple[VerifiedClaim, ...]:
        kept = []
        for one in claims:
            one = self._shortened(one)
            reason = self.objection(one.claim.text, [cited.item_id for cited in one.citations])
            if reason:
                removed.append(RemovedClaim(reason, one.claim.citations))
            else:
                kept.append(one)
        return tuple(kept)

    def _shortened(self, one: VerifiedClaim) -> VerifiedClaim:
        """A quotation that alone is longer than the limit is an excerpt, and shows it."""
        words = list(_WORD.finditer(one.claim.text))
        if one.draft.kind is not ClaimKind.QUOTE or len(words) <= self.words_per_response:
            return one
        end = words[self.words_per_response - 1].end()
        self.left_out[TOO_MUCH_OF_ONE] += 1
        return replace(one, claim=replace(one.claim, text=f"{one.claim.text[:end]} …"))

    def _is_beyond_session(self, item_id: str, text: str, words: int) -> bool:
        """What was said before may be said again: it tells nothing new."""
        told = self._in_session.get(item_id, {})
        if self.percent_per_session is None or text in told:
            return False
        total = self.words_in(item_id)
        if total is None:
            return False
        allowed = max(total * self.percent_per_session // 100, _LEAST_WORDS)
        return sum(told.values()) + words > allowed
