from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tipstaff.citation.places import CitableDocument
from tipstaff.contracts.parsers import faults_of
from tipstaff.domain.citation import Unresolved
from tipstaff.domain.clean_text import clean
from tipstaff.domain.document import Document
from tipstaff.domain.location import read_location
from tipstaff.parse import xml_data
from tipstaff.parse.parser import CannotRead, Source

LONG = "lang " * 150
CATALOG = f"""<?xml version="1.0"?>
<!-- above <x> -->
<catalog xmlns="urn:x" xmlns:e="urn:e" year="2025">
  <item id="1"><name>Müller &amp; Söhne</name><e:price cur="EUR">30</e:price></item>
  <!-- between -->
  <item id="2"><name>Zweite</name><empty/><about>{LONG}</about></item>
  <p>Running <b>text</b> with <![CDATA[raw <words>]]> and <i class="x">more</i>.</p>
  loose words<?php echo ?>and others
</catalog>
<!-- below -->
"""


def parse(text: str | bytes) -> Document:
    content = text.encode() if isinstance(text, str) else text
    return xml_data.parse(Source(content=content, name="x.xml", media_type="application/xml"))


def at(document: Document, path: str) -> str:
    found = CitableDocument("data", document).resolve(read_location(path))
    return f"({found.reason})" if isinstance(found, Unresolved) else found.text


def test_elements_are_blocks_with_paths_and_readable_words() -> None:
    document = parse(CATALOG)
    assert faults_of(document) == []
    assert document.text == CATALOG
    assert [
        (str(block.location), clean(document, block.span).text) for block in document.blocks
    ] == [
        ("/catalog/@*", 'year="2025"'),
        ("/catalog/item[1]", 'item id="1":\nname: Müller & Söhne\ne:price cur="EUR": 30'),
        ("/catalog/item[2]/@*", 'id="2"'),
        ("/catalog/item[2]/name", "name: Zweite"),
        ("/catalog/item[2]/empty", "empty"),
        ("/catalog/item[2]/about", f"about: {LONG}"),
        ("/catalog/p", 'p: Running text with raw <words> and (i class="x") more.'),
        ("/catalog/text()[1]", "loose words"),
        ("/catalog/text()[2]", "and others"),
    ]
    assert document.blocks[3].headings == ("catalog", "item")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<a>\n  <b>1</b>\n  <c k='v'/>\n</a>", "a:\n  b: 1\n  c k='v'\n"),
        ("<a><b>1</b><c></c><d><e>2</e></d></a>", "a:\nb: 1\nc:\nd:\ne: 2"),
        ("<p>one<br/>two <b>three</b>, <a href='x'>four</a><c k=''/></p>",
         "p: one two three, (a href='x') four(c k='')"),
        ("<a>1 &lt; 2 &#233;&#x1F600; <![CDATA[&lt; <x>]]></a>", "a: 1 < 2 é😀 &lt; <x>"),
        ("<a><![CDATA[x]]></a>", "a: x"),
        ("<a><!-- c -->x</a>", "a: x"),
        ("<a>zero&#8203;width e&#769; &#xE0041;</a>", "a: zero&#8203;width e&#769; &#xE0041;"),
        ("<n:a xmlns:n='urn:n' n:k='v'>1</n:a>", "n:a n:k='v': 1"),
        ("<a>text<b><c>1</c></b></a>", "a: text\nc: 1"),
    ],
)  # fmt: skip
def test_clean_text_is_the_readable_content_and_leads_back_to_the_file(
    text: str, words: str
) -> None:
    document = parse(text)
    assert faults_of(document) == []
    read = clean(document)
    assert read.text == words
    for index, character in enumerate(words):
        place = read.source(index, index + 1)
        shown = document.words(place)
        assert shown == character or shown[0] in "<>&/"
    number = words.find("1")
    if number >= 0:
        assert document.words(read.source(number, number + 1)) == "1"


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/catalog/item[1]/name", "<name>Müller &amp; Söhne</name>"),
        ("/catalog[1]/item[1]/name[1]", "<name>Müller &amp; Söhne</name>"),
        ("/catalog/item[1]/e:price", '<e:price cur="EUR">30</e:price>'),
        ("/catalog/item[1]/e:price/@cur", 'cur="EUR"'),
        ("/catalog/item[1]/e:price/text()", "30"),
        ("/catalog/item[2]/@id", 'id="2"'),
        ("/catalog/item/name", "<name>Müller &amp; Söhne</name>\n<name>Zweite</name>"),
        ("/catalog/p/b", "<b>text</b>"),
        ("/catalog/item[3]", "(there is nothing at /catalog/item[3])"),
        ("/catalog/item[1]/e:price[2]", "(there is nothing at /catalog/item[1]/e:price[2])"),
        ("/catalog/item[2]/@nope", "(there is nothing at /catalog/item[2]/@nope)"),
    ],
)
def test_a_path_leads_to_its_element_whatever_block_covers_it(path: str, words: str) -> None:
    assert at(parse(CATALOG), path) == words


