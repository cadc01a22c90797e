"""Every extra: what it is for, and whether all of its packages are here.

Which packages belong to which extra is read from the installed distribution's own metadata; only
what each is for is said here, and a test holds the names against `pyproject.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution, requires

from tipstaff.doctor.checkup import Check, State

FOR_WHAT = {
    "anthropic": "answers worded by Anthropic's models",
    "bedrock": "answers worded by models on Amazon Bedrock",
    "cedar": "access decided by Cedar policies",
    "chroma": "vectors kept in Chroma",
    "cohere": "vectors made by Cohere",
    "faiss": "vectors searched by FAISS",
    "fastembed": "vectors made by fastembed's models",
    "fga": "access decided by OpenFGA",
    "google": "answers worded by Google's models",
    "jobs": "indexes built by whichever instance is free",
    "keynote": "reading Apple Keynote files",
    "mcp": "agents: tip mcp",
    "opa": "access decided by OPA or Rego policies",
    "openai": "answers worded, or vectors made, by OpenAI's models and servers like it",
    "otel": "traces by OpenTelemetry",
    "pinecone": "vectors kept in Pinecone",
    "postgres": "indexes and records kept in PostgreSQL",
    "qdrant": "vectors kept in Qdrant",
    "sentence-transformers": "vectors made by sentence-transformers' models",
    "serve": "tip serve: HTTP, streams, the page",
    "speech": "reading recordings",
    "static": "the quick embedder 'static'",
    "valkey": "several instances as one, by Valkey or Redis",
    "voyage": "vectors made by Voyage",
    "weaviate": "vectors kept in Weaviate",
}
# Of those who build and measure Tipstaff, not of those who use it.
FOR_BUILDERS = frozenset({"bench", "bench-retrieval", "bundles", "dev", "docs", "test-model"})

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_EXTRA = re.compile(r"extra\s*==\s*['\"]([^'\"]+)['\"]")


def extra_checks() -> Iterator[Check]:
    needed = packages_by_extra(requires("tipstaff") or [])
    for extra, what in FOR_WHAT.items():
        lacking = [name for name in needed.get(extra, ()) if not _is_here(name)]
        yield Check(
            group="extras",
            name=extra,
            state=State.MISSING if lacking or extra not in needed else State.WORKS,
            detail=what,
            remedy=f"pip install 'tipstaff[{extra}]'" if lacking or extra not in needed else "",
        )


def packages_by_extra(requirements: list[str]) -> dict[str, list[str]]:
    """`av>=14.0; extra == 'speech'` → speech: av. Requirements on other systems are left out."""
    found: dict[str, list[str]] = {}
    for line in requirements:
        extra, name = _EXTRA.search(line), _NAME.match(line)
        if extra and name and not _of_another_system(line):
            found.setdefault(extra[1], []).append(name[0])
    return found


def _of_another_system(line: str) -> bool:
    import sys

    unlike = re.search(r"sys_platform\s*!=\s*['\"](\w+)['\"]", line)
    return unlike is not None and unlike[1] == sys.platform


def _is_here(package: str) -> bool:
    try:
        distribution(package)
    except PackageNotFoundError:
        return False
    return True
