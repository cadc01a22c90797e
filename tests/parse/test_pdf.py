from __future__ import annotations

import contextlib
import warnings
from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw
from reportlab.pdfgen.canvas import Canvas

from tests.conftest import MERIDIAN
from tests.parse import pdf_files as files
from tests.parse.pdf_files import lines, pdf
from tipstaff.citation.places import CitableDocument
from tipstaff.contracts.parsers import faults_of
from tipstaff.domain.citation import Passage
from tipstaff.domain.clean_text import clean
from tipstaff.domain.document import Document, MarkKind, PageBox, Span
from tipstaff.domain.location import Pages, read_location
from tipstaff.parse import pdf as pdf_parser
from tipstaff.parse.page_document import PageContent, document_of
from tipstaff.parse.page_text import Vocabulary, text_of
from tipstaff.parse.page_words import Word, turned
from tipstaff.parse.parser import CannotRead, Source
from tipstaff.parse.pdf_render import render_page


def parse(content: bytes) -> Document:
    document = pdf_parser.parse(Source(content=content, name="x.pdf", media_type="application/pdf"))
    assert faults_of(document) == []
    return document


def shown(document: Document) -> list[tuple[str, str]]:
    blocks = [(str(block.kind), clean(document, block.span).text) for block in document.blocks]
    return [(kind, text) for kind, text in blocks if text]


def boxes(document: Document, words: str) -> list[PageBox]:
    start = document.text.index(words)
    return [box for _, box in document.boxes.words(Span(start, start + len(words)))]


def ink_in(content: bytes, box: PageBox) -> float:
    """The part of a box that is dark on the drawn page."""
    image = Image.open(BytesIO(render_page(content, box.page, 2.0))).convert("L")
    area = image.crop((round(box.left * 2), round(box.top * 2),
                       round(box.right * 2), round(box.bottom * 2)))  # fmt: skip
    histogram = area.histogram()
    return sum(histogram[:128]) / max(1, sum(histogram))


def test_boxes_hold_all_the_ink_of_a_turned_and_cropped_page() -> None:
    content = pdf(files.turned_and_cropped)
    document = parse(content)
    assert (document.pages[0].width, document.pages[0].height) == (500, 300)
    assert shown(document) == [
        ("paragraph", "Upper left words"),
        ("paragraph", "Lower right words"),
    ]
    upper = boxes(document, "Upper")[0]
    assert [upper.left, upper.bottom] == pytest.approx([50, 52.5], abs=0.5)
    lower = boxes(document, "Lower")[0]
    assert [lower.left, lower.bottom] == pytest.approx([350, 282.5], abs=0.5)
    image = Image.open(BytesIO(render_page(content, 1, 2.0))).convert("L")
    assert image.size == (1000, 600)
    painted = ImageDraw.Draw(image)
    for _, box in document.boxes.words(Span(0, len(document.text))):
        assert ink_in(content, box) > 0.05
        painted.rectangle([box.left * 2 - 1, box.top * 2, box.right * 2 + 1, box.bottom * 2], 255)
    assert image.getextrema() == (255, 255)


def test_two_columns_are_read_one_after_the_other_whatever_the_order_of_the_file() -> None:
    document = parse(pdf(files.two_columns))
    assert shown(document) == [
        ("paragraph", "A Journal of Storage"),
        ("heading", "On Warehouses, Ships and the Sea at Large"),
        ("paragraph", " ".join([*files.LEFT_COLUMN, files.RIGHT_COLUMN[0]])),
        ("paragraph", " ".join(files.RIGHT_COLUMN[1:])),
        (
            "paragraph",
            "Both columns are over now and this line runs across the whole page again.",
        ),
        ("paragraph", "Page 1"),
    ]


def test_three_columns_are_read_one_after_the_other() -> None:
    text = parse(pdf(files.three_columns)).text
    assert text.index("alpha has a line of words 7") < text.index("beta has a line of words 0")
    assert text.index("beta has a line of words 7") < text.index("gamma has a line of words 0")


def test_text_in_the_margin_is_read_in_its_own_direction() -> None:
    document = parse(pdf(files.sideways))
    assert shown(document)[1] == ("paragraph", "Words in the margin read upwards")
    box = boxes(document, "Words in")[0]
    assert box.bottom - box.top > box.right - box.left