def test_a_path_above_the_blocks_leads_to_all_of_them() -> None:
    found = at(parse(CATALOG), "/catalog")
    assert "Müller" in found
    assert "and others" in found


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "iso-8859-1"])
def test_places_do_not_depend_on_the_encoding(encoding: str) -> None:
    text = f'<?xml version="1.0" encoding="{encoding}"?><r><a>äöü</a><b>{LONG}é</b></r>'
    document = parse(text.encode(encoding))
    assert faults_of(document) == []
    assert at(document, "/r/a") == "<a>äöü</a>"
    assert at(document, "/r/b/text()") == f"{LONG}é"


def test_entities_are_never_replaced() -> None:
    bomb = '<!DOCTYPE l [<!ENTITY a "lol">'
    for number in range(10):
        bomb += f'<!ENTITY a{number} "{("&a%s;" % (number - 1 if number else "")) * 10}">'
    in_content = parse(f"{bomb}]><l>&a9;</l>")
    assert faults_of(in_content) == []
    assert clean(in_content, in_content.blocks[0].span).text == "l: &a9;"
    assert "never replaced" in in_content.notes[0]
    in_attribute = parse(f'{bomb}]><l x="&a9;">words</l>')
    assert faults_of(in_attribute) == []
    assert "words" in in_attribute.text


def test_no_file_is_read_for_an_external_entity() -> None:
    document = parse('<!DOCTYPE l [<!ENTITY x SYSTEM "file:///etc/hostname">]><l>&x; words</l>')
    assert faults_of(document) == []
    assert clean(document, document.blocks[0].span).text == "l: &x; words"


@pytest.mark.parametrize(
    "text",
    ["<a><b></a>", "<a", "no tags", "<a>&</a>", "<a></a><b></b>", "<a x=1></a>", "<a>\x01</a>",
     "<a x='1' x='2'/>", "<!-- only -->words"],
)  # fmt: skip
def test_broken_xml_is_read_as_lines_of_text(text: str) -> None:
    document = parse(text)
    assert faults_of(document) == []
    assert document.notes[0].startswith("The file is not valid XML (")


def test_an_empty_file_cannot_be_read() -> None:
    with pytest.raises(CannotRead, match="empty"):
        parse("")


def test_deep_nesting_is_refused() -> None:
    with pytest.raises(CannotRead, match="500 levels"):
        parse("<a>" * 100_000)
    document = parse("<a>" * 400 + LONG + "</a>" * 400)
    assert faults_of(document) == []


def test_many_elements_stay_quick() -> None:
    document = parse("<r>" + "".join(f"<i n='{n}'>é{n}</i>" for n in range(20_000)) + "</r>")
    assert len(document.blocks) == 20_000
    assert at(document, "/r/i[20000]") == "<i n='19999'>é19999</i>"


def elements() -> st.SearchStrategy[str]:
    words = st.text("aé &<>😀\n", max_size=8).map(
        lambda text: text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    )
    pieces = words | st.sampled_from(
        ["<!-- c -->", "<?p q?>", "<![CDATA[<x>]]>", "<e/>", "z" * 700, '<e k="v>w"/>']
    )
    return st.recursive(
        pieces,
        lambda inner: st.tuples(st.sampled_from("abc"), st.lists(inner, max_size=5)).map(
            lambda made: f"<{made[0]} k='é'>{''.join(made[1])}</{made[0]}>"
        ),
        max_leaves=30,
    )


@given(st.lists(elements(), max_size=5))
def test_any_xml_keeps_the_promises(parts: list[str]) -> None:
    document = parse(f"<root>{''.join(parts)}</root>")
    assert faults_of(document) == []
    assert document.notes == ()


@given(st.text('<>/ab="!-[]?& \n', max_size=80))
def test_any_text_keeps_the_promises(text: str) -> None:
    try:
        document = parse(text)
    except CannotRead:
        assert not text.strip()
        return
    assert faults_of(document) == []


def test_a_path_may_be_written_as_in_json() -> None:
    document = parse(CATALOG)
    assert at(document, "$.catalog.item[1].name") == at(document, "/catalog/item[2]/name")
    assert "Zweite" in at(document, "$.catalog.item[1].name")
