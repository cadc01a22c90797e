"""What a recipient's citation points at: the same decision and the same facts for HTTP and agents.

What may not be known is not there; what may be known but not looked at is refused with the reason
(TIP §13.4.2).
"""

from __future__ import annotations

from typing import Any

from tipstaff.boundary import GroundingBoundary
from tipstaff.citation.grammar import parse_citation
from tipstaff.domain.citation import SYNTHESIS_ID, Citation, Unresolved
from tipstaff.errors import AuthorizationDenied, NotFound, UsageError
from tipstaff.showing import shown_passage

_ONLY_ASKED = "The sender lets this item be asked about, not looked at."
_ONLY_SUMMARISED = "The sender lets only a summary of this item be seen."


def item_to_show(boundary: GroundingBoundary, name: str) -> str:
    """The id of an item whose own words may be shown."""
    bundle = boundary.bundle
    item_id = bundle.citable_names().get(name, name)
    known = bundle.item(item_id) is not None or (
        item_id == SYNTHESIS_ID and bundle.synthesis is not None
    )
    if not known or not boundary.may_cite(item_id):
        raise NotFound("no such item")
    if not boundary.quotable(item_id):
        summarised = item_id not in boundary.searchable()
        reason = _ONLY_SUMMARISED if summarised else _ONLY_ASKED
        raise AuthorizationDenied(reason, item_id=item_id)
    return item_id


def citation_in(boundary: GroundingBoundary, item_id: str, text: str) -> Citation:
    """A citation of this item; a bare place is one, too: `p4`."""
    names = boundary.bundle.citable_names()
    cited = parse_citation(text, names=names)
    if cited is None or cited.item_id != item_id:
        cited = parse_citation(f"{item_id}:{text}", names=names)
    if cited is None or cited.item_id != item_id:
        raise UsageError("This is not one citation of this item.", suggestion="[[item-id:p4]]")
    return cited


def located(boundary: GroundingBoundary, cited: Citation) -> dict[str, Any] | Unresolved:
    """The passage with its surroundings and pages, or why there is none."""
    found = boundary.resolve(cited)
    if isinstance(found, Unresolved):
        return found
    document = boundary.citable(cited.item_id)
    if document is None:
        raise NotFound("not readable")
    numbers = {box.page for box in found.boxes}
    shown = shown_passage(document.document, found, title=title_of(boundary, cited.item_id))
    shown["pages"] = [
        {"page": page.number, "width": page.width, "height": page.height}
        for page in document.document.pages
        if page.number in numbers
    ]
    return shown


def title_of(boundary: GroundingBoundary, item_id: str) -> str:
    bundle = boundary.bundle
    item = bundle.item(item_id)
    return bundle.title if item is None or item_id == SYNTHESIS_ID else item.title
