from __future__ import annotations

import datetime as dt
import io
import re
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
import xlsxwriter
import xlwt
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import MERIDIAN
from tipstaff.citation.places import CitableDocument
from tipstaff.contracts.parsers import faults_of
from tipstaff.domain.citation import Passage
from tipstaff.domain.clean_text import clean
from tipstaff.domain.document import Document, MarkKind
from tipstaff.domain.location import read_location
from tipstaff.media_type import sniff
from tipstaff.parse import workbook
from tipstaff.parse.codec import decode, encode
from tipstaff.parse.parser import CannotRead, Source
from tipstaff.parse.registry import parser_for

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def parse(content: bytes, name: str = "x.xlsx") -> Document:
    document = workbook.parse(Source(content=content, name=name, media_type=XLSX))
    assert faults_of(document) == []
    return document


def made(fill: Callable[[Any], None], **options: object) -> bytes:
    buffer = io.BytesIO()
    with xlsxwriter.Workbook(buffer, {"in_memory": True, **options}) as book:
        fill(book)
    return buffer.getvalue()


def edited(content: bytes, **parts: Callable[[str], str]) -> bytes:
    """The same file with parts changed; `sheet1` stands for xl/worksheets/sheet1.xml."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(buffer, "w") as new:
        for name in old.namelist():
            text = old.read(name)
            change = parts.get(name.rpartition("/")[2].removesuffix(".xml"))
            new.writestr(name, change(text.decode()) if change else text)
    return buffer.getvalue()


def sheet_of(*rows: list[object]) -> bytes:
    def fill(book: Any) -> None:
        sheet = book.add_worksheet("Data")
        for number, row in enumerate(rows):
            sheet.write_row(number, 0, row)

    return made(fill)


def shown(document: Document) -> list[tuple[str, str]]:
    return [(str(block.location), document.text_of(block)) for block in document.blocks]


def pairs(document: Document, location: str) -> list[tuple[str, str]]:
    block = next(block for block in document.blocks if str(block.location) == location)
    return [(cell.header, document.words(cell.span)) for cell in document.cells.within(block.span)]


def at(document: Document, location: str) -> str:
    found = CitableDocument("item", document).resolve(read_location(location))
    assert isinstance(found, Passage), found
    return found.text


def quarters(book: Any) -> None:
    """A table at C5 under merged titles, with a hidden sheet behind it."""
    sheet = book.add_worksheet("Plan")
    bold = book.add_format({"bold": True})
    money = book.add_format({"num_format": "$#,##0"})
    percent = book.add_format({"num_format": "0%"})
    sheet.merge_range("C3:F3", "Quarterly plan", bold)
    sheet.write("C5", "Region", bold)
    sheet.merge_range("D5:E5", "2024", bold)
    sheet.merge_range("F5:G5", "2025", bold)
    sheet.write_row("D6", ["Plan", "Actual", "Plan", "Share"], bold)
    for row, (name, *numbers) in enumerate([("North", 100, 90, 1225000), ("South", 50, 60, 70)], 7):
        sheet.write(f"C{row}", name)
        sheet.write_row(f"D{row}", numbers, money)
        sheet.write_formula(f"G{row}", f"=F{row}/SUM(F$7:F$8)", percent, 0.25 * row)
    secret = book.add_worksheet("Assumptions")
    secret.hide()
    secret.write_row("B2", ["Margin", 0.4])


def test_a_table_at_c5_keeps_its_references_headers_values_and_formulas() -> None:
    document = parse(made(quarters))
    assert shown(document) == [
        ("Plan:C3", "Quarterly plan"),
        ("Plan:C5-F5", "Region | 2024 | 2025"),
        ("Plan:D6-G6", "Plan | Actual | Plan | Share"),
        ("Plan:C7-G7", "North | $100 | $90 | $1,225,000 | 175%"),
        ("Plan:C8-G8", "South | $50 | $60 | $70 | 200%"),
        ("Assumptions:B2-C2", "Margin | 0.4"),
    ]
    assert pairs(document, "Plan:C7-G7") == [
        ("Region", "North"),
        ("2024 Plan", "$100"),
        ("2024 Actual", "$90"),
        ("2025 Plan", "$1,225,000"),
        ("2025 Share", "175%"),
    ]
    share = next(cell for cell in document.cells if str(cell.cell) == "G7")
    assert (share.value, share.formula) == ("1.75", "=F7/SUM(F$7:F$8)")
    assert [block.headings for block in document.blocks][-1] == ("Assumptions",)
    assert at(document, "Plan:F7") == "$1,225,000"
    assert at(document, "Plan:D7-E8") == "$100 | $90\n$50 | $60"


def test_a_cell_inside_merged_cells_shows_their_text_and_says_so() -> None:
    def fill(book: Any) -> None:
        sheet = book.add_worksheet("S")
        sheet.write_row("A1", ["a", "b", "c", "d"])
        sheet.merge_range("B2:C4", "Agreed")
        sheet.write_row("D2", ["x"])
        sheet.write_row("D3", ["y"])

    document = decode(encode(parse(made(fill))))

    def passage(location: str) -> Passage:
        found = CitableDocument("item", document).resolve(read_location(location))
        assert isinstance(found, Passage), found
        return found

    assert (passage("S:B2").text, passage("S:B2").note) == ("Agreed", None)
    assert (passage("S:B2-D3").text, passage("S:B2-D3").note) == ("Agreed | x\ny", None)
    assert passage("S:C4").text == "Agreed"
    assert passage("S:C4").note == (
        "this cell is part of the merged cells B2-C4, whose text this is"
    )
    assert document.words(passage("C4").spans[0]) == "Agreed"
    assert passage("S:C3-D3").text == "Agreed\ny"
    assert passage("S:C3-D3").note == (
        "some of these cells are part of the merged cells B2-C4, whose text is included"
    )
    assert passage("S:D3").note is None
    empty = CitableDocument("item", document).resolve(read_location("S:D4"))
    assert "empty" in getattr(empty, "reason", "")


def test_a_hidden_sheet_is_kept_and_marked() -> None:
    document = parse(made(quarters))
    assert [(sheet.name, sheet.hidden) for sheet in document.sheets] == [
        ("Plan", False),
        ("Assumptions", True),
    ]
    (mark,) = document.marks
    assert mark.reason == "hidden sheet 'Assumptions'"
    assert document.words(mark.span) == "Margin | 0.4"
    assert "Margin" not in clean(document).text


def test_hidden_rows_columns_and_invisible_styles_are_marked() -> None:
    def fill(book: Any) -> None:
        sheet = book.add_worksheet("S")
        for row in range(5):
            sheet.write_row(row, 0, [f"a{row}", f"b{row}", f"c{row}"])
        sheet.set_row(1, None, None, {"hidden": True})
        sheet.set_row(2, None, None, {"hidden": True})
        sheet.set_column("B:B", None, None, {"hidden": True})
        sheet.write("D5", 7, book.add_format({"num_format": ";;;"}))
        sheet.write("E5", "white", book.add_format({"font_color": "white"}))
        dark = book.add_format({"font_color": "white", "bg_color": "navy"})
        sheet.write("F5", "title", dark)

    document = parse(made(fill))
    marked = {mark.reason: document.words(mark.span) for mark in document.marks}
    assert marked == {
        "hidden column B of 'S'": "b4 | ",
        "hidden rows 2 to 3 of 'S'": "a1 | b1 | c1\na2 | b2 | c2",
        "a format that shows nothing in cell D5 of 'S'": "7 | ",
        "white text in cell E5 of 'S'": "white | ",
    }
    assert all(mark.kind is MarkKind.HIDDEN for mark in document.marks)
    assert clean(document, document.blocks[4].span).text == "a4 | c4 | title"


def test_numbers_read_as_their_formats_show_them() -> None:
    formats: list[tuple[str, object, str, str | None]] = [
        ("0%", 0.25, "25%", "0.25"),
        ("$#,##0", 1225000, "$1,225,000", "1225000"),
        ("[$€-407] #,##0.00", 1234.5, "€ 1,234.50", "1234.5"),
        ("#,##0_);(#,##0)", -1234, "(1,234)", "-1234"),
        ("yyyy-mm-dd", dt.date(2025, 11, 14), "2025-11-14", None),
        ("d mmm yyyy", dt.date(2025, 11, 14), "14 Nov 2025", "2025-11-14"),
        ("h:mm AM/PM", dt.time(18, 5), "6:05 PM", "18:05:00"),
        ("# ?/?", 2.5, "2 1/2", "2.5"),
        ("0.00E+00", 12345, "1.23E+04", "12345"),
        ("General", 0.1 + 0.2, "0.3", "0.3"),
        ("@", "00123", "00123", None),
    ]

    def fill(book: Any) -> None:
        sheet = book.add_worksheet("S")
        for row, (code, value, _, _) in enumerate(formats):
            write = sheet.write_datetime if isinstance(value, dt.date | dt.time) else sheet.write
            write(row, 1, value, book.add_format({"num_format": code}))
        sheet.write_boolean(20, 1, True)

    document = parse(made(fill))
    cells = list(document.cells)
    assert [document.words(cell.span) for cell in cells[:-1]] == [text for _, _, text, _ in formats]
    values = [None if value == text else value for _, _, text, value in formats]
    assert [cell.value and str(cell.value)[:10] for cell in cells[:-1]] == values
    assert at(document, "B21") == "TRUE"


@pytest.mark.parametrize("from_1904", [False, True])
def test_dates_are_the_same_days_in_both_calendars(from_1904: bool) -> None:
    def fill(book: Any) -> None:
        date = book.add_format({"num_format": "yyyy-mm-dd"})
        book.add_worksheet("S").write_datetime("A1", dt.datetime(2024, 2, 29), date)  # noqa: DTZ001

    assert at(parse(made(fill, date_1904=from_1904)), "S:A1") == "2024-02-29"


def test_tables_below_each_other_have_their_own_headers() -> None:
    document = parse(
        sheet_of(
            ["Costs"], [], ["Item", "Amount"], ["Rent", 10], ["Food", 20], [],
            ["Total", 30], [], ["Person", "Age", "City"], ["Ada", 36, "London"],
            ["Step", "Days", "Owner"], ["Build", 4, "Bo"], [], ["A remark below."],
        )
    )  # fmt: skip
    assert pairs(document, "Data:A4-B4") == [("Item", "Rent"), ("Amount", "10")]
    assert pairs(document, "Data:A7-B7") == [("Item", "Total"), ("Amount", "30")]
    assert pairs(document, "Data:A10-C10") == [("Person", "Ada"), ("Age", "36"), ("City", "London")]
    assert pairs(document, "Data:A12-C12") == [("Step", "Build"), ("Days", "4"), ("Owner", "Bo")]
    assert pairs(document, "Data:A14") == [("", "A remark below.")]
    assert pairs(document, "Data:A9-C9") == [("", "Person"), ("", "Age"), ("", "City")]


def test_a_blank_row_may_stand_below_a_header() -> None:
    document = parse(sheet_of(["Item", "Amount", "Due"], [], ["Rent", 10, "May"], ["Food", 2, "x"]))
    assert pairs(document, "Data:A3-C3") == [("Item", "Rent"), ("Amount", "10"), ("Due", "May")]


def test_years_are_headers_over_numbers_and_a_form_has_none() -> None:
    table = parse(sheet_of(["Region", 2023, 2024], ["North", 5, 6], ["South", 7, 8]))
    assert pairs(table, "Data:A2-C2") == [("Region", "North"), ("2023", "5"), ("2024", "6")]
    form = parse(sheet_of(["Name", "Ada"], ["Born", 1815], ["City", "London"]))
    assert pairs(form, "Data:A2-B2") == [("", "Born"), ("", "1815")]


def test_comments_and_text_boxes_stand_at_their_cells() -> None:
    def fill(book: Any) -> None:
        sheet = book.add_worksheet("S")
        sheet.write_row("A1", ["Item", "Cost"])
        sheet.write_row("A2", ["Rent", 10])
        sheet.write_row("A3", ["Food", 20])
        sheet.write_comment("B2", "Agreed by phone.", {"author": "Ada"})
        sheet.insert_textbox("D3", "Read me")

    document = parse(made(fill))
    assert shown(document)[1:] == [
        ("S:A2-B2", "Rent | 10"),
        ("S:B2", "Agreed by phone."),
        ("S:A3-B3", "Food | 20"),
        ("S:D3", "Read me"),
    ]
    assert document.blocks[2].author == "Ada"
    assert at(document, "S:B2") == "10\nAgreed by phone."
    assert at(document, "S:A2") == "Rent"


def test_formulas_without_a_result_are_shown_and_noted() -> None:
    def strip(xml: str) -> str:
        xml = xml.replace("<v>9</v>", "")
        return xml.replace('<c r="A2">', '<c r="A2" t="str">')

    def fill(book: Any) -> None:
        sheet = book.add_worksheet("S")
        sheet.write_formula("A1", "=1+1", None, 9)
        sheet.write_formula("A2", '=IF(A1>"<",1,"")', None, "")

    document = parse(edited(made(fill), sheet1=strip))
    assert shown(document) == [("S:A1", "=1+1")]
    assert "without a stored result (1)" in document.notes[0]


def test_shared_formulas_are_written_out() -> None:
    def share(xml: str) -> str:
        xml = xml.replace(
            "<f>Z1</f>", '<f t="shared" ref="B1:B2" si="0">A1*$C$1&amp;"A1"&amp;\'A1\'!B7</f>'
        )
        return xml.replace("<f>Z2</f>", '<f t="shared" si="0"/>')

    def fill(book: Any) -> None:
        sheet = book.add_worksheet("S")
        sheet.write_formula("B1", "=Z1", None, 1)
        sheet.write_formula("B2", "=Z2", None, 2)

    document = parse(edited(made(fill), sheet1=share))
    assert [cell.formula for cell in document.cells] == [
        "=A1*$C$1&\"A1\"&'A1'!B7",
        "=A2*$C$1&\"A1\"&'A1'!B8",
    ]


def test_xml_in_any_legal_dress_reads_the_same() -> None:
    content = made(quarters)
    expected = shown(parse(content))

    def prefixed(xml: str) -> str:
        xml = re.sub(r"<(/?)(?=[a-zA-Z])", r"<\1x:", xml)
        return xml.replace("xmlns=", "xmlns:x=").replace("<x:v>", "<!-- <c> --><x:v>")

    assert shown(parse(edited(content, sheet1=prefixed, sharedStrings=prefixed))) == expected

    def nameless(xml: str) -> str:
        return re.sub(r'<c r="([A-Z]+\d+)"([^>/]*)', r'<c\2 r="\1"', xml)

    assert shown(parse(edited(content, sheet1=nameless))) == expected
    cdata = edited(
        sheet_of(["a<b&c", "two\nlines"]),
        sharedStrings=lambda xml: xml.replace("a&lt;b&amp;c", "<![CDATA[a<b&c]]>"),
    )
    assert shown(parse(cdata)) == [("Data:A1-B1", "a<b&c | two lines")]


def test_cells_and_rows_may_leave_out_their_references() -> None:
    def bare(xml: str) -> str:
        return re.sub(r'(<(?:c|row)) r="[A-Z]*\d+"', r"\1", xml)

    content = edited(sheet_of(["a", "b"], ["c", 5]), sheet1=bare)
    assert shown(parse(content)) == [("Data:A1-B1", "a | b"), ("Data:A2-B2", "c | 5")]


def test_entities_are_never_expanded() -> None:
    def bomb(xml: str) -> str:
        declared = '<!DOCTYPE x [<!ENTITY e "boom">]>'
        return xml.replace("?>", "?>" + declared, 1).replace(">a<", ">&e;<")

    with pytest.raises(CannotRead):
        parse(edited(sheet_of(["a", 1]), sharedStrings=bomb))


def test_sheet_names_of_every_kind_can_be_cited() -> None:
    def fill(book: Any) -> None:
        for name in ("It's, Q3", " edges ", "p4", "t1", "Größe"):
            book.add_worksheet(name).write("B2", name.strip())

    document = parse(made(fill))
    assert document.text_of(document.blocks[0]) == "It's, Q3"
    renamed = edited(made(fill), workbook=lambda xml: xml.replace('name="t1"', 'name="P4"'))
    assert [sheet.name for sheet in parse(renamed).sheets][3] == "P4 (2)"


def test_old_xls_files_are_read() -> None:
    book = xlwt.Workbook()
    sheet = book.add_sheet("Old")
    for column, title in enumerate(["Item", "Start", "Share"], start=2):
        sheet.write(4, column, title)
    sheet.write(5, 2, "Rent")
    sheet.write(5, 3, dt.date(2025, 11, 14), xlwt.easyxf(num_format_str="YYYY-MM-DD"))
    sheet.write(5, 4, 0.25, xlwt.easyxf(num_format_str="0%"))
    hidden = book.add_sheet("Away")
    hidden.write(0, 0, "secret")
    hidden.visibility = 1
    buffer = io.BytesIO()
    book.save(buffer)
    document = parse(buffer.getvalue(), "x.xls")
    assert shown(document) == [
        ("Old:C5-E5", "Item | Start | Share"),
        ("Old:C6-E6", "Rent | 2025-11-14 | 25%"),
        ("Away:A1", "secret"),
    ]
    assert pairs(document, "Old:C6-E6")[1] == ("Start", "2025-11-14")
    assert [mark.reason for mark in document.marks] == ["hidden sheet 'Away'"]
    assert [cell.value for cell in document.cells][3:6] == [None, None, "0.25"]
    assert document.notes == (
        "The formulas of this workbook were not read; their stored results were.",
    )


def test_old_xls_files_keep_formats_merged_and_hidden_cells_apart() -> None:
    book = xlwt.Workbook()
    sheet = book.add_sheet("Old", cell_overwrite_ok=True)
    sheet.write_merge(0, 0, 0, 2, "Costs 2003", xlwt.easyxf("font: bold on"))
    for column, title in enumerate(["Item", "Cost", "Due"]):
        sheet.write(1, column, title, xlwt.easyxf("font: bold on"))
    for row, (item, cost) in enumerate([("Rent", 1225000), ("Food", -3.5), ("Gas", 0)], start=2):
        sheet.write(row, 0, item)
        sheet.write(row, 1, cost, xlwt.easyxf(num_format_str="$#,##0.00_);($#,##0.00)"))
        sheet.write(row, 2, dt.date(2003, 5, row), xlwt.easyxf(num_format_str="D MMM YYYY"))
    sheet.row(3).hidden = True
    sheet.col(2).hidden = True
    sheet.write(5, 0, "ghost", xlwt.easyxf("font: color white"))
    sheet.write(5, 1, 7, xlwt.easyxf(num_format_str=";;;"))
    sheet.write(6, 0, True)
    sheet.write(6, 1, 0.1 + 0.2)
    buffer = io.BytesIO()
    book.save(buffer)
    document = parse(buffer.getvalue(), "x.xls")
    assert shown(document) == [
        ("Old:A1", "Costs 2003"),
        ("Old:A2-C2", "Item | Cost | Due"),
        ("Old:A3-C3", "Rent | $1,225,000.00 | 2 May 2003"),
        ("Old:A4-C4", "Food | ($3.50) | 3 May 2003"),
        ("Old:A5-C5", "Gas | $0.00 | 4 May 2003"),
        ("Old:A6-B6", "ghost | 7"),
        ("Old:A7-B7", "TRUE | 0.3"),
    ]
    assert pairs(document, "Old:A3-C3")[1] == ("Cost", "$1,225,000.00")
    values = {str(cell.cell): cell.value for cell in document.cells}
    assert (values["B3"], values["C3"]) == ("1225000", "2003-05-02")
    assert values["B7"] == "0.30000000000000004"
    assert at(document, "Old:C1") == "Costs 2003"
    assert {mark.reason for mark in document.marks} == {
        "hidden row 4 of 'Old'",
        "hidden column C of 'Old'",
        "white text in cell A6 of 'Old'",
        "a format that shows nothing in cell B6 of 'Old'",
    }


ODS = """<?xml version="1.0"?><office:document-content
 xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"
 xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"
 xmlns:dc="http://purl.org/dc/elements/1.1/">
 <office:automatic-styles><style:style style:name="off" style:family="table">
  <style:table-properties table:display="false"/></style:style></office:automatic-styles>
 <office:body><office:spreadsheet>
 <table:table table:name="Plan">
  <table:table-column table:number-columns-repeated="4"/>
  <table:table-column table:visibility="collapse"/>
  <table:table-row table:number-rows-repeated="4"><table:table-cell/></table:table-row>
  <table:table-header-rows><table:table-row>
   <table:table-cell table:number-columns-repeated="2"/>
   <table:table-cell table:number-columns-spanned="2"><text:p>Item</text:p></table:table-cell>
   <table:covered-table-cell/>
   <table:table-cell><text:p>Secret</text:p></table:table-cell>
   <table:table-cell><text:p>Share</text:p></table:table-cell>
  </table:table-row></table:table-header-rows>
  <table:table-row table:number-rows-repeated="2">
   <table:table-cell table:number-columns-repeated="2"/>
   <table:table-cell><text:p>Rent<text:s/>due</text:p></table:table-cell>
   <table:table-cell office:value-type="currency" office:value="10"><text:p>10 €</text:p>
    <office:annotation><dc:creator>Ada</dc:creator><text:p>By phone</text:p></office:annotation>
   </table:table-cell>
   <table:table-cell office:value-type="float" office:value="3"><text:p>3</text:p>
   </table:table-cell>
   <table:table-cell office:value-type="percentage" office:value="0.25"
    table:formula="of:=SUM([.D6:.D7])/[.E6]"><text:p>25%</text:p></table:table-cell>
  </table:table-row>
  <table:table-row table:number-rows-repeated="1048000"><table:table-cell/></table:table-row>
 </table:table>
 <table:table table:name="Away" table:style-name="off"><table:table-row>
  <table:table-cell><text:p>gone</text:p></table:table-cell></table:table-row></table:table>
 </office:spreadsheet></office:body></office:document-content>"""


def ods(content: str, manifest: str = "<manifest/>") -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", content)
        archive.writestr("META-INF/manifest.xml", manifest)
    return buffer.getvalue()


def test_ods_files_show_what_their_cells_show() -> None:
    document = parse(ods(ODS), "x.ods")
    assert shown(document) == [
        ("Plan:C5-F5", "Item | Secret | Share"),
        ("Plan:C6-F6", "Rent due | 10 € | 3 | 25%"),
        ("Plan:D6", "By phone"),
        ("Plan:C7-F7", "Rent due | 10 € | 3 | 25%"),
        ("Plan:D7", "By phone"),
        ("Away:A1", "gone"),
    ]
    assert pairs(document, "Plan:C6-F6")[1:] == [
        ("Item", "10 €"),
        ("Secret", "3"),
        ("Share", "25%"),
    ]
    share = next(cell for cell in document.cells if str(cell.cell) == "F6")
    assert (share.value, share.formula) == ("0.25", "=SUM(D6:D7)/E6")
    assert {mark.reason for mark in document.marks} == {
        "hidden sheet 'Away'",
        "hidden column E of 'Plan'",
    }


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"not a workbook",
        b"PK\x03\x04garbage",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(2000),
        sheet_of(["a"])[:900],
        ods("<broken"),
    ],
)
def test_what_is_no_workbook_is_refused_in_words(content: bytes) -> None:
    with pytest.raises(CannotRead) as refused:
        parse(content)
    assert refused.value.reason.endswith(".")
    assert refused.value.suggestion.endswith(".")


@pytest.mark.parametrize(
    "content",
    [
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600) + "EncryptedPackage".encode("utf-16-le"),
        ods(ODS, "<manifest:encryption-data/>"),
    ],
)
def test_encrypted_workbooks_say_so(content: bytes) -> None:
    assert parser_for(sniff(content, "x.xlsx", whole=io.BytesIO(content))) is workbook.PARSER
    with pytest.raises(CannotRead, match="encrypted"):
        parse(content)


def test_a_missing_or_damaged_part_costs_only_itself() -> None:
    content = made(quarters)
    broken = edited(content, styles=lambda _: "<oops", sheet2=lambda _: "<!DOCTYPE x><worksheet/>")
    document = parse(broken)
    assert at(document, "Plan:F7") == "1225000"
    assert [note.split(":")[0] for note in document.notes] == [
        "Numbers are shown as stored, without their formats",
        "The sheet 'Assumptions' was not read",
    ]


def test_an_empty_workbook_has_no_blocks() -> None:
    document = parse(made(lambda book: book.add_worksheet("S")))
    assert (document.text, document.blocks) == ("", ())
    assert [sheet.name for sheet in document.sheets] == ["S"]


def test_many_like_rows_read_as_each_row_alone() -> None:
    def fill(book: Any) -> None:
        sheet = book.add_worksheet("S")
        money = book.add_format({"num_format": "$#,##0.00"})
        sheet.write_row(0, 0, ["Id", "Cost", "Double"])
        for row in range(1, 60):
            sheet.write(row, 0, row)
            sheet.write(row, 1, "n/a" if row == 40 else row / 4, money)
            sheet.write_formula(row, 2, f"=B{row + 1}*2", money, row / 2)

    document = parse(made(fill))
    assert at(document, "S:A60-C60") == "59 | $14.75 | $29.50"
    assert pairs(document, "S:A41-C41") == [("Id", "40"), ("Cost", "n/a"), ("Double", "$20.00")]
    assert [cell.formula for cell in document.cells if str(cell.cell) == "C60"] == ["=B60*2"]


def test_the_reference_budget_reads_as_an_analyst_expects() -> None:
    document = parse((MERIDIAN / "context" / "budget-spreadsheet.xlsx").read_bytes())
    assert pairs(document, "Vendors:C6-G6") == [
        ("Ref", "V-01"),
        ("Vendor", "Tarnfield Systems"),
        ("Item", "Subscription, year 1"),
        ("Basis", "420 named users"),
        ("Amount", "$612,000"),
    ]
    assert at(document, "Summary:B2") == "2025-11-14"
    assert at(document, "Contingency:B5") == "15.0%"


@given(
    st.lists(
        st.sampled_from(
            ['<row r="2">', "<row>", "</row>", '<c r="B2" t="s">', "<c>", "<v>0</v>", "</c>", "<v>",
             '<c r="A9" s="3"/>', "<f>A1</f>", '<f t="shared" si="0"/>', "<is><t>x", "</t></is>",
             '<c t="inlineStr">', '<c r="ZZZ1">', "7", "&#55555555;", "&lt;", " ", "<row/>"]
        ),
        max_size=40,
    )
)  # fmt: skip
def test_any_sheet_markup_keeps_the_promises(pieces: list[str]) -> None:
    body = f"<sheetData>{''.join(pieces)}</sheetData>"
    content = edited(_SMALL, sheet1=lambda xml: re.sub("<sheetData.*</sheetData>", body, xml))
    parse(content)


_SMALL = sheet_of(["text", 1])


def placed(cells: dict[str, object]) -> bytes:
    def fill(book: Any) -> None:
        sheet = book.add_worksheet("Data")
        for place, row in cells.items():
            sheet.write_row(place, row)

    return made(fill)


def test_tables_side_by_side_have_their_own_headers() -> None:
    staggered = parse(
        placed(
            {
                "A1": ["Item", "Amount"], "A2": ["Rent", 10], "A3": ["Food", 20],
                "A4": ["Heat", 30], "A5": ["Water", 40],
                "D3": ["Person", "Age"], "D4": ["Ada", 36], "D5": ["Bo", 40], "D6": ["Cy", 50],
                "A7": ["Step", "Days"], "A8": ["Build", 4], "D7": ["Di", 60], "D8": ["Ed", 70],
            }
        )
    )  # fmt: skip
    assert pairs(staggered, "Data:A2-B2") == [("Item", "Rent"), ("Amount", "10")]
    assert pairs(staggered, "Data:A3-E3") == [
        ("Item", "Food"), ("Amount", "20"), ("", "Person"), ("", "Age"),
    ]  # fmt: skip
    assert pairs(staggered, "Data:A5-E5") == [
        ("Item", "Water"), ("Amount", "40"), ("Person", "Bo"), ("Age", "40"),
    ]  # fmt: skip
    assert pairs(staggered, "Data:D6-E6") == [("Person", "Cy"), ("Age", "50")]
    assert pairs(staggered, "Data:A8-E8") == [
        ("Step", "Build"), ("Days", "4"), ("Person", "Ed"), ("Age", "70"),
    ]  # fmt: skip
    level = parse(
        placed({"A1": ["Item", "Amount"], "A2": ["Rent", 10], "A3": ["Food", 20],
                "D1": ["Person", "Age"], "D2": ["Ada", 36]})
    )  # fmt: skip
    assert pairs(level, "Data:A2-E2") == [
        ("Item", "Rent"), ("Amount", "10"), ("Person", "Ada"), ("Age", "36"),
    ]  # fmt: skip


def test_a_table_over_the_whole_width_ends_tables_side_by_side() -> None:
    document = parse(
        placed(
            {
                "A1": ["Item", "Amount"], "A2": ["Rent", 10], "A3": ["Food", 20],
                "D2": ["Person", "Age"], "D3": ["Ada", 36],
                "A5": ["Id", "Name", "Price", "Count"], "A6": [1, "Pen", 2, 3],
            }
        )
    )  # fmt: skip
    assert pairs(document, "Data:A3-E3")[2:] == [("Person", "Ada"), ("Age", "36")]
    assert pairs(document, "Data:A6-D6") == [
        ("Id", "1"), ("Name", "Pen"), ("Price", "2"), ("Count", "3"),
    ]  # fmt: skip


def test_an_empty_column_inside_one_table_parts_nothing() -> None:
    document = parse(
        placed({"A1": ["Region", "Code"], "D1": ["Plan", "Actual"], "A2": ["North", "N"],
                "A3": ["South", "S"], "D3": [5, 6], "A4": ["East", "E"], "D4": ["n/a", "none"]})
    )  # fmt: skip
    assert pairs(document, "Data:A3-E3") == [
        ("Region", "South"), ("Code", "S"), ("Plan", "5"), ("Actual", "6"),
    ]  # fmt: skip


def test_an_old_workbook_with_a_password_says_so() -> None:
    head = b"\x09\x08\x10\x00\x00\x06\x05\x00" + b"\x00" * 12
    content = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 504 + head + b"\x2f\x00\x36\x00"
    with pytest.raises(CannotRead, match=r"The workbook is encrypted\."):
        parse(content, "x.xls")


def test_a_workbook_that_makes_its_library_panic_is_damaged_and_no_crash(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class PanicException(BaseException):
        pass

    class Panicking:
        @staticmethod
        def from_filelike(_: object) -> None:
            raise PanicException("range start index 4 out of range")

    monkeypatch.setattr("tipstaff.parse.calamine_sheets.CalamineWorkbook", Panicking)
    with pytest.raises(CannotRead, match=r"The file is damaged or is no workbook\."):
        parse(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "x.xls")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a.xlsb", "spreadsheetml.sheet"),
        ("a.xlsm", "spreadsheetml.sheet"),
        ("a.docx", "wordprocessingml.document"),
        ("a.DOCM", "wordprocessingml.document"),
        ("a.pptm", "presentationml.presentation"),
    ],
)
def test_an_encrypted_office_file_reaches_the_parser_that_says_so(name: str, kind: str) -> None:
    head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le")
    found = sniff(head, name)
    assert found.endswith(kind)
    parser = parser_for(found)
    assert parser is not None
    with pytest.raises(CannotRead, match="encrypted"):
        parser.parse(Source(content=head, name=name, media_type=found))
