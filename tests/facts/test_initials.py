"""Whom minutes mean by initials."""

from __future__ import annotations

import pytest

from tipstaff.facts.initials import initials, with_names

PRESENT = "Present: Nerys Oduya-Blane (producer), Kasper Thornlow, Dr Ilse Maravent. "


@pytest.mark.parametrize(
    ("text", "known"),
    [
        (PRESENT + "KT: drives left on 2 May.", {"KT": "Kasper Thornlow"}),
        (PRESENT + "NO-B asked KT and IM.", {
            "NO-B": "Nerys Oduya-Blane", "KT": "Kasper Thornlow", "IM": "Ilse Maravent",
        }),
        (PRESENT + "Nobody spoke.", {}),
        (PRESENT + "Kira Tamm came late. KT left.", {}),
        (PRESENT + "The Kent Trust (KT) pays.", {}),
        (PRESENT + "Kasper Thornlow (KT) pays. KT left.", {"KT": "Kasper Thornlow"}),
        (PRESENT + "The code is KT-07, version KT2.", {}),
        ("KT left.", {}),
    ],
)  # fmt: skip
def test_initials_are_of_the_one_person_who_has_them(text: str, known: dict[str, str]) -> None:
    assert initials(text) == known


def test_names_stand_in_the_place_of_initials() -> None:
    text = "KT: MO asked to leave. The KT-07 form was lost."
    known = {"KT": "Kasper Thornlow", "MO": "Marek Ostrander"}
    told = "Kasper Thornlow: Marek Ostrander asked to leave. The KT-07 form was lost."
    assert with_names(text, known) == told


@pytest.mark.timeout(20)
def test_a_word_without_end_is_read_in_time() -> None:
    for text in ("A" + "a" * 400_000, "Aa’" * 200_000, "Aa " * 200_000, "AB " * 200_000):
        assert initials(f"{text} KT") == {}
