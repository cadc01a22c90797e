"""Bytes that were published → what they are, and then a bundle that can be asked.

Plain functions that take their time; they are called in threads.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from tipstaff.bundle.file_names import BUNDLE_ID
from tipstaff.bundle.opening import OpenBundle
from tipstaff.domain.bundle import BundleLevel
from tipstaff.domain.item import ItemState
from tipstaff.domain.wire import to_wire
from tipstaff.engine import index_bundle, open_bundle
from tipstaff.errors import BundleUnusable, ContextPartlyLoaded, FailedItem, UsageError
from tipstaff.hosting.published import Published
from tipstaff.hosting.residency import check_residency
from tipstaff.indexing import IndexedBundle
from tipstaff.reading import Progress as Steps
from tipstaff.settings import Settings

Progress = Callable[[str], None]
# States of an item that its sender can mend. One outside the bundle is as it was meant.
_NOT_AS_SENT = (ItemState.CORRUPTED, ItemState.MISSING, ItemState.REFUSED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """`digest` says of a bundle that is served in place whether its content is the same."""

    tez_id: str
    version: int
    title: str
    digest: str


def describe_received(
    path: Path, tez_id: str | None, *, settings: Settings, proceed: bool
) -> Described:
    """What was uploaded, checked while its sender is there to mend it: a bundle that can be
    opened here, under its own id, with every item as it was declared (or `proceed`)."""
    try:
        with open_bundle(path, settings=settings) as opened:
            described = _described(opened, tez_id)
            check_residency(opened.bundle, settings)
            failure = _not_as_sent(opened)
    except BundleUnusable as problem:
        raise _without_place(problem, path) from None
    if failure is not None and not (proceed and failure.details["proceed_available"]):
        raise failure
    return described


def describe_there(path: Path, *, settings: Settings) -> Described:
    """A bundle that is served from where it lies."""
    with open_bundle(path, settings=settings) as opened:
        check_residency(opened.bundle, settings)
        return _described(opened, opened.bundle.id)


def prepared(
    path: Path, tenant: str, tez: Published, *, settings: Settings, progress: Progress | None = None
) -> IndexedBundle:
    """Opened and indexed, under the id and version that it was published as."""
    if not path.exists():
        raise BundleUnusable("The bytes of this tez are not there.")
    opened = open_bundle(path, settings=settings)
    try:
        check_residency(opened.bundle, settings)
        opened.bundle = replace(opened.bundle, id=tez.tez_id, version=tez.version, title=tez.title)
        steps = None if progress is None else _steps(progress)
        indexed = index_bundle(opened, settings=settings, tenant=tenant, progress=steps)
        return replace(indexed, keeps_log=False)
    except BaseException:
        opened.close()
        raise


def _described(opened: OpenBundle, tez_id: str | None) -> Described:
    bundle = opened.bundle
    has_own_id = bundle.level is not BundleLevel.INFORMAL
    if tez_id is not None and not BUNDLE_ID.fullmatch(tez_id):
        raise UsageError("A tez id has 3 to 100 of a-z, 0-9 and inner hyphens.")
    if tez_id is None and not has_own_id:
        raise UsageError("This bundle has no id of its own; say under which it is published.")
    if tez_id is not None and has_own_id and tez_id != bundle.id:
        raise UsageError(
            f"The bundle's own id is '{bundle.id}'.",
            suggestion="Publish it under that.",
            own_id=bundle.id,
        )
    return Described(
        tez_id=tez_id or bundle.id,
        version=bundle.version,
        # A bundle without a title is called by its file, which is a name of ours.
        title=bundle.title if has_own_id else tez_id or bundle.title,
        digest=_content_digest(opened),
    )


def _content_digest(opened: OpenBundle) -> str:
    bundle = opened.bundle
    facts = {
        "manifest": to_wire(bundle.manifest),
        "synthesis": bundle.synthesis.sha256 if bundle.synthesis else None,
        "items": sorted((item.id, item.sha256 or "") for item in bundle.items),
    }
    return hashlib.sha256(json.dumps(facts, sort_keys=True, default=str).encode()).hexdigest()


def _not_as_sent(opened: OpenBundle) -> ContextPartlyLoaded | None:
    items = opened.bundle.items
    failed = [
        FailedItem(item.id, item.reason or "", item.suggestion or "")
        for item in items
        if item.state in _NOT_AS_SENT
    ]
    if not failed:
        return None
    available = [item.id for item in items if item.state not in _NOT_AS_SENT]
    return ContextPartlyLoaded(failed, available)


def _without_place(problem: BundleUnusable, path: Path) -> BundleUnusable:
    """Where we put it is nobody's business (Enterprise §10.4)."""
    message = problem.message
    for name in (str(path), path.name):
        message = message.replace(f"'{name}'", "The file").replace(name, "the file")
    return BundleUnusable(message, suggestion=problem.suggestion, **problem.details)


def _steps(progress: Progress) -> Callable[[str], Steps]:
    def begin(what: str) -> Steps:
        def told(_label: str, done: int, total: int) -> None:
            progress(f"{what} {done:,} of {total:,}")

        return told

    return begin
