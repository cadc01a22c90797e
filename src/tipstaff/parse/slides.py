"""PPTX: slides in the order of the show, shape by shape; what is broken costs one shape.

Every block stands at its slide's number as PowerPoint counts it, hidden slides included.
Titles are headings; speaker notes are paragraphs under the heading "Speaker notes".
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

from lxml import etree
from pptx.opc.constants import CONTENT_TYPE
from pptx.opc.package import PartFactory
from pptx.package import Package
from pptx.parts.presentation import PresentationPart
from pptx.presentation import Presentation
from pptx.shapes.graphfrm import GraphicFrame
from pptx.slide import Slide

from tipstaff.domain.document import BlockKind, Document, Span
from tipstaff.domain.location import Slides
from tipstaff.parse.building import IN_A_PICTURE, DocumentBuilder
from tipstaff.parse.embedded_pictures import EmbeddedPictures, Load
from tipstaff.parse.parser import CannotRead, Parser, Source
from tipstaff.parse.slide_tables import Row, chart_rows, diagram_texts, table_rows
from tipstaff.parse.slide_text import Paragraph, paragraphs, remarks

NOTES = "Speaker notes"

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_EMBED = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}embed"
_DEEPEST_GROUP = 20
# Placeholders whose text is a field that PowerPoint fills in.
_FIELDS = frozenset({"sldNum", "dt"})


def parse(source: Source) -> Document:
    if source.content.startswith(_OLE):
        raise CannotRead(
            "The presentation is encrypted or in PowerPoint's old format.",
            "Ask the sender for a PPTX or PDF version without a password.",
        )
    try:
        show = _opened(source.content)
        references = [element.get(_ID) for element in show.element.iter("{*}sldId")]
    except Exception as error:
        raise CannotRead(
            "The file is damaged or is no presentation.",
            "Ask the sender for the presentation again, or for a PDF version.",
        ) from error
    builder = DocumentBuilder()
    pictures = EmbeddedPictures(source.options)
    size = (show.slide_width or 0, show.slide_height or 0)
    for number, reference in enumerate(references, start=1):
        try:
            slide = show.part.related_slide(reference)
            _SlideWriter(builder, slide, number, size, pictures).write()
        except Exception as error:
            builder.notes.append(f"Slide {number} could not be read ({type(error).__name__}).")
    builder.notes += pictures.refusals()
    return builder.build(metadata={"slides": str(len(references))})


def _opened(content: bytes) -> Presentation:
    """Templates and shows are presentations under another name, which python-pptx refuses."""
    for kind in (CONTENT_TYPE.PML_TEMPLATE_MAIN, CONTENT_TYPE.PML_SLIDESHOW_MAIN):
        PartFactory.part_type_for[kind] = PresentationPart
    main = Package.open(io.BytesIO(content)).main_document_part
    if not isinstance(main, PresentationPart):
        raise TypeError(f"the main part is a {main.content_type}")
    show: Presentation = main.presentation
    return show


class _SlideWriter:
    def __init__(
        self,
        builder: DocumentBuilder,
        slide: Slide,
        number: int,
        size: tuple[int, int],
        pictures: EmbeddedPictures,
    ) -> None:
        self.builder = builder
        self.slide = slide
        self.number = number
        self.size = size
        self.pictures = pictures
        self.place = Slides(number, number)
        self.headings: tuple[str, ...] = ()

    def write(self) -> None:
        start = self.builder.position
        title = self._title()
        tree = self.slide.shapes.element
        self._shapes(tree, skipped=title, depth=0)
        self._notes()
        for remark in remarks(self.slide.part):
            self._paragraph(Paragraph(remark.text), author=remark.author)
        if self.slide.element.get("show") in ("0", "false"):
            end = max(start, self.builder.position - 1)
            self.builder.hide(Span(start, end), f"hidden slide {self.number}")

    def _title(self) -> object:
        """The element of the title, which comes first wherever it was drawn."""
        try:
            shape = self.slide.shapes.title
            text = "" if shape is None else _joined(paragraphs(shape.element))
        except Exception:
            self._note("title")
            return None
        if shape is None or not text:
            return None
        self._block(BlockKind.HEADING, text, level=1, hidden=self._why_hidden(shape.element))
        self.headings = (text,)
        return shape.element

    def _shapes(self, tree: Any, *, skipped: object, depth: int) -> None:
        if depth > _DEEPEST_GROUP:
            self.builder.notes.append(
                f"Shapes on slide {self.number} that are grouped very deeply were not read."
            )
            return
        for element in tree.iterchildren("{*}*"):
            if element is skipped:
                continue
            try:
                if _name(element) == "grpSp":
                    self._shapes(element, skipped=skipped, depth=depth + 1)
                else:
                    self._shape(element)
            except Exception:
                self._note("shape")

    def _shape(self, element: Any) -> None:
        hidden = self._why_hidden(element)
        if _name(element) == "AlternateContent":
            # The same shape in two ways; the first is the newer one.
            element = next(element.iterchildren("{*}*"), element)
        if _name(element) == "pic":
            self._picture(element, hidden)
        elif _name(element) == "graphicFrame":
            self._frame(element, hidden)
        elif _placeholder(element) not in _FIELDS:
            for paragraph in paragraphs(element):
                self._paragraph(paragraph, hidden=hidden)

    def _picture(self, element: Any, hidden: str | None) -> None:
        """What its author says of it, then what can be read in it."""
        described = next((one.get("descr") for one in element.iter("{*}cNvPr")), None)
        if described and described.strip():
            self._paragraph(Paragraph(f"Image: {described.strip()}"), hidden=hidden)
        blip = next(element.iter("{*}blip"), None)
        related = {} if blip is None else self.slide.part.rels
        relation = related.get("" if blip is None else blip.get(_EMBED, ""))
        reading = self.pictures.read(*_loading(relation))
        for found in reading.texts:
            self._block(
                BlockKind.PARAGRAPH,
                found.text,
                hidden=hidden,
                headings=(*self.headings, IN_A_PICTURE),
                confidence=found.confidence,
            )
        if reading.unread:
            self.builder.notes.append(f"A {reading.unread} on slide {self.number} was not read.")

    def _frame(self, element: Any, hidden: str | None) -> None:
        frame = GraphicFrame(element, self.slide.shapes)
        if frame.has_table:
            self._table(list(table_rows(frame.table)), hidden)
        elif frame.has_chart:
            title, rows = chart_rows(frame.chart)
            if title:
                self._paragraph(Paragraph(title), hidden=hidden)
            self._table(rows, hidden)
            if not rows:
                self.builder.notes.append(f"A chart on slide {self.number} was not read.")
        else:
            texts = diagram_texts(element, self.slide.part)
            for text in texts:
                self._paragraph(Paragraph(text, is_item=True), hidden=hidden)
            if not texts:
                self.builder.notes.append(
                    f"An embedded object on slide {self.number} was not read."
                )

    def _table(self, rows: list[Row], hidden: str | None) -> None:
        table = self.builder.table()
        ids: dict[int, int] = {}
        for number, (cells, titles) in enumerate(rows, start=1):
            if titles is not None:
                numbers = self.builder.header_ids(list(titles.values()))
                ids = dict(zip(titles, numbers, strict=True))
            if not cells:
                continue
            span = self.builder.row(
                list(cells.values()),
                table=table,
                row=number,
                columns=list(cells),
                header=None if titles is not None else [ids.get(at, -1) for at in cells],
                location=self.place,
                headings=self.headings,
            )
            if hidden:
                self.builder.hide(span, hidden)

    def _notes(self) -> None:
        if not self.slide.has_notes_slide:
            return
        try:
            frame = self.slide.notes_slide.notes_text_frame
            found = [] if frame is None else list(paragraphs(frame._element.getparent()))
        except Exception:
            self._note("speaker note")
            return
        for paragraph in found:
            self._paragraph(Paragraph(paragraph.text), headings=(*self.headings, NOTES))

    def _paragraph(
        self,
        paragraph: Paragraph,
        *,
        author: str | None = None,
        hidden: str | None = None,
        headings: tuple[str, ...] | None = None,
    ) -> None:
        kind = BlockKind.LIST_ITEM if paragraph.is_item else BlockKind.PARAGRAPH
        self._block(kind, paragraph.text, author=author, hidden=hidden, headings=headings)

    def _block(
        self,
        kind: BlockKind,
        text: str,
        *,
        level: int | None = None,
        author: str | None = None,
        hidden: str | None = None,
        headings: tuple[str, ...] | None = None,
        confidence: float | None = None,
    ) -> None:
        span = self.builder.block(
            kind,
            text,
            self.place,
            level=level,
            author=author,
            headings=self.headings if headings is None else headings,
            confidence=confidence,
        )
        if hidden:
            self.builder.hide(span, hidden)

    def _why_hidden(self, element: Any) -> str | None:
        """Shapes that are switched off or lie beside the slide."""
        about = next(element.iter("{*}cNvPr"), None)
        if about is not None and about.get("hidden") in ("1", "true"):
            return f"hidden shape on slide {self.number}"
        frame = next(element.iter("{*}xfrm"), None)
        if frame is None or _name(element.getparent()) == "grpSp":
            return None
        corner, extent = frame.find("{*}off"), frame.find("{*}ext")
        if corner is None or extent is None or not all(self.size):
            return None
        try:
            left, top = int(corner.get("x")), int(corner.get("y"))
            right, bottom = left + int(extent.get("cx")), top + int(extent.get("cy"))
        except (TypeError, ValueError):
            return None
        if right <= 0 or bottom <= 0 or left >= self.size[0] or top >= self.size[1]:
            return f"text beside slide {self.number}"
        return None

    def _note(self, what: str) -> None:
        self.builder.notes.append(f"A {what} on slide {self.number} could not be read.")


def _loading(relation: Any) -> tuple[str, Load]:
    """The name of a picture's part and how to get at its bytes."""
    if relation is None or relation.is_external:
        return "", lambda _: None
    part = relation.target_part
    return str(part.partname), lambda _: bytes(part.blob)


def _joined(found: Iterator[Paragraph]) -> str:
    return " ".join(paragraph.text.replace("\n", " ") for paragraph in found)


def _name(element: Any) -> str:
    return etree.QName(element).localname if isinstance(element.tag, str) else ""


def _placeholder(element: Any) -> str:
    mark = next(element.iter("{*}ph"), None)
    return "" if mark is None else mark.get("type", "obj")


PARSER = Parser(
    name="slides",
    version=2,
    media_types=("application/vnd.openxmlformats-officedocument.presentationml.presentation",),
    parse=parse,
)
