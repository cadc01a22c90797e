"""A statement that says which paper it retells is not mended with another one."""

from __future__ import annotations

import pytest

from tipstaff.citation.names import ItemNames
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.named_papers import (
    has_figures_of_other_paper,
    names_other_item,
    names_other_paper,
)


@pytest.mark.parametrize(
    "statement",
    [
        "The quarterly report puts the spend at $2.91 million.",
        "According to the mail, publishing failed at noon.",
        "In the memo from marketing, salaries are the largest part.",
    ],
)
def test_what_one_paper_is_said_to_say_is_not_cited_to_another(statement: str) -> None:
    assert names_other_paper(statement, "memo:L3", ("other:p9",), ())
    assert not names_other_paper(statement, "other:p8", ("other:p9",), ())


def test_without_a_citation_the_paper_goes_by_its_name() -> None:
    report = EvidenceText("The spend was $2.91 million.", paper="Quarterly report")
    memo = EvidenceText("The spend was $2.91 million.", paper="From the desk of M. Feld")
    statement = "The report puts the spend at $2.91 million."
    assert not names_other_paper(statement, "q3:p9", (), [report])
    assert names_other_paper(statement, "feld:L3", (), [memo])


def test_who_names_no_paper_may_be_mended_with_any() -> None:
    assert not names_other_paper("The spend was $2.91 million.", "memo:L3", ("other:p9",), ())
    assert not names_other_paper("The tenant has paid.", "memo:L3", ("other:p9",), ())


def test_an_item_that_is_named_is_one_that_is_cited() -> None:
    names = ItemNames({"information-page": "information-page", "case-register": "case-register"})
    unit = EvidenceText("The transfer is planned for 1 April.", surroundings="Case 4711 | Dates")
    named = "The information page says that the transfer is planned for 1 April."
    assert names_other_item(named, {"case-register"}, names, [unit])
    assert not names_other_item(named, {"information-page", "case-register"}, names, [unit])
    other = "According to the case register, the transfer is planned for 1 April."
    assert not names_other_item(other, {"case-register"}, names, [unit])
    assert not names_other_item("The transfer is planned.", {"case-register"}, names, [unit])
    # A name that no item has is none of another's.
    stray = "According to the timetable, the transfer is planned for 1 April."
    assert not names_other_item(stray, {"case-register"}, names, [unit])


def test_of_two_papers_each_has_its_own_figure() -> None:
    report = EvidenceText("Time loose: 34 minutes.", surroundings="Interim incident report")
    record = EvidenceText("minutes outside: 41", surroundings="Council licensing record")
    cited = [("report", [report]), ("record", [record])]
    turned = "The park's report puts it at 41 minutes, the council's record at 34."
    assert has_figures_of_other_paper(turned, cited)
    right = "The park's report puts it at 34 minutes, the council's record at 41."
    assert not has_figures_of_other_paper(right, cited)
    assert not has_figures_of_other_paper("It was 34 or 41 minutes.", cited)
