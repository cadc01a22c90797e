from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.instances.valkey_server import OwnValkey, own_valkey


@pytest.fixture(scope="module")
def valkey() -> Iterator[OwnValkey]:
    """One for all tests of a module: they keep apart by their prefixes."""
    with own_valkey() as server:
        yield server


@pytest.fixture
def mortal_valkey() -> Iterator[OwnValkey]:
    """For tests that stop it."""
    with own_valkey() as server:
        yield server
