"""`deploy/Containerfile`, read against what the documents say of it and what this version needs.

No container can be started here: what it is told is checked, and that what it copies builds.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from tests.conftest import ROOT
from tipstaff.cli.main import COMMANDS
from tipstaff.serve.configuration import read_configuration

Line = tuple[str, str]


@pytest.fixture(scope="module")
def lines() -> list[Line]:
    """Instructions with their words, continued lines joined."""
    text = (ROOT / "deploy" / "Containerfile").read_text(encoding="utf-8")
    joined = re.sub(r"\\\n", " ", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE))
    return [(line.split()[0], line.split(maxsplit=1)[1]) for line in joined.splitlines() if line]


@pytest.fixture(scope="module")
def documented() -> list[str]:
    """The words of `podman run` in the documents."""
    page = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    command = re.search(r"^podman run (.*?)\n```", page, re.MULTILINE | re.DOTALL)
    assert command is not None
    return shlex.split(command[1].replace("\\\n", " "))


def words_of(lines: list[Line], instruction: str) -> list[str]:
    return [words for name, words in lines if name == instruction]


def after(words: list[str], flag: str) -> list[str]:
    return [words[at + 1] for at, word in enumerate(words) if word == flag]


def test_it_runs_as_nobody_in_particular_and_by_number(lines: list[Line]) -> None:
    assert words_of(lines, "USER") == ["10001"]
    last_stage = [at for at, (name, _) in enumerate(lines) if name == "FROM"][-1]
    user = next(at for at, (name, _) in enumerate(lines) if name == "USER")
    # Nothing is installed or copied by whoever runs it.
    assert not {name for name, _ in lines[user:]} & {"RUN", "COPY", "ADD"}
    assert user > last_stage
    page = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    assert "runs as user 10001" in page


def test_what_is_written_is_in_the_volume_or_in_tmp(
    lines: list[Line], documented: list[str]
) -> None:
    assert words_of(lines, "VOLUME") == ["/data"]
    environment = " ".join(words_of(lines, "ENV"))
    assert "TIPSTAFF_DATA_DIR=/data" in environment
    assert "PYTHONDONTWRITEBYTECODE=1" in environment
    assert "--read-only" in documented
    assert after(documented, "--tmpfs") == ["/tmp"]  # noqa: S108 (the container's)
    mounted = [one.split(":")[1:] for one in after(documented, "--volume")]
    assert [where[0] for where in mounted if "ro" not in where] == ["/data"]
    assert after(documented, "--cap-drop") == ["ALL"]
    assert after(documented, "--security-opt") == ["no-new-privileges"]


def test_instances_of_the_compose_file_are_as_confined() -> None:
    compose = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text("utf-8"))
    instance = compose["services"]["tip-1"]
    assert instance["build"]["dockerfile"] == "deploy/Containerfile"
    assert instance["read_only"] is True
    assert instance["tmpfs"] == ["/tmp"]  # noqa: S108
    assert instance["cap_drop"] == ["ALL"]


def test_the_health_check_asks_a_route_at_the_port_that_is_served(
    lines: list[Line], documented: list[str]
) -> None:
    from tipstaff.serve.routes import operations

    configuration, _ = read_configuration(ROOT / "deploy" / "tipstaff.toml")
    port = str(configuration.port)
    assert words_of(lines, "EXPOSE") == [port]
    (check,) = words_of(lines, "HEALTHCHECK")
    program = json.loads(check.partition("CMD ")[2])
    url = re.search(r"http://127\.0\.0\.1:(\d+)(/\w+)", program[2])
    assert url is not None
    assert url[1] == port
    assert url[2] in {getattr(route, "path", "") for route in operations.router.routes}
    compile(program[2], "HEALTHCHECK", "exec")
    assert after(documented, "--publish") == [f"127.0.0.1:{port}:{port}"]


def test_what_it_starts_is_a_command_and_the_configuration_is_where_it_is_mounted(
    lines: list[Line], documented: list[str]
) -> None:
    (entry,), (command,) = words_of(lines, "ENTRYPOINT"), words_of(lines, "CMD")
    assert json.loads(entry) == ["tip"]
    name, flag, path = json.loads(command)
    assert name in COMMANDS
    assert flag == "--config"
    assert any(one.split(":")[1] == path for one in after(documented, "--volume"))
    assert words_of(lines, "STOPSIGNAL") == ["SIGTERM"]


def test_its_extras_are_extras_and_all_that_the_configuration_needs(lines: list[Line]) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found = re.search(r"/src\[([\w,-]+)\]", " ".join(words_of(lines, "RUN")))
    assert found is not None
    extras = set(found[1].split(","))
    assert extras <= set(project["optional-dependencies"])
    assert {"serve", "postgres", "valkey", "jobs"} <= extras


def test_what_is_copied_is_there_and_enough_to_build_the_wheel(
    lines: list[Line], tmp_path: Path
) -> None:
    for words in words_of(lines, "COPY"):
        *sources, target = words.split()
        if sources[0].startswith("--from"):
            continue
        for name in sources:
            source, place = ROOT / name, tmp_path / target.strip("/")
            if source.is_dir():
                shutil.copytree(
                    source, place, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.onnx")
                )
            else:
                place.mkdir(exist_ok=True)
                shutil.copy(source, place)
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "dist")],
        cwd=tmp_path / "src",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert list((tmp_path / "dist").glob("tipstaff-*.whl"))
