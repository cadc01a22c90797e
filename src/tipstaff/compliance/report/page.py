"""A judgement as one HTML page that needs nothing else: fit to be published (TIP §11.9).

Every query, response, citation and check is on it. No time and no id of a session: two equal
judgements are two equal pages. Whatever a server said is text here and never markup.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import escape
from importlib.resources import files
from typing import Any

from tipstaff.compliance.claims import ClaimResult
from tipstaff.compliance.judgement import Judgement
from tipstaff.compliance.running import CaseResult, CaseRun
from tipstaff.compliance.verdict import Check, Level, Outcome
from tipstaff.compliance.wire import Exchange

_MARK = re.compile(r"\[\[[^\[\]]{1,300}\]\]")
_SHOWN_CHARS = 6_000
_HOLDS = {
    True: ("passed", "holds"),
    False: ("failed", "does not hold"),
    None: ("inconclusive", "is not shown"),
}
_FACTS = {"model": "Model", "retrieval": "Retrieval", "post_processing": "Post-processing"}


def page(judgement: Judgement) -> str:
    style = files("tipstaff.compliance.report").joinpath("page.css").read_text(encoding="utf-8")
    title = f"TIP compliance report: {judgement.subject.get('title') or judgement.suite}"
    body = "\n".join(
        [
            *_head(judgement, title),
            "<h2>Tests</h2>",
            _overview(judgement),
            *(_test(result) for result in judgement.results),
        ]
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n"
        f"<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _head(judgement: Judgement, title: str) -> Iterator[str]:
    counts = judgement.counts()
    yield f"<h1>{escape(title)}</h1>"
    said = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
    yield f'<p class="soft">{len(judgement.results)} tests over HTTP: {said}.</p>'
    yield f'<div class="claims">{"".join(map(_claim, judgement.claims))}</div>'
    server = judgement.discovery.get("implementation")
    named = " ".join(map(str, server.values())) if isinstance(server, dict) else "not stated"
    facts = {
        "Server": f"{named} (TIP {judgement.discovery.get('tip_version', 'not stated')})",
        "Bundle": " ".join(
            str(judgement.subject[name]) for name in ("title", "id") if name in judgement.subject
        ),
        **{_FACTS[name]: told for name, told in judgement.made_with().items()},
        "Runs": _how_often(judgement),
    }
    rows = "".join(f"<dt>{escape(k)}</dt><dd>{escape(v)}</dd>" for k, v in facts.items() if v)
    yield f'<div class="card"><dl>{rows}</dl></div>'


def _how_often(judgement: Judgement) -> str:
    most = max((len(result.runs) for result in judgement.results), default=0)
    if most < 2:
        return "one of each test: what is judged here does not depend on chance"
    return f"{most} of each test; two of three must pass (TIP §11.9)"


def _claim(claim: ClaimResult) -> str:
    kind, words = _HOLDS[claim.holds]
    said = "claimed" if claim.claimed else "not claimed"
    why = f'<p class="soft">{escape(claim.why)}</p>' if claim.why else ""
    return (
        f'<div class="card"><b>{escape(claim.claim)}</b> <span class="tag {kind}">{words}</span> '
        f'<span class="soft">{said}</span>{why}</div>'
    )


def _overview(judgement: Judgement) -> str:
    rows = "".join(
        f'<tr><td><a href="#{escape(one.case.id)}">{escape(one.case.id)}</a></td>'
        f"<td>{escape(one.case.title)}{'' if one.case.required else _RECOMMENDED}</td>"
        f"<td>{escape(one.case.section)}</td><td>{_runs(one)}</td><td>{_tag(one.outcome())}</td></tr>"
        for one in judgement.results
    )
    head = "".join(f"<th>{name}</th>" for name in ("Test", "Of", "Section", "Runs", "Verdict"))
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    return f'<div class="scroll">{table}</div>'


_RECOMMENDED = ' <span class="soft">(recommended)</span>'


def _runs(result: CaseResult) -> str:
    good = sum(run.verdict.outcome() is Outcome.PASSED for run in result.runs)
    return f"{good} of {len(result.runs)}"


def _tag(outcome: Outcome) -> str:
    return f'<span class="tag {outcome}">{outcome}</span>'


def _test(result: CaseResult) -> str:
    case = result.case
    lite = ""
    if Level.LITE in case.levels and case.claim == "TIP-1.0":
        lite = f" · TIP Lite: {result.outcome(Level.LITE)}"
    needs = f" · {', '.join(case.requirements)}" if case.requirements else ""
    head = (
        f'<h2 id="{escape(case.id)}">{escape(case.id)}: {escape(case.title)} '
        f"{_tag(result.outcome())}</h2>"
        f'<p class="soft">{escape(case.section)} · {_runs(result)} runs passed'
        f"{escape(lite)}{escape(needs)}</p>"
    )
    why = result.why()
    told = f"<p>{escape(why)}</p>" if why else ""
    return f'{head}<div class="card">{told}{"".join(_each_run(result))}</div>'


def _each_run(result: CaseResult) -> Iterator[str]:
    """Runs that came to the same are shown once."""
    seen: dict[str, list[int]] = {}
    for number, run in enumerate(result.runs, start=1):
        seen.setdefault(_run(run), []).append(number)
    for at, (shown, numbers) in enumerate(seen.items()):
        which = "Run" if len(numbers) == 1 else "Runs"
        named = f"{which} {', '.join(map(str, numbers))}"
        same = ": the same" if len(numbers) > 1 else ""
        opened = " open" if at == 0 else ""
        yield f"<details{opened}><summary>{named}{same}</summary>{shown}</details>"


def _run(run: CaseRun) -> str:
    said = "".join(_exchange(one) for one in run.exchanges if _is_shown(one))
    checks = "".join(map(_check, run.verdict.checks))
    missing = f"<p>{escape(run.verdict.missing)}</p>" if run.verdict.missing else ""
    return f'{said}{missing}<ul class="checks">{checks}</ul>'


def _check(check: Check) -> str:
    found = f": {escape(check.found)}" if check.found and not check.holds else ""
    kind = "yes" if check.holds else "no"
    return f'<li class="{kind}">{escape(check.what)}{_levels(check.levels)}{found}</li>'


def _levels(levels: frozenset[Level]) -> str:
    if len(levels) > 1:
        return ""
    return ' <span class="soft">(TIP Lite)</span>' if Level.LITE in levels else ""


def _is_shown(exchange: Exchange) -> bool:
    """Queries and their responses; what only opens and closes sessions is no news."""
    asked = isinstance(exchange.request, dict) and "query" in exchange.request
    return asked or exchange.is_error


def _exchange(exchange: Exchange) -> str:
    asked = exchange.request.get("query") if isinstance(exchange.request, dict) else None
    query = f'<p class="query">{escape(str(asked))}</p>' if asked else ""
    body = exchange.body if isinstance(exchange.body, dict) else {}
    response = body.get("response")
    if exchange.is_error or not isinstance(response, dict):
        events = ", ".join(event.name for event in exchange.events)
        told = f"events: {events}" if events else f"{exchange.status}: {exchange.told()}"
        return f"{query}<blockquote>{escape(told[:_SHOWN_CHARS])}</blockquote>"
    text = _marked(str(response.get("text"))[:_SHOWN_CHARS])
    label = f"{response.get('classification')}, confidence {response.get('confidence')}"
    return (
        f'{query}<blockquote>{text}</blockquote><p class="soft">{escape(label)}</p>'
        f"{_citations(response)}"
    )


def _marked(text: str) -> str:
    """The response as text, its citations set off."""
    pieces, position = [], 0
    for mark in _MARK.finditer(text):
        pieces += [escape(text[position : mark.start()]), f"<mark>{escape(mark.group())}</mark>"]
        position = mark.end()
    return "".join([*pieces, escape(text[position:])])


def _citations(response: Mapping[str, Any]) -> str:
    listed = response.get("citations")
    entries = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    rows = "".join(
        f"<tr><td>{escape(_place(one))}</td>"
        f"<td><q>{escape(str(one.get('text_excerpt') or ''))}</q></td></tr>"
        for one in entries
    )
    table = f'<table class="cites"><tbody>{rows}</tbody></table>'
    return f'<div class="scroll">{table}</div>' if rows else ""


def _place(entry: Mapping[str, Any]) -> str:
    return ":".join(str(entry[name]) for name in ("item_id", "location") if entry.get(name))
