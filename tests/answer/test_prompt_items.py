"""What of a bundle's items a model is shown, and that it can cite all of it (TIP §4.2.1)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tipstaff.answer.context import AnswerContext
from tipstaff.answer.prompt_items import prompt_items, with_places
from tipstaff.citation.grammar import parse_citations
from tipstaff.domain.citation import Passage
from tipstaff.engine import index_bundle, interrogate, open_bundle
from tipstaff.retrieve.loading import LoadedContext
from tipstaff.settings import load_settings

_SETTINGS = load_settings({"reader": "none", "embedder": "static"})
_LABEL = re.compile(r"^\(([^)]+)\) (.*)", re.MULTILINE)
_FILES = {
    "minutes.md": "# Minutes\n\nMs Ode opened the meeting. She said that\nthe lift is broken.\n\n"
    "| Part | Cost (EUR) |\n|---|---|\n| Cable | 1,200 |\n| Motor | 7,400 |\n",
    "hearing.vtt": "WEBVTT\n\n00:00:01.000 --> 00:00:04.000\n<v Ada Byron>I ordered the motor.\n\n"
    "00:00:05.000 --> 00:00:09.000\n<v Sol Pike>It has not arrived.\n",
    "lift.yaml": "lift:\n  floors: 6\n  load_kg: 450\n",
    "costs.csv": "part,weeks\nCable,2\nMotor,9\n",
    "record.json": json.dumps({"lift": {"maker": "Aral", "year": 1998}}, indent=2),
    "mail.eml": "From: Ada Byron <ada@example.org>\nTo: Sol Pike <sol@example.org>\n"
    "Date: Mon, 3 Mar 2025 10:00:00 +0000\nSubject: The motor\n\nDear Sol,\n\n"
    "The motor comes from Turin.\n",
}


@contextmanager
def _context(folder: Path, files: dict[str, str]) -> Iterator[AnswerContext]:
    for name, text in {"tez.md": "# The lift\n", **files}.items():
        (folder / name).write_text(text, encoding="utf-8")
    with open_bundle(folder, settings=_SETTINGS) as opened:
        yield interrogate(index_bundle(opened, settings=_SETTINGS)).context()


def _shown(context: AnswerContext) -> dict[str, str]:
    chunks = context.index.chunks(list(range(context.scope.chunk_count)))
    whole = tuple(with_places(chunk, context) for chunk in chunks)
    loaded = LoadedContext(strategy="full", whole=whole)
    return {item.id: item.content for item in prompt_items(loaded, context)}


def test_every_sentence_stands_behind_its_place_and_whoever_says_it(tmp_path: Path) -> None:
    with _context(tmp_path, _FILES) as context:
        shown = _shown(context)
    minutes = shown["minutes"]
    assert "(L3) Ms Ode opened the meeting.\n(L3-4) She said that the lift is broken" in minutes
    assert "(L9) Motor | 7,400" in minutes
    assert "(t0:00:01-0:00:04; Ada Byron) I ordered the motor." in shown["hearing"]
    assert "(t0:00:05-0:00:09; Sol Pike) It has not arrived." in shown["hearing"]
    assert "(L3)   load_kg: 450" in shown["lift"]
    assert "Motor" in shown["costs"]
    assert "Ada Byron) The motor comes from Turin." in shown["mail"]


def test_every_place_that_is_shown_can_be_cited_and_says_what_it_is_shown_with(
    tmp_path: Path,
) -> None:
    with _context(tmp_path, _FILES) as context, open_bundle(tmp_path, settings=_SETTINGS) as opened:
        resolve = interrogate(index_bundle(opened, settings=_SETTINGS)).boundary.resolve
        seen = 0
        for item_id, content in _shown(context).items():
            for label, words in _LABEL.findall(content):
                place = label.partition("; ")[0]
                (mark,) = parse_citations(f"[[{item_id}:{place}]]")
                passage = resolve(mark.citations[0])
                assert isinstance(passage, Passage), (item_id, label)
                first = re.findall(r"\w+", words)[0]
                assert first in passage.text, (item_id, label, words)
                seen += 1
    assert seen > 15


def test_rows_that_stand_apart_from_their_header_are_shown_with_it(tmp_path: Path) -> None:
    rows = "\n".join(f"| Part {number} | {number * 7} |" for number in range(400))
    table = f"# Parts\n\n| Part | Weeks to deliver |\n|---|---|\n{rows}\n"
    with _context(tmp_path, {"parts.md": table}) as context:
        content = _shown(context)["parts"]
    passages = content.split("\n\n[[")
    assert len(passages) > 3
    assert all("Weeks to deliver" in passage for passage in passages)


@pytest.mark.parametrize("name", ["minutes.md", "lift.yaml", "record.json", "hearing.vtt"])
def test_no_word_of_a_passage_is_lost_by_its_places(tmp_path: Path, name: str) -> None:
    with _context(tmp_path, {name: _FILES[name]}) as context:
        for chunk in context.index.chunks(list(range(context.scope.chunk_count))):
            shown = with_places(chunk, context).text
            bare = re.sub(r"^\([^)]*\) ", "", shown, flags=re.MULTILINE)
            assert bare.split() == chunk.text.split()
