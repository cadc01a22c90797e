"""Bytes of XML to a tree, by a parser that fetches nothing and expands nothing."""

from __future__ import annotations

from lxml import etree

from tipstaff.parse.parser import CannotRead

MAX_DEPTH = 250  # libxml2 itself stops at 256 levels


def read_xml(content: bytes, part: str) -> etree._Element:
    """The root element; `part` names the file inside the file, for the reason of a failure."""
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        huge_tree=False,
        load_dtd=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise CannotRead(
            f"The file is damaged or hostile: its part '{part}' is not readable XML.",
            "Ask the sender for a new copy of the file.",
        ) from error
    # Documents declare no entities; one that does wants them expanded a billion times.
    declared = root.getroottree().docinfo.internalDTD
    if declared is not None and any(True for _ in declared.iterentities()):
        raise CannotRead(
            f"The part '{part}' of the file declares XML entities, which are not expanded here.",
            "Ask the sender for a copy that was saved anew by a word processor.",
        )
    return root


def local_name(element: etree._Element) -> str:
    """The tag without its namespace; empty for what is no element."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
