"""SVG by few words: boxes, arrows, text. Colours follow the reader's light or dark.

A picture stands alone (colours by `prefers-color-scheme`) or inside a page of the site, whose
style sheet then decides (`docs/assets/site.css` sets the same five variables).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from xml.sax.saxutils import escape, quoteattr

_STYLE = """
.tip-picture {
  --ink: #1c2225; --faint: #575e61; --line: #8a8577; --box: #f5f4ef; --good: #17606f;
}
@media (prefers-color-scheme: dark) {
  .tip-picture {
    --ink: #e9ebe8; --faint: #a9b2b4; --line: #7d878b; --box: #20282b; --good: #8fd0de;
  }
}
.tip-picture text { font-family: system-ui, "Segoe UI", Roboto, sans-serif; fill: var(--ink); }
.tip-picture .small { fill: var(--faint); }
.tip-picture .strong { font-weight: 650; }
.tip-picture .box { fill: var(--box); stroke: var(--line); stroke-width: 1.2; }
.tip-picture .good { stroke: var(--good); stroke-width: 2; }
.tip-picture .goodtext { fill: var(--good); font-weight: 650; }
.tip-picture .way { stroke: var(--line); stroke-width: 1.6; fill: none; }
.tip-picture .head { fill: var(--line); }
.tip-picture .edge { stroke: var(--good); stroke-width: 1.6; stroke-dasharray: 6 5; fill: none; }
"""


@dataclass(slots=True)
class Drawing:
    """`told` is what a reader who cannot see it is told."""

    width: int
    height: int
    title: str
    told: str
    parts: list[str] = field(default_factory=list)

    def box(
        self, x: int, y: int, width: int, height: int, lines: Sequence[str], *, kind: str = "box"
    ) -> None:
        """The first line is its name, the others say what it does."""
        classes = "box good" if kind == "good" else "box"
        self.parts.append(
            f'<rect class="{classes}" x="{x}" y="{y}" width="{width}" height="{height}" rx="8"/>'
        )
        top = y + height / 2 - (len(lines) - 1) * 9 + 5
        for number, line in enumerate(lines):
            name = "strong" if number == 0 else "small"
            self.text(x + width / 2, top + number * 18, line, kind=name, middle=True)

    def text(self, x: float, y: float, words: str, *, kind: str = "", middle: bool = False) -> None:
        size = 12.5 if kind in ("small", "goodtext") else 14
        place = ' text-anchor="middle"' if middle else ""
        self.parts.append(
            f'<text class="{kind}" x="{x:g}" y="{y:g}" font-size="{size}"{place}>'
            f"{escape(words)}</text>"
        )

    def arrow(self, *points: tuple[int, int]) -> None:
        """Along the points; the head is at the last."""
        way = " ".join(f"{x},{y}" for x, y in points)
        (x1, y1), (x2, y2) = points[-2:]
        self.parts.append(f'<polyline class="way" points="{way}"/>')
        turn = {(1, 0): 0, (-1, 0): 180, (0, 1): 90, (0, -1): 270}[_sign(x2 - x1), _sign(y2 - y1)]
        self.parts.append(
            f'<path class="head" transform="translate({x2},{y2}) rotate({turn})" '
            'd="M1,0 l-9,-5 v10 z"/>'
        )

    def edge(self, x: int, y: int, width: int, height: int) -> None:
        """A border that nothing crosses unasked."""
        self.parts.append(
            f'<rect class="edge" x="{x}" y="{y}" width="{width}" height="{height}" rx="14"/>'
        )

    def svg(self) -> str:
        start = (
            f'<svg class="tip-picture" xmlns="http://www.w3.org/2000/svg" role="img" '
            f'viewBox="0 0 {self.width} {self.height}" aria-label={quoteattr(self.told)}>'
        )
        head = [start, f"<title>{escape(self.title)}</title>", f"<style>{_STYLE}</style>"]
        return "\n".join([*head, *self.parts, "</svg>", ""])


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
