"""Exceptions left out, days that were only set, states under dated headers, changes of settings."""

from __future__ import annotations

import pytest

from tipstaff.domain.classification import Support
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.modality import leaves_out_exception_of
from tipstaff.verify.support import check_support


def row(**cells: str) -> EvidenceText:
    named = {head.replace("_", " "): words for head, words in cells.items()}
    text = "; ".join(f"{head}: {words}" for head, words in named.items())
    return EvidenceText(text, cells=tuple(named.items()))


LOFT = EvidenceText(
    "The Loft is not liable for injury caused by a part that was faulty when supplied, unless the "
    "fault would have been found by the measurement in clause 4.2."
)
CREDIT = EvidenceText(
    "If that rate is exceeded, the Supplier shall credit the Borough with 15 per cent of the hire "
    "fee, unless the excess was caused by a change of settings made by the Borough's own staff."
)
REPAYS = EvidenceText(
    "Where a sale is rescinded the consignor repays the net proceeds within thirty days of a "
    "written demand, unless he had disclosed in writing the very matter on which it rests."
)
SEALS = EvidenceText(
    "An examination of the packets by Harrow, document examiners, had been fixed for 9 February. "
    "It is postponed."
)
HELD = EvidenceText("The hearing had been fixed for 9 February and took place on that day.")
COVER = row(Action="Key-switch cover over the button", State_on_24_October="Planned, by November")
DONE = row(Action="Service mode switched off", State_on_24_October="Done, 14 October")
CHANGE = [row(item="service mode timeout hours"), row(**{"from": "12"}), row(to="0")]


@pytest.mark.parametrize(
    ("statement", "evidence"),
    [
        ("The Loft is not liable for injury caused by a part that was faulty when supplied.", LOFT),
        ("The Supplier shall credit the Borough with 15 per cent of the hire fee.", CREDIT),
        ("Where a sale is rescinded the consignor repays the net proceeds in thirty days.", REPAYS),
    ],
)
def test_a_rule_is_not_told_without_its_exception(statement: str, evidence: EvidenceText) -> None:
    assert check_support(statement, [[evidence]]).support is Support.UNVERIFIED
    assert leaves_out_exception_of(statement, [[evidence]])


def test_an_exception_that_is_told_is_none_left_out() -> None:
    told = f"{LOFT.text[:-1]} at all."
    assert not leaves_out_exception_of(told, [[LOFT]])
    assert check_support(LOFT.text, [[LOFT]]).support is not Support.UNVERIFIED
    assert not leaves_out_exception_of("The measurement is in clause 4.2.", [[LOFT]])


def test_a_day_that_was_set_is_no_day_on_which_it_was() -> None:
    said = "The examination of the packets by Harrow took place on 9 February."
    assert check_support(said, [[SEALS]]).support is Support.UNVERIFIED
    fixed = "The examination of the packets by Harrow had been fixed for 9 February."
    assert check_support(fixed, [[SEALS]]).support is Support.ENTAILED
    held = "The hearing took place on 9 February."
    assert check_support(held, [[HELD]]).support is Support.ENTAILED


def test_a_state_is_one_under_a_header_with_a_day() -> None:
    assert COVER.states
    said = "The key-switch cover over the button was done by 24 October."
    assert check_support(said, [[COVER]]).support is Support.UNVERIFIED
    assert check_support("Service mode was switched off on 14 October.", [[DONE]]).support in (
        Support.ENTAILED,
        Support.QUOTED,
    )


def test_a_change_goes_from_the_old_value_to_the_new_one() -> None:
    cited = [[one] for one in CHANGE]
    backwards = "The service mode timeout went from 0 to 12 hours."
    assert check_support(backwards, cited).support is Support.UNVERIFIED
    as_it_was = "The service mode timeout went from 12 to 0 hours."
    assert check_support(as_it_was, cited).reason != check_support(backwards, cited).reason
