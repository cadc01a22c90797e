"""The tags in a Markdown text, and what of it a reader does not see because of them.

A tag that HTML knows is syntax. One that it does not know is text: in `<system>` or `<amount>`
stands something that somebody wrote, and pages leave it out or show it. Words that only the source
shows (comments, scripts, what is styled away) are hidden text, and are reported as such.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from lxml import etree

from tipstaff.domain.document import Mark, MarkKind, Span
from tipstaff.parse.html_visibility import Visibility

_TAG = re.compile(r"<(?P<end>/?)(?P<name>[a-zA-Z][\w-]*)(?=[\s/>])(?P<rest>[^<>\n]*)>")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_AUTOLINK = re.compile(r"<(?:[a-zA-Z][\w+.-]{1,31}:[^\s<>]*|[\w.+-]+@[\w.-]+)>")
_SYNTAX = "Markdown syntax"
_BY_STYLE = re.compile(r"\b(?:hidden|style|color)\b", re.IGNORECASE)
_NEVER_SHOWN = {"script": "text in a script", "template": "text in a template"}
_HTML = """
a abbr acronym address applet area article aside audio b base basefont bdi bdo big
blockquote body br button canvas caption center circle cite code col colgroup data
datalist dd defs del details dfn dialog dir div dl dt ellipse em embed fieldset
figcaption figure font footer form frame frameset g h1 h2 h3 h4 h5 h6 head header hgroup
hr html i iframe img input ins kbd label legend li line link main map mark math menu
meta meter mi mn mo mrow msub msup nav noframes noscript object ol optgroup option
output p param path picture polygon polyline pre progress q rb rect rp rt rtc ruby s samp
script search section select slot small source span strike strong style sub summary sup
svg table tbody td template text textarea tfoot th thead time title tr track tspan tt u
ul use var video wbr
"""
_KNOWN = frozenset(_HTML.split())


def tag_marks(text: str, span: Span) -> Iterator[Mark]:
    """Comments and tags in a span; of an address in angle brackets, the brackets."""
    for match in _COMMENT.finditer(text, span.start, span.end):
        if any(map(str.isalnum, match[0])):
            yield Mark(Span(*match.span()), MarkKind.HIDDEN, "comment")
        else:
            yield _syntax(*match.span())
    for match in _TAG.finditer(text, span.start, span.end):
        if match["name"].lower() in _KNOWN:
            yield _syntax(*match.span())
    for match in _AUTOLINK.finditer(text, span.start, span.end):
        yield _syntax(match.start(), match.start() + 1)
        yield _syntax(match.end() - 1, match.end())


def hidden_elements(text: str, code: Sequence[Span]) -> Iterator[Mark]:
    """What stands between a tag that hides and the one that ends it, outside `code`. Nothing is
    taken for hidden that is never closed."""
    starts = sorted((span.start, span.end) for span in code)
    opened: dict[str, list[re.Match[str]]] = {}
    for tag in _TAG.finditer(text):
        at = bisect_right(starts, (tag.start(), len(text)))
        name = tag["name"].lower()
        if name not in _KNOWN or (at and tag.start() < starts[at - 1][1]):
            continue
        if not tag["end"]:
            if not tag["rest"].endswith("/"):
                opened.setdefault(name, []).append(tag)
        elif opened.get(name):
            first = opened[name].pop()
            reason = _why_hidden(first)
            if reason and any(map(str.isalnum, text[first.end() : tag.start()])):
                yield Mark(Span(first.end(), tag.start()), MarkKind.HIDDEN, reason)


def _why_hidden(tag: re.Match[str]) -> str | None:
    name = tag["name"].lower()
    if name in _NEVER_SHOWN:
        return _NEVER_SHOWN[name]
    if not _BY_STYLE.search(tag["rest"]):
        return None
    parser = etree.HTMLParser(no_network=True, recover=True)
    root = etree.fromstring(f"<div {tag['rest'].rstrip('/')}></div>".encode(), parser)
    element = root.find(".//div") if root is not None else None
    return None if element is None else Visibility().inside(element).reason


def _syntax(start: int, end: int) -> Mark:
    return Mark(Span(start, end), MarkKind.MARKUP, _SYNTAX)
