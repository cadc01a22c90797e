"""Queries are the recipient's own: logged by consent alone, told by nobody, gone when erased."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError

from tests.conftest import manifest_of
from tests.hosting.conftest import JANE, SENDER, SETTINGS, Clock, Run, TezMaker, person
from tests.hosting.test_ledger import published_by
from tipstaff.domain.bundle import HostingLimits, Privacy
from tipstaff.domain.caller import Caller, Permission
from tipstaff.engine import interrogate
from tipstaff.errors import NotFound, UsageError
from tipstaff.hosting.analytics import LEAST_RECIPIENTS, analytics
from tipstaff.hosting.consent import Consent, LoggingScope, consent_given, logging_terms
from tipstaff.hosting.ledger import Ledger
from tipstaff.hosting.query_log import QueryLog
from tipstaff.hosting.tezits import Tezits
from tipstaff.records.database import Records
from tipstaff.records.tables import EXCHANGE, LOGGED_QUERY, SESSION
from tipstaff.settings import Settings

CANARY = "zanzibarquintessence"
ALLOWED = Settings(query_logging="opt_in", query_log_days=30)
ASKED_FOR = Privacy(
    query_logging="opt_in", logging_scope="queries_and_responses", retention_days=10
)
AGREED = Consent(scope=LoggingScope.QUERIES_AND_RESPONSES, retention_days=10)


async def begun(
    records: Records,
    session_id: str = "s1",
    *,
    caller: Caller = JANE,
    consent: Consent | None = None,
    **changes: Any,
) -> None:
    async with records.writing(caller.tenant) as connection:
        await connection.execute(
            insert(SESSION).values(
                **{
                    "tenant": caller.tenant,
                    "session_id": session_id,
                    "user": caller.user,
                    "tez_id": "tez",
                    "tez_version": 1,
                    "status": "active",
                    "model": "extractive",
                    "initiated_at": 0.0,
                    "last_activity_at": 60.0,
                    "facts": {"title": "", "consent": consent.to_wire() if consent else None},
                    **changes,
                }
            )
        )


async def logged(
    records: Records,
    number: int = 1,
    *,
    session_id: str = "s1",
    caller: Caller = JANE,
    consent: Mapping[str, Any] | None = AGREED.to_wire(),
    now: Clock | None = None,
) -> bool:
    log = QueryLog(records, now=now or Clock())
    async with records.writing(caller.tenant) as connection:
        await log.log(
            connection,
            caller=caller,
            tez_id="tez",
            session_id=session_id,
            query_id=f"q{number}",
            query=f"What about {CANARY}?",
            response=f"Nothing is said about {CANARY}.",
            consent=consent,
        )
    return f"q{number}" in [row[0] for row in await rows(records)]


async def rows(records: Records) -> list[tuple[str, str | None]]:
    async with records.reading("acme") as connection:
        found = await connection.execute(select(LOGGED_QUERY.c.query_id, LOGGED_QUERY.c.response))
        return [(row.query_id, row.response) for row in found]


def files_with(word: str, folder: Path) -> list[Path]:
    return [
        path
        for path in folder.rglob("*")
        if path.is_file() and word.encode() in path.read_bytes().lower()
    ]


def test_a_query_leaves_no_word_anywhere_when_nobody_agreed(
    in_records: Run[Any],
    own_folder: Path,
    make_tez: TezMaker,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Everything is logged that can be; the whole data folder is searched."""
    caplog.set_level(logging.DEBUG)
    tez = make_tez({"notes.md": b"The sky is blue.\n", "plan.md": b"We look at the sky.\n"})

    async def run(records: Records) -> str:
        tezits = Tezits(records, settings=SETTINGS, data_folder=own_folder)
        published = await tezits.publish(SENDER, tez)
        indexed = await tezits.opened("acme", published.tez_id, 1)
        await begun(records, consent=None)
        ledger = Ledger(records)
        limits = HostingLimits()
        await ledger.reserve(JANE, tez_id="tez", session_id="s1", query_id="q1", limits=limits)
        interrogation = interrogate(indexed, recipient=JANE.user)
        envelope = await interrogation.answer(f"What is the colour of {CANARY}?")
        async with records.writing("acme") as connection:
            await ledger.settle(
                connection,
                "q1",
                tenant="acme",
                usage=envelope.usage,
                model=envelope.model,
                classification=str(envelope.response.classification),
            )
        # Somebody's memory of a consent is none.
        assert not await logged(records)
        assert not await logged(records, consent=None)
        await tezits.aclose()
        return str(envelope.response)

    said = in_records(run)
    assert CANARY in said.lower()
    # Searches of a service are in its audit log, not in files, where a query has its hash.
    assert not list((own_folder / "tenants").rglob("*.jsonl"))
    assert files_with("sky", own_folder)
    # Beside the data folder lies the database, where it is a file.
    assert files_with(CANARY, own_folder.parent) == []
    assert CANARY not in caplog.text.lower()
    assert CANARY not in "".join(capfd.readouterr()).lower()


