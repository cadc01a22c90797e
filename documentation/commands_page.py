"""The commands as their own parsers take them."""

from __future__ import annotations

from collections.abc import Iterator

from documentation.markdown_page import code, fenced, plain, sentence, table
from documentation.reference_page import ReferencePage
from tipstaff.cli.describing import DescribedCommand, described_commands

_HEAD = """# Commands

Made from the parsers of the commands themselves. `tip COMMAND --help` says the same.

Answers go to stdout, everything else to stderr. What a number behind a command means is in
[errors and exit codes](errors.md#exit-codes).
"""


def commands_page() -> ReferencePage:
    return page_of(described_commands())


def page_of(commands: tuple[DescribedCommand, ...]) -> ReferencePage:
    pieces = [_HEAD]
    rows = [(f"[`tip {one.name}`](#tip-{one.name})", sentence(one.summary)) for one in commands]
    pieces.append(table(("Command", ""), rows))
    for one in commands:
        pieces += _described(f"tip {one.name}", one, level=2)
    missing = [word for one in commands for word in _undocumented(f"tip {one.name}", one)]
    return ReferencePage(text="\n".join(pieces), undocumented=tuple(missing))


def _described(words: str, command: DescribedCommand, *, level: int) -> Iterator[str]:
    yield f"{'#' * level} {words}\n"
    yield plain(sentence(command.summary)) + "\n"
    places = [place.shown for place in command.places]
    yield fenced(" ".join([words, *places, "[OPTION …]"]))
    rows = [(code(one.metavar), plain(sentence(one.help))) for one in command.places if one.help]
    if not command.actions:
        rows += [
            (code(" ".join(one for one in (", ".join(option.flags), option.metavar) if one)), text)
            for option in command.options
            if "--help" not in option.flags
            for text in [_told(option.help, option.choices)]
        ]
    yield table(("Word or option", ""), rows)
    for action in command.actions:
        yield from _described(f"{words} {action.name}", action, level=level + 1)


def _told(help_text: str, choices: tuple[str, ...]) -> str:
    named = f" One of {', '.join(code(one) for one in choices)}." if choices else ""
    return plain(sentence(help_text)) + named


def _undocumented(words: str, command: DescribedCommand) -> Iterator[str]:
    if not command.summary:
        yield f"the command `{words}`"
    for place in command.places:
        if not place.help and not command.actions:
            yield f"{place.metavar} of `{words}`"
    for option in command.options:
        if not option.help:
            yield f"{option.flags[-1]} of `{words}`"
    for action in command.actions:
        yield from _undocumented(f"{words} {action.name}", action)
