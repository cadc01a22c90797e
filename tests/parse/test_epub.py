from __future__ import annotations

import pytest

from tests.parse.packages import hidden, parsed, shown, zipped
from tipstaff.domain.document import Document
from tipstaff.parse.epub import PARSER
from tipstaff.parse.parser import CannotRead

CONTAINER = (
    "<container xmlns='urn:oasis:names:tc:opendocument:xmlns:container'><rootfiles>"
    "<rootfile full-path='OEBPS/book.opf'/></rootfiles></container>"
)


def page(body: str) -> str:
    return (
        "<?xml version='1.0' encoding='utf-8'?><!DOCTYPE html>"
        f"<html xmlns='http://www.w3.org/1999/xhtml'><head><title/></head><body>{body}</body></html>"
    )


def book(
    chapters: dict[str, str],
    *,
    order: list[str] | None = None,
    files: dict[str, str] | None = None,
) -> bytes:
    items = "".join(
        f"<item id='{name}' href='text/{name}.xhtml' media-type='application/xhtml+xml'/>"
        for name in chapters
    )
    spine = "".join(f"<itemref idref='{name}'/>" for name in order or chapters)
    package = (
        "<package xmlns='http://www.idpf.org/2007/opf' xmlns:dc='http://purl.org/dc/elements/1.1/'>"
        "<metadata><dc:title>A book</dc:title><dc:creator>Jane</dc:creator></metadata>"
        f"<manifest>{items}<item id='ncx' href='toc.ncx' media-type='application/x-dtbncx+xml'/>"
        "<item id='nav' href='nav.xhtml' properties='nav' media-type='application/xhtml+xml'/>"
        f"<item id='pic' href='a.svg' media-type='image/svg+xml'/></manifest><spine>{spine}</spine>"
        "</package>"
    )
    return zipped(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": CONTAINER,
            "OEBPS/book.opf": package,
            **{f"OEBPS/text/{name}.xhtml": page(body) for name, body in chapters.items()},
            **(files or {}),
        }
    )


def read(content: bytes) -> Document:
    return parsed(PARSER, content)


def test_chapters_come_in_the_order_of_the_spine() -> None:
    document = read(
        book(
            {"b": "<h1>Second</h1><p>two</p>", "a": "<h1>First</h1><p>one&#160;&nbsp;x</p>"},
            order=["a", "b"],
        )
    )
    assert shown(document) == [
        ("heading", "first", "First"),
        ("paragraph", "first:para-1", "one\xa0\xa0x"),
        ("heading", "second", "Second"),
        ("paragraph", "second:para-1", "two"),
    ]
    assert document.metadata == {"title": "A book", "author": "Jane"}


def test_a_chapter_without_a_heading_is_named_by_the_table_of_contents() -> None:
    ncx = (
        "<ncx xmlns='http://www.daisy.org/z3986/2005/ncx/'><navMap><navPoint><navLabel>"
        "<text>Prologue</text></navLabel><content src='text/a.xhtml#x'/></navPoint></navMap></ncx>"
    )
    document = read(book({"a": "<p>words</p>"}, files={"OEBPS/toc.ncx": ncx}))
    assert [place for _, place, _ in shown(document)] == ["prologue", "prologue:para-1"]
    nav = page("<nav><ol><li><a href='text/a.xhtml'>The start</a></li></ol></nav>")
    document = read(book({"a": "<p>words</p>"}, files={"OEBPS/nav.xhtml": nav}))
    assert [place for _, place, _ in shown(document)] == ["the-start", "the-start:para-1"]


def test_what_is_missing_or_unreadable_in_a_book_is_said() -> None:
    document = read(
        book(
            {"a": "<p>kept</p>", "deep": "<div>" * 300 + "x" + "</div>" * 300},
            order=["a", "gone", "deep", "pic"],
        )
    )
    assert [words for _, _, words in shown(document)] == ["kept"]
    assert document.notes == (
        "'a.svg' in the book is not a page of text and was not read.",
        "Chapter 2 of the book is missing from the file.",
        "Chapter 3 was not read: The page nests its elements more than 250 levels deep.",
    )


def test_a_chapter_that_is_no_xml_is_read_as_a_page() -> None:
    document = read(book({"a": "<p>one<p>two <b>bold</p><p hidden>ghost</p>"}))
    assert [words for _, _, words in shown(document)] == ["one", "two bold", ""]
    assert [words for words, _ in hidden(document)] == ["ghost"]


def test_scrambled_fonts_are_honest_and_scrambled_chapters_are_not() -> None:
    def locked(name: str) -> str:
        return (
            "<encryption xmlns='urn:oasis:names:tc:opendocument:xmlns:container'><e:EncryptedData "
            "xmlns:e='http://www.w3.org/2001/04/xmlenc#'><e:CipherData><e:CipherReference "
            f"URI='{name}'/></e:CipherData></e:EncryptedData></encryption>"
        )

    name = "META-INF/encryption.xml"
    assert read(book({"a": "<p>x</p>"}, files={name: locked("OEBPS/f.otf")})).text == "x\n"
    with pytest.raises(CannotRead, match="rights management"):
        read(book({"a": "<p>x</p>"}, files={name: locked("OEBPS/text/a.xhtml")}))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"garbage",
        book({"a": "x"})[:300],
        zipped({"mimetype": "application/epub+zip"}),
        zipped({"META-INF/container.xml": "<container/>"}),
        zipped({"META-INF/container.xml": CONTAINER}),
        zipped({"META-INF/container.xml": CONTAINER, "OEBPS/book.opf": "<package"}),
    ],
)
def test_what_is_no_book_is_refused(content: bytes) -> None:
    with pytest.raises(CannotRead):
        read(content)


def test_entities_in_a_chapter_are_not_expanded() -> None:
    body = "<!DOCTYPE html [<!ENTITY a 'haha'><!ENTITY f SYSTEM 'file:///etc/passwd'>]>"
    chapter = f"{body}<html><body><p>&a;&f;</p></body></html>"
    content = book({"a": "x"}, files={"OEBPS/text/a.xhtml": chapter})
    text = read(content).text
    assert "&a;&f;" in text
    assert "root:" not in text
