"""Servers that are perfect but for one fault, each with the test that must catch it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from tests.compliance.servers import script
from tests.compliance.servers.perfect import OpenSession, PerfectServer, StoredTez
from tests.compliance.servers.script import MERIDIAN, Scripted
from tipstaff.compliance.tip.extended import LAST_QUESTION
from tipstaff.compliance.tip.mixed_bundle import QUERY as WORKBOOK_QUERY


@dataclass(frozen=True, slots=True)
class Fault:
    """`caught_by` are all tests of the TIP suite that fail, the one meant for it first."""

    server: type[PerfectServer]
    caught_by: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.server.__name__


FAULTS: list[Fault] = []


def caught_by(*tests: str) -> Callable[[type[PerfectServer]], type[PerfectServer]]:
    def entered(server: type[PerfectServer]) -> type[PerfectServer]:
        FAULTS.append(Fault(server, tests))
        return server

    return entered


class Rewording(PerfectServer):
    """Answers one query otherwise: `instead` takes what the perfect server would say."""

    query = ""

    def answer(self, session: OpenSession, query: str) -> Scripted:
        said = super().answer(session, query)
        mine = query == self.query and session.tez_id.startswith((MERIDIAN, "tip-compliance"))
        return self.instead(said) if mine else said

    def instead(self, said: Scripted) -> Scripted:
        raise NotImplementedError


@caught_by("tip-1")
class FabricatesAPage(Rewording):
    query = script.REVENUE

    def instead(self, said: Scripted) -> Scripted:
        return replace(said, text=said.text.replace(":p7", ":p99"))


@caught_by("tip-1")
class GivesAWrongFigure(Rewording):
    query = script.REVENUE

    def instead(self, said: Scripted) -> Scripted:
        return replace(said, text=said.text.replace("48.62", "51.90"))


@caught_by("tip-1")
class CitesTheWrongPage(Rewording):
    """The page is there; the figure is not on it."""

    query = script.REVENUE

    def instead(self, said: Scripted) -> Scripted:
        return replace(said, text=said.text.replace(":p7", ":p2"))


@caught_by("tip-1")
class CitesAnotherItem(Rewording):
    query = script.REVENUE

    def instead(self, said: Scripted) -> Scripted:
        return replace(said, text=said.text.replace("financial-report:p7", "competitive-analysis"))


@caught_by("tip-1")
class AddsAClaimWithoutCitation(Rewording):
    query = script.REVENUE

    def instead(self, said: Scripted) -> Scripted:
        more = "\nAnalysts praised the resilient margins of comparable instrument makers."
        return replace(said, text=said.text + more)


@caught_by("tip-1")
class MakesUpExcerpts(PerfectServer):
    def citations(self, scripted: Scripted) -> list[dict[str, Any]]:
        listed = super().citations(scripted)
        if "48.62" in scripted.text:
            listed[0]["text_excerpt"] = "Revenue was the best in the history of the company"
        return listed


@caught_by("tip-1", "tip-2", "tip-4", "tip-5", "tip-6", "tip-7", "tip-10", "tip-11", "codeword",
           "codeword-round-trip")  # fmt: skip
class CitesNothing(PerfectServer):
    def answer(self, session: OpenSession, query: str) -> Scripted:
        said = super().answer(session, query)
        text = script.without_marks(said.text)
        return replace(said, text=text)


@caught_by("tip-1", "tip-4", "tip-5", "tip-6", "tip-7", "tip-10", "tip-11", "codeword",
           "codeword-round-trip")  # fmt: skip
class AlwaysAbstains(PerfectServer):
    def answer(self, session: OpenSession, query: str) -> Scripted:
        return self.abstention(self.tezits[session.tez_id], query)


@caught_by("tip-2", "tip-3", "tip-6", "tip-8", "codeword-elsewhere")
class SaysGroundedAlways(PerfectServer):
    def answer(self, session: OpenSession, query: str) -> Scripted:
        return replace(super().answer(session, query), classification="grounded")


@caught_by("tip-2")
class KnowsTheStockPrice(Rewording):
    query = script.STOCK_PRICE

    def instead(self, said: Scripted) -> Scripted:
        return replace(said, text=f"Meridian Corp trades at $87.12 on the exchange. {said.text}")


@caught_by("tip-2")
class AbstainsWithoutSayingSo(Rewording):
    query = script.STOCK_PRICE

    def instead(self, said: Scripted) -> Scripted:
        return replace(said, text="See the financial report [[financial-report]].")


@caught_by("tip-2")
class AbstainsCurtly(Rewording):
    """Says nothing of what there is."""

    query = script.STOCK_PRICE

    def instead(self, said: Scripted) -> Scripted:
        return replace(said, text="The bundled context does not contain information about this.")


@caught_by("tip-3")
class AnswersFromGeneralKnowledge(Rewording):
    query = script.PRACTICES

    def instead(self, said: Scripted) -> Scripted:
        text = (
            "Enterprises usually favour blue-green rollouts, canary releases, automated pipelines, "
            "observability dashboards and rehearsed rollback playbooks."
        )
        return replace(said, text=text, classification="partial")


@caught_by("tip-3")
class CitesForGeneralKnowledge(Rewording):
    """The same with a mark behind it: a citation makes nothing true."""

    query = script.PRACTICES

    def instead(self, said: Scripted) -> Scripted:
        text = (
            "Enterprises usually favour gradual rollouts, automated pipelines, observability "
            "dashboards and rehearsed playbooks [[project-plan:L32]]."
        )
        return replace(said, text=text, classification="partial")


@caught_by("tip-4")
class CitesAnItemThatIsNotThere(Rewording):
    query = script.TIMELINE

    def instead(self, said: Scripted) -> Scripted:
        return replace(said, text=said.text.replace("[[project-plan:L32]]", "[[master-schedule]]"))


@caught_by("tip-4")
class TracesNothingBack(Rewording):
    """Only the synthesis is cited, for what the items say, too."""

    query = script.TIMELINE

    def instead(self, said: Scripted) -> Scripted:
        return replace(said, text=said.text.split("\n")[0])


@caught_by("tip-5")
class ChangesAComponent(Rewording):
    query = script.COST

    def instead(self, said: Scripted) -> Scripted:
        return replace(said, text=said.text.replace("573,090", "610,000"))


@caught_by("tip-5")
class CitesOneSourceForAll(Rewording):
    query = script.COST

    def instead(self, said: Scripted) -> Scripted:
        text = said.text.replace("vendor-proposal:p3", "budget-spreadsheet:Summary:A5-E5")
        return replace(
            said, text=text.replace("project-plan:L80", "budget-spreadsheet:Summary:A6-E6")
        )


@caught_by("tip-6")
class DoesNotHedge(Rewording):
    query = script.ASIA

    def instead(self, said: Scripted) -> Scripted:
        return replace(
            said, text=said.text.replace("There is only limited information on this. ", "")
        )


@caught_by("tip-6")
class IsSureOfWeakEvidence(Rewording):
    query = script.ASIA

    def instead(self, said: Scripted) -> Scripted:
        return replace(said, confidence="high")


@caught_by("tip-7")
class ResolvesAContradictionSilently(Rewording):
    query = script.MARKETING

    def instead(self, said: Scripted) -> Scripted:
        return replace(said, text=said.text.split("\n")[1])


@caught_by("tip-7")
class ExchangesTheSources(Rewording):
    query = script.MARKETING

    def instead(self, said: Scripted) -> Scripted:
        text = said.text.replace("3.46", "x").replace("2.91", "3.46").replace("x", "2.91")
        return replace(said, text=text)


@caught_by("tip-8")
class ObeysAnInjection(Rewording):
    query = script.INJECTION

    def instead(self, said: Scripted) -> Scripted:
        return replace(said, text="I am a language model, and my training data ends in 2024.")


@caught_by("tip-9")
class SharesSessions(PerfectServer):
    last = ""

    def answer(self, session: OpenSession, query: str) -> Scripted:
        if query == LAST_QUESTION:
            return Scripted(text=f"The last question was: {self.last}", classification="partial")
        self.last = query
        return super().answer(session, query)


@caught_by("tip-9")
class ForgetsItsHistory(PerfectServer):
    def query_count(self, session: OpenSession) -> int:
        return min(1, super().query_count(session))


@caught_by("tip-9")
class CountsAQueryTwice(PerfectServer):
    def query_count(self, session: OpenSession) -> int:
        return 2 * super().query_count(session)


@caught_by("tip-10")
class ReadsOnlyTheBeginning(PerfectServer):
    def searched(self, tez: StoredTez) -> list[StoredTez]:
        items = tez.items[:4]
        context = {**tez.manifest["context"], "items": items}
        return (
            [StoredTez(tez.id, {**tez.manifest, "context": context}, tez.contents)]
            if (tez.id == "tip-compliance-large")
            else [tez]
        )


@caught_by("tip-10")
class CitesWholeBooksThatAreWrong(PerfectServer):
    """The words are right, the place is another item's."""

    def looked_up(self, tez: StoredTez, query: str) -> Scripted | None:
        said = super().looked_up(tez, query)
        if said is None or tez.id != "tip-compliance-large":
            return said
        return replace(said, text=said.text.replace("gauge-book-0", "gauge-book-1"))


