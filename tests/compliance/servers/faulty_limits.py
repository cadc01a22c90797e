"""Servers with wrong limits (Enterprise §6.4), or wrong figures of quality (§8.4)."""

from __future__ import annotations

from tests.compliance.servers.enterprise import Body, PerfectServer, Refused
from tests.compliance.servers.enterprise_state import Session, Tez
from tests.compliance.servers.faulty import caught_by, without


class Forgets(PerfectServer):
    forgotten = ""

    def scopes(self, session: Session) -> dict[str, str]:
        told = super().scopes(session)
        self.memory.asked.pop((self.forgotten, told[self.forgotten]), None)
        return told


@caught_by("enterprise-rates-1")
class HasNoLimitForSessions(Forgets):
    forgotten = "session"


@caught_by("enterprise-rates-2")
class HasNoLimitForUsers(Forgets):
    forgotten = "user"


@caught_by("enterprise-rates-3")
class HasNoLimitForTezits(Forgets):
    forgotten = "tez"


@caught_by("enterprise-rates-4")
class HasNoLimitForTenants(Forgets):
    forgotten = "tenant"


@caught_by("enterprise-rates-5")
class HasNoLimitForAll(Forgets):
    forgotten = "global"


@caught_by("enterprise-rates-2")
class NamesNoScope(PerfectServer):
    def limited(self, scope: str, most: int) -> Refused:
        found = super().limited(scope, most)
        found.error.pop("scope")
        return found


@caught_by("enterprise-rates-4")
class CountsUsersTogether(PerfectServer):
    """All users of a tenant are one: the narrower limit is taken for the wider."""

    def scopes(self, session: Session) -> dict[str, str]:
        return {**super().scopes(session), "user": session.person.tenant}


class ChangesFigures(PerfectServer):
    def extensions(self, tez: Tez) -> Body:
        return {name: self.changed(document) for name, document in tez.extensions.items()}

    def changed(self, told: Body) -> Body:
        raise NotImplementedError


@caught_by("enterprise-eval-1")
class TellsNoTimeOfEvaluation(ChangesFigures):
    def changed(self, told: Body) -> Body:
        return without(told, "evaluated_at")


@caught_by("enterprise-eval-2")
class HidesWhatIsBelowAThreshold(ChangesFigures):
    def changed(self, told: Body) -> Body:
        return {**told, "metrics": without(told["metrics"], "completeness")}


@caught_by("enterprise-eval-2")
class GivesPercentages(ChangesFigures):
    def changed(self, told: Body) -> Body:
        return {**told, "metrics": {name: 100 * value for name, value in told["metrics"].items()}}


@caught_by("enterprise-eval-3")
class NamesNoMethodology(ChangesFigures):
    def changed(self, told: Body) -> Body:
        return {**told, "methodology": "trust us"}


@caught_by("enterprise-eval-4")
class HasAnEmptyHistory(ChangesFigures):
    def changed(self, told: Body) -> Body:
        return {**told, "history": [{"metrics": {}}, *told["history"]]}
