"""Run every benchmark, or those named: `python -m benchmarks [bundles] [citations]`."""

from __future__ import annotations

import sys

from benchmarks import bundles, citations

BENCHMARKS = {"bundles": bundles.run, "citations": citations.run}


def main() -> None:
    for name in sys.argv[1:] or BENCHMARKS:
        print(BENCHMARKS[name]())
        print()


if __name__ == "__main__":
    main()
