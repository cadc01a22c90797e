"""What an abstention shows beside the gap."""

from __future__ import annotations

from tests.answer.asked import asked
from tests.answer.interrogating import ask
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


def test_without_a_reader_a_denial_of_knowledge_is_no_answer(make_bundle: BundleMaker) -> None:
    text = b"# Visit\n\nI did not see the freezer records of the mill.\n\nThe mill is old.\n"
    response = asked(make_bundle({"visit.md": text}), "What did the freezer records show?")
    assert response.classification is not Classification.GROUNDED


def test_without_a_reader_a_time_must_be_told(make_bundle: BundleMaker) -> None:
    text = b"# Terms\n\nInterest is 4 percent above the base rate of the bank.\n"
    response = asked(
        make_bundle({"terms.md": text}), "What was the base rate of the bank in March 2025?"
    )
    assert response.classification is not Classification.GROUNDED


def test_what_comes_behind_the_answer_does_not_deny_it(make_bundle: BundleMaker) -> None:
    text = b"[database]\npool_max = 40 # per cluster, not per node\npool_wait_ms = 5000\n"
    folder = make_bundle({"registry.toml": text, "note.md": b"# Note\n\nThe roof leaks.\n"})
    response = ask(folder, "What is pool_max set to?")
    assert response.classification is Classification.GROUNDED
    assert "pool_max = 40" in response.text


def test_a_people_is_not_absent_where_its_land_is_named(make_bundle: BundleMaker) -> None:
    folder = make_bundle({"note.md": b"# Note\n\nThe groups in Rwanda built a mill with it.\n"})
    absent = "does not occur anywhere"
    assert absent not in asked(folder, "What did the Rwandan groups build?").text
    assert absent in asked(folder, "What did the Peruvian groups build?").text
