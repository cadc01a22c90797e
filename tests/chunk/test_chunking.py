from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import MERIDIAN
from tipstaff.chunk.chunking import chunks
from tipstaff.chunk.covering import covering
from tipstaff.chunk.sentences import sentences
from tipstaff.chunk.units import units
from tipstaff.citation.places import CitableDocument
from tipstaff.domain.citation import Passage
from tipstaff.domain.clean_text import clean
from tipstaff.domain.document import (
    Block,
    BlockKind,
    Chunk,
    Document,
    Mark,
    MarkKind,
    Span,
    UnitKind,
)
from tipstaff.domain.location import (
    Cell,
    CellRange,
    DataPath,
    Lines,
    Location,
    Pages,
    Section,
    TimeRange,
    WholeItem,
)
from tipstaff.parse import markdown
from tipstaff.parse.building import DocumentBuilder
from tipstaff.parse.parser import Source
from tipstaff.tokens import count_tokens


def words(text: str) -> int:
    """A token a word: enough to reason about sizes."""
    return len(text.split())


def parse(text: str | bytes) -> Document:
    content = text.encode() if isinstance(text, str) else text
    return markdown.parse(Source(content=content, name="x.md", media_type="text/markdown"))


def cut(document: Document, *, size: int = 200, overlap: int = 0) -> list[Chunk]:
    return chunks("item", document, max_tokens=size, overlap_percent=overlap, count_tokens=words)


def prose(count: int) -> str:
    return " ".join(f"Sentence number {number} has six words." for number in range(count))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Dr. Smith paid $3.4 million on Jan. 5. It was late.", 2),
        ("See Fig. 3 and p. 7. The U.S. market grew 5.2%.", 2),
        ('"Is it?" he asked. No. 7 is fine.', 2),
        ("D. Pell remarked that it is so. R-04 has no owner.", 2),
        ("", 0),
    ],
)
def test_abbreviations_and_figures_do_not_end_sentences(text: str, expected: int) -> None:
    assert len(sentences(text)) == expected


def test_endless_text_is_cut_into_pieces_that_can_be_read() -> None:
    found = sentences("word " * 5000)
    assert all(len(span) <= 2000 for span in found)
    assert sum(len(span) for span in found) > 24_000


def test_a_new_section_starts_a_new_chunk_once_the_last_is_large_enough() -> None:
    document = parse(f"# One\n\n{prose(25)}\n\n# Two\n\n{prose(10)}\n\n## Three\n\n{prose(3)}\n")
    made = cut(document)
    assert [chunk.text.splitlines()[0] for chunk in made] == ["One", "Two"]
    assert [str(chunk.location) for chunk in made] == ["L1-3", "L5-11"]


def test_a_heading_is_never_the_end_of_a_chunk() -> None:
    document = parse(f"{prose(18)}\n\n# Heading\n\n{prose(20)}")
    for chunk in cut(document, size=130):
        assert not chunk.text.endswith("Heading")


def test_a_block_longer_than_a_chunk_is_split_at_sentences_and_says_so() -> None:
    made = cut(parse(prose(100)), size=150)
    assert len(made) == 4
    assert all(chunk.split for chunk in made)
    assert all(chunk.text.startswith("Sentence") and chunk.text.endswith(".") for chunk in made)
    assert all(chunk.tokens <= 150 for chunk in made)


def test_a_table_row_is_never_split_and_its_header_goes_along() -> None:
    rows = "\n".join(f"| Row {number} | {number * 10} units of it |" for number in range(100))
    made = cut(parse(f"# Sheet\n\n| Name | Amount |\n|---|---|\n{rows}\n"), size=150)
    assert len(made) > 3
    for chunk in made[1:]:
        assert chunk.context == "Sheet\nName | Amount"
        assert all(line.startswith("Row ") for line in chunk.text.splitlines())


def test_chunks_overlap_by_whole_pieces_within_a_section() -> None:
    text = "\n\n".join(f"Paragraph {number} has just six words." for number in range(60))
    made = cut(parse(text), size=128, overlap=20)
    for before, behind in pairwise(made):
        repeated = set(before.spans) & set(behind.spans)
        assert 1 <= len(repeated) <= 5


def test_a_message_is_a_chunk_of_its_own() -> None:
    builder = DocumentBuilder()
    for number in (1, 2):
        builder.block(BlockKind.MESSAGE, f"From: {number}", WholeItem())
        builder.paragraph("Short.")
    made = cut(builder.build())
    assert [chunk.text for chunk in made] == ["From: 1\nShort.", "From: 2\nShort."]


def test_pages_end_chunks() -> None:
    builder = DocumentBuilder()
    for page in (1, 2):
        for _ in range(3):
            builder.block(BlockKind.PARAGRAPH, prose(8), Pages(page, page))
    assert [chunk.location for chunk in cut(builder.build())] == [Pages(1, 1), Pages(2, 2)]


@pytest.mark.parametrize(
    "name", ["project-plan", "meeting-notes", "risk-assessment", "codebase-review"]
)
@pytest.mark.parametrize("size", [128, 256, 512])
def test_real_documents_are_covered_and_every_chunk_resolves(name: str, size: int) -> None:
    document = parse((MERIDIAN / "context" / f"{name}.md").read_bytes())
    made = chunks(name, document, max_tokens=size, overlap_percent=15, count_tokens=count_tokens)
    assert_sound(document, made, size * 1.1)
    citable = CitableDocument(name, document)
    for chunk in made:
        assert isinstance(citable.resolve(chunk.location), Passage)


