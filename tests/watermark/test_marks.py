"""Marks in texts and pictures: unseen, harmless, and still there after what people do to a text."""

from __future__ import annotations

import itertools
import re
import unicodedata
from io import BytesIO

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from tests.conftest import MERIDIAN
from tipstaff.citation.grammar import parse_citations
from tipstaff.parse.pdf_render import render_page
from tipstaff.watermark.fingerprints import fingerprint, packed, shared_part, unpacked
from tipstaff.watermark.page_pattern import DEPTH, codes_in_picture, stamped
from tipstaff.watermark.tag import Tags, chance_of_error
from tipstaff.watermark.text_marks import TextMarker, codes_in, marked_text, without_marks

TAGS = Tags(b"k" * 32)
TAG = TAGS.tag_of("acme", "tip-sess-1", "user:jane")
CODE = TAGS.code_of(TAG)
PARAGRAPHS = [
    (
        "The budget for the roof is $4,200 [[budget:Q3:B2-F20]], and the committee agreed to it "
        "in the meeting of March 3 [[minutes:p2]]. It is to be spent before the end of the year."
    ),
    (
        "According to the letter, “the works begin on 1 June at the latest, weather permitting” "
        "[[letter:L14]]. The context does not say who pays if they do not."
    ),
    "Two items differ: the contract says 30 days [[contract:p4]], the e-mail 45 [[mail:L3]].",
]
TEXT = "\n\n".join(PARAGRAPHS)
words = st.text('abc [].`"“”\n\u2062äß[]', max_size=200)


def traced(text: str) -> set[str | None]:
    return {TAGS.read(code) for code in codes_in(text)}


@given(words | st.text(max_size=80))
def test_what_is_seen_is_what_was_said(text: str) -> None:
    marked = marked_text(text, CODE)
    assert without_marks(marked) == without_marks(text)
    assert [one for one in marked if one.isprintable()] == [
        one for one in text if one.isprintable()
    ]


@given(words, st.lists(st.integers(0, 200), max_size=8))
def test_however_a_text_is_cut_into_pieces_its_marks_are_the_same(
    text: str, cuts: list[int]
) -> None:
    marker, places = (
        TextMarker(CODE),
        sorted({0, *(min(cut, len(text)) for cut in cuts), len(text)}),
    )
    pieces = [marker.marked(text[a:b]) for a, b in itertools.pairwise(places)]
    assert "".join(pieces) == marked_text(text, CODE)


def test_citations_and_short_quotations_are_left_whole() -> None:
    marked = marked_text(TEXT, CODE)
    for piece in re.findall(r"\[\[[^\]]*\]\]|“[^”]*”", TEXT):
        assert piece in marked
    cited = [[part.citation for part in mark.parts] for mark in parse_citations(TEXT)]
    assert len(cited) == 5
    assert [[part.citation for part in mark.parts] for mark in parse_citations(marked)] == cited


@pytest.mark.parametrize("number", range(len(PARAGRAPHS)))
def test_one_copied_paragraph_is_enough(number: int) -> None:
    assert traced(marked_text(TEXT, CODE).split("\n\n")[number]) == {TAG}


@pytest.mark.parametrize(
    "done",
    [
        lambda text: " ".join(text.split()),
        lambda text: re.sub(r"\s+", " ", text),
        lambda text: text.replace("\n", "\r\n"),
        lambda text: unicodedata.normalize("NFC", text),
        lambda text: unicodedata.normalize("NFKC", text),
        lambda text: text.upper(),
        lambda text: text[40:200],
        lambda text: f"<p>{text}</p>",
        lambda text: text.encode("utf-16").decode("utf-16"),
    ],
)
def test_what_people_do_to_a_text_leaves_its_marks(done: object) -> None:
    assert traced(done(marked_text(TEXT, CODE))) == {TAG}  # type: ignore[operator]


@given(st.text(), st.lists(st.sampled_from("\u2061\u2062\u2063\u2064"), max_size=100))
def test_a_text_that_was_never_marked_is_traced_to_nobody(text: str, also: list[str]) -> None:
    assert traced(text + "".join(also)) <= {None}


def test_the_mark_of_another_server_is_nobodys() -> None:
    other = Tags(b"x" * 32)
    marked = marked_text(TEXT, other.code_of(other.tag_of("acme", "tip-sess-1", "user:jane")))
    assert traced(marked) == {None}


def test_names_do_not_run_into_each_other() -> None:
    assert TAGS.tag_of("ab", "c") != TAGS.tag_of("a", "bc")
    assert chance_of_error(10**6, 10) < 1e-11


def test_a_fingerprint_is_of_the_words_alone() -> None:
    key = TAGS.sub_key(b"fingerprints")
    kept = unpacked(packed(fingerprint(marked_text(TEXT, CODE), key)))
    typed = "the works begin on 1 june at the latest weather permitting"
    assert shared_part(fingerprint(typed, key), kept) == 1.0
    assert (
        shared_part(fingerprint("something else that was never said by anybody here", key), kept)
        == 0.0
    )
    assert shared_part(fingerprint(typed, b"y" * 32), kept) == 0.0
    assert len(fingerprint("too few words", key)) == 0


@pytest.fixture(scope="module")
def page() -> bytes:
    (pdf,) = sorted(MERIDIAN.rglob("*.pdf"))[:1]
    return render_page(pdf.read_bytes(), 1, 2.0)


def traced_picture(content: bytes) -> set[str]:
    codes = codes_in_picture(content, TAGS.key)
    return {tag for code in codes if (tag := TAGS.read(code)) is not None}


def saved(image: Image.Image, kind: str, **also: object) -> bytes:
    out = BytesIO()
    image.save(out, kind, **also)
    return out.getvalue()


def test_a_page_looks_the_same_and_tells_its_recipient(page: bytes) -> None:
    marked = stamped(page, CODE, TAGS.key)
    before, after = (
        np.asarray(Image.open(BytesIO(one)).convert("RGB"), int) for one in (page, marked)
    )
    assert before.shape == after.shape
    assert np.abs(before - after).max() <= DEPTH
    assert traced_picture(marked) == {TAG}


@pytest.mark.parametrize(
    "done",
    [
        lambda image: saved(image, "PNG", optimize=True),
        lambda image: saved(image, "JPEG", quality=85),
        lambda image: saved(image, "JPEG", quality=60),
        lambda image: saved(image.crop((101, 67, 1000, 1203)), "PNG"),
        lambda image: saved(image.crop((101, 67, 1000, 1203)), "JPEG", quality=75),
        lambda image: saved(image.convert("L"), "PNG"),
    ],
)
def test_the_pattern_of_a_page_outlasts_saving_and_cutting(page: bytes, done: object) -> None:
    image = Image.open(BytesIO(stamped(page, CODE, TAGS.key))).convert("RGB")
    assert traced_picture(done(image)) == {TAG}  # type: ignore[operator]


def test_a_page_without_a_pattern_is_traced_to_nobody(page: bytes) -> None:
    assert traced_picture(page) == set()
    assert traced_picture(saved(Image.new("L", (50, 50)), "PNG")) == set()
    other = Tags(b"x" * 32)
    assert traced_picture(stamped(page, other.code_of(TAG), other.key)) == set()


@settings(max_examples=20)
@given(st.integers(0, 2**32 - 1))
def test_noise_is_traced_to_nobody(seed: int) -> None:
    noise = np.random.default_rng(seed).integers(240, 256, (256, 256), np.uint8)
    assert traced_picture(saved(Image.fromarray(noise), "PNG")) == set()
