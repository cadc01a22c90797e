"""Web pages: headings, paragraphs, lists and tables as a reader sees them.

The bytes of a page come in. Scripts and styles are dropped; text that a page hides is kept
and marked. The title and the description go into the document's metadata.
"""

from __future__ import annotations

import re
from base64 import b64decode
from collections import Counter
from collections.abc import Sequence
from html.entities import html5
from urllib.parse import unquote

from lxml import etree

from tipstaff.decoding import decode_text
from tipstaff.domain.document import Document
from tipstaff.parse.building import DocumentBuilder, PictureText
from tipstaff.parse.embedded_pictures import EmbeddedPictures
from tipstaff.parse.flow import DocumentFlow
from tipstaff.parse.html_styles import lay_styles_under
from tipstaff.parse.html_walk import Walk
from tipstaff.parse.not_read import not_read_notes
from tipstaff.parse.parser import CannotRead, Parser, Source
from tipstaff.parse.xml_tree import MAX_DEPTH, local_name, read_xml

_DECLARED = re.compile(
    rb"""<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})|<meta[^>]{0,300}?charset\s*=\s*["']?\s*([\w.:-]{1,40})""",
    re.IGNORECASE,
)
# The names that pages use, and what browsers take them for (WHATWG Encoding).
_AS_BROWSERS = {
    "iso-8859-1": "cp1252", "latin1": "cp1252", "us-ascii": "cp1252", "ascii": "cp1252",
    "iso-8859-9": "cp1254", "iso-8859-11": "cp874", "tis-620": "cp874", "gb2312": "gb18030",
    "gbk": "gb18030", "shift_jis": "cp932", "x-sjis": "cp932", "euc-kr": "cp949",
    "ks_c_5601-1987": "cp949",
}  # fmt: skip
_TERM = re.compile(r"<d[td]\b", re.IGNORECASE)
_ATTRIBUTES = r"""(?:[^<>"']|"[^"]*"|'[^']*')*"""
_FORMATTING = re.compile(
    rf"</?(a|b|i|u|s|em|strong|font|span|tt|code|small|big|center|abbr|cite|var)\b{_ATTRIBUTES}>",
    re.IGNORECASE,
)
_MAY_HIDE = re.compile(r"<(\w+)\s[^<>]*?(?:style|hidden|color)", re.IGNORECASE)
_NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ENTITY = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});)(\w{1,40};)?")


def parse(source: Source) -> Document:
    builder = DocumentBuilder()
    root = read_xhtml(source.content) if "xhtml" in source.media_type else None
    root = read_page(decode_page(source.content)) if root is None else root
    if root is None:
        return builder.build()
    lay_styles_under(root)
    not_read: Counter[str] = Counter()
    pictures = EmbeddedPictures(source.options)
    Walk(DocumentFlow(builder), not_read, lambda at: data_picture(at, pictures)).over(root)
    builder.notes += not_read_notes(not_read) + pictures.notes()
    return builder.build(metadata=metadata_of(root))


def data_picture(address: str, pictures: EmbeddedPictures) -> Sequence[PictureText]:
    """The text of a picture that stands in the page itself; others are not fetched."""
    kind, comma, data = address.partition(",")
    if not comma or kind[:5].lower() != "data:":
        return ()
    load = b64decode if kind.lower().endswith(";base64") else str.encode
    return pictures.texts(address, lambda _: load(unquote(data)))


def decode_page(content: bytes) -> str:
    """The text of a page by what it says of itself."""
    match = _DECLARED.search(content[:4096])
    declared = (match[1] or match[2]).decode("ascii").lower() if match else None
    return decode_text(content, declared=_AS_BROWSERS.get(declared or "", declared))


def read_page(text: str) -> etree._Element | None:
    """The tree of a page as browsers see it, or None if there is nothing in it."""
    text = _NOT_XML.sub("\ufffd", text)
    if not text.strip():
        return None
    root, is_whole = _tree(text)
    if not is_whole:
        root, is_whole = _tree(_flattened(text))
    if not is_whole:
        raise _too_deep()
    return root


def _tree(text: str) -> tuple[etree._Element | None, bool]:
    """A tree, and whether all of the page is in it: libxml2 leaves out what is nested too
    deeply, and all that follows, without an error."""
    parser = etree.HTMLParser(
        encoding="utf-8",
        no_network=True,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
        recover=True,
    )
    try:
        root = etree.fromstring(text.encode(), parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        if not _says_something(text):
            return None, True
        raise _unreadable() from error
    return root, all(error.type_name != "ERR_RESOURCE_LIMIT" for error in parser.error_log)


def _flattened(text: str) -> str:
    """The same words with less nesting: what was never closed is closed, and tags that only
    format are left out, unless one of that name could hide something."""
    text = _TERM.sub(r"</dt></dd>\g<0>", text)
    may_hide = {name.lower() for name in _MAY_HIDE.findall(text)}
    return _FORMATTING.sub(lambda tag: tag[0] if tag[1].lower() in may_hide else "", text)


def read_xhtml(content: bytes) -> etree._Element | None:
    """The tree of a page that is XML, or None if it is not well formed."""
    text = _NOT_XML.sub("\ufffd", decode_page(content))
    text = re.sub(r"^\s*<\?xml[^>]*\?>", "", text)
    try:
        return read_xml(_ENTITY.sub(_character, text).encode(), "page")
    except CannotRead:
        return None


def metadata_of(root: etree._Element) -> dict[str, str]:
    found: dict[str, str] = {}
    for element in root.iter():
        tag = local_name(element).lower()
        if tag == "body":
            break
        if tag == "title":
            found.setdefault("title", " ".join("".join(element.itertext()).split()))
        elif tag == "meta" and element.get("name", "").lower() in ("description", "author"):
            words = " ".join(element.get("content", "").split())
            found.setdefault(element.get("name", "").lower(), words)
    return {name: words for name, words in found.items() if words}


def _character(match: re.Match[str]) -> str:
    """Names of characters that XML does not know; any other stays as it is written."""
    known = html5.get(match[1] or "")
    return known if known is not None else "&amp;" + (match[1] or "")


def _says_something(text: str) -> bool:
    return bool(re.sub(r"<[^>]*>", "", text).strip())


def _unreadable() -> CannotRead:
    return CannotRead(
        "The page cannot be read as HTML.", "Ask the sender for the page as PDF or plain text."
    )


def _too_deep() -> CannotRead:
    return CannotRead(
        f"The page nests its elements more than {MAX_DEPTH} levels deep.",
        "Ask the sender for the page as PDF or plain text.",
    )


PARSER = Parser(
    name="html", version=2, media_types=("text/html", "application/xhtml+xml"), parse=parse
)
