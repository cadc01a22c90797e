"""Plans told as done, conditions dropped, causes and figures exchanged."""

from __future__ import annotations

import pytest

from tipstaff.domain.classification import Support
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.support import check_support


def _holds(statement: str, *units: EvidenceText) -> bool:
    return check_support(statement, [list(units)]).support is not Support.UNVERIFIED


def _text(words: str, heading: str = "") -> EvidenceText:
    return EvidenceText(words, heading, block=1)


@pytest.mark.parametrize(
    ("planned", "statement"),
    [
        (_text("Ada Byron is to inspect the boiler."), "Ada Byron has inspected the boiler."),
        (
            _text("Send the invoices to the bank.", "To do"),
            "The invoices have been sent to the bank.",
        ),
        (_text("The bridge will be painted."), "The bridge has been painted."),
    ],
)
def test_what_is_planned_has_not_been_done(planned: EvidenceText, statement: str) -> None:
    assert not _holds(statement, planned)


def test_what_was_done_has_been_done() -> None:
    assert _holds("The bridge has been painted.", _text("The bridge was painted."))


@pytest.mark.parametrize(("state", "holds"), [("Open", False), ("Done", True)])
def test_a_task_is_as_far_as_its_state_says(state: str, holds: bool) -> None:
    cells = (("Action", "Boiler inspected"), ("State", state))
    row = EvidenceText(f"Action: Boiler inspected; State: {state}", cells=cells)
    assert _holds("The boiler has been inspected.", row) is holds


def test_what_holds_under_a_condition_does_not_hold_in_any_case() -> None:
    rule = _text("The deposit may be returned only if the keys are handed back.")
    assert not _holds("The deposit may be returned in any case.", rule)
    assert _holds("The deposit may be returned only if the keys are handed back.", rule)


def test_a_limit_that_follows_is_not_left_out() -> None:
    late = EvidenceText(
        "For each day that turnover is late, delivery shall move by one day, but by no more than "
        "21 days in all."
    )
    said = "For each day that turnover is late, delivery shall move by one day"
    assert check_support(said, [[late]]).support is Support.UNVERIFIED
    whole = f"{said}, but by no more than 21 days"
    assert check_support(whole, [[late]]).support is not Support.UNVERIFIED


def test_a_cause_is_not_its_effect() -> None:
    told = _text("The pump stopped because the fuse had melted.")
    assert _holds("The pump stopped because the fuse had melted.", told)
    assert not _holds("The fuse had melted because the pump stopped.", told)


def test_what_came_first_is_told_by_the_times() -> None:
    told = (_text("The siren sounded at 10:40."), _text("The gate opened at 10:15."))
    assert not _holds("The siren sounded before the gate opened.", *told)


def test_two_figures_do_not_change_places() -> None:
    told = _text("The cap rises from 180 to 216 seats.")
    assert _holds("The cap rises from 180 to 216 seats.", told)
    assert not _holds("The cap rises from 216 to 180 seats.", told)


@pytest.mark.parametrize(
    ("statement", "holds"),
    [("The request timeout is 8 seconds.", True), ("The request timeout is 80 seconds.", False)],
)
def test_a_key_may_have_the_unit(statement: str, holds: bool) -> None:
    assert _holds(statement, _text("request_timeout_ms = 8000", "Request timeout")) is holds


def test_about_a_figure_is_as_exact_as_it_is_written() -> None:
    told = _text("The base cost is $3,820,600.")
    assert _holds("The base cost is about $3.82 million.", told)
    assert not _holds("The base cost is about $3.92 million.", told)
    assert not _holds("The base cost is $3.82 million.", told)


def test_half_past_eight_is_a_time() -> None:
    told = _text("The alarm went off at 20:30.")
    assert _holds("The alarm went off at half past eight in the evening.", told)
    assert not _holds("The alarm went off at half past eight in the morning.", told)


def test_what_two_of_many_are_not_all_are() -> None:
    told = _text("In two of the 22 forms the signature is illegible.")
    assert not _holds("The signature is illegible in all of the forms.", told)


CHOIR = (
    _text("The conductor proposed to raise the subscription from £40 to £55."),
    _text("The members did not debate the matter and referred it to the summer meeting."),
    _text("Tickets would go on sale in two steps."),
    _text("Programmes and posters are printed with the first step."),
    _text("The altos sang flat because the hall was unheated in March."),
    _text("Rehearsals begin at 18:45 and a cup of tea costs 80 pence."),
)


@pytest.mark.parametrize(
    ("statement", "holds"),
    [
        ("The choir raised the subscription to £55.", False),
        ("The conductor proposed raising the subscription to £55.", True),
        ("The matter was referred to the summer meeting.", True),
        ("The members debated the matter.", False),
        ("The programmes and posters are printed with the first step.", True),
        ("Tickets go on sale in two steps.", False),
        ("The altos sang flat because the hall was unheated.", True),
        ("The altos sang flat because the piano was retuned too late.", False),
        ("Rehearsals begin at 6.45 pm.", True),
        ("Rehearsals begin at 6.45 am.", False),
        ("A cup of tea costs 80p.", True),
        ("A cup of tea costs £0.80.", True),
        ("A cup of tea costs 85p.", False),
    ],
)
def test_proposals_reasons_times_and_pence_of_a_choir(statement: str, holds: bool) -> None:
    assert _holds(statement, *CHOIR) is holds
