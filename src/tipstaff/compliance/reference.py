"""The published test bundle of TIP §11.1 as this package brings it along: Meridian Corp."""

from __future__ import annotations

from pathlib import Path

from tipstaff.errors import UsageError

_NAME = "meridian.tez"
_HERE = Path(__file__).parent
# In a wheel beside this file, in a checkout where it is built.
_PLACES = (_HERE / "reference" / _NAME, _HERE.parents[2] / "bundles" / _NAME)


def reference_bundle() -> Path:
    for place in _PLACES:
        if place.is_file():
            return place
    raise UsageError(
        "The reference bundle of TIP §11.1 is not installed.", suggestion="Give --bundle BUNDLE."
    )
