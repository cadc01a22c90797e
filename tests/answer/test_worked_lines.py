"""A sum of a sentence that was withheld is told by itself, where it comes out, below the lines that
its figures stand in."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from benchmarks.drafts import AdversarialDraft, Drafting, indexed_for, interrogation_of
from tipstaff.domain.classification import Classification, Support
from tipstaff.domain.response import Response
from tipstaff.indexing import IndexedBundle
from tipstaff.llm.model import Delta

QUESTION = "By how much did Meridian Corp's Q3 revenue grow?"
SAID = "Meridian Corp's revenue for the third quarter of 2025 was $48.62 million"
GAINED = "The third quarter thus gained {gain} in sales, $48.62 million against $44.56 million"
SUM = "$48.62 million − $44.56 million = $4.06 million (calculated from the cited figures)"


@pytest.fixture(scope="module")
def meridian() -> Iterator[IndexedBundle]:
    with indexed_for("meridian", ()) as indexed:
        yield indexed


def answered(
    meridian: IndexedBundle, *sentences: str, place: str = "p7", grounding: str = "standard"
) -> Response:
    text = "\n".join(f"{one} [[financial-report:{place}]]." for one in sentences)
    draft = AdversarialDraft(
        bundle="meridian", kind="sums", query=QUESTION, text=text, true=(), false=()
    )
    interrogation = interrogation_of(draft, meridian, Drafting(draft, [Delta(text)]))
    interrogation.grounding = grounding
    return interrogation.ask(QUESTION).response


def test_a_right_sum_is_an_inference_with_its_working_and_its_places(
    meridian: IndexedBundle,
) -> None:
    response = answered(meridian, SAID, GAINED.format(gain="$4.06 million"))
    (inferred,) = (one for one in response.claims if one.support is Support.INFERRED)
    assert (inferred.text, inferred.citations) == (SUM, ("financial-report:p7",))
    assert response.classification is Classification.INFERRED
    assert response.text.index("an increase of 9.1 percent on the $44.56 million") < (
        response.text.index(f"- {SUM} [[financial-report:p7]]")
    )
    (cited,) = (one for one in response.citations if one.claim == SUM)
    assert cited.text_excerpt == "$48.62 million | $44.56 million"
    assert "in sales" not in response.text


@pytest.mark.parametrize(
    ("gain", "place", "grounding"),
    [
        ("$5.06 million", "p7", "standard"),
        # Its figures stand on another page; nothing may be inferred.
        ("$4.06 million", "p2", "standard"),
        ("$4.06 million", "p7", "strict"),
    ],
)
def test_no_other_is(meridian: IndexedBundle, gain: str, place: str, grounding: str) -> None:
    response = answered(meridian, GAINED.format(gain=gain), place=place, grounding=grounding)
    assert "calculated from" not in response.text
    assert not response.inferences


def test_a_sum_may_work_with_the_result_of_another(meridian: IndexedBundle) -> None:
    gained = GAINED.format(gain="$4.06 million")
    next_year = (
        "Together with that gain of $4.06 million the $48.62 million would be $52.68 million"
    )
    told = "- $4.06 million + $48.62 million = $52.68 million (calculated"
    assert told in answered(meridian, SAID, gained, next_year).text
    assert told not in answered(meridian, SAID, next_year).text
