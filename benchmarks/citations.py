"""Finding and understanding citations, beside a bare regular expression that only finds them."""

from __future__ import annotations

import re
from pathlib import Path

from benchmarks.measure import side_by_side, table
from tipstaff.citation.grammar import parse_citations

_REPEATS = 40
_BARE = re.compile(r"\[\[([^\[\]]+)\]\]")


def run() -> str:
    synthesis = Path("bundles/meridian/tez.md").read_text(encoding="utf-8")
    text = synthesis * _REPEATS
    rows = side_by_side(
        {
            "re.findall (no ranges, no code, no forms)": lambda: _BARE.findall(text),
            "parse_citations": lambda: parse_citations(text),
        },
        amount=len(text) / 1e6,
        unit="MB",
    )
    return table(f"Citations in {len(text) / 1e6:.1f} MB of synthesis", rows)
