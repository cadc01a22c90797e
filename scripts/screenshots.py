"""Pictures of the page in each of its states, into docs/images/: `python scripts/screenshots.py`.

Taken of a real server and a real browser, with the reference bundle; to be looked at before they
are committed.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from PIL import Image  # noqa: E402

from tests.page.conftest import TEZ, ask, signed_in  # noqa: E402
from tests.page.looking import Looking  # noqa: E402
from tests.serve.browsing import browser  # noqa: E402
from tests.serve.processes import Server, served, without_limits  # noqa: E402

IMAGES = ROOT / "docs" / "images"
QUOTE = (
    "Meridian Corp's revenue for the third quarter of 2025 was $48.62 million, an increase of "
    "9.1 percent on the $44.56 million of the third quarter of 2024."
)
PICTURE_IS_THERE = (
    "[...document.querySelectorAll('.page img')].some(i => i.naturalWidth && "
    "i.getBoundingClientRect().top < innerHeight && i.getBoundingClientRect().bottom > 300)"
)


def taken(look: Looking, name: str) -> None:
    """Few colours are enough, and small files are kind to whoever clones."""
    look.value("document.fonts.ready.then(() => true)")
    picture = Image.open(io.BytesIO(look.png())).convert("RGB")
    picture.quantize(128, dither=Image.Dither.NONE).save(IMAGES / f"{name}.png", optimize=True)
    sys.stderr.write(f"{name}\n")


def answers(look: Looking, server: Server) -> None:
    look.visit(signed_in(server, tez=TEZ))
    look.sees(".synthesis")
    look.says("hash verified")
    taken(look, "room")
    ask(look, "What was Meridian Corp's Q3 revenue?")
    look.hover(".words .chip")
    look.says("48.62", "#preview")
    taken(look, "preview")
    look.click(".words .chip")
    look.sees(".words-box")
    look.until(PICTURE_IS_THERE)
    taken(look, "answer")
    ask(look, "What was the marketing spend in the third quarter?")
    look.click(".exchange:last-child .position:last-child .chip")
    look.sees(".line.lit")
    taken(look, "contradiction")
    ask(look, "What is Meridian Corp's current stock price?")
    taken(look, "abstention")
    ask(look, "How much will the project cost in total?")
    look.click(".exchange:last-child .found summary")
    look.sees(".bars")
    look.value("document.querySelector('.exchange:last-child .found').scrollIntoView()")
    taken(look, "found")


def viewers(look: Looking, server: Server) -> None:
    look.visit(
        signed_in(server, tez=TEZ, cite="budget-spreadsheet:Summary:A5-E9", words="$4,393,690")
    )
    look.sees(".cell.exact")
    look.click(".cell.exact")
    taken(look, "sheet")
    look.visit(signed_in(server, tez=TEZ))
    look.sees(".talk-tools")
    look.click(".talk-tools button:nth-of-type(2)")
    look.sees("#claim")
    claim = "Revenue for the third quarter of 2025 was $52 million."
    look.value("document.querySelector('#claim').value = given.it", it=claim)
    look.click("dialog button.main")
    look.says("say otherwise", ".verdict")
    taken(look, "check")


def elsewhere(look: Looking, server: Server) -> None:
    look.prefers(prefers_color_scheme="dark")
    look.visit(signed_in(server, tez=TEZ, cite="financial-report:p7", words=QUOTE))
    look.sees(".words-box")
    ask(look, "What was Meridian Corp's Q3 revenue?")
    look.until(PICTURE_IS_THERE)
    taken(look, "dark")
    look.prefers()
    look.size(390, 844, mobile=True)
    look.visit(signed_in(server, tez=TEZ))
    ask(look, "What was Meridian Corp's Q3 revenue?")
    taken(look, "phone")
    look.click(".words .chip")
    look.until(PICTURE_IS_THERE)
    taken(look, "phone-source")
    look.size(1440, 900)


def operated(look: Looking, folder: Path) -> None:
    words = ("token", "issue", "operator@example.com", "--every-tez", "--json")
    scopes = [word for one in ("admin", "publish", "interrogate") for word in ("--scope", one)]
    told = subprocess.run(  # noqa: S603 (our own command)
        [sys.executable, "-m", "tipstaff", *words, *scopes],
        check=True,
        capture_output=True,
        text=True,
        env=os.environ | {"TIPSTAFF_DATA_DIR": str(folder / "data")},
    ).stdout
    secret = next(word.strip('",') for word in told.split() if "tts_" in word)
    with served(folder, ROOT / "bundles" / "meridian", quick=(), makes_token=False) as server:
        server.token = secret
        look.visit(signed_in(server, view="operator"))
        look.sees(".panel")
        taken(look, "operator")
        look.visit(signed_in(server))
        look.sees("#drop")
        taken(look, "tezits")


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        with browser(folder) as page:
            look = Looking(page)
            look.size(1440, 900)
            bundle = ROOT / "bundles" / "meridian"
            with served(folder, bundle, *without_limits(), quick=()) as server:
                answers(look, server)
                viewers(look, server)
                elsewhere(look, server)
            operated(look, folder)


if __name__ == "__main__":
    main()
