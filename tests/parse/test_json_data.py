from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tipstaff.citation.grammar import parse_citation
from tipstaff.citation.places import CitableDocument
from tipstaff.contracts.parsers import faults_of
from tipstaff.domain.citation import Unresolved
from tipstaff.domain.document import Document
from tipstaff.domain.json_nodes import read_steps, write_step
from tipstaff.domain.location import Lines, read_location
from tipstaff.parse import json_data
from tipstaff.parse.parser import CannotRead, Source

CONFIG = {
    "api": {
        "rateLimit": {"maxRequests": 100, "window": "1m"},
        "description": "x" * 700,
        "a key": [1, "two", {"it's [odd], really": None}],
    },
    "numbers": list(range(1000, 1300)),
    "servers": [{"name": f"server {n}", "about": "y" * 700} for n in range(3)],
}


def parse(text: str | bytes, media_type: str = "application/json") -> Document:
    content = text.encode() if isinstance(text, str) else text
    return json_data.parse(Source(content=content, name="x.json", media_type=media_type))


def at(document: Document, path: str) -> str:
    found = CitableDocument("config", document).resolve(read_location(path))
    return f"({found.reason})" if isinstance(found, Unresolved) else found.text


def paths(document: Document) -> list[str]:
    return [str(block.location) for block in document.blocks]


def test_small_values_are_blocks_and_big_ones_are_opened() -> None:
    document = parse(json.dumps(CONFIG, indent=2))
    assert faults_of(document) == []
    assert document.lines_are_the_files
    assert paths(document) == [
        "$.api.rateLimit",
        "$.api.description",
        "$.api['a key']",
        *(f"$.numbers[{n}:{n + 60}]" for n in range(0, 300, 60)),
        *(f"$.servers[{n}].{key}" for n in range(3) for key in ("name", "about")),
    ]
    assert document.text_of(document.blocks[0]).startswith('"rateLimit": {')
    assert document.blocks[0].headings == ("api",)


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("$.api.rateLimit.maxRequests", '"maxRequests": 100'),
        ("$['api']['rateLimit'][\"window\"]", '"window": "1m"'),
        ("$.api['a key'][1]", '"two"'),
        ("$.api['a key'][2]['it\\'s [odd], really']", '"it\'s [odd], really": null'),
        ("$.numbers[299]", "1299"),
        ("$.numbers[75]", "1075"),
        ("$.servers[2].name", '"name": "server 2"'),
        ("$.servers.1.name", '"name": "server 1"'),
        ("/api/rateLimit/maxRequests", '"maxRequests": 100'),
        ("$.api.rateLimit.maxrequests", "(there is nothing at $.api.rateLimit.maxrequests)"),
        ("$.numbers[300]", "(there is nothing at $.numbers[300])"),
        ("$.nope", "(there is nothing at $.nope)"),
    ],
)
def test_a_path_leads_to_its_member_whatever_block_covers_it(path: str, words: str) -> None:
    assert at(parse(json.dumps(CONFIG)), path) == words


def test_a_path_above_the_blocks_leads_to_all_of_them() -> None:
    document = parse(json.dumps(CONFIG))
    assert at(document, "$.servers").startswith('"name": "server 0"')
    assert at(document, "$.servers[1]").startswith('"name": "server 1"')
    assert '"maxRequests": 100' in at(document, "$")


def test_a_citation_as_people_write_it_leads_to_the_member() -> None:
    citation = parse_citation("[[config:$.api.rateLimit.maxRequests]]", names={"config": "config"})
    assert citation is not None
    assert at(parse(json.dumps(CONFIG)), str(citation.location)) == '"maxRequests": 100'


def test_a_path_of_an_item_without_data_says_so() -> None:
    document = Document(text="words", blocks=())
    assert at(document, "$.a") == "($.a of an item that is no data)"


def test_a_small_file_is_one_block() -> None:
    document = parse(' {"a": [1, 2]} ')
    assert paths(document) == ["$"]
    assert at(document, "$.a[1]") == "2"


@pytest.mark.parametrize("text", ["5", '"word"', "null", "[]", "{}", "\ufeff{}"])
def test_any_lone_value_is_a_block(text: str) -> None:
    document = parse(text)
    assert faults_of(document) == []
    assert paths(document) == ["$"]


