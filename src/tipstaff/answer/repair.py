"""What a model is told of its statements that failed, and what is taken of its second try."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from tipstaff.answer.generative import Testimony
from tipstaff.answer.prompt import BuiltPrompt, data
from tipstaff.domain.response import Released
from tipstaff.verify.leaning import Lost

_REQUEST = """These statements of yours could not be verified against the context and were withheld:

{failures}

In the place of each write what the context itself says: its very words between quotation marks,
copied letter for letter, behind the name of whoever says them if somebody is named there, and
followed by the citation of the exact place. The quotation must tell by itself whom and what it is
about, and when: where the words have "he", "it", "that" or "the second", quote the sentence before
them, too; of a list, the line that heads it; of a date or a name that stands elsewhere, that place.
Of a table or of settings write the name of the row and then each header with its value. One place a
sentence; what rests on two places becomes two sentences. Leave out whatever the context does not
say. Repeat nothing else, explain nothing."""
_BUT_NOT = """Of these items quote nothing; say what they say in other words, with the citation:
{items}."""
_SAID = "Of your answer to this, the following has been said:"
_NOTHING_SAID = "(Nothing of this answer could be verified.)"


def repair_request(built: BuiltPrompt, testimony: Testimony) -> BuiltPrompt:
    """The question, what of the answer was said, and what failed of it: each is data like all
    foreign text, since a draft may repeat anything that it was shown."""
    failures = "\n".join(f"- {words} (Why: {reason})" for words, reason in testimony.failed)
    said = testimony.text.strip() or _NOTHING_SAID
    request = _REQUEST.format(failures=data(failures, built.marker))
    if built.unquotable:
        request = f"{request}\n{_BUT_NOT.format(items=built.unquotable)}"
    question = f"{built.question}\n\n{_SAID}\n{data(said, built.marker)}\n\n{request}"
    return replace(built, question=question, about=request)


@dataclass(slots=True)
class Repair:
    """What of a second draft joins the first: statements that hold and are new. One that is left
    out because it has been said already comes along if the next leans on it."""

    testimony: Testimony
    _claims: int = 0
    _said: set[str] = field(default_factory=set)
    _left_out: Released | None = None

    def __post_init__(self) -> None:
        self._said = {_plain(claim.text) for claim in self.testimony.claims}

    def taken(self, released: Released, second: Testimony) -> Released | None:
        """The words as they join the response; None for small talk and repetitions."""
        if len(second.claims) == self._claims:
            return None
        self._claims = len(second.claims)
        claim = second.claims[-1]
        if _plain(claim.text) in self._said:
            self._left_out = released
            return None
        before, self._left_out = self._left_out, None
        self._said.add(_plain(claim.text))
        words, citations = released.text.strip(), released.citations
        if before is not None and Lost(thing=True, person=True).leaves_open(claim.text):
            words = f"{before.text.strip()} {words}"
            citations = (*before.citations, *citations)
        first = self.testimony
        text = ("\n" if first.text else "") + words
        first.text += text
        first.claims.append(claim)
        first.citations += citations
        return Released(text, citations)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .")
