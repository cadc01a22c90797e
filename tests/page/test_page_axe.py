"""axe-core finds nothing against WCAG 2.2 AA in any state of the page, light and dark."""

from __future__ import annotations

import pytest

from tests.page.conftest import TEZ, Checked, ask, signed_in
from tests.page.looking import Looking
from tests.serve.processes import Server

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])


@pytest.mark.parametrize("shade", ["light", "dark"])
def test_the_room(look: Looking, server: Server, checked: Checked, shade: str) -> None:
    look.prefers(prefers_color_scheme=shade)
    look.visit(signed_in(server, tez=TEZ))
    look.sees(".synthesis")
    look.says("hash verified")
    checked()
    ask(look, "What was the marketing spend in the third quarter?")
    look.click(".found summary")
    look.sees(".bars")
    look.hover(".words .chip")
    look.sees("#preview")
    checked()
    ask(look, "What is Meridian Corp's current stock price?")
    checked()


@pytest.mark.parametrize("shade", ["light", "dark"])
def test_the_audited_synthesis(look: Looking, server: Server, checked: Checked, shade: str) -> None:
    look.prefers(prefers_color_scheme=shade)
    look.visit(signed_in(server, tez=TEZ))
    look.click(".audit-ask")
    look.click(".audit-mark")
    look.sees(".audit-note")
    checked()


@pytest.mark.parametrize(
    "place",
    [
        (TEZ, "financial-report:p7", ".passage-box"),
        (TEZ, "budget-spreadsheet:Summary:C9", ".cell.passage"),
        (TEZ, "meeting-notes:L70", ".line.lit"),
        ("small-tez", "prices:$.goods[3].price", ".tree mark"),
        ("small-tez", "talk:slide-3", ".slides .lit"),
        ("small-tez", "pricing:L1", ".refused"),
    ],
)
def test_the_viewers(
    look: Looking, server: Server, checked: Checked, place: tuple[str, str, str]
) -> None:
    tez, cite, seen = place
    look.visit(signed_in(server, tez=tez, cite=cite))
    look.sees(seen)
    for shade in ("light", "dark"):
        look.prefers(prefers_color_scheme=shade)
        checked()


def test_signing_in_and_the_dialogs(look: Looking, server: Server, checked: Checked) -> None:
    look.visit(f"{server.url}/")
    look.value("sessionStorage.clear()")
    look.page.told("refresh")
    look.sees("#token")
    checked()
    look.visit(signed_in(server))
    look.sees(".cards")
    checked()
    look.visit(signed_in(server, tez=TEZ))
    look.sees(".talk-tools")
    look.click(".talk-tools button:nth-of-type(2)")
    look.sees("#claim")
    checked()


def test_a_telephone(look: Looking, server: Server, checked: Checked) -> None:
    look.size(390, 844, mobile=True)
    look.visit(signed_in(server, tez=TEZ))
    look.sees(".hint")
    checked()
    look.click('[data-to="contents"]')
    look.sees(".items")
    checked()
