"""Whatever is made for a recipient is made from the bundle that exists for them, and there is one
place that makes it (Enterprise §3.5): a module that reached for the other one could forget."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.conftest import ROOT

SOURCE = ROOT / "src" / "tipstaff"
FOR_RECIPIENTS = (
    "answer",
    "asking.py",
    "enveloping.py",
    "generating.py",
    "guarding.py",
    "prompting.py",
    "serve",
    "session",
    "showing.py",
    "streaming.py",
    "tez.py",
    "verify",
)
# The sender's terms hold for everybody alike.
TERMS = ("hosting", "privacy", "permissions")


def modules() -> Iterator[Path]:
    for name in FOR_RECIPIENTS:
        place = SOURCE / name
        assert place.exists(), name
        yield from [place] if place.is_file() else sorted(place.rglob("*.py"))


def reaches(tree: ast.AST) -> Iterator[int]:
    """Lines where `….opened.bundle` or `….opened.synthesis_bytes` is used for more than terms."""
    fine = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr in TERMS
    }
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Attribute)
            and node.attr in ("bundle", "synthesis_bytes")
            and isinstance(node.value, ast.Attribute)
            and node.value.attr == "opened"
            and id(node) not in fine
        ):
            yield node.lineno


def test_no_module_for_recipients_reaches_around_the_boundary() -> None:
    found = [
        f"{path.relative_to(SOURCE)}:{line}"
        for path in modules()
        for line in reaches(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert found == []


def test_reaching_around_it_would_be_seen() -> None:
    tree = ast.parse("x = indexed.opened.bundle.items\ny = self.indexed.opened.bundle.hosting\n")
    assert list(reaches(tree)) == [1]
