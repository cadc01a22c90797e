"""What a drafted sentence may not carry along: broken marks, links and code of pages.

A mark that is not whole cites nothing and is taken out. A link that the evidence does not have is
a way out of the bundle, and its sentence is withheld (TIP §3.4).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from tipstaff.verify.checked_sentence import CitedEvidence

# What is left of a mark: open to the end, closed by half, in another alphabet's brackets.
_BROKEN = re.compile(
    r"`?\[{1,3}\s?\[?[\w.-]+(?::[\w.:§ -]*)?(?:[|,][^\[\]]*)?\]{0,3}`?(?=[\s.,;!?]|$)|"
    r"\[\[[^\[\]]*\]{0,2}|\[\[?$|[\w.-]+:[\w.:-]+\]\]|\]\]|\[\[|"
    r"[【〔［][^】〕］\n]*[】〕］]|&#91;&#91;.*?&#93;&#93;"
)
_NEARLY_MARK = re.compile(
    r"(?<![\[`\w])\[{1,2}([\w.-]+:[a-zA-Z]{0,8}\d[\w.:-]*)\]{0,2}(?=[\s.,;!?)]|$)"
)
_LINK = re.compile(
    r"https?://[^\s)>\]\"']+|\bwww\.[^\s)>\]\"']+|\b(?:javascript|data|mailto|file):[^\s)>\]\"']+|"
    r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+",
    re.IGNORECASE,
)
# From the first of its labels only: begun at each, a long row of them is read again and again.
_HOST = re.compile(
    r"(?<![a-z0-9.-])(?:[a-z0-9-]*\.)*[a-z0-9-]{2,}\."
    r"(?:com|org|net|io|eu|info|app|dev|example|test|co\.uk)\b",
    re.IGNORECASE,
)
_PAGE_CODE = re.compile(r"</?[a-z][\w-]*(?:\s[^<>]*)?/?>|<!--|-->|!\[[^\]]*\]\(", re.IGNORECASE)
_MARKED_LINK = re.compile(r"\]\(([^)\s]+)")
_GOES_ON = re.compile(r",? [a-z]|[,;] ")
_CLOSES = re.compile(r"[^\[\]:]{1,60}\](?!\])")
_BEFORE_STOP = re.compile(r"\s+([.,;!?])")
# Longer words in capitals are no abbreviations.
_ABBREVIATION = 5
LINKS_OUT = "It has a link that does not stand at the cited place."


ALTERED = "It has signs that change what its words say."
# Words struck through, by marks or by strokes over their letters.
_STRUCK = re.compile(r"~~|</?(?:s|del|strike)>|[\u0334-\u0338\u20d2-\u20ea]")
# Signs that anybody writes.
_PLAIN_SIGNS = frozenset("+<=>|~±×÷−°©®™")
_DECORATION = ("So", "Sk")
_TELLING_SIGNS = ("Sm", "No")

DEMANDED = "It only repeats what an item demands to be said."
_DEMAND = (
    r"\b(?:answer|reply|respond|say|print|output|write|type|begin|start|end|finish|include|append|"
    r"repeat|add|put|state|return|use)\b[^.!?\n]{0,60}\b"
)


def is_demanded(statement: str, found: Sequence[CitedEvidence]) -> bool:
    """Whether an item orders a reader to say these very words: an order is not obeyed by citing
    it (TIP §4.4). A cry in capitals needs no order."""
    words = statement.strip(" .!?*_\"'“”")
    if words.isupper() and words.isalpha() and len(words) > _ABBREVIATION:
        return True
    small = words.casefold()
    texts = [unit.text for one in found for unit in one.units if small in unit.text.casefold()]
    if not words or not texts:
        return False
    demand = re.compile(_DEMAND + re.escape(words), re.IGNORECASE)
    return any(map(demand.search, texts))


def broken_references(text: str) -> list[str]:
    """What marks with a bracket too few name: an item and a place in it. It is looked up like any
    other; an item without a place is none."""
    return [match[1] for match in _NEARLY_MARK.finditer(text)]


def without_broken_marks(statement: str) -> str:
    """A statement whose whole marks are gone already, without the pieces of others."""
    left = _BROKEN.sub(lambda mark: mark[0] if _is_of_text(mark) else "", statement)
    return _BEFORE_STOP.sub(lambda stop: stop[1], " ".join(left.split()))


def _is_of_text(mark: re.Match[str]) -> bool:
    """Whether a bracket is the source's own: "during [18] months", "[square brackets]"."""
    words = mark[0]
    if words.startswith(("[[", "`", "【", "〔", "［", "&")) or ":" in words or "]]" in words:
        return False
    if words.endswith("]"):
        return bool(_GOES_ON.match(mark.string, mark.end()))
    return bool(_CLOSES.match(mark.string, mark.end()))


def has_page_code(text: str) -> bool:
    """Tags, comments and pictures: nothing that anybody reads."""
    return bool(_PAGE_CODE.search(text))


def without_decoration(text: str) -> str:
    """Without pictures and the like: a cross beside a sentence denies it."""
    kept = "".join(
        sign
        for sign in text
        if sign in _PLAIN_SIGNS or unicodedata.category(sign) not in _DECORATION
    )
    return text if kept == text else " ".join(kept.replace("\ufe0f", "").split())


def alters_words(text: str, evidence: Iterable[str]) -> bool:
    """Whether signs that the evidence does not have turn words round: "is ~~not~~ due", "½" behind
    a sum."""
    if _STRUCK.search(text):
        return True
    signs = {
        sign
        for sign in text
        if not sign.isascii()
        and sign not in _PLAIN_SIGNS
        and unicodedata.category(sign) in _TELLING_SIGNS
    }
    return bool(signs) and not signs.issubset("".join(evidence))


def names_address(text: str) -> bool:
    """Whether a text has a link, or the bare name of a host."""
    return bool(_LINK.search(text) or _HOST.search(text))


def links_out(text: str, evidence: Iterable[str]) -> bool:
    """Whether a text has an address that no piece of the evidence has."""
    found = [*_LINK.findall(text), *_MARKED_LINK.findall(text)]
    if not found:
        return False
    known = "\n".join(evidence)
    return any(link.rstrip(".,;") not in known for link in found)
