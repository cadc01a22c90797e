"""Words that turn a statement round, qualify it, or leave it open."""

from __future__ import annotations

import re

NEGATION = re.compile(
    r"\b(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot|can't|won't|isn't|aren't|"
    r"wasn't|weren't|doesn't|don't|didn't|hasn't|haven't|excluded?|excludes|excluding|outside|"
    r"deferred|postponed|rejected|declined|refused|denied|withdrawn|cancelled|canceled|failed|"
    r"lacks?|lacking|absent|prohibited|waived|barred|unable|instead of|rather than|"
    r"no longer)\b",
    re.IGNORECASE,
)
# A denial of the statement itself; "failed" or "excluded" may be what it states.
DENIAL = re.compile(
    r"\b(?:not|no|never|none|nobody|nothing|neither|nor|cannot|\w+n't|skipped|omitted|rejected|"
    r"declined|refused|withdrawn|cancelled|canceled|deferred|postponed|waived|denied|unchanged)\b",
    re.IGNORECASE,
)
REPLACED = re.compile(
    r"\b(?:replac(?:es|ed|ing)|supersed(?:es|ed|ing)|no longer|instead of|moved from|changed from|"
    r"raised from|lowered from|reduced from|increased from|formerly|previously|amended|revised)\b",
    re.IGNORECASE,
)
ADVERSE = re.compile(
    r"\b(?:risk(?:s|y)?|concern(?:s|ed)?|worr(?:y|ies|ied)|delay(?:s|ed)?|overrun|"
    r"against(?! (?:about |the )?[\d$£€])|"
    r"fail(?:s|ed|ure|ures)?|critical|severe|serious|unlikely|shortfall|contradict\w*|absent|"
    r"disput(?:e|es|ed)|object(?:s|ed|ion)|warn(?:s|ed|ing)?|weak(?:ness|nesses)?|unresolved|"
    r"unproven|problem(?:s|atic)?|loss(?:es)?|lost|missed|breach(?:es|ed)?|exceed(?:s|ed)?|"
    r"insufficient|inadequate|decline[ds]?|fell|dropp?ed|expensive|too (?:few|little|late|much)|"
    r"outage|damage[ds]?|defect(?:s|ive)?|default(?:ed)?|inconsistent|unsafe|adverse|exclude[sd]?|"
    r"downside|threat(?:s|ens)?|challenge[ds]?|opposed?|drawback|negative|vulnerab\w+|limit(?:ed)?|"
    r"no right|cannot|could not|nobody (?:could|can|knows|has)|not (?:comfortable|enough|ready|"
    r"supported?|entitled|allowed|permitted|convinced))\b",
    re.IGNORECASE,
)
QUALIFIES = re.compile(
    r"\b(?:however|but|although|despite|unless|except|only if|provided that|subject to|depends? on|"
    r"late|peak|none|nobody|yet|still)\b",
    re.IGNORECASE,
)
OPEN = re.compile(
    r"\?\s*$|\b(?:not yet|unknown|undecided|to be (?:confirmed|decided|determined|agreed|"
    r"clarified)|"
    r"tb[cd]|open (?:question|point|item|issue)s?|questions (?:that )?we could not answer|"
    r"outstanding|pending|unanswered|unresolved|"
    r"no (?:answer|decision|reply|date|owner|figure|estimate|data|information)|has not (?:been|"
    r"answered|replied|decided)|have not (?:been|looked|assessed|decided)|was not (?:assessed|"
    r"examined|"
    r"covered|included|recorded|measured)|were not (?:assessed|examined|covered|included)|"
    r"did not (?:look|assess|examine|cover|record|collect|reach|test|check)|not (?:known|"
    r"assessed|included|covered|"
    r"settled|available|recorded|determined|in scope)|remains (?:open|to be)|still (?:open|waiting|"
    r"missing)|awaiting|needs? (?:a decision|to be)|left open|cannot (?:say|tell|close)|"
    r"nobody knows|"
    r"somebody decides|out(?:side)? (?:of )?scope)\b",
    re.IGNORECASE,
)
# An author about the own work: what was not looked at, asked, known.
NOT_DONE = re.compile(
    r"\b(?:I|we) (?:did|do|have|had|could|can|was|were|are|am|has) (?:not|never)\b|"
    r"\b(?:I|we) (?:didn't|don't|haven't|couldn't|can't|wasn't|weren't|hadn't)\b|"
    r"\bnobody (?:could say|knows|can say|can show|has)\b|\bno \w+(?: \w+)? was (?:seen|made|"
    r"taken)\b",
    re.IGNORECASE,
)
OPEN_SECTION = re.compile(
    r"\b(?:limits?|limitations?|caveats?|exclusions?|scope|unknowns?|to do|next steps?|open|"
    r"outstanding|questions)\b",
    re.IGNORECASE,
)
CAUSE = re.compile(
    r"\b(?:because|since|due to|owing to|so that|in order to|as a result|therefore|reason|reasons|"
    r"caused? by|led to|following|driven by|reflects?|explains?|owed to|on account of|result of|"
    r"to allow|to give|to avoid|to make|after)\b",
    re.IGNORECASE,
)
# A reason that is called one.
BECAUSE = re.compile(
    r"\b(?:because|due to|owing to|so that|as a result of|on account of|the (?:\w+ )?reason|"
    r"caused by|"
    r"attributed to|driven by|explained by)\b",
    re.IGNORECASE,
)
