"""Quotations, labels and signs: what stands around true words can make a false sentence of them."""

from __future__ import annotations

import pytest

from benchmarks.drafts import AdversarialDraft, answered, indexed_for
from tipstaff.answer.testimony_response import INSTEAD
from tipstaff.domain.classification import Classification, Support
from tipstaff.domain.response import ResponseEnvelope
from tipstaff.indexing import IndexedBundle
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.foreign_matter import alters_words, without_decoration
from tipstaff.verify.framing import without_strange_head
from tipstaff.verify.support import check_support

CONTINUE = EvidenceText(
    "Continue without change to the protocol.", surroundings="Minutes of the safety board"
)
NOTICE = EvidenceText("A notice sent by e-mail is not a notice.", surroundings="Notices")


@pytest.fixture(scope="module")
def lease() -> object:
    with indexed_for("lease-dispute", ()) as indexed:
        yield indexed


def asked(indexed: IndexedBundle, query: str, text: str) -> ResponseEnvelope:
    draft = AdversarialDraft(
        bundle="lease-dispute", kind="framed", query=query, text=text, true=(), false=()
    )
    return answered(draft, indexed)


@pytest.mark.parametrize(
    "frame",
    [
        "The minutes say: ",
        "The safety board minutes record that ",
        "It is written in the minutes: ",
    ],
)
def test_a_quotation_may_be_introduced(frame: str) -> None:
    said = f"{frame}\u201cContinue without change to the protocol\u201d"
    assert check_support(said, [[CONTINUE]]).support is Support.QUOTED


@pytest.mark.parametrize(
    "frame",
    [
        "The board retracted: ",
        "It is untrue that ",
        "The sponsor never wrote ",
        "The board overruled the sponsor: ",
        "Nobody may ",
    ],
)
def test_what_takes_a_quotation_back_is_no_quotation(frame: str) -> None:
    said = f"{frame}\u201cContinue without change to the protocol\u201d"
    assert check_support(said, [[CONTINUE]]).support is Support.UNVERIFIED


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("**Unlawful:** A notice sent by e-mail is not a notice", "A notice sent by e-mail is not"),
        ("- **Deleted**: A notice sent by e-mail is not a notice", "- A notice sent by e-mail is"),
        ("Deleted clause: A notice sent by e-mail is not a notice", "A notice sent by e-mail is"),
        ("**Notices:** A notice sent by e-mail is not a notice", "**Notices:** A notice sent"),
        ("Notices: A notice sent by e-mail is not a notice", "Notices: A notice sent by e-mail"),
    ],
)
def test_a_label_that_does_not_stand_there_is_left_out(said: str, kept: str) -> None:
    assert without_strange_head(said, [NOTICE]).startswith(kept)


def test_whoever_says_a_thing_is_no_strange_label() -> None:
    remark = EvidenceText("We were late by days.", author="Gideon Fairlamb")
    said = "Gideon Fairlamb said: \u201cWe were late by days\u201d"
    assert without_strange_head(said, [remark]) == said
    other = "Tom Pell said: \u201cWe were late by days\u201d"
    assert without_strange_head(other, [remark]) == "\u201cWe were late by days\u201d"


@pytest.mark.parametrize(
    "sentence",
    ["It is ~~not~~ a notice", "It is n\u0336o\u0336t\u0336 due", "£27,500½ is due", "¬ due"],
)
def test_signs_that_turn_words_round_are_seen(sentence: str) -> None:
    assert alters_words(sentence, ["It is not a notice and £27,500 is due"])


def test_signs_of_the_source_and_of_everybody_are_fair() -> None:
    assert not alters_words("Half: ½ of it", ["½ of the rent"])
    assert not alters_words("It is 5 ± 2 °C, or ~4", ["5 ± 2 °C"])
    assert without_decoration("\u274c A notice \U0001f6ab is due") == "A notice is due"
    assert without_decoration("It is 20 °C") == "It is 20 °C"


def test_yes_is_said_by_no_place(lease: IndexedBundle) -> None:
    draft = "Yes, a notice sent by e-mail is not a notice [[lease-extract:L71]]."
    text = asked(lease, "Is an e-mail a notice?", draft).response.text
    assert text == "A notice sent by e-mail is not a notice [[lease-extract:L71]]."


def test_a_list_below_a_party_is_of_that_party(lease: IndexedBundle) -> None:
    query = "What did the landlord and the tenant each offer in January?"
    offer = "- Six thousand pounds as a gesture, without admission [[meeting-transcript:t0:02:49]]."
    said = asked(lease, query, f"Tenant:\n{offer}").response
    assert "Six thousand" not in said.text.partition(INSTEAD)[0]
    assert said.removed


def test_a_citation_that_has_nothing_of_it_is_left_out(lease: IndexedBundle) -> None:
    cited = "[[deed-of-variation:L20, meeting-transcript:t0:04:28]]"
    said = asked(lease, "What becomes of the deposit?", f"The deposit becomes £27,500 {cited}.")
    assert [one.item_id for one in said.response.citations] == ["deed-of-variation"]


def test_what_only_the_synthesis_says_is_said_to_be_that(lease: IndexedBundle) -> None:
    """TIP §3.5."""
    with indexed_for("clinical-protocol", ()) as clinical:
        draft = AdversarialDraft(
            bundle="clinical-protocol",
            kind="framed",
            query="What did amendment 1 change about the doses?",
            text="The amendment lowered the higher dose from 40 mg to 30 mg for participants under "
            "60 kg [[tez.md]].",
            true=(),
            false=(),
        )
        said = answered(draft, clinical).response
    assert "so the synthesis says" in said.text
    assert said.classification is Classification.PARTIAL
    assert said.gaps
