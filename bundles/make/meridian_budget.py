"""Write the project's budget workbook with formulas and the values they compute.

Out: XLSX bytes. Two invariants. Each formula is stored together with its value, since a reader
that does not calculate sees only the stored one. The archive is stored, not deflated, because
the bytes a deflater produces depend on the zlib at hand.
"""

import zipfile
from dataclasses import dataclass
from datetime import UTC, date, datetime
from io import BytesIO

from xlsxwriter import Workbook
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from meridian_figures import (
    ACTUALS,
    BASE,
    CEILING,
    CONTINGENCY,
    CONTINUUM_RUN,
    DISCOUNT,
    DISCOVERY_Q2,
    INTERNAL,
    MOSS_RUN,
    OCTOBER_RATE,
    OCTOBER_VENDORS,
    OTHER_INTERNAL,
    RATE,
    RESERVES,
    SERVICES,
    STAFF,
    STAFF_TOTAL,
    SUBSCRIPTION,
    TOTAL,
    VENDORS,
    VERSION_DATE,
)


@dataclass(frozen=True)
class Formats:
    """The number formats and emphases the sheets share."""

    title: Format
    head: Format
    money: Format
    strong: Format
    strong_money: Format
    percent: Format
    day: Format
    tenth: Format
    note: Format


def budget_workbook() -> bytes:
    """Build the workbook and return it as a stored archive."""
    buffer = BytesIO()
    book = Workbook(buffer, {"in_memory": True})
    book.set_properties(
        {
            "title": "Project Kingfisher budget",
            "author": "Jonas Kjeldsen",
            "company": "Meridian Corp",
            "created": datetime(2025, 11, 14, 9, 0, tzinfo=UTC).replace(tzinfo=None),
        }
    )
    formats = make_formats(book)
    for name, write in (
        ("Summary", write_summary),
        ("Vendors", write_vendors),
        ("Internal", write_internal),
        ("Contingency", write_contingency),
        ("Staffing", write_staffing),
        ("Q3 Actuals", write_actuals),
        ("Run Cost", write_run_cost),
        ("Assumptions", write_assumptions),
    ):
        sheet = book.add_worksheet(name)
        sheet.set_column("A:A", 34)
        sheet.set_column("B:G", 17)
        write(sheet, formats)
    book.get_worksheet_by_name("Assumptions").hide()
    book.close()
    return stored(buffer.getvalue())


def make_formats(book: Workbook) -> Formats:
    """Define every format once."""
    money = '"$"#,##0;[Red]-"$"#,##0'
    return Formats(
        title=book.add_format({"bold": True, "font_size": 14, "align": "left"}),
        head=book.add_format({"bold": True, "bottom": 1, "bg_color": "#DCE6EA", "text_wrap": True}),
        money=book.add_format({"num_format": money}),
        strong=book.add_format({"bold": True, "top": 1}),
        strong_money=book.add_format({"bold": True, "top": 1, "num_format": money}),
        percent=book.add_format({"num_format": "0.0%"}),
        day=book.add_format({"num_format": "yyyy-mm-dd", "align": "left"}),
        tenth=book.add_format({"num_format": "0.0"}),
        note=book.add_format({"italic": True, "font_color": "#555555"}),
    )


def write_summary(sheet: Worksheet, f: Formats) -> None:
    """One table that says what the project costs, what changed, and what room is left."""
    sheet.merge_range("A1:E1", "Project Kingfisher: budget summary", f.title)
    sheet.write("A2", "Version of")
    sheet.write_datetime("B2", VERSION_DATE, f.day)
    sheet.write("C2", "Replaces the version of 16 October 2025. US dollars.", f.note)
    heads = ("Component", "October version", "Current version", "Change", "Share of total")
    sheet.write_row("A4", heads, f.head)
    october_base = OCTOBER_VENDORS + INTERNAL
    october_reserve = round(october_base * OCTOBER_RATE)
    rows = (
        ("Vendors", "", OCTOBER_VENDORS, "=Vendors!G9", VENDORS),
        ("Internal resources", "=Internal!B8", INTERNAL, "=Internal!B8", INTERNAL),
        ("Base cost", "=B5+B6", october_base, "=C5+C6", BASE),
        ("Contingency", "=B7*Assumptions!B6", october_reserve, "=Contingency!B6", CONTINGENCY),
        ("Total project cost", "=B7+B8", october_base + october_reserve, "=C7+C8", TOTAL),
    )
    for n, (label, old_formula, old, formula, value) in enumerate(rows, start=5):
        strong = label in ("Base cost", "Total project cost")
        money = f.strong_money if strong else f.money
        sheet.write(f"A{n}", label, f.strong if strong else None)
        if old_formula:
            sheet.write_formula(f"B{n}", old_formula, money, old)
        else:
            sheet.write_number(f"B{n}", old, money)
        sheet.write_formula(f"C{n}", formula, money, value)
        sheet.write_formula(f"D{n}", f"=C{n}-B{n}", money, value - old)
        sheet.write_formula(f"E{n}", f"=C{n}/C$9", f.percent, value / TOTAL)
    sheet.write("A11", "Board's indicative ceiling")
    sheet.write_formula("C11", "=Assumptions!B8", f.money, CEILING)
    sheet.write("A12", "Room under the ceiling")
    sheet.write_formula("C12", "=C11-C9", f.money, CEILING - TOTAL)
    sheet.write("A14", "Discovery to 30 September 2025 is excluded (see Q3 Actuals).", f.note)
    sheet.write("A15", "Replacement of the certificate module is not budgeted.", f.note)


