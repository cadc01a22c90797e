"""Our own server as a stranger would meet it: `tip serve` in a process of its own, on loopback.

Its data directory is new and goes away; what is judged is published into it over the API, as into
any other server. Rates are off unless a suite asks for them: what is tested asks much at once.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tipstaff.compliance.wire import OWNER
from tipstaff.errors import InternalError

_STOP_S = 30
_RATES = ("per_session", "per_recipient", "per_user", "per_tez", "per_tenant", "global")
UNLIMITED = (*(f"rate_{level}=0" for level in _RATES), "queries_per_recipient=0")


@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    """Somebody whom a suite needs, under the name that stands for them on the wire."""

    name: str
    user: str
    scopes: tuple[str, ...] = ("interrogate",)
    tenant: str = "local"


THE_OWNER = Role(
    name=OWNER, user="owner@compliance.test", scopes=("publish", "interrogate", "admin")
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalServer:
    url: str
    tokens: Mapping[str, str]


@contextlib.contextmanager
def local_server(
    *,
    roles: Sequence[Role] = (THE_OWNER,),
    settings: Sequence[str] = UNLIMITED,
    words: Sequence[str] = (),
) -> Iterator[LocalServer]:
    """`settings` as `--set` has them; `words` are further words of `tip serve`."""
    with tempfile.TemporaryDirectory(prefix="tip-comply-") as folder:
        environment = os.environ | {"TIPSTAFF_DATA_DIR": folder}
        tokens = {role.name: _token(role, environment) for role in roles}
        log = Path(folder) / "server.log"
        overrides = [word for one in settings for word in ("--set", one)]
        with log.open("wb") as errors:
            process = subprocess.Popen(  # noqa: S603 - our own command
                [*_tip("serve"), "--port", "0", *overrides, *words],
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                env=environment,
            )
            try:
                yield LocalServer(url=_address(process, log), tokens=tokens)
            finally:
                _stop(process)


def _tip(command: str) -> list[str]:
    return [sys.executable, "-m", "tipstaff", command]


def _token(role: Role, environment: Mapping[str, str]) -> str:
    scopes = [word for scope in role.scopes for word in ("--scope", scope)]
    words = ["issue", role.user, *scopes, "--every-tez", "--tenant", role.tenant, "--json"]
    done = subprocess.run(  # noqa: S603 - our own command
        [*_tip("token"), *words], capture_output=True, text=True, env=environment, check=False
    )
    if done.returncode:
        raise InternalError(f"No token could be made for the local server: {done.stderr.strip()}")
    return str(json.loads(done.stdout)["token"])


def _address(process: subprocess.Popen[str], log: Path) -> str:
    address = process.stdout.readline().strip() if process.stdout is not None else ""
    if not address:
        said = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        raise InternalError(f"The local server did not start: {' '.join(said[-3:])}")
    return address


def _stop(process: subprocess.Popen[str]) -> None:
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
    try:
        process.wait(timeout=_STOP_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdout is not None:
        process.stdout.close()
