"""TIP §8.1.1, §14.1: what a session begins with, and when it does not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.conftest import BundleMaker, manifest_of
from tests.session.stand_ins import (
    FUND,
    JANE,
    NOTES,
    TEZ,
    Address,
    Service,
    run,
)
from tipstaff.errors import (
    AuthorizationDenied,
    BundleUnusable,
    ContextPartlyLoaded,
)
from tipstaff.reading import ReadBundle, read_bundle


def test_a_tez_that_may_not_be_interrogated_is_not(
    records_address: Address, make_bundle: BundleMaker
) -> None:
    items = {"notes.md": NOTES}
    closed = make_bundle(items, manifest=manifest_of(items, permissions={"interrogate": False}))

    async def work(service: Service) -> None:
        with pytest.raises(AuthorizationDenied):
            await service.sessions.init(JANE, TEZ)

    run(records_address, work, closed)


def test_items_that_failed_are_told_and_the_recipient_may_go_on(
    records_address: Address, make_bundle: BundleMaker
) -> None:
    items = {"notes.md": NOTES, "lost.md": b"Gone.\n"}
    folder = make_bundle(items)
    (folder / "context" / "lost.md").unlink()

    async def work(service: Service) -> None:
        with pytest.raises(ContextPartlyLoaded) as refused:
            await service.sessions.init(JANE, TEZ)
        (failed,) = refused.value.details["failed_items"]
        assert failed["item_id"] == "lost"
        assert failed["reason"]
        assert refused.value.details["available_items"] == ["notes"]
        opened = await service.sessions.init(JANE, TEZ, proceed_with_partial=True)
        assert [str(notice.kind) for notice in opened.warnings] == ["degraded_context"]
        assert opened.session.errors == ("context_loading_partial_failure",)
        told = await service.asked(opened.session.session_id, FUND)
        assert "degraded_context" in {str(notice.kind) for notice in told.notices}

    run(records_address, work, folder)


def test_an_item_that_cannot_be_read_is_told_of_and_read_once_only(
    tmp_path: Path, make_bundle: BundleMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_bundle({"notes.md": NOTES, "broken.pdf": b"%PDF-1.7\nnot at all"})
    reads: list[object] = []

    def counted(*words: Any, **named: Any) -> ReadBundle:
        reads.append(named["only"])
        return read_bundle(*words, **named)

    async def work(service: Service) -> None:
        for _ in range(3):
            with pytest.raises(ContextPartlyLoaded) as refused:
                await service.sessions.init(JANE, TEZ)
            (failed,) = refused.value.details["failed_items"]
            assert failed["item_id"] == "broken"
            assert failed["reason"]

    monkeypatch.setattr("tipstaff.session.opening.read_bundle", counted)
    run(tmp_path / "records.sqlite", work, folder)
    assert reads == [{"broken"}]


def test_nothing_that_can_be_loaded_is_a_total_failure(
    tmp_path: Path, make_bundle: BundleMaker
) -> None:
    folder = make_bundle()
    (folder / "context" / "notes.md").unlink()

    async def work(service: Service) -> None:
        for proceed in (False, True):
            with pytest.raises(BundleUnusable):
                await service.sessions.init(JANE, TEZ, proceed_with_partial=proceed)

    run(tmp_path / "records.sqlite", work, folder)


def test_an_item_that_the_recipient_may_not_see_is_not_told_of_when_it_fails(
    records_address: Address, make_bundle: BundleMaker
) -> None:
    items = {"notes.md": NOTES, "lost.md": b"Gone.\n"}
    manifest = manifest_of(items)
    manifest["context"]["items"][1]["access"] = {
        "type": "restricted",
        "allowed": ["user:joe@example.com"],
    }
    folder = make_bundle(items, manifest=manifest)
    (folder / "context" / "lost.md").unlink()

    async def work(service: Service) -> None:
        assert (await service.sessions.init(JANE, TEZ)).warnings == ()

    run(records_address, work, folder)
