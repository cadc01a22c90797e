"""`tip comply [--url URL | --bundle BUNDLE]`: the compliance suites, against anybody's server."""

from __future__ import annotations

import argparse
import asyncio
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from tipstaff.cli.options import add_common
from tipstaff.cli.terminal import Terminal, plain
from tipstaff.errors import EXIT_CHECKS_FAILED, MissingExtra, UsageError

if TYPE_CHECKING:
    from tipstaff.compliance.judgement import Judgement
    from tipstaff.compliance.judging import Wishes
    from tipstaff.compliance.running import CaseResult

SUITES = ("tip", "enterprise")
_HOLDS = {
    True: ("holds", "green"),
    False: ("does not hold", "red"),
    None: ("is not shown", "yellow"),
}
_COLOURS = {"passed": "green", "failed": "red", "inconclusive": "yellow"}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--url", help="the server to judge; without it one is started here")
    parser.add_argument(
        "--bundle",
        type=Path,
        metavar="BUNDLE",
        help="what is asked (default: the reference bundle)",
    )
    parser.add_argument("--suite", choices=SUITES, default="tip", help="default: tip")
    parser.add_argument(
        "--runs", type=int, default=3, metavar="N", help="of each test (default: 3)"
    )
    parser.add_argument("--token", metavar="TOKEN", help="of whoever publishes and asks, at --url")
    for flag, example, what in (
        ("--token-for", "NAME=TOKEN", "of somebody else whom a test needs; may be repeated"),
        ("--tez-id", "NAME=ID", "where the server has a fixture already; may be repeated"),
    ):
        parser.add_argument(flag, action="append", default=[], metavar=example, help=what)
    for flag, what in (
        ("--only", "run this test; may be repeated"),
        ("--without", "leave this test out; may be repeated"),
        ("--claim", "judge this claim, whatever the server declares; may be repeated"),
    ):
        parser.add_argument(flag, action="append", default=[], metavar="NAME", help=what)
    parser.add_argument(
        "--every-query",
        action="store_true",
        help="judge all queries of the bundle, not §11's alone",
    )
    parser.add_argument(
        "--limited-url",
        metavar="URL",
        help="a server of the same kind whose rate limits can be reached (suite enterprise)",
    )
    parser.add_argument(
        "--fact",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="what no server tells: access=opa, owner_tenant=…, stranger_tenant=… (enterprise)",
    )
    parser.add_argument(
        "--matrix",
        action="store_true",
        help="print how much of the specifications is tested, and how, and end",
    )
    parser.add_argument(
        "--report", type=Path, metavar="DIR", help="write report.html, report.json and junit.xml"
    )
    add_common(parser)


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    if arguments.matrix:
        return _show_matrix(arguments, terminal)
    try:
        import httpx  # noqa: F401 - told before anything is started
    except ModuleNotFoundError as problem:
        raise MissingExtra("tip comply", extra="serve") from problem
    if arguments.runs < 1:
        raise UsageError("--runs takes a number of at least 1.")
    judgement = _judged(arguments, terminal)
    if arguments.report is not None:
        from tipstaff.compliance.report.writing import write_reports

        for path in write_reports(judgement, arguments.report):
            terminal.say(f"Written: {path}")
    if arguments.json:
        terminal.json(judgement.to_wire())
    else:
        _show(judgement, terminal)
    return 0 if judgement.holds else EXIT_CHECKS_FAILED


def _show_matrix(arguments: argparse.Namespace, terminal: Terminal) -> int:
    from tipstaff.compliance.matrix import as_json, as_text

    if arguments.json:
        terminal.json(as_json())
    else:
        terminal.answer(as_text())
    return 0


def _judged(arguments: argparse.Namespace, terminal: Terminal) -> Judgement:
    if arguments.suite == "enterprise":
        return _judged_enterprise(arguments, terminal)
    return _judged_tip(arguments, terminal)


def _judged_enterprise(arguments: argparse.Namespace, terminal: Terminal) -> Judgement:
    """At --url with the tokens and facts that are given, or with servers started here."""
    from tipstaff.compliance.local_enterprise import local_enterprise

    facts = dict(_pairs("--fact", arguments.fact))
    tokens = _tokens(arguments)
    wishes = _wishes(arguments, terminal)
    with ExitStack() as stack:
        if arguments.url is not None:
            _refuse_settings(arguments)
            places = {"": (arguments.url, tokens)}
            if arguments.limited_url:
                places["limited"] = (arguments.limited_url, tokens)
        else:
            terminal.say("Starting two servers on this computer …")
            local = stack.enter_context(local_enterprise(settings=arguments.set))
            facts = local.options | facts
            places = {
                "": (local.main.url, dict(local.main.tokens)),
                "limited": (local.limited.url, dict(local.limited.tokens)),
            }
        return asyncio.run(_enterprise_against(places, wishes, facts))


