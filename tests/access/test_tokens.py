"""Opaque tokens: shown once, known by their hash alone, good until they are not."""

from __future__ import annotations

import base64
import re
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from tests.hosting.conftest import Clock, Run
from tipstaff.access.bearer import Bearer
from tipstaff.access.tokens import PREFIX, Tokens
from tipstaff.domain.caller import Permission
from tipstaff.errors import AuthenticationRequired, NotFound
from tipstaff.records.database import Records
from tipstaff.records.tables import TOKEN


async def issued(records: Records, **changes: Any) -> tuple[str, str]:
    secret, facts = await Tokens(records).issue(
        **{"tenant": "acme", "user": "user:jane", "tezits": {"tez"}, **changes}
    )
    return secret, facts.token_id


def test_a_token_says_who_is_asking_and_for_what(in_records: Run[Any]) -> None:
    async def run(records: Records) -> Any:
        secret, _ = await issued(records, permissions=[Permission.PUBLISH])
        return await Tokens(records).caller_of(secret)

    caller = in_records(run)
    assert (caller.tenant, caller.user) == ("acme", "user:jane")
    assert caller.permissions == {Permission.PUBLISH}
    assert caller.tezits == {"tez"}


def test_a_secret_has_32_bytes_of_chance_and_a_prefix(in_records: Run[Any]) -> None:
    async def run(records: Records) -> list[str]:
        return [(await issued(records))[0] for _ in range(5)]

    secrets = in_records(run)
    assert len(set(secrets)) == 5
    for secret in secrets:
        assert re.fullmatch(r"tts_[A-Za-z0-9_-]{43}", secret)
        assert len(base64.urlsafe_b64decode(secret.removeprefix(PREFIX) + "=")) == 32


def test_the_secret_is_nowhere_in_the_records(
    in_records: Run[Any], records_address: str | Path
) -> None:
    async def run(records: Records) -> tuple[str, str]:
        secret, _ = await issued(records)
        async with records.reading("acme") as connection:
            rows = (await connection.execute(select(TOKEN))).all()
        return secret, repr(rows)

    secret, rows = in_records(run)
    assert secret not in rows
    if isinstance(records_address, Path):
        for file in records_address.parent.glob("records.sqlite*"):
            assert secret.removeprefix(PREFIX).encode() not in file.read_bytes()


def test_a_revoked_token_opens_nothing_from_that_moment_on(in_records: Run[Any]) -> None:
    async def run(records: Records) -> None:
        secret, token_id = await issued(records)
        asking, revoking = Tokens(records), Tokens(records)
        assert await asking.caller_of(secret) is not None
        with pytest.raises(NotFound):
            await revoking.revoke("beta", token_id)
        assert await asking.caller_of(secret) is not None
        await revoking.revoke("acme", token_id)
        assert await asking.caller_of(secret) is None
        await revoking.revoke("acme", token_id)
        with pytest.raises(NotFound):
            await revoking.revoke("acme", "tok-none")

    in_records(run)


def test_a_token_ends_at_its_moment(in_records: Run[Any], clock: Clock) -> None:
    async def run(records: Records) -> list[bool]:
        end = clock.now + 10
        secret, _ = await issued(records, expires_at=end)
        good = []
        for moment in (end - 0.1, end):
            clock.now = moment
            good.append(await Tokens(records, now=clock).caller_of(secret) is not None)
        return good

    assert in_records(run) == [True, False]


def test_tokens_are_listed_for_their_tenant_alone(in_records: Run[Any]) -> None:
    async def run(records: Records) -> list[list[str]]:
        _, mine = await issued(records, label="for the review")
        await issued(records, tenant="beta")
        listed = await Tokens(records).list("acme")
        assert [facts.token_id for facts in listed] == [mine]
        return [[facts.label for facts in listed]]

    assert in_records(run) == [["for the review"]]


@pytest.mark.parametrize(
    "header",
    [
        None,
        "",
        "Bearer",
        "Bearer ",
        "Basic dXNlcjpwYXNz",
        "Bearer tts_" + "x" * 43,
        "Bearer tts_" + "x" * 10_000,
        "Bearer a.b.c",
        "Bearer tts_ü",
        "tts_without_a_scheme",
    ],
)
def test_a_header_that_proves_nothing_is_refused(in_records: Run[Any], header: str | None) -> None:
    async def run(records: Records) -> None:
        with pytest.raises(AuthenticationRequired):
            await Bearer(Tokens(records)).authenticate(header)

    in_records(run)


def test_a_header_with_a_good_token_is_taken(in_records: Run[Any]) -> None:
    async def run(records: Records) -> list[str]:
        secret, _ = await issued(records)
        bearer = Bearer(Tokens(records))
        headers = [f"Bearer {secret}", f"bearer   {secret} "]
        return [(await bearer.authenticate(header)).user for header in headers]

    assert in_records(run) == ["user:jane", "user:jane"]
