"""OpenDocument texts: the body in order, then headers, footers, notes and comments.

Like Word documents they have no pages until they are printed: places are sections and
paragraphs in them.
"""

from __future__ import annotations

from base64 import b64decode
from dataclasses import replace

from lxml import etree

from tipstaff.domain.document import Document
from tipstaff.parse.building import DocumentBuilder
from tipstaff.parse.embedded_pictures import EmbeddedPictures, Load
from tipstaff.parse.flow import DocumentFlow
from tipstaff.parse.not_read import not_read_notes
from tipstaff.parse.odt_body import Collected, OdtReader, author_of
from tipstaff.parse.odt_names import (
    MANIFEST,
    OFFICE,
    STYLE,
    TEXT,
    XLINK,
    XML_ID,
    ListCounter,
    OdtStyles,
)
from tipstaff.parse.parser import CannotRead, Parser, Source
from tipstaff.parse.xml_tree import local_name, read_xml
from tipstaff.parse.zip_members import ZipMembers

_NOTES = {"footnote": "Footnotes", "endnote": "Endnotes"}
_PROPERTIES = {
    "title": "title",
    "subject": "subject",
    "initial-creator": "author",
    "creation-date": "created",
    "date": "modified",
}


def parse(source: Source) -> Document:
    members = ZipMembers(source.content, "OpenDocument text")
    _refuse_encrypted(members)
    content = _part(members, "content.xml")
    body = None if content is None else content.find(f"{OFFICE}body/{OFFICE}text")
    if body is None:
        raise CannotRead(
            "The file is not an OpenDocument text: it has no body.",
            "Ask the sender for a new copy of the file.",
        )
    styles = _part(members, "styles.xml")
    builder = DocumentBuilder()
    known = OdtStyles(content, styles)
    pictures = EmbeddedPictures(source.options)
    collected = Collected(
        deletions=_deletions(body),
        picture=lambda element: pictures.texts(*_loading(element, members)),
    )
    reader = OdtReader(known, collected, ListCounter(known.outline), DocumentFlow(builder))
    reader.read(body)
    _margins(reader, builder, styles)
    _notes(reader, builder)
    _annotations(reader, builder)
    builder.notes += not_read_notes(collected.not_read) + pictures.notes()
    return builder.build(metadata=_metadata(_part(members, "meta.xml")))


def _loading(image: etree._Element, members: ZipMembers) -> tuple[str, Load]:
    """A picture is a file of the package, or it stands in the text itself."""
    inside = image.findtext(OFFICE + "binary-data")
    if inside:
        return inside, b64decode
    return image.get(XLINK + "href", "").removeprefix("./"), members.read_picture


def _part(members: ZipMembers, name: str) -> etree._Element | None:
    content = members.read(name)
    return None if content is None else read_xml(content, name)


def _refuse_encrypted(members: ZipMembers) -> None:
    manifest = _part(members, "META-INF/manifest.xml")
    if manifest is not None and next(manifest.iter(MANIFEST + "encryption-data"), None) is not None:
        raise CannotRead(
            "The OpenDocument text is encrypted.",
            "Ask the sender for a version without a password.",
        )


def _deletions(body: etree._Element) -> dict[str, etree._Element]:
    """Deleted text by the id of its change."""
    found: dict[str, etree._Element] = {}
    for region in body.iterfind(f"{TEXT}tracked-changes/{TEXT}changed-region"):
        deletion = region.find(TEXT + "deletion")
        if deletion is not None:
            found[region.get(XML_ID) or region.get(TEXT + "id") or ""] = deletion
    return found


def _margins(reader: OdtReader, builder: DocumentBuilder, styles: etree._Element | None) -> None:
    """Headers and footers of the page styles, each text once."""
    for kind, title in (("header", "Headers"), ("footer", "Footers")):
        seen: set[str] = set()
        for page in [] if styles is None else styles.iter(STYLE + "master-page"):
            for margin in page:
                words = " ".join("".join(margin.itertext()).split())
                if local_name(margin).startswith(kind) and words and words not in seen:
                    if not seen:
                        builder.heading(title, 1)
                    seen.add(words)
                    reader.read(margin)


def _notes(reader: OdtReader, builder: DocumentBuilder) -> None:
    for kind, title in _NOTES.items():
        notes = reader.collected.notes.get(kind, [])
        if notes:
            builder.heading(title, 1)
        for label, body in notes:
            reader.read(body, label=label)


def _annotations(reader: OdtReader, builder: DocumentBuilder) -> None:
    annotations = [
        annotation
        for annotation in reader.collected.annotations
        if any("".join(words.itertext()).strip() for words in annotation.iter(TEXT + "p"))
    ]
    if annotations:
        builder.heading("Comments", 1)
    for annotation in annotations:
        author = author_of(annotation)
        label = f"{author}:" if author else ""
        replace(reader, author=author).read(annotation, label=label)


def _metadata(root: etree._Element | None) -> dict[str, str]:
    found = {}
    for element in [] if root is None else root.iterfind(f"{OFFICE}meta/*"):
        words = (element.text or "").strip()
        if words and local_name(element) in _PROPERTIES:
            found[_PROPERTIES[local_name(element)]] = words
    return found


PARSER = Parser(
    name="odt",
    version=2,
    media_types=(
        "application/vnd.oasis.opendocument.text",
        "application/vnd.oasis.opendocument.text-template",
    ),
    parse=parse,
)
