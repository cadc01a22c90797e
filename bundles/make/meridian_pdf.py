"""Typeset a plain-text source as a PDF whose bytes never change.

In: text in the small markup described by `blocks`. Out: PDF bytes. The invariant is that the
same source gives the same bytes everywhere, so the pages are not compressed, only the fonts
every reader has built in are used, and reportlab is told to leave the clock out.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import Any
from xml.sax.saxutils import escape

from reportlab.lib.colors import Color, HexColor, white
from reportlab.lib.enums import TA_RIGHT
from reportlab.lib.pagesizes import LETTER
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import inch
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    Flowable,
    PageBreak,
    Paragraph,
    SimpleDocTemplate,
    Spacer,
    Table,
    TableStyle,
)

MARGIN = 1.0 * inch
TEXT_WIDTH = LETTER[0] - 2 * MARGIN - 12  # the frame pads six points on each side
RULE = HexColor("#9aa5b1")
NUMERIC = re.compile("^[($+-]*[\\d,.]+[%)]*$|^\u2013$|^$")


@dataclass(frozen=True)
class Look:
    """What a document's front matter decides: its names, running foot, colour and typeface."""

    title: str
    author: str
    foot: str
    accent: Color
    body_font: str
    bold_font: str


def typeset(source: str) -> bytes:
    """Set `source` and return the PDF."""
    front, _, body = source.partition("\n---\n")
    look = read_look(front)
    out = BytesIO()
    document = SimpleDocTemplate(
        out,
        pagesize=LETTER,
        leftMargin=MARGIN,
        rightMargin=MARGIN,
        topMargin=1.05 * inch,
        bottomMargin=0.95 * inch,
        title=look.title,
        author=look.author,
        invariant=1,
        pageCompression=0,
        initialFontName=look.body_font,
    )
    setter = Setter(look)
    story = [flowable for block in blocks(body) for flowable in setter.set(block)]
    document.build(story, onFirstPage=setter.cover_foot, onLaterPages=setter.running_foot)
    return out.getvalue()


def read_look(front: str) -> Look:
    """Read the `key: value` lines above the first `---`."""
    keys = dict(line.split(": ", 1) for line in front.splitlines() if line.strip())
    serif = keys["face"] == "serif"
    return Look(
        title=keys["title"],
        author=keys["author"],
        foot=keys["foot"],
        accent=HexColor(keys["accent"]),
        body_font="Times-Roman" if serif else "Helvetica",
        bold_font="Times-Bold" if serif else "Helvetica-Bold",
    )


def blocks(body: str) -> Iterator[list[str]]:
    """Split a body at blank lines; a block's first characters say what it is.

    `# `, `## ` headings; `- ` bullets; `| ` tables (a row that begins with `=` is a total, and a
    first line `@cols 3 1 1` gives relative widths); `~ ` table titles; `> ` small print;
    `@cover`, `@line`, `@space N` for the cover; `@page` for a page break; else a paragraph.
    """
    for chunk in re.split(r"\n\s*\n", body.strip()):
        yield chunk.splitlines()


