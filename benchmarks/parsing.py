"""Parsers beside the libraries that others use for the same files: speed and peak memory.

Each way runs in a process of its own, so that its memory is its own; the ways of one table
take turns. Ours does more in the same time: blocks, places, boxes, headers, formulas.
"""

from __future__ import annotations

import io
import json
import subprocess
import sys
import tempfile
from pathlib import Path

_ROUNDS = 3
_PAGES = 120
_ROWS = 50_000
_PARAGRAPHS = 4_000
_CODE_LINES = 40_000

_OURS = (
    "from tipstaff.parse.{module} import PARSER\n"
    "from tipstaff.parse.parser import Source\n"
    "PARSER.parse(Source(content=content, name=name, media_type='{media_type}'))\n"
)
_WORKBOOK = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

# Title, file, what is counted, how many, and the ways: ours first.
_TABLES: list[tuple[str, str, str, int, dict[str, str]]] = [
    (
        "PDF text with the box of every word",
        "report.pdf",
        "pages",
        _PAGES,
        {
            "tipstaff": _OURS.format(module="pdf", media_type="application/pdf"),
            "pdfplumber (words)": (
                "import pdfplumber, io\n"
                "with pdfplumber.open(io.BytesIO(content)) as pdf:\n"
                "    for page in pdf.pages: page.extract_words()\n"
            ),
            "pypdf (text only)": (
                "import pypdf, io\n"
                "for page in pypdf.PdfReader(io.BytesIO(content)).pages: page.extract_text()\n"
            ),
        },
    ),
    (
        "XLSX rows with shown values, formulas and headers",
        "table.xlsx",
        "rows",
        _ROWS,
        {
            "tipstaff": _OURS.format(module="workbook", media_type=_WORKBOOK),
            "openpyxl read-only (values only)": (
                "import openpyxl, io\n"
                "book = openpyxl.load_workbook(io.BytesIO(content), read_only=True)\n"
                "for sheet in book:\n"
                "    for row in sheet.iter_rows(values_only=True): pass\n"
            ),
            # Value, formula and number format: openpyxl gives a formula or its result, never
            # both, so that it takes two passes.
            "openpyxl read-only (same facts)": (
                "import openpyxl, io\n"
                "for values in (True, False):\n"
                "    book = openpyxl.load_workbook(\n"
                "        io.BytesIO(content), read_only=True, data_only=values)\n"
                "    for sheet in book:\n"
                "        for row in sheet.iter_rows():\n"
                "            for cell in row: cell.value, cell.number_format\n"
            ),
            "python-calamine (values only)": (
                "import python_calamine, io\n"
                "book = python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(content))\n"
                "for name in book.sheet_names: book.get_sheet_by_name(name).to_python()\n"
            ),
        },
    ),
    (
        "DOCX paragraphs with their sections",
        "report.docx",
        "paragraphs",
        _PARAGRAPHS,
        {
            "tipstaff": _OURS.format(module="docx", media_type=_WORD),
            "python-docx (text)": (
                "import docx, io\n"
                "for paragraph in docx.Document(io.BytesIO(content)).paragraphs:\n"
                "    paragraph.text, paragraph.style.name\n"
            ),
        },
    ),
    (
        "Python source, cut at its definitions",
        "module.py",
        "lines",
        _CODE_LINES,
        {
            "tipstaff": _OURS.format(module="source_code", media_type="text/x-python"),
            "ast (syntax tree only)": "import ast\nast.parse(content)\n",
        },
    ),
]

_PROGRAM = """\
import json, re, sys, time
name = sys.argv[1]
content = open(name, 'rb').read()
started = time.perf_counter()
exec(sys.argv[2])
seconds = time.perf_counter() - started
# The high-water mark of this very program; getrusage would count what its parent had.
peak = int(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1]) / 1024
print(json.dumps([seconds, peak]))
"""


def run() -> str:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _write_files(folder)
        return "\n\n".join(
            _table(title, folder / file, unit, amount, ways)
            for title, file, unit, amount, ways in _TABLES
        )


