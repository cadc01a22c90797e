"""How a good witness retells papers, and how a bad one changes them by a word: pairs of both."""

from __future__ import annotations

import pytest

from tipstaff.domain.classification import Support
from tipstaff.verify.attributions import is_of_somebody_else
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.naming import Home
from tipstaff.verify.support import check_support


def _row(*cells: tuple[str, str]) -> EvidenceText:
    return EvidenceText("; ".join(f"{head}: {words}" for head, words in cells), cells=cells)


SCOPE = [
    EvidenceText("The cables and the access roads are not part of the scope."),
    EvidenceText("The Operator maintains them at its own cost."),
]
GERMS = EvidenceText("The germ count must not exceed 40,000 per millilitre.")
OFFER = EvidenceText("The board did not accept it and asked for an offer without night service.")
MENU = EvidenceText("She does not want the voice menu back, which was removed in January.")
TAX = EvidenceText("The visitor's tax of £2 per person and night is not included in the rate.")
GALLERY = _row(("enabled", "false"), ("enabled", "waits for the fire inspector"))
INCOME = EvidenceText("Total income was 5.31 million francs and the surplus 118,000 francs.")
RATION = EvidenceText("At least 75 percent of the ration must be grass or hay.")
DISCOUNT = _row(("sibling discount", "0.15"))
BOND = _row(("blade", "B"), ("type", "open bond"), ("length", "1900 mm"))
POINTS = EvidenceText("The points were divided into menus (25), allergens (20) and staffing (15).")
CASES = EvidenceText("In seven cases milk was missing, in three cases mustard.")
VOTE = [
    EvidenceText("Resolved: the council accepts the offer for six months."),
    EvidenceText("For: 4."),
    EvidenceText("Against: 1 (Colin Urwin)."),
]
SIGNED = EvidenceText("For the Operator: Dorothea Vance, director For the Contractor: Jes Lund")
PANS = [
    EvidenceText("Will her food be cooked in the same pans?"),
    EvidenceText("No. Gluten-free meals are cooked in separate pans with red handles."),
]
PRICE = EvidenceText("The board sets the base price each quarter.")
END = EvidenceText("6.3 The Dairy may end the contract at once if silage is fed.")
CREDIT = EvidenceText("The Supplier shall credit the Company with 5 percent of the fee.")
ASKED = EvidenceText("We also ask you to announce long orders one day ahead.", author="Tom Acht")
GAUGE = EvidenceText(
    "The new gauge was installed on the pier on 24 June.", surroundings="Minutes, 9 July 2025"
)
AREAS = [
    _row(("Area", "2"), ("Volume", "2,300 m³")),
    _row(("Area", "3"), ("Volume", "5,400 m³")),
]
SWELL = _row(("swell limit", "1.5 metres"))
PUMP = EvidenceText("The fuel pump will be closed on weekdays before 14:00.")
BLOCKS = EvidenceText("Work begins in Block C, then Block A, then Block B.")
URGENT = EvidenceText("Urgent repairs are completed within 7 calendar days.")
CHARGER = EvidenceText("The price is £90,000, installation included and value added tax excluded.")
KEEPER = EvidenceText("The keeper shall not open or test a deposit without written consent.")
BUDGET = _row(("Heading", "Field collecting"), ("2025", "410,000"), ("2026", "260,000"))
SOLD = _row(("Town", "Ljubljana"), ("Full price", "148"), ("Reduced", "66"))
DOOR = _row(("cash", "true"), ("card", "false"))
TALK = EvidenceText("One suitcase each, at most 20 kilos.")
TEST = _row(("test", "T21"), ("driver", "Jarvis"), ("distance", "151 km"), ("result", "fail"))
SCAN = EvidenceText("With the wet gate a scan takes about 45 minutes.")
COLD = _row(("alarm above", "-14 °C"))
CALLS = _row(("first call", "Tobias Renn"), ("second call", "fire service"))
GRADE = _row(("title", "Gymnasts"), ("grade", "D"))


