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
REPLACED = re.compile(
    r"\b(?:replac(?:es|ed|ing)|supersed(?:es|ed|ing)|no longer|instead of|moved from|changed from|"
    r"raised from|lowered from|reduced from|increased from|formerly|previously|amended|revised)\b",
    re.IGNORECASE,
)
ADVERSE = re.compile(
    r"\b(?:risk(?:s|y)?|however|but|although|despite|concern(?:s|ed)?|worr(?:y|ies|ied)|delay(?:s|ed)?|"
    r"overrun|against|fail(?:s|ed|ure|ures)?|critical|severe|unlikely|shortfall|contradict\w*|"
    r"disput(?:e|es|ed)|object(?:s|ed|ion)|warn(?:s|ed|ing)?|weak(?:ness|nesses)?|unresolved|"
    r"unproven|problem(?:s|atic)?|late|loss(?:es)?|lost|missed|miss|breach(?:es|ed)?|exceed(?:s|ed)?|"
    r"insufficient|inadequate|decline[ds]?|fell|drop(?:ped)?|expensive|too (?:few|little|late|much)|"
    r"peak|outage|incident|damage[ds]?|defect(?:s|ive)?|default(?:ed)?|inconsistent|unsafe|adverse|"
    r"downside|threat(?:s|ens)?|challenge[ds]?|opposed?|drawback|negative|vulnerab\w+|nobody|none)\b",
    re.IGNORECASE,
)
OPEN = re.compile(
    r"\?\s*$|\b(?:not yet|unknown|undecided|to be (?:confirmed|decided|determined|agreed|clarified)|"
    r"tb[cd]|open (?:question|point|item|issue)s?|outstanding|pending|unanswered|unresolved|"
    r"no (?:answer|decision|reply|date|owner|figure|estimate|data|information)|has not (?:been|"
    r"answered|replied|decided)|have not (?:been|looked|assessed)|was not (?:assessed|examined|"
    r"covered|included|recorded|measured)|were not (?:assessed|examined|covered|included)|"
    r"did not (?:look|assess|examine|cover|record|collect)|not (?:known|assessed|included|covered|"
    r"settled|available|recorded|determined|in scope)|remains (?:open|to be)|still (?:open|waiting|"
    r"missing)|awaiting|needs? (?:a decision|to be)|left open|cannot (?:say|tell|close)|nobody knows|"
    r"somebody decides|out(?:side)? (?:of )?scope)\b",
    re.IGNORECASE,
)
CAUSE = re.compile(
    r"\b(?:because|since|due to|owing to|so that|in order to|as a result|therefore|reason|reasons|"
    r"caused? by|led to|following|driven by|reflects?|explains?|owed to|on account of|result of|"
    r"to allow|to give|to avoid|to make|after)\b",
    re.IGNORECASE,
)
