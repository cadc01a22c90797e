"""Text that cites items → the same text as it is for somebody for whom some of them do not exist
(Enterprise §3.5, §10.1).

Lines keep their numbers, paragraphs, rows and headings their order, so that a place in what is
left is the same place in the sender's file. How long the words were that went is not to be seen.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from tipstaff.access.cited_sentences import PREFIX, CitedSentence, cited_sentences
from tipstaff.access.mentions import Mentions
from tipstaff.domain.bundle import Bundle
from tipstaff.domain.citation import SYNTHESIS_ID, CitationMark

# A line that holds it is not blank, so no paragraph falls apart; to readers it is nothing.
NOTHING = "\u00a0"
_LINE_END = re.compile(r"(\r\n|\r|\n)")
_Edit = tuple[int, int, str]


@dataclass(frozen=True)
class Withholding:
    """What is kept from one recipient of one bundle."""

    names: dict[str, str]
    hidden: frozenset[str]
    visible: frozenset[str]
    mentions: Mentions

    @classmethod
    def of(cls, bundle: Bundle, permitted: Collection[str]) -> Withholding:
        hidden = [item for item in bundle.items if item.id not in permitted]
        visible = [item for item in bundle.items if item.id in permitted]
        return cls(
            names=bundle.citable_names(),
            hidden=frozenset(item.id for item in hidden),
            visible=frozenset(item.id for item in visible),
            mentions=Mentions(hidden, visible),
        )

    def rests_on_hidden(self, cited: Iterable[str]) -> bool:
        """Whether what cites these ids has something unseen to rest on, and nothing else."""
        ids = set(cited)
        return any(map(self._is_unseen, ids)) and not ids & self.visible

    def text(self, text: str) -> str:
        """A sentence whose citations are all to unseen items goes, and so does one that names an
        unseen item; from the others only their citations of unseen items go."""
        cited = cited_sentences(text, self.names)
        every = cited.sentences
        gone = [
            withheld or self.mentions.within(cited.blanked[one.start : one.end])
            for one, withheld in zip(every, self._by_citation(every), strict=True)
        ]
        edits = list(_without_sentences(text, every, gone))
        kept = [one.marks for one, withheld in zip(every, gone, strict=True) if not withheld]
        edits += [
            self._without_citations(text, mark)
            for marks in (cited.loose, *kept)
            for mark in marks
            if any(self._is_unseen(part.item_id) for part in mark.citations)
        ]
        return _no_line_blank(text, _edited(text, edits)) if edits else text

    def _by_citation(self, every: Sequence[CitedSentence]) -> list[bool]:
        """A sentence without a citation goes with the next of its paragraph that has one, or else
        the last: a citation at the end of a paragraph stands for all of it."""
        gone: list[bool] = []
        for _, paragraph in groupby(every, key=lambda one: one.block):
            own = [self._own(one) for one in paragraph]
            known = [withheld for withheld in own if withheld is not None]
            governing = known[-1] if known else False
            ruled = []
            for withheld in reversed(own):
                governing = governing if withheld is None else withheld
                ruled.append(governing)
            gone += reversed(ruled)
        return gone

    def _own(self, sentence: CitedSentence) -> bool | None:
        """None: it cites no item of this bundle."""
        ids = {cited.item_id for mark in sentence.marks for cited in mark.citations}
        known = {one for one in ids if one in self.visible or self._is_unseen(one)}
        return self.rests_on_hidden(known) if known else None

    def _is_unseen(self, item_id: str) -> bool:
        """What cites nothing by an unseen item's name was meant for it."""
        if item_id in self.visible or item_id == SYNTHESIS_ID:
            return False
        return item_id in self.hidden or self.mentions.within(item_id)

    def _without_citations(self, text: str, mark: CitationMark) -> _Edit:
        kept = [
            text[part.start : part.end]
            for part in mark.parts
            if not self._is_unseen(part.citation.item_id)
        ]
        ends = "".join(_LINE_END.findall(text[mark.start : mark.end]))
        if kept:
            return mark.start, mark.end, f"[[{', '.join(kept)}]]{ends}"
        start = mark.start
        while start and text[start - 1] in " \t":
            start -= 1
        # No two words become one.
        joins = text[mark.end : mark.end + 1].isalnum() and text[start - 1 : start].isalnum()
        return start, mark.end, ends or (" " if joins else "")


def _without_sentences(
    text: str, every: Sequence[CitedSentence], gone: Sequence[bool]
) -> Iterator[_Edit]:
    """Neighbours of a paragraph go as one, so that they are not counted either."""
    pairs = zip(every, gone, strict=True)
    for (_, withheld), found in groupby(pairs, key=lambda pair: (pair[0].block, pair[1])):
        if withheld:
            run = [one for one, _ in found]
            marks = [mark for one in run for mark in one.marks]
            start = min([run[0].start, *(mark.start for mark in marks)])
            end = max([run[-1].end, *(mark.end for mark in marks)])
            yield start, end, _emptied(text[start:end], is_row=run[0].is_row)


def _emptied(words: str, *, is_row: bool) -> str:
    """As many lines, and in a row as many cells, with nothing in them."""
    pieces = _LINE_END.split(words)
    for place in range(0, len(pieces), 2):
        line = pieces[place]
        if is_row and "|" in line:
            cells = re.sub(r"\[\[.*?\]\]", NOTHING, line).split("|")
            pieces[place] = "|".join(f" {NOTHING} " if cell else "" for cell in cells)
        elif line.strip():
            # Of every line but the first, what quotes or indents it stays.
            prefix = PREFIX.match(line) if place else None
            pieces[place] = f"{prefix[0] if prefix else ''}{NOTHING}"
    return "".join(pieces)


def _edited(text: str, edits: Iterable[_Edit]) -> str:
    pieces, position = [], 0
    for start, end, words in sorted(edits):
        pieces += [text[position : max(start, position)], words]
        position = max(position, end)
    return "".join([*pieces, text[position:]])


def _no_line_blank(before: str, after: str) -> str:
    """A line of which only a citation was there must not become the end of a paragraph."""
    old, new = _LINE_END.split(before), _LINE_END.split(after)
    for place in range(0, len(new), 2):
        if old[place].strip() and not new[place].strip(" \t"):
            new[place] += NOTHING
    return "".join(new)
