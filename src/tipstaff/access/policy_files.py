"""A folder of policies, read whole and read again when anything in it has changed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from tipstaff.errors import UsageError

Made = TypeVar("Made")


@dataclass(kw_only=True)
class PolicyFiles(Generic[Made]):
    """`make` turns names and texts into what decides; it raises for what it cannot read."""

    folder: Path
    suffixes: Sequence[str]
    make: Callable[[dict[str, str]], Made]
    _held: tuple[str, Made] | None = None

    def check(self) -> None:
        """A folder that cannot be used is told when the server starts, not when somebody asks."""
        if not self.folder.is_dir():
            raise UsageError(f"There is no folder of policies {self.folder}.")
        try:
            self.in_force()
        except Exception as problem:
            raise UsageError(f"The policies in {self.folder} cannot be used: {problem}") from None

    def token(self) -> str:
        return self._read()[0]

    def in_force(self) -> tuple[str, Made]:
        """The policies as they are on disk now. Broken ones raise: what was there before them is
        not what the operator wants any more."""
        token, texts = self._read()
        if self._held is None or self._held[0] != token:
            self._held = (token, self.make(texts))
        return self._held

    def _read(self) -> tuple[str, dict[str, str]]:
        texts = {
            str(path.relative_to(self.folder)): path.read_text(encoding="utf-8")
            for path in sorted(self.folder.rglob("*"))
            if path.suffix in self.suffixes and path.is_file()
        }
        if not texts:
            raise FileNotFoundError(f"no {' or '.join(self.suffixes)} file in it")
        digest = hashlib.sha256()
        for name, text in texts.items():
            digest.update(f"{len(name)}:{name}{len(text)}:{text}".encode())
        return digest.hexdigest(), texts
