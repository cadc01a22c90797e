"""The bundle that exists for a recipient: items, synthesis and conversation of one piece."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from tests.conftest import BundleMaker, manifest_of
from tipstaff.access.visible_bundle import visible_bundle
from tipstaff.access.withholding import NOTHING
from tipstaff.domain.bundle import Bundle
from tipstaff.engine import open_bundle

ITEMS = {"lease.md": b"Rent is $12.\n", "survey.md": b"The roof costs $38,000.\n"}
SYNTHESIS = b"# The mill\n\nThe roof costs $38,000 [[survey]]. Rent is $12 [[lease]].\n"
LEFT = f"# The mill\n\n{NOTHING} Rent is $12 [[lease]].\n"
TURNS: list[dict[str, Any]] = [
    {"role": "user", "content": "What is in the survey? And the rent?"},
    {"role": "tool", "content": "The roof costs $38,000."},
    {"role": "assistant", "content": "The roof is dear [[survey]]. Rent is low [[lease]]."},
    {"role": "assistant", "content": "It is dear.", "citations": ["[[survey:L1]]"]},
    {"role": "assistant", "content": "It is due.", "citations": [{"item_id": "lease"}, "survey"]},
]


def bundle(make_bundle: BundleMaker, *, file: str = "tez.md", **fields: Any) -> Bundle:
    """`fields` are those of the manifest's synthesis and conversation."""
    manifest = manifest_of(ITEMS, params={"about": "survey"})
    manifest["synthesis"] |= {"file": file} | fields.pop("synthesis", {})
    manifest["conversation"] = {"sharing": "full"} | fields.pop("conversation", {})
    extra = {"conversation.json": json.dumps({"turns": TURNS}).encode(), file: SYNTHESIS}
    with open_bundle(make_bundle(ITEMS, manifest=manifest, extra=extra)) as opened:
        return opened.bundle


def test_nothing_is_touched_where_everything_may_be_seen(make_bundle: BundleMaker) -> None:
    whole = bundle(make_bundle)
    assert visible_bundle(whole, {"lease", "survey"}) is whole


def test_the_synthesis_has_size_and_hash_of_what_is_left(make_bundle: BundleMaker) -> None:
    seen = visible_bundle(bundle(make_bundle), {"lease"})
    assert seen.synthesis is not None
    assert seen.synthesis.text == LEFT
    assert seen.synthesis.size_bytes == len(LEFT.encode())
    assert seen.synthesis.sha256 == hashlib.sha256(LEFT.encode()).hexdigest()


def test_nothing_in_it_names_what_is_hidden(make_bundle: BundleMaker) -> None:
    whole = bundle(make_bundle)
    assert "survey" in repr(whole)
    assert "survey" not in repr(visible_bundle(whole, {"lease"})).casefold()
    assert "38,000" not in repr(visible_bundle(whole, {"lease"}))


def test_of_the_conversation_tools_and_what_rests_on_unseen_items_go(
    make_bundle: BundleMaker,
) -> None:
    turns = visible_bundle(bundle(make_bundle), {"lease"}).conversation.turns
    assert [turn.number for turn in turns] == [1, 2, 3, 4, 5]
    assert [turn.content.replace(NOTHING, "·") for turn in turns] == [
        "· And the rent?",
        "·",
        "· Rent is low [[lease]].",
        "·",
        "It is due.",
    ]
    assert [turn.cited for turn in turns] == [(), (), (), (), ("lease",)]


def test_a_summary_of_the_conversation_is_a_text_like_any_other(make_bundle: BundleMaker) -> None:
    said = {"sharing": "summary", "summary": "We read the survey. We agreed [[lease]]."}
    seen = visible_bundle(bundle(make_bundle, conversation=said), {"lease"})
    assert seen.conversation.summary == f"{NOTHING} We agreed [[lease]]."


def test_the_sender_may_release_the_synthesis_or_the_conversation_whole(
    make_bundle: BundleMaker,
) -> None:
    released = {"release_whole": True}
    whole = bundle(make_bundle, synthesis=released)
    seen = visible_bundle(whole, {"lease"})
    assert seen.synthesis == whole.synthesis
    assert seen.conversation != whole.conversation
    assert [item.id for item in seen.items] == ["lease"]
    whole = bundle(make_bundle, conversation=released)
    seen = visible_bundle(whole, {"lease"})
    assert seen.conversation == whole.conversation
    assert seen.synthesis != whole.synthesis


def test_what_is_no_clear_release_is_none(make_bundle: BundleMaker) -> None:
    unclear = {"release_whole": "yes"}
    seen = visible_bundle(bundle(make_bundle, synthesis=unclear, conversation=unclear), {"lease"})
    assert "38,000" not in repr(seen)


def test_a_synthesis_that_words_cannot_be_taken_out_of_is_withheld_whole(
    make_bundle: BundleMaker,
) -> None:
    page = bundle(make_bundle, file="tez.html")
    assert page.synthesis is not None
    assert page.synthesis.media_type == "text/html"
    assert visible_bundle(page, {"lease"}).synthesis is None
