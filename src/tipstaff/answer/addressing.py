"""How a sentence speaks to the system instead of asking about the bundle (TIP §4.4).

The patterns are data (`hostile.toml`). A question about the bundle is never taken for a command:
"Who ignored the previous instructions?" is as fair as any.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any


class Aim(StrEnum):
    """What a part of a query is after, if not an answer from the bundle."""

    OVERRIDE = "override"
    ROLE = "role"
    PROMPT = "prompt"
    SELF = "self"
    VERBATIM = "verbatim"
    BULK = "bulk"
    COPY = "copy"


_AUXILIARY = (
    r"is|are|was|were|does|do|did|has|have|had|can|could|will|would|should|may|must|shall|isn't|"
    r"aren't|wasn't|doesn't|didn't"
)
_WH = r"what|who|whom|whose|when|where|why|which|how"
# A question about something else than "you".
_ASKS = re.compile(
    rf"^(?:(?:and|but|so|also|now|please|ok|well|then)\b,?\s+)*"
    rf"(?:(?:in|on|at|by|to|for|from|under|of|with) )?"
    rf"(?:(?:{_WH})(?:'s)?|(?!do\s+(?:me|this|that|it|as|what|whatever|anything|everything|exactly|so|nothing)\b)(?:{_AUXILIARY})(?!\s+(?:you|not)\b))\b",
    re.IGNORECASE,
)
# "Explain how to …", "Tell me whether …": a question that is put as a request.
_INDIRECT = re.compile(
    r"^(?:(?:please|and|also|then|but|now)\b,?\s+)*(?:(?:can|could|would|will) you (?:please )?)?"
    r"(?:explain|describe|summari[sz]e|outline|clarify|tell me|show me|let me know|list|say)\s+"
    r"(?:(?:only|just|the|an?|any|all|sections?|parts?|passages?|chapters?|on|about|of)\s+){0,5}"
    rf"(?:{_WH}|whether|if)\b(?!\s+(?:you(?:'re| are| were|'d| would| think| feel| believe| got| "
    r"have been)|(?:is|was|comes|came|stands|stood) (?:written )?(?:above|before))\b)",
    re.IGNORECASE,
)
# "you" is anybody where it is said which paper tells them, or where they have to do it.
_OF_PAPERS = re.compile(
    r"\b(?:according to|under|as per|per) (?:the|this|their|its|our|section|clause)\b|"
    r"\b(?:handbook|polic(?:y|ies)|contract|agreement|lease|manual|nda|plan|report|clause|section|"
    r"document|memo|letter|e-?mail|notice|act|licen[cs]e|statute)s? (?:says?|states?|provides?|"
    r"requires?|allows?|forbids?|tells?|gives?|mentions?|describes?)\b|"
    r"\byou (?:must |have to |should |need to )?follow (?:when|in|on|at|for|under|before|after|"
    r"while)\b|\byou given for the\b|"
    r"\b(?:used|described|quoted|mentioned) in the (?:study|experiment|paper|report|spec\w*|"
    r"document|appendix|codebase|trial)\b",
    re.IGNORECASE,
)
_OF_SYSTEM = re.compile(
    r"\b(?:hidden|secret|initial) (?:prompt|message|instructions?)\b|"
    r"\byour (?:\w+ )?(?:instructions?|prompts?|guidelines|rules|configuration|programming|"
    r"directives|role|purpose|context|limits|restrictions)\b|"
    r"\b(?:ignore|disregard|forget|override|bypass|reveal|jailbreak|pretend|role-?play)\b|"
    r"\b(?:this|our) (?:conversation|chat|session)\b|"
    # A paper is named to be left out of account.
    r"\b(?:regardless of|no matter|whatever|irrespective of|contrary to|despite|although|"
    r"even (?:if|though))(?: what)? (?:the|this|their|its|our)\b",
    re.IGNORECASE,
)
_ABOUT_IT = re.compile(
    r"^(?:(?:please|and|also|then)\b,?\s+)*(?:explain|describe|summari[sz]e|list|outline|find|check|"
    r"compare|look up) ",
    re.IGNORECASE,
)
_POLITE_ORDER = re.compile(r"(?:please |and |but )?(?:can|could|would|will) you\b", re.IGNORECASE)
_YOU = re.compile(r"\b(?:you|your|yours|yourself)\b", re.IGNORECASE)
_VERBS = "ignore|disregard|forget|override|reveal|print|show"
_BETWEEN = "all|any|the|your|my|me|previous|prior|above|system|hidden"
_THINGS = "instructions?|prompt|rules|guidelines|message"
_RUN_TOGETHER = re.compile(rf"(?:{_VERBS})(?:{_BETWEEN})+(?:{_THINGS})", re.IGNORECASE)
_IN_WORDS = re.compile(rf"\b(?:{_VERBS}) (?:(?:{_BETWEEN}) )+(?:{_THINGS})s?\b", re.IGNORECASE)
_NOTHING = "(?!)"
_NAME_WORD = re.compile(r"\w{3,}")


def asks(text: str) -> bool:
    """Whether a text is a question about something else than whoever answers."""
    return bool(_ASKS.match(text) or _INDIRECT.match(text))


def aim_of(sentence: str) -> Aim | None:
    """What a sentence is after, unless it asks what papers tell those who are to follow them."""
    plain = sentence.replace("’", "'")
    return None if is_of_papers(plain) else _aim_of(plain)


def is_of_papers(plain: str) -> bool:
    """Whether a sentence says which paper it asks about, and does nothing to whoever answers."""
    return bool(_OF_PAPERS.search(plain)) and not _OF_SYSTEM.search(plain)


def _aim_of(plain: str) -> Aim | None:
    if aim := first_aim("anywhere", plain):
        return aim
    if not asks(plain):
        if aim := first_aim("told", plain):
            return aim
        is_order = not plain.endswith("?") or _POLITE_ORDER.match(plain)
        if is_order and not _is_about_it(plain) and _speaks_to_the_system(plain):
            return Aim.OVERRIDE
    return _foreign(plain)


def _is_about_it(sentence: str) -> bool:
    """ "List your obligations": what is asked for stands in the papers, or nowhere."""
    return bool(_ABOUT_IT.match(sentence)) and not _OF_SYSTEM.search(sentence)


def _speaks_to_the_system(sentence: str) -> bool:
    """Whether "you" is left when what one says to whoever answers is taken away."""
    for courtesy in _compiled_list("courtesy"):
        sentence = courtesy.sub(" ", sentence)
    return bool(_YOU.search(sentence))


def _foreign(sentence: str) -> Aim | None:
    # "¿Ignora el inquilino las reglas?" asks; in many languages only the mark tells.
    is_question = sentence.startswith("¿") or sentence.endswith(("?", "？", "؟"))
    for language in _languages():
        if (
            not is_question
            and language["drop"].search(sentence)
            and language["rules"].search(sentence)
        ):
            return Aim.OVERRIDE
        if language["prompt"].search(sentence):
            return Aim.PROMPT
        if language["role"].search(sentence) or (
            not is_question and language["free"].search(sentence)
        ):
            return Aim.ROLE
    return None


def verbatim_of(sentence: str, protected: Sequence[str]) -> Aim | None:
    """TIP §13.4.2: what may only be asked about is not to be copied out."""
    if not protected or not any(one.search(sentence) for one in _compiled_list("verbatim")):
        return None
    words = set(_NAME_WORD.findall(sentence.casefold()))
    for name in protected:
        named = set(_NAME_WORD.findall(name.casefold()))
        if named and 2 * len(named & words) > len(named):
            return Aim.VERBATIM
    return None


def foreign_whole(sentence: str) -> bool:
    """Whether a sentence in another language asks for an item itself."""
    return any(one.search(sentence) for one in _compiled_list("whole"))


def before_markup(text: str) -> str:
    """The lines before the first that pretends to be from elsewhere."""
    starts = [
        match.start()
        for aim in _patterns().values()
        for pattern in aim["markup"]
        if (match := pattern.search(text))
    ]
    return text[: min(starts)].strip()


def first_aim(where: str, text: str) -> Aim | None:
    for aim, patterns in _patterns().items():
        if any(pattern.search(text) for pattern in patterns[where]):
            return aim
    return None


def aim_run_together(text: str) -> Aim | None:
    """Words that are run together, or broken up where no word ends."""
    if _RUN_TOGETHER.search(re.sub(r"[\W_]+", "", text)) and not _IN_WORDS.search(text):
        return Aim.OVERRIDE
    return None


@cache
def _data() -> Mapping[str, Any]:
    text = files("tipstaff.answer").joinpath("hostile.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@cache
def _patterns() -> Mapping[Aim, Mapping[str, list[re.Pattern[str]]]]:
    """By aim and by where they are looked for."""
    return {
        aim: {
            where: [_compiled(pattern) for pattern in _data()[aim].get(where, ())]
            for where in ("told", "anywhere", "markup")
        }
        for aim in Aim
        if aim not in (Aim.VERBATIM, Aim.BULK, Aim.COPY)
    }


@cache
def _compiled_list(name: str) -> list[re.Pattern[str]]:
    return [_compiled(pattern) for pattern in _data()[name]["anywhere"]]


@cache
def _languages() -> list[dict[str, re.Pattern[str]]]:
    return [
        {
            part: _compiled(language.get(part, _NOTHING))
            for part in ("drop", "rules", "prompt", "role", "free")
        }
        for language in _data()["languages"]
    ]


def fragments() -> Mapping[str, str]:
    """Pieces that the patterns have in common, by name."""
    pieces: Mapping[str, str] = _data()["fragments"]
    return pieces


def _compiled(pattern: str) -> re.Pattern[str]:
    for name, fragment in fragments().items():
        pattern = pattern.replace(f"{{{name}}}", fragment)
    return re.compile(pattern.replace("{{", "{").replace("}}", "}"), re.IGNORECASE)
