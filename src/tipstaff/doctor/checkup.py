"""One look at the machine: every check in order, and whether what everybody needs is whole.

What is not installed is no fault: most people need few of the extras. What is installed or
configured and does not work is one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from tipstaff.settings import Settings


class State(StrEnum):
    WORKS = "works"
    MISSING = "missing"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """`remedy` is what to type or to do; empty where nothing has to be done."""

    group: str
    name: str
    state: State
    detail: str
    remedy: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkup:
    version: str
    checks: tuple[Check, ...]

    @property
    def works(self) -> bool:
        """Whether nothing is broken."""
        return all(one.state is not State.BROKEN for one in self.checks)


def examine_machine(
    settings: Settings, *, environment: Mapping[str, str], data_folder: Path
) -> Checkup:
    """Imports little: packages are looked for, weights are read and hashed, services are knocked
    at. No model is asked and nothing is downloaded."""
    from tipstaff import __version__
    from tipstaff.doctor.extras import extra_checks
    from tipstaff.doctor.machine import machine_checks
    from tipstaff.doctor.services import key_checks, service_checks

    return Checkup(
        version=__version__,
        checks=(
            *machine_checks(settings, data_folder),
            *extra_checks(),
            *key_checks(environment),
            *service_checks(settings),
        ),
    )
