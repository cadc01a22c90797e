"""Whether a statement affirms what the evidence denies, or denies what it affirms.

Only the clauses that the statement's words come from count: what else is denied in the sentence
is another matter.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.clauses import DENIAL, LACK, Clause, clauses
from tipstaff.verify.denied_words import denied_words, hangs_on_denial, reaches
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.exchanges import LIGHT
from tipstaff.verify.measures import unit_terms
from tipstaff.verify.statement import Statement
from tipstaff.verify.synonyms import is_form, is_known
from tipstaff.verify.verbs import verbs_of

# Words that tell little, and yet may be what is denied: "I do not have a figure".
_THINGS = frozenset(
    terms(
        "figure value table section document item amount total complain complained ask asked "
        "argue argued reply replied explain explained write wrote add added call called"
    )
)

# "Nobody could say" is what was, like "could not".
_SUPPOSES = re.compile(
    # Who "would advise" does.
    r"\b(?:would(?! (?:still |also |rather )?"
    r"(?:advise|recommend|suggest|prefer|propose|urge|argue))|"
    r"might|(?<!nobody )(?<!no one )(?<!none )could(?! not))\b",
    re.IGNORECASE,
)
_STAYS = re.compile(
    r"\b(?:stay|remain|keep|continue)(?:s|ed)?\b|\b(?:kept|same|still)\b", re.IGNORECASE
)
_NO_CHANGE = re.compile(r"\b(?:no|not(?: be)?) (?:change[sd]?|alter\w*|vary|varied)\b", re.I)
_CELL = re.compile(r"[^:]{1,40}: (?:\w+[ ,-]+){3}")
_ZERO = re.compile(r": 0(?:\.0+)?(?: [a-z%]+)?$")
_UNCHANGED = re.compile(r"\bunchanged\b", re.IGNORECASE)
# "Not before" and "nobody until" say when.
_UNTIL = re.compile(
    r"\b(?:not|nobody|nothing|never|no one|none)\b[^.;]*?\b(?:until|before)\b|"
    r"n['’]t\b[^.;]*?\b(?:until|before)\b",
    re.IGNORECASE,
)
_IF_NOT = re.compile(
    r"\b(?:if|unless|should|in case|where)\b[^,.;]*?"
    r"(?:\b(?:not|no|never|without)\b|n['’]t\b)[^,.;]*",
    re.IGNORECASE,
)
_TURNED_DOWN = re.compile(
    r"\b(?:reject(?:ed|s)?|refus(?:ed|es?)|declin(?:ed|es)|withdrawn|cancell?ed|deferred|postponed|"
    r"put off|waived|called off)\b",
    re.IGNORECASE,
)
_UNLESS = re.compile(r"\bunless\b", re.IGNORECASE)
_RIGHT_BEHIND = re.compile(
    r"(?:\b(?:not|never|without|neither|cannot)\b|n['’]t\b)"
    r"(?: (?:being|been|be|yet|have|having|to|so|a|an|the))* "
    r"(?P<word>(?!exceed)[a-z]+(?:ed|nd|ing|wn|en))\b",
    re.IGNORECASE,
)
_WITHOUT = re.compile(
    r"\bwithout (?:any |further |additional |extra |more |separate |prior )*(?P<word>[a-z]{3,})",
    re.IGNORECASE,
)
_DENIED_VERB = re.compile(
    r"\b(?:does|do|did|will|would|can|could|may|must|has|have|had|is|are|was|were)"
    r"(?: not|n['’]t)(?: (?:be|been|have|yet|also|even))* (?P<verb>[a-z]+)\b",
    re.IGNORECASE,
)
_GOVERNED = re.compile(
    r"(?:\b(?:not|never|without)|n['’]t)(?: (?:an?|the|any|yet|ha[sd]|have|be|been|being|in|on|"
    r"at|for|by|with|during|from))* (\w+)",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.;!?])\s+|\n")
_WHEN = re.compile(r"^\W*(?:when|if|once|where|should|in case)\b[^,]*,\s*", re.IGNORECASE)
_RELATIVE = re.compile(r"(?<![\w’'-])(?:[\w’'-]+ ){1,3}[\w’'-]+, (?:which|who) [^.;,]+")
_REPORTING = re.compile(
    r"^[^.;,:]{2,60}?\b(?:said|says|reported|reports|noted|confirmed|explained|answered|wrote|added|"
    r"told \w+(?: \w+)?)(?: that)? ",
    re.IGNORECASE,
)
# Who said that it would start said that it will.
_WOULD_THEN = re.compile(
    r"\b(?:said|says|reported|announced|told|wrote|explained|confirmed|added|promised|agreed)\b"
    r"(?![^.;]{0,120}\bif\b)[^.;]{0,80}\bwould\b|\bwould like\b",
    re.IGNORECASE,
)
# What is asked is not said.
_ASKS = re.compile(r"\bwhether\b", re.IGNORECASE)
# So much of the words of a unit and a statement is common to them if one copies the other.
_COPIED = 0.85
_MODALS = frozenset(terms("may shall must can will should"))
_NEARLY_ALL = 4
_NAMING_SHARE = 1 / 3
# Shorter words have other words behind such a beginning: "form" and "inform".
_PREFIXED = 5
_SAYS_FALSE = re.compile(r"(?<![\w-])(?:false|off|disabled|null|zero)(?![\w-])", re.IGNORECASE)
_HEDGES = re.compile(
    r"\b(?:would|could|may|might|can|will|shall|should|must|if|unless|expect\w*|plan\w*|propos\w*|"
    r"suggest\w*|intend\w*|offer\w*|asks?|asked|wants?|wish\w*|possib\w*|likely|estimat\w*|"
    r"recommend\w*|rather|whether|wonder\w*|questions?|prefer\w*|accept\w*|promis\w*|hypothe\w*|needs?)\b",
    re.IGNORECASE,
)


def covering(words: Collection[str], evidence: Sequence[EvidenceText]) -> list[Clause]:
    """The fewest clauses that have all of these words that any has, nearest first; headings only
    for words that nothing else has."""
    left, every = set(words), frozenset(words)
    chosen: list[Clause] = []
    own = [clause for one in evidence for clause in one.clauses]
    around = [clause for one in evidence for clause in one.heading_clauses]
    for some in (own, around):
        while left:
            best = max(
                some,
                key=lambda clause: (len(clause.terms & left), len(clause.terms & every)),
                default=None,
            )
            if best is None or not best.terms & left:
                break
            chosen.append(best)
            left -= best.terms
    return chosen


def nearest_covering(statement: Statement, evidence: Sequence[EvidenceText]) -> list[Clause]:
    """The same; of clauses that have as much, the one in the unit that has more."""
    return _covering_nearest(statement.words, evidence)


def _covering_nearest(words: Collection[str], evidence: Sequence[EvidenceText]) -> list[Clause]:
    own = frozenset(words)
    return covering(own, sorted(evidence, key=lambda one: -len(one.own_terms & own)))


def contradicted(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """Whether a denial stands on one side only, in the clauses that the statement comes from."""
    if _is_condition(statement, evidence):
        return False
    wanted = set(statement.words) | (_THINGS & set(terms(statement.plain)))
    # The clause that has the figure is the one that is retold.
    wanted |= {term for one in statement.figures for term in terms(one.text)}
    if any(one.is_row for one in evidence):
        # In a table the name picks the column, and with it the "No" under it.
        wanted |= {term for name in statement.names for term in terms(name)}
        wanted |= {term for term in terms(statement.plain) if term not in STOP_WORDS}
    if denied_outright(statement, evidence) or _affirms_opposite(statement, evidence):
        return True
    if _denies_affirmed_verb(statement, evidence) or _decides_against(statement, evidence):
        return True
    if statement.denies and any(
        f"un{word}" in one.own_terms for one in evidence for word in statement.words
    ):
        # "Not certain" is "uncertain".
        return False
    chosen = _chosen(statement, wanted, evidence)
    chosen += [clause for one in evidence for clause in one.state_clauses]
    if _denies_copy(statement, evidence) or _denies_otherwise(statement, evidence):
        return True
    affirms = not any(DENIAL.search(one.text) for one in evidence)
    return _contradicts(statement, chosen, evidence, affirms=affirms)


def _affirms_opposite(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """ "Certain" where the evidence only has "uncertain", and nothing else that says it."""
    if statement.denies or statement.lacks:
        return False
    known = frozenset().union(*(one.own_terms for one in evidence))
    return any(
        any(f"{prefix}{word}" in known for prefix in ("un", "in", "im", "ir", "non", "dis"))
        and not any(word in one.terms for one in evidence)
        and not is_form(word, known)
        for word in statement.words
        if len(word) >= _PREFIXED
    )


def _decides_against(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """Whether something is said to have been put off or turned down, and nothing there is."""
    said = _TURNED_DOWN.search(statement.plain)
    if said is None or statement.denies:
        return False
    known = frozenset().union(*(one.terms for one in evidence))
    if any(is_form(term, known) for term in terms(said.group())):
        return False
    return not any(clause.denied or clause.lacks for one in evidence for clause in one.clauses)


def _is_condition(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """Whether all that a statement denies is what it supposes ("if the third is not clean"), and
    the evidence supposes so, too; or is "not until", which is when."""
    denials = [match.start() for match in DENIAL.finditer(statement.plain)]
    told = " ".join(one.text for one in evidence)
    if not denials:
        # "Unless it is signed" is "if it is not signed".
        return bool(_UNLESS.search(statement.plain)) and len(DENIAL.findall(told)) == len(
            _IF_NOT.findall(told)
        )
    if all(
        any(m.start() <= at < m.end() for m in _UNTIL.finditer(statement.plain)) for at in denials
    ):
        return bool(statement.times) and not DENIAL.search(told)
    supposed = [match.span() for match in _IF_NOT.finditer(statement.plain)]
    return bool(_IF_NOT.search(told) or _UNLESS.search(told)) and all(
        any(start <= at < end for start, end in supposed) for at in denials
    )


def _denies_affirmed_verb(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """Whether a verb is denied that every clause which has it affirms: "does not confirm", and
    "do not publish it; the laboratory confirms it"."""
    if any(one.is_row for one in evidence):
        return False
    clauses = [clause for one in evidence for clause in one.clauses]
    told = " ".join(one.text for one in evidence)
    if_not = [match.span() for match in _IF_NOT.finditer(statement.plain) if _IF_NOT.search(told)]
    for match in _DENIED_VERB.finditer(statement.plain):
        if any(start <= match.start() < end for start, end in if_not):
            # "If it is not accepted" may be "if it is not".
            continue
        for verb in set(terms(match["verb"])) - LIGHT - STOP_WORDS:
            having = [clause for clause in clauses if verb in clause.terms]
            if having and not any(one.denied or one.lacks for one in having):
                return True
    return False


def denied_outright(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """Whether a word is affirmed that the evidence has only right behind a denial: "without being
    bound to do so"."""
    if statement.denies or statement.lacks or any(one.is_row for one in evidence):
        return False
    if _denied_by_nearest(statement, evidence):
        return True
    said = set(statement.words) - LIGHT
    for one in evidence:
        denied = {
            term
            for match in _RIGHT_BEHIND.finditer(one.text)
            for term in terms(match["word"])
            if term in said
        }
        denied |= {
            word
            for match in _WITHOUT.finditer(one.text)
            for word in said
            if is_known(word, terms(match["word"])) or _is_made_of(match["word"], word)
        }
        for term in denied:
            free = _WITHOUT.sub(" ", _RIGHT_BEHIND.sub(" ", one.text))
            others = [free, *(other.text for other in evidence if other is not one)]
            if not any(term in terms(text) for text in others):
                return True
    return False


