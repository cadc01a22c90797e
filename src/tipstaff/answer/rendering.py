"""Verified claims into the words of a response, in TIP's language patterns (§5.4, §6)."""

from __future__ import annotations

from collections.abc import Sequence

from tipstaff.domain.citation import SYNTHESIS_ID
from tipstaff.domain.classification import Confidence
from tipstaff.domain.draft import ClaimKind
from tipstaff.domain.response import Gap
from tipstaff.domain.scope import IndexedItem
from tipstaff.verify.verifier import Verified, VerifiedClaim, VerifiedParagraph

# TIP §5.3: above so many cited items, a block of sources closes the response.
_BLOCK_ABOVE = 5
_LISTED_ITEMS = 8


def render(
    verified: Verified, gaps: Sequence[Gap], items: Sequence[IndexedItem], titles: dict[str, str]
) -> str:
    """An answer, or an abstention where nothing could be said."""
    if not any(paragraph.claims for paragraph in verified.paragraphs):
        return _abstention(gaps, verified.related, items)
    blocks = [_paragraph(paragraph) for paragraph in verified.paragraphs]
    if gaps:
        blocks.append(_gaps(gaps))
    sources = _source_block(verified, titles)
    return "\n\n".join([*filter(None, blocks), *([sources] if sources else [])])


def meta_refusal(items: Sequence[IndexedItem]) -> str:
    """A query that is not a question to the bundle (TIP §11.10, test 8)."""
    return (
        "This is an interrogation of a bundle: questions are answered from its context only, and "
        "instructions to do otherwise are not followed. The bundled context does not contain "
        f"information about this. {_what_there_is(items)} "
        "Ask about any of these."
    )


def _paragraph(paragraph: VerifiedParagraph) -> str:
    if not paragraph.claims:
        return paragraph.lead
    if paragraph.as_list:
        lines = [f"- {_listed(one)}" for one in paragraph.claims]
        return "\n".join([paragraph.lead, *lines] if paragraph.lead else lines)
    first, *rest = paragraph.claims
    lead = f"{paragraph.lead} " if paragraph.lead else ""
    opening = _listed(first) if lead else _direct(first)
    return " ".join([lead + opening, *(_further(one) for one in rest)])


def _direct(one: VerifiedClaim) -> str:
    """TIP §5.4.1: "According to [[item:place]], …"."""
    if one.draft.kind is ClaimKind.INFERENCE:
        return _inference(one)
    return f"According to {_marks(one)}{_said(one)}"


def _further(one: VerifiedClaim) -> str:
    if one.draft.kind is ClaimKind.INFERENCE:
        return _inference(one)
    return f"{_marks(one)} states{_said(one)}"


def _said(one: VerifiedClaim) -> str:
    words = _words(one)
    return f" ({one.draft.lead.rstrip(':')}): {words}" if one.draft.lead else f": {words}"


def _listed(one: VerifiedClaim) -> str:
    if one.draft.kind is ClaimKind.INFERENCE:
        return _inference(one)
    hedge = "" if one.claim.confidence is not Confidence.LOW else ""
    lead = f"{one.draft.lead} " if one.draft.lead else ""
    return f"{hedge}{lead}{_words(one)} {_marks(one)}"


def _words(one: VerifiedClaim) -> str:
    return f"“{one.claim.text}”" if one.draft.kind is ClaimKind.QUOTE else one.claim.text


def _inference(one: VerifiedClaim) -> str:
    """TIP §6.2: the label, the working, and that no item says it."""
    return (
        f"{one.claim.text} {_marks(one)} Working: {one.draft.reasoning}. "
        "Note: this is calculated from the cited figures and is not stated in any context item."
    )


def _marks(one: VerifiedClaim) -> str:
    return "[[" + ", ".join(dict.fromkeys(one.claim.citations)) + "]]"


def _gaps(gaps: Sequence[Gap]) -> str:
    sentences = " ".join(dict.fromkeys(gap.description for gap in gaps))
    return f"However: {sentences} You may want to ask the sender about it."


def _abstention(
    gaps: Sequence[Gap], related: Sequence[VerifiedClaim], items: Sequence[IndexedItem]
) -> str:
    """TIP §6.4: what is missing, what there is, what was searched, whom to ask."""
    missing = " ".join(dict.fromkeys(gap.description for gap in gaps)) or (
        "The bundled context does not contain information about this."
    )
    parts = [missing if "bundled context" in missing else f"{missing} The bundled context does not "
             "contain information about it."]  # fmt: skip
    if related:
        parts.append("What it does contain nearby:")
        parts += [f"\n- {_listed(one)}" for one in related]
        parts.append("\n")
    parts.append(_what_there_is(items))
    parts.append("You may want to ask the sender to include material on this.")
    return " ".join(parts).replace(" \n", "\n").replace("\n ", "\n")


def _what_there_is(items: Sequence[IndexedItem]) -> str:
    named = [f"{item.title} [[{item.id}]]" for item in items[:_LISTED_ITEMS]]
    more = len(items) - len(named)
    if not named:
        return "The context has no readable items."
    rest = f" and {more} more" if more > 0 else ""
    return f"The context that was searched: {', '.join(named)}{rest}."


def _source_block(verified: Verified, titles: dict[str, str]) -> str:
    """TIP §5.3."""
    claims = [one for paragraph in verified.paragraphs for one in paragraph.claims]
    cited = list(dict.fromkeys((c.item_id, c.location) for one in claims for c in one.citations))
    if len({item_id for item_id, _ in cited}) <= _BLOCK_ABOVE:
        return ""
    lines = ["Sources referenced:"]
    for item_id, location in cited:
        reference = f"{item_id}:{location}" if location else item_id
        title = "the synthesis" if item_id == SYNTHESIS_ID else titles.get(item_id, item_id)
        lines.append(f"- [[{reference}]] - {title}")
    return "\n".join(lines)
