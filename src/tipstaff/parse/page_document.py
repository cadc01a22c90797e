"""Pages that were laid out become a document: text, blocks, cells, boxes and marks.

In: the passages and tables of each page. Out: a document whose blocks are cited by page. Words
that cannot be seen stand at the end of their page, in blocks of their own, marked as hidden.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from tipstaff.domain.document import BlockKind, Document, MarkKind, Page, PageBox, Span
from tipstaff.domain.location import Location, Pages
from tipstaff.parse.building import CELL_SEPARATOR, IN_A_PICTURE, DocumentBuilder
from tipstaff.parse.page_columns import columns_of
from tipstaff.parse.page_figures import confidence_of, passages_of_figure
from tipstaff.parse.page_headings import Outline, Typography, typography_of
from tipstaff.parse.page_lines import rows_of, runs_of, usual_size, without_twins
from tipstaff.parse.page_passages import Passage, passages_of
from tipstaff.parse.page_tables import Table, header_titles
from tipstaff.parse.page_text import LineText, Vocabulary, text_of
from tipstaff.parse.page_words import SLANTED, Box, Word, turned
from tipstaff.parse.ruled_tables import ruled_tables

LINE_END_HYPHEN = "hyphen at the end of a line"
PRINTED_TWICE = "text printed a second time in the same place"


@dataclass(slots=True)
class PageContent:
    """One page: its size as shown, its words and its ruling lines."""

    number: int
    width: float
    height: float
    words: Sequence[Word]
    rules: Sequence[Box] = ()
    ocr: bool = False
    # Pictures on the page that have words: pages for themselves, but for the words' boxes.
    figures: Sequence[PageContent] = ()
    parts: list[Passage | Table] = field(default_factory=list)
    hidden: list[Word] = field(default_factory=list)

    def lay_out(self) -> None:
        """Fill `parts` and `hidden`: each direction of text for itself, the usual one first."""
        seen = [word for word in self.words if not word.hidden]
        self.hidden = [word for word in self.words if word.hidden]
        directions: dict[int, list[Word]] = {}
        for word in seen:
            directions.setdefault(word.direction, []).append(word)
        for direction in sorted(directions, key=lambda key: -len(directions[key])):
            words, twins = without_twins(directions[direction])
            for twin in twins:
                twin.hidden = PRINTED_TWICE
            self.hidden += twins
            self.parts += self._upright(direction, words)

    def _upright(self, direction: int, words: list[Word]) -> list[Passage | Table]:
        if direction == SLANTED:
            columns = [columns_of([run], 0, 1.0) for word in words for run in runs_of([word])]
            return passages_of([column for found in columns for column in found])
        rules = [turned(rule, direction, self.width, self.height) for rule in self.rules]
        tables, rest = ruled_tables(rules, words)
        runs = [run for row in rows_of(rest) for run in runs_of(row)]
        height = self.width if direction % 2 else self.height
        return passages_of(columns_of([*runs, *tables], height, usual_size(words)))


def document_of(
    pages: Sequence[PageContent],
    *,
    outline: Outline | None = None,
    notes: Sequence[str] = (),
    metadata: Mapping[str, str] | None = None,
    whole: Location | None = None,
) -> Document:
    """`whole` is the location of all blocks of an item that has no page numbers."""
    for page in pages:
        page.lay_out()
    writer = _Writer(pages, outline or {}, whole)
    for page in pages:
        writer.page(page)
    writer.builder.notes.extend(notes)
    return writer.builder.build(metadata=metadata)


class _Writer:
    def __init__(
        self, pages: Sequence[PageContent], outline: Outline, whole: Location | None
    ) -> None:
        self.builder = DocumentBuilder()
        self._vocabulary = Vocabulary(word for page in pages for word in page.words)
        self._printed = _typography(pages, outline, measured=False)
        self._measured = _typography(pages, outline, measured=True)
        self._whole = whole
        self._path: list[tuple[int, str]] = []
        self._overleaf: tuple[tuple[float, ...], list[int]] | None = None

    def page(self, page: PageContent) -> None:
        start = self.builder.position
        for part in page.parts:
            if isinstance(part, Table):
                self._table(part, page)
            else:
                self._passage(part, page)
        for figure in page.figures:
            self._figure(figure, page)
        self._hidden(page)
        end = max(start, self.builder.position - 1)
        self.builder.pages.append(
            Page(page.number, Span(start, end), page.width, page.height, page.ocr)
        )

    def _location(self, page: PageContent) -> Location:
        return self._whole or Pages(page.number, page.number)

    def _passage(self, passage: Passage, page: PageContent) -> None:
        made = text_of([line.words for line in passage.lines], self._vocabulary)
        level = (self._measured if page.ocr else self._printed).level(passage, page.number)
        if level is not None:
            self._overleaf = None
            while self._path and self._path[-1][0] >= level:
                self._path.pop()
        span = self.builder.block(
            passage.kind if level is None else BlockKind.HEADING,
            made.text,
            self._location(page),
            level=level,
            headings=tuple(title for _, title in self._path),
            confidence=confidence_of([made]),
        )
        self._place(made, span.start, page)
        if level is not None:
            self._path.append((level, _title(made)))

    def _table(self, table: Table, page: PageContent) -> None:
        number = self.builder.table()
        ids = self._header_ids(table)
        for row, cells in enumerate(table.rows, start=1):
            made = [text_of(cell.lines, self._vocabulary) for cell in cells]
            span = self.builder.row(
                [text.text for text in made],
                table=number,
                row=row,
                columns=[cell.first + 1 for cell in cells],
                header=[ids.get(cell.first, -1) for cell in cells],
                location=self._location(page),
            )
            start = span.start
            for text in made:
                self._place(text, start, page)
                start += len(text.text) + len(CELL_SEPARATOR)
            self.builder.blocks[-1] = replace(
                self.builder.blocks[-1],
                headings=tuple(title for _, title in self._path),
                confidence=confidence_of(made),
            )

    def _figure(self, figure: PageContent, page: PageContent) -> None:
        figure.lay_out()
        for made, confidence in passages_of_figure(figure.parts, self._vocabulary):
            span = self.builder.block(
                BlockKind.PARAGRAPH,
                made.text,
                self._location(page),
                headings=(*(title for _, title in self._path), IN_A_PICTURE),
                confidence=confidence,
            )
            self._place(made, span.start, page)

    def _header_ids(self, table: Table) -> dict[int, int]:
        """The headings of the columns; a table without any may go on from the page before."""
        if not table.header_rows and self._overleaf and _agree(self._overleaf[0], table.edges):
            return dict(enumerate(self._overleaf[1]))
        titles = header_titles(table)
        columns = range(len(table.edges))
        ids = self.builder.header_ids([titles.get(column, "") for column in columns])
        self._overleaf = (table.edges, ids)
        return dict(zip(columns, ids, strict=True))

    def _hidden(self, page: PageContent) -> None:
        for reason, words in groupby(page.hidden, key=lambda word: word.hidden):
            made = text_of([list(words)], self._vocabulary)
            span = self.builder.block(
                BlockKind.PARAGRAPH,
                made.text,
                self._location(page),
                headings=tuple(title for _, title in self._path),
            )
            self._place(made, span.start, page)
            self.builder.hide(span, reason)

    def _place(self, made: LineText, start: int, page: PageContent) -> None:
        """Boxes of the words of a text that begins at `start`, cut off at the page's edge."""
        for first, last, word in made.words:
            box = _on_page(word.box, page)
            if box:
                self.builder.boxes.add(start + first, start + last, box)
        for first, last in made.breaks:
            span = Span(start + first, start + last)
            self.builder.hide(span, LINE_END_HYPHEN, kind=MarkKind.MARKUP)


def _typography(pages: Sequence[PageContent], outline: Outline, *, measured: bool) -> Typography:
    return typography_of(_passages(pages, ocr=measured), outline=outline, measured=measured)


def _passages(pages: Sequence[PageContent], *, ocr: bool) -> Iterator[tuple[int, Passage]]:
    for page in pages:
        for part in page.parts:
            if page.ocr == ocr and isinstance(part, Passage):
                yield page.number, part


def _title(made: LineText) -> str:
    """A heading without the hyphens of its line ends."""
    broken = {start for start, _ in made.breaks}
    return "".join(letter for at, letter in enumerate(made.text) if at not in broken)


def _agree(first: tuple[float, ...], second: tuple[float, ...]) -> bool:
    return len(first) == len(second) and all(
        abs(one - other) <= 3 for one, other in zip(first, second, strict=True)
    )


def _on_page(box: Box, page: PageContent) -> PageBox | None:
    left, top, right, bottom = box
    if left < 0 or top < 0 or right > page.width or bottom > page.height:
        left, top = max(0.0, left), max(0.0, top)
        right, bottom = min(page.width, right), min(page.height, bottom)
    if left > right or top > bottom:
        return None
    return PageBox(page.number, left, top, right, bottom)
