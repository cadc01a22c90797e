"""The page in Chromium: ask, watch, hover, click, see the very words; by pointer and by keys."""

from __future__ import annotations

import httpx
import pypdfium2
import pytest

from tests.conftest import MERIDIAN
from tests.page.conftest import TEZ, ZOO, ask, go_on_with_the_rest, signed_in
from tests.page.looking import Looking
from tests.serve.processes import Server
from tipstaff.serve.page_files import CSP, page_files

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])
REVENUE = "What was Meridian Corp's Q3 revenue?"
QUOTE = "revenue for the third quarter of 2025 was $48.62 million"
MOST_BYTES = 150_000
# What would be saved as a file is kept where a test can read it.
SAVED_IS_KEPT = """(window.kept = [], URL.createObjectURL = (blob) => {
    blob.text().then((text) => kept.push(text));
    return 'blob:kept';
})"""


def test_a_question_is_answered_and_its_source_opened(look: Looking, server: Server) -> None:
    look.visit(signed_in(server, tez=TEZ))
    look.says("10 items")
    ask(look, REVENUE)
    look.says("Answered from the sources", ".badge")
    look.says("high confidence", ".exchange .support")
    look.hover(".words .chip")
    look.says("48,620", "#preview")
    look.click(".words .chip")
    look.sees(".viewer-body .words-box")
    look.says("Third Quarter 2025 Financial Report", ".viewer-head")
    assert "page" in look.text(".viewer-head p")


def test_the_box_lies_on_the_true_words(look: Looking, server: Server) -> None:
    """Where the library that draws the page says that they are, to within three pixels."""
    look.visit(signed_in(server, tez=TEZ, cite="financial-report:p7", words=QUOTE))
    look.sees(".words-box")
    look.until("document.querySelector('[data-page=\"7\"] img')?.naturalWidth")
    page = look.box('[data-page="7"]')
    seen = look.box(".words-box")
    document = pypdfium2.PdfDocument(MERIDIAN / "context" / "financial-report.pdf")
    text = document[6].get_textpage()
    at = text.search(QUOTE).get_next()
    assert at is not None
    boxes = [text.get_charbox(at[0] + n) for n in range(at[1])]
    scale = (page["right"] - page["left"]) / document[6].get_width()
    top = page["top"] + (document[6].get_height() - max(one[3] for one in boxes)) * scale
    bottom = page["top"] + (document[6].get_height() - min(one[1] for one in boxes)) * scale
    assert abs(seen["left"] - (page["left"] + boxes[0][0] * scale)) <= 3
    assert abs(seen["right"] - (page["left"] + boxes[-1][2] * scale)) <= 3
    # A line's box is as high as its font, ink is not.
    assert seen["top"] - 1 <= top <= seen["top"] + 6
    assert seen["bottom"] - 6 <= bottom <= seen["bottom"] + 1
    light = look.box(".passage-box")
    assert light["left"] <= seen["left"]
    assert light["right"] >= seen["right"]


def test_a_page_can_be_enlarged_and_turned(look: Looking, server: Server) -> None:
    look.visit(signed_in(server, tez=TEZ, cite="financial-report:p7", words=QUOTE))
    look.sees(".words-box")
    before = look.box('[data-page="7"]')
    look.click('[aria-label="Larger"]')
    wide = "document.querySelector('[data-page=\"7\"]').clientWidth > given.width"
    look.until(wide, width=before["right"] - before["left"])
    look.click('[aria-label="Next page"]')
    look.until("document.querySelector('.tools input[type=number]').value === '8'")


def test_everything_is_done_with_keys_alone(look: Looking, server: Server) -> None:
    look.visit(signed_in(server, tez=TEZ))
    look.until("document.activeElement?.id === 'question'")
    look.write(REVENUE)
    look.press("Enter")
    look.sees(".exchange .found")
    for _ in range(12):
        look.press("Shift+Tab")
        if look.value("document.activeElement.matches('.words .chip')"):
            break
    assert look.value("document.activeElement.matches('.words .chip')")
    look.sees("#preview")
    look.press("Escape")
    assert look.value("document.querySelector('#preview').hidden")
    look.press("Enter")
    look.until("document.activeElement.matches('.viewer-body')")
    look.sees(".words-box")
    assert look.value("getComputedStyle(document.activeElement).outlineStyle") != "none"
    look.press("PageDown")
    look.until("document.querySelector('.tools input[type=number]').value === '9'")
    look.value("document.querySelector('[aria-label=\"Close the source\"]').focus()")
    look.press("Enter")
    look.until("document.activeElement.matches('.words .chip')")


