"""One server and one browser for all tests of a file; each test opens the page anew."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.conftest import MERIDIAN, manifest_of
from tests.page.looking import Looking
from tests.page.zoo import zoo
from tests.serve.browsing import browser
from tests.serve.processes import Server, served, without_limits

TEZ = "meridian-corp-2025-11"
ZOO = "small-tez"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RUN = "axe.run(document, {runOnly: given.rules}).then(found => done(found.violations))"
Checked = Callable[[], None]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("page")


@pytest.fixture(scope="module")
def bundle_maker(folder: Path) -> Callable[..., Path]:
    """`make_bundle`, for a module."""

    def make(
        items: dict[str, bytes],
        *,
        manifest: dict[str, Any] | None = None,
        synthesis: bytes = b"# Findings\n\nNothing.\n",
        name: str = "bundle",
    ) -> Path:
        files = {f"context/{file}": content for file, content in items.items()}
        files["tez.md"] = synthesis
        files["manifest.json"] = json.dumps(manifest or manifest_of(items)).encode()
        for file, content in files.items():
            path = folder / name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return folder / name

    return make


@pytest.fixture(scope="module")
def server(folder: Path, bundle_maker: Callable[..., Path]) -> Iterator[Server]:
    with served(folder, MERIDIAN, zoo(bundle_maker), *without_limits()) as running:
        yield running
        running.stop()
    assert "Traceback" not in running.errors.read_text()


@pytest.fixture(scope="module")
def chromium(folder: Path) -> Iterator[Looking]:
    with browser(folder) as page:
        looking = Looking(page)
        looking.size(1440, 900)
        yield looking


@pytest.fixture
def look(chromium: Looking) -> Iterator[Looking]:
    yield chromium
    chromium.size(1440, 900)
    chromium.prefers()


@pytest.fixture(scope="session")
def axe() -> str:
    """axe-core's own file (MPL-2.0), from a package that `make setup-dev` gets for it alone."""
    found = find_spec("axe_playwright_python")
    assert found is not None, "make setup-dev installs it"
    assert found.submodule_search_locations is not None
    return (Path(found.submodule_search_locations[0]) / "axe.min.js").read_text()


@pytest.fixture
def checked(look: Looking, axe: str) -> Checked:
    """Fails with every violation, each with the elements that it is about."""

    def check() -> None:
        if not look.value("Boolean(window.axe)"):
            look.page.told("execute/sync", script=axe, args=[])
        violations: list[dict[str, Any]] = look.page.run(RUN, {"rules": RULES})
        told = [
            (one["id"], one["help"], [node["html"][:200] for node in one["nodes"][:3]])
            for one in violations
        ]
        assert not told

    return check


def signed_in(server: Server, **place: str) -> str:
    """The address of a place, with the token in its fragment as `tip serve` prints it."""
    return f"{server.url}/#{urlencode({'token': server.token} | place)}"


def go_on_with_the_rest(look: Looking) -> None:
    """TIP §14.1: what could not be loaded is told before a session begins."""
    look.says("Not everything could be loaded", "dialog")
    look.click("dialog button.main")


def ask(look: Looking, question: str) -> None:
    before = int(look.value("document.querySelectorAll('.exchange').length"))
    look.click("#question")
    look.write(question)
    look.press("Enter")
    look.until("document.querySelectorAll('.exchange .found').length > given.n", n=before)
