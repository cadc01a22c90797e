"""`make bench-enterprise`: authorisation, one and two instances, growth with the number of tezits.

python -m benchmarks.enterprise [--quick] [--sizes 10,1000,10000] [--seconds 20]
    [--only authorising,instances,growth]
"""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
import time
from pathlib import Path

from benchmarks import instances
from benchmarks.enterprise import authorising, growth
from tests.instances.valkey_server import own_valkey

PARTS = ("authorising", "instances", "growth")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--quick", action="store_true", help="smaller sizes; minutes")
    options.add_argument("--sizes", help="numbers of tezits, by commas")
    options.add_argument("--seconds", type=float, help="that each number of instances is asked")
    options.add_argument("--only", default=",".join(PARTS), help="some of the three parts")
    given = options.parse_args()
    sizes = given.sizes or ("10,200" if given.quick else "10,1000,10000")
    seconds = given.seconds or (8.0 if given.quick else 20.0)
    parts = given.only.split(",")
    _tell_load()
    if "authorising" in parts:
        authorising.measure(1_000, 10 if given.quick else 100)
        _tell_load()
    if "instances" in parts:
        _instances(seconds)
        _tell_load()
    if "growth" in parts:
        began = time.perf_counter()
        growth.measure([int(size) for size in sizes.split(",")], 40 if given.quick else 200)
        print(f"  took {time.perf_counter() - began:,.0f} s")
        _tell_load()


def _instances(seconds: float) -> None:
    with own_valkey() as valkey, tempfile.TemporaryDirectory() as folder:
        instances.with_postgres(
            lambda address: asyncio.run(instances.answers(Path(folder), address, valkey, seconds))
        )


def _tell_load() -> None:
    print(f"load {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores", flush=True)


if __name__ == "__main__":
    main()
