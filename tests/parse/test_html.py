from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.parse.packages import hidden, pairs, parsed, shown
from tipstaff.citation.places import CitableDocument
from tipstaff.contracts.parsers import faults_of
from tipstaff.domain.citation import Passage
from tipstaff.domain.clean_text import clean
from tipstaff.domain.document import Document
from tipstaff.domain.location import read_location
from tipstaff.parse.html import PARSER
from tipstaff.parse.parser import CannotRead, Source


def read(page: str | bytes) -> Document:
    return parsed(PARSER, page.encode() if isinstance(page, str) else page)


def test_a_page_becomes_headings_paragraphs_lists_and_code() -> None:
    document = read(
        "<!doctype html><html><head><title>T &amp; U</title>"
        "<meta name=description content='What  it is'><style>p{}</style></head><body>"
        "<h1>A <b>big</b>\n heading</h1><div>Loose <i>words</i><p>One<br>two  three"
        "<ul><li>dot<li>more<ol type=a start=3><li>x<p>second part</ol></ul>"
        "<ol><li>n</ol><dl><dt>term<dd>meaning</dl><pre>a\n  b</pre>"
        "<details><summary>S</summary>inside</details><script>no()</script>"
        "<noscript>no</noscript><template>no</template><h3>Deep</h3><blockquote>said</blockquote>"
    )
    assert shown(document) == [
        ("heading", "a-big-heading", "A big heading"),
        ("paragraph", "a-big-heading:para-1", "Loose words"),
        ("paragraph", "a-big-heading:para-2", "One\ntwo three"),
        ("list_item", "a-big-heading:para-3", "dot"),
        ("list_item", "a-big-heading:para-4", "more"),
        ("list_item", "a-big-heading:para-5", "c. x"),
        ("list_item", "a-big-heading:para-6", "second part"),
        ("list_item", "a-big-heading:para-7", "1. n"),
        ("list_item", "a-big-heading:para-8", "term"),
        ("list_item", "a-big-heading:para-9", "meaning"),
        ("paragraph", "a-big-heading:para-10", "a\n  b"),
        ("paragraph", "a-big-heading:para-11", "S"),
        ("paragraph", "a-big-heading:para-12", "inside"),
        ("heading", "deep", "Deep"),
        ("paragraph", "deep:para-1", "said"),
    ]
    assert document.metadata == {"title": "T & U", "description": "What it is"}
    found = CitableDocument("x", document).resolve(read_location("deep"))
    assert isinstance(found, Passage)
    assert found.text.startswith("Deep\nsaid")


def test_pictures_speak_by_their_alternative_text() -> None:
    document = read(
        "<h1><img alt='ACME'></h1><p>See <img alt='A chart'> here<figure><img alt=pic>"
        "<figcaption>Figure 1</figcaption></figure><img alt=''>"
    )
    assert [words for _, _, words in shown(document)] == [
        "ACME",
        "See here",
        "Image: A chart",
        "Image: pic",
        "Figure 1",
    ]


def test_tables_pair_cells_with_headings_through_spans() -> None:
    document = read(
        "<table><caption>Sales</caption><tr><th rowspan=2>Region<th colspan=2>2024</tr>"
        "<tr><th>Q1<th>Q2</tr><tr><td rowspan=2>EMEA<td>1<td>2<tr><td>3<td>4</table>"
    )
    assert shown(document) == [
        ("paragraph", "para-1", "Sales"),
        ("table_row", "table-1", "Region | 2024"),
        ("table_row", "table-1", "Region | Q1 | Q2"),
        ("table_row", "table-1", "EMEA | 1 | 2"),
        ("table_row", "table-1", "EMEA | 3 | 4"),
    ]
    assert pairs(document)[-3:] == [
        ("A4", "Region", "EMEA"),
        ("B4", "2024 / Q1", "3"),
        ("C4", "2024 / Q2", "4"),
    ]


def test_row_headings_pair_where_there_are_no_column_headings() -> None:
    document = read(
        "<table><tr><th scope=row>Name<td>Jane<tr><th scope=row>Age<td>41</table>"
        "<table><thead><tr><td>k<td>v</thead><tbody><tr><td>a<td>1</table>"
    )
    assert pairs(document) == [
        ("A1", "", "Name"),
        ("B1", "Name", "Jane"),
        ("A2", "", "Age"),
        ("B2", "Age", "41"),
        ("A1", "", "k"),
        ("B1", "", "v"),
        ("A2", "k", "a"),
        ("B2", "v", "1"),
    ]


