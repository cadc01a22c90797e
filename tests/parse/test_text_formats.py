from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import MERIDIAN
from tipstaff.contracts.parsers import faults_of
from tipstaff.domain.clean_text import clean
from tipstaff.domain.document import Document
from tipstaff.domain.location import Lines
from tipstaff.parse import markdown, plain_text
from tipstaff.parse.parser import Source


def parse_markdown(text: str | bytes) -> Document:
    content = text.encode() if isinstance(text, str) else text
    return markdown.parse(Source(content=content, name="x.md", media_type="text/markdown"))


def parse_plain(text: str | bytes) -> Document:
    content = text.encode() if isinstance(text, str) else text
    return plain_text.parse(Source(content=content, name="x.txt", media_type="text/plain"))


def shown(document: Document) -> list[tuple[str, str, str]]:
    return [
        (str(block.kind), str(block.location), clean(document, block.span).text)
        for block in document.blocks
    ]


def test_markdown_blocks_know_their_lines_and_show_only_words() -> None:
    document = parse_markdown(
        "---\ntitle: x\n---\n# Title *one* #\n\nSome **bold** and [a link](http://x) text,\n"
        "over two lines `code *x*`.\n\n- first\n  more\n- second\n   1. nested\n\n> quoted\n\n"
        "| Item | Q3 |\n|---|---:|\n| Revenue | **4.2** |\n| a \\| b | `x|y` |\n\n"
        "```py\ndef f(): pass\n```\n\nSetext\n------\n\nlast\n"
    )
    assert faults_of(document) == []
    assert shown(document) == [
        ("paragraph", "L1-3", "---\ntitle: x\n---"),
        ("heading", "L4", "Title one"),
        ("paragraph", "L6-7", "Some bold and a link text,\nover two lines code *x*."),
        ("list_item", "L9-10", "first\n  more"),
        ("list_item", "L11", "second"),
        ("list_item", "L12", "nested"),
        ("paragraph", "L14", "quoted"),
        ("table_row", "L16", "Item | Q3"),
        ("table_row", "L18", "Revenue | 4.2"),
        ("table_row", "L19", "a | b | x|y"),
        ("code_definition", "L21-23", "\ndef f(): pass\n"),
        ("heading", "L25-26", "Setext"),
        ("paragraph", "L28", "last"),
    ]
    cells = [(cell.header, document.words(cell.span)) for cell in document.cells]
    assert cells[2:4] == [("Item", "Revenue"), ("Q3", "**4.2**")]


def test_a_year_that_begins_a_wrapped_line_is_no_number_of_a_list() -> None:
    document = parse_markdown("It rose from 88,960 MWh in\n2024. The mean was 7.1.\n\n3. third\n")
    assert shown(document) == [
        ("paragraph", "L1-2", "It rose from 88,960 MWh in\n2024. The mean was 7.1."),
        ("list_item", "L4", "third"),
    ]


@pytest.mark.parametrize(
    "name", ["project-plan", "meeting-notes", "risk-assessment", "codebase-review"]
)
def test_real_markdown_keeps_its_promises(name: str) -> None:
    document = parse_markdown((MERIDIAN / "context" / f"{name}.md").read_bytes())
    assert faults_of(document) == []
    assert len(document.blocks) > 20


def test_crlf_and_odd_line_ends_do_not_shift_lines() -> None:
    document = parse_markdown(b"# A\r\n\r\none\x0btwo\xe2\x80\xa8three\r\n\r\n- x\r\n")
    assert faults_of(document) == []
    assert [block.location for block in document.blocks] == [Lines(1, 1), Lines(3, 3), Lines(5, 5)]


def test_plain_text_has_headings_lists_and_paragraphs() -> None:
    document = parse_plain(
        "MASTER AGREEMENT\n\n1. Definitions\n\nThe term means\nwhat it says.\n\n"
        "- one\n- two\n  more\n\n=====\n\n1.1 Terms of payment\n\nNet 30."
    )
    assert faults_of(document) == []
    assert shown(document) == [
        ("heading", "L1", "MASTER AGREEMENT"),
        ("heading", "L3", "1. Definitions"),
        ("paragraph", "L5-6", "The term means\nwhat it says."),
        ("list_item", "L8", "- one"),
        ("list_item", "L9-10", "- two\n  more"),
        ("heading", "L14", "1.1 Terms of payment"),
        ("paragraph", "L16", "Net 30."),
    ]


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32", "cp1252"]
)
def test_text_in_any_encoding_is_read(encoding: str) -> None:
    text = "Das Café “Zürich” kostet 5 €.\n\nZweiter Absatz"
    document = parse_plain(text.encode(encoding))
    assert document.text.removeprefix("\ufeff") == text
    assert [block.location for block in document.blocks] == [Lines(1, 1), Lines(3, 3)]


@given(st.text("#*_`[](){}|-+>~:= \n\ta1.<!\\é\r", max_size=300))
def test_any_markdown_keeps_the_promises(text: str) -> None:
    assert faults_of(parse_markdown(text)) == []


@given(st.text(max_size=300))
def test_any_plain_text_keeps_the_promises(text: str) -> None:
    assert faults_of(parse_plain(text)) == []
