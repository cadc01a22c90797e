"""How soon the page is seen: `python -m benchmarks.page [VISITS]`.

A real server on loopback and a real Chromium without a window, nothing kept between visits. First
paint is the browser's own measure; beside it, so that a busy machine is seen for what it is, that
of one line from the same server.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path

from tests.conftest import MERIDIAN
from tests.page.conftest import TEZ, signed_in
from tests.page.looking import Looking
from tests.serve.browsing import browser
from tests.serve.processes import served, without_limits
from tipstaff.serve.page_files import page_files

AIM_MS = 500
PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"


def first_paints(look: Looking, url: str, visits: int) -> list[float]:
    found = []
    for _ in range(visits):
        look.page.devtools("Network.clearBrowserCache")
        look.visit(url)
        found.append(float(look.until(PAINT)))
    return sorted(found)


def main() -> None:
    visits = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        with served(folder, MERIDIAN, *without_limits()) as server, browser(folder) as page:
            look = Looking(page)
            look.size(1440, 900)
            for name, url in (
                ("the page", signed_in(server, tez=TEZ)),
                ("a line of JSON", f"{server.url}/healthz"),
            ):
                times = first_paints(look, url, visits)
                median, worst = statistics.median(times), times[-1]
                print(f"first paint of {name}: median {median:.0f} ms, worst {worst:.0f} ms")
    weight = page_files().total_bytes
    print(f"aim: under {AIM_MS} ms; all files together: {weight:,} bytes")


if __name__ == "__main__":
    main()
