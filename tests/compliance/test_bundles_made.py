"""The bundles that tests 10 and 11 are asked about."""

from __future__ import annotations

import zipfile
from io import BytesIO

from tipstaff.compliance.tip.large_bundle import NEEDLES, large_tez
from tipstaff.compliance.tip.mixed_bundle import ANSWER, CODEWORD, mixed_tez
from tipstaff.tokens import count_tokens


def contents(tez: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(BytesIO(tez)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_large_bundle_has_more_than_200_000_tokens_and_each_needle_once() -> None:
    files = contents(large_tez())
    text = b"".join(files[name] for name in files if name.startswith("context/")).decode()
    assert count_tokens(text) > 200_000
    for needle in NEEDLES:
        assert text.count(needle.sentence) == 1
        assert text.count(needle.answer) == 1
        place = text.index(needle.sentence) / len(text)
        assert abs(place - needle.depth) < 0.01


def test_bundles_are_the_same_every_time() -> None:
    assert large_tez.__wrapped__() == large_tez()
    assert mixed_tez.__wrapped__() == mixed_tez()


def test_the_mixed_bundle_has_a_file_of_each_kind_and_its_facts_in_one_each() -> None:
    files = contents(mixed_tez())
    kinds = {name.rsplit(".", 1)[1] for name in files if name.startswith("context/")}
    assert kinds == {"pdf", "xlsx", "png", "md"}
    with_word = [name for name, content in files.items() if CODEWORD.encode() in content]
    assert with_word == ["context/shift-notes.md"]
    assert ANSWER.replace(",", "").encode() not in files["tez.md"]
