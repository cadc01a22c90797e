from __future__ import annotations

import io
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.parse.packages import hidden, pairs, parsed, shown, zipped
from tipstaff.domain.document import Document
from tipstaff.media_type import sniff
from tipstaff.parse.odt import PARSER
from tipstaff.parse.parser import CannotRead

_URN = "urn:oasis:names:tc:opendocument:xmlns"
_NAMES = " ".join(
    f'xmlns:{prefix}="{_URN}:{name}:1.0"'
    for prefix, name in {
        "office": "office",
        "text": "text",
        "table": "table",
        "draw": "drawing",
        "style": "style",
        "fo": "xsl-fo-compatible",
        "svg": "svg-compatible",
        "manifest": "manifest",
        "meta": "meta",
    }.items()
)
_NAMES += ' xmlns:dc="http://purl.org/dc/elements/1.1/"'


def odt(body: str, *, styles: str = "", automatic: str = "", **files: str) -> bytes:
    content = (
        f"<office:document-content {_NAMES}><office:automatic-styles>{automatic}"
        f"</office:automatic-styles><office:body><office:text>{body}</office:text></office:body>"
        "</office:document-content>"
    )
    return zipped(
        {
            "mimetype": "application/vnd.oasis.opendocument.text",
            "content.xml": content,
            "styles.xml": f"<office:document-styles {_NAMES}>{styles}</office:document-styles>",
            **{f"{name}.xml": text for name, text in files.items()},
        }
    )


def read(body: str, *, styles: str = "", automatic: str = "") -> Document:
    return parsed(PARSER, odt(body, styles=styles, automatic=automatic))


def p(words: str, style: str = "") -> str:
    return f'<text:p text:style-name="{style}">{words}</text:p>'


def h(words: str, level: int = 1) -> str:
    return f'<text:h text:outline-level="{level}">{words}</text:h>'


def test_headings_paragraphs_and_white_space_are_read_in_order() -> None:
    document = read(
        h("Scope")
        + p(
            "One<text:s text:c='3'/>two<text:tab/>three<text:line-break/>\n   four "
            "<text:a>five</text:a>"
        )
        + h("Terms", 2)
        + f"<text:section>{p('inside')}</text:section>"
        + f"<text:table-of-content><text:index-body>{p('Scope 1')}</text:index-body>"
        "</text:table-of-content>"
    )
    assert shown(document) == [
        ("heading", "scope", "Scope"),
        ("paragraph", "scope:para-1", "One   two\tthree\nfour five"),
        ("heading", "terms", "Terms"),
        ("paragraph", "terms:para-1", "inside"),
        ("paragraph", "terms:para-2", "Scope 1"),
    ]


def test_lists_are_numbered_by_their_styles_and_nest() -> None:
    numbers = (
        "<text:list-style style:name='L'><text:list-level-style-number text:level='1' "
        "style:num-format='1' style:num-suffix='.'/><text:list-level-style-number text:level='2' "
        "style:num-format='a' style:num-suffix=')' text:display-levels='2'/></text:list-style>"
        "<text:list-style style:name='B'><text:list-level-style-bullet text:level='1' "
        "text:bullet-char='*'/></text:list-style>"
    )

    def item(inside: str) -> str:
        return f"<text:list-item>{inside}</text:list-item>"

    deep = f"<text:list>{item(p('deep'))}</text:list>"
    document = read(
        f"<text:list text:style-name='L'>{item(p('one'))}"
        f"{item(p('two') + p('more') + deep)}</text:list>"
        f"<text:list text:style-name='B'>{item(p('dot'))}</text:list>"
        "<text:list text:style-name='L' text:continue-numbering='true'>"
        f"{item(p('three'))}</text:list>"
        f"<text:list text:style-name='L'>{item(p('anew'))}</text:list>",
        automatic=numbers,
    )
    assert [(kind, words) for kind, _, words in shown(document)] == [
        ("list_item", "1. one"),
        ("list_item", "2. two"),
        ("list_item", "more"),
        ("list_item", "2.a) deep"),
        ("list_item", "dot"),
        ("list_item", "3. three"),
        ("list_item", "1. anew"),
    ]


