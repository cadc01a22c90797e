"""A real browser without a window: Chromium, by the WebDriver protocol (W3C WebDriver §8, §13)."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from tests.serve.processes import free_port

# Tests may run as root, where Chromium's own sandbox does not work; what it visits is ours.
_ARGUMENTS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
_SCRIPT_MS = 60_000


class Page:
    def __init__(self, client: httpx.Client, session: str) -> None:
        self._client = client
        self._session = session

    def visit(self, url: str) -> None:
        """Scripts may run there as if the page were one that the server sends to be asked from:
        what it does send forbids them all."""
        self.devtools("Page.enable")
        self.devtools("Page.setBypassCSP", enabled=True)
        self.told("url", url=url)

    def run(self, script: str, given: dict[str, Any]) -> Any:
        """`script` has `given`, and calls `done` with its result."""
        whole = f"const [given, done] = arguments;\n{script}"
        return self.told("execute/async", script=whole, args=[given])

    def devtools(self, command: str, **given: Any) -> Any:
        return self.told("goog/cdp/execute", cmd=command, params=given)

    def told(self, command: str, **body: Any) -> Any:
        return _value(self._client.post(f"/session/{self._session}/{command}", json=body))

    def asked(self, command: str) -> Any:
        return _value(self._client.get(f"/session/{self._session}/{command}"))


@contextmanager
def browser(folder: Path) -> Iterator[Page]:
    """Chromium takes any certificate here; that it is checked is the other clients' to show."""
    driver = shutil.which("chromedriver")
    assert driver, "scripts/system-packages installs chromium-driver"
    port = free_port()
    with (folder / "chromedriver").open("w") as output:
        process = subprocess.Popen([driver, f"--port={port}"], stdout=output, stderr=output)
        try:
            with httpx.Client(
                base_url=f"http://127.0.0.1:{port}",
                timeout=90,
                transport=httpx.HTTPTransport(retries=10),
            ) as client:
                options = {"args": [*_ARGUMENTS, f"--user-data-dir={folder / 'profile'}"]}
                wanted = {
                    "acceptInsecureCerts": True,
                    "goog:chromeOptions": options,
                    "timeouts": {"script": _SCRIPT_MS},
                }
                body = {"capabilities": {"alwaysMatch": wanted}}
                session = _value(client.post("/session", json=body))["sessionId"]
                try:
                    yield Page(client, session)
                finally:
                    client.delete(f"/session/{session}")
        finally:
            process.terminate()
            process.wait()


def _value(answer: httpx.Response) -> Any:
    assert answer.is_success, answer.text
    return answer.json()["value"]
