"""Nothing leaves that does not stand at the place it cites, whoever drafted it (TIP §3.4.3)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tipstaff.domain.citation import SYNTHESIS_ID, Citation, Passage, Resolution, Unresolved
from tipstaff.domain.classification import Classification, Confidence, Support
from tipstaff.domain.draft import ClaimKind, Draft, DraftCitation, DraftClaim, Paragraph
from tipstaff.domain.location import Lines
from tipstaff.domain.response import Gap
from tipstaff.verify.classification import classify, confidence_of
from tipstaff.verify.quotes import MAX_UNQUOTED_RUN, longest_shared_run, stands_in
from tipstaff.verify.verifier import VerifiedClaim, Verifier

TEXTS = {
    "lease": "The rent is $12,400 a month and is due on the first day.",
    "survey": "Two trusses are rotten and the roof leaks above the grinding floor.",
    "secret": "The landlord will take no less than ninety percent of what is owed.",
    "altered": "The tenant repairs the roof.",
    "hidden": "The buyer is Ms Aske.",
    SYNTHESIS_ID: "The rent is late.",
}
PLACE = Lines(1, 1)


def resolve(citation: Citation) -> Resolution:
    if citation.item_id not in TEXTS or str(citation.location) not in ("", "L1"):
        return Unresolved(citation, f"{citation.reference} of 1")
    return Passage(citation, TEXTS[citation.item_id], ())


VERIFIER = Verifier(
    resolve=resolve,
    readings=lambda passage: (passage.text,),
    has_integrity=lambda item_id: item_id != "altered",
    quotable=lambda item_id: item_id != "secret",
    permitted=lambda item_id: item_id != "hidden",
    headers=lambda _: frozenset({"Rent"}),
)


def claim(
    text: str,
    item: str = "lease",
    *,
    quotes: tuple[str, ...] | None = None,
    kind: ClaimKind = ClaimKind.QUOTE,
    line: int = 1,
    headers: tuple[str, ...] = (),
    confidence: Confidence = Confidence.HIGH,
    lead: str = "",
) -> DraftClaim:
    cited = DraftCitation(
        citation=Citation(item, Lines(line, line)),
        quotes=(text,) if quotes is None else quotes,
        headers=headers,
    )
    return DraftClaim(text=text, kind=kind, citations=(cited,), confidence=confidence, lead=lead)


def why(one: DraftClaim) -> str:
    """The reason for which a claim is withheld; "" if it is not."""
    outcome = VERIFIER.check(one)
    return "" if isinstance(outcome, VerifiedClaim) else outcome.reason


def test_a_quotation_that_stands_is_let_through_with_its_three_facts() -> None:
    outcome = VERIFIER.check(claim("The rent is $12,400 a month"))
    assert isinstance(outcome, VerifiedClaim)
    (citation,) = outcome.citations
    assert citation.exists_verified
    assert citation.integrity_verified
    assert citation.quote_verified
    assert citation.verified
    assert citation.text_excerpt == "The rent is $12,400 a month"
    assert outcome.claim.support is Support.QUOTED


def test_a_claim_without_a_citation_is_withheld() -> None:
    bare = DraftClaim(text="The rent is low.", kind=ClaimKind.QUOTE, citations=())
    assert "no citation" in why(bare)


def test_a_place_that_does_not_exist_is_named() -> None:
    assert "lease:L9 of 1" in why(claim("The rent is $12,400 a month", line=9))


def test_an_item_that_is_not_permitted_does_not_exist() -> None:
    told = why(claim("The buyer is Ms Aske.", "hidden"))
    assert told == "It cites an item that is not in this context."
    assert "Aske" not in told


def test_an_item_whose_bytes_were_changed_supports_nothing() -> None:
    assert "hashed" in why(claim("The tenant repairs the roof.", "altered"))


def test_words_that_do_not_stand_there_are_withheld() -> None:
    assert "do not stand" in why(claim("The rent is $12,400 a week"))
    assert "do not stand" in why(claim("the roof leaks", "lease"))


def test_a_quotation_with_words_around_it_is_withheld() -> None:
    invented = claim("The moon is cheese; the roof leaks", "survey", quotes=("the roof leaks",))
    assert "more than the words" in why(invented)


def test_a_restated_claim_must_say_which_words_support_it() -> None:
    assert "which words" in why(claim("Rent: $12,400", quotes=(), kind=ClaimKind.RESTATED))


def test_a_wrong_figure_is_withheld_by_name() -> None:
    restated = claim("Rent: $12,500", quotes=("rent",), kind=ClaimKind.RESTATED)
    assert "$12,500" in why(restated)


def test_a_header_must_stand_above_the_cells() -> None:
    def under(header: str) -> DraftClaim:
        return claim(
            f"{header}: $12,400", quotes=("$12,400",), kind=ClaimKind.RESTATED, headers=(header,)
        )

    assert why(under("Rent")) == ""
    assert "header" in why(under("Deposit"))


def test_an_item_that_may_only_be_asked_about_is_not_quoted() -> None:
    run = "no less than ninety percent of what"
    assert "may only be asked about" in why(claim(run, "secret"))
    outcome = VERIFIER.check(claim("no less than ninety percent", "secret"))
    assert isinstance(outcome, VerifiedClaim)
    assert outcome.citations[0].text_excerpt == ""


def test_an_introduction_does_not_quote_such_an_item_either() -> None:
    lead = "The landlord will take no less than ninety percent:"
    assert "may only be asked about" in why(claim("ninety percent", "secret", lead=lead))


def test_a_claim_of_low_confidence_has_weak_support() -> None:
    outcome = VERIFIER.check(claim("the roof leaks", "survey", confidence=Confidence.LOW))
    assert isinstance(outcome, VerifiedClaim)
    assert outcome.claim.support is Support.WEAK


def test_a_paragraph_whose_claims_all_fall_is_not_introduced() -> None:
    paragraphs = (
        Paragraph(lead="The sources say:", claims=(claim("No such words"),)),
        Paragraph(lead="And:", claims=(claim("the roof leaks", "survey"), claim("nor these"))),
    )
    verified = VERIFIER.verify(Draft(paragraphs=paragraphs))
    assert [one.lead for one in verified.paragraphs] == ["And:"]
    assert len(verified.removed) == 2


CLAIMS = st.builds(
    claim,
    st.one_of(
        st.sampled_from([text[a:b] for text in TEXTS.values() for a, b in ((0, 20), (4, 60))]),
        st.text(max_size=30),
    ),
    st.sampled_from([*TEXTS, "ghost"]),
    quotes=st.none()
    | st.lists(st.sampled_from(["rent", "the roof leaks", "ninety percent", "", "…"])).map(tuple),
    kind=st.sampled_from(ClaimKind),
    line=st.integers(1, 2),
    headers=st.sampled_from([(), ("Rent",), ("Else",)]),
    confidence=st.sampled_from(Confidence),
    lead=st.sampled_from(["", "He says:", TEXTS["secret"]]),
)


@given(st.lists(CLAIMS, max_size=5), st.lists(CLAIMS, max_size=2))
def test_whatever_is_drafted_only_what_stands_is_said(
    drafted: list[DraftClaim], related: list[DraftClaim]
) -> None:
    draft = Draft(paragraphs=(Paragraph(claims=tuple(drafted)),), related=tuple(related))
    verified = VERIFIER.verify(draft)
    said = [one for paragraph in verified.paragraphs for one in paragraph.claims]
    assert len(said) + len(verified.related) + len(verified.removed) == len(drafted) + len(related)
    for one in [*said, *verified.related]:
        for cited in one.draft.citations:
            text = TEXTS[cited.citation.item_id]
            assert cited.citation.item_id not in ("hidden", "altered")
            assert cited.citation.location == PLACE
            assert all(stands_in(quote, text) for quote in cited.quotes)
            if one.draft.kind is ClaimKind.QUOTE:
                assert one.claim.text.strip(" .,$") in text
            if cited.citation.item_id == "secret":
                shown = f"{one.claim.text} / {one.draft.lead} / {one.citations[0].text_excerpt}"
                assert longest_shared_run(shown, text) <= MAX_UNQUOTED_RUN


def test_the_class_follows_from_claims_inferences_and_gaps() -> None:
    quoted = VERIFIER.check(claim("the roof leaks", "survey"))
    inferred = VERIFIER.check(
        claim("It will rain in", "survey", quotes=(), kind=ClaimKind.INFERENCE,
              confidence=Confidence.MEDIUM)
    )  # fmt: skip
    assert isinstance(quoted, VerifiedClaim)
    assert isinstance(inferred, VerifiedClaim)
    gap = Gap("x", "Nothing about x.")
    assert classify([], []) is Classification.ABSTENTION
    assert classify([], [gap]) is Classification.ABSTENTION
    assert classify([quoted], []) is Classification.GROUNDED
    assert classify([quoted, inferred], []) is Classification.INFERRED
    assert classify([quoted, inferred], [gap]) is Classification.PARTIAL
    assert confidence_of([]) is Confidence.HIGH
    assert confidence_of([quoted, inferred]) is Confidence.MEDIUM