@pytest.mark.parametrize(
    ("statement", "evidence"),
    [
        ("The Operator maintains the cables and the access roads at its own cost.", SCOPE),
        ("The germ count must not be higher than 40,000 per millilitre.", [GERMS]),
        ("The board asked for an offer without night service.", [OFFER]),
        ("The voice menu was removed in January.", [MENU]),
        ("It is not enabled and waits for the fire inspector.", [GALLERY]),
        ("Total income was 5,310,000 francs.", [INCOME]),
        ("At least three quarters of the ration must be grass or hay.", [RATION]),
        ("There is a sibling discount of 15%.", [DISCOUNT]),
        ("There was an open bond of 1,900 mm on blade B.", [BOND]),
        ("Staffing had 15 of the points.", [POINTS]),
        ("In seven cases milk was missing.", [CASES]),
        ("The council accepted the offer for six months, with four votes for it.", VOTE),
        ("Dorothea Vance signed for the operator.", [SIGNED]),
        ("The board sets the base price every quarter.", [PRICE]),
        ("The new gauge was installed on 24 June.", [GAUGE]),
        ("The limit for swell is 1.5 m.", [SWELL]),
        ("In Area 3 the volume is 5,400 m³.", AREAS),
        ("The price is £90,000, including installation but excluding value added tax.", [CHARGER]),
        ("Cash is accepted.", [DOOR]),
        ("Jarvis drove test T21.", [TEST]),
        ("With the wet gate a scan takes about three quarters of an hour.", [SCAN]),
        ("The alarm is set above minus 14 °C.", [COLD]),
        ("The first call goes to Tobias Renn.", [CALLS]),
    ],
)
def test_what_is_retold_plainly_is_kept(statement: str, evidence: list[EvidenceText]) -> None:
    assert check_support(statement, [evidence]).support is not Support.UNVERIFIED


@pytest.mark.parametrize(
    ("statement", "evidence"),
    [
        ("The cables are part of the scope.", SCOPE),
        ("The visitor's tax is included in the rate.", [TAX]),
        ("Staffing had 25 of the points.", [POINTS]),
        ("In seven cases mustard was missing.", [CASES]),
        ("Jes Lund signed for the operator.", [SIGNED]),
        ("Gluten-free meals are cooked in the same pans.", PANS),
        ("The board sets the base price each month.", [PRICE]),
        ("The farm may end the contract at once if silage is fed.", [END]),
        ("The Company shall credit the Supplier with 5 percent of the fee.", [CREDIT]),
        ("Tom Acht has agreed to announce long orders one day ahead.", [ASKED]),
        ("The new gauge was installed on 24 July 2025.", [GAUGE]),
        ("In Area 3 the volume is 2,300 m³.", AREAS),
        ("The fuel pump will be closed on weekdays before noon.", [PUMP]),
        ("Work begins in Block A, then Block C, then Block B.", [BLOCKS]),
        ("Urgent repairs are completed within 7 hours.", [URGENT]),
        ("The keeper may open or test a deposit without written consent.", [KEEPER]),
        ("Field collecting rises from 260,000 to 410,000.", [BUDGET]),
        ("In Ljubljana 148 were sold at the reduced price.", [SOLD]),
        ("Cash is switched off.", [DOOR]),
        ("Cards are accepted, and a card is fine.", [DOOR]),
        ("One suitcase each, of at most 20 pounds.", [TALK]),
        ("The first call goes to the fire service.", [CALLS]),
        ("Gymnasts is of grade A.", [GRADE]),
    ],
)
def test_what_a_word_makes_another_is_withheld(
    statement: str, evidence: list[EvidenceText]
) -> None:
    assert check_support(statement, [evidence]).support is Support.UNVERIFIED


def test_we_are_those_for_whom_the_speaker_speaks() -> None:
    paid = EvidenceText("For the energy we pay £61.50.", author="Moira Sandiford")
    home = Home(speaks_for=lambda person, name: (person, name) == ("Moira Sandiford", "Fell Ltd"))
    kept = check_support("Fell Ltd pays £61.50 for the energy.", [[paid]], home=home)
    other = check_support("Kestrel Ltd pays £61.50 for the energy.", [[paid]], home=home)
    assert kept.support is Support.ENTAILED
    assert other.support is Support.UNVERIFIED


def test_she_is_whom_the_sentence_before_named() -> None:
    visit = _row(("kitchen", "Priory Park"), ("inspector", "Leonard Pask"))
    statement = "She also inspected Priory Park."
    assert is_of_somebody_else(statement, "Nadia Ferreira", [visit])
    assert not is_of_somebody_else("He also inspected Priory Park.", "Leonard Pask", [visit])
