"""English is known by its smallest words."""

from __future__ import annotations

import pytest

from tipstaff.lexical.english import is_english


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("The committee turned down the plans on 4 June.", True),
        ("Alarms go out by email.", True),
        ("The buds were brown in La Grange and in Petit Marais.", True),
        ("Der Vorstand hat den Umbau am 4. Juni abgelehnt.", False),
        ("De huur is 500 euro of meer.", False),
        ("Le locataire verse un dépôt de garantie à la signature.", False),
        ("El inquilino paga una fianza de 2.000 euros.", False),
        ("Najemca płaci kaucję w wysokości 2000 zł.", False),
        ("Hyran är 500 kronor och betalas i förskott.", False),
        ("契約 2025", False),
        ("", False),
    ],
)
def test_a_text_is_english_or_not(text: str, english: bool) -> None:
    assert is_english(text) is english
