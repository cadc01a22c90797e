"""Where a viewer opens, and what of a document is lit there: recordings, cells, joined quotes."""

from __future__ import annotations

from tipstaff.citation.places import CitableDocument
from tipstaff.domain.document import Block, BlockKind, Document, Mark, MarkKind, Span
from tipstaff.domain.location import Lines, TimeRange
from tipstaff.serve.quoted_places import quoted_spans
from tipstaff.serve.viewing import Lit, blocks, kind_of, lit_by, overview, runs


def plain(text: str, *marks: Mark) -> Document:
    block = Block(kind=BlockKind.PARAGRAPH, span=Span(0, len(text)), location=Lines(1, 1))
    return Document(text=text, blocks=(block,), marks=marks, lines_are_the_files=True)


def found(document: Document, words: str) -> list[str]:
    everything = [Span(0, len(document.text))]
    return [document.text[s.start : s.end] for s in quoted_spans(document, everything, words)]


def test_words_are_found_across_lines_dashes_and_quotation_marks() -> None:
    document = plain("It was \u201cdone\u201d \u2013 in\n  two  lines.")
    assert found(document, '"done" - in two lines') == [document.text[7:-1]]


def test_markup_inside_the_words_does_not_hide_them() -> None:
    text = "The sky is **blue** today."
    stars = [Mark(Span(at, at + 2), MarkKind.MARKUP, "emphasis") for at in (11, 17)]
    assert found(plain(text, *stars), "sky is blue today") == ["sky is **blue** today"]


def test_each_of_several_quotes_has_a_place_of_its_own() -> None:
    document = plain("Revenue 48, costs 48, profit 0.")
    assert found(document, "48 | costs | 48") == ["48", "costs", "48"]
    assert found(document, "Revenue … profit") == ["Revenue", "profit"]
    assert found(document, "losses") == []


def test_a_page_is_lit_around_its_words_alone() -> None:
    text = "First paragraph.\nSecond one here."
    spans = (Span(0, 16), Span(17, len(text)))
    parts = tuple(
        Block(kind=BlockKind.PARAGRAPH, span=span, location=Lines(n, n))
        for n, span in enumerate(spans, 1)
    )
    document = Document(text=text, blocks=parts, lines_are_the_files=True)
    lit = lit_by(document, [Span(0, len(text))], "Second one")
    assert lit == Lit((spans[1],), (Span(17, 27),))
    assert runs(document, spans[1], lit) == [["Second one", "words"], [" here.", "passage"]]


def test_a_recording_opens_at_its_second() -> None:
    text = "Good morning.\nThe price is nine."
    said = (
        Block(
            kind=BlockKind.TRANSCRIPT_SEGMENT,
            span=Span(0, 13),
            location=TimeRange(0, 2_000),
            author="Ann",
        ),
        Block(
            kind=BlockKind.TRANSCRIPT_SEGMENT,
            span=Span(14, len(text)),
            location=TimeRange(61_500, 64_000),
        ),
    )
    document = Document(text=text, blocks=said, duration_ms=64_000)
    citable = CitableDocument("call", document)
    lit = lit_by(document, [Span(14, len(text))], "nine")
    assert kind_of(document, "audio/mpeg") == "audio"
    assert overview(citable, "audio", lit)["at"]["start_ms"] == 61_500
    assert [one["start_ms"] for one in blocks(citable, 1, 9, lit)] == [0, 61_500]
