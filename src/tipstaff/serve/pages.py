"""Pages of PDFs as pictures, drawn in a process of their own, kept in memory within a bound.

A stranger's PDF may crash or hang what draws it (docs/decisions/0006): that process, not ours.
"""

from __future__ import annotations

import asyncio
import sys
from collections import OrderedDict
from dataclasses import dataclass

from tipstaff.errors import BundleUnusable, NotFound, QueryTimeout
from tipstaff.serve.item_bytes import ItemBytes

MOST_PAGES = 100_000
# The longer side of a picture; a vast page is drawn smaller.
MAX_SIDE_PIXELS = 4_000
_TIMEOUT_S = 20
_AT_ONCE = 2
_NO_PAGE = 3


@dataclass(frozen=True, slots=True)
class PageImage:
    """`scale` is in pixels a point, as it was drawn."""

    png: bytes
    scale: float


class Pages:
    def __init__(self, *, max_bytes: int, memory_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._memory_bytes = memory_bytes
        self._kept: OrderedDict[tuple[str, int, float], PageImage] = OrderedDict()
        self._bytes = 0
        self._turn = asyncio.Semaphore(_AT_ONCE)

    def __len__(self) -> int:
        return len(self._kept)

    async def rendered(self, item: ItemBytes, number: int, scale: float) -> PageImage:
        """NotFound for a page that is not there, and for items without pages."""
        if item.media_type != "application/pdf":
            raise NotFound("no pages")
        key = (item.sha256, number, scale)
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        async with self._turn:
            image = await self._drawn(item.content, number, scale)
        self._keep(key, image)
        return image

    def _keep(self, key: tuple[str, int, float], image: PageImage) -> None:
        if key in self._kept or len(image.png) > self._max_bytes:
            return
        self._kept[key] = image
        self._bytes += len(image.png)
        while self._bytes > self._max_bytes:
            _, oldest = self._kept.popitem(last=False)
            self._bytes -= len(oldest.png)

    async def _drawn(self, content: bytes, number: int, scale: float) -> PageImage:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",
            "-m",
            "tipstaff.serve.page_worker",
            str(number),
            str(scale),
            str(MAX_SIDE_PIXELS),
            str(self._memory_bytes),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            async with asyncio.timeout(_TIMEOUT_S):
                out, _ = await process.communicate(content)
        except TimeoutError:
            raise QueryTimeout(timeout_seconds=_TIMEOUT_S) from None
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if process.returncode == _NO_PAGE:
            raise NotFound("no such page")
        if process.returncode != 0:
            raise BundleUnusable("This page cannot be drawn.")
        drawn_scale, _, png = out.partition(b"\n")
        return PageImage(png, float(drawn_scale))
