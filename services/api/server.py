"""The server the app runs in: told to stop, it lets those go who follow the feed."""

from __future__ import annotations

import asyncio
import socket

import uvicorn

from services.feed import Feed


class Server(uvicorn.Server):
    """Ends the streams of a feed before it waits for running requests: by themselves none would."""

    def __init__(self, config: uvicorn.Config, feed: Feed) -> None:
        super().__init__(config)
        self._feed = feed

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """As the server's own, the streams first; who has not taken his answer by then gets none.

        The loop could not be closed while something is still to be written.
        """
        self._feed.end()
        await super().shutdown(sockets)
        for connection in list(self.server_state.connections):
            if connection.transport is not None:
                connection.transport.abort()
        await asyncio.sleep(0)