def cell(words: str, attributes: str = "") -> str:
    return f"<table:table-cell {attributes}>{p(words)}</table:table-cell>"


def test_tables_pair_cells_with_headings_through_spans() -> None:
    row = "<table:table-row>{}</table:table-row>".format
    covered = "<table:covered-table-cell/>"
    document = read(
        "<table:table><table:table-column/><table:table-header-rows>"
        + row(cell("Region") + cell("Sales", "table:number-columns-spanned='2'") + covered)
        + "</table:table-header-rows>"
        + row(cell("EMEA", "table:number-rows-spanned='2'") + cell("1") + cell("2"))
        + row(covered + cell("3") + cell("4"))
        + row("<table:table-cell table:number-columns-repeated='99999999'/>").replace(
            "<table:table-row>", "<table:table-row table:number-rows-repeated='99999999'>"
        )
        + "</table:table>"
        + f"<table:table>{row(cell('boxed'))}</table:table>"
    )
    assert shown(document) == [
        ("table_row", "table-1", "Region | Sales"),
        ("table_row", "table-1", "EMEA | 1 | 2"),
        ("table_row", "table-1", "EMEA | 3 | 4"),
        ("paragraph", "para-1", "boxed"),
    ]
    assert pairs(document)[-2:] == [("B3", "Sales", "3"), ("C3", "Sales", "4")]


def test_notes_annotations_and_margins_stand_at_the_end() -> None:
    note = (
        "<text:note text:note-class='footnote'><text:note-citation>1</text:note-citation>"
        f"<text:note-body>{p('The note.')}</text:note-body></text:note>"
    )
    comment = (
        "<office:annotation><dc:creator>Jane</dc:creator><dc:date>2025</dc:date>"
        f"{p('Really?')}</office:annotation>"
    )
    document = read(
        p(f"Sales rose{note}{comment}."),
        styles="<office:master-styles><style:master-page><style:header>"
        f"{p('Top')}</style:header><style:footer>{p('Page <text:page-number>1</text:page-number>')}"
        "</style:footer></style:master-page></office:master-styles>",
    )
    assert [words for _, _, words in shown(document)] == [
        "Sales rose[1].",
        "Headers",
        "Top",
        "Footers",
        "Page 1",
        "Footnotes",
        "[1] The note.",
        "Comments",
        "Jane: Really?",
    ]
    assert document.blocks[-1].author == "Jane"


def test_deleted_and_hidden_text_is_kept_and_marked() -> None:
    def style(name: str, family: str, properties: str) -> str:
        return (
            f"<style:style style:name='{name}' style:family='{family}'>"
            f"<style:text-properties {properties}/></style:style>"
        )

    document = read(
        "<text:tracked-changes><text:changed-region text:id='c1'><text:deletion>"
        f"{p('five')}</text:deletion></text:changed-region></text:tracked-changes>"
        + p("Price <text:change text:change-id='c1'/> seven")
        + p(
            "a<text:span text:style-name='V'>ghost</text:span><text:span text:style-name='W'>white"
            "</text:span><text:span text:style-name='D'>dark</text:span>"
        )
        + f"<text:section text:display='none'>{p('unseen')}</text:section>"
        + p("<text:hidden-text text:string-value='k'/>z"),
        automatic=style("V", "text", "text:display='none'")
        + style("W", "text", "fo:color='#ffffff'")
        + style("D", "text", "fo:color='#ffffff' fo:background-color='#000000'"),
    )
    assert hidden(document) == [
        ("five", "deleted text (tracked change)"),
        ("ghost", "hidden text"),
        ("white", "white text on white"),
        ("unseen", "hidden section"),
        ("k", "hidden text"),
    ]
    assert [words for _, _, words in shown(document)] == ["Price  seven", "adark", "", "z"]


