"""Which TIP version a bundle asks for, and whether it can be served (TIP §14.7, §15.5)."""

from __future__ import annotations

import re

from tipstaff.domain.finding import Finding, warning
from tipstaff.errors import VersionMismatch

SUPPORTED = (1, 0)
SUPPORTED_TEXT = ".".join(map(str, SUPPORTED))

# TIP §15.4 names features but lists none; these are the section titles that we implement.
FEATURES = frozenset(
    {
        "citation_verification",
        "confidence_signals",
        "response_classification",
        "inline_citations",
        "abstention",
        "sessions",
    }
)


def negotiate(declared: object, *, where: str) -> tuple[str, list[Finding]]:
    """The version to speak and any warning; VersionMismatch if the major version is beyond us."""
    if declared is None:
        return SUPPORTED_TEXT, []
    # "v2.0", "2.x" and "2.0-beta" all ask for a major version, and that is what decides.
    match = re.match(r"v?(\d{1,9})(?:\.(\d{1,9}))?", str(declared).strip(), re.IGNORECASE)
    if match is None:
        return SUPPORTED_TEXT, [
            warning("tip-version", where, f"'{declared}' is not a TIP version; taken as 1.0.")
        ]
    major, minor = int(match[1]), int(match[2] or 0)
    text = f"{major}.{minor}"
    if major > SUPPORTED[0]:
        raise VersionMismatch(required_version=text, supported_version=SUPPORTED_TEXT)
    if (major, minor) > SUPPORTED:
        return text, [
            warning(
                "tip-version-ahead",
                where,
                f"The bundle is written for TIP {text}; some features may not be available in "
                f"{SUPPORTED_TEXT}.",
            )
        ]
    if major < 1:
        return SUPPORTED_TEXT, [
            warning("tip-version", where, f"TIP {text} was never published; taken as 1.0.")
        ]
    return text, []


def missing_features(required: tuple[str, ...], *, where: str) -> list[Finding]:
    return [
        warning("unknown-feature", where, f"The sender requires '{name}', which is not known here.")
        for name in required
        if name not in FEATURES
    ]
