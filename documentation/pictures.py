"""The pictures of the documentation, drawn by this script: `python -m documentation.pictures`."""

from __future__ import annotations

import sys
from pathlib import Path

from documentation.drawing import Drawing

IMAGES = Path(__file__).resolve().parent.parent / "docs" / "images"

_STAGES = (
    ("bundle", "files, hashes"),
    ("parse", "text with places"),
    ("index", "chunks, vectors"),
    ("retrieve", "what is in scope"),
    ("answer", "drafted claims"),
    ("verify", "against the bytes"),
)
_RUNGS = (
    ("It cites something", "A claim without a citation gets one that holds, or goes."),
    ("The place exists", "Item and page, line, cell or second are there for this recipient."),
    ("The bytes are the sender's", "Hashed again: they match the declared or the pinned hash."),
    ("The words stand there", "Quoted words, figures, times and names are at the cited place."),
    ("They say that", "Nothing is turned round: denials, who, when, of all, planned or done."),
    ("A second opinion", "Where one is set up; it can lower trust and never raise it."),
)
_CLASSES = (
    ("Was any claim kept?", "no", "abstention", "It says what is missing."),
    ("Is a part still open?", "yes", "partial", "What is known, and each gap."),
    ("Was anything inferred?", "yes", "inferred", "With the basis and the working."),
)


def pipeline() -> Drawing:
    told = (
        "A bundle is parsed, indexed, searched within the recipient's scope, answered and "
        "verified; what holds is said with its citations, what does not is withheld."
    )
    drawing = Drawing(920, 330, "From a bundle to a checked answer", told)
    drawing.edge(14, 54, 892, 120)
    drawing.text(28, 44, "grounding boundary: what exists for this recipient", kind="goodtext")
    for number, (name, does) in enumerate(_STAGES):
        x = 30 + number * 147
        drawing.box(x, 76, 125, 76, (name, does), kind="good" if name == "verify" else "box")
        if number:
            drawing.arrow((x - 22, 114), (x - 3, 114))
    drawing.box(30, 222, 200, 76, ("your question", "in your own words"))
    drawing.arrow((130, 222), (130, 198), (534, 198), (534, 155))
    drawing.box(610, 222, 140, 76, ("said", "with citations"), kind="good")
    drawing.box(766, 222, 140, 76, ("withheld", "with reasons"))
    drawing.arrow((810, 152), (810, 190), (680, 190), (680, 219))
    drawing.arrow((850, 152), (850, 219))
    drawing.text(270, 250, "Nothing found, or nothing holds?", kind="strong")
    drawing.text(270, 274, "Then that is the answer: an abstention,", kind="small")
    drawing.text(270, 292, "which says what is missing.", kind="small")
    return drawing


def ladder() -> Drawing:
    told = "Rungs that every claim has to climb: " + "; ".join(
        f"{name}: {does}" for name, does in _RUNGS
    )
    height = 62
    drawing = Drawing(790, 26 + height * (len(_RUNGS) + 1), "The verification ladder", told)
    for number, (name, does) in enumerate(_RUNGS):
        y = 20 + (len(_RUNGS) - number) * height
        drawing.box(40, y, 520, 46, ())
        drawing.text(56, y + 20, str(number + 1), kind="strong")
        drawing.text(79, y + 20, name, kind="strong")
        drawing.text(79, y + 37, does, kind="small")
        drawing.arrow((300, y), (300, y - 13))
        drawing.arrow((560, y + 23), (620, y + 23))
        is_last = number + 1 == len(_RUNGS)
        fate = "else hedged, withheld" if is_last else "else withheld"
        drawing.text(630, y + 28, fate, kind="small")
    drawing.box(200, 14, 200, 50, ("said", "with its citation"), kind="good")
    return drawing


def classes() -> Drawing:
    told = (
        "No claim kept: abstention. Else a part open: partial. Else anything inferred: inferred. "
        "Else grounded."
    )
    drawing = Drawing(760, 372, "How a response is classed", told)
    for number, (question, turn, name, means) in enumerate(_CLASSES):
        y = 16 + number * 90
        drawing.box(30, y, 250, 54, (question,))
        drawing.arrow((280, y + 27), (437, y + 27))
        drawing.text(345, y + 20, turn, kind="small")
        drawing.box(440, y, 290, 54, (name, means))
        drawing.arrow((155, y + 54), (155, y + 87))
        drawing.text(166, y + 77, "yes" if turn == "no" else "no", kind="small")
    drawing.box(30, 286, 250, 62, ("grounded", "Every claim stands in the context."), kind="good")
    return drawing


PICTURES = {"pipeline.svg": pipeline, "ladder.svg": ladder, "classes.svg": classes}


def main() -> None:
    for name, draw in PICTURES.items():
        (IMAGES / name).write_text(draw().svg(), encoding="utf-8")
        sys.stderr.write(f"{name}\n")


if __name__ == "__main__":
    main()
