"""A bundle with one item of every kind that the viewer has a way for, and one that is closed."""

from __future__ import annotations

import io
import json
import wave
from pathlib import Path
from typing import Any

import av
import numpy as np
import xlsxwriter
from PIL import Image, ImageDraw
from pptx import Presentation
from reportlab.pdfgen.canvas import Canvas

from tests.conftest import BundleMaker, manifest_of

ROWS = 50_000
PAGES = 500
ARABIC = "بلغت الإيرادات ٤٨ مليون دولار في الربع الثالث."
CHINESE = "第三季度收入为四千八百万美元。"


def zoo(make_bundle: BundleMaker) -> Path:
    items = {
        "notes.md": b"# Notes\n\nThe sky is **blue**.\n\nThe budget for the roof is $4,200.\n",
        "first.md": b"# Minutes\n\nThe board heard that the cellar works cost $8,300 in March.\n",
        "second.md": b"# Memo\n\nThe board heard that the cellar works cost $9,100 in March.\n",
        "roof.py": b"def roof(price):\n    return price * 3\n\n\ndef wall():\n    return 12\n",
        "prices.json": _prices(),
        "order.xml": b"<order><line><name>Lamp</name><price>17</price></line></order>\n",
        "talk.pptx": _slides(),
        "plan.png": _picture(),
        "tone.wav": _tone(),
        "clip.webm": _clip(),
        "pricing.md": b"Our floor price is $17 and nobody may read this sentence in full.\n",
        "tongues.md": f"# Tongues\n\n{ARABIC}\n\n{CHINESE}\n".encode(),
        "mail.eml": _mail(),
    }
    manifest = manifest_of(items)
    for item in manifest["context"]["items"]:
        if item["id"] == "pricing":
            item["access"] = "interrogation_only"
        item["type"] = _TYPES.get(item["id"], "document")
    return make_bundle(items, manifest=manifest, synthesis=_SYNTHESIS)


_TYPES = {
    "talk": "presentation",
    "plan": "image",
    "tone": "audio",
    "clip": "video",
    "prices": "data",
}
_SYNTHESIS = b"# Findings\n\nThe roof costs $4,200 [[notes:L5, prices:$.goods[3].price]].\n"


def large(make_bundle: BundleMaker) -> Path:
    items = {"rows.xlsx": _rows(), "pages.pdf": _pages()}
    changes: dict[str, Any] = {"id": "large-tez"}
    return make_bundle(items, manifest=manifest_of(items, **changes), name="large")


def _prices() -> bytes:
    goods = [{"name": f"thing {number}", "price": 100 + number} for number in range(40)]
    return json.dumps({"currency": "USD", "goods": goods}, indent=1).encode()


def _slides() -> bytes:
    deck = Presentation()
    for number in range(1, 6):
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = f"Chapter {number}"
        slide.placeholders[1].text = f"On this slide the number is {number * 111}."
    out = io.BytesIO()
    deck.save(out)
    return out.getvalue()


def _picture() -> bytes:
    image = Image.new("RGB", (600, 300), "white")
    ImageDraw.Draw(image).rectangle((40, 40, 560, 260), outline="black", width=6)
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def _tone() -> bytes:
    out = io.BytesIO()
    with wave.open(out, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8_000)
        sound.writeframes(b"\0\0" * 24_000)
    return out.getvalue()


def _clip() -> bytes:
    """Three seconds that Chromium can play without a licence."""
    out = io.BytesIO()
    with av.open(out, "w", format="webm") as container:
        stream: Any = container.add_stream("libvpx", rate=5)
        stream.width, stream.height, stream.pix_fmt = 160, 90, "yuv420p"
        for number in range(15):
            shade = np.full((90, 160, 3), number * 16, np.uint8)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(shade, format="rgb24")))
        container.mux(stream.encode())
    return out.getvalue()


def _mail() -> bytes:
    lines = ["From: ann@example.com", "To: bob@example.com", "Subject: Roof", "", "It leaks.", ""]
    return "\r\n".join(lines).encode()


def _rows() -> bytes:
    out = io.BytesIO()
    book = xlsxwriter.Workbook(out, {"in_memory": True, "constant_memory": False})
    sheet = book.add_worksheet("Ledger")
    for number in range(ROWS):
        sheet.write_row(number, 0, (f"entry {number + 1}", number * 3, "paid"))
    book.close()
    return out.getvalue()


def _pages() -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out)
    for number in range(1, PAGES + 1):
        canvas.drawString(100, 700, f"This is page {number}; its number is {number * 7}.")
        canvas.showPage()
    canvas.save()
    return out.getvalue()
