"""Tables, charts and diagrams on slides, as rows of texts by column."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lxml import etree

from tipstaff.parse.number_format import NumberFormat
from tipstaff.parse.slide_text import text_of

_RELATIONSHIP = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_MOST_POINTS = 5_000

# Texts by column; of a header row also the titles that it gives to columns.
Row = tuple[dict[int, str], dict[int, str] | None]


def table_rows(table: Any) -> Iterator[Row]:
    """Merged cells have their text once; a merged title stands over all of its columns."""
    for number, row in enumerate(table.rows):
        cells: dict[int, str] = {}
        titles: dict[int, str] = {}
        for column, cell in enumerate(row.cells, start=1):
            if cell.is_spanned:
                continue
            text = " ".join(cell.text.split())
            if text:
                cells[column] = text
                wide = cell.span_width if cell.is_merge_origin else 1
                titles.update(dict.fromkeys(range(column, column + wide), text))
        yield cells, titles if number == 0 and table.first_row else None


def chart_rows(chart: Any) -> tuple[str, list[Row]]:
    """A chart's title and its data: a column for each series, a row for each category."""
    title = ""
    if chart.has_title and chart.chart_title.has_text_frame:
        title = " ".join(chart.chart_title.text_frame.text.split())
    rows: list[Row] = []
    for plot in chart.plots:
        series = list(plot.series)
        categories = [" ".join(str(category).split()) for category in plot.categories]
        if not series or not categories or len(series) * len(categories) > _MOST_POINTS:
            continue
        names = {at: one.name for at, one in enumerate(series, start=2) if one.name}
        rows.append((names, names))
        columns = [_shown_values(one) for one in series]
        for index, category in enumerate(categories):
            cells = {1: category}
            for at, values in enumerate(columns, start=2):
                cells[at] = values[index] if index < len(values) else ""
            rows.append(({at: text for at, text in cells.items() if text}, None))
    return title, rows


def diagram_texts(frame: Any, slide_part: Any) -> list[str]:
    """The boxes of a SmartArt diagram, whose words are in a part of their own."""
    ids = next(frame.iter("{*}relIds"), None)
    if ids is None:
        return []
    part = slide_part.related_part(ids.get(_RELATIONSHIP + "dm"))
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    points = etree.fromstring(part.blob, parser).iter("{*}pt")
    texts = (
        " ".join(filter(None, (text_of(element) for element in point.iter("{*}p"))))
        for point in points
    )
    return [text for text in texts if text]


def _shown_values(series: Any) -> list[str]:
    code = next(series._element.iter("{*}formatCode"), None)
    shown = NumberFormat((code.text if code is not None else None) or "General").show
    return ["" if value is None else shown(repr(value)) for value in series.values]
