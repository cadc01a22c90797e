"""The parts of an XLSX file: what is in the ZIP, how parts refer to each other, their text.

No part is trusted: document types and entities are refused, and a part that would unpack to
more than the limit is not unpacked.
"""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
import zlib
from dataclasses import dataclass

from lxml import etree

_LARGEST_PART = 512 * 1024 * 1024

_ENTITY = re.compile(r"&(?:#(\d{1,7})|#x([0-9A-Fa-f]{1,6})|(lt|gt|amp|quot|apos));")
_NAMED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}
_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z)", re.S)
_CDATA = re.compile(r"<!\[CDATA\[(.*?)(?:\]\]>|\Z)", re.S)
_DECLARATION = re.compile(r"\A\ufeff?\s*<\?xml[^<>]*\?>")
_ROOT = re.compile(r"<(?:([\w.-]+):)?[\w.-]+[\s>/]")
_DECLARED_ENCODING = re.compile(rb"""<\?xml[^>]*?encoding=["']([\w.-]+)["']""")


class OddPart(Exception):
    """A part is not what the format says it is; the sentence says what is odd."""


@dataclass(frozen=True, slots=True)
class Relationship:
    kind: str  # the last word of its type: `worksheet`, `comments`
    target: str


class Package:
    """The ZIP of an Office document, read part by part."""

    def __init__(self, content: bytes) -> None:
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(content))
        except (zipfile.BadZipFile, ValueError, OSError, EOFError) as error:
            raise OddPart("it is no ZIP file") from error
        self._names = {name.lower(): name for name in self._zip.namelist()}

    def has(self, name: str) -> bool:
        return name.lower() in self._names

    def read(self, name: str) -> bytes:
        known = self._names.get(name.lower())
        if known is None:
            raise OddPart(f"the part {name} is missing")
        if self._zip.getinfo(known).file_size > _LARGEST_PART:
            raise OddPart(f"the part {name} is too large")
        try:
            return self._zip.read(known)
        except (zipfile.BadZipFile, zlib.error, OSError, RuntimeError, ValueError, EOFError,
                NotImplementedError) as error:  # fmt: skip
            raise OddPart(f"the part {name} is damaged") from error

    def xml(self, name: str) -> etree._Element:
        """A part as a tree, for parts that are small."""
        parser = etree.XMLParser(
            resolve_entities=False, no_network=True, huge_tree=False, load_dtd=False,
            remove_comments=True, remove_pis=True,
        )  # fmt: skip
        try:
            return etree.fromstring(self.read(name), parser)
        except (etree.XMLSyntaxError, ValueError) as error:
            raise OddPart(f"the part {name} is no XML") from error

    def markup(self, name: str) -> str:
        """A part as text in which `<` begins a tag and names have no prefix, for large parts
        that are searched rather than parsed."""
        text = _decoded(self.read(name), name)
        declaration = _DECLARATION.match(text)
        start = declaration.end() if declaration else 0
        # Looking for one rare character takes no time; every tag has a `<`.
        if ("!" in text and "<!" in text) or (
            text.find("?", start) >= 0 and text.find("<?", start) >= 0
        ):
            text = _CDATA.sub(lambda match: _escaped(match[1]), _COMMENT.sub("", text[start:]))
            start = 0
            if "<!" in text:
                raise OddPart(f"the part {name} declares a document type")
        root = _ROOT.search(text, start)
        if root is None:
            raise OddPart(f"the part {name} is no XML")
        return re.sub(rf"<(/?){re.escape(root[1])}:", r"<\1", text) if root[1] else text

    def relationships(self, of: str) -> dict[str, Relationship]:
        """What a part refers to, by id; targets are names of parts."""
        folder, _, base = of.rpartition("/")
        name = f"{folder}/_rels/{base}.rels".lstrip("/")
        if not self.has(name):
            return {}
        found = {}
        for element in self.xml(name).iterchildren("{*}Relationship"):
            if element.get("TargetMode") == "External":
                continue
            target = element.get("Target") or ""
            path = target[1:] if target.startswith("/") else posixpath.join(folder, target)
            kind = (element.get("Type") or "").rpartition("/")[2]
            found[element.get("Id") or ""] = Relationship(kind, posixpath.normpath(path))
        return found


def unescaped(text: str) -> str:
    """Character data without XML's escapes and without Office's own (`_x000D_`)."""
    if "&" in text:
        text = _ENTITY.sub(_character, text)
    if "_x" in text:
        text = _ESCAPE.sub(lambda match: _from_code(int(match[1], 16)), text)
    return text


def _character(match: re.Match[str]) -> str:
    if match[3]:
        return _NAMED[match[3]]
    return _from_code(int(match[1]) if match[1] else int(match[2], 16))


def _from_code(code: int) -> str:
    return "\ufffd" if code > 0x10FFFF or 0xD800 <= code < 0xE000 else chr(code)


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _decoded(content: bytes, name: str) -> str:
    try:
        if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
            return content.decode("utf-16")
        declared = _DECLARED_ENCODING.match(content[:200])
        return content.decode(declared[1].decode() if declared else "utf-8-sig")
    except (UnicodeDecodeError, LookupError) as error:
        raise OddPart(f"the part {name} is in an unknown encoding") from error
