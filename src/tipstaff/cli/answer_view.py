"""A response for a person: the answer, how sure it is, where it comes from, what is missing."""

from __future__ import annotations

import re
import textwrap

from tipstaff.cli.terminal import Terminal, plain
from tipstaff.domain.response import ResponseEnvelope
from tipstaff.domain.retrieval import Retrieval
from tipstaff.retrieve.exposure import exposed, exposed_summary

_MARK = re.compile(r"\[\[[^\]]+\]\]")
# Piped output is wider than any terminal and is not wrapped.
_READABLE = 1_000
_LABELS = {
    "grounded": "Grounded in the context",
    "inferred": "Inferred from the context",
    "partial": "Answered in part",
    "abstention": "The context does not answer this",
}


def show_response(envelope: ResponseEnvelope, terminal: Terminal, *, text: bool = True) -> None:
    """The answer (unless it was printed already) and what is to be known of it."""
    response = envelope.response
    if text:
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


def explain(retrieval: Retrieval, terminal: Terminal, *, setting: str) -> None:
    """How passages were found, as far as the setting `transparency` lets it be told."""
    facts = exposed_summary(
        {
            "strategy": str(retrieval.strategy),
            "ranking_method": retrieval.ranking,
            "chunks_retrieved": f"{len(retrieval.found)} passages",
            "chunks_evaluated": f"{retrieval.evaluated} looked at",
            "retrieval_time_ms": f"{retrieval.time_ms} ms",
        },
        setting,
    )
    terminal.say(f"Retrieval: {', '.join(facts.values())}.")
    for found in retrieval.found[:10]:
        scores = exposed(
            {"keyword_score": found.keyword_score, "vector_score": found.vector_score}, setting
        )
        told = " · ".join(
            f"{name.removesuffix('_score')} {value or 0:.2f}" for name, value in scores.items()
        )
        terminal.say(f"  {found.rank:>2}  {found.chunk.item_id}:{found.chunk.location}  {told}")
