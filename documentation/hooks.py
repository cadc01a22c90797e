"""What MkDocs calls while it builds the site: pages that are not in docs/ are brought or made.

The reference is read off the code; pages at the root of the repository and the mark are brought
along, so that nothing is written twice.
"""

from __future__ import annotations

import posixpath
import re
import sys
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from documentation.navigation import opened  # noqa: E402
from documentation.reference import reference_pages, undocumented  # noqa: E402
from documentation.settings_table import with_settings  # noqa: E402

# Pages that lie outside docs/, by their name on the site.
BROUGHT = {
    "architecture.md": "ARCHITECTURE.md",
    "changelog.md": "CHANGELOG.md",
    "contributing.md": "CONTRIBUTING.md",
    "github-action.md": "integrations/github-action/README.md",
    "pre-commit.md": "integrations/pre-commit/README.md",
    "security.md": "SECURITY.md",
}
_MARK = ROOT / "src" / "tipstaff" / "serve" / "page" / "mark.svg"
_PICTURE = re.compile(
    r"^!\[(?P<told>[^\]]*)\]\((?P<path>[^)]*\.svg)\)(?P<narrow>\{ *\.narrow *\})?$", re.M
)
_LINK = re.compile(r"\]\(([\w./-]+)(?=[)#])")
# Help texts name pages as they lie in the repository: docs/models.md.
_NAMED = re.compile(r"(?<![`(\[/\w])docs/([\w-]+)\.md")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    folder = Path(config.docs_dir)
    written = {str(path.relative_to(folder)) for path in folder.rglob("*.md")}
    config.nav = opened(config.nav or [], written | set(BROUGHT) | set(reference_pages()))
    return config


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    missing = undocumented()
    if missing:
        raise PluginError("Without a word of documentation: " + "; ".join(missing) + ".")
    made = {path: _with_links(page.text) for path, page in reference_pages().items()}
    made |= {
        path: relinked(_text(ROOT / name), lies=name, shown=path) for path, name in BROUGHT.items()
    }
    for path, text in made.items():
        files.append(File.generated(config, path, content=text))
    files.append(File.generated(config, "assets/mark.svg", content=_text(_MARK)))
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    del config, files
    if page.file.src_uri == "settings.md":
        markdown = _NAMED.sub(r"[\1](\1.md)", with_settings(markdown))
    if page.file.src_uri not in BROUGHT:
        shown = page.file.src_uri
        markdown = relinked(markdown, lies=f"docs/{shown}", shown=shown)
    where = Path(page.file.abs_src_path).parent if page.file.abs_src_path else ROOT / "docs"
    return _PICTURE.sub(lambda found: _inlined(found, where), markdown)


def relinked(text: str, *, lies: str, shown: str) -> str:
    """Links of a page that lies there in the repository, for where it is on the site."""
    on_site = {name: path for path, name in BROUGHT.items()} | {"README.md": "index.md"}

    def led(found: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(lies), found[1]))
        path = on_site.get(target) or target.removeprefix("docs/")
        known = target in on_site or target.startswith("docs/")
        return (
            f"]({posixpath.relpath(path, posixpath.dirname(shown) or '.')}" if known else found[0]
        )

    return _LINK.sub(led, text)


def _with_links(text: str) -> str:
    return _NAMED.sub(r"[\1](../\1.md)", text)


def _inlined(found: re.Match[str], where: Path) -> str:
    """A drawing inside the page takes the colours that its reader chose there."""
    narrow = " narrow" if found["narrow"] else ""
    drawing = "".join(_text(where / found["path"]).splitlines())
    return f'<figure class="picture{narrow}">{drawing}</figure>'


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")
