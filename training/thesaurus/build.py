"""Makes src/tipstaff/verify/thesaurus.txt.gz from WordNet 3.0's files.

    apt-get download wordnet-base && dpkg-deb -x wordnet-base_*.deb DIR
    python training/thesaurus/build.py DIR/usr/share/wordnet

A line is a term, the other terms for it, and behind a bar its opposites.
Run it again whenever ANALYSIS_VERSION changes: the terms are those of tipstaff.lexical.analysis.
"""

from __future__ import annotations

import gzip
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.statement import STRUCTURE

TARGET = Path(__file__).parents[2] / "src" / "tipstaff" / "verify" / "thesaurus.txt.gz"
FILES = ("noun", "verb", "adj", "adv")
PART_OF = {"n": "noun", "v": "verb", "a": "adj", "s": "adj", "r": "adv"}
# How rare a sense of either word may be: 1 is its commonest. With all of them false statements
# left; so they did with words one step more general and with derived ones (docs/models.md).
SENSES = 3

Synset = tuple[str, str]
# A term, and which of its word's senses it is here.
Member = tuple[str, int]


class WordNet:
    """The files, read once: words by synset, the rank of each sense, pointers between synsets."""

    def __init__(self, folder: Path) -> None:
        self.words: dict[Synset, list[str]] = {}
        self.rank: dict[tuple[str, str, str], int] = {}
        self.pointers: list[tuple[str, Synset, Synset, int, int]] = []
        for part in FILES:
            for fields in _records(folder / f"index.{part}"):
                senses = fields[-int(fields[2]) :]
                for number, offset in enumerate(senses, start=1):
                    self.rank[fields[0], part, offset] = number
            for fields in _records(folder / f"data.{part}"):
                self._read_synset(part, fields)

    def _read_synset(self, part: str, fields: list[str]) -> None:
        synset = (part, fields[0])
        behind = 4 + 2 * int(fields[3], 16)
        # An adjective may have its place behind it: "galore(ip)".
        self.words[synset] = [re.sub(r"\(\w+\)$", "", word).lower() for word in fields[4:behind:2]]
        for number in range(int(fields[behind])):
            start = behind + 1 + 4 * number
            symbol, offset, target, ends = fields[start : start + 4]
            pointer = (symbol, synset, (PART_OF[target], offset))
            self.pointers.append((*pointer, int(ends[:2], 16), int(ends[2:], 16)))

    def members(self, synset: Synset, word: int = 0) -> list[Member]:
        """The terms of a synset, or of one word of it; only of single words."""
        words = self.words[synset][word - 1 : word] if word else self.words[synset]
        return [
            (term, self.rank[one, *synset])
            for one in words
            if one.isalpha()
            for term in terms(one)
            if len(term) > 1 and term not in STOP_WORDS and term not in STRUCTURE
        ]


def _records(path: Path) -> Iterator[list[str]]:
    with path.open(encoding="latin-1") as lines:
        for line in lines:
            # The licence stands at the head of each file, indented.
            if not line.startswith("  "):
                yield line.split(" | ")[0].split()


def related(net: WordNet) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """What each term is said by, and its opposites, which say nothing of the kind."""
    same: dict[str, set[str]] = defaultdict(set)
    opposite: dict[str, set[str]] = defaultdict(set)
    for synset in net.words:
        group = {term for term, rank in net.members(synset) if rank <= SENSES}
        for term in group:
            same[term] |= group
    for symbol, source, target, word, other in net.pointers:
        if symbol == "!":
            for term, _ in net.members(source, word):
                opposite[term] |= {one for one, _ in net.members(target, other)}
    return same, opposite


def main() -> None:
    same, opposite = related(WordNet(Path(sys.argv[1])))
    lines = []
    for term in sorted(same.keys() | opposite.keys()):
        others = sorted(same[term] - opposite[term] - {term})
        against = sorted(opposite[term] - {term})
        if others or against:
            lines.append(f"{term} {' '.join(others)}|{' '.join(against)}\n")
    TARGET.write_bytes(gzip.compress("".join(lines).encode(), 9, mtime=0))
    print(f"{len(lines)} terms, {TARGET.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
