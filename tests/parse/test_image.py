from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping
from io import BytesIO

import pytest
from PIL import Image
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from tests.parse import pdf_files as files
from tipstaff.contracts.parsers import faults_of
from tipstaff.domain.document import Document, Span
from tipstaff.domain.location import Pages, WholeItem
from tipstaff.parse import image as image_parser
from tipstaff.parse import ocr, pdf
from tipstaff.parse.ocr import OcrWord
from tipstaff.parse.parser import CannotRead, Source

TEXTS = ["Invoice from the harbour", "Total due is 4,250 euros"]
SMALL = (640, 320)


def parse(content: bytes, options: Mapping[str, str] | None = None) -> Document:
    source = Source(content=content, name="x", media_type="image/png", options=options or {})
    document = image_parser.parse(source)
    assert faults_of(document) == []
    return document


def parse_pdf(content: bytes) -> Document:
    source = Source(content=content, name="x.pdf", media_type="application/pdf")
    document = pdf.parse(source)
    assert faults_of(document) == []
    return document


def saved(picture: Image.Image, kind: str, **options: object) -> bytes:
    out = BytesIO()
    picture.save(out, kind, **options)
    return out.getvalue()


@pytest.fixture
def no_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tipstaff.parse.tesseract.shutil.which", lambda _: None)


@pytest.fixture
def fake_engine(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """An engine that sees one line, `Seen once`, in the upper left quarter of any picture."""
    asked: list[tuple[int, int]] = []

    def engine(image: Image.Image, *, languages: str) -> list[OcrWord]:
        asked.append(image.size)
        width, height = image.size
        return [
            OcrWord("Seen", 0, 0, width / 4, height / 4, 0.9, 0),
            OcrWord("once", width / 4, 0, width / 2, height / 4, 0.7, 0),
        ]

    monkeypatch.setattr(ocr, "engine_called", lambda _: engine)
    return asked


def test_a_picture_of_text_is_read_with_boxes_in_its_own_pixels() -> None:
    document = parse(saved(files.picture_of(TEXTS), "PNG"))
    assert document.text.split() == " ".join(TEXTS).split()
    assert {block.location for block in document.blocks} == {WholeItem()}
    assert all(block.confidence and block.confidence > 0.8 for block in document.blocks)
    assert (document.pages[0].width, document.pages[0].ocr) == (1240, True)
    start = document.text.index("Invoice")
    [(_, box)] = document.boxes.words(Span(start, start + 7))
    assert box.left == pytest.approx(120, abs=8)
    assert 145 < box.top < box.bottom < 195


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "TIFF", "BMP", "GIF", "WEBP"])
def test_every_kind_of_picture_is_opened(kind: str, fake_engine: list[tuple[int, int]]) -> None:
    document = parse(saved(Image.new("RGB", (100, 50), "white"), kind))
    assert document.text == "Seen once\n"
    assert fake_engine == [(200, 100)]
    assert document.blocks[0].confidence == pytest.approx(0.8)
    [(_, first), _] = document.boxes.words(Span(0, 9))
    assert (first.right, first.bottom) == (25, 12.5)


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGBA", "CMYK", "I;16"])
def test_every_kind_of_pixel_is_read(mode: str, fake_engine: list[tuple[int, int]]) -> None:
    picture = Image.new(mode, (40, 40))
    assert parse(saved(picture, "TIFF" if mode != "P" else "PNG")).text == "Seen once\n"


def test_pages_of_a_tiff_file_are_cited_by_page(fake_engine: list[tuple[int, int]]) -> None:
    first, second = Image.new("L", (80, 60), 255), Image.new("L", (60, 80), 255)
    document = parse(saved(first, "TIFF", save_all=True, append_images=[second]))
    assert [block.location for block in document.blocks] == [Pages(1, 1), Pages(2, 2)]
    assert [(page.width, page.height) for page in document.pages] == [(80, 60), (60, 80)]


