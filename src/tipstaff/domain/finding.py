"""An oddity of a bundle: how bad, where, what. Findings are values; they never stop a reader."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Finding:
    """`where` is a file of the bundle, with a JSON pointer behind `#` where one applies."""

    severity: Severity
    code: str
    where: str
    message: str

    def __str__(self) -> str:
        return f"{self.severity}: {self.where}: {self.message} [{self.code}]"


@dataclass(frozen=True, slots=True)
class ValidationReport:
    """Every finding, worst first, in the order in which they were met."""

    findings: tuple[Finding, ...]

    @classmethod
    def of(cls, findings: Iterable[Finding]) -> ValidationReport:
        order = list(Severity)
        return cls(tuple(sorted(findings, key=lambda finding: order.index(finding.severity))))

    def count(self, severity: Severity) -> int:
        return sum(finding.severity is severity for finding in self.findings)

    def passes(self, *, strict: bool = False) -> bool:
        fatal = {Severity.ERROR, Severity.WARNING} if strict else {Severity.ERROR}
        return not any(finding.severity in fatal for finding in self.findings)


def error(code: str, where: str, message: str) -> Finding:
    return Finding(Severity.ERROR, code, where, message)


def warning(code: str, where: str, message: str) -> Finding:
    return Finding(Severity.WARNING, code, where, message)


def info(code: str, where: str, message: str) -> Finding:
    return Finding(Severity.INFO, code, where, message)
