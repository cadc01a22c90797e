"""An interrogation of a small bundle: what is said, what is not, and for whom it does not exist."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import BundleMaker, manifest_of
from tests.test_scope import ITEMS
from tipstaff.asking import Interrogation
from tipstaff.domain.citation import Citation
from tipstaff.domain.classification import Classification
from tipstaff.domain.draft import ClaimKind, DraftCitation, DraftClaim
from tipstaff.domain.response import RemovedClaim, Response, ResponseEnvelope
from tipstaff.domain.wire import to_wire
from tipstaff.engine import index_bundle, open_bundle
from tipstaff.enveloping import MAX_QUERY_CHARS
from tipstaff.errors import MalformedQuery
from tipstaff.settings import load_settings
from tipstaff.verify.quotes import MAX_UNQUOTED_RUN, longest_shared_run

JANE = "user:jane@example.com"
SYNTHESIS = (
    b"# The mill\n\nThe roof needs work for $38,000 [[survey:L3]]. Mr Pell withholds rent until "
    b"the roof is repaired [[minutes:L3]]. Bread is baked at 230 degrees [[recipes:L3]].\n"
)
QUESTIONS = (
    "How much is the rent?",
    "What are the repairs of the roof estimated at?",
    "Who has to repair the roof?",
    "What did Mr Pell say about the rent?",
    "Was the rent for March paid?",
    "Compare the rent with the cost of the repairs of the roof.",
    "List everything about the roof.",
    "What does the synthesis say about the roof, and where is the evidence?",
    "What speaks against repairing the roof?",
    "Which questions are left open?",
    "Why does Mr Pell withhold rent?",
    "What is the Survey of the roof about?",
    "At how many degrees is the bread baked?",
)
IDS = [name.split(".")[0] for name in ITEMS]
Ask = Callable[[str], ResponseEnvelope]


def bundle_of(
    make_bundle: BundleMaker,
    ids: Collection[str],
    *,
    access: dict[str, Any],
    name: str,
    synthesis: bytes = SYNTHESIS,
) -> Path:
    """The mill's papers named in `ids`, with the access that some of them have."""
    items = {file: text.encode() for file, text in ITEMS.items() if file.split(".")[0] in ids}
    manifest = manifest_of(items, creator={"name": "A. Sender", "email": "sender@example.com"})
    for item in manifest["context"]["items"]:
        if item["id"] in access:
            item["access"] = access[item["id"]]
    return make_bundle(items, manifest=manifest, synthesis=synthesis, name=name)


@contextmanager
def asked(
    folder: Path, *, recipient: str | None = JANE, reader: str = "none", grounding: str = "standard"
) -> Iterator[Interrogation]:
    chosen = load_settings({"reader": reader})
    with open_bundle(folder, settings=chosen) as opened:
        indexed = index_bundle(opened, settings=chosen, tenant=folder.name)
        yield Interrogation(indexed=indexed, recipient=recipient, grounding=grounding)


def answers(folder: Path, **how: Any) -> list[ResponseEnvelope]:
    with asked(folder, **how) as interrogation:
        return [interrogation.ask(question) for question in QUESTIONS]


def seen(envelope: ResponseEnvelope) -> dict[str, Any]:
    """What a recipient sees of a response, but for ids, times and what they are told of scope."""
    shown: dict[str, Any] = to_wire(envelope)
    for name in ("response_id", "query_id", "created_at", "session", "context_scope"):
        shown.pop(name)
    shown["notices"] = [one for one in shown["notices"] if one["kind"] != "reduced_scope"]
    shown["retrieval_summary"].pop("retrieval_time_ms", None)
    return shown


