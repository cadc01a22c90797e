from __future__ import annotations

from tipstaff.citation.resolution import resolve
from tipstaff.domain.citation import Citation, Passage, Resolution, Unresolved
from tipstaff.domain.document import Span
from tipstaff.domain.location import Lines, Location, Pages


class TwoLines:
    """The smallest thing that can be cited: two lines of text."""

    def resolve(self, location: Location) -> Resolution:
        citation = Citation("notes", location)
        if location == Lines(1, 1):
            return Passage(citation, "first", (Span(0, 5),))
        return Unresolved(citation, f"{location} of 2 lines")


def test_a_citation_leads_to_its_words() -> None:
    found = resolve(Citation("notes", Lines(1, 1)), {"notes": TwoLines()})
    assert isinstance(found, Passage)
    assert found.text == "first"


def test_a_place_that_is_not_there_says_why() -> None:
    found = resolve(Citation("notes", Lines(9, 9)), {"notes": TwoLines()})
    assert found == Unresolved(Citation("notes", Lines(9, 9)), "L9 of 2 lines")


def test_a_hidden_item_and_an_invented_one_give_the_same_words() -> None:
    hidden = resolve(Citation("secret", Pages(1, 1)), {"notes": TwoLines()})
    assert isinstance(hidden, Unresolved)
    assert hidden.reason == "there is no item 'secret' in this bundle"
