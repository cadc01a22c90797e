"""Whatever shapes an index is in its name."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import tipstaff
from tipstaff.index import fingerprint

PACKAGE = Path(tipstaff.__file__).parent
# Shapes, not contents: protocols and values that the code above fills.
SHAPES = {"domain/scope.py", "store/store.py"}


def covered() -> set[str]:
    names: set[str] = set()
    for name in fingerprint._CODE:
        place = PACKAGE / name
        files = place.glob("*.py") if place.is_dir() else [place]
        names |= {path.relative_to(PACKAGE).as_posix() for path in files}
    return names


def imported_by(name: str) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse((PACKAGE / name).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tipstaff."):
            path = (node.module or "").replace(".", "/").removeprefix("tipstaff/") + ".py"
            if (PACKAGE / path).is_file():
                found.add(path)
    return found


def test_every_file_that_is_named_is_there() -> None:
    assert all((PACKAGE / name).exists() for name in covered())


def test_the_code_that_chunks_and_analyses_is_covered_with_what_it_uses() -> None:
    """An index of older code must not be searched by newer."""
    makers = {name for name in covered() if name.split("/")[0] in ("chunk", "index", "lexical")}
    used = set().union(*map(imported_by, makers))
    assert used - SHAPES <= covered()


def test_another_stemmer_makes_another_index(monkeypatch: pytest.MonkeyPatch) -> None:
    code = fingerprint._code.__wrapped__
    before = code()
    assert code() == before
    monkeypatch.setattr(fingerprint, "version", lambda _: "another")
    assert code() != before
