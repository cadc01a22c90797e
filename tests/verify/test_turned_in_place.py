"""Near the words of its place and not the same: for each lie a true sentence that is let be."""

from __future__ import annotations

import pytest

from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.turned_in_place import turned_in_place


@pytest.mark.parametrize(
    ("told", "lie", "truth"),
    [
        (
            "Priya Nambiar took over as manager on 2 September from Alan Whitcombe, who retired.",
            "Alan Whitcombe took over as manager on 2 September from Priya Nambiar, who retired",
            "Priya Nambiar took over as manager from Alan Whitcombe on 2 September",
        ),
        (
            "The Committee agreed that Mr Pell would write to Mr Straker by 7 February.",
            "The Committee agreed that Mr Straker would write to Mr Pell by 7 February",
            "Mr Pell would write to Mr Straker by 7 February, the Committee agreed",
        ),
        (
            "We will put up a net of 9 metres along your boundary, if the council agrees.",
            "The club has put up a net of 9 metres along the boundary",
            "The club will put up a net of 9 metres along the boundary, if the council agrees",
        ),
        (
            "He will decide by 27 June.",
            "Mr Osei decided by 27 June",
            "Mr Osei will decide by 27 June",
        ),
        (
            "Replace the written-off stock by 30 November 2025.",
            "The written-off stock was replaced by 30 November 2025",
            "The written-off stock is to be replaced by 30 November 2025",
        ),
        (
            "The concentration must be kept at 200 ppm or above at every sampling point.",
            "The concentration must be kept at 200 ppm or below at every sampling point",
            "The concentration must be kept at 200 ppm or above",
        ),
        (
            "Last year's reconnaissance covered 402.6 km in 61 vessel-days, or 6.6 km a day.",
            "Last year's reconnaissance covered 402.6 km in 61 vessel-days, or 4.1 km a day",
            "The reconnaissance of last year covered 402.6 km in 61 vessel-days",
        ),
        (
            "A relative or friend of the client may not interpret, save in an emergency.",
            "A relative or friend of the client may interpret, in an emergency",
            "A relative or friend of the client may not interpret",
        ),
        (
            "Tessel replied on 20 March with an offer of EUR 310,000 in full settlement.",
            "Tessel replied on 20 March with a demand of EUR 310,000 in full settlement",
            "On 20 March Tessel replied with an offer of EUR 310,000",
        ),
        (
            "£9,460 of that, the whole of the Charity Day, was passed to St Oda's Hospice.",
            "St Oda's Hospice gave £9,460, the whole of the Charity Day",
            "£9,460, the whole of the Charity Day, was passed to St Oda's Hospice",
        ),
        (
            "Three titles on locks remain withdrawn by the panel.",
            "Three memoirs on locks remain withdrawn by the panel",
            "Three titles remain withdrawn by the panel",
        ),
        (
            "Cotterill has claimed a further £58,000 for standing time.",
            "The trust has claimed a further £58,000 from Cotterill for standing time",
            "A further £58,000 has been claimed by Cotterill for standing time",
        ),
        (
            "The host asked on 2 March to replace the symphony with a concerto.",
            "On 2 March the orchestra asked the host to replace the symphony with a concerto",
            "The orchestra was asked by the host on 2 March to replace the symphony",
        ),
        (
            "June is planned for the cutover, and 12–13 September is the fallback.",
            "The June cutover is the fallback, and September the cutover",
            "September is the fallback for the cutover in June",
        ),
        (
            "The rate went from 10.2 to 12.6 complaints per 1,000 pumps.",
            "The rate of complaints per 1,000 pumps fell",
            "The rate of complaints per 1,000 pumps rose",
        ),
        (
            "Arnvik lent the station two loggers in March 2023.",
            "The station lent Arnvik two loggers in March 2023",
            "Two loggers were lent to the station by Arnvik in March 2023",
        ),
        (
            "The Traders' Group asked us to dredge the reach below the bridge.",
            "The Board asked the Traders' Group to dredge the reach below the bridge",
            "The Traders' Group asked the Board to dredge the reach below the bridge",
        ),
        (
            "Byrne asked Gold who had wanted it. He said he asked Tobias Kern of Kaldo by phone.",
            "Tobias Kern of Kaldo asked Gold by phone",
            "Gold said that he asked Tobias Kern of Kaldo by phone",
        ),
        (
            "The account was asked for by T. Renk on 20 March and refused by I. Solvane.",
            "The account was asked for by I. Solvane and refused by T. Renk",
            "T. Renk asked for the account, and it was refused by I. Solvane",
        ),
        (
            "The tenant gave the landlord notice on 3 June 2025.",
            "The landlord gave notice to the tenant on 3 June 2025",
            "The tenant gave notice to the landlord on 3 June 2025",
        ),
        (
            "Kestrel Ltd sold Osprey Ltd the crane for 70,000 euros.",
            "Osprey Ltd sold the crane to Kestrel Ltd for 70,000 euros",
            "Kestrel Ltd sold the crane to Osprey Ltd for 70,000 euros",
        ),
        (
            "The trench dug by the men saved the engine house.",
            "The engine house saved the trench",
            "The men dug the trench that saved the engine house",
        ),
        (
            "The interval was set from 600 to 1800 s, as the battery drained too fast.",
            "The interval was set from 1800 to 600 s, as the battery drained too fast",
            "The interval was set from 600 to 1800 s",
        ),
    ],
)
def test_a_sentence_that_is_turned_is_seen(told: str, lie: str, truth: str) -> None:
    assert turned_in_place(lie, [[EvidenceText(told)]])
    assert not turned_in_place(truth, [[EvidenceText(told)]])


