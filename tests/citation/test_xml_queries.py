from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from tipstaff.citation.grammar import parse_citation
from tipstaff.citation.places import CitableDocument
from tipstaff.citation.query_limits import MAX_PLACES, MAX_STEPS
from tipstaff.citation.xml_axes import DOCUMENT, Leaf, XmlTree
from tipstaff.citation.xml_query import read_xml_query
from tipstaff.citation.xml_selection import XmlSelection
from tipstaff.domain.citation import Passage, Unresolved
from tipstaff.domain.document import Document
from tipstaff.domain.location import DataPath
from tipstaff.domain.xml_nodes import scan_xml
from tipstaff.parse import xml_data
from tipstaff.parse.parser import Source

FEED = f"""<?xml version="1.0"?>
<feed xmlns="urn:atom" xmlns:e="urn:e">
  <title>All &amp; sundry</title>
  <entry id="1"><title>First</title><e:price cur="EUR">30</e:price></entry>
  <!-- not <title>this</title> -->
  <entry id="2" kind="a, b"><title>Müller &amp; Söhne</title><e:price>120.5</e:price></entry>
  <entry id="3"><title><![CDATA[A < B]]></title><p>Some <b>bold</b> words</p></entry>
  <about>{"long " * 150}</about>
</feed>
"""


def parsed(text: str) -> Document:
    return xml_data.parse(Source(content=text.encode(), name="x.xml", media_type="application/xml"))


def asked(document: Document, path: str) -> Passage | Unresolved:
    return CitableDocument("feed", document).resolve(DataPath(path))


def words(document: Document, path: str) -> list[str]:
    found = asked(document, path)
    assert isinstance(found, Passage), found
    return [document.words(span) for span in found.spans]


def refused(document: Document, path: str) -> str:
    found = asked(document, path)
    assert isinstance(found, Unresolved), found
    return found.reason


FIRST, SECOND, THIRD = (
    "<title>First</title>",
    "<title>Müller &amp; Söhne</title>",
    "<title><![CDATA[A < B]]></title>",
)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("//entry/title", [FIRST, SECOND, THIRD]),
        ("/feed//entry/title", [FIRST, SECOND, THIRD]),
        ("/feed/*/title", [FIRST, SECOND, THIRD]),
        ("//entry[@id='2']/title", [SECOND]),
        ("//entry[@kind='a, b']/@id", ['id="2"']),
        ("//entry[2]/title", [SECOND]),
        ("//entry[last()]/title", [THIRD]),
        ("//entry[position() < last() - 1]/title", [FIRST]),
        ("//entry[title='Müller & Söhne']/@id", ['id="2"']),
        ("//title[.='A < B']", [THIRD]),
        ("//entry[e:price > 100]/title", [SECOND]),
        ("//entry[e:price][not(e:price/@cur)]/title", [SECOND]),
        ("//entry[e:price/@cur='EUR' or @id=3]/@id", ['id="1"', 'id="3"']),
        ("//entry[contains(p, 'bold words')]/@id", ['id="3"']),
        ("//entry[starts-with(title, 'F') and count(*) = 2]/@id", ['id="1"']),
        ("//e:*", ['<e:price cur="EUR">30</e:price>', "<e:price>120.5</e:price>"]),
        ("//b/..", ["<p>Some <b>bold</b> words</p>"]),
        ("//b/../title | //b", ["<b>bold</b>"]),
        ("//p/text()", ["Some ", " words"]),
        ("//*[local-name()='price']/text()", ["30", "120.5"]),
        ("/feed/child::title", ["<title>All &amp; sundry</title>"]),
        ("$..entry.title", [FIRST, SECOND, THIRD]),
        ("$.feed.entry[*].title", [FIRST, SECOND, THIRD]),
    ],
)
def test_a_query_leads_to_every_node_that_it_selects(query: str, expected: list[str]) -> None:
    assert words(parsed(FEED), query) == expected


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("//nope", "the query //nope selects nothing"),
        ("//entry[@id=9]", "selects nothing"),
        ("//", "is not answered: a name is missing at its end"),
        ("//entry[@id='2'", "']' is missing at its end"),
        ("//entry[]", "a name is missing at ']'"),
        ("//entry[document('x')]", "the function document() is not known here"),
        ("//entry[contains(title)]", "contains() takes another number of arguments"),
        ("//entry[$x]", "is no part of an XPath"),
        ("//entry/following::title", "the axis following is not followed here"),
        ("//entry | title", "each of its paths must begin with '/'"),
        ("//comment()", "comment() is not looked for here"),
        ("//a[" + "(" * 40 + "1" + ")" * 40 + "]", "nests more than 24 levels"),
        ("//a[" + "-" * 40 + "1]", "nests more than 24 levels"),
        ("//a" + "[a" * 40 + "]" * 40, "nests more than 24 levels"),
        ("//a" * 1_000, "longer than 2,000 characters"),
        ("$..entry[?@.id==1]", "cannot be asked of XML; it is written as an XPath there"),
    ],
)
def test_a_query_that_selects_nothing_or_is_none_says_why(query: str, reason: str) -> None:
    assert reason in refused(parsed(FEED), query)


