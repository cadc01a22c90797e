"""A judgement shown: JSON, JUnit and the page, whatever a server said."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

from tipstaff.compliance.case import Case
from tipstaff.compliance.claims import claim_results, claimed_by
from tipstaff.compliance.judgement import Judgement
from tipstaff.compliance.report.junit import junit
from tipstaff.compliance.report.page import page
from tipstaff.compliance.report.writing import write_reports
from tipstaff.compliance.running import CaseResult, CaseRun
from tipstaff.compliance.verdict import Check, Verdict
from tipstaff.compliance.wire import Exchange
from tipstaff.compliance.world import World

HOSTILE = "<script>alert(1)</script> & \x00 [[item:p7]]"
GOOD = Verdict.of([Check("it holds", holds=True)])
BAD = Verdict.of([Check("it holds", holds=False, found=HOSTILE)])
MISSING = Verdict.inconclusive("There is no token.")


async def unused(_: World) -> Verdict:
    return GOOD


def result(name: str, *verdicts: Verdict, required: bool = True) -> CaseResult:
    body = {
        "response": {
            "text": HOSTILE,
            "classification": "grounded",
            "confidence": "high",
            "citations": [{"item_id": "item", "location": "p7", "text_excerpt": HOSTILE}],
        },
        "model": "m-1",
        "retrieval_summary": {"strategy": "single_pass"},
    }
    exchange = Exchange(
        method="POST", path="/q", who="owner", request={"query": "Why?"}, status=200, body=body
    )
    case = Case(id=name, section="TIP §11", title="A test", run=unused, required=required)
    runs = tuple(
        CaseRun(verdict=one, exchanges=(exchange,), seconds=at + 0.5)
        for at, one in enumerate(verdicts)
    )
    return CaseResult(case=case, runs=runs)


def judgement(*results: CaseResult, left_out: tuple[Case, ...] = ()) -> Judgement:
    return Judgement(
        suite="tip",
        results=results,
        claims=claim_results(results, frozenset(("TIP-1.0",)), left_out=left_out),
        runs=3,
        subject={"title": "Meridian", "id": "meridian"},
        discovery={"post_processing": "checked"},
    )


def test_the_json_says_of_every_test_whether_it_passed_in_which_runs_and_why() -> None:
    told = judgement(
        result("one", GOOD, GOOD, GOOD), result("two", GOOD, BAD, BAD), result("three", MISSING)
    ).to_wire()
    assert [(one["id"], one["passed"], len(one["runs"])) for one in told["tests"]] == [
        ("one", True, 3),
        ("two", False, 3),
        ("three", None, 1),
    ]
    assert told["tests"][2]["why"] == "There is no token."
    assert told["server"]["model"] == "m-1"
    assert told["server"]["retrieval"] == "strategy single_pass"
    assert told["server"]["post_processing"] == "checked"
    json.dumps(told)


def test_a_claim_fails_with_a_required_test_and_with_one_that_could_not_be_judged() -> None:
    good = result("one", GOOD, GOOD, GOOD)
    assert judgement(good).holds
    assert not judgement(good, result("two", BAD, BAD, BAD)).holds
    assert not judgement(good, result("two", MISSING, MISSING, MISSING)).holds
    assert judgement(good, result("two", BAD, BAD, BAD, required=False)).holds


def test_too_few_runs_or_tests_show_nothing_and_fail_nothing() -> None:
    few = judgement(result("one", GOOD))
    assert few.claims[0].holds is None
    assert few.holds
    less = judgement(result("one", GOOD, GOOD, GOOD), left_out=(result("two", GOOD).case,))
    assert less.claims[0].holds is None
    assert "two left out" in less.claims[0].why


def test_a_server_that_declares_nothing_is_taken_to_claim_what_the_suite_is_for() -> None:
    assert claimed_by({}, ("TIP-1.0",)) == {"TIP-1.0"}
    assert claimed_by({"conformance": ["TIP-Lite"]}, ("TIP-1.0",)) == {"TIP-Lite"}
    assert claimed_by({"conformance": []}, ("TIP-1.0",)) == set()


def test_junit_can_be_read_whatever_was_said() -> None:
    tree = ET.fromstring(  # noqa: S314 - our own
        junit(judgement(result("one", GOOD), result("two", BAD), result("three", MISSING)))
    )
    suite = tree[0]
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("3", "1", "1")
    assert [len(case) for case in suite] == [0, 1, 1]


def test_what_a_server_said_is_text_on_the_page_and_never_markup() -> None:
    shown = page(judgement(result("one", BAD, BAD, BAD)))
    assert "<script" not in shown
    assert "&lt;script&gt;" in shown
    assert "<mark>[[item:p7]]</mark>" in shown


def test_runs_that_came_to_the_same_are_shown_once_and_the_page_has_no_times() -> None:
    shown = page(judgement(result("one", GOOD, GOOD, GOOD)))
    assert shown.count("<details") == 1
    assert "Runs 1, 2, 3" in shown
    assert "http" not in shown.replace("over HTTP", "")
    assert "0.5" not in shown


def test_a_report_is_three_files(tmp_path: Path) -> None:
    written = write_reports(judgement(result("one", GOOD)), tmp_path / "new")
    assert [path.name for path in written] == ["report.html", "report.json", "junit.xml"]
    full = json.loads((tmp_path / "new" / "report.json").read_text("utf-8"))
    assert full["tests"][0]["runs"][0]["exchanges"][0]["request"] == {"query": "Why?"}
