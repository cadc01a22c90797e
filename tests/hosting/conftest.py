"""What the tests of hosting share: records in both databases, people, a clock that stands still."""

from __future__ import annotations

import asyncio
import zipfile
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import pytest

from tests.conftest import BundleMaker
from tests.records.conftest import database_url, records_address, superuser_url
from tipstaff.domain.caller import Caller, Permission
from tipstaff.hosting.tezits import Tezits
from tipstaff.records.database import Records, open_records
from tipstaff.settings import Settings

__all__ = ["database_url", "records_address", "superuser_url"]

T = TypeVar("T")
Run = Callable[[Callable[[Records], Awaitable[T]]], T]
# Nothing is read by a model here: what matters is what is kept.
SETTINGS = Settings(embedder="static", reader="none")


def person(
    name: str,
    *permissions: Permission,
    tenant: str = "acme",
    tezits: frozenset[str] | None = None,
) -> Caller:
    return Caller(
        tenant=tenant,
        user=f"user:{name}",
        permissions=frozenset(permissions or {Permission.INTERROGATE}),
        tezits=tezits,
    )


SENDER = person("sender", Permission.PUBLISH)
JANE = person("jane")


@dataclass
class Clock:
    now: float = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def in_records(records_address: str | Path) -> Run[T]:
    """Work with records that are open; called again, it finds what was left."""

    def run(work: Callable[[Records], Awaitable[T]]) -> T:
        async def opened() -> T:
            records = await open_records(records_address)
            try:
                return await work(records)
            finally:
                await records.aclose()

        return asyncio.run(opened())

    return run


@pytest.fixture
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data directory in which nothing of another test lies."""
    folder = tmp_path / "data"
    monkeypatch.setenv("TIPSTAFF_DATA_DIR", str(folder))
    return folder


TezMaker = Callable[..., Path]


@pytest.fixture
def make_tez(make_bundle: BundleMaker, tmp_path: Path) -> TezMaker:
    """The same as `make_bundle`, as one file."""

    def make(*words: object, name: str = "one", **changes: object) -> Path:
        folder = make_bundle(*words, name=name, **changes)
        return packed(folder, tmp_path / f"{name}.tez")

    return make


def packed(folder: Path, target: Path) -> Path:
    with zipfile.ZipFile(target, "w") as archive:
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                archive.write(file, file.relative_to(folder))
    return target


async def pieces(content: bytes, size: int = 100) -> AsyncIterator[bytes]:
    for start in range(0, len(content), size):
        yield content[start : start + size]


Hosted = Callable[[Callable[[Tezits, Records], Awaitable[Any]]], Any]


@pytest.fixture
def hosted(in_records: Run[Any], own_folder: Path) -> Hosted:
    """Tezits on a server of its own, in both databases; called again, it is started again."""

    def run(work: Callable[[Tezits, Records], Awaitable[Any]], **changes: Any) -> Any:
        async def served(records: Records) -> Any:
            settings = Settings(embedder="static", reader="none", **changes)
            tezits = Tezits(records, settings=settings, data_folder=own_folder)
            await tezits.start()
            try:
                return await work(tezits, records)
            finally:
                await tezits.aclose()

        return in_records(served)

    return run


def blobs(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("tenants/*/blobs/*"))


def indexes(folder: Path) -> list[Path]:
    return list(folder.glob("tenants/*/tez/*/*.index"))
