"""Words of the asker in a response: said back in grammar, and never able to pass for citations."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tipstaff.answer.question import Part

_MOST_CHARS = 160
# A question for a thing ("What was the rent?") names it behind its verb; others have no such name.
_ASKS_FOR_A_THING = re.compile(
    r"(?:and |but |so )?(?:what|who)(?:'s| is| are| was| were) "
    r"(?P<thing>(?:the|an?|its|their|our|his|her|[A-ZÀ-Þ][\w-]*(?: [A-ZÀ-Þ][\w-]*){0,3}['’]s) .+)",
    re.IGNORECASE,
)
_DIRECT = re.compile(
    r"(?:what|who|whom|whose|when|where|why|which|how|is|are|was|were|does|do|did|has|have|can|"
    r"could|will|would|should|may|must)\b",
    re.IGNORECASE,
)
_INVISIBLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+")


def asked_about(part: Part) -> str:
    """What a gap is about, as it goes into "no information about …"."""
    return topic_as_asked(part.text)


def topic_as_asked(words: str) -> str:
    """A thing as it is called; anything else as the question that it is."""
    text = said_back(words)
    thing = _ASKS_FOR_A_THING.fullmatch(text.rstrip(" ?.!"))
    if thing and "?" not in thing["thing"]:
        return thing["thing"]
    if _DIRECT.match(text) and text[-1].isalnum():
        # One of several in a query: the mark of the last one is its own, too.
        text = f"{text[0].upper()}{text[1:]}?"
    return f"the question “{text}”"


def ended(sentence: str) -> str:
    """With a full stop, unless a question that is quoted ends it already."""
    return sentence if sentence.endswith(("?”", "!”", ".”", "…”")) else f"{sentence}."


def said_back(text: str, *, most_chars: int = _MOST_CHARS) -> str:
    """A stranger's words on one line, cut at a word if they go on and on."""
    line = without_marks(" ".join(_INVISIBLE.sub(" ", text).split()))
    if len(line) <= most_chars:
        return line
    return line[: most_chars - 1].rsplit(" ", 1)[0] + "…"


def without_marks(text: str) -> str:
    """What looks like a citation and was never checked must not look like one (TIP §5.5)."""
    return re.sub(r"\[{2,}", "[", re.sub(r"\]{2,}", "]", text))


def listed(names: Sequence[str]) -> str:
    """ "A, B and C"."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
