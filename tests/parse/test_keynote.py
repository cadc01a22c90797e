from __future__ import annotations

import io
import sys
import zipfile
from typing import Any

import pytest
from keynote_parser.codec import IWAFile

from tipstaff.contracts.parsers import faults_of
from tipstaff.domain.document import Document
from tipstaff.media_type import sniff
from tipstaff.parse import keynote
from tipstaff.parse.parser import CannotRead, Source

# Numbers by which Keynote's archives name the kinds of their objects.
KINDS = {
    "KN.ShowArchive": 2,
    "KN.SlideNodeArchive": 4,
    "KN.SlideArchive": 5,
    "KN.PlaceholderArchive": 7,
    "KN.NoteArchive": 15,
    "TSWP.StorageArchive": 2001,
    "TSWP.ShapeInfoArchive": 2011,
    "TSD.GroupArchive": 3008,
}


def reference(number: int) -> dict[str, object]:
    return {"identifier": str(number)}


def archive(objects: dict[int, dict[str, Any]]) -> bytes:
    """Objects by number, as a file of Keynote's own kind."""
    archives = [
        {
            "header": {
                "_pbtype": "TSP.ArchiveInfo",
                "identifier": str(number),
                "messageInfos": [{"type": KINDS[str(one["_pbtype"])], "version": [1, 0, 5]}],
            },
            "objects": [one],
        }
        for number, one in objects.items()
    ]
    return bytes(IWAFile.from_dict({"chunks": [{"archives": archives}]}).to_buffer())


def storage(text: str) -> dict[str, object]:
    return {"_pbtype": "TSWP.StorageArchive", "text": [text]}


def shape(number: int) -> dict[str, object]:
    return {"super": {"super": {}}, "ownedStorage": reference(number)}


def presentation() -> bytes:
    show: dict[int, dict[str, Any]] = {
        1: {
            "_pbtype": "KN.ShowArchive",
            "theme": reference(99),
            "stylesheet": reference(99),
            "size": {"width": 1, "height": 1},
            "slideTree": {"slides": [reference(3), reference(2)]},
        },
        2: node(20),
        3: {**node(10), "isSkipped": True},
    }
    first: dict[int, dict[str, Any]] = {
        10: slide(titlePlaceholder=reference(11)),
        11: {"_pbtype": "KN.PlaceholderArchive", "super": shape(12)},
        12: storage("Skipped"),
    }
    second: dict[int, dict[str, Any]] = {
        20: slide(
            titlePlaceholder=reference(21),
            bodyPlaceholder=reference(23),
            ownedDrawables=[reference(21), reference(25)],
            note=reference(29),
        ),
        21: {"_pbtype": "KN.PlaceholderArchive", "super": shape(22)},
        22: storage("Quarter\u2028three"),
        23: {"_pbtype": "KN.PlaceholderArchive", "super": shape(24)},
        24: storage("Revenue up 4%\nCosts flat"),
        25: {"_pbtype": "TSD.GroupArchive", "super": {}, "children": [reference(26)]},
        26: {"_pbtype": "TSWP.ShapeInfoArchive", **shape(27)},
        27: storage("grouped"),
        29: {"_pbtype": "KN.NoteArchive", "containedStorage": reference(30)},
        30: storage("Then pause."),
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as key:
        key.writestr("Index/Document.iwa", archive(show))
        key.writestr("Index/Slide-10.iwa", archive(first))
        key.writestr("Index/Slide-20.iwa", archive(second))
    return buffer.getvalue()


def node(number: int) -> dict[str, object]:
    return {
        "_pbtype": "KN.SlideNodeArchive",
        "slide": reference(number),
        "thumbnailsAreDirty": False,
        "isSkipped": False,
        "isCollapsed": False,
        "isCollapsedInOutlineView": False,
        "hasBuilds": False,
        "hasTransition": False,
    }


def slide(**fields: object) -> dict[str, object]:
    return {
        "_pbtype": "KN.SlideArchive",
        "style": reference(99),
        "transition": {"attributes": {}},
        "inDocument": True,
        **fields,
    }


def parse(content: bytes) -> Document:
    document = keynote.parse(Source(content=content, name="x.key", media_type=""))
    assert faults_of(document) == []
    return document


def test_slides_groups_and_notes_are_read_in_the_order_of_the_show() -> None:
    document = parse(presentation())
    shown = [
        (str(block.kind), str(block.location), document.text_of(block)) for block in document.blocks
    ]
    assert shown == [
        ("heading", "slide-1", "Skipped"),
        ("heading", "slide-2", "Quarter three"),
        ("list_item", "slide-2", "Revenue up 4%"),
        ("list_item", "slide-2", "Costs flat"),
        ("paragraph", "slide-2", "grouped"),
        ("paragraph", "slide-2", "Then pause."),
    ]
    assert document.blocks[-1].headings == ("Quarter three", "Speaker notes")
    assert [mark.reason for mark in document.marks] == ["skipped slide 1"]


def test_keynote_files_are_told_by_what_they_hold() -> None:
    content = presentation()
    assert sniff(content[:64], "x", whole=io.BytesIO(content)) == "application/vnd.apple.keynote"


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", presentation()[:200]])
def test_what_is_no_keynote_file_is_refused(content: bytes) -> None:
    with pytest.raises(CannotRead, match="damaged"):
        parse(content)


def test_a_damaged_archive_is_refused() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as key:
        key.writestr("Index/Document.iwa", b"\x01garbage")
    with pytest.raises(CannotRead, match="damaged"):
        parse(buffer.getvalue())


def test_without_the_extra_its_name_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "keynote_parser.codec", None)
    with pytest.raises(CannotRead, match="extra `keynote`"):
        parse(presentation())
