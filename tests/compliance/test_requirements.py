"""The manifest of requirements and the tests that it names, held against each other."""

from __future__ import annotations

import ast
import json
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from tipstaff.compliance.matrix import as_json, as_text, page
from tipstaff.compliance.requirement import (
    ENTERPRISE,
    TIP,
    TRANSPARENCY,
    BadManifest,
    Requirement,
    _section,
    requirements,
    sections,
)
from tipstaff.compliance.suites import every_case

ROOT = Path(__file__).parents[2]

# How often each section of the specifications says MUST, SHALL, REQUIRED or SHOULD (their NOTs
# included), counted in the published texts outside of blocks of code. What only defines the words
# (TIP §1.3, the addendum's abstract) is left out.
KEYWORDS = {
    TIP: {
        "1.4": 1,
        "2": 1,
        "2.1": 1,
        "2.2": 1,
        "2.6": 2,
        "2.7": 2,
        "2.8": 2,
        "3": 1,
        "3.1": 4,
        "3.2": 2,
        "3.3": 7,
        "3.4": 1,
        "3.4.1": 2,
        "3.4.2": 2,
        "3.4.3": 2,
        "3.4.4": 1,
        "3.5": 3,
        "3.6": 2,
        "4": 1,
        "4.1": 2,
        "4.2": 1,
        "4.2.1": 4,
        "4.2.2": 2,
        "4.4": 3,
        "4.5": 2,
        "5": 1,
        "5.1.4": 1,
        "5.2": 1,
        "5.3": 1,
        "5.5": 6,
        "5.6": 5,
        "6": 2,
        "6.1": 4,
        "6.2": 5,
        "6.3": 5,
        "6.4": 7,
        "6.5": 1,
        "7": 1,
        "7.2": 1,
        "7.3": 3,
        "7.4": 1,
        "8.1.2": 3,
        "8.1.3": 4,
        "8.1.4": 3,
        "8.3": 5,
        "8.4": 5,
        "8.5": 1,
        "9": 2,
        "9.5": 1,
        "9.6": 1,
        "9.7": 2,
        "10.1.1": 2,
        "10.1.2": 1,
        "10.1.3": 2,
        "10.1.4": 1,
        "10.1.5": 1,
        "10.1.6": 2,
        "10.1.7": 1,
        "10.2.1": 4,
        "10.2.2": 5,
        "10.2.3": 3,
        "10.2.4": 5,
        "10.3": 1,
        "10.3.1": 1,
        "10.3.2": 1,
        "10.3.3": 1,
        "10.3.5": 1,
        "11": 1,
        "11.9": 2,
        "12.1.2": 1,
        "12.1.3": 2,
        "12.1.4": 1,
        "12.2.2": 4,
        "12.2.3": 1,
        "12.2.4": 1,
        "12.3.2": 1,
        "12.3.3": 1,
        "12.3.4": 3,
        "12.4": 1,
        "13.1": 1,
        "13.1.1": 1,
        "13.1.2": 4,
        "13.1.3": 1,
        "13.2": 1,
        "13.2.1": 1,
        "13.2.2": 4,
        "13.3.1": 2,
        "13.3.2": 2,
        "13.3.3": 1,
        "13.4.1": 1,
        "13.4.2": 4,
        "13.5": 2,
        "13.6": 2,
        "14": 2,
        "14.1": 3,
        "14.2": 4,
        "14.5": 4,
        "14.6": 3,
        "14.8": 1,
        "15.2": 1,
        "15.4": 1,
        "15.5": 1,
        "15.6": 3,
    },
    ENTERPRISE: {
        "1.2": 1,
        "1.3": 1,
        "2.1": 1,
        "2.2": 2,
        "2.3": 1,
        "2.3.1": 3,
        "2.3.2": 2,
        "2.3.3": 2,
        "2.3.4": 2,
        "2.3.5": 2,
        "2.3.6": 4,
        "2.3.7": 4,
        "2.3.8": 3,
        "2.3.9": 4,
        "2.4": 2,
        "2.5": 3,
        "3.4": 3,
        "3.5": 5,
        "3.6": 6,
        "3.7": 6,
        "3.8": 2,
        "4.1": 1,
        "4.2": 1,
        "4.3": 1,
        "4.4": 2,
        "4.5": 4,
        "5.2.2": 2,
        "5.2.3": 2,
        "5.2.4": 3,
        "5.2.5": 7,
        "5.4": 1,
        "6.2": 1,
        "6.2.2": 2,
        "6.3": 1,
        "6.3.1": 5,
        "6.4": 5,
        "6.5": 3,
        "6.6": 3,
        "7.2": 2,
        "7.3": 2,
        "7.4": 1,
        "7.5": 1,
        "7.6": 3,
        "7.7": 3,
        "8.4": 3,
        "8.5": 2,
        "8.6": 3,
        "8.7": 2,
        "8.8": 1,
        "9.2": 2,
        "10.1": 6,
        "10.2": 1,
        "10.3": 5,
        "10.4": 1,
        "10.5": 1,
        "A": 1,
    },
    TRANSPARENCY: {"Migration": 2},
}


