"""The words of one Word paragraph: runs, fields, changes, symbols, references to notes.

A `w:p` comes in; its runs come out, with the text boxes and pictures that are anchored in it.
Text that Word does not show (hidden, deleted, white) is there and marked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from lxml import etree

from tipstaff.domain.document import MarkKind
from tipstaff.parse.building import PictureText
from tipstaff.parse.docx_names import (
    ALTERNATE,
    TRANSPARENT,
    WP,
    A,
    M,
    O,
    R,
    V,
    W,
    as_number,
    chosen_branch,
    switch,
    value,
)
from tipstaff.parse.docx_styles import PLAIN, Look, Styles, look_of
from tipstaff.parse.list_labels import roman
from tipstaff.parse.runs import Runs
from tipstaff.parse.symbols import symbol

_DELETED = "deleted text (tracked change)"
_FIELD_CODE = "field code"
_MOVED = "text moved elsewhere (tracked change)"
_CONTAINERS = TRANSPARENT | {W + name for name in ("hyperlink", "fldSimple", "dir", "bdo")}
_RUN = W + "r"
_PROPERTIES = W + "rPr"
_TEXTS = frozenset({W + "t", W + "delText"})
_PLAIN_CHARACTERS = {
    W + "tab": "\t",
    W + "ptab": "\t",
    W + "br": "\n",
    W + "cr": "\n",
    W + "noBreakHyphen": "-",
}
_NOT_READ = {
    "chart": "chart",
    "relIds": "diagram",
    "OLEObject": "embedded object",
}


@dataclass(slots=True)
class References:
    """What the body refers to, in order of appearance: note id → number."""

    footnotes: dict[str, int] = field(default_factory=dict)
    endnotes: dict[str, int] = field(default_factory=dict)
    comments: dict[str, int] = field(default_factory=dict)
    not_read: Counter[str] = field(default_factory=Counter)
    # What is read of a picture, by the id that the part which is being read has for it.
    picture: Callable[[str], Sequence[PictureText]] = lambda _: ()


@dataclass(slots=True)
class ParagraphText:
    runs: Runs = field(default_factory=Runs)
    boxes: list[etree._Element] = field(default_factory=list)
    pictures: list[str] = field(default_factory=list)
    picture_texts: list[tuple[PictureText, str | None]] = field(default_factory=list)


class ParagraphReader:
    """Reads one paragraph; `look` is its style's, `shaded` says that it stands on a colour."""

    def __init__(self, styles: Styles, references: References, look: Look, *, shaded: bool) -> None:
        self._styles = styles
        self._references = references
        self._look = look
        self._shaded = shaded
        self._hidden_as_styled = look.hides(shaded=shaded)
        # One entry for each open field: whether its code, which is not shown, still goes on.
        # A field that begins here and shows its result in a later paragraph hides nothing there.
        self._fields: list[bool] = []
        self._found = ParagraphText()

    def read(self, paragraph: etree._Element) -> ParagraphText:
        self._children(paragraph, None)
        return self._found

    def _children(self, parent: etree._Element, gone: str | None) -> None:
        """`gone` is the reason why all of this is deleted, or None."""
        for child in parent:
            tag = child.tag
            if tag == _RUN:
                self._run(child, gone)
            elif tag in _CONTAINERS:
                self._children(child, gone)
            elif tag == W + "del":
                self._children(child, _DELETED)
            elif tag == W + "moveFrom":
                self._children(child, _MOVED)
            elif tag == ALTERNATE:
                if (branch := chosen_branch(child)) is not None:
                    self._children(branch, gone)
            elif tag in (M + "oMath", M + "oMathPara"):
                words = "".join(text.text or "" for text in child.iter(M + "t"))
                self._add(words, gone or self._hidden_as_styled)

    def _run(self, run: etree._Element, gone: str | None) -> None:
        properties = run.find(_PROPERTIES)
        hidden = self._hidden_as_styled
        if properties is not None:
            look = look_of(properties)
            if (style := value(properties, "rStyle")) is not None:
                look = look.over(self._styles.style(style).look)
            if look is not PLAIN:
                hidden = look.over(self._look).hides(shaded=self._shaded)
        self._run_children(run, gone or hidden)

    def _run_children(self, run: etree._Element, hidden: str | None) -> None:
        for child in run:
            tag = child.tag
            if tag == _PROPERTIES:
                continue
            if tag in _TEXTS:
                self._add(child.text or "", hidden)
            elif tag in _PLAIN_CHARACTERS:
                self._add(_PLAIN_CHARACTERS[tag], hidden)
            elif tag == W + "fldChar":
                self._field(child, hidden)
            elif tag in (W + "drawing", W + "pict", W + "object"):
                self._drawing(child, hidden)
            elif tag == ALTERNATE:
                if (branch := chosen_branch(child)) is not None:
                    self._run_children(branch, hidden)
            elif tag == W + "sym":
                self._add(symbol(child.get(W + "char", ""), child.get(W + "font", "")), hidden)
            elif tag == W + "ruby":
                self._ruby(child)
            else:
                self._reference(child, hidden)

    def _add(self, text: str, hidden: str | None) -> None:
        if any(self._fields):
            hidden = hidden or _FIELD_CODE
        self._found.runs.add(text, hidden)

    def _field(self, mark: etree._Element, hidden: str | None) -> None:
        kind = mark.get(W + "fldCharType")
        if kind == "begin":
            self._add(_form_value(mark.find(W + "ffData")), hidden)
            self._fields.append(True)
        elif kind == "separate" and self._fields:
            self._fields[-1] = False
        elif kind == "end" and self._fields:
            self._fields.pop()

    def _ruby(self, ruby: etree._Element) -> None:
        """The word, then its reading in brackets, as it is written where there is one line."""
        for part, before, after in (("rubyBase", "", ""), ("rt", "(", ")")):
            element = ruby.find(W + part)
            if element is not None:
                self._add(before, None)
                self._children(element, None)
                self._add(after, None)

    def _reference(self, element: etree._Element, hidden: str | None) -> None:
        name = element.get(W + "id", "")
        if element.tag == W + "footnoteReference":
            notes = self._references.footnotes
            self._add(f"[{notes.setdefault(name, len(notes) + 1)}]", hidden)
        elif element.tag == W + "endnoteReference":
            notes = self._references.endnotes
            self._add(f"[{roman(notes.setdefault(name, len(notes) + 1))}]", hidden)
        elif element.tag == W + "commentReference":
            notes = self._references.comments
            label = f"[comment {notes.setdefault(name, len(notes) + 1)}]"
            # Not on the page: quotations must not stumble over it.
            self._found.runs.add(label, "comment reference", kind=MarkKind.MARKUP)

    def _drawing(self, drawing: etree._Element, hidden: str | None) -> None:
        for element in _once(drawing):
            if element.tag == W + "txbxContent":
                self._found.boxes.append(element)
            elif element.tag in (WP + "docPr", V + "shape"):
                words = element.get("descr") or element.get("alt") or ""
                if words.strip():
                    self._found.pictures.append("Image: " + " ".join(words.split()))
            elif element.tag == V + "textpath" and (words := element.get("string", "").strip()):
                self._found.pictures.append(words)  # a watermark, or letters drawn along a path
            elif element.tag in (A + "graphicData", O + "OLEObject"):
                self._count_unread(element)
            elif element.tag in (A + "blip", V + "imagedata"):
                name = element.get(R + "embed") or element.get(R + "id") or ""
                self._found.picture_texts += [
                    (text, hidden) for text in self._references.picture(name)
                ]

    def _count_unread(self, element: etree._Element) -> None:
        for part in (element, *element):
            name = part.tag.rpartition("}")[2] if isinstance(part.tag, str) else ""
            if name in _NOT_READ:
                self._references.not_read[_NOT_READ[name]] += 1


def _once(drawing: etree._Element) -> list[etree._Element]:
    """Everything in a drawing up to its text boxes, one branch of each alternative."""
    found = []
    waiting = [drawing]
    while waiting:
        element = waiting.pop()
        found.append(element)
        if element.tag == W + "txbxContent":
            continue
        if element.tag == ALTERNATE:
            branch = chosen_branch(element)
            waiting += [] if branch is None else [branch]
        else:
            waiting += reversed(element)
    return found


def _form_value(form: etree._Element | None) -> str:
    """What a form field shows that has no text: a box, ticked or not, or the chosen entry."""
    if form is None:
        return ""
    box = form.find(W + "checkBox")
    if box is not None:
        ticked = switch(box, "checked")
        return "☒" if (switch(box, "default") if ticked is None else ticked) else "☐"
    choice = form.find(W + "ddList")
    if choice is None:
        return ""
    entries = [entry.get(W + "val", "") for entry in choice.iterfind(W + "listEntry")]
    chosen = as_number(value(choice, "result")) or as_number(value(choice, "default")) or 0
    return entries[chosen] if 0 <= chosen < len(entries) else ""