def test_tables_for_layout_are_read_as_text_and_tables_inside_keep_their_rows() -> None:
    document = read(
        "<table><tr><td><h2>Left</h2>words<td><table><tr><th>a<th>b<tr><td>1<td>2</table></table>"
        "<table role=presentation><tr><td>x<td>y</table><table><tr><td>alone</table>"
        "<table><tr><th>h<th>i<tr><td>o<table><tr><th>k<th>l<tr><td>5<td>6</table><td>p"
        "<tr><td>q<td>r</table>"
    )
    assert [(kind, place, words) for kind, place, words in shown(document)] == [
        ("heading", "left", "Left"),
        ("paragraph", "left:para-1", "words"),
        ("table_row", "left:table-1", "a | b"),
        ("table_row", "left:table-1", "1 | 2"),
        ("paragraph", "left:para-2", "x"),
        ("paragraph", "left:para-3", "y"),
        ("paragraph", "left:para-4", "alone"),
        ("table_row", "left:table-2", "h | i"),
        ("table_row", "left:table-2", "o | p"),
        ("table_row", "left:table-3", "k | l"),
        ("table_row", "left:table-3", "5 | 6"),
        ("table_row", "left:table-2", "q | r"),
    ]


@pytest.mark.parametrize(
    ("style", "reason"),
    [
        ("display:none", "hidden text (display: none)"),
        ("DISPLAY : None !important", "hidden text (display: none)"),
        ("visibility:hidden", "hidden text (visibility: hidden)"),
        ("font-size:0", "text too small to see"),
        ("font-size: 1px", "text too small to see"),
        ("font:0/0 a", "text too small to see"),
        ("opacity:0", "hidden text (opacity: 0)"),
        ("color:#FFF", "white text on white"),
        ("color: rgb(255, 255, 255)", "white text on white"),
        ("color:white;background:#ffffff", "white text on white"),
        ("color:transparent", "transparent text"),
        ("position:absolute;left:-9999px", "text placed off the page"),
        ("max-height:0;overflow:hidden", "hidden text (no room to show it)"),
    ],
)
def test_text_that_a_style_hides_is_kept_and_marked(style: str, reason: str) -> None:
    document = read(f'<p>seen <span style="{style}">ghost <b>deep</b></span> end</p>')
    assert hidden(document) == [("ghost deep", reason)]
    assert document.text == "seen ghost deep end\n"


@pytest.mark.parametrize(
    "page",
    [
        "<div style='background:#000'><p style='color:white'>x</p></div>",
        "<body bgcolor=navy text=white>x</body>",
        "<p aria-hidden=true>x</p>",
        "<p hidden=until-found>x</p>",
        "<div style='visibility:hidden'><p style='visibility:visible'>x</p></div>",
        "<div style='font-size:0'><p style='font-size:12px'>x</p></div>",
        "<p style='opacity:0.5;font-size:0.9em;color:#00f'>x</p>",
    ],
)
def test_text_that_is_seen_is_not_marked(page: str) -> None:
    assert read(page).marks == ()


def test_hidden_rows_and_headings_are_marked_and_open_no_section() -> None:
    document = read(
        "<h1>A <span hidden>x</span>b</h1><h2 hidden>Gone</h2><p>under</p>"
        "<table><tr><th>k<th>v<tr style='display:none'><td>a<td>1</table>"
    )
    assert [place for _, place, _ in shown(document)] == [
        "a-b",
        "a-b:para-1",
        "a-b:para-2",
        "a-b:table-1",
        "a-b:table-1",
    ]
    assert [words for words, _ in hidden(document)] == ["x", "Gone", "a", "1"]


@pytest.mark.parametrize(
    ("declared", "encoding"),
    [
        ("<meta charset=windows-1251>", "cp1251"),
        ("<meta http-equiv=Content-Type content='text/html; charset=koi8-r'>", "koi8-r"),
        ("<?xml version='1.0' encoding='iso-8859-5'?>", "iso-8859-5"),
        ("", "utf-8"),
        ("", "utf-16"),
        ("<meta charset=nonsense>", "utf-8"),
    ],
)
def test_the_declared_encoding_is_honoured(declared: str, encoding: str) -> None:
    document = read(f"{declared}<p>Привет, мир</p>".encode(encoding))
    assert document.text == "Привет, мир\n"


def test_latin_1_means_what_browsers_take_it_for() -> None:
    assert read(b"<meta charset=iso-8859-1><p>\x93quoted\x94 \x80 5").text == "“quoted” € 5\n"


def test_what_is_embedded_in_a_page_and_not_read_is_said() -> None:
    document = read("<p>x<iframe src=y>no</iframe><video>no</video><img src='data:image/png;,'>")
    assert document.text == "x\n"
    assert document.notes == (
        "One embedded page was not read.",
        "One video was not read.",
        "One damaged picture was not read.",
    )


def test_a_heading_that_was_never_closed_does_not_swallow_the_page() -> None:
    document = read("<h1>Title<p>First</p><p>Second</p>")
    assert [(kind, words) for kind, _, words in shown(document)] == [
        ("heading", "Title"),
        ("paragraph", "First"),
        ("paragraph", "Second"),
    ]


