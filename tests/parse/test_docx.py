from __future__ import annotations

import io
import zipfile
from contextlib import suppress

import docx as python_docx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.parse.packages import docx, hidden, p, pairs, parsed, shown, word_part, zipped
from tipstaff.citation.places import CitableDocument
from tipstaff.domain.citation import Passage
from tipstaff.domain.document import BlockKind, Document
from tipstaff.domain.location import read_location
from tipstaff.parse import zip_members
from tipstaff.parse.docx import PARSER
from tipstaff.parse.parser import CannotRead

HEADING = '<w:style w:type="paragraph" w:styleId="H1"><w:name w:val="heading 1"/></w:style>'


def read(body: str, **parts: str) -> Document:
    return parsed(PARSER, docx(body, **parts))


def style(name: str) -> str:
    return f'<w:pStyle w:val="{name}"/>'


def test_a_document_of_a_word_processor_is_read_in_order() -> None:
    made = python_docx.Document()
    made.add_heading("The report", 0)
    made.add_heading("Scope", 1)
    made.add_paragraph("First words.")
    made.add_paragraph("one", style="List Number")
    made.add_paragraph("two", style="List Number")
    made.add_paragraph("dot", style="List Bullet")
    table = made.add_table(2, 2)
    for row in range(2):
        for column in range(2):
            table.cell(row, column).text = f"r{row}c{column}"
    made.add_heading("Terms", 2)
    made.add_paragraph("Net 30.")
    made.sections[0].header.paragraphs[0].text = "Confidential"
    made.core_properties.title = "A report"
    buffer = io.BytesIO()
    made.save(buffer)
    document = parsed(PARSER, buffer.getvalue())
    assert shown(document) == [
        ("heading", "the-report", "The report"),
        ("heading", "scope", "Scope"),
        ("paragraph", "scope:para-1", "First words."),
        ("list_item", "scope:para-2", "1. one"),
        ("list_item", "scope:para-3", "2. two"),
        ("list_item", "scope:para-4", "dot"),
        ("table_row", "scope:table-1", "r0c0 | r0c1"),
        ("table_row", "scope:table-1", "r1c0 | r1c1"),
        ("heading", "terms", "Terms"),
        ("paragraph", "terms:para-1", "Net 30."),
        ("heading", "headers", "Headers"),
        ("paragraph", "headers:para-1", "Confidential"),
    ]
    assert document.metadata["title"] == "A report"
    assert pairs(document)[2:] == [("A2", "r0c0", "r1c0"), ("B2", "r0c1", "r1c1")]
    found = CitableDocument("x", document).resolve(read_location("terms:para-1"))
    assert isinstance(found, Passage)
    assert found.text == "Net 30."


def test_headings_come_through_inherited_and_localized_styles_and_outline_levels() -> None:
    styles = (
        HEADING + '<w:style w:type="paragraph" w:styleId="Mine"><w:name w:val="Our clause"/>'
        '<w:basedOn w:val="H1"/></w:style>'
        '<w:style w:type="paragraph" w:styleId="b2"><w:name w:val="Überschrift 2"/></w:style>'
        '<w:style w:type="paragraph" w:styleId="Out"><w:name w:val="x"/>'
        '<w:pPr><w:outlineLvl w:val="2"/></w:pPr></w:style>'
        '<w:style w:type="paragraph" w:styleId="Not"><w:name w:val="y"/><w:basedOn w:val="H1"/>'
        '<w:pPr><w:outlineLvl w:val="9"/></w:pPr></w:style>'
        '<w:style w:type="paragraph" w:styleId="Loop"><w:name w:val="z"/>'
        '<w:basedOn w:val="Loop"/></w:style>'
    )
    document = read(
        p("Based", style("Mine"))
        + p("Zweite", style("b2"))
        + p("Third", style("Out"))
        + p("Body", style("Not"))
        + p("Round", style("Loop"))
        + p("Direct", '<w:outlineLvl w:val="3"/>')
        + p("Undescribed", style("Heading2"))
        + p("", style("H1")),
        styles=styles,
    )
    levels = [(document.text_of(block), block.level) for block in document.blocks]
    assert levels == [
        ("Based", 1),
        ("Zweite", 2),
        ("Third", 3),
        ("Body", None),
        ("Round", None),
        ("Direct", 4),
        ("Undescribed", 2),
    ]
    assert document.blocks[5].headings == ("Based", "Zweite", "Third")


