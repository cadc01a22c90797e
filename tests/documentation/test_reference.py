"""The reference has everything that the code has, and says so when the code says nothing."""

from __future__ import annotations

import importlib
from dataclasses import dataclass, field, fields
from typing import ClassVar

import pytest
from fastapi import APIRouter

from documentation.commands_page import page_of
from documentation.errors_page import errors_page
from documentation.events_page import events_page
from documentation.http_page import http_page
from documentation.plug_ins_page import KINDS, plug_ins_page
from documentation.python_page import python_page
from documentation.reference import REFERENCE, reference_pages, undocumented
from documentation.reference_page import words_of
from documentation.settings_table import settings_table, with_settings
from tests.conftest import ROOT
from tipstaff import __all__ as exported
from tipstaff.cli.describing import DescribedCommand, Option, Place
from tipstaff.cli.main import COMMANDS
from tipstaff.domain.events import BY_NAME
from tipstaff.errors import HTTP_STATUS
from tipstaff.serve.app import ROUTERS
from tipstaff.settings import Settings


def text(name: str) -> str:
    return reference_pages()[f"reference/{name}.md"].text


def test_nothing_is_undocumented() -> None:
    assert undocumented() == []


def test_every_command_has_a_section() -> None:
    assert all(f"\n## tip {name}\n" in text("commands") for name in COMMANDS)


def test_every_setting_stands_in_the_table_with_its_default_and_help() -> None:
    page = with_settings((ROOT / "docs" / "settings.md").read_text(encoding="utf-8"))
    rows = {line for line in page.splitlines() if line.startswith("| <span")}
    assert len(rows) == len(fields(Settings))
    assert page.count("| Setting | Default |") == 1
    assert any("`max_items`" in row and "| 1,000 |" in row for row in rows)


def test_every_error_has_a_section_with_its_three_codes() -> None:
    assert all(f"\n### `{name}` {{ #{name} }}" in text("errors") for name in HTTP_STATUS)
    assert "| `RateLimited` | 429 | 6 | `RATE_LIMITED` |" in text("errors")


def test_every_event_has_a_section_with_its_fields() -> None:
    for name, kind in BY_NAME.items():
        section = text("events").split(f"\n## {name}\n")[1].split("\n## ")[0]
        assert all(f"| `{one.name}` |" in section for one in fields(kind))


def test_every_route_that_is_in_the_document_has_a_section() -> None:
    sections = {line[4:].split(" {")[0] for line in text("http").splitlines() if line[:4] == "### "}
    for router in ROUTERS:
        for route in router.routes:
            if getattr(route, "include_in_schema", False):
                assert any(f"{one} {route.path_format}" in sections for one in route.methods)  # type: ignore[attr-defined]


def test_every_exported_name_has_a_section() -> None:
    assert all(f"\n## tipstaff.{name}\n" in text("python") for name in exported if name[0] != "_")


def test_protocols_and_suites_of_plug_ins_exist() -> None:
    for _, protocol, suite in KINDS.values():
        module, name = f"tipstaff.{protocol}".rsplit(".", 1)
        assert hasattr(importlib.import_module(module), name)
        if suite:
            assert hasattr(importlib.import_module(f"tipstaff.contracts.{suite}"), "faults_of")


def test_an_option_without_help_is_reported() -> None:
    bare = DescribedCommand(
        name="ask",
        summary="asks",
        places=(Place(metavar="QUERY", help="", shown="QUERY"),),
        options=(Option(flags=("--fast",), help="", metavar=None),),
    )
    assert page_of((bare,)).undocumented == ("QUERY of `tip ask`", "--fast of `tip ask`")


def test_a_setting_without_help_is_reported() -> None:
    @dataclass
    class Bare:
        told: int = field(default=1, metadata={"help": "How many."})
        silent: int = 2

    assert settings_table(Bare).undocumented == ("the setting silent",)


def test_an_error_without_words_of_its_own_is_reported() -> None:
    class Root:
        """Not of the real tree, which other tests look through."""

    class Branch(Root):
        """Somebody can mend it."""

    class Bare(Branch):
        code = "usage"

    class Numbered(Branch):
        """TIP §14.4."""

        code = "usage"

    assert errors_page(Root).undocumented == (
        "the error Bare (usage)",
        "the error Numbered (usage)",
    )


def test_an_event_without_words_is_reported() -> None:
    @dataclass
    class Bare:
        name: ClassVar[str] = "tip.bare"

    assert events_page({"tip.bare": Bare}).undocumented == ("the event tip.bare",)


def test_a_route_or_parameter_without_words_is_reported() -> None:
    router = APIRouter()

    @router.get("/bare")
    async def bare(size: int = 1) -> None: ...

    assert http_page([router]).undocumented == (
        "the route GET /bare",
        "size (in the query) of GET /bare",
    )


def test_a_name_of_python_without_words_is_reported() -> None:
    class Module:
        @dataclass
        class Bare:
            def silent(self) -> None: ...

    assert python_page(["Bare"], Module).undocumented == (
        "tipstaff.Bare of Python",
        "tipstaff.Bare.silent of Python",
    )


def test_a_kind_of_plug_in_that_nobody_described_is_reported() -> None:
    assert plug_ins_page({"oracle": {}}).undocumented == ("plug-ins of the kind oracle",)


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        ("TIP §14.3.", ""),
        ("Enterprise §5.2.3", ""),
        ("TIP §14.3: too long.", "TIP §14.3: too long."),
    ],
)
def test_a_section_alone_is_no_documentation(words: str, kept: str) -> None:
    class Told:
        __doc__ = words

    assert words_of(Told) == kept


def test_every_page_of_the_reference_is_in_the_navigation() -> None:
    nav = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    assert all(f"- {path}\n" in nav for path in REFERENCE)
