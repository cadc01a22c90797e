"""What is left of a text for somebody for whom some of the items that it cites do not exist."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tipstaff.access.withholding import NOTHING, Withholding
from tipstaff.citation.grammar import parse_citations
from tipstaff.domain.bundle import Bundle, BundleLevel
from tipstaff.domain.item import ContextItem


def item(item_id: str, title: str) -> ContextItem:
    return ContextItem(id=item_id, type="document", title=title, file=f"context/{item_id}.md")


BUNDLE = Bundle(
    level=BundleLevel.PLATFORM,
    id="the-mill",
    version=1,
    title="The mill",
    synthesis=None,
    items=(
        item("lease", "Lease of the mill"),
        item("budget-2025", "Means"),
        item("survey", "Roof report Kelthorn"),
        item("budget", "Plan of expenses"),
    ),
)
KEPT_FROM_JANE = Withholding.of(BUNDLE, {"lease", "budget-2025"})


def left_of(text: str) -> str:
    """`·` is where something was."""
    return KEPT_FROM_JANE.text(text).replace(NOTHING, "·")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Dear [[survey]]. Cheap [[lease]].", "· Cheap [[lease]]."),
        ("It is dear. [[survey:L2]] It is cheap. [[lease]]", "· It is cheap. [[lease]]"),
        ("It is cheap. [[lease]] It is dear. [[survey:L2]]", "It is cheap. [[lease]] ·"),
        ("[[survey]] says dear. Cheap [[lease]].", "· Cheap [[lease]]."),
        ("dear [[survey]]. and so on [[lease]].", "· and so on [[lease]]."),
        ("Roof: 38 [[survey]]\nRent: 12 [[lease]]", "·\nRent: 12 [[lease]]"),
        ("Dear [[survey, budget:L4, L5]].", "·"),
        ("Nothing is cited here.", "Nothing is cited here."),
        ("It is so [[no-such-item]].", "It is so [[no-such-item]]."),
        ("It is so [[no-such-item, survey]].", "·"),
    ],
)
def test_a_sentence_goes_if_all_that_it_cites_is_unseen(text: str, left: str) -> None:
    assert left_of(text) == left


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Work is due [[lease:L1, survey:L2, L9]].", "Work is due [[lease:L1]]."),
        ("Work [[survey]] is due [[lease:L1]].", "Work is due [[lease:L1]]."),
        ("Work is due [[lease]] [[survey]].", "Work is due [[lease]]."),
        ("Work is due [[survey:L3, lease:L1, L4]].", "Work is due [[lease:L1, L4]]."),
    ],
)
def test_from_the_other_sentences_only_their_citations_of_unseen_items_go(
    text: str, left: str
) -> None:
    assert left_of(text) == left


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("It leaks. It rots. All is told [[survey]].", "·"),
        ("It leaks. It is dear [[survey]]. It is let. It is cheap [[lease]].",
         "· It is let. It is cheap [[lease]]."),
        ("It is dear [[survey]]. That is a lot.", "·"),
        ("It leaks. It rots.\n\n[[survey]]", "·\n\n·"),
    ],
)  # fmt: skip
def test_a_sentence_without_a_citation_goes_with_its_paragraph(text: str, left: str) -> None:
    assert left_of(text) == left


@pytest.mark.parametrize(
    "text",
    [
        "The survey is thorough.",
        "ROOF REPORT\nKELTHORN is thorough.",
        "See context/survey.md for more.",
        "The [report](context/survey.md) is thorough [[lease]].",
        "As `[[survey:L3]]` has it.",
        "The budget-related part.",
    ],
)
def test_a_sentence_that_names_an_unseen_item_goes(text: str) -> None:
    assert not re.search(r"\w", left_of(text))


def test_an_unclosed_mark_is_a_name() -> None:
    assert "survey" not in left_of("An unclosed [[survey:L3")


@pytest.mark.parametrize("text", ["See budget-2025.", "A surveyor came.", "Budget-2025 [[lease]]."])
def test_a_name_inside_a_visible_items_name_or_another_word_is_none(text: str) -> None:
    assert left_of(text) == text


def test_lists_rows_quotes_headings_and_code_keep_their_shape() -> None:
    text = (
        "# Dear [[survey]]\n\n- one [[survey]]\n- [ ] two [[lease]]\n  and the survey\n\n"
        "| Work | Cost |\n|---|---|\n| Roof | 38 [[survey]] |\n| Rent | 12 [[lease]] |\n\n"
        "> long\n> words [[survey]]\n\n```\nsurvey = 1\nother = 2\n```\n"
    )
    assert left_of(text) == (
        "# ·\n\n- ·\n- [ ] two [[lease]]\n  ·\n\n"
        "| Work | Cost |\n|---|---|\n| · | · |\n| Rent | 12 [[lease]] |\n\n"
        "> ·\n> ·\n\n```\n·\nother = 2\n```\n"
    )


def test_how_long_the_words_were_is_not_to_be_seen() -> None:
    short, long = "Dear [[survey]].", "It is very dear. Really so, at $38,000 [[survey:L3]]."
    assert left_of(f"{short} Cheap [[lease]].") == left_of(f"{long} Cheap [[lease]].")


_PIECES = st.sampled_from(
    ["It is dear", "wexolite", " [[survey:L1]]", " [[lease]]", "[[lease, survey:L2, L4]]", ". ",
     "\n", "\r\n", "\n\n", "- ", "> ", "| ", "# ", "```\n", "`", "survey", "Plan of expenses",
     "budget-2025", "budget", " [[", "]] ", "? ", "*", "[[nothing]]", "e.g. ", "don't ", "\t"]
)  # fmt: skip


@given(st.lists(_PIECES, max_size=40).map("".join))
def test_whatever_the_text_lines_stay_and_nothing_unseen_is_left(text: str) -> None:
    left = KEPT_FROM_JANE.text(text)
    ends = re.compile(r"\r\n|\r|\n")
    assert ends.findall(left) == ends.findall(text)
    marks = parse_citations(left, names=BUNDLE.citable_names())
    assert not {one.item_id for mark in marks for one in mark.citations} & {"survey", "budget"}
    words = left.replace("budget-2025", "x")
    assert not re.search(r"(?i)\b(survey|budget|plan of expenses)\b", words)
    assert KEPT_FROM_JANE.text(left) == left
    for before, after in zip(ends.split(text), ends.split(left), strict=True):
        assert bool(before.strip()) == bool(after.strip(" \t"))
