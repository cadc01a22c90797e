"""What the tests of tenants share with those of hosting."""

from tests.hosting.conftest import (
    database_url,
    in_records,
    make_tez,
    own_folder,
    records_address,
    superuser_url,
)

__all__ = [
    "database_url",
    "in_records",
    "make_tez",
    "own_folder",
    "records_address",
    "superuser_url",
]
