"""A bundle made to take the page over: script in titles, text, file names and cells stays text."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import xlsxwriter

from tests.conftest import manifest_of
from tests.page.conftest import ask, signed_in
from tests.page.looking import Looking
from tests.serve.processes import Server, served, without_limits

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])
IMAGE = "<img src=x onerror=\"window.taken='image'\">"
SCRIPT = "<script>window.taken='script'</script>"
LINK = "[click](javascript:window.taken='link')"
CLOSING = "</style></title><svg onload=window.taken='svg'>"


@pytest.fixture(scope="module")
def server(folder: Path, bundle_maker: Callable[..., Path]) -> Iterator[Server]:
    text = f"# {IMAGE}\n\nThe budget for the roof is $4,200 {SCRIPT} {LINK}.\n\n{CLOSING}\n"
    items = {
        "notes.md": text.encode(),
        "cells.xlsx": _book(),
        "tree.json": json.dumps({IMAGE: SCRIPT, "roof": [CLOSING]}).encode(),
        "<img src=x onerror=window.taken=1>.md": b"A file with a name.\n",
        "page.html": f"<p>Hello</p>{SCRIPT}{IMAGE}".encode(),
        "drawing.svg": b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
    }
    manifest = manifest_of(items, id="hostile-tez")
    manifest["synthesis"]["title"] = f"{CLOSING}{IMAGE}"
    manifest["creator"] = {"name": SCRIPT}
    for number, item in enumerate(manifest["context"]["items"]):
        item["id"] = item["id"] if number != 3 else "named"
        item["title"] = f"{IMAGE}{SCRIPT}"
    synthesis = f"# {IMAGE}\n\n{SCRIPT} {LINK} [[notes:L3]] ![x](https://evil.example/p.png)\n"
    bundle = bundle_maker(items, manifest=manifest, synthesis=synthesis.encode())
    with served(folder, bundle, *without_limits()) as running:
        yield running


def _book() -> bytes:
    out = io.BytesIO()
    book = xlsxwriter.Workbook(out, {"in_memory": True, "strings_to_formulas": False})
    sheet = book.add_worksheet("<b onclick=x>")
    sheet.write_row(0, 0, ("Thing", IMAGE))
    sheet.write_row(1, 0, (SCRIPT, '=HYPERLINK("javascript:alert(1)")'))
    book.close()
    return out.getvalue()


def safe(look: Looking) -> None:
    assert look.value("window.taken === undefined")
    assert (
        look.value("document.querySelectorAll('main script, main svg, main iframe, main a').length")
        == 0
    )
    assert look.value("document.querySelectorAll('main img[src=\"x\"]').length") == 0


def test_titles_and_names_are_text(look: Looking, server: Server) -> None:
    look.visit(signed_in(server, tez="hostile-tez"))
    look.says(IMAGE, ".items")
    look.says("svg onload", ".tez-title")
    look.says("<script>", ".synthesis")
    look.says("(javascript:", ".synthesis")
    safe(look)


def test_answers_are_text(look: Looking, server: Server) -> None:
    look.visit(signed_in(server, tez="hostile-tez"))
    ask(look, "What is the budget for the roof?")
    look.says("4,200", ".exchange .words")
    look.hover(".words .chip")
    look.sees("#preview")
    safe(look)
    ask(look, f"Is it {IMAGE}{SCRIPT}?")
    look.says(IMAGE, ".exchanges")
    safe(look)


@pytest.mark.parametrize(
    ("cite", "seen"),
    [
        ("notes:L3", ".line.lit"),
        ("cells:'<b onclick=x>':B1", ".cell.passage"),
        ("tree:$.roof", ".tree"),
        ("named", ".viewer-body .line"),
        ("page", ".viewer-body .block"),
    ],
)
def test_every_viewer_shows_text(look: Looking, server: Server, cite: str, seen: str) -> None:
    look.visit(signed_in(server, tez="hostile-tez", cite=cite))
    look.sees(seen)
    safe(look)


def test_an_address_is_no_way_in(look: Looking, server: Server) -> None:
    look.visit(signed_in(server, tez="hostile-tez", cite=f"notes:{IMAGE}", words=SCRIPT))
    look.says("does not exist", ".viewer-body")
    safe(look)


def test_the_browser_itself_refuses_what_would_run(look: Looking, server: Server) -> None:
    """Were there a fault in the page, its policy would still hold."""
    look.visit(signed_in(server, tez="hostile-tez"))
    look.sees(".items")
    tried = """(() => {
        try { document.body.innerHTML += given.it; return 'made'; }
        catch (problem) { return problem.name; }
    })()"""
    assert look.value(tried, it=IMAGE) == "TypeError"
    safe(look)
