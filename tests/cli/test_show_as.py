"""`tip show --as`: what a citation points at, for somebody who may not see everything."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import BundleMaker, manifest_of

Tip = Callable[..., "subprocess.CompletedProcess[str]"]
FILES = {
    "lease.md": b"The rent is $12,400 a month.\n",
    "survey.md": b"The roof costs $38,000.\n",
    "letter.md": b"Pay, or leave.\n",
}
ACCESS = {"survey": {"type": "creator_only"}, "letter": "interrogation_only"}
SYNTHESIS = b"# Mill\n\nRent is due [[lease:L1]].\n\nThe roof costs $38,000 [[survey:L1]].\n"
AS_JANE = ("--as", "user:jane@example.com")


@pytest.fixture
def mill(make_bundle: BundleMaker) -> Path:
    manifest = manifest_of(FILES)
    for item in manifest["context"]["items"]:
        item["access"] = ACCESS.get(item["id"], "full")
    return make_bundle(FILES, manifest=manifest, synthesis=SYNTHESIS)


def test_the_synthesis_is_shown_without_what_is_withheld(tip: Tip, mill: Path) -> None:
    whole = json.loads(tip("show", mill, "[[tez.md]]", "--json").stdout)
    seen = tip("show", mill, "[[tez.md]]", "--json", *AS_JANE)
    assert "38,000" in whole["text"]
    assert "Rent is due" in json.loads(seen.stdout)["text"]
    assert "38,000" not in seen.stdout + seen.stderr
    assert "survey" not in seen.stdout + seen.stderr


def test_a_hidden_item_and_an_invented_one_are_told_alike(tip: Tip, mill: Path) -> None:
    hidden = tip("show", mill, "[[survey:L1]]", *AS_JANE)
    invented = tip("show", mill, "[[nobody:L1]]", *AS_JANE)
    assert hidden.returncode == invented.returncode != 0
    assert hidden.stderr.replace("survey", "nobody") == invented.stderr


def test_an_item_that_may_only_be_asked_about_is_not_shown(tip: Tip, mill: Path) -> None:
    done = tip("show", mill, "[[letter:L1]]", *AS_JANE)
    assert done.returncode != 0
    assert "asked about, not looked at" in done.stderr
    assert "Pay" not in done.stdout