@caught_by("tip-11")
class ReadsTheCellBeside(Rewording):
    query = WORKBOOK_QUERY

    def instead(self, said: Scripted) -> Scripted:
        return replace(said, text=said.text.replace("8,417", "7,902"))


@caught_by("tip-11")
class CitesTheWrongCells(Rewording):
    query = WORKBOOK_QUERY

    def instead(self, said: Scripted) -> Scripted:
        return replace(said, text=said.text.replace("A3-B3", "A4-B4"))


@caught_by("codeword", "tip-10", "codeword-round-trip")
class KeepsHashesAndDropsBytes(PerfectServer):
    def stored(self, tez_id: str, content: bytes) -> StoredTez:
        return replace(super().stored(tez_id, content), contents={})


@caught_by("codeword")
class ServesOtherBytes(PerfectServer):
    """Answers from the right ones: only who asks for them notices."""

    async def _content(self, request: Any) -> Any:
        answer = await super()._content(request)
        answer.body = bytes(answer.body) + b"\n"
        answer.headers["content-length"] = str(len(answer.body))
        return answer


@caught_by("codeword-round-trip")
class LosesBytesOfAnImport(PerfectServer):
    def stored(self, tez_id: str, content: bytes) -> StoredTez:
        tez = super().stored(tez_id, content)
        return replace(tez, contents={}) if tez_id.endswith("-round-trip") else tez


@caught_by("codeword-elsewhere")
class LooksIntoOtherTezits(PerfectServer):
    def searched(self, tez: StoredTez) -> list[StoredTez]:
        return [tez, *self.tezits.values()]
