"""Reading fields of a stranger's JSON object: the value if it is of the kind, else a finding."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tipstaff.domain.finding import Finding, warning


class Fields:
    """One object of a document and where it stands, so that findings carry JSON pointers."""

    def __init__(self, value: Any, where: str, findings: list[Finding]) -> None:
        self.where = where
        self._findings = findings
        if value is not None and not isinstance(value, dict):
            self.odd("", "is not an object")
        self.value: Mapping[str, Any] = value if isinstance(value, dict) else {}

    def odd(self, name: str, what: str, *, code: str = "wrong-type") -> None:
        """Note an oddity of one field (or of the object itself)."""
        self._findings.append(
            warning(code, self.pointer(name), f"{name or 'This'} {what}.".strip())
        )

    def pointer(self, name: str) -> str:
        if not name:
            return self.where
        escaped = name.replace("~", "~0").replace("/", "~1")
        return f"{self.where}/{escaped}"

    def text(self, name: str) -> str | None:
        value = self.value.get(name)
        if isinstance(value, str) and value.strip():
            return value
        if value is not None and not isinstance(value, str):
            self.odd(name, "is not text")
            if isinstance(value, int | float) and not isinstance(value, bool):
                return str(value)
        return None

    def whole(self, name: str) -> int | None:
        value = self.value.get(name)
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**63:
            return value
        if value is not None:
            self.odd(name, "is not a whole number of at least 0")
        return None

    def flag(self, name: str, *, default: bool) -> bool:
        value = self.value.get(name)
        if isinstance(value, bool):
            return value
        if value is not None:
            self.odd(name, f"is neither true nor false; taken as {str(default).lower()}")
        return default

    def object(self, name: str) -> Fields:
        return Fields(self.value.get(name), self.pointer(name), self._findings)

    def objects(self, name: str) -> list[Fields]:
        """A list of objects; members of another kind are noted and left out."""
        return [
            Fields(member, f"{self.pointer(name)}/{index}", self._findings)
            for index, member in enumerate(self._list(name))
        ]

    def texts(self, name: str) -> tuple[str, ...]:
        return tuple(member for member in self._list(name) if isinstance(member, str))

    def _list(self, name: str) -> list[Any]:
        value = self.value.get(name)
        if isinstance(value, list):
            return value
        if value is not None:
            self.odd(name, "is not a list")
        return []
