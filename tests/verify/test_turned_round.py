"""The same words, and yet not the same: whose figure, which unit, which way, who, and whether."""

from __future__ import annotations

import pytest

from tipstaff.domain.classification import Support
from tipstaff.facts.quantities import quantities
from tipstaff.lexical.analysis import terms
from tipstaff.verify.clauses import clauses
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.exemptions import is_exempt
from tipstaff.verify.foreign_matter import has_page_code, links_out, without_broken_marks
from tipstaff.verify.inferences import is_that_way_round
from tipstaff.verify.quantifiers import reasons_unsaid
from tipstaff.verify.support import check_support

ROW = EvidenceText(
    "Measure: Days to ship; Fenn: 11; Orla: 6",
    cells=(("Measure", "Days to ship"), ("Fenn", "11"), ("Orla", "6")),
)
OTHER_ROW = EvidenceText(
    "Measure: Own kitchen; Fenn: Yes; Orla: No",
    cells=(("Measure", "Own kitchen"), ("Fenn", "Yes"), ("Orla", "No")),
)
LIMITS = EvidenceText("Visitors pay above 450 points in spring or above 470 points in autumn.")
PIPE = EvidenceText("The pipe of 350 millimetres leaked for 90 minutes and cost $1,500 a week.")
SPOKEN = EvidenceText("I still think that the valve was faulty.", author="Ada Byron", block=1)
ANSWER = EvidenceText("Nobody asked for a new valve.", author="Max Frey", block=2)
PLAN = EvidenceText("Ending the contract early would cost a payment of $275,000.")
MIXED = EvidenceText("The roof was repaired in May, and nobody has paid the invoice.")


@pytest.mark.parametrize(
    ("statement", "evidence"),
    [
        ("Orla has 6 days to ship.", [ROW]),
        ("Fenn has its own kitchen.", [OTHER_ROW]),
        ("Orla has no kitchen of its own.", [OTHER_ROW]),
        ("The pipe of 35 centimetres leaked.", [PIPE]),
        ("The pipe leaked for one and a half hours.", [PIPE]),
        ("Ada Byron said that the valve was faulty.", [SPOKEN, ANSWER]),
        ("Ending the contract early would cost $275,000.", [PLAN]),
        ("The roof was repaired in May.", [MIXED]),
        ("Nobody has paid the invoice.", [MIXED]),
    ],
)
def test_what_is_so_is_supported(statement: str, evidence: list[EvidenceText]) -> None:
    assert check_support(statement, [evidence]).support is Support.ENTAILED


@pytest.mark.parametrize(
    ("statement", "evidence"),
    [
        ("Orla has 11 days to ship.", [ROW]),
        ("Orla has its own kitchen.", [OTHER_ROW]),
        ("Visitors pay above 470 points in spring.", [LIMITS]),
        ("The pipe of 350 centimetres leaked.", [PIPE]),
        ("The pipe leaked for 90 hours.", [PIPE]),
        ("The pipe cost $1,500 a month.", [PIPE]),
        ("Max Frey said that the valve was faulty.", [SPOKEN, ANSWER]),
        ("The contract ended early, at a cost of $275,000.", [PLAN]),
        ("The roof was not repaired in May.", [MIXED]),
        ("Somebody has paid the invoice.", [MIXED]),
    ],
)
def test_what_is_turned_round_is_withheld(statement: str, evidence: list[EvidenceText]) -> None:
    assert check_support(statement, [evidence]).support is Support.UNVERIFIED


def test_what_only_the_synthesis_says_is_weak() -> None:
    told = EvidenceText("The deposit is held by the bank.", synthesis=True)
    assert check_support("The deposit is held by the bank.", [[told]]).support is Support.WEAK


def test_a_denial_reaches_over_alternatives_and_no_further() -> None:
    denied = [one.denied for one in clauses("It was not lost or altered, and the crew left.")]
    assert denied == [True, True, False]