def test_words_between_cells_are_not_lost() -> None:
    document = read("<table><tr>stray<td>a</td><div>odd</div><td>b</td></tr>more</table>")
    assert set(document.text.split()) >= {"stray", "a", "odd", "b", "more"}


@pytest.mark.parametrize("page", ["", " \n", "<!-- x -->", "<html></html>", "<title>T</title>"])
def test_a_page_that_says_nothing_is_empty(page: str) -> None:
    assert read(page).blocks == ()


def test_a_page_that_is_nested_too_deeply_is_refused() -> None:
    assert read("<div>" * 200 + "x").text == "x\n"
    for depth in (300, 100_000):
        with pytest.raises(CannotRead, match="levels deep"):
            read("<div>" * depth + "x")


def test_what_is_nested_only_by_carelessness_is_read() -> None:
    terms = "".join(f"<dt><a href='x>y'>term {number}</a>" for number in range(400))
    document = read(f"<dl>{terms}</dl>" + "<b>" * 300 + "bold<p>end")
    assert [words for _, _, words in shown(document)][-3:] == ["term 399", "bold", "end"]
    assert len(document.blocks) == 402


def test_less_nesting_does_not_bring_hidden_text_to_light() -> None:
    document = read("<b>" * 300 + "<span style='display:none'>ghost <span>deep</span></span> seen")
    assert hidden(document) == [("ghost deep", "hidden text (display: none)")]


def test_entities_in_a_page_are_neither_fetched_nor_expanded() -> None:
    laughs = "<!DOCTYPE html [<!ENTITY a 'haha'><!ENTITY b '&a;&a;&a;'><!ENTITY f SYSTEM 'file:///etc/passwd'>]>"
    for media_type in ("text/html", "application/xhtml+xml"):
        content = f"{laughs}<html><body><p>x &b; &f; &eacute;</p></body></html>".encode()
        text = parsed(PARSER, content, media_type=media_type).text
        assert "haha" not in text.replace("'haha'", "")
        assert "root:" not in text
        assert "&f;" in text
        assert "é" in text


def test_huge_spans_and_counts_cost_nothing() -> None:
    document = read(
        "<table><tr><td colspan=99999999 rowspan=99999999>a<td>b<tr><td>c</table>"
        "<ol start=99999999999><li>x</ol>" + "<p>y" * 5_000
    )
    assert len(document.blocks) > 5_000


def test_xhtml_is_read_as_xml() -> None:
    page = b"<html xmlns='http://www.w3.org/1999/xhtml'><head><title/><script src='x'/></head>"
    page += b"<body><h1>Kept&nbsp;here</h1><a id='x'/><p>R&D <table><tr><td>1</td></tr></table></p>"
    page += b"</body></html>"
    document = parsed(PARSER, page, media_type="application/xhtml+xml")
    assert [words for _, _, words in shown(document)] == ["Kept\xa0here", "R&D", "1"]


TAGS = (
    "p", "div", "h1", "h2", "li", "ul", "ol", "table", "tr", "td", "th", "thead", "span", "pre",
    "b", "br", "img", "details", "dl", "dt", "dd", "select",
)  # fmt: skip
PIECES = st.one_of(
    st.sampled_from(TAGS).map(lambda tag: f"<{tag}>"),
    st.sampled_from(TAGS).map(lambda tag: f"</{tag}>"),
    st.sampled_from(
        ["<td rowspan=2>", "<th colspan=3>", "<p hidden>", "<b style='color:#fff'>", "<img alt=x>"]
    ),
    st.text("ab \n\u00a0\u0301<&;'", max_size=6),
)


@settings(max_examples=200)
@given(st.lists(PIECES, max_size=40).map("".join))
def test_any_page_keeps_the_promises(page: str) -> None:
    read(page)


@settings(max_examples=50)
@given(st.binary(max_size=200))
def test_any_bytes_keep_the_promises(content: bytes) -> None:
    read(content)


STYLED = """<html><head><style>
/* .shown { display: none } */
.gone, p.also-gone { display: none; }
#secret { visibility: hidden }
.tiny { font-size: 0 }
.shown { margin: 1em }
@media print { .shown { display: none } }
</style></head><body>
<p class="gone">one</p><p class="x also-gone">two</p><p id="secret">three</p>
<p>a <span class="tiny">four</span> b</p><p class="shown">five</p>
<p class="gone" style="display:block">six</p></body></html>"""


def test_what_the_pages_own_style_sheet_hides_is_hidden() -> None:
    document = PARSER.parse(Source(content=STYLED.encode(), name="x.html", media_type="text/html"))
    assert faults_of(document) == []
    assert clean(document).text.split() == ["a", "b", "five", "six"]
    for word in ("one", "two", "three", "four"):
        assert word in document.text
