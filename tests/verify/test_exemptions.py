"""What may be said without a citation, and what only looks as if it might."""

from __future__ import annotations

import pytest

from tipstaff.lexical.analysis import terms
from tipstaff.verify.exemptions import is_abstention, is_exempt

# The words of a question and of titles: of these a sentence without a citation may be made.
KNOWN = frozenset(
    terms(
        "Is tarvelin safe, and did the sponsor provide insurance or cover costs of participants? "
        "rent due under lease, decision Board approve project stock price safety board minutes "
        "protocol ledger financial report Meridian Corp"
    )
)


@pytest.mark.parametrize(
    "sentence",
    [
        "The context does not contain information about insurance.",
        "There is no information on the stock price of Meridian Corp in the bundle.",
        "The bundled context does not contain information about insurance, so I cannot answer.",
        "The stock price is not mentioned in the provided documents.",
        "None of the documents address the stock price.",
        "The documents do not say who approved the project or when it was due.",
        "While the context includes a financial report, it does not mention the stock price.",
        "The materials do not cover insurance and do not mention rent.",
        "You may want to ask the sender about insurance.",
        "Would you like me to look at the lease?",
        "The context includes the following:",
        "Key points:",
    ],
)
def test_silence_and_structure_need_no_citation(sentence: str) -> None:
    assert is_exempt(sentence, KNOWN, ())


@pytest.mark.parametrize(
    "sentence",
    [
        "There is no information on insurance; tarvelin is safe.",
        "There is no information about insurance (tarvelin is safe).",
        "The context does not contain information about insurance, and tarvelin is safe.",
        "The context does not mention insurance because the sponsor did not provide insurance.",
        "The context does not say that insurance is due: tarvelin is safe.",
    ],
)
def test_what_stands_beside_silence_is_a_claim(sentence: str) -> None:
    assert is_abstention(sentence)
    assert not is_exempt(sentence, KNOWN, ())


@pytest.mark.parametrize(
    "sentence",
    [
        "Tarvelin is safe and the costs of participants are not covered.",
        "The insurance does not cover the costs of participants.",
        "The sponsor did not provide insurance.",
        "The lease does not mention rent.",
    ],
)
def test_only_the_whole_context_is_silent(sentence: str) -> None:
    """What an insurance does not cover, or one paper does not say, is a claim like any other."""
    assert not is_abstention(sentence)
    assert not is_exempt(sentence, KNOWN, ())


@pytest.mark.parametrize(
    "sentence",
    [
        "The Board did approve the project, did it not?",
        "Tarvelin is safe, is it not?",
        "You approve the project, right?",
        "The sender supports the decision.",
        "The sender found the risk limited and the reasons insufficient.",
        "The context supports the project.",
    ],
)
def test_tags_and_verdicts_are_claims(sentence: str) -> None:
    assert not is_exempt(sentence, KNOWN, ())