def test_what_was_done_to_somebody_they_did_not_do() -> None:
    told = EvidenceText("She asked me first, and I said yes.", author="Farid Noorzai")
    assert turned_in_place("Farid Noorzai asked the volunteer first, and she said yes", [[told]])
    assert not turned_in_place("The volunteer asked first, and Farid Noorzai said yes", [[told]])


@pytest.mark.parametrize(
    ("cell", "lie", "truth"),
    [
        (
            ("What", "Return heads of terms to Petrie & Daw"),
            "Hélène is to receive the heads of terms from Petrie & Daw",
            "Hélène is to return the heads of terms to Petrie & Daw",
        ),
        (
            ("Price excludes", "carnet fee, waiting time"),
            "The price of Keldane includes the carnet fee",
            "The price of Keldane excludes the carnet fee",
        ),
    ],
)
def test_a_row_that_is_turned_is_seen(cell: tuple[str, str], lie: str, truth: str) -> None:
    row = EvidenceText(f"{cell[0]}: {cell[1]}", cells=(("Who", "Hélène"), cell))
    assert turned_in_place(lie, [[row]])
    assert not turned_in_place(truth, [[row]])


def test_what_went_from_one_to_another_in_a_row_did_not_come_back() -> None:
    told = "interval set from 600 to 1800 s"
    row = EvidenceText(f"text: {told}", cells=(("unit", "S-2R"), ("text", told)))
    assert turned_in_place("The interval of S-2R was set from 1800 to 600 s", [[row]])
    assert not turned_in_place("The interval of S-2R was set from 600 to 1800 s", [[row]])


def test_a_remark_in_settings_is_read_as_any_sentence() -> None:
    told = "Town has asked Kestrane to extend the loan to 2025-09-15; no answer yet"
    row = EvidenceText(f"loan: {told}", cells=(("loan", told),))
    assert turned_in_place("Kestrane has asked the Town to extend the loan", [[row]])
    assert not turned_in_place("The Town has asked Kestrane to extend the loan", [[row]])


def test_what_goes_the_other_way_is_another_thing() -> None:
    there = EvidenceText("The scans go from Leeds to York")
    assert turned_in_place("The scans go from York to Leeds", [[there]])
    assert not turned_in_place("Every signed original travels from York to Leeds", [[there]])


@pytest.mark.parametrize(
    ("state", "is_done"),
    [((), False), ((("state", "pending"),), False), ((("state", "done"),), True)],
)
def test_what_a_row_says_to_do_is_done_only_if_it_says_so(
    state: tuple[tuple[str, str], ...], is_done: bool
) -> None:
    cells = (("change", "return 100 nodes to the pool"), *state)
    row = EvidenceText("; ".join(f"{head}: {words}" for head, words in cells), cells=cells)
    said = "The studio has returned 100 nodes to the pool"
    assert bool(turned_in_place(said, [[row]])) is not is_done


