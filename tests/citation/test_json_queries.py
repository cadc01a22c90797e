from __future__ import annotations

import json
from typing import Any

import jsonpath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tipstaff.citation.grammar import parse_citation
from tipstaff.citation.json_query import read_json_query
from tipstaff.citation.json_selection import JsonSelection
from tipstaff.citation.places import CitableDocument
from tipstaff.citation.query_limits import MAX_PLACES, MAX_STEPS, Work
from tipstaff.domain.citation import Passage, Unresolved
from tipstaff.domain.document import Document
from tipstaff.domain.json_nodes import find_json, scan_json
from tipstaff.domain.location import DataPath
from tipstaff.parse import json_data
from tipstaff.parse.parser import Source

STORE = {
    "items": [
        {"id": 1, "name": "Desk", "price": 120.5, "tags": ["wood", "big"]},
        {"id": 2, "name": "Lamp", "price": 30, "sold": True},
        {"id": 3, "name": "Chair, \"soft\"", "price": 30.0, "tags": []},
    ],
    "limit": 100,
    "price": None,
    "notes": "x" * 700,
}  # fmt: skip


def parsed(value: object, media_type: str = "application/json") -> Document:
    text = value if isinstance(value, str) else json.dumps(value, indent=1)
    return json_data.parse(Source(content=text.encode(), name="x.json", media_type=media_type))


def asked(document: Document, path: str) -> Passage | Unresolved:
    return CitableDocument("data", document).resolve(DataPath(path))


def words(document: Document, path: str) -> list[str]:
    found = asked(document, path)
    assert isinstance(found, Passage), found
    assert found.text == "\n".join(document.words(span) for span in found.spans)
    return [document.words(span) for span in found.spans]


def refused(document: Document, path: str) -> str:
    found = asked(document, path)
    assert isinstance(found, Unresolved), found
    return found.reason


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("$..price", ['"price": 120.5', '"price": 30', '"price": 30.0', '"price": null']),
        ("$.items[?(@.id==2)].name", ['"name": "Lamp"']),
        ("$.items[?@.id == 2].name", ['"name": "Lamp"']),
        ("$.items[*].id", ['"id": 1', '"id": 2', '"id": 3']),
        ("$.items.*.id", ['"id": 1', '"id": 2', '"id": 3']),
        ("$.items[-1].id", ['"id": 3']),
        ("$.items[::2].id", ['"id": 1', '"id": 3']),
        ("$.items[2,0].id", ['"id": 1', '"id": 3']),
        ("$.items[0]['id','name']", ['"id": 1', '"name": "Desk"']),
        ("$.items[?@.price==30].id", ['"id": 2', '"id": 3']),
        ("$.items[?@.price < $.limit].id", ['"id": 2', '"id": 3']),
        ("$.items[?@.tags].id", ['"id": 1', '"id": 3']),
        ("$.items[?!@.tags].id", ['"id": 2']),
        ("$.items[?@.sold == true && (@.id > 1 || @.id < 0)].id", ['"id": 2']),
        ("$.items[?@.sold == 1].id", None),
        ("$.items[?@.sold < 2].id", None),
        ("$.items[?length(@.tags) > 1].id", ['"id": 1']),
        ("$.items[?count(@.*) == 4].id", ['"id": 1', '"id": 2', '"id": 3']),
        ("$.items[?@.name == 'Chair, \"soft\"'].id", ['"id": 3']),
        ("$.items[?@.tags == ['wood']].id", None),
        ("$..tags[0]", ['"wood"']),
        ("$..[?@ == 'big']", ['"big"']),
        ("$..items.0.name", ['"name": "Desk"']),
    ],
)
def test_a_query_leads_to_every_node_that_it_selects(
    query: str, expected: list[str] | None
) -> None:
    document = parsed(STORE)
    if expected is None:
        assert isinstance(asked(document, query), Unresolved)
    else:
        assert words(document, query) == expected


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("$..nope", "the query $..nope selects nothing"),
        ("$.items[?@.id==9]", "the query $.items[?@.id==9] selects nothing"),
        ("$..", "is not answered: a name is missing at its end"),
        ("$.items[?@.id=2]", "is not answered: ']' is missing at '=2]'"),
        ("$.items[?@.id==]", "a path or a value is missing at ']'"),
        ("$.items[?@.* == 1]", "a path that may lead to several values cannot be compared"),
        ("$.items[?match(@.name, 'a+')]", "the function match() is not known here"),
        ("$.items[?length(@.name)]", "a comparison is missing"),
        ("$..items.length()", "functions stand in filters"),
        ("$.items[?" + "(" * 40 + "@.id" + ")" * 40 + "]", "nests more than 24 levels"),
        ("$.items[?" + "!" * 40 + "@.id]", "nests more than 24 levels"),
        ("$..a" + ".a" * 1_000, "longer than 2,000 characters"),
    ],
)
def test_a_query_that_selects_nothing_or_is_none_says_why(query: str, reason: str) -> None:
    assert reason in refused(parsed(STORE), query)


