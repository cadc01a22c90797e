"""A server in this process, with one small tez that has an item for each level of access."""

from __future__ import annotations

import asyncio
import hashlib
import shutil
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest

from tests.conftest import BundleMaker, manifest_of
from tests.hosting.conftest import own_folder
from tests.serve.parts import real_parts
from tests.serve.processes import made_certificate
from tipstaff.serve.app import create_app
from tipstaff.serve.configuration import ServeConfiguration
from tipstaff.serve.service import Service

__all__ = ["own_folder"]

NOTES = b"# Notes\n\nThe sky is blue.\n\nThe budget for the roof is $4,200.\n"
ITEMS = {
    "notes.md": NOTES,
    "pricing.md": b"Our floor price is $17.\n",
    "summary.md": b"Confidential appendix.\n",
    "private.md": b"Only for the creator.\n",
    "page.html": b"<script>alert(1)</script><p>Trees are tall.</p>\n",
}
ACCESS = {
    "pricing": "interrogation_only",
    "summary": "summary_only",
    "private": {"type": "creator_only"},
}
QUESTION = "What is the budget for the roof?"
_Result = TypeVar("_Result")
Asking = Callable[["Asked"], Awaitable[_Result]]


class Asked:
    """A client of the server, and the server's insides."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.app = create_app(service)

    def client(self, who: str | None = "jane", **also: Any) -> httpx.AsyncClient:
        headers = {"Authorization": f"Bearer {who}"} if who else {}
        # `raise_app_exceptions` stays on: whatever leaves the app is a fault of its own.
        transport = httpx.ASGITransport(self.app, client=also.pop("peer", ("203.0.113.9", 5)))
        return httpx.AsyncClient(
            transport=transport, base_url="http://tip.test", headers=headers, **also
        )


def manifest() -> dict[str, Any]:
    content = manifest_of(ITEMS)
    for item in content["context"]["items"]:
        if item["id"] in ACCESS:
            item["access"] = ACCESS[item["id"]]
    return content


@pytest.fixture
def folder(make_bundle: BundleMaker) -> Path:
    return make_bundle(ITEMS, manifest=manifest())


@pytest.fixture(scope="session")
def published(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], Path]:
    """The data folder of a server that has a bundle: made once, to publish one takes longest."""
    made: dict[str, Path] = {}

    async def publish(data_folder: Path, bundle: Path) -> None:
        async with real_parts(data_folder, bundle):
            pass

    def of(bundle: Path) -> Path:
        files = sorted(path for path in bundle.rglob("*") if path.is_file())
        digest = sha256(b"\0".join(path.read_bytes() for path in files))
        if digest not in made:
            made[digest] = tmp_path_factory.mktemp("published") / "data"
            with pytest.MonkeyPatch.context() as patch:
                patch.setenv("TIPSTAFF_DATA_DIR", str(made[digest]))
                asyncio.run(publish(made[digest], bundle))
        return made[digest]

    return of


@pytest.fixture
def serving(
    folder: Path, own_folder: Path, published: Callable[[Path], Path]
) -> Callable[..., Any]:
    """`serving(asking)` runs `asking(asked)` against a server; called again, it starts again."""
    shutil.copytree(published(folder), own_folder)

    def run(
        asking: Asking[_Result], *, settings: Mapping[str, str] | None = None, **configured: Any
    ) -> _Result:
        async def ran() -> _Result:
            configuration = ServeConfiguration(**configured)
            async with real_parts(
                own_folder, configuration=configuration, settings=settings
            ) as parts:
                return await asking(Asked(parts.service))

        return asyncio.run(ran())

    return run


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[Path, Path]:
    return made_certificate(tmp_path)


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
