"""Run every benchmark, or those named: `python -m benchmarks [bundles] [citations] [parsing]`."""

from __future__ import annotations

import sys

from benchmarks import bundles, citations, parsing

BENCHMARKS = {"bundles": bundles.run, "citations": citations.run, "parsing": parsing.run}


def main() -> None:
    for name in sys.argv[1:] or BENCHMARKS:
        print(BENCHMARKS[name]())
        print()


if __name__ == "__main__":
    main()
