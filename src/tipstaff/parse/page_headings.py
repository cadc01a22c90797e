"""Which passages are headings, and of which level: by the outline, by size, by weight.

The size that most letters have is the body's. Larger sizes make the levels, the largest being
the outermost. Bold lines of the body's size are headings only if they are numbered, in
capitals, or if nothing is set larger: a signature is bold, too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tipstaff.domain.document import BlockKind
from tipstaff.domain.location import slug
from tipstaff.parse.page_lines import Line
from tipstaff.parse.page_passages import Passage

MAX_LEVEL = 6

_LONGEST = 160
_MOST_LINES = 3
_LARGER_IF_LIGHT = 1.25
_LEADER = re.compile(r"(?:\.\s?){4}")
_NUMBERED = re.compile(
    r"(?:\d{1,2}(?:\.\d{1,2})*\.?|[IVX]{1,5}\.|(?:Section|Part|Article|Chapter|Appendix)\b.*)\s+\S"
)

Outline = Mapping[int, Mapping[str, int]]  # page → slug of a title → level, from 1


@dataclass(frozen=True, slots=True)
class Typography:
    """What the type of a document says: the body's size, and the level of each larger size.

    `larger` is how much larger than the body a heading is at least: measured letters (OCR)
    vary more than printed ones.
    """

    body: float
    larger: float
    levels: Mapping[float, int] = field(default_factory=dict)
    outline: Outline = field(default_factory=dict)

    def level(self, passage: Passage, page: int) -> int | None:
        """The level of a heading; None for ordinary text."""
        if not _could_head(passage):
            return None
        known = self.outline.get(page, {}).get(slug(passage.text))
        if known is not None:
            return known
        if passage.kind is BlockKind.LIST_ITEM and not passage.text[0].isalnum():
            return None
        if _is_larger(passage, self.body, self.larger):
            return self.levels.get(round(passage.size * 2) / 2)
        return self._bold_level(passage)

    def _bold_level(self, passage: Passage) -> int | None:
        if not passage.bold or passage.size < 0.95 * self.body or len(passage.lines) > 2:
            return None
        if passage.text.endswith((".", ",", ";")):
            return None
        is_larger = passage.size > 1.04 * self.body
        stands_out = _NUMBERED.match(passage.text) is not None or passage.text.isupper()
        if is_larger or stands_out or not self.levels:
            return min(MAX_LEVEL, max(self.levels.values(), default=0) + 1)
        return None


def typography_of(
    passages: Iterable[tuple[int, Passage]], *, outline: Outline, measured: bool
) -> Typography:
    """Reads the sizes of a whole document. `passages` come with their pages."""
    listed = list(passages)
    letters: Counter[float] = Counter()
    for _, passage in listed:
        for line in passage.lines:
            letters[round(line.size * 2) / 2] += len(line.text)
    body = max(letters, key=lambda size: (letters[size], -size), default=10.0)
    larger = 1.4 if measured else 1.14
    sizes = {
        round(passage.size * 2) / 2
        for _, passage in listed
        if _is_larger(passage, body, larger) and _could_head(passage)
    }
    levels = _levels(sorted(sizes, reverse=True), apart=0.2 if measured else 0.04)
    return Typography(body, larger, _by_outline(listed, levels, outline), outline)


def _levels(sizes: Sequence[float], *, apart: float) -> dict[float, int]:
    """A level a size, sizes that hardly differ together."""
    levels: dict[float, int] = {}
    level, reference = 0, 0.0
    for size in sizes:
        if not levels or size < reference * (1 - apart):
            level, reference = level + 1, size
        levels[size] = min(level, MAX_LEVEL)
    return levels


def _by_outline(
    passages: Sequence[tuple[int, Passage]], levels: dict[float, int], outline: Outline
) -> dict[float, int]:
    """Levels as the outline has them, where it names headings of a size."""
    said: dict[float, Counter[int]] = {}
    for page, passage in passages:
        level = outline.get(page, {}).get(slug(passage.text))
        size = round(passage.size * 2) / 2
        if level is not None and size in levels:
            said.setdefault(size, Counter())[level] += 1
    return levels | {size: counts.most_common(1)[0][0] for size, counts in said.items()}


def _is_larger(passage: Passage, body: float, larger: float) -> bool:
    """Bold letters need to be less large to be a heading than light ones."""
    return passage.size >= (larger if passage.bold else max(larger, _LARGER_IF_LIGHT)) * body


def _could_head(passage: Passage) -> bool:
    text = passage.text
    return (
        len(passage.lines) <= _MOST_LINES
        and len(text) <= _LONGEST
        and any(map(str.isalpha, text))
        and not _LEADER.search(text)
        and all(_is_one_cell(line) for line in passage.lines)
        and slug(text) != ""
    )


def _is_one_cell(line: Line) -> bool:
    cells = line.cells()
    return len(cells) == 1 or (len(cells) == 2 and _NUMBERED.match(line.text) is not None)
