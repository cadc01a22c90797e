"""Who may see which items, without asking a service: doubt closes."""

from __future__ import annotations

import io
import zipfile

import pytest

from tests.conftest import BundleMaker, manifest_of
from tipstaff.access.recipients import local_grant, quotable
from tipstaff.domain.bundle import Bundle
from tipstaff.engine import open_bundle

ITEMS = {
    "open.md": b"open",
    "named.md": b"named",
    "own.md": b"own",
    "fga.md": b"fga",
    "odd.md": b"odd",
}
ACCESS = {
    "named": {"type": "authenticated"},
    "own": {"type": "creator_only"},
    "fga": {"type": "fga", "resource_type": "document", "resource_id": "fga"},
    "odd": {"type": "by_moonlight"},
}


@pytest.fixture
def bundle(make_bundle: BundleMaker) -> Bundle:
    manifest = manifest_of(ITEMS, creator={"name": "Ada", "email": "Ada@example.com"})
    for entry in manifest["context"]["items"]:
        if entry["id"] in ACCESS:
            entry["access"] = ACCESS[entry["id"]]
    with open_bundle(make_bundle(ITEMS, manifest=manifest)) as opened:
        return opened.bundle


def test_the_owner_sees_everything(bundle: Bundle) -> None:
    assert local_grant(bundle, None).permitted == {"open", "named", "own", "fga", "odd"}


def test_a_recipient_sees_what_is_for_everyone_with_a_name(bundle: Bundle) -> None:
    assert local_grant(bundle, "user:bob@example.com").permitted == {"open", "named"}


@pytest.mark.parametrize("name", ["user:ada@example.com", "ada@example.com", "ADA@EXAMPLE.COM"])
def test_the_creator_sees_their_own(bundle: Bundle, name: str) -> None:
    assert "own" in local_grant(bundle, name).permitted


@pytest.mark.parametrize("name", ["", "user:", "Ada", "user:ada@example.com.evil.org"])
def test_nobody_becomes_the_creator_by_a_likeness(bundle: Bundle, name: str) -> None:
    assert "own" not in local_grant(bundle, name).permitted


def test_what_needs_a_service_is_denied(bundle: Bundle) -> None:
    for recipient in ("user:bob@example.com", "user:ada@example.com", "role:legal"):
        assert "fga" not in local_grant(bundle, recipient).permitted


def test_a_type_that_nobody_knows_is_the_creators_at_most(bundle: Bundle) -> None:
    assert "odd" not in local_grant(bundle, "user:bob@example.com").permitted


def test_a_member_of_an_archive_is_never_more_open_than_the_archive(
    make_bundle: BundleMaker,
) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("inside.md", "inside")
    items = {"papers.zip": packed.getvalue()}
    manifest = manifest_of(items, creator={"name": "Ada", "email": "ada@example.com"})
    manifest["context"]["items"][0]["access"] = {"type": "creator_only"}
    with open_bundle(make_bundle(items, manifest=manifest)) as opened:
        assert len(opened.bundle.items) == 2
        assert local_grant(opened.bundle, "user:bob@example.com").permitted == frozenset()
        assert len(local_grant(opened.bundle, "user:ada@example.com").permitted) == 2


def test_an_item_that_may_only_be_asked_about_is_not_quoted(make_bundle: BundleMaker) -> None:
    manifest = manifest_of(ITEMS)
    manifest["context"]["items"][0]["access"] = "interrogation_only"
    with open_bundle(make_bundle(ITEMS, manifest=manifest)) as opened:
        assert "open" in local_grant(opened.bundle, "user:bob@example.com").permitted
        assert not quotable(opened.bundle, "open", "user:bob@example.com")


def test_an_open_item_may_be_quoted(bundle: Bundle) -> None:
    assert quotable(bundle, "open", "user:bob@example.com")
    assert quotable(bundle, "own", None)