def text_box(words: str) -> str:
    inside = f"<w:txbxContent>{p(words)}</w:txbxContent>"
    return (
        "<w:r><mc:AlternateContent><mc:Choice Requires='wps'><w:drawing><wp:anchor>"
        "<wp:docPr id='1' name='Box' descr='A blue box'/><a:graphic><a:graphicData><wps:wsp>"
        f"<wps:spPr/><wps:txbx>{inside}</wps:txbx></wps:wsp></a:graphicData></a:graphic>"
        "</wp:anchor></w:drawing></mc:Choice><mc:Fallback><w:pict><v:shape alt='A blue box'>"
        f"<v:textbox>{inside}</v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent>"
        "</w:r>"
    )


def test_a_text_box_stands_where_it_is_anchored_and_only_once() -> None:
    document = read(
        p("before")
        + f"<w:p>{text_box('in the box')}<w:r><w:t>anchor</w:t></w:r></w:p>"
        + p("after")
    )
    assert [words for _, _, words in shown(document)] == [
        "before",
        "anchor",
        "in the box",
        "Image: A blue box",
        "after",
    ]


def test_changes_are_shown_as_accepted_and_deletions_kept_as_hidden() -> None:
    document = read(
        "<w:p><w:r><w:t xml:space='preserve'>The price is </w:t></w:r>"
        "<w:del w:author='A'><w:r><w:delText>5</w:delText></w:r></w:del>"
        "<w:ins w:author='A'><w:r><w:t>7</w:t></w:r></w:ins>"
        "<w:moveFrom><w:r><w:t xml:space='preserve"
        "'> old</w:t></w:r></w:moveFrom><w:r><w:t>.</w:t></w:r></w:p>"
    )
    assert [words for _, _, words in shown(document)] == ["The price is 7."]
    assert document.text == "The price is 57 old.\n"
    assert hidden(document) == [
        ("5", "deleted text (tracked change)"),
        (" old", "text moved elsewhere (tracked change)"),
    ]


def test_text_that_nobody_sees_is_marked_and_white_on_dark_is_not() -> None:
    def run(words: str, properties: str) -> str:
        return f"<w:r><w:rPr>{properties}</w:rPr><w:t>{words}</w:t></w:r>"

    white = '<w:color w:val="FFFFFF"/>'
    dark = '<w:shd w:val="clear" w:fill="1F3864"/>'
    document = read(
        "<w:p>"
        + run("a", "<w:vanish/>")
        + run("b", white)
        + run("c", white + dark)
        + run("d", white + '<w:highlight w:val="black"/>')
        + run("e", '<w:sz w:val="2"/>')
        + run("f", '<w:vanish w:val="0"/>')
        + run("g", '<w:rStyle w:val="Ghost"/>')
        + "</w:p>"
        + f"<w:p><w:pPr>{dark}</w:pPr>{run('h', white)}</w:p>"
        + f"<w:tbl><w:tr><w:tc><w:tcPr>{dark}</w:tcPr><w:p>{run('i', white)}</w:p></w:tc>"
        f"<w:tc><w:p>{run('j', white)}</w:p></w:tc></w:tr></w:tbl>",
        styles='<w:style w:type="character" w:styleId="Ghost"><w:rPr><w:vanish/></w:rPr></w:style>',
    )
    assert [words for words, _ in hidden(document)] == ["a", "b", "e", "g", "j"]
    assert dict(hidden(document))["b"] == "white text on white"


def test_white_letters_in_the_dark_heading_row_of_a_table_style_are_seen() -> None:
    def cell(words: str) -> str:
        run = f"<w:r><w:rPr><w:color w:val='FFFFFF'/></w:rPr><w:t>{words}</w:t></w:r>"
        return f"<w:tc><w:p>{run}</w:p></w:tc>"

    row = f"<w:tr>{cell('x')}{cell('y')}</w:tr>"
    document = read(
        f"<w:tbl><w:tblPr><w:tblStyle w:val='T'/></w:tblPr>{row}{row}</w:tbl>",
        styles="<w:style w:type='table' w:styleId='T'><w:tblStylePr w:type='firstRow'><w:tcPr>"
        "<w:shd w:val='clear' w:fill='000000'/></w:tcPr></w:tblStylePr></w:style>",
    )
    assert [mark.span.start > 5 for mark in document.marks] == [True, True]