@cache
def collected(file: str) -> frozenset[str]:
    """The tests that a file defines, read without running it."""
    path = ROOT / file
    if not path.is_file():
        return frozenset()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return frozenset(
        node.name
        for node in tree.body
        if isinstance(node, functions) and node.name.startswith("test_")
    )


def every() -> list[Requirement]:
    return list(requirements())


def test_every_section_that_demands_something_has_a_file() -> None:
    there = {(section.spec, section.number) for section in sections()}
    demanded = {
        (spec, section.split(".")[0]) for spec in (TIP, ENTERPRISE) for section in KEYWORDS[spec]
    }
    assert demanded <= there
    assert any(section.spec == TRANSPARENCY for section in sections())


@pytest.mark.parametrize("spec", KEYWORDS)
def test_no_section_has_fewer_requirements_than_the_specification_has_demands(spec: str) -> None:
    held = Counter(one.section for one in every() if one.spec == spec)
    short = {
        name: (count, held[name]) for name, count in KEYWORDS[spec].items() if count > held[name]
    }
    assert not short


def test_every_id_is_given_once_and_names_its_section() -> None:
    ids = [one.id for one in every()]
    assert [one for one, count in Counter(ids).items() if count > 1] == []
    assert [one.id for one in every() if f"-{one.section}-" not in one.id] == []


def test_every_unit_test_that_is_named_is_there() -> None:
    named = {test for one in every() for test in one.unit}
    missing = [test for test in named if test.split("::")[1] not in collected(test.split("::")[0])]
    assert sorted(missing) == []


def test_every_wire_test_that_is_named_is_registered() -> None:
    named = {case for one in every() for case in one.wire}
    assert sorted(named - {case.id for case in every_case()}) == []


def test_every_registered_wire_test_is_asked_for_by_a_requirement() -> None:
    named = {case for one in every() for case in one.wire}
    assert sorted({case.id for case in every_case()} - named) == []


def test_every_behaviour_is_one_sentence_of_its_own() -> None:
    for one in every():
        assert one.behaviour.endswith("."), one.id
        assert ". " not in one.behaviour, one.id


def test_what_is_demanded_absolutely_is_tested_inspected_or_said_to_differ() -> None:
    """A MUST may be left open only where it is not asked of an implementation."""
    left = [one.id for one in every() if one.is_absolute and one.way == "deferred"]
    assert left == ["TIP-15.6-1"]


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({"level": "OUGHT", "unit": ["tests/x.py::test_y"]}, "no level"),
        ({"level": "MUST"}, "neither how it is tested"),
        ({"level": "MUST", "units": []}, "unknown units"),
        ({"level": "MUST", "section": "4.1", "inspection": "read"}, "does not belong"),
    ],
)
def test_a_requirement_that_says_nothing_of_its_testing_is_refused(
    row: dict[str, object], told: str
) -> None:
    filled = {"id": "TIP-3.1-1", "section": "3.1", "behaviour": "It holds.", **row}
    content = {"spec": TIP, "section": "3", "title": "Grounding", "requirement": [filled]}
    with pytest.raises(BadManifest, match=told):
        _section("tip-03.toml", content)


def test_the_page_is_that_of_the_manifest() -> None:
    """Written by `make conformance`."""
    assert (ROOT / "docs/conformance.md").read_text(encoding="utf-8") == page()


def test_the_matrix_counts_every_requirement_and_names_what_differs() -> None:
    text, counted = as_text(), as_json()
    assert counted["coverage"]["all"]["requirements"] == len(every())
    assert f"{len(every())}" in text.split("all", 1)[1].split("\n")[0]
    for one in every():
        assert (one.id in text) == bool(one.divergence or one.deferred)
    json.dumps(counted)
