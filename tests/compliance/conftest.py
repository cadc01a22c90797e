"""The bundles of the TIP suite, read once for all servers that are judged."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.conftest import ROOT
from tipstaff.compliance.evidence import Evidence
from tipstaff.compliance.subject import opened_subject


@pytest.fixture(scope="session")
def meridian() -> Iterator[Evidence]:
    with opened_subject(ROOT / "bundles" / "meridian") as subject:
        yield Evidence(subject=subject)