def write_vendors(sheet: Worksheet, f: Formats) -> None:
    """Only the shape of the vendor's price; its lines are in the vendor's own proposal."""
    sheet.set_column("C:G", 22)
    sheet.write("C3", "Vendors: Tarnfield Systems, proposal TS-2291 revision C", f.title)
    heads = ("Ref", "Vendor", "Item", "Basis", "Amount")
    sheet.write_row("C5", heads, f.head)
    discount = -SERVICES * DISCOUNT
    rows = (
        ("V-01", "Subscription, year 1", "420 named users", "", SUBSCRIPTION),
        ("V-02", "Services at list price", "Fixed", "", SERVICES),
        ("V-03", "Early-commitment discount", "On V-02", "=-G7*Assumptions!B4", discount),
    )
    for n, (ref, item, basis, formula, value) in enumerate(rows, start=6):
        sheet.write_row(f"C{n}", (ref, "Tarnfield Systems", item, basis))
        if formula:
            sheet.write_formula(f"G{n}", formula, f.money, value)
        else:
            sheet.write_number(f"G{n}", value, f.money)
    sheet.write("C9", "Total vendors", f.strong)
    sheet.write_formula("G9", "=SUM(G6:G8)", f.strong_money, VENDORS)
    sheet.write("C11", "Discount lapses after")
    sheet.write_datetime("D11", date(2025, 12, 19), f.day)


def write_internal(sheet: Worksheet, f: Formats) -> None:
    """Meridian's own people and the rest of what it pays for itself."""
    sheet.merge_range("A1:B1", "Internal resources", f.title)
    sheet.write_row("A3", ("Item", "Amount"), f.head)
    sheet.write("A4", "Internal staff")
    sheet.write_formula("B4", "=Staffing!F12", f.money, STAFF_TOTAL)
    for n, (label, amount) in enumerate(OTHER_INTERNAL, start=5):
        sheet.write(f"A{n}", label)
        sheet.write_number(f"B{n}", amount, f.money)
    sheet.write("A8", "Total internal resources", f.strong)
    sheet.write_formula("B8", "=SUM(B4:B7)", f.strong_money, INTERNAL)


def write_contingency(sheet: Worksheet, f: Formats) -> None:
    """The reserve, and how much of it is meant for which risk."""
    sheet.merge_range("A1:D1", "Contingency", f.title)
    sheet.write("A2", "Rate set by T. Verhaegen on 11 November 2025; replaces 12 percent.", f.note)
    sheet.write("A4", "Base cost")
    sheet.write_formula("B4", "=Summary!C7", f.money, BASE)
    sheet.write("A5", "Contingency rate")
    sheet.write_formula("B5", "=Assumptions!B5", f.percent, RATE)
    sheet.write("A6", "Contingency", f.strong)
    sheet.write_formula("B6", "=B4*B5", f.strong_money, CONTINGENCY)
    sheet.write_row("A8", ("Held for", "Risk", "Share", "Amount"), f.head)
    for n, (risk, label, share) in enumerate(RESERVES, start=9):
        sheet.write_row(f"A{n}", (label, risk))
        sheet.write_number(f"C{n}", share, f.percent)
        sheet.write_formula(f"D{n}", f"=B$6*C{n}", f.money, round(CONTINGENCY * share))
    sheet.write("A13", "Total", f.strong)
    sheet.write_formula("C13", "=SUM(C9:C12)", f.percent, 1)
    sheet.write_formula("D13", "=SUM(D9:D12)", f.strong_money, CONTINGENCY)


def write_staffing(sheet: Worksheet, f: Formats) -> None:
    """People, weeks and loaded rates."""
    sheet.merge_range("A1:F1", "Staffing at loaded weekly rates", f.title)
    heads = ("Role", "People (FTE)", "Start", "Weeks", "Weekly rate", "Cost")
    sheet.write_row("A3", heads, f.head)
    for n, (role, fte, start, weeks, rate) in enumerate(STAFF, start=4):
        sheet.write(f"A{n}", role)
        sheet.write_number(f"B{n}", fte, f.tenth)
        sheet.write_datetime(f"C{n}", start, f.day)
        sheet.write_number(f"D{n}", weeks)
        sheet.write_number(f"E{n}", rate, f.money)
        sheet.write_formula(f"F{n}", f"=B{n}*D{n}*E{n}", f.money, int(fte * weeks * rate))
    sheet.write("A12", "Total staff", f.strong)
    people = sum(fte for _, fte, _, _, _ in STAFF)
    sheet.write_formula("B12", "=SUM(B4:B11)", f.tenth, people)
    sheet.write_formula("F12", "=SUM(F4:F11)", f.strong_money, STAFF_TOTAL)