def test_what_cannot_be_seen_is_kept_and_marked() -> None:
    document = parse(pdf(files.hidden_words))
    assert shown(document) == [
        ("paragraph", "Everyone can read this line."),
        ("paragraph", "White on black is seen"),
    ]
    hidden = {
        document.words(mark.span): mark.reason
        for mark in document.marks
        if mark.kind is MarkKind.HIDDEN
    }
    assert list(hidden) == ["white secret redacted name", "tiny", "far away", "without ink"]
    assert hidden["without ink"] == "text drawn with invisible ink"
    assert hidden["far away"] == "text outside the visible page"


def test_text_on_a_layer_that_is_switched_off_is_hidden() -> None:
    document = parse(files.pdf_with_a_layer_switched_off())
    assert shown(document) == [("paragraph", "Seen by all")]
    assert "On a hidden layer" in document.text


def test_a_number_whose_end_is_white_is_read_as_it_is_seen() -> None:
    document = parse(pdf(files.half_hidden_number))
    assert shown(document) == [("paragraph", "The price is 100")]
    assert "000" in document.text.splitlines()


def test_a_word_of_two_colours_is_one_word() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 12)
        canvas.setFillColorRGB(0.8, 0, 0)
        canvas.drawString(72, 700, "Wa")
        canvas.setFillColorRGB(0, 0, 0)
        canvas.drawString(72 + canvas.stringWidth("Wa", "Helvetica", 12), 700, "rning signs")

    assert shown(parse(pdf(draw))) == [("paragraph", "Warning signs")]


def test_a_ruled_table_pairs_cells_with_their_headings() -> None:
    document = parse(pdf(files.ruled_table))
    assert shown(document) == [
        ("paragraph", "Before the table."),
        ("table_row", "Segment | Q3 2025 | Q3 2024"),
        ("table_row", "Instruments and accessories | 27,340 | 26,110"),
        ("table_row", "Revenue | 48,620 | 44,560"),
        ("paragraph", "After the table."),
    ]
    cells = [(cell.header, document.words(cell.span), str(cell.cell)) for cell in document.cells]
    assert cells[-2:] == [("Q3 2025", "48,620", "B3"), ("Q3 2024", "44,560", "C3")]
    found = CitableDocument("x", document).resolve(read_location("p1:table-1"))
    assert isinstance(found, Passage)
    assert found.text.startswith("Segment")
    assert found.text.endswith("44,560")


def test_a_heading_over_two_columns_belongs_to_both() -> None:
    document = parse(pdf(files.merged_table))
    cells = {document.words(cell.span): cell.header for cell in document.cells}
    assert cells["EMEA"] == "Region"
    assert cells["13,690"] == "Revenue 2025"
    assert cells["12,480"] == "Revenue 2024"


def test_entries_without_lines_between_them_are_rows_of_their_own() -> None:
    document = parse(pdf(files.table_with_lines_around_its_body))
    assert [text for _, text in shown(document)] == [
        "Name | Default | Use",
        "color | black | edge color",
        "fontsize | 14 | point size of label",
        "label | edge label",
        "style | graphics options",
    ]
    cells = {document.words(cell.span): cell.header for cell in document.cells}
    assert (cells["14"], cells["edge label"]) == ("Default", "Use")


def test_a_table_of_contents_is_no_table() -> None:
    def draw(canvas: Canvas) -> None:
        for number, title in enumerate(["Introduction", "Methods", "Results", "Discussion"]):
            lines(canvas, [f"{number + 1} {title}"], y=700 - 16 * number)
            lines(canvas, [str(3 + 4 * number)], x=400, y=700 - 16 * number)

    kinds = {kind for kind, _ in shown(parse(pdf(draw)))}
    assert kinds == {"paragraph"}


def test_figures_in_columns_are_a_table_without_lines_too() -> None:
    document = parse(pdf(files.borderless_table))
    assert [text for kind, text in shown(document) if kind == "table_row"] == [
        "2025 | 2024",
        "Revenue | 48,620 | 44,560",
        "Cost of revenue | 25,380 | 23,705",
        "Gross profit | 23,240 | 20,855",
        "Change in working capital | (740) | 415",
    ]
    cells = {document.words(cell.span): cell.header for cell in document.cells}
    assert (cells["(740)"], cells["415"]) == ("2025", "2024")
    assert len([kind for kind, _ in shown(document) if kind == "paragraph"]) == 2


