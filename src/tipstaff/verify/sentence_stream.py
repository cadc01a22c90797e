"""A draft that comes in pieces, handed on in whole sentences with their citations.

Where a sentence ends depends on the text alone, never on how it was cut into deltas; nothing
is handed on before it is certain that no citation mark follows or is still open.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

# The end of a sentence with the citation marks behind it; then a space and what comes next.
_END = re.compile(
    r"[.!?…](?:[\"”’)\]]|</[a-z][\w-]*>)*"
    r"(?P<marks>(?:[ \t]*\[\[[^\[\]]*\]\])*[.!?]?)[ \t]+(?=\S)|\n+[ \t]*(?=\S)"
)
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|cf|etc|vs|approx|no|nos|fig|sec|art|dr|mr|mrs|ms|prof|inc|ltd|co|corp|st|jr|sr|"
    r"al|ca|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)|\b[A-Z])\.$",
    re.IGNORECASE,
)
# A mark that ends with its sentence, or is closed by half, stays open in no other.
_BROKEN_OFF = re.compile(r"\[\[[\w-]+(?::[\w:$-]*)?\]?$")
_MARK = re.compile(r"\[\[[^\[\]]*\]\]")
_SUBJECT = re.compile(r"\s*([A-ZÀ-Þ][\w’-]+(?: [A-ZÀ-Þ&][\w’-]*)*)(?:['’]s)? ")
_IT = re.compile(r"\s*its?\b", re.IGNORECASE)
_PERSON = re.compile(r"\b[A-ZÀ-Þ][a-zà-ÿ’'-]+(?: [A-ZÀ-Þ]\.)? [A-ZÀ-Þ][\w’'-]+\b")
_ENTRY = re.compile(r"\s*(?:[-*•+]|\d+[.)])\s")
_FENCE = re.compile(r"^\s*(```|~~~)")


@dataclass(frozen=True, slots=True)
class DraftedSentence:
    """`text` as drafted, marks and all; `before` is the white space that parts it from the last;
    in a code block marks mean nothing (`is_code`). `spoken_of` is whom the sentences before it
    named last: he, or she; `subject` is what the one before it begins with: it. `under` is the line
    above a list, of which this is an entry."""

    text: str
    before: str
    is_code: bool = False
    spoken_of: str = ""
    subject: str = ""
    under: str = ""


@dataclass(slots=True)
class SentenceStream:
    """Feed deltas, take sentences; `finish` gives what is left."""

    _buffer: str = ""
    _before: str = ""
    _in_code: bool = False
    _started: bool = field(default=False)
    _named: str = ""
    _subject: str = ""
    _under: str = ""

    def feed(self, delta: str) -> list[DraftedSentence]:
        self._buffer += delta
        return self._ready(final=False)

    def finish(self) -> list[DraftedSentence]:
        done = self._ready(final=True)
        rest, self._buffer = self._buffer, ""
        if rest.strip():
            done += self._sentence(rest)
        return done

    def _ready(self, *, final: bool) -> list[DraftedSentence]:
        done: list[DraftedSentence] = []
        position = 0
        while match := _END.search(self._buffer, position):
            end = match.start() if match.group().startswith("\n") else match.end("marks")
            following = self._buffer[match.end() :]
            if not final and _is_open(following):
                break
            head = self._buffer[:end]
            opens_mark = following.startswith("[[") and "\n" not in match.group()
            goes_on = (
                following[:1].islower()
                and "\n" not in match.group()
                # A mark before the full stop ends a claim, whatever the next begins with.
                and not head.rstrip().endswith(("]].", "]]"))
            )
            if opens_mark or goes_on or _is_no_end(head, match.group()):
                position = match.end()
                continue
            done += self._sentence(head)
            self._before = self._buffer[end : match.end()]
            self._buffer = following
            position = 0
        return done

    def _sentence(self, text: str) -> list[DraftedSentence]:
        before, self._before = self._before, " "
        if _FENCE.match(text):
            self._in_code = not self._in_code
            return []
        if not text.strip():
            return []
        spoken_of = self._named
        people = _PERSON.findall(_MARK.sub("", text))
        self._named = people[0] if people else spoken_of
        before_it, begins = self._subject, _SUBJECT.match(text)
        if begins or not _IT.match(text):
            self._subject = begins[1] if begins else ""
        before = before if self._started_now() else ""
        if _ENTRY.match(text) is None and "\n" in before:
            self._under = ""
        sentence = DraftedSentence(
            text.strip(), before, self._in_code, spoken_of, before_it, self._under
        )
        if text.rstrip(" *_").endswith(":"):
            self._under = text.strip()
        return [sentence]

    def _started_now(self) -> bool:
        was, self._started = self._started, True
        return was


def _is_open(following: str) -> bool:
    """Too little is known of what follows: one bracket may become two, a mark may not be closed."""
    return following == "[" or (following.startswith("[[") and "]]" not in following)


def _is_no_end(head: str, gap: str) -> bool:
    """A full stop inside a quotation or a mark, of an abbreviation or of an initial."""
    if gap.startswith("\n"):
        return False
    in_quotes = head.count("“") > head.count("”") or head.count('"') % 2 == 1
    in_mark = head.count("[[") > head.count("]]") and not _BROKEN_OFF.search(head.rstrip(".!? "))
    return in_quotes or in_mark or bool(_ABBREVIATION.search(head.rstrip()))
