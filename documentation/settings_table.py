"""The table of settings, from `Settings` itself, in the place of the one in docs/settings.md.

The page in the repository carries the table, too, for whoever reads it there; a test compares.
"""

from __future__ import annotations

import re
from dataclasses import Field, fields

from documentation.markdown_page import code, plain, table
from documentation.reference_page import ReferencePage
from tipstaff.settings import Settings

_HEAD = ("Setting", "Default", "What it is for")
_WRITTEN = re.compile(r"^\| Setting \| Default \|.*?(?=^\s*$)", re.MULTILINE | re.DOTALL)


def settings_table(settings: type = Settings) -> ReferencePage:
    every = fields(settings)
    rows = [
        (f'<span id="{one.name}"></span>{code(one.name)}', _default(one), plain(_help(one)))
        for one in every
    ]
    missing = tuple(f"the setting {one.name}" for one in every if not _help(one))
    return ReferencePage(text=table(_HEAD, rows), undocumented=missing)


def with_settings(page: str) -> str:
    """docs/settings.md with the table as it is in the code."""
    if not _WRITTEN.search(page):
        raise ValueError("docs/settings.md has no table of settings.")
    made = settings_table().text
    return _WRITTEN.sub(lambda _: made, page, count=1)


def _help(one: Field[object]) -> str:
    return str(one.metadata.get("help", ""))


def _default(one: Field[object]) -> str:
    number = isinstance(one.default, int) and not isinstance(one.default, bool)
    return f"{one.default:,}" if number else str(one.default)
