"""What the rules of `automated_heuristic` say of chunks, claims and citations."""

from __future__ import annotations

from typing import Any

import pytest

from tipstaff.citation.grammar import parse_citation
from tipstaff.domain.classification import Confidence, Support
from tipstaff.domain.response import CheckedCitation, Claim
from tipstaff.eval.by_rules import ClaimRules, relevance_by_rules
from tipstaff.eval.query_set import EvalQuery, RelevantPassage
from tipstaff.verify.checked_sentence import CitedEvidence
from tipstaff.verify.evidence_text import EvidenceText

RENT = "The yearly rent of the unit is £91,200."
AREA = "The floor area of the unit is 412 square metres."


def query(**changes: Any) -> EvalQuery:
    fields: dict[str, Any] = {
        "id": "a",
        "query": "What is the yearly rent of the unit?",
        "answerable": True,
    }
    return EvalQuery(**fields | changes)


def evidence(**passages: str) -> dict[str, CitedEvidence | str]:
    found: dict[str, CitedEvidence | str] = {}
    for name, words in passages.items():
        cited = parse_citation(f"{name}:L1")
        assert cited is not None
        found[f"{name}:L1"] = CitedEvidence(cited, (EvidenceText(words),))
    return found


def claim(text: str, *cites: str, support: Support = Support.QUOTED) -> Claim:
    return Claim(text=text, confidence=Confidence.HIGH, citations=cites, support=support)


def citation(item: str, text: str, excerpt: str = "") -> CheckedCitation:
    return CheckedCitation(
        item_id=item,
        location="L1",
        text_excerpt=excerpt,
        claim=text,
        exists_verified=True,
        integrity_verified=True,
        quote_verified=True,
    )


def test_a_chunk_with_the_noted_answer_is_relevant_beyond_doubt() -> None:
    noted = query(relevant_passages=(RelevantPassage(item="deed", text="rent of the  unit is"),))
    assert relevance_by_rules(noted, "deed", RENT).holds
    assert not relevance_by_rules(noted, "deed", RENT).is_edge
    expected = query(query="How much is owed?", expected=(("£91,200",),))
    assert relevance_by_rules(expected, "deed", RENT).why.startswith("3")


def test_a_short_word_that_says_nothing_is_no_answer() -> None:
    verdict = relevance_by_rules(query(expected=(("no, ",),)), "x", "No, nothing of the kind.")
    assert not verdict.holds


@pytest.mark.parametrize(
    ("item", "text", "holds", "is_edge"),
    [
        ("deed", "The yearly rent of the unit was raised.", True, False),
        ("deed", "The rent is due.", True, True),
        ("deed", "Cats sleep a lot.", False, False),
        ("other", "The yearly rent of the unit was raised.", True, True),
        ("other", "A unit of blood was given.", False, True),
    ],
)
def test_a_chunk_is_graded_by_its_item_and_the_words_of_the_query(
    item: str, text: str, holds: bool, is_edge: bool
) -> None:
    verdict = relevance_by_rules(query(relevant_items=("deed",)), item, text)
    assert (verdict.holds, verdict.is_edge) == (holds, is_edge)


def test_what_a_response_says_of_its_own_support_is_not_believed() -> None:
    rules = ClaimRules(evidence=evidence(deed=RENT))
    assert rules.faithfulness(claim(RENT, "deed:L1", support=Support.UNVERIFIED)).holds
    wrong = claim("The yearly rent of the unit is £86,400.", "deed:L1", support=Support.QUOTED)
    assert not rules.faithfulness(wrong).holds


def test_a_claim_without_a_citation_or_with_a_broken_one_is_not_supported() -> None:
    rules = ClaimRules(evidence=evidence(deed=RENT) | {"deed:p99": "there is no page 99"})
    assert not rules.faithfulness(claim(RENT)).holds
    assert rules.faithfulness(claim(RENT, "deed:p99")).why == "there is no page 99"
    assert not rules.faithfulness(claim(RENT, "deed:L1", "deed:p99")).holds


def test_an_inference_counts_if_it_is_marked_and_follows() -> None:
    rules = ClaimRules(evidence=evidence(now="The charge is £23,450.", then="It was £18,200."))
    rise = claim("It rose by £5,250.", "now:L1", "then:L1", support=Support.INFERRED)
    verdict = rules.faithfulness(rise)
    assert verdict.holds
    assert verdict.is_edge
    unmarked = claim("It rose by £5,250.", "now:L1", "then:L1", support=Support.ENTAILED)
    assert not rules.faithfulness(unmarked).holds
    invented = claim("It rose by £6,000.", "now:L1", "then:L1", support=Support.INFERRED)
    assert not rules.faithfulness(invented).holds


def test_a_row_that_an_inference_is_made_of_bears_a_part_of_it() -> None:
    rules = ClaimRules(evidence=evidence(staff="Cost: Staff; FY2026: 4,310", debt="Debt: 2,160"))
    total = claim("Together that is 6,470.", "staff:L1", "debt:L1", support=Support.INFERRED)
    assert rules.accuracy(citation("staff", total.text, excerpt="Staff | 4,310"), [total]).holds
    elsewhere = citation("debt", total.text, excerpt="Staff | 4,310")
    assert not rules.accuracy(elsewhere, [total]).holds


def test_words_of_the_synthesis_are_a_quotation_without_its_marks() -> None:
    words = "The surveyor blames the flue [[report:p1]]."
    cited = parse_citation("tez.md:L1")
    assert cited is not None
    units = (EvidenceText(words, synthesis=True),)
    rules = ClaimRules(evidence={"tez.md:L1": CitedEvidence(cited, units)})
    verdict = rules.faithfulness(claim("The surveyor blames the flue.", "tez.md:L1"))
    assert verdict.holds
    assert verdict.is_edge


def test_a_citation_is_accurate_if_its_place_says_the_claim() -> None:
    rules = ClaimRules(evidence=evidence(deed=RENT, plan=AREA))
    assert rules.accuracy(citation("deed", RENT), ()).holds
    assert not rules.accuracy(citation("plan", RENT), ()).holds
    assert not rules.accuracy(citation("nowhere", RENT), ()).holds


def test_words_that_are_there_and_say_something_else_are_no_support() -> None:
    rules = ClaimRules(evidence=evidence(plan=AREA))
    verdict = rules.accuracy(citation("plan", RENT, excerpt=AREA), [claim(RENT, "plan:L1")])
    assert not verdict.holds
    assert verdict.is_edge


def test_of_a_claim_that_rests_on_two_places_each_bears_a_part() -> None:
    rules = ClaimRules(evidence=evidence(deed=RENT, plan=AREA, cats="Cats sleep."))
    both = claim(f"{RENT} {AREA}", "deed:L1", "plan:L1")
    assert rules.accuracy(citation("deed", both.text), [both]).holds
    padded = claim(RENT, "deed:L1", "cats:L1")
    assert not rules.accuracy(citation("cats", RENT), [padded]).holds
