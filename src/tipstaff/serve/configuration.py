"""`tip serve --config FILE`: a TOML file, read strictly; what is misspelt is said, not ignored.

[serve] has the fields of `ServeConfiguration`, [settings] any setting of docs/settings.md.
docs/serve.md lists them and a test compares it with this page.
"""

from __future__ import annotations

import difflib
import ipaddress
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tipstaff.errors import UsageError

MIB = 1024 * 1024
_TABLES = ("serve", "settings")


def _setting(default: Any, help_text: str) -> Any:
    return field(default=default, metadata={"help": help_text})


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeConfiguration:
    host: str = _setting("127.0.0.1", "Address that the server listens at.")
    port: int = _setting(8000, "Its port; 0 takes a free one.")
    tls_cert: str = _setting("", "File of the certificate chain (PEM).")
    tls_key: str = _setting("", "File of its private key (PEM).")
    insecure_plain_http: bool = _setting(
        False, "Listen beyond loopback without TLS: only behind a proxy that has it."
    )
    public_url: str = _setting("", "Where recipients reach the server, if a proxy is between.")
    bundles: tuple[str, ...] = _setting((), "Bundles that are served in place, for one tenant.")
    cors_origins: tuple[str, ...] = _setting((), "Origins of pages elsewhere that may ask.")
    max_request_bytes: int = _setting(MIB // 4, "Size of a request that is no upload.")
    retry_ms: int = _setting(1_000, "Milliseconds after which a client comes back to a stream.")
    max_streams: int = _setting(2_000, "Event streams that may be open at once.")
    drain_s: int = _setting(30, "Seconds that running queries have to end when the server stops.")
    page_cache_bytes: int = _setting(64 * MIB, "Memory for rendered pages.")
    log_level: str = _setting("info", "What is logged: debug, info, warning or error.")
    traces: bool = _setting(
        False, "OpenTelemetry traces; the extra 'otel' and its OTEL_ variables."
    )

    @property
    def has_tls(self) -> bool:
        return bool(self.tls_cert)

    @property
    def is_loopback(self) -> bool:
        return is_loopback(self.host)


LOG_LEVELS = ("debug", "info", "warning", "error")
_BOUNDS = {"port": (0, 65_535), "drain_s": (0, 3_600)}


def read_configuration(path: Path) -> tuple[ServeConfiguration, dict[str, str]]:
    """What the file says of the server, and the settings in it as `--set` would have them."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UsageError(f"There is no configuration file {path}.") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as problem:
        raise UsageError(f"The configuration file {path} cannot be read: {problem}.") from None
    for name, table in content.items():
        if name not in _TABLES or not isinstance(table, dict):
            raise UsageError(
                f"{path}: there is no table [{name}].", suggestion="Use [serve] and [settings]."
            )
    settings = {name: str(value) for name, value in content.get("settings", {}).items()}
    return configured(ServeConfiguration(), content.get("serve", {}), origin=str(path)), settings


def configured(
    base: ServeConfiguration, values: Mapping[str, Any], *, origin: str
) -> ServeConfiguration:
    """`base` with these values instead of its own."""
    known = {one.name for one in fields(ServeConfiguration)}
    for name in values:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            raise UsageError(
                f"{origin}: [serve] has no '{name}'.",
                suggestion=f"Did you mean '{near[0]}'?" if near else "docs/serve.md lists them.",
            )
    typed = {name: _typed(name, value, origin) for name, value in values.items()}
    return replace(base, **typed)


def check(configuration: ServeConfiguration) -> None:
    """Enterprise §10.3: nothing leaves this computer in the clear unless that is asked for."""
    if bool(configuration.tls_cert) != bool(configuration.tls_key):
        raise UsageError("TLS needs both: --tls-cert FILE and --tls-key FILE.")
    for name in ("tls_cert", "tls_key"):
        file = getattr(configuration, name)
        if file and not Path(file).is_file():
            raise UsageError(f"{name}: there is no file {file}.")
    safe = configuration.is_loopback or configuration.has_tls or configuration.insecure_plain_http
    if not safe:
        raise UsageError(
            f"{configuration.host} can be reached from other computers, and TLS is not set up.",
            suggestion="Give --tls-cert and --tls-key, or --insecure-plain-http if a proxy "
            "in front of this server has TLS.",
        )
    for origin in configuration.cors_origins:
        parts = urlsplit(origin)
        if parts.scheme not in ("http", "https") or not parts.netloc or parts.path:
            raise UsageError(
                f"cors_origins: '{origin}' is no origin.",
                suggestion="Write it as https://page.example.com; '*' is not taken.",
            )


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _typed(name: str, value: Any, origin: str) -> Any:
    default = getattr(ServeConfiguration(), name)
    where = f"{origin}: {name}"
    if isinstance(default, tuple):
        if not isinstance(value, list | tuple) or not all(isinstance(one, str) for one in value):
            raise UsageError(f"{where} is a list of words.")
        return tuple(value)
    if type(value) is not type(default):
        expected = {int: "a whole number", bool: "true or false", str: "a word"}[type(default)]
        raise UsageError(f"{where} is {expected}, not {value!r}.")
    if isinstance(value, int) and not isinstance(value, bool):
        lowest, highest = _BOUNDS.get(name, (1, 2**62))
        if not lowest <= value <= highest:
            raise UsageError(f"{where}: {value} does not lie between {lowest} and {highest}.")
    if name == "log_level" and value not in LOG_LEVELS:
        raise UsageError(f"{where} is one of {', '.join(LOG_LEVELS)}.")
    return value
