"""Finish the bundles that answer quality is measured on: `python quality.py BUNDLES_DIR`.

In: sources in `quality/{bundle}/` and the text files already in each bundle. Out: the mails, PDFs
and workbooks among the context items, and sizes and hashes in each manifest. The invariant is that
every build gives the same bytes, so a figure published for a bundle stays comparable.
"""

import csv
import hashlib
import io
import json
import sys
from datetime import UTC, datetime
from email import policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import xlsxwriter

from meridian_pdf import typeset

SOURCES = Path(__file__).with_name("quality")
FIXED_DATE = datetime(2025, 1, 1, tzinfo=UTC).replace(tzinfo=None)


def build(bundles: Path) -> None:
    """Write what is generated, then complete every manifest."""
    for folder in sorted(SOURCES.iterdir()):
        bundle = bundles / folder.name
        for path in sorted(folder.iterdir()):
            name = path.name.removesuffix(".txt")
            (bundle / "context" / name).write_bytes(converted(name, path.read_text("utf-8")))
        complete_manifest(bundle)


def converted(name: str, source: str) -> bytes:
    """Turn a source into the format its name ends in."""
    match name.rpartition(".")[2]:
        case "eml":
            return compose(source)
        case "pdf":
            return typeset(source)
        case "xlsx":
            return workbook(source)
    raise ValueError(f"no way to make {name}")


def compose(source: str) -> bytes:
    """A plain message: header lines, `---`, body. Encoded, so that long lines survive."""
    headers, _, body = source.partition("\n---\n")
    message = EmailMessage(policy=policy.SMTP)
    for line in headers.splitlines():
        field, _, value = line.partition(": ")
        message[field] = value
    message.set_content(body, cte="quoted-printable")
    return message.as_bytes()


def workbook(source: str) -> bytes:
    """Sheets introduced by `== name`, each followed by comma-separated rows."""
    out = io.BytesIO()
    book = xlsxwriter.Workbook(out, {"in_memory": True})
    book.set_properties({"created": FIXED_DATE})
    for block in source.split("== ")[1:]:
        name, _, rows = block.partition("\n")
        sheet = book.add_worksheet(name)
        price, count = (book.add_format({"num_format": f}) for f in ("0.00", "#,##0"))
        for index, row in enumerate(csv.reader(io.StringIO(rows.rstrip("\n")))):
            for column, cell in enumerate(row):
                value = number(cell)
                look = {float: price, int: count}.get(type(value))
                sheet.write(index, column, value, look)
    book.close()
    return out.getvalue()


def number(cell: str) -> str | int | float:
    """A cell as the number it spells, if it spells one."""
    try:
        return float(cell) if "." in cell else int(cell)
    except ValueError:
        return cell


def complete_manifest(bundle: Path) -> None:
    """Fill in what only the built files can tell."""
    path = bundle / "manifest.json"
    data: dict[str, Any] = json.loads(path.read_text("utf-8"))
    items = data["context"]["items"]
    for item in items:
        content = (bundle / item["file"]).read_bytes()
        item["size_bytes"] = len(content)
        item["hash"] = "sha256:" + hashlib.sha256(content).hexdigest()
    data["context"]["item_count"] = len(items)
    path.write_text(json.dumps(data, indent=2, ensure_ascii=False) + "\n", "utf-8", newline="\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python quality.py BUNDLES_DIR")
    build(Path(sys.argv[1]))
