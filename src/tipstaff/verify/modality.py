"""Planned or done, under a condition or always: what a statement may not make of cited words.

A plan, an order and an open task are not yet facts; what holds only under a condition does not
hold in any case.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tipstaff.facts.quantities import quantities
from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.clauses import Clause
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.irregular_forms import PAST
from tipstaff.verify.statement import STRUCTURE, Statement, read_statement

# It has been done, or is so by now.
_DONE = re.compile(
    r"\b(?:has|have|had)(?: (?:now|already|since|both|all|also|just))*(?: been)? "
    r"(?!to\b|not\b|yet\b|no\b|an?\b|the\b)\w+(?:ed|en|wn|ne|nt|pt|ld|de|id|ut|et|un)\b|"
    r"\b(?:now|already) (?:has|have|is|are)\b|\b(?:is|are|has|have) (?:now|already)\b",
    re.IGNORECASE,
)
_PLANNED = re.compile(
    r"\b(?:will|shall|should|(?:is|are|has|have) to|(?:is|are) (?:due|expected|planned|going) to|"
    # On 5 May nothing may.
    r"can|could|would|(?-i:may)|might|must|plans? to|intends? to|to be|once(?= \w)|please)\b",
    re.IGNORECASE,
)
_AGREES = re.compile(
    r"\b(?:agree[sd]?|promise[sd]?|undertook|undertakes|committed|consent(?:s|ed)) to\b",
    re.IGNORECASE,
)
_REQUESTS = re.compile(
    r"\b(?:asks?|asked|request(?:s|ed)?|please|want(?:s|ed)?|demand(?:s|ed)?|propos(?:es?|ed)|"
    r"suggest(?:s|ed)?|would like|hope[sd]?)\b",
    re.IGNORECASE,
)
_GRANTS = re.compile(
    r"\b(?:agree|accept|promis|confirm|undert|consent|commit|grant|approv|will|shall|yes)",
    re.IGNORECASE,
)
# It was done, in one word or two: "signed the contract", "was accepted".
_PAST = re.compile(
    r"\b(?:(?:was|were|did)(?: \w+ly)? (?!not\b|to\b|due\b)(\w+)|"
    rf"((?!need|proceed|exceed)[a-z]{{3,}}ed|{'|'.join(sorted(PAST))}))\b"
)
# What is said of a plan: when it is due, and whose it is.
_OF_PLAN = re.compile(
    r"\b(?:is|are|due|date[ds]?|deadline|scheduled|assigned|set for|milestones?|target|expect\w*|"
    r"expires?|owner|responsible|listed|(?:was|were|had) to|action|tasks?|asked|requested|agreed|"
    r"decided|resolved)\b",
    re.IGNORECASE,
)
# What a plan only names: "super users released for six weeks", "Contract signed by May".
_DID = re.compile(
    r"\b(?:has|have|had|was|were|did)\b|"
    r"\b(?:went|gave|took|came|wrote|saw|ran|began|rose|fell|drove|chose|spoke|broke|grew|became)\b|"
    r"\b(?:I|we|he|she|they|it|who) [a-z]{3,}(?:ed|t|d)\b|"
    r"\b[a-z]{3,}ed (?:the|an?|its|their|his|her|our|that|it|them|us|me|[A-Z£$€\d])",
)
_WILL = re.compile(r"\b(?:will|shall|should|must|to)(?: not)?(?: be)? ([a-z]{3,})\b")
# A day was set for it; that it came about is another thing.
_FIXED_FOR = re.compile(
    r"\b(?:(?:had|has|have) been|was|were|is|are) (?:provisionally |first |originally )?(?:fixed|"
    r"scheduled|set|set down|planned|booked|arranged|timetabled|pencilled in|listed|billed) "
    r"(?:for|to take place|to be held)\b",
    re.IGNORECASE,
)
_HAPPENED = re.compile(r"\b(?:has|have|had|was|were|did)\b|\b(?!need|proceed|exceed)[a-z]{3,}ed\b")
# What will be done, and what must come first, has not happened by that.
_NOT_YET = re.compile(
    r"\bbe \w+ed\b|\b(?:once|after|when|as soon as|before)\b.*", re.IGNORECASE | re.DOTALL
)
_TO_DO = re.compile(
    r"\b(?:to[ -]do|next steps?|actions?|action items?|open (?:points|items|questions)|plans?|"
    r"recommendations?|milestones?|outlook|proposals?|dependenc(?:y|ies)|prerequisites?|roadmap)\b",
    re.IGNORECASE,
)
# Of such a table the days are to come; one that has a state, or a day of what was done, says so.
_PLAN_HEAD = re.compile(
    r"\b(?:milestones?|planned|expected|target|deadline|actions?|tasks?)\b", re.IGNORECASE
)
_TOLD_HEAD = re.compile(
    r"\b(?:state|status|progress|result|outcome|decision|remarks?|notes?|comments?|actual|paid|sent|"
    r"due|(?!plann|expect|need|requir|schedul|target|propos|agre)[a-z]{3,}ed)\b",
    re.IGNORECASE,
)
_STATE = re.compile(r"\b(?:state|status|progress|done|completed?)\b", re.IGNORECASE)
FINISHED = re.compile(r"\b(?:done|closed|completed?|finished|yes|delivered|live)\b", re.IGNORECASE)
_SCHEDULE = re.compile(r"\b(?:due|milestone|planned|expected|target|deadline)\b", re.IGNORECASE)
# It holds then, and at no other time.
_RESTRICTED = re.compile(
    r"\bonly (?:if|while|where|when|after|until|once|with|on|in|for|by|to)\b|\bunless\b|"
    r"\bif\b|\bprovided (?:that|the|it)\b|\bon condition\b|\bexcept\b|\bbut not\b",
    re.IGNORECASE,
)
# A bound is a condition, too: "above £500,000", "no worse than 3".
_BOUND = re.compile(
    r"\b(?:above|below|over|under|exceeding|(?:more|less|fewer|worse|better|greater|later|earlier|"
    r"longer|higher|lower) than|at (?:least|most)|up to|within) (?=[£$€]?\d)",
    re.IGNORECASE,
)
_AT_MOST = re.compile(
    r"\b(?:no(?:t)? (?:more|longer|later|further) than|at (?:the )?most|up to|only|never|but|"
    r"limit\w*|cap(?:ped)?|maximum)\b",
    re.IGNORECASE,
)
_BUT_AT_MOST = re.compile(
    r"\bbut (?:[a-z]+ )?(?:no(?:t)? (?:more|longer|later|further) than|at (?:the )?most|up to|only|"
    r"never)\b",
    re.IGNORECASE,
)
_ANYHOW = re.compile(
    r"\b(?:any|all|every|always|whole|entire|whatever|regardless|whenever|everyone|everybody|"
    r"anyone|anybody|throughout|without (?:condition|exception|restriction))\b",
    re.IGNORECASE,
)
_AS_WELL = re.compile(r"\b(?:also|as well|too|even)\b", re.IGNORECASE)
_ONLY_THEN = re.compile(r"\bonly (?:if|while|where|when|after|until|once)\b", re.IGNORECASE)
_ANY_TIME = re.compile(
    r"\bany (?:day|week|month|year|hour|time|moment)\b|\b(?:whenever|always|daily)\b", re.IGNORECASE
)
_OPENS_WITH_CONDITION = re.compile(
    r"[\W\d]*(?:if(?! you (?:would like|wish|want|need))|where|should|in the event|in case|"
    r"unless|whenever)\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\b(?:if|unless|only|when|where|while|until|once|provided|except|excluding|apart|subject|"
    r"condition\w*|other than|not)\b",
    re.IGNORECASE,
)


# What a sentence makes its matter depend on; "asked if" and "even if" do not.
_DEPENDS = re.compile(
    r"(?<!even )(?<!as )(?<!see )(?<!know )(?<!check )(?<!asked )(?<!asks )(?<!ask )(?<!wonder )"
    r"\b(?:if(?! (?:not|any|so|necessary|possible|anything|you (?:would like|wish|want|need)))|"
    r"unless|provided (?:that|the|it)|on condition)\b",
    re.IGNORECASE,
)
# In which case something does not hold: to leave it out is to say that it always does.
_EXCEPTION = re.compile(
    r"\b(?:unless|except(?:ing)?(?: (?:where|when|if|that|in|for|as))?|"
    r"save (?:that|where|when|if|in|as|for)|provided (?:that|the|it|always))\b",
    re.IGNORECASE,
)
_SAYS_EXCEPTION = re.compile(
    r"\b(?:unless|except\w*|save|provided|only|subject to|otherwise|without|until|if)\b",
    re.IGNORECASE,
)
_SAYS_NOT_ALWAYS = re.compile(
    r"\b(?:in principle|as a rule|normally|generally|depend\w*|would|could|might|threat\w*|"
    r"hop(?:es?|ed)|plans?|planned|offer(?:s|ed)|propos(?:es?|ed)|promis\w*)\b",
    re.IGNORECASE,
)
# What a program asks is no condition of what a comment says.
_IS_CODE = re.compile(r"[{}]|:=|==|!=|\w\(\)|;\s*$|->|=>")
_SENTENCES = re.compile(r"(?<=[a-z\d)][.!?])\s+(?=[A-Z(\"“])")
_CLAUSE_END = re.compile(r"[.;](?=\s|$)")
_BOTH_HANG = re.compile(r"[;:]|, (?:and|but|while|whereas|which|so)\b|\bbut\b", re.IGNORECASE)
_ALL_TRUE = re.compile(
    r"\b(?:ha(?:ve|s) to|must|needs? to|shall)(?: all)? be (?:true|met|satisfied|fulfilled)"
    r"[^:.;]{0,40}:",
    re.IGNORECASE,
)
_SAYS_ON_WHAT = re.compile(
    rf"{_CONDITION.pattern}|\b(?:would|could|should|must|ha(?:s|ve) to|needs? to|required?|before|"
    r"after|case|event|depend\w*|whether|criteri\w*|might|upon|"
    r"threat\w*|hop(?:es?|ed)|plans?|planned|offer(?:s|ed)|propos(?:es?|ed)|promis\w*|agree\w*)\b",
    re.IGNORECASE,
)
_REMARKS = re.compile(r"[.;](?=\s)")
_IS_TO_BE = re.compile(
    r"\b(?:(?:is|are|was|were)? ?to be \w+|will be|awaits?|awaited|pending|outstanding|promised|"
    r"not (?:yet )?\w+(?:ed|id|en|nt))\b",
    re.IGNORECASE,
)
_CONDITION_TERMS = 2
_NOT = re.compile(r"\bnot\b", re.IGNORECASE)
_MAY_NOT = re.compile(
    r"\b(?:(?:may|can|must|shall) not|cannot|can['’]t|mustn['’]t) (?:be |have )?(\w+)",
    re.IGNORECASE,
)
_MAY = re.compile(r"\b(?:may|can) (?!not\b)(?:be |have )?(\w+)", re.IGNORECASE)
_BUT_SO = re.compile(
    r"\b(?:unless|without|except|until|till|before|save|than|only|if|when|where|while|once)\b",
    re.IGNORECASE,
)
_SAYS_PLANNED = re.compile(r"\b(?:planned|budgeted|foreseen|forecast)\b", re.IGNORECASE)


def forbids_permitted(statement: str, evidence: Sequence[EvidenceText]) -> bool:
    """Whether something "may not be given" where it only "may be given"."""
    told = [unit.text for unit in evidence if not unit.is_row]
    for verb in _MAY_NOT.findall(statement):
        own = terms(verb)[:1]
        if any(own in _verbs(_MAY, text) for text in told) and not any(
            own in _verbs(_MAY_NOT, text) for text in told
        ):
            return True
    return False


def permits_forbidden(statement: str, evidence: Sequence[EvidenceText]) -> bool:
    """Whether something "may be cancelled if" where it "may not be cancelled for" that. What is
    forbidden "unless" or "without" something is permitted with it."""
    told = [unit.text for unit in evidence if not unit.is_row]
    for verb in _MAY.findall(statement):
        own = terms(verb)[:1]
        forbidding = [text for text in told if own in _verbs(_MAY_NOT, text)]
        if forbidding and not any(own in _verbs(_MAY, text) for text in told):
            return not any(map(_BUT_SO.search, forbidding))
    return False


def _verbs(modal: re.Pattern[str], text: str) -> list[list[str]]:
    return [terms(verb)[:1] for verb in modal.findall(text)]


def is_only_planned(
    statement: Statement, chosen: Sequence[Clause], evidence: Sequence[EvidenceText]
) -> bool:
    """Whether what the evidence plans, orders or lists as a task is said to have been done.
    `chosen` are the clauses that the statement comes from."""
    if _agrees_to_request(statement, evidence):
        return True
    if _PLANNED.search(statement.plain) or _SAYS_PLANNED.search(statement.plain):
        return False
    told = " ".join(one.text for one in evidence).lower()
    done = [match[0].lower() for match in _DONE.finditer(statement.plain)]
    if not done:
        return _is_past_of_plan(statement, chosen, evidence)
    if all(words in told for words in done):
        return False
    rows = [one for one in evidence if one.is_row]
    if rows and len(rows) == len(evidence):
        return all(_is_task(one) or _is_to_come(statement, one) for one in rows)
    said = [clause for clause in chosen[:1] if clause.text]
    return any(
        _is_only_listed(one, evidence)
        or (_PLANNED.search(one.text) and not _HAPPENED.search(_NOT_YET.sub("", one.text)))
        for one in said
    )


def _is_past_of_plan(
    statement: Statement, chosen: Sequence[Clause], evidence: Sequence[EvidenceText]
) -> bool:
    """Whether what a plan has for a day, or somebody will do, is told in the past tense."""
    past = {verb for pair in _PAST.findall(statement.plain) for verb in pair if verb}
    if not past or _OF_PLAN.search(statement.plain):
        return False
    told = frozenset(word for one in evidence if not one.is_row for word in one.text.split())
    if all(one.is_row for one in evidence):
        said = _sentence_of(frozenset(terms(statement.plain)), _nearest(statement, evidence)).text
        return bool(_FIXED_FOR.search(said)) or all(_is_of_plan(one) for one in evidence)
    if not chosen or any(one.is_row for one in evidence):
        return False
    if _FIXED_FOR.search(_nearest(statement, evidence).text):
        return not _FIXED_FOR.search(statement.plain) and told.isdisjoint(past)
    deeds = {term for verb in past for term in terms(verb)[:1]}
    if _is_only_listed(chosen[0], evidence):
        return not deeds.isdisjoint(chosen[0].terms)
    ahead = {term for verb in _WILL.findall(chosen[0].text) for term in terms(verb)[:1]}
    ahead_only = not ahead.isdisjoint(deeds) and told.isdisjoint(past)
    return ahead_only and not _HAPPENED.search(_NOT_YET.sub("", chosen[0].text))


def _is_only_listed(clause: Clause, evidence: Sequence[EvidenceText]) -> bool:
    return _is_listed(clause, evidence) and not _DID.search(clause.text)


def _agrees_to_request(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """Whether somebody is said to have agreed to what the evidence only asks for."""
    if not _AGREES.search(statement.plain):
        return False
    nearest = _nearest(statement, evidence).text
    return bool(_REQUESTS.search(nearest)) and not _GRANTS.search(nearest)


def supposes_only(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """Whether the sentence that a statement comes from opens with a condition, which the statement
    leaves out."""
    nearest = _nearest(statement, evidence)
    opens = _OPENS_WITH_CONDITION.match(nearest.text)
    if opens is None or _CONDITION.search(statement.plain):
        return False
    # "A payment more than fourteen days late bears interest" has the condition in it.
    condition = set(nearest.sequence) - STRUCTURE - {"if", "when", "where"}
    return not condition <= set(terms(statement.plain))


def drops_condition(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """Whether what holds under a condition only is said to hold in any case."""
    nearest = _nearest(statement, evidence)
    if _drops_limit(statement, nearest) or leaves_out_exception(statement, evidence):
        return True
    if _leaves_out_condition(statement, nearest):
        return True
    if _ANY_TIME.search(statement.plain) and not _ANY_TIME.search(nearest.text):
        return True
    if _AS_WELL.search(statement.plain) and _ONLY_THEN.search(nearest.text):
        return not _CONDITION.search(statement.plain)
    anyhow = {word.lower() for word in _ANYHOW.findall(statement.plain)}
    if not anyhow or _CONDITION.search(statement.plain):
        return False
    known = {word.lower() for word in _ANYHOW.findall(nearest.text)}
    if anyhow <= known:
        return False
    if _OPENS_WITH_CONDITION.match(nearest.text):
        return True
    return bool(_RESTRICTED.search(nearest.text)) or _drops_bound(statement, nearest)


def leaves_out_exception(statement: Statement, units: Sequence[EvidenceText]) -> bool:
    """Whether a sentence says in which case it does not hold, and a statement says nothing of that,
    whatever else it makes it depend on: "is not liable, unless …"."""
    said = frozenset(statement.words)
    nearest = _nearest(statement, units)
    for unit in units:
        known = said & unit.own_terms
        others = frozenset().union(*(one.own_terms for one in units if one is not unit))
        # What no other sentence has, this one says.
        if unit.is_row or not known or (unit is not nearest and known <= others):
            continue
        if 2 * len(known) >= len(said) and _drops_exception(statement, known, unit.text):
            return True
    return False


def _drops_exception(statement: Statement, known: frozenset[str], text: str) -> bool:
    if _IS_CODE.search(text) or _SAYS_NOT_ALWAYS.search(statement.plain):
        return False
    told = {word.lower() for word in _SAYS_EXCEPTION.findall(statement.plain)}
    for match in _EXCEPTION.finditer(text):
        before = _CLAUSE_END.split(text[: match.start()])[-1]
        if told - {word.lower() for word in _SAYS_EXCEPTION.findall(before)}:
            continue
        main = frozenset(terms(before))
        case = frozenset(terms(_CLAUSE_END.split(text[match.end() :])[0]))
        case -= STOP_WORDS | STRUCTURE | main
        is_of_it = 2 * len(known & main) > len(known)
        is_told = 2 * len(case & _all_terms(statement)) >= len(case)
        if is_of_it and case and not is_told:
            return True
    return False


def leaves_out_exception_of(text: str, evidence: Sequence[Sequence[EvidenceText]]) -> bool:
    """The same of the sentence that has most of a statement's words."""
    units = [unit for units in evidence for unit in units]
    statement = read_statement(text)
    return bool(units) and leaves_out_exception(statement, units)


