"""A synthesis → its claims: sentences, parts of sentences and rows, each with what it cites.

What a citation ends is a claim of its own. A claim without a citation may lean on one that is given
for the whole list or table it is in, or for its neighbour in the paragraph: those are `lent`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tipstaff.access.cited_sentences import CitedSentence, CitedText, cited_sentences
from tipstaff.domain.citation import Citation, CitationMark

_HEADING = re.compile(r"[ \t]*(?:>[ \t]?)*[ \t]*#{1,6}[ \t]")
_LIST = re.compile(r"[ \t]*(?:>[ \t]?)*[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]")
_RULE = re.compile(r"[ \t]*\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*)*\|?[ \t]*")
_CELL = re.compile(r"(?<!\\)\|")
_SOURCE = re.compile(r"\W*(?:sources?|quelle|from|based on)\W*", re.IGNORECASE)
# What no reader sees claims nothing.
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_WORD = re.compile(r"[^\W_]+")
# A tail behind the last citation says something of its own from so many words on.
_LEAST_WORDS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class SynthesisClaim:
    """`start` to `end` is where it stands in the synthesis, its marks included; `text` are its
    words, `sentence` those of the whole sentence, which also has what it speaks of."""

    start: int
    end: int
    text: str
    sentence: str
    heading: str
    citations: tuple[Citation, ...]
    whole: tuple[Citation, ...] = ()
    lent: tuple[Citation, ...] = ()
    is_row: bool = False


@dataclass(frozen=True, slots=True)
class _Block:
    """Sentences that belong together: a paragraph, a list item, a row."""

    sentences: tuple[CitedSentence, ...]
    kind: str
    heading: str
    header: tuple[str, ...] = ()


def claims_of(text: str, names: Mapping[str, str]) -> list[SynthesisClaim]:
    """In their order; headings, rules and the headers of tables claim nothing."""
    read = cited_sentences(text, names)
    blocks = list(_blocks(text, read))
    found: list[SynthesisClaim] = []
    for number, block in enumerate(blocks):
        lent = _lent_to_all(text, blocks, number)
        if block.kind == "row":
            found.append(_row(text, block, lent))
            continue
        for place, sentence in enumerate(block.sentences):
            beside = _beside(block.sentences, place) if not sentence.marks else ()
            found += _parts(text, sentence, block.heading, (*beside, *lent))
    unseen = [match.span() for match in _COMMENT.finditer(text)]
    return [
        one
        for one in found
        if _WORD.search(one.text)
        and not any(start <= one.start and one.end <= end for start, end in unseen)
    ]


def _blocks(text: str, read: CitedText) -> Iterator[_Block]:
    heading, previous = "", -1
    header: tuple[str, ...] = ()
    grouped: dict[int, list[CitedSentence]] = {}
    for sentence in read.sentences:
        grouped.setdefault(sentence.block, []).append(sentence)
    for number, sentences in grouped.items():
        line_start = text.rfind("\n", 0, sentences[0].start) + 1
        line = text[line_start : sentences[-1].end]
        if _HEADING.match(line):
            heading = _plain(text, sentences[0].start, sentences[-1].end, ())
            continue
        if sentences[0].is_row:
            # The rule of a table is a block without words.
            if number > previous + 2:
                header = ()
            previous = number
            if _is_header(text, sentences[-1].end):
                header = tuple(_cells(text, sentences[0], ()))
                continue
            yield _Block(tuple(sentences), "row", heading, header)
            continue
        header = ()
        kind = "item" if _LIST.match(line) else "prose"
        yield _Block(tuple(sentences), kind, heading)


def _is_header(text: str, end: int) -> bool:
    """A row is a header if the rule of the table comes next."""
    rest = text[end:].lstrip(" \t|")
    following = rest.lstrip("\r\n").split("\n", 1)[0].rstrip("\r")
    return rest[:1] in ("\r", "\n") and bool(_RULE.fullmatch(following))


def _cells(text: str, row: CitedSentence, marks: Sequence[CitationMark]) -> list[str]:
    words = _plain(text, row.start, row.end, marks).strip().strip("|")
    return [cell.strip().strip("*_ ") for cell in _CELL.split(words)]


def _row(text: str, block: _Block, lent: tuple[Citation, ...]) -> SynthesisClaim:
    (row,) = block.sentences[:1]
    cells = _cells(text, row, row.marks)
    named = [
        f"{head}: {cell}" if head and number else cell
        for number, (head, cell) in enumerate(
            zip((*block.header, *[""] * len(cells)), cells, strict=False)
        )
        if _WORD.search(cell)
    ]
    words = "; ".join(named)
    own = _citations(row.marks)
    return SynthesisClaim(
        start=row.start,
        end=row.end,
        text=words,
        sentence=words,
        heading=block.heading,
        citations=own,
        whole=own,
        lent=() if own else lent,
        is_row=True,
    )


def _parts(
    text: str, sentence: CitedSentence, heading: str, lent: tuple[Citation, ...]
) -> Iterator[SynthesisClaim]:
    """A sentence cut behind each group of its marks."""
    whole = _plain(text, sentence.start, sentence.end, sentence.marks)
    if _SOURCE.fullmatch(whole):
        return
    cited = _citations(sentence.marks)
    pieces = list(_pieces(text, sentence))
    for start, end, marks in pieces:
        words = _plain(text, start, end, marks) if len(pieces) > 1 else whole
        yield SynthesisClaim(
            start=start,
            end=end,
            text=words.lstrip(" ,;:–—"),
            sentence=whole,
            heading=heading,
            citations=_citations(marks),
            whole=cited,
            lent=lent if not cited else (),
        )


def _pieces(
    text: str, sentence: CitedSentence
) -> Iterator[tuple[int, int, tuple[CitationMark, ...]]]:
    start, held = sentence.start, []
    last = max((mark.end for mark in sentence.marks), default=sentence.start)
    end_of_all = max(sentence.end, last)
    for number, mark in enumerate(sentence.marks):
        held.append(mark)
        following = sentence.marks[number + 1].start if number + 1 < len(sentence.marks) else None
        rest = text[mark.end : end_of_all if following is None else following]
        if len(_WORD.findall(rest)) < (_LEAST_WORDS if following is None else 1):
            continue
        yield start, mark.end, tuple(held)
        start, held = mark.end, []
    if start < end_of_all:
        yield start, end_of_all, tuple(held)


def _lent_to_all(text: str, blocks: Sequence[_Block], number: int) -> tuple[Citation, ...]:
    """What is cited for a whole list or table: in the sentence that introduces it, or in a line
    "Source:" behind it."""
    kind = blocks[number].kind
    before = number - 1
    while before >= 0 and blocks[before].kind == kind and kind != "prose":
        before -= 1
    lent: list[Citation] = []
    if before >= 0 and blocks[before].heading == blocks[number].heading:
        last = blocks[before].sentences[-1]
        if _introduces(text, last):
            lent += _citations(last.marks)
    behind = number + 1
    while kind == "row" and behind < len(blocks) and blocks[behind].kind == kind:
        behind += 1
    if kind == "row" and behind < len(blocks):
        first = blocks[behind].sentences[0]
        if _SOURCE.fullmatch(_plain(text, first.start, first.end, first.marks)):
            lent += _citations(first.marks)
    return tuple(dict.fromkeys(lent))


def _introduces(text: str, sentence: CitedSentence) -> bool:
    end = max((sentence.end, *(mark.end for mark in sentence.marks)))
    return text[sentence.start : end + 1].rstrip().rstrip("*_").endswith(":") or _plain(
        text, sentence.start, sentence.end, sentence.marks
    ).endswith(":")


def _beside(sentences: Sequence[CitedSentence], place: int) -> tuple[Citation, ...]:
    """The next citation of the same paragraph stands for what leads up to it; the last one
    for what goes on from it."""
    behind = next((one.marks for one in sentences[place + 1 :] if one.marks), [])
    before = next((one.marks for one in reversed(sentences[:place]) if one.marks), [])
    return tuple(dict.fromkeys((*_citations(behind), *_citations(before))))


def _citations(marks: Sequence[CitationMark]) -> tuple[Citation, ...]:
    return tuple(dict.fromkeys(one for mark in marks for one in mark.citations))


def _plain(text: str, start: int, end: int, marks: Sequence[CitationMark]) -> str:
    """The words between two places, on one line, without marks."""
    pieces, position = [], start
    for mark in marks:
        if mark.end <= start or mark.start >= end:
            continue
        pieces.append(text[position : mark.start])
        position = mark.end
    joined = "".join([*pieces, text[position:end]])
    return re.sub(r" (?=[.,;:])", "", " ".join(joined.split())).strip()
