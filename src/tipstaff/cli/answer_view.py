"""A response for a person: the answer, how sure it is, where it comes from, what is missing."""

from __future__ import annotations

import re
import textwrap

from tipstaff.cli.terminal import Terminal, plain
from tipstaff.domain.response import ResponseEnvelope
from tipstaff.domain.retrieval import Retrieval

_MARK = re.compile(r"\[\[[^\]]+\]\]")
# Piped output is wider than any terminal and is not wrapped.
_READABLE = 1_000
_LABELS = {
    "grounded": "Grounded in the context",
    "inferred": "Inferred from the context",
    "partial": "Answered in part",
    "abstention": "The context does not answer this",
}


def show_response(
    envelope: ResponseEnvelope, terminal: Terminal, *, retrieval: Retrieval | None = None
) -> None:
    response = envelope.response
    terminal.answer(_wrapped(response.text, terminal))
    terminal.answer("")
    label = _LABELS[str(response.classification)]
    sure = f" · confidence {response.confidence}" if response.claims else ""
    checked = sum(citation.verified for citation in response.citations)
    cited = f" · {checked} citation{'' if checked == 1 else 's'} checked" if response.claims else ""
    terminal.answer(terminal.styled(f"{label}{sure}{cited}", "dim"))
    for removed in response.removed:
        terminal.say(f"Withheld: {removed.reason}")
    for notice in envelope.notices:
        terminal.say(notice.message)
    if retrieval is not None:
        explain(retrieval, terminal)


def _wrapped(text: str, terminal: Terminal) -> str:
    """Lines that fit the terminal; citations stay whole and stand out."""
    lines = []
    for line in map(plain, text.split("\n")):
        if terminal.width > _READABLE or not line:
            lines.append(line)
            continue
        indent = "  " if line.startswith("- ") else ""
        lines += textwrap.wrap(
            line,
            min(terminal.width, 100),
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
        )
    return _MARK.sub(lambda mark: terminal.styled(mark.group(), "cyan"), "\n".join(lines))


def explain(retrieval: Retrieval, terminal: Terminal) -> None:
    terminal.say(
        f"Retrieval: {retrieval.strategy}, {retrieval.ranking}, {len(retrieval.found)} passages of "
        f"{retrieval.evaluated} looked at, {retrieval.time_ms} ms."
    )
    for found in retrieval.found[:10]:
        scores = f"keyword {found.keyword_score or 0:.2f} · vector {found.vector_score or 0:.2f}"
        terminal.say(f"  {found.rank:>2}  {found.chunk.item_id}:{found.chunk.location}  {scores}")
