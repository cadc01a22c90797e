"""What each format is read as, word for word, in files that a person can read.

`pytest tests/test_golden.py --regenerate-golden` writes them anew; `git diff` shows what changed.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.golden_files import FILES
from tipstaff.citation.places import CitableDocument
from tipstaff.contracts.parsers import faults_of
from tipstaff.domain.citation import Passage
from tipstaff.domain.clean_text import clean
from tipstaff.domain.document import Block, Document, MarkKind
from tipstaff.parse.parser import Parser, Source
from tipstaff.parse.registry import BUILT_IN, parser_for
from tipstaff.parse.sanitising import sanitised

GOLDEN = Path(__file__).parent / "golden"
_WRAPPER = textwrap.TextWrapper(
    96, drop_whitespace=False, replace_whitespace=False, expand_tabs=False
)


def parser_of(name: str) -> Parser:
    parser = parser_for(FILES[name].media_type)
    assert parser is not None
    return parser


def read(name: str) -> Document:
    file = FILES[name]
    source = Source(content=file.content, name=file.name, media_type=file.media_type)
    return sanitised(parser_of(name).parse(source))


def told(name: str, document: Document) -> str:
    lines = [f"{FILES[name].name}, {FILES[name].media_type}, read by {parser_of(name).name}."]
    lines += [f"Note: {note}" for note in document.notes]
    for block in document.blocks:
        lines += ["", *_block(document, block)]
    for definition in document.definitions:
        lines += ["", f"defined inside: {'.'.join(definition.names)}"]
        lines += _shown(document.words(definition.span))
    for mark in document.marks:
        if mark.kind is not MarkKind.MARKUP:
            lines += ["", f"not shown to readers: {mark.reason}"]
            lines += _shown(document.words(mark.span))
    return "\n".join(lines) + "\n"


def _block(document: Document, block: Block) -> Iterator[str]:
    about = [f"{block.kind} at {str(block.location) or 'the whole item'}"]
    about += [f"level {block.level}"] if block.level else []
    about += [f"table {block.table}"] if block.table else []
    about += [f"by {block.author}"] if block.author else []
    about += ["quoted"] if block.quoted else []
    about += [f"under {' > '.join(block.headings)}"] if block.headings else []
    yield ", ".join(about)
    yield from _shown(document.text_of(block))
    seen = clean(document, block.span).text
    if not seen.strip():
        yield "  reads: nothing"
    elif seen != document.text_of(block):
        yield "  reads:"
        yield from _shown(seen)
    for cell in document.cells.within(block.span) if block.table else ():
        how = f", {cell.formula}" if cell.formula else ""
        value = f" ({cell.value})" if cell.value else ""
        yield (
            f"  {cell.cell}, {cell.header or 'no header'}: {_plain(document.words(cell.span))}"
            + (value + how)
        )


def _shown(words: str) -> Iterator[str]:
    for line in words.split("\n"):
        for part in _WRAPPER.wrap(line) or [""]:
            yield f"  | {_plain(part)}".rstrip()


def _plain(words: str) -> str:
    """Line ends, tabs and invisible characters by their codes."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in words)


@pytest.mark.parametrize("name", sorted(FILES))
def test_a_format_is_read_as_its_golden_file_says(name: str, pytestconfig: pytest.Config) -> None:
    if reason := FILES[name].missing:
        pytest.skip(reason)
    document = read(name)
    assert faults_of(document) == []
    citable = CitableDocument("item", document)
    for block in document.blocks:
        found = citable.resolve(block.location)
        assert isinstance(found, Passage), found
        assert document.text_of(block) in found.text
    text = told(name, document)
    path = GOLDEN / f"{name}.golden"
    if pytestconfig.getoption("--regenerate-golden"):
        path.write_text(text, encoding="utf-8", newline="\n")
    assert path.exists(), f"run pytest --regenerate-golden to write {path.name}"
    assert text == path.read_text(encoding="utf-8")


def test_every_parser_has_a_golden_file_and_every_golden_file_a_parser() -> None:
    assert {parser_of(name).name for name in FILES} == set(BUILT_IN.values())
    assert {path.stem for path in GOLDEN.glob("*.golden")} == set(FILES)