def _table(title: str, file: Path, unit: str, amount: int, ways: dict[str, str]) -> str:
    best: dict[str, list[float]] = {}
    for _ in range(_ROUNDS):
        for way, code in ways.items():
            seconds, peak = _measured(file, code)
            known = best.setdefault(way, [seconds, peak])
            known[0], known[1] = min(known[0], seconds), max(known[1], peak)
    ours = best["tipstaff"]
    lines = [f"{title} ({amount:,} {unit}; import included)"]
    for way, (seconds, peak) in best.items():
        lines.append(
            f"  {way:<34} {amount / seconds:>10,.0f} {unit}/s   {seconds / ours[0]:>5.1f}x our time"
            f"   {peak:>6,.0f} MB   {peak / ours[1]:>4.1f}x our memory"
        )
    for way, (seconds, _) in list(best.items())[1:]:
        ratio = seconds / ours[0]
        said = f"{ratio:.1f}x as fast as" if ratio >= 1 else f"{1 / ratio:.1f}x slower than"
        lines.append(f"  → tipstaff is {said} {way}")
    return "\n".join(lines)


def _measured(file: Path, code: str) -> tuple[float, float]:
    done = subprocess.run(  # noqa: S603 (our own interpreter, our own programs)
        [sys.executable, "-c", _PROGRAM, str(file), code],
        capture_output=True,
        text=True,
        check=True,
    )
    seconds, peak = json.loads(done.stdout.splitlines()[-1])
    return seconds, peak


def _write_files(folder: Path) -> None:
    (folder / "report.pdf").write_bytes(_pdf())
    (folder / "table.xlsx").write_bytes(_workbook())
    (folder / "report.docx").write_bytes(_word())
    (folder / "module.py").write_text(_code(), encoding="utf-8")


def _sentence(number: int) -> str:
    return (
        f"In the quarter numbered {number} the company shipped {number * 37:,} instruments and "
        f"reported revenue of ${number * 1.37:,.2f} million, which is {number % 9}.{number % 7} "
        "percent more than in the quarter before. "
    )


def _pdf() -> bytes:
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import Flowable, PageBreak, Paragraph, SimpleDocTemplate

    stream = io.BytesIO()
    styles = getSampleStyleSheet()
    story: list[Flowable] = []
    for page in range(_PAGES):
        story.append(Paragraph(f"Section {page + 1}", styles["Heading1"]))
        for number in range(9):
            text = "".join(_sentence(page * 30 + number * 3 + part) for part in range(3))
            story.append(Paragraph(text, styles["BodyText"]))
        story.append(PageBreak())
    SimpleDocTemplate(stream).build(story)
    return stream.getvalue()


def _workbook() -> bytes:
    import xlsxwriter

    stream = io.BytesIO()
    with xlsxwriter.Workbook(stream, {"in_memory": True}) as book:
        sheet = book.add_worksheet("Orders")
        money = book.add_format({"num_format": "$#,##0.00"})
        share = book.add_format({"num_format": "0.0%"})
        sheet.write_row(
            0, 0, ["Id", "Customer", "Item", "Price", "Count", "Sum", "Share", "A", "B", "C"]
        )
        for row in range(1, _ROWS):
            sheet.write_number(row, 0, row)
            sheet.write_string(row, 1, f"Customer {row % 900}")
            sheet.write_string(row, 2, f"Instrument {row % 70}")
            sheet.write_number(row, 3, row * 1.25, money)
            sheet.write_number(row, 4, row % 13)
            sheet.write_formula(row, 5, f"=D{row + 1}*E{row + 1}", money, row * 1.25 * (row % 13))
            sheet.write_number(row, 6, (row % 100) / 100, share)
            for column in (7, 8, 9):
                sheet.write_number(row, column, row * column)
    return stream.getvalue()


def _word() -> bytes:
    import docx

    document = docx.Document()
    for number in range(_PARAGRAPHS):
        if number % 40 == 0:
            document.add_heading(f"Section {number // 40 + 1}", level=1)
        document.add_paragraph(_sentence(number) + _sentence(number + 1))
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


def _code() -> str:
    return "".join(
        f"def function_{number}(first, second):\n"
        f'    """Return what the two make, number {number}."""\n'
        "    total = first\n"
        "    for value in second:\n"
        f"        total += value * {number}\n"
        "    return total\n\n\n"
        for number in range(_CODE_LINES // 8)
    )
