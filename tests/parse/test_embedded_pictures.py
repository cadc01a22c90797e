from __future__ import annotations

import base64
import io
from collections.abc import Mapping
from typing import Any

import docx as python_docx
import pytest
from docx.shared import Inches as WordInches
from PIL import Image
from pptx import Presentation
from pptx.util import Inches
from reportlab.lib.pagesizes import LETTER
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from tests.parse.packages import zipped
from tests.parse.pdf_files import pdf as pdf_of
from tests.parse.pdf_files import picture_of
from tipstaff.contracts.parsers import faults_of
from tipstaff.domain.document import Document, Span
from tipstaff.parse import docx, epub, html, ocr, odt, pdf, slides
from tipstaff.parse.building import IN_A_PICTURE
from tipstaff.parse.ocr import OcrWord
from tipstaff.parse.parser import Parser, Source

TEXT = "Total due is 4,250 euros"
EMF = b"\x01\x00\x00\x00" + b"\x00" * 36 + b" EMF" + b"\x00" * 60
SVG = b"<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'/>"


def png(picture: Image.Image) -> bytes:
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


READABLE = png(picture_of([TEXT], size=(700, 300)))


def parse(parser: Parser, content: bytes, options: Mapping[str, str] | None = None) -> Document:
    document = parser.parse(
        Source(content=content, name="x", media_type=parser.media_types[0], options=options or {})
    )
    assert faults_of(document) == []
    return document


def from_pictures(document: Document) -> list[tuple[str, str]]:
    """Blocks that are said to come from a picture: where, and what."""
    return [
        (str(block.location), document.text_of(block))
        for block in document.blocks
        if block.headings[-1:] == (IN_A_PICTURE,) and block.confidence is not None
    ]


def word_document(*pictures: bytes) -> bytes:
    made = python_docx.Document()
    made.add_heading("Costs", 1)
    made.add_paragraph("See below.")
    for content in pictures:
        made.add_picture(io.BytesIO(content), width=WordInches(3))
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def page_with(*pictures: bytes) -> bytes:
    inside = "".join(
        f"<p>x<img src='data:image/png;base64,{base64.b64encode(content).decode()}'></p>"
        for content in pictures
    )
    return f"<h1>Costs</h1>{inside}".encode()


class FakeEngine:
    """Reads `Seen once` in any picture, and counts the pictures."""

    def __init__(self, confidence: float = 0.9) -> None:
        self.asked = 0
        self.confidence = confidence

    def __call__(self, image: Image.Image, *, languages: str) -> list[OcrWord]:
        assert languages
        self.asked += 1
        right = min(90, image.width)
        return [
            OcrWord("Seen", 0, 0, right / 2 - 2, 10, self.confidence, 0),
            OcrWord("once", right / 2, 0, right, 10, self.confidence, 0),
        ]


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> FakeEngine:
    fake = FakeEngine()
    monkeypatch.setattr(ocr, "engine_called", lambda _: fake)
    return fake


def test_a_picture_in_a_word_document_is_read_where_it_stands() -> None:
    document = parse(docx.PARSER, word_document(READABLE))
    assert from_pictures(document) == [("costs:para-2", TEXT)]
    [block] = [block for block in document.blocks if block.confidence is not None]
    assert block.headings == ("Costs", IN_A_PICTURE)
    assert (block.confidence or 0) > 0.8
    assert document.notes == ()


def test_a_picture_on_a_slide_is_read_at_its_slide() -> None:
    show = Presentation()
    for title in ("One", "Two"):
        slide: Any = show.slides.add_slide(show.slide_layouts[5])
        slide.shapes.title.text = title
    slide.shapes.add_picture(io.BytesIO(READABLE), Inches(1), Inches(2))
    out = io.BytesIO()
    show.save(out)
    document = parse(slides.PARSER, out.getvalue())
    assert from_pictures(document) == [("slide-2", TEXT)]
    assert document.blocks[-1].headings == ("Two", IN_A_PICTURE)
    assert document.notes == ()