def test_double_keys_are_noted_and_both_are_kept() -> None:
    big = "z" * 600
    document = parse(f'{{"a": 1, "b": "{big}", "a": 2}}')
    assert faults_of(document) == []
    assert document.notes == ("The same key occurs more than once at $.a.",)
    assert at(document, "$.a") == '"a": 1\n"a": 2'


@pytest.mark.parametrize(
    "text",
    ['{"a": 1,}', "{'a': 1}", '{"a" 1}', "[1 2]", "[1", '{"a": "', "nope", "01", "[1]]", '"\n"',
     "NaN", '{"a": 1 // why\n}', "{1: 2}", "[,]", '"\\x"'],
)  # fmt: skip
def test_broken_json_is_read_as_lines_of_text(text: str) -> None:
    document = parse(f"{text}\n\nSecond paragraph")
    assert faults_of(document) == []
    assert document.notes[0].startswith("The file is not valid JSON (")
    assert document.blocks[-1].location == Lines(*[document.text.count("\n") + 1] * 2)


def test_an_empty_file_cannot_be_read() -> None:
    with pytest.raises(CannotRead, match="empty"):
        parse(" \n ")


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_deep_nesting_is_refused_and_never_recursed(opening: str) -> None:
    with pytest.raises(CannotRead, match="500 levels"):
        parse(opening * 200_000)
    closing = "]" if opening == "[" else "}"
    document = parse(opening * 400 + '"' + "x" * 700 + '"' + closing * 400)
    assert faults_of(document) == []


def test_json_lines_are_one_node_a_line() -> None:
    document = parse('{"a": 1}\n\n{"a": {"b": 2}}\r\nbroken\n', "application/jsonl")
    assert faults_of(document) == []
    assert paths(document) == ["$[0]", "$[1]", "$[2]"]
    assert at(document, "$[1].a.b") == '"b": 2'
    assert at(document, "$[2].a") == "(there is nothing at $[2].a)"
    assert document.notes == ("These lines are not valid JSON and stand as text: 4.",)


def test_utf16_and_escapes_do_not_shift_places() -> None:
    text = json.dumps({"näme": "ü" * 700, "😀": {"k": "\\u00e9"}}, ensure_ascii=False)
    document = parse(text.encode("utf-16"))
    assert faults_of(document) == []
    assert at(document, "$['😀'].k") == '"k": "\\\\u00e9"'


def test_many_values_stay_quick() -> None:
    document = parse(json.dumps([{"id": n} for n in range(20_000)]))
    assert len(document.blocks) == 20_000
    assert at(document, "$[19999].id") == '"id": 19999'


def values() -> st.SearchStrategy[Any]:
    leaves = st.none() | st.booleans() | st.integers() | st.text(max_size=8)
    return st.recursive(
        leaves | st.just("z" * 601),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=5), inner),
        max_leaves=25,
    )


@given(values(), st.booleans())
def test_any_json_keeps_the_promises_and_every_member_is_found(value: Any, tidy: bool) -> None:
    document = parse(json.dumps(value, indent=1 if tidy else None).encode("utf-8", "surrogatepass"))
    assert faults_of(document) == []
    assert document.notes == ()
    pending: list[tuple[str, Any]] = [("$", value)]
    while pending:
        path, inner = pending.pop()
        found = at(document, path)
        if isinstance(inner, dict):
            pending += [(path + write_step(key), child) for key, child in inner.items()]
        elif isinstance(inner, list):
            pending += [(path + write_step(index), child) for index, child in enumerate(inner)]
        else:
            assert found.endswith(json.dumps(inner))


@given(st.text('[]{},:"\\ue1-.0 \ntrx', max_size=60))
def test_any_text_keeps_the_promises(text: str) -> None:
    try:
        json.loads(text)
        is_valid = "NaN" not in text
    except ValueError:
        is_valid = False
    try:
        document = parse(text)
    except CannotRead:
        assert not text.strip()
        return
    assert faults_of(document) == []
    assert (document.notes == ()) == is_valid or "more than once" in document.notes[0]


@given(st.lists(st.text(max_size=6) | st.integers(0, 99), max_size=5))
def test_written_steps_read_back(steps: list[str | int]) -> None:
    assert read_steps("$" + "".join(map(write_step, steps))) == tuple(steps)
