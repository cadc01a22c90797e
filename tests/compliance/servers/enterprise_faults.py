"""Every Enterprise server with a fault; importing a module enters those that it has."""

from tests.compliance.servers import (
    faulty_access,
    faulty_limits,
    faulty_retrieval,
    faulty_streams,
    faulty_tenants,
)
from tests.compliance.servers.faulty import FAULTS, Fault

__all__ = [
    "FAULTS",
    "Fault",
    "faulty_access",
    "faulty_limits",
    "faulty_retrieval",
    "faulty_streams",
    "faulty_tenants",
]
