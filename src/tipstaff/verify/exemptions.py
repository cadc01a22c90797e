"""Sentences that state no fact of the bundle and need no citation (TIP §3.2, §3.6).

The exemption is narrow: the sentence must speak of the context or introduce what follows, every
telling word must be structural, or of the question, or of the titles that the recipient sees; and
there is no figure that the question did not have. A question's own words, said back as a fact,
are a fact.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from tipstaff.facts.quantities import quantities
from tipstaff.lexical.analysis import STOP_WORDS, terms

_STRUCTURAL = frozenset(
    terms(
        "bundled bundle context contain contains contained information document documents "
        "item items "
        "material materials source sources address addresses addressed discuss discusses "
        "cover covers "
        "covered mention mentions mentioned provide provides provided include includes included "
        "available sufficient insufficient limited only tangentially touches following according "
        "based answer question questions query ask asks asked sender recipient creator additional "
        "details detail further specific specifically related topic topics regarding about "
        "concerning however therefore furthermore moreover overall summary summarise summarize "
        "below above here list listed point points part parts find found looked search searched "
        "want wish like elaborate would could may might can cannot not does do is are was were "
        "several three two both one first second note notes please directly explicitly state "
        "states "
        "stated statement support supports supported evidence suggest consider contact more less "
        "answerable unanswered gap gaps missing silent speak speaks says say it this these whether "
        "key main major finding findings result results overview background decision decisions "
        "risk risks cost costs reason reasons action actions next step steps relevant"
    )
)
_ABSTENTION = re.compile(
    r"\bcontext (?:does not|doesn't|did not|contains no|has no|offers no|is silent)|"
    r"\b(?:no|not any) information\b|\bnot (?:contain|mention|address|discuss|cover|provide|state)",
    re.IGNORECASE,
)
# What is said of the context itself, of the question or of the answer (TIP §3.2).
_ABOUT_CONTEXT = re.compile(
    r"\b(?:context|bundled?|materials?|information|sender|recipient|question|query|answer|"
    r"elaborate|would you like|looked at|below|following)\b|\bdocuments? (?:that|which|relevant)|"
    r"\brelevant (?:documents?|items?)\b",
    re.IGNORECASE,
)
# "The answer is 500 euros": a fact, whoever asked for it.
_ANSWERS = re.compile(
    r"\banswer\b[^.;]*\b(?:is|was|are|were)\b(?! (?:not|in|given|found|provided|available|below|"
    r"above|missing)\b)",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    r"\b(?:about|on|regarding|concerning|of|for|relevant to|related to|as to)\b[^,;:]*",
    re.IGNORECASE,
)
_DENIES = re.compile(r"\b(?:not|no|never|nobody|none|neither|nor|without|cannot)\b|n['’]t\b", re.I)
_VERB = re.compile(
    r"\b(?:is|are|was|were|be|been|did|does|do|has|have|had|will|would|shall|should|may|might|must|"
    r"can|could|\w{2,}ed)\b",
    re.IGNORECASE,
)
_LABEL = 4
_REPORTS = re.compile(
    r"\baccording\b|\b(?:stat|say|said|show|confirm|indicat|mention|support|not|report|answer)\w*"
    r"\s+that\b|\b(?:yes|no)\b[,:]",
    re.IGNORECASE,
)


def is_exempt(sentence: str, known_terms: Collection[str], known_figures: Collection[str]) -> bool:
    """Whether a sentence without a citation may be said."""
    if _ANSWERS.search(sentence):
        return False
    if is_abstention(sentence):
        is_fact = _REPORTS.search(sentence) and not sentence.rstrip().endswith((":", "?"))
    else:
        is_fact = _states(sentence)
    if is_fact or any(figure.text not in known_figures for figure in quantities(sentence)):
        return False
    return _has_only(sentence, known_terms)


def _states(sentence: str) -> bool:
    """Whether a sentence that abstains from nothing says something of what the question is about:
    its words may stand behind "about" and "on", in a question back, or be a label."""
    if sentence.rstrip().endswith("?"):
        return False
    if quantities(sentence) or _DENIES.search(sentence):
        return True
    introduces = sentence.rstrip().endswith(":")
    if not introduces and (_REPORTS.search(sentence) or not _speaks_of_context(sentence)):
        return True
    is_label = introduces and len(sentence.split()) <= _LABEL and not _VERB.search(sentence)
    return not is_label and not _has_only(_BEHIND.sub(" ", sentence), ())


def _has_only(sentence: str, known_terms: Collection[str]) -> bool:
    """Whether every telling word is structural, or one of these."""
    known = set(known_terms)
    return all(
        term in _STRUCTURAL or term in STOP_WORDS or term in known for term in terms(sentence)
    )


def _speaks_of_context(sentence: str) -> bool:
    return bool(_ABOUT_CONTEXT.search(sentence))


def is_abstention(sentence: str) -> bool:
    """A sentence that says what the context does not say."""
    return bool(_ABSTENTION.search(sentence))