def test_a_picture_in_an_opendocument_text_is_read(engine: FakeEngine) -> None:
    urn = "urn:oasis:names:tc:opendocument:xmlns"
    inside = "<draw:frame><draw:image xlink:href='Pictures/a.png'/></draw:frame>"
    content = (
        f"<office:document-content xmlns:office='{urn}:office:1.0' xmlns:text='{urn}:text:1.0' "
        f"xmlns:draw='{urn}:drawing:1.0' xmlns:xlink='http://www.w3.org/1999/xlink'>"
        f"<office:body><office:text><text:p>x{inside}</text:p></office:text></office:body>"
        "</office:document-content>"
    )
    document = parse(odt.PARSER, zipped({"content.xml": content, "Pictures/a.png": READABLE}))
    assert from_pictures(document) == [("para-2", "Seen once")]
    assert engine.asked == 1


def test_a_picture_inside_a_web_page_is_read_and_no_other_is_fetched(engine: FakeEngine) -> None:
    page = page_with(READABLE) + b"<p>y<img src='https://example.org/a.png'><img src='b.png'></p>"
    document = parse(html.PARSER, page)
    assert from_pictures(document) == [("costs:para-2", "Seen once")]
    assert (engine.asked, document.notes) == (1, ())


def test_a_picture_in_a_book_is_read_by_its_address_in_the_book(engine: FakeEngine) -> None:
    document = parse(
        epub.PARSER,
        zipped(
            {
                "META-INF/container.xml": "<c><rootfile full-path='OEBPS/b.opf'/></c>",
                "OEBPS/b.opf": "<package><manifest><item id='a' href='text/a.xhtml'/></manifest>"
                "<spine><itemref idref='a'/></spine></package>",
                "OEBPS/text/a.xhtml": "<html><body><h1>A</h1><p>x<img src='../i%20i/p.png'/>"
                "<img src='../gone.png'/></p></body></html>",
                "OEBPS/i i/p.png": READABLE,
            }
        ),
    )
    assert from_pictures(document) == [("a:para-2", "Seen once")]
    assert document.notes == ("One linked picture was not read.",)
    assert engine.asked == 1


def test_a_picture_in_a_cell_follows_the_row(engine: FakeEngine) -> None:
    picture = page_with(READABLE).decode().partition("<p>x")[2].removesuffix("</p>")
    rows = f"<tr><th>Name</th><th>Proof</th></tr><tr><td>a</td><td>{picture}</td></tr>"
    page = f"<table>{rows}<tr><td>b</td><td>none</td></tr></table>"
    document = parse(html.PARSER, page.encode())
    assert [document.text_of(block) for block in document.blocks] == [
        "Name | Proof",
        "a | ",
        "Seen once",
        "b | none",
    ]
    assert from_pictures(document) == [("para-1", "Seen once")]
    assert engine.asked == 1


def test_a_picture_that_a_page_hides_is_read_as_hidden(engine: FakeEngine) -> None:
    page = b"<p>x</p><div style='display:none'>" + page_with(READABLE) + b"</div>"
    document = parse(html.PARSER, page)
    start = document.text.index("Seen once")
    assert any(mark.span.start <= start < mark.span.end for mark in document.marks)
    assert engine.asked == 1


def figure(canvas: Canvas, texts: list[str], *, left: float, top: float) -> None:
    """A picture of lines, 336 by 144 points, below a heading and a sentence."""
    canvas.setFont("Helvetica", 11)
    canvas.drawString(72, 720, "The figure below shows what the harbour charges.")
    image = ImageReader(picture_of(texts, size=(700, 300)))
    canvas.drawImage(image, left, LETTER[1] - top - 144, 336, 144)


def test_a_picture_on_a_pdf_page_with_text_is_read_where_it_stands() -> None:
    content = pdf_of(lambda canvas: figure(canvas, [TEXT], left=100, top=300))
    document = parse(pdf.PARSER, content)
    assert document.text == f"The figure below shows what the harbour charges.\n{TEXT}\n"
    assert from_pictures(document) == [("p1", TEXT)]
    assert not document.pages[0].ocr
    start = document.text.index("Total")
    [(_, box)] = document.boxes.words(Span(start, start + 5))
    assert box.left == pytest.approx(100 + 120 * 336 / 700, abs=4)
    assert 300 + 145 * 0.48 < box.top < box.bottom < 300 + 195 * 0.48