def test_a_difference_is_told_from_its_opposite() -> None:
    units = [EvidenceText("The load was 462 on arrival, against 438 at departure.")]
    above = "The load on arrival was 24 above departure"
    below = "The load on arrival was 24 below departure"
    (figure,) = quantities(above)
    assert is_that_way_round(above, figure, units)
    assert not is_that_way_round(below, figure, units)


@pytest.mark.parametrize(
    "broken",
    ["It fell [[memo:L", "It fell [memo:L3]]", "It fell `[[memo:L3]]`", "It fell 【memo】"],
)
def test_pieces_of_marks_are_taken_out(broken: str) -> None:
    assert without_broken_marks(broken) == "It fell"


def test_links_leave_only_if_the_evidence_has_them() -> None:
    assert links_out("See https://x.example/a.", ["nothing"])
    assert not links_out("See https://x.example/a.", ["It is at https://x.example/a today"])
    assert has_page_code("<a href='x'>go</a>")
    assert not has_page_code("a < b and c > d")


def test_a_question_said_back_as_a_fact_is_no_structure() -> None:
    known = ["offer", "withdrawn"]
    assert not is_exempt("The offer was withdrawn.", known, ())
    assert not is_exempt("Yes.", known, ())
    assert is_exempt("The bundled context does not mention an offer.", known, ())


@pytest.mark.parametrize(
    ("statement", "evidence"),
    [
        ("The fee stays at four pounds a day.", "7. Fee. Unchanged at four pounds a day."),
        ("Nobody was able to say who had the key.", "Nobody could say who had the key."),
        ("Grades from 17 to 25 are critical.", "Grades: 10–16 is high, 17–25 is critical."),
        ("The pipe of 40 mm serves 298 houses.", "Pipe (mm): 40; Houses served: 298"),
    ],
)
def test_what_stays_is_unchanged_and_a_dash_between_figures_is_no_minus(
    statement: str, evidence: str
) -> None:
    verdict = check_support(statement, [[EvidenceText(evidence)]])
    assert verdict.support is not Support.UNVERIFIED, verdict.reason


@pytest.mark.parametrize(
    ("statement", "evidence"),
    [
        ("The fee changes to four pounds a day.", "7. Fee. Unchanged at four pounds a day."),
        ("The refund stays, as was asked.", "The refund was refused, as was asked."),
        ("Grades from 17 to 25 are critical.", "Grades: 17 to -25 is critical."),
        ("The early train calls at the harbour.", "The late train calls at the harbour."),
    ],
)
def test_what_changes_is_not_and_a_common_word_has_its_opposite(
    statement: str, evidence: str
) -> None:
    assert check_support(statement, [[EvidenceText(evidence)]]).support is Support.UNVERIFIED


def test_what_is_so_and_what_is_not_may_not_change_places() -> None:
    told = "It was the circuit breaker, not the pump."
    assert reasons_unsaid("The cause was the pump, not the circuit breaker.", f"Because. {told}")
    assert not reasons_unsaid(
        "The cause was the circuit breaker, not the pump.", f"Because. {told}"
    )


@pytest.mark.parametrize(
    "fact",
    [
        "The answer is 500 euros.",
        "In answer, the deposit is not refundable.",
        "The answer to the question is that the deposit is not refundable.",
        "The deposit is not refundable:",
        "The deposit is refundable:",
        "The board did reject the merger for the following reasons:",
        "The board rejected the merger for the following reasons:",
    ],
)
def test_the_words_of_a_question_said_back_as_a_fact_are_a_fact(fact: str) -> None:
    query = "Is the deposit of 500 euros refundable, and why did the board reject the merger?"
    assert not is_exempt(fact, frozenset(terms(query)), ("500 euros", "500"))


@pytest.mark.parametrize(
    "words",
    [
        "The bundled context does not contain information about the deposit.",
        "The context does not say whether the deposit is refundable.",
        "The context includes the following on the deposit:",
        "Here is what the documents say about the merger:",
        "Deposit:",
        "Would you like me to elaborate on the merger?",
    ],
)
def test_what_only_introduces_or_abstains_needs_no_citation(words: str) -> None:
    query = "Is the deposit refundable, and why did the board reject the merger?"
    assert is_exempt(words, frozenset(terms(query)), ())
