"""`opa` in process: Rego policies in a folder, evaluated by rego-cpp (`regopy`)."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tipstaff.access.authorizer import AccessCheck, Decision, denied, undecided
from tipstaff.access.opa import decision_of, policy_input, policy_path
from tipstaff.access.policy_files import PolicyFiles
from tipstaff.errors import UsageError
from tipstaff.settings import Settings

# Policies that are held compiled; senders name them, and could name any number.
_MOST_COMPILED = 64


@dataclass(slots=True)
class _Policies:
    """Compiled once, a policy is asked nine times as fast as by its text."""

    interpreter: Any
    compiled: dict[str, Any] = field(default_factory=dict)

    def asked(self, path: str, document: dict[str, Any]) -> Any:
        if path not in self.compiled:
            if len(self.compiled) >= _MOST_COMPILED:
                self.compiled.clear()
            self.compiled[path] = self.interpreter.build(None, [path])
        self.interpreter.set_input(document)
        return self.interpreter.query_bundle_entrypoint(self.compiled[path], path)


@dataclass(kw_only=True)
class Rego:
    files: PolicyFiles[_Policies]
    root: str
    # An interpreter holds one input at a time.
    _turn: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def from_settings(cls, settings: Settings) -> Rego:
        try:
            import regopy  # noqa: F401 (only whether it is there)
        except ImportError:
            raise UsageError(
                "Rego policies need regopy.", suggestion="pip install 'tipstaff[opa]'"
            ) from None
        files = PolicyFiles(
            folder=Path(settings.opa_policies), suffixes=(".rego", ".json"), make=_loaded
        )
        files.check()
        return cls(files=files, root=settings.opa_root)

    async def check(self, requests: Sequence[AccessCheck]) -> list[Decision]:
        return await asyncio.to_thread(self._checked, requests)

    async def change_token(self, tenant: str) -> str | None:  # noqa: ARG002 (one for all)
        return await asyncio.to_thread(self.files.token)

    async def aclose(self) -> None:
        """The interpreter goes with this object."""

    def _checked(self, requests: Sequence[AccessCheck]) -> list[Decision]:
        with self._turn:
            _, policies = self.files.in_force()
            return [self._one(policies, request) for request in requests]

    def _one(self, policies: _Policies, request: AccessCheck) -> Decision:
        from regopy.rego_shared import RegoError

        path = policy_path(request, self.root)
        if path is None:
            return denied("no policy under the root is named")
        try:
            done = policies.asked(path, policy_input(request))
        except (RegoError, ValueError, TypeError) as problem:
            return undecided(f"the policy failed: {type(problem).__name__}")
        if not done.ok():
            return undecided("the policy failed")
        found = done.results[0].expressions if done.results else []
        return decision_of(found[0] if found else None)


def _loaded(texts: dict[str, str]) -> _Policies:
    """`.rego` files are modules, `.json` files are data at the root, as in OPA's bundles."""
    from regopy import Interpreter

    made = Interpreter()
    for name, text in texts.items():
        if name.endswith(".rego"):
            made.add_module(name, text)
        else:
            made.add_data_json(text)
    return _Policies(made)