def test_fields_show_their_results_and_not_their_codes() -> None:
    document = read(
        "<w:p><w:r><w:t xml:space='preserve'>Page </w:t></w:r>"
        "<w:r><w:fldChar w:fldCharType='begin'/></w:r><w:r><w:instrText>PAGE</w:instrText></w:r>"
        "<w:r><w:fldChar w:fldCharType='separate'/></w:r><w:r><w:t>4</w:t></w:r>"
        "<w:r><w:fldChar w:fldCharType='end'/></w:r>"
        "<w:fldSimple w:instr='DATE'><w:r><w:t xml:space='preserve'> today</w:t></w:r>"
        "</w:fldSimple>"
        "<w:hyperlink><w:r><w:t xml:space='preserve'> a link</w:t></w:r></w:hyperlink></w:p>"
        "<w:p><w:r><w:fldChar w:fldCharType='begin'><w:ffData><w:checkBox><w:checked/></w:checkBox>"
        "</w:ffData></w:fldChar></w:r><w:r><w:fldChar w:fldCharType='end'/></w:r>"
        "<w:r><w:t>agreed</w:t></w:r></w:p>"
        "<w:p><w:r><w:fldChar w:fldCharType='begin'/></w:r><w:r><w:t>broken</w:t></w:r></w:p>"
        + p("next")
    )
    assert [words for _, _, words in shown(document)] == [
        "Page 4 today a link",
        "☒agreed",
        "",
        "next",
    ]
    assert hidden(document) == [("broken", "field code")]


def test_tabs_breaks_symbols_hyphens_and_equations_are_characters() -> None:
    document = read(
        "<w:p><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/>"
        "<w:t>d</w:t><w:softHyphen/><w:sym w:font='Wingdings' w:char='F0FC'/>"
        "<w:sym w:font='Symbol' w:char='F061'/><w:sym w:font='Odd' w:char='F0FF'/></w:r>"
        "<m:oMath><m:r><m:t>E=mc</m:t></m:r></m:oMath></w:p>"
    )
    assert document.text == "a\tb\nc-d✓α\ufffdE=mc\n"


def numbering(*levels: tuple[str, str]) -> str:
    inside = "".join(
        f"<w:lvl w:ilvl='{index}'><w:start w:val='1'/><w:numFmt w:val='{form}'/>"
        f"<w:lvlText w:val='{text}'/></w:lvl>"
        for index, (form, text) in enumerate(levels)
    )
    return (
        f"<w:abstractNum w:abstractNumId='0'>{inside}</w:abstractNum>"
        "<w:num w:numId='1'><w:abstractNumId w:val='0'/></w:num>"
        "<w:num w:numId='2'><w:abstractNumId w:val='0'/><w:lvlOverride w:ilvl='0'>"
        "<w:startOverride w:val='7'/></w:lvlOverride></w:num>"
    )


def member(list_id: int, level: int) -> str:
    return f"<w:numPr><w:ilvl w:val='{level}'/><w:numId w:val='{list_id}'/></w:numPr>"


def test_numbers_of_lists_and_headings_are_counted_as_word_counts_them() -> None:
    levels = ("decimal", "%1."), ("lowerLetter", "(%2)"), ("upperRoman", "%1.%3")
    document = read(
        p("one", member(1, 0))
        + p("two", member(1, 0))
        + p("a", member(1, 1))
        + p("b", member(1, 1))
        + p("deep", member(1, 2))
        + p("three", member(1, 0))
        + p("again a", member(1, 1))
        + p("seven", member(2, 0))
        + p("plain", "<w:numPr><w:numId w:val='0'/></w:numPr>")
        + p("unknown", member(99, 0)),
        numbering=numbering(*levels),
    )
    assert [(kind, words) for kind, _, words in shown(document)] == [
        ("list_item", "1. one"),
        ("list_item", "2. two"),
        ("list_item", "(a) a"),
        ("list_item", "(b) b"),
        ("list_item", "2.I deep"),
        ("list_item", "3. three"),
        ("list_item", "(a) again a"),
        ("list_item", "7. seven"),
        ("paragraph", "plain"),
        ("list_item", "unknown"),
    ]


