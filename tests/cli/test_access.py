"""`tip ask --as` and `tip search --as` see what authorizers of the settings allow."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.access.worlds import CedarWorld
from tests.conftest import BundleMaker, manifest_of
from tipstaff.domain.caller import LOCAL_TENANT
from tipstaff.settings import DEFAULTS
from tipstaff.tenant_data import retrieval_log

Tip = Callable[..., subprocess.CompletedProcess[str]]
QUESTION = "What is the settlement amount for the mill?"
JANE, BOB = "user:jane@example.com", "user:bob@example.com"


@pytest.fixture
def cedar(tmp_path: Path) -> CedarWorld:
    made = CedarWorld(tmp_path / "cedar", tenant=LOCAL_TENANT)
    made.allow(JANE, "memo")
    return made


@pytest.fixture
def mill(make_bundle: BundleMaker, cedar: CedarWorld) -> Path:
    items = {
        "notes.md": b"The budget for the mill is $77,000.\n",
        "memo.md": b"The settlement amount for the mill is $912,345.\n",
    }
    manifest = manifest_of(items)
    manifest["context"]["items"][1]["access"] = cedar.access("memo")
    return make_bundle(items, manifest=manifest, synthesis=b"# The mill\n")


def test_the_answer_is_from_what_the_recipient_may_see(
    tip: Tip, mill: Path, cedar: CedarWorld
) -> None:
    policies = ("--set", f"cedar_policies={cedar.folder}")
    for who, allowed in ((JANE, True), (BOB, False)):
        asked = tip("ask", mill, QUESTION, "--as", who, *policies, "--json")
        assert ("$912,345" in asked.stdout) is allowed, asked.stderr
        found = tip("search", mill, "settlement", "--as", who, *policies, "--json")
        assert ("$912,345" in found.stdout) is allowed, found.stderr
    without = tip("ask", mill, QUESTION, "--as", JANE, "--json")
    assert "$912,345" not in without.stdout
    scope = json.loads(without.stdout)["context_scope"]
    assert (scope["total_items"], scope["accessible_items"]) == (2, 1)


def test_the_record_says_which_item_was_withheld_and_why(
    tip: Tip, mill: Path, cedar: CedarWorld
) -> None:
    tip("ask", mill, QUESTION, "--as", BOB, "--set", f"cedar_policies={cedar.folder}")
    kept = list(retrieval_log(DEFAULTS, LOCAL_TENANT).read())
    filtered = [one for record in kept for one in record.get("filtered_items", ())]
    assert {"item_id": "memo", "access": "cedar", "reason": "denied"} in filtered


def test_a_folder_of_policies_that_is_not_there_is_a_mistake_and_not_a_denial(
    tip: Tip, mill: Path
) -> None:
    done = tip("ask", mill, QUESTION, "--as", JANE, "--set", "cedar_policies=/nowhere/at/all")
    assert done.returncode == 2
    assert "no folder of policies" in done.stderr