def test_of_an_animation_the_first_picture_is_read(fake_engine: list[tuple[int, int]]) -> None:
    frames = [Image.new("L", (50, 50), shade) for shade in (0, 120, 255)]
    document = parse(saved(frames[0], "GIF", save_all=True, append_images=frames[1:]))
    assert document.notes == ("Only the first of the 3 pictures of the animation was read.",)
    assert [block.location for block in document.blocks] == [WholeItem()]


def test_a_photo_is_turned_as_its_camera_says(fake_engine: list[tuple[int, int]]) -> None:
    picture = Image.new("RGB", (80, 40), "white")
    exif = picture.getexif()
    exif[0x0112] = 6
    document = parse(saved(picture, "JPEG", exif=exif))
    assert (document.pages[0].width, document.pages[0].height) == (40, 80)


@pytest.mark.parametrize("turns", [1, 2, 3])
@pytest.mark.parametrize("texts", [TEXTS, ["Stop here"], ["12,450   13,200", "4,100  9,991"]])
def test_a_picture_on_its_side_or_head_is_read_and_its_boxes_lie_on_the_words(
    turns: int, texts: list[str]
) -> None:
    upright = files.picture_of(texts)
    lying = upright.rotate(-90 * turns, expand=True)
    document = parse(saved(lying, "PNG"))
    assert document.text.split() == " ".join(texts).split()
    assert document.pages[0].width == lying.width
    assert len(document.boxes) == len(document.text.split())
    grey = lying.convert("L")
    for _, box in document.boxes.words(Span(0, len(document.text))):
        histogram = grey.crop((box.left, box.top, box.right, box.bottom)).histogram()
        assert sum(histogram[:64]) > 20
    start = document.text.index(texts[0].split()[0])
    [(_, first)] = document.boxes.words(Span(start, start + 4))
    corner = {1: (1754 - 175, 120), 2: (1240 - 120, 1754 - 175), 3: (175, 1240 - 120)}[turns]
    assert first.left - 45 < corner[0] < first.right + 45
    assert first.top - 45 < corner[1] < first.bottom + 45


def test_an_engine_that_knows_how_a_picture_lies_is_asked_when_reading_is_in_doubt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Engine:
        """Reads well only what is wider than high and was turned by three quarters."""

        asked = 0

        def __call__(self, image: Image.Image, *, languages: str) -> list[OcrWord]:
            assert languages == "eng"
            sure = 0.9 if image.width > image.height else 0.3
            return [OcrWord("words", 0, 0, 50, 10, sure, 0)]

        def quarter_turns(self, image: Image.Image) -> int:
            self.asked += image.height > image.width
            return 3

    engine = Engine()
    monkeypatch.setattr(ocr, "engine_called", lambda _: engine)
    document = parse(saved(Image.new("L", (2000, 3000), 255), "PNG"))
    [(_, box)] = document.boxes.words(Span(0, 5))
    assert (box.left, box.top, box.right, box.bottom) == (0, 2950, 10, 3000)
    assert (document.blocks[0].confidence, engine.asked) == (0.9, 1)


def test_a_picture_that_is_hard_to_read_however_it_is_turned_stays_as_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sizes: list[tuple[int, int]] = []

    def engine(image: Image.Image, *, languages: str) -> list[OcrWord]:
        sizes.append(image.size)
        return [OcrWord("blurred", 0, 0, 90, 10, 0.4, 0)]

    monkeypatch.setattr(ocr, "engine_called", lambda _: engine)
    pages = [Image.new("L", (1600, 2000), 255) for _ in range(5)]
    document = parse(saved(pages[0], "TIFF", save_all=True, append_images=pages[1:]))
    [(_, box)] = document.boxes.words(Span(0, 7))
    assert (box.left, box.top) == (0, 0)
    # After three pages that no turn made better, the others are read once.
    assert len(sizes) == 3 * 4 + 2


