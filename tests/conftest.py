"""Shared by all tests: a small honest bundle to bend, and `tip` as a person runs it."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent
MERIDIAN = ROOT / "bundles" / "meridian"

settings.register_profile(
    "tests", deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
settings.load_profile("tests")

BundleMaker = Callable[..., Path]


# What takes longest begins first, so that no worker is left with it when the others are done.
LONG = (
    "test_drafts_of_others.py", "test_document.py", "test_drafts.py", "test_packaging.py",
    "test_promises.py", "test_page.py", "test_killed.py", "test_enterprise_ours.py",
    "test_page_killed.py", "test_serving.py", "test_own_server.py", "test_soak.py",
    "test_asking.py", "test_page_axe.py", "test_ask.py", "test_canary.py", "test_everyone.py",
    "test_two_instances.py", "test_racing.py",
)  # fmt: skip


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda one: LONG.index(one.path.name) if one.path.name in LONG else len(LONG))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--regenerate-golden",
        action="store_true",
        help="write tests/golden/*.golden anew from what is read now",
    )


@pytest.fixture(autouse=True, scope="session")
def own_data_directory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Tests neither read nor leave anything in the caches of whoever runs them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIPSTAFF_DATA_DIR", str(tmp_path_factory.mktemp("data")))
        patch.delenv("TIPSTAFF_CONFIG", raising=False)
        yield


def manifest_of(items: Mapping[str, bytes], **changes: Any) -> dict[str, Any]:
    """A complete level-3 manifest for `{file name: bytes}`; keyword arguments replace fields."""
    return {
        "tezit_version": "1.2",
        "id": "small-tez",
        "version": 1,
        "created_at": "2025-11-18T00:00:00Z",
        "creator": {"name": "A. Sender"},
        "synthesis": {"title": "A small tez", "type": "analysis", "file": "tez.md"},
        "context": {
            "scope": "full",
            "item_count": len(items),
            "items": [
                {
                    "id": Path(name).stem,
                    "type": "document",
                    "title": Path(name).stem.title(),
                    "file": f"context/{name}",
                    "size_bytes": len(content),
                    "hash": "sha256:" + hashlib.sha256(content).hexdigest(),
                }
                for name, content in items.items()
            ],
        },
    } | changes


@pytest.fixture
def make_bundle(tmp_path: Path) -> BundleMaker:
    """`make_bundle({"notes.md": b"…"}, manifest={…}, extra={"params.json": b"{}"})` → folder."""

    def make(
        items: Mapping[str, bytes] | None = None,
        *,
        manifest: Mapping[str, Any] | bytes | None = None,
        synthesis: bytes | None = b"# Findings\n\nThe sky is blue [[notes:L1]].\n",
        extra: Mapping[str, bytes] | None = None,
        name: str = "bundle",
    ) -> Path:
        items = {"notes.md": b"The sky is blue.\n"} if items is None else items
        folder = tmp_path / name
        files = {f"context/{file}": content for file, content in items.items()}
        if synthesis is not None:
            files["tez.md"] = synthesis
        content = manifest_of(items) if manifest is None else manifest
        files["manifest.json"] = (
            content if isinstance(content, bytes) else json.dumps(content).encode()
        )
        files |= dict(extra or {})
        for file, data in files.items():
            path = folder / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        return folder

    return make


@pytest.fixture
def tip() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run the installed command in a process of its own, without a terminal."""

    def run(
        *words: str | Path, env: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "tipstaff", *map(str, words)],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            env=os.environ | dict(env or {}),
        )

    return run