def test_a_table_that_goes_on_overleaf_keeps_its_headings() -> None:
    def table(rows: list[list[str]]) -> files.Drawing:
        def draw(canvas: Canvas) -> None:
            ys = [700 - 20 * number for number in range(len(rows) + 1)]
            canvas.grid([72, 200, 300], ys)
            for cells, y in zip(rows, ys, strict=False):
                for cell, x in zip(cells, [76, 204], strict=True):
                    lines(canvas, [cell], x=x, y=y - 14, size=10)

        return draw

    document = parse(
        pdf(
            table([["City", "Heads"], ["Columbus", "212"], ["Bremen", "118"]]),
            table([["Rotterdam", "96"], ["Monterrey", "74"]]),
        )
    )
    cells = {document.words(cell.span): cell.header for cell in document.cells}
    assert (cells["212"], cells["96"], cells["Monterrey"]) == ("Heads", "Heads", "City")


def test_a_frame_around_text_is_no_table() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.rect(60, 600, 400, 150)
        lines(canvas, ["A text in a frame, which is only a frame."], y=700)

    assert shown(parse(pdf(draw))) == [("paragraph", "A text in a frame, which is only a frame.")]


def test_headings_come_from_size_and_from_the_outline_and_lists_from_bullets() -> None:
    document = parse(pdf(files.headings))
    assert [(str(b.kind), b.level, clean(document, b.span).text) for b in document.blocks] == [
        ("heading", 1, "Annual Review"),
        ("heading", 2, "1. Results"),
        (
            "paragraph",
            None,
            "Results were good in every part of the business that we run, and nobody complained.",
        ),
        ("heading", 3, "Outlook in plain type"),
        ("paragraph", None, "The year ahead will be like the year behind, only longer."),
        ("list_item", None, "• first point"),
        ("list_item", None, "• second point that is longer"),
        ("list_item", None, "3) third"),
    ]
    assert document.blocks[-1].headings == ("Annual Review", "1. Results", "Outlook in plain type")


def test_a_word_broken_at_a_line_end_is_whole_again_and_its_hyphen_is_marked() -> None:
    document = parse(pdf(files.hyphenated))
    assert shown(document) == [
        (
            "paragraph",
            (
                "The committee asked for more information about the long-term plan and a report on "
                "the cooperation of both. The information came."
            ),
        )
    ]
    assert "infor-mation" in document.text
    found = boxes(document, "infor-mation")
    assert len(found) == 2
    assert found[0].top < found[1].top


def test_letters_without_a_word_space_in_their_script_are_not_parted() -> None:
    words = [
        Word(text, (20.0 * at, 10, 20.0 * at + 20, 30), 20.0 * at, 10, 20.0 * at + 20, 30, 20)
        for at, text in enumerate("東京都港区")
    ]
    document = document_of([PageContent(1, 600, 800, words)])
    assert document.text == "東京都港区\n"
    assert len(document.boxes) == 5


def test_a_footnote_number_is_no_digit_of_the_figure_before_it() -> None:
    def draw(canvas: Canvas) -> None:
        lines(canvas, ["Sales of 48,620"], y=700, size=12)
        width = canvas.stringWidth("Sales of 48,620", "Times-Roman", 12)
        lines(canvas, ["1"], x=72 + width, y=704, size=7)

    assert shown(parse(pdf(draw))) == [("paragraph", "Sales of 48,620 1")]


def test_words_printed_twice_in_one_place_are_read_once() -> None:
    def draw(canvas: Canvas) -> None:
        lines(canvas, ["Strong words"], y=700)
        lines(canvas, ["Strong words"], x=72.3, y=700)

    assert shown(parse(pdf(draw))) == [("paragraph", "Strong words")]


def test_a_filled_in_form_field_is_read() -> None:
    def draw(canvas: Canvas) -> None:
        lines(canvas, ["Name of the applicant:"], y=705)
        canvas.acroForm.textfield(name="who", value="Ada Lovelace", x=190, y=700, width=150)

    assert "Ada Lovelace" in parse(pdf(draw)).text


def test_blocks_are_cited_by_page() -> None:
    document = parse(
        pdf(
            files.saying("First page."),
            files.saying(""),
            files.saying("Third page."),
        )
    )
    assert [block.location for block in document.blocks] == [Pages(1, 1), Pages(3, 3)]
    assert [page.number for page in document.pages] == [1, 2, 3]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (files.encrypted_pdf(), "The PDF is encrypted."),
        (b"%PDF-1.7\n garbage", "The PDF is damaged or incomplete."),
        (pdf(files.hyphenated)[:300], "The PDF is damaged or incomplete."),
        (b"", "The file is not a PDF, although its name or type says so."),
        (b"PK\x03\x04 no pdf", "The file is not a PDF, although its name or type says so."),
        (pdf(files.saying("")), "No text was found in the PDF."),
    ],
)
def test_what_cannot_be_read_says_why(content: bytes, reason: str) -> None:
    with pytest.raises(CannotRead) as refusal:
        parse(content)
    assert refusal.value.reason == reason
    assert refusal.value.suggestion.endswith(".")


