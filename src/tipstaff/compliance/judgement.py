"""Everything that a suite found, as one value: reports only show it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tipstaff.compliance.claims import ClaimResult
from tipstaff.compliance.running import CaseResult, CaseRun
from tipstaff.compliance.verdict import Level, Outcome
from tipstaff.compliance.wire import Exchange

_NOT_SAID = "not stated"


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """`subject` is what the judged bundle is called; `discovery` what the server says of itself."""

    suite: str
    results: Sequence[CaseResult]
    claims: Sequence[ClaimResult]
    runs: int
    subject: Mapping[str, Any] = field(default_factory=dict)
    discovery: Mapping[str, Any] = field(default_factory=dict)

    @property
    def holds(self) -> bool:
        """Whether no claim that the server makes fails. A server that makes none of these has
        nothing that could fail but the tests themselves."""
        claimed = [one for one in self.claims if one.claimed]
        if claimed:
            return all(one.holds is not False for one in claimed)
        return all(one.passed for one in self.results if one.case.required)

    def counts(self) -> dict[str, int]:
        counted = Counter(result.outcome() for result in self.results)
        return {str(outcome): counted[outcome] for outcome in Outcome}

    def made_with(self) -> dict[str, str]:
        """TIP §11.9: the model, the retrieval configuration and what is done to a response."""
        envelopes = list(self._envelopes())
        models = dict.fromkeys(str(one["model"]) for one in envelopes if one.get("model"))
        used = dict.fromkeys(
            f"strategy {summary['strategy']}"
            for one in envelopes
            if isinstance(summary := one.get("retrieval_summary"), dict) and "strategy" in summary
        )
        methods = dict.fromkeys(f"method {one}" for two in envelopes for one in _methods(two))
        return {
            "model": ", ".join(models) or str(self.discovery.get("model") or _NOT_SAID),
            "retrieval": ", ".join([*used, *methods]) or _NOT_SAID,
            "post_processing": str(self.discovery.get("post_processing") or _NOT_SAID),
        }

    def _envelopes(self) -> Iterator[Mapping[str, Any]]:
        for result in self.results:
            for run in result.runs:
                for exchange in run.exchanges:
                    if isinstance(exchange.body, dict) and "response" in exchange.body:
                        yield exchange.body

    def to_wire(self, *, with_exchanges: bool = False) -> dict[str, Any]:
        return {
            "suite": self.suite,
            "passed": self.holds,
            "runs": self.runs,
            "counts": self.counts(),
            "server": {
                "implementation": self.discovery.get("implementation"),
                "tip_version": self.discovery.get("tip_version"),
                **self.made_with(),
            },
            "bundle": dict(self.subject),
            "claims": [
                {"claim": one.claim, "claimed": one.claimed, "holds": one.holds, "why": one.why}
                for one in self.claims
            ],
            "tests": [_test(one, with_exchanges=with_exchanges) for one in self.results],
        }


def _methods(envelope: Mapping[str, Any]) -> Iterator[str]:
    said = envelope.get("response")
    listed = said.get("citations") if isinstance(said, dict) else None
    for one in listed if isinstance(listed, list) else ():
        found = one.get("retrieval") if isinstance(one, dict) else None
        if isinstance(found, dict) and isinstance(found.get("method"), str):
            yield found["method"]


def _test(result: CaseResult, *, with_exchanges: bool) -> dict[str, Any]:
    case, outcome = result.case, result.outcome()
    told = {
        "id": case.id,
        # Neither passed nor failed: nothing.
        "passed": None if outcome is Outcome.INCONCLUSIVE else outcome is Outcome.PASSED,
        "runs": [_run(one, with_exchanges=with_exchanges) for one in result.runs],
        "why": result.why(),
        "outcome": str(outcome),
        "section": case.section,
        "title": case.title,
        "category": case.category,
        "claim": case.claim,
        "required": case.required,
        "requirements": list(case.requirements),
    }
    if Level.LITE in case.levels and case.claim == "TIP-1.0":
        told["lite"] = str(result.outcome(Level.LITE))
    return told


def _run(run: CaseRun, *, with_exchanges: bool) -> dict[str, Any]:
    told: dict[str, Any] = {
        "passed": run.verdict.outcome() is Outcome.PASSED,
        "outcome": str(run.verdict.outcome()),
        "why": run.verdict.why(),
        "seconds": round(run.seconds, 3),
    }
    if with_exchanges:
        told["checks"] = [
            {
                "what": one.what,
                "holds": one.holds,
                "found": one.found,
                "levels": sorted(map(str, one.levels)),
            }
            for one in run.verdict.checks
        ]
        told["exchanges"] = [_exchange(one) for one in run.exchanges]
    return told


def _exchange(exchange: Exchange) -> dict[str, Any]:
    shown = f"{len(exchange.body)} bytes" if isinstance(exchange.body, bytes) else exchange.body
    return {
        "method": exchange.method,
        "path": exchange.path,
        "who": exchange.who,
        "request": exchange.request,
        "status": exchange.status,
        "answer": json.loads(json.dumps(shown, default=str)),
        "events": [
            {"name": one.name, "id": one.id, "data": one.data, "at_s": round(one.at_s, 4)}
            for one in exchange.events
        ],
        "seconds": round(exchange.seconds, 3),
    }
