"""The kinds of plug-in and those that come along, from the entry points in pyproject.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

from documentation.markdown_page import code, table
from documentation.reference_page import ReferencePage

ROOT = Path(__file__).resolve().parent.parent

_HEAD = """# Plug-ins

One recipe for every kind: an entry point in the group below, nothing imported until it is chosen.
[Write a plug-in](../plug-ins.md) goes through one from the first line to the last.
"""
# What a plug-in of a kind is for, what it has to be, and which suite holds it to its promises.
KINDS = {
    "model": ("words answers from a prompt", "llm.model.Model", "models"),
    "embedder": ("turns text into vectors", "embed.embedder.Embedder", "embedders"),
    "store": ("keeps indexes", "store.store.Store", "stores"),
    "reader": ("finds the words that answer", "read.reader.Reader", None),
    "reranker": ("ranks found passages again", "retrieve.reranker.Reranker", None),
    "authorizer": ("says who sees what", "access.authorizer.Authorizer", "authorizers"),
    "access_provider": (
        "is an authorizer of access `custom`",
        "access.authorizer.Authorizer",
        "authorizers",
    ),
    "support_checker": (
        "gives a second opinion on a statement",
        "verify.support_checker.SupportChecker",
        "support_checkers",
    ),
    "parser": ("reads a file format", "parse.parser.Parser", "parsers"),
    "ocr": ("reads pictures", "parse.ocr.OcrEngine", None),
    "transcriber": ("turns speech into text", "parse.transcriber.Transcriber", None),
}


def plug_ins_page(groups: Mapping[str, Mapping[str, str]] | None = None) -> ReferencePage:
    groups = _declared() if groups is None else groups
    pieces = [_HEAD]
    for kind, (purpose, protocol, suite) in KINDS.items():
        held = f"Held to `tipstaff.contracts.{suite}`." if suite else "There is no suite for it."
        pieces.append(f"## `tipstaff.{kind}` {{ #{kind} }}\n")
        pieces.append(f"It {purpose}: `tipstaff.{protocol}`. {held}\n")
        rows = [(code(name), code(target)) for name, target in groups.get(kind, {}).items()]
        pieces.append(table(("Comes along", "Where"), rows) or "None comes along.\n")
    missing = tuple(f"plug-ins of the kind {kind}" for kind in groups if kind not in KINDS)
    return ReferencePage(text="\n".join(pieces), undocumented=missing)


def _declared() -> dict[str, dict[str, str]]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups: dict[str, dict[str, str]] = project["entry-points"]
    return {name.removeprefix("tipstaff."): points for name, points in groups.items()}
