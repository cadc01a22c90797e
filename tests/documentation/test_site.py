"""The site is built, strictly, and loads nothing from anywhere else."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from documentation.hooks import BROUGHT, relinked
from documentation.navigation import opened
from documentation.pictures import IMAGES, PICTURES
from documentation.reference import REFERENCE
from tests.conftest import ROOT

LOADING = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}


def build(project: Path, site: Path) -> subprocess.CompletedProcess[str]:
    # Not `--quiet`: warnings that are not shown are not counted, and nothing is strict.
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(site)],
        cwd=project,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = build(ROOT, folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """What the site is built from, to bend."""
    for name in ("docs", "documentation"):
        shutil.copytree(ROOT / name, tmp_path / name)
    brought = {name.partition("/")[0] for name in BROUGHT.values()}
    for name in ("src", "pyproject.toml", *brought):
        (tmp_path / name).symlink_to(ROOT / name)
    shutil.copy(ROOT / "mkdocs.yml", tmp_path)
    return tmp_path


class Loads(HTMLParser):
    """What a page fetches by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        # Where a page lies or what it is related to is not fetched.
        fetched = tag != "link" or given.get("rel") not in ("prev", "next", "canonical")
        if fetched and LOADING.get(tag) in given:
            self.addresses.append(given[LOADING[tag]] or "")


def pages(site: Path) -> list[Path]:
    return sorted(site.rglob("*.html"))


def test_every_page_of_the_repository_and_the_reference_is_there(site: Path) -> None:
    written = {str(path.relative_to(ROOT / "docs")) for path in (ROOT / "docs").rglob("*.md")}
    built = {str(path.relative_to(site)) for path in pages(site)}
    for path in written | set(BROUGHT) | set(REFERENCE):
        assert re.sub(r"\.md$", ".html", path) in built


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    """Neither by pages of the theme nor by reports that lie among them."""
    loading = set()
    for path in pages(site):
        loads = Loads()
        loads.feed(path.read_text(encoding="utf-8"))
        loading |= {path.name} if loads.addresses else set()
        for address in loads.addresses:
            assert not re.match(r"(?:[a-z]+:)?//", address), f"{path.name}: {address}"
            # The page for what is not found is shown anywhere, so its addresses begin at the root.
            start = site if address.startswith("/") else path.parent
            assert (start / address.partition("?")[0].lstrip("/")).resolve().exists(), address
    assert {"index.html", "serve.html", "http.html"} <= loading


def test_style_sheets_load_nothing_from_elsewhere(site: Path) -> None:
    for path in site.rglob("*.css"):
        found = re.findall(r"(?:url\(|@import)\s*[\"']?((?:https?:)?//[^\"')]+)", path.read_text())
        assert found == []


def test_nothing_asks_for_a_part_of_the_theme_that_is_fetched(site: Path) -> None:
    """Diagrams and the numbers of a repository's host are, by the theme's script."""
    for path in pages(site):
        page = path.read_text(encoding="utf-8")
        assert 'class="mermaid"' not in page
        assert 'data-md-component="source"' not in page


def test_drawings_are_part_of_their_page_and_take_its_colours(site: Path) -> None:
    for name in ("index.html", "concepts/verification-ladder.html", "concepts/classification.html"):
        assert '<svg class="tip-picture"' in (site / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_are_those_that_the_script_draws(name: str) -> None:
    """`make images` draws them anew."""
    assert (IMAGES / name).read_text(encoding="utf-8") == PICTURES[name]().svg()


def test_a_link_that_leads_nowhere_breaks_the_build(project: Path, tmp_path: Path) -> None:
    (project / "docs" / "audit.md").write_text("# Audit\n\n[gone](nowhere.md)\n")
    done = build(project, tmp_path / "out")
    assert done.returncode != 0
    assert "nowhere.md" in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("link", "lies", "shown", "led"),
    [
        ("[a](../SECURITY.md)", "docs/secure.md", "secure.md", "[a](security.md)"),
        ("[a](docs/serve.md#tls)", "README.md", "index.md", "[a](serve.md#tls)"),
        ("[a](../../docs/audit.md)", "integrations/x/README.md", "x.md", "[a](audit.md)"),
        ("[a](../serve.md)", "docs/concepts/b.md", "concepts/b.md", "[a](../serve.md)"),
        ("[a](../README.md)", "docs/concepts/../b.md", "concepts/b.md", "[a](../index.md)"),
        ("[a](https://x.example/)", "README.md", "index.md", "[a](https://x.example/)"),
    ],
)
def test_links_lead_to_where_a_page_is_on_the_site(
    link: str, lies: str, shown: str, led: str
) -> None:
    assert relinked(link, lies=lies, shown=shown) == led


def test_a_page_goes_to_its_narrowest_pattern_and_what_is_not_there_is_left_out() -> None:
    nav = [{"More": ["*.md"]}, {"A": ["one.md", "two*.md"]}, {"B": ["gone*.md"]}]
    assert opened(nav, ["one.md", "two-b.md", "two-a.md", "new.md", "deep/er.md"]) == [
        {"More": ["new.md"]},
        {"A": ["one.md", "two-a.md", "two-b.md"]},
    ]
