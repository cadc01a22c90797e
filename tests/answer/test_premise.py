"""A question that supposes what the context denies is told so."""

from __future__ import annotations

import pytest

from tests.answer.asked import asked
from tests.conftest import BundleMaker
from tipstaff.domain.classification import Classification

_FILLER = "\n\nThe hall was cold.\n\nTea was served.\n"


@pytest.mark.parametrize(
    ("sentence", "question"),
    [
        (
            "The board approved the Wharf project on 4 May.",
            "Why did the board reject the Wharf project?",
        ),
        (
            "The board did not approve the Wharf project.",
            "When did the board approve the Wharf project?",
        ),
        ("The price of flour rose because of the frost.", "Why did the price of flour fall?"),
        (
            "The decision on the Wharf project is deferred to June.",
            "Why did the board approve the Wharf project?",
        ),
    ],
)
def test_what_the_context_denies_is_not_explained_but_denied(
    make_bundle: BundleMaker, sentence: str, question: str
) -> None:
    folder = make_bundle({"minutes.md": f"# Board\n\n{sentence}{_FILLER}".encode()})
    response = asked(folder, question)
    assert response.classification is Classification.PARTIAL
    assert "supposes something that the context says otherwise" in response.text
    assert sentence in response.text


@pytest.mark.parametrize(
    "sentence",
    [
        "The board rejected the Wharf project because it was dear.",
        "The board approved the Mill project and rejected the Wharf project as too dear.",
        "The board approved the Mill project.",
    ],
)
def test_what_some_unit_says_is_no_false_premise(make_bundle: BundleMaker, sentence: str) -> None:
    folder = make_bundle({"minutes.md": f"# Notes\n\n{sentence}{_FILLER}".encode()})
    response = asked(folder, "Why did the board reject the Wharf project?")
    assert "supposes" not in response.text


def test_a_year_that_the_context_knows_nothing_of_is_named(make_bundle: BundleMaker) -> None:
    text = b"# Audit\n\nThe audit of 2021 found the leak on 3 May 2021.\n\nTea was served.\n"
    folder = make_bundle({"audit.md": text})
    response = asked(folder, "When did the 2019 audit find the leak?")
    assert response.classification is Classification.ABSTENTION
    assert "for 2021 and not for 2019" in response.text
