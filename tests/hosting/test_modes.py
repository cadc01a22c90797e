"""Where a tez may be asked, in which region, who pays, and what there is when hosting fails."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.conftest import BundleMaker, manifest_of
from tipstaff.domain.bundle import Bundle, BundleLevel, Hosting, Permissions, Privacy
from tipstaff.engine import open_bundle
from tipstaff.errors import (
    AuthorizationDenied,
    BudgetExhausted,
    BundleUnusable,
    ContextPartlyLoaded,
    MalformedQuery,
    ModelUnavailable,
    RateLimited,
)
from tipstaff.hosting.modes import (
    Mode,
    check_interrogable,
    cost_statement,
    download_permitted,
    fallback_of,
    modes_of,
    with_fallback,
)
from tipstaff.hosting.portability import verify_portable
from tipstaff.hosting.residency import check_residency
from tipstaff.settings import Settings, load_settings

BUNDLE = Bundle(
    level=BundleLevel.PLATFORM, id="tez", version=1, title="A tez", synthesis=None, items=()
)
URL = "https://tezit.example.com/t/abc/download"
DUAL = Hosting(mode="dual", url="https://api.example.com", allow_download=True, bundle_url=URL)


def hosted(hosting: Hosting) -> Bundle:
    return replace(BUNDLE, hosting=hosting)


@pytest.mark.parametrize(
    ("hosting", "modes", "download"),
    [
        (Hosting(), {Mode.PORTABLE}, False),
        (Hosting(mode="sender"), {Mode.SENDER}, False),
        (Hosting(mode="portable"), {Mode.PORTABLE}, True),
        (Hosting(mode="platform"), {Mode.PLATFORM}, False),
        (DUAL, {Mode.SENDER, Mode.PORTABLE}, True),
        (replace(DUAL, allow_download=False), {Mode.SENDER}, False),
        (Hosting(url="https://api.example.com"), {Mode.SENDER, Mode.PORTABLE}, False),
        (Hosting(mode="by pigeon"), {Mode.PORTABLE}, False),
    ],
)
def test_a_tez_has_the_modes_that_its_sender_gave_it(
    hosting: Hosting, modes: set[Mode], download: bool
) -> None:
    assert modes_of(hosted(hosting)) == modes
    assert download_permitted(hosting) is download


def test_a_sender_may_share_a_tez_without_letting_it_be_asked() -> None:
    check_interrogable(BUNDLE)
    with pytest.raises(AuthorizationDenied):
        check_interrogable(replace(BUNDLE, permissions=Permissions(interrogate=False)))


def exhausted() -> BudgetExhausted:
    return BudgetExhausted(
        limit_type="query_count", limit_value=1, used=1, download_permitted=False
    )


def test_when_hosting_fails_a_dual_tez_can_be_asked_at_home() -> None:
    problems = [
        exhausted(),
        RateLimited(scope="user", limit="10 queries/minute", retry_after_seconds=5),
        ModelUnavailable(),
    ]
    for problem in problems:
        told = with_fallback(problem, hosted(DUAL)).to_wire()["error"]["options"]["download"]
        assert URL in told
        assert "your model, not the sender's" in told
        assert fallback_of(hosted(Hosting(mode="sender")), problem) is None
    assert "request_more" in problems[0].details["options"]
    mistake = MalformedQuery("The query is empty.", suggestion="Ask.")
    assert "options" not in with_fallback(mistake, hosted(DUAL)).details


@pytest.mark.parametrize("model", ["free_tier", "pay_per_query", "subscription", "sender_funded"])
def test_who_pays_is_told_to_both_sides(model: str) -> None:
    told = cost_statement(load_settings({"cost_model": model}, environment=NO_FILE))
    assert told["cost_model"] == model
    assert told["told_to_sender"] != told["told_to_recipients"]


NO_FILE = {"TIPSTAFF_CONFIG": "/dev/null"}


def residing(**residency: Any) -> Bundle:
    return replace(BUNDLE, privacy=Privacy(data_residency=residency))


@pytest.mark.parametrize(
    ("residency", "settings", "is_met"),
    [
        ({}, {}, True),
        ({"regions": ["eu-west"]}, {}, False),
        ({"regions": ["eu-west"]}, {"region": "eu-west"}, True),
        ({"regions": ["us-east", "eu-west"]}, {"region": "eu-west"}, True),
        ({"regions": ["us-east"]}, {"region": "eu-west"}, False),
        ({"regions": "eu-west"}, {"region": "eu-west"}, True),
        ({"regions": []}, {"region": "eu-west"}, False),
        ({"regions": {"eu": 1}}, {"region": "eu-west"}, False),
        ({"regions": ["none"]}, {}, False),
        # The model works where the server does, or says where.
        ({"model_regions": ["eu-west"]}, {"region": "eu-west"}, True),
        ({"model_regions": ["eu-west"]}, {"region": "eu-west", "model": "openai:x"}, False),
        (
            {"model_regions": ["us-east"]},
            {"region": "eu-west", "model": "openai:x", "model_region": "us-east"},
            True,
        ),
        ({"model_regions": ["eu-west"]}, {"region": "eu-west", "fallback_model": "x:y"}, False),
        # So do records and indexes.
        ({"storage_regions": ["eu-west"]}, {"region": "eu-west"}, True),
        ({"storage_regions": ["eu-west"]}, {"region": "eu-west", "store": "pinecone"}, False),
        (
            {"storage_regions": ["eu-west"]},
            {"region": "eu-west", "records_url": "postgresql://elsewhere/x"},
            False,
        ),
        (
            {"storage_regions": ["eu-west"]},
            {"records_url": "postgresql://elsewhere/x", "storage_region": "eu-west"},
            True,
        ),
    ],
)
def test_data_stays_where_its_sender_wants_it(
    residency: dict[str, Any], settings: dict[str, str], is_met: bool
) -> None:
    bundle, configured = residing(**residency), Settings(**settings)  # type: ignore[arg-type]
    if is_met:
        check_residency(bundle, configured)
    else:
        with pytest.raises(BundleUnusable, match="The sender keeps this tez to"):
            check_residency(bundle, configured)


ITEMS = {"notes.md": b"The sky is blue.\n", "plan.md": b"We will look up.\n"}


def test_a_whole_bundle_passes_before_it_is_asked(make_bundle: BundleMaker) -> None:
    with open_bundle(make_bundle(ITEMS)) as opened:
        report = verify_portable(opened)
    assert report.passes
    assert report.is_self_contained
    assert report.failures() == []
    report.check()
    told = report.to_wire()
    assert (told["items"], told["verified"]) == (2, 2)


def test_what_is_corrupted_or_missing_is_told_before_and_gone_on_with_knowingly(
    make_bundle: BundleMaker,
) -> None:
    declared = ITEMS | {"plan.md": b"Something else.\n", "lost.md": b"Never sent.\n"}
    with open_bundle(make_bundle(ITEMS, manifest=manifest_of(declared))) as opened:
        report = verify_portable(opened)
    assert not report.passes
    told = report.to_wire()
    assert [one["item_id"] for one in told["corrupted"]] == ["plan"]
    assert [one["item_id"] for one in told["missing"]] == ["lost"]
    assert told["manifest_errors"] == []
    assert len(report.failures()) == 2
    with pytest.raises(ContextPartlyLoaded) as caught:
        report.check()
    failed = [one["item_id"] for one in caught.value.details["failed_items"]]
    assert failed == ["plan", "lost"]
    assert caught.value.details["available_items"] == ["notes"]
    report.check(proceed=True)


def test_a_bundle_of_which_nothing_is_left_cannot_be_gone_on_with(
    make_bundle: BundleMaker,
) -> None:
    declared = {name: content + b"!" for name, content in ITEMS.items()}
    with open_bundle(make_bundle(ITEMS, manifest=manifest_of(declared))) as opened:
        report = verify_portable(opened)
    with pytest.raises(BundleUnusable):
        report.check(proceed=True)


def test_a_manifest_that_is_not_valid_is_told(make_bundle: BundleMaker) -> None:
    with open_bundle(make_bundle(ITEMS, manifest=manifest_of(ITEMS, id="Not An Id"))) as opened:
        report = verify_portable(opened)
    assert [one.code for one in report.manifest_errors] == ["odd-id"]
    with pytest.raises(BundleUnusable, match="manifest is not valid"):
        report.check()
    report.check(proceed=True)


def test_items_without_a_hash_or_outside_make_a_bundle_less_than_self_contained(
    make_bundle: BundleMaker,
) -> None:
    manifest = manifest_of(ITEMS)
    items = manifest["context"]["items"]
    del items[0]["hash"]
    items.append(
        {"id": "far", "type": "document", "title": "Far", "external_uri": "https://example.com/x"}
    )
    manifest["context"]["item_count"] = 3
    with open_bundle(make_bundle(ITEMS, manifest=manifest)) as opened:
        report = verify_portable(opened)
    assert report.passes
    assert not report.is_self_contained
    told = report.to_wire()
    assert (told["unhashed"], told["external"]) == (["notes"], ["far"])
