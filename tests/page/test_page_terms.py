"""What a recipient agrees to before a session is logged, and a folder that becomes a tez."""

from __future__ import annotations

import base64
import io
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from tests.conftest import manifest_of
from tests.page.conftest import signed_in
from tests.page.looking import Looking
from tests.serve.processes import Server, served, without_limits
from tipstaff.serve.page_files import page_files

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])
QUESTION = "What is the budget for the roof?"
# A folder as a browser gives it when it is dropped.
PACKED = """
const file = (name, text) => ({isFile: true, name, file: (done) => done(new File([text], name))});
const folder = (name, inside) => ({isDirectory: true, name, createReader: () => {
    let left = [inside, []];
    return {readEntries: (done) => done(left.shift())};
}});
const whole = folder('papers', [file('notes.md', 'The sky is blue.'),
    file('.hidden', 'x'), folder('more', [file('grün.md', 'Grass.')])]);
import(given.module).then(({packed}) => packed(whole)).then(async (blob) => {
    const bytes = new Uint8Array(await blob.arrayBuffer());
    done(btoa(String.fromCharCode(...bytes)));
});
"""


@pytest.fixture(scope="module")
def server(folder: Path, bundle_maker: Callable[..., Path]) -> Iterator[Server]:
    items = {"notes.md": b"The budget for the roof is $4,200.\n"}
    privacy = {"query_logging": "opt_in", "logging_scope": "queries", "retention_days": 5}
    manifest = manifest_of(items, privacy=privacy)
    bundle = bundle_maker(items, manifest=manifest)
    allowed = ("--set", "query_logging=opt_in")
    with served(folder, bundle, *without_limits(), *allowed) as running:
        yield running


def logged(server: Server) -> int:
    headers = {"Authorization": f"Bearer {server.token}"}
    found = httpx.get(f"{server.url}/privacy/logged-queries", headers=headers)
    return len(found.json()["logged_queries"])


def asked(look: Looking, server: Server, choice: str) -> None:
    look.visit(signed_in(server, tez="small-tez"))
    look.sees(".empty")
    look.click("#question")
    look.write(QUESTION)
    look.press("Enter")
    look.says("logged for 5 days", "dialog")
    look.click(choice)
    look.sees(".exchange .found")


def test_nothing_is_logged_without_consent(look: Looking, server: Server) -> None:
    asked(look, server, "dialog .choices button:first-child")
    assert logged(server) == 0
    assert not look.text(".consent")


def test_consent_is_given_seen_and_taken_back(look: Looking, server: Server) -> None:
    asked(look, server, "dialog button.main")
    assert logged(server) == 1
    look.click(".consent button")
    look.until("!document.querySelector('.consent').innerText")
    assert logged(server) == 0


def test_a_folder_becomes_an_archive(look: Looking, server: Server) -> None:
    look.visit(signed_in(server, tez="small-tez"))
    look.sees(".empty")
    module = f"{server.url}/page/{page_files().digest}/zip.js"
    content = base64.b64decode(look.page.run(PACKED, {"module": module}))
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        assert sorted(archive.namelist()) == ["more/grün.md", "notes.md"]
        assert archive.read("more/grün.md") == b"Grass."
