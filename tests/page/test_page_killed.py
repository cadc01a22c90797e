"""The server dies in the middle of an answer and comes back: no word is lost, none comes twice."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import manifest_of
from tests.page.conftest import signed_in
from tests.page.looking import Looking
from tests.serve.long_answers import ITEMS, QUESTION, THINGS, slow_model
from tests.serve.processes import free_port, served, without_limits

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])


def test_a_server_that_is_killed_in_mid_answer(
    look: Looking, folder: Path, bundle_maker: Callable[..., Path]
) -> None:
    bundle = bundle_maker(ITEMS, manifest=manifest_of(ITEMS))
    port = free_port()
    words: tuple[str | Path, ...] = (
        bundle,
        "--model",
        slow_model(folder, delay_ms=300),
        *without_limits(),
    )
    with served(folder, *words, port=port) as server:
        look.visit(signed_in(server, tez="small-tez"))
        look.sees(".empty")
        look.click("#question")
        look.write(QUESTION)
        look.press("Enter")
        look.says("garden", ".exchange .words")
        server.process.kill()
        server.process.wait()
        look.says("taking it up again", ".exchange")
        look.says("garden", ".exchange .words")
    with served(folder, *words, port=port):
        look.sees(".failure")
        look.says("garden", ".exchange .words")
        said = look.text(".exchange .words")
        assert all(said.count(f"budget for the {thing} is") <= 1 for thing in THINGS)
        look.click(".failure button")
        look.until("document.querySelectorAll('.exchange .found').length")
        answer = look.text(".exchange:last-child .words")
        assert all(answer.count(f"budget for the {thing} is") == 1 for thing in THINGS)


def test_an_answer_is_stopped_and_asked_again(
    look: Looking, folder: Path, bundle_maker: Callable[..., Path]
) -> None:
    bundle = bundle_maker(ITEMS, manifest=manifest_of(ITEMS), name="stopped")
    model = slow_model(folder, delay_ms=400)
    with served(folder, bundle, "--model", model, *without_limits(), data="stopped-data") as server:
        look.visit(signed_in(server, tez="small-tez"))
        look.sees(".empty")
        look.click("#question")
        look.write(QUESTION)
        look.press("Enter")
        look.says("roof", ".exchange .words")
        look.click(".stop")
        look.says("Stopped.", ".exchange")
        look.says("roof", ".exchange .words")
        look.sees(".exchange .note button")
        assert look.value("!document.querySelector('.ask .main').disabled")
