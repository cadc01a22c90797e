"""The reference bundle: rebuilt byte for byte, and true to what the tests of TIP §11 need."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pypdfium2
import pytest
from python_calamine import CalamineWorkbook

from tests.conftest import MERIDIAN, ROOT
from tipstaff.citation.grammar import parse_citations
from tipstaff.domain.location import CellRange, Lines, Pages
from tipstaff.engine import open_bundle

ITEMS = {
    "financial-report": ".pdf",
    "project-plan": ".md",
    "meeting-notes": ".md",
    "vendor-proposal": ".pdf",
    "risk-assessment": ".md",
    "competitive-analysis": ".md",
    "email-thread": ".eml",
    "budget-spreadsheet": ".xlsx",
    "codebase-review": ".md",
    "contradictory-memo": ".md",
}
QUERY_TYPES = {
    "factual",
    "verification",
    "comparison",
    "gap_analysis",
    "citation_check",
    "counter_argument",
    "explanation",
    "aggregation",
}


def pages(item_id: str) -> list[str]:
    with pypdfium2.PdfDocument(MERIDIAN / "context" / f"{item_id}.pdf") as document:
        return [page.get_textpage().get_text_range() for page in document]


def words_of_everything() -> dict[str, str]:
    """Each item's text, roughly: enough to ask whether a word occurs in it."""
    texts = {"tez.md": (MERIDIAN / "tez.md").read_text(encoding="utf-8")}
    for item_id, ending in ITEMS.items():
        path = MERIDIAN / "context" / f"{item_id}{ending}"
        if ending == ".pdf":
            texts[item_id] = "\n".join(pages(item_id))
        elif ending == ".xlsx":
            book = CalamineWorkbook.from_path(path)
            texts[item_id] = "\n".join(
                str(book.get_sheet_by_name(name).to_python()) for name in book.sheet_names
            )
        else:
            texts[item_id] = path.read_text(encoding="utf-8")
    return texts


def test_the_script_rebuilds_the_bundle_byte_for_byte(tmp_path: Path) -> None:
    script = ROOT / "bundles" / "make" / "meridian.py"
    subprocess.run([sys.executable, script, tmp_path / "built"], check=True)
    built = {
        path.relative_to(tmp_path / "built"): path.read_bytes()
        for path in (tmp_path / "built").rglob("*")
        if path.is_file()
    }
    committed = {
        path.relative_to(MERIDIAN): path.read_bytes()
        for path in MERIDIAN.rglob("*")
        if path.is_file()
    }
    assert built == committed


def test_the_archive_is_the_folder_packed(tmp_path: Path) -> None:
    target = tmp_path / "packed.tez"
    subprocess.run(
        [sys.executable, "-m", "tipstaff", "pack", MERIDIAN, "-o", target, "--store"],
        check=True,
        capture_output=True,
    )
    assert target.read_bytes() == MERIDIAN.with_suffix(".tez").read_bytes()


def test_the_layout_is_that_of_section_11_1() -> None:
    files = {
        path.relative_to(MERIDIAN).as_posix() for path in MERIDIAN.rglob("*") if path.is_file()
    }
    own = {"manifest.json", "tez.md", "conversation.json", "params.json", "test-queries.json"}
    assert files == own | {f"context/{item_id}{ending}" for item_id, ending in ITEMS.items()}


def test_the_third_quarters_revenue_is_on_page_7() -> None:
    report = pages("financial-report")
    assert "$48.62 million" in report[6]
    assert "48,620" in report[6]
    assert not any("48.62" in page for number, page in enumerate(report) if number != 6)


def test_the_planted_facts_are_where_they_should_be() -> None:
    texts = words_of_everything()
    pacific = re.compile(r"APAC|Asia|Pacific")
    assert [name for name, text in texts.items() if pacific.search(text)] == ["meeting-notes"]
    assert [name for name, text in texts.items() if "TAMARACK" in text] == ["project-plan"]
    assert "$3.46 million" in texts["financial-report"]
    assert "$2.91 million" in texts["contradictory-memo"]
    assert not re.search(r"stock price|share price|per share", " ".join(texts.values()), re.I)
    unsupported = "71 percent"
    assert [name for name, text in texts.items() if unsupported in text] == ["tez.md"]


