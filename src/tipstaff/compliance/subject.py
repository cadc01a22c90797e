"""The bundle that is asked about, read by ourselves: its bytes are what answers are held against.

Nothing of the server that is judged takes part: a citation resolves here or it does not.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from pathlib import Path

from tipstaff.bundle.opening import OpenBundle, open_bundle
from tipstaff.citation.names import ItemNames
from tipstaff.citation.resolution import resolve
from tipstaff.compliance.expectation import FILE, Expectation, expectations
from tipstaff.domain.bundle import Bundle
from tipstaff.domain.citation import Citation, Resolution
from tipstaff.reading import ReadBundle, read_bundle


@dataclass(frozen=True, kw_only=True)
class Subject:
    """`tez_id` is the id under which the server has it."""

    tez_id: str
    read: ReadBundle
    expectations: tuple[Expectation, ...] = ()

    @property
    def bundle(self) -> Bundle:
        return self.read.bundle

    @property
    def opened(self) -> OpenBundle:
        return self.read.opened

    @cached_property
    def names(self) -> ItemNames:
        return ItemNames(self.bundle.citable_names())

    def resolve(self, citation: Citation) -> Resolution:
        return resolve(citation, self.read.documents)

    @cached_property
    def hashes(self) -> Mapping[str, str]:
        """SHA-256 of every item that has bytes."""
        return {
            item.id: hashlib.sha256(self.opened.read(item.id)).hexdigest()
            for item in self.bundle.items
            if item.has_bytes
        }


@contextmanager
def opened_subject(path: Path, *, tez_id: str | None = None) -> Iterator[Subject]:
    """A bundle of any level with the queries that came along with it."""
    with open_bundle(path) as opened:
        yield Subject(
            tez_id=tez_id or opened.bundle.id,
            read=read_bundle(opened),
            expectations=tuple(_expectations(opened)),
        )


def as_tez(opened: OpenBundle) -> bytes:
    """The bundle as it is, as one file; without its queries, whose answers are not the server's
    to know."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in opened.files.names():
            if name != FILE:
                with opened.files.open(name) as stream:
                    archive.writestr(zipfile.ZipInfo(name), stream.read())
    return buffer.getvalue()


def _expectations(opened: OpenBundle) -> list[Expectation]:
    if FILE not in opened.files.names():
        return []
    with opened.files.open(FILE) as stream:
        return expectations(json.loads(stream.read()))
