"""Servers that tell wrongly how they searched (Enterprise §4, §5)."""

from __future__ import annotations

from typing import ClassVar

from tests.compliance.servers.enterprise import Body, PerfectServer
from tests.compliance.servers.enterprise_answers import Answer, Hit
from tests.compliance.servers.enterprise_state import Event, Session
from tests.compliance.servers.faulty import caught_by, without


class ChangesTraces(PerfectServer):
    changes: ClassVar[Body] = {}

    def citation(self, found: Answer, hit: Hit) -> Body:
        told = super().citation(found, hit)
        return {**told, "retrieval": {**told["retrieval"], **self.changes}}


@caught_by("enterprise-metadata-1")
class InventsAMethod(ChangesTraces):
    changes: ClassVar[Body] = {"method": "magic"}


@caught_by("enterprise-metadata-2")
class ScoresBeyondOne(ChangesTraces):
    changes: ClassVar[Body] = {"keyword_score": 17.3}


@caught_by("enterprise-metadata-3")
class RanksFromZero(ChangesTraces):
    changes: ClassVar[Body] = {"rank": 0}


@caught_by("enterprise-metadata-4")
class TellsAnotherScoreInStreams(PerfectServer):
    def words(self, found: Answer) -> list[Event]:
        told = super().words(found)
        for name, data in told:
            if name == "tip.citation":
                data["retrieval"] = {**data["retrieval"], "keyword_score": 0.01}
        return told


@caught_by("enterprise-metadata-5")
class UsesMoreThanItFound(PerfectServer):
    def summary(self, found: Answer) -> Body:
        return {**super().summary(found), "chunks_used": len(found.ranked) + 1}


@caught_by("enterprise-metadata-6")
class NamesItsMachine(ChangesTraces):
    changes: ClassVar[Body] = {"chunk_id": "10.0.3.17:/srv/index/acme#4"}


@caught_by("enterprise-decomposition-1")
class TellsNoSubQueries(PerfectServer):
    def summary(self, found: Answer) -> Body:
        return without(super().summary(found), "sub_queries")


@caught_by("enterprise-decomposition-2")
class TakesApartWithoutEnd(PerfectServer):
    def answered(self, session: Session, body: Body) -> Answer:
        return super().answered(session, without(body, "retrieval_options"))


@caught_by("enterprise-decomposition-3")
class AnswersTheFirstPartAlone(PerfectServer):
    def answered(self, session: Session, body: Body) -> Answer:
        found = super().answered(session, body)
        found.hits = found.hits[:1]
        return found


@caught_by("enterprise-decomposition-4")
class MergesWithDuplicates(PerfectServer):
    def search_events(self, found: Answer) -> list[Event]:
        start, *chunks = super().search_events(found)
        return [start, *(chunk for chunk in chunks for _ in range(max(len(found.sub_queries), 1)))]


@caught_by("enterprise-decomposition-5")
class TellsTheStrategyThatWasWished(PerfectServer):
    def answered(self, session: Session, body: Body) -> Answer:
        found = super().answered(session, body)
        self.wished = body.get("retrieval_strategy", found.strategy)
        return found

    def search_events(self, found: Answer) -> list[Event]:
        (name, data), *chunks = super().search_events(found)
        return [(name, {**data, "strategy": self.wished}), *chunks]