def test_bullets_and_numerals_that_are_not_known_leave_the_words_alone() -> None:
    document = read(
        p("dot", member(1, 0)) + p("kanji", member(1, 1)),
        numbering=numbering(("bullet", "\u00b7"), ("japaneseCounting", "%2")),
    )
    assert [words for _, _, words in shown(document)] == ["dot", "kanji"]


def test_a_numbered_heading_carries_its_number_and_resolves_without_it() -> None:
    document = read(
        p("Scope", style("H1")) + p("words"),
        styles="<w:style w:type='paragraph' w:styleId='H1'><w:name w:val='heading 1'/>"
        f"<w:pPr>{member(1, 0)}</w:pPr></w:style>",
        numbering=numbering(("decimal", "%1.")),
    )
    assert shown(document)[0] == ("heading", "1-scope", "1. Scope")
    assert isinstance(CitableDocument("x", document).resolve(read_location("scope")), Passage)


BEGINS = "<w:vMerge w:val='restart'/>"


def spans(columns: int) -> str:
    return f"<w:gridSpan w:val='{columns}'/>"


def cell(words: str, properties: str = "") -> str:
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{p(words)}</w:tc>"


def test_merged_cells_keep_their_columns_and_their_label_in_every_row() -> None:
    head = "<w:trPr><w:tblHeader/></w:trPr>"
    document = read(
        "<w:tbl>"
        f"<w:tr>{head}{cell('Region', BEGINS)}"
        f"{cell('2024', spans(2))}</w:tr>"
        f"<w:tr>{head}{cell('', '<w:vMerge/>')}{cell('Q1')}{cell('Q2')}</w:tr>"
        f"<w:tr>{cell('EMEA', BEGINS)}{cell('1')}{cell('2')}</w:tr>"
        f"<w:tr>{cell('', '<w:vMerge/>')}{cell('3')}{cell('4')}</w:tr>"
        "</w:tbl>"
    )
    assert [words for _, _, words in shown(document)] == [
        "Region | 2024",
        "Region | Q1 | Q2",
        "EMEA | 1 | 2",
        "EMEA | 3 | 4",
    ]
    assert pairs(document)[-3:] == [
        ("A4", "Region", "EMEA"),
        ("B4", "2024 / Q1", "3"),
        ("C4", "2024 / Q2", "4"),
    ]


def test_a_table_in_a_cell_follows_the_row_that_it_stands_in() -> None:
    inner = f"<w:tbl><w:tr>{cell('k')}{cell('v')}</w:tr><w:tr>{cell('x')}{cell('9')}</w:tr></w:tbl>"
    document = read(
        f"<w:tbl><w:tr>{cell('Head')}{cell('Other')}</w:tr>"
        f"<w:tr><w:tc>{p('outer')}{inner}{p('')}</w:tc>{cell('side')}</w:tr>"
        f"<w:tr>{cell('last')}{cell('row')}</w:tr></w:tbl>"
    )
    assert shown(document) == [
        ("table_row", "table-1", "Head | Other"),
        ("table_row", "table-1", "outer | side"),
        ("table_row", "table-2", "k | v"),
        ("table_row", "table-2", "x | 9"),
        ("table_row", "table-1", "last | row"),
    ]


def test_a_table_around_text_is_no_table() -> None:
    document = read(
        f"<w:tbl><w:tr><w:tc>{p('Boxed', style('H1'))}{p('words')}</w:tc></w:tr></w:tbl>"
        f"<w:tbl><w:tr><w:tc>{p('Left', style('H1'))}{p('text')}</w:tc>"
        f"{cell('right')}</w:tr></w:tbl>",
        styles=HEADING,
    )
    assert [(kind, words) for kind, _, words in shown(document)] == [
        ("heading", "Boxed"),
        ("paragraph", "words"),
        ("heading", "Left"),
        ("paragraph", "text"),
        ("paragraph", "right"),
    ]