def test_a_pdf_whose_end_is_missing_is_read_with_a_note() -> None:
    content = pdf(files.hyphenated, files.headings)
    cut = content[: content.rindex(b"xref")]
    assert any("end of the PDF is missing" in note for note in parse(cut).notes)


def test_a_drawn_page_must_exist_and_be_of_a_sensible_size() -> None:
    content = pdf(files.hyphenated)
    with pytest.raises(ValueError, match="page 2 of 1"):
        render_page(content, 2, 1.0)
    with pytest.raises(ValueError, match="pixels"):
        render_page(content, 1, 100.0)


def test_the_quarterly_results_of_the_reference_bundle_are_a_table_on_page_7() -> None:
    document = parse((MERIDIAN / "context" / "financial-report.pdf").read_bytes())
    assert len(document.pages) == 13
    rows = [document.text_of(block) for block in document.blocks if block.location == Pages(7, 7)]
    assert "Revenue | 48,620 | 47,480 | 44,560 | 9.1%" in rows
    cells = {
        (cell.header, document.words(cell.span))
        for cell in document.cells.within(document.pages[6].span)
    }
    assert ("Sept 30, 2025 (Q3)", "48,620") in cells
    headings = [block for block in document.blocks if block.kind == "heading"]
    assert "Quarterly results" in [document.text_of(heading) for heading in headings]
    assert not [mark for mark in document.marks if mark.kind is MarkKind.HIDDEN]


@settings(max_examples=60)
@given(st.data())
def test_a_bent_pdf_is_read_or_refused(data: st.DataObject) -> None:
    content = bytearray(pdf(files.ruled_table, files.headings))
    for _ in range(data.draw(st.integers(1, 8))):
        at = data.draw(st.integers(0, len(content) - 1))
        content[at : at + data.draw(st.integers(1, 4))] = data.draw(st.binary(max_size=4))
    with contextlib.suppress(CannotRead):
        parse(bytes(content[: data.draw(st.integers(0, len(content)))]))


_PLACED_WORDS = st.lists(
    st.tuples(
        st.text("aB9-•.,$%(é東א", min_size=1, max_size=6),
        st.floats(-50, 650),
        st.floats(-50, 850),
        st.floats(0.5, 120),
        st.floats(0.5, 60),
        st.integers(0, 4),
    ),
    max_size=60,
)
_RULES = st.lists(
    st.one_of(
        st.tuples(st.integers(0, 8), st.integers(0, 8), st.integers(1, 8)).map(
            lambda r: (70.0 * r[0], 90.0 * r[1], 70.0 * (r[0] + r[2]), 90.0 * r[1] + 1)
        ),
        st.tuples(st.integers(0, 8), st.integers(0, 8), st.integers(1, 8)).map(
            lambda r: (70.0 * r[0], 90.0 * r[1], 70.0 * r[0] + 1, 90.0 * (r[1] + r[2]))
        ),
    ),
    max_size=30,
)


@given(_PLACED_WORDS, _RULES)
def test_no_layout_loses_or_doubles_a_word(
    placed: list[tuple[str, float, float, float, float, int]],
    rules: list[tuple[float, float, float, float]],
) -> None:
    words = []
    for number, (text, left, top, width, height, direction) in enumerate(placed):
        box = (left, top, left + width, top + height)
        upright = turned(box, direction, 600, 800)
        words.append(Word(f"{text}{number}", box, *upright, height, direction=direction))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        document = document_of([PageContent(1, 600, 800, words, rules)])
    assert faults_of(document) == []
    written = document.text.replace("|", " ").split()
    assert sorted("".join(written)) == sorted("".join(word.text for word in words))


@given(st.lists(st.lists(st.text("ab-\u00adC1", min_size=1, max_size=5), min_size=1), max_size=6))
def test_joining_lines_keeps_every_character_and_marks_only_hyphens(
    texts: list[list[str]],
) -> None:
    rows = [[Word(text, (0, 0, 1, 1), 0, 0, 1, 1, 10) for text in row] for row in texts]
    made = text_of(rows, Vocabulary(word for row in rows for word in row))
    assert made.text.replace(" ", "") == "".join(text for row in texts for text in row)
    assert all(made.text[start:end] in "-\u00ad" for start, end in made.breaks)
    assert [made.text[start:end] for start, end, _ in made.words] == [
        text for row in texts for text in row
    ]
