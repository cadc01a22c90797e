"""How far a denial reaches: over the words behind it in its clause, and not over what it is of.

"The cables are not part of the scope" denies that they are part of it, and nothing else of the
cables.
"""

from __future__ import annotations

import re

from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.clauses import DENIAL, Clause
from tipstaff.verify.synonyms import is_known

# What a question asks for is said all the same: "without telling us".
_SMALL = STOP_WORDS - frozenset(("tell", "please"))
_ANSWERS_NO = re.compile(r"\b(?:said|says|say|voted|answered|replied) no$", re.IGNORECASE)
_GOES_ON = re.compile(r"[\s-]+\w")
# Who denies these denies whatever else could be said of it.
_ANYTHING = frozenset(
    terms("change changed changes alter altered vary varied happen happened apply applied applies "
          "occur occurred exist existed case so done do true")
)  # fmt: skip


def denied_words(clause: Clause) -> frozenset[str]:
    """The telling words that a clause denies: all of them, where nothing stands behind the denial
    ("single guests do not") or the clause only hangs on one."""
    first = DENIAL.search(clause.text)
    if first is not None and _ANSWERS_NO.search(clause.text[: first.end()]):
        # Who says no is counted, and denies nothing of the others.
        return frozenset()
    if first is None or not _GOES_ON.match(clause.text, first.end()):
        return clause.terms - STOP_WORDS
    behind = frozenset(terms(clause.text[first.end() :])) - _SMALL
    return behind if behind - _ANYTHING else clause.terms - STOP_WORDS


def hangs_on_denial(clause: Clause) -> bool:
    """Whether a clause is denied by what stands before it."""
    return clause.denied and DENIAL.search(clause.text) is None


def reaches(clause: Clause, said: frozenset[str]) -> bool:
    """Whether a clause denies any of the words of a statement, or all that could be said."""
    first = DENIAL.search(clause.text)
    if first is not None and _ANYTHING.issuperset(terms(clause.text[first.end() :])):
        return True
    return any(is_known(word, said) for word in denied_words(clause))
