"""`deploy/`: what an operator starts from says what this version understands."""

from __future__ import annotations

import configparser
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conftest import ROOT
from tipstaff.serve.configuration import check, read_configuration
from tipstaff.settings import load_settings

DEPLOY = ROOT / "deploy"
NGINX = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    content: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    return content


def instances(compose: dict[str, Any]) -> dict[str, Any]:
    return {name: one for name, one in compose["services"].items() if name.startswith("tip-")}


def test_the_configuration_is_one_that_a_server_takes() -> None:
    configuration, settings = read_configuration(DEPLOY / "tipstaff.toml")
    check(configuration)
    assert load_settings(settings, environment={}).store == "postgres"


def test_two_instances_differ_in_nothing_and_are_given_everything_they_share(
    compose: dict[str, Any],
) -> None:
    one, two = instances(compose).values()
    assert one == two
    environment = {name: "1" if "URL" not in name else "x" for name in one["environment"]}
    settings = load_settings(environment=environment)
    assert "x" == settings.records_url == settings.database_url == settings.valkey_url
    for volume in one["volumes"]:
        name = volume.partition(":")[0]
        assert name in compose["volumes"] or (DEPLOY / name).is_file()
    for service in one["depends_on"]:
        assert "healthcheck" in compose["services"][service]


def test_no_password_is_given_away(compose: dict[str, Any]) -> None:
    for name, service in compose["services"].items():
        for value in service.get("environment", {}).values():
            secrets = re.findall(r"(?<=:)[^/@:]+(?=@)", value)
            assert all(one.startswith("${") or one.endswith("}") for one in secrets), name
    assert "${POSTGRES_PASSWORD:?" in (DEPLOY / "compose.yaml").read_text("utf-8")


def test_the_proxy_knows_every_instance_by_its_name_and_port(compose: dict[str, Any]) -> None:
    configuration, _ = read_configuration(DEPLOY / "tipstaff.toml")
    servers = re.findall(r"^\s*server ([\w-]+):(\d+)", NGINX, re.MULTILINE)
    assert servers == [(name, str(configuration.port)) for name in instances(compose)]


def test_whoever_stops_an_instance_waits_for_it_to_drain(compose: dict[str, Any]) -> None:
    configuration, _ = read_configuration(DEPLOY / "tipstaff.toml")
    for service in instances(compose).values():
        assert int(service["stop_grace_period"].removesuffix("s")) > configuration.drain_s + 5
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    unit.read(DEPLOY / "tipstaff@.service")
    assert int(unit["Service"]["TimeoutStopSec"]) > configuration.drain_s + 5
    assert unit["Service"]["KillSignal"] == "SIGTERM"
    words = unit["Service"]["ExecStart"].split()
    assert words[1:4] == ["serve", "--config", "/etc/tipstaff/tipstaff.toml"]


@pytest.mark.parametrize(
    ("path", "kept_together_by"),
    [
        ("/tez/q3/interrogate/init", None),
        ("/tez/q3/interrogate/sess-1/query", "sess-1"),
        ("/tez/q3/interrogate/sess-1/events", "sess-1"),
        ("/tez/q3/interrogate/sess-1", "sess-1"),
        ("/tez/q3/interrogate", "q3"),
        ("/tez/q3/items/a/content", "q3"),
        ("/api/v1/tez/q3/interrogate", "q3"),
        ("/tez", None),
        ("/healthz", None),
    ],
)
def test_what_belongs_to_a_session_goes_to_one_instance(
    path: str, kept_together_by: str | None
) -> None:
    """The first pattern of the proxy's map that fits, as nginx takes it."""
    block = re.search(r"map \$uri \$tip_affinity \{(.*?)\n    \}", NGINX, re.DOTALL)
    assert block is not None
    assert "hash $tip_affinity consistent;" in NGINX
    for pattern, value in re.findall(r"^\s*~(\S+)\s+\$(\w+);", block[1], re.MULTILINE):
        match = re.search(pattern.replace("(?<", "(?P<"), path)
        if match:
            assert match.groupdict().get(value) == kept_together_by
            return
    assert kept_together_by is None


def test_streams_are_not_held_back_and_outlive_their_heartbeats() -> None:
    assert NGINX.count("{") == NGINX.count("}")
    for line in ("proxy_buffering off;", "proxy_cache off;", "proxy_http_version 1.1;"):
        assert line in NGINX
    timeout = re.search(r"proxy_read_timeout (\d+)s;", NGINX)
    assert timeout is not None
    assert int(timeout[1]) > load_settings(environment={}).idle_timeout_s


@pytest.mark.skipif(shutil.which("nginx") is None, reason="nginx is not installed here")
def test_nginx_takes_its_configuration(tmp_path: Path, certificate: tuple[Path, Path]) -> None:
    chain, key = certificate
    text = NGINX.replace("/etc/nginx/tls/chain.pem", str(chain)).replace(
        "/etc/nginx/tls/key.pem", str(key)
    )
    # Names of a network that is not here.
    text = re.sub(r"server tip-\d:8000", "server 127.0.0.1:8000", text, count=1)
    text = re.sub(r"server tip-\d:8000", "server 127.0.0.1:8001", text)
    own = tmp_path / "nginx.conf"
    own.write_text(text, encoding="utf-8")
    done = subprocess.run(
        ["nginx", "-t", "-p", str(tmp_path), "-c", str(own), "-g", f"pid {tmp_path}/pid;"],
        capture_output=True,
        text=True,
        check=False,
    )
    # Whether it could start, too, depends on folders of the machine it is to run on.
    assert "syntax is ok" in done.stderr, done.stderr


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[Path, Path]:
    from tests.serve.processes import made_certificate

    return made_certificate(tmp_path)
