"""What is exchanged, left out or put in is seen by how words are arranged; trees are read as they
were taught."""

from __future__ import annotations

import io
import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tipstaff.contracts.support_checkers import faults_of
from tipstaff.errors import InternalError, UsageError
from tipstaff.models import ARRANGEMENT, ModelFile
from tipstaff.read.forest import Forest, forest_in
from tipstaff.verify.arranged import arrangement_checker
from tipstaff.verify.arrangement import aligned, traits
from tipstaff.verify.support_checker import checker_named

ABOVE = "Minutes | 4. Claims\n"
PLACE = (
    f"{ABOVE}Tarn Lifts told the hospital on 12 March that the second car could not run before "
    "30 April unless the trust paid the first invoice of £4,800."
)
TRUE = (
    "Tarn Lifts told the hospital on 12 March that the second car could not run before 30 April "
    "unless the trust paid the first invoice of £4,800"
)
LIES = [
    TRUE.replace("could not", "could"),
    TRUE.replace("unless the trust paid the first invoice of £4,800", "whatever was paid"),
    TRUE.replace("before", "after"),
    (
        "The hospital told Tarn Lifts on 30 April that the first car could not run before 12 March "
        "unless the trust paid the second invoice of £4,800"
    ),
]
WORDS = st.text(alphabet="ab cdn.,;:'\"12£é‑\u200b\n", max_size=120)


def worth(statement: str, *passages: str) -> float:
    return arrangement_checker(model="").worth(statement, passages)


def test_it_keeps_the_promises_of_a_checker() -> None:
    assert faults_of(arrangement_checker(model="")) == []
    with pytest.raises(UsageError):
        checker_named("arrangement:other")


@pytest.mark.parametrize("lie", LIES)
def test_a_changed_copy_is_worth_less_than_the_words_of_the_place(lie: str) -> None:
    assert worth(lie, PLACE) < worth(TRUE, PLACE)


def test_a_passage_beside_the_place_changes_little_and_in_its_stead_much() -> None:
    other = f"{ABOVE}The chair thanked the porters for their patience."
    assert abs(worth(TRUE, PLACE, other) - worth(TRUE, other, PLACE)) < 1
    assert worth(TRUE, other) < worth(TRUE, PLACE) - 1
    assert worth("Of the.", PLACE) == worth(TRUE) == -float("inf")


def test_of_two_alignments_the_weightier_is_found() -> None:
    said, told = ["a", "b", "c"], ["c", "a", "x", "b"]
    assert aligned(said, told, [1, 1, 1]) == [(0, 1), (1, 3)]
    assert aligned(said, told, [1, 1, 3]) == [(2, 0)]


@given(WORDS, st.lists(WORDS, max_size=4))
def test_anything_can_be_counted_and_always_the_same_way(said: str, told: list[str]) -> None:
    once = traits(said, told)
    assert once == traits(said, told)
    if once is not None:
        assert len(once) >= forest_in(ARRANGEMENT).traits
        assert not any(map(math.isnan, once))


@given(st.data())
def test_words_stand_in_the_order_in_which_both_have_them(data: st.DataObject) -> None:
    word = st.sampled_from("abcde")
    said, told = (data.draw(st.lists(word, max_size=9)) for _ in range(2))
    found = aligned(said, told, [1] * len(said))
    assert all(said[i] == told[j] for i, j in found)
    assert found == sorted(found)
    assert len({i for i, _ in found}) == len({j for _, j in found}) == len(found)
    # As many as can be, by the textbook.
    most = [[0] * (len(told) + 1) for _ in range(len(said) + 1)]
    for i, one in enumerate(said, 1):
        for j, other in enumerate(told, 1):
            longer = max(most[i - 1][j], most[i][j - 1])
            most[i][j] = most[i - 1][j - 1] + 1 if one == other else longer
    assert len(found) == most[-1][-1]


def test_a_forest_goes_left_up_to_its_bound_and_adds_its_leaves() -> None:
    content = io.BytesIO()
    np.savez(
        content,
        trait=[0, 0, 1, 0, 0],
        bound=[2.5, 0, 7.0, 0, 0],
        left=[1, 1, 3, 3, 4],
        right=[2, 1, 4, 3, 4],
        worth=[0, -1.0, 0, 0.5, 2.0],
        roots=[0],
        begins=0.25,
        depth=2,
    )
    forest = Forest(content.getvalue())
    assert [forest.logit(one) for one in ((2.5, 0), (3, 7), (3, 8))] == [-0.75, 0.75, 2.25]
    assert forest.traits == 2


def test_another_file_is_not_read() -> None:
    with pytest.raises(InternalError):
        forest_in(ModelFile("tipstaff.models", "arrangement.npz", "0" * 64))


def test_of_a_huge_statement_and_a_huge_place_a_part_is_read() -> None:
    chance = random.Random(1)  # noqa: S311
    words = [f"w{chance.randrange(400)}" for _ in range(30_000)]
    assert worth(" ".join(words[:9_000]), " ".join(words), " ".join(words[::-1])) < 99
