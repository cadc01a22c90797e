from __future__ import annotations

import json
from typing import Any

import pytest

from tests.conftest import BundleMaker, manifest_of
from tipstaff.bundle.opening import open_bundle
from tipstaff.domain.conversation import ConversationSharing
from tipstaff.domain.item import ItemState
from tipstaff.domain.wire import to_wire

CANARY = "the-word-that-must-not-leave"
RECORD = {
    "model": "some-model",
    "turns": [
        {"role": "user", "content": "Compare the quotes."},
        {"role": "assistant", "content": f"Here: {CANARY}", "redacted": True},
        {"role": "user", "content": f"And {CANARY}?"},
        {"role": "assistant", "content": [{"type": "text", "text": "The second is cheaper."}]},
    ],
    "redactions": [{"turn_indices": [2], "reason": "privileged"}],
}


def manifest(sharing: str | None, **more: Any) -> dict[str, Any]:
    conversation = {"file": "conversation.json"} | more
    if sharing is not None:
        conversation["sharing"] = sharing
    return manifest_of({"notes.md": b"x"}, conversation=conversation)


def everything_known(make_bundle: BundleMaker, manifest: dict[str, Any], record: Any) -> str:
    folder = make_bundle(
        {"notes.md": b"x"},
        manifest=manifest,
        extra={"conversation.json": json.dumps(record).encode()},
    )
    with open_bundle(folder) as opened:
        readable = [opened.read(item.id).decode() for item in opened.bundle.items if item.has_bytes]
        return json.dumps([to_wire(opened.bundle), to_wire(opened.findings), readable])


@pytest.mark.parametrize("sharing", [None, "excluded", "summary", "redacted", "nonsense"])
def test_a_redacted_turn_never_leaves_the_loader(
    sharing: str | None, make_bundle: BundleMaker
) -> None:
    assert CANARY not in everything_known(make_bundle, manifest(sharing), RECORD)


def test_a_redacted_record_keeps_the_other_turns_in_their_places(make_bundle: BundleMaker) -> None:
    folder = make_bundle(
        {"notes.md": b"x"},
        manifest=manifest("redacted"),
        extra={"conversation.json": json.dumps(RECORD).encode()},
    )
    with open_bundle(folder) as opened:
        conversation = opened.bundle.conversation
        assert [(turn.number, turn.content) for turn in conversation.turns] == [
            (1, "Compare the quotes."),
            (4, "The second is cheaper."),
        ]
        assert conversation.withheld_turns == 2
        assert conversation.model == "some-model"


def test_a_full_record_is_read_whole(make_bundle: BundleMaker) -> None:
    known = everything_known(make_bundle, manifest("full"), RECORD)
    assert CANARY in known


def test_a_summary_is_all_that_summary_shares(make_bundle: BundleMaker) -> None:
    folder = make_bundle(
        {"notes.md": b"x"},
        manifest=manifest("summary", summary="Two quotes were compared."),
        extra={"conversation.json": json.dumps(RECORD).encode()},
    )
    with open_bundle(folder) as opened:
        conversation = opened.bundle.conversation
        assert conversation.summary == "Two quotes were compared."
        assert conversation.turns == ()


@pytest.mark.parametrize(
    "redactions",
    [
        "all",
        [{"reason": "no turns named"}],
        [{"turn_indices": ["2"]}],
        [{"turn_indices": [99]}],
        [{"turn_indices": [True]}],
        [2],
    ],
)
def test_doubt_about_what_is_redacted_withholds_everything(
    redactions: Any, make_bundle: BundleMaker
) -> None:
    folder = make_bundle(
        {"notes.md": b"x"},
        manifest=manifest("redacted"),
        extra={"conversation.json": json.dumps(RECORD | {"redactions": redactions}).encode()},
    )
    with open_bundle(folder) as opened:
        assert opened.bundle.conversation.sharing is ConversationSharing.EXCLUDED
        assert opened.bundle.conversation.turns == ()
        assert "conversation-unreadable" in {finding.code for finding in opened.findings}


@pytest.mark.parametrize("file", ["conversation.json", "./conversation.json", "CONVERSATION.json"])
def test_the_record_cannot_be_declared_as_an_item(file: str, make_bundle: BundleMaker) -> None:
    declared = manifest("redacted")
    declared["context"]["items"].append(
        {"id": "chat", "type": "document", "title": "Chat", "file": file}
    )
    assert CANARY not in everything_known(make_bundle, declared, RECORD)


def test_the_record_cannot_be_declared_as_the_synthesis(make_bundle: BundleMaker) -> None:
    declared = manifest("redacted")
    declared["synthesis"]["file"] = "conversation.json"
    assert CANARY not in everything_known(make_bundle, declared, RECORD)


def test_a_link_or_a_copy_does_not_lead_around_the_rule(make_bundle: BundleMaker) -> None:
    declared = manifest("redacted")
    for item_id in ("linked", "copied"):
        declared["context"]["items"].append(
            {"id": item_id, "type": "data", "title": item_id, "file": f"context/{item_id}.json"}
        )
    record = json.dumps(RECORD).encode()
    folder = make_bundle(
        {"notes.md": b"x", "copied.json": record},
        manifest=declared,
        extra={"conversation.json": record},
    )
    (folder / "context" / "linked.json").symlink_to(folder / "conversation.json")
    with open_bundle(folder) as opened:
        states = [item.state for item in opened.bundle.items]
        assert states == [ItemState.AVAILABLE, ItemState.REFUSED, ItemState.REFUSED]


def test_a_record_under_context_is_not_found_as_an_item(make_bundle: BundleMaker) -> None:
    declared = manifest("redacted")
    del declared["context"]
    declared["conversation"]["file"] = "context/chat.json"
    folder = make_bundle(
        {"notes.md": b"x", "chat.json": json.dumps(RECORD).encode()}, manifest=declared
    )
    with open_bundle(folder) as opened:
        chat = opened.bundle.item("chat")
        assert chat is not None
        assert chat.state is ItemState.REFUSED
