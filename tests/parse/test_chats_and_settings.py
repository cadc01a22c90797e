"""Chat logs and settings: a message is a block of its own, with its author, and so is a setting."""

from __future__ import annotations

import pytest

from tipstaff.chunk.units import units
from tipstaff.domain.document import BlockKind
from tipstaff.parse.chat_messages import chat_messages
from tipstaff.parse.plain_text import parse_text

_LOG = """#ops, 18 June 2025

14:03 <ada> the release is going out
14:07 <ada> all six nodes are on it. smoke test green
14:16 <grace_h> my new token is refused
and so is the second one
14:19 <ada> looking
"""


def test_every_message_is_a_block_with_its_author_and_its_lines() -> None:
    messages = [b for b in parse_text(_LOG).blocks if b.kind is BlockKind.TRANSCRIPT_SEGMENT]
    assert [(one.author, str(one.location)) for one in messages] == [
        ("ada", "L3"),
        ("ada", "L4"),
        ("grace_h", "L5-6"),
        ("ada", "L7"),
    ]


def test_a_message_of_two_sentences_is_one_unit_of_evidence() -> None:
    texts = [unit.text for unit in units("log", parse_text(_LOG))]
    assert "14:07 <ada> all six nodes are on it. smoke test green" in texts


def test_what_stands_before_the_first_message_stays_prose() -> None:
    first = parse_text(_LOG).blocks[0]
    assert first.kind is BlockKind.PARAGRAPH
    assert first.author is None


@pytest.mark.parametrize(
    "line",
    [
        "[14:03] Ada Byron: going out",
        "[2025-06-18 14:03:22] <ada> going out",
        "2025-06-18T14:03:22Z ada: going out",
        "18/06/2025, 14:03 - Ada Byron: going out",
        "(2:03 pm) Ada Byron: going out",
    ],
)
def test_common_ways_to_write_a_message_are_known(line: str) -> None:
    assert [one.last for one in chat_messages([line, line, "", line, ""])] == [1, 2, 4]


def test_times_in_minutes_of_a_meeting_do_not_make_a_chat_log() -> None:
    text = "The meeting began.\nIt was late.\n14:03 Chair: welcome\nThe rest is prose.\nIt ended.\n"
    assert all(one.kind is BlockKind.PARAGRAPH for one in parse_text(text).blocks)


def test_every_setting_of_a_configuration_is_an_item_of_its_own() -> None:
    text = "[database]\npool_max = 40 # per cluster\npool_wait_ms = 5000\n"
    blocks = parse_text(text).blocks
    assert [str(one.location) for one in blocks] == ["L1", "L2", "L3"]


def test_an_equation_in_prose_makes_no_settings() -> None:
    text = "The law says\nE = mc2 and\nnothing else.\n"
    assert len(parse_text(text).blocks) == 1
