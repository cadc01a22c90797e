"""EPUB books: the pages of the spine, in reading order, each read as a web page.

A chapter without a heading of its own gets the title that the table of contents gives it.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Sequence
from functools import partial
from urllib.parse import unquote

from lxml import etree

from tipstaff.domain.document import Document
from tipstaff.parse.building import DocumentBuilder, PictureText
from tipstaff.parse.embedded_pictures import EmbeddedPictures
from tipstaff.parse.flow import DocumentFlow
from tipstaff.parse.html import data_picture, decode_page, read_page, read_xhtml
from tipstaff.parse.html_walk import HEADINGS, Walk
from tipstaff.parse.not_read import not_read_notes
from tipstaff.parse.parser import CannotRead, Parser, Source
from tipstaff.parse.xml_tree import local_name, read_xml
from tipstaff.parse.zip_members import ZipMembers

_CONTAINER = "META-INF/container.xml"
_PAGES = ("application/xhtml+xml", "text/html", "application/x-dtbook+xml", "")
# Fonts are scrambled in honest books, too.
_FONT = re.compile(r"\.(?:otf|ttf|woff2?|eot)$", re.IGNORECASE)
_METADATA = {"title": "title", "creator": "author", "language": "language", "date": "created"}


def parse(source: Source) -> Document:
    return _Book(source.content, EmbeddedPictures(source.options)).read()


class _Book:
    def __init__(self, content: bytes, pictures: EmbeddedPictures) -> None:
        self._pictures = pictures
        self._members = ZipMembers(content, "EPUB book")
        self._builder = DocumentBuilder()
        self._not_read: Counter[str] = Counter()
        self._package_name = self._find_package()
        self._package = self._xml(self._package_name)
        self._manifest = {
            element.get("id", ""): element
            for element in self._package.iter("{*}item")
            if element.get("href")
        }

    def read(self) -> Document:
        self._refuse_locked()
        titles = self._titles()
        for number, name in enumerate(self._spine(), start=1):
            self._chapter(number, name, titles)
        self._builder.notes += not_read_notes(self._not_read) + self._pictures.notes()
        return self._builder.build(metadata=self._metadata())

    def _chapter(self, number: int, name: str | None, titles: dict[str, str]) -> None:
        content = None if name is None else self._members.read(name)
        if name is None or content is None:
            self._builder.notes.append(f"Chapter {number} of the book is missing from the file.")
            return
        try:
            root = read_xhtml(content)
            root = read_page(decode_page(content)) if root is None else root
        except CannotRead as reason:
            self._builder.notes.append(f"Chapter {number} was not read: {reason.reason}")
            return
        if root is None:
            return
        has_heading = any(local_name(element).lower() in HEADINGS for element in root.iter())
        if not has_heading and name in titles:
            self._builder.heading(titles[name], 1)
        picture = partial(self._picture, name)
        Walk(DocumentFlow(self._builder), self._not_read, picture).over(root)

    def _picture(self, page: str, address: str) -> Sequence[PictureText]:
        if address.lower().startswith("data:"):
            return data_picture(address, self._pictures)
        if not address:
            return ()
        return self._pictures.texts(self._path(page, address), self._members.read_picture)

    def _find_package(self) -> str:
        container = self._xml(_CONTAINER)
        for element in container.iter("{*}rootfile"):
            return unquote(element.get("full-path", "")).lstrip("/")
        raise self._no_book(_CONTAINER)

    def _xml(self, name: str) -> etree._Element:
        content = self._members.read(name)
        if content is None:
            raise self._no_book(name)
        return read_xml(content, name)

    def _no_book(self, part: str) -> CannotRead:
        return CannotRead(
            f"The file is not an EPUB book: its part '{part}' is missing or empty.",
            "Ask the sender for a new copy of the file.",
        )

    def _refuse_locked(self) -> None:
        """Chapters that are encrypted make the book unreadable; scrambled fonts do not."""
        content = self._members.read("META-INF/encryption.xml")
        if content is None:
            return
        for element in read_xml(content, "META-INF/encryption.xml").iter("{*}CipherReference"):
            if not _FONT.search(element.get("URI", "")):
                raise CannotRead(
                    "The book is protected by digital rights management.",
                    "Ask the sender for a version without protection.",
                )

    def _spine(self) -> list[str | None]:
        """The names of the pages in reading order; None for one that is not in the manifest."""
        names: list[str | None] = []
        for reference in self._package.iter("{*}itemref"):
            item = self._manifest.get(reference.get("idref", ""))
            if item is None:
                names.append(None)
            elif item.get("media-type", "") in _PAGES:
                names.append(self._path(self._package_name, item.get("href", "")))
            else:
                self._builder.notes.append(
                    f"'{item.get('href')}' in the book is not a page of text and was not read."
                )
        return names

    def _titles(self) -> dict[str, str]:
        """Page → its title in the table of contents (EPUB 3's page, or EPUB 2's NCX)."""
        titles: dict[str, str] = {}
        for item in self._manifest.values():
            if "nav" in item.get("properties", "").split():
                links = ("a", "href")
            elif item.get("media-type") == "application/x-dtbncx+xml":
                links = ("navPoint", "")
            else:
                continue
            name = self._path(self._package_name, item.get("href", ""))
            content = self._members.read(name)
            root = None if content is None else read_xhtml(content)
            for element in [] if root is None else root.iter("{*}" + links[0]):
                target, words = _entry(element, links[1])
                if words and target:
                    titles.setdefault(self._path(name, target), words)
        return titles

    def _path(self, base: str, reference: str) -> str:
        target = unquote(reference.partition("#")[0])
        return posixpath.normpath(posixpath.join(posixpath.dirname(base), target)).lstrip("/")

    def _metadata(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for element in self._package.iter("{http://purl.org/dc/elements/1.1/}*"):
            words = " ".join("".join(element.itertext()).split())
            if words and local_name(element) in _METADATA:
                found.setdefault(_METADATA[local_name(element)], words)
        return found


def _entry(element: etree._Element, attribute: str) -> tuple[str, str]:
    """Where an entry of a table of contents leads, and what it says."""
    if attribute:
        return element.get(attribute, ""), " ".join("".join(element.itertext()).split())
    label = element.find("{*}navLabel")
    content = element.find("{*}content")
    words = "" if label is None else " ".join("".join(label.itertext()).split())
    return "" if content is None else content.get("src", ""), words


PARSER = Parser(name="epub", version=2, media_types=("application/epub+zip",), parse=parse)
