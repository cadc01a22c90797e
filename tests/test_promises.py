"""Every question of the bundles that come along: no quotation but the item's own words.

Without the reader, which is only a voice in what is chosen: the promise does not rest on it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from benchmarks.answers import read_questions
from tests.conftest import ROOT
from tipstaff.asking import Interrogation
from tipstaff.citation.places import CitableDocument
from tipstaff.domain.clean_text import clean
from tipstaff.domain.response import Response
from tipstaff.engine import index_bundle, open_bundle
from tipstaff.settings import load_settings
from tipstaff.verify.quotes import plain

_MARK = re.compile(r"\s*\[\[[^\]]*\]\]")
BUNDLES = ("meridian", "lease-dispute", "clinical-protocol", "incident-review")


@pytest.fixture(scope="module", params=BUNDLES)
def answered(request: pytest.FixtureRequest) -> Iterator[tuple[Interrogation, list[Response]]]:
    folder = ROOT / "bundles" / request.param
    chosen = load_settings({"reader": "none"})
    with open_bundle(folder, settings=chosen) as opened:
        indexed = index_bundle(opened, settings=chosen)
        asking = Interrogation(indexed=indexed)
        said = [
            Interrogation(indexed=indexed, recipient=None).ask(one.query).response
            for one in read_questions(folder)
        ]
        yield asking, said


def test_every_quotation_stands_in_the_item_that_it_cites(
    answered: tuple[Interrogation, list[Response]],
) -> None:
    asking, said = answered
    checked = 0
    for response in said:
        for claim in response.claims:
            if claim.support != "quoted":
                continue
            for reference in claim.citations:
                document = asking.boundary.citable(reference.split(":")[0])
                assert document is not None
                pieces = [plain(piece) for piece in claim.text.split("…") if piece.strip()]
                stands = any(all(piece in text for piece in pieces) for text in _readings(document))
                assert stands, (claim.text, reference)
                checked += 1
    assert checked >= 5


def test_every_citation_is_verified_and_nothing_is_withheld(
    answered: tuple[Interrogation, list[Response]],
) -> None:
    """Citation precision 1.0; and an engine that only quotes drafts nothing that fails."""
    _, said = answered
    for response in said:
        assert all(one.verified for one in response.citations)
        assert response.removed == ()


def test_no_answer_is_untidy(answered: tuple[Interrogation, list[Response]]) -> None:
    _, said = answered
    for response in said:
        # A cell may say "None": "action: None; outcome: Recovered".
        text = response.text.replace(": None;", ":;")
        for wince in ("•", "..", "  ", "?.", "?”.", " .", " ,", "““", "None"):
            assert wince not in text.replace("...", ""), (wince, text)
        lines = [line for line in text.splitlines() if line.startswith("- ")]
        assert len(lines) == len(set(lines)), text


def _readings(citable: CitableDocument) -> list[str]:
    """A whole item as it is, without citation marks, and block by block without its format's."""
    document = citable.document
    blocks = [clean(document, block.span).text for block in document.blocks]
    return [plain(text) for text in (document.text, _MARK.sub("", document.text), *blocks)]
