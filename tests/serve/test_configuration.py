"""The configuration file: what is misspelt or unsafe is said before anything listens."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tipstaff.errors import UsageError
from tipstaff.serve.configuration import (
    ServeConfiguration,
    check,
    configured,
    read_configuration,
)


def read(tmp_path: Path, text: str) -> tuple[ServeConfiguration, dict[str, str]]:
    file = tmp_path / "serve.toml"
    file.write_text(text, encoding="utf-8")
    return read_configuration(file)


def test_the_file_has_a_table_for_the_server_and_one_for_settings(tmp_path: Path) -> None:
    configuration, settings = read(
        tmp_path,
        '[serve]\nport = 9000\ncors_origins = ["https://a.example"]\n[settings]\nmax_items = 7\n',
    )
    assert configuration.port == 9000
    assert configuration.cors_origins == ("https://a.example",)
    assert settings == {"max_items": "7"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[serve]\nprot = 1\n", "has no 'prot'"),
        ("[server]\nport = 1\n", "no table"),
        ("port = 1\n", "no table"),
        ('[serve]\nport = "80"\n', "a whole number"),
        ("[serve]\nport = true\n", "a whole number"),
        ("[serve]\nport = 70000\n", "between 0 and 65535"),
        ("[serve]\ntraces = 1\n", "true or false"),
        ("[serve]\nbundles = 1\n", "a list of words"),
        ('[serve]\nlog_level = "loud"\n', "one of debug"),
        ("[serve\n", "cannot be read"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        read(tmp_path, text)


def test_a_misspelt_name_gets_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as refused:
        read(tmp_path, "[serve]\nprot = 1\n")
    assert refused.value.suggestion == "Did you mean 'port'?"
    with pytest.raises(UsageError, match="no configuration file"):
        read_configuration(tmp_path / "none.toml")


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7", "tez.example.com"])  # noqa: S104
def test_nothing_listens_beyond_this_computer_in_the_clear(tmp_path: Path, host: str) -> None:
    with pytest.raises(UsageError, match="TLS is not set up"):
        check(ServeConfiguration(host=host))
    check(ServeConfiguration(host=host, insecure_plain_http=True))
    file = tmp_path / "some.pem"
    file.write_text("")
    check(ServeConfiguration(host=host, tls_cert=str(file), tls_key=str(file)))


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "::1", "localhost"])
def test_loopback_needs_no_tls(host: str) -> None:
    check(ServeConfiguration(host=host))


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"tls_cert": "x"}, "needs both"),
        ({"tls_cert": "no-such-file", "tls_key": "no-such-file"}, "there is no file"),
        ({"cors_origins": ("*",)}, "is no origin"),
        ({"cors_origins": ("https://a.example/path",)}, "is no origin"),
    ],
)
def test_what_cannot_work_is_refused(values: dict[str, object], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        check(configured(ServeConfiguration(), values, origin="test"))


def test_every_field_is_documented_with_its_default() -> None:
    page = (ROOT / "docs" / "serve.md").read_text(encoding="utf-8")
    for known in fields(ServeConfiguration):
        assert f"| `{known.name}` | {_shown(known.default)} | {known.metadata['help']} |" in page


def _shown(default: object) -> str:
    if isinstance(default, bool):
        return str(default).lower()
    if isinstance(default, int):
        return f"{default:,}"
    return "none" if default in ("", ()) else str(default)
