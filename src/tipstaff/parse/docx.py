"""Word documents: the body in order, then headers, footers, notes and comments by their names.

A DOCX has no pages until it is printed, so places are sections and paragraphs in them. What a
reader of the document does not see (deleted, hidden, white on white) is kept and marked.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import replace

from lxml import etree

from tipstaff.domain.document import Document
from tipstaff.parse.building import DocumentBuilder
from tipstaff.parse.docx_body import StoryReader
from tipstaff.parse.docx_names import W
from tipstaff.parse.docx_numbering import Numbering
from tipstaff.parse.docx_styles import Styles
from tipstaff.parse.docx_text import References
from tipstaff.parse.embedded_pictures import EmbeddedPictures
from tipstaff.parse.flow import CellFlow, DocumentFlow
from tipstaff.parse.list_labels import roman
from tipstaff.parse.not_read import not_read_notes
from tipstaff.parse.parser import CannotRead, Parser, Source
from tipstaff.parse.runs import Runs
from tipstaff.parse.xml_tree import local_name, read_xml
from tipstaff.parse.zip_members import ZipMembers

_ORPHAN = "a note that nothing refers to"
_WHITE_PAGES = ("auto", "FFFFFF", "ffffff")
# "Strict" files use other names for the same things.
_STRICT = b"http://purl.oclc.org/ooxml/"
_SAME_NAMES = (
    (b"wordprocessingml/main", b"wordprocessingml/2006/main"),
    (b"drawingml/main", b"drawingml/2006/main"),
    (b"drawingml/wordprocessingDrawing", b"drawingml/2006/wordprocessingDrawing"),
    (b"officeDocument/math", b"officeDocument/2006/math"),
    (b"officeDocument/relationships", b"officeDocument/2006/relationships"),
)
_PROPERTIES = {
    "title": "title",
    "subject": "subject",
    "creator": "author",
    "created": "created",
    "modified": "modified",
    "lastModifiedBy": "last_modified_by",
}


def parse(source: Source) -> Document:
    package = _Package(source.content)
    return _Reader(package, EmbeddedPictures(source.options)).read()


class _Package:
    """The parts of a DOCX file and how they refer to each other."""

    def __init__(self, content: bytes) -> None:
        self._members = ZipMembers(content, "Word document")
        mains = self.related("", "officeDocument")
        self.main = next(iter(mains.values()), "word/document.xml")

    def part(self, name: str) -> etree._Element | None:
        content = self._members.read(name)
        if content is None:
            return None
        if _STRICT in content:
            for strict, usual in _SAME_NAMES:
                content = content.replace(
                    _STRICT + strict, b"http://schemas.openxmlformats.org/" + usual
                )
        return read_xml(content, name)

    def related(self, part: str, kind: str) -> dict[str, str]:
        """Relationship id → name of the part, for one kind of relationship."""
        folder, name = posixpath.split(part)
        root = self.part(posixpath.join(folder, "_rels", name + ".rels"))
        found = {}
        for element in [] if root is None else root:
            if element.get("Type", "").endswith("/" + kind) and element.get("TargetMode") in (
                None, "Internal",
            ):  # fmt: skip
                target = posixpath.join("/" + folder, element.get("Target", ""))
                found[element.get("Id", "")] = posixpath.normpath(target).lstrip("/")
        return found

    def picture(self, name: str) -> bytes | None:
        return self._members.read_picture(name)

    def first(self, kind: str) -> etree._Element | None:
        """The one part of its kind that the main part refers to."""
        return self.first_part(kind)[1]

    def first_part(self, kind: str) -> tuple[str, etree._Element | None]:
        """The same with its name."""
        name = next(iter(self.related(self.main, kind).values()), "")
        return name, self.part(name) if name else None


class _Reader:
    def __init__(self, package: _Package, pictures: EmbeddedPictures) -> None:
        self._package = package
        self._builder = DocumentBuilder()
        self._flow = DocumentFlow(self._builder)
        self._styles = Styles(package.first("styles"))
        self._numbering = Numbering(package.first("numbering"))
        self._references = References()
        self._pictures = pictures

    def read(self) -> Document:
        root = self._package.part(self._package.main)
        body = None if root is None else root.find(W + "body")
        if root is None or body is None:
            raise CannotRead(
                "The file is not a Word document: it has no body.",
                "Ask the sender for a new copy of the file.",
            )
        page = root.find(W + "background")
        coloured = page is not None and page.get(W + "color", "auto") not in _WHITE_PAGES
        self._story(self._package.main, shaded=coloured).read(body)
        self._margins("header", "Headers")
        self._margins("footer", "Footers")
        references = self._references
        footnotes = {key: str(number) for key, number in references.footnotes.items()}
        endnotes = {key: roman(number) for key, number in references.endnotes.items()}
        self._notes("footnote", "Footnotes", footnotes)
        self._notes("endnote", "Endnotes", endnotes)
        self._comments()
        self._builder.notes += not_read_notes(references.not_read) + self._pictures.notes()
        return self._builder.build(metadata=self._metadata())

    def _story(self, part: str, *, shaded: bool = False, author: str | None = None) -> StoryReader:
        """A reader of a story in a part, whose pictures go by that part's names for them."""
        names = self._package.related(part, "image")
        self._references.picture = lambda name: self._pictures.texts(
            names.get(name, ""), self._package.picture
        )
        return StoryReader(
            self._styles,
            self._numbering,
            self._references,
            self._flow,
            shaded=shaded,
            author=author,
        )

    def _margins(self, kind: str, title: str) -> None:
        """Headers or footers; most documents repeat one for each of their sections."""
        seen: set[str] = set()
        for name in self._package.related(self._package.main, kind).values():
            root = self._package.part(name)
            words = "" if root is None else "".join(_words(root)).strip()
            if root is not None and words and words not in seen:
                if not seen:
                    self._builder.heading(title, 1)
                seen.add(words)
                self._story(name).read(root)

    def _notes(self, kind: str, title: str, numbers: dict[str, str]) -> None:
        part, root = self._package.first_part(kind + "s")
        notes = [
            note
            for note in ([] if root is None else root.iterfind(W + kind))
            # Separators and the like are lines, not notes.
            if note.get(W + "type", "normal") == "normal" and _has_words(note)
        ]
        if notes:
            self._builder.heading(title, 1)
        order = {key: place for place, key in enumerate(numbers)}
        for note in sorted(notes, key=lambda note: order.get(note.get(W + "id", ""), len(order))):
            label = numbers.get(note.get(W + "id", ""))
            if label:
                self._story(part).read(note, label=Runs.of(f"[{label}] "))
            else:
                orphan = CellFlow()
                replace(self._story(part), flow=orphan).read(note)
                self._flow.paragraph(orphan.cell.runs.hidden(_ORPHAN))

    def _comments(self) -> None:
        part, root = self._package.first_part("comments")
        comments = [
            comment
            for comment in ([] if root is None else root.iterfind(W + "comment"))
            if _has_words(comment)
        ]
        if comments:
            self._builder.heading("Comments", 1)
        for comment in comments:
            author = comment.get(W + "author") or None
            number = self._references.comments.get(comment.get(W + "id", ""))
            label = f"[comment {number}] " if number else ""
            self._story(part, author=author).read(
                comment, label=Runs.of(label + (f"{author}: " if author else ""))
            )

    def _metadata(self) -> dict[str, str]:
        names = self._package.related("", "core-properties")
        root = self._package.part(next(iter(names.values()))) if names else None
        found = {}
        for element in [] if root is None else root:
            words = (element.text or "").strip()
            if words and local_name(element) in _PROPERTIES:
                found[_PROPERTIES[local_name(element)]] = words
        return found


def _words(element: etree._Element) -> Iterator[str]:
    return (text.text or "" for text in element.iter(W + "t", W + "delText"))


def _has_words(element: etree._Element) -> bool:
    return any(text.strip() for text in _words(element))


_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml."
PARSER = Parser(
    name="docx",
    version=2,
    media_types=(
        _WORD + "document",
        _WORD + "template",
        "application/vnd.ms-word.document.macroEnabled.12",
        "application/vnd.ms-word.template.macroEnabled.12",
    ),
    parse=parse,
)
