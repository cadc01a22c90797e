"""A question into its aspects, by grammar (Enterprise §5.2.2, step 1).

"Compare A with B" asks about A, about B, and about their difference; "what is X and who did
Y" is two questions; "the revenue, margin and headcount of Z" is three.
"""

from __future__ import annotations

import re

from tipstaff.lexical.analysis import STOP_WORDS

_QUESTION_WORDS = (
    "(?:what|who|whom|whose|when|where|why|which|how|is|are|was|were|does|do|did|has|have|can|"
    "could|should|will)"
)
_NEW_QUESTION = re.compile(
    rf"(?:\?\s+|;\s*|,?\s+(?:and|or|but)\s+(?:also\s+)?(?={_QUESTION_WORDS}\b))", re.IGNORECASE
)
_COMPARISON = (
    re.compile(
        r"\bcompar(?:e|ing|ison of)\s+(?P<one>.+?)\s+(?:with|to|and|against|versus|vs\.?)\s+"
        r"(?P<two>.+)",
        re.IGNORECASE,
    ),
    re.compile(
        r"\bdiffer(?:ence|ences|s)?\s+(?:is there\s+)?between\s+(?P<one>.+?)\s+and\s+(?P<two>.+)",
        re.IGNORECASE,
    ),
    re.compile(
        r"\bhow\s+(?:does|do|did)\s+(?P<one>.+?)\s+(?:differ|deviate)\s+from\s+(?P<two>.+)",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?P<one>.+?)\s+(?:versus|vs\.?|compared (?:with|to)|relative to)\s+(?P<two>.+)",
        re.IGNORECASE,
    ),
)
_LIST = re.compile(
    r"(?P<before>.*?)(?P<list>(?:[\w%$€£'’/-]+(?:\s[\w%$€£'’/-]+){0,2},\s+)+"
    r"(?:[\w%$€£'’/-]+(?:\s[\w%$€£'’/-]+){0,2}\s+)?(?:and|or)\s+[\w%$€£'’/-]+(?:\s[\w%$€£'’/-]+)?)(?P<after>\s+(?:of|for|in|at|by|to|from|on)\b.*)?$",
    re.IGNORECASE,
)
_EDGES = " \t\n?.!,;:"
# No grammar takes apart what is longer: it is a text, and looking would take minutes.
_MAX_CHARS = 600


def aspects(query: str, *, limit: int) -> list[str]:
    """Distinct sub-queries, each on one aspect; just the query if it has only one."""
    found: list[str] = []
    for question in _NEW_QUESTION.split(" ".join(query.split())):
        question = question.strip(_EDGES)
        if len(question) > _MAX_CHARS:
            found.append(question)
        elif question:
            found += _comparison(question) or _listed(question) or [question]
    return [part for part in dict.fromkeys(found) if part.strip()][:limit]


def sub_queries(query: str, *, limit: int) -> list[str]:
    """Two or more sub-queries: the aspects, or else the question and what it is about."""
    found = aspects(query, limit=limit)
    if len(found) < 2:
        found = list(dict.fromkeys([*found, keywords(query)]))[: max(limit, 1)]
    return [part for part in found if part]


def keywords(query: str) -> str:
    """A query without the words that only make it a question."""
    words = re.findall(r"[^\s?!;:]+", query)
    telling = [word for word in words if word.lower().strip(_EDGES) not in STOP_WORDS]
    return " ".join(telling or words)


def _comparison(question: str) -> list[str]:
    for pattern in _COMPARISON:
        match = pattern.search(question)
        if match:
            one, two = match["one"].strip(_EDGES), match["two"].strip(_EDGES)
            one, two = _shared_subject(one, two)
            return [one, two, question]
    return []


def _shared_subject(one: str, two: str) -> tuple[str, str]:
    """ "revenue in Q3" with "Q4" means "revenue in Q4": what follows a preposition is replaced."""
    match = re.fullmatch(r"(?P<subject>.+?\s(?:in|of|for|at|on|by|during)\s)(?P<rest>.+)", one)
    if match and len(two.split()) <= 3 and " " not in two.strip():
        return one, match["subject"] + two
    match = re.fullmatch(r"(?P<rest>.+?)(?P<subject>\s(?:in|of|for|at|on|by|during)\s.+)", two)
    if match and len(one.split()) <= 3:
        return one + match["subject"], two
    return one, two


def _listed(question: str) -> list[str]:
    match = _LIST.fullmatch(question)
    if not match:
        return []
    parts = re.split(r",\s+(?:and\s+|or\s+)?|\s+(?:and|or)\s+", match["list"])
    after = match["after"] or ""
    head = re.search(r"(?:^|\s)(the|of|on|about|for)\s*$", match["before"])
    lead = match["before"] if head or not match["before"] else match["before"] + " "
    return [f"{lead}{part}{after}".strip() for part in parts if part]
