"""The commands as their parsers have them, for whatever is generated from that: completion, the
manual page, the reference."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

from tipstaff.cli.main import COMMANDS, parser_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    flags: tuple[str, ...]
    help: str
    # None: it takes no value.
    metavar: str | None
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A word that is told by where it stands: BUNDLE, QUERY."""

    metavar: str
    help: str
    choices: tuple[str, ...] = ()
    # How it stands in a usage line: [BUNDLE ...].
    shown: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DescribedCommand:
    name: str
    summary: str
    places: tuple[Place, ...]
    options: tuple[Option, ...]
    actions: tuple[DescribedCommand, ...] = ()


def described_commands() -> tuple[DescribedCommand, ...]:
    """All of them; none needs an extra to be described."""
    return tuple(
        _described(name, summary, parser_of(name)[1]) for name, (_, summary) in COMMANDS.items()
    )


def _described(name: str, summary: str, parser: argparse.ArgumentParser) -> DescribedCommand:
    actions = parser._actions
    return DescribedCommand(
        name=name,
        summary=summary,
        places=tuple(_place(one) for one in actions if not one.option_strings),
        options=tuple(_option(one) for one in actions if one.option_strings),
        actions=tuple(_actions(parser)),
    )


def _actions(parser: argparse.ArgumentParser) -> Iterator[DescribedCommand]:
    """`tip token issue`: words that have parsers of their own."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            summaries = {one.dest: one.help or "" for one in action._choices_actions}
            for name, child in action.choices.items():
                yield _described(name, summaries.get(name, ""), child)


def _place(action: argparse.Action) -> Place:
    metavar = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    shown = {"*": f"[{metavar} ...]", "+": f"{metavar} ...", "?": f"[{metavar}]"}.get(
        str(action.nargs), metavar
    )
    return Place(metavar=metavar, help=_help(action), choices=_choices(action), shown=shown)


def _option(action: argparse.Action) -> Option:
    metavar: str | None = None
    if action.nargs != 0:
        metavar = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    return Option(
        flags=tuple(action.option_strings),
        help=_help(action),
        metavar=metavar,
        choices=_choices(action),
    )


def _choices(action: argparse.Action) -> tuple[str, ...]:
    return tuple(str(one) for one in action.choices or ())


def _help(action: argparse.Action) -> str:
    return (action.help or "") % {"default": action.default, "prog": "tip"}