def test_a_query_may_stand_in_a_citation() -> None:
    for text, path in (
        ("[[feed://entry/title]]", "//entry/title"),
        ("[[feed://entry[@id='2']/title]]", "//entry[@id='2']/title"),
        ("[[feed://entry[title='a, b']]]", "//entry[title='a, b']"),
    ):
        citation = parse_citation(text)
        assert citation is not None
        assert citation.location == DataPath(path)


def test_of_many_places_the_first_are_shown_and_the_number_is_said() -> None:
    document = parsed("<r>" + "".join(f"<i>{number}</i>" for number in range(1_500)) + "</r>")
    found = asked(document, "//i")
    assert isinstance(found, Passage)
    assert len(found.spans) == MAX_PLACES
    assert found.note == f"the query selects 1,500 places; these are the first {MAX_PLACES}"


def test_no_query_runs_without_end() -> None:
    document = parsed("<a>" * 200 + "x" + "</a>" * 200)
    assert words(document, "//a" * 20)
    for query in ("//*[//*[//*[//b]]]", "//*[//* = //*/@x]"):
        reason = refused(document, query)
        assert reason.endswith(f"it takes more than {MAX_STEPS:,} steps in this item")


def elements() -> st.SearchStrategy[str]:
    leaves = st.sampled_from(["1", "2", "x", "x &amp; y", "<a/>", "<b k='2'>x</b>", "<c>3</c>"])
    return st.recursive(
        leaves,
        lambda inner: st.tuples(
            st.sampled_from("abc"), st.sampled_from(["", " k='1'"]), st.lists(inner, max_size=4)
        ).map(lambda made: f"<{made[0]}{made[1]}>{''.join(made[2])}</{made[0]}>"),
        max_leaves=15,
    )


PREDICATES = st.sampled_from(
    ["", "", "", "[1]", "[2]", "[last()]", "[last()-1]", "[position()>1]", "[@k]", "[@k='1']",
     "[@k=1]", "[a]", "[not(a)]", "[a='x' or b]", "[.='x']", "[.!='x']", "[b and c]", "[. > 1]",
     "[contains(., 'x')]", "[starts-with(., '1')]", "[count(*)=2]", "[a[2]]", "[.//c]", "[text()]",
     "[text()='x & y']", "[string-length(.) > 1]", "[normalize-space()='x']", "[a=b]", "[../c]",
     "[position() mod 2 = 1]", "[name()='b']", "[//c]", "[number(.) >= 2]", "[a|b]", "[-1 < .]",
     "[(a or b) and not(c)]", "[a/b]", "[2*1]", "[4 div 2]", "[string(a)]", "[true()][1]"]
)  # fmt: skip
STEPS = st.tuples(
    st.sampled_from(["/", "//"]),
    st.sampled_from(["a", "b", "c", "*", "descendant::b", "self::a"]),
    PREDICATES,
).map("".join)
ENDS = st.sampled_from(["", "", "", "/@k", "/@*", "/text()", "//text()", "/.", " | //c"])


def theirs(text: str, query: str) -> set[tuple[object, ...]]:
    """What lxml selects: elements by their number, attributes and texts by owner and words."""
    root = etree.fromstring(text, etree.XMLParser(resolve_entities=False, no_network=True))
    numbers = {element: number for number, element in enumerate(root.iter())}
    found: set[tuple[object, ...]] = set()
    selected = root.getroottree().xpath(query)
    assert isinstance(selected, list)
    for one in selected:
        if isinstance(one, etree._Element):
            found.add((numbers[one],))
        elif isinstance(one, etree._ElementUnicodeResult):
            parent = one.getparent()
            owner = parent.getparent() if parent is not None and one.is_tail else parent
            assert owner is not None
            found.add((numbers[owner], one.attrname or "", str(one)))
    return found


@given(st.lists(elements(), max_size=4), st.lists(STEPS, min_size=1, max_size=3), ENDS)
def test_another_implementation_selects_the_same_nodes(
    parts: list[str], steps: list[str], end: str
) -> None:
    text, query = f"<a>{''.join(parts)}</a>", "".join(steps) + end
    tree = XmlTree(text, scan_xml(text))
    found = XmlSelection(tree).select(read_xml_query(query))
    ours = {
        (node.owner, node.name, tree.string(node)) if isinstance(node, Leaf) else (node,)
        for node in found
        if node != DOCUMENT
    }
    assert ours == theirs(text, query)
    assert [tree.place(node) for node in found] == sorted(
        (tree.place(node) for node in found), key=lambda place: (place.start, -place.end)
    )


@given(st.text("/@.[]*'\"ab1|()=<>+-:, ", max_size=30))
def test_any_text_is_a_query_or_refused(text: str) -> None:
    document = parsed("<a k='1'><b>x</b>y</a>")
    assert isinstance(asked(document, "/" + text), Passage | Unresolved)
