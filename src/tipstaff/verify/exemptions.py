"""Sentences that state no fact of the bundle and need no citation (TIP §3.2, §3.6).

The exemption is narrow: every telling word must be structural, or of the question, or of the
titles that the recipient sees; and there is no figure that the question did not have.
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
        "answerable unanswered gap gaps missing silent speak speaks says say says it this these"
    )
)
_ABSTENTION = re.compile(
    r"\bcontext (?:does not|doesn't|did not|contains no|has no|offers no|is silent)|"
    r"\b(?:no|not any) information\b|\bnot (?:contain|mention|address|discuss|cover|provide|state)",
    re.IGNORECASE,
)


def is_exempt(sentence: str, known_terms: Collection[str], known_figures: Collection[str]) -> bool:
    """Whether a sentence without a citation may be said."""
    if any(figure.text not in known_figures for figure in quantities(sentence)):
        return False
    known = set(known_terms)
    return all(
        term in _STRUCTURAL or term in STOP_WORDS or term in known for term in terms(sentence)
    )


def is_abstention(sentence: str) -> bool:
    """A sentence that says what the context does not say."""
    return bool(_ABSTENTION.search(sentence))