def test_no_other_turn_is_tried_when_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[tuple[int, int]] = []

    def engine(image: Image.Image, *, languages: str) -> list[OcrWord]:
        sizes.append(image.size)
        return [OcrWord(f"blurred {languages}", 0, 0, 90, 10, 0.4, 0)]

    clock = iter([0.0, 10.0, 20.0, 80.0])
    monkeypatch.setattr("tipstaff.parse.recognising.time.monotonic", lambda: next(clock))
    monkeypatch.setattr(ocr, "engine_called", lambda _: engine)
    document = parse(saved(Image.new("L", (60, 60), 255), "PNG"), {"parse_timeout_s": "100"})
    assert (document.text, len(sizes)) == ("blurred eng\n", 2)


def test_pages_for_which_no_time_is_left_are_named(
    monkeypatch: pytest.MonkeyPatch, fake_engine: list[tuple[int, int]]
) -> None:
    clock = iter([0.0, 10.0, 80.0, 90.0])
    monkeypatch.setattr("tipstaff.parse.recognising.time.monotonic", lambda: next(clock))
    pages = [Image.new("L", (60, 60), 255) for _ in range(3)]
    content = saved(pages[0], "TIFF", save_all=True, append_images=pages[1:])
    document = parse(content, {"parse_timeout_s": "100"})
    assert [block.location for block in document.blocks] == [Pages(1, 1)]
    assert document.notes == (
        "Page 2 was not read: There was no time left to read all pictures.",
        "Page 3 was not read: There was no time left to read all pictures.",
    )


def test_a_picture_without_words_says_so() -> None:
    with pytest.raises(CannotRead) as refusal:
        parse(saved(Image.new("RGB", (300, 200), "white"), "PNG"))
    assert refusal.value.reason == "No text was found in the image."


def test_a_picture_that_unpacks_to_gigabytes_is_refused() -> None:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    for side in (11_000, 60_000):
        header = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
        bomb = (
            b"\x89PNG\r\n\x1a\n"
            + chunk(b"IHDR", header)
            + chunk(b"IDAT", b"")
            + chunk(b"IEND", b"")
        )
        with pytest.raises(CannotRead) as refusal:
            parse(bomb)
        assert refusal.value.reason == "The image is too large to be read."


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x89PNG\r\n\x1a\n",
        b"GIF89a",
        b"II*\x00\xff\xff\xff\xff",
        b"BM" + b"\xff" * 60,
        b"not a picture",
        saved(files.picture_of(TEXTS), "PNG")[:2_000],
        saved(files.picture_of(TEXTS), "JPEG")[:400],
    ],
)
def test_a_damaged_picture_is_refused(content: bytes) -> None:
    with pytest.raises(CannotRead) as refusal:
        parse(content)
    assert refusal.value.reason == "The image is damaged or of an unknown kind."


@pytest.mark.usefixtures("no_engine")
def test_without_an_engine_the_recipient_is_told_what_to_install() -> None:
    with pytest.raises(CannotRead) as refusal:
        parse(saved(files.picture_of(TEXTS), "PNG"))
    assert refusal.value.reason.startswith("No OCR engine is installed")
    assert "tesseract-ocr" in refusal.value.suggestion


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"ocr_engine": "nobody"}, "There is no OCR engine called 'nobody'."),
        ({"ocr_languages": "--help"}, "'--help' are no languages of OCR."),
        ({"ocr_languages": "xx_unknown"}, "The OCR engine does not know the languages"),
    ],
)
def test_options_of_ocr_that_cannot_be_met_are_said(options: dict[str, str], reason: str) -> None:
    with pytest.raises(CannotRead) as refusal:
        parse(saved(files.picture_of(TEXTS, size=SMALL), "PNG"), options)
    assert refusal.value.reason.startswith(reason)


