"""Where an agent may read bundles and files, and write what it packs: nowhere, unless told.

Whoever starts the server names folders; a path is resolved, links and all, before it is compared.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tipstaff.errors import AuthorizationDenied, NotFound


@dataclass(frozen=True, slots=True)
class AllowedFolders:
    folders: tuple[Path, ...] = ()

    @classmethod
    def of(cls, folders: Iterable[str | Path]) -> AllowedFolders:
        return cls(tuple(Path(one).expanduser().resolve() for one in folders))

    def existing(self, text: str) -> Path:
        """A file or folder that is there. One outside is refused before it is looked for, so that
        nobody learns what exists elsewhere."""
        path = self.inside(text)
        if not path.exists():
            raise NotFound(f"There is nothing at '{text}'.", suggestion=self._hint())
        return path

    def inside(self, text: str) -> Path:
        """A relative path is one of the first folder."""
        given = Path(text).expanduser()
        if "\x00" in text or not self.folders:
            raise self._refused(text)
        path = (given if given.is_absolute() else self.folders[0] / given).resolve()
        if not any(path.is_relative_to(one) for one in self.folders):
            raise self._refused(text)
        return path

    def _refused(self, text: str) -> AuthorizationDenied:
        return AuthorizationDenied(
            f"'{text[:200]}' is not in a folder that this server may use.", suggestion=self._hint()
        )

    def _hint(self) -> str:
        if not self.folders:
            return "No folder is allowed; the user can name one: tip mcp --allow FOLDER."
        return "Allowed folders: " + ", ".join(str(one) for one in self.folders)
