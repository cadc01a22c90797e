from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import item_ids, locations
from tipstaff.citation.grammar import parse_citation, parse_citations
from tipstaff.domain.citation import SYNTHESIS_ID, Citation
from tipstaff.domain.location import Lines, Location, Pages, Section, read_location

NAMES = {
    "report": "report",
    "Board: minutes, final": "minutes",
    "Annual Report": "annual",
    "config": "config",
}


def references(text: str, **options: dict[str, str]) -> list[str]:
    return [
        citation.reference
        for mark in parse_citations(text, **options)
        for citation in mark.citations
    ]


def test_marks_carry_exact_ranges() -> None:
    text = "Revenue grew [[report:p7]] and fell [[a:p5,  b.c-d:L42-L50]]."
    marks = parse_citations(text)
    assert [text[mark.start : mark.end] for mark in marks] == [
        "[[report:p7]]",
        "[[a:p5,  b.c-d:L42-L50]]",
    ]
    assert [text[part.start : part.end] for part in marks[1].parts] == ["a:p5", "b.c-d:L42-L50"]
    assert str(marks[1]) == "[[a:p5, b.c-d:L42-50]]"


def test_a_comma_list_may_break_its_line_but_not_its_paragraph() -> None:
    assert references("[[a:x,\nb:y]]") == ["a:x", "b:y"]
    assert references("[[a:x,\n\nb:y]]") == []


@pytest.mark.parametrize("name", ["tez.md", "synthesis", "Synthesis"])
def test_the_synthesis_has_two_names(name: str) -> None:
    assert references(f"[[{name}:L3]]") == ["tez.md:L3"]
    assert parse_citations(f"[[{name}]]")[0].citations[0].item_id == SYNTHESIS_ID


def test_json_paths_keep_their_brackets_and_commas() -> None:
    assert references("[[config:$.items[0]]]") == ["config:$.items[0]"]
    assert references("[[config:$['a,b'][0], report]]") == ["config:$['a,b'][0]", "report"]


def test_labels_may_hold_spaces_colons_and_commas() -> None:
    assert references("[[Board: minutes, final:p3]]", names=NAMES) == ["minutes:p3"]
    assert references("[[board:  minutes, FINAL]]", names=NAMES) == ["minutes"]
    assert references("[[Annual Report:p2, report:p4]]", names=NAMES) == ["annual:p2", "report:p4"]


def test_a_bare_location_in_a_list_belongs_to_the_item_before_it() -> None:
    assert references("[[report:p4, p7]]", names=NAMES) == ["report:p4", "report:p7"]
    assert references("[[report:p4, other]]", names=NAMES) == ["report:p4", "other"]


@pytest.mark.parametrize(
    "text",
    [
        "```\n[[a]]\n```",
        "~~~text\n[[a]]\n```\n[[a]]\n~~~",
        "an `inline [[a]] span`",
        "``a ` [[a]] ``",
        "> ```\n> [[a]]\n> ```",
        "```\n[[a]] in a fence that never ends",
        "1. ```\n   [[a]]\n   ```",
        "- item\n\n  ```\n  [[a]]\n  ```\n",
        "- outer\n  - inner\n    ~~~\n    [[a]]\n    ~~~",
    ],
)
def test_code_holds_no_citations(text: str) -> None:
    assert references(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "```\nx\n```\n[[a]]",
        "a ` lone backtick [[a]]",
        "`x` [[a]] `y`",
        "one `\n\n[[a]] ` two paragraphs",
        "    ```\n[[a]]",
        "\\`[[a]]\\`",
        "1. ```\n   x\n   ```\n\nfoo [[a]]",
        "> ```\n> x\n\nFoo [[a]]",
        "- ```\n  x\n\nFoo [[a]]",
    ],
)
def test_what_only_looks_like_code_does(text: str) -> None:
    assert references(text) == ["a"]


@pytest.mark.parametrize(
    "text", ["[[]]", "[[ ]]", "[[:p4]]", "[[a", "[a]]", "[[a]", "[[,]]", "[ [a]]"]
)
def test_what_is_no_mark_gives_nothing(text: str) -> None:
    assert references(text) == []


def test_the_innermost_brackets_are_the_mark() -> None:
    assert references("[[[[a]]") == ["a"]
    assert references("[[x [[a]]") == ["a"]
    assert references("[[a]]]]") == ["a"]


def test_an_invented_item_is_still_seen() -> None:
    assert references("[[No Such Paper:p4]]", names=NAMES) == ["No Such Paper:p4"]


def test_one_citation_is_read_with_or_without_brackets() -> None:
    assert parse_citation("report:p4") == Citation("report", Pages(4, 4))
    assert parse_citation(" [[report:L2-3]] ") == Citation("report", Lines(2, 3))
    assert parse_citation("a, b") is None
    assert parse_citation("[[a]] [[b]]") is None
    assert parse_citation("") is None


@given(item_ids, locations)
def test_a_citation_reads_back_as_itself(item_id: str, location: Location) -> None:
    citation = Citation(item_id, location)
    if item_id == "synthesis":
        return
    text = f"So it says {citation}, and more."
    (mark,) = parse_citations(text)
    assert mark.citations == (citation,)
    assert text[mark.start : mark.end] == str(citation)


@given(st.lists(st.tuples(item_ids, locations), min_size=1, max_size=5))
def test_a_list_of_citations_reads_back(parts: list[tuple[str, Location]]) -> None:
    citations = tuple(
        Citation(item_id, location) for item_id, location in parts if item_id != "synthesis"
    )
    text = "[[" + ", ".join(citation.reference for citation in citations) + "]]"
    marks = parse_citations(text)
    assert [citation for mark in marks for citation in mark.citations] == list(citations)


@given(st.text("[]:,`~'\n ab$.#pL1-", max_size=200))
def test_ranges_are_in_order_and_inside_the_text(text: str) -> None:
    position = 0
    for mark in parse_citations(text, names={"a": "a", "a, b": "ab", "b:a": "ba"}):
        assert position <= mark.start < mark.end <= len(text)
        assert text[mark.start : mark.start + 2] == "[["
        assert text[mark.end - 2 : mark.end] == "]]"
        inside = mark.start + 2
        for part in mark.parts:
            assert inside <= part.start <= part.end <= mark.end - 2
            inside = part.end
        position = mark.end


@pytest.mark.parametrize(
    "unit",
    [
        "[",
        "[[",
        "[[a",
        "[[a]",
        "[[a,",
        "[[:",
        "`",
        "`[[",
        "~~~\n",
        "[[a:'",
        "[[[a]",
        "]",
        ":",
        "> ",
        "- ",
        "1. ",
    ],
)
def test_a_megabyte_of_hostile_text_takes_no_time(unit: str) -> None:
    text = unit * (1_000_000 // len(unit))
    started = time.process_time()
    parse_citations(text, names={"a: b, c": "x", "," * 900: "y"})
    assert time.process_time() - started < 2  # seconds, on a busy machine, too


def test_sections_are_compared_by_slug() -> None:
    location = read_location("Revenue Terms")
    assert isinstance(location, Section)
    assert location.slug == "revenue-terms"