def test_a_scanned_page_is_read_by_ocr_and_its_boxes_are_in_points() -> None:
    document = parse_pdf(files.pdf(files.scanned(TEXTS), size=A4))
    assert document.text.split() == " ".join(TEXTS).split()
    assert document.pages[0].ocr
    assert [block.location for block in document.blocks] == [Pages(1, 1)] * 2
    assert all(block.confidence and block.confidence > 0.8 for block in document.blocks)
    start = document.text.index("Total")
    [(_, box)] = document.boxes.words(Span(start, start + 5))
    assert box.left == pytest.approx(120 * 72 / 150, abs=4)
    assert 210 * 72 / 150 < box.top < box.bottom < 260 * 72 / 150


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_page_that_was_scanned_on_its_side_or_head_is_read_where_it_lies(turns: int) -> None:
    lying = files.picture_of(TEXTS).rotate(-90 * turns, expand=True)
    size = (lying.width * 72 / 150, lying.height * 72 / 150)

    def draw(canvas: Canvas) -> None:
        canvas.drawImage(ImageReader(lying), 0, 0, *size)

    document = parse_pdf(files.pdf(draw, size=size))
    assert document.text.split() == " ".join(TEXTS).split()
    start = document.text.index("Total")
    [(_, box)] = document.boxes.words(Span(start, start + 5))
    left, top = round(box.left * 150 / 72), round(box.top * 150 / 72)
    here = left, top, round(box.right * 150 / 72), round(box.bottom * 150 / 72)
    found = Image.new("L", lying.size, 255)
    found.paste(lying.convert("L").crop(here), here)
    upright = found.rotate(90 * turns, expand=True).point(lambda shade: 255 * (shade < 128))
    ink = upright.getbbox() or (0, 0, 0, 0)
    assert 110 < ink[0] < ink[2] < 220
    assert 205 < ink[1] < ink[3] < 255


@pytest.mark.parametrize(("strokes", "is_read"), [(1_200, True), (200, False)])
def test_letters_drawn_as_one_long_outline_are_recognised(
    strokes: int, is_read: bool, fake_engine: list[tuple[int, int]]
) -> None:
    def outlines(canvas: Canvas) -> None:
        path = canvas.beginPath()
        path.moveTo(72, 700)
        for step in range(strokes):
            path.lineTo(72 + step % 300, 700 - step // 30)
        canvas.drawPath(path)

    content = files.pdf(outlines, size=A4)
    if is_read:
        assert parse_pdf(content).text == "Seen once\n"
    else:
        with pytest.raises(CannotRead, match="No text was found"):
            parse_pdf(content)
    assert bool(fake_engine) == is_read


def test_a_scan_on_a_turned_page_is_read_as_it_is_shown() -> None:
    def upside_down(canvas: Canvas) -> None:
        canvas.setPageRotation(180)
        canvas.translate(*A4)
        canvas.rotate(180)
        files.scanned(TEXTS)(canvas)

    document = parse_pdf(files.pdf(upside_down, size=A4))
    assert document.text.split() == " ".join(TEXTS).split()
    start = document.text.index("Total")
    [(_, box)] = document.boxes.words(Span(start, start + 5))
    assert box.left == pytest.approx(120 * 72 / 150, abs=4)


def test_the_text_layer_of_a_scan_is_its_text_and_is_not_hidden() -> None:
    document = parse_pdf(files.pdf(files.scanned_with_text_layer, size=A4))
    assert document.text == "Invoice from the harbour\n"
    assert document.marks == ()
    assert not document.pages[0].ocr


@pytest.mark.usefixtures("no_engine")
def test_without_an_engine_a_scanned_page_is_a_note_and_the_others_are_read() -> None:
    content = files.pdf(files.hyphenated, files.scanned(TEXTS), size=A4)
    document = parse_pdf(content)
    assert [block.location for block in document.blocks] == [Pages(1, 1)]
    [note] = document.notes
    assert note.startswith("Page 2 is a scan and was not read: No OCR engine is installed")
    with pytest.raises(CannotRead) as refusal:
        parse_pdf(files.pdf(files.scanned(TEXTS), size=A4))
    assert "tesseract-ocr" in refusal.value.suggestion
