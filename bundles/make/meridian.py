"""Build the Meridian Corp reference bundle: `python meridian.py OUT_DIR`.

In: the texts in `meridian/`. Out: a tez with the layout of TIP §11.1, and its test queries. The
invariant is that every build gives the same bytes, so a hash published once stays true. Nothing
here reads the clock, the platform or a compressor.
"""

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

from meridian_budget import budget_workbook
from meridian_mail import compose
from meridian_pdf import typeset

SOURCES = Path(__file__).with_name("meridian")
MARKDOWN_ITEMS = (
    "project-plan",
    "meeting-notes",
    "risk-assessment",
    "competitive-analysis",
    "codebase-review",
    "contradictory-memo",
)


def build(out: Path) -> None:
    """Write the whole bundle under `out`."""
    files = context_files()
    for name in ("tez.md", "conversation.json", "params.json", "test-queries.json"):
        files[name] = source(name).encode()
    files["manifest.json"] = manifest(files)
    for name, content in sorted(files.items()):
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def context_files() -> dict[str, bytes]:
    """The ten context items, by path within the bundle."""
    files = {f"context/{stem}.md": source(f"{stem}.md").encode() for stem in MARKDOWN_ITEMS}
    for stem in ("financial-report", "vendor-proposal"):
        files[f"context/{stem}.pdf"] = typeset(source(f"{stem}.txt"))
    files["context/email-thread.eml"] = compose(source("email-thread.txt"))
    files["context/budget-spreadsheet.xlsx"] = budget_workbook()
    return files


def manifest(files: dict[str, bytes]) -> bytes:
    """Complete the manifest with what only the built files can tell: counts, sizes and hashes."""
    data: dict[str, Any] = json.loads(source("manifest.json"))
    items = data["context"]["items"]
    for item in items:
        content = files[item["file"]]
        metadata = item.pop("metadata")
        item["size_bytes"] = len(content)
        item["hash"] = "sha256:" + hashlib.sha256(content).hexdigest()
        item["metadata"] = metadata
    data["context"]["item_count"] = len(items)
    data["conversation"]["turn_count"] = len(json.loads(files["conversation.json"])["turns"])
    return (json.dumps(data, indent=2, ensure_ascii=False) + "\n").encode()


def source(name: str) -> str:
    """Read a source with its line ends as written, whatever the platform makes of them."""
    return (SOURCES / name).read_bytes().decode().replace("\r\n", "\n")


def main() -> None:
    """Build into the directory named on the command line."""
    if len(sys.argv) != 2:
        sys.exit("usage: python meridian.py OUT_DIR")
    build(Path(sys.argv[1]))


if __name__ == "__main__":
    main()
