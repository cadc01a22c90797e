"""Starting must stay light: what is imported, not how long it took."""

from __future__ import annotations

import subprocess
import sys

import pytest

import tipstaff

HEAVY = {
    "asyncio",
    "bpe_openai",
    "hypothesis",
    "importlib.metadata",
    "lxml",
    "msgspec",
    "numpy",
    "platformdirs",
    "sqlite3",
    "unittest",
    "urllib.request",
    "yaml",
    "zipfile",
}


def imported_by(code: str) -> set[str]:
    program = f"import sys\n{code}\nprint('|'.join(sys.modules), file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return set(done.stderr.strip().split("|"))


@pytest.mark.parametrize("words", [["--version"], ["--help"], ["nosuch"]])
def test_the_command_starts_without_heavy_modules(words: list[str]) -> None:
    modules = imported_by(f"from tipstaff.cli.main import main; main({words})")
    assert not HEAVY & modules
    assert "tipstaff.engine" not in modules


def test_the_package_imports_nothing_until_a_name_is_used() -> None:
    modules = imported_by("import tipstaff")
    assert {name for name in modules if name.startswith("tipstaff.")} == set()


def test_the_exported_names_are_these() -> None:
    assert sorted(tipstaff.__all__) == [
        "Bundle",
        "Citation",
        "ContextItem",
        "OpenBundle",
        "Settings",
        "TipstaffError",
        "__version__",
        "examine",
        "open_bundle",
        "parse_citation",
        "parse_citations",
        "read_bundle",
    ]
    for name in tipstaff.__all__:
        assert getattr(tipstaff, name) is not None
