"""Every claim of a synthesis gets the standing that its sources give it, and no worse one."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import MERIDIAN, ROOT, BundleMaker, manifest_of
from tipstaff.domain.wire import from_wire, to_wire
from tipstaff.engine import audit_synthesis, index_bundle, open_bundle
from tipstaff.settings import load_settings
from tipstaff.synthesis.audited import AuditedClaim, Standing, SynthesisAudit
from tipstaff.synthesis.marked_up import marked_up

Audits = Callable[..., SynthesisAudit]
# No vector and no reader has a say in an audit.
QUICK = load_settings({"reader": "none", "embedder": "static"})
MINUTES = (
    b"# Minutes of 3 March 2025\n\n"
    b"The roof of the depot costs $48,200 to mend, said Ada Byron.\n\n"
    b"Nobody tested the pumps before the flood.\n\n"
    b"The committee will meet again on 9 May 2025.\n\n"
    b"| Part | Amount |\n|---|---:|\n| Slates | $30,000 |\n| Timber | $18,200 |\n"
)


def audit_of(path: Path, recipient: str | None = None) -> SynthesisAudit:
    with open_bundle(path, settings=QUICK) as opened:
        return audit_synthesis(index_bundle(opened, settings=QUICK), recipient=recipient)


@pytest.fixture
def audited(make_bundle: BundleMaker) -> Audits:
    def audit(*sentences: str, **items: bytes) -> SynthesisAudit:
        text = "# A paper\n\n## Findings\n\n" + "\n\n".join(sentences) + "\n"
        contents = {"minutes.md": MINUTES} | {f"{name}.md": text for name, text in items.items()}
        return audit_of(make_bundle(contents, synthesis=text.encode()))

    return audit


def _only(audit: SynthesisAudit) -> AuditedClaim:
    (claim,) = audit.claims
    return claim


def test_the_planted_claim_is_found_and_nothing_else_is_accused() -> None:
    audit = audit_of(MERIDIAN)
    (found,) = audit.problems
    assert found.standing is Standing.UNSUPPORTED
    assert "71 percent" in found.reason
    assert found.passages[0].item_id == "competitive-analysis"
    assert audit.text[found.start : found.end].startswith("Customer satisfaction")
    assert audit.passes(threshold=0.7)
    assert not audit.passes(threshold=0.7, strict=True)


ALTERED = {
    "$1,980,000: $860,000": "$2,980,000: $860,000",
    "61.4 percent": "67.4 percent",
    "since 31 March 2024, and seventeen": "since 31 March 2024, and seventy",
    "1,140 of them": "6,140 of them",
    "a discount of $104,400": "a discount of $904,400",
    "costs $1,340,000 a year": "costs $1,740,000 a year",
    "99.9 percent": "95.9 percent",
    "would cost $30,400": "would cost $80,400",
}


def test_a_figure_that_was_altered_is_found_wherever_it_stands(tmp_path: Path) -> None:
    copy = tmp_path / "altered"
    shutil.copytree(MERIDIAN, copy)
    text = (MERIDIAN / "tez.md").read_text(encoding="utf-8")
    for was, now in ALTERED.items():
        assert text.count(was) == 1
        text = text.replace(was, now)
    (copy / "tez.md").write_text(text, encoding="utf-8")
    audit = audit_of(copy)
    found = [" ".join(audit.text[one.start : one.end].split()) for one in audit.problems]
    missed = [now for now in ALTERED.values() if not any(now in words for words in found)]
    assert not missed
    assert len(found) == len(ALTERED) + 1


@pytest.mark.parametrize(
    ("bundle", "planted"),
    [
        ("lease-dispute", ["about a fifth of the damage", "waive interest"]),
        ("clinical-protocol", ["from 40 mg to 30 mg"]),
        ("incident-review", ["tried on staging", "14,000 euros"]),
        ("water-utility", []),
    ],
)
def test_in_other_bundles_only_planted_claims_are_accused(bundle: str, planted: list[str]) -> None:
    found = audit_of(ROOT / "bundles" / bundle).problems
    assert len(found) == len(planted)
    assert all(words in one.text for words, one in zip(planted, found, strict=True))


def test_what_the_cited_words_say_is_supported_with_the_passage(audited: Audits) -> None:
    claim = _only(audited("The roof of the depot costs $48,200 to mend [[minutes:L3]]."))
    assert claim.standing is Standing.SUPPORTED
    assert claim.citations == ("minutes:L3",)
    assert "Ada Byron" in claim.passages[0].text_excerpt


def test_a_figure_that_is_nowhere_cited_is_not_supported(audited: Audits) -> None:
    claim = _only(audited("The committee will meet 450 people in May [[minutes:L7]]."))
    assert (claim.standing, claim.reason) == (
        Standing.UNSUPPORTED,
        "Not at the cited place: 450.",
    )


def test_the_same_thing_with_another_figure_is_contradicted(audited: Audits) -> None:
    claim = _only(audited("The roof of the depot costs $52,000 to mend [[minutes:L3]]."))
    assert claim.standing is Standing.CONTRADICTED
    assert "$48,200, not $52,000" in claim.reason


def test_what_the_cited_words_deny_is_contradicted(audited: Audits) -> None:
    claim = _only(audited("The pumps were tested before the flood [[minutes:L5]]."))
    assert claim.standing is Standing.CONTRADICTED


def test_a_citation_of_nothing_is_broken_and_the_right_place_is_named(audited: Audits) -> None:
    claim = _only(audited("The roof of the depot costs $48,200 to mend [[minutes:L99]]."))
    assert claim.standing is Standing.CITATION_BROKEN
    assert claim.elsewhere[0].reference == "minutes:L3"


def test_a_wrong_citation_is_not_mended_but_the_right_one_is_named(audited: Audits) -> None:
    claim = _only(audited("The roof of the depot costs $48,200 to mend [[minutes:L7]]."))
    assert claim.standing is Standing.UNSUPPORTED
    assert claim.elsewhere[0].reference == "minutes:L3"


def test_a_claim_without_a_citation_is_told_from_a_view(audited: Audits) -> None:
    audit = audited("The roof of the depot costs $48,200 to mend.", "This is a pity.")
    cost, pity = audit.claims
    assert (cost.standing, cost.elsewhere[0].reference) == (Standing.UNCITED, "minutes:L3")
    assert pity.standing is Standing.VIEW
    assert audit.score == 0.5


def test_a_sum_of_cited_rows_is_done_again(audited: Audits) -> None:
    claim = _only(audited("Slates and timber together come to $48,200 [[minutes:L11-12]]."))
    assert claim.standing in (Standing.SUPPORTED, Standing.WEAK)
    assert claim.computed == ("$30,000 + $18,200 = $48,200",)


def test_a_name_that_is_in_no_item_is_not_supported(audited: Audits) -> None:
    claim = _only(audited("The roof costs $48,200 to mend, said Zuleika Dobson [[minutes:L3]]."))
    assert claim.standing is Standing.UNSUPPORTED
    assert "Zuleika Dobson" in claim.reason


def test_a_newer_item_with_another_figure_makes_a_claim_stale(make_bundle: BundleMaker) -> None:
    items = {
        "old.md": b"The roof of the depot costs $48,200 to mend.\n",
        "new.md": b"The roof of the depot costs $61,000 to mend.\n",
    }
    manifest = manifest_of(items)
    days = {"old": "2025-03-03", "new": "2025-12-24"}
    for item in manifest["context"]["items"]:
        item["metadata"] = {"created": days[item["id"]]}
    text = b"# A\n\n## B\n\nThe roof of the depot costs $48,200 to mend [[old:L1]].\n"
    audit = audit_of(make_bundle(items, manifest=manifest, synthesis=text))
    claim = _only(audit)
    assert claim.standing is Standing.SUPPORTED
    assert [one.item_id for one in claim.newer] == ["new"]
    assert audit.newer_items == ("new",)
    assert (audit.counts["stale"], audit.score) == (1, 0.75)


def test_a_bundle_without_a_synthesis_has_nothing_to_fail(make_bundle: BundleMaker) -> None:
    folder = make_bundle(synthesis=None, manifest=b'{"tezit_version": "1.2", "id": "abc"}')
    assert audit_of(folder).score == 1.0


def test_an_audit_survives_the_wire(audited: Audits) -> None:
    audit = audited("The roof of the depot costs $52,000 to mend [[minutes:L3]].")
    assert from_wire(SynthesisAudit, to_wire(audit)) == audit


def test_the_page_has_every_word_of_the_synthesis_and_runs_nothing(audited: Audits) -> None:
    audit = audited("<script>alert(1)</script> costs $52,000 [[minutes:L3]].")
    page = marked_up(audit)
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; costs $52,000" in page
    assert not any(words in page for words in ("src=", "http:", "https:"))
    assert '<a href="#n1">1</a>' in page
    assert "<li id=n1>" in page