def test_text_boxes_and_pictures_stand_where_they_are_anchored() -> None:
    document = read(
        p("anchor<draw:frame><draw:text-box>" + p("boxed") + "</draw:text-box></draw:frame>")
        + p(
            "<draw:frame><draw:image/><svg:title>Chart</svg:title><svg:desc>Sales</svg:desc>"
            "</draw:frame>"
        )
        + p("<draw:frame><draw:object/></draw:frame>end")
    )
    assert [words for _, _, words in shown(document)] == [
        "anchor",
        "boxed",
        "Image: Chart. Sales",
        "end",
    ]
    assert document.notes == (
        "One embedded object was not read.",
        "One linked picture was not read.",
    )


def test_metadata_is_read() -> None:
    meta = (
        f"<office:document-meta {_NAMES}><office:meta><dc:title>T</dc:title>"
        "<meta:initial-creator>Jane</meta:initial-creator></office:meta></office:document-meta>"
    )
    assert parsed(PARSER, odt(p("x"), meta=meta)).metadata == {"title": "T", "author": "Jane"}


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "damaged"),
        (b"garbage", "damaged"),
        (odt(p("x"))[:100], "damaged"),
        (zipped({"mimetype": "x"}), "no body"),
        (zipped({"content.xml": "<a"}), "not readable"),
        (
            zipped(
                {
                    "content.xml": b"\x00\x01",
                    "META-INF/manifest.xml": f"<manifest:manifest {_NAMES}><manifest:file-entry>"
                    "<manifest:encryption-data/></manifest:file-entry></manifest:manifest>",
                }
            ),
            "encrypted",
        ),
        (odt("<text:section>" * 400 + "</text:section>" * 400), "not readable"),
        (
            zipped({"content.xml": "<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///x'>]><a>&x;</a>"}),
            "entities",
        ),
    ],
)
def test_what_cannot_be_read_says_so(content: bytes, reason: str) -> None:
    with pytest.raises(CannotRead, match=reason):
        parsed(PARSER, content)


FRAGMENTS = st.recursive(
    st.sampled_from([p("words"), h("Head"), h("Sub", 2), p(""), p("a<text:s/>b<draw:frame/>")]),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map("".join),
        inner.map(lambda x: f"<text:list><text:list-item>{x}</text:list-item></text:list>"),
        inner.map(lambda x: f"<text:section text:display='none'>{x}</text:section>"),
        inner.map(
            lambda x: (
                "<table:table><table:table-row><table:table-cell "
                f"table:number-rows-spanned='2'>{x}</table:table-cell><table:table-cell>{x}"
                "</table:table-cell></table:table-row></table:table>"
            )
        ),
    ),
    max_leaves=10,
)


@settings(max_examples=60)
@given(FRAGMENTS)
def test_any_text_keeps_the_promises(body: str) -> None:
    read(body)


@settings(max_examples=40)
@given(st.data())
def test_damaged_bytes_are_read_or_refused(data: st.DataObject) -> None:
    content = bytearray(odt(h("Head") + p("words")))
    for _ in range(data.draw(st.integers(1, 5))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    with suppress(CannotRead):
        parsed(PARSER, bytes(content))


def test_a_document_whose_type_does_not_come_first_is_known_by_its_parts_and_name() -> None:
    parts = {"styles.xml": "<a/>", "mimetype": "application/vnd.oasis.opendocument.text"}
    content = zipped({**parts, "content.xml": "<a/>"})
    assert sniff(content, "x.odt", whole=io.BytesIO(content)) == PARSER.media_types[0]
    assert sniff(content, "x.zip", whole=io.BytesIO(content)) == "application/zip"
    without = zipped(parts)
    assert sniff(without, "x.odt", whole=io.BytesIO(without)) == "application/zip"
