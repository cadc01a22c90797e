"""Streams that are wrong in one thing: order, fields, citations (Enterprise §2)."""

from __future__ import annotations

import httpx

from tests.compliance.servers.enterprise import Body, PerfectServer
from tests.compliance.servers.enterprise_answers import Answer, Hit
from tests.compliance.servers.enterprise_state import Event, Person, Session, Tez
from tests.compliance.servers.faulty import caught_by, without


@caught_by("enterprise-order-1")
class LetsProxiesKeepStreams(PerfectServer):
    def stream_headers(self) -> dict[str, str]:
        return {"Content-Type": "text/event-stream", "Cache-Control": "max-age=60"}


@caught_by("enterprise-order-2")
class StartsWithTheContext(PerfectServer):
    def begun(self, person: Person, tez: Tez, tez_id: str) -> Body:
        told = super().begun(person, tez, tez_id)
        self.memory.sessions[told["session_id"]].log.reverse()
        return told


@caught_by("enterprise-order-3")
class CountsNoItems(PerfectServer):
    def begun(self, person: Person, tez: Tez, tez_id: str) -> Body:
        told = super().begun(person, tez, tez_id)
        log = self.memory.sessions[told["session_id"]].log
        log[1] = ("tip.context.loaded", without(log[1][1], "item_count"))
        return told


@caught_by("enterprise-order-4")
class SearchesTwiceAQuery(PerfectServer):
    def search_events(self, found: Answer) -> list[Event]:
        told = super().search_events(found)
        return [told[0], *told]


@caught_by("enterprise-order-4")
class TellsPassagesBehindWords(PerfectServer):
    def events(self, session: Session, found: Answer) -> list[Event]:
        start, *chunks = self.search_events(found)
        return [start, *self.words(found), *chunks, self.end(session, found)]


@caught_by("enterprise-order-5")
class SendsSingleCharacters(PerfectServer):
    def words(self, found: Answer) -> list[Event]:
        told: list[Event] = []
        for name, data in super().words(found):
            letters = data["delta"] if name == "tip.token" else ""
            told += [("tip.token", {"delta": letter}) for letter in letters] or [(name, data)]
        return told


@caught_by("enterprise-order-6")
class ForgetsEventsOnReplay(PerfectServer):
    def of_a_session(self, request: httpx.Request, session: Session, what: str) -> httpx.Response:
        if what == "events" and "last-event-id" in request.headers:
            after = int(request.headers["last-event-id"])
            return self.stream(session.log[after + 1 :], first=after + 2)
        return super().of_a_session(request, session, what)


@caught_by("enterprise-order-6")
class EndsNoSession(PerfectServer):
    def of_a_session(self, request: httpx.Request, session: Session, what: str) -> httpx.Response:
        told = super().of_a_session(request, session, what)
        session.log = [event for event in session.log if event[0] != "tip.session.end"]
        return told


@caught_by("enterprise-order-7")
class SaysOneWordMore(PerfectServer):
    def events(self, session: Session, found: Answer) -> list[Event]:
        return [*super().events(session, found), ("tip.token", {"delta": "By the way."})]


@caught_by("enterprise-order-7")
class HasNoConfidence(PerfectServer):
    def end(self, session: Session, found: Answer) -> Event:
        name, data = super().end(session, found)
        return (name, without(data, "confidence"))


@caught_by("enterprise-order-8")
class SaysErrorsWithoutACode(PerfectServer):
    def stream(self, events: list[Event], *, first: int = 1, status: int = 200) -> httpx.Response:
        told = [(name, without(data, "code")) for name, data in events]
        return super().stream(told, first=first, status=status)


@caught_by("enterprise-order-8")
class SpendsNoBudget(PerfectServer):
    def spends(self) -> int:
        return 0


@caught_by("enterprise-citation-1")
class CitesBehindTheWords(PerfectServer):
    def words(self, found: Answer) -> list[Event]:
        told = super().words(found)
        for at, (name, _) in enumerate(told[:-1]):
            if name == "tip.citation":
                told[at], told[at + 1] = told[at + 1], told[at]
        return told


@caught_by("enterprise-citation-2")
class DoesNotSayWhetherItVerified(PerfectServer):
    def words(self, found: Answer) -> list[Event]:
        return [(name, without(data, "verified")) for name, data in super().words(found)]


@caught_by("enterprise-citation-3")
class CountsCitationsTwice(PerfectServer):
    def end(self, session: Session, found: Answer) -> Event:
        name, data = super().end(session, found)
        return (name, {**data, "citation_count": 2 * len(found.hits)})


@caught_by("enterprise-citation-4")
class QuotesWhatDoesNotStandThere(PerfectServer):
    def citation(self, found: Answer, hit: Hit) -> Body:
        told = super().citation(found, hit)
        return {**told, "text_excerpt": told["text_excerpt"].replace("41,300", "43,100")}


@caught_by("enterprise-citation-4")
class CitesALineThatIsNotThere(PerfectServer):
    def citation(self, found: Answer, hit: Hit) -> Body:
        return {**super().citation(found, hit), "location": "L412"}


@caught_by("enterprise-citation-5")
class CitesAtTheEnd(PerfectServer):
    def words(self, found: Answer) -> list[Event]:
        told = super().words(found)
        late = [event for event in told if event[0] == "tip.citation"]
        return [event for event in told if event[0] != "tip.citation"] + late
