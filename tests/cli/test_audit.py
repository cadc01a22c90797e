"""`tip audit` as a sender and as CI meet it: exit codes, JSON, a page that is not overwritten."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import BundleMaker, manifest_of

Tip = Callable[..., "subprocess.CompletedProcess[str]"]
QUICK = ("--set", "reader=none", "--set", "embedder=static")
SYNTHESIS = (
    b"# A\n\n## B\n\nThe roof of the depot costs $48,200 to mend [[plan:L1]].\n\n"
    b"The wall of the depot costs $91,000 to mend [[plan:L3]].\n\n"
    b"Nobody else knows of the vault [[secret:L1]].\n"
)
ITEMS = {
    "plan.md": b"The roof of the depot costs $48,200 to mend.\n\n"
    b"The wall of the depot costs $60,000 to mend.\n",
    "secret.md": b"Nobody else knows of the vault.\n",
}


@pytest.fixture
def bundle(make_bundle: BundleMaker) -> Path:
    manifest = manifest_of(ITEMS)
    manifest["context"]["items"][1]["access"] = {"type": "creator_only"}
    return make_bundle(ITEMS, manifest=manifest, synthesis=SYNTHESIS)


def test_the_score_decides_and_strict_needs_only_one_problem(tip: Tip, bundle: Path) -> None:
    assert tip("audit", bundle, "--threshold", "0.6", *QUICK).returncode == 0
    failed = tip("audit", bundle, "--threshold", "0.7", *QUICK)
    assert failed.returncode == 9
    assert "contradicted  tez.md:L7: The wall" in failed.stdout
    assert "\x1b" not in failed.stdout
    assert tip("audit", bundle, "--threshold", "0.6", "--strict", *QUICK).returncode == 9
    assert tip("audit", bundle, "--threshold", "7", *QUICK).returncode == 2


def test_json_has_every_claim_with_its_place(tip: Tip, bundle: Path) -> None:
    told = json.loads(tip("audit", bundle, "--json", *QUICK).stdout)
    assert [one["standing"] for one in told["claims"]] == ["supported", "contradicted", "supported"]
    assert (told["score"], told["passed"], told["threshold"]) == (0.667, False, 0.7)
    assert told["claims"][1]["passages"][0] == {
        "item_id": "plan",
        "location": "L3",
        "text_excerpt": "The wall of the depot costs $60,000 to mend.",
    }


def test_for_a_recipient_what_they_may_not_see_is_no_claim(tip: Tip, bundle: Path) -> None:
    done = tip("audit", bundle, "--json", "--as", "user:jane@example.com", *QUICK)
    assert len(json.loads(done.stdout)["claims"]) >= 2
    assert "vault" not in done.stdout
    assert "secret" not in done.stdout


def test_the_page_is_written_whole_and_not_over_another_file(
    tip: Tip, bundle: Path, tmp_path: Path
) -> None:
    page = tmp_path / "audit.html"
    tip("audit", bundle, "--html", page, *QUICK)
    assert "contradicted: The cited words say the same of another figure" in page.read_text()
    page.write_text("mine")
    assert tip("audit", bundle, "--html", page, *QUICK).returncode == 2
    assert page.read_text() == "mine"
    assert tip("audit", bundle, "--html", page, "--force", *QUICK).returncode == 9