@pytest.mark.parametrize(
    ("told", "said", "turned"),
    [
        (
            "An enabled account counts whether or not it is used.",
            "An enabled account is not counted if it is not used",
            True,
        ),
        (
            "An enabled account counts whether or not it is used.",
            "An enabled account counts whether or not it is used",
            False,
        ),
        (
            "The referral is ready to send, and only to be sent if there is no price.",
            "The referral was sent, as there is no price",
            True,
        ),
        (
            "The referral was to be sent on 3 May, and was sent on 9 May.",
            "The referral was sent on 9 May",
            False,
        ),
    ],
)
def test_conditions_that_do_not_matter_and_what_is_only_to_be_sent(
    told: str, said: str, turned: bool
) -> None:
    assert bool(turned_in_place(said, [[EvidenceText(told)]])) is turned


@pytest.mark.parametrize(
    ("cells", "said", "turned"),
    [
        (
            (("payee", "Dunmarrow"), ("amount", "128400"), ("status", "not due")),
            "The ferries paid Dunmarrow 128400",
            True,
        ),
        (
            (("payee", "Dunmarrow"), ("amount", "128400"), ("status", "paid")),
            "The ferries paid Dunmarrow 128400",
            False,
        ),
        (
            (("amount_gbp", "65000"), ("sent", "2025-12-05"), ("answer", "none received")),
            "The offer of £65,000 was withdrawn on 5 December 2025",
            True,
        ),
        (
            (("amount_gbp", "65000"), ("sent", "2025-12-05"), ("answer", "none received")),
            "The offer of £65,000 was sent on 5 December 2025",
            False,
        ),
        (
            (("point", "Referral"), ("note", "Ready to send. Only to be sent if no price comes.")),
            "The referral was sent",
            True,
        ),
    ],
)
def test_what_a_row_does_not_say_was_done_was_not(
    cells: tuple[tuple[str, str], ...], said: str, turned: bool
) -> None:
    row = EvidenceText("; ".join(f"{head}: {words}" for head, words in cells), cells=cells)
    assert bool(turned_in_place(said, [[row]])) is turned


@pytest.mark.parametrize(
    ("told", "lie", "truth"),
    [
        (
            "Rumour is not Notice.",
            "A fault is known when the board has it in writing, and rumour is Notice",
            "A fault is known when the board has it in writing, and rumour is not Notice",
        ),
        (
            "She did not look in the general mailbox.",
            "Ada Byron has read the post, and she did look in the general mailbox",
            "Ada Byron has read the post, and she did not look in the general mailbox",
        ),
        (
            "The opening was announced, but the gangway failed its load test on 3 October.",
            "The opening was announced, and the gangway did not fail its load test on 3 October",
            "The opening was announced, and the gangway failed its load test on 3 October",
        ),
        (
            "Max says the check will be done next week, I have not seen it myself.",
            "Ada Byron wrote that Max says the check will be done this week",
            "Ada Byron wrote that Max says the check will be done next week",
        ),
        (
            "I say the morning one should count.",
            "The first try in the morning is the one that counts",
            "Ada Byron says that the morning one should count",
        ),
        (
            "Ode says the lessor offered 27 March and that the office asked for a later day.",
            "Ode says the office offered 27 March and that the lessor asked for a later day",
            "Ode says the lessor offered 27 March, and the office asked for a later day",
        ),
    ],
)
def test_what_new_drafts_found(told: str, lie: str, truth: str) -> None:
    assert turned_in_place(lie, [[EvidenceText(told)]])
    assert not turned_in_place(truth, [[EvidenceText(told)]])


@pytest.mark.parametrize(
    ("told", "truth"),
    [
        (
            ("The north gate failed its test in May.", "The south gate did not fail its test."),
            "The south gate did not fail its test",
        ),
        (
            ("The Town is not answerable for it.", "The Yard is answerable for it."),
            "The Yard is answerable for it",
        ),
    ],
)
def test_what_one_is_denied_another_may_be(told: tuple[str, ...], truth: str) -> None:
    assert not turned_in_place(truth, [[EvidenceText(one) for one in told]])