def _leaves_out_condition(statement: Statement, nearest: EvidenceText) -> bool:
    """Whether a sentence says it of one case only, and a statement has neither a word of condition
    nor any of that case: "the proposal falls"."""
    said = frozenset(statement.words)
    if nearest.is_row or not said or _IS_CODE.search(nearest.text):
        return False
    nearest = _sentence_of(said, nearest)
    known = said & nearest.own_terms
    if not known or 2 * len(known) < len(said):
        return False
    told = {word.lower() for word in _SAYS_ON_WHAT.findall(statement.plain)}
    # "The owner, but not the tenant, may": of whom it holds, and not in which case.
    if told and not (told == {"not"} and _NOT.search(nearest.text)):
        return False
    if any(_is_behind(known, match, nearest.text) for match in _ALL_TRUE.finditer(nearest.text)):
        return True
    depends = _DEPENDS.search(nearest.text)
    if depends is None:
        return False
    least = _CONDITION_TERMS
    before = nearest.text[: depends.start()]
    if re.search(r"\w", before):
        main = frozenset(terms(_BOTH_HANG.split(before)[-1]))
        case = frozenset(terms(nearest.text[depends.end() :].partition(";")[0])) - main
    else:
        case = _before_words(_all_terms(statement) & nearest.own_terms, nearest.sequence)
        # "If the alarm sounds, close the cover": what an order is for, its retelling may leave out.
        least += 1
        main = nearest.own_terms - case
    case -= STOP_WORDS | STRUCTURE
    return known <= main and len(case) >= least and case.isdisjoint(_all_terms(statement))


