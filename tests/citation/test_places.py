"""Every form of TIP §5.1 resolved in a document, or the reason why it does not exist."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tipstaff.citation.places import CitableDocument
from tipstaff.domain.citation import Passage, Unresolved
from tipstaff.domain.document import BlockKind, Document, Page, PageBox, Sheet, Span
from tipstaff.domain.location import (
    Cell,
    CellRange,
    DataPath,
    Element,
    Pages,
    Section,
    Slides,
    TimeRange,
    WholeItem,
    read_location,
)
from tipstaff.parse.building import DocumentBuilder


def contract() -> Document:
    builder = DocumentBuilder()
    builder.paragraph("Preamble.")
    builder.heading("1. Definitions", 1)
    builder.paragraph("A means a.")
    builder.paragraph("B means b.")
    builder.heading("2. Payment Terms", 1)
    table = builder.table()
    header = builder.header_ids(["Fee", "Amount"])
    builder.row(["Fee", "Amount"], table=table, row=1, header=header)
    builder.row(["Setup", "$500"], table=table, row=2, header=header)
    builder.heading("2.1 Notice", 2)
    builder.paragraph("Thirty days.")
    builder.heading("3. Term", 1)
    builder.heading("Notice", 2)
    builder.paragraph("Sixty days.")
    return builder.build()


def pages() -> Document:
    builder = DocumentBuilder()
    for number in (1, 2, 3):
        start = builder.position
        builder.block(BlockKind.HEADING, f"Page title {number}", Pages(number, number), level=1)
        for text in ("first", "second"):
            span = builder.block(BlockKind.PARAGRAPH, f"{text} on {number}", Pages(number, number))
            builder.boxes.add(span.start, span.end, PageBox(number, 10, 20, 60, 30))
        builder.pages.append(Page(number, Span(start, builder.position), 600, 800))
    return builder.build()


def workbook() -> Document:
    builder = DocumentBuilder()
    for table, name in ((1, "Q3"), (2, "Run Cost")):
        builder.sheets.append(Sheet(name, table))
        for row in (2, 3):
            builder.row(
                [f"{name}-{row}-B", f"{name}-{row}-C"],
                table=table,
                row=row,
                columns=[2, 3],
                kind=BlockKind.CELL_RANGE,
                location=CellRange(name, Cell(2, row), Cell(3, row)),
            )
    return builder.build()


def transcript() -> Document:
    builder = DocumentBuilder()
    for start in (0, 10_000, 20_000):
        place = TimeRange(start, start + 8_000)
        builder.block(BlockKind.TRANSCRIPT_SEGMENT, f"said at {start}", place)
    return builder.build(duration_ms=30_000)


def late_segment() -> Document:
    builder = DocumentBuilder()
    builder.block(BlockKind.TRANSCRIPT_SEGMENT, "after a pause", TimeRange(3_180, 4_480))
    return builder.build(duration_ms=5_000)


def mail() -> Document:
    builder = DocumentBuilder()
    for number in (1, 2):
        place = WholeItem(Element("message", number))
        builder.block(BlockKind.MESSAGE, f"From: {number}", place)
        for paragraph in (1, 2):
            builder.block(
                BlockKind.PARAGRAPH,
                f"text {number}.{paragraph}",
                Section(f"message-{number}", Element("para", paragraph)),
            )
    return builder.build()


def slides() -> Document:
    builder = DocumentBuilder()
    for number in (1, 2, 4):
        builder.block(BlockKind.PARAGRAPH, f"slide {number}", Slides(number, number))
    return builder.build()


def data() -> Document:
    builder = DocumentBuilder()
    for path in ("$.api.rateLimit.max", "$.api.keys[0]", "$.api.keys[1]", "$['odd key']"):
        builder.block(BlockKind.DATA_NODE, f"at {path}", DataPath(path))
    return builder.build()


def blank_page() -> Document:
    builder = DocumentBuilder()
    span = builder.block(BlockKind.PARAGRAPH, "words", Pages(1, 1))
    builder.pages.append(Page(1, Span(span.start, builder.position), 600, 800))
    builder.pages.append(Page(2, Span(builder.position, builder.position), 600, 800))
    builder.notes.append("Page 2 is a scan and was not read.")
    return builder.build()


def one_sheet() -> Document:
    builder = DocumentBuilder()
    builder.sheets.append(Sheet("Staffing", 1))
    place = CellRange("Staffing", Cell(2, 2), Cell(2, 2))
    builder.row(["7"], table=1, row=2, columns=[2], kind=BlockKind.CELL_RANGE, location=place)
    return builder.build()


def doubled_headings() -> Document:
    builder = DocumentBuilder()
    for title in ("1. Definitions", "2. Payment"):
        builder.heading(title, 1)
        builder.heading("Terms", 2)
        builder.paragraph(f"terms of {title}")
    return builder.build()


def numbered_headings() -> Document:
    builder = DocumentBuilder()
    for number, title in ((1, "Repayment"), (2, "Payment")):
        builder.heading(f"{number}. {title}", 1)
        builder.heading(f"{number}.1 Terms", 2)
        builder.paragraph("net thirty" if number == 2 else "at once")
    return builder.build()


FOUND = [
    (doubled_headings, "payment:terms", "terms of 2. Payment"),
    (doubled_headings, "payment-terms", "terms of 2. Payment"),
    (doubled_headings, "2-payment-terms", "terms of 2. Payment"),
    (doubled_headings, "terms-2", "terms of 2. Payment"),
    (doubled_headings, "definitions:terms", "terms of 1. Definitions"),
    (numbered_headings, "payment:terms", "net thirty"),
    (numbered_headings, "2-payment-2-1-terms", "net thirty"),
    (late_segment, "t0:00:03", "after a pause"),
    (contract, "", "Preamble."),
    (contract, "definitions", "1. Definitions\nA means a.\nB means b.\n"),
    (contract, "1-definitions", "1. Definitions"),
    (contract, "section-1", "1. Definitions"),
    (contract, "Payment Terms", "2. Payment Terms"),
    (contract, "payment-terms", "Thirty days."),
    (contract, "definitions:para-2", "B means b."),
    (contract, "payment-terms:table-1", "Fee | Amount\nSetup | $500"),
    (contract, "para-1", "Preamble."),
    (contract, "table-1", "Setup | $500"),
    (contract, "section-2.1", "Thirty days."),
    (contract, "notice", "Sixty days."),
    (contract, "term:notice", "Sixty days."),
    (contract, "definitions:table-9", "A means a."),
    (contract, "L1", "Preamble."),
    (contract, "L1-2", "Preamble.\n1. Definitions"),
    (pages, "p2", "Page title 2"),
    (pages, "p2:para-2", "second on 2"),
    (pages, "p1-2", "first on 1"),
    (pages, "p2:figure-7", "first on 2"),
    (pages, "page-title-3", "second on 3"),
    (workbook, "Q3:B2-C3", "Q3-2-B | Q3-2-C\nQ3-3-B | Q3-3-C"),
    (workbook, "Q3:C3", "Q3-3-C"),
    (workbook, "q3:B2:C2", "Q3-2-B | Q3-2-C"),
    (workbook, "Run Cost:B2", "Run Cost-2-B"),
    (workbook, "run-cost", "Run Cost-3-C"),
    (transcript, "t0:00:12", "said at 10000"),
    (transcript, "t0:00:05-0:00:21", "said at 0\nsaid at 10000\nsaid at 20000"),
    (mail, "message-2", "From: 2\ntext 2.1\ntext 2.2"),
    (mail, "message-1:para-2", "text 1.2"),
    (slides, "slide-2", "slide 2"),
    (slides, "slide-1-2", "slide 1"),
    (data, "$.api.rateLimit.max", "at $.api.rateLimit.max"),
    (data, "$['api']['keys']", "at $.api.keys[0]\nat $.api.keys[1]"),
    (data, "$.api.keys[1]", "at $.api.keys[1]"),
    (data, "$['odd key']", "at $['odd key']"),
]


@pytest.mark.parametrize(("make", "place", "words"), FOUND)
def test_a_place_leads_to_its_words(make: Callable[[], Document], place: str, words: str) -> None:
    found = CitableDocument("x", make()).resolve(read_location(place))
    assert isinstance(found, Passage), found
    assert words in found.text
    assert found.spans


NOWHERE = [
    (pages, "p99", "p99 of 3"),
    (pages, "p0", "p0 of 3"),
    (pages, "p3-2", "p3-2 of 3"),
    (contract, "p1", "has no pages"),
    (contract, "L999", "L999 of"),
    (contract, "no-such-thing", "no section 'no-such-thing' among: 1. Definitions"),
    (workbook, "Q4:B2", "no sheet 'Q4' among Q3, Run Cost"),
    (workbook, "Q3:Z9", "are empty"),
    (contract, "Q3:B2", "has no cells"),
    (transcript, "t9:00:00", "of t0:00:30"),
    (transcript, "t0:00:09", "nothing is said"),
    (blank_page, "p2", "no text at this place (Page 2 is a scan"),
    (one_sheet, "Wrong:B2", "no sheet 'Wrong'"),
    (contract, "t0:00:01", "has no times"),
    (slides, "slide-9", "slide-9 of 4"),
    (slides, "slide-3", "no text on slide-3"),
    (mail, "message-7", "message-7 of 2"),
    (data, "$.nothing", "nothing at $.nothing"),
]


@pytest.mark.parametrize(("make", "place", "reason"), NOWHERE)
def test_a_place_that_does_not_exist_says_why(
    make: Callable[[], Document], place: str, reason: str
) -> None:
    found = CitableDocument("x", make()).resolve(read_location(place))
    assert isinstance(found, Unresolved), found
    assert reason in found.reason


def test_a_passage_on_a_page_has_its_box() -> None:
    found = CitableDocument("x", pages()).resolve(read_location("p2:para-1"))
    assert isinstance(found, Passage)
    assert found.boxes == (PageBox(2, 10, 20, 60, 30),)


def test_words_of_one_line_share_a_box() -> None:
    builder = DocumentBuilder()
    for index, word in enumerate(("one", "two", "three")):
        span = builder.write(word)
        top = 20 if index < 2 else 40
        builder.boxes.add(
            span.start, span.end, PageBox(1, 10 + 30 * index, top, 35 + 30 * index, top + 10)
        )
        builder.write(" ")
    boxes = builder.boxes.lines(Span(0, builder.position))
    assert boxes == (PageBox(1, 10, 20, 65, 30), PageBox(1, 70, 40, 95, 50))
