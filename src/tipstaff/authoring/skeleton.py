"""A synthesis to begin with, made of the documents' own sentences, each cited where it stands.

Nothing is made up and nothing is reworded, so that the first audit of a new bundle finds every
claim quoted. The author replaces it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from tipstaff.authoring.personal_data import personal_data_in
from tipstaff.authoring.secrets import secrets_in
from tipstaff.chunk.units import units
from tipstaff.citation.places import CitableDocument
from tipstaff.citation.resolution import resolve
from tipstaff.domain.citation import Citation, Passage
from tipstaff.domain.document import Unit, UnitKind
from tipstaff.facts.names import names
from tipstaff.facts.periods import outside_dates, periods
from tipstaff.facts.quantities import quantities

_MOST_SENTENCES = 3
_LEAST_WORDS, _MOST_CHARS = 5, 320
_SAID = (UnitKind.SENTENCE, UnitKind.LIST_ITEM, UnitKind.SEGMENT)
# A sentence that would end a mark, begin another or turn into structure is left to the author.
_UNSAFE = re.compile(r"\[\[|\]\]|[|`<>\x00-\x1f]|https?://")
_STARTS_BLOCK = re.compile(r"^(?:[#>|+*•·-]|\d+[.)]\s)")
_NOTE = (
    "<!-- A draft: each sentence below is quoted from the item that it cites. "
    "Say in your own words what the items come to, and keep the citations. -->"
)


def skeleton(
    title: str, titles: Mapping[str, str], documents: Mapping[str, CitableDocument]
) -> str:
    """Markdown; `titles` are those of the items, in their order."""
    parts = [f"# {_one_line(title)}", "", _NOTE, ""]
    for item_id, item_title in titles.items():
        parts += [f"## {_one_line(item_title)}", ""]
        chosen = telling_sentences(item_id, documents.get(item_id))
        parts += [f"- {text} {citation}" for text, citation in chosen]
        if not chosen:
            parts.append(f"<!-- Nothing is quoted from {item_id}: say what it is for. -->")
        parts.append("")
    return "\n".join(parts)


def telling_sentences(item_id: str, citable: CitableDocument | None) -> list[tuple[str, Citation]]:
    """How an item begins, and the sentences that state most, in their order."""
    if citable is None:
        return []
    usable = [unit for unit in units(item_id, citable.document) if _is_usable(unit)]
    by_weight = sorted(range(len(usable)), key=lambda at: (-_weight(usable[at].text), at))
    places = sorted({*range(min(1, len(usable))), *by_weight[: _MOST_SENTENCES - 1]})
    found = [
        (" ".join(usable[at].text.split()), Citation(item_id, usable[at].location)) for at in places
    ]
    return [pair for pair in found if _resolves(pair, {item_id: citable})]


def _resolves(pair: tuple[str, Citation], known: Mapping[str, CitableDocument]) -> bool:
    return isinstance(resolve(pair[1], known), Passage)


def _is_usable(unit: Unit) -> bool:
    text = " ".join(unit.text.split())
    if unit.kind not in _SAID or not len(text.split()) >= _LEAST_WORDS or len(text) > _MOST_CHARS:
        return False
    if _UNSAFE.search(text) or _STARTS_BLOCK.match(text) or text[-1] not in '.!?”"':
        return False
    # What the sender is warned of is not repeated.
    return not any(secrets_in(text)) and not any(personal_data_in(text))


def _weight(text: str) -> int:
    return 2 * len(outside_dates(quantities(text), text)) + len(names(text)) + len(periods(text))


def _one_line(title: str) -> str:
    return " ".join(re.sub(r"[\[\]#|`<>]", " ", title).split()) or "Untitled"


def readable_title(name: str, headings: Sequence[str]) -> str:
    """What a document calls itself, or its file name in words."""
    first = next((one.strip() for one in headings if 3 <= len(one.strip()) <= 120), "")
    words = re.sub(r"[_\-.]+", " ", name.rsplit("/", 1)[-1].rsplit(".", 1)[0]).strip()
    return first or (words[:1].upper() + words[1:]) or name
