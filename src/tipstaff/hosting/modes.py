"""Where a tez may be interrogated (TIP §12): at its sender's, on a platform, at the recipient's.

Who pays is said to both sides (§12.3.3), and where hosting fails, what else there is (§12.4).
"""

from __future__ import annotations

from enum import StrEnum

from tipstaff.domain.bundle import Bundle, Hosting
from tipstaff.errors import AuthorizationDenied, LimitError, ServiceError, TipstaffError
from tipstaff.settings import Settings


class Mode(StrEnum):
    SENDER = "sender"
    PORTABLE = "portable"
    PLATFORM = "platform"


_MODES = {
    "sender": frozenset({Mode.SENDER}),
    "portable": frozenset({Mode.PORTABLE}),
    "platform": frozenset({Mode.PLATFORM}),
    "dual": frozenset({Mode.SENDER, Mode.PORTABLE}),
}
_PAYS = {
    "free_tier": ("Nobody pays: queries are limited.", "Asking is free, within limits."),
    "pay_per_query": ("Recipients pay for each query.", "You pay for each query."),
    "subscription": (
        "Recipients ask within their subscription.",
        "Queries count towards your subscription.",
    ),
    "sender_funded": (
        "You pay for what recipients ask; /costs says how much.",
        "The sender pays for your queries and sees how many there were, not what you asked.",
    ),
}


def modes_of(bundle: Bundle) -> frozenset[Mode]:
    """Without a word of the sender, whoever has the bundle may interrogate it themselves.
    A bundle that may not be downloaded is not portable, whatever else it says."""
    hosting = bundle.hosting
    modes = _MODES.get(hosting.mode or "", frozenset({Mode.PORTABLE}))
    if hosting.url is not None:
        modes |= {Mode.SENDER}
    return modes - {Mode.PORTABLE} if hosting.allow_download is False else modes


def download_permitted(hosting: Hosting) -> bool:
    """Whether recipients of a hosted tez may have the file: only if its sender says so."""
    if hosting.allow_download is not None:
        return hosting.allow_download
    return hosting.mode in ("portable", "dual")


def check_interrogable(bundle: Bundle) -> None:
    """A sender may share a tez without letting it be asked (`permissions.interrogate`)."""
    if not bundle.permissions.interrogate:
        raise AuthorizationDenied("The sender does not allow this tez to be interrogated.")


def fallback_of(bundle: Bundle, problem: TipstaffError) -> str | None:
    """TIP §12.4: what a recipient can do when hosting fails them, in one sentence; None if there
    is nothing, or the problem is not hosting's."""
    if not isinstance(problem, LimitError | ServiceError) or not download_permitted(bundle.hosting):
        return None
    place = f" from {bundle.hosting.bundle_url}" if bundle.hosting.bundle_url else ""
    return (
        f"Hosted interrogation is not available now. You may download the bundle{place} and "
        "interrogate it on your own computer; answers then come from your model, not the sender's."
    )


def with_fallback(problem: TipstaffError, bundle: Bundle) -> TipstaffError:
    """The same error, with what else there is in its options (§14.6)."""
    told = fallback_of(bundle, problem)
    if told is not None:
        problem.details["options"] = {**problem.details.get("options", {}), "download": told}
    return problem


def cost_statement(settings: Settings) -> dict[str, str]:
    """TIP §12.3.3: transparent to senders and recipients."""
    sender, recipient = _PAYS[settings.cost_model]
    return {
        "cost_model": settings.cost_model,
        "told_to_sender": sender,
        "told_to_recipients": recipient,
    }