def _sentence_of(said: frozenset[str], unit: EvidenceText) -> EvidenceText:
    """Of several sentences in one unit that which has most of a statement's words."""
    sentences = [EvidenceText(text) for text in _SENTENCES.split(unit.text) if text.strip()]
    return max(sentences, key=lambda one: len(said & one.own_terms), default=unit)


def _all_terms(statement: Statement) -> frozenset[str]:
    return frozenset(terms(statement.plain)) - STOP_WORDS


def _is_behind(known: frozenset[str], match: re.Match[str], text: str) -> bool:
    """Whether the words stand behind what has to be true, and not in it."""
    behind = frozenset(terms(text[match.end() :]))
    return known <= behind


def _before_words(known: frozenset[str], sequence: Sequence[str]) -> frozenset[str]:
    """What stands before the last part of a sentence that has all of these words."""
    left = set(known)
    for at in range(len(sequence) - 1, -1, -1):
        left.discard(sequence[at])
        if not left:
            return frozenset(sequence[:at]) - frozenset(sequence[at:])
    return frozenset()


def _drops_limit(statement: Statement, nearest: EvidenceText) -> bool:
    """Whether a statement ends where its sentence goes on: "…, but by no more than 21 days"."""
    limit = _BUT_AT_MOST.search(nearest.text)
    if limit is None or _AT_MOST.search(statement.plain):
        return False
    before = frozenset(terms(nearest.text[: limit.start()]))
    return sum(word in before for word in statement.words) > len(statement.words) / 2


