"""Where a tez may be worked on (TIP §13.5): the sender's regions against the server's own.

A server that does not say where it is cannot promise to be in the right place.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tipstaff.domain.bundle import Bundle
from tipstaff.errors import BundleUnusable
from tipstaff.settings import Settings

_UNSAID = "none"
# Models and stores that work inside the server, and so where it is.
_OWN_MODELS = ("extractive", "scripted")
_OWN_STORES = ("embedded", "faiss")


def check_residency(bundle: Bundle, settings: Settings) -> None:
    """Raises BundleUnusable if the sender wants the tez elsewhere than here."""
    places = {
        "regions": ("work", settings.region),
        "model_regions": ("language model", _model_region(settings)),
        "storage_regions": ("storage", _storage_region(settings)),
    }
    for field, (what, here) in places.items():
        wanted = _regions(bundle.privacy.data_residency, field)
        if wanted is not None and here not in wanted:
            place = "does not say where it is" if here == _UNSAID else f"is in {here}"
            raise BundleUnusable(
                f"The sender keeps this tez to {', '.join(wanted) or 'no region'}; "
                f"the {what} of this server {place}.",
                suggestion="Use a server in one of these regions.",
                data_residency=field,
            )


def _regions(residency: Mapping[str, Any], field: str) -> list[str] | None:
    """None if nothing is asked. What is asked in a way that is not understood is not met."""
    wanted = residency.get(field)
    if wanted is None:
        return None
    if isinstance(wanted, str):
        return [wanted]
    known = [one for one in wanted if isinstance(one, str)] if isinstance(wanted, list) else []
    return [one for one in known if one != _UNSAID]


def _model_region(settings: Settings) -> str:
    if settings.model_region != _UNSAID:
        return settings.model_region
    models = [settings.model]
    if settings.fallback_model != "none":
        models.append(settings.fallback_model)
    is_own = all(model.partition(":")[0] in _OWN_MODELS for model in models)
    return settings.region if is_own else _UNSAID


def _storage_region(settings: Settings) -> str:
    if settings.storage_region != _UNSAID:
        return settings.storage_region
    is_own = settings.records_url == "none" and settings.store in _OWN_STORES
    return settings.region if is_own else _UNSAID
