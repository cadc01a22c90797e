"""What was asked for, threatened, supposed or foreseen has not happened by that."""

from __future__ import annotations

import pytest

from tipstaff.domain.classification import Support
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.support import check_support

PLACES = {
    "threat": "The carrier threatened on Monday to cancel the sailing unless the fee was settled.",
    "condition": "The choir may have to move to the annex if damp is found in the crypt.",
    "advice": "Ms Ferrant recommended that the gantry be dismantled before the winter.",
    "order": "The inspector asked the owner to repair the eastern stair by 9 June.",
    "future": "The kiln will be fired once the flue has been swept by Mr Osei.",
    "duty": "The tenant is to replace the broken panes on the ground floor.",
    "thought": "The committee considered closing the reading room on Sundays.",
}


@pytest.mark.parametrize(
    ("place", "statement"),
    [
        ("threat", "The carrier cancelled the sailing on Monday."),
        ("condition", "The choir has moved to the annex."),
        ("condition", "Damp was found in the crypt."),
        ("advice", "The gantry was dismantled before the winter."),
        ("order", "The owner repaired the eastern stair by 9 June."),
        ("future", "The kiln has been fired."),
        ("future", "The flue has been swept by Mr Osei."),
        ("duty", "The tenant has replaced the broken panes on the ground floor."),
        ("thought", "The committee closed the reading room on Sundays."),
    ],
)
def test_it_is_not_said_as_done(place: str, statement: str) -> None:
    verdict = check_support(statement, [[EvidenceText(PLACES[place])]])
    assert verdict.support is Support.UNVERIFIED


@pytest.mark.parametrize(
    ("place", "statement"),
    [
        (PLACES["threat"], "The carrier threatened to cancel the sailing."),
        (PLACES["condition"], "If damp is found in the crypt, the choir may have to move."),
        (PLACES["order"], "The owner was asked to repair the eastern stair by 9 June."),
        (PLACES["future"], "The kiln will be fired when Mr Osei has swept the flue."),
        (PLACES["duty"], "The broken panes on the ground floor have to be replaced."),
        # What had to be done was done.
        ("Three stands had to be closed on Friday.", "Three stands were closed on Friday."),
        ("Mr Osei was asked to sweep the flue and did so.", "Mr Osei swept the flue."),
        ("The crew managed to close the gate at 06:10.", "The crew closed the gate at 06:10."),
        (
            "The firm plans to close the yard. It closed the depot on 3 May.",
            "The firm closed the depot on 3 May.",
        ),
        # Who can make an offer, and writes so, makes it.
        ("We can offer the pump at £4,150.", "The pump was offered at £4,150."),
    ],
)
def test_what_is_said_as_what_it_is_leaves(place: str, statement: str) -> None:
    verdict = check_support(statement, [[EvidenceText(place)]])
    assert verdict.support is not Support.UNVERIFIED
