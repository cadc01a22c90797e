"""The groups of an RTF file, walked with a stack: text goes into the story that it belongs to.

striprtf knows which groups are no text and what the named characters are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from striprtf.striprtf import destinations, specialchars

from tipstaff.parse.rtf_header import TABLES, Header, heading_level
from tipstaff.parse.rtf_stories import ParagraphProperties, Story
from tipstaff.parse.rtf_tokens import Token, TokenKind, tokens

_DELETED = "deleted text (tracked change)"
_CHARACTERS: dict[str, str] = {
    **{word: text for word, text in specialchars.items() if word not in ("par", "row", "cell")},
    "_": "-",
    "-": "",
    "sect": "\n",
    "page": "\n",
    "column": "\n",
    "nestcell": " ",
    "nestrow": "\n",
    ":": "",
    "|": "",
}
STORIES = {
    "footnote": "Footnotes",
    "annotation": "Comments",
    **dict.fromkeys(("header", "headerf", "headerl", "headerr"), "Headers"),
    **dict.fromkeys(("footer", "footerf", "footerl", "footerr"), "Footers"),
}
_BOXES = frozenset({"shptxt", "dptxbxtext"})
# Groups inside groups that are no text, whose text is shown after all.
_SHOWN_AGAIN = frozenset({"ud", "result"})
_NOT_READ = {"object": "embedded object", "pict": "picture"}
_LABELS = frozenset({"listtext", "pntext"})
_LEADS = {
    "cp932": ((0x81, 0x9F), (0xE0, 0xFC)),
    **dict.fromkeys(("cp949", "cp950", "cp1361", "johab", "gbk", "big5"), ((0x81, 0xFE),)),
}


@dataclass(frozen=True, slots=True)
class _State:
    """What a group inherits, and what comes back when it closes."""

    story: Story
    table: str = ""  # a table of the header, which is read but is no text
    skipped: bool = False
    is_label: bool = False
    hidden: bool = False
    deleted: bool = False
    colour: int = 0
    shaded: bool = False
    tiny: bool = False
    font: int = -1
    fallback: int = 1  # characters behind \u that say the same to old readers


@dataclass(slots=True)
class RtfReader:
    header: Header = field(default_factory=Header)
    body: Story = field(default_factory=Story)
    beside: dict[str, list[Story]] = field(default_factory=dict)
    not_read: Counter[str] = field(default_factory=Counter)
    state: _State = field(init=False)
    _stack: list[_State] = field(default_factory=list)
    _bytes: bytearray = field(default_factory=bytearray)
    _high: int = 0  # the first half of a character beyond U+FFFF
    _to_skip: int = 0
    _starred: bool = False
    _default_font: int = -1
    _row_is_shaded: bool = False
    _author: str = ""

    def __post_init__(self) -> None:
        self.state = _State(self.body)

    def read(self, text: str) -> None:
        for token in tokens(text):
            if token.kind is TokenKind.BYTES:
                self._take_bytes(token.text)
                continue
            if self._bytes:
                token = self._without_trail(token)
                self._decode()
            self._take(token)
            if token.kind is TokenKind.CLOSE and not self._stack:
                break  # what follows the outermost group is no part of the document
        self._decode()
        for stories in ([self.body], *self.beside.values()):
            for story in stories:
                story.end()

    def _take(self, token: Token) -> None:
        if token.kind is TokenKind.OPEN:
            self._stack.append(self.state)
            self._starred = False
            self._to_skip = 0
        elif token.kind is TokenKind.CLOSE:
            self._to_skip = 0
            if self._stack:
                self.state = self._stack.pop()
        elif token.kind is TokenKind.WORD:
            self._to_skip = 0
            self._word(token.text, token.number)
            self._starred = False
        elif token.kind is TokenKind.SIGN:
            self._starred = token.text == "*"
            self._add(_CHARACTERS.get(token.text, ""))
        else:
            skipped = min(self._to_skip, len(token.text))
            self._to_skip -= skipped
            self._add(token.text[skipped:])

    def _add(self, text: str) -> None:
        state = self.state
        if not text:
            return
        if state.table == "atnauthor":
            self._author += text
        elif state.table:
            self.header.text(state.table, text)
        elif not state.skipped:
            if state.is_label:
                # A bullet is a letter of a symbol font: it says nothing.
                text = text.replace("\t", " ") if any(map(str.isalnum, text)) else " "
                text = text if text.strip() or state.story.runs else ""
            state.story.runs.add(text, self._reason(state))

    def _reason(self, state: _State) -> str | None:
        if state.deleted:
            return _DELETED
        if state.hidden:
            return "hidden text"
        if state.colour in self.header.white and not (state.shaded or self._row_is_shaded):
            return "white text on white"
        return "text too small to see" if state.tiny else None

    def _word(self, word: str, number: int | None) -> None:
        state = self.state
        if self._opens_a_destination(word):
            return
        if state.table:
            self.header.word(state.table, word, number)
            if word != "u":
                return
        if word == "deff":
            self._default_font = -1 if number is None else number
            self.state = replace(state, font=self._default_font)
        elif word == "uc":
            self.state = replace(state, fallback=min(max(number or 0, 0), 100))
        elif state.skipped or self.header.names_encoding(word, number):
            return
        elif word == "u":
            self._unicode(number or 0)
            self._to_skip = state.fallback
        elif word in _CHARACTERS:
            self._add(_CHARACTERS[word])
        elif word == "chftn":
            self._note_number()
        elif word in _ON_STORY:
            if not state.is_label:  # the label's own properties are not the paragraph's
                _ON_STORY[word](self, number)
        else:
            self._character_format(word, number)

    def _opens_a_destination(self, word: str) -> bool:
        state = self.state
        if word in STORIES:
            story = Story()
            if word == "annotation":
                story.author, self._author = self._author.strip() or None, ""
            self.beside.setdefault(STORIES[word], []).append(story)
            self.state = _State(story, fallback=state.fallback, font=self._default_font)
        elif word in _BOXES:
            box = Story()
            state.story.boxes.append(box)
            self.state = _State(box, fallback=state.fallback, font=self._default_font)
        elif word in TABLES or word == "atnauthor":
            self.state = replace(state, table=word)
        elif state.table:
            # Inside the tables only unknown extras are skipped; their own words go on.
            self.state = replace(state, table="-") if self._starred and word != "cs" else state
            return self.state.table == "-"
        elif word in _SHOWN_AGAIN:
            self.state = replace(state, skipped=False)
        elif word in _LABELS:
            state.story.properties.is_listed = True
            self.state = replace(state, is_label=True)
        elif word in destinations or self._starred:
            if word in _NOT_READ and not state.skipped:
                self.not_read[_NOT_READ[word]] += 1
            self.state = replace(state, skipped=True)
        else:
            return False
        return True

    def _character_format(self, word: str, number: int | None) -> None:
        state = self.state
        if word == "v":
            self.state = replace(state, hidden=number != 0)
        elif word == "deleted":
            self.state = replace(state, deleted=number != 0)
        elif word == "cf":
            self.state = replace(state, colour=number or 0)
        elif word in ("cb", "chcbpat", "highlight"):
            self.state = replace(state, shaded=bool(number))
        elif word == "fs":
            self.state = replace(state, tiny=number is not None and number <= 2)
        elif word == "f":
            self.state = replace(state, font=-1 if number is None else number)
        elif word == "plain":
            self.state = replace(
                _State(state.story, fallback=state.fallback, is_label=state.is_label),
                font=self._default_font,
            )

    def _note_number(self) -> None:
        """In the body the mark of a note; at the head of the note itself it is written later."""
        if self.state.story is self.body:
            self._add(f"[{len(self.beside.get('Footnotes', [])) + 1}]")

    def _unicode(self, number: int) -> None:
        code = number + 0x10000 if number < 0 else number
        if 0xD800 <= code < 0xDC00:
            self._high = code
            return
        if 0xDC00 <= code < 0xE000:
            high, self._high = self._high, 0
            self._add(chr(0x10000 + ((high - 0xD800) << 10) + code - 0xDC00) if high else "\ufffd")
            return
        self._high = 0
        self._add(chr(code) if 0 < code <= 0x10FFFF else "\ufffd")

    def _take_bytes(self, text: str) -> None:
        skipped = min(self._to_skip, len(text))
        self._to_skip -= skipped
        if not self.state.skipped:
            self._bytes += text[skipped:].encode("latin-1")

    def _without_trail(self, token: Token) -> Token:
        """The second byte of a character may look like a letter: then it is not one."""
        leads = _LEADS.get(self.header.encoding_of(self.state.font), ())
        position = 0
        while position < len(self._bytes):
            byte = self._bytes[position]
            position += 2 if any(low <= byte <= high for low, high in leads) else 1
        if position == len(self._bytes) or token.kind is not TokenKind.TEXT:
            return token
        self._bytes += token.text[0].encode("latin-1")
        return Token(TokenKind.TEXT, token.text[1:])

    def _decode(self) -> None:
        if self._bytes:
            encoding = self.header.encoding_of(self.state.font)
            text, self._bytes = bytes(self._bytes).decode(encoding, "replace"), bytearray()
            self._add(text)

    def _begin_row(self, _: int | None) -> None:
        self._row_is_shaded = False
        self.state.story.is_heading_row = False

    def _shade_row(self, number: int | None) -> None:
        self._row_is_shaded = self._row_is_shaded or bool(number)

    def _begin_paragraph(self, _: int | None) -> None:
        self.state.story.properties = ParagraphProperties()
        self._row_is_shaded = False

    def _set_style(self, number: int | None) -> None:
        self.state.story.properties.level = self.header.headings.get(number or 0)

    def _set_level(self, number: int | None) -> None:
        self.state.story.properties.level = heading_level(number)

    def _set_list(self, number: int | None) -> None:
        self.state.story.properties.is_listed = bool(number)

    def _set_in_table(self, number: int | None) -> None:
        self.state.story.properties.in_table = number != 0

    def _set_heading_row(self, number: int | None) -> None:
        self.state.story.is_heading_row = number != 0


_ON_STORY: dict[str, Callable[[RtfReader, int | None], None]] = {
    "par": lambda reader, _: reader.state.story.end_paragraph(),
    "cell": lambda reader, _: reader.state.story.end_cell(),
    "row": lambda reader, _: reader.state.story.end_row(),
    "trowd": RtfReader._begin_row,
    "clcbpat": RtfReader._shade_row,
    "trhdr": RtfReader._set_heading_row,
    "pard": RtfReader._begin_paragraph,
    "s": RtfReader._set_style,
    "outlinelevel": RtfReader._set_level,
    "ls": RtfReader._set_list,
    "intbl": RtfReader._set_in_table,
}
