"""PDF: text with a box for every word, in reading order; scanned pages by OCR.

A page is cited by its number. Its words are the page's own, unless it is a scan: a picture of
a page without text; pictures beside text are read for themselves. Words that a reader cannot
see are kept and marked.
"""

from __future__ import annotations

from collections.abc import Iterator

import pypdfium2
import pypdfium2.raw as pdfium

from tipstaff.domain.document import Document
from tipstaff.domain.location import slug
from tipstaff.parse.embedded_pictures import EmbeddedPictures
from tipstaff.parse.page_document import PageContent, document_of
from tipstaff.parse.parser import CannotRead, Parser, Source
from tipstaff.parse.pdf_characters import UNMAPPED
from tipstaff.parse.pdf_drawings import Drawings, drawings_of
from tipstaff.parse.pdf_figures import Figures
from tipstaff.parse.pdf_hidden import mark_unseen
from tipstaff.parse.pdf_page_space import Transformation
from tipstaff.parse.pdf_render import draw, open_pdf
from tipstaff.parse.pdf_words import INVISIBLE_INK, PdfWord, words_of
from tipstaff.parse.recognising import Recogniser

MAX_PAGES = 5_000

_OCR_SCALE = 300 / 72
_MOST_PIXELS_READ = 25_000_000
_HARDLY_ANY = 20  # letters: a scan may carry a stamp or a page number
_A_PAGE_FULL = 0.5  # of the page: what a scan's picture covers at least
_MANY_PATHS = 150  # letters drawn as outlines,
_MANY_STROKES = 1_000  # or a whole line of them in one path
_UNSAID = ("", "unspecified", "anonymous", "untitled")  # what programs write for nothing
_MOST_BOOKMARKS = 10_000
_SHOWN_ANNOTATIONS = frozenset(
    {pdfium.FPDF_ANNOT_WIDGET, pdfium.FPDF_ANNOT_FREETEXT, pdfium.FPDF_ANNOT_STAMP}
)


def parse(source: Source) -> Document:
    document = open_pdf(source.content)
    try:
        return _Reader(document, source).read()
    finally:
        document.close()