class Setter:
    """Turns blocks into flowables in one document's look."""

    def __init__(self, look: Look) -> None:
        self.look = look
        body = ParagraphStyle(
            "body", fontName=look.body_font, fontSize=11, leading=15.5, spaceAfter=9
        )
        bold = ParagraphStyle("bold", parent=body, fontName=look.bold_font)
        self.styles = {
            "body": body,
            "cover": ParagraphStyle(
                "cover", parent=bold, fontSize=30, leading=36, textColor=look.accent
            ),
            "line": ParagraphStyle("line", parent=body, fontSize=13, leading=19, spaceAfter=4),
            "h1": ParagraphStyle(
                "h1", parent=bold, fontSize=18, leading=23, textColor=look.accent, spaceAfter=10
            ),
            "h2": ParagraphStyle(
                "h2", parent=bold, fontSize=12, leading=16, spaceBefore=8, spaceAfter=5
            ),
            "bullet": ParagraphStyle(
                "bullet", parent=body, leftIndent=14, bulletIndent=3, spaceAfter=5
            ),
            "small": ParagraphStyle("small", parent=body, fontSize=8.5, leading=11.5),
            "caption": ParagraphStyle(
                "caption", parent=bold, fontSize=10, leading=13, spaceBefore=6, spaceAfter=4
            ),
            "cell": ParagraphStyle("cell", parent=body, fontSize=9.5, leading=12, spaceAfter=0),
            "strong": ParagraphStyle("strong", parent=bold, fontSize=9.5, leading=12, spaceAfter=0),
            "head": ParagraphStyle(
                "head", parent=bold, fontSize=9, leading=11.5, textColor=white, spaceAfter=0
            ),
        }

    def set(self, block: list[str]) -> list[Flowable]:
        """Set one block."""
        first = block[0]
        if first == "@page":
            return [PageBreak()]
        if first.startswith("@space "):
            return [Spacer(1, float(first.split()[1]))]
        if first.startswith(("|", "@cols")):
            return [self.table(block), Spacer(1, 10)]
        for mark, style in (("# ", "h1"), ("## ", "h2"), ("~ ", "caption"), ("@cover ", "cover")):
            if first.startswith(mark):
                return [self.paragraph(" ".join(block).removeprefix(mark), style)]
        if first.startswith("@line "):
            return [self.paragraph(line.removeprefix("@line "), "line") for line in block]
        if first.startswith("> "):
            text = " ".join(line.removeprefix("> ") for line in block)
            return [self.paragraph(text, "small")]
        if first.startswith("- "):
            return [self.bullet(item) for item in join_bullets(block)]
        return [self.paragraph(" ".join(block), "body")]

    def paragraph(self, text: str, style: str) -> Paragraph:
        """A paragraph in a named style, with `**bold**` honoured."""
        return Paragraph(inline(text), self.styles[style])

    def bullet(self, text: str) -> Paragraph:
        """One bulleted item."""
        return Paragraph(inline(text), self.styles["bullet"], bulletText="\u2022")

    def table(self, block: list[str]) -> Table:
        """A ruled table; a column of nothing but figures is set flush right."""
        rows = [cells(line) for line in block if line.startswith("|")]
        widths = column_widths(block[0], len(rows[0]))
        right = [all(NUMERIC.match(row[i]) for row in rows[1:]) for i in range(len(rows[0]))]
        data: list[list[Paragraph]] = []
        commands: list[Any] = [
            ("BACKGROUND", (0, 0), (-1, 0), self.look.accent),
            ("GRID", (0, 0), (-1, -1), 0.4, RULE),
            ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
            ("TOPPADDING", (0, 0), (-1, -1), 4),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 4),
        ]
        for y, row in enumerate(rows):
            total = row[0].startswith("=")
            style = "head" if y == 0 else "strong" if total else "cell"
            if total:
                commands.append(("LINEABOVE", (0, y), (-1, y), 1.1, self.look.accent))
                commands.append(("BACKGROUND", (0, y), (-1, y), HexColor("#eef2f6")))
            data.append([self.cell(text, style, right[x]) for x, text in enumerate(row)])
        table = Table(data, colWidths=widths, repeatRows=1)
        table.setStyle(TableStyle(commands))
        return table

    def cell(self, text: str, style: str, right: bool) -> Paragraph:
        """One cell, wrapped within its column."""
        base = self.styles[style]
        if right:
            base = ParagraphStyle(f"{style}-right", parent=base, alignment=TA_RIGHT)
        return Paragraph(inline(text.lstrip("= ")), base)

    def cover_foot(self, canvas: Canvas, _document: object) -> None:
        """The first page carries a band of colour in place of a page number."""
        canvas.setFillColor(self.look.accent)
        canvas.rect(0, LETTER[1] - 0.35 * inch, LETTER[0], 0.35 * inch, stroke=0, fill=1)

    def running_foot(self, canvas: Canvas, _document: object) -> None:
        """The printed number is the physical page, so that a page citation means one thing."""
        canvas.setStrokeColor(RULE)
        canvas.setLineWidth(0.5)
        canvas.line(MARGIN, 0.72 * inch, LETTER[0] - MARGIN, 0.72 * inch)
        canvas.setFont(self.look.body_font, 8.5)
        canvas.drawString(MARGIN, 0.55 * inch, self.look.foot)
        canvas.drawRightString(LETTER[0] - MARGIN, 0.55 * inch, f"Page {canvas.getPageNumber()}")


def inline(text: str) -> str:
    """Escape for reportlab's mini-XML and turn `**x**` into bold."""
    return re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", escape(text))


def join_bullets(block: list[str]) -> list[str]:
    """Rejoin bullets whose text was wrapped in the source."""
    items: list[str] = []
    for line in block:
        if line.startswith("- "):
            items.append(line[2:])
        else:
            items[-1] += " " + line.strip()
    return items


def cells(line: str) -> list[str]:
    """The trimmed cells of a `| a | b |` line."""
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def column_widths(first: str, count: int) -> list[float]:
    """Share the text width out by the weights of an `@cols` line, or evenly without one."""
    weights = [float(w) for w in first.split()[1:]] if first.startswith("@cols") else [1.0] * count
    return [TEXT_WIDTH * weight / sum(weights) for weight in weights]
