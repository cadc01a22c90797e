"""PDF files made for tests, each with one thing about it that is easy to get wrong."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO

from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.colors import black, white
from reportlab.lib.pagesizes import A4, LETTER
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

Drawing = Callable[[Canvas], None]

LEFT_COLUMN = [
    "The first column begins here and it",
    "talks about warehouses and about the",
    "people who count what is in them. It",
    "goes on for a number of lines so that",
    "nobody could take it for a table, and",
    "then it ends in the middle of a long",
]
RIGHT_COLUMN = [
    "sentence that ends.",
    "Here begins another paragraph which",
    "speaks about ships and their captains",
    "who do not care for warehouses at all",
    "but like the sea, the wind and salt.",
]


def pdf(*pages: Drawing, size: tuple[float, float] = LETTER, **options: object) -> bytes:
    out = BytesIO()
    canvas = Canvas(out, pagesize=size, invariant=1, pageCompression=0, **options)  # type: ignore[arg-type]
    for draw in pages:
        draw(canvas)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def lines(
    canvas: Canvas,
    texts: list[str],
    *,
    x: float = 72,
    y: float = 720,
    size: float = 11,
    leading: float = 14,
    font: str = "Times-Roman",
) -> float:
    """Draws lines downwards from a baseline; gives the next one."""
    canvas.setFont(font, size)
    for text in texts:
        canvas.drawString(x, y, text)
        y -= leading
    return y


def saying(text: str) -> Drawing:
    """A page with one line, or an empty one."""

    def draw(canvas: Canvas) -> None:
        lines(canvas, [text])

    return draw


def two_columns(canvas: Canvas) -> None:
    lines(canvas, ["A Journal of Storage"], x=230, y=760, size=9)
    lines(canvas, ["On Warehouses, Ships and the Sea at Large"], x=120, y=700, size=18)
    # Line by line across both columns: the order of the file is not the order of reading.
    for number in range(6):
        lines(canvas, [LEFT_COLUMN[number]], x=72, y=660 - 13 * number, size=10)
        if number < len(RIGHT_COLUMN):
            lines(canvas, [RIGHT_COLUMN[number]], x=320, y=656 - 13 * number, size=10)
    lines(canvas, ["Both columns are over now and this line runs across the whole page again."],
          y=540, size=10)  # fmt: skip
    lines(canvas, ["Page 1"], x=290, y=40, size=9)


def three_columns(canvas: Canvas) -> None:
    for column, name in enumerate(["alpha", "beta", "gamma"]):
        texts = [f"{name} has a line of words {number}" for number in range(8)]
        lines(canvas, texts, x=60 + 175 * column, size=9, leading=11)


def turned_and_cropped(canvas: Canvas) -> None:
    """Shown, this is a landscape page: 500 wide and 300 high."""
    canvas.setPageRotation(90)
    canvas.setCropBox((100, 80, 400, 580), name="crop")
    canvas.saveState()
    canvas.translate(100, 80)
    canvas.rotate(90)
    # Now x runs along the shown page's width and y up its height, both from the lower left.
    canvas.translate(0, -300)
    canvas.setFont("Helvetica", 12)
    canvas.drawString(50, 250, "Upper left words")
    canvas.drawString(350, 20, "Lower right words")
    canvas.restoreState()


def sideways(canvas: Canvas) -> None:
    lines(canvas, ["Upright words stand on this page and are the most of it."])
    canvas.saveState()
    canvas.translate(40, 300)
    canvas.rotate(90)
    lines(canvas, ["Words in the margin", "read upwards"], x=0, y=0, size=10, leading=12)
    canvas.restoreState()


def hidden_words(canvas: Canvas) -> None:
    lines(canvas, ["Everyone can read this line."], y=720)
    canvas.setFillColor(white)
    lines(canvas, ["white secret"], y=700)
    canvas.setFillColor(black)
    canvas.rect(72, 640, 200, 20, fill=1, stroke=0)
    canvas.setFillColor(white)
    lines(canvas, ["White on black is seen"], x=76, y=646)
    canvas.setFillColor(black)
    lines(canvas, ["redacted name"], x=72, y=600)
    canvas.rect(70, 595, 90, 16, fill=1, stroke=0)
    lines(canvas, ["tiny"], y=560, size=0.2)
    lines(canvas, ["far away"], x=-300, y=540)
    text = canvas.beginText(72, 520)
    text.setFont("Times-Roman", 11)
    text.setTextRenderMode(3)
    text.textLine("without ink")
    canvas.drawText(text)


def half_hidden_number(canvas: Canvas) -> None:
    canvas.setFont("Helvetica", 12)
    canvas.drawString(72, 700, "The price is 100")
    end = 72 + canvas.stringWidth("The price is 100", "Helvetica", 12)
    canvas.setFillColor(white)
    canvas.drawString(end, 700, "000")


def ruled_table(canvas: Canvas) -> None:
    lines(canvas, ["Before the table."], y=740)
    rows = [
        ["Segment", "Q3 2025", "Q3 2024"],
        ["Instruments and", "27,340", "26,110"],
        ["Revenue", "48,620", "44,560"],
    ]
    xs, ys = [72, 200, 300, 400], [700, 680, 646, 626]
    canvas.grid(xs, ys)
    for row, (cells, top) in enumerate(zip(rows, ys, strict=False)):
        for cell, left in zip(cells, xs, strict=False):
            lines(canvas, [cell], x=left + 4, y=top - 14, size=10,
                  font="Helvetica-Bold" if row == 0 else "Helvetica")  # fmt: skip
    lines(canvas, ["accessories"], x=76, y=680 - 27, size=10, font="Helvetica")
    lines(canvas, ["After the table."], y=590)


def merged_table(canvas: Canvas) -> None:
    """Two header rows, the upper one with a cell over two columns."""
    for x0, y0, x1, y1 in [
        (72, 700, 400, 700), (200, 680, 400, 680), (72, 660, 400, 660), (72, 640, 400, 640),
        (72, 640, 72, 700), (200, 640, 200, 700), (300, 640, 300, 680), (400, 640, 400, 700),
    ]:  # fmt: skip
        canvas.line(x0, y0, x1, y1)
    for x, y, text in [
        (76, 676, "Region"), (260, 686, "Revenue"), (210, 666, "2025"), (310, 666, "2024"),
        (76, 646, "EMEA"), (210, 646, "13,690"), (310, 646, "12,480"),
    ]:  # fmt: skip
        lines(canvas, [text], x=x, y=y, size=10)


def table_with_lines_around_its_body(canvas: Canvas) -> None:
    canvas.grid([72, 160, 220, 400], [700, 680, 600])
    for x, text in [(76, "Name"), (164, "Default"), (224, "Use")]:
        lines(canvas, [text], x=x, y=686, size=10)
    lines(canvas, ["color", "fontsize", "label", "style"], x=76, y=668, size=10, leading=18)
    lines(canvas, ["black", "14"], x=164, y=668, size=10, leading=18)
    uses = ["edge color", "point size of label", "edge label", "graphics options"]
    lines(canvas, uses, x=224, y=668, size=10, leading=18)


def borderless_table(canvas: Canvas) -> None:
    lines(canvas, ["The following figures are in thousands of dollars and not audited."], y=730)
    rows = [
        ("", "2025", "2024"),
        ("Revenue", "48,620", "44,560"),
        ("Cost of revenue", "25,380", "23,705"),
        ("Gross profit", "23,240", "20,855"),
        ("Change in working capital", "(740)", "415"),
    ]
    canvas.setFont("Helvetica", 10)
    for number, (label, now, then) in enumerate(rows):
        y = 700 - 14 * number
        canvas.drawString(72, y, label)
        canvas.drawRightString(330, y, now)
        canvas.drawRightString(420, y, then)
    lines(canvas, ["Below the table the report goes on in ordinary sentences."], y=600)


def headings(canvas: Canvas) -> None:
    lines(canvas, ["Annual Review"], y=740, size=20, font="Helvetica-Bold")
    lines(canvas, ["1. Results"], y=700, size=14, font="Helvetica-Bold")
    lines(canvas, ["Results were good in every part of the business that we run,",
                   "and nobody complained."], y=680)  # fmt: skip
    lines(canvas, ["Outlook in plain type"], y=640)
    lines(canvas, ["The year ahead will be like the year behind, only longer."], y=620)
    lines(canvas, ["• first point", "• second point that is", "   longer", "3) third"], y=590)
    for level, title in enumerate(["Annual Review", "1. Results", "Outlook in plain type"]):
        canvas.bookmarkPage(title)
        canvas.addOutlineEntry(title, title, level)


def hyphenated(canvas: Canvas) -> None:
    texts = [
        "The committee asked for more infor-",
        "mation about the long-",
        "term plan and a re-",
        "port on the co-",
        "operation of both. The information came.",
    ]
    lines(canvas, texts)


def pdf_with_a_layer_switched_off() -> bytes:
    """Written by hand: one line as usual, one in optional content that is off."""
    content = (
        b"BT /F1 12 Tf 72 700 Td (Seen by all) Tj ET\n"
        b"/OC /Layer BDC BT /F1 12 Tf 72 650 Td (On a hidden layer) Tj ET EMC"
    )
    objects = [
        b"<</Type/Catalog/Pages 2 0 R/OCProperties<</OCGs[6 0 R]/D<</OFF[6 0 R]>>>>>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources 7 0 R>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(content), content),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        b"<</Type/OCG/Name(Layer)>>",
        b"<</Font<</F1 5 0 R>>/Properties<</Layer 6 0 R>>>>",
    ]
    out = b"%PDF-1.7\n"
    places = []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n%s" % (size, table)
    return out + b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (size, start)


def encrypted(canvas: Canvas) -> None:
    lines(canvas, ["Nobody reads this."])


def encrypted_pdf() -> bytes:
    return pdf(encrypted, encrypt=StandardEncryption("secret", canPrint=0))


def picture_of(texts: list[str], *, size: tuple[int, int] = (1240, 1754)) -> Image.Image:
    """A picture of lines of text, as a scanner would make it at 150 dots an inch."""
    image = Image.new("RGB", size, "white")
    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default(size=34)
    for number, text in enumerate(texts):
        draw.text((120, 150 + 60 * number), text, fill="black", font=font)
    return image


def scanned(texts: list[str]) -> Drawing:
    def draw(canvas: Canvas) -> None:
        image = ImageReader(picture_of(texts))
        canvas.drawImage(image, 0, 0, A4[0], A4[1])

    return draw


def scanned_with_text_layer(canvas: Canvas) -> None:
    scanned(["Invoice from the harbour"])(canvas)
    text = canvas.beginText(58, A4[1] - 85)
    text.setFont("Helvetica", 16)
    text.setTextRenderMode(3)
    text.textLine("Invoice from the harbour")
    canvas.drawText(text)