class _Reader:
    def __init__(self, document: pypdfium2.PdfDocument, source: Source) -> None:
        self.document = document
        self.source = source
        self.recogniser = Recogniser(source.options)
        self.pictures = EmbeddedPictures(source.options)
        self.figures = Figures(self.pictures)
        self.notes: list[str] = []
        self.no_ocr: CannotRead | None = None
        self.comments = 0

    def read(self) -> Document:
        count = len(self.document)
        if count == 0:
            raise CannotRead("The PDF has no pages.", "Ask the sender to send the file again.")
        if count > MAX_PAGES:
            self.notes.append(f"Only the first {MAX_PAGES} of {count} pages were read.")
        pages = [self._page(number) for number in range(1, min(count, MAX_PAGES) + 1)]
        self._note_what_is_left_out()
        document = document_of(
            pages, outline=self._outline(), notes=self.notes, metadata=self._metadata()
        )
        if not document.blocks:
            raise self.no_ocr or CannotRead(
                "No text was found in the PDF.",
                "Look at the pages themselves, or ask the sender for the text.",
            )
        return document

    def _page(self, number: int) -> PageContent:
        try:
            page = self._opened(number)
        except pypdfium2.PdfiumError:
            self.notes.append(f"Page {number} is damaged and was not read.")
            return PageContent(number, 0.0, 0.0, [])
        try:
            return self._content(number, page)
        finally:
            page.close()

    def _opened(self, number: int) -> pypdfium2.PdfPage:
        """The page, with what was filled into forms and typed onto it made part of it."""
        page = self.document[number - 1]
        kinds = list(_annotations(page))
        self.comments += kinds.count(pdfium.FPDF_ANNOT_TEXT)
        if not _SHOWN_ANNOTATIONS.intersection(kinds):
            return page
        pdfium.FPDFPage_Flatten(page, pdfium.FLAT_NORMALDISPLAY)
        page.close()
        return self.document[number - 1]

    def _content(self, number: int, page: pypdfium2.PdfPage) -> PageContent:
        shown = Transformation(page)
        words = words_of(page, shown)
        drawings = drawings_of(page, shown)
        covered = drawings.covered(shown.width, shown.height)
        if covered >= _A_PAGE_FULL:
            # Over the picture of a page, invisible text is what OCR put there to be found.
            for word in words:
                if word.hidden == INVISIBLE_INK:
                    word.hidden = ""
        content = PageContent(number, shown.width, shown.height, words, drawings.rules)
        if _is_scan(words, drawings, covered):
            self._recognise(page, content)
        else:
            mark_unseen(page, words, drawings)
            content.figures = self.figures.on(page, content, drawings.pictures)
        return content

    def _recognise(self, page: pypdfium2.PdfPage, content: PageContent) -> None:
        """Replace what little text there is by what the picture shows."""
        if self.no_ocr is None:
            area = max(1.0, content.width * content.height)
            scale = min(_OCR_SCALE, (_MOST_PIXELS_READ / area) ** 0.5)
            try:
                found = self.recogniser.words(draw(page, scale).convert("L"), scale=scale)
            except CannotRead as error:
                self.no_ocr = error
            else:
                if found:
                    kept = [word for word in content.words if word.hidden]
                    content.words, content.rules, content.ocr = [*found, *kept], (), True
                return
        self.notes.append(f"Page {content.number} is a scan and was not read: {self.no_ocr}")

    def _outline(self) -> dict[int, dict[str, int]]:
        """Titles of the outline on each page, as slugs, with their levels."""
        titles: dict[int, dict[str, int]] = {}
        for bookmark, _ in zip(
            self.document.get_toc(max_depth=6), range(_MOST_BOOKMARKS), strict=False
        ):
            target = bookmark.get_dest()
            page = target.get_index() if target else None
            name = slug(bookmark.get_title())
            if page is not None and name:
                titles.setdefault(page + 1, {}).setdefault(name, bookmark.level + 1)
        return titles

    def _metadata(self) -> dict[str, str]:
        known = self.document.get_metadata_dict(skip_empty=True)
        return {
            key.lower(): known[key]
            for key in ("Title", "Author", "Subject")
            if known.get(key, "").strip("()").lower() not in _UNSAID
        }

    def _note_what_is_left_out(self) -> None:
        self.notes += self.pictures.notes()
        if self.comments:
            self.notes.append(f"The PDF has {self.comments} comments that were not read.")
        attached = pdfium.FPDFDoc_GetAttachmentCount(self.document)
        if attached > 0:
            self.notes.append(f"The PDF has {attached} attached files that were not read.")
        if b"%%EOF" not in self.source.content[-2048:]:
            self.notes.append("The end of the PDF is missing; pages may have been lost.")


def _annotations(page: pypdfium2.PdfPage) -> Iterator[int]:
    for index in range(min(1_000, pdfium.FPDFPage_GetAnnotCount(page))):
        annotation = pdfium.FPDFPage_GetAnnot(page, index)
        yield pdfium.FPDFAnnot_GetSubtype(annotation)
        pdfium.FPDFPage_CloseAnnot(annotation)


def _is_scan(words: list[PdfWord], drawings: Drawings, covered: float) -> bool:
    """Hardly any text, or none that means anything, on a page that shows something."""
    letters = sum(len(word.text) for word in words if not word.hidden)
    if letters <= _HARDLY_ANY:
        outlined = drawings.paths >= _MANY_PATHS or drawings.strokes >= _MANY_STROKES
        return outlined or covered >= _A_PAGE_FULL
    odd = "".join(word.text for word in words if not (word.hidden or word.text.isascii()))
    unknown = sum(letter == UNMAPPED or "\ue000" <= letter <= "\uf8ff" for letter in odd)
    return unknown > 0.3 * letters


PARSER = Parser(name="pdf", version=2, media_types=("application/pdf",), parse=parse)
