"""The synthesis as one page that needs nothing else, each claim marked with how it stands.

Every character of the bundle is text here: nothing in it becomes an element, a script or a link.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from tipstaff.synthesis.audited import AuditedClaim, AuditedPassage, Standing, SynthesisAudit

WORDS = {
    Standing.SUPPORTED: "supported",
    Standing.WEAK: "weakly supported",
    Standing.UNSUPPORTED: "not supported",
    Standing.CONTRADICTED: "contradicted",
    Standing.CITATION_BROKEN: "citation broken",
    Standing.UNCITED: "uncited",
    Standing.VIEW: "view",
}
_STYLE = """
:root { color-scheme: light dark; --paper: #fff; --ink: #1c1c1a; --line: #d5d3cc; }
@media (prefers-color-scheme: dark) { :root { --paper: #1b1c1e; --ink: #e9e7e1; --line: #44464a; } }
body { background: var(--paper); color: var(--ink); font: 1rem/1.6 Georgia, serif;
  max-width: 52rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; line-height: 1.25; }
table { border-collapse: collapse; } td, th { padding: .15rem .9rem .15rem 0; text-align: left; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; }
mark { color: inherit; background: none; border-bottom: 2px solid var(--line); padding: .05em 0; }
mark sup { font: 600 .7rem/1 system-ui, sans-serif; margin-left: .15em; }
mark a { color: inherit; text-decoration: none; }
.supported { border-color: #2e8b57; } .weak { border-color: #b8a300; border-bottom-style: dotted; }
.uncited { border-color: #7a7f87; border-bottom-style: dashed; }
.unsupported, .contradicted, .citation_broken { background: #d1242f22; border-color: #d1242f; }
ol { padding-left: 1.4rem; } li { margin: .8rem 0; } blockquote { margin: .3rem 0 .3rem 1rem; }
.says { font: .9rem/1.45 system-ui, sans-serif; } li:target { outline: 2px solid #3b82c4; }
"""
# Nothing is fetched and nothing runs.
_POLICY = (
    '<meta http-equiv="Content-Security-Policy" '
    "content=\"default-src 'none'; style-src 'unsafe-inline'\">"
)


def marked_up(audit: SynthesisAudit) -> str:
    """A whole page; problems first in the list behind the text."""
    shown = [one for one in audit.claims if one.standing not in (Standing.VIEW, Standing.SUPPORTED)]
    numbers = {one.start: number for number, one in enumerate(_worst_first(shown), start=1)}
    return "".join(
        (
            "<!doctype html><html lang=en><meta charset=utf-8>",
            _POLICY,
            '<meta name=viewport content="width=device-width">',
            f"<title>{escape(audit.title)}: audit</title><style>{_STYLE}</style>",
            f"<h1>{escape(audit.title)}</h1>",
            f"<p class=says>Score <strong>{audit.score:.3f}</strong> · ",
            f"{escape(audit.id)} version {audit.version}</p>",
            _counts(audit),
            "<h2>The synthesis</h2><div class=text>",
            *_text(audit.claims, audit.text, numbers),
            "</div><h2>What to look at</h2><ol class=says>",
            *(_finding(one, number) for number, one in enumerate(_worst_first(shown), start=1)),
            "</ol></html>\n",
        )
    )


def _worst_first(claims: Sequence[AuditedClaim]) -> list[AuditedClaim]:
    order = (
        Standing.CONTRADICTED,
        Standing.UNSUPPORTED,
        Standing.CITATION_BROKEN,
        Standing.UNCITED,
        Standing.WEAK,
    )
    return sorted(claims, key=lambda one: (order.index(one.standing), one.start))


def _counts(audit: SynthesisAudit) -> str:
    rows = "".join(
        f"<tr><td>{escape(WORDS.get(Standing(name), name) if name != 'stale' else 'stale')}"
        f"<td>{count}"
        for name, count in audit.counts.items()
        if count
    )
    newer = ", ".join(audit.newer_items)
    told = f"<p class=says>Newer than the synthesis: {escape(newer)}</p>" if newer else ""
    return f"<table class=says>{rows}</table>{told}"


def _text(claims: Sequence[AuditedClaim], text: str, numbers: dict[int, int]) -> Iterator[str]:
    position = 0
    for one in claims:
        if one.standing is Standing.VIEW or one.start < position:
            continue
        yield escape(text[position : one.start])
        number = numbers.get(one.start)
        link = f'<sup><a href="#n{number}">{number}</a></sup>' if number else ""
        label = escape(f"{WORDS[one.standing]}: {one.reason}", quote=True)
        words = escape(text[one.start : one.end])
        yield f'<mark class={one.standing} title="{label}">{words}{link}</mark>'
        position = one.end
    yield escape(text[position:])


def _finding(claim: AuditedClaim, number: int) -> str:
    told = (
        f"<strong>{WORDS[claim.standing]}</strong> (line {claim.line}): {escape(claim.text)}"
        f"<br>{escape(claim.reason)}"
    )
    working = "".join(f"<br>{escape(one)}" for one in claim.computed)
    parts = [
        _passages("Cited", claim.passages),
        _passages("Says it, and is not cited", claim.elsewhere),
        _passages("Newer, with another figure", claim.newer),
    ]
    return f"<li id=n{number}>{told}{working}{''.join(parts)}</li>"


def _passages(lead: str, passages: Sequence[AuditedPassage]) -> str:
    return "".join(
        f"<blockquote>{lead}: <code>[[{escape(one.reference)}]]</code> {escape(one.text_excerpt)}"
        "</blockquote>"
        for one in passages
    )
