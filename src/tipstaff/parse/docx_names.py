"""Names of WordprocessingML and how its values are read."""

from __future__ import annotations

from lxml import etree

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
WP = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
WPS = "{http://schemas.microsoft.com/office/word/2010/wordprocessingShape}"
M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
V = "{urn:schemas-microsoft-com:vml}"
O = "{urn:schemas-microsoft-com:office:office}"  # noqa: E741 - the prefix that Office uses
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"

VAL = W + "val"
ALTERNATE = MC + "AlternateContent"

# Wrappers that a reader does not see: content controls, custom XML, smart tags.
TRANSPARENT = frozenset(
    W + name for name in ("sdt", "sdtContent", "customXml", "smartTag", "ins", "moveTo")
)
_OFF = frozenset({"0", "false", "off", "none"})


def value(parent: etree._Element | None, name: str) -> str | None:
    """`w:val` of a child property, or None."""
    child = None if parent is None else parent.find(W + name)
    return None if child is None else child.get(VAL)


def number(parent: etree._Element | None, name: str) -> int | None:
    return as_number(value(parent, name))


def as_number(text: str | None) -> int | None:
    """An integer of sane size; the file is a stranger's."""
    try:
        found = int(text or "")
    except ValueError:
        return None
    return found if abs(found) < 1_000_000 else None


def switch(parent: etree._Element | None, name: str) -> bool | None:
    """An on/off property: there and not switched off; None where it is not said."""
    child = None if parent is None else parent.find(W + name)
    return None if child is None else child.get(VAL, "1") not in _OFF


def chosen_branch(alternate: etree._Element) -> etree._Element | None:
    """One branch of `mc:AlternateContent`: the same thing is said in each of them."""
    branches = [*alternate.findall(MC + "Choice"), *alternate.findall(MC + "Fallback")]
    for branch in branches:
        if next(branch.iter(W + "t", W + "delText", M + "t"), None) is not None:
            return branch
    return branches[0] if branches else None