def test_a_query_may_stand_in_a_citation() -> None:
    for text, path in (
        ("[[data:$..price]]", "$..price"),
        ("[[data:$.items[?(@.id==2)].name]]", "$.items[?(@.id==2)].name"),
        ("[[data:$.items[?@['id']==2]['name']]]", "$.items[?@['id']==2]['name']"),
    ):
        citation = parse_citation(text)
        assert citation is not None
        assert citation.location == DataPath(path)


def test_of_many_places_the_first_are_shown_and_the_number_is_said() -> None:
    document = parsed([{"id": number} for number in range(1_500)])
    found = asked(document, "$..id")
    assert isinstance(found, Passage)
    assert len(found.spans) == MAX_PLACES
    assert found.text.startswith('"id": 0\n"id": 1\n')
    assert found.note == f"the query selects 1,500 places; these are the first {MAX_PLACES}"
    few = asked(document, "$[?@.id < 3].id")
    assert isinstance(few, Passage)
    assert few.note is None


def test_lines_of_json_are_the_elements_of_an_array() -> None:
    lines = '{"id": 1, "a": {"b": 2}}\n\nbroken\n{"id": 3, "a": {"b": 4}}\n'
    document = parsed(lines, "application/jsonl")
    assert words(document, "$..b") == ['"b": 2', '"b": 4']
    assert words(document, "$[?@.id==3].a") == ['"a": {"b": 4}']
    assert words(document, "$[-2]") == ["broken"]
    assert words(parsed('{"id": 1}', "application/jsonl"), "$[*].id") == ['"id": 1']


def test_no_query_runs_without_end() -> None:
    value: Any = 0
    for _ in range(200):
        value = {"a": value, "b": [1, 2]}
    document = parsed(value)
    assert words(document, "$" + "..*" * 20)
    reason = refused(document, "$..[?@..[?@..[?@..[?@..c]]]]")
    assert reason.endswith(f"it takes more than {MAX_STEPS:,} steps in this item")


def values() -> st.SearchStrategy[Any]:
    # No truths: the other one orders them as numbers, against RFC 9535 §2.3.5.2.2.
    leaves = st.none() | st.integers(0, 3) | st.sampled_from(["", "a", "b", "é"])
    return st.recursive(
        leaves,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abc"), inner),
        max_leaves=15,
    )


SEGMENTS = st.sampled_from(
    [".a", ".b", "..a", "..*", "[*]", ".*", "[0]", "[-1]", "[0:2]", "[::-1]", "[1:]", "[-2:-1]",
     "['a','c']", "[0,-1]", "..[0]", "[?@.a]", "[?!@.a]", "[?@.a==1]", "[?@.a!=@.b]", "[?@<2]",
     "[?@>='a']", "[?@==$.a]", "[?@.a==1||@.b]", "[?@[0]&&@[1]<=2]", "[?count(@.*)>1]",
     "[?length(@)==2]", "[?@==null]", "[?@==true]", "[?value(@..a)==1]", "[?@['b'][0]]",
     "..[?@.a]", "[?@.*]", "[?(@.a||@.b)&&!(@.c)]", "[?@.a==@.b]", "[::2]", "[?'a'==@]"]
)  # fmt: skip


@given(values(), st.lists(SEGMENTS, min_size=1, max_size=4))
def test_another_implementation_selects_the_same_nodes(value: Any, segments: list[str]) -> None:
    query = "$" + "".join(segments)
    text = json.dumps(value)
    nodes = scan_json(text)
    found = JsonSelection(text, nodes, Work()).select(read_json_query(query))
    theirs = {
        node
        for match in jsonpath.JSONPathEnvironment(strict=True).finditer(query, value)
        for node in find_json(text, nodes, tuple(match.parts))
    }
    assert found == sorted(theirs)


@given(st.text("$@.[]*?'\"ab01:,-<>=!&|()countlength ", max_size=30))
def test_any_text_is_a_query_or_refused(text: str) -> None:
    document = parsed({"a": [1, {"b": "a"}], "b": 1})
    assert isinstance(asked(document, "$" + text), Passage | Unresolved)
