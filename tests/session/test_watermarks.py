"""Answers that tell whom they were given to: in the stream, the response and the history alike."""

from __future__ import annotations

import asyncio
import json
import subprocess
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from sqlalchemy import func, select

from tests.conftest import BundleMaker, manifest_of
from tests.session.stand_ins import BUDGET, FUND, JANE, NOTES, TEZ, caller, data, serving
from tipstaff.hosting.watermarks import Watermarks
from tipstaff.records.database import Records
from tipstaff.records.tables import FINGERPRINT
from tipstaff.server_key import server_key
from tipstaff.settings import Settings
from tipstaff.watermark.text_marks import codes_in, without_marks

JOE = caller("joe@example.com")
KEY = b"k" * 32
Tip = Callable[..., subprocess.CompletedProcess[str]]


def marks(wish: str = "tez", key: bytes = KEY) -> Callable[[Records], Watermarks]:
    return lambda records: Watermarks(records, key=key, settings=Settings(watermark=wish))


@pytest.fixture
def marked_tez(make_bundle: BundleMaker) -> Path:
    manifest = {**manifest_of({"notes.md": NOTES}), "sharing": {"watermark": True}}
    return make_bundle({"notes.md": NOTES}, manifest=manifest, name="marked")


def test_an_answer_is_traced_to_its_recipient_and_session(
    records_address: str | Path, marked_tez: Path
) -> None:
    async def work() -> None:
        async with serving(records_address, marked_tez, watermarks=marks()) as service:
            opened = await service.sessions.init(JANE, TEZ)
            assert "watermark" in {str(one.kind) for one in opened.warnings}
            session_id = opened.session.session_id
            said = (await service.asked(session_id, FUND)).response.text
            others = await service.begun(JOE)
            also = (await service.asked(others, FUND, JOE)).response.text
            assert without_marks(said) == without_marks(also)
            assert said != also
            tracing = marks()(service.records)
            for text, who, where in ((said, JANE, session_id), (also, JOE, others)):
                trace = await tracing.trace_text("acme", " ".join(text.split()))
                (one,) = trace.found
                assert (one.user, one.session_id, one.tez_id) == (who.user, where, TEZ)
                assert (one.by, one.confidence) == ("mark", "high")
                assert trace.chance_of_error < 1e-15
            # Another tenant with the same server learns nothing of it.
            assert not (await tracing.trace_text("other", said)).found
            assert not (await tracing.trace_text("acme", "Nothing of that was ever said.")).found

    asyncio.run(work())


def test_stream_response_and_history_are_one_and_only_invisibly_another(
    records_address: str | Path, marked_tez: Path
) -> None:
    async def answers(wish: str) -> tuple[str, Any]:
        address = records_address if wish == "tez" else Path(str(marked_tez)) / "plain.sqlite"
        async with serving(address, marked_tez, watermarks=marks(wish)) as service:
            session_id = await service.begun()
            run = await service.sessions.ask(JANE, TEZ, session_id, FUND)
            events = await service.part(session_id, run)
            words = "".join(data(one)["delta"] for one in events if one.name == "tip.token")
            envelope = await run.envelope()
            history = (await service.sessions.describe(JANE, TEZ, session_id)).conversation_history
            assert words == envelope.response.text == history[-1].content
            follow_up = await service.asked(session_id, f"{words} Is that so?")
            assert follow_up.response.text
            kept = (await service.sessions.describe(JANE, TEZ, session_id)).conversation_history
            assert not codes_in(kept[-2].content)
            return words, envelope.response

    async def work() -> None:
        marked, response = await answers("tez")
        plain, bare = await answers("none")
        assert codes_in(marked)
        assert not codes_in(plain)
        assert without_marks(marked) == plain
        assert response.claims == bare.claims
        assert response.citations == bare.citations

    asyncio.run(work())


def test_words_whose_marks_were_stripped_are_traced_to_all_who_had_them(
    records_address: str | Path, marked_tez: Path
) -> None:
    async def work() -> None:
        async with serving(records_address, marked_tez, watermarks=marks()) as service:
            mine, other = await service.begun(), await service.begun(JOE)
            said = without_marks((await service.asked(mine, BUDGET)).response.text).upper()
            tracing = marks()(service.records)
            (one,) = (await tracing.trace_text("acme", said)).found
            assert (one.session_id, one.by, one.confidence) == (mine, "words", "medium")
            await service.asked(other, BUDGET, JOE)
            both = (await tracing.trace_text("acme", said)).found
            assert {one.session_id for one in both} == {mine, other}
            assert {one.confidence for one in both} == {"low"}
            await service.sessions.erase(JANE, TEZ, mine)
            (left,) = (await tracing.trace_text("acme", said)).found
            assert left.session_id == other

    asyncio.run(work())


@pytest.mark.parametrize("case", ["tez that does not ask", "all", "none"])
def test_only_what_sender_or_server_want_marked_is(
    records_address: str | Path, tez: Path, marked_tez: Path, case: str
) -> None:
    wish, is_marked = case.split(maxsplit=1)[0], case == "all"
    folder = marked_tez if case == "none" else tez

    async def work() -> None:
        async with serving(records_address, folder, watermarks=marks(wish)) as service:
            opened = await service.sessions.init(JANE, TEZ)
            said = (await service.asked(opened.session.session_id, FUND)).response.text
            assert bool(codes_in(said)) == is_marked
            assert bool(opened.warnings) == is_marked
            async with service.records.reading("acme") as connection:
                kept = await connection.scalar(select(func.count()).select_from(FINGERPRINT))
            assert kept == int(is_marked)

    asyncio.run(work())


def test_the_command_traces_an_excerpt_and_a_page(
    tip: Tip, tmp_path: Path, marked_tez: Path
) -> None:
    key = server_key(tmp_path / "server.key")
    page = BytesIO()
    Image.new("RGB", (600, 800), "white").save(page, "PNG")

    async def work() -> tuple[str, str, bytes]:
        address = tmp_path / "records.sqlite"
        async with serving(address, marked_tez, watermarks=marks(key=key)) as service:
            session_id = await service.begun()
            said = (await service.asked(session_id, FUND)).response.text
            watermarks = marks(key=key)(service.records)
            code = await watermarks.page_code(tenant="acme", user=JANE.user, tez_id=TEZ)
            return session_id, said, watermarks.stamped(page.getvalue(), code)

    session_id, said, picture = asyncio.run(work())
    excerpt, file = tmp_path / "excerpt.txt", tmp_path / "page.png"
    excerpt.write_text(f"I was told: {said}", encoding="utf-8")
    file.write_bytes(picture)
    of = ("--tenant", "acme", "--data", tmp_path)
    (one,) = json.loads(tip("trace", excerpt, *of, "--json").stdout)["traced"]
    assert (one["recipient"], one["session_id"]) == (JANE.user, session_id)
    told = tip("trace", file, *of)
    assert JANE.user in told.stdout
    assert "Chance that this is an error" in told.stderr
    excerpt.write_text("Something else entirely, of which nobody here has ever heard a word.")
    done = tip("trace", excerpt, *of)
    assert (done.returncode, done.stdout) == (3, "It is traced to nobody.\n")
    file.write_bytes(b"\x89PNG broken")
    assert tip("trace", file, *of).returncode == 2
