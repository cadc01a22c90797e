"""`tip completion SHELL`: a script for bash, zsh or fish, made from the commands' own parsers.

It holds every word; completing starts no Python.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator

from tipstaff.cli.describing import DescribedCommand, Option, described_commands
from tipstaff.cli.terminal import Terminal


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "shell", metavar="SHELL", choices=("bash", "zsh", "fish"), help="bash, zsh or fish"
    )


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    terminal.answer(script_for(arguments.shell))
    return 0


def script_for(shell: str) -> str:
    writers: dict[str, Callable[[tuple[DescribedCommand, ...]], Iterator[str]]] = {
        "bash": _bash,
        "zsh": _zsh,
        "fish": _fish,
    }
    return "\n".join(writers[shell](described_commands()))


def _all_of(command: DescribedCommand) -> Iterator[Option]:
    """Its options, and those of its actions: `tip token --expires` is issue's."""
    seen: set[tuple[str, ...]] = set()
    for one in (command, *command.actions):
        for option in one.options:
            if option.flags not in seen:
                seen.add(option.flags)
                yield option


def _first_words(command: DescribedCommand) -> list[str]:
    """What may stand in the first place: an action, or one of few words."""
    if command.actions:
        return [one.name for one in command.actions]
    return list(command.places[0].choices) if command.places else []


def _bash(commands: tuple[DescribedCommand, ...]) -> Iterator[str]:
    yield "# Bash completion of tip: source <(tip completion bash)"
    yield "_tip() {"
    yield '    local current="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}"'
    yield '    local command="${COMP_WORDS[1]}" words=""'
    yield "    COMPREPLY=()"
    yield '    if [ "$COMP_CWORD" -eq 1 ]; then'
    yield f'        words="{" ".join(one.name for one in commands)} --help --version"'
    yield "    else"
    yield '        case "$command $before" in'
    for command in commands:
        for option in _all_of(command):
            for flag in option.flags if option.choices else ():
                yield f'        "{command.name} {flag}") words="{" ".join(option.choices)}" ;;'
    yield "        esac"
    yield '        if [ -z "$words" ]; then case "$command" in'
    for command in commands:
        flags = [flag for option in _all_of(command) for flag in option.flags]
        yield f'        {command.name}) words="{" ".join([*_first_words(command), *flags])}" ;;'
    yield "        esac; fi"
    yield "    fi"
    # Files are offered by `-o default`, wherever none of the words fits.
    yield '    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")'
    yield "}"
    yield "complete -o default -F _tip tip"


def _zsh(commands: tuple[DescribedCommand, ...]) -> Iterator[str]:
    yield "#compdef tip"
    yield "# Zsh completion of tip: tip completion zsh > a folder of $fpath/_tip"
    yield "_tip() {"
    yield "    local -a commands=("
    for command in commands:
        yield f"        {_quoted(f'{command.name}:{command.summary}')}"
    yield "    )"
    yield "    if (( CURRENT == 2 )); then _describe 'command' commands; return; fi"
    yield "    case $words[2] in"
    for command in commands:
        yield f"    {command.name})"
        yield "        shift words; (( CURRENT-- ))"
        first = _first_words(command)
        places = f"'1: :({' '.join(first)})' '*:file:_files'" if first else "'*:file:_files'"
        specs = [_zsh_option(flag, one) for one in _all_of(command) for flag in one.flags]
        yield f"        _arguments {places} {' '.join(specs)} ;;"
    yield "    esac"
    yield "}"
    # Sourced, it registers itself; found in $fpath, it is the function's first call.
    yield 'if [[ $funcstack[1] = _tip ]]; then _tip "$@"; else compdef _tip tip; fi'


def _zsh_option(flag: str, option: Option) -> str:
    text = option.help.replace("[", "(").replace("]", ")").replace(":", "\\:")
    spec = f"*{flag}[{text}]"
    if option.metavar is not None:
        values = f"({' '.join(option.choices)})" if option.choices else "_files"
        spec += f":{option.metavar.replace(':', '')}:{values}"
    return _quoted(spec)


def _fish(commands: tuple[DescribedCommand, ...]) -> Iterator[str]:
    yield "# Fish completion of tip: tip completion fish > ~/.config/fish/completions/tip.fish"
    names = " ".join(one.name for one in commands)
    for command in commands:
        yield (
            f"complete -c tip -f -n 'not __fish_seen_subcommand_from {names}' "
            f"-a {command.name} -d {_quoted(command.summary, fish=True)}"
        )
    for command in commands:
        where = f"-n '__fish_seen_subcommand_from {command.name}'"
        if first := _first_words(command):
            yield f"complete -c tip {where} -a '{' '.join(first)}'"
        for option in _all_of(command):
            yield f"complete -c tip {where} {_fish_option(option)}"


def _fish_option(option: Option) -> str:
    parts = [
        f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}" for flag in option.flags
    ]
    if option.metavar is not None:
        parts.append("-r")
    if option.choices:
        parts.append(f"-f -a '{' '.join(option.choices)}'")
    return " ".join([*parts, "-d", _quoted(option.help, fish=True)])


def _quoted(text: str, *, fish: bool = False) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'") if fish else text.replace("'", "'\\''")
    return f"'{escaped}'"