def write_actuals(sheet: Worksheet, f: Formats) -> None:
    """What discovery cost, month by month, against its plan."""
    sheet.merge_range("A1:G1", "Discovery: actual spend, third quarter 2025", f.title)
    heads = ("Category", "July", "August", "September", "Quarter", "Planned", "Variance")
    sheet.write_row("A4", heads, f.head)
    for n, (label, july, august, september, planned) in enumerate(ACTUALS, start=5):
        quarter = july + august + september
        sheet.write(f"A{n}", label)
        for column, amount in zip("BCD", (july, august, september), strict=True):
            sheet.write_number(f"{column}{n}", amount, f.money)
        sheet.write_formula(f"E{n}", f"=SUM(B{n}:D{n})", f.money, quarter)
        sheet.write_number(f"F{n}", planned, f.money)
        sheet.write_formula(f"G{n}", f"=(E{n}-F{n})/F{n}", f.percent, (quarter - planned) / planned)
    months = [sum(row[i] for row in ACTUALS) for i in (1, 2, 3)]  # type: ignore[misc]
    quarter, planned = sum(months), sum(row[4] for row in ACTUALS)
    sheet.write("A9", "Total", f.strong)
    for column, amount in zip("BCDEF", (*months, quarter, planned), strict=True):
        sheet.write_formula(f"{column}9", f"=SUM({column}5:{column}8)", f.strong_money, amount)
    sheet.write_formula("G9", "=(E9-F9)/F9", f.percent, (quarter - planned) / planned)
    sheet.write("A11", "Second quarter 2025")
    sheet.write_number("E11", DISCOVERY_Q2, f.money)
    sheet.write("A12", "Discovery to date", f.strong)
    sheet.write_formula("E12", "=E9+E11", f.strong_money, quarter + DISCOVERY_Q2)


def write_run_cost(sheet: Worksheet, f: Formats) -> None:
    """A year of the old system against a year of the new one."""
    sheet.merge_range("A1:B1", "Annual run cost, old and new", f.title)
    sheet.write_row("A3", ("MOSS", "Per year"), f.head)
    old = write_column(sheet, f, MOSS_RUN, first=4)
    sheet.write_row("A10", ("Continuum", "Per year"), f.head)
    new = write_column(sheet, f, CONTINUUM_RUN, first=11)
    sheet.write("A16", "Saving per year")
    sheet.write_formula("B16", "=B8-B14", f.money, old - new)
    sheet.write("A17", "Payback on run cost alone, years")
    sheet.write_formula("B17", "=Summary!C9/B16", f.tenth, TOTAL / (old - new))


def write_column(
    sheet: Worksheet, f: Formats, rows: tuple[tuple[str, int], ...], *, first: int
) -> int:
    """Write labelled amounts and their total below; return the total."""
    total = sum(amount for _, amount in rows)
    for n, (label, amount) in enumerate(rows, start=first):
        sheet.write(f"A{n}", label)
        sheet.write_number(f"B{n}", amount, f.money)
    last = first + len(rows)
    sheet.write(f"A{last}", "Total", f.strong)
    sheet.write_formula(f"B{last}", f"=SUM(B{first}:B{last - 1})", f.strong_money, total)
    return total


def write_assumptions(sheet: Worksheet, f: Formats) -> None:
    """The rates other sheets point at; the sheet is hidden in the file that was circulated."""
    sheet.write("A1", "Assumptions (working sheet, not for circulation)", f.title)
    sheet.write_row("A3", ("Assumption", "Value", "Source"), f.head)
    sheet.write_row("A4", ("Early-commitment discount on services",))
    sheet.write_number("B4", DISCOUNT, f.percent)
    sheet.write("C4", "Proposal TS-2291 rev C, page 3")
    sheet.write("A5", "Contingency rate, current")
    sheet.write_number("B5", RATE, f.percent)
    sheet.write("C5", "T. Verhaegen, 11 November 2025")
    sheet.write("A6", "Contingency rate, October")
    sheet.write_number("B6", OCTOBER_RATE, f.percent)
    sheet.write("C6", "Risk assessment, 17 October 2025")
    sheet.write("A7", "Subscription uplift, year 2")
    sheet.write("C7", "Empty until Tarnfield answers (JK)")
    sheet.write("A8", "Board's indicative ceiling")
    sheet.write_number("B8", CEILING, f.money)
    sheet.write("C8", "Board, 6 November 2025, decision D3")


def stored(archive: bytes) -> bytes:
    """Repack an archive without compression, in name order and with one fixed date."""
    out = BytesIO()
    with zipfile.ZipFile(BytesIO(archive)) as source, zipfile.ZipFile(out, "w") as target:
        for name in sorted(source.namelist()):
            entry = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            entry.create_system = 3
            target.writestr(entry, source.read(name), zipfile.ZIP_STORED)
    return out.getvalue()
