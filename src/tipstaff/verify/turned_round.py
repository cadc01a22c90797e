"""Why the same words say something else at the cited place, or say less."""

from __future__ import annotations

import re

from tipstaff.verify.agreed_forms import in_agreed_forms
from tipstaff.verify.asked import affirms_refused_question
from tipstaff.verify.bounds import bound_turned
from tipstaff.verify.denials import contradicted
from tipstaff.verify.directions import compares_unsaid, opposed
from tipstaff.verify.modality import (
    drops_condition,
    forbids_permitted,
    is_only_planned,
    permits_forbidden,
)
from tipstaff.verify.moves import moves_against, moves_wrongly_in_row, moves_wrongly_to
from tipstaff.verify.outright import is_copy
from tipstaff.verify.overstated import nearest_of, overstates
from tipstaff.verify.plainly_other import says_otherwise
from tipstaff.verify.quantifiers import reasons_unsaid, says_more
from tipstaff.verify.reasons import (
    DENIED,
    FEW_WORDS,
    MISPLACED,
    OPPOSED,
    PLANNED,
    SUPPOSED,
    UNCONDITIONAL,
)
from tipstaff.verify.recurring import counts_otherwise, recurs_otherwise
from tipstaff.verify.sequences import cause_exchanged, contrast_exchanged, order_exchanged
from tipstaff.verify.set_against import (
    are_set_against,
    is_beyond_wrongly,
    is_difference,
    is_only_promised,
)
from tipstaff.verify.set_forms import (
    is_signed_by,
    is_switched_otherwise,
)
from tipstaff.verify.source_clauses import nearest_covering
from tipstaff.verify.statement import Statement
from tipstaff.verify.subjects import subject_exchanged
from tipstaff.verify.suppositions import supposed
from tipstaff.verify.unreal import is_unreal
from tipstaff.verify.windows import Window

_IS_DONE = re.compile(
    r"\b(?:is|are|was|were|been) (?:now |already |all )?(?:done|completed?|finished|closed|"
    r"resolved|fixed|settled)\b",
    re.IGNORECASE,
)
_IS_OPEN = re.compile(
    r"\W*(?:open|pending|in progress|ongoing|not (?:done|started|yet)|to ?do|outstanding|planned|"
    r"overdue|started|waiting)\b",
    re.IGNORECASE,
)


_SAYS_OPEN = re.compile(
    r"\b(?:is|are|was|were|remain(?:s|ed)?) (?:\w+ )?(?:on order|open|pending|outstanding|ongoing|"
    r"in progress|under way|active)\b",
    re.IGNORECASE,
)
_IS_ENDED = re.compile(
    r"\W*(?:refused|rejected|cancelled|canceled|withdrawn|closed|declined|denied)\b", re.IGNORECASE
)


# "Had been trained", "have moved": what is planned, ordered or waited for has not.
_HAS_DONE = re.compile(
    r"\b(?:has|have|had) (?:(?!not\b|yet\b)\w+ly )?(?:now |already |all |since |both )?(?:been )?"
    r"(?P<verb>\w{2,}ed|gone|done|taken|given|made|built|sent|held|paid|put|set|met|begun|written|"
    r"drawn|bought|sold|left|come)\b",
    re.IGNORECASE,
)
_IS_OWED = re.compile(
    r"\b(?:due|assigned|asked|requested|agreed|planned|scheduled|expected|proposed|promised|"
    r"ordered|listed|named|until|unless|if|would|should|not|no)\b",
    re.IGNORECASE,
)


def _is_open(statement: Statement, window: Window) -> bool:
    """Whether a row is still open that is said to be done, or has ended that is said to be open."""
    states = [words for one in window.units for words in one.states]
    if not states or statement.denies:
        return False
    if _SAYS_OPEN.search(statement.plain) and all(map(_IS_ENDED.match, states)):
        # It was on order, and was refused.
        return True
    if not all(map(_IS_OPEN.match, states)):
        return False
    done = _HAS_DONE.search(statement.plain)
    return bool(_IS_DONE.search(statement.plain)) or (
        done is not None and not _IS_OWED.search(statement.plain)
    )


def turned_round(statement: Statement, window: Window) -> str:
    """Why the same words say something else there, or nothing."""
    if statement.quotes and len(statement.words) <= FEW_WORDS:
        return ""
    if is_copy(statement, window.units):
        return ""
    own = [one.affirmed for one in window.units]
    if bound_turned(statement.plain, own):
        return _said_too_much(statement, window)
    if contradicted(*in_agreed_forms(statement, window.units)) or affirms_refused_question(
        statement, window.units
    ):
        return DENIED
    if (
        is_switched_otherwise(statement, window.units)
        or _is_open(statement, window)
        or forbids_permitted(statement.plain, window.units)
        or permits_forbidden(statement.plain, window.units)
    ):
        return DENIED
    if opposed(statement.plain, window.units) and not is_signed_by(statement.plain, window.units):
        return OPPOSED
    if not statement.denies and moves_against(statement.directions, "\n".join(own)):
        return OPPOSED
    nearest = nearest_of(statement, window.units).text
    if moves_wrongly_in_row(statement.plain, window.units):
        return OPPOSED
    if says_otherwise(statement, window.units):
        return OPPOSED
    if recurs_otherwise(statement.plain, nearest, window.told) or counts_otherwise(
        statement.plain, nearest
    ):
        return OPPOSED
    if moves_wrongly_to(statement.plain, own) or is_beyond_wrongly(statement, window.units):
        return OPPOSED
    return _said_too_much(statement, window)


def _said_too_much(statement: Statement, window: Window) -> str:
    """Why a statement says more than the cited words, which have all of its own, or nothing."""
    plain, units = statement.plain, window.units
    if supposed(statement, units):
        return SUPPOSED
    nearest = nearest_covering(statement, units)
    if (
        is_only_planned(statement, nearest, units)
        or is_only_promised(statement, units)
        or is_unreal(statement, units)
    ):
        return PLANNED
    if drops_condition(statement, units):
        return UNCONDITIONAL
    if subject_exchanged(statement, units):
        return MISPLACED
    if overstates(statement, units):
        return "The cited words do not say so much."
    if cause_exchanged(plain, units) or order_exchanged(plain, units):
        return OPPOSED
    if contrast_exchanged(plain, units):
        return OPPOSED
    compared = are_set_against(statement, units) or any(
        is_difference(figure, statement) for figure in statement.figures
    )
    if compares_unsaid(plain, window.told) and not compared:
        return "The cited words compare nothing so."
    if says_more(plain, [*units, *window.paragraph]):
        return "The cited words do not say it of all, or not of this only."
    if reasons_unsaid(plain, window.told):
        return "The cited words give no such reason."
    return ""
