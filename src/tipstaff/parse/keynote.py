"""KEY: slides of a Keynote presentation, through the package of the extra `keynote`.

Keynote's file is a ZIP of archives of numbered objects that refer to each other. Titles,
texts, groups and presenter notes are read; tables, charts and pictures are noted.
"""

from __future__ import annotations

import io
import warnings
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from typing import Any

from tipstaff.domain.document import BlockKind, Document, Span
from tipstaff.domain.location import Slides
from tipstaff.parse.building import DocumentBuilder
from tipstaff.parse.parser import CannotRead, Parser, Source
from tipstaff.parse.slides import NOTES

_LARGEST_ARCHIVE = 256 * 1024 * 1024
_DEEPEST_GROUP = 20
# Keynote's own line separators, and the place of a picture inside text.
_BREAKS = str.maketrans({"\u2028": " ", "\u2029": "\n", "\v": "\n", "\ufffc": None})

Objects = Mapping[int, Any]


def parse(source: Source) -> Document:
    objects = _objects(source.content)
    show = next((one for one in objects.values() if _type(one) == "KN.ShowArchive"), None)
    if show is None:
        raise CannotRead(
            "The file is damaged or is no Keynote presentation.",
            "Ask the sender for a PDF or PowerPoint version.",
        )
    builder = DocumentBuilder()
    nodes = list(_nodes(show, objects))
    for number, node in enumerate(nodes, start=1):
        slide = objects.get(node.slide.identifier)
        if slide is None or _type(slide) != "KN.SlideArchive":
            builder.notes.append(f"Slide {number} could not be read.")
            continue
        start = builder.position
        _SlideWriter(builder, objects, number).write(slide)
        if node.isSkipped:
            builder.hide(Span(start, max(start, builder.position - 1)), f"skipped slide {number}")
    return builder.build(metadata={"slides": str(len(nodes))})


def _objects(content: bytes) -> dict[int, Any]:
    """Every object of the file by its number."""
    try:
        from keynote_parser.codec import IWAFile
    except ImportError as error:
        raise CannotRead(
            "Keynote files need the extra `keynote`, which is not installed.",
            "Install tipstaff[keynote], or ask the sender for a PDF or PowerPoint version.",
        ) from error
    found: dict[int, Any] = {}
    with warnings.catch_warnings():
        # Kinds of objects that the package does not know are of no use here anyway.
        warnings.simplefilter("ignore")
        for name, archive in _archives(content):
            try:
                file = IWAFile.from_buffer(archive, name)
            except Exception as error:
                raise _damaged() from error
            for chunk in file.chunks:
                for segment in chunk.archives:
                    if segment.objects:
                        found[segment.header.identifier] = segment.objects[0]
    return found


def _archives(content: bytes) -> Iterator[tuple[str, bytes]]:
    """The archives that hold the show and its slides; templates and styles are left out."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as outer:
            if "Index.zip" in outer.namelist():
                yield from _archives(_read(outer, outer.getinfo("Index.zip")))
            for member in outer.infolist():
                name = member.filename.rpartition("/")[2]
                if name.endswith(".iwa") and name.startswith(
                    ("Document.", "Slide", "Presentation")
                ):
                    yield name, _read(outer, member)
    except (zipfile.BadZipFile, zlib.error, OSError, RuntimeError, EOFError, ValueError) as error:
        if isinstance(error, RuntimeError):
            raise CannotRead(
                "The Keynote presentation is encrypted.",
                "Ask the sender for a version without a password.",
            ) from error
        raise _damaged() from error


def _read(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    if member.file_size > _LARGEST_ARCHIVE:
        raise ValueError(f"{member.filename} is too large")
    return archive.read(member)


def _damaged() -> CannotRead:
    return CannotRead(
        "The Keynote presentation is damaged, or protected by a password.",
        "Ask the sender for a PDF or PowerPoint version without a password.",
    )


def _nodes(show: Any, objects: Objects) -> Iterator[Any]:
    """Slides in the order of the show; grouped slides follow the one that they are under."""
    for reference in show.slideTree.slides:
        node = objects.get(reference.identifier)
        if node is not None and _type(node) == "KN.SlideNodeArchive":
            yield node


class _SlideWriter:
    def __init__(self, builder: DocumentBuilder, objects: Objects, number: int) -> None:
        self.builder = builder
        self.objects = objects
        self.number = number
        self.place = Slides(number, number)
        self.headings: tuple[str, ...] = ()
        self.seen: set[int] = set()

    def write(self, slide: Any) -> None:
        title = " ".join(self._texts(slide.titlePlaceholder.identifier))
        if title:
            self.builder.block(
                BlockKind.HEADING, title, self.place, level=1, headings=self.headings
            )
            self.headings = (title,)
        body = list(self._texts(slide.bodyPlaceholder.identifier))
        for text in body:
            self._block(BlockKind.LIST_ITEM if len(body) > 1 else BlockKind.PARAGRAPH, text)
        self.seen.add(slide.slideNumberPlaceholder.identifier)
        for reference in [*slide.drawables_z_order, *slide.owned_drawables]:
            for text in self._texts(reference.identifier):
                self._block(BlockKind.PARAGRAPH, text)
        note = self.objects.get(slide.note.identifier)
        if note is not None and _type(note) == "KN.NoteArchive":
            for text in self._storage(note.containedStorage.identifier):
                self._block(BlockKind.PARAGRAPH, text, (*self.headings, NOTES))

    def _block(self, kind: BlockKind, text: str, headings: tuple[str, ...] | None = None) -> None:
        self.builder.block(
            kind, text, self.place, headings=self.headings if headings is None else headings
        )

    def _texts(self, identifier: int, depth: int = 0) -> Iterator[str]:
        """The paragraphs of a shape or group, once."""
        thing = self.objects.get(identifier)
        if thing is None or identifier in self.seen or depth > _DEEPEST_GROUP:
            return
        self.seen.add(identifier)
        kind = _type(thing)
        if kind == "TSD.GroupArchive":
            for child in thing.children:
                yield from self._texts(child.identifier, depth + 1)
            return
        shape = thing.super if kind == "KN.PlaceholderArchive" else thing
        if _type(shape) == "TSWP.ShapeInfoArchive":
            storage = shape.owned_storage.identifier or shape.deprecated_storage.identifier
            yield from self._storage(storage)
        elif kind in ("TST.TableInfoArchive", "TSCH.ChartDrawableArchive", "TSD.ImageArchive"):
            what = {"TST": "table", "TSC": "chart"}.get(kind[:3], "picture")
            self.builder.notes.append(f"A {what} on slide {self.number} was not read.")

    def _storage(self, identifier: int) -> Iterator[str]:
        storage = self.objects.get(identifier)
        if storage is not None and _type(storage) == "TSWP.StorageArchive":
            words = "".join(storage.text).translate(_BREAKS)
            yield from filter(None, (line.strip() for line in words.split("\n")))


def _type(message: Any) -> str:
    return str(getattr(getattr(message, "DESCRIPTOR", None), "full_name", ""))


PARSER = Parser(
    name="keynote", version=1, media_types=("application/vnd.apple.keynote",), parse=parse
)
