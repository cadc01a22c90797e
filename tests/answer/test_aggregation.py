"""Lists, break-downs and enumerations (TIP §9.8)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.answer.asked import asked, cited_items
from tests.conftest import BundleMaker

REGISTER = b"""# Harbour works

## Register

| ID | Risk | Rating | Owner | Done |
|---|---|---|---|---|
| R-1 | Silt blocks the lock | High | Ada Byron | No |
| R-2 | Crane is late | Low | Tomas Vera | Yes |
| R-3 | Permit lapses | Critical | (none) | No |

## Actions

| No. | Action | Who | State |
|---|---|---|---|
| 1 | Dredge the basin | Ada Byron | Done |
| 2 | Renew the permit | Ines Holt | Open |
| 3 | Order the crane | Tomas Vera | In progress |

## Conditions of approval

- The basin is dredged before May.
- The permit is renewed.

Ada Byron (Harbour Master) signed this. Ines Holt, Treasurer, was absent.
"""
EVENTS = (
    b"number,site,event,grade,serious,start\nE-008,014,Headache,1,No,2024-05-02\n"
    b"E-009,007,Fracture,3,Yes,2024-05-10\nE-010,011,Syncope,3,Yes,2024-06-18\n"
)


@pytest.fixture
def harbour(make_bundle: BundleMaker) -> Path:
    return make_bundle({"works.md": REGISTER, "events.csv": EVENTS})


def test_rows_are_chosen_by_the_values_that_the_question_names(harbour: Path) -> None:
    said = asked(harbour, "List the risks rated high or critical, with their owners.")
    assert "R-1" in said.text
    assert "R-3" in said.text
    assert "R-2" not in said.text
    assert said.classification == "grounded"


def test_a_yes_no_column_is_a_filter(harbour: Path) -> None:
    said = asked(harbour, "List the serious events with their sites.").text
    assert "Fracture" in said
    assert "Syncope" in said
    assert "Headache" not in said


def test_not_serious_is_the_other_half(harbour: Path) -> None:
    said = asked(harbour, "List the events that are not serious.").text
    assert "Headache" in said
    assert "Syncope" not in said


def test_cells_of_digits_side_by_side_are_not_one_number(harbour: Path) -> None:
    response = asked(harbour, "List the serious events with their sites.")
    assert not response.removed
    assert "site: 011" in response.text


def test_what_is_still_open_is_told_by_the_state_column(harbour: Path) -> None:
    said = asked(harbour, "List the tasks that are still to be finished.").text
    assert "Renew the permit" in said
    assert "Order the crane" in said
    assert "Dredge the basin" not in said
    assert "State: Done" not in said


def test_a_role_stands_for_the_person_who_has_it(harbour: Path) -> None:
    said = asked(harbour, "Which actions does the treasurer own?").text
    assert "Renew the permit" in said
    assert "Order the crane" not in said


def test_rows_without_an_owner_are_found_by_the_blank(harbour: Path) -> None:
    said = asked(harbour, "Which risks have no owner?").text
    assert "R-3" in said
    assert "R-1" not in said


def test_a_list_under_a_heading_is_given_whole(harbour: Path) -> None:
    said = asked(harbour, "What are the conditions of approval?")
    assert "dredged before May" in said.text
    assert "permit is renewed" in said.text
    assert said.classification == "grounded"


def test_a_name_that_is_not_over_a_table_is_not_answered_by_it(harbour: Path) -> None:
    said = asked(harbour, "List the risks of the Rotterdam basin rated high.")
    assert said.classification == "abstention"


def test_risks_that_no_document_lists_for_the_subject_may_be_more(make_bundle: BundleMaker) -> None:
    notes = b"# Report\n\n## Risks\n\n- Frost kills the seedlings.\n- Deer eat the bark.\n"
    folder = make_bundle({"report.md": notes, "talk.md": b"The main challenge is water.\n"})
    said = asked(folder, "What are the risks to the growth of the orchard?")
    assert said.classification == "partial"
    assert "Frost" in said.text
    assert "challenge is water" in said.text
    assert "there may be others" in said.text


def test_a_break_down_takes_the_table_that_has_every_part(make_bundle: BundleMaker) -> None:
    budget = (
        b"# Budget\n\n| Component | Amount |\n|---|---:|\n| Vendors | $2,595,600 |\n"
        b"| Internal staff | $1,225,000 |\n| Reserve | $573,090 |\n| Total cost | $4,393,690 |\n"
    )
    offer = b"# Offer\n\nThe total price of our work is $2,595,600.\n"
    folder = make_bundle({"budget.md": budget, "offer.md": offer})
    question = "How does the cost break down across vendors, internal staff, and reserve?"
    said = asked(folder, question)
    assert all(figure in said.text for figure in ("2,595,600", "1,225,000", "573,090"))
    assert cited_items(said) == {"budget", "offer"}


def test_a_sum_that_nobody_states_is_not_replaced_by_one_of_its_parts(
    make_bundle: BundleMaker,
) -> None:
    notes = b"# Rent\n\nThe tenant kept back $7,500 of rent in June.\n\nIt kept back $900 in May.\n"
    said = asked(
        make_bundle({"rent.md": notes}), "Adding up every month, how much rent was kept back?"
    )
    assert said.classification == "abstention"
