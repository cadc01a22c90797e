"""What an abstention shows beside the gap."""

from __future__ import annotations

from tests.answer.asked import asked
from tests.conftest import BundleMaker
from tipstaff.domain.classification import Classification

_LEASE = (
    b"# Lease\n\nThe rent for the mill is 86,400 pounds a year.\n\nThe mill is let to the baker.\n"
)
_MAIL = b"# Mail\n\nFennel Wharf has offered the baker some space.\n\nThe space is dry.\n"


def test_what_is_said_of_something_else_than_the_question_names_is_not_related(
    make_bundle: BundleMaker,
) -> None:
    filler = {f"note-{n}.md": f"# Note {n}\n\nThe roof leaks.\n".encode() for n in range(4)}
    folder = make_bundle({"lease.md": _LEASE, "mail.md": _MAIL, **filler})
    response = asked(folder, "How much rent a year does Fennel Wharf ask of the baker?")
    assert response.classification is Classification.ABSTENTION
    assert "86,400" not in response.text
    assert "Fennel Wharf has offered" in response.text