async def _enterprise_against(
    places: dict[str, tuple[str, dict[str, str]]], wishes: Wishes, facts: dict[str, str]
) -> Judgement:
    from tipstaff.compliance.judging_enterprise import judge_enterprise
    from tipstaff.compliance.wire import Wire

    wires = {name: Wire.to(url, tokens) for name, (url, tokens) in places.items()}
    try:
        return await judge_enterprise(wires[""], wishes, limited=wires.get("limited"), facts=facts)
    finally:
        for wire in wires.values():
            await wire.aclose()


def _tokens(arguments: argparse.Namespace) -> dict[str, str]:
    from tipstaff.compliance.wire import OWNER

    own = {OWNER: arguments.token} if arguments.token else {}
    return dict(_pairs("--token-for", arguments.token_for)) | own


def _refuse_settings(arguments: argparse.Namespace) -> None:
    if arguments.set:
        raise UsageError("--set is for the server that is started here, not for one at --url.")


def _judged_tip(arguments: argparse.Namespace, terminal: Terminal) -> Judgement:
    from tipstaff.compliance.local import UNLIMITED, local_server
    from tipstaff.compliance.wire import OWNER

    tokens = _tokens(arguments)
    wishes = _wishes(arguments, terminal)
    with ExitStack() as stack:
        url = arguments.url
        if url is None:
            terminal.say("Starting a server on this computer …")
            server = stack.enter_context(local_server(settings=(*UNLIMITED, *arguments.set)))
            url, tokens = server.url, dict(server.tokens) | tokens
        else:
            _refuse_settings(arguments)
            if OWNER not in tokens:
                raise UsageError("A server at --url is asked with a token: --token TOKEN.")
        return asyncio.run(_against(url, tokens, wishes))


async def _against(url: str, tokens: dict[str, str], wishes: Wishes) -> Judgement:
    from tipstaff.compliance.judging import judge_tip
    from tipstaff.compliance.wire import Wire

    wire = Wire.to(url, tokens)
    try:
        return await judge_tip(wire, wishes)
    finally:
        await wire.aclose()


def _wishes(arguments: argparse.Namespace, terminal: Terminal) -> Wishes:
    from tipstaff.compliance.judging import Wishes

    def told(result: CaseResult) -> None:
        terminal.say(f"{result.case.id}: {result.outcome()} ({result.seconds:.1f} s)")

    return Wishes(
        bundle=arguments.bundle,
        runs=arguments.runs,
        tez_ids=dict(_pairs("--tez-id", arguments.tez_id)),
        only=tuple(arguments.only),
        without=tuple(arguments.without),
        claims=tuple(arguments.claim),
        every_query=arguments.every_query,
        told=None if arguments.json else told,
    )


def _pairs(flag: str, said: list[str]) -> list[tuple[str, str]]:
    pairs = [one.partition("=") for one in said]
    if any(not name or not value for name, _, value in pairs):
        raise UsageError(f"{flag} takes NAME=VALUE.")
    return [(name, value) for name, _, value in pairs]


def _show(judgement: Judgement, terminal: Terminal) -> None:
    rows = []
    for result in judgement.results:
        outcome = str(result.outcome())
        good = sum(run.verdict.outcome() == "passed" for run in result.runs)
        kind = "" if result.case.required else " (recommended)"
        rows.append(
            [
                terminal.styled(outcome, _COLOURS[outcome]),
                result.case.id,
                f"{good}/{len(result.runs)}",
                result.case.section,
                plain(result.case.title[:60]) + kind,
            ]
        )
    terminal.answer(terminal.table(["", "test", "runs", "section", "of"], rows))
    for result in judgement.results:
        if not result.passed:
            terminal.answer(f"{result.case.id}: {plain(result.why())}")
    for claim in judgement.claims:
        verdict = terminal.styled(*_HOLDS[claim.holds])
        said = "claimed" if claim.claimed else "not claimed"
        terminal.answer(f"{claim.claim} ({said}): {verdict}. {claim.why}".rstrip())
    made = judgement.made_with()
    terminal.answer(f"Model: {plain(made['model'])}. Retrieval: {plain(made['retrieval'])}.")
