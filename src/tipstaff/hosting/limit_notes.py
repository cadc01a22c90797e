"""How often auditors are told of a limit: once a minute for each limit of each user.

Whoever runs into one again and again must not fill the log; how often is in the next record.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tipstaff.errors import LimitError

_EVERY_S = 60.0
_MOST_KEPT = 10_000
_TOLD = ("scope", "limit", "limit_type", "limit_value", "used")


@dataclass(slots=True)
class LimitNotes:
    """Of one server: another one tells for itself."""

    _last: dict[tuple[str, ...], tuple[float, int]] = field(default_factory=dict)

    def due(self, problem: LimitError, now: float, *whose: str) -> dict[str, Any] | None:
        """What is to be told of a limit that was reached; None: it was told less than a minute
        ago."""
        what = (*whose, str(problem.details.get("scope", problem.code)))
        last, repeated = self._last.get(what, (float("-inf"), 0))
        if now - last < _EVERY_S:
            self._last[what] = (last, repeated + 1)
            return None
        self._last[what] = (now, 0)
        if len(self._last) > _MOST_KEPT:
            self._last.pop(next(iter(self._last)))
        limit = {name: problem.details[name] for name in _TOLD if name in problem.details}
        return {"error": problem.code, "limit": limit, "repeated": repeated}
