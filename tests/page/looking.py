"""The page in a real browser, as a person has it: keys, pointer, what is seen. Its own security
policy holds: nothing is bypassed."""

from __future__ import annotations

import base64
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.serve.browsing import Page

KEYS = {
    "Tab": "\ue004",
    "Enter": "\ue007",
    "Escape": "\ue00c",
    "Shift": "\ue008",
    "ArrowDown": "\ue015",
    "ArrowRight": "\ue014",
    "PageDown": "\ue00f",
    "Space": " ",
}
_PATIENCE_S = 40.0


class Looking:
    def __init__(self, page: Page) -> None:
        self.page = page

    def visit(self, url: str) -> None:
        # Two addresses that differ behind `#` alone are one page to a browser.
        self.page.told("url", url="about:blank")
        self.page.told("url", url=url)

    def value(self, expression: str, **given: Any) -> Any:
        """What an expression comes to; `given` has what is passed in."""
        script = f"const [given] = arguments; return ({expression});"
        return self.page.told("execute/sync", script=script, args=[given])

    def until(self, expression: str, **given: Any) -> Any:
        """Waits until an expression holds; it is looked at often, and for long."""
        end = time.monotonic() + _PATIENCE_S
        while True:
            found = self.value(expression, **given)
            if found:
                return found
            assert time.monotonic() < end, f"{expression}\n{self.text()[:2000]}"
            time.sleep(0.05)

    def text(self, selector: str = "body") -> str:
        return str(self.value("document.querySelector(given.it)?.innerText ?? ''", it=selector))

    def sees(self, selector: str) -> Any:
        """Waits for an element that is to be seen."""
        return self.until("document.querySelector(given.it)?.checkVisibility()", it=selector)

    def says(self, words: str, within: str = "body") -> None:
        found = "document.querySelector(given.it)?.innerText.includes(given.words)"
        self.until(found, it=within, words=words)

    def press(self, *keys: str) -> None:
        """Keys one after the other; Shift+Tab holds the first."""
        actions: list[dict[str, str]] = []
        for key in keys:
            names = [KEYS.get(one, one) for one in key.split("+")] if len(key) > 1 else [key]
            actions += [{"type": "keyDown", "value": one} for one in names]
            actions += [{"type": "keyUp", "value": one} for one in reversed(names)]
        self._act({"type": "key", "id": "keys", "actions": actions})

    def write(self, text: str) -> None:
        self.press(*text)

    def hover(self, selector: str) -> None:
        self._act(_pointer([self._move(selector)]))

    def click(self, selector: str) -> None:
        self.sees(selector)
        self.value(
            "document.querySelector(given.it).scrollIntoView({block: 'nearest'})", it=selector
        )
        press = [{"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        self._act(_pointer([self._move(selector), *press]))

    def box(self, selector: str) -> dict[str, float]:
        found = "(box => ({left: box.left, top: box.top, right: box.right, bottom: box.bottom}))"
        return dict(
            self.value(
                f"{found}(document.querySelector(given.it).getBoundingClientRect())", it=selector
            )
        )

    def size(self, width: int, height: int, *, mobile: bool = False) -> None:
        self.page.devtools(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=mobile,
        )

    def prefers(self, **features: str) -> None:
        wished = [{"name": name.replace("_", "-"), "value": to} for name, to in features.items()]
        self.page.devtools("Emulation.setEmulatedMedia", features=wished)

    def picture(self, file: Path) -> None:
        file.write_bytes(self.png())

    def png(self) -> bytes:
        return base64.b64decode(self.page.asked("screenshot"))

    def printed(self) -> bytes:
        """The page on paper, as a PDF."""
        return base64.b64decode(self.page.devtools("Page.printToPDF")["data"])

    def _move(self, selector: str) -> dict[str, Any]:
        box = self.box(selector)
        x, y = (box["left"] + box["right"]) / 2, (box["top"] + box["bottom"]) / 2
        return {"type": "pointerMove", "duration": 0, "x": round(x), "y": round(y)}

    def _act(self, source: dict[str, Any]) -> None:
        self.page.told("actions", actions=[source])


def _pointer(actions: Sequence[dict[str, Any]]) -> dict[str, Any]:
    mouse = {"pointerType": "mouse"}
    return {"type": "pointer", "id": "mouse", "parameters": mouse, "actions": list(actions)}
