"""Tipstaff: interrogate a tez, and trust only what its bytes support.

Names are imported when first used, so that `import tipstaff` stays light.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_EXPORTS = {
    "ask": "tipstaff.engine",
    "open": "tipstaff.tez",
    "Tez": "tipstaff.tez",
    "open_bundle": "tipstaff.engine",
    "examine": "tipstaff.engine",
    "read_bundle": "tipstaff.engine",
    "OpenBundle": "tipstaff.bundle.opening",
    "Bundle": "tipstaff.domain.bundle",
    "ContextItem": "tipstaff.domain.item",
    "Citation": "tipstaff.domain.citation",
    "parse_citation": "tipstaff.citation.grammar",
    "parse_citations": "tipstaff.citation.grammar",
    "Settings": "tipstaff.settings",
    "TipstaffError": "tipstaff.errors",
    "Client": "tipstaff.client",
}

__all__ = [*_EXPORTS, "__version__"]  # noqa: PLE0604 (the names are strings)

if TYPE_CHECKING:
    from tipstaff.bundle.opening import OpenBundle as OpenBundle
    from tipstaff.citation.grammar import parse_citation as parse_citation
    from tipstaff.citation.grammar import parse_citations as parse_citations
    from tipstaff.client import Client as Client
    from tipstaff.domain.bundle import Bundle as Bundle
    from tipstaff.domain.citation import Citation as Citation
    from tipstaff.domain.item import ContextItem as ContextItem
    from tipstaff.engine import ask as ask
    from tipstaff.engine import examine as examine
    from tipstaff.engine import open_bundle as open_bundle
    from tipstaff.engine import read_bundle as read_bundle
    from tipstaff.errors import TipstaffError as TipstaffError
    from tipstaff.settings import Settings as Settings
    from tipstaff.tez import Tez as Tez
    from tipstaff.tez import open as open  # noqa: A004


def __getattr__(name: str) -> Any:
    if name not in _EXPORTS:
        raise AttributeError(f"module 'tipstaff' has no attribute '{name}'")
    import importlib

    return getattr(importlib.import_module(_EXPORTS[name]), name)
