"""Words that shells complete, and the manual page: both say what the parsers take."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tipstaff.cli.completion import script_for
from tipstaff.cli.describing import described_commands
from tipstaff.cli.main import COMMANDS, main
from tipstaff.cli.manual import EXIT_CODES, manual_page
from tipstaff.errors import EXIT_ABSTENTION, EXIT_CHECKS_FAILED, EXIT_CODE

MANUAL = ROOT / "docs" / "man" / "tip.1"


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("completion")
    found = {}
    for shell in ("bash", "zsh", "fish"):
        found[shell] = folder / shell
        found[shell].write_text(script_for(shell), encoding="utf-8")
    return found


def shell(name: str, *words: str) -> list[str]:
    program = shutil.which(name)
    assert program is not None, f"{name} is not installed: scripts/system-packages"
    done = subprocess.run(
        [program, *words], capture_output=True, text=True, check=False, timeout=30
    )
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return done.stdout.split("\n")


def bash(script: Path, *words: str) -> set[str]:
    """What bash offers for the last of the words."""
    array = " ".join(f"'{word}'" for word in words)
    ask = f"COMP_WORDS=({array}); COMP_CWORD={len(words) - 1}; _tip"
    line = f"{ask}; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    return set(shell("bash", "--norc", "-c", f"source {script}; {line}")) - {""}


def fish(script: Path, line: str) -> set[str]:
    found = shell("fish", "--no-config", "-c", f"source {script}; complete -C '{line}'")
    return {one.partition("\t")[0] for one in found} - {""}


def test_bash_completes_commands_options_their_values_and_actions(
    scripts: dict[str, Path],
) -> None:
    script = scripts["bash"]
    assert bash(script, "tip", "in") == {"inspect", "index"}
    assert bash(script, "tip", "") == {*COMMANDS, "--help", "--version"}
    assert "--grounding" in bash(script, "tip", "ask", "--g")
    assert bash(script, "tip", "ask", "--grounding", "st") == {"strict", "standard"}
    assert bash(script, "tip", "token", "re") == {"revoke"}
    assert bash(script, "tip", "completion", "") >= {"bash", "zsh", "fish"}
    # Files are the shell's own.
    assert bash(script, "tip", "ask", "bundles/mer") == set()


def test_fish_completes_the_same(scripts: dict[str, Path]) -> None:
    script = scripts["fish"]
    assert fish(script, "tip in") >= {"inspect", "index"}
    assert "--grounding" in fish(script, "tip ask --gro")
    assert fish(script, "tip ask --grounding st") == {"strict", "standard"}
    assert "revoke" in fish(script, "tip token re")


def test_zsh_takes_the_script_and_knows_whose_it_is(scripts: dict[str, Path]) -> None:
    shell("zsh", "-f", "-n", str(scripts["zsh"]))
    program = f"autoload -Uz compinit; compinit -u -D; source {scripts['zsh']}; print $_comps[tip]"
    assert shell("zsh", "-f", "-c", program)[0] == "_tip"


@pytest.mark.parametrize("name", ["bash", "zsh", "fish"])
def test_every_option_of_every_command_is_in_every_script(
    name: str, scripts: dict[str, Path]
) -> None:
    script = scripts[name].read_text(encoding="utf-8")
    for command in described_commands():
        assert command.name in script
        for option in command.options:
            for flag in option.flags:
                assert (flag.lstrip("-") if name == "fish" else flag) in script


def test_another_shell_is_a_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "tcsh"]) == 2
    assert main(["completion", "fish"]) == 0
    assert capsys.readouterr().out.strip() == script_for("fish")


def test_the_manual_page_is_the_one_that_make_man_writes() -> None:
    assert MANUAL.read_text(encoding="utf-8") == manual_page(), "run `make man`"


def test_the_manual_names_every_command_option_and_exit_code() -> None:
    page = manual_page()
    for command in described_commands():
        assert f".SS tip {command.name}".replace("-", "\\-") in page
        for option in (*command.options, *(o for a in command.actions for o in a.options)):
            assert option.flags[-1].replace("-", "\\-") in page
            assert option.help, (command.name, option.flags)
    assert set(EXIT_CODES) == {0, EXIT_ABSTENTION, EXIT_CHECKS_FAILED, *EXIT_CODE.values()}
    assert page.isascii()


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed here")
def test_groff_finds_nothing_wrong_with_the_manual() -> None:
    done = subprocess.run(
        ["groff", "-man", "-ww", "-Tutf8", str(MANUAL)], capture_output=True, text=True, check=True
    )
    assert not done.stderr
    assert done.stdout.startswith("TIP(1)")
