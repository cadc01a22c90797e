"""Servers that show too much, too little, or say so wrongly (Enterprise §3, §10.1)."""

from __future__ import annotations

from dataclasses import replace

from tests.compliance.servers.enterprise import Body, PerfectServer, Refused, unknown
from tests.compliance.servers.enterprise_answers import Answer, Hit
from tests.compliance.servers.enterprise_state import Event, Person, Session, Tez
from tests.compliance.servers.faulty import caught_by, without

VAULT = "vault-ledger"


@caught_by("enterprise-filter-1")
class DeniesEverybody(PerfectServer):
    def may_see(self, person: Person, tez: Tez, item: Body) -> bool:
        return super().may_see(person, tez, item) and (
            person.name == tez.publisher or item["id"] != VAULT
        )


@caught_by("enterprise-filter-2")
class AllowsEverybody(PerfectServer):
    def may_see(self, person: Person, tez: Tez, item: Body) -> bool:
        return super().may_see(person, tez, item) or item["id"] == VAULT


@caught_by("enterprise-filter-3")
class KeepsTheDecisionOfAnother(PerfectServer):
    """Whoever asks after somebody who is allowed is allowed, too."""

    def may_see(self, person: Person, tez: Tez, item: Body) -> bool:
        right = super().may_see(person, tez, item)
        if right and item["id"] == VAULT and person.name != tez.publisher:
            self.memory.asked[("kept", VAULT)] += 1
        return right or (item["id"] == VAULT and self.memory.asked[("kept", VAULT)] > 0)


@caught_by("enterprise-filter-4")
class ScoresByWhatIsHidden(PerfectServer):
    """Filters behind retrieval: a score is a share of all that there was."""

    def answered(self, session: Session, body: Body) -> Answer:
        found = super().answered(session, body)
        every = len(session.tez.items())
        hits = {
            hit.place: replace(hit, score=round(hit.score / (1 + every / 100), 4))
            for hit in found.ranked
        }
        found.ranked = list(hits.values())
        found.hits = [hits[hit.place] for hit in found.hits]
        return found


@caught_by("enterprise-filter-5")
class CitesWhatIsAskedFor(PerfectServer):
    def answered(self, session: Session, body: Body) -> Answer:
        found = super().answered(session, body)
        if VAULT in body["query"]:
            found.hits = [Hit(VAULT, 3, "It is there.", 1.0)]
            found.ranked = found.hits
        return found


@caught_by("enterprise-filter-6")
class LeaksARestrictedTitle(PerfectServer):
    def envelope(self, session: Session, found: Answer) -> Body:
        told = super().envelope(session, found)
        if not found.hits:
            titles = ", ".join(item["title"] for item in session.tez.items())
            told["response"]["text"] += f" The context includes {titles}."
        return told


@caught_by("enterprise-filter-7")
class DescribesEveryItem(PerfectServer):
    def described(self, person: Person, tez: Tez) -> Body:
        return {**super().described(person, tez), "items": [one["id"] for one in tez.items()]}


@caught_by("enterprise-filter-8")
class Says403InPlaceOf404(PerfectServer):
    def no_item(self, tez: Tez, item: str) -> Refused:
        known = item in tez.texts
        return Refused(403, "forbidden", "This is not for you.") if known else unknown()


@caught_by("enterprise-filter-8")
class NamesWhatItRefuses(PerfectServer):
    def no_item(self, tez: Tez, item: str) -> Refused:
        titles = {one["id"]: one["title"] for one in tez.items()}
        return Refused(404, "not_found", f"{titles.get(item, 'That item')} is not here.")


@caught_by("enterprise-filter-9")
class ListsEveryIndexedItem(PerfectServer):
    def begun(self, person: Person, tez: Tez, tez_id: str) -> Body:
        told = super().begun(person, tez, tez_id)
        log = self.memory.sessions[told["session_id"]].log
        log[1] = (log[1][0], {**log[1][1], "indexed_items": list(tez.texts)})
        return told


@caught_by("enterprise-filter-10")
class AllowsWhatItCannotDecide(PerfectServer):
    def may_see(self, person: Person, tez: Tez, item: Body) -> bool:
        kind = item.get("access", {}).get("type")
        return super().may_see(person, tez, item) or kind == "custom"


@caught_by("enterprise-filter-10")
class TakesEverybodyForTheCreator(PerfectServer):
    def may_see(self, person: Person, tez: Tez, item: Body) -> bool:
        kind = item.get("access", {}).get("type")
        return super().may_see(person, tez, item) or kind == "creator_only"


@caught_by("enterprise-scope-1")
class TellsNoScopeInStreams(PerfectServer):
    def end(self, session: Session, found: Answer) -> Event:
        name, data = super().end(session, found)
        return (name, without(data, "context_scope"))


@caught_by("enterprise-scope-2")
class CountsOnlyWhatIsSeen(PerfectServer):
    def told_scope(self, session: Session, found: Answer) -> Body:
        return {**found.scope, "total_items": found.scope["accessible_items"]}


@caught_by("enterprise-scope-3")
class NamesWhatIsRestricted(PerfectServer):
    def told_scope(self, session: Session, found: Answer) -> Body:
        seen = self.visible(session.person, session.tez)
        hidden = [item for item in session.tez.texts if item not in seen]
        return {**found.scope, "restricted_item_ids": hidden}


@caught_by("enterprise-scope-3")
class SaysNothingOfAPart(PerfectServer):
    def notice(self, session: Session, scope: Body) -> dict[str, str]:
        return {"kind": "reduced_scope", "text": ""}


@caught_by("enterprise-scope-4")
class IsNeverComplete(PerfectServer):
    def told_scope(self, session: Session, found: Answer) -> Body:
        return {**found.scope, "scope_complete": False}