def test_a_citation_link_survives_a_reload(look: Looking, server: Server) -> None:
    look.visit(signed_in(server, tez=TEZ))
    ask(look, REVENUE)
    look.click(".words .chip")
    look.sees(".words-box")
    address = look.value("location.href")
    assert server.token not in address
    look.page.told("refresh")
    look.sees(".words-box")
    assert look.value("location.href") == address
    # TIP §13.3.3, 3: pages are asked for within the session, also after the reload.
    look.until("[...document.querySelectorAll('.page img')].some(one => one.naturalWidth)")
    loaded = look.value("performance.getEntriesByType('resource').map(one => one.name)")
    pictures = [one for one in loaded if ".png?" in one]
    assert pictures
    assert all("session=tip-sess-" in one for one in pictures)
    # The conversation is there again, too, with what was checked of it.
    look.says("Answered from the sources", ".exchange")
    look.sees(".exchange .support")


def test_an_abstention_says_what_is_missing(look: Looking, server: Server) -> None:
    look.visit(signed_in(server, tez=TEZ))
    ask(look, "What is Meridian Corp's current stock price?")
    look.says("Not in the sources", ".badge")
    look.says("What is missing", ".gap")
    look.says("You could ask the sender", ".gap")


def test_contradictions_stand_side_by_side_and_how_it_was_found_is_told(
    look: Looking, server: Server
) -> None:
    look.visit(signed_in(server, tez=ZOO))
    look.click("#question")
    look.write("What did the cellar works cost in March?")
    look.press("Enter")
    go_on_with_the_rest(look)
    look.sees(".contradiction .position:nth-child(2)")
    one, other = look.box(".position:nth-child(1)"), look.box(".position:nth-child(2)")
    assert one["right"] <= other["left"]
    assert one["top"] == other["top"]
    look.click(".found summary")
    look.says("Strategy", ".found")
    look.says("Cost", ".found")
    assert look.value("document.querySelectorAll('.bars tbody tr').length") > 1


def test_the_synthesis_is_live(look: Looking, server: Server) -> None:
    look.visit(signed_in(server, tez=TEZ))
    look.says("Executive summary", ".synthesis")
    look.click(".synthesis .plus")
    look.click(".synthesis .more-chips .chip")
    look.sees(".viewer-body .lit")


def test_claims_of_the_synthesis_that_do_not_stand_are_marked(
    look: Looking, server: Server
) -> None:
    look.visit(signed_in(server, tez=TEZ))
    look.click(".audit-ask")
    look.says("1 claim to look at", ".audit-summary")
    assert look.value("document.querySelectorAll('.audit-mark').length") == 1
    lit = "[...CSS.highlights.get('audit')].map(range => range.toString())"
    (words,) = look.value(lit)
    assert words.startswith("Customer satisfaction with order handling slid to\n71 percent")
    look.click(".audit-mark")
    look.says("Not at the cited place: 71 percent.", ".audit-note")
    look.click(".audit-note .chip")
    look.sees(".viewer-body .lit")


@pytest.mark.parametrize(
    ("cite", "seen", "lit"),
    [
        ("notes:L5", ".line.lit", "budget for the roof"),
        ("roof:L1-2", ".line.lit mark", "def roof"),
        ("mail:message-1", ".line.lit", "It leaks."),
        ("prices:$.goods[3].price", ".tree mark.passage", "103"),
        ("order:/order/line/price", ".tree mark.passage", "17"),
        ("talk:slide-3", ".slides .lit", "333"),
        ("tongues:L3", ".line.lit", "الإيرادات"),
        ("tongues:L5", ".line.lit", "第三季度"),
    ],
)
def test_each_kind_opens_at_its_place(
    look: Looking, server: Server, cite: str, seen: str, lit: str
) -> None:
    look.visit(signed_in(server, tez=ZOO, cite=cite))
    look.sees(seen)
    look.says(lit, ".viewer-body")
    held = "[...document.querySelectorAll(given.it)].some(one => one.innerText.includes(given.w))"
    assert look.value(held, it=seen, w=lit)


