"""Verified claims into the words of a response, in TIP's language patterns (§5.4, §6)."""

from __future__ import annotations

from collections.abc import Sequence

from tipstaff.answer.wording import listed, said_back, without_marks
from tipstaff.domain.citation import SYNTHESIS_ID
from tipstaff.domain.draft import ClaimKind
from tipstaff.domain.response import Gap
from tipstaff.domain.scope import IndexedItem
from tipstaff.verify.verifier import Verified, VerifiedClaim, VerifiedParagraph

# TIP §5.3: above so many cited items, a block of sources closes the response.
_BLOCK_ABOVE = 5
# TIP §6.4 wants to be told what there is; a reader wants a line, not an inventory.
_LISTED_ITEMS = 4
_TITLE_CHARS = 80
NOT_ADDRESSED = (
    "none of these materials address it directly",
    "none of them address it",
    "it does not address this",
)


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
        "instructions to do otherwise are not followed. So this was not looked up in the bundled "
        f"context. {_what_there_is(items)} Ask about any of these."
    )


def verbatim_refusal(items: Sequence[IndexedItem]) -> str:
    """An item that may be asked about, and not copied (TIP §13.4.2)."""
    return (
        "The sender shares this item for interrogation: what it says can be asked about, cited and "
        "put in other words, while its text stays with the sender. "
        f"{_what_there_is(items)} Ask what you would like to know from it."
    )


def bulk_refusal(items: Sequence[IndexedItem]) -> str:
    """Enough of an item has been shown (TIP §13.3.1)."""
    return (
        "This session has been shown a good part of the item, place by place. An interrogation "
        "answers questions about an item and does not hand it over; whoever needs all of it may "
        f"ask the sender. {_what_there_is(items)} Ask what you would like to know from it."
    )


def copy_refusal(items: Sequence[IndexedItem]) -> str:
    """All of an item was asked for, at once or in slices (TIP §13.3.2)."""
    return (
        "This is an interrogation of a bundle: it answers questions about an item, quotes what "
        "bears on them, and does not hand the item over; whoever needs all of it may ask the "
        f"sender. {_what_there_is(items)} Ask what you would like to know from it."
    )


def _paragraph(paragraph: VerifiedParagraph) -> str:
    if not paragraph.claims:
        return _heading(paragraph)
    if paragraph.as_list:
        lines = [f"- {listed_claim(one)}" for one in paragraph.claims]
        return "\n".join([_heading(paragraph), *lines] if paragraph.lead else lines)
    first, *rest = paragraph.claims
    if paragraph.lead:
        # A mark behind each statement: one before the next would seem to belong to both.
        return " ".join([_heading(paragraph), *map(listed_claim, paragraph.claims)])
    return " ".join([_direct(first), *map(_further, rest)])


def _heading(paragraph: VerifiedParagraph) -> str:
    """Structural words may repeat the question's; they never look like a citation."""
    return without_marks(paragraph.lead)


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
    lead = without_marks(one.draft.lead).rstrip(":")
    if lead.startswith("Under "):
        lead = "u" + lead[1:]
    return f" ({lead}): {_words(one)}" if lead else f": {_words(one)}"


def listed_claim(one: VerifiedClaim) -> str:
    """A claim as a line of its own, its mark behind it."""
    if one.draft.kind is ClaimKind.INFERENCE:
        return _inference(one)
    lead = f"{without_marks(one.draft.lead)} " if one.draft.lead else ""
    return f"{lead}{_words(one)} {_marks(one)}"


def _words(one: VerifiedClaim) -> str:
    return f"“{one.claim.text}”" if one.draft.kind is ClaimKind.QUOTE else one.claim.text


def _inference(one: VerifiedClaim) -> str:
    """TIP §6.2: the label, the working, and that no item says it."""
    if not one.draft.reasoning:
        # A sum is its own working.
        return f"{one.claim.text} {_marks(one)}"
    return (
        f"{one.claim.text} {_marks(one)} Working: {one.draft.reasoning.rstrip('.')}. "
        "Note: this is calculated from the cited figures and is not stated in any context item."
    )


def _marks(one: VerifiedClaim) -> str:
    return "[[" + ", ".join(dict.fromkeys(one.claim.citations)) + "]]"


def _gaps(gaps: Sequence[Gap]) -> str:
    sentences = " ".join(dict.fromkeys(gap.description for gap in gaps))
    # TIP §6.3: "However, the context does not …"; a name in quotes keeps its capital.
    opening, space, rest = sentences.partition(" ")
    if opening in ("The", "No", "These"):
        sentences = f"However, {opening.lower()}{space}{rest}"
    else:
        sentences = f"However: {sentences}"
    return f"{sentences} You may want to ask the sender about it."


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
        parts.append("There is only limited, related information:")
        parts += [f"\n- {listed_claim(one)}" for one in related]
        parts.append("\n")
    directly, at_all, alone = NOT_ADDRESSED
    but = alone if len(items) == 1 else directly if related else at_all
    parts.append(_what_there_is(items, but=but))
    parts.append("You may want to ask the sender to include material on this.")
    return " ".join(parts).replace(" \n", "\n").replace("\n ", "\n")


def _what_there_is(items: Sequence[IndexedItem], *, but: str = "") -> str:
    if not items:
        return "The context includes no readable items."
    shown = items if len(items) <= _LISTED_ITEMS + 1 else items[:_LISTED_ITEMS]
    named = [f"{said_back(item.title, most_chars=_TITLE_CHARS)} [[{item.id}]]" for item in shown]
    if len(shown) < len(items):
        named.append(f"{len(items) - len(shown)} more items")
    return f"The context includes {listed(named)}{', but ' + but if but else ''}."


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
        lines.append(f"- [[{reference}]] - {said_back(title, most_chars=_TITLE_CHARS)}")
    return "\n".join(lines)