def _is_made_of(noun: str, verb: str) -> bool:
    """A payment is what is paid."""
    return noun.lower() in (f"{verb}ment", f"{verb}ments", f"{verb}ing", f"{verb}ance")


def _denied_by_nearest(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """Whether the one sentence that has more of a statement than any other denies its verb: "it
    is called when … . It is not called when …"."""
    own = frozenset(statement.words) | (_THINGS & set(terms(statement.plain)))
    scored = sorted(
        (
            (len(own & set(terms(sentence))), sentence)
            for one in evidence
            for sentence in _SENTENCE.split(one.text)
        ),
        reverse=True,
    )
    if not scored or (len(scored) > 1 and scored[0][0] == scored[1][0]):
        return False
    share, nearest = scored[0]
    behind = {term for match in _RIGHT_BEHIND.finditer(nearest) for term in terms(match["word"])}
    if 2 * share >= len(own) and not behind.isdisjoint(verbs_of(statement.plain)):
        # However common its verb: what is "not included" is not included.
        return True
    return share >= _COPIED * len(own) and not own.isdisjoint(behind)


def _denies_copy(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """Whether a statement has all the words of a unit and another number of denials."""
    own = frozenset(terms(statement.plain)) - STOP_WORDS - _MODALS
    denials = len(DENIAL.findall(statement.plain))
    return any(
        len(own & one.own_terms)
        >= _COPIED
        * len(
            own | {word for word in one.sequence if word not in _MODALS and not word[0].isdigit()}
        )
        and sum(
            len(DENIAL.findall(clause.text))
            for clause in one.clauses
            if (clause.terms & own and reaches(clause, own)) or clause.terms <= STOP_WORDS
        )
        != denials
        for one in evidence
        if not one.is_row
    )


def _denies_otherwise(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """Whether one clause has all that a statement has, and both deny, but not equally often: "may
    assign it without consent", and "may not assign it without consent"."""
    words = frozenset(statement.words)
    denials = len(DENIAL.findall(statement.plain))
    if not denials or len(words) < _NEARLY_ALL or len(statement.clauses) > 1:
        return False
    having = [
        len(DENIAL.findall(clause.text))
        for one in evidence
        if not one.is_row
        for clause in one.clauses
        if words <= clause.terms and clause.denied
    ]
    return bool(having) and all((count - denials) % 2 for count in having)


def is_copy(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """Whether a statement is a unit, word by word."""
    said = terms(statement.plain)
    return any(said in (terms(one.text), terms(_REPORTING.sub("", one.text))) for one in evidence)


def _chosen(
    statement: Statement, wanted: Collection[str], evidence: Sequence[EvidenceText]
) -> list[Clause]:
    """The clauses that a statement comes from; if it denies nothing, without those that were chosen
    for words that any report is written with."""
    if statement.denies:
        return _covering_nearest(wanted, evidence)
    chosen = covering(wanted, evidence)
    left = set(wanted)
    # In a table one word is a column, and its denial with it.
    rows = any(one.is_row for one in evidence)
    said = frozenset(terms(statement.plain))
    kept: list[Clause] = []
    for clause in chosen:
        new = frozenset(clause.terms & left)
        if kept and not rows and _only_names(new, clause, kept[0], wanted, evidence):
            left -= clause.terms
            continue
        # Beside a clause that has nearly all, one word of another does not bring its denial along.
        stray = not rows and len(new) == 1 and len(set(wanted) - left) >= _NEARLY_ALL
        stray = stray and not _governs(clause, new)
        # However common a word: a column that says no is not passed over.
        light = LIGHT.issuperset(new) and not (rows and clause.denied)
        # Of "deduction or set-off" the second hangs on the denial of the first.
        light = light and not (hangs_on_denial(clause) and denied_words(clause) <= said)
        if not kept or not (stray or light):
            kept.append(clause)
        left -= clause.terms
    return kept


def _only_names(
    new: frozenset[str],
    clause: Clause,
    first: Clause,
    wanted: Collection[str],
    evidence: Sequence[EvidenceText],
) -> bool:
    """Whether a clause of another sentence only says what the retold one speaks of: "they exclude
    contractors. There were 41 contractors"."""
    beside = not any(first in one.clauses and clause in one.clauses for one in evidence)
    if not beside or len(new) > _NAMING_SHARE * len(set(wanted)):
        return False
    return not _governs(clause, new)


def _governs(clause: Clause, words: frozenset[str]) -> bool:
    """Whether a denial is of these words: "not an approval" is of the approval, "may not exceed the
    charge" is of no charge."""
    return any(not words.isdisjoint(terms(match[1])) for match in _GOVERNED.finditer(clause.text))


def _denies_the_same(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """Whether some clause denies what the statement does: "not yet known", and "we do not know"."""
    own = [denied_words(one) for one in statement.clauses if one.denied]
    told = frozenset().union(
        *(denied_words(one) for unit in evidence for one in unit.clauses if one.denied),
        # A header may deny: `second_visit_after_no_access_days`.
        *(
            denied_words(one)
            for unit in evidence
            for head, _ in unit.cells
            for one in clauses(head)
            if one.denied
        ),
    )
    return bool(own) and all(any(is_known(word, told) for word in words) for words in own)


def _says_beside(statement: Statement, unit: EvidenceText) -> bool:
    """Whether a statement says of something only what a relative clause says of it: "not before the
    timetable, which starts on 2 November"."""
    said = set(statement.words)
    return bool(said) and any(
        said <= set(terms(match[0])) and not DENIAL.search(match[0])
        for match in _RELATIVE.finditer(unit.text)
    )


def _does_else(statement: Statement, denied: Clause, evidence: Sequence[EvidenceText]) -> bool:
    """Whether what is denied is only what a statement speaks of, and what it says of it is
    affirmed beside that: "she does not want the menu back, which was removed"."""
    if any(_says_beside(statement, unit) for unit in evidence if denied in unit.clauses):
        return True
    verbs = verbs_of(statement.plain) - LIGHT
    if not verbs or any(one.is_row for one in evidence) or not verbs.isdisjoint(denied.terms):
        return False
    affirmed = [
        one for unit in evidence if denied in unit.clauses for one in unit.clauses if not one.denied
    ]
    return all(any(verb in one.terms for one in affirmed) for verb in verbs)


def _contradicts(
    statement: Statement,
    chosen: Sequence[Clause],
    evidence: Sequence[EvidenceText],
    *,
    affirms: bool,
) -> bool:
    """`affirms` says that the evidence denies nothing by grammar."""
    chosen = [
        one
        for one in chosen
        if not _is_no_change(statement, one) and not _denies_other(statement, one)
    ]
    if statement.denies:
        denied = any(clause.denied for clause in chosen) or _denies_the_same(statement, evidence)
    else:
        said = frozenset(terms(statement.plain)) - STOP_WORDS
        denied = any(
            reaches(clause, said) and not _does_else(statement, clause, evidence)
            for clause in chosen
            if clause.denied
        )
    if statement.denies and any(_ZERO.search(clause.text) for clause in chosen):
        # "cancelled: 0" says that none was.
        return False
    lacking = [
        clause
        for clause in chosen
        if clause.lacks and not _stays(statement, clause) and not _ASKS.search(clause.text)
    ]
    if statement.denies:
        if affirms:
            lacking = [clause for clause in lacking if _is_of_denied(statement, clause)]
    else:
        # A clause that only has its figure, or words of any report, is another's.
        telling = {term for name in statement.names for term in terms(name)}
        telling |= set(statement.words) - LIGHT
        lacking = [clause for clause in lacking if clause.terms & telling]
    lacks = bool(lacking)
    if statement.denies:
        # What was skipped was not done; what "was not skipped" was.
        stopped = any(clause.lacks and not clause.denied for clause in statement.clauses)
        return not denied and (not lacks or (statement.lacks and not stopped))
    if denied:
        # "Nobody may" and "it is forbidden" are one thing; a "stop" that both name is no denial.
        return not _lacks_beyond(statement, chosen) and not _says_false(statement, chosen)
    return lacks and not statement.lacks


def _lacks_beyond(statement: Statement, chosen: Sequence[Clause]) -> bool:
    """Whether a statement denies by a word that the clauses which deny do not have."""
    told = frozenset().union(*(clause.terms for clause in chosen if clause.denied))
    return any(not told.issuperset(terms(one[0])) for one in LACK.finditer(statement.plain))


def _says_false(statement: Statement, chosen: Sequence[Clause]) -> bool:
    """Whether a statement says that a setting is off. In "may be switched off" off is what may be
    done, if the setting is called so."""
    heads = {
        word.lower()
        for clause in chosen
        if clause.denied
        for word in _SAYS_FALSE.findall(clause.text.rsplit(":", 1)[0])
    }
    return any(word.lower() not in heads for word in _SAYS_FALSE.findall(statement.plain))


def _is_of_denied(statement: Statement, clause: Clause) -> bool:
    """Whether a clause that lacks something speaks of what a statement denies."""
    told = {term for term in clause.terms if not term[:1].isdigit()} - STOP_WORDS - unit_terms()
    return any(
        not told.isdisjoint(one.terms) for one in statement.clauses if one.denied or one.lacks
    )


def _denies_other(statement: Statement, clause: Clause) -> bool:
    """Whether a cell with words of its own denies what the statement does not speak of: "report
    not received" beside the day on which it is due."""
    if statement.denies or not clause.denied or not _CELL.match(clause.text):
        return False
    governed = [terms(match[1]) for match in _GOVERNED.finditer(clause.text)]
    said = frozenset(terms(statement.plain))
    return bool(governed) and all(said.isdisjoint(own) for own in governed)


def _is_no_change(statement: Statement, clause: Clause) -> bool:
    """Whether all that a clause denies is a change, and the statement says that it stays so."""
    if not clause.denied or not _STAYS.search(statement.plain):
        return False
    return not DENIAL.search(_NO_CHANGE.sub(" ", clause.text))


def _stays(statement: Statement, clause: Clause) -> bool:
    """Whether all that a clause lacks is a change, and the statement says that it stays so."""
    if not _STAYS.search(statement.plain) or not _UNCHANGED.search(clause.text):
        return False
    return not LACK.search(_UNCHANGED.sub(" ", clause.text))


def supposed(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """Whether what "would cost" or "might be" is said to do or to be."""
    if _HEDGES.search(statement.plain):
        return False
    # What a statement supposes itself may be supposed there.
    stated = set(terms(_WHEN.sub("", statement.plain))).intersection(statement.words)
    chosen = _covering_nearest(stated or statement.words, evidence)
    if len(chosen) == 1 and _ASKS.search(chosen[0].text):
        return True
    return any(
        _SUPPOSES.search(clause.text) and not _WOULD_THEN.search(clause.text)
        for clause in chosen[:1]
    )