def _drops_bound(statement: Statement, nearest: EvidenceText) -> bool:
    ends = {match.end() for match in _BOUND.finditer(nearest.text)}
    stated = {figure.value for figure in statement.figures}
    return any(one.start in ends and one.value not in stated for one in nearest.own_figures)


def _nearest(statement: Statement, evidence: Sequence[EvidenceText]) -> EvidenceText:
    words = frozenset(terms(statement.plain)) - STOP_WORDS
    return max(evidence, key=lambda one: len(words & one.own_terms))


def _is_to_come(statement: Statement, row: EvidenceText) -> bool:
    """Whether a figure that is said to have been paid or given stands in a row only in a remark on
    what is to be: "credit of 40 to be given against the receipt"."""
    stated = {figure.value for figure in statement.figures}
    having = [
        remark
        for _, words in row.cells
        for remark in _REMARKS.split(words)
        if any(one.value in stated for one in quantities(remark))
    ]
    return bool(having) and all(map(_IS_TO_BE.search, having))


def _is_task(row: EvidenceText) -> bool:
    """A row of a plan; one that has a state is what its state says."""
    states = [words for head, words in row.cells if _STATE.search(head)]
    if states:
        return not any(FINISHED.search(words) for words in states)
    return any(_SCHEDULE.search(head) for head, _ in row.cells) or _is_of_tasks(row)


def _is_of_plan(row: EvidenceText) -> bool:
    """A row that has a day for something, and nothing that says that it came to pass."""
    heads = [head for head, _ in row.cells]
    return not any(map(_TOLD_HEAD.search, heads)) and (
        any(map(_PLAN_HEAD.search, heads)) or _is_of_tasks(row)
    )


def _is_listed(clause: Clause, evidence: Sequence[EvidenceText]) -> bool:
    own = next((one for one in evidence if clause in one.clauses), None)
    return own is not None and _is_of_tasks(own)


def _is_of_tasks(one: EvidenceText) -> bool:
    return bool(_TO_DO.search(one.surroundings.rsplit("|", 1)[-1]))
