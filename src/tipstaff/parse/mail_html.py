"""The HTML of a mail → its lines as a reader sees them, with depth of quotation and hidden text.

Block elements are lines, rows of data tables are lines with ` | ` between cells, list items
begin with a dash or their number. Nothing is fetched; scripts, styles and comments are no text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import lxml.html
from lxml import etree

from tipstaff.parse.building import CELL_SEPARATOR
from tipstaff.parse.mail_body import BodyLine

_APART = frozenset(
    {"p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "table", "tr", "pre", "blockquote", "hr"}
)
_BREAKING = _APART.union(
    ("address", "article", "aside", "body", "center", "dd", "div", "dl", "dt", "fieldset"),
    ("figure", "footer", "form", "header", "li", "main", "nav", "section"),
    ("tbody", "tfoot", "thead"),
)
_NO_TEXT = frozenset({"head", "noscript", "script", "style", "template", "title"})
_SPACES = re.compile(r"[ \t\r\n\f]+")
_TAGS = re.compile(r"<(?:script|style)\b.*?</(?:script|style)\s*>|<!--.*?-->|<[^>]*>", re.S | re.I)
_HIDING = (
    (re.compile(r"display\s*:\s*none"), "is not displayed"),
    (re.compile(r"visibility\s*:\s*hidden"), "is not visible"),
    (re.compile(r"mso-hide\s*:\s*all"), "is not displayed"),
    (re.compile(r"font-size\s*:\s*0(?:\.0+)?(?:px|pt|em|%)?\s*(?:;|!|$)"), "has no size"),
    (re.compile(r"opacity\s*:\s*0(?:\.0+)?\s*(?:;|!|$)"), "is transparent"),
)
_WHITE = re.compile(r"(?<![-\w])color\s*:\s*(?:#fff(?:fff)?\b|white\b|transparent\b)", re.I)
_BACKGROUND = re.compile(r"background(?:-color|-image)?\s*:")
_MAX_ROW_CHARS = 1_000
_MAX_LINE_CHARS = 20_000


def html_lines(html: str) -> tuple[list[BodyLine], str | None]:
    """The lines, and a note if the HTML was too odd to be followed."""
    text = html.replace("\x00", "")
    parser = lxml.html.HTMLParser(encoding="utf-8", no_network=True, huge_tree=False)
    try:
        root = lxml.html.document_fromstring(text.encode("utf-8", "replace"), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, AssertionError):
        root = None
    too_deep = any("depth" in str(error.message) for error in parser.error_log)
    if root is None or too_deep:
        words = _SPACES.sub(" ", _TAGS.sub(" ", text)).strip()
        note = "The HTML of the message is damaged; its words were read without their layout."
        return ([BodyLine(words)], note) if words else ([], None)
    # A style sheet may give any element a background: then white text may be readable.
    sheets = (style.text or "" for style in root.iter("style"))
    reader = _Reader(backgrounds=any("background" in sheet for sheet in sheets))
    for event, element in etree.iterwalk(root, events=("start", "end")):
        reader.read(event, element)
    reader.end_line()
    return reader.lines, None


@dataclass(slots=True)
class _Reader:
    """Collects text piece by piece; a line is finished where a block begins or ends."""

    lines: list[BodyLine] = field(default_factory=list)
    text: str = ""
    hidden: list[tuple[int, int, str]] = field(default_factory=list)
    reasons: list[str | None] = field(default_factory=list)  # of every open element
    backgrounds: int = 0
    depth: int = 0
    skipping: int = 0
    in_row: int = 0
    preformatted: int = 0
    counters: list[int | None] = field(default_factory=list)

    def read(self, event: str, element: etree._Element) -> None:
        if not isinstance(element.tag, str):
            if event == "end":
                self._add(element.tail)
        elif event == "start":
            self._start(element, element.tag)
        else:
            self._end(element, element.tag)

    def end_line(self) -> None:
        if self.text.strip():
            text = self.text.rstrip()
            cut = len(text) - len(text.lstrip()) if not self.preformatted else 0
            hidden = tuple(
                (max(start - cut, 0), min(end, len(text)) - cut, reason)
                for start, end, reason in self.hidden
                if min(end, len(text)) > max(start, cut)
            )
            self.lines.append(BodyLine(text[cut:], self.depth, 0, hidden))
        self.text = ""
        self.hidden = []

    def _start(self, element: etree._Element, tag: str) -> None:
        style = (element.get("style") or "").lower()
        self.backgrounds += _has_background(element, style)
        self.reasons.append(self._reason(element, style))
        self.skipping += tag in _NO_TEXT
        if tag == "tr" and self.in_row == 0 and _is_data_row(element):
            self._break(tag)
            self.in_row = 1
        elif self.in_row:
            self.in_row += 1
            self._in_row(tag)
        elif tag in _BREAKING or tag == "br":
            self._break(tag)
            self._begin_block(tag)
        self.preformatted += tag == "pre"
        self._add(element.text)

    def _end(self, element: etree._Element, tag: str) -> None:
        style = (element.get("style") or "").lower()
        self.backgrounds -= _has_background(element, style)
        if self.in_row:
            self.in_row -= 1
        if not self.in_row and tag in _BREAKING:
            self._break(tag)
            self.depth -= tag == "blockquote"
            if tag in ("ul", "ol") and self.counters:
                self.counters.pop()
        self.preformatted -= tag == "pre"
        self.skipping -= tag in _NO_TEXT
        self.reasons.pop()
        self._add(element.tail)

    def _break(self, tag: str) -> None:
        self.end_line()
        if tag in _APART and self.lines and self.lines[-1].text:
            self.lines.append(BodyLine("", self.depth))

    def _begin_block(self, tag: str) -> None:
        self.depth += tag == "blockquote"
        if tag in ("ul", "ol"):
            self.counters.append(0 if tag == "ol" else None)
        elif tag == "li":
            number = self.counters[-1] if self.counters else None
            if self.counters and number is not None:
                self.counters[-1] = number + 1
            self.text = "- " if number is None else f"{number + 1}. "

    def _in_row(self, tag: str) -> None:
        if tag in ("td", "th") and self.text.strip():
            self.text = self.text.rstrip() + CELL_SEPARATOR
        elif (tag in _BREAKING or tag == "br") and self.text and not self.text.endswith(" "):
            self.text += " "

    def _add(self, text: str | None) -> None:
        if not text or self.skipping:
            return
        if self.preformatted and not self.in_row:
            first, *others = text.replace("\r\n", "\n").split("\n")
            self._append(first)
            for line in others:
                self.end_line()
                self._append(line)
            return
        words = _SPACES.sub(" ", text)
        if not self.text or self.text.endswith(" "):
            words = words.lstrip(" ")
        self._append(words)

    def _append(self, words: str) -> None:
        reason = next(filter(None, self.reasons), None)
        if reason and words:
            self.hidden.append((len(self.text), len(self.text) + len(words), reason))
        self.text += words
        if len(self.text) > _MAX_LINE_CHARS:
            self.end_line()

    def _reason(self, element: etree._Element, style: str) -> str | None:
        if element.get("hidden") is not None:
            return "is not displayed"
        for pattern, reason in _HIDING:
            if pattern.search(style):
                return reason
        if _WHITE.search(style) and not self.backgrounds:
            return "is white on white"
        return None


def _has_background(element: etree._Element, style: str) -> bool:
    return bool(_BACKGROUND.search(style) or element.get("bgcolor") or element.get("background"))


def _is_data_row(row: etree._Element) -> bool:
    """Mails are laid out with tables; a row of data has two short cells and no table in it."""
    if row.find(".//table") is not None:
        return False
    cells = [cell for cell in row if cell.tag in ("td", "th") and "".join(cell.itertext()).strip()]
    size = sum(len("".join(cell.itertext())) for cell in cells)
    return len(cells) > 1 and size <= _MAX_ROW_CHARS
