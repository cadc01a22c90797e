"""The words of a slide's shapes: paragraphs with their bullets, and comments with authors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lxml import etree

_BULLETS = frozenset({"buChar", "buAutoNum", "buBlip"})
# Body placeholders have bullets unless a paragraph says otherwise.
_BODIES = frozenset({"body", "obj"})


@dataclass(frozen=True, slots=True)
class Paragraph:
    text: str
    is_item: bool = False


@dataclass(frozen=True, slots=True)
class Remark:
    text: str
    author: str | None


def paragraphs(shape: Any) -> Iterator[Paragraph]:
    """The paragraphs of a shape's text that say something."""
    mark = next(shape.iter("{*}ph"), None)
    in_body = mark is not None and mark.get("type", "obj") in _BODIES
    for body in shape.iter("{*}txBody"):
        found = [(element, text_of(element)) for element in body.iterchildren("{*}p")]
        said = [(element, text) for element, text in found if text]
        for element, text in said:
            yield Paragraph(text, _is_item(element, in_body=in_body and len(said) > 1))


def text_of(paragraph: Any) -> str:
    """The runs of a paragraph, with its line breaks."""
    words = []
    for element in paragraph.iter("{*}t", "{*}br", "{*}tab"):
        name = etree.QName(element).localname
        words.append({"br": "\n", "tab": " "}.get(name) or element.text or "")
    return "".join(words).replace("\v", "\n").strip()


def remarks(slide_part: Any) -> list[Remark]:
    """Comments on a slide, of PowerPoint's older and newer kind."""
    found = []
    for part in _parts(slide_part, "comments"):
        root = _tree(part)
        authors = _authors(slide_part)
        for comment in [] if root is None else root.iter("{*}cm", "{*}reply"):
            words = [element.text or "" for element in comment.iterchildren("{*}text")]
            for body in comment.iterchildren("{*}txBody"):
                words.extend(text_of(element) for element in body.iterchildren("{*}p"))
            text = "\n".join(filter(None, words)).strip()
            if text:
                found.append(Remark(text, authors.get(comment.get("authorId") or "")))
    return found


def _is_item(paragraph: Any, *, in_body: bool) -> bool:
    properties = paragraph.find("{*}pPr")
    names = set()
    if properties is not None:
        names = {etree.QName(child).localname for child in properties.iterchildren("{*}*")}
    return bool(names & _BULLETS) or (in_body and "buNone" not in names)


def _authors(slide_part: Any) -> dict[str, str]:
    """Names by id, from the presentation's lists."""
    presentation = slide_part.package.presentation_part
    names: dict[str, str] = {}
    for part in [*_parts(presentation, "commentAuthors"), *_parts(presentation, "authors")]:
        root = _tree(part)
        for author in [] if root is None else root.iterchildren("{*}cmAuthor", "{*}author"):
            names[author.get("id") or ""] = author.get("name") or ""
    return names


def _parts(part: Any, kind: str) -> Iterator[Any]:
    for link in part.rels.values():
        if not link.is_external and link.reltype.rpartition("/")[2] == kind:
            yield link.target_part


def _tree(part: Any) -> Any:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    try:
        return etree.fromstring(part.blob, parser)
    except etree.XMLSyntaxError:
        return None
