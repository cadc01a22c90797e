"""Starting must stay light: what is imported, not how long it took."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import tipstaff
from tests.conftest import BundleMaker

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


def test_a_search_in_an_index_that_is_there_waits_for_no_parser(
    make_bundle: BundleMaker, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # An equal bundle of another test must not have left its index.
    monkeypatch.setenv("TIPSTAFF_DATA_DIR", str(tmp_path / "own-data"))
    """Importing them takes longer than such a search; a known query needs no model either."""
    folder = str(make_bundle())
    search = "from tipstaff.cli.main import main; main(['search', {!r}, {!r}])"
    assert "tipstaff.parse.pool" in imported_by(search.format(folder, "colour of the sky"))
    new = imported_by(search.format(folder, "what is blue"))
    assert not new & {"bpe_openai", "lxml", "syntok", "tokenizers.tools"}
    assert not {name for name in new if name.startswith(("tipstaff.reading", "tipstaff.chunk"))}
    assert "tipstaff.parse.pool" not in new
    assert "tokenizers" in new
    assert "onnxruntime" not in new
    known = imported_by(search.format(folder, "what is blue"))
    assert not known & {"onnxruntime", "tokenizers"}


def test_the_package_imports_nothing_until_a_name_is_used() -> None:
    modules = imported_by("import tipstaff")
    assert {name for name in modules if name.startswith("tipstaff.")} == set()


def test_the_exported_names_are_these() -> None:
    assert sorted(tipstaff.__all__) == [
        "Bundle",
        "Citation",
        "Client",
        "ContextItem",
        "OpenBundle",
        "Settings",
        "Tez",
        "TipstaffError",
        "__version__",
        "ask",
        "examine",
        "open",
        "open_bundle",
        "parse_citation",
        "parse_citations",
        "read_bundle",
    ]
    for name in tipstaff.__all__:
        assert getattr(tipstaff, name) is not None
