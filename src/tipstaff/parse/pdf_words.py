"""The characters of a PDF page become words: text and boxes grow together, one by one.

In: a page of pdfium. Out: words in the order of the file, each with its box on the page as
shown. No character is dropped but white space; what cannot be seen says why.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pypdfium2

from tipstaff.parse.page_words import SLANTED, Word, is_right_to_left, is_unspaced
from tipstaff.parse.pdf_characters import NO_STYLE, UNMAPPED, Characters, Style
from tipstaff.parse.pdf_page_space import Transformation

SMALLEST_SIZE = 1.0  # in points; below it nobody can read

INVISIBLE_INK = "text drawn with invisible ink"
TOO_SMALL = "text too small to be seen"
OFF_PAGE = "text outside the visible page"


@dataclass(slots=True)
class PdfWord(Word):
    """A word and how its ink was made, which decides whether it can be seen."""

    style: Style | None = None


def words_of(page: pypdfium2.PdfPage, shown: Transformation) -> list[PdfWord]:
    """All words of a page, hidden ones too, in the order of the file."""
    characters = Characters(page, shown)
    try:
        return list(_words(characters))
    finally:
        characters.close()


def _words(characters: Characters) -> Iterator[PdfWord]:
    """Words grow while characters stand close behind one another."""
    letters, owners = characters.letters, characters.owners
    all_on_page = characters.all_on_page
    start, hidden, glued = -1, "", False
    style, ink, lefts, rights = NO_STYLE, "", characters.edges[0], characters.edges[2]
    last_owner: int | None = -1
    for index, letter in enumerate(letters):
        if letter == " ":
            if start >= 0:
                yield _word(characters, start, index, hidden, glued)
            start, glued = -1, False
            continue
        before = style
        same_owner = owners[index] == last_owner
        if not same_owner:
            last_owner, style = owners[index], characters.style(index)
            ink = _hidden_ink(style)
            lefts, _, rights, _ = characters.upright(style.direction)
        here = ink if ink or all_on_page or not _off_page(characters, index) else OFF_PAGE
        if start >= 0:
            gap = lefts[index] - rights[index - 1]
            plainly = same_owner and letter < "\u0590" and -0.3 * style.size < gap
            close = gap <= 0.3 * style.size and (
                plainly or _continues(characters, index, before, style)
            )
            # A word whose colour changes may be hidden in part, so its parts are judged apart.
            if not close or here != hidden or style.colour != before.colour:
                yield _word(characters, start, index, hidden, glued)
                start, glued = -1, close
        if start < 0:
            start, hidden = index, here
    if start >= 0:
        yield _word(characters, start, len(letters), hidden, glued)


def _hidden_ink(style: Style) -> str:
    if style.invisible:
        return INVISIBLE_INK
    return TOO_SMALL if style.size < SMALLEST_SIZE else ""


def _word(characters: Characters, first: int, end: int, hidden: str, glued: bool) -> PdfWord:
    style = characters.style(first)
    if end - first == 1:
        text = characters.letters[first]
        lefts, tops, rights, bottoms = characters.edges
        box = (lefts[first], tops[first], rights[first], bottoms[first])
    else:
        text = "".join(characters.letters[first:end])
        box = characters.box(first, end, characters.edges)
    place = box
    if 0 < style.direction < SLANTED:
        place = characters.box(first, end, characters.upright(style.direction))
    return PdfWord(
        text, box, *place, style.size, style.bold, style.direction, hidden, None, glued, style
    )


def _continues(characters: Characters, index: int, before: Style, style: Style) -> bool:
    """Whether a character stands so close behind the last one that it is of the same word."""
    letter, last_letter = characters.letters[index], characters.letters[index - 1] or UNMAPPED
    if style.direction != before.direction or is_unspaced(letter) or is_unspaced(last_letter):
        return False
    if style.direction == SLANTED or not letter:
        return True
    edges = characters.upright(style.direction)
    place = characters.box(index, index + 1, edges)
    last = characters.box(index - 1, index, edges)
    size = max(style.size, before.size)
    gap = max(place[0] - last[2], last[0] - place[2])
    overlap = min(place[3], last[3]) - max(place[1], last[1])
    if gap > 0.3 * size or overlap < 0.3 * min(place[3] - place[1], last[3] - last[1]):
        return False
    if is_right_to_left(letter):
        return place[2] <= last[2] + 0.5 * size
    # A footnote's number must not become a digit of the figure that it stands at.
    if style.size < 0.8 * before.size and letter.isdigit() and last_letter.isdigit():
        return False
    return place[0] >= last[0] - 0.5 * size


def _off_page(characters: Characters, index: int) -> bool:
    left, top, right, bottom = (side[index] for side in characters.edges)
    across, down, shown = (left + right) / 2, (top + bottom) / 2, characters.shown
    return not (0 <= across <= shown.width and 0 <= down <= shown.height)