def test_what_is_written_down_is_in_no_log_however_much_is_logged(
    in_records: Run[Any], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)

    async def run(records: Records) -> str:
        await begun(records, consent=AGREED)
        assert await logged(records)
        with pytest.raises(IntegrityError) as caught:
            await logged(records)
        return str(caught.value)

    assert CANARY not in in_records(run)
    assert caplog.text
    assert CANARY not in caplog.text


def test_by_default_there_is_nothing_to_agree_to() -> None:
    assert logging_terms(Privacy(), Settings()) is None
    assert logging_terms(Privacy(), ALLOWED) is None
    assert logging_terms(ASKED_FOR, Settings()) is None
    assert consent_given(None, {"query_logging": True}) is None


def test_the_terms_say_what_is_logged_and_for_how_long() -> None:
    terms = logging_terms(ASKED_FOR, ALLOWED)
    assert terms is not None
    told = terms.to_wire()
    assert told["logging_scope"] == "queries_and_responses"
    assert (told["retention_days"], told["deletion_available"]) == (10, True)
    assert "10 days" in told["notice"]
    assert "your queries and the responses" in told["notice"]
    longer = logging_terms(Privacy(query_logging="opt_in", retention_days=900), ALLOWED)
    assert longer is not None
    assert (longer.retention_days, longer.scope) == (30, LoggingScope.QUERIES)


@pytest.mark.parametrize(
    "said",
    [None, {}, True, {"query_logging": False}, {"query_logging": "true"}, {"query_logging": 1}],
)
def test_only_a_plain_yes_is_a_consent(said: object) -> None:
    assert consent_given(logging_terms(ASKED_FOR, ALLOWED), said) is None


def test_one_may_agree_to_less_and_is_never_taken_for_more() -> None:
    terms = logging_terms(ASKED_FOR, ALLOWED)
    assert consent_given(terms, {"query_logging": True}) == AGREED
    less = consent_given(terms, {"query_logging": True, "logging_scope": "queries"})
    assert less is not None
    assert less.scope is LoggingScope.QUERIES
    more = consent_given(terms, {"query_logging": True, "logging_scope": "full_session"})
    assert more == AGREED
    with pytest.raises(UsageError, match="logging_scope"):
        consent_given(terms, {"query_logging": True, "logging_scope": "everything"})
    assert Consent.from_wire(AGREED.to_wire()) == AGREED


def test_as_much_is_logged_as_was_agreed_to(in_records: Run[Any]) -> None:
    async def run(records: Records) -> list[tuple[str, str | None]]:
        await begun(records, "s1", consent=AGREED)
        less = Consent(scope=LoggingScope.QUERIES, retention_days=10)
        await begun(records, "s2", consent=less)
        assert await logged(records, 1, session_id="s1")
        assert await logged(records, 2, session_id="s2", consent=less.to_wire())
        return sorted(await rows(records))

    assert in_records(run) == [("q1", f"Nothing is said about {CANARY}."), ("q2", None)]


def test_a_consent_that_is_taken_back_holds_at_once_and_deletes(
    in_records: Run[Any], records_address: str | Path
) -> None:
    async def run(records: Records) -> None:
        await begun(records, "s1", consent=AGREED)
        await begun(records, "s2", consent=AGREED)
        await logged(records, 1, session_id="s1")
        await logged(records, 2, session_id="s2")
        log = QueryLog(records)
        assert await log.revoke(person("joe"), "s1") == 0
        assert await log.revoke(JANE, "s1") == 1
        assert [row[0] for row in await rows(records)] == ["q2"]
        assert not await logged(records, 3, session_id="s1")
        assert await logged(records, 4, session_id="s2")

    in_records(run)


