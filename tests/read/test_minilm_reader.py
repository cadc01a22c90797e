"""The reader that comes along: what it reads is fixed, and no passage changes another's reading."""

from __future__ import annotations

import pytest

from tipstaff.errors import UsageError
from tipstaff.read.minilm_reader import MiniLMReader
from tipstaff.read.reader import Reading, reader_named

LEASE = "The lease began on 3 March 2021. The rent is $12,400 a month, due on the first day."
ROWS = "month: January; rent: 12,400; paid: yes\nmonth: March; rent: 12,900; paid: no"
ELSE = "Flour, water, salt and time. Bake it at 230 degrees."
GOLDEN = [
    ("How much is the rent?", LEASE, "$12,400"),
    ("When did the lease begin?", LEASE, "3 March 2021"),
    ("What was the rent in March?", ROWS, "12,900"),
]


@pytest.fixture(scope="module")
def reader() -> MiniLMReader:
    return MiniLMReader(threads=1)


def words(passage: str, reading: Reading) -> str:
    return passage[reading.start : reading.end]


@pytest.mark.parametrize(("question", "passage", "answer"), GOLDEN)
def test_a_passage_that_answers_is_read_to_the_word(
    reader: MiniLMReader, question: str, passage: str, answer: str
) -> None:
    (reading,) = reader.read([(question, passage)])
    assert answer in words(passage, reading)
    assert reading.probability > 0.5


def test_a_passage_about_something_else_is_unlikely_to_answer(reader: MiniLMReader) -> None:
    right, wrong = reader.read([(GOLDEN[0][0], LEASE), (GOLDEN[0][0], ELSE)])
    assert wrong.probability < 0.5 < right.probability


def test_a_passage_reads_the_same_alone_and_in_company() -> None:
    pairs = [(question, passage) for question, passage, _ in GOLDEN]
    pairs += [(GOLDEN[0][0], ELSE), (GOLDEN[0][0], LEASE * 20)]
    together = MiniLMReader(threads=2).read(pairs)
    assert together == [MiniLMReader(threads=1).read([pair])[0] for pair in pairs]


def test_a_pair_is_read_once_however_often_it_is_asked(
    reader: MiniLMReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = reader.read([(GOLDEN[0][0], LEASE)])
    monkeypatch.setattr(
        "tipstaff.read.minilm_reader.opened", lambda _file: pytest.fail("it was read again")
    )
    assert reader.read([(GOLDEN[0][0], LEASE)] * 2) == first * 2


@pytest.mark.parametrize("before", [0, 60, 160])
def test_an_answer_is_found_wherever_it_stands_in_a_long_passage(
    reader: MiniLMReader, before: int
) -> None:
    passage = " ".join([ELSE] * before + [LEASE] + [ELSE] * (160 - before))
    (reading,) = reader.read([(GOLDEN[0][0], passage)])
    assert "$12,400" in words(passage, reading)


@pytest.mark.parametrize("passage", ["", " \n"])
def test_an_empty_passage_answers_nothing(reader: MiniLMReader, passage: str) -> None:
    assert reader.read([("How much?", passage)]) == [Reading(0, 0, 0.0)]


def test_a_question_of_any_length_leaves_room_for_the_passage(reader: MiniLMReader) -> None:
    (reading,) = reader.read([("rent " * 3_000, LEASE)])
    assert 0 <= reading.start <= reading.end <= len(LEASE)


def test_none_is_no_reader_and_a_misspelt_one_is_named() -> None:
    assert reader_named("none", threads=1) is None
    with pytest.raises(UsageError, match="minilmm") as told:
        reader_named("minilmm", threads=1)
    assert "minilm" in str(told.value.suggestion)
