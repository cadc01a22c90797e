"""Documents made of raw XML in a ZIP file, and what tests look at in a parsed one."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

from tipstaff.contracts.parsers import faults_of
from tipstaff.domain.clean_text import clean
from tipstaff.domain.document import Document
from tipstaff.parse.parser import Parser, Source

_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_NAMES = (
    f'xmlns:w="{_W}" xmlns:r="{_OFFICE}" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"'
)


def zipped(files: Mapping[str, str | bytes]) -> bytes:
    """The same bytes at any time of day, so that they may stand in a test's name."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, date_time=(2025, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return buffer.getvalue()


def word_part(root: str, inside: str) -> str:
    return f"<w:{root} {_NAMES}>{inside}</w:{root}>"


def docx(body: str, **parts: str) -> bytes:
    """A Word document; `styles="…"` adds `word/styles.xml` with that inside, and so on."""
    files = {
        "_rels/.rels": _relationships({"d": ("officeDocument", "word/document.xml")}),
        "word/document.xml": word_part("document", f"<w:body>{body}</w:body>"),
    }
    related = {}
    for name, inside in parts.items():
        kind = name.rstrip("0123456789")
        root = {"header": "hdr", "footer": "ftr"}.get(kind, kind)
        files[f"word/{name}.xml"] = word_part(root, inside)
        related[f"r{name}"] = (kind, f"{name}.xml")
    files["word/_rels/document.xml.rels"] = _relationships(related)
    return zipped(files)


def _relationships(targets: Mapping[str, tuple[str, str]]) -> str:
    inside = "".join(
        f'<Relationship Id="{key}" Type="{_OFFICE}/{kind}" Target="{target}"/>'
        for key, (kind, target) in targets.items()
    )
    space = "http://schemas.openxmlformats.org/package/2006/relationships"
    return f'<Relationships xmlns="{space}">{inside}</Relationships>'


def p(text: str, properties: str = "") -> str:
    """A Word paragraph of one run."""
    return (
        f'<w:p><w:pPr>{properties}</w:pPr><w:r><w:t xml:space="preserve">{text}</w:t></w:r></w:p>'
    )


def parsed(parser: Parser, content: bytes, *, media_type: str | None = None) -> Document:
    """The document, after checking every promise that parsers make."""
    source = Source(content=content, name="x", media_type=media_type or parser.media_types[0])
    document = parser.parse(source)
    assert faults_of(document) == []
    return document


def shown(document: Document) -> list[tuple[str, str, str]]:
    """Kind, place and the words that a reader sees, for each block."""
    return [
        (str(block.kind), str(block.location), clean(document, block.span).text)
        for block in document.blocks
    ]


def hidden(document: Document) -> list[tuple[str, str]]:
    """The words that are marked as hidden, and why."""
    return [
        (document.words(mark.span), mark.reason) for mark in document.marks if mark.kind == "hidden"
    ]


def pairs(document: Document) -> list[tuple[str, str, str]]:
    """Cell, its column's heading and its words."""
    return [(str(cell.cell), cell.header, document.words(cell.span)) for cell in document.cells]
