"""Test 11's bundle: a PDF, a workbook, an image and a Markdown file, written byte by byte.

The figure that is asked for stands in the workbook alone, the codeword in the Markdown file alone.
"""

from __future__ import annotations

import struct
import zlib
from functools import cache

from tipstaff.compliance.tez_file import MadeItem, archived, tez_file
from tipstaff.compliance.world import Fixture

TEZ_ID = "tip-compliance-mixed"
WORKBOOK = "workshop-costs"
NOTES = "shift-notes"
QUERY = "How much did the Ashby workshop spend on bearings in May 2025?"
ANSWER = "8,417"
CODEWORD_QUERY = "What is the codeword that releases the paint line?"
CODEWORD = "JUNIPER-58"

_ROWS: tuple[tuple[str | int, ...], ...] = (
    ("Month", "Bearings", "Seals", "Lubricants"),
    ("April 2025", 7902, 3115, 1240),
    ("May 2025", 8417, 2986, 1388),
    ("June 2025", 6733, 3301, 1193),
)
_MARKDOWN = f"""# Shift notes of the Ashby workshop

The paint line stands still from Friday evening to Monday morning.

The codeword that releases the paint line is {CODEWORD}; it is spoken, never written on a form.
"""
_PDF_LINES = (
    "Ashby workshop: safety inspection",
    "The crane was inspected on 12 May 2025 and found in order.",
    "Two extinguishers in the store must be replaced.",
)


@cache
def mixed_tez() -> bytes:
    items = [
        MadeItem(
            id="safety-inspection",
            file="safety-inspection.pdf",
            title="Safety inspection",
            content=_pdf(_PDF_LINES),
        ),
        MadeItem(
            id=WORKBOOK,
            file=f"{WORKBOOK}.xlsx",
            title="Costs of the Ashby workshop, in dollars",
            content=_workbook(),
            type="spreadsheet",
        ),
        MadeItem(
            id="floor-plan",
            file="floor-plan.png",
            title="Floor plan",
            content=_image(),
            type="image",
        ),
        MadeItem(
            id=NOTES,
            file=f"{NOTES}.md",
            title="Shift notes",
            content=_MARKDOWN.encode(),
            type="note",
        ),
    ]
    synthesis = "# Ashby workshop\n\nCosts, safety and shifts of the workshop in spring 2025.\n"
    return tez_file(TEZ_ID, title="Ashby workshop", synthesis=synthesis, items=items)


MIXED = Fixture(name="mixed", tez_id=TEZ_ID, build=mixed_tez)


def _pdf(lines: tuple[str, ...]) -> bytes:
    """One page of plain text, with a table of where its objects begin."""
    shown = "".join(f"({line}) Tj 0 -20 Td " for line in lines)
    stream = f"BT /F1 12 Tf 60 760 Td {shown}ET".encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources %s >>"
        % b"<< /Font << /F1 5 0 R >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    body, places = b"%PDF-1.4\n", []
    for number, one in enumerate(objects, start=1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, one)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    tail = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (size, len(body))
    return body + b"xref\n0 %d\n0000000000 65535 f \n%s" % (size, table) + tail


_SHEET_XML = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"


def _workbook() -> bytes:
    """One sheet of text and whole numbers, thousands parted by commas."""
    rows = "".join(
        f'<row r="{row}">{"".join(_cell(row, column, value) for column, value in enumerate(cells))}'
        "</row>"
        for row, cells in enumerate(_ROWS, start=1)
    )
    head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    package = "application/vnd.openxmlformats-package"
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
        f'<Default Extension="rels" ContentType="{package}.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{kind}.sheet.main+xml"/>'
        f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{kind}.worksheet+xml"/>'
        f'<Override PartName="/xl/styles.xml" ContentType="{kind}.styles+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="rId1" '
        f'Type="{_RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{_SHEET_XML}" xmlns:r="{_RELATIONS}"><sheets>'
        '<sheet name="Spend" sheetId="1" r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="rId1" Type="{_RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/>'
        f'<Relationship Id="rId2" Type="{_RELATIONS}/styles" Target="styles.xml"/></Relationships>',
        "xl/styles.xml": f'<styleSheet xmlns="{_SHEET_XML}"><fonts count="1"><font/></fonts>'
        '<fills count="1"><fill/></fills><borders count="1"><border/></borders>'
        '<cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf numFmtId="0"/>'
        '<xf numFmtId="3" applyNumberFormat="1"/></cellXfs></styleSheet>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{_SHEET_XML}"><sheetData>{rows}'
        "</sheetData></worksheet>",
    }
    return archived({name: (head + text).encode() for name, text in parts.items()})


def _cell(row: int, column: int, value: str | int) -> str:
    place = f"{chr(ord('A') + column)}{row}"
    if isinstance(value, int):
        return f'<c r="{place}" s="1"><v>{value}</v></c>'
    return f'<c r="{place}" t="inlineStr"><is><t>{value}</t></is></c>'


def _image() -> bytes:
    """A plan without words: walls in black on white."""
    width, height = 64, 48
    rows = b"".join(
        b"\0" + bytes(0 if x in (0, 31, 63) or y in (0, 20, 47) else 255 for x in range(width))
        for y in range(height)
    )
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    parts = [(b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(_png_part(kind, data) for kind, data in parts)


def _png_part(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
