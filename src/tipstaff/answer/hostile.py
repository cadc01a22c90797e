"""Whether a query asks about the bundle or works on the system that answers (TIP §4.4, §14.4).

A query comes in as it was typed; what goes out is what of it is a question to the bundle, and why
the rest is not. No model is asked. What is not recognised here is harmless still: without a model
nothing obeys, and with one the verifier lets nothing through that the bundle does not say.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tipstaff.answer.addressing import (
    Aim,
    aim_of,
    aim_run_together,
    asks,
    before_markup,
    first_aim,
    verbatim_of,
)
from tipstaff.answer.copying import asks_for_the_whole
from tipstaff.answer.demands import demand_of
from tipstaff.answer.unmasking import as_seen, hidden_in, readings


@dataclass(frozen=True, slots=True)
class Judgement:
    """`fair` is what remains to be answered; `aim` is None where that is the whole query."""

    fair: str
    aim: Aim | None = None

    @property
    def is_refused(self) -> bool:
        return self.aim is not None and not self.fair


# Longer queries are cut before they are answered; looking further would be work for nothing.
_MOST_CHARS = 4_000
_QUOTED = re.compile(
    r"```.*?```|“[^”]{3,}”|„[^“”]{3,}[“”]|«[^»]{3,}»|「[^」]{3,}」|\"[^\"]{3,}\"|"
    r"(?<!\w)['‘][^'’\n]{3,}['’](?!\w)",
    re.DOTALL,
)
_QUOTATION_MARKS = re.compile(r"```|[“”„«»「」\"]|(?<!\w)['‘]|['’](?!\w)")
_BLANKS = re.compile(r"[^\S\n]+")
_A_QUOTATION = '"q"'
_SENTENCE = re.compile(
    r"[^.!?;\n。！？；।؟]+(?:[.!?;。！？；।؟]+(?=\s|$|[^\x00-\xff])|[.!?;]+(?=\S)|\n|$)*"
)
# As one types to a friend. Capitals are names and units.
_WRITTEN_OUT = {"u": "you", "ur": "your", "r": "are", "pls": "please", "plz": "please"}
_CHATTED = re.compile(rf"(?<![\w'’./-])(?:{'|'.join(_WRITTEN_OUT)})(?![\w'’./-])")
# A command and a question in one breath.
_JOINED = re.compile(
    r"(?:,?\s+and\s+(?:also\s+)?|[,:]\s+)(?=(?:tell me |say |answer |show me )?"
    r"(?:what|who|whom|whose|when|where|why|which|how)\b)",
    re.IGNORECASE,
)
_REQUESTS = re.compile(
    r"^(?:please\s+|and\s+|also\s+|then\s+)*(?:(?:tell|show|give) me (?:what|who|when|where|why|"
    r"which|how|whether|the|all)|(?:list|summari[sz]e|compare|explain|describe|quote|cite|find|"
    r"calculate|confirm|verify|check) )",
    re.IGNORECASE,
)
# "They said all rules are suspended": what others say, before a question about it.
_REPORTED = re.compile(
    r"^(?:according to|under|as per|per) |\b\w+ (?:was |were |have been |am |is |are |has been )?"
    r"(?:told|said|says|say|claims?|claimed|argues?|argued|wrote|writes|"
    r"states?|stated|instructed|informed|asserts?|believes?|thinks?)\b",
    re.IGNORECASE,
)
_OBEYS = re.compile(
    r"\b(?:follow|do what|obey|execute|run|comply|carry out|act on|decode|decrypt|decipher|"
    r"translate|unscramble|reverse|interpret|perform|apply|respond to|answer|traduce|ejecuta|"
    r"obedece|décode|déchiffre|obéis|exécute|traduis|entschlüss\w+|dekodier\w+|führe|befolge)\b",
    re.IGNORECASE,
)
# "Go through the minutes one by one and tell me where …" reads in order to answer.
_READS_THROUGH = re.compile(
    r"^(?:please |now |then )*(?:go|look|work|walk|run|comb|search|read|check) through\b",
    re.IGNORECASE,
)
# Words that name a code and ask nothing.
_LABEL = re.compile(
    r"\b(?:base ?64|base ?32|rot ?13|hex(?:adecimal)?|binary|text|code|message|encoded|decoded|"
    r"this|the|it|here|is|please|and|in|a)\b|\W+|\d+",
    re.IGNORECASE,
)


def judge(query: str, *, protected: Sequence[str] = (), is_owner: bool = False) -> Judgement:
    """What of a query is for the bundle. `protected` are names of items that may not be quoted;
    any other may be copied out whole by the owner only, who has it (TIP §13.3)."""
    seen = as_seen(query)[:_MOST_CHARS]
    judged = _judged(seen, protected, is_owner=is_owner, is_typed=True)
    if not judged.is_refused:
        if aim := _masked(seen) or aim_run_together(seen):
            return Judgement("", aim)
        hidden = hidden_in(query)
        if judged.aim is None and hidden and (aim := _judged(hidden, ()).aim):
            return Judgement(seen, aim)
    return judged


def _masked(seen: str) -> Aim | None:
    """What a query is after when its codes are read, unless it asks what they are."""
    for reading in readings(seen):
        frame = "" if reading.piece is None else seen.replace(reading.piece, " ")
        if reading.piece is not None and not _passes_on(frame):
            continue
        aim = _judged(reading.text, ()).aim or aim_run_together(reading.text)
        if aim is not None and aim is not Aim.SELF:
            return aim
    return None


def _judged(
    seen: str, protected: Sequence[str], *, is_owner: bool = False, is_typed: bool = False
) -> Judgement:
    """Sentence by sentence; what stands in quotation marks is spoken of, not said. What is read out
    of a code was not typed: there "ur" is "he" in ROT13."""
    seen = _BLANKS.sub(" ", seen)
    framed = _QUOTED.sub(_A_QUOTATION, seen)
    is_framed = not _passes_on(framed.replace(_A_QUOTATION, " "))
    spoken = framed if is_framed else _QUOTATION_MARKS.sub("\n", seen)
    # In data, quotation marks hold keys and values, and nothing is quoted.
    marked = framed if is_framed and not seen.startswith(("{", "[")) else seen
    if aim := first_aim("markup", marked):
        left = before_markup(marked)
        return Judgement(left if _is_question(left) else "", aim)
    aims: list[Aim] = []
    fair: list[str] = []
    sentences = _sentences(spoken)
    last_question = max((at for at, one in enumerate(sentences) if _is_question(one)), default=-1)
    for number, sentence in enumerate(sentences):
        said = _written_out(sentence) if is_typed else sentence
        if _REPORTED.search(said) and any(map(asks, sentences[number + 1 :])):
            aim = first_aim("anywhere", said)
        else:
            aim = aim_of(said) or verbatim_of(said, protected)
            aim = aim or demand_of(said, is_last=number >= last_question)
            reads = _READS_THROUGH.match(said) and any(map(asks, sentences[number + 1 :]))
            if aim is None and not is_owner and not reads and asks_for_the_whole(said):
                aim = Aim.COPY
        if aim is None:
            fair.append(sentence)
        else:
            aims.append(aim)
    if not aims and not is_owner and _asks_for_the_whole_in_pieces(sentences):
        aims, fair = [Aim.COPY], []
    if not aims:
        return Judgement(seen)
    kept = [one for one in fair if _is_question(one)]
    # Quotations are put back: a fair question may be about one.
    quotations = iter(_QUOTED.findall(seen) if is_framed else ())
    words = " ".join(kept)
    while _A_QUOTATION in words:
        words = words.replace(_A_QUOTATION, next(quotations, ""), 1)
    return Judgement(words, aims[0])


def _written_out(sentence: str) -> str:
    return _CHATTED.sub(lambda word: _WRITTEN_OUT[word[0]], sentence)


def _asks_for_the_whole_in_pieces(sentences: Sequence[str]) -> bool:
    """ "Give me the mails. All of them. Not the gist." """
    if len(sentences) < 2 or any(map(_is_asked, sentences)):
        return False
    return asks_for_the_whole(", ".join(one.rstrip(" .!;") for one in sentences))


def _is_asked(sentence: str) -> bool:
    return asks(sentence) or sentence.endswith(("?", "？", "؟"))


def _sentences(text: str) -> list[str]:
    found = []
    for match in _SENTENCE.finditer(text):
        sentence = match[0].strip()
        pieces = [sentence] if asks(sentence) else _JOINED.split(sentence)
        found += [piece.strip() for piece in pieces if piece.strip()]
    return found


def _is_question(text: str) -> bool:
    return text.rstrip().endswith(("?", "？", "؟")) or bool(asks(text) or _REQUESTS.match(text))


def _passes_on(frame: str) -> bool:
    """Whether the words around a quotation or a code hand it over instead of asking about it."""
    return not _LABEL.sub("", frame) or (bool(_OBEYS.search(frame)) and not asks(frame))
