"""What people judged, in a file that survives being closed at any moment.

The first line says what is reviewed, then come the responses, then one line a judgement. Nothing
is ever changed: taking a judgement back is a line, too. Who goes on later finds the same responses.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tipstaff.domain.wire import from_wire, to_wire
from tipstaff.errors import UsageError
from tipstaff.eval.observation import Observed, Verdict

_FORMAT = "tipstaff-review/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewSubject:
    """What a review is of: judgements of anything else do not count for it."""

    tez_id: str
    tez_digest: str
    model: str
    query_set: str


@dataclass
class ReviewFile:
    """`judged` has the judgements that stand, in the order in which they were made."""

    path: Path
    observed: list[Observed] = field(default_factory=list)
    judged: dict[str, Verdict] = field(default_factory=dict)

    @classmethod
    def started(
        cls, path: Path, subject: ReviewSubject, observed: Iterable[Observed]
    ) -> ReviewFile:
        """A new file with the responses that are to be judged."""
        review = cls(path, list(observed))
        lines = [{"format": _FORMAT, **to_wire(subject)}]
        lines += [{"observed": to_wire(one)} for one in review.observed]
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        aside = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            aside.write_text(text, encoding="utf-8", errors="surrogatepass")
            aside.replace(path)
        except OSError as problem:
            raise UsageError(f"'{path}' cannot be written: {problem.strerror}.") from None
        finally:
            aside.unlink(missing_ok=True)
        return review

    @classmethod
    def resumed(cls, path: Path, subject: ReviewSubject) -> ReviewFile:
        """The file as it was left; of another tez, model or query set it is refused."""
        try:
            lines = path.read_bytes().split(b"\n")
        except OSError as problem:
            raise UsageError(f"'{path}' cannot be read: {problem.strerror}.") from None
        head = _read(lines[0])
        if head.get("format") != _FORMAT:
            raise UsageError(f"'{path}' is no review.", suggestion="Name another file.")
        for name, value in to_wire(subject).items():
            if head.get(name) != value:
                raise UsageError(
                    f"'{path}' is a review of another {name.replace('_', ' ')}.",
                    suggestion="Judgements count for what was judged: name another file.",
                )
        review = cls(path)
        for line in lines[1:]:
            review._take(_read(line))
        return review

    def record(self, unit_id: str, verdict: Verdict, *, by: str, at: str) -> None:
        self._append({"judged": unit_id, "holds": verdict.holds, "by": by, "at": at})
        self.judged[unit_id] = verdict

    def take_back(self, *, at: str) -> str | None:
        """The last judgement that stands is undone; which it was."""
        if not self.judged:
            return None
        unit_id = next(reversed(self.judged))
        self._append({"undone": unit_id, "at": at})
        del self.judged[unit_id]
        return unit_id

    def _take(self, line: Mapping[str, Any]) -> None:
        if "observed" in line:
            self.observed.append(from_wire(Observed, line["observed"]))
        elif "judged" in line:
            # A unit that is judged again is the last one that was.
            self.judged.pop(line["judged"], None)
            self.judged[line["judged"]] = Verdict(line["holds"] is True, why="judged by a person")
        elif "undone" in line:
            self.judged.pop(line["undone"], None)

    def _append(self, line: Mapping[str, Any]) -> None:
        try:
            with self.path.open("ab+") as stream:
                stream.seek(-1, os.SEEK_END)
                # A line that was torn is left alone: this one starts behind it.
                start = b"" if stream.read(1) == b"\n" else b"\n"
                stream.write(start + json.dumps(line).encode() + b"\n")
                stream.flush()
                os.fsync(stream.fileno())
        except OSError as problem:
            raise UsageError(f"'{self.path}' cannot be written: {problem.strerror}.") from None


def _read(line: bytes) -> dict[str, Any]:
    """Half a line, left by a crash, is nothing."""
    try:
        value = json.loads(line.decode("utf-8", "surrogatepass"))
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
