"""`tip diff`: what changed, and only the claims whose own ground has moved."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import MERIDIAN, BundleMaker, manifest_of

Tip = Callable[..., "subprocess.CompletedProcess[str]"]
SYNTHESIS = (
    b"# A\n\nThe roof costs $40 [[plan:L3]].\n\nAda pays [[plan:L5]].\n\nIt rains [[mail]].\n"
)
PLAN = b"# Plan\n\nThe roof costs $40.\n\nAda pays for it.\n"


@pytest.fixture
def before(make_bundle: BundleMaker) -> Path:
    items = {"plan.md": PLAN, "mail.md": b"It rains.\n", "old.md": b"Same bytes.\n"}
    return make_bundle(items, synthesis=SYNTHESIS, name="before")


def _diff(tip: Tip, before: Path, after: Path) -> dict[str, object]:
    told: dict[str, object] = json.loads(tip("diff", before, after, "--json").stdout)
    return told


def test_a_bundle_is_the_same_as_itself(tip: Tip) -> None:
    done = tip("diff", MERIDIAN, MERIDIAN.with_suffix(".tez"))
    assert done.returncode == 0
    assert "are the same" in done.stdout


def test_items_and_touched_claims_are_told(
    tip: Tip, before: Path, make_bundle: BundleMaker
) -> None:
    items = {
        "plan.md": PLAN.replace(b"$40", b"$55"),
        "new.md": b"Same bytes.\n",
        "extra.md": b"More.\n",
    }
    manifest = manifest_of(items, version=2)
    manifest["context"]["items"][0]["title"] = "The plan"
    synthesis = SYNTHESIS.replace(b"It rains", b"It rained")
    after = make_bundle(items, manifest=manifest, synthesis=synthesis, name="after")
    told = _diff(tip, before, after)
    assert told["added"] == ["extra"]
    assert told["removed"] == ["mail"]
    assert told["renamed"] == [["old", "new"]]
    assert told["changed"] == [
        {"id": "plan", "bytes_changed": True, "details": [["title", "Plan", "The plan"]]}
    ]
    touched = {one["citation"]: one for one in told["claims_touched"]}  # type: ignore[attr-defined]
    assert set(touched) == {"plan:L3", "mail"}
    assert (touched["plan:L3"]["before"], touched["plan:L3"]["after"]) == (
        "The roof costs $40.",
        "The roof costs $55.",
    )
    assert touched["mail"]["reason"] == "What it cites is gone."
    assert told["claims_added"] == ["It rained."]
    assert told["claims_removed"] == ["It rains."]


def test_a_change_elsewhere_in_an_item_touches_no_claim(
    tip: Tip, before: Path, make_bundle: BundleMaker
) -> None:
    items = {"plan.md": PLAN + b"\nMore.\n", "mail.md": b"It rains.\n", "old.md": b"Same bytes.\n"}
    after = make_bundle(items, synthesis=SYNTHESIS, name="after")
    done = tip("diff", before, after, "--check")
    assert done.returncode == 0
    assert "~ plan: bytes" in done.stdout
    assert "touched" not in done.stdout


def test_check_fails_where_a_claim_is_touched(
    tip: Tip, before: Path, make_bundle: BundleMaker
) -> None:
    items = {"plan.md": PLAN.replace(b"$40", b"$55"), "mail.md": b"It rains.\n"}
    after = make_bundle(items, synthesis=SYNTHESIS, name="after")
    done = tip("diff", before, after, "--check")
    assert done.returncode == 9
    assert "was: The roof costs $40." in done.stdout
    assert "is:  The roof costs $55." in done.stdout


def test_other_terms_are_told(tip: Tip, before: Path, make_bundle: BundleMaker) -> None:
    items = {"plan.md": PLAN, "mail.md": b"It rains.\n", "old.md": b"Same bytes.\n"}
    manifest = manifest_of(items, permissions={"reshare": False})
    after = make_bundle(items, manifest=manifest, synthesis=SYNTHESIS, name="after")
    assert _diff(tip, before, after)["terms"] == ["permissions"]