def test_deleted_rows_are_hidden_and_empty_rows_left_out() -> None:
    document = read(
        f"<w:tbl><w:tr>{cell('a')}{cell('b')}</w:tr><w:tr>{cell('')}{cell('')}</w:tr>"
        f"<w:tr><w:trPr><w:del/></w:trPr>{cell('gone')}{cell('too')}</w:tr></w:tbl>"
    )
    assert [words for words, _ in hidden(document)] == ["gone", "too"]
    assert len(document.blocks) == 2


def test_notes_and_comments_stand_at_the_end_under_their_own_headings() -> None:
    def note(kind: str, number: int, words: str, extra: str = "") -> str:
        return f"<w:{kind} w:id='{number}' {extra}>{p(words)}</w:{kind}>"

    document = read(
        "<w:p><w:r><w:t>Sales rose</w:t></w:r><w:r><w:footnoteReference w:id='2'/></w:r>"
        "<w:r><w:t>, costs too</w:t></w:r><w:r><w:footnoteReference w:id='1'/></w:r>"
        "<w:r><w:endnoteReference w:id='5'/></w:r><w:r><w:commentReference w:id='0'/></w:r></w:p>",
        footnotes=note("footnote", 0, "---", "w:type='separator'")
        + note("footnote", 1, "Second note.")
        + note("footnote", 2, "First note.")
        + note("footnote", 3, "Orphan."),
        endnotes=note("endnote", 5, "The end."),
        comments=note("comment", 0, "Is that so?", "w:author='Jane'"),
        header1=p("Top"),
        header2=p("Top"),
        footer1=p("Bottom"),
    )
    assert [words for _, _, words in shown(document)] == [
        "Sales rose[1], costs too[2][i]",
        "Headers",
        "Top",
        "Footers",
        "Bottom",
        "Footnotes",
        "[1] First note.",
        "[2] Second note.",
        "",
        "Endnotes",
        "[i] The end.",
        "Comments",
        "[comment 1] Jane: Is that so?",
    ]
    assert document.blocks[-1].author == "Jane"
    assert hidden(document) == [("Orphan.", "a note that nothing refers to")]


def test_a_heading_with_a_hidden_part_is_cited_by_what_is_shown() -> None:
    gone = "<w:r><w:rPr><w:vanish/></w:rPr><w:t xml:space='preserve'>secret </w:t></w:r>"
    document = read(
        f"<w:p><w:pPr>{style('H1')}</w:pPr>{gone}<w:r><w:t>Terms</w:t></w:r></w:p>"
        + p("x")
        + f"<w:p><w:pPr>{style('H1')}</w:pPr>{gone}</w:p>"
        + p("y"),
        styles=HEADING,
    )
    assert [(kind, place) for kind, place, _ in shown(document)] == [
        ("heading", "terms"),
        ("paragraph", "terms:para-1"),
        ("paragraph", "terms:para-2"),
        ("paragraph", "terms:para-3"),
    ]


def test_what_is_embedded_and_not_read_is_said() -> None:
    document = read(
        p("x")
        + "<w:altChunk r:id='q'/><w:p><w:r><w:object><o:OLEObject/></w:object></w:r></w:p>"
        + "<w:p><w:r><w:drawing><a:graphic><a:blip/></a:graphic></w:drawing></w:r></w:p>" * 2
    )
    assert document.notes == (
        "One embedded document was not read.",
        "One embedded object was not read.",
        "2 linked pictures were not read.",
    )


def test_strict_documents_and_other_names_for_the_main_part_are_read() -> None:
    main = word_part("document", f"<w:body>{p('strict')}</w:body>").replace(
        "schemas.openxmlformats.org/wordprocessingml/2006/main",
        "purl.oclc.org/ooxml/wordprocessingml/main",
    )
    rels = (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        '<Relationship Id="a" Target="/word/document2.xml" '
        'Type="http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument"/>'
        "</Relationships>"
    )
    content = zipped({"_rels/.rels": rels, "word/document2.xml": main})
    assert parsed(PARSER, content).text == "strict\n"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "damaged"),
        (b"no zip at all", "damaged"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "encrypted"),
        (docx(p("x"))[:200], "damaged"),
        (zipped({"a.txt": "x"}), "no body"),
        (zipped({"word/document.xml": "<w:oops"}), "not readable XML"),
    ],
)
def test_what_is_no_word_document_says_so(content: bytes, reason: str) -> None:
    with pytest.raises(CannotRead, match=reason):
        parsed(PARSER, content)


