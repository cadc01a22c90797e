"""One page drawn: a PDF on stdin; on stdout the scale that was used, a line end, and a PNG.

Started by `serve.pages` as `python -P -m tipstaff.serve.page_worker PAGE SCALE SIDE MEMORY`.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys

_NO_PAGE = 3
# If the host dies while this process hangs, nobody is left to end it but itself.
_LONGEST_S = 30


def main() -> int:
    number, side = int(sys.argv[1]), int(sys.argv[3])
    scale = float(sys.argv[2])
    signal.alarm(_LONGEST_S)
    _limit_memory(int(sys.argv[4]))
    out = os.fdopen(os.dup(1), "wb")
    # Libraries that print do so elsewhere.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    from tipstaff.parse.parser import CannotRead
    from tipstaff.parse.pdf_render import open_pdf, render_page

    content = sys.stdin.buffer.read()
    try:
        document = open_pdf(content)
    except CannotRead:
        return 1
    if not 1 <= number <= len(document):
        return _NO_PAGE
    longest = max(document[number - 1].get_size())
    document.close()
    scale = min(scale, side / longest) if longest > 0 else scale
    out.write(f"{scale:.6g}\n".encode() + render_page(content, number, float(f"{scale:.6g}")))
    out.flush()
    return 0


def _limit_memory(memory_bytes: int) -> None:
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    sys.exit(main())
