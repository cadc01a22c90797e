"""Documents of a bundle → warnings of secrets and personal data, each with its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from tipstaff.authoring.personal_data import personal_data_in
from tipstaff.authoring.recognised import Recognised, masked
from tipstaff.authoring.secrets import secrets_in
from tipstaff.citation.places import CitableDocument
from tipstaff.domain.document import Document
from tipstaff.domain.text_lines import TextLines


@dataclass(frozen=True, slots=True, kw_only=True)
class Warned:
    """`shown` is too little to use; `count` says how often the same stands in the item."""

    item_id: str
    location: str
    kind: str
    shown: str
    is_secret: bool
    count: int = 1

    def __str__(self) -> str:
        often = f", {self.count} times" if self.count > 1 else ""
        return f"{self.kind} in [[{self.item_id}:{self.location}]] ({self.shown}{often})"


def scanned(documents: Mapping[str, CitableDocument]) -> tuple[Warned, ...]:
    """Secrets first, then by item and place."""
    found = [
        warned for item_id, one in documents.items() for warned in _of_item(item_id, one.document)
    ]
    return tuple(sorted(found, key=lambda one: not one.is_secret))


def _of_item(item_id: str, document: Document) -> Iterator[Warned]:
    text = document.text
    places: dict[tuple[str, str], list[Recognised]] = {}
    for one in _each(text):
        places.setdefault((one.kind, text[one.start : one.end]), []).append(one)
    for (kind, value), same in places.items():
        yield Warned(
            item_id=item_id,
            location=_location(document, same[0].start),
            kind=kind,
            shown=masked(value),
            is_secret=same[0].is_secret,
            count=len(same),
        )


def _each(text: str) -> Iterable[Recognised]:
    yield from (secrets := list(secrets_in(text)))
    for one in personal_data_in(text):
        if not any(two.start < one.end and one.start < two.end for two in secrets):
            yield one


def _location(document: Document, at: int) -> str:
    if document.lines_are_the_files:
        return f"L{TextLines.of(document.text).number(at)}"
    for block in document.blocks:
        if block.span.start <= at < block.span.end:
            return str(block.location)
    return ""
