"""The files of a report, each whole or not at all."""

from __future__ import annotations

import json
from pathlib import Path

from tipstaff.bundle.writing import new_file
from tipstaff.compliance.judgement import Judgement
from tipstaff.compliance.report.junit import junit
from tipstaff.compliance.report.page import page


def write_reports(judgement: Judgement, folder: Path) -> list[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    contents = {
        "report.html": page(judgement),
        "report.json": json.dumps(
            judgement.to_wire(with_exchanges=True), indent=1, ensure_ascii=False
        )
        + "\n",
        "junit.xml": junit(judgement),
    }
    written = []
    for name, text in contents.items():
        target = folder / name
        with new_file(target, replace=True) as temporary:
            temporary.write_text(text, encoding="utf-8")
        written.append(target)
    return written
