from __future__ import annotations

import pytest

from tipstaff.facts.roles import aliases, holders

TEXTS = [
    "Prepared by Beatrix Amsel, Head of Risk and Internal Audit",
    "Inspected by Odalys Wren, chartered building surveyor",
    "Dr Yevgenia Marsh (hepatology) was present; so was Tomas Verhaegen (CFO).",
    "Meridian Corp, CFO office. Version 2 is by the Programme Director.",
]


@pytest.mark.parametrize(
    ("role", "person"),
    [
        ("head of risk", "Beatrix Amsel"),
        ("surveyor", "Odalys Wren"),
        ("hepatologist", "Yevgenia Marsh"),
        ("Chief Financial Officer", "Tomas Verhaegen"),
    ],
)
def test_a_role_leads_to_its_holder(role: str, person: str) -> None:
    assert any(person in found for found in holders(role, TEXTS))


def test_a_role_that_nobody_has_leads_nowhere() -> None:
    assert not holders("treasurer", TEXTS)


def test_a_company_is_nobody() -> None:
    assert "Meridian Corp" not in aliases(TEXTS).get("cfo", set())
