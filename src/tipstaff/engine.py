"""The whole system on one page: every stage meets here and nowhere else.

    path ── bundle ──▶ opened bundle ── parse ──▶ documents ──▶ inventory, findings
                            │                        │
                            │                        ├── citation ──▶ passage, or why there is none
                            │                        │
                            └────────── index ───────┘──▶ index ── retrieve ──▶ passages with scores

        a question ── answer ──▶ draft ── verify ──▶ events ──▶ response
        the synthesis ── verify ──▶ audited claims, a score

`reading`, `examining`, `indexing`, `asking` and `generating` each explain one line of this
drawing. `ask` is the fold of the events of a stream. Hosting, sessions and the service stand on it
and answer nothing themselves.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from tipstaff.bundle.opening import OpenBundle
from tipstaff.bundle.opening import open_bundle as _open
from tipstaff.settings import DEFAULTS, Settings

if TYPE_CHECKING:
    from tipstaff.access.recipients import Grant
    from tipstaff.asking import Interrogation
    from tipstaff.domain.response import ResponseEnvelope
    from tipstaff.domain.retrieval import RetrievalOptions
    from tipstaff.examining import examine
    from tipstaff.indexing import IndexedBundle, index_bundle
    from tipstaff.reading import Progress, ReadBundle, read_bundle
    from tipstaff.synthesis.audited import SynthesisAudit

# A search in an index that is there needs no parser, and must not wait for their import.
_STAGES = {
    "Interrogation": "tipstaff.asking",
    "Progress": "tipstaff.reading",
    "ReadBundle": "tipstaff.reading",
    "read_bundle": "tipstaff.reading",
    "examine": "tipstaff.examining",
    "IndexedBundle": "tipstaff.indexing",
    "index_bundle": "tipstaff.indexing",
}

__all__ = [
    "IndexedBundle",
    "Interrogation",
    "Progress",
    "ReadBundle",
    "ask",
    "audit_synthesis",
    "examine",
    "grant_for",
    "index_bundle",
    "interrogate",
    "open_bundle",
    "read_bundle",
]


def open_bundle(
    path: str | Path, *, settings: Settings = DEFAULTS, progress: Progress | None = None
) -> OpenBundle:
    """A bundle of any level, ready to be read; use it in a `with` block."""
    return _open(path, settings=settings, progress=progress)


def interrogate(
    indexed: IndexedBundle,
    *,
    recipient: str | None = None,
    grant: Grant | None = None,
    model: str | None = None,
    options: RetrievalOptions | None = None,
    grounding: str = "standard",
) -> Interrogation:
    """One recipient before one bundle, with the model of that name or of the settings. `grant` is
    what authorizers let them see; without it items that need a service are withheld."""
    from tipstaff.asking import MODEL, Interrogation

    settings = indexed.settings
    name = model or settings.model
    if name == MODEL:
        return Interrogation(
            indexed=indexed,
            recipient=recipient,
            grant=grant,
            options=options,
            grounding=grounding,
        )
    from tipstaff.generating import ModelInterrogation
    from tipstaff.llm.registry import model_named

    fallback = settings.fallback_model
    return ModelInterrogation(
        indexed=indexed,
        recipient=recipient,
        grant=grant,
        options=options,
        grounding=grounding,
        model=model_named(name),
        fallback=None if fallback == "none" else model_named(fallback),
    )


def ask(
    path: str | Path,
    query: str,
    *,
    recipient: str | None = None,
    model: str | None = None,
    settings: Settings = DEFAULTS,
) -> ResponseEnvelope:
    """One question to a bundle, for scripts; an abstention is a response, not an error."""
    import asyncio

    from tipstaff.indexing import index_bundle

    with open_bundle(path, settings=settings) as opened:
        indexed = index_bundle(opened, settings=settings)
        grant = asyncio.run(grant_for(indexed, recipient))
        return interrogate(indexed, recipient=recipient, grant=grant, model=model).ask(query)


def audit_synthesis(
    indexed: IndexedBundle,
    *,
    recipient: str | None = None,
    grant: Grant | None = None,
    progress: Progress | None = None,
) -> SynthesisAudit:
    """Every claim of the synthesis held against the context it cites, as this recipient has both;
    no model is asked."""
    from tipstaff.asking import Interrogation
    from tipstaff.synthesis.auditing import audit_synthesis as audited

    asking = Interrogation(indexed=indexed, recipient=recipient, grant=grant)
    return audited(asking.boundary, asking.context(), progress=progress)


async def grant_for(indexed: IndexedBundle, recipient: str | None) -> Grant:
    """What authorizers let a recipient see (Enterprise §3.4); fixed before anything is asked."""
    from tipstaff.access.authorization import granted_once

    return await granted_once(
        indexed.opened.bundle, recipient, settings=indexed.settings, tenant=indexed.tenant
    )


def __getattr__(name: str) -> Any:
    if name not in _STAGES:
        raise AttributeError(f"module 'tipstaff.engine' has no attribute '{name}'")
    import importlib

    return getattr(importlib.import_module(_STAGES[name]), name)