def test_what_is_erased_is_in_no_file_any_more(
    in_records: Run[Any], records_address: str | Path
) -> None:
    joe = person("joe")

    async def run(records: Records) -> None:
        await begun(records, "s1", consent=AGREED)
        await begun(records, "s2", caller=joe, consent=AGREED)
        for number in range(50):
            await logged(records, number)
        log = QueryLog(records, now=Clock())
        assert len(await log.own(JANE)) == 50
        assert await log.own(joe) == []
        if isinstance(records_address, Path):
            assert files_with(CANARY, records_address.parent)
        assert await log.erase(joe) == 0
        assert await log.erase(JANE, tez_id="another") == 0
        assert await log.erase(JANE) == 50
        assert await rows(records) == []
        if isinstance(records_address, Path):
            assert files_with(CANARY, records_address.parent) == []

    in_records(run)


def test_what_was_kept_long_enough_is_deleted(in_records: Run[Any], clock: Clock) -> None:
    async def run(records: Records) -> None:
        await begun(records, consent=AGREED)
        await logged(records, 1, now=clock)
        clock.now += 86_400
        await logged(records, 2, now=clock)
        log = QueryLog(records, now=clock)
        clock.now += 9 * 86_400 - 1
        assert await log.sweep() == 0
        clock.now += 1
        assert [one["query_id"] for one in await log.own(JANE)] == ["q2"]
        assert await log.sweep() == 1
        assert [row[0] for row in await rows(records)] == ["q2"]

    in_records(run)


def test_a_sender_reads_a_log_only_if_recipients_were_told_so(in_records: Run[Any]) -> None:
    async def run(records: Records) -> None:
        await published_by(records, SENDER.user)
        await begun(records, consent=AGREED)
        await logged(records)
        log = QueryLog(records, now=Clock())
        for caller, sharing in (
            (SENDER, False),
            (JANE, True),
            (person("x", Permission.PUBLISH), True),
        ):
            with pytest.raises(NotFound):
                await log.shared(caller, "tez", sharing=sharing)
        told = await log.shared(SENDER, "tez", sharing=True)
        assert [one["query_id"] for one in told] == ["q1"]
        assert "user" not in told[0]

    in_records(run)


async def exchanged(records: Records, session_id: str, number: int, *items: str) -> None:
    async with records.writing("acme") as connection:
        await connection.execute(
            insert(EXCHANGE).values(
                tenant="acme",
                session_id=session_id,
                number=number,
                query_id=f"{session_id}-{number}",
                query=f"What about {CANARY}?",
                understood=CANARY,
                envelope={
                    "response": {"text": CANARY, "citations": [{"item_id": one} for one in items]}
                },
                asked_at=0.0,
                answered_at=1.0,
            )
        )


def test_analytics_are_four_figures_and_nobodys_line_of_inquiry(in_records: Run[Any]) -> None:
    async def run(records: Records) -> dict[str, Any]:
        await published_by(records, SENDER.user)
        for number in range(LEAST_RECIPIENTS):
            caller = person(f"reader-{number}")
            await begun(records, f"s{number}", caller=caller, query_count=2, last_activity_at=90.0)
            await exchanged(records, f"s{number}", 1, "budget", "budget", "plan")
        # Often, but by one recipient alone.
        await exchanged(records, "s0", 2, "secret-annex")
        await begun(records, "s8", caller=person("reader-0"), query_count=1)
        await exchanged(records, "s8", 1, "secret-annex", "plan")
        await begun(records, "s9", tez_id="another", query_count=7)
        async with records.reading("acme") as connection:
            for caller in (JANE, person("rival", Permission.PUBLISH)):
                with pytest.raises(NotFound):
                    await analytics(connection, caller, "tez", Privacy())
            none = await analytics(connection, SENDER, "tez", Privacy(analytics_level="none"))
            assert "session_count" not in none["analytics"]
            return await analytics(connection, SENDER, "tez", Privacy())

    told = in_records(run)
    assert told == {
        "analytics": {
            "tez_id": "tez",
            "analytics_level": "aggregate_only",
            "session_count": 4,
            "query_count": 7,
            "average_session_duration_minutes": 1.4,
            "most_cited_items": [
                {"item_id": "plan", "sessions": 4},
                {"item_id": "budget", "sessions": 3},
            ],
        }
    }


def test_the_manifest_says_what_may_be_logged(make_tez: TezMaker) -> None:
    """The sender's words, as a bundle has them, come to these terms."""
    from tipstaff.engine import open_bundle

    privacy = {
        "query_logging": "opt_in",
        "logging_scope": "queries_and_responses",
        "retention_days": 10,
        "deletion_available": True,
    }
    tez = make_tez(manifest=manifest_of({"notes.md": b"The sky is blue.\n"}, privacy=privacy))
    with open_bundle(tez) as opened:
        assert logging_terms(opened.bundle.privacy, ALLOWED) == logging_terms(ASKED_FOR, ALLOWED)
