"""What is shipped: built, weighed, installed with nothing but pip, and used as the README says."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.test_startup import imported_by

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

MB = 1_000_000
# The weights of the reader and of the model of support are 39 MB of it, packed.
MOST_WHEEL_BYTES = 44 * MB
# Beside the weights: tables, the page, sources.
MOST_CODE_BYTES = 4 * MB
MOST_SDIST_BYTES = 50 * MB
# Modules beyond those of a bare interpreter; seconds belong into `make bench`.
MOST_MODULES = {
    "import tipstaff": 40,
    "from tipstaff.cli.main import main; main(['--version'])": 90,
    "from tipstaff.cli.main import main; main(['--help'])": 90,
}


def done(
    *words: str | Path, cwd: Path = ROOT, env: Mapping[str, str] | None = None, code: int = 0
) -> str:
    ran = subprocess.run(
        [str(word) for word in words],
        cwd=cwd,
        env=dict(env or os.environ),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == code, ran.stdout + ran.stderr
    return ran.stdout


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    done(sys.executable, "-m", "hatchling", "build", "-d", folder)
    return folder


@pytest.fixture(scope="module")
def wheel(dist: Path) -> Path:
    (built,) = dist.glob("*.whl")
    return built


def test_the_wheel_weighs_what_it_may(wheel: Path, dist: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        code = [one for one in archive.infolist() if not one.filename.endswith(".onnx")]
    assert wheel.stat().st_size <= MOST_WHEEL_BYTES
    assert sum(one.compress_size for one in code) <= MOST_CODE_BYTES
    (sdist,) = dist.glob("*.tar.gz")
    assert sdist.stat().st_size <= MOST_SDIST_BYTES


def test_the_wheel_has_the_package_its_licence_and_the_manual_and_nothing_else(
    wheel: Path,
) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    about = next(one.partition("/")[0] for one in names if ".dist-info/" in one)
    data = about.replace(".dist-info", ".data")
    assert {one.partition("/")[0] for one in names} == {"tipstaff", about, data}
    assert f"{data}/data/share/man/man1/tip.1" in names
    assert {f"{about}/licenses/LICENSE", f"{about}/licenses/NOTICE", "tipstaff/py.typed"} <= {
        *names
    }
    assert not [one for one in names if "__pycache__" in one or one.endswith(".pyc")]


def test_the_sdist_builds_the_same_wheel(wheel: Path, dist: Path, tmp_path: Path) -> None:
    (sdist,) = dist.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (folder,) = tmp_path.iterdir()
    done(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", "built", cwd=folder)
    (again,) = (folder / "built").glob("*.whl")
    with zipfile.ZipFile(wheel) as one, zipfile.ZipFile(again) as two:
        assert {e.filename: e.CRC for e in one.infolist()} == {
            e.filename: e.CRC for e in two.infolist()
        }


@pytest.mark.parametrize("code", MOST_MODULES)
def test_starting_imports_few_modules(code: str) -> None:
    assert len(imported_by(code) - imported_by("pass")) <= MOST_MODULES[code]


@pytest.mark.timeout(600)
def test_in_an_empty_environment_the_readmes_first_screen_works_word_for_word(
    wheel: Path, tmp_path: Path
) -> None:
    venv = tmp_path / "empty"
    done(sys.executable, "-m", "venv", venv)
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRT"))
    } | {
        "PATH": f"{venv / 'bin'}:{os.environ['PATH']}",
        "PIP_CONSTRAINT": str(ROOT / "constraints.txt"),
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        # What is used here compiles when it is imported; the rest need not.
        "PIP_NO_COMPILE": "1",
    }
    done("pip", "install", "--quiet", wheel, env=environment)
    assert (venv / "share" / "man" / "man1" / "tip.1").is_file()
    installed = done("pip", "list", "--format=freeze", env=environment)
    assert not re.search(r"^(pytest|fastapi|mcp)==", installed, re.MULTILINE)

    screen = (ROOT / "README.md").read_text(encoding="utf-8").partition("Or open the page")[0]
    # `make demo`, with what pip installed in place of what make would.
    (venv / "installed").touch()
    assert "```sh\nmake demo\n```" in screen
    demo = done("make", "demo", f"VENV={venv}", env=environment)
    assert "does not contain information" in demo
    shown = re.findall(r"^\$ (tip [^\n]+)\n(.*?)(?=^\$|^```)", screen, re.MULTILINE | re.DOTALL)
    assert len(shown) == 2
    for command, output in shown:
        pattern = re.escape(output.rstrip("\n")).replace("…", ".*")
        said = done(*shlex.split(command), env=environment)
        assert re.search(pattern, said, re.DOTALL), said
    (abstained,) = re.findall(r"^> \*\*`(tip [^`]+)`\*\*\n((?:>.*\n)+)", screen, re.MULTILINE)
    words = " ".join(abstained[1].replace("\n>", " ").removeprefix(">").split())
    pattern = re.escape(words).replace("…", ".*").replace(r"\ ", r"\s+")
    # Its exit code is in the README, too.
    assert "exit code 3" in screen
    said = done(*shlex.split(abstained[0]), env=environment, code=3)
    assert re.search(pattern, said, re.DOTALL), said

    # Every command can be described without any extra, and the doctor says what is missing.
    assert "_tip()" in done("tip", "completion", "bash", env=environment)
    doctor = done("tip", "doctor", env=environment)
    assert "pip install 'tipstaff[serve]'" in doctor
    assert "Everything that is here works" in doctor
    told = subprocess.run(
        ["tip", "serve", "bundles/meridian"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 7
    assert "pip install 'tipstaff[serve]'" in told.stderr
