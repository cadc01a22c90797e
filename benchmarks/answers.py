"""How good the answers are: `python -m benchmarks.answers BUNDLE…`.

Each bundle brings its questions (`questions.json` or `test-queries.json`) with what a right answer
holds. An answer is correct, wrong, wrongly abstained or wrongly answered; a wrong one costs more
than an abstention. `--write FILE` writes the report, `--misses` prints every miss, except those of
the bundle that is held out: whoever works on answers must not see its questions.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tipstaff.asking import Interrogation
from tipstaff.domain.response import ResponseEnvelope
from tipstaff.engine import index_bundle, open_bundle
from tipstaff.settings import load_settings

# Counted, never shown. Every other bundle is for development, `water-utility` too by now.
HELD_OUT = frozenset({"museum-loan"})
OUTCOMES = ("correct", "wrong", "wrongly abstained", "wrongly answered")


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """A question and what its answer must hold: of each list of alternatives, one."""

    id: str
    query: str
    type: str
    answerable: bool
    classes: tuple[str, ...]
    must_contain: tuple[tuple[str, ...], ...] = ()
    must_not_contain: tuple[str, ...] = ()
    must_cite: tuple[str, ...] = ()
    direction: str | None = None  # of a verification: yes, no or partly


@dataclass(slots=True)
class Tally:
    outcomes: Counter[str] = field(default_factory=Counter)
    quotes: int = 0
    quotes_right: int = 0
    by_confidence: dict[str, list[bool]] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)
    by_type: dict[str, Counter[str]] = field(default_factory=dict)
    misses: list[str] = field(default_factory=list)


def read_questions(folder: Path) -> list[Expected]:
    """Both published shapes, and our own."""
    path = folder / "questions.json"
    if not path.exists():
        path = folder / "test-queries.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    rows = content
    if isinstance(content, dict):
        rows = content.get("test_queries") or content["questions"]
    return [_expected(row) for row in rows]


def _expected(row: dict[str, Any]) -> Expected:
    if "passing_criteria" in row:
        return _published(row)
    behaviour = row.get("expected_behavior", {})
    if behaviour:
        words = tuple(behaviour.get("must_contain", ()))
        groups = (
            (words,) if behaviour.get("must_contain_mode") == "any" else tuple((w,) for w in words)
        )
        classes = tuple(row["acceptable_classifications"])
        return Expected(
            id=row["id"],
            query=row["query"],
            type=row["query_type"],
            answerable="grounded" in classes or "inferred" in classes,
            classes=classes,
            must_contain=tuple(group for group in groups if group),
            must_not_contain=tuple(behaviour.get("must_not_contain", ())),
            must_cite=tuple(behaviour.get("must_cite", ())),
            direction=_expected_direction(row, row.get("notes") or ""),
        )
    classes = (
        tuple(row["classification"])
        if isinstance(row["classification"], list)
        else (row["classification"],)
    )
    return Expected(
        id=row["id"],
        query=row["query"],
        type=row["type"],
        answerable=row["answerable"] is not False,
        classes=classes,
        must_contain=tuple(
            tuple(group) if isinstance(group, list) else (group,)
            for group in row.get("must_contain", ())
        ),
        must_not_contain=tuple(row.get("must_not_contain", ())),
        must_cite=tuple(row.get("must_cite", ())),
        direction=_expected_direction(row, row.get("note") or ""),
    )


# How the authors of the questions note it: "Verification, answer no."
_NOTED = re.compile(r"\bverification, (?:answer )?(?P<direction>yes|no|partly)\b", re.IGNORECASE)


def _expected_direction(row: dict[str, Any], note: str) -> str | None:
    noted = _NOTED.search(note)
    found = row.get("direction") or (noted and noted["direction"])
    return str(found).lower() if found else None


def direction(text: str) -> str | None:
    """Whether a response says yes, no or partly; None if it leaves that open."""
    said = re.match(r"(?:yes|no|partly)\b", text, re.IGNORECASE)
    return said.group().lower() if said else None


def _published(row: dict[str, Any]) -> Expected:
    criteria = row["passing_criteria"]
    groups = [[criteria["must_contain"]]] if "must_contain" in criteria else []
    groups += [value for name, value in criteria.items() if name.startswith("must_contain_any")]
    expected = criteria["classification_must_be"]
    classes = ("abstention", "partial") if expected == "abstention" else (expected,)
    return Expected(
        id=row["id"],
        query=row["query"],
        type=row["id"].rsplit("-", 1)[0],
        answerable=expected != "abstention",
        classes=classes,
        must_contain=tuple(tuple(group) for group in groups),
        must_cite=tuple(criteria.get("must_cite", ())),
    )


def outcome(expected: Expected, envelope: ResponseEnvelope) -> tuple[str, str]:
    """Which of the four, and why."""
    response = envelope.response
    said = response.text.casefold()
    classification = str(response.classification)
    bad = [word for word in expected.must_not_contain if word.casefold() in said]
    cited = {citation.item_id for citation in response.citations}
    uncited = [item for item in expected.must_cite if item not in cited]
    if not expected.answerable:
        if classification in expected.classes and not bad and not uncited:
            return "correct", ""
        if classification == "abstention" and not bad:
            return "wrong", f"{classification}; uncited {uncited}"
        return "wrongly answered", f"{classification}; says {bad}" if bad else classification
    if classification == "abstention" and "abstention" not in expected.classes:
        return "wrongly abstained", classification
    missing = [
        group for group in expected.must_contain if not any(w.casefold() in said for w in group)
    ]
    if expected.direction and direction(response.text) != expected.direction:
        return (
            "wrong",
            f"{classification}; says {direction(response.text)} to a {expected.direction}",
        )
    if bad or missing or uncited or classification not in expected.classes:
        return "wrong", f"{classification}; missing {missing}; uncited {uncited}; says {bad}"
    return "correct", ""


def measure(folder: Path, settings: dict[str, str]) -> Tally:
    tally = Tally()
    with open_bundle(folder) as opened:
        indexed = index_bundle(opened, settings=load_settings(settings))
        for expected in read_questions(folder):
            interrogation = Interrogation(indexed=indexed)
            interrogation.reader = _SHARED.setdefault(
                settings.get("reader", ""), interrogation.reader
            )
            start = time.perf_counter()
            envelope = interrogation.ask(expected.query)
            tally.seconds.append(time.perf_counter() - start)
            _count(tally, expected, envelope)
    return tally


_SHARED: dict[str, Any] = {}


def _count(tally: Tally, expected: Expected, envelope: ResponseEnvelope) -> None:
    found, why = outcome(expected, envelope)
    tally.outcomes[found] += 1
    tally.by_type.setdefault(expected.type, Counter())[found] += 1
    response = envelope.response
    tally.quotes += len(response.citations)
    tally.quotes_right += sum(one.verified and one.quote_verified for one in response.citations)
    if response.claims:
        tally.by_confidence.setdefault(str(response.confidence), []).append(found == "correct")
    if found != "correct":
        tally.misses.append(
            f"{found}: {expected.id}: {expected.query}\n    {why}\n    {response.text!r}"
        )


def report(tallies: dict[str, Tally], title: str) -> str:
    shown = " | ".join(OUTCOMES)
    lines = [f"### {title}", "", f"| bundle | questions | {shown} | citations checked |"]
    lines.append("|---|---:|" + "---:|" * len(OUTCOMES) + "---:|")
    for name, tally in tallies.items():
        total = sum(tally.outcomes.values())
        counts = " | ".join(str(tally.outcomes[outcome]) for outcome in OUTCOMES)
        lines.append(f"| {name} | {total} | {counts} | {tally.quotes_right}/{tally.quotes} |")
    lines += ["", "| type | " + " | ".join(OUTCOMES) + " |", "|---|" + "---:|" * len(OUTCOMES)]
    types: dict[str, Counter[str]] = {}
    for tally in tallies.values():
        for kind, counter in tally.by_type.items():
            types.setdefault(kind, Counter()).update(counter)
    for kind, counter in sorted(types.items()):
        lines.append(f"| {kind} | " + " | ".join(str(counter[one]) for one in OUTCOMES) + " |")
    lines += ["", "| confidence | answers | correct |", "|---|---:|---:|"]
    for level in ("high", "medium", "low"):
        marks = [mark for tally in tallies.values() for mark in tally.by_confidence.get(level, ())]
        if marks:
            lines.append(f"| {level} | {len(marks)} | {sum(marks) / len(marks):.0%} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bundles", nargs="+", type=Path)
    parser.add_argument("--reader", choices=("minilm", "none", "both"), default="both")
    parser.add_argument("--misses", action="store_true")
    parser.add_argument("--write", type=Path)
    arguments = parser.parse_args()
    readers = ("minilm", "none") if arguments.reader == "both" else (arguments.reader,)
    pages = []
    for reader in readers:
        tallies = {folder.name: measure(folder, {"reader": reader}) for folder in arguments.bundles}
        title = "With the reader" if reader == "minilm" else "Without the reader"
        pages.append(report(tallies, title))
        print(pages[-1])
        seconds = [one for tally in tallies.values() for one in tally.seconds]
        print(f"\nmedian {statistics.median(seconds) * 1000:.0f} ms a question\n")
        for miss in _misses(tallies) if arguments.misses else ():
            print(miss)
        if arguments.write:
            pages[-1] += "\n\nMisses:\n\n" + "\n".join(_listed(tallies))
    if arguments.write:
        head = arguments.write.read_text(encoding="utf-8").split("<!-- figures -->")[0]
        body = "\n\n".join(pages)
        arguments.write.write_text(f"{head}<!-- figures -->\n\n{body}\n", encoding="utf-8")


def _listed(tallies: dict[str, Tally]) -> Iterator[str]:
    for name, miss in _shown(tallies):
        yield f"- {name}, {miss.splitlines()[0]}"


def _misses(tallies: dict[str, Tally]) -> Iterator[str]:
    for name, miss in _shown(tallies):
        yield f"{name}: {miss}"


def _shown(tallies: dict[str, Tally]) -> Iterator[tuple[str, str]]:
    for name, tally in tallies.items():
        for miss in tally.misses if name not in HELD_OUT else ():
            yield name, miss


if __name__ == "__main__":
    main()
