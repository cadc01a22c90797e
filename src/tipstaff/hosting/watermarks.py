"""Who was given which marks, and whose a leaked text or picture was (TIP §13.3.3).

Marks are for tezits whose manifest asks for them (`sharing.watermark`), or for all, as the setting
`watermark` says. Recipients are told before they ask.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import func, insert, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from tipstaff.domain.bundle import Bundle
from tipstaff.records.audit_trail import of_tenant
from tipstaff.records.database import Records
from tipstaff.records.tables import FINGERPRINT, WATERMARK
from tipstaff.settings import Settings
from tipstaff.watermark.fingerprints import FEWEST, fingerprint, packed, shared_part, unpacked
from tipstaff.watermark.page_pattern import codes_in_picture, stamped
from tipstaff.watermark.tag import Tags, chance_of_error
from tipstaff.watermark.text_marks import codes_in

ALL, TEZ, NONE = "all", "tez", "none"
NOTICE = (
    "Answers and pages of this tez carry marks that cannot be seen and that name you and this "
    "session to its sender, should they be found elsewhere. They do not change what is said."
)
_FINGERPRINTS = b"fingerprints"
_PAGES = b"pages"
# How much of an excerpt's word sequences must have been in a response to be spoken of.
_LEAST_SHARED = 0.5
_CLEARLY = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class Traced:
    """Somebody to whom it was given. `by`: `mark`, `pattern` (of a page), or `words`."""

    user: str
    session_id: str | None
    tez_id: str
    given_at: float
    by: str
    confidence: str
    # How many marks were found, or what part of the words.
    marks: int = 0
    words_shared: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """`chance_of_error` bounds that a text or picture without marks is traced by one; for words
    there is no such bound, since others may have written them."""

    found: Sequence[Traced]
    chance_of_error: float
    marks_seen: int


class Watermarks:
    def __init__(
        self,
        records: Records,
        *,
        key: bytes,
        settings: Settings,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._records, self._now = records, now
        self._tags = Tags(key)
        self._wish = settings.watermark

    def wanted(self, bundle: Bundle) -> bool:
        if self._wish != TEZ:
            return self._wish == ALL
        sharing = bundle.manifest.get("sharing")
        return isinstance(sharing, Mapping) and sharing.get("watermark") is True

    async def of_session(
        self, connection: AsyncConnection, *, tenant: str, user: str, session_id: str, tez_id: str
    ) -> str:
        """The tag of a recipient in a session, written down in the session's own transaction."""
        tag = self._tags.tag_of(tenant, user, session_id)
        await self._known(connection, tenant, tag, user=user, session_id=session_id, tez_id=tez_id)
        return tag

    def code_of(self, tag: str) -> bytes:
        return self._tags.code_of(tag)

    async def remember(
        self,
        connection: AsyncConnection,
        *,
        tenant: str,
        tag: str,
        session_id: str,
        query_id: str,
        said: str,
    ) -> None:
        """The fingerprint of a response, in the transaction that keeps it."""
        hashes = fingerprint(said, self._tags.sub_key(_FINGERPRINTS))
        row = {"tenant": tenant, "query_id": query_id, "tag": tag, "session_id": session_id}
        async with of_tenant(connection, tenant):
            await connection.execute(insert(FINGERPRINT).values(**row, hashes=packed(hashes)))

    async def page_code(
        self, *, tenant: str, user: str, tez_id: str, session_id: str = ""
    ) -> bytes:
        """What pages are marked with for a recipient: within a session as its responses are, so
        that they trace to it (TIP §13.3.3, 3); outside any, by recipient and tez."""
        within = (session_id,) if session_id else ("pages of", tez_id)
        tag = self._tags.tag_of(tenant, user, *within)
        async with self._records.reading(tenant) as connection:
            wanted = select(WATERMARK.c.tag).where(WATERMARK.c.tenant == tenant)
            is_known = await connection.scalar(wanted.where(WATERMARK.c.tag == tag))
        if is_known is None:
            async with self._records.writing(tenant) as connection:
                whose = {"user": user, "session_id": session_id, "tez_id": tez_id}
                await self._known(connection, tenant, tag, **whose)
        return self._tags.code_of(tag)

    def stamped(self, png: bytes, code: bytes) -> bytes:
        return stamped(png, code, self._tags.sub_key(_PAGES))

    async def trace_text(self, tenant: str, excerpt: str) -> Trace:
        codes = codes_in(excerpt)
        by_mark = await self._given(tenant, codes, by="mark")
        if by_mark:
            found = by_mark
        else:
            found = await self._by_words(tenant, excerpt)
        return await self._trace(tenant, found, len(codes))

    async def trace_picture(self, tenant: str, content: bytes) -> Trace:
        codes = codes_in_picture(content, self._tags.sub_key(_PAGES))
        return await self._trace(tenant, await self._given(tenant, codes, by="pattern"), len(codes))

    async def _trace(self, tenant: str, found: Sequence[Traced], looked_at: int) -> Trace:
        wanted = select(func.count()).where(WATERMARK.c.tenant == tenant)
        async with self._records.reading(tenant) as connection:
            known = await connection.scalar(wanted.select_from(WATERMARK)) or 0
        return Trace(
            found=found, chance_of_error=chance_of_error(known, looked_at), marks_seen=looked_at
        )

    async def _given(self, tenant: str, codes: Sequence[bytes], *, by: str) -> list[Traced]:
        read = [tag for code in codes if (tag := self._tags.read(code)) is not None]
        wanted = select(WATERMARK).where(WATERMARK.c.tenant == tenant, WATERMARK.c.tag.in_(read))
        async with self._records.reading(tenant) as connection:
            rows = (await connection.execute(wanted)).mappings().all()
        return [
            Traced(
                user=row["user"],
                session_id=row["session_id"] or None,
                tez_id=row["tez_id"],
                given_at=row["at"],
                by=by,
                confidence="high",
                marks=read.count(row["tag"]),
            )
            for row in rows
        ]

    async def _by_words(self, tenant: str, excerpt: str) -> list[Traced]:
        """Every session that was given most of these words, the likeliest first."""
        mine = fingerprint(excerpt, self._tags.sub_key(_FINGERPRINTS))
        if len(mine) < FEWEST:
            return []
        shared: dict[str, float] = {}
        wanted = select(FINGERPRINT.c.tag, FINGERPRINT.c.hashes)
        known = select(WATERMARK).where(WATERMARK.c.tenant == tenant)
        async with self._records.reading(tenant) as connection:
            async for row in await connection.stream(wanted.where(FINGERPRINT.c.tenant == tenant)):
                part = shared_part(mine, unpacked(row.hashes))
                if part >= max(_LEAST_SHARED, shared.get(row.tag, 0.0)):
                    shared[row.tag] = part
            these = known.where(WATERMARK.c.tag.in_(list(shared)))
            rows = (await connection.execute(these)).mappings().all()
        is_one = len(shared) == 1
        found = [
            Traced(
                user=row["user"],
                session_id=row["session_id"],
                tez_id=row["tez_id"],
                given_at=row["at"],
                by="words",
                confidence="medium" if is_one and shared[row["tag"]] >= _CLEARLY else "low",
                words_shared=round(shared[row["tag"]], 3),
            )
            for row in rows
        ]
        return sorted(found, key=lambda one: (-one.words_shared, one.session_id or ""))

    async def _known(
        self, connection: AsyncConnection, tenant: str, tag: str, **values: str
    ) -> None:
        row = {"tenant": tenant, "tag": tag, "at": self._now(), **values}
        begin = text(
            'INSERT INTO watermark (tenant, tag, "user", tez_id, session_id, at) '
            "VALUES (:tenant, :tag, :user, :tez_id, :session_id, :at) ON CONFLICT DO NOTHING"
        )
        async with of_tenant(connection, tenant):
            await connection.execute(begin, row)