def test_right_to_left_words_run_from_the_right(look: Looking, server: Server) -> None:
    look.visit(signed_in(server, tez=ZOO, cite="tongues:L3"))
    look.sees(".line.lit")
    assert look.value("document.querySelector('.line.lit .text').matches(':dir(rtl)')")


def test_a_picture_and_a_recording_are_shown(look: Looking, server: Server) -> None:
    look.visit(signed_in(server, tez=ZOO))
    look.says("unindexed", ".items")
    for cite, held in (("plan", ".picture img"), ("tone", "audio"), ("clip", "video")):
        look.visit(signed_in(server, tez=ZOO, cite=cite))
        look.until("document.querySelector(given.it)?.src.startsWith('blob:')", it=held)


@pytest.mark.parametrize("kind", ["audio", "video"])
def test_a_recording_plays_from_the_cited_second(look: Looking, server: Server, kind: str) -> None:
    cite = {"audio": "tone", "video": "clip"}[kind] + ":t0:00:01"
    look.visit(signed_in(server, tez=ZOO, cite=cite))
    at = look.until("document.querySelector(given.it)?.currentTime || 0", it=kind)
    assert at == pytest.approx(1, abs=0.3)


def test_cells_are_lit_in_their_grid(look: Looking, server: Server) -> None:
    look.visit(signed_in(server, tez=TEZ, cite="budget-spreadsheet:Summary:C9", words="$4,393,690"))
    look.says("4,393,690", ".cell.exact")
    look.click(".cell.exact")
    look.says("=", ".cell-detail")


def test_what_may_only_be_asked_about_says_why(look: Looking, server: Server) -> None:
    look.visit(signed_in(server, tez=ZOO, cite="pricing:L1"))
    look.says("This item cannot be viewed", ".refused")
    look.says("asked about, not looked at", ".refused")
    assert "floor price" not in look.text()


def test_a_sentence_from_anywhere_is_checked(look: Looking, server: Server) -> None:
    look.visit(signed_in(server, tez=TEZ))
    look.sees(".talk-tools")
    look.click(".talk-tools button:nth-of-type(2)")
    look.sees("#claim")
    for sentence, verdict in (
        ("Revenue for the third quarter of 2025 was $48.62 million.", "support this"),
        ("Revenue for the third quarter of 2025 was $52.10 million.", "say otherwise"),
        ("The chairman owns a yacht in Palermo.", "are silent"),
    ):
        look.value("document.querySelector('#claim').value = given.it", it=sentence)
        look.click("dialog button.main")
        look.says(verdict, ".verdict")


def test_a_session_is_named_resumed_exported_and_closed(look: Looking, server: Server) -> None:
    look.visit(signed_in(server, tez=ZOO))
    look.click("#question")
    look.write("What is the budget for the roof?")
    look.press("Enter")
    go_on_with_the_rest(look)
    look.sees(".exchange .found")
    look.sees(".sessions .item[aria-current]")
    look.click(".sessions li:first-child > button.plain")
    look.sees("#session-name")
    look.value("document.querySelector('#session-name').value = 'Roof works'")
    look.click("dialog button.main")
    look.says("Roof works", ".sessions")
    look.click(".talk-tools button:first-child")
    look.sees(".empty")
    look.click(".sessions li:first-child .item")
    look.says("4,200", ".exchange .words")
    look.value(f"{SAVED_IS_KEPT} && true")
    look.click(".talk-tools .space + button")
    look.click("dialog .choices button:first-child")
    text = look.until("window.kept[0]")
    assert "## What is the budget for the roof?" in text
    assert "[1]" in text
    assert "1. Notes, line 5" in text
    look.click(".talk-tools .space + button")
    look.click("dialog .choices button:nth-child(2)")
    page = look.until("window.kept[1]")
    assert '<h2 dir="auto">What is the budget for the roof?</h2>' in page
    assert "<script" not in page
    assert "Notes, line 5" in page
    look.click(".talk-tools button:last-child")
    look.says("The session is closed", "dialog")