def assert_sound(document: Document, made: list[Chunk], size: float) -> None:
    covered = sorted(span for chunk in made for span in chunk.spans)
    for block in document.blocks:
        if clean(document, block.span).text.strip():
            inside = [span for span in covered if span.overlaps(block.span)]
            assert inside
            assert inside[0].start <= block.span.start + 200
    for chunk in made:
        assert chunk.tokens <= size
        assert chunk.text == "\n".join(clean(document, span).text.strip() for span in chunk.spans)


@given(st.text("ab. \n#-|*1", max_size=600), st.sampled_from([128, 140]), st.integers(0, 50))
def test_any_text_is_cut_into_sound_chunks(text: str, size: int, overlap: int) -> None:
    document = parse(text)
    made = chunks("x", document, max_tokens=size, overlap_percent=overlap, count_tokens=len)
    assert_sound(document, made, size * 2)


def test_units_have_their_own_ranges_and_lines() -> None:
    document = parse(
        "# Title\n\nFirst **bold** one. Second\none here.\n\n- item one. more\n\n"
        "| a | b |\n|--|--|\n| 1 | 2 |\n"
    )
    found = [(unit.kind, unit.text, str(unit.location)) for unit in units("x", document)]
    assert found == [
        (UnitKind.HEADING, "Title", "L1"),
        (UnitKind.SENTENCE, "First bold one.", "L3"),
        (UnitKind.SENTENCE, "Second\none here.", "L3-4"),
        (UnitKind.LIST_ITEM, "item one. more", "L6"),
        (UnitKind.ROW, "a | b", "L8"),
        (UnitKind.ROW, "1 | 2", "L10"),
    ]


def test_units_map_back_to_the_source() -> None:
    document = parse((MERIDIAN / "tez.md").read_bytes())
    for unit in units("x", document):
        block = document.blocks[unit.block]
        assert block.span.contains(unit.span)
        assert unit.text == clean(document, unit.span).text.strip()


COVERED: list[tuple[list[Location], Location]] = [
    ([Pages(2, 2), Pages(4, 4)], Pages(2, 4)),
    ([Lines(3, 5), Lines(7, 9)], Lines(3, 9)),
    ([TimeRange(0, 5), TimeRange(5, 9)], TimeRange(0, 9)),
    ([Section("a"), Section("a")], Section("a")),
    ([Section("a"), Section("b")], WholeItem()),
    (
        [CellRange("S", Cell(1, 2), Cell(3, 2)), CellRange("S", Cell(2, 5), Cell(2, 5))],
        CellRange("S", Cell(1, 2), Cell(3, 5)),
    ),
    ([DataPath("$.a.b[0]"), DataPath("$.a.b[1].c")], DataPath("$.a.b")),
    ([DataPath("$.ab"), DataPath("$.ac")], DataPath("$")),
    ([DataPath("/r/a[1]"), DataPath("/r/a[2]")], DataPath("/r/a")),
    ([Pages(1, 1), Lines(1, 1)], WholeItem()),
]


@pytest.mark.parametrize(("parts", "whole"), COVERED)
def test_several_places_have_one_that_holds_them(parts: list[Location], whole: Location) -> None:
    assert covering(parts) == whole


def test_a_combining_character_counts_with_its_letter() -> None:
    text = "cafe\u0301 au lait"
    document = Document(
        text=text,
        blocks=(Block(kind=BlockKind.PARAGRAPH, span=Span(0, len(text)), location=Lines(1, 1)),),
    )
    read = clean(document)
    assert read.text == "café au lait"
    assert read.source(3, 4) == Span(3, 5)
    assert document.words(read.source(5, 7)) == "au"


@pytest.mark.parametrize("name", ["project-plan", "meeting-notes", "codebase-review"])
@pytest.mark.parametrize("size", [128, 192, 512])
def test_no_chunk_is_too_large_and_none_ends_with_a_heading(name: str, size: int) -> None:
    document = parse((MERIDIAN / "context" / f"{name}.md").read_bytes())
    made = chunks(name, document, max_tokens=size, overlap_percent=15, count_tokens=count_tokens)
    headings = {block.span for block in document.blocks if block.kind is BlockKind.HEADING}
    for chunk in made:
        assert chunk.tokens <= size
        assert chunk.spans[-1] not in headings


def test_marks_inside_marks_hide_all_of_the_outer_one() -> None:
    text = "visible " + "h" * 100 + " visible"
    marks = [Mark(Span(8, 108), MarkKind.HIDDEN, "hidden")]
    marks += [Mark(Span(at, at + 1), MarkKind.INVISIBLE, "x") for at in range(10, 100, 7)]
    block = Block(kind=BlockKind.PARAGRAPH, span=Span(0, len(text)), location=Lines(1, 1))
    document = Document(text=text, blocks=(block,), marks=tuple(marks))
    assert clean(document).text == "visible  visible"
    assert clean(document, Span(90, 100)).text == ""
