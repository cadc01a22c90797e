"""The manual page tip(1), made from the commands' own parsers: `make man` writes it."""

from __future__ import annotations

from collections.abc import Iterator

from tipstaff import __version__
from tipstaff.cli.describing import DescribedCommand, described_commands

EXIT_CODES = {
    0: "done, or answered",
    1: "something went wrong inside",
    2: "wrong usage",
    3: "the context does not answer: an abstention",
    4: "the bundle is unusable, or what was named is not there",
    5: "not authorised",
    6: "a limit is reached",
    7: "a model, a service or an extra is not there",
    8: "it took too long",
    9: "checks failed",
}


def manual_page() -> str:
    """roff, as man reads it; the same for the same version."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield f'.TH TIP 1 "" "tipstaff {__version__}" "Tez Interrogation Protocol"'
    yield ".SH NAME"
    yield "tip \\- interrogate a tez: answers with checked citations, or an abstention"
    yield ".SH SYNOPSIS"
    yield ".B tip\n.I COMMAND\n\\&..."
    yield ".SH DESCRIPTION"
    yield _text(
        "A tez is a synthesis together with the papers it was made from. tip answers only from "
        "those papers; every claim carries a citation that has been checked against their bytes, "
        "and where they are silent it says so."
    )
    yield ".PP"
    yield _text(
        "A BUNDLE is a .tez or .zip file, its folder, an inline .md document, or any folder. "
        "Answers go to stdout, everything else to stderr."
    )
    yield ".SH COMMANDS"
    for command in described_commands():
        yield f".SS {_text('tip ' + command.name)}"
        yield _text(command.summary[0].upper() + command.summary[1:] + ".")
        yield from _command(f"tip {command.name}", command)
        for action in command.actions:
            yield f".PP\n{_text(action.summary[0].upper() + action.summary[1:] + '.')}"
            yield from _command(f"tip {command.name} {action.name}", action)
    yield ".SH EXIT STATUS"
    for code, meaning in EXIT_CODES.items():
        yield f".TP\n.B {code}\n{_text(meaning[0].upper() + meaning[1:] + '.')}"
    yield ".SH ENVIRONMENT"
    yield ".TP\n.B TIPSTAFF_DATA_DIR\nWhere data and caches live."
    yield ".TP\n.B TIPSTAFF_CONFIG\nA configuration file in place of the usual one."
    yield ".TP\n.BI TIPSTAFF_ SETTING\nAny setting by its name in capitals."
    yield ".SH SEE ALSO"
    yield _text("tip COMMAND --help; tip doctor says what works on this machine.")


def _command(words: str, command: DescribedCommand) -> Iterator[str]:
    places = [one.shown for one in command.places]
    yield f".PP\n.EX\n{_text(' '.join([words, *places, '[OPTION ...]']))}\n.EE"
    for place in command.places:
        yield f".TP\n.I {_text(place.metavar)}\n{_text(place.help)}"
    for option in command.options:
        flags = ", ".join(option.flags)
        value = f" {option.metavar}" if option.metavar else ""
        choices = f" ({', '.join(option.choices)})" if option.choices else ""
        yield f".TP\n.B {_text(flags + value)}\n{_text(option.help + choices)}"


def _text(text: str) -> str:
    """Nothing in it is a request of roff's, a hyphen can be copied, and it is ASCII."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    escaped = "".join(one if one.isascii() else f"\\[u{ord(one):04X}]" for one in escaped)
    return f"\\&{escaped}" if escaped.startswith((".", "\\(aq")) or not escaped else escaped
