from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tipstaff.citation.places import CitableDocument
from tipstaff.contracts.parsers import faults_of
from tipstaff.domain.citation import Passage
from tipstaff.domain.clean_text import clean
from tipstaff.domain.document import Document
from tipstaff.domain.location import read_location
from tipstaff.parse import delimited
from tipstaff.parse.parser import Source


def parse(text: str | bytes, media_type: str = "text/csv") -> Document:
    content = text.encode() if isinstance(text, str) else text
    document = delimited.parse(Source(content=content, name="x.csv", media_type=media_type))
    assert faults_of(document) == []
    return document


def rows(document: Document) -> list[list[tuple[str, str]]]:
    return [
        [(cell.header, document.words(cell.span)) for cell in document.cells.within(block.span)]
        for block in document.blocks
    ]


def at(document: Document, location: str) -> str:
    found = CitableDocument("item", document).resolve(read_location(location))
    assert isinstance(found, Passage), found
    return found.text


def test_quoted_fields_delimiters_and_line_breaks_are_one_cell() -> None:
    text = (
        'Name,Amount,"Note, long",Date\r\n'
        '"Smith, John","1,200","He said ""hi""\r\ntwice",2024-01-02\r\n'
        ",5,,\r\n"
    )
    document = parse(text)
    assert document.text == text
    assert rows(document) == [
        [("", "Name"), ("", "Amount"), ("", "Note, long"), ("", "Date")],
        [
            ("Name", "Smith, John"),
            ("Amount", "1,200"),
            ("Note, long", 'He said ""hi""\r\ntwice'),
            ("Date", "2024-01-02"),
        ],
        [("Amount", "5")],
    ]
    assert [str(block.location) for block in document.blocks] == [
        "Sheet1:A1-D1",
        "Sheet1:A2-D2",
        "Sheet1:B3",
    ]
    assert clean(document).text == (
        'Name,Amount,Note, long,Date\r\nSmith, John,1,200,He said "hi"\r\ntwice,2024-01-02\r\n5\r\n'
    )


def test_cells_and_lines_both_resolve() -> None:
    document = parse("item,cost\nrent,10\nfood,20\n")
    assert document.lines_are_the_files
    assert at(document, "B2") == "10"
    assert at(document, "prices:A2-B3") == "rent,10\nfood,20"
    assert at(document, "L3") == "food,20"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a;b\n1,5;2,5\n", "2,5"),
        ("a\tb\n1, 2\t3, 4\n", "3, 4"),
        ("a|b\nx,y,z|4\n", "4"),
        ("sep=;\r\na;b\r\n1;2\r\n", "2"),
        ("\ufeffa,b\n1,2", "2"),
        ('"a" , "b"\n"1" , "2"\n', "2"),
    ],
)
def test_the_delimiter_is_found(text: str, expected: str) -> None:
    assert at(parse(text), "B2") == expected


def test_tabs_win_in_a_file_that_says_so() -> None:
    document = parse("one, two\tthree\nfour, five\tsix\n", "text/tab-separated-values")
    assert at(document, "A2") == "four, five"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_any_encoding_is_read(encoding: str) -> None:
    assert at(parse("Größe;Preis\nKöln;5 €\n".encode(encoding)), "Sheet1:B2") == "5 €"


def test_a_quotation_mark_that_never_closes_is_text() -> None:
    document = parse('a,b\n"broken,2\n5" pipe,3\n')
    assert [[text for _, text in row] for row in rows(document)] == [
        ["a", "b"],
        ['"broken', "2"],
        ['5" pipe', "3"],
    ]


def test_one_column_and_nothing_at_all_are_read() -> None:
    assert [[text for _, text in row] for row in rows(parse("one\n\ntwo\n"))] == [["one"], ["two"]]
    assert parse("").blocks == ()
    assert parse(",,\n\n,").blocks == ()


def test_a_row_wider_than_any_sheet_is_cited_by_line() -> None:
    document = delimited.parse(
        Source(content=b"x," * 20_000 + b"y", name="x.csv", media_type="text/csv")
    )
    assert str(document.blocks[0].location) == "L1"


def test_many_stray_quotation_marks_take_no_time() -> None:
    for text in ('"x,' * 100_000, '"' * 100_001, '"x""y,' * 50_000):
        document = delimited.parse(
            Source(content=text.encode(), name="x.csv", media_type="text/csv")
        )
        assert document.text == text


@given(
    st.lists(
        st.lists(st.text('ab1,;|\t"\n\r é', max_size=8), min_size=2, max_size=4),
        min_size=1,
        max_size=6,
    )
)
def test_what_csv_writers_write_is_read_back(table: list[list[str]]) -> None:
    buffer = io.StringIO()
    csv.writer(buffer, quoting=csv.QUOTE_ALL).writerows(table)
    document = parse("x,y,z,w\n" + buffer.getvalue())
    found = {cell.cell: document.words(cell.span) for cell in document.cells if cell.cell.row > 1}
    expected = {
        (row, column): text.replace('"', '""')
        for row, fields in enumerate(table, start=2)
        for column, text in enumerate(fields, start=1)
        if text.strip()
    }
    assert {(cell.row, cell.column): text for cell, text in found.items()} == expected


@given(st.text('ab1,;|\t"\n\r é=', max_size=200))
def test_any_text_keeps_the_promises(text: str) -> None:
    parse(text)