def test_an_empty_document_is_empty() -> None:
    assert read("").text == ""
    assert read("<w:p/><w:tbl/>").blocks == ()


@pytest.mark.parametrize(
    "declared",
    [
        "<!DOCTYPE d [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>",
        "<!DOCTYPE d [<!ENTITY a 'ha'><!ENTITY b '&a;&a;&a;&a;'><!ENTITY x '&b;&b;&b;&b;'>]>",
    ],
)
def test_entities_are_neither_fetched_nor_expanded(declared: str) -> None:
    main = declared + word_part("document", f"<w:body>{p('&x;')}</w:body>")
    with pytest.raises(CannotRead, match="entities"):
        parsed(PARSER, zipped({"word/document.xml": main}))


def test_a_bomb_is_refused_before_it_is_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = zipped({"word/document.xml": b" " * 5_000_000})
    assert len(bomb) < 10_000
    monkeypatch.setattr(zip_members.ZipMembers.__init__, "__kwdefaults__", {"limit": 1_000_000})
    with pytest.raises(CannotRead, match="unpacks to more than"):
        parsed(PARSER, bomb)


def test_deep_nesting_is_refused_or_read_but_never_a_crash() -> None:
    with pytest.raises(CannotRead):
        read("<w:sdt>" * 400 + "</w:sdt>" * 400)
    nested = cell("deep")
    for _ in range(50):
        nested = f"<w:tc><w:tbl><w:tr>{nested}{cell('x')}</w:tr></w:tbl></w:tc>"
    assert "deep" in read(f"<w:tbl><w:tr>{nested}{cell('y')}</w:tr></w:tbl>").text


def test_absurd_numbers_cost_nothing() -> None:
    document = read(
        f"<w:tbl><w:tr>{cell('a', spans(999_999))}{cell('b')}</w:tr>"
        f"<w:tr><w:trPr><w:gridBefore w:val='-5'/></w:trPr>{cell('c')}</w:tr></w:tbl>"
    )
    assert [words for _, _, words in shown(document)] == ["a | b", "c"]


FRAGMENTS = st.recursive(
    st.sampled_from(
        [
            p("words"),
            p("head", style("H1")),
            p("item", member(1, 0)),
            "<w:p/>",
            "<w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>",
            f"<w:p><w:r><w:t>x</w:t></w:r>{text_box('box')}</w:p>",
            "<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>a b</w:t></w:r></w:p>",
            "<w:p><w:r><w:footnoteReference w:id='1'/></w:r></w:p>",
        ]
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map("".join),
        st.lists(inner, min_size=1, max_size=3).map(
            lambda cells: (
                "<w:tbl><w:tr>"
                + "".join(f"<w:tc>{words}</w:tc>" for words in cells)
                + "</w:tr><w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr>"
                + cells[0]
                + "</w:tc></w:tr></w:tbl>"
            )
        ),
        inner.map(lambda words: f"<w:sdt><w:sdtContent>{words}</w:sdtContent></w:sdt>"),
    ),
    max_leaves=12,
)


@settings(max_examples=60)
@given(FRAGMENTS)
def test_any_document_keeps_the_promises(body: str) -> None:
    document = read(body, styles=HEADING, numbering=numbering(("decimal", "%1.")))
    assert all(block.kind is not BlockKind.MESSAGE for block in document.blocks)


@settings(max_examples=60)
@given(st.data())
def test_damaged_bytes_are_read_or_refused(data: st.DataObject) -> None:
    content = bytearray(docx(p("words") + p("Head", style("H1")), styles=HEADING))
    for _ in range(data.draw(st.integers(1, 5))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    with suppress(CannotRead):
        parsed(PARSER, bytes(content))


def test_a_member_with_a_password_is_refused() -> None:
    content = bytearray(docx(p("x")))
    with zipfile.ZipFile(io.BytesIO(bytes(content))) as archive:
        offsets = [entry.header_offset for entry in archive.infolist()]
    for offset in offsets:
        content[offset + 6] |= 1
    start = content.find(b"PK\x01\x02")
    while start >= 0:
        content[start + 8] |= 1
        start = content.find(b"PK\x01\x02", start + 4)
    with pytest.raises(CannotRead, match="encrypted"):
        parsed(PARSER, bytes(content))
