"""A real `tip serve`: its process, and a certificate for it."""

from __future__ import annotations

import datetime as dt
import ipaddress
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

QUICK = ("--set", "reader=none", "--set", "embedder=static")


class Server:
    def __init__(
        self, process: subprocess.Popen[str], errors: Path, *, makes_token: bool = True
    ) -> None:
        self.process = process
        self.errors = errors
        assert process.stdout is not None
        self.url = process.stdout.readline().strip()
        assert self.url, errors.read_text()
        # One that has tokens of its own prints its address alone.
        told = process.stdout.readline().strip() if makes_token else ""
        self.token = told.removeprefix("token: ")

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=30)


@contextmanager
def served(
    tmp_path: Path,
    *words: str | Path,
    data: str = "data",
    port: int = 0,
    quick: tuple[str, ...] = QUICK,
    makes_token: bool = True,
    command: str = "serve",
) -> Iterator[Server]:
    errors = tmp_path / "stderr"
    with errors.open("a") as stderr:
        process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "tipstaff",
                command,
                *map(str, words),
                *quick,
                "--port",
                str(port),
            ],
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
            env=os.environ | {"TIPSTAFF_DATA_DIR": str(tmp_path / data)},
        )
        try:
            yield Server(process, errors, makes_token=makes_token)
        finally:
            if process.poll() is None:
                process.kill()
            process.wait()
            if process.stdout is not None:
                process.stdout.close()


def made_certificate(folder: Path) -> tuple[Path, Path]:
    """A key and a certificate of its own making, for 127.0.0.1."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "tip test")])
    now = dt.datetime.now(dt.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]),
            critical=False,
        )
        .sign(key, hashes.SHA256())
    )
    cert_file, key_file = folder / "cert.pem", folder / "key.pem"
    cert_file.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    key_file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return cert_file, key_file


def without_limits() -> list[str]:
    """For tests that ask more in a minute than a recipient may."""
    levels = ("per_session", "per_recipient", "per_user", "per_tez", "per_tenant", "global")
    names = [*(f"rate_{level}" for level in levels), "queries_per_recipient"]
    return [word for name in names for word in ("--set", f"{name}=0")]


def free_port() -> int:
    """For a server that has to come back at the same address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
