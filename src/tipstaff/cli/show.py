"""`tip show BUNDLE CITATION`: the passage that a citation points at, in its surroundings."""

from __future__ import annotations

import argparse
import re

from tipstaff.access.recipients import quotable
from tipstaff.access.visible_bundle import visible_bundle
from tipstaff.citation.grammar import parse_citation
from tipstaff.cli.interrogating import grant_from
from tipstaff.cli.options import add_bundle, add_common, add_recipient, opened_bundle
from tipstaff.cli.terminal import Terminal, plain
from tipstaff.domain.citation import SYNTHESIS_ID, Citation, Passage, Unresolved
from tipstaff.domain.clean_text import clean
from tipstaff.domain.document import Document
from tipstaff.engine import ReadBundle, read_bundle
from tipstaff.errors import AuthorizationDenied, NotFound, UsageError
from tipstaff.showing import CONTEXT_CHARS, hidden_words, shown_passage, surroundings

_MOST_CHARS = 4_000


def configure(parser: argparse.ArgumentParser) -> None:
    add_bundle(parser)
    parser.add_argument("citation", metavar="CITATION", help="such as '[[budget:Q3:B2-F20]]'")
    parser.add_argument(
        "--context",
        type=int,
        default=CONTEXT_CHARS,
        metavar="N",
        help="characters to show before and behind the passage",
    )
    add_recipient(parser)
    parser.add_argument("--raw", action="store_true", help="the stored text, markup and all")
    add_common(parser)


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    with opened_bundle(arguments, terminal, "Opening") as (opened, settings):
        recipient = arguments.recipient
        grant = grant_from(arguments, opened, settings)
        seen = visible_bundle(opened.bundle, grant.permitted)
        citation = parse_citation(arguments.citation, names=seen.citable_names())
        if citation is None:
            raise UsageError(
                f"'{arguments.citation}' is not one citation.",
                suggestion="Write it as [[item-id:location]], in quotes.",
            )
        if not quotable(seen, citation.item_id, recipient):
            raise AuthorizationDenied(
                "The sender lets this item be asked about, not looked at.",
                item_id=citation.item_id,
            )
        read = read_bundle(
            opened,
            settings=settings,
            progress=terminal.progress("Reading"),
            only={citation.item_id},
            seen=seen,
        )
        passage = _passage(read, citation)
        document = read.documents[citation.item_id].document
        title = _title(read, citation)
    if arguments.json:
        terminal.json(
            shown_passage(document, passage, title=title, context_chars=arguments.context)
        )
        return 0
    before, behind = surroundings(document, passage, arguments.context)
    text = passage.text if arguments.raw else _readable(document, passage)
    terminal.answer(f"{terminal.styled(plain(title), 'bold')}  {citation}\n")
    # A bar marks the passage, so that it stands out on paper and in a pipe, too.
    for lines, bar, style in ((before, " ", "dim"), (text, "▌", ""), (behind, " ", "dim")):
        for line in _lines(lines):
            styled = terminal.styled(line, style) if style else line
            terminal.answer(f"{bar} {styled}".rstrip())
    if passage.note:
        terminal.note(passage.note)
    for hidden in [] if arguments.raw else hidden_words(document, passage):
        terminal.note(f"not shown, {hidden['reason']}: {hidden['text'][:200]}")
    return 0


def _passage(read: ReadBundle, citation: Citation) -> Passage:
    why = read.unindexed.get(citation.item_id)
    if why is not None:
        raise NotFound(f"{citation} cannot be shown: {why.reason}", suggestion=why.suggestion)
    bundle = read.bundle
    item = bundle.item(citation.item_id)
    if item is not None and not item.has_bytes:
        raise NotFound(f"{citation} cannot be shown: {item.reason}", suggestion=item.suggestion)
    members = [one.id for one in bundle.items if one.parent == citation.item_id]
    if members:
        raise NotFound(
            f"{citation} is an archive; its members are items of their own.",
            suggestion="Cite one of them: " + ", ".join(members[:8]),
        )
    found = read.resolve(citation)
    if isinstance(found, Unresolved):
        raise NotFound(
            f"{citation} does not exist: {found.reason}.",
            suggestion="tip inspect lists the items.",
        )
    return found


def _title(read: ReadBundle, citation: Citation) -> str:
    bundle = read.bundle
    if citation.item_id == SYNTHESIS_ID:
        return f"{bundle.title} (synthesis)"
    item = bundle.item(citation.item_id)
    return item.title if item else citation.item_id


def _readable(document: Document, passage: Passage) -> str:
    text = "\n".join(clean(document, span).text for span in passage.spans)
    if len(text) <= _MOST_CHARS:
        return text
    return f"{text[:_MOST_CHARS]}\n… ({len(text) - _MOST_CHARS:,} more characters; --json has all)"


def _lines(text: str) -> list[str]:
    """Printable lines; blank ones are not repeated, and none stands at either end."""
    kept = re.sub(r"\n\s*\n+", "\n\n", text).strip("\n")
    return [_printable(line) for line in kept.split("\n")] if kept.strip() else []


def _printable(line: str) -> str:
    indent = line[: len(line) - len(line.lstrip(" "))]
    return indent + plain(line)
