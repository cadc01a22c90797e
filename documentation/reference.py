"""The reference: each of its pages by its path, made once a build."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from documentation.commands_page import commands_page
from documentation.errors_page import errors_page
from documentation.events_page import events_page
from documentation.http_page import http_page
from documentation.plug_ins_page import plug_ins_page
from documentation.python_page import python_page
from documentation.reference_page import ReferencePage
from documentation.settings_table import settings_table

# By their paths on the site; they are not in the repository.
REFERENCE: dict[str, Callable[[], ReferencePage]] = {
    "reference/commands.md": commands_page,
    "reference/errors.md": errors_page,
    "reference/events.md": events_page,
    "reference/http.md": http_page,
    "reference/plug-ins.md": plug_ins_page,
    "reference/python.md": python_page,
}


@cache
def reference_pages() -> dict[str, ReferencePage]:
    return {path: made() for path, made in REFERENCE.items()}


def undocumented() -> list[str]:
    """Whatever has no word of documentation: a site is not built while there is any."""
    every = [*reference_pages().values(), settings_table()]
    return [one for page in every for one in page.undocumented]
