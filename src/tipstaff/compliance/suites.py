"""Every suite there is, by its name; a suite's tests are imported when they are wanted."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

from tipstaff.compliance.case import Case, Suite

_SUITES = {
    "tip": ("tipstaff.compliance.tip.suite", "TIP"),
    "enterprise": ("tipstaff.compliance.enterprise", "SUITE"),
}


def suite(name: str) -> Suite:
    module, attribute = _SUITES[name]
    found: Suite = getattr(import_module(module), attribute)
    return found


def every_case() -> Iterator[Case]:
    for name in _SUITES:
        yield from suite(name)
