"""The errors as the tree, the tables and the docstrings of `tipstaff.errors` have them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from documentation.markdown_page import code, plain, table
from documentation.reference_page import ReferencePage, words_of
from tipstaff.errors import (
    EXIT_ABSTENTION,
    EXIT_CHECKS_FAILED,
    EXIT_CODE,
    HTTP_STATUS,
    STREAM_CODE,
    TipstaffError,
)

_HEAD = """# Errors and exit codes

Every error is a leaf of one tree whose branches say who can mend it. On the wire it is TIP §14's
`{"error": {"type", "message", …}}`; on a stream `tip.error` with a code of Enterprise §2.3.9; in
Python an exception of the name below, from `tipstaff.errors`. An abstention is no error.
"""
_OUTCOMES = {
    0: "Done; of a question: answered, wholly or in part.",
    EXIT_ABSTENTION: "The context does not answer: an abstention.",
    EXIT_CHECKS_FAILED: "Checks failed: something is below what was asked for.",
}


def errors_page(root: type[Any] = TipstaffError) -> ReferencePage:
    pieces, missing = [_HEAD], []
    for branch in root.__subclasses__():
        leaves = list(_leaves(branch))
        pieces.append(f"## {words_of(branch).split(chr(10))[0].rstrip('.')}\n")
        if not words_of(branch):
            missing.append(f"the error {branch.__name__}")
        for leaf in leaves:
            pieces.append(_section(leaf))
            if leaf is not branch and not words_of(leaf):
                missing.append(f"the error {leaf.__name__} ({leaf.code})")
    pieces += ["## Exit codes\n", _exit_codes()]
    return ReferencePage(text="\n".join(pieces), undocumented=tuple(missing))


def _section(leaf: type[TipstaffError]) -> str:
    facts = table(
        ("In Python", "HTTP status", "Exit code", "On a stream"),
        [
            (
                code(leaf.__name__),
                str(HTTP_STATUS[leaf.code]),
                str(EXIT_CODE[leaf.code]),
                code(STREAM_CODE[leaf.code]),
            )
        ],
    )
    words = words_of(leaf)
    if leaf in TipstaffError.__subclasses__():
        # A branch and leaf in one: its first line is the heading above.
        words = words.partition("\n\n")[2]
    return f"### `{leaf.code}` {{ #{leaf.code} }}\n\n{plain(words)}\n\n{facts}"


def _exit_codes() -> str:
    told = dict(_OUTCOMES)
    for number in sorted(set(EXIT_CODE.values())):
        types = [name for name, code_of in EXIT_CODE.items() if code_of == number]
        told[number] = ", ".join(f"[`{name}`](#{name})" for name in types)
    return table(("Exit code", "When"), [(str(one), told[one]) for one in sorted(told)])


def _leaves(kind: type[Any]) -> Iterator[type[Any]]:
    children = kind.__subclasses__()
    if not children:
        yield kind
    for child in children:
        yield from _leaves(child)