def test_a_logo_on_every_page_is_recognised_once(engine: FakeEngine) -> None:
    def page(canvas: Canvas) -> None:
        figure(canvas, ["logo"], left=100, top=300)

    document = parse(pdf.PARSER, pdf_of(page, page, page))
    assert [place for place, _ in from_pictures(document)] == ["p1", "p2", "p3"]
    assert engine.asked == 1


def test_a_picture_that_a_program_cut_into_strips_is_read_as_one(engine: FakeEngine) -> None:
    def page(canvas: Canvas) -> None:
        canvas.drawString(72, 720, "Words")
        for strip in range(10):
            image = ImageReader(Image.new("L", (700, 30), 250 - strip))
            canvas.drawImage(image, 100, 300 + 20 * strip, 300, 20)

    document = parse(pdf.PARSER, pdf_of(page))
    assert (len(from_pictures(document)), engine.asked) == (1, 1)


def test_a_picture_under_the_text_of_a_page_is_not_read_again(engine: FakeEngine) -> None:
    def page(canvas: Canvas) -> None:
        canvas.drawImage(ImageReader(Image.new("L", (300, 300), 240)), 60, 600, 400, 150)
        canvas.drawString(72, 720, "A sentence that stands on a picture of nothing.")

    document = parse(pdf.PARSER, pdf_of(page))
    assert (from_pictures(document), engine.asked, document.notes) == ([], 0, ())


def test_decoration_and_drawings_are_left_out_and_counted(engine: FakeEngine) -> None:
    small, thin = Image.new("L", (60, 60), 255), Image.new("L", (4_000, 8), 255)
    document = parse(html.PARSER, page_with(png(small), png(thin), EMF, SVG, b"no picture"))
    assert engine.asked == 0
    assert document.notes == (
        "2 small pictures were not read.",
        "2 vector drawings were not read.",
        "One damaged picture was not read.",
    )


def test_what_looks_like_letters_in_a_photo_is_no_text(engine: FakeEngine) -> None:
    engine.confidence = 0.3
    document = parse(html.PARSER, page_with(READABLE))
    assert from_pictures(document) == []
    assert document.notes == ("One textless picture was not read.",)


def test_a_picture_that_is_shown_often_is_recognised_once(engine: FakeEngine) -> None:
    document = parse(docx.PARSER, word_document(READABLE, READABLE, READABLE))
    assert len(from_pictures(document)) == 3
    assert engine.asked == 1


def test_no_more_pictures_are_read_than_the_settings_allow(engine: FakeEngine) -> None:
    pictures = [png(Image.new("L", (100 + side, 100), 255)) for side in range(3)]
    document = parse(docx.PARSER, word_document(*pictures), {"max_pictures": "2"})
    assert (len(from_pictures(document)), engine.asked) == (2, 2)
    assert document.notes == (
        "One picture was not read.",
        "There are more pictures than may be read.",
    )


def test_pictures_cost_a_document_no_more_time_than_it_has(
    monkeypatch: pytest.MonkeyPatch, engine: FakeEngine
) -> None:
    clock = iter([0.0, 1.0, 99.0])
    monkeypatch.setattr("tipstaff.parse.recognising.time.monotonic", lambda: next(clock))
    pictures = [png(Image.new("L", (100 + side, 100), 255)) for side in range(3)]
    document = parse(docx.PARSER, word_document(*pictures), {"parse_timeout_s": "100"})
    assert (len(from_pictures(document)), engine.asked) == (1, 1)
    assert document.notes == (
        "2 pictures were not read.",
        "There was no time left to read all pictures.",
    )


def test_without_an_engine_the_document_is_read_and_the_lack_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tipstaff.parse.tesseract.shutil.which", lambda _: None)
    document = parse(docx.PARSER, word_document(READABLE))
    assert document.text == "Costs\nSee below.\n"
    assert document.notes == (
        "One picture was not read.",
        "No OCR engine is installed, so the text in pictures cannot be read.",
    )
