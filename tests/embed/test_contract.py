"""Every embedder passes the shipped suite, and the suite finds every kind of liar."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.embed import fakes
from tipstaff.contracts.embedders import faults_of
from tipstaff.embed.embedder import Embedder
from tipstaff.embed.minilm import MiniLM
from tipstaff.embed.static import Static


@pytest.mark.parametrize("kind", [MiniLM, Static, fakes.Honest])
def test_an_embedder_keeps_every_promise(kind: Callable[[], Embedder]) -> None:
    assert faults_of(kind(), another=kind) == []


@pytest.mark.parametrize(
    ("liar", "fault"),
    [
        (fakes.Small, "64 dimensions"),
        (fakes.Long, "has the length 2.0"),
        (fakes.Sociable, "has another vector in a list"),
        (fakes.Forgetful, "the end of a long text does not count"),
        (fakes.Moody, "has another vector the second time"),
        (fakes.Renamed, "another of its kind has another fingerprint"),
        (fakes.Lossy, "texts became"),
        (fakes.Broken, "has numbers that are none"),
        (fakes.Senseless, "a paraphrase is no nearer"),
    ],
)
def test_the_suite_finds_a_liar(liar: Callable[[], Embedder], fault: str) -> None:
    found = faults_of(liar(), another=liar)
    assert any(fault in line for line in found), found
