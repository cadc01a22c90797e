"""RTF: paragraphs, headings by outline level, tables, notes, and text that is hidden or deleted.

The walk over the groups is our own, because the text that striprtf gives has lost what is
hidden, what is a heading, and every note. There are no pages: places are sections and
paragraphs in them.
"""

from __future__ import annotations

from tipstaff.domain.document import Document
from tipstaff.parse.building import DocumentBuilder
from tipstaff.parse.flow import DocumentFlow
from tipstaff.parse.not_read import not_read_notes
from tipstaff.parse.parser import CannotRead, Parser, Source
from tipstaff.parse.rtf_reader import STORIES, RtfReader
from tipstaff.parse.rtf_stories import Story


def parse(source: Source) -> Document:
    if not source.content[:64].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{\\rtf"):
        raise CannotRead(
            "The file is not RTF: it does not begin as RTF files do.",
            "Ask the sender for a new copy of the file.",
        )
    reader = RtfReader()
    reader.read(source.content.decode("latin-1"))
    builder = DocumentBuilder()
    flow = DocumentFlow(builder)
    reader.body.write(flow)
    for title in ("Headers", "Footers", "Footnotes", "Comments"):
        _write_beside(title, reader.beside.get(title, []), builder, flow)
    builder.notes += not_read_notes(reader.not_read)
    metadata = {name: text.strip() for name, text in reader.header.metadata.items()}
    return builder.build(metadata={name: text for name, text in metadata.items() if text})


def _write_beside(
    title: str, stories: list[Story], builder: DocumentBuilder, flow: DocumentFlow
) -> None:
    """Notes, comments, headers or footers under a heading of their own, each text once."""
    seen: set[str] = set()
    for number, story in enumerate(stories, start=1):
        words = story.all_runs().text.strip()
        is_margin = title in (STORIES["header"], STORIES["footer"])
        if not words or (is_margin and words in seen):
            continue
        if not seen:
            builder.heading(title, 1)
        seen.add(words)
        label = f"[{number}] " if title == STORIES["footnote"] else ""
        if title == STORIES["annotation"] and story.author:
            label = f"{story.author}: "
        story.write(flow, label=label)


PARSER = Parser(name="rtf", version=1, media_types=("application/rtf", "text/rtf"), parse=parse)