def test_it_fits_a_telephone(look: Looking, server: Server) -> None:
    look.size(390, 844, mobile=True)
    look.visit(signed_in(server, tez=TEZ))
    ask(look, REVENUE)
    assert look.value("document.documentElement.scrollWidth") <= 390
    assert not look.value("document.querySelector('.source').checkVisibility()")
    look.click(".words .chip")
    look.sees(".words-box")
    assert not look.value("document.querySelector('.talk').checkVisibility()")
    look.click('[data-to="contents"]')
    look.sees(".items")
    assert look.value("document.documentElement.scrollWidth") <= 390


def test_printed_it_is_the_conversation_with_numbered_sources(
    look: Looking, server: Server
) -> None:
    look.visit(signed_in(server, tez=TEZ))
    ask(look, REVENUE)
    look.value("(window.print = () => {}) && true")
    look.click(".talk-tools .space + button")
    look.click("dialog .choices button:nth-child(3)")
    printed = pypdfium2.PdfDocument(look.printed())
    text = printed[0].get_textpage().get_text_range()
    assert REVENUE in text
    assert "SHA-256" in text
    assert "Ask the sources" not in text
    assert "New session" not in text


def test_nothing_moves_where_that_is_preferred(look: Looking, server: Server) -> None:
    look.prefers(prefers_reduced_motion="reduce")
    look.visit(signed_in(server, tez=TEZ))
    look.sees(".empty")
    dot = """(() => {
        const dot = document.createElement('span');
        dot.className = 'dots';
        document.querySelector('main').append(dot);
        return getComputedStyle(dot).animationName;
    })()"""
    assert look.value(dot) == "none"
    look.prefers(prefers_reduced_motion="no-preference")
    assert look.value(dot) == "breathe"


def test_it_is_dark_where_that_is_preferred(look: Looking, server: Server) -> None:
    shade = "getComputedStyle(document.documentElement).backgroundColor"
    look.visit(signed_in(server, tez=TEZ))
    look.prefers(prefers_color_scheme="light")
    light = look.value(shade)
    look.prefers(prefers_color_scheme="dark")
    assert look.value(shade) != light
    assert look.value(f"{shade}.match(/\\d+/g).every(one => one < 60)")


def test_nothing_is_asked_of_others_and_no_secret_is_in_an_address(
    look: Looking, server: Server
) -> None:
    look.visit(signed_in(server, tez=TEZ))
    ask(look, REVENUE)
    look.click(".words .chip")
    look.sees(".words-box")
    loaded = look.value("performance.getEntriesByType('resource').map(one => one.name)")
    assert loaded
    assert all(one.startswith((server.url, f"blob:{server.url}")) for one in loaded)
    assert not any(server.token in one for one in [*loaded, look.value("location.href")])
    assert server.token not in server.errors.read_text()


def test_the_files_are_small_kept_and_fenced_in(server: Server) -> None:
    assert page_files().total_bytes < MOST_BYTES
    start = httpx.get(f"{server.url}/")
    assert start.headers["content-security-policy"] == CSP
    assert "unsafe" not in CSP
    assert start.headers["cache-control"] == "no-cache"
    script = f"{server.url}/page/{page_files().digest}/app.js"
    found = httpx.get(script)
    assert "immutable" in found.headers["cache-control"]
    again = httpx.get(script, headers={"If-None-Match": found.headers["etag"]})
    assert again.status_code == 304
    for path in ("/page/0000/app.js", f"/page/{page_files().digest}/..%2Fapp.py", "/page/app.js"):
        assert httpx.get(server.url + path).status_code == 404


def test_without_a_token_one_is_asked_for(look: Looking, server: Server) -> None:
    look.visit(f"{server.url}/#tez={TEZ}")
    look.value("sessionStorage.clear()")
    look.page.told("refresh")
    look.sees("#token")
    look.write("tts_wrong")
    look.press("Enter")
    look.says("no longer good", ".sign-in")
    look.click("#token")
    look.write(server.token)
    look.press("Enter")
    look.says("10 items")
