"""What `benchmarks.serving` measures beside: FastAPI, and nothing behind it, with as many events.

`python -m benchmarks.bare_endpoint PORT EVENTS PAUSES PAUSE_MS`: events, with pauses among them.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator

import uvicorn
from fastapi import FastAPI
from starlette.responses import StreamingResponse

_DATA = b"event: tip.token\ndata: " + b"x" * 200 + b"\n\n"


def bare_app(*, events: int, pauses: int, pause_s: float) -> FastAPI:
    app = FastAPI()
    every = max(events // pauses, 1)

    async def told() -> AsyncIterator[bytes]:
        for number in range(events):
            if number and number % every == 0:
                await asyncio.sleep(pause_s)
            yield b"id: %d\n" % (number + 1) + _DATA
        yield b"event: tip.response.end\ndata: {}\n\n"

    async def held() -> AsyncIterator[bytes]:
        while True:
            yield b":\n\n"
            await asyncio.sleep(5)

    @app.post("/query")
    async def query() -> StreamingResponse:
        return StreamingResponse(told(), media_type="text/event-stream")

    @app.get("/events")
    async def idle() -> StreamingResponse:
        return StreamingResponse(held(), media_type="text/event-stream")

    return app


if __name__ == "__main__":
    port, events, pauses, pause_ms = map(int, sys.argv[1:])
    app = bare_app(events=events, pauses=pauses, pause_s=pause_ms / 1_000)
    uvicorn.run(app, port=port, access_log=False, log_level="error")
