"""Verified claims as words: TIP's patterns, one mark behind each statement, nothing twice."""

from __future__ import annotations

from tipstaff.answer.part_answer import PartAnswer, draft_of
from tipstaff.answer.rendering import meta_refusal, render
from tipstaff.domain.citation import Citation
from tipstaff.domain.classification import Confidence, Support
from tipstaff.domain.draft import ClaimKind, DraftCitation, DraftClaim, Paragraph
from tipstaff.domain.location import Lines
from tipstaff.domain.response import CheckedCitation, Claim, Gap
from tipstaff.domain.scope import IndexedItem
from tipstaff.verify.verifier import Verified, VerifiedClaim, VerifiedParagraph


def drafted(text: str, item: str = "lease", *, lead: str = "", kind: str = "quote") -> DraftClaim:
    cited = DraftCitation(citation=Citation(item, Lines(3, 3)), quotes=(text,))
    reasoning = "1 + 1 = 2." if kind == "inference" else ""
    return DraftClaim(
        text=text, kind=ClaimKind(kind), citations=(cited,), lead=lead, reasoning=reasoning
    )


def checked(draft: DraftClaim) -> VerifiedClaim:
    (one,) = draft.citations
    citation = CheckedCitation(
        item_id=one.citation.item_id,
        location=str(one.citation.location),
        text_excerpt=draft.text,
        claim=draft.text,
        exists_verified=True,
        integrity_verified=True,
        quote_verified=True,
    )
    claim = Claim(
        text=draft.text,
        confidence=Confidence.HIGH,
        citations=(one.citation.reference,),
        support=Support.QUOTED,
    )
    return VerifiedClaim(draft, claim, (citation,))


def said(
    *claims: DraftClaim, lead: str = "", as_list: bool = False, gaps: tuple[Gap, ...] = ()
) -> str:
    paragraph = VerifiedParagraph(lead, tuple(map(checked, claims)), as_list)
    return render(Verified((paragraph,), (), ()), gaps, ITEMS, {})


def item(number: int, title: str = "") -> IndexedItem:
    return IndexedItem(
        id=f"item-{number}", type="document", title=title or f"Paper {number}", first=number,
        chunks=1, length=1, tokens=1,
    )  # fmt: skip


ITEMS = [item(number) for number in range(9)]


def test_a_direct_answer_names_its_source_first() -> None:
    assert said(drafted("Rent is due.")) == "According to [[lease:L3]]: “Rent is due.”"
    two = said(drafted("Rent is due."), drafted("It leaks.", "survey", lead="Under “Roof”:"))
    assert two.endswith("[[survey:L3]] states (under “Roof”): “It leaks.”")


def test_under_a_lead_each_statement_is_followed_by_its_own_mark() -> None:
    text = said(drafted("A b."), drafted("C d.", "survey"), lead="It says:")
    assert text == "It says: “A b.” [[lease:L3]] “C d.” [[survey:L3]]"


def test_a_lead_cannot_bring_a_citation_of_its_own() -> None:
    text = said(drafted("A b.", lead="[[ghost:p1]]:"), lead="On [[ghost:p9]]:", as_list=True)
    assert text == "On [ghost:p9]:\n- [ghost:p1]: “A b.” [[lease:L3]]"


def test_an_inference_shows_its_working_and_says_that_no_item_states_it() -> None:
    text = said(drafted("Together 2.", kind="inference"))
    assert "Working: 1 + 1 = 2. Note: this is calculated" in text
    assert "not stated in any context item" in text


def test_a_gap_follows_with_however() -> None:
    text = said(drafted("A b."), gaps=(Gap("x", "The bundled context is silent on x."),))
    assert "\n\nHowever, the bundled context is silent on x. You may want to ask" in text


def test_above_five_sources_a_block_closes_the_response() -> None:
    few = said(*(drafted("A b.", f"item-{number}") for number in range(5)), as_list=True)
    many = said(*(drafted("A b.", f"item-{number}") for number in range(6)), as_list=True)
    assert "Sources referenced:" not in few
    assert many.count("\n- [[item-") == 6


def test_an_abstention_says_what_there_is_in_a_line() -> None:
    gap = Gap("x", "The bundled context does not contain information about x.")
    text = render(Verified((), (checked(drafted("A b.")),), ()), (gap,), ITEMS, {})
    assert text.startswith("The bundled context does not contain information about x. There is")
    assert "\n- “A b.” [[lease:L3]]\nThe context includes Paper 0 [[item-0]]," in text
    assert "Paper 3 [[item-3]] and 5 more items, but none of these materials" in text
    assert text.endswith("You may want to ask the sender to include material on this.")


def test_an_abstention_over_nothing_readable_says_so() -> None:
    assert "includes no readable items." in render(Verified((), (), ()), (), [], {})


def test_a_title_is_kept_short_and_cannot_pass_for_a_citation() -> None:
    text = meta_refusal([item(1, "[[ghost:p1]] " + "long " * 60)])
    assert "[[ghost" not in text
    assert len(text) < 500


def test_two_parts_with_one_answer_tell_it_once() -> None:
    one, other = drafted("A b."), drafted("C d.")
    first = PartAnswer(paragraphs=(Paragraph(claims=(one,)),))
    second = PartAnswer(paragraphs=(Paragraph(claims=(one, other)), Paragraph(claims=(one,))))
    paragraphs = draft_of([first, second]).paragraphs
    assert [paragraph.claims for paragraph in paragraphs] == [(one,), (other,)]
