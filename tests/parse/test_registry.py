from __future__ import annotations

import importlib
import tomllib

import pytest

from tests.conftest import ROOT
from tipstaff.parse import registry
from tipstaff.parse.parser import Parser

PARSERS = sorted(set(registry.BUILT_IN.values()))


def test_the_table_the_entry_points_and_the_parsers_agree() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    points = project["entry-points"][registry.GROUP]
    assert points == {name: f"tipstaff.parse.{name}:PARSER" for name in PARSERS}


@pytest.mark.parametrize("name", PARSERS)
def test_a_parser_reads_what_the_table_says(name: str) -> None:
    parser = importlib.import_module(f"tipstaff.parse.{name}").PARSER
    assert isinstance(parser, Parser)
    assert parser.name == name
    assert {kind for kind, module in registry.BUILT_IN.items() if module == name} == set(
        parser.media_types
    )


def test_exact_types_win_over_families() -> None:
    markdown = registry.parser_for("text/markdown")
    assert markdown is not None
    assert markdown.name == "markdown"
    other = registry.parser_for("text/x-never-heard-of")
    assert other is not None
    assert other.name == "plain_text"
    assert registry.parser_for("application/x-never-heard-of") is None


def test_the_fingerprint_names_the_parser_without_importing_it() -> None:
    fingerprint = registry.fingerprint("text/markdown")
    assert fingerprint is not None
    assert fingerprint.startswith("markdown ")
    assert registry.fingerprint("application/x-never-heard-of") is None
