"""What becomes of statements that keep the names, figures and days of their place and tell another
deed: `python -m benchmarks.deeds [FILE…] [--misses]`.

A line of `training/support/deeds/` is a place with what is true of it in other words and what is
false. With the three files that are kept apart nothing was trained.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tipstaff.domain.citation import Citation
from tipstaff.domain.classification import Support
from tipstaff.domain.location import read_location
from tipstaff.read.entailment import Entailment
from tipstaff.verify.checked_sentence import CitedEvidence
from tipstaff.verify.entailed import EntailmentChecker, OtherWords
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.sentence_check import Witness, check_sentence
from tipstaff.verify.sentence_stream import DraftedSentence

DEEDS = Path(__file__).resolve().parent.parent / "training" / "support" / "deeds"
APART = ("f", "k", "r")
_SENTENCES = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
_HEADING = "Report of the year | 4. Progress"


@dataclass(slots=True)
class Told:
    """Statements of each kind, and those of them that leave."""

    true: int = 0
    false: int = 0
    kept: int = 0
    left: list[str] = field(default_factory=list)


def measured(names: Sequence[str], every: int = 1) -> Told:
    """Of every so many places of these files, each statement with a citation of its place."""
    told = Told()
    entailment = Entailment()
    for place, statement, true in _statements(names, every):
        leaves = _leaves(place, statement, entailment)
        told.true += true
        told.false += not true
        told.kept += true and leaves
        if leaves and not true:
            told.left.append(f"{statement} | {place}")
    return told


def _statements(names: Sequence[str], every: int) -> Iterator[tuple[str, str, bool]]:
    for name in names:
        for line in (DEEDS / f"{name}.jsonl").read_text().splitlines()[::every]:
            record = json.loads(line)
            for true in (True, False):
                for statement in record[str(true).lower()]:
                    yield record["place"], statement, true


def _leaves(place: str, statement: str, entailment: Entailment) -> bool:
    units = tuple(EvidenceText(one, surroundings=_HEADING) for one in _SENTENCES.split(place))
    evidence = CitedEvidence(Citation("memo", read_location("L1")), units)
    witness = Witness(
        look_up=lambda _citation: evidence,
        search=lambda _statement: [evidence],
        names={"memo": "memo"},
        known_terms=frozenset(),
        known_figures=(),
        say_it=OtherWords(entailment).say_it,
    )
    sentence = f"{statement.rstrip('.')} [[memo:L1]]."
    if check_sentence(DraftedSentence(sentence, ""), witness).claim is None:
        return False
    checker = EntailmentChecker(entailment)
    heard = asyncio.run(checker.check(statement, [unit.whole for unit in units]))
    return heard is not Support.UNVERIFIED


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", default=APART)
    parser.add_argument("--misses", action="store_true")
    asked = parser.parse_args()
    for name in asked.files:
        told = measured([name])
        withheld = 1 - len(told.left) / told.false
        print(f"{name}: {withheld:.3f} of {told.false} false deeds withheld, ", end="")
        print(f"{told.kept / told.true:.3f} of {told.true} true ones kept in other words")
        if asked.misses:
            print(*told.left, sep="\n")


if __name__ == "__main__":
    main()
