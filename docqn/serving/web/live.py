"""Live: from the thread where a question is worked on to a stream of server-sent events."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable

from fastapi.responses import StreamingResponse

from docqn.serving.navigator import Exploration
from docqn.serving.result import Visit
from docqn.serving.way import Tell

PULSE = 1.0  # seconds between signs of life while there is nothing to tell
ALIVE = ": working\n\n"
FAULT = "something went wrong in the server; its log says what"


class Left(Exception):
    """Nobody watches any more."""


async def live(explore: Callable[[Tell], Awaitable[Exploration]]) -> AsyncGenerator[Visit | Exploration | None]:
    """Each visit when it is made, None from time to time while there is none, at the end the exploration. When it is
    closed before, the work ends at its next visit."""
    loop = asyncio.get_running_loop()
    made: asyncio.Queue[Visit | None] = asyncio.Queue()  # never holds more than the result does, and holds up no turn
    left = False

    def tell(visit: Visit) -> None:
        if left:
            raise Left
        loop.call_soon_threadsafe(made.put_nowait, visit)

    def end(work: asyncio.Future[Exploration]) -> None:
        if not work.cancelled():
            work.exception()  # somebody has looked at it, even if nobody watches any more
        made.put_nowait(None)

    work = asyncio.ensure_future(explore(tell))
    work.add_done_callback(end)
    try:
        while True:
            try:
                visit = await asyncio.wait_for(made.get(), PULSE)
            except TimeoutError:
                yield None
                continue
            if visit is None:
                break
            yield visit
        yield work.result()
    finally:
        left = True
        work.cancel()


def event(name: str, data: object) -> str:
    """An event in its form on the wire."""
    return f"event: {name}\ndata: {json.dumps(data)}\n\n"


def stream(events: AsyncIterator[str]) -> StreamingResponse:
    """The events as they come; a proxy in front is asked not to hold them back."""
    return StreamingResponse(events, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})
