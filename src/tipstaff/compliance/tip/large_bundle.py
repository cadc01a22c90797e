"""Test 10's bundle: more than 200,000 tokens of gauge records, with facts at every depth.

Everything follows from one seed, so that any two servers are asked the same. A needle's words
occur once; the records around it are of the same kind as each other and of another than it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from tipstaff.compliance.tez_file import MadeItem, tez_file
from tipstaff.compliance.world import Fixture

TEZ_ID = "tip-compliance-large"
_ITEMS = 10
_RECORDS_PER_ITEM = 600
_SEED = 20_260_105
_RIVERS = (
    "Arrow",
    "Bollin",
    "Calder",
    "Derwent",
    "Esk",
    "Foss",
    "Goyt",
    "Hodder",
    "Irwell",
    "Kent",
)
_SEEN = ("light silt", "driftwood", "clear water", "a slow eddy", "foam", "leaves", "no debris")
_WEATHER = ("rain", "sleet", "fog", "sun", "frost", "a dry wind", "low cloud")
_DONE = ("cleaned the intake", "read the staff", "greased the hinge", "took a sample", "logged it")


@dataclass(frozen=True, slots=True)
class Needle:
    """A fact that stands once, at this share of the whole bundle."""

    depth: float
    sentence: str
    query: str
    answer: str


NEEDLES = (
    Needle(
        0.01,
        "The spare key of the Ashgill valve house hangs behind the portrait of Marguerite Thorne.",
        "Where does the spare key of the Ashgill valve house hang?",
        "Marguerite Thorne",
    ),
    Needle(
        0.25,
        "The insurance policy of the Belmont siphon is held by Pemberton Mutual of Carlisle.",
        "Who holds the insurance policy of the Belmont siphon?",
        "Pemberton Mutual",
    ),
    Needle(
        0.50,
        "The password of the Corrie telemetry cabinet is OSPREY-7719.",
        "What is the password of the Corrie telemetry cabinet?",
        "OSPREY-7719",
    ),
    Needle(
        0.75,
        "Divers replaced the Dunmore sluice gasket at a price of £18,460.",
        "What was the price of the gasket that divers replaced at the Dunmore sluice?",
        "18,460",
    ),
    Needle(
        0.99,
        "The Elterwater weir was designed by the engineer Tobias Lindqvist.",
        "Which engineer designed the Elterwater weir?",
        "Lindqvist",
    ),
)


@cache
def large_tez() -> bytes:
    lines = list(_records())
    for needle in NEEDLES:
        lines.insert(int(needle.depth * len(lines)), needle.sentence)
    share = -(-len(lines) // _ITEMS)
    items = [
        MadeItem(
            id=f"gauge-book-{number + 1:02}",
            file=f"gauge-book-{number + 1:02}.md",
            title=f"Gauge book {number + 1} of {_ITEMS}",
            content=_book(number + 1, lines[number * share : (number + 1) * share]),
        )
        for number in range(_ITEMS)
    ]
    synthesis = "# Gauge books\n\nTen books of river gauges, as their keepers wrote them.\n"
    return tez_file(TEZ_ID, title="Gauge books", synthesis=synthesis, items=items)


LARGE = Fixture(name="large", tez_id=TEZ_ID, build=large_tez)


def _book(number: int, lines: list[str]) -> bytes:
    paragraphs = [" ".join(lines[at : at + 5]) for at in range(0, len(lines), 5)]
    return "\n\n".join([f"# Gauge book {number}", *paragraphs, ""]).encode()


def _records() -> Iterator[str]:
    chance = random.Random(_SEED)  # noqa: S311 - the same for everybody, and no secret
    for number in range(_ITEMS * _RECORDS_PER_ITEM):
        day, month = 1 + number % 28, 1 + number // 28 % 12
        yield (
            f"On day {day} of month {month} gauge {number + 1} on the {chance.choice(_RIVERS)} "
            f"stood at {chance.randint(110, 989)} mm in {chance.choice(_WEATHER)}, with "
            f"{chance.choice(_SEEN)}; the keeper {chance.choice(_DONE)}."
        )