def whole_text(response: Response) -> str:
    """Everything in a response that a person could read the item's words in."""
    said = [response.text]
    said += [one.text for one in response.claims]
    said += [f"{one.text_excerpt}\n{one.claim}" for one in response.citations]
    said += [f"{one.topic}\n{one.description}" for one in response.gaps]
    said += [f"{one.claim}\n{one.reasoning}" for one in response.inferences]
    said += [side.value for one in response.contradictions for side in one.positions]
    said += [one.reason for one in response.removed]
    return "\n¶\n".join(said)


HIDDEN = (
    frozenset({"survey"}),
    frozenset({"minutes", "recipes"}),
    frozenset({"lease", "ledger", "letter"}),
    frozenset(IDS) - {"recipes"},
)


@pytest.mark.parametrize("hidden", HIDDEN, ids=lambda ids: "-".join(sorted(ids)))
@pytest.mark.parametrize("reader", ["none", "minilm"])
def test_what_a_recipient_may_not_see_does_not_exist(
    make_bundle: BundleMaker, hidden: frozenset[str], reader: str
) -> None:
    """TIP-Enterprise §3.5: the same words, citations, scores and gaps as without it."""
    access = {one: {"type": "creator_only"} for one in hidden}
    left = [one for one in IDS if one not in hidden]
    folder = bundle_of(make_bundle, IDS, access=access, name="whole")
    whole = answers(folder, reader=reader)
    with asked(folder) as interrogation:
        synthesis = interrogation.boundary.synthesis_bytes()
    assert synthesis is not None
    smaller = bundle_of(make_bundle, left, access={}, name="part", synthesis=synthesis)
    part = answers(smaller, reader=reader)
    for question, one, other in zip(QUESTIONS, whole, part, strict=True):
        assert seen(one) == seen(other), question
        assert {citation.item_id for citation in one.response.citations} <= {*left, "tez.md"}
        told = [notice for notice in one.notices if notice.kind == "reduced_scope"]
        assert f"based on {len(left)} of {len(IDS)} context items" in told[0].message
        assert one.context_scope.restricted_items == len(hidden)


def test_what_is_hidden_would_have_been_said(make_bundle: BundleMaker) -> None:
    """Else the test above could not fail."""
    folder = bundle_of(make_bundle, IDS, access={"survey": {"type": "creator_only"}}, name="whole")
    for_jane = answers(folder)
    for_sender = answers(folder, recipient="user:sender@example.com")
    assert for_sender != for_jane
    assert any("survey" in {c.item_id for c in one.response.citations} for one in for_sender)


def test_an_item_that_may_only_be_asked_about_is_restated(make_bundle: BundleMaker) -> None:
    access = dict.fromkeys(IDS, "interrogation_only")
    folder = bundle_of(make_bundle, IDS, access=access, name="asked-about")
    texts = {name.split(".")[0]: text for name, text in ITEMS.items()}
    every = answers(folder, reader="minilm")
    cited = set()
    for question, one in zip(QUESTIONS, every, strict=True):
        for item_id, text in texts.items():
            # The synthesis is the sender's own and may be quoted.
            told = re.sub(r"“[^”]*” \[\[tez\.md[^\]]*\]\]", "", whole_text(one.response))
            run = longest_shared_run(told.replace("[[", "¶ [["), text)
            if "synthesis" not in question:
                assert run <= MAX_UNQUOTED_RUN, (question, item_id, one.response.text)
        cited |= {c.item_id for c in one.response.citations if c.item_id != "tez.md"}
        excerpts = [c for c in one.response.citations if c.item_id != "tez.md" and c.text_excerpt]
        assert not excerpts
    assert len(cited) >= 3
    assert "12,400" in every[0].response.text


def test_an_item_of_which_only_a_summary_may_be_had_says_nothing_else(
    make_bundle: BundleMaker,
) -> None:
    folder = bundle_of(make_bundle, IDS, access={"survey": "summary_only"}, name="summarised")
    with asked(folder) as interrogation:
        (item,) = [one for one in interrogation.indexed.index.items if one.id == "survey"]
        summary = item.summary
        for question in QUESTIONS:
            response = interrogation.ask(question).response
            for citation in response.citations:
                if citation.item_id == "survey":
                    assert citation.location == ""
                    assert citation.text_excerpt in " ".join(summary.split())


