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
from tipstaff.verify.irregular_forms import PAST

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
        "none nothing answerable unanswered gap gaps missing silent speak speaks says say it this "
        "these whether "
        "key main major finding findings result results overview background decision decisions "
        "risk risks cost costs reason reasons action actions next step steps relevant"
    )
)
# What may be silent as a whole: of one paper alone that is a claim like any other.
_WHOLE = (
    r"(?:context|bundle|materials?|documents|sources|items|papers|passages|excerpts|evidence|"
    r"information|files|tez)"
)
_LACKS = (
    r"(?:(?:does|do|did|is|are)(?: not|n['’]t)(?: \w+)?|says? nothing|mentions? no|lacks?|"
    r"(?:contains?|has|have|offers?|provides?|gives?) (?:no|nothing)|(?:is|are) silent)"
)
_ABSTENTION = re.compile(
    rf"\b{_WHOLE}\b(?:[^.;:!?]{{0,80}}?[, ](?:they|it|none|which|that))? {_LACKS}\b|"
    r"\b(?:no|not any) (?:information|mention|details?|evidence)\b|"
    rf"\b(?:nothing|none) (?:in|of|about|on|regarding)\b[^.;:!?]{{0,60}}\b{_WHOLE}\b|"
    rf"\bnot (?:\w+ )?(?:contained|mentioned|addressed|discussed|covered|provided|stated|given|"
    rf"specified|included|found|available|disclosed|described)\b[^.;:!?]{{0,12}}\b(?:in|by|from|among)"
    rf"\b[^.;:!?]{{0,40}}\b{_WHOLE}\b",
    re.IGNORECASE,
)
# Where a sentence that abstains may go on with something else.
_PIECES = re.compile(
    r"[;:()–—]|,\s*(?:and|but|so|yet|while|whereas|although|though|however)\b|"
    r"\b(?:and|but|while|whereas|although|though|because|since|as)\b",
    re.IGNORECASE,
)
# What is asked for, what somebody may do about it, and what nobody can do.
_SAYS_NOTHING = re.compile(
    r"\s*(?:or |so |and |but )?(?:what|who|whom|whose|when|where|why|which|how|whether|if|i|we|you|"
    r"please|none|neither|nor|therefore|thus|this question|the question|"
    r"(?:does|do|did)(?: not|n['’]t) (?:contain|mention|address|discuss|cover|provide|state|say|"
    r"include|give|specify))\b",
    re.IGNORECASE,
)
_FINITE = re.compile(
    r"\b(?:is|are|was|were|am|did|does|do|has|have|had|will|would|shall|should|may|might|must|can|"
    rf"could|(?!based|bundled|provided|given|related|included|listed|available|limited)\w{{2,}}ed|"
    rf"{'|'.join(sorted(PAST))})\b",
    re.IGNORECASE,
)
# "The Board did approve it, did it not?" asks nothing.
_ASKS_BACK = re.compile(r"\b(?:you|your|i|me|my|we|us)\b", re.IGNORECASE)
_TAG = re.compile(
    r",\s*(?:\w+n['’]t \w+|(?:is|are|was|were|do|does|did|has|have|had|will|would|can|could)"
    r" \w+(?: not)?|right|correct|no|yes)\s*\?\s*$",
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
# What of the words of structure is a verdict where no list follows.
_TELLING = re.compile(
    r"\b(?:support|suggest|decid|decision|risk|cost|reason|action|result|limit|insufficient|"
    r"sufficient|found|consider|state|speak|say)\w*\b",
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
    if sentence.rstrip().endswith("?"):
        is_fact = not _asks_back(sentence)
    elif is_abstention(sentence):
        introduces = sentence.rstrip().endswith(":")
        reports = bool(_REPORTS.search(sentence)) and not introduces
        is_fact = reports or _says_beside(sentence)
    else:
        is_fact = _states(sentence)
    if is_fact or any(figure.text not in known_figures for figure in quantities(sentence)):
        return False
    return _has_only(sentence, known_terms)


def _asks_back(question: str) -> bool:
    """Whether a question is put to the recipient, and no statement with a question mark."""
    return bool(_ASKS_BACK.search(question)) and not _TAG.search(question)


def _says_beside(sentence: str) -> bool:
    """Whether a sentence that abstains says something else, too: "There is no information on
    insurance; the drug is safe"."""
    return any(
        _FINITE.search(piece) and not is_abstention(piece) and not _SAYS_NOTHING.match(piece)
        for piece in _beside(sentence)
    )


def _beside(sentence: str) -> list[str]:
    """The sentence piece by piece, without what it is silent on."""
    silent = _ABSTENTION.search(sentence)
    pieces, position = [], 0
    for cut in _PIECES.finditer(sentence):
        pieces.append((position, cut.start()))
        position = cut.end()
    pieces.append((position, len(sentence)))
    return [
        sentence[start:end]
        for start, end in pieces
        if silent is None or end <= silent.start() or start >= silent.end()
    ]


def _states(sentence: str) -> bool:
    """Whether a sentence that abstains from nothing says something of what the question is about:
    its words may stand behind "about" and "on", or be a label."""
    if quantities(sentence) or _DENIES.search(sentence):
        return True
    introduces = sentence.rstrip().endswith(":")
    if not introduces and (_REPORTS.search(sentence) or not _speaks_of_context(sentence)):
        return True
    if not introduces and _TELLING.search(sentence):
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