def test_every_citation_of_the_synthesis_names_a_place_that_exists() -> None:
    with open_bundle(MERIDIAN) as opened:
        bundle = opened.bundle
        assert bundle.synthesis is not None
        marks = parse_citations(bundle.synthesis.text, names=bundle.citable_names())
        texts = {
            item.id: opened.read(item.id).decode("utf-8")
            for item in bundle.items
            if item.file and item.file.endswith((".md", ".eml"))
        }
    page_counts = {
        item_id: len(pages(item_id)) for item_id in ("financial-report", "vendor-proposal")
    }
    book = CalamineWorkbook.from_path(MERIDIAN / "context" / "budget-spreadsheet.xlsx")
    citations = [citation for mark in marks for citation in mark.citations]
    assert len(citations) > 80
    for citation in citations:
        location = citation.location
        assert citation.item_id in ITEMS
        if isinstance(location, Pages):
            assert 1 <= location.first <= location.last <= page_counts[citation.item_id]
        elif isinstance(location, Lines):
            assert location.last <= len(texts[citation.item_id].splitlines())
        elif isinstance(location, CellRange):
            assert location.sheet in book.sheet_names


def test_a_formula_has_the_value_that_it_computes() -> None:
    book = CalamineWorkbook.from_path(MERIDIAN / "context" / "budget-spreadsheet.xlsx")
    summary = book.get_sheet_by_name("Summary").to_python(skip_empty_area=False)
    assert {4_393_690.0, 2_595_600.0, 1_225_000.0, 573_090.0} <= {
        cell for row in summary for cell in row if isinstance(cell, float)
    }
    assert 2_595_600 + 1_225_000 + 573_090 == 4_393_690


def test_the_queries_cover_every_type_in_several_wordings() -> None:
    queries = json.loads((MERIDIAN / "test-queries.json").read_text(encoding="utf-8"))[
        "test_queries"
    ]
    assert {query["query_type"] for query in queries} == QUERY_TYPES
    unanswerable = [query for query in queries if query["expected_behavior"]["type"] == "abstain"]
    assert 25 <= len(queries) <= 40
    assert 3 * len(unanswerable) >= len(queries)
    counts = Counter(query["query_type"] for query in queries)
    assert min(counts.values()) >= 3
    assert {query["tip_test"] for query in queries} >= {1, 2, 3, 4, 5, 6, 7, 8, 11}
    assert len({query["id"] for query in queries}) == len(queries)


def test_expected_figures_stand_in_the_items_that_must_be_cited() -> None:
    texts = words_of_everything()
    queries = json.loads((MERIDIAN / "test-queries.json").read_text(encoding="utf-8"))[
        "test_queries"
    ]
    checked = 0
    for query in queries:
        behavior = query["expected_behavior"]
        cited = " ".join(texts[name] for name in behavior["must_cite"])
        for figure in behavior["must_contain"]:
            if behavior["must_contain_mode"] == "all" and re.fullmatch(r"\$?[\d,.]+", figure):
                plain = re.sub(r"[^\d.]", "", figure)
                found = plain in re.sub(r"(?<=\d),(?=\d{3})", "", cited)
                assert found, (query["id"], figure)
                checked += 1
    assert checked >= 4


def test_two_turns_of_the_conversation_are_withheld() -> None:
    with open_bundle(MERIDIAN) as opened:
        conversation = opened.bundle.conversation
        assert conversation.withheld_turns == 2
        assert len(conversation.turns) >= 6


@pytest.mark.parametrize("item_id", ["financial-report", "vendor-proposal"])
def test_printed_page_numbers_are_the_physical_ones(item_id: str) -> None:
    # A cover carries no number, as covers do.
    for number, text in enumerate(pages(item_id)[1:], start=2):
        printed = re.findall(r"(?m)\b(?:Page )?(\d{1,2})\s*$", text)
        assert str(number) in printed, number
