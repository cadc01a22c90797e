"""Fifty thousand rows and five hundred pages: only what is visible is loaded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.page.conftest import signed_in
from tests.page.looking import Looking
from tests.page.zoo import large
from tests.serve.processes import Server, served

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])


@pytest.fixture(scope="module")
def server(folder: Path, bundle_maker: Callable[..., Path]) -> Iterator[Server]:
    with served(folder, large(bundle_maker)) as running:
        yield running


def test_only_what_is_visible_is_loaded(look: Looking, server: Server) -> None:
    look.visit(signed_in(server, tez="large-tez", cite="rows:Ledger:B40000"))
    look.says("119997", ".cell.passage")
    assert look.value("document.querySelectorAll('.rows .row').length") < 80
    look.value("document.querySelector('.grid').scrollTop = 0")
    look.says("entry 2", ".rows")
    look.visit(signed_in(server, tez="large-tez", cite="pages:p400"))
    look.until("document.querySelector('[data-page=\"400\"] img')?.naturalWidth")
    assert look.value("document.querySelectorAll('.page').length") == 500
    assert look.value("[...document.querySelectorAll('.page img')].filter(i => i.src).length") < 8
