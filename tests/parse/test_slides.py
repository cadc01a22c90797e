from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from tipstaff.citation.places import CitableDocument
from tipstaff.contracts.parsers import faults_of
from tipstaff.domain.citation import Passage
from tipstaff.domain.document import Document
from tipstaff.domain.location import read_location
from tipstaff.parse import slides
from tipstaff.parse.parser import CannotRead, Source

CHART_DATA: Any = CategoryChartData
BOX = (Inches(1), Inches(2), Inches(5), Inches(2))


def parse(content: bytes) -> Document:
    document = slides.parse(Source(content=content, name="x.pptx", media_type=""))
    assert faults_of(document) == []
    return document


def made(fill: Callable[[Any], None]) -> bytes:
    show = Presentation()
    fill(show)
    buffer = io.BytesIO()
    show.save(buffer)
    return buffer.getvalue()


def edited(content: bytes, part: str, change: Callable[[str], str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(buffer, "w") as new:
        for name in old.namelist():
            text = old.read(name)
            new.writestr(name, change(text.decode()) if name == part else text)
    return buffer.getvalue()


def shown(document: Document) -> list[tuple[str, str, str]]:
    return [
        (str(block.kind), str(block.location), document.text_of(block)) for block in document.blocks
    ]


def titled(show: Any, title: str) -> Any:
    slide = show.slides.add_slide(show.slide_layouts[5])
    slide.shapes.title.text = title
    return slide


def bullets(show: Any) -> None:
    slide = show.slides.add_slide(show.slide_layouts[1])
    slide.placeholders[1].text_frame.text = "Revenue up 4%\nCosts flat"
    slide.shapes.title.text = "Quarter three"
    slide.notes_slide.notes_text_frame.text = "Mention the audit.\nThen pause."


def test_titles_bullets_and_notes_stand_at_their_slide() -> None:
    document = parse(made(bullets))
    assert shown(document) == [
        ("heading", "slide-1", "Quarter three"),
        ("list_item", "slide-1", "Revenue up 4%"),
        ("list_item", "slide-1", "Costs flat"),
        ("paragraph", "slide-1", "Mention the audit."),
        ("paragraph", "slide-1", "Then pause."),
    ]
    assert document.blocks[-1].headings == ("Quarter three", "Speaker notes")


def test_slides_without_text_count_and_the_order_is_the_shows() -> None:
    def fill(show: Any) -> None:
        titled(show, "First")
        show.slides.add_slide(show.slide_layouts[6])
        titled(show, "Third")
        ids = show.slides._sldIdLst
        ids.insert(0, ids[2])  # the last slide is moved to the front

    document = parse(made(fill))
    assert shown(document) == [("heading", "slide-1", "Third"), ("heading", "slide-2", "First")]


def test_tables_pair_cells_with_headers_and_merged_titles_span() -> None:
    def fill(show: Any) -> None:
        table = titled(show, "Table").shapes.add_table(3, 3, *BOX).table
        for row, texts in enumerate([["Region", "2024", ""], ["North", "1", "2"], ["", "3", "4"]]):
            for column, text in enumerate(texts):
                table.cell(row, column).text = text
        table.cell(0, 1).merge(table.cell(0, 2))

    document = parse(made(fill))
    assert [row[2] for row in shown(document)[1:]] == ["Region | 2024", "North | 1 | 2", "3 | 4"]
    pairs = [(cell.header, document.words(cell.span)) for cell in document.cells]
    assert pairs[2:] == [
        ("Region", "North"),
        ("2024", "1"),
        ("2024", "2"),
        ("2024", "3"),
        ("2024", "4"),
    ]
    found = CitableDocument("item", document).resolve(read_location("slide-1:table-1"))
    assert isinstance(found, Passage)
    assert found.text.startswith("Region | 2024\nNorth")


def test_charts_give_their_data_as_their_format_shows_it() -> None:
    def fill(show: Any) -> None:
        data = CHART_DATA(number_format="0%")
        data.categories = ["Rent", "Food"]
        data.add_series("Share", (0.25, 0.75))
        data.add_series("Last year", (0.5, None))
        chart = titled(show, "Chart").shapes.add_chart(XL_CHART_TYPE.BAR_CLUSTERED, *BOX, data)
        chart.chart.has_title = True
        chart.chart.chart_title.text_frame.text = "Spending"

    document = parse(made(fill))
    assert [text for _, _, text in shown(document)] == [
        "Chart",
        "Spending",
        "Share | Last year",
        "Rent | 25% | 50%",
        "Food | 75%",
    ]
    assert [cell.header for cell in document.cells][3:5] == ["Share", "Last year"]


def test_groups_are_read_and_what_is_hidden_is_marked() -> None:
    def fill(show: Any) -> None:
        slide = titled(show, "Open")
        group = slide.shapes.add_group_shape()
        group.shapes.add_textbox(0, 0, 10, 10).text_frame.text = "grouped"
        slide.shapes.add_textbox(Inches(-5), 0, Inches(1), 9).text_frame.text = "beside"
        off = slide.shapes.add_textbox(*BOX)
        off.text_frame.text = "switched off"
        off._element.nvSpPr.cNvPr.set("hidden", "1")
        titled(show, "Closed")._element.set("show", "0")

    document = parse(made(fill))
    assert {mark.reason: document.words(mark.span) for mark in document.marks} == {
        "text beside slide 1": "beside",
        "hidden shape on slide 1": "switched off",
        "hidden slide 2": "Closed",
    }
    assert "grouped" in document.text


def test_deep_groups_end_in_a_note() -> None:
    def fill(show: Any) -> None:
        group = titled(show, "Deep").shapes.add_group_shape()
        for _ in range(60):
            group = group.shapes.add_group_shape()
        group.shapes.add_textbox(0, 0, 10, 10).text_frame.text = "bottom"

    document = parse(made(fill))
    assert document.text == "Deep\n"
    assert "deeply" in document.notes[0]


def test_shapes_in_two_ways_are_read_once() -> None:
    def fill(show: Any) -> None:
        titled(show, "New").shapes.add_textbox(*BOX).text_frame.text = "words"

    def wrap(xml: str) -> str:
        shape = re.findall("<p:sp>.*?</p:sp>", xml, re.S)[-1]
        both = (
            '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/'
            f'2006"><mc:Choice Requires="p14">{shape}</mc:Choice>'
            f"<mc:Fallback>{shape}</mc:Fallback></mc:AlternateContent>"
        )
        return xml.replace(shape, both)

    document = parse(edited(made(fill), "ppt/slides/slide1.xml", wrap))
    assert document.text == "New\nwords\n"


def test_a_broken_shape_costs_only_itself() -> None:
    def fill(show: Any) -> None:
        slide = titled(show, "Fine")
        data = CHART_DATA()
        data.categories = ["a"]
        data.add_series("s", (1,))
        slide.shapes.add_chart(XL_CHART_TYPE.PIE, *BOX, data)
        slide.shapes.add_textbox(*BOX).text_frame.text = "whole"

    def damage(xml: str) -> str:
        return re.sub(r'(<c:chart [^>]*r:id=)"\w+"', r'\1"rId99"', xml).replace(' x="', ' x="?')

    document = parse(edited(made(fill), "ppt/slides/slide1.xml", damage))
    assert document.text == "Fine\nwhole\n"
    assert document.notes == ("A shape on slide 1 could not be read.",)


def test_a_missing_slide_keeps_the_numbers_of_the_others() -> None:
    def fill(show: Any) -> None:
        titled(show, "First")
        titled(show, "Second")

    content = edited(
        made(fill),
        "ppt/_rels/presentation.xml.rels",
        lambda xml: re.sub(r'<Relationship [^>]*slides/slide1\.xml"[^>]*/>', "", xml),
    )
    document = parse(content)
    assert shown(document) == [("heading", "slide-2", "Second")]
    assert document.notes[0].startswith("Slide 1 could not be read")


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"no slides", made(bullets)[:3000]])
def test_what_is_no_presentation_is_refused(content: bytes) -> None:
    with pytest.raises(CannotRead, match="damaged"):
        parse(content)


def test_encrypted_presentations_say_so() -> None:
    with pytest.raises(CannotRead, match="encrypted"):
        parse(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))


@pytest.mark.parametrize("kind", ["template", "slideshow"])
def test_templates_and_shows_are_read_like_presentations(kind: str) -> None:
    content = edited(
        made(lambda show: titled(show, "The harbour")),
        "[Content_Types].xml",
        lambda text: text.replace("presentation.main+xml", f"{kind}.main+xml"),
    )
    assert shown(parse(content)) == [("heading", "slide-1", "The harbour")]
