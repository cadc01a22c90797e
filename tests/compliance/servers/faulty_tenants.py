"""Servers that mix up whose is what (Enterprise §6.2, §6.3, §6.6)."""

from __future__ import annotations

from dataclasses import replace

import httpx

from tests.compliance.servers.enterprise import Body, PerfectServer, Refused, unknown
from tests.compliance.servers.enterprise_state import Person, Session, Share
from tests.compliance.servers.faulty import caught_by, without


@caught_by("enterprise-tenant-1")
class ListsEverybodysTezits(PerfectServer):
    def listed(self, person: Person) -> Body:
        return {"tezits": [{"tez_id": tez.tez_id} for tez in self.memory.tezits.values()]}


@caught_by("enterprise-tenant-2")
class TellsForbiddenFromUnknown(PerfectServer):
    def no_tez(self, person: Person, tez_id: str) -> Refused:
        there = any(known == tez_id for _, known in self.memory.tezits)
        return Refused(403, "forbidden", "This is not yours.") if there else unknown()


@caught_by("enterprise-tenant-3")
class ServesItemsToAnybody(PerfectServer):
    def of_a_tez(
        self, request: httpx.Request, person: Person, tez_id: str, rest: str
    ) -> httpx.Response:
        if rest.startswith("items/"):
            for (_, known), tez in self.memory.tezits.items():
                if known == tez_id:
                    return self.item(person, tez, rest.split("/")[1], rest)
        return super().of_a_tez(request, person, tez_id, rest)


@caught_by("enterprise-tenant-4")
class OpensSessionsToWhoeverKnowsThem(PerfectServer):
    def of_a_tez(
        self, request: httpx.Request, person: Person, tez_id: str, rest: str
    ) -> httpx.Response:
        known = self.memory.sessions.get(rest.split("/")[1]) if rest.count("/") else None
        if known is not None:
            what = rest.rsplit("/", maxsplit=1)[-1].replace(known.id, "")
            return self.of_a_session(request, known, what)
        return super().of_a_tez(request, person, tez_id, rest)


@caught_by("enterprise-tenant-5")
class HasOneTezOfAName(PerfectServer):
    def of_a_tez(
        self, request: httpx.Request, person: Person, tez_id: str, rest: str
    ) -> httpx.Response:
        told = super().of_a_tez(request, person, tez_id, rest)
        if request.method == "PUT":
            made = self.memory.tezits[(person.tenant, tez_id)]
            for key in [key for key in self.memory.tezits if key[1] == tez_id]:
                self.memory.tezits[key] = made
        return told


@caught_by("enterprise-tenant-6")
class HasOneLogForAll(PerfectServer):
    def log_of(self, person: Person) -> list[Body]:
        return [record for log in self.memory.logs.values() for record in log]


@caught_by("enterprise-tenant-7")
class SearchesEverybodysIndex(PerfectServer):
    def searched(self, session: Session) -> dict[str, str]:
        texts = [tez.texts for tez in self.memory.tezits.values()]
        own = super().searched(session)
        return own | {item: text for each in texts for item, text in each.items()}


@caught_by("enterprise-tenant-8")
class BelievesAHeader(PerfectServer):
    def person(self, request: httpx.Request) -> Person:
        found = super().person(request)
        return replace(found, tenant=request.headers.get("x-tenant", found.tenant))


@caught_by("enterprise-tenant-8")
class NeedsNoToken(PerfectServer):
    def person(self, request: httpx.Request) -> Person:
        try:
            return super().person(request)
        except Refused:
            return Person("anonymous", "owner")


@caught_by("enterprise-sharing-1")
class SharesWithNobody(PerfectServer):
    def share_holds(self, share: Share, person: Person) -> bool:
        return False


@caught_by("enterprise-sharing-2")
class LetsReceiversPay(PerfectServer):
    def queried(self, request: httpx.Request, session: Session) -> httpx.Response:
        told = super().queried(request, session)
        if session.share is not None:
            self.memory.costs[f"{session.tez.tenant}/{session.tez.tez_id}"] -= 1
        return told


@caught_by("enterprise-sharing-2")
class CountsABudgetTwice(PerfectServer):
    def queried(self, request: httpx.Request, session: Session) -> httpx.Response:
        told = super().queried(request, session)
        self.memory.costs[f"{session.tez.tenant}/{session.tez.tez_id}"] += 1
        return told


@caught_by("enterprise-sharing-3")
class SharesWithAll(PerfectServer):
    def share_holds(self, share: Share, person: Person) -> bool:
        return not share.revoked


@caught_by("enterprise-sharing-4")
class ServesRevokedShares(PerfectServer):
    def share_holds(self, share: Share, person: Person) -> bool:
        return share.to_tenant == person.tenant


@caught_by("enterprise-sharing-5")
class TellsTheSenderAlone(PerfectServer):
    def recorded(self, session: Session) -> None:
        super().recorded(session)
        if session.share is not None:
            self.memory.logs[session.person.tenant].pop()


@caught_by("enterprise-sharing-6")
class TellsNoStrategy(PerfectServer):
    def received(self, person: Person) -> list[Body]:
        return [without(share, "strategy") for share in super().received(person)]