def test_no_draft_can_cite_more_than_the_summary(make_bundle: BundleMaker) -> None:
    folder = bundle_of(make_bundle, IDS, access={"survey": "summary_only"}, name="summarised")
    with asked(folder) as interrogation:
        verifier = interrogation.boundary.verifier()
        words = "The water wheel turns freely."
        (item,) = [one for one in interrogation.indexed.index.items if one.id == "survey"]
        object.__setattr__(item, "summary", "Two trusses are rotten.")
        outcome = verifier.check(
            DraftClaim(
                text=words,
                kind=ClaimKind.QUOTE,
                citations=(DraftCitation(citation=Citation("survey"), quotes=(words,)),),
            )
        )
    assert isinstance(outcome, RemovedClaim)


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    """Questions of their owner to all papers, which are indexed once."""
    folder = tmp_path_factory.mktemp("mill")
    for name, text in ITEMS.items():
        (folder / name).write_text(text, encoding="utf-8")
    with asked(folder, recipient=None) as interrogation:
        yield lambda question: interrogation.ask(question)  # noqa: PLW0108 (its repr is short)


PIECES = st.sampled_from(
    ["what", "did", "rent", "Mr Pell", "say", "and", "compare", "[[lease:L1]]", "[[ghost:p9]]",
     "]]", "[[", "\x00", "\x1b[31m", "\u202e", "**", "`", "<script>", "家賃", "аренда", "$12,400",
     "ignore", "synthesis", "?", ";", "March", "(", "list all", "\\", "{}", "%s", "“", "'", "roof"]
)  # fmt: skip


@settings(max_examples=60)
@given(st.one_of(st.lists(PIECES, min_size=1, max_size=12).map(" ".join), st.text(min_size=1)))
def test_no_question_breaks_it_or_puts_words_in_its_mouth(ask: Ask, question: str) -> None:
    if not question.strip():
        return
    response = ask(question).response
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]", response.text)
    known = {citation.item_id for citation in response.citations} | set(IDS)
    for mark in re.findall(r"\[\[([^\]]*)\]\]", response.text):
        for reference in mark.split(", "):
            assert reference.split(":")[0] in known, response.text
    assert not re.search(r"ghost[^\]]*\]\]", response.text)


HOSTILE = (
    "break down by a," * 4_000,
    "what was a " * 6_000,
    "how does " * 6_000,
    "Ab Cd " * 10_000,
    "1.11" * 20_000,
    "A" * 60_000,
    "a-" * 30_000,
    "and what " * 6_000,
    "(" * 60_000,
    "\u0301" * 60_000,
)


@pytest.mark.parametrize("question", HOSTILE, ids=lambda text: text[:8])
def test_a_question_of_any_length_is_read_within_bounds(ask: Ask, question: str) -> None:
    envelope = ask(question)
    assert len(envelope.response.text) < 2 * MAX_QUERY_CHARS
    assert "query_truncated" in {notice.kind for notice in envelope.notices}


def test_an_empty_question_is_refused(ask: Ask) -> None:
    with pytest.raises(MalformedQuery):
        ask(" \n")


def test_strict_grounding_neither_infers_nor_touches_on(make_bundle: BundleMaker) -> None:
    folder = bundle_of(make_bundle, IDS, access={}, name="strict")
    for one in answers(folder, grounding="strict"):
        assert not one.response.inferences
        assert one.response.classification is not Classification.INFERRED
        assert all(claim.confidence != "low" for claim in one.response.claims)


def test_three_runs_say_the_same(make_bundle: BundleMaker) -> None:
    folder = bundle_of(make_bundle, IDS, access={}, name="again")
    first, second, third = ([seen(one) for one in answers(folder)] for _ in range(3))
    assert first == second == third
